"""Compiled functions called by native code: addresses, ctypes, SciPy's callbacks; beside the same functions called from Python."""

import _thread
import ctypes
import gc
import math
import signal
import subprocess
import sys
import threading
import time
import traceback

import numpy as np
import pytest
from scipy import LowLevelCallable, integrate, ndimage

import pydd

SOURCE = '''
import math

def gauss(x: float64) -> float64:
    return math.exp(-x * x)

def line(x: float64, a: float, t: Array(float64, 1)) -> float64:
    return a * x + t[0] * t[1]

def product(x: float64, y: float64, z: float64) -> float64:
    return x * y + z

def product_of(x: Array(float64, 1)) -> float64:
    return x[0] * x[1] + x[2]

def many(a: int8, b: float32, c: bool, d: float64, e: uint64, f: int64, g: int32, h: uint16, i: uint8, j: int64,
         k: float64, l: float64, m: float64, n: float64, o: float64, p: float32, q: float64, r: float32, s: int16) -> float64:
    total = 1000.0 if c else 0.0
    total += a + 2 * b + 3 * d + 4 * e + 5 * f + 6 * g + 7 * h + 8 * i + 9 * j
    return total + 10 * k + 11 * l + 12 * m + 13 * n + 14 * o + 15 * p + 16 * q + 17 * r + 18 * s

def tenth(n: int64) -> int64:
    return 10 // n

def tenth_of(n: int64) -> float64:
    return (10 // n) * 1.0

def tenth_of_whole(x: float64) -> float64:
    return (10 // int(x)) * 1.0

def says(n: int64):
    print("said", n)

def steps(n: int64) -> int64:
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count

def spins(n: int64) -> float64:
    s = 0.0
    for i in range(n):
        s = math.sin(s + i)
    return s

def deep(n: int64) -> int64:
    return 1 + deep(n + 1)

def mixed(x: float64):
    if x > 0.5:
        return 1
    return x

def one_of(x: float32 | float64) -> float64:
    return x + 0.5

def median(w: Array(float64, 1)) -> float64:
    w.sort()
    return w[len(w) // 2]

def weighted(w: Array(float64, 1), weights: Array(float64, 1), bias: float64) -> float64:
    s = bias
    for i in range(len(w)):
        s += w[i] * weights[i]
    return s

def beyond(w: Array(float64, 1)) -> float64:
    return w[100]

def above(w: Array(float64, 1)) -> bool:
    return w[4] > 0.5

def counts(w: Array(float64, 1), seen: Array(int64, 1)) -> float64:
    seen[0] += 1
    return w[0]

def smooth(x: Array(float64, 1), out: Array(float64, 1)):
    for i in range(len(out)):
        out[i] = (x[i] + x[i + 1] + x[i + 2]) / 3

def fails_on(x: Array(float64, 1), out: Array(float64, 1)):
    out[len(out)] = 1.0

def moved(at: Array(int64, 1), source: Array(float64, 1), by: float):
    for i in range(len(at)):
        source[i] = at[i] - by

def writes_numbers(x: Array(float64, 1)) -> float64:
    x[0] = 1.0
    return x[1]

def of_ints(w: Array(int64, 1)) -> float64:
    return 0.0

def is_complex(z: complex) -> complex:
    return z

def takes_matrix(A: SparseMat(float64), x: float64) -> float64:
    return x
''' + "".join(f"\ndef same_{t}(x: {t}) -> {t}:\n    return x\n" for t in (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"
))  # fmt: skip


@pytest.fixture(scope="module")
def k(tmp_path_factory):
    folder = tmp_path_factory.mktemp("native")
    (folder / "native.pydd").write_text(SOURCE)
    return pydd.load(folder / "native.pydd")


@pytest.fixture
def unraisable(monkeypatch):
    """What `sys.unraisablehook` gets."""
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda each: seen.append((each.object, each.exc_value)))
    return seen


def as_c(function, result, *types):
    """A function pointer that gives the GIL away, as most callers in C do."""
    return ctypes.CFUNCTYPE(result, *types)(pydd.address(function))


# Addresses.


VALUES = {
    "bool": [False, True],
    **{t: [np.iinfo(t).min, np.iinfo(t).max, 1] for t in ("int8", "int16", "int32", "int64")},
    **{t: [0, np.iinfo(t).max, 1] for t in ("uint8", "uint16", "uint32", "uint64")},
    "float32": [0.1, -math.inf, math.nan],
    "float64": [0.1, -0.0, math.inf, math.nan],
}


