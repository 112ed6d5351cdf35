"""Correlations between all pairs of series."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case


def by_arrays(series):
    centered = series - series.mean(axis=1, keepdims=True)
    unit = centered / np.sqrt((centered * centered).sum(axis=1, keepdims=True))
    return unit @ unit.T


def correlations(series):
    count, length = series.shape
    unit = np.empty((count, length))
    for i in range(count):
        mean = series[i].sum() / length
        squares = 0.0
        for t in range(length):
            step = series[i, t] - mean
            unit[i, t] = step
            squares += step * step
        norm = np.sqrt(squares)
        for t in range(length):
            unit[i, t] /= norm
    result = np.empty((count, count))
    for i in range(count):
        for j in range(count):
            total = 0.0
            for t in range(length):
                total += unit[i, t] * unit[j, t]
            result[i, j] = total
    return result


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
        function="correlations",
        numpy=by_arrays,
        numba=correlations,
        c=c_correlations,
        arguments=lambda: (np.random.default_rng(8).random((150, 1000)),),
    )
