"""Alignment of two sequences: Smith-Waterman and Levenshtein."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


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
        c=lambda library: (lambda a, b, *scores: library.local_score(len(a), a, len(b), b, *scores)),
    )
    yield Case(
        name="Levenshtein",
        source=SOURCE,
        forms={"loops": "edits", "lists": "edits_lists", "table": "edits_table", "scan": "edits_scan"},
        arguments=lambda: sequences(700),
        c=lambda library: lambda a, b: library.edits(len(a), a, len(b), b),
    )
