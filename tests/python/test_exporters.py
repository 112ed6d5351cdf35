"""Arguments that hold numbers and are no arrays of NumPy: the same memory, or a refusal that says what to write."""

import array
import concurrent.futures
import ctypes
import gc
import mmap
import sys
import weakref

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import xarray as xr

import pydd
from pydd import Array, float64

SOURCE = """
def total(x: Array(float64, 1)) -> float:
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s

def rows(x: Array(float64, 2)):
    return x.sum(axis=1)

def integers(x: Array(int64, 1)):
    return x.sum()

def octets(x: Array(uint8, 1)):
    return int(x.sum())

def doubled(x: Array(float64, 1)):
    for i in range(len(x)):
        x[i] *= 2
    return x[0]

def tail(x: Array(float64, 1)):
    return x[1:]

def same(x: Array(float64, 1)):
    return x

def both(x: Array(float64, 1), y: Array(float64, 1)):
    for i in range(len(y) - 1):
        y[i + 1] = x[i]

def optional(x: Array(float64, 1), w: Array(float64, 1) | None = None):
    return x[0] if w is None else w[0]

def either(x: Array(float32, 1) | Array(float64, 1)):
    return x[0]

def cast(x: Array(float64, 1, cast=True)):
    return x.sum()

def cast_back(x: Array(float64, 1, cast=True)):
    return x

def cast_integers(x: Array(int32, 1, cast=True), w: Array(float64, 2, cast=True) | None = None):
    return x.sum() if w is None else w.sum()

def cast_written(x: Array(float64, 1, cast=True)):
    x[0] = 5.0

def number_or_array(x: float | Array(float64, 1), y: int | Array(float64, 1, cast=True) = 0):
    return 0

def inside(t: Tuple(Array(float64, 1), int)):
    return t[0].sum() + t[1]
"""


@pytest.fixture(scope="module")
def kernels():
    return pydd.load(SOURCE, options=["-O0"])


def refused(call, *args, **kwargs):
    with pytest.raises(TypeError) as caught:
        call(*args, **kwargs)
    return str(caught.value)


class Tensor:
    """As PyTorch's: DLPack, a device, and gradients."""

    __module__ = "torch"

    def __init__(self, values, device=1, requires_grad=False):
        self.values, self.kind, self.requires_grad = values, device, requires_grad
        self.device = {1: "cpu", 2: "cuda:0"}[device]

    def __dlpack_device__(self):
        return self.kind, 0

    def __dlpack__(self, **keywords):
        return self.values.__dlpack__(**keywords)

    def __setitem__(self, i, x):
        self.values[i] = x

    def numpy(self):
        if self.kind != 1:
            raise TypeError("can't convert cuda:0 device type tensor to numpy.")
        return self.values


class Unknown(Tensor):
    """The same of a library that is not known by its name."""

    __module__ = "another"
    numpy = None


class Interface:
    def __init__(self, values, **more):
        self.values = values
        self.__dict__.update(more)

    @property
    def __array_interface__(self):
        return {**self.values.__array_interface__, **{k: v for k, v in vars(self).items() if k != "values"}}


def values():
    return np.array([1.0, 2.0, 4.0])


SHARING = {
    "array.array": lambda a: array.array("d", a),
    "bytearray": lambda a: memoryview(bytearray(a.tobytes())).cast("d"),
    "memoryview": memoryview,
    "ctypes": lambda a: (ctypes.c_double * 3)(*a),
    "interface": Interface,
    "dlpack": Unknown,
    "torch": Tensor,
    "xarray": lambda a: xr.DataArray(a, dims="t"),
    "xarray variable": lambda a: xr.Variable("t", a),
    "pandas masked": lambda a: pd.array(a, dtype="Float64"),
    "nullable column": lambda a: pd.DataFrame({"a": pd.array(a, dtype="Float64")})["a"],
}
READ_ONLY = {
    "pandas": pd.Series,
    "pandas index": pd.Index,
    "pandas column": lambda a: pd.DataFrame({"a": a, "b": [1, 2, 3]})["a"],
    "pandas arrow": lambda a: pd.Series(a, dtype="float64[pyarrow]"),
    "polars": pl.Series,
    "polars column": lambda a: pl.DataFrame({"a": a, "b": [1, 2, 3]})["a"],
    "pyarrow": pa.array,
    "pyarrow slice": lambda a: pa.array([0.0, *a])[1:],
    "pyarrow chunk": lambda a: pa.chunked_array([a]),
    "pyarrow column": lambda a: pa.table({"a": a})["a"],
    "frozen memoryview": lambda a: memoryview(a.tobytes()).cast("d"),
    "xarray of frozen": lambda a: xr.DataArray(np.frombuffer(a.tobytes())),
}


