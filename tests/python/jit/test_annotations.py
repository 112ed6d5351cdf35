"""Annotations that decorators meet: computed late (from Python 3.14 on), texts (`from __future__ import annotations`), names that stand for nothing."""

import importlib.util
import pickle
import sys
import typing

import cloudpickle
import numpy as np
import pytest
from numpy.typing import NDArray

import pydd

FUTURE = "from __future__ import annotations\n"
# How a file defines functions whose annotations have names that stand for nothing.
LATE = [FUTURE, ""] if sys.version_info >= (3, 14) else [FUTURE]

IMPORTS = """
import helping
import numpy as np
import pydd
from numpy.typing import NDArray
from pydd import *
"""


@pytest.fixture
def defined(tmp_path, monkeypatch):
    """Makes a module of a source text."""

    def define(text, first=""):
        file = tmp_path / f"defined_{len(list(tmp_path.iterdir()))}.py"
        file.write_text(first + IMPORTS + text)
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, file.stem, module)
        spec.loader.exec_module(module)
        return module

    return define


@pytest.mark.parametrize("first", LATE)
def test_jit_and_signatures_do_not_look_at_them(defined, first):
    m = defined(
        """
def helper(x: Missing) -> Missing:
    y: missing.Type = x * 2
    return y

@pydd.jit
def f(x: Missing, by: missing.Type = 3) -> Missing[int]:
    def inner(z: Missing) -> Missing:
        return z + 1
    return helper(inner(x)) * by

@pydd.vectorize(["float64(float64)"])
def g(x: Missing) -> Missing:
    return x + 1
""",
        first,
    )
    assert np.array_equal(m.f(np.ones(3)), [12, 12, 12]) and m.f.signatures == [("Array(float64, 1)", "int")]
    assert m.f(1, by=2) == 8
    assert np.array_equal(m.g(np.ones(3)), [2, 2, 2])


@pytest.mark.parametrize("first", LATE)
@pytest.mark.falls_back
def test_a_kernel_says_which_name_stands_for_nothing(defined, first):
    m = defined(
        """
@pydd.kernel
def f(x: NDArray[np.float64], y: Array(Missing, 1)):
    return x * 2.0

@pydd.kernel(strict=True)
def g(x: float) -> Missing:
    return x
""",
        first,
    )
    with pytest.warns(pydd.PyddWarning, match="`Missing` is not a type"):
        assert np.array_equal(m.f(np.ones(2), None), [2, 2])
    with pytest.raises(pydd.CompileError, match="`Missing` is not a type"):
        m.g(1.0)


@pytest.mark.parametrize("first", LATE)
def test_a_kernel_reads_names_that_are_defined_further_down(defined, first):
    m = defined(
        """
@pydd.kernel
def f(x: Later, w: Number | None = None) -> Later:
    return x * 2.0

@pydd.vectorize
def waits(x: float64) -> float64:
    return x / 2

Later = NDArray[np.float64]
Number = float
""",
        first,
    )
    assert np.array_equal(m.f(np.ones(2)), [2, 2])
    assert typing.get_type_hints(m.f)["return"] == NDArray[np.float64]
    assert np.array_equal(m.waits(np.ones(2)), [0.5, 0.5])


@pytest.mark.parametrize("first", LATE)
def test_kernels_are_sent_with_names_that_stand_for_nothing(defined, first):
    m = defined(
        """
@pydd.jit
def f(x: Missing) -> Missing:
    return x * 2

@pydd.kernel
def g(x: Array(float64, 1), y: float) -> Missing:
    return x + y
""",
        first,
    )
    cloudpickle.register_pickle_by_value(m)
    try:
        f, g = pickle.loads(cloudpickle.dumps((m.f, m.g)))
    finally:
        cloudpickle.unregister_pickle_by_value(m)
    assert f is not m.f and f(3) == 6
    assert typing.cast("dict[str, str]", g.py_func.__annotations__)["return"] == "Missing"


