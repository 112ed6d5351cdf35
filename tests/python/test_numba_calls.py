"""Functions that pydd compiled, called in Numba's nopython mode: beside the same calls from Python."""

import math
import traceback
import warnings

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

import pydd

SOURCE = """
def tenth(n: int64) -> int64:
    return 10 // n

def mixes(a: int8, b: float32, c: bool, d: float64, e: uint64, z: complex128, w: complex64) -> float64:
    s = 1000.0 if c else 0.0
    return s + a + 2 * b + 3 * d + 4 * e + 5 * z.real + 6 * z.imag + 7 * w.real + 8 * w.imag

def total(a: Array(float64, 2)) -> float64:
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s += a[i, j] * (i + 2 * j)
    return s

def total_by_columns(a: Array(float64, 2, order="F")) -> float64:
    return total(a)

def doubles(x: Array(float64, 1), out: Array(float64, 1)):
    for i in range(len(x)):
        out[i] = 2 * x[i]

def running(x: Array(float64, 1)):
    for i in range(1, len(x)):
        x[i] += x[i - 1]

def extent(x: Array(float32, 1)):
    return x.min(), x.max(), len(x), x[0] > 0, complex(x[0], 1.0)

def either(x: float64):
    if x > 0.5:
        return 1
    return x

def two(x: float32 | float64 | int64):
    return x + x

def flagged(x: bool) -> bool:
    return not x

def makes(n: int64) -> Array(float64, 1):
    return np.zeros(n)

def by_name(x: float64, y: float64 = 2.0) -> float64:
    return x - y

def same_int8(x: int8) -> int8:
    return x

def same_uint16(x: uint16) -> uint16:
    return x
"""


@pytest.fixture(scope="module")
def k(tmp_path_factory):
    folder = tmp_path_factory.mktemp("numba")
    (folder / "called.pydd").write_text(f"import numpy as np\n{SOURCE}")
    return pydd.load(folder / "called.pydd")


def called(function, count):
    """`function` with some arguments, in machine code of Numba's."""
    names = ", ".join(f"a{i}" for i in range(count))
    space = {"function": function}
    exec(f"def call({names}):\n    return function({names})", space)
    return numba.njit(space["call"])


def test_numbers(k):
    values = (np.int8(-3), np.float32(1.5), True, 2.0, np.uint64(2**63), 1 - 2j, np.complex64(0.5 + 0.25j))
    assert called(k.mixes, 7)(*values) == k.mixes(*values)
    assert called(k.tenth, 1)(3) == 3 and called(k.tenth, 1)(True) == 10
    assert [called(k.flagged, 1)(x) for x in (True, False)] == [False, True]
    assert [called(k.same_int8, 1)(np.int8(x)) for x in (-128, 127)] == [-128, 127]
    assert called(k.same_uint16, 1)(np.uint16(65535)) == 65535
    assert [called(k.either, 1)(x) for x in (0.25, 0.75)] == [0.25, 1.0]


def test_names_and_modules(k):
    @numba.njit
    def call(x):
        return k.by_name(y=x, x=1.0) + k.same_int8(-5)

    assert call(0.25) == 0.75 - 5


@pytest.mark.parametrize("layout", ["rows", "columns", "strided", "backwards", "empty", "read-only"])
def test_arrays(k, layout):
    a = np.random.default_rng(1).random((6, 8))
    a = {
        "rows": a,
        "columns": a.T,
        "strided": a[::2, 1::3],
        "backwards": a[::-1, ::-1],
        "empty": a[:0],
        "read-only": a.copy(),
    }[layout]
    a.flags.writeable = layout != "read-only"
    assert called(k.total, 1)(a) == k.total(a)
    assert called(k.total_by_columns, 1)(a) == k.total_by_columns(a) == k.total(a)


