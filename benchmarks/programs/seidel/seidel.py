"""Gauss and Seidel's method."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case


def c_seidel(library):
    def run(steps, start):
        A = start.copy()
        library.seidel(steps, *A.shape, A)
        return A

    return run


def cases():
    yield Case(
        name="seidel-2d",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "seidel", "whole rows": "seidel_rows"},
        arguments=lambda: (4, np.random.default_rng(16).random((200, 200))),
        c=c_seidel,
    )