@pytest.mark.parametrize("dtype", VALUES)
def test_numbers_of_all_types(k, dtype):
    function = getattr(k, f"same_{dtype}")
    pointer = pydd.cfunc(function)
    for value in VALUES[dtype]:
        np.testing.assert_array_equal(pointer(value), function(value))
        assert math.copysign(1, pointer(value)) == math.copysign(1, function(value))
    # Above a narrow number anything may be in its register.
    if dtype not in ("bool", "float32", "float64", "uint64"):
        wide = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_uint64)(pydd.address(function))
        assert wide(0x1234567890ABCDEF) == np.array(0x1234567890ABCDEF, np.uint64).astype(dtype)


def test_parameters_in_registers_and_on_the_stack(k):
    values = (
        -3,
        1.5,
        True,
        2.0,
        2**63,
        -9,
        -4,
        65535,
        255,
        7,
        0.25,
        1.25,
        2.25,
        3.25,
        4.25,
        0.5,
        5.25,
        0.75,
        -300,
    )
    assert pydd.cfunc(k.many)(*values) == k.many(*values)


def test_an_address_is_for_ever(k):
    at = k.gauss.address
    assert at == pydd.address(k.gauss) != pydd.address(k.tenth)
    assert ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(at)(0.0) == 1.0
    assert (pydd.cfunc(k.gauss).argtypes, pydd.cfunc(k.gauss).restype) == (
        (ctypes.c_double,),
        ctypes.c_double,
    )


def test_a_number_of_several_types_is_the_one_that_holds_all(k):
    assert [pydd.cfunc(k.mixed)(x) for x in (0.25, 0.75)] == [0.25, 1.0]


def test_versions_are_chosen_by_signatures(k):
    assert pydd.cfunc(k.one_of, "float64(float32)").argtypes == (ctypes.c_float,)
    assert pydd.cfunc(k.one_of, "(double)")(1.0) == 1.5
    with pytest.raises(TypeError, match=r"versions for \(float32\), \(float64\); `signature=`"):
        pydd.address(k.one_of)
    with pytest.raises(TypeError, match=r"no version for \(int64\); there are \(float32\), \(float64\)"):
        pydd.address(k.one_of, "(int64)")
    with pytest.raises(TypeError, match="not a signature"):
        pydd.address(k.one_of, "float64[:]")


def test_what_has_no_address(k):
    for function in (k.median, k.is_complex, k.smooth):
        with pytest.raises(TypeError, match="must be real numbers"):
            pydd.address(function)
    with pytest.raises(TypeError, match="len is not a function that pydd compiled"):
        pydd.address(len)


def test_more_functions_than_have_addresses(tmp_path):
    text = "".join(f"def f{i}(x: float64) -> float64:\n    return x + {i}\n" for i in range(2049))
    (tmp_path / "all.pydd").write_text(text)
    program = """
import pydd
module = pydd.load("all.pydd", options=["-O0"])
for i in range(2048):
    pointer = pydd.cfunc(getattr(module, f"f{i}"))
    assert pointer(0.5) == i + 0.5
try:
    pydd.address(module.f2048)
except RuntimeError as error:
    print(error)
print(pydd.cfunc(module.f7)(0.0))
"""
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert run.stdout == "2048 functions of this process have an address, and no more can\n7.0\n", run.stderr


# Exceptions, the GIL, threads.


def test_an_exception_is_raised_where_the_caller_is_python(k):
    pointer = pydd.cfunc(k.tenth)
    with pytest.raises(ZeroDivisionError) as raised:
        pointer(0)
    last = traceback.extract_tb(raised.tb)[-1]
    assert (last.name, last.line) == ("tenth", "return 10 // n")
    assert pointer(5) == 2
    with pytest.raises(RecursionError):
        pydd.cfunc(k.deep)(0)


def test_an_exception_without_the_gil_is_reported(k, unraisable):
    whole, real = (
        as_c(k.tenth, ctypes.c_int64, ctypes.c_int64),
        as_c(k.tenth_of, ctypes.c_double, ctypes.c_int64),
    )
    assert whole(0) == 0 and math.isnan(real(0)) and real(4) == 2.0
    assert [(name, type(error)) for name, error in unraisable] == [
        ("tenth", ZeroDivisionError),
        ("tenth_of", ZeroDivisionError),
    ]


def test_a_thread_that_python_does_not_know(k, unraisable):
    """A kernel is what a thread of pthreads runs."""
    libc = ctypes.CDLL(None)
    for argument, expected in ((5, 2), (0, 0)):
        thread, result = ctypes.c_ulong(), ctypes.c_void_p()
        started = libc.pthread_create(
            ctypes.byref(thread), None, ctypes.c_void_p(pydd.address(k.tenth)), ctypes.c_void_p(argument)
        )
        assert started == 0 and libc.pthread_join(thread, ctypes.byref(result)) == 0
        assert (result.value or 0) == expected
    assert [type(error) for _, error in unraisable] == [ZeroDivisionError]


