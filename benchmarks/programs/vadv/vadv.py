"""Vertical advection."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_vadv(utens_stage, u_stage, wcon, u_pos, utens, dtr_stage):
    result, ccol, dcol = np.empty(u_pos.shape), np.empty(u_pos.shape[2]), np.empty(u_pos.shape[2])
    return *u_pos.shape, utens_stage, u_stage, wcon, u_pos, utens, dtr_stage, ccol, dcol, result


def cases():
    def atmosphere(rows, columns, levels):
        rng = np.random.default_rng(5)
        utens_stage, u_stage, u_pos, utens = rng.random((4, rows, columns, levels))
        return utens_stage, u_stage, rng.random((rows + 1, columns, levels)), u_pos, utens, 3.0 / 20.0

    yield Case(
        name="vertical advection",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "vadv", "whole arrays": "vadv_arrays"},
        arguments=lambda: atmosphere(40, 40, 90),
        c=c_vadv,
        small=lambda: atmosphere(4, 4, 90),
    )
