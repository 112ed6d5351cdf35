"""The heat equation by alternating directions."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case


def c_adi(library):
    def run(steps, start):
        u = start.copy()
        library.adi(steps, len(u), u, *np.empty((3, *u.shape)))
        return u

    return run


def cases():
    def plate(size):
        return np.random.default_rng(6).random((size, size))

    yield Case(
        name="adi",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "adi", "whole arrays": "adi_arrays"},
        arguments=lambda: (5, plate(150)),
        c=c_adi,
    )
