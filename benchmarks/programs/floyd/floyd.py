"""Shortest paths between all pairs of nodes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_floyd(distances):
    path = distances.copy()
    return len(path), path


def distances(n):
    """Of a random graph; 999 where there is no edge."""
    rng = np.random.default_rng(10)
    lengths = np.where(rng.random((n, n)) < 0.2, rng.integers(1, 100, (n, n)), 999)
    np.fill_diagonal(lengths, 0)
    return lengths


def cases():
    yield Case(
        name="Floyd-Warshall",
        source=Path(__file__).with_suffix(".pydd"),
        forms={
            "loops": "floyd",
            "loops with min": "floyd_min",
            "whole arrays": "floyd_outer",
            "broadcasting": "floyd_broadcast",
        },
        arguments=lambda: (distances(150),),
        c=c_floyd,
    )
