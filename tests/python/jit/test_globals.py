"""Lists, dicts, sets and arrays of the module that functions for `@pydd.jit` read: they are given at each call."""

from functools import cache

import numpy as np
import pytest

import pydd

STEPS = [(0, 1), (1, 0), (0, -1), (-1, 0)]
COSTS = {1: 10, 2: 20, 5: 7}
SEEN = {1, 4, 9}
MADE = [0]
EDGES = {0: [1, 2], 1: [3], 2: [3], 3: []}
LARGE = np.arange(10_000.0)
COLUMNS = np.arange(12.0).reshape(3, 4).T
COUNTS = np.zeros(4, np.int64)
FACTORS = [2, 3]


def python(kernel, *args):
    return kernel.py_func(*args)


@pydd.jit
def walked(n):
    x = y = 0
    for i in range(n):
        dx, dy = STEPS[i % len(STEPS)]
        x += dx * i
        y += dy
    return x, y


@pydd.jit
def total(xs):
    s = 0
    for x in xs:
        s += COSTS.get(x, 0)
        if x in COSTS:
            s += COSTS[x]
    return s


def is_seen(x):
    return x in SEEN


@pydd.jit
def count(n):
    return sum(1 for i in range(n) if is_seen(i))


def test_they_are_read():
    assert walked(11) == python(walked, 11)
    assert total([1, 2, 3, 5]) == 74
    assert count(10) == 3


def test_a_change_is_seen(monkeypatch):
    before = total([1, 2, 3])
    COSTS[3] = 100
    try:
        assert total([1, 2, 3]) == before + 200
    finally:
        del COSTS[3]
    SEEN.add(0)
    try:
        assert count(10) == 4
    finally:
        SEEN.remove(0)
    monkeypatch.setitem(globals(), "COSTS", {1: 1.5})
    assert total([1, 2, 3]) == 3.0
    monkeypatch.setitem(globals(), "COSTS", COSTS | {2: 7})
    COSTS[2] = 0.5
    assert total([1, 2]) == python(total, [1, 2])


@pydd.jit
def put(n):
    for i in range(n):
        MADE.append(i * i)
    return MADE, len(MADE)


def test_a_change_is_made():
    kept, length = put(3)
    assert kept is MADE and length == 4
    assert put(2)[1] == 6
    assert MADE == [0, 0, 1, 4, 0, 1]
    del MADE[1:]


@pydd.jit
def extended(xs):
    xs.append(9)
    return len(MADE)


def test_one_list_by_two_names():
    assert extended(MADE) == 2
    assert MADE == [0, 9]
    del MADE[1:]


def at(i):
    return LARGE[i] * 2 + COLUMNS[0, 1]


@pydd.jit
def of_arrays(n):
    return sum([at(i) for i in range(n)])


@pydd.jit
def counted(i):
    COUNTS[i] += 1
    return COUNTS.sum()


def test_arrays():
    assert of_arrays(100) == python(of_arrays, 100)
    LARGE[3] += 1.0
    assert of_arrays(100) == python(of_arrays, 100)
    assert [counted(1), counted(1), counted(3)] == [1, 2, 3]
    assert COUNTS.tolist() == [0, 2, 0, 1]
    COUNTS[:] = 0


@pydd.jit
def ways(a, b):
    return 1 if a == b else sum([ways(c, b) for c in EDGES[a]])


def test_functions_that_call_themselves():
    assert ways(0, 3) == 2


def scaled(x):
    return x * FACTORS[0] + FACTORS[1]


@pydd.jit
def by_functions(xs):
    return sum(map(scaled, xs)), sorted(xs, key=scaled), [scaled(x) for x in xs]


def test_functions_that_read_them_are_arguments():
    assert by_functions([3, 1, 2]) == python(by_functions, [3, 1, 2])


def test_variables_of_functions_around():
    def made(weights):
        @pydd.jit
        def f(x):
            s = 0.0
            for w in weights:
                s = s * x + w
            return s

        return f

    assert made([1.0, 2.0, 3.0])(2.0) == 11.0
    assert made([1, 2])(3) == 5.0


@pytest.mark.falls_back
def test_what_is_refused():
    nothing = []

    @pydd.jit
    def of_nothing(n):
        return len(nothing) + n

    @pydd.jit
    def hides(STEPS):
        return first() + STEPS

    with pytest.warns(pydd.PyddWarning, match="`nothing` is an empty global list, which has no type"):
        assert of_nothing(2) == 2
    with pytest.warns(pydd.PyddWarning, match="`STEPS` is a global that is read, and a variable of `hides`"):
        assert hides(5) == 5
    with pytest.raises(TypeError, match="reads the global `STEPS`"):
        walked.compile(1)
        pydd.address(walked)


def first():
    return STEPS[0][0]


@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@cache
def change(amount, at):
    if amount == 0:
        return 1
    if amount < 0 or at < 0:
        return 0
    return change(amount - COINS[at], at) + change(amount, at - 1)


COINS = [1, 2, 5, 10, 20, 50, 100, 200]


@pydd.jit
def kept(n):
    return fib(n), change(n, len(COINS) - 1)


@pydd.jit
@cache
def below(m, n):
    return 1 if m == 1 or n == 1 else below(m - 1, n) + below(m, n - 1)


@cache
@pydd.jit
def above(m, n):
    return 1 if m == 1 or n == 1 else above(m - 1, n) + above(m, n - 1)


def test_results_are_kept():
    assert kept(80) == (fib(80), change(80, 7))
    assert below(16, 16) == 155117520
    assert above(16, 16) == 155117520


def summed(x, *args, by=1):
    return x + by * sum(args)


@pydd.jit
def totals(a, b):
    return summed(a), summed(a, b), summed(a, b, b, by=3)


def rotated(x, by=1 / 4):
    return x * by


@pydd.jit
def of_default(x):
    return rotated(x)


def test_helpers_with_any_number_of_arguments():
    assert totals(1, 2.5) == python(totals, 1, 2.5)


def test_defaults_that_are_computed():
    assert of_default(3.0) == 0.75
