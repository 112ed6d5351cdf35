"""Histogram and gather."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case


def by_arrays(picture, levels):
    level = (picture * (levels - 1)).astype(np.int64)
    counts = np.bincount(level, minlength=levels)
    return (np.cumsum(counts) / len(picture))[level]


def equalize(picture, levels):
    n = len(picture)
    counts = np.zeros(levels, np.int64)
    for i in range(n):
        counts[int(picture[i] * (levels - 1))] += 1
    share = np.empty(levels)
    below = 0
    for level in range(levels):
        below += counts[level]
        share[level] = below / n
    result = np.empty(n)
    for i in range(n):
        result[i] = share[int(picture[i] * (levels - 1))]
    return result


def c_equalize(library):
    def run(picture, levels):
        result = np.empty(len(picture))
        library.equalize(len(picture), picture, levels, result)
        return result

    return run


def cases():
    for name, n in ("histogram and gather", 200_000), ("histogram and gather, in memory", 4_000_000):
        yield Case(
            name=name,
            source=Path(__file__).with_suffix(".pydd"),
            function="equalize",
            numpy=by_arrays,
            numba=equalize,
            c=c_equalize,
            arguments=lambda n=n: (np.random.default_rng(7).random(n) ** 2, 1024),
        )