@pytest.mark.parametrize("first", ["", FUTURE])
def test_a_kernel_reads_the_annotations_of_its_variables(defined, first):
    m = defined(
        """
Index = np.int32

@pydd.kernel
def f(x: NDArray[np.float64]):
    a: Index = 1
    b: np.int16 = 2
    c: helping.Short = 3
    d: float32
    d = 0.5
    return a, b, c, d, x[0]
""",
        first,
    )
    assert list(map(type, m.f(np.ones(1)))) == [np.int32, np.int16, np.int8, np.float32, float]


@pytest.mark.parametrize("first", ["", FUTURE])
def test_a_kernel_reads_names_of_types(defined, first):
    m = defined(
        """
from typing import Literal

Grid = Array2[float64]
Vec = NDArray[np.float64]
Number = np.int64 | np.float32
Mode = Literal["sum", "mean"]
Maybe = Grid | None
Pairs = list[tuple[int, float]]

@pydd.kernel(strict=True)
def f(x: Grid, by: Number, mode: Mode, more: Maybe) -> float:
    row: Vec = x[0]
    pairs: Pairs = []
    pairs.append((1, row.sum() * by))
    if more is not None:
        pairs.append((2, more.sum()))
    return pairs[-1][1] if mode == "sum" else 0.0

@pydd.kernel(strict=True)
def as_value(x: Grid) -> float:
    y = Grid
    return x[0, 0]
""",
        first,
    )
    x = np.ones((2, 3))
    assert m.f(x, np.int64(2), "sum", None) == 6 and m.f(x, np.float32(2), "sum", x) == 6
    assert m.f(x, np.int64(2), "mean", None) == 0
    with pytest.raises(TypeError, match="float64"):
        m.f(x.astype(np.float32), np.int64(2), "sum", None)
    with pytest.raises(pydd.CompileError, match="`Grid` is a type, and no value"):
        m.as_value(x)


@pytest.mark.falls_back
def test_an_annotation_that_raises(defined):
    text = """
@pydd.DECORATOR
def f(x: 1 / 0):
    return x * 2
"""
    if sys.version_info < (3, 14):
        with pytest.raises(ZeroDivisionError):
            defined(text.replace("DECORATOR", "jit"))
        return
    assert defined(text.replace("DECORATOR", "jit(strict=True)")).f(3) == 6
    with pytest.warns(pydd.PyddWarning, match="an annotation raises ZeroDivisionError"):
        assert defined(text.replace("DECORATOR", "kernel")).f(3) == 6


def aliases():
    """NumPy's `NDArray`, which is an alias of a `type` statement from NumPy 2.5 on, and such aliases of one's own."""
    yield NDArray[np.float64]
    if sys.version_info >= (3, 12):
        vector = typing.TypeAliasType("Vector", NDArray[np.float64])
        yield vector
        yield typing.TypeAliasType("Again", vector)
        element = typing.TypeVar("element")
        yield typing.TypeAliasType("Of", np.ndarray[tuple[int], np.dtype[element]], type_params=(element,))[
            np.float64
        ]


@pytest.mark.parametrize("annotation", list(aliases()), ids=str)
def test_aliases(annotation):
    def f(x: annotation):
        return x.sum()

    f.__annotations__ = {"x": annotation}
    kernel = pydd.kernel(f, strict=True)
    assert kernel(np.ones(3)) == 3
    with pytest.raises(TypeError, match="float64"):
        kernel(np.ones(3, np.float32))


@pytest.mark.parametrize("decorator", [pydd.jit, pydd.kernel])
def test_what_is_asked_of_kernels_is_as_of_functions(decorator):
    def f(x: float, y: int = 3) -> float:
        return x * y

    kernel = decorator(f)
    assert kernel.__annotations__ == f.__annotations__
    assert typing.get_type_hints(kernel) == typing.get_type_hints(f)
    with pytest.raises(AttributeError, match="nothing"):
        kernel.nothing  # noqa: B018
