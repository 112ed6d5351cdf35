"""Conjugate gradients on the five-point stencil."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse
from programs.csr import numba_form, parts

import twins
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


@twins.variant
def c_cg(A, b, steps):
    return len(b), A.indptr, A.indices, A.data, b, steps, np.empty(len(b))


def problem(side: int, steps: int):
    line = scipy.sparse.diags_array([2.0, -1.0, -1.0], offsets=[0, 1, -1], shape=(side, side))
    one = scipy.sparse.eye_array(side)
    A = scipy.sparse.csr_array(scipy.sparse.kron(line, one) + scipy.sparse.kron(one, line))
    A.indices, A.indptr = A.indices.astype(np.int32), A.indptr.astype(np.int32)
    return A, np.random.default_rng(24).random(side * side), steps


def check(found, expected):
    """Rounding grows from step to step."""
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)


def cases():
    yield Case(
        name="conjugate gradients",
        source=SOURCE,
        forms={"loops": "cg", "grid": "cg_grid", "functions": "cg_dot", "sparse": "cg_sparse"},
        arguments=lambda: problem(100, 50),
        numba=numba_form(SOURCE, "cg"),
        numba_arguments=parts,
        c=c_cg,
        check=check,
        library=True,
    )
