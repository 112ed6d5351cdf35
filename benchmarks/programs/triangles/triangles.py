"""Triangles of a graph: the kernel by rows of `examples/triangles.pydd`, and SciPy's masked product."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import triangles as example
import twins
from case import Case


def by_rows(begin, neighbours):
    vertices = len(begin) - 1
    seen_from = np.full(vertices, -1)
    count = 0
    for i in range(vertices):
        for k in range(begin[i], begin[i + 1]):
            seen_from[neighbours[k]] = i
        for k in range(begin[i], begin[i + 1]):
            j = neighbours[k]
            if j > i:
                for m in range(begin[j], begin[j + 1]):
                    if neighbours[m] > j and seen_from[neighbours[m]] == i:
                        count += 1
    return count


@twins.variant(results=0)
def c_triangles_by_rows(graph):
    return graph.shape[0], graph.indptr, graph.indices


def cases():
    graph = example.random_graph(3000, 30_000)
    graph.sort_indices()
    yield Case(
        name="triangles",
        source=Path(example.__file__).with_name("triangles.pydd"),
        forms={"loops": "triangles_by_rows", "sparse": "triangles"},
        numpy=example.by_scipy,
        numba=by_rows,
        numba_arguments=lambda graph: (graph.indptr, graph.indices),
        c=c_triangles_by_rows,
        arguments=lambda: (graph,),
    )