def test_print_takes_the_gil(k, capsys):
    as_c(k.says, None, ctypes.c_int64)(3)
    pydd.cfunc(k.says)(4)
    assert capsys.readouterr().out == "said 3\nsaid 4\n"


def test_many_threads(k):
    pointer, wrong = as_c(k.steps, ctypes.c_int64, ctypes.c_int64), []

    def run():
        wrong.extend(n for n in range(1, 3000) if pointer(n) != k.steps(n))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_long_call_gives_the_gil_away_and_is_interrupted(k):
    pointer, ticks = pydd.cfunc(k.spins), []

    def interrupt():
        for _ in range(20):
            ticks.append(time.perf_counter())
            time.sleep(0.01)
        _thread.interrupt_main()

    # A test that runs in the background may have Ctrl-C turned off.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        pointer(10**12)
    thread.join()
    assert len(ticks) == 20 and time.perf_counter() - begin < 20


# SciPy's callbacks.


def test_quad(k):
    callback = pydd.low_level_callable(k.gauss)
    assert type(callback) is LowLevelCallable and callback.signature == "double (double, void *)"
    for limits in ((0, 1), (-math.inf, math.inf), (2, -3)):
        assert integrate.quad(callback, *limits) == integrate.quad(k.gauss, *limits)


def test_quad_with_values_that_are_given_once(k):
    t = np.array([3.0, 9.0, 2.0])[::2]
    callback = pydd.low_level_callable(k.line, user_data=(2.0, t))
    np.testing.assert_allclose(integrate.quad(callback, 0, 1)[0], 7.0)
    # It sees what is written to the array, and keeps it.
    t[0] = 0.0
    del t
    gc.collect()
    np.testing.assert_allclose(integrate.quad(callback, 0, 1)[0], 1.0)


def test_quad_over_several_numbers(k):
    expected = integrate.nquad(k.product, [(0, 1), (0, 2), (-1, 3)])
    scalars = pydd.low_level_callable(k.product)
    array = pydd.low_level_callable(k.product_of, "double (int, double*, void*)")
    for callback in (scalars, array):
        assert integrate.nquad(callback, [(0, 1), (0, 2), (-1, 3)]) == expected
        assert integrate.quad(callback, 0, 1, args=(2.0, 5.0)) == integrate.quad(
            k.product, 0, 1, args=(2.0, 5.0)
        )
    with pytest.raises(SystemError) as raised:
        integrate.quad(scalars, 0, 1, args=(2.0,))
    assert str(raised.value.__cause__) == "product() takes 3 numbers of its caller, and gets 2"


def test_an_exception_in_quad(k):
    callback = pydd.low_level_callable(k.tenth_of_whole)
    with pytest.raises(SystemError) as raised:
        integrate.quad(callback, 0, 1)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    assert traceback.extract_tb(raised.value.__cause__.__traceback__)[-1].name == "tenth_of_whole"
    assert integrate.quad(callback, 1.25, 1.75)[0] == 5.0


IMAGE = np.random.default_rng(1).random((17, 23))


@pytest.mark.parametrize("mode", ["reflect", "constant", "nearest", "mirror", "wrap"])
def test_generic_filter(k, mode):
    callback = pydd.low_level_callable(k.median)
    assert callback.signature == "int (double *, npy_intp, double *, void *)"
    got = ndimage.generic_filter(IMAGE, callback, size=(3, 5), mode=mode)
    np.testing.assert_array_equal(got, ndimage.median_filter(IMAGE, size=(3, 5), mode=mode))


def test_generic_filter_of_other_images(k):
    callback = pydd.low_level_callable(k.median)
    for image in (IMAGE[::2, ::-1].T, (IMAGE * 100).astype(np.int16), np.zeros((0, 3)), IMAGE[0]):
        got = ndimage.generic_filter(image, callback, size=3)
        np.testing.assert_array_equal(got, ndimage.generic_filter(image, k.median, size=3))


def test_generic_filter_with_values_that_are_given_once(k):
    weights = np.arange(18.0)[::2]
    callback = pydd.low_level_callable(k.weighted, user_data=(weights, 1))
    got = ndimage.generic_filter(IMAGE, callback, size=3)
    np.testing.assert_allclose(got, ndimage.correlate(IMAGE, weights.reshape(3, 3)) + 1)
    assert np.array_equal(
        ndimage.generic_filter(IMAGE, pydd.low_level_callable(k.above), size=3), IMAGE > 0.5
    )
    seen = np.zeros(1, np.int64)
    ndimage.generic_filter(IMAGE, pydd.low_level_callable(k.counts, user_data=seen), size=3)
    assert seen[0] == IMAGE.size


