"""PageRank by power iteration."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse
from programs.csr import numba_form, parts

import twins
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


@twins.variant
def c_pagerank(A, damping, steps):
    return A.shape[0], A.indptr, A.indices, damping, steps, np.empty(A.shape[0])


def problem(pages: int, links: int, steps: int):
    """Few pages get most links, and some have none."""
    rng = np.random.default_rng(23)
    ends = (pages * rng.random((2, links)) ** [[1.0], [3.0]]).astype(np.int32)
    ends = ends[:, ends[0] % 10 != 0]
    A = scipy.sparse.csr_array((np.ones(ends.shape[1]), ends), (pages, pages))
    A.data[:] = 1.0
    return A, 0.85, steps


def cases():
    yield Case(
        name="PageRank",
        source=SOURCE,
        forms={
            "loops": "pagerank",
            "sparse, x @ A": "pagerank_left",
            "sparse, transition": "pagerank_transition",
            "sparse": "pagerank_transposed",
        },
        arguments=lambda: problem(10_000, 100_000, 20),
        numba=numba_form(SOURCE, "pagerank"),
        numba_arguments=parts,
        c=c_pagerank,
        library=True,
    )
