"""Parameters that may be None or have one of several values: which version is called, and what is said about wrong ones."""

import concurrent.futures
import enum
import gc
import inspect
import sys
import typing
from typing import Literal, Optional

import numpy as np
import pytest

import pydd
from pydd import Array, float64

SOURCE = """
def total(x: Array(float64, 1), w: Array(float64, 1) | None = None, mode: Literal["sum", "mean"] = "sum", *, power: Literal[1, 2] = 1):
    s = 0.0
    for i in range(len(x)):
        s += (x[i] if w is None else x[i] * w[i]) ** power
    return s / len(x) if mode == "mean" else s

def flagged(flag: Literal[True, False] = False):
    return 1 if flag else 0

def one(mode: Literal["only"], n: int):
    return n

def scaled(x: Array(float64, 1), k: int | Literal["auto"] = "auto", f: Optional[float] = None):
    return (1 if k == "auto" else k, 0.0 if f is None else f)

def wide(x: float32 | float64 | None, n: Literal[-1, 0, 9223372036854775807] = 0):
    return n

def filled(out: Array(float64, 1) = None):
    if out is None:
        return np.zeros(1)
    out[:] = 1.0
    return out
"""


@pytest.fixture(scope="module")
def kernels():
    return pydd.load("import numpy as np\n" + SOURCE, options=["-O0"])


def message(kind, call, *args, **kwargs):
    with pytest.raises(Exception) as caught:
        call(*args, **kwargs)
    assert caught.type is kind, caught.value
    return str(caught.value)


X = np.array([1.0, 2.0])


def test_signatures(kernels):
    vector = "Array(float64, 1)"
    assert str(inspect.signature(kernels.total)) == (
        f"(x: {vector}, w: {inspect.formatannotation(kernels.total.__annotations__['w'])} = None, "
        "mode: Literal['sum', 'mean'] = 'sum', *, power: Literal[1, 2] = 1) -> numpy.float64"
    )
    assert set(map(str, typing.get_args(kernels.total.__annotations__["w"]))) == {vector, str(type(None))}
    assert kernels.flagged.__text_signature__ == "(flag=False)"
    assert kernels.scaled.__text_signature__ == "(x, k='auto', f=None)"


def test_kinds_of_values(kernels):
    class Mode(str, enum.Enum):
        MEAN = "mean"

    assert kernels.total(X, mode=Mode.MEAN) == kernels.total(X, None, np.str_("mean")) == 1.5
    assert kernels.total(X, power=np.uint8(2)) == kernels.total(X, power=enum.IntEnum("P", {"A": 2}).A) == 5.0
    assert kernels.flagged(np.True_) == kernels.flagged(True) == 1
    assert kernels.one("only", 3) == 3
    assert kernels.scaled(X) == (1, 0.0) and kernels.scaled(X, 7, 2) == (7, 2.0)
    assert kernels.wide(None, 2**63 - 1) == 2**63 - 1 and kernels.wide(np.float32(1), -1) == -1


def test_values_that_are_not_listed(kernels):
    text = "argument 'mode' of total() must be 'sum' or 'mean', got 'max'"
    assert message(ValueError, kernels.total, X, mode="max") == text
    assert message(ValueError, kernels.total, X, None, "SUM").endswith("got 'SUM'")
    assert message(TypeError, kernels.total, X, mode=b"sum").endswith("must be 'sum' or 'mean', got bytes")
    assert message(TypeError, kernels.total, X, mode=None).endswith("got NoneType")
    assert message(ValueError, kernels.total, X, power=3).endswith("'power' of total() must be 1 or 2, got 3")
    # True is no 1, and 2.0 no 2: the constant of a version is an int.
    assert message(TypeError, kernels.total, X, power=True).endswith("must be 1 or 2, got bool")
    assert message(TypeError, kernels.total, X, power=2.0).endswith("got float")
    assert message(TypeError, kernels.flagged, 1).endswith("must be False or True, got int")
    assert message(ValueError, kernels.wide, None, 2**70).endswith(f"got {2**70}")
    assert message(ValueError, kernels.one, "another", 3).endswith("must be 'only', got 'another'")
    assert message(TypeError, kernels.one, 3, 3).endswith("must be 'only', got int")
    assert message(ValueError, kernels.scaled, X, "manual").endswith("must be 'auto' or int64, got 'manual'")
    assert message(ValueError, kernels.one, "é" * 1000, 3).endswith("…")


