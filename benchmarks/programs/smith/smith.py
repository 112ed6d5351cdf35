"""Alignment of two sequences: Smith-Waterman and Levenshtein."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


@twins.variant(results=0)
def c_local_score(a, b, *scores):
    return len(a), a, len(b), b, *scores


@twins.variant(results=0)
def c_edits(a, b):
    return len(a), a, len(b), b


def sequences(length: int):
    """The second is the first with a fifth of its letters changed."""
    rng = np.random.default_rng(37)
    a = rng.integers(0, 4, length, np.uint8)
    b = np.where(rng.random(length) < 0.2, rng.integers(0, 4, length, np.uint8), a)
    return a, np.roll(b, 7)


def cases():
    yield Case(
        name="Smith-Waterman",
        source=SOURCE,
        forms={
            "loops": "local_score",
            "table": "local_score_table",
            "scan": "local_score_scan",
            "diagonals": "local_score_diagonals",
        },
        arguments=lambda: (*sequences(700), 2, -1, -2),
        c=c_local_score,
    )
    yield Case(
        name="Levenshtein",
        source=SOURCE,
        forms={"loops": "edits", "lists": "edits_lists", "table": "edits_table", "scan": "edits_scan"},
        arguments=lambda: sequences(700),
        c=c_edits,
    )
