"""Smooth series."""

import numpy as np

from . import _exponential


def smooth(series, weight):
    """Exponential smoothing of a one-dimensional array, with `weight` (0 to 1) for the newest value; NaN is left out."""
    if not 0 <= weight <= 1:
        raise ValueError("weight must be between 0 and 1")
    return _exponential.smooth(np.asarray(series, dtype=np.float64), weight)
