"""Arrays as arguments and results."""

import kernels
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("array_path")

BASE = np.arange(24.0)
MISALIGNED = np.frombuffer(b"\0" + BASE.tobytes(), dtype="u1")[1:].view("f8")

VECTORS = {
    "contiguous": BASE,
    "strided": BASE[::3],
    "negative": BASE[::-2],
    "misaligned": MISALIGNED,
    "misaligned, strided": MISALIGNED[::-5],
    "empty": BASE[:0],
    "empty, strided": BASE[10:5:2],
    "one": BASE[3:4],
    "broadcast": np.broadcast_to(np.float64(2.5), 7),
    "memmap-like subclass": BASE.view(type("Sub", (np.ndarray,), {})),
    "recarray field": np.rec.array([(1.5, 2), (2.5, 3)], dtype=[("x", "f8"), ("n", "i4")])["x"],
}


@pytest.mark.parametrize("name", VECTORS)
def test_a_vector_of_any_layout_is_read_right(name):
    a = VECTORS[name]
    for f in (kernels.total, kernels.total_free):
        assert f(a) == a.sum()


@pytest.mark.parametrize(
    "a",
    [
        BASE.reshape(4, 6),
        BASE.reshape(4, 6).T,
        BASE.reshape(4, 6)[::-1, ::2],
        BASE[:0].reshape(0, 3),
        np.asfortranarray(BASE.reshape(6, 4)),
    ],
)
def test_a_matrix_of_any_layout_is_read_right(a):
    assert kernels.sum2(a) == a.sum()


def test_many_arrays():
    assert kernels.total12(*[np.full(2, float(i)) for i in range(12)]) == 132.0
    assert kernels.total12(l=BASE, **{name: BASE[:0] for name in "abcdefghijk"}) == BASE.sum()


def test_the_fast_version_runs_for_contiguous_arrays_only():
    fast = ["contiguous", "empty", "one", "memmap-like subclass"]
    for name, a in VECTORS.items():
        if name != "empty, strided":
            assert kernels.is_fast(a) == (name in fast), name
    one = np.lib.stride_tricks.as_strided(BASE, (1,), (8000,))
    assert kernels.is_fast(one)


def test_the_first_entry_whose_guards_hold_runs():
    a = np.zeros(20)
    assert kernels.entry(a[:5], a[5:]) == 1
    # Apart, with gaps.
    assert kernels.entry(a[:10:2], a[10:]) == 2
    assert kernels.entry(a[8::-2], a[18:8:-3]) == 2
    assert kernels.entry(a[:0], a) == 1
    assert kernels.entry(a[::2], a[12:15]) == 3
    assert kernels.entry(a[18:8:-3], a[8:12]) == 3
    assert kernels.entry(a, a) == 3


def test_overlap_with_a_written_array_takes_the_general_version():
    a = np.zeros(10)
    assert kernels.is_fast2(a[:5], a[5:])
    assert not kernels.is_fast2(a, a)
    assert not kernels.is_fast2(a[:6], a[5:])
    assert not kernels.is_fast2(a[2:4], a)
    assert kernels.is_fast2(a[:0], a)
    assert kernels.is_fast2(a, a[3:3])
    # Nobody writes.
    assert kernels.is_fast3(a, a)


def test_writes_are_seen_by_the_caller():
    for index in [slice(None), slice(None, None, 2), slice(None, None, -1)]:
        a = np.arange(6.0)
        expected = a.copy()
        expected[index] *= 3
        assert kernels.scale(a[index], 3.0) is None
        assert (a == expected).all()
    a = np.arange(3.0)
    kernels.scale(a)
    assert a.tolist() == [0, 2, 4]


def refused(f, *args):
    with pytest.raises(TypeError) as error:
        f(*args)
    return str(error.value)


def test_refusals_say_what_to_do():
    total = kernels.total
    text = refused(total, np.zeros(3, "f4"))
    assert text == "argument 'a' of total() must be a float64 array, got float32; use a.astype(np.float64)"
    text = refused(total, [1.0, 2.0])
    assert (
        text
        == "argument 'a' of total() must be a float64 array, got list; use np.asarray(a, dtype=np.float64)"
    )
    text = refused(total, np.zeros((2, 2)))
    assert text == "argument 'a' of total() must be a 1-dimensional float64 array, got 2 dimensions"
    assert "got 0 dimensions" in refused(total, np.zeros(()))
    assert "foreign byte order '>f8'" in refused(total, np.zeros(3, ">f8"))
    assert "is a MaskedArray" in refused(total, np.ma.array([1.0], mask=[True]))
    assert "is an np.matrix" in refused(total, np.asmatrix([1.0]))
    assert "got None" in refused(total, None)
    for dtype in ["i8", "f2", "g", "O", "U3", "S8", "M8[s]", "m8[s]", "f8,i4", "V8", "c16", "?"]:
        assert "must be a float64 array, got" in refused(total, np.zeros(3, dtype))
    assert "got Series" in refused(total, type("Series", (), {})())