def test_what_else_is_wrong(kernels):
    must = "argument 'w' of total() must be None or a float64 array, "
    assert (
        message(TypeError, kernels.total, X, X.astype("f4")) == must + "got float32; use w.astype(np.float64)"
    )
    assert (
        message(TypeError, kernels.total, X, [1.0]) == must + "got list; use np.asarray(w, dtype=np.float64)"
    )
    assert message(TypeError, kernels.total, [1.0]).startswith(
        "argument 'x' of total() must be a float64 array"
    )
    assert "missing 1 required positional argument: 'x'" in message(TypeError, kernels.total)
    assert "takes from 1 to 3 positional arguments but 4" in message(
        TypeError, kernels.total, X, None, "sum", 2
    )
    assert "unexpected keyword argument 'v'" in message(TypeError, kernels.total, X, v=1)
    assert "multiple values for argument 'w'" in message(TypeError, kernels.total, X, X, w=X)
    assert "must be float32, float64 or None, got list" in message(TypeError, kernels.wide, [1.0])
    frozen = X.copy()
    frozen.flags.writeable = False
    assert "read-only" in message(TypeError, kernels.filled, frozen)
    assert kernels.total(frozen, frozen) == 5.0


def test_an_optional_argument_is_the_callers(kernels):
    a = np.zeros(2)
    assert kernels.filled(a) is a and a.sum() == 2.0
    assert kernels.filled().sum() == 0.0
    count = sys.getrefcount(a)
    for _ in range(100):
        kernels.filled(out=a)
        message(ValueError, kernels.total, a, mode="x")
    gc.collect()  # exceptions hold frames
    assert sys.getrefcount(a) == count


def test_two_threads(kernels):
    def run(k):
        for _ in range(500):
            assert kernels.total(X, None if k else X, "mean" if k else "sum") == (1.5 if k else 5.0)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(run, [0, 1]))


MODES = Literal["a->b", "c, d", 'it\'s "e"']


@pydd.kernel(strict=True, opt=0)
def annotated(
    x: Array(float64, 1),
    w: "Optional[Array(float64, 1)]" = None,  # noqa: UP045, the old spelling is taken as well
    mode: MODES = "c, d",
    n: Literal[1, None] = None,
) -> float:
    if w is not None:
        return w[0]
    if n is not None:
        return -1.0
    return x[0] if mode == "a->b" else x[1]


def test_kernels_of_python_files():
    assert annotated(X) == 2.0 and annotated(X, mode="a->b") == 1.0
    assert annotated(X, X * 4) == 4.0 and annotated(X, None, 'it\'s "e"') == 2.0 and annotated(X, n=1) == -1.0
    assert "must be 'a->b', 'c, d' or" in message(ValueError, annotated, X, mode="z")

    @pydd.kernel
    def wrong(x: float, mode: Literal[b"a"]):
        return x

    with pytest.warns(
        pydd.PyddWarning, match=r"the value b'a' in a Literal; it takes texts, ints, bools and None"
    ):
        assert wrong(1.0, b"a") == 1.0


def test_cpython_gives_the_same(kernels):
    plain = pydd.python.loads("import numpy as np\n" + SOURCE)
    for args in [(X,), (X, X), (X, None, "mean"), (X, X, "mean")]:
        for power in (1, 2):
            assert kernels.total(*args, power=power) == plain.total(*args, power=power)
