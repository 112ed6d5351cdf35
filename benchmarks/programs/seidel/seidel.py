"""Gauss and Seidel's method."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_seidel(steps, start):
    A = start.copy()
    return steps, *A.shape, A


def cases():
    yield Case(
        name="seidel-2d",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "seidel", "whole rows": "seidel_rows"},
        arguments=lambda: (4, np.random.default_rng(16).random((200, 200))),
        c=c_seidel,
    )
