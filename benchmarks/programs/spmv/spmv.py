"""A random sparse matrix times a vector."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse

import twins
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


def by_rows(begin, column, value, x):
    rows = len(begin) - 1
    y = np.zeros(rows)
    for i in range(rows):
        total = 0.0
        for k in range(begin[i], begin[i + 1]):
            total += value[k] * x[column[k]]
        y[i] = total
    return y


@twins.variant
def c_product(A, x):
    return A.shape[0], A.indptr, A.indices, A.data, x, np.empty(A.shape[0])


def problem(rows: int, row_entries: int):
    rng = np.random.default_rng(6)
    columns = rng.integers(0, rows, rows * row_entries)
    starts = np.arange(rows + 1) * row_entries
    A = scipy.sparse.csr_matrix((rng.random(len(columns)), columns, starts), (rows, rows))
    A.indices, A.indptr = A.indices.astype(np.int32), A.indptr.astype(np.int32)
    A.sum_duplicates()
    return A, rng.random(rows)


def cases():
    def case(name, rows, **more):
        return Case(
            name=name,
            source=SOURCE,
            forms={"loops": "product_by_rows", "sparse": "product"},
            arguments=lambda: problem(rows, 20),
            numba=by_rows,
            numba_arguments=lambda A, x: (A.indptr, A.indices, A.data, x),
            c=c_product,
            small=lambda: problem(100, 20),
            library=True,
            **more,
        )

    A, x = problem(100_000, 20)
    moved = A.data.nbytes + A.indices.nbytes + A.indptr.nbytes + 2 * x.nbytes
    yield case("SpMV", 10_000)
    yield case("SpMV, in memory", 100_000, bytes=moved)