def test_an_exception_in_generic_filter(k):
    callback = pydd.low_level_callable(k.beyond)
    with pytest.raises(IndexError, match="index 100 is out of bounds for axis 0 with size 9") as raised:
        ndimage.generic_filter(IMAGE, callback, size=3)
    assert traceback.extract_tb(raised.tb)[-1].name == "beyond"
    with pytest.raises(IndexError):
        ndimage.generic_filter1d(IMAGE, pydd.low_level_callable(k.fails_on), filter_size=3)


def test_lines_and_coordinates(k):
    def smooth(x, out):
        out[:] = (x[:-2] + x[1:-1] + x[2:]) / 3

    callback = pydd.low_level_callable(k.smooth)
    for axis in (0, 1):
        got = ndimage.generic_filter1d(IMAGE, callback, filter_size=3, axis=axis)
        np.testing.assert_array_equal(got, ndimage.generic_filter1d(IMAGE, smooth, filter_size=3, axis=axis))
    callback = pydd.low_level_callable(k.moved, user_data=0.25)
    got = ndimage.geometric_transform(IMAGE, callback, order=1)
    expected = ndimage.geometric_transform(IMAGE, lambda at: tuple(each - 0.25 for each in at), order=1)
    np.testing.assert_array_equal(got, expected)


def test_callbacks_in_many_threads(k):
    callback, results = pydd.low_level_callable(k.median), []
    expected = ndimage.median_filter(IMAGE, 3)

    def run():
        results.extend(ndimage.generic_filter(IMAGE, callback, size=3) for _ in range(10))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 40 and all(np.array_equal(each, expected) for each in results)


def test_what_is_no_callback(k):
    callback = pydd.low_level_callable
    refused = [
        ((k.of_ints,), r"of_ints\(\) fits no signature of SciPy's"),
        ((k.many,), "fits no signature"),
        ((k.takes_matrix,), "sparse matrices"),
        ((k.gauss, "int (double *, npy_intp, double *, void *)"), r"`x` must be an Array\(float64, 1\)"),
        ((k.product, "double (double, void *)"), "gives one number, and 3 parameters have no value"),
        (
            (k.writes_numbers, "double (int, double *, void *)"),
            "`x` is SciPy's own, and must not be written to",
        ),
        ((k.smooth, None, 1.0), "fits no signature"),
        ((k.gauss, None, 1.0), "gets values for 1 parameters, which leaves none of its 1"),
        ((k.line, None, ("a", np.ones(2))), "argument 'a' of line"),
        ((k.line, None, (1.0, np.ones(2, np.float32))), "argument 't' of line"),
        ((k.counts, None, np.frombuffer(bytes(8), np.int64)), "read-only"),
    ]
    for arguments, text in refused:
        with pytest.raises(TypeError, match=text):
            callback(*arguments)
    with pytest.raises(ValueError, match=r'no known signature: "int \(int\)"; there are double'):
        callback(k.gauss, "int (int)")


# Functions of Python files.


@pydd.kernel
def power(x: float, n: int) -> float:
    return x**n


@pydd.kernel
def ramp(x: float) -> float:
    return 2 * x


@pydd.jit
def times(x, n):
    return x * n


@pydd.vectorize
def add_one(x):
    return x + 1


def test_decorated_functions():
    assert power.address == pydd.address(power)
    assert pydd.cfunc(power)(2.0, 10) == 1024.0
    assert integrate.quad(pydd.low_level_callable(ramp), 0, 1)[0] == pytest.approx(1.0)
    for signature, types in (
        ("float64(float64, int64)", (ctypes.c_double, ctypes.c_int64)),
        ("(f4, i1)", (ctypes.c_float, ctypes.c_int8)),
    ):
        pointer = pydd.cfunc(times, signature)
        assert pointer.argtypes == types and pointer(2.5, 3) == 7.5
    with pytest.raises(TypeError, match="is not compiled yet: annotate it"):
        pydd.address(times)
    times.compile(1.5, 2)
    assert pydd.cfunc(times)(2.5, 3) == 7.5
    with pytest.raises(TypeError, match="add_one is a ufunc"):
        pydd.address(add_one)


def test_a_function_that_cannot_be_compiled():
    @pydd.kernel
    def opens(x: float) -> float:
        return open(x)

    with pytest.raises(pydd.CompileError, match="open"):
        pydd.address(opens)
