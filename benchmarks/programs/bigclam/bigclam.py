"""A gradient step of BigCLAM on a random graph."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse
from programs.csr import numba_form, parts

import twins
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


@twins.variant
def c_ascend(A, F, step):
    return *F.shape, A.indptr, A.indices, F, step, np.empty_like(F)


def problem(vertices: int, edges: int, communities: int):
    rng = np.random.default_rng(29)
    ends = rng.integers(0, vertices, (2, edges), np.int32)
    ends = ends[:, ends[0] != ends[1]]
    ends = np.concatenate([ends, ends[::-1]], axis=1)
    A = scipy.sparse.csr_array((np.ones(ends.shape[1]), ends), (vertices, vertices))
    A.data[:] = 1.0
    return A, 0.1 + rng.random((vertices, communities)), 1e-4


def cases():
    yield Case(
        name="BigCLAM",
        source=SOURCE,
        forms={
            "loops": "ascend",
            "sparse": "ascend_sparse",
            "edges": "ascend_edges",
            "rows": "ascend_rows",
        },
        arguments=lambda: problem(2000, 20_000, 16),
        numba=numba_form(SOURCE, "ascend"),
        numba_arguments=parts,
        c=c_ascend,
    )
