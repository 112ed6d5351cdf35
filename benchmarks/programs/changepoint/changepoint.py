"""Where the mean of a series changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case


def by_arrays(series, penalty):
    n = len(series)
    sums = np.concatenate([[0.0], np.cumsum(series)])
    squares = np.concatenate([[0.0], np.cumsum(series * series)])
    best = np.zeros(n + 1)
    best[0] = -penalty
    last = np.zeros(n + 1, np.int64)
    candidates = np.zeros(1, np.int64)
    for t in range(1, n + 1):
        step = sums[t] - sums[candidates]
        costs = best[candidates] + squares[t] - squares[candidates] - step * step / (t - candidates)
        k = np.argmin(costs)
        best[t], last[t] = costs[k] + penalty, candidates[k]
        candidates = np.append(candidates[costs <= best[t]], t)
    return last


def changepoints(series, penalty):
    n = len(series)
    sums = np.zeros(n + 1)
    squares = np.zeros(n + 1)
    for t in range(n):
        sums[t + 1] = sums[t] + series[t]
        squares[t + 1] = squares[t] + series[t] * series[t]
    best = np.zeros(n + 1)
    best[0] = -penalty
    last = np.zeros(n + 1, np.int64)
    candidates = np.zeros(n + 1, np.int64)
    costs = np.zeros(n + 1)
    count = 1
    for t in range(1, n + 1):
        least = 1e300
        start = 0
        for k in range(count):
            s = candidates[k]
            step = sums[t] - sums[s]
            cost = best[s] + squares[t] - squares[s] - step * step / (t - s)
            costs[k] = cost
            if cost + penalty < least:
                least = cost + penalty
                start = s
        best[t] = least
        last[t] = start
        kept = 0
        for k in range(count):
            if costs[k] <= least:
                candidates[kept] = candidates[k]
                kept += 1
        candidates[kept] = t
        count = kept + 1
    return last


def c_changepoints(library):
    def run(series, penalty):
        last = np.empty(len(series) + 1, np.int64)
        library.changepoints(len(series), series, penalty, last)
        return last

    return run


def series(n: int, segment: int) -> np.ndarray:
    rng = np.random.default_rng(10)
    levels = np.repeat(rng.normal(0, 3, n // segment), segment)
    return levels + rng.normal(size=len(levels))


def cases():
    yield Case(
        name="changepoint",
        source=Path(__file__).with_suffix(".pydd"),
        function="changepoints",
        numpy=by_arrays,
        numba=changepoints,
        c=c_changepoints,
        arguments=lambda: (series(4000, 200), 30.0),
        check=np.testing.assert_array_equal,
    )
