"""Horizontal diffusion with limited fluxes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_hdiff(field, coeff):
    n, m, levels = coeff.shape
    laplacian = np.empty((n + 2, m + 2, levels))
    flux_x, flux_y = np.empty((n + 1, m, levels)), np.empty((n, m + 1, levels))
    result = np.empty(coeff.shape)
    return n, m, levels, field, coeff, laplacian, flux_x, flux_y, result


def cases():
    def atmosphere(n, m, levels):
        rng = np.random.default_rng(4)
        return rng.random((n + 4, m + 4, levels)), rng.random((n, m, levels))

    yield Case(
        name="horizontal diffusion",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "hdiff", "whole arrays": "hdiff_arrays", "masks": "hdiff_masks"},
        arguments=lambda: atmosphere(64, 64, 60),
        c=c_hdiff,
        small=lambda: atmosphere(8, 8, 40),
    )
