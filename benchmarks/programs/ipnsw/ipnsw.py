"""Search for the greatest inner products over a graph of similar points."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_search(points, links, queries, width, count):
    result = np.full((len(queries), count), -1)
    return *points.shape, links.shape[1], len(queries), points, links, queries, width, count, result


def problem(count: int, length: int, degree: int, queries: int):
    """Each point knows those of its greatest products, and as many by chance; small whole numbers have exact products."""
    rng = np.random.default_rng(31)
    points = rng.integers(-64, 65, (count, length)).astype(np.float32)
    products = points @ points.T
    near = np.argpartition(-products, degree // 2, axis=1)[:, : degree // 2]
    links = np.concatenate([near, rng.integers(0, count, (count, degree - degree // 2))], axis=1)
    asked = rng.integers(-64, 65, (queries, length)).astype(np.float32)
    return points, links, asked, 40, 10


def cases():
    yield Case(
        name="ip-NSW",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "search", "whole arrays": "search_gathered", "sets": "search_vectors"},
        arguments=lambda: problem(4000, 32, 16, 40),
        c=c_search,
    )
