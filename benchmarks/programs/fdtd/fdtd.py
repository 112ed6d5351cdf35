"""Electromagnetic waves in two dimensions."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant(results=3)
def c_fdtd(source, electric_x, electric_y, magnetic):
    ex, ey, hz = electric_x.copy(), electric_y.copy(), magnetic.copy()
    return len(source), *hz.shape, source, ex, ey, hz


def cases():
    def fields(steps, rows, columns):
        rng = np.random.default_rng(3)
        return rng.random(steps), *rng.random((3, rows, columns))

    yield Case(
        name="fdtd-2d",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "fdtd", "whole arrays": "fdtd_arrays", "np.diff": "fdtd_diff"},
        arguments=lambda: fields(20, 200, 220),
        c=c_fdtd,
        small=lambda: fields(20, 20, 22),
    )
