"""`pydd.numba` beside Numba: signatures, keywords, `prange`."""

import numba
import numpy as np
import pytest

import pydd
import pydd.numba


def both(signature, function):
    return pydd.numba.njit(signature)(function), numba.njit(signature)(function)


@pytest.mark.parametrize(
    "signature",
    ["float64(float64)", "(float64,)", "f8(f8)", "float32(float32)", "int64(int64)", "int8(int8)"],
)
def test_arguments_and_results_are_converted(signature):
    def f(x):
        return x

    ours, theirs = both(signature, f)
    for value in (1, 3):
        got, expected = ours(value), theirs(value)
        assert got == expected and isinstance(got, (int, np.integer)) == isinstance(
            expected, (int, np.integer)
        )


def test_arrays_types_and_lists_of_signatures():
    def f(a, n):
        return a.sum() * n

    a = np.arange(3.0)
    for signature in [
        "float64(float64[:], int64)",
        "float64(float64[::1], i8)",
        ["f8(f8[:], i8)", "f8(f8[:], f8)"],
    ]:
        ours, theirs = both(signature, f)
        assert ours(a, 2) == theirs(a, 2) == 6.0
    ours = pydd.numba.njit(pydd.numba.float64(pydd.numba.float64[:], pydd.numba.int64))(f)
    assert ours(a, 2) == 6.0


def test_signatures_of_column_major_arrays():
    def f(a, x):
        return a[0, 1] * x[0]

    column, row, x = np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.arange(6.0).reshape(2, 3), np.ones(1)
    for signature in [
        "f8(f8[::1, :], f8[::1])",
        "f8(f8[ ::1,:], f8[:])",
        ["f8(f8[::1, :], f8[:])", "f8(f8[:, ::1], f8[:])"],
    ]:
        ours, theirs = both(signature, f)
        assert ours(column, x) == theirs(column, x) == 1.0
        assert ours(row, x) == 1.0
        assert ('Array(float64, 2, order="F")', "Array(float64, 1)") in ours.signatures
    float64 = pydd.numba.float64
    ours = pydd.numba.njit(float64(float64[::1, :], float64[::1]))(f)
    assert ours(column, x) == 1.0 and ours.signatures[0][0].endswith('order="F")')
    assert len(ours.signatures) == 1 and ours(row, x) == 1.0 and len(ours.signatures) == 1
    # Numba refuses what has another order; here it is slower.
    ours = pydd.numba.njit(["f8(f8[:, ::1], f8[:])", "f8(f4[::1, :], f8[:])"])(f)
    assert ours(column, x) == 1.0 and ours(row.astype("f4"), x) == 1.0


@pytest.mark.falls_back
def test_a_result_that_the_signature_does_not_hold():
    def f(x):
        return x * 1.5

    with pytest.warns(pydd.PyddWarning, match="float64 cannot be returned as int64"):
        assert pydd.numba.njit("int64(float64)")(f)(1.0) == 1.5


@pytest.mark.falls_back
def test_helpers_with_signatures_keep_them():
    @pydd.numba.njit("int8(int8)")
    def g8(x):
        return x

    @pydd.numba.njit
    def f(x):
        return g8(x) + 1

    assert f(3) == 4 and f.signatures == []


@pytest.mark.parametrize("wrong", ["flat64(float64)", "float64", "optional(float64)(int64)", 3.5])
def test_wrong_signatures(wrong):
    with pytest.raises(TypeError, match="not a"):
        pydd.numba.njit(wrong)


def test_keywords():
    @pydd.numba.njit(parallel=True, fastmath={"nnan", "ninf"}, cache=True, nogil=True, boundscheck=True)
    def f(x):
        s = 0.0
        for i in pydd.numba.prange(x.size):
            s += x[i]
        return s

    assert f(np.ones(10)) == 10.0
    with pytest.raises(TypeError):
        pydd.numba.njit(no_such_keyword=True)(f.py_func)
    with pytest.raises(TypeError, match="locals"):
        pydd.numba.njit(locals={"x": pydd.numba.float32})
    with pytest.raises(AttributeError, match="has no `cuda`"):
        pydd.numba.cuda  # noqa: B018


def test_ways_to_write_prange():
    from pydd.numba import prange as parallel_range

    def f(n):
        s = 0
        for i in pydd.numba.prange(n):
            s += i
        for i in pydd.prange(n):
            s += i
        for i in numba.prange(n):
            s += i
        for i in parallel_range(n):
            s += i
        return s

    for parallel in (False, True):
        kernel = pydd.numba.njit(parallel=parallel)(f)
        assert kernel(5) == 40 and kernel.signatures == [("int",)]
        (text,) = kernel.inspect_source().values()
        assert text.count(" prange(n)") == (4 if parallel else 0)