def test_what_a_refusal_advises_works():
    data = np.array([1.5, 2.5])
    given = [
        data.tobytes(),
        bytearray(data.tobytes()),
        {1.5, 2.5},
        frozenset([4.0]),
        (1.5, 2.5),
        range(5),
        [],
        data.astype(complex),
        data.astype("O"),
        data.astype("f2"),
    ]
    for a in given:
        advice = refused(kernels.total, a).split("; use ")[1]
        numbers = np.frombuffer(a) if isinstance(a, (bytes, bytearray)) else list(a)
        assert kernels.total(eval(advice)) == np.sum(numbers)
    for a in ["text", None, {}, np.array(["x"]), np.array([b"x"]), np.zeros(2, "f8,i4")]:
        assert "use" not in refused(kernels.total, a)
    a = data.tobytes()
    written = eval(refused(kernels.scale, a).split("; use ")[1])
    kernels.scale(written)
    assert written.tolist() == [3.0, 5.0]


def test_a_read_only_array_is_refused_only_where_it_is_written():
    a = np.ones(3)
    a.flags.writeable = False
    assert kernels.total(a) == 3.0
    assert "is read-only, and scale() writes to it" in refused(kernels.scale, a)
    assert "is read-only" in refused(kernels.scale, np.broadcast_to(1.0, 3))


def test_a_part_of_an_argument_comes_back_as_a_view():
    a = np.arange(5.0)
    b = kernels.tail(a)
    assert b.base is a and np.shares_memory(a, b) and b.tolist() == [1, 2, 3, 4]
    b[0] = 9
    assert a[1] == 9
    c = kernels.tail(a[::-2])
    assert c.tolist() == [2, 0] and np.shares_memory(a, c)
    a.flags.writeable = False
    assert not kernels.tail(a).flags.writeable


def test_a_whole_argument_comes_back_as_the_same_object():
    for a in VECTORS.values():
        assert kernels.whole(a) is a


def test_fresh_arrays_own_their_memory():
    a = kernels.zeros(5)
    assert a.tolist() == [0] * 5 and a.flags.writeable and a.flags.aligned and a.flags.c_contiguous
    assert a.ctypes.data % 64 == 0
    big = kernels.zeros(1 << 20)
    assert not big.any()
    assert kernels.zeros(0).shape == (0,)


def test_tuples_of_results():
    copy, view, x, y = kernels.pair(np.arange(3.0))
    assert copy.tolist() == [0, 1, 2] and view.tolist() == [1, 2]
    assert (x, type(x)) == (1.5, float) and (y, type(y)) == (1.5, np.float32)


@pytest.mark.parametrize(
    "dtype", ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16"]
)
def test_arrays_of_every_dtype_and_of_rank_0(dtype):
    dtype = np.dtype(dtype)
    name = {"b": "bool"}.get(dtype.kind) or f"{dtype.kind}{dtype.itemsize * 8}"
    f = getattr(kernels, f"same_{name}")
    a = np.array(1, dtype)
    assert f(a) is a
    other = np.dtype("f8" if dtype.kind != "f" else "i8")
    if other != dtype:
        assert "0-dimensional" not in refused(f, np.array(1, other))
    assert "0-dimensional" in refused(f, np.zeros(2, dtype))


def test_the_second_64_bit_integer_type_is_int64():
    for dtype in (np.longlong, np.dtype("q"), np.dtype("l")):
        a = np.array(5, dtype)
        assert kernels.same_i64(a) is a
    a = np.array(5, np.ulonglong)
    assert kernels.same_u64(a) is a


def test_matmul():
    rng = np.random.default_rng(1)
    a, b = rng.integers(-4, 4, (30, 20)).astype(float), rng.integers(-4, 4, (20, 25)).astype(float)
    assert (kernels.dot(a, b) == a @ b).all()
    assert (kernels.dot(b.T, a.T) == b.T @ a.T).all()
    assert (kernels.dot(a[::-2], b[:, ::3]) == a[::-2] @ b[:, ::3]).all()
    try:
        a @ a
    except ValueError as e:
        expected = str(e)
    with pytest.raises(ValueError) as error:
        kernels.dot(a, a)
    assert str(error.value) == expected
