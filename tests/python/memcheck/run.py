"""Kernels that touch memory in each way, with results compared; under valgrind an access outside of a block is an error.

usage: run.py PYDDC
"""

import __future__

import copy
import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import scipy.sparse

from pydd.python import to_python

HERE = Path(__file__).parent


def compiled(pyddc):
    """The module, for processors whose instructions valgrind knows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kernels.abi3.so")
        subprocess.run([pyddc, HERE / "kernels.pydd", "--cpu", "x86-64-v3", "-o", path], check=True)
        spec = importlib.util.spec_from_file_location("kernels", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def in_python():
    """The same functions as Python runs them."""
    path = HERE / "kernels.pydd"
    flags = __future__.annotations.compiler_flag
    names = {}
    exec(compile(to_python(path.read_text()), path, "exec", flags, dont_inherit=True), names)
    return SimpleNamespace(**names)


def same(got, want):
    """Whether results, or arguments afterwards, are equal."""
    if isinstance(want, (list, tuple)):
        return len(got) == len(want) and all(map(same, got, want))
    if isinstance(want, dict):
        return same(list(got.items()), list(want.items()))
    if scipy.sparse.issparse(want):
        return np.allclose(got.toarray(), want.toarray())
    return np.allclose(got, want) if isinstance(want, np.ndarray) else got == want


def outcome(function, *arguments):
    """What a call gives, or the type of what it raises, and its arguments afterwards."""
    try:
        result = function(*arguments)
    except (IndexError, TypeError) as error:
        result = type(error).__name__
    return [result, list(arguments)]


def agree(kernels, python, name, *arguments):
    """A call in both; gives what came of the kernel."""
    want = outcome(getattr(python, name), *copy.deepcopy(arguments))
    got = outcome(getattr(kernels, name), *arguments)
    assert same(got, want), f"{name}: {got} is not {want}"
    return got


def apart(A):
    """The matrix with gaps between the elements of its arrays."""
    A = A.copy()
    A.indptr, A.indices, A.data = (np.repeat(part, 2)[::2] for part in (A.indptr, A.indices, A.data))
    assert not A.data.flags.c_contiguous
    return A


def check_items(kernels, python, n):
    """What is copied in and back: lists of tuples and of lists, heaps, dicts and sets."""
    xs = [(i * 0.5, (i % 3, i % 2 == 0)) for i in range(n)]
    agree(kernels, python, "tuples", xs, 2 * n)
    agree(kernels, python, "shorter", [(i, -i) for i in range(n)], [0.5] * n, n // 2)
    agree(kernels, python, "smallest", [(i * 7 % n * 1.0, i) for i in range(n)], n // 2)
    d = {(i, i % 3 == 0): i * 0.5 for i in range(n)}
    agree(kernels, python, "counts", d, set(range(n // 2)), 5 * n)
    agree(kernels, python, "combined", np.arange(50 * n) % 17)
    row = list(range(n))
    agree(kernels, python, "moved_rows", [row, row, [1], []], 2 * n)
    agree(kernels, python, "weighted_rows", [[(i, 0.5)] * i for i in range(n)], n // 2)
    assert agree(kernels, python, "weighted_rows", [[]], 1)[0] == "IndexError"
    stopped = agree(
        kernels, python, "stops", [(1.0, 1)], {0: (2.0, 2), -1: (3.0, 3)}, np.arange(n * 1.0), n + 5
    )
    assert stopped[0] == "IndexError"


def check_compressed(kernels, python, n, rng):
    """Sparse arguments: as they are, with gaps, with wide indices, in columns, and wrong ones."""
    A = scipy.sparse.random(n, n, 0.3, "csr", rng=rng)
    wide = A.copy()
    wide.indptr, wide.indices = A.indptr.astype(np.int64), A.indices.astype(np.int64)
    x, X = rng.standard_normal(n), rng.standard_normal((n, 3))
    agree(kernels, python, "compressed", A.copy(), x)
    agree(kernels, python, "compressed", wide, x)
    for matrix in (A, apart(A), wide, A.tocsc(), A.tocoo()):
        agree(kernels, python, "products_only", matrix, X)
    for matrix in (apart(A), A.tocsc()):
        assert outcome(kernels.compressed, matrix, x)[0] == "TypeError"
    for part, wrong in (("indices", n), ("indices", -1), ("indptr", 10**6), ("indptr", -5)):
        matrix = A.copy()
        getattr(matrix, part)[len(getattr(matrix, part)) // 2] = wrong
        for function in (kernels.products_only, kernels.sparse):
            try:
                function(matrix, X if function is kernels.products_only else x)
            except (IndexError, ValueError):
                continue
            raise AssertionError(f"{part} with {wrong} was taken")


def check(kernels, n):
    rng = np.random.default_rng(n)
    a = rng.standard_normal((7, n))
    expected = a.copy()[::-1, 1:-1]
    expected[0] = a[1, 1:-1]
    kept = a.copy()
    result = kernels.views(kept)
    np.testing.assert_array_equal(result[0], expected)
    np.testing.assert_array_equal(result[4], kept[[0, -1]])
    x, i = rng.standard_normal(n), rng.integers(-50, 50, n).astype(np.int32)
    x[:: n // 2 + 1] = np.nan
    results = kernels.sorted_all(x, i)
    for got, want in zip(
        results, (np.sort(x), np.argsort(x, kind="stable"), np.sort(i), np.sort(x[::-2]), np.unique(i))
    ):
        np.testing.assert_array_equal(got, want)
    y = rng.standard_normal(n)
    np.testing.assert_allclose(kernels.products(a, y)[1], a @ y)
    A = scipy.sparse.random(n, n, 0.2, "csr", rng=rng)
    times, masked, total, turned = kernels.sparse(A, y)
    np.testing.assert_allclose(times, A @ y)
    np.testing.assert_allclose(masked.toarray(), (A @ A).multiply(A).toarray())
    np.testing.assert_allclose(total, (A + A @ A).toarray())
    np.testing.assert_allclose(turned, A.T @ y)
    assert kernels.lists(n)[2] == sum(kernels.lists(n)[0])
    k = rng.integers(0, 9, 50 * n)
    np.testing.assert_array_equal(kernels.counted(k, 9), np.bincount(k, minlength=9))
    try:
        kernels.outside(y, n + 1)
    except IndexError:
        return
    raise AssertionError("an index outside was taken")


def main():
    kernels, python = compiled(sys.argv[1]), in_python()
    for n in (3, 8, 33, 700):
        check(kernels, n)
    for n in (5, 40):
        check_items(kernels, python, n)
        check_compressed(kernels, python, n, np.random.default_rng(n))
    print("results agree")


main()
