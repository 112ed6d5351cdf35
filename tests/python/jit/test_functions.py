"""Functions as arguments of functions for `@pydd.jit`: each is a constant of a version of its own."""

import functools
import gc
import math
import warnings

import numpy as np
import pytest
from alike import same

import pydd


@pydd.jit(strict=True)
def bisect(f, a, b):
    fa = f(a)
    for _ in range(60):
        m = 0.5 * (a + b)
        fm = f(m)
        if fa * fm <= 0.0:
            b = m
        else:
            a, fa = m, fm
    return 0.5 * (a + b)


def less_two(x):
    return x * x - 2.0


@pydd.jit
def less_three(x):
    return x * x - 3.0


@pydd.vectorize
def less_five(x):
    return x * x - 5.0


SHIFT = 0.25
shifted = lambda x: x - SHIFT  # noqa: E731


def test_functions_of_all_kinds(monkeypatch):
    functions = (less_two, less_three, math.cos, np.cos, abs, shifted, lambda x: x - 0.5)
    for f in functions:
        same(bisect, f, -0.125, 3.0)
    assert len({bisect(f, 0.0, 3.0) for f in functions}) == 6
    assert abs(bisect(less_five, 0.0, 3.0) - 5.0**0.5) < 1e-12
    before = bisect(shifted, 0.0, 3.0)
    monkeypatch.setitem(globals(), "SHIFT", 0.75)
    assert same(bisect, shifted, 0.0, 3.0) == 0.75 != before


def test_lambdas_of_one_line_and_of_several():
    first, second = (lambda x: x - 1.0), (lambda x: x - 2.0)
    assert (bisect(first, 0.0, 4.0), bisect(second, 0.0, 4.0)) == (1.0, 2.0)
    found = bisect(
        lambda x: (
            x
            # Of several lines.
            - 3.0
        ),
        0.0,
        4.0,
    )
    assert abs(found - 3.0) < 1e-12


def test_what_functions_read_of_those_around_them():
    def less(c):
        return lambda x: x * x - c

    for c in (2.0, 3.0, 4.0):
        same(bisect, less(c), 0.0, 3.0)
    c = 2.0

    def changing(x):
        return x * x - c

    assert abs(bisect(changing, 0.0, 3.0) ** 2 - 2.0) < 1e-12
    c = 7.0
    assert abs(bisect(changing, 0.0, 3.0) ** 2 - 7.0) < 1e-12


def test_a_function_that_is_changed_in_place():
    def f(x):
        return x - 1.0

    def g(x):
        return x - 2.0

    assert bisect(f, 0.0, 4.0) == 1.0
    f.__code__ = g.__code__
    assert bisect(f, 0.0, 4.0) == 2.0


def test_functions_that_come_and_go_are_not_taken_for_each_other():
    for i in range(1, 30):
        f = eval(f"lambda x: x - {i}.0") if i % 2 else (lambda x, i=float(i): x - i)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert abs(plain(f, 40.0) - (40.0 - i)) < 1e-9
        del f
        gc.collect()


@pydd.jit
def plain(f, x):
    return f(x)


@pydd.jit(strict=True)
def rk4(f, y, h, n):
    t = 0.0
    for _ in range(n):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return y


def lorenz(t, s):
    x, y, z = s
    return np.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])


def test_equations_of_numbers_and_of_arrays():
    assert abs(rk4(lambda t, y: -y, 1.0, 0.01, 100) - math.exp(-1.0)) < 1e-9
    got, expected = (f(lorenz, np.ones(3), 0.01, 100) for f in (rk4, rk4.py_func))
    np.testing.assert_allclose(got, expected, rtol=1e-9)


@pydd.jit(strict=True)
def twice(f, x):
    return f(f(x))


@pydd.jit(strict=True)
def passes_on(f, g, x):
    return twice(f, x) + twice(g, x)


def test_functions_are_passed_on():
    same(passes_on, less_two, lambda x: x + 1.0, 3.0)
    same(passes_on, math.sqrt, np.exp, 3.0)
    same(passes_on, np.exp, math.sqrt, 0.5)


@pydd.jit(strict=True)
def adaptive(f, a, b, eps):
    m = 0.5 * (a + b)
    whole = (b - a) / 6.0 * (f(a) + 4.0 * f(m) + f(b))
    left = (m - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + m)) + f(m))
    right = (b - m) / 6.0 * (f(m) + 4.0 * f(0.5 * (m + b)) + f(b))
    if abs(left + right - whole) < 15.0 * eps:
        return left + right + (left + right - whole) / 15.0
    return adaptive(f, a, m, 0.5 * eps) + adaptive(f, m, b, 0.5 * eps)


def test_a_function_that_calls_itself_with_it():
    for f, whole in ((math.exp, math.e - 1.0), (lambda x: x * x, 1.0 / 3.0)):
        assert abs(adaptive(f, 0.0, 1.0, 1e-10) - whole) < 1e-9


@pydd.jit(strict=True)
def optional(x, f=None, g=math.sqrt):
    if f is None:
        return g(x)
    return f(x) + g(x)


def test_defaults_and_none():
    same(optional, 4.0)
    same(optional, 4.0, math.sin)
    same(optional, 4.0, None, less_two)
    same(optional, 4.0, f=less_two, g=math.cos)


def test_errors_are_those_of_python():
    def fails(x):
        if x > 1.0:
            raise ValueError("too large")
        return x

    with pytest.raises(ValueError, match="too large"):
        twice(fails, 2.0)
    with pytest.raises(ZeroDivisionError):
        twice(lambda x: 7 // x, 0)
    with pytest.raises(TypeError):
        twice()


class Holder:
    def method(self, x):
        return x + 1.0


@pytest.mark.parametrize(
    ("f", "why"),
    [
        (Holder().method, "the argument `f` is a method"),
        (functools.partial(pow, 2.0), "the argument `f` is a partial"),
        (int, "the argument `f` is a type"),
        (print, "which kernels cannot read"),
    ],
)
def test_what_runs_in_python(f, why):
    @pydd.jit
    def called(f, x):
        return f(x)

    with pytest.warns(pydd.PyddWarning, match=why):
        called(f, 3.0)


def test_what_is_given_another_value_or_stands_in_a_list_runs_in_python():
    @pydd.jit
    def another(f, x):
        f = x
        return f

    @pydd.jit
    def of_list(fs, x):
        return fs[0](x)

    with pytest.warns(pydd.PyddWarning, match="which is a constant, is given another value"):
        assert another(math.sin, 2.0) == 2.0
    with pytest.warns(pydd.PyddWarning, match="is a list that holds a function"):
        assert of_list([math.sin], 2.0) == math.sin(2.0)


def test_beyond_the_most_versions_python_runs():
    @pydd.jit
    def called(f, x):
        return f(x)

    made = [lambda x, i=i: x + i for i in range(135)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [called(f, 1) for f in made] == [f(1) for f in made]
        assert [called(f, 1) for f in made] == [f(1) for f in made]
