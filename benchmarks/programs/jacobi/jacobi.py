"""Jacobi's method in two dimensions."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant(results=2)
def c_jacobi(steps, A, B):
    u, v = A.copy(), B.copy()
    return steps, *A.shape, u, v


def cases():
    def plates(size):
        return np.random.default_rng(1).random((2, size, size))

    yield Case(
        name="jacobi-2d",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "jacobi", "whole arrays": "jacobi_arrays", "sweeps": "jacobi_sweeps"},
        arguments=lambda: (20, *plates(250)),
        c=c_jacobi,
        small=lambda: (20, *plates(25)),
    )
