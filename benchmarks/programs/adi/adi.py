"""The heat equation by alternating directions."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_adi(steps, start):
    return steps, len(start), *np.empty((3, *start.shape)), start.copy()


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
