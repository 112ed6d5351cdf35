"""Triangles of a graph: SciPy, and the kernels of `triangles.pydd` compiled.

Usage: python examples/triangles.py [GRAPH.npz]

The graph is a symmetric matrix of ones in `scipy.sparse.save_npz`'s form; without one, a random graph is made.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

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


def timed(run, *arguments):
    start = time.perf_counter()
    result = run(*arguments)
    return time.perf_counter() - start, result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("graph", nargs="?", type=Path, help="a file of scipy.sparse.save_npz")
    path = parser.parse_args().graph
    graph = scipy.sparse.load_npz(path).astype(np.int64) if path else random_graph(6000, 120_000)
    kernels = pydd.load(HERE / "triangles.pydd")
    kernels.triangles(graph[:1, :1])

    print(f"{graph.shape[0]} vertices, {graph.nnz // 2} edges")
    seconds, expected = timed(by_scipy, graph)
    print(f"SciPy, (A @ A).multiply(A)   {seconds * 1e3:8.1f} ms   {expected} triangles")
    for name, run in (("(A @ A).multiply(A)", kernels.triangles), ("by rows", kernels.triangles_by_rows)):
        own, count = timed(run, graph)
        assert count == expected, f"{name}: {count} triangles"
        print(f"{'pydd, ' + name:28} {own * 1e3:8.1f} ms   {seconds / own:.1f} times as fast")


if __name__ == "__main__":
    main()
