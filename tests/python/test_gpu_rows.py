"""Iterations with very many steps, which a GPU does by a block of threads each, under the driver of `tests/fakecuda`."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_gpu import driver, run

__all__ = ["driver"]

SOURCE = """
import numpy as np


def product(
    p: Array(int64, 1), c: Array(int32, 1), d: Array(float64, 1), x: Array(float64, 1), y: Array(float64, 1)
):
    pfor i in range(len(y)):
        s = 0.0
        for k in range(p[i], p[i + 1]):
            s += d[k] * x[c[k]]
        y[i] = 2.0 * s + 1.0


def several(p: Array(int32, 1), c: Array(int64, 1), d: Array(int64, 1), y: Array(int64, 2)):
    pfor i in range(len(y)):
        s = 0
        most = -1
        odd = False
        for k in range(p[i], p[i + 1]):
            s += d[c[k]]
            most = max(most, d[c[k]])
            odd ^= d[c[k]] % 2 == 1
        n = 0
        for k in range(p[i], p[i + 1]):
            n += k
        y[i, 0] = s
        y[i, 1] = most
        y[i, 2] = odd
        y[i, 3] = n


def of_parts(p: Array(int64, 1), z: Array(complex128, 1), w: Array(float32, 1)) -> Array(float32, 1):
    m = np.zeros(len(p) - 1, np.float32)
    pfor i in range(len(p) - 1):
        a = 0j
        b = np.float32(0.0)
        for k in range(p[i], p[i + 1]):
            a += z[k] * z[k]
            b += w[k]
        m[i] = np.float32(a.real) + b
    return m
"""

START = """
import kernels, numpy as np
def rows(n, seed):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 6, n)
    lengths[rng.integers(0, n, max(n // 20, 1))] = rng.integers(0, 3000, max(n // 20, 1))
    p = np.concatenate(([0], np.cumsum(lengths)))
    return rng, p, int(p[-1])
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `kernels`, compiled for devices."""
    folder = tmp_path_factory.mktemp("rows")
    (folder / "kernels.pydd").write_text(SOURCE)
    run(f"import pydd; pydd.compile({str(folder / 'kernels.pydd')!r}, options=['--gpu'])")
    return folder


def call(module: Path, driver: Path, code: str, **variables: str) -> tuple[str, int]:
    """What is printed, and how many launches were for long rows."""
    environment = {"LD_LIBRARY_PATH": str(driver), "PYDD_DEVICE": "gpu", "PYDD_LOG": "gpu"} | variables
    out, said = run(START + code, PYTHONPATH=str(module), **environment)
    assert "on the processor" not in said
    return out, said.count("launch for long")


RIGHT = """
for n in (1, 40, 700):
    rng, p, m = rows(n, n)
    c, d, x = rng.integers(0, 50, m).astype(np.int32), rng.integers(-9, 9, m) + 0.0, rng.integers(-9, 9, 50) + 0.0
    y = np.full(n, np.nan)
    kernels.product(p, c, d, x, y)
    sums = [sum(d[p[i]:p[i + 1]] * x[c[p[i]:p[i + 1]]]) for i in range(n)]
    assert np.array_equal(y, 2.0 * np.array(sums) + 1.0)

    c, e = rng.integers(0, 70, m), rng.integers(-99, 99, 70)
    y = np.full((n, 4), -7)
    kernels.several(p.astype(np.int32), c, e, y)
    for i in range(n):
        row = e[c[p[i]:p[i + 1]]]
        expected = [row.sum(), max([-1, *row]), (row % 2 == 1).sum() % 2, np.arange(p[i], p[i + 1]).sum()]
        assert y[i].tolist() == expected, (n, i)

    z, w = rng.integers(-3, 4, m) + 1j * rng.integers(-3, 4, m), rng.integers(-5, 6, m).astype(np.float32)
    parts = [(z[p[i]:p[i + 1]] ** 2).sum().real + w[p[i]:p[i + 1]].sum() for i in range(n)]
    assert np.array_equal(kernels.of_parts(p, z, w), np.array(parts, np.float32))
print("right")
"""


@pytest.mark.parametrize("seed", ["0", "1", "2"])
@pytest.mark.parametrize("limit", ["", "2", "100"])
def test_long_rows_are_done_by_blocks(module: Path, driver: Path, limit: str, seed: str) -> None:
    out, long = call(module, driver, RIGHT, PYDD_DEVICE_LONG=limit, FAKECUDA_SEED=seed)
    assert out == "right\n"
    assert long >= 2


def test_in_parts_and_with_few_threads(module: Path, driver: Path) -> None:
    for parts, lanes in (("3", "1"), ("2", "8"), ("1", "32")):
        variables = {"PYDD_DEVICE_PARTS": parts, "PYDD_DEVICE_LANES": lanes, "PYDD_DEVICE_LONG": "20"}
        assert call(module, driver, RIGHT, **variables)[0] == "right\n"


def test_rows_of_one_length_are_not_left(module: Path, driver: Path) -> None:
    code = """
p = np.arange(101) * 30
y = np.zeros(100)
kernels.product(p, np.zeros(3000, np.int32), np.ones(3000), np.ones(1), y)
print((y == 61.0).all())
"""
    assert call(module, driver, code) == ("True\n", 0)


@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_the_lowest_row_that_fails_is_told(module: Path, driver: Path, seed: str) -> None:
    code = """
for trial in range(12):
    rng, p, m = rows(300, trial)
    c, d, x = rng.integers(0, 50, m).astype(np.int32), np.ones(m), np.ones(50)
    bad = rng.integers(0, m, 1 + trial % 4)
    c[bad] = 1000 + bad
    y = np.full(300, np.nan)
    try:
        kernels.product(p, c, d, x, y)
        print("no error")
    except IndexError as error:
        right = f"index {1000 + bad.min()} is out of bounds for axis 0 with size 50" == str(error)
        print(right or (str(error), bad))
"""
    for limit in ("", "2"):
        out, _ = call(module, driver, code, FAKECUDA_SEED=seed, PYDD_DEVICE_LONG=limit)
        assert out == "True\n" * 12


def test_pointers_that_fall_or_lie_outside(module: Path, driver: Path) -> None:
    code = """
x, y = np.ones(5), np.zeros(4)
kernels.product(np.array([0, 3000, 10, 2500, 2500]), np.zeros(3000, np.int32), np.ones(3000), x, y)
print(y)
try:
    kernels.product(np.array([0, 2, 2**62, 3, 3]), np.zeros(3000, np.int32), np.ones(3000), x, y)
except IndexError as error:
    print(error)
"""
    out, _ = call(module, driver, code)
    assert (
        out
        == "[6.001e+03 1.000e+00 4.981e+03 1.000e+00]\nindex 3000 is out of bounds for axis 0 with size 3000\n"
    )
