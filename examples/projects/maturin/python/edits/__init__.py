"""Texts by how many edits they are apart."""

import numpy as np

from . import _distance, _text


def distances(texts):
    """The numbers of characters to insert, remove or replace that make one text another: an array of integers, (n, n)."""
    points = _text.code_points(list(texts))
    ends = np.cumsum([0, *map(len, points)])
    return _distance.distances(np.array([p for text in points for p in text], dtype=np.int64), ends)
