"""What functions for `@pydd.jit` read: other functions, constants, modules, variables of functions around them."""

import itertools
import math
from enum import Enum
from functools import reduce
from itertools import combinations
from math import sqrt as root

import helping
import numpy as np
import pytest
from alike import same
from helping import scaled as imported

import pydd

N = 8
WEIGHTS = np.array([1.0, 2.0, 4.0])
PAIR = (2, 0.5)


class Color(Enum):
    RED = 5


def shifted(x, by: float = 1) -> np.ndarray:
    return x + by * N


@pydd.jit
def calls(x):
    return shifted(x) + shifted(x, 2.5) + imported(x) + helping.named(x) + helping.SCALE + root(4.0)


def test_functions_and_constants_come_along():
    same(calls, np.arange(4.0))
    same(calls, np.arange(4))


def test_a_name_that_is_bound_anew_counts(monkeypatch):
    before = calls(np.ones(2))
    monkeypatch.setitem(globals(), "N", 100)
    assert same(calls, np.ones(2))[0] != before[0]
    monkeypatch.setattr(helping, "SCALE", 100)
    same(calls, np.ones(2))
    monkeypatch.setitem(globals(), "shifted", lambda_free)
    same(calls, np.ones(2))
    monkeypatch.setitem(globals(), "root", math.cbrt if hasattr(math, "cbrt") else math.sin)
    same(calls, np.ones(2))


def lambda_free(x, by=0):
    return x - by


@pydd.jit
def of_constants(x):
    return x[0] * WEIGHTS[1] + PAIR[0] * PAIR[1] + (Color.RED.value if WEIGHTS.shape[0] > 2 else 0)


def test_elements_of_a_constant_may_change():
    x = np.ones(2)
    assert same(of_constants, x) == 8.0
    WEIGHTS[1] = 10.0
    try:
        assert same(of_constants, x) == 16.0
    finally:
        WEIGHTS[1] = 2.0


@pydd.jit
def hides(x):
    return max(x, 2)


def test_a_global_may_hide_what_is_built_in(monkeypatch):
    assert same(hides, 5) == 5
    monkeypatch.setitem(globals(), "max", smallest)
    assert same(hides, 5) == 2


def smallest(a, b):
    return b if b < a else a


def test_variables_of_an_outer_function():
    def make(k, table):
        @pydd.jit
        def f(x):
            return x * k + table[0]

        def change(to):
            nonlocal k
            k = to

        return f, change

    f, change = make(3, np.array([5]))
    assert same(f, 2) == 11
    change(4)
    assert same(f, 2) == 13
    g, _ = make(2.5, np.array([5.5]))
    assert same(g, 2) == 10.5


def test_dtypes_are_constants():
    def made(dtype):
        @pydd.jit(strict=True)
        def f(n):
            out = np.zeros(n, dtype=dtype)
            out[:] = 1.5
            return out, np.empty(0, SHORT).astype(dtype), out.dtype == dtype, out.dtype == SHORT

        return f

    for dtype in (np.dtype("float32"), np.dtype(float), np.dtype("complex64")):
        same(made(dtype), 3)
    for dtype in (np.dtype(">f8"), np.dtype([("a", "f4")])):
        with pytest.raises(pydd.CompileError, match="`dtype` is a numpy"):
            made(dtype)(3)


SHORT = np.dtype("int16")


def test_tuples_of_other_types_take_other_versions():
    @pydd.jit(strict=True)
    def f(t, x):
        return t, len(t), x * 2

    ones = np.ones(2)
    tuples = [
        (1, 2),
        (1, 2.5),
        (1, 2, 3),
        ((1, 2), 3),
        (1, (2, 3)),
        (np.float32(1), 2),
        (ones, 1),
        (ones[:, None], 1),
    ]
    for _ in range(3):
        for t in tuples:
            for x in (1, 0.5):
                same(f, t, x)


def test_two_functions_of_one_name_in_one_program():
    def scaled(x):
        return x if x > 3 else scaled(x + 1)

    @pydd.jit(strict=True)
    def f(x):
        return scaled(x) + helping.named(x)

    assert same(f, 1.0)


def test_functions_of_one_name_that_call_each_other():
    def made(step, inner):
        def moved(x):
            return inner(x) + step

        return moved

    def inverse(x):
        return 1 // x

    once = made(1, inverse)
    twice = made(0.5, once)
    SCALE = 2.5

    @pydd.jit(strict=True)
    def f(x):
        return once(x), twice(x), helping.scaled(x), SCALE

    assert same(f, 2)
    with pytest.raises(ZeroDivisionError) as caught:
        f(0)
    assert "return 1 // x" in str(caught.traceback[-1].statement)


def test_a_name_that_is_shown_stays():
    def shown(k):
        def tell(x):
            print(f"{k=}")
            return x + k

        return tell

    one, two = shown(1), shown(2)

    @pydd.jit(strict=True)
    def f(x):
        return one(x) + two(x)

    with pytest.raises(pydd.CompileError, match="`k` stands for different things"):
        f(1.0)


def test_inner_functions_comprehensions_and_named_values():
    @pydd.jit
    def f(n):
        def square(x: int) -> int:
            return x * x * N

        if (m := n + 1) > 3:
            n = m
        return sum([square(i) for i in range(n)])

    same(f, 5)


def test_every_kind_of_constant():
    big, small, text, flag, wave = 2**40, np.float32(0.1), "edge", True, 1 - 0.0j
    nothing, infinite, matrix = None, -math.inf, np.arange(6, dtype="i2").reshape(2, 3)

    @pydd.jit
    def f(x):
        a = np.pad(x, 1, mode=text)
        if flag and nothing is None:
            a = a * small
        return a.sum() + big, wave, infinite, matrix[1, 2]

    same(f, np.ones(3))


def test_prange_is_parallel_and_in_order():
    @pydd.jit
    def f(x):
        s = 0.0
        for i in pydd.prange(len(x)):
            s += x[i]
        return s

    same(f, np.arange(1000.0))


def test_iterators_and_variables_that_may_be_none():
    @pydd.jit
    def f(x):
        total = reduce(lambda a, b: a + b, x, 0.0)
        for a, b in combinations(x, 2):
            total += a * b
        best = None
        for a, b in itertools.pairwise(x):
            if best is None or b - a > best:
                best = b - a
        return total, best

    assert same(f, np.array([1.0, 4.0, 6.0])) == (45.0, 3.0)
    assert same(f, np.zeros(1)) == (0.0, None)


def test_modules_of_libraries():
    @pydd.jit
    def f(x):
        return np.linalg.norm(x) + math.sin(0.5) + scipy.special.erf(0.5)

    import scipy.special

    assert f(np.ones(4)) == pytest.approx(f.py_func(np.ones(4)), rel=1e-14)


# Errors.
