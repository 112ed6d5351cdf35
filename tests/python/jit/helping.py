"""A module whose functions and constants kernels of other modules read."""

import numpy as np

SCALE = 3
Short = np.int8
TABLE = np.array([[1.0, 2.0], [3.0, 4.0]])


def scaled(x, by=2):
    return x * by * SCALE


def named(x):
    return scaled(x) + TABLE[1, 0]


def failing(x, i):
    # A line of its own, for tracebacks.
    return x[i]
