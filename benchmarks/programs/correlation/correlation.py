"""Correlations of all pairs of columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


def by_corrcoef(samples):
    return np.corrcoef(samples, rowvar=False)


@twins.variant
def c_correlation(samples):
    n, m = samples.shape
    result = np.zeros((m, m))
    return n, m, samples, np.empty((n, m)), np.zeros(m), np.zeros(m), result


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
