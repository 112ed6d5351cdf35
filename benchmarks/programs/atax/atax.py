"""Pairs of products of a matrix and vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


@twins.variant
def c_atax(A, x):
    return *A.shape, A, x, np.zeros(A.shape[1])


@twins.variant(results=2)
def c_bicg(A, p, r):
    s, q = np.zeros(A.shape[1]), np.empty(A.shape[0])
    return *A.shape, A, p, r, s, q


@twins.variant(results=2)
def c_mvt(x1, x2, y1, y2, A):
    z1, z2 = x1.copy(), x2.copy()
    return len(A), A, y1, y2, z1, z2


def check_pair(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


def cases():
    rng = np.random.default_rng(8)
    m, n = 700, 900
    A = rng.random((m, n))
    square = rng.random((n, n))
    p, r = rng.random(n), rng.random(m)
    yield Case(
        name="atax",
        source=SOURCE,
        forms={"loops": "atax", "products": "atax_products", "transpose": "atax_transpose"},
        arguments=lambda: (A, p),
        c=c_atax,
        library=True,
    )
    yield Case(
        name="bicg",
        source=SOURCE,
        forms={"loops": "bicg", "products": "bicg_products"},
        arguments=lambda: (A, p, r),
        c=c_bicg,
        check=check_pair,
        library=True,
    )
    yield Case(
        name="mvt",
        source=SOURCE,
        forms={"loops": "mvt", "products": "mvt_products"},
        arguments=lambda: (*rng.random((4, n)), square),
        c=c_mvt,
        check=check_pair,
        library=True,
    )
