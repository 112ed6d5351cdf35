"""Softmax along the last axis."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_softmax(x):
    return x.size // x.shape[-1], x.shape[-1], x, np.empty_like(x)


def check(found, expected):
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def cases():
    def logits(*shape):
        return (np.random.default_rng(12).random(shape, dtype=np.float32),)

    yield Case(
        name="softmax",
        source=Path(__file__).with_suffix(".pydd"),
        forms={
            "loops": "softmax",
            "rows": "softmax_rows",
            "scipy": "softmax_scipy",
            "whole arrays": "softmax_arrays",
        },
        arguments=lambda: logits(16, 8, 64, 128),
        c=c_softmax,
        small=lambda: logits(4, 4, 8, 64),
        check=check,
    )
