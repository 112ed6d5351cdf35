"""Kernels that touch memory in each way, with results compared; under valgrind an access outside of a block is an error.

usage: run.py PYDDC
"""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse

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
    kernels = compiled(sys.argv[1])
    for n in (3, 8, 33, 700):
        check(kernels, n)
    print("results agree")


main()