@pytest.mark.parametrize("make", [*SHARING.values(), *READ_ONLY.values()], ids=[*SHARING, *READ_ONLY])
def test_what_is_read(kernels, make):
    x = make(values())
    assert kernels.total(x) == 7.0
    assert kernels.optional(values(), w=x) == kernels.optional(x) == kernels.either(x) == 1.0
    assert (
        kernels.inside((x, 3)) == 10.0
        and kernels.number_or_array(x, x) == kernels.number_or_array(1.5, [1]) == 0
    )
    assert np.array_equal(kernels.tail(x), [2.0, 4.0])
    # The result shares memory with the argument.
    assert np.shares_memory(kernels.tail(x), kernels.same(x))
    assert type(kernels.same(x)) is np.ndarray


@pytest.mark.parametrize("make", SHARING.values(), ids=SHARING)
def test_what_is_written(kernels, make):
    x = make(values())
    assert kernels.doubled(x) == 2.0
    assert kernels.total(x) == 14.0


@pytest.mark.parametrize("make", READ_ONLY.values(), ids=READ_ONLY)
def test_what_may_not_be_written(kernels, make):
    x = make(values())
    said = refused(kernels.doubled, x)
    assert "is read-only, and doubled() writes to it; pass np.asarray(x).copy()" in said
    assert kernels.total(x) == 7.0
    copy = np.asarray(x).copy()
    assert kernels.doubled(copy) == 2.0 and copy[2] == 8.0


def test_views_keep_memory_alive(kernels):
    for make in [*SHARING.values(), *READ_ONLY.values()]:
        view = kernels.tail(make(values()))
        gc.collect()
        noise = [np.full(3, 9.0) for _ in range(50)]
        assert np.array_equal(view, [2.0, 4.0]), (make, noise[0])
    tensor = Unknown(values())
    gone, view = weakref.ref(tensor.values), kernels.tail(tensor)
    del tensor
    gc.collect()
    assert gone() is not None and view[1] == 4.0
    del view
    gc.collect()
    assert gone() is None


def test_nothing_is_kept_after_a_call(kernels):
    raw = array.array("d", [1.0, 2.0])
    count = sys.getrefcount(raw)
    for _ in range(50):
        kernels.total(raw)
        kernels.optional(raw, raw)
        refused(kernels.integers, raw)
    gc.collect()  # exceptions hold frames
    assert sys.getrefcount(raw) == count
    raw.append(3.0)  # no export is left
    assert kernels.total(raw) == 6.0


def test_overlap_is_seen(kernels):
    raw = array.array("d", [1.0, 2.0, 3.0])
    expected = [1.0, 1.0, 1.0]
    kernels.both(raw, memoryview(raw))
    assert list(raw) == expected


def test_other_layouts(kernels):
    a = np.arange(12.0).reshape(3, 4)
    assert kernels.total(memoryview(a[:, 1])) == kernels.total(xr.DataArray(a)[:, 1]) == 15.0
    assert kernels.total(memoryview(values()[::-1])) == 7.0
    for x in (
        pd.DataFrame(a),
        pd.DataFrame(a.T.copy()).T,
        xr.DataArray(a.T).T,
        (ctypes.c_double * 4 * 3)(*map(tuple, a)),
    ):
        assert np.array_equal(kernels.rows(x), a.sum(axis=1))
    assert kernels.total(pl.Series([], dtype=pl.Float64)) == kernels.total(array.array("d")) == 0.0
    assert (
        kernels.integers(array.array("q", [1, 2])) == kernels.integers(pd.Series([1, 2], dtype="Int64")) == 3
    )
    assert (
        kernels.octets(b"abc")
        == kernels.octets(bytearray(b"abc"))
        == kernels.octets(memoryview(b"abc"))
        == 294
    )
    with mmap.mmap(-1, 4) as mapped:
        assert kernels.octets(mapped) == 0


MISSING = {
    "pandas Int64": (pd.Series([1, None], dtype="Int64"), "x.to_numpy(dtype=np.float64, na_value=np.nan)"),
    "pandas Float64": (
        pd.Series([1.5, None], dtype="Float64"),
        "x.to_numpy(dtype=np.float64, na_value=np.nan)",
    ),
    "pandas arrow": (
        pd.Series([1.5, None], dtype="float64[pyarrow]"),
        "x.to_numpy(dtype=np.float64, na_value=np.nan)",
    ),
    "pandas objects": (pd.Series([1.5, None], dtype=object), "x.to_numpy(dtype=np.float64, na_value=np.nan)"),
    "polars": (pl.Series([1.5, None]), "x.fill_null(np.nan).to_numpy()"),
    "pyarrow": (pa.array([1.5, None]), "x.fill_null(np.nan).to_numpy(zero_copy_only=False)"),
    "pyarrow chunks": (pa.chunked_array([[1.5], [None]], pa.float64()), "x.fill_null(np.nan).to_numpy()"),
}


