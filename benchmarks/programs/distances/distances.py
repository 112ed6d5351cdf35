"""Distances between all pairs of points, and the nearest."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")
PAIRS = {
    "loops": "pairs",
    "norm": "pairs_norm",
    "products": "pairs_product",
    "einsum": "pairs_einsum",
    "cdist": "pairs_cdist",
    "rows": "pairs_rows",
    "broadcasting": "pairs_broadcast",
}
NEAREST = {
    "loops": "nearest",
    "cdist": "nearest_cdist",
    "rows": "nearest_rows",
    "broadcasting": "nearest_broadcast",
}


@twins.variant
def c_pairs(A, B):
    return len(A), *B.shape, A, B, np.empty((len(A), len(B)))


@twins.variant(results=2)
def c_nearest(A, B):
    number, distance = np.empty(len(A), np.int64), np.empty(len(A))
    return len(A), *B.shape, A, B, number, distance


def points(count: int, axes: int):
    rng = np.random.default_rng(36)
    return rng.random((count, axes)), rng.random((count, axes))


def cases():
    for axes in (3, 32):
        yield Case(
            name=f"distances, {axes} axes",
            source=SOURCE,
            forms=PAIRS,
            arguments=lambda axes=axes: points(400, axes),
            c=c_pairs,
            library=axes > 3,
        )
    yield Case(
        name="nearest points",
        source=SOURCE,
        forms=NEAREST,
        arguments=lambda: points(400, 3),
        c=c_nearest,
    )
