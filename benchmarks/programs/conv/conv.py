"""Convolution of a batch of images, in single precision."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_conv(images, weights, bias):
    n, rows, columns, channels = images.shape
    k, filters = weights.shape[0], weights.shape[3]
    result = np.empty((n, rows - k + 1, columns - k + 1, filters), np.float32)
    return n, rows, columns, channels, k, filters, images, weights, bias, result


def check(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def cases():
    def problem(n, size, channels, filters, k):
        rng = np.random.default_rng(11)
        shapes = (n, size, size, channels), (k, k, channels, filters), (filters,)
        return tuple(rng.random(shape, dtype=np.float32) for shape in shapes)

    yield Case(
        name="convolution layer",
        source=Path(__file__).with_suffix(".pydd"),
        forms={
            "loops": "conv",
            "points": "conv_points",
            "einsum": "conv_einsum",
            "tensordot": "conv_tensordot",
            "products": "conv_shifts",
        },
        arguments=lambda: problem(4, 32, 3, 16, 5),
        c=c_conv,
        small=lambda: problem(2, 8, 3, 8, 3),
        check=check,
        library=True,
    )
