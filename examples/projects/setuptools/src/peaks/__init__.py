"""Peaks of signals."""

import numpy as np

from . import _search


def find(signal, height=-np.inf):
    """Positions of the elements of a one-dimensional array that are greater than both neighbours and at least `height`."""
    signal = np.asarray(signal, dtype=np.float64)
    return np.flatnonzero(_search.is_peak(signal, height))
