"""Attention under a sparse mask."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse
from programs.csr import numba_form, parts

import twins
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


@twins.variant
def c_attention(Q, K, V, mask):
    return *Q.shape, V.shape[1], Q, K, V, mask.indptr, mask.indices, mask.data, np.zeros((len(Q), V.shape[1]))


def problem(tokens: int, width: int, row_entries: int):
    """Each token sees itself and others by chance; the factor of scores stands in the mask."""
    rng = np.random.default_rng(22)
    Q, K, V = rng.standard_normal((3, tokens, width))
    seen = scipy.sparse.random_array((tokens, tokens), density=row_entries / tokens, rng=rng)
    mask = scipy.sparse.csr_array(seen + scipy.sparse.eye_array(tokens))
    mask.data[:] = 1.0 / np.sqrt(width)
    mask.indices, mask.indptr = mask.indices.astype(np.int32), mask.indptr.astype(np.int32)
    return Q, K, V, mask


def cases():
    yield Case(
        name="attention, sparse mask",
        source=SOURCE,
        forms={
            "loops": "attention",
            "whole arrays": "attention_dense",
            "gathered": "attention_entries",
            "sparse, operator": "attention_star",
            "sparse": "attention_sparse",
        },
        takes={"whole arrays": lambda Q, K, V, mask: (Q, K, V, mask.toarray())},
        arguments=lambda: problem(1000, 32, 20),
        numba=numba_form(SOURCE, "attention"),
        numba_arguments=parts,
        c=c_attention,
    )
