"""Points that are near each other."""

import numpy as np

from . import _count


def count(points, radius):
    """For each of n points, an array (n, dimensions), how many others are within `radius`: an array of n integers."""
    return _count.count(np.asarray(points, dtype=np.float64), radius)
