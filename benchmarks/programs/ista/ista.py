"""ISTA: for a sparse and a dense matrix, and for PageRank from several seeds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse
from programs.csr import numba_form, parts

import twins
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


@twins.variant
def c_lasso(A, b, *more):
    return *A.shape, A.indptr, A.indices, A.data, b, *more, np.empty(A.shape[1])


@twins.variant
def c_lasso_dense(A, *more):
    return *A.shape, A, *more, np.empty(A.shape[1])


@twins.variant
def c_local_pagerank(A, seeds, *more):
    n, s = A.shape[0], len(seeds)
    q = np.empty((n, s))
    return n, s, A.indptr, A.indices, seeds, *more, q


def with_signal(A, steps: int):
    """A few true coefficients, and a step below the inverse of the largest eigenvalue."""
    rng = np.random.default_rng(25)
    truth = np.where(rng.random(A.shape[1]) < 0.05, rng.standard_normal(A.shape[1]), 0.0)
    v = rng.random(A.shape[1])
    for _ in range(30):
        v = A.T @ (A @ v)
        v /= np.linalg.norm(v)
    step = 0.9 / np.linalg.norm(A.T @ (A @ v))
    return A, A @ truth + 0.01 * rng.standard_normal(A.shape[0]), 0.05, float(step), steps


def sparse_problem(rows: int, columns: int, entries: int, steps: int):
    rng = np.random.default_rng(26)
    A = scipy.sparse.csr_array(scipy.sparse.random_array((rows, columns), density=entries / columns, rng=rng))
    A.indices, A.indptr = A.indices.astype(np.int32), A.indptr.astype(np.int32)
    return with_signal(A, steps)


def dense_problem(rows: int, columns: int, steps: int):
    return with_signal(np.random.default_rng(27).standard_normal((rows, columns)), steps)


def graph(vertices: int, edges: int):
    rng = np.random.default_rng(28)
    ends = rng.integers(0, vertices, (2, edges), np.int32)
    ends = np.concatenate([ends, ends[::-1]], axis=1)
    A = scipy.sparse.csr_array((np.ones(ends.shape[1]), ends), (vertices, vertices))
    A.data[:] = 1.0
    return A


def cases():
    yield Case(
        name="ISTA",
        source=SOURCE,
        forms={"loops": "lasso", "sparse, where": "lasso_where", "sparse": "lasso_sparse"},
        arguments=lambda: sparse_problem(4000, 3000, 20, 20),
        numba=numba_form(SOURCE, "lasso"),
        numba_arguments=parts,
        c=c_lasso,
        library=True,
    )
    yield Case(
        name="FISTA, dense",
        source=SOURCE,
        forms={"loops": "lasso_dense_loops", "whole arrays": "lasso_dense"},
        arguments=lambda: dense_problem(300, 500, 50),
        c=c_lasso_dense,
        library=True,
    )
    yield Case(
        name="ISTA, PageRank of 8 seeds",
        source=SOURCE,
        forms={
            "loops": "local_pagerank",
            "sparse, by seed": "local_pagerank_scaled",
            "sparse": "local_pagerank_sparse",
        },
        arguments=lambda: (graph(4000, 20_000), np.arange(8) * 401, 0.15, 1e-5, 20),
        numba=numba_form(SOURCE, "local_pagerank"),
        numba_arguments=parts,
        c=c_local_pagerank,
    )
