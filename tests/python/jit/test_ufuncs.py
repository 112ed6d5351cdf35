"""`pydd.vectorize` and `pydd.guvectorize`: ufuncs beside Python loops, NumPy's own and Numba's."""

import _thread
import copy
import functools
import itertools
import math
import pickle
import signal
import threading
import warnings

import numba
import numpy as np
import pytest

import pydd
import pydd.numba


def blend(x, y):
    """Different on both sides."""
    if x > y:
        return x * 2 - y
    return y + 1


@pydd.vectorize
def combine(x, y):
    if x > y:
        return x * 2 - y
    return y + 1


@pydd.vectorize(["float64(float64, float64)"])
def less_twice(x, y):
    return x - 2.0 * y


@pydd.vectorize(["int64(int64, int64)", "float64(float64, float64)"], identity=0)
def add(x, y):
    return x + y


@pydd.vectorize
def quotient(x, y):
    if y == 0:
        raise ValueError(f"nothing below {x}")
    return x / y


def by_elements(function, *operands, dtype=np.float64):
    """A Python loop over the broadcast operands."""
    operands = np.broadcast_arrays(*operands)
    out = np.empty(operands[0].shape, dtype)
    for index in np.ndindex(out.shape):
        out[index] = function(*(each[index] for each in operands))
    return out


def equal(got, expected):
    assert got.dtype == expected.dtype and got.shape == expected.shape
    np.testing.assert_array_equal(got, expected)


# What a ufunc is.


def test_it_is_a_ufunc():
    assert type(combine) is np.ufunc
    assert (combine.nin, combine.nout, combine.nargs, combine.__name__) == (2, 1, 3, "combine")
    assert combine.types == ["ll->l", "LL->L", "ff->f", "dd->d", "DD->D"]
    assert less_twice.types == ["dd->d"]
    described = pydd.vectorize(blend)
    assert described.__doc__.startswith("blend(x1, x2, /, out=None") and described.__doc__.endswith(
        "both sides."
    )
    assert pickle.loads(pickle.dumps(combine)) is combine
    assert copy.deepcopy(combine) is combine


def test_loops_are_those_for_which_it_compiles():
    @pydd.vectorize
    def square(x):
        return x * x

    assert square.types == ["l->l", "L->L", "f->f", "d->d", "D->D"]

    @pydd.vectorize
    def shifted(x):
        return x << 1

    assert shifted.types == ["l->l", "L->L"]


def test_annotations_say_for_which_types():
    @pydd.vectorize
    def f(x: float, n: int):
        return x * n

    assert f.types == ["dl->d"]

    @pydd.vectorize
    def g(x: np.float32, y: np.float32) -> np.float64:
        return x * y

    assert g.types == ["ff->d"]

    @pydd.vectorize
    def h(x: np.int8 | np.float32) -> bool:
        return x > 0

    assert h.types == ["b->?", "f->?"]
    equal(h(np.array([-1, 1], np.int8)), np.array([False, True]))


def test_numbers_of_pythons_take_the_type_of_the_others():
    @pydd.vectorize
    def positive(x):
        return x if x > 0 else 0

    assert positive.types == ["l->l", "L->L", "f->f", "d->d", "D->D"]

    @pydd.vectorize
    def halves(x):
        return 0.5 if x == 0 else x

    assert halves.types[0] == "l->d" and halves.types[2] == "f->f"


def test_several_results():
    @pydd.vectorize
    def split(x, n):
        whole = math.floor(x / n)
        return whole, x - whole * n

    assert split.nout == 2 and "dd->ld" in split.types
    x = np.array([7.5, -1.0, 3.0])
    whole, rest = split(x, 2.0)
    equal(whole, np.array([3, -1, 1]))
    equal(rest, np.array([1.5, 1.0, 1.0]))
    first, second = np.zeros(3, np.int64), x
    split(x, 2.0, out=(first, second))
    equal(first, whole)
    equal(second, rest)


# Calls.

SHAPES = [
    ((), ()),
    ((0,), (0,)),
    ((5,), ()),
    ((3000,), (3000,)),
    ((4, 1), (5,)),
    ((0, 3), (1, 3)),
    ((2, 3, 4), (3, 1)),
]


