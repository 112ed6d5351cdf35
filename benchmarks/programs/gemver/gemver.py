"""A change of rank two and two products."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant(results=3)
def c_gemver(alpha, beta, A, *vectors):
    n = len(A)
    B, x, w = np.empty((n, n)), np.zeros(n), np.empty(n)
    return n, alpha, beta, A, *vectors, B, x, w


def check(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


def cases():
    def problem(n):
        rng = np.random.default_rng(7)
        return 1.5, 1.2, rng.random((n, n)), *rng.random((6, n))

    yield Case(
        name="gemver",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "gemver", "whole arrays": "gemver_arrays", "broadcasting": "gemver_broadcast"},
        arguments=lambda: problem(500),
        c=c_gemver,
        check=check,
        library=True,
    )