@pytest.mark.parametrize(("x", "instead"), MISSING.values(), ids=MISSING)
def test_missing_values(kernels, x, instead):
    for call in (kernels.total, kernels.cast, kernels.doubled):
        said = refused(call, x)
        assert ("missing values" in said or "with nulls" in said) and said.endswith(f"; use {instead}"), said
    # What is said to write is right.
    got = eval(instead, {"np": np, "x": x})
    assert np.isnan(kernels.total(got)) and got[0] in (1.0, 1.5)


def test_missing_values_of_integers(kernels):
    for x in (pd.Series([1, None], dtype="Int64"), pl.Series([1, None]), pa.array([1, None])):
        instead = refused(kernels.integers, x).rpartition("; use ")[2]
        assert kernels.integers(eval(instead, {"np": np, "x": x})) == 1


COPIED = {
    "polars chunks": (pl.concat([pl.Series([1.0]), pl.Series([2.0])], rechunk=False), "x.to_numpy()"),
    "pyarrow chunks": (pa.chunked_array([[1.0], [2.0]]), "x.to_numpy()"),
    "pyarrow dictionary": (
        pa.DictionaryArray.from_arrays([0, 1], [1.0, 2.0]),
        "x.to_numpy(zero_copy_only=False)",
    ),
    "pandas objects": (pd.Series([1.0, 2.0], dtype=object), "x.to_numpy(dtype=np.float64)"),
    "pandas category": (pd.Series([1.0, 2.0], dtype="category"), "x.to_numpy(dtype=np.float64)"),
}


class Made:
    """Whose `__array__` makes an array each time."""

    def __array__(self, dtype=None, copy=None):
        return np.array([1.0, 2.0])


class Fresh:
    """An image of Pillow's kind, whose interface holds new bytes each time."""

    @property
    def __array_interface__(self):
        return {"version": 3, "shape": (2,), "typestr": "<f8", "data": np.array([1.0, 2.0]).tobytes()}


@pytest.mark.parametrize(
    ("x", "instead"),
    [*COPIED.values(), (Made(), "np.asarray(x)"), (Fresh(), "np.asarray(x)")],
    ids=[*COPIED, "method", "interface"],
)
def test_what_would_be_copied(kernels, x, instead):
    for call in (kernels.total, kernels.doubled, kernels.optional, kernels.cast_written):
        said = refused(call, x)
        assert said.endswith(f"; use {instead}"), said
    assert kernels.total(eval(instead, {"np": np, "x": x})) == kernels.cast(x) == 3.0


def test_tensors(kernels):
    for kind in (Tensor, Unknown):
        assert refused(kernels.total, kind(values(), requires_grad=True)).endswith("; use x.detach()")
        assert (
            refused(kernels.cast, kind(values(), device=2))
            == "argument 'x' of cast() is on cuda:0; use x.cpu()"
        )
    assert "must be a float64 array, got float32; use np.asarray(x" in refused(
        kernels.total, Tensor(np.ones(2, "f4"))
    )


def test_other_refusals(kernels):
    class Frozen:
        __array__ = property(lambda self: 1 / 0)

    big = values().astype(">f8")
    assert refused(kernels.total, big).endswith("has the foreign byte order '>f8'; use x.astype(np.float64)")
    assert refused(kernels.total, memoryview(big)).endswith("'>f8'; use np.asarray(x, dtype=np.float64)")
    assert refused(kernels.total, (ctypes.c_double.__ctype_be__ * 2)()).endswith(
        "; use np.asarray(x, dtype=np.float64)"
    )
    assert refused(kernels.total, array.array("f", [1])).endswith(
        "got float32; use np.asarray(x, dtype=np.float64)"
    )
    assert refused(kernels.total, array.array("u", "ab")).endswith("must be a float64 array, got <U1")
    assert refused(kernels.total, memoryview(values().reshape(1, 3))).endswith("got 2 dimensions")
    assert refused(kernels.total, b"12345678").endswith("got bytes; use np.frombuffer(x, dtype=np.float64)")
    for data in (b"1234567", bytearray(b"1234567")):
        text = refused(kernels.total, data)
        assert text.endswith(f"got {type(data).__name__}"), "these are no whole elements"
    assert refused(kernels.total, np.zeros(1, [("a", "f8")])[0]).endswith("got void")
    assert "with a mask" in refused(kernels.total, Interface(values(), mask=values()))
    assert "which is not computed; use x.collect()" in refused(kernels.total, pl.LazyFrame({"a": [1.0]}))
    assert "xarray.DataArray" in refused(kernels.total, xr.Dataset({"a": ("t", [1.0])}))
    assert refused(kernels.total, "text") == "argument 'x' of total() must be a float64 array, got str"
    with pytest.raises(ZeroDivisionError):
        kernels.total(Frozen())


