"""Correlations of all pairs of columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case


def by_corrcoef(samples):
    return np.corrcoef(samples, rowvar=False)


def c_correlation(library):
    def run(samples):
        n, m = samples.shape
        result = np.zeros((m, m))
        library.correlation(n, m, samples, np.empty((n, m)), np.zeros(m), np.zeros(m), result)
        return result

    return run


def cases():
    yield Case(
        name="correlation",
        source=Path(__file__).with_suffix(".pydd"),
        forms={
            "loops": "correlation",
            "whole arrays": "correlation_arrays",
            "product": "correlation_product",
        },
        arguments=lambda: (np.random.default_rng(9).random((260, 240)),),
        numpy=by_corrcoef,
        c=c_correlation,
        library=True,
    )
