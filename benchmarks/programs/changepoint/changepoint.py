"""Where the mean of a series changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_changepoints(series, penalty):
    return len(series), series, penalty, np.empty(len(series) + 1, np.int64)


def series(n: int, segment: int) -> np.ndarray:
    rng = np.random.default_rng(10)
    levels = np.repeat(rng.normal(0, 3, n // segment), segment)
    return levels + rng.normal(size=len(levels))


def cases():
    yield Case(
        name="changepoint",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "changepoints", "whole arrays": "by_candidates"},
        arguments=lambda: (series(4000, 200), 30.0),
        c=c_changepoints,
        check=np.testing.assert_array_equal,
    )