def test_cast(kernels):
    for x in (
        [1, 2],
        (1.0, 2),
        range(1, 3),
        np.array([1, 2], "u1"),
        np.array([1, 2], ">i4"),
        pd.Series([1, 2]),
        pl.Series([1, 2]),
    ):
        assert kernels.cast(x) == 3.0
    assert kernels.cast(pa.array([1, 2], pa.int16())) == kernels.cast(array.array("f", [1, 2])) == 3.0
    assert kernels.cast(np.array([True, True])) == 2.0 and kernels.cast([]) == 0.0
    assert kernels.cast_integers([1.75, 2]) == 3 and kernels.cast_integers(values(), [[1, 2], [3, 4]]) == 10.0
    # Nothing is converted that need not be.
    a = values()
    assert kernels.cast_back(a) is a and np.shares_memory(kernels.cast_back(a[::-2]), a)
    made = kernels.cast_back([1, 2])
    assert made.dtype == np.float64 and made.flags.writeable
    kernels.cast_written(a)
    assert a[0] == 5.0


class Masked:
    def __init__(self, masked):
        self.masked = masked

    def __array__(self, dtype=None, copy=None):
        return self.masked


def test_what_is_not_cast(kernels):
    said = refused(kernels.cast_written, np.array([1, 2]))
    assert "must be a float64 array, got int64" in said
    assert refused(kernels.cast_written, [1.0]).startswith(
        "argument 'x' of cast_written() must be a float64 array"
    )
    masked = np.ma.array([1, 2], mask=[0, 1])
    for x in (masked, Masked(masked)):
        assert "MaskedArray" in refused(kernels.cast, x) and "MaskedArray" in refused(kernels.total, x)
    assert "cannot be converted to float64" in refused(kernels.cast, ["a"])
    assert "cannot be converted to int32" in refused(kernels.cast_integers, [2**40])
    assert "cannot be converted to float64" in refused(kernels.cast, [[1], [1, 2]])
    for x in (None, "1", {1: 2}, {1}):
        assert "must be a float64 array" in refused(kernels.cast, x)
    assert "1-dimensional" in refused(kernels.cast, [[1, 2]]) and "1-dimensional" in refused(
        kernels.cast, 3.0
    )
    with pytest.warns(np.exceptions.ComplexWarning):
        assert kernels.cast(np.array([1 + 2j])) == 1.0


@pydd.kernel(strict=True, opt=0)
def annotated(x: Array(float64, 1, cast=True)) -> float:
    return x[0]


TABLE = np.array([1.0, 2.0])


@pydd.kernel(opt=0)
def written(x: Array(float64, 1)) -> float:
    x[0] = 7.0
    return TABLE[0]


def test_memory_of_constants():
    """What an argument changes that is part of a constant array is seen, as in Python."""
    table = TABLE.copy()
    for make in (lambda a: a, memoryview, Tensor, xr.DataArray):
        TABLE[:] = table
        assert written(make(TABLE)) == 7.0
        assert written(make(table.copy())) == TABLE[0]
    TABLE[:] = table


def test_decorated():
    assert annotated(pd.Series([3, 4])) == annotated([3]) == annotated(array.array("d", [3.0])) == 3.0
    assert repr(Array(float64, 1, cast=True)).endswith("cast=True)")


def test_two_threads(kernels):
    series = pl.Series(np.ones(2000))
    raw = array.array("d", np.ones(2000))

    def run(k):
        for _ in range(200):
            assert kernels.total(series if k else raw) == 2000.0
            assert kernels.tail(raw if k else series).sum() == 1999.0

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(run, [0, 1]))


def test_memory_that_moves_is_held(kernels):
    """While a kernel runs, and as long as a view of it lives, what it was given can't be resized."""
    raw = bytearray(8 * 4)
    view = kernels.tail(memoryview(raw).cast("d"))
    with pytest.raises(BufferError):
        raw.extend(b"more")
    del view
    gc.collect()
    raw.extend(b"more")