def test_arrays_that_are_written(k):
    x = np.arange(10.0)
    out = np.zeros(10)
    called(k.doubles, 2)(x, out)
    np.testing.assert_array_equal(out, 2 * x)
    # Overlapping ones go in order, as in Python.
    expected = np.arange(10.0)
    k.doubles(expected[:-1], expected[1:])
    called(k.doubles, 2)(x[:-1], x[1:])
    np.testing.assert_array_equal(x, expected)
    x = np.arange(10.0)
    called(k.running, 1)(x[::-3])
    np.testing.assert_array_equal(x[::-3], np.cumsum([9.0, 6.0, 3.0, 0.0]))
    x.flags.writeable = False
    with pytest.raises(TypingError, match="takes"):
        called(k.running, 1)(x)


def test_tuples(k):
    x = np.array([3.5, -1.0], np.float32)
    got = called(k.extent, 1)(x)
    assert got == k.extent(x) and got == (-1.0, 3.5, 2, True, 3.5 + 1j)


def test_versions(k):
    for x in (1.5, 3, np.float32(0.1)):
        got, expected = called(k.two, 1)(x), k.two(x)
        assert got == expected
    # What no version is for takes one that holds it.
    assert called(k.two, 1)(np.int16(30000)) == 60000


def test_exceptions(k):
    call = called(k.tenth, 1)
    with pytest.raises(ZeroDivisionError) as raised:
        call(0)
    assert traceback.extract_tb(raised.tb)[-1].name == "tenth"
    assert call(2) == 5

    @numba.njit(nogil=True)
    def loop(n):
        total = 0
        for i in range(n, -1, -1):
            total += k.tenth(i)
        return total

    with pytest.raises(ZeroDivisionError):
        loop(100)


def test_what_does_not_fit(k):
    wrong = [
        (k.tenth, (1.5,), r"tenth\(float64\): a function of pydd's that takes \(int64\)"),
        (k.same_int8, (300,), r"takes \(int8\)"),
        (k.total, (np.zeros(3),), r"takes \(Array\(float64, 2\)\)"),
        (k.total, (np.zeros((3, 3), np.float32),), r"takes \(Array\(float64, 2\)\)"),
        (k.makes, (3,), "returns an array, and Numba takes numbers"),
        (k.tenth, (1, 2), "another number of arguments"),
    ]
    for function, arguments, text in wrong:
        with pytest.raises(TypingError, match=text):
            called(function, len(arguments))(*arguments)


@pydd.kernel
def power(x: float, n: int) -> float:
    return x**n


@pydd.jit
def weighted(x, a):
    return x * a.sum()


@pydd.jit
def opens(x):
    return open(x)


def test_decorated_functions():
    assert called(power, 2)(2.0, 5) == 32.0
    for a in (np.ones((2, 3)), np.ones(4, np.int32), np.ones(5, np.complex64)[::2]):
        got, expected = called(weighted, 2)(1.5, a), weighted(1.5, a)
        assert got == expected and type(got) is type(np.asarray(expected).item())
    assert called(weighted, 2)(1.5, np.asfortranarray(np.ones((3, 4)))) == 18.0
    made = {types for kernel in weighted._by_signatures.values() for types in kernel.signatures}
    assert {"Array(float64, 2)", 'Array(float64, 2, order="F")'} <= {types[1] for types in made}
    with pytest.raises(TypingError, match="open"):
        called(opens, 1)(1.0)


def test_parallel_and_callbacks(k):
    @numba.njit(parallel=True)
    def total(n):
        s = 0.0
        for i in numba.prange(1, n):
            s += k.by_name(float(i), 1.0)
        return s

    assert total(1001) == sum(range(1000))

    @numba.cfunc("float64(float64)")
    def integrand(x):
        return k.by_name(x, 0.0)

    assert integrand.ctypes(2.5) == 2.5


def test_numba_keeps_no_addresses(k, tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    @numba.njit(cache=True)
    def call(n):
        return k.tenth(n)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", numba.NumbaWarning)
        assert call(3) == 3
    assert not list(tmp_path.rglob("*.nbc"))


def test_functions_of_python_stay_numbas(k):
    @numba.njit
    def call(x):
        return math.sin(x) + len((x, x)) + k.by_name(x, x)

    assert call(0.5) == math.sin(0.5) + 2
