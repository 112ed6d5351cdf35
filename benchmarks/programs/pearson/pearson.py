"""Correlations between all pairs of series."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_correlations(series):
    count, length = series.shape
    result = np.empty((count, count))
    return count, length, series, result


def cases():
    yield Case(
        name="Pearson",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "correlations", "whole arrays": "correlations_arrays"},
        c=c_correlations,
        library=True,
        arguments=lambda: (np.random.default_rng(8).random((150, 1000)),),
    )
