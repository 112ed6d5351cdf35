"""Loops of which a thread does several iterations, and steps of loops within, under the driver of `tests/fakecuda`: shapes, types, layouts and parts."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_gpu import driver, run

__all__ = ["driver"]

SOURCE = """
import numpy as np


def line(a, b: Array(float32, 1)) -> Array(float32, 1):
    return np.sqrt(a * a + b) * 2 + a


def in_place(u: Array(float64, 1), v: Array(int8, 1)):
    pfor i in range(len(u)):
        u[i] += v[i]


def from_one(out, a: Array(int16, 1)):
    pfor i in range(1, len(out)):
        out[i] = a[i - 1] + a[i]


def pairs(a: Array(complex128, 1)) -> Array(complex128, 1):
    return a * a + 1j


def smoothed(out, u: Array(float64, 2)):
    pfor i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            out[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def rows(x: Array(float32, 2), c: Array(float32, 1), r: Array(float32, 1)) -> Array(float32, 2):
    return (x - r[:, None]) * c


def chosen(x: Array(int32, 2)) -> Array(int32, 2):
    return np.where(x > 3, x * 2, x - 1)


def twice(u: Array(float64, 2)):
    pfor i in range(u.shape[0]):
        for j in range(u.shape[1]):
            u[i, j] = u[i, j] * 2 + i - j


def turned(u: Array(float64, 2)) -> Array(float64, 2):
    out = np.empty((u.shape[1], u.shape[0]))
    pfor i in range(u.shape[0]):
        for j in range(u.shape[1]):
            out[j, i] = u[i, j]
    return out


def cube(u: Array(int64, 3)) -> Array(int64, 3):
    return u[:, ::-1] * 3 + u


def running(x: Array(float64, 1)) -> Array(float64, 1):
    return np.cumsum(x)


def counts_of_columns(x: Array(int64, 2)) -> Array(int64, 1):
    return x.sum(axis=0)


def columns(x: Array(float64, 2)) -> Array(float64, 1):
    out = np.zeros(x.shape[1])
    pfor j in range(x.shape[1]):
        s = 0.0
        for i in range(x.shape[0]):
            s += x[i, j]
        out[j] = s
    return out


def shifted(x: Array(float64, 2)) -> Array(float64, 2):
    out = np.empty_like(x)
    pfor j in range(x.shape[1]):
        before = 0.0
        for i in range(x.shape[0]):
            out[i, j] = before
            before = before * 0.5 + x[i, j]
    return out


def hits(k: Array(int32, 1), h: Array(int64, 1), few: Array(uint32, 1)):
    pfor i in range(len(k)):
        h[k[i]] += k[i] - 3
        few[k[i] % 5] += 7


def grid(i, j: Array(int64, 1), w: Array(int64, 1), h: Array(int64, 2)):
    pfor k in range(len(i)):
        h[i[k], j[k]] += w[k]


def quotients(out, a: Array(int64, 1), w: int64):
    if w > 0:
        pfor i in range(len(out)):
            out[i] = a[i] + i // w


def between(x: Array(int64, 2), out, low, high: Array(int64, 1)):
    if x.shape[0] == 8:
        pfor j in range(len(out)):
            s = 0
            for i in range(low[j], high[j]):
                s += x[i & 7, j]
            out[j] = s
"""

CODE = """
import kernels
import numpy as np

r = np.random.default_rng(5)


def same(name, one, other):
    assert one.dtype == other.dtype and np.array_equal(one, other), (name, one, other)


for n in [0, 1, 2, 255, 256, 257, 1023, 1024, 1025, 3333]:
    a, b = [(9 * r.random(n)).astype(np.float32) for _ in range(2)]
    assert np.allclose(kernels.line(a, b), np.sqrt(a * a + b) * 2 + a, rtol=1e-6), n
    u, v = r.random(n), r.integers(-9, 9, n).astype(np.int8)
    expected = u + v
    kernels.in_place(u, v)
    same("in place", u, expected)
    x, out = r.integers(-99, 99, n).astype(np.int16), np.zeros(n, np.int16)
    kernels.from_one(out, x)
    expected = np.zeros(n, np.int16)
    expected[1:] = x[:-1] + x[1:]
    same("from one", out, expected)
    z = r.random(n) + 1j * r.random(n)
    assert np.allclose(kernels.pairs(z), z * z + 1j, rtol=1e-14), n
    assert np.allclose(kernels.running(u), np.cumsum(u), rtol=1e-12), n
    for bins in [7, 5000]:
        k = r.integers(0, bins, n).astype(np.int32)
        h, few = r.integers(-9, 9, bins), np.full(5, 2**32 - 9, np.uint32)
        expected, fewer = h.copy(), few.copy()
        np.add.at(expected, k, k.astype(np.int64) - 3)
        np.add.at(fewer, k % 5, np.uint32(7))
        kernels.hits(k, h, few)
        same("hits", h, expected)
        same("few", few, fewer)
    for shape in [(3, 5), (1, 4096), (5000, 2)]:
        i, j = [r.integers(0, length, n) for length in shape]
        w, h = r.integers(-(2**62), 2**62, n), np.zeros(shape, np.int64)
        expected = h.copy()
        np.add.at(expected, (i, j), w)
        kernels.grid(i, j, w, h)
        same("grid", h, expected)

for height in [0, 1, 2, 3, 4, 5, 7, 8, 13, 70]:
    for width in [0, 1, 3, 31, 32, 33, 100, 257]:
        u, out = r.random((height, width)), np.zeros((height, width))
        expected = out.copy()
        expected[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        kernels.smoothed(out, u)
        same(("smoothed", height, width), out, expected)
        x = u.astype(np.float32)
        c, d = r.random(width).astype(np.float32), r.random(height).astype(np.float32)
        assert np.allclose(kernels.rows(x, c, d), (x - d[:, None]) * c, rtol=1e-6, atol=1e-6)
        k = r.integers(0, 9, (height, width)).astype(np.int32)
        same("chosen", kernels.chosen(k), np.where(k > 3, k * 2, k - 1))
        t = u.copy()
        kernels.twice(t)
        same("twice", t, u * 2 + np.arange(height)[:, None] - np.arange(width))
        same("turned", kernels.turned(u), np.ascontiguousarray(u.T))
        q = r.integers(0, 99, (2, height, width))
        same("cube", kernels.cube(q), q[:, ::-1] * 3 + q)
        same("integers by columns", kernels.counts_of_columns(q[0]), q[0].sum(axis=0))
        s = np.zeros(width)
        for i in range(height):
            s += u[i]
        same("columns", kernels.columns(u), s)
        moved, before = np.empty_like(u), np.zeros(width)
        for i in range(height):
            moved[i] = before
            before = before * 0.5 + u[i]
        assert np.allclose(kernels.shifted(u), moved, rtol=1e-13)
print("done")
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `kernels`, compiled for devices."""
    folder = tmp_path_factory.mktemp("several")
    (folder / "kernels.pydd").write_text(SOURCE)
    run(f"import pydd; pydd.compile({str(folder / 'kernels.pydd')!r}, options=['--gpu'])")
    return folder


@pytest.mark.parametrize(("parts", "seed"), [("1", "1"), ("2", "2"), ("3", "3")])
def test_shapes_types_and_parts(driver: Path, module: Path, parts: str, seed: str) -> None:
    out, said = run(
        CODE,
        LD_LIBRARY_PATH=str(driver),
        PYDD_DEVICE="gpu",
        PYDD_DEVICE_PARTS=parts,
        FAKECUDA_SEED=seed,
        PYTHONPATH=str(module),
    )
    assert (out, said) == ("done\n", "")


def test_rows_of_any_length(driver: Path, module: Path) -> None:
    """What a program divides by is as long as a row may be, and longer than there are iterations."""
    code = """
import kernels
import numpy as np

a = np.arange(1000)
for w in [1, 31, 32, 250, 999, 1000, 1001, 2**20, 2**40, 2**62, 2**63 - 1]:
    out = np.zeros(1000, np.int64)
    kernels.quotients(out, a, w)
    assert np.array_equal(out, a + a // w), w
x = np.arange(24).reshape(8, 3)
most = 2**63 - 1
for low, high in [(0, 40), (-3, 20), (5, 5), (9, 2), (most, 14 - most), (most, 40 - most), (-most - 1, -most)]:
    out = np.full(3, 7)
    kernels.between(x, out, np.full(3, low), np.full(3, high))
    steps = np.arange(low, high) if high > low else np.zeros(0, np.int64)
    assert np.array_equal(out, x[steps & 7].sum(axis=0)), (low, high)
"""
    variables = {"LD_LIBRARY_PATH": str(driver), "PYDD_DEVICE": "gpu", "PYTHONPATH": str(module)}
    _, said = run(code, PYDD_LOG="gpu", **variables)
    assert " launch of " in said
    blocks = [
        int(line.split(" with ")[1].split()[0]) for line in said.splitlines() if "_quotients with" in line
    ]
    assert len(blocks) == 11 and max(blocks) <= 4


def test_a_thread_does_four_iterations(driver: Path, module: Path) -> None:
    """Four of a column, where rows are long enough for a warp; the last threads have fewer."""
    code = """
import kernels
import numpy as np

kernels.line(np.ones(5000, np.float32), np.ones(5000, np.float32))
for shape in [(9, 100), (9, 32), (9, 31)]:
    kernels.twice(np.ones(shape))
"""
    variables = {"LD_LIBRARY_PATH": str(driver), "PYDD_DEVICE": "gpu", "PYTHONPATH": str(module)}
    _, said = run(code, PYDD_LOG="gpu", **variables)
    launches = [line.split(" with ")[1] for line in said.splitlines() if " launch of " in line]
    # 1,024 elements for a block; three rows of threads for nine; one thread for an element.
    assert launches == [
        "5 blocks for 0..5000",
        "2 blocks for 0..900",
        "1 blocks for 0..288",
        "1 blocks for 0..279",
    ]
