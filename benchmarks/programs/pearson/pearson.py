"""Correlations between all pairs of series."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case


def c_correlations(library):
    def run(series):
        count, length = series.shape
        result = np.empty((count, count))
        library.correlations(count, length, series, result)
        return result

    return run


def cases():
    yield Case(
        name="Pearson",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "correlations", "whole arrays": "correlations_arrays"},
        c=c_correlations,
        library=True,
        arguments=lambda: (np.random.default_rng(8).random((150, 1000)),),
    )
