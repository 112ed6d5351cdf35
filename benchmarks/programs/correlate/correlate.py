"""Autocorrelation, and a pattern sought in a series."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


@twins.variant
def c_autocorrelation(series, lags):
    return len(series), series, lags, np.empty(lags)


@twins.variant
def c_match(series, pattern):
    return len(series), series, len(pattern), pattern, np.empty(len(series) - len(pattern) + 1)


def cases():
    series = np.random.default_rng(34).standard_normal(10_000).cumsum()
    yield Case(
        name="autocorrelation",
        source=SOURCE,
        forms={
            "loops": "autocorrelation",
            "np.correlate": "autocorrelation_full",
            "FFT": "autocorrelation_fft",
            "slices": "autocorrelation_slices",
            "dot": "autocorrelation_dot",
        },
        arguments=lambda: (series, 200),
        c=c_autocorrelation,
        library=True,
    )
    yield Case(
        name="correlation of windows",
        source=SOURCE,
        forms={
            "loops": "match",
            "rows": "match_rows",
            "std": "match_std",
            "whole arrays": "match_windows",
        },
        arguments=lambda: (series, series[5000:5100].copy()),
        c=c_match,
    )
