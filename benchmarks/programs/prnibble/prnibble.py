"""PR-Nibble from one seed: vertex by vertex, and front by front."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse
from programs.csr import numba_form, parts

from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


def c_push(function: str):
    def variant(library):
        def run(A, seed, alpha, eps):
            rank = np.zeros(A.shape[0])
            getattr(library, function)(A.shape[0], A.indptr, A.indices, seed, alpha, eps, rank)
            return rank

        return run

    return variant


def graph(vertices: int, edges: int):
    """A ring, so that no vertex is alone, and chords."""
    rng = np.random.default_rng(32)
    ring = np.stack([np.arange(vertices), (np.arange(vertices) + 1) % vertices])
    ends = np.concatenate([ring, rng.integers(0, vertices, (2, edges))], axis=1)
    ends = ends[:, ends[0] != ends[1]].astype(np.int32)
    ends = np.concatenate([ends, ends[::-1]], axis=1)
    A = scipy.sparse.csr_array((np.ones(ends.shape[1]), ends), (vertices, vertices))
    A.data[:] = 1.0
    return A


def cases():
    A = graph(5000, 15_000)
    yield Case(
        name="PR-Nibble",
        source=SOURCE,
        forms={"loops": "push", "dicts": "push_dict", "deque": "push_deque"},
        arguments=lambda: (A, 7, 0.1, 1e-5),
        numba=numba_form(SOURCE, "push"),
        numba_arguments=parts,
        c=c_push("push"),
    )
    yield Case(
        name="PR-Nibble, fronts",
        source=SOURCE,
        forms={"loops": "fronts", "rows": "fronts_rows", "sparse": "fronts_sparse"},
        arguments=lambda: (A, 7, 0.1, 1e-5),
        numba=numba_form(SOURCE, "fronts"),
        numba_arguments=parts,
        c=c_push("fronts"),
    )
