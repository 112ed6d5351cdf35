"""Word mover's distance of one text to many others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse
from programs.csr import numba_form, parts

import twins
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


@twins.variant
def c_sinkhorn(K, M, X, R, C, steps):
    words, vocabulary = K.shape
    distances = np.empty(C.shape[1])
    return words, vocabulary, C.shape[1], K, M, X, R, C.indptr, C.indices, C.data, steps, distances


def problem(words: int, vocabulary: int, texts: int, entries: int, steps: int):
    rng = np.random.default_rng(21)
    M = 3.0 * rng.random((words, vocabulary))
    K = np.exp(-M)
    R = rng.random((words, 1))
    R /= R.sum()
    C = scipy.sparse.random_array((vocabulary, texts), density=entries / (vocabulary * texts), rng=rng)
    C = scipy.sparse.csr_array(C / C.sum(axis=0))
    C.indices, C.indptr = C.indices.astype(np.int32), C.indptr.astype(np.int32)
    X = np.full((words, texts), 1.0 / words)
    return K, M, X, R, C, steps


def cases():
    yield Case(
        name="Sinkhorn",
        source=SOURCE,
        forms={
            "loops": "sinkhorn_loops",
            "sparse": "sinkhorn",
            "sparse, multiply": "sinkhorn_multiply",
            "sparse, named": "sinkhorn_named",
        },
        arguments=lambda: problem(20, 8000, 1000, 100_000, 5),
        numba=numba_form(SOURCE, "sinkhorn_loops"),
        numba_arguments=parts,
        c=c_sinkhorn,
    )
