"""Compiled kernels neither leak nor copy: sizes of the process over many calls, and who shares memory with whom."""

import gc
from pathlib import Path

import numpy as np
import pytest

import pydd

SOURCE = """
def fresh(a: Array(float64, 1)):
    return a * 2.0 + 1.0


def view(a: Array(float64, 1)):
    return a[1:]


def both(a: Array(float64, 1)):
    b = a[::2]
    return b, b + 1.0, a


def chosen(a: Array(float64, 1), n: int64):
    b = zeros(len(a))
    for i in range(n):
        b = b + a
        if b[0] > 3.0:
            b = a[1:]
            return b
    return b


def fails(a: Array(float64, 1), i: int64):
    b = a + 1.0
    c = b[2:]
    return b[i] + c[0]


def fails_in_parallel(a: Array(float64, 1), i: int64):
    b = a + 1.0
    pfor k in range(len(a)):
        row = b[k:]
        b[k] = row[0] + a[k + i]
    return b


def listed(n: int64) -> List(float64):
    xs = [0.5]
    for i in range(n):
        xs.append(i * 0.5)
    return xs


def raises(a: Array(float64, 1)):
    b = a * 2.0
    raise ValueError("no")
    return b
"""

CALLS = 100_000
A = np.arange(64.0)


@pytest.fixture(scope="module")
def kernels():
    return pydd.load(SOURCE)


def resident_bytes() -> int:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def quietly(call, *args):
    try:
        call(*args)
    except (IndexError, ValueError):
        pass


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("fresh", (A,)),
        ("view", (A,)),
        ("both", (A,)),
        ("chosen", (A, 3)),
        ("chosen", (A + 1, 9)),
        ("fails", (A, 100)),
        ("listed", (20,)),
        ("raises", (A,)),
        ("fresh", (A[::-2],)),
        ("fails", (A[::2], -100)),
    ],
)
def test_many_calls_leave_the_size_flat(kernels, name, args):
    call = getattr(kernels, name)
    for _ in range(2000):
        quietly(call, *args)
    before = resident_bytes()
    for _ in range(CALLS):
        quietly(call, *args)
    assert resident_bytes() - before < 2 << 20


def test_errors_in_parallel_loops_leave_the_size_flat(kernels):
    a = np.ones(50_000)
    for _ in range(100):
        quietly(kernels.fails_in_parallel, a, 1)
    before = resident_bytes()
    for _ in range(1000):
        quietly(kernels.fails_in_parallel, a, 1)
    assert resident_bytes() - before < 8 << 20


def test_views_share_memory_with_the_argument(kernels):
    a = np.arange(8.0)
    part = kernels.view(a)
    assert np.shares_memory(part, a)
    part[0] = 99.0
    assert a[1] == 99.0
    strided, fresh, whole = kernels.both(a)
    assert np.shares_memory(strided, a)
    assert not np.shares_memory(fresh, a)
    assert whole is a


def test_a_view_keeps_its_array(kernels):
    part = kernels.view(np.arange(100_000.0))
    gc.collect()
    assert part[0] == 1.0
    assert part[-1] == 99_999.0
