"""Heat in three dimensions."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_heat(steps, A, B):
    return steps, *A.shape, B.copy(), A.copy()


def cases():
    def block(size):
        A = np.random.default_rng(2).random((size, size, size))
        return A, A.copy()

    yield Case(
        name="heat-3d",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "heat", "whole arrays": "heat_arrays", "increment": "heat_names"},
        arguments=lambda: (10, *block(50)),
        c=c_heat,
        small=lambda: (10, *block(11)),
    )
