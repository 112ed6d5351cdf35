"""Triangles of a graph: SciPy, and the kernels of `triangles.pydd` compiled.

Usage: python examples/triangles.py [GRAPH.npz]

The graph is a symmetric matrix of ones in `scipy.sparse.save_npz`'s form. Without one there are two: who meets whom in
Les Misérables (Knuth, The Stanford GraphBase, 1993), counted by networkx as well, and a larger random one.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import networkx as nx
import numpy as np
import scipy.sparse

import pydd

HERE = Path(__file__).resolve().parent


def random_graph(vertices: int, edges: int, seed: int = 1) -> scipy.sparse.csr_matrix:
    """An undirected graph with about so many edges, some vertices far better connected than others."""
    rng = np.random.default_rng(seed)
    ends = (vertices * rng.random((2, edges)) ** 2).astype(np.int64)
    ends = ends[:, ends[0] != ends[1]]
    rows, columns = np.concatenate([ends, ends[::-1]], axis=1)
    graph = scipy.sparse.csr_matrix((np.ones(len(rows), np.int64), (rows, columns)), (vertices, vertices))
    graph.data[:] = 1
    return graph


def by_scipy(graph) -> int:
    return int((graph @ graph).multiply(graph).sum() // 6)


def by_networkx(graph) -> int:
    return sum(nx.triangles(nx.from_scipy_sparse_array(graph)).values()) // 3


def timed(run, *arguments):
    times = []
    for _ in range(3):
        start = time.perf_counter()
        result = run(*arguments)
        times.append(time.perf_counter() - start)
    return min(times), result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("graph", nargs="?", type=Path, help="a file of scipy.sparse.save_npz")
    path = parser.parse_args().graph
    kernels = pydd.load(HERE / "triangles.pydd")
    if path:
        count(kernels, scipy.sparse.load_npz(path).astype(np.int64))
    else:
        novel = nx.to_scipy_sparse_array(nx.les_miserables_graph(), dtype=np.int64, weight=None)
        print("Les Misérables: ", end="")
        count(kernels, scipy.sparse.csr_matrix(novel), (("networkx", by_networkx),))
        print("\nRandom: ", end="")
        count(kernels, random_graph(6000, 120_000))


def count(kernels, graph, others=()) -> None:
    """Prints how long each takes, the least of three times; all find the same number."""
    print(f"{graph.shape[0]} vertices, {graph.nnz // 2} edges")
    seconds, expected = timed(by_scipy, graph)
    print(f"{'SciPy, (A @ A).multiply(A)':28} {seconds * 1e3:9.3f} ms   {expected} triangles")
    own = (("pydd, (A @ A).multiply(A)", kernels.triangles), ("pydd, by rows", kernels.triangles_by_rows))
    for name, run in (*others, *own):
        taken, found = timed(run, graph)
        assert found == expected, f"{name}: {found} triangles"
        print(f"{name:28} {taken * 1e3:9.3f} ms   {seconds / taken:.1f} times as fast")


if __name__ == "__main__":
    main()