@pytest.mark.parametrize("dtype", ["bool", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"])
def test_element_types_and_shapes(dtype):
    rng = np.random.default_rng(1)
    theirs = numba.vectorize([f"{t}({t}, {t})" for t in ("int64", "uint64", "float32", "float64")])(blend)
    for left, right in SHAPES:
        x, y = (rng.integers(0, 2 if dtype == "bool" else 90, shape).astype(dtype) for shape in (left, right))
        got = combine(x, y)
        equal(np.asarray(got), np.asarray(theirs(x, y)))
        kind = np.asarray(got).dtype
        equal(np.asarray(got), by_elements(blend, x.astype(kind), y.astype(kind), dtype=kind))


def layouts(n):
    """Views of n elements in all kinds of layouts, each of its own memory."""
    base = np.arange(1.0, 4 * n + 1) % 11
    yield "contiguous", base[:n].copy()
    yield "strided", base[: 2 * n : 2].copy().repeat(2)[::2]
    yield "reversed", base[:n].copy()[::-1]
    yield "one for all", np.broadcast_to(base[3], n)
    yield "swapped", base[:n].astype(">f8")
    yield "field", np.rec.fromarrays([base[:n].astype("i1"), base[:n]], names="a,b")["b"]
    yield "unaligned", np.frombuffer(b"x" + base[:n].tobytes(), np.uint8)[1:].view("f8")


@pytest.mark.parametrize("n", [1, 7, 1024, 1025, 3000])
def test_layouts(n):
    for (_, x), (_, y) in itertools.product(layouts(n), layouts(n)):
        equal(less_twice(x, y), (x - 2.0 * y).astype(float))
    x, y = np.arange(2.0 * n).reshape(n, 2), np.arange(2.0 * n).reshape(2, n).T
    got = less_twice(y, y)
    assert got.strides == np.subtract(y, y).strides
    equal(less_twice(x, y), x - 2.0 * y)
    for _, out in layouts(n):
        if out.flags.writeable:
            less_twice(x[:, 0], y[:, 1], out=out)
            np.testing.assert_array_equal(out, x[:, 0] - 2.0 * y[:, 1])


@pytest.mark.parametrize("n", [1, 2, 9, 1500, 20000])
def test_outputs_that_share_memory_with_inputs(n):
    for shift, step in itertools.product((-3, -1, 0, 1, 2), (1, 2, -1)):
        memory = np.arange(3.0 * n + 10) % 17
        begin = 3 + (2 * n if step < 0 else 0)
        out = memory[3 + shift :][: 2 * n : 2] if step == 2 else memory[3 + shift :][:n]
        x = memory[begin : begin + step * n : step] if step > 0 else memory[begin : begin - n : -1]
        for operands in ((x, x.copy()), (x.copy(), x), (x, x), (x, 3.0)):
            kept = memory.copy()
            expected = np.subtract(operands[0], np.multiply(2.0, operands[1]))
            less_twice(*operands, out=out)
            equal(out, expected)
            memory[:] = kept


def test_where_and_casting_and_dtype():
    x, y = np.arange(3000.0), np.ones(3000)
    where = np.arange(3000) % 3 == 0
    out = np.full(3000, -7.0)
    combine(x, y, out=out, where=where)
    equal(out, np.where(where, combine(x, y), -7.0))
    quotient(x, y * 0, out=out, where=False)
    assert combine(np.arange(3), 1, dtype=np.float32).dtype == np.float32
    assert combine(x, y, signature="ff->f", casting="same_kind").dtype == np.float32
    with pytest.raises(TypeError, match="Cannot cast ufunc 'combine' output from"):
        combine(x, y, out=np.zeros(3000, np.int64))
    with pytest.raises(TypeError, match="No loop matching the specified signature"):
        combine(x, y, dtype=np.longdouble)
    assert combine(np.float32(1), 2.5).dtype == np.float32
    for wrong in (np.array([object()]), "text", None, 1j):
        with pytest.raises(TypeError, match="ufunc 'less_twice' not supported for the input types"):
            less_twice(wrong, 1)
    with pytest.raises(ValueError, match="read-only"):
        combine(x, y, out=np.broadcast_to(1.0, 3000))


def test_subclasses_and_numbers():
    class Named(np.ndarray):
        pass

    assert type(combine(np.arange(3.0).view(Named), 1)) is Named
    assert type(combine(1, 2)) is np.int64 and type(combine(1.0, 2)) is np.float64


@pytest.mark.parametrize("n", [0, 1, 2, 1025, 5000])
def test_methods_of_binary_ones(n):
    rng = np.random.default_rng(n)
    ints = rng.integers(-9, 9, n)
    assert add.identity == 0 and less_twice.identity is None
    assert add.reduce(ints) == ints.sum()
    floats = rng.integers(-9, 9, n).astype(float)
    for view in (floats, floats[::-1], floats.repeat(2)[::2]):
        if n == 0:
            with pytest.raises(ValueError, match="no identity"):
                less_twice.reduce(view)
            continue
        running = list(itertools.accumulate(view[:60], lambda a, b: a - 2.0 * b))
        equal(less_twice.accumulate(view[:60]), np.array(running))
        assert less_twice.reduce(view[:60]) == running[-1]
        assert add.reduce(view) == functools.reduce(lambda a, b: a + b, view)
        equal(less_twice.outer(view[:20], view[:3]), view[:20, None] - 2.0 * view[None, :3])
    table = rng.integers(-9, 9, (4, 5, 6))
    for axis in (0, 1, 2, -1, None):
        equal(np.asarray(add.reduce(table, axis=axis)), np.asarray(table.sum(axis=axis)))
        if axis is not None:
            equal(add.accumulate(table, axis=axis), table.cumsum(axis=axis))
    equal(
        np.asarray(add.reduce(table, axis=(0, 2), where=table > 0)),
        np.add.reduce(table, axis=(0, 2), where=table > 0),
    )
    with pytest.raises(ValueError, match="not reorderable"):
        less_twice.reduce(np.ones((2, 2)), axis=None)
    equal(add.reduceat(np.arange(20), [0, 5, 9]), np.add.reduceat(np.arange(20), [0, 5, 9]))
    target = np.zeros(4)
    add.at(target, [0, 1, 1, 3], [1.0, 2.0, 3.0, 4.0])
    equal(target, np.array([1.0, 5.0, 0.0, 4.0]))
    memory = np.arange(50.0)
    add.accumulate(memory, out=memory)
    equal(memory, np.arange(50.0).cumsum())


def test_an_identity_that_is_none():
    with pytest.raises(ValueError, match='0, 1, None or "reorderable", not 7'):
        pydd.vectorize(identity=7)(blend)
    largest = pydd.vectorize(["int64(int64, int64)"], identity="reorderable")(larger)
    assert largest.reduce(np.arange(6).reshape(2, 3), axis=None) == 5


def larger(x, y):
    return x if x > y else y


# Exceptions.


@pytest.mark.parametrize("n", [1, 3, 5000, 100_000])
def test_exceptions_end_the_call(n):
    x, y = np.arange(float(n)), np.ones(n)
    y[-1] = 0
    for operands in ((x, y), (x[::-1][::-1], y.astype(np.float32)), (x.reshape(-1, 1), y.reshape(-1, 1))):
        with pytest.raises(ValueError, match=f"^nothing below {float(n - 1)}$") as caught:
            quotient(*operands)
        last = caught.traceback[-1]
        assert (
            last.name == "quotient" and last.path.name == "test_ufuncs.py" and caught.value.__cause__ is None
        )
    # None of it stays.
    equal(quotient(x, 1.0), x)
    with pytest.raises(ValueError, match="nothing below"):
        quotient.reduce(np.zeros(n + 1))
    with pytest.raises(ValueError, match="nothing below"):
        quotient.outer(x, np.zeros(3))


def test_many_runs_of_one_call_keep_the_first_exception():
    @pydd.vectorize(["float64(float64)"])
    def named(x):
        if x >= 0:
            raise ValueError(f"{x}")
        return x

    x = np.arange(60_000.0).reshape(300, 200).astype(">f8")[::-1, ::2].T
    with pytest.raises(ValueError) as caught:
        named(x)
    assert float(str(caught.value)) in x
    equal(named(-x - 1), (-x - 1).astype(float))


def test_integers_divide_as_in_python():
    @pydd.vectorize(["int64(int64, int64)"])
    def whole(x, y):
        return int(x) // int(y)

    equal(whole(np.arange(-5, 5), 3), np.arange(-5, 5) // 3)
    with pytest.raises(ZeroDivisionError):
        whole(np.arange(5), 0)


def test_own_exceptions():
    @pydd.vectorize
    def picky(x):
        if x > 1:
            raise Refused("too large")
        return x

    with pytest.raises(Refused, match="too large"):
        picky(2.0)


class Refused(Exception):
    pass


def test_floats_give_no_warnings():
    @pydd.vectorize
    def inverse(x):
        return 1.0 / x if x != 0 else math.inf

    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        assert inverse(0.0) == math.inf
        assert np.all(np.isinf(inverse(np.zeros(5000))))
        assert less_twice(1e308, -1e308) == math.inf
        # What NumPy does beside the loop is still seen.
        with pytest.raises(FloatingPointError):
            combine(np.array([1e300]), 1, dtype=np.float32, casting="same_kind")


def test_many_threads():
    x = np.arange(200_000.0)
    results, errors = {}, []

    def work(k):
        for _ in range(5):
            results[k] = less_twice(x, float(k))
            try:
                quotient(x, np.where(x == k, 0.0, 1.0))
            except ValueError as error:
                errors.append(str(error) == f"nothing below {float(k)}")

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 20 and all(errors)
    for k, result in results.items():
        equal(result, x - 2.0 * k)


def test_ctrl_c_ends_a_call():
    @pydd.vectorize(["float64(int64)"])
    def endless(n):
        s = 0.0
        for i in range(n):
            s = s * 0.5 + i
        return s

    # A test that runs in the background may have Ctrl-C turned off.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        endless(np.full(5_000_000, 10_000))
    timer.join()
    assert endless(2) == 1.0


def test_a_loop_in_parallel_within():
    @pydd.vectorize(["float64(int64)"])
    def told(n):
        s = 0.0
        for i in pydd.prange(n):
            if i == 70_000:
                print("seen")
            s += i
        return s

    equal(told(np.array([10, 100_000])), np.array([45.0, 4999950000.0]))


# Generalized ones.


@pydd.guvectorize("(n),(n)->()")
def dot(x, y, res):
    s = x[0] * y[0]
    for i in range(1, x.shape[0]):
        s += x[i] * y[i]
    res[0] = s


@pydd.guvectorize(["void(float64[:, :], float64[:], float64[:])"], "(m, n), (n) -> (m)")
def times(a, x, res):
    for i in range(a.shape[0]):
        res[i] = 0.0
        for k in range(a.shape[1]):
            res[i] += a[i, k] * x[k]


@pydd.guvectorize(["(float64[:], float64, float64[:], float64[:])"], "(n),()->(n),()")
def above(x, limit, kept, count):
    count[0] = 0
    for i in range(x.shape[0]):
        kept[i] = x[i] if x[i] > limit else 0.0
        count[0] += x[i] > limit


def test_it_is_a_generalized_ufunc():
    assert type(dot) is np.ufunc and dot.signature == "(n),(n)->()"
    assert dot.types == ["ll->l", "LL->L", "ff->f", "dd->d", "DD->D"]
    assert (above.nin, above.nout, above.signature) == (2, 2, "(n),()->(n),()")


@pytest.mark.parametrize("n", [1, 3, 100])
@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8", "c16", ">f8"])
def test_dot(n, dtype):
    rng = np.random.default_rng(n)
    for left, right in [
        ((n,), (n,)),
        ((5, n), (n,)),
        ((4, 1, n), (3, n)),
        ((0, n), (n,)),
        ((2, 7, n), (2, 7, n)),
    ]:
        x, y = (rng.integers(-9, 9, shape).astype(dtype) for shape in (left, right))
        expected = np.asarray((x * y).sum(axis=-1))
        np.testing.assert_array_equal(dot(x, y), expected)
        np.testing.assert_array_equal(dot(x[..., ::-1], y[..., ::-1]), expected)
        columns = np.asfortranarray(x)
        np.testing.assert_array_equal(dot(columns, y), expected)
        np.testing.assert_array_equal(dot(np.moveaxis(columns, -1, 0), y, axes=[0, -1, ()]), expected)
        assert dot(x, y, keepdims=True).shape == (*expected.shape, 1)


@pytest.mark.parametrize("n", [1, 4, 90])
def test_matrices_and_outputs(n):
    rng = np.random.default_rng(n)
    a, x = rng.integers(-9, 9, (6, 5, n)).astype(float), rng.integers(-9, 9, (6, n)).astype(float)
    for stack, vectors in (
        (a, x),
        (a[0], x),
        (a, x[0]),
        (a[::-2], x[::2][::-1]),
        (a.transpose(1, 0, 2), x[0]),
    ):
        expected = (stack @ vectors[..., None])[..., 0]
        equal(times(stack, vectors), expected)
        out = np.full(expected.shape[::-1], 7.0).T
        times(stack, vectors, out=out)
        equal(out, expected)
    square = a[:, :1].repeat(n, axis=1).copy()
    memory = x.copy()
    times(square, memory, out=memory)
    equal(memory, (square @ x[..., None])[..., 0])
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        times(a, np.ones(n + 1))


def test_numbers_and_several_outputs_beside_numba():
    theirs = numba.guvectorize(["(float64[:], float64, float64[:], float64[:])"], "(n),()->(n),()")(
        above_for_numba
    )
    x = np.arange(60.0).reshape(3, 4, 5)
    for limit in (7.0, np.arange(4.0) * 5, np.full((3, 4), 30.0)):
        for got, expected in zip(above(x, limit), theirs(x, limit), strict=True):
            equal(got, expected)


def above_for_numba(x, limit, kept, count):
    count[0] = 0
    for i in range(x.shape[0]):
        kept[i] = x[i] if x[i] > limit else 0.0
        count[0] += x[i] > limit


def test_annotated_and_fixed_sizes():
    @pydd.guvectorize("(3),(3)->(3)")
    def cross(
        a: np.ndarray[tuple[int], np.dtype[np.float64]],
        b: np.ndarray[tuple[int], np.dtype[np.float64]],
        res: np.ndarray[tuple[int], np.dtype[np.float64]],
    ):
        for i in range(3):
            res[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]

    a, b = np.arange(12.0).reshape(4, 3), np.array([1.0, -2.0, 4.0])
    equal(cross(a, b), np.cross(a, b))
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        cross(np.ones(4), np.ones(4))


def test_exceptions_of_generalized_ones():
    with pytest.raises(IndexError, match="index 0 is out of bounds") as caught:
        dot(np.ones((3, 0)), np.ones(0))
    assert caught.traceback[-1].name == "dot"


# Wrong decorations.


def refused(decorate, function, message, kind=pydd.CompileError):
    with pytest.raises(kind, match=message):
        decorate(function)


def test_what_is_refused():
    def two(x, y):
        return x + y

    def into(x, res):
        res[0] = x[0]

    def changes(x, res):
        x[0] = 0.0
        res[0] = x[0]

    def default(x, y=1):
        return x + y

    def nothing(x):
        pass

    def text(x):
        return "a"

    def unknown(x):
        return missing(x)  # noqa: F821

    vectorize, guvectorize = pydd.vectorize, pydd.guvectorize
    refused(vectorize, default, "`y` has a default, and operands of a ufunc have none")
    refused(vectorize, nothing, "does not return a number")
    refused(vectorize, text, "does not return the numbers that a ufunc can give: str cannot be passed")
    refused(vectorize, unknown, "the name `missing` is not defined")
    refused(
        vectorize(["float64(float64)"]), two, "a signature has 1 arguments, and the function 2 parameters"
    )
    refused(
        vectorize(["float64(float64[:], float64)"]),
        two,
        r"the type of `x` is Array\(float64, 1\), and that of an operand is",
    )
    with pytest.raises(TypeError, match="not a signature: 3"):
        vectorize(3)
    with pytest.raises(TypeError, match="not a type of numbers or arrays: `float65`"):
        vectorize(["float65(float64)"])
    refused(guvectorize("(n)->()"), two_arrays, r"\(n\)->\(\) has 2 operands, and the function 3 parameters")
    refused(
        guvectorize(["(float64, float64[:])"], "(n)->()"),
        into,
        r"`x` is a number, and \(n\)->\(\) makes it an array",
    )
    refused(guvectorize(["(float64[:, :], float64[:])"], "(n)->()"), into, "`x` is an array of 2 axes")
    refused(guvectorize(["(float64[:], float64)"], "(n)->()"), into, "`res` is a number")
    refused(guvectorize(["float64(float64[:], float64[:])"], "(n)->()"), into, "a signature returns float64")
    refused(guvectorize("(n)->()"), changes, r"changes\(\) writes to `x`, which is an input", TypeError)
    for wrong in ("n->()", "(n),(n)", "(n)->", "(n?)->()", ""):
        with pytest.raises(ValueError, match="not a signature of dimensions"):
            guvectorize(wrong)
    with pytest.raises(TypeError, match="target='cuda' is not supported"):
        pydd.numba.vectorize(["float64(float64)"], target="cuda")


def two_arrays(x, y, res):
    res[0] = x[0] + y[0]


def test_an_error_of_the_compiler_shows_the_line():
    def broken(x):
        return x.no_such_thing

    with pytest.raises(pydd.CompileError) as caught:
        pydd.vectorize(broken)
    assert "test_ufuncs.py" in str(caught.value) and "no_such_thing" in str(caught.value)


def test_under_numbas_name():
    @pydd.numba.vectorize(
        [pydd.numba.float64(pydd.numba.float64)], nopython=True, target="parallel", cache=True
    )
    def twice(x):
        return 2 * x

    @pydd.numba.guvectorize(["void(f8[:], f8[:])"], "(n)->(n)", nopython=True)
    def running(x, res):
        s = 0.0
        for i in range(x.shape[0]):
            s += x[i]
            res[i] = s

    equal(twice(np.arange(4)), 2.0 * np.arange(4))
    equal(running(np.ones((2, 3))), np.ones((2, 3)).cumsum(axis=1))


SCALE = 2.5


def scaled(x):
    return SCALE * x


def test_functions_and_constants_come_along():
    offset = 1.0

    @pydd.vectorize
    def both(x):
        return scaled(x) + offset

    equal(both(np.arange(4.0)), 2.5 * np.arange(4.0) + 1.0)


# Ufuncs that kernels call.


@pydd.vectorize
def least_of(x, y):
    return y if x > y else x


@pydd.vectorize(["float64(int64)", "float32(float32)"])
def next_of(x):
    return x + 1


@pydd.vectorize
def between(x):
    return least_of(least_of(x, 5), 2 * x) + next_of(np.float32(1.5))


@pydd.guvectorize("(n)->()")
def total_of(x, res):
    res[0] = x.sum()


@pydd.jit
def calls_least(x, y):
    return least_of(x, y)


@pydd.jit
def calls_next(x):
    return next_of(x)


@pydd.jit
def calls_in_loops(a):
    s = 0.0
    for i in range(a.shape[0]):
        s += least_of(a[i], i * 0.5)
    return s


OPERANDS = [
    (3, 2),
    (3, 2.5),
    (True, False),
    (np.float32(2.5), 1),
    (np.int8(3), np.uint8(200)),
    (np.arange(5) - 2, np.arange(5)[::-1]),
    (np.arange(6.0).reshape(2, 3), np.arange(3)),
    (np.arange(6.0).reshape(2, 3).T, 2),
    (np.arange(4, dtype=np.float32), 1.5),
    (np.arange(4, dtype=np.uint8), np.arange(4, dtype=np.int16)),
    (np.arange(4, dtype=np.float32)[:, None], np.arange(4, dtype=np.int32)),
    (np.zeros((0, 3)), np.zeros(3)),
    ([3, 1], [2.5, 2.0]),
]


@pytest.mark.parametrize("operands", OPERANDS, ids=str)
def test_kernels_call_ufuncs(operands):
    got, expected = calls_least(*operands), least_of(*operands)
    assert isinstance(got, np.ndarray) == isinstance(expected, np.ndarray)
    equal(np.asarray(got), np.asarray(expected))


def test_kernels_call_ufuncs_of_given_types():
    for x in (
        3,
        np.int8(3),
        np.float32(0.1),
        np.arange(4),
        np.arange(4, dtype=np.float32),
        np.ones((2, 2), bool),
    ):
        got, expected = calls_next(x), next_of(x)
        equal(np.asarray(got), np.asarray(expected))
    x = np.arange(4.0)
    equal(between(x), np.minimum(np.minimum(x, 5), 2 * x) + 2.5)
    assert calls_in_loops(x) == sum(min(each, i * 0.5) for i, each in enumerate(x))


def test_a_ufunc_and_its_function_are_two_things():
    made = pydd.vectorize(["float64(float64)"])(blend_one)

    @pydd.jit(strict=True)
    def both(x):
        return made(x) + blend_one(x)

    with pytest.raises(pydd.CompileError, match="stands for different things"):
        both(np.ones(3))


def blend_one(x):
    return x + 1


def test_what_kernels_cannot_call():
    @pydd.jit(strict=True)
    def generalized(x):
        return total_of(x)

    with pytest.raises(pydd.CompileError, match="`total_of` is a generalized ufunc"):
        generalized(np.ones(3))

    @pydd.jit(strict=True)
    def of_other_types(x):
        return next_of(x)

    with pytest.raises(pydd.CompileError, match="`next_of` has no loop for these operands"):
        of_other_types(np.ones(3))

    @pydd.jit(strict=True)
    def with_keywords(x):
        return least_of(x, x, out=x)

    with pytest.raises(pydd.CompileError, match="got an unexpected keyword argument `out`"):
        with_keywords(np.ones(3))
