"""jaxtyping's annotations and ranks in names: which arrays are taken, which lengths are refused, in `.pydd` files and in decorated functions."""

import threading

import numpy as np
import pytest
from jaxtyping import Bool, Float, Float64

import pydd
from pydd import Array1, Array2, float64

SOURCE = """
import numpy as np
from jaxtyping import Bool, Float, Float32, Float64, Int32

def product(a: Float64[np.ndarray, "m k"], b: Float64[np.ndarray, "k n"]) -> Float64[np.ndarray, "m n"]:
    return a @ b

def square(a: Float32[np.ndarray, "n n"], colour: Float64[np.ndarray, "3 _"] | None = None):
    return a.sum()

def scale(x: Float[np.ndarray, "n"], y: "Float[np.ndarray, 'n']") -> Float[np.ndarray, "n"]:
    return x * y

def pair(t: tuple[Float64[np.ndarray, "n"], Int32[np.ndarray, "n"]], skip: int) -> tuple[Float64[np.ndarray, "n"], Bool[np.ndarray, "n"]]:
    x, i = t
    x = x[skip:]
    return x, i > 0

def either(x: Float64[np.ndarray, "n"] | Float64[np.ndarray, "n 2"], y: Float64[np.ndarray, "n"]):
    return x.ndim

def same(x, y: Float64[np.ndarray, "n"]):
    return x + y

def inner(x: Float64[np.ndarray, "n"], y: Float64[np.ndarray, "m"]):
    return same(x, y)

def rebound(x: Float64[np.ndarray, "n"]) -> Float64[np.ndarray, "n"]:
    x = x[1:]
    return x

def branches(x: Float64[np.ndarray, "n"], way: int) -> tuple[Float64[np.ndarray, "k"], Float64[np.ndarray, "k"]]:
    if way == 0:
        return x, x
    for i in range(way):
        if i == 2:
            return x[i:], x[:i]
    return x[1:], x[1:]

def total(x: Float64[np.ndarray, "..."]):
    return x.sum()

def ranked(x: Array2[float64], y: Array1[np.float32], z: Array1(float64, cast=True)) -> Array1[float64]:
    return x.sum(axis=0) + y + z
"""


@pytest.fixture(scope="module")
def sized(tmp_path_factory):
    file = tmp_path_factory.mktemp("sizes") / "sized.pydd"
    file.write_text(SOURCE)
    return pydd.load(file)


def ones(*shape, dtype=np.float64):
    return np.ones(shape, dtype)


@pytest.mark.parametrize("m, k, n", [(2, 3, 4), (0, 3, 2), (2, 0, 2), (0, 0, 0), (1, 1, 1)])
def test_equal_lengths_are_taken(sized, m, k, n):
    a, b = np.arange(float(m * k)).reshape(m, k), np.arange(float(k * n)).reshape(k, n)
    for first in (a, np.asfortranarray(a), np.repeat(a, 2, axis=0)[::2], a[::-1]):
        assert np.array_equal(sized.product(first, b), first @ b)


WRONG = {
    "product": (
        lambda m: m.product(ones(2, 3), ones(4, 3)),
        "axis 0 of argument 'b' of product() has length 4, and axis 1 of argument 'a' 3: both are 'k'",
    ),
    "empty": (
        lambda m: m.product(ones(2, 0), ones(1, 3)),
        "axis 0 of argument 'b' of product() has length 1, and axis 1 of argument 'a' 0: both are 'k'",
    ),
    "square": (
        lambda m: m.square(ones(2, 3, dtype=np.float32)),
        "axis 1 of argument 'a' of square() has length 3, and axis 0 of argument 'a' 2: both are 'n'",
    ),
    "fixed": (
        lambda m: m.square(ones(2, 2, dtype=np.float32), ones(4, 9)),
        "axis 0 of argument 'colour' of square() must have length 3, got 4",
    ),
    "class": (
        lambda m: m.scale(ones(3), ones(1, dtype=np.float32)),
        "axis 0 of argument 'y' of scale() has length 1, and axis 0 of argument 'x' 3: both are 'n'",
    ),
    "item": (
        lambda m: m.pair((ones(3), ones(2, dtype=np.int32)), 0),
        "axis 0 of item 1 of argument 't' of pair() has length 2, and axis 0 of item 0 of argument 't' 3: both are 'n'",
    ),
    "result": (
        lambda m: m.pair((ones(3), ones(3, dtype=np.int32)), 1),
        "axis 0 of item 0 of the result of pair() has length 2, and axis 0 of item 0 of argument 't' 3: both are 'n'",
    ),
    "rebound": (
        lambda m: m.rebound(ones(3)),
        "axis 0 of the result of rebound() has length 2, and axis 0 of argument 'x' 3: both are 'n'",
    ),
    "call inside": (
        lambda m: m.inner(ones(3), ones(1)),
        "axis 0 of argument 'y' of same() has length 1, and axis 0 of argument 'x' 3: both are 'n'",
    ),
    "union": (
        lambda m: m.either(ones(2, 3), ones(2)),
        "axis 1 of argument 'x' of either() must have length 2, got 3",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_other_lengths_are_refused(sized, case):
    call, message = WRONG[case]
    with pytest.raises(ValueError) as raised:
        call(sized)
    assert str(raised.value) == message
    assert raised.traceback[-1].path.name == "sized.pydd"


def test_other_types_and_ranks_are_refused(sized):
    with pytest.raises(TypeError, match=r"argument 'a' of product\(\) must"):
        sized.product(ones(2), ones(2, 2))
    with pytest.raises(TypeError, match=r"no version of scale\(\) takes"):
        sized.scale(ones(2, dtype=np.float16), ones(2))


def test_choices_keep_their_types(sized):
    single = ones(3, dtype=np.float32)
    assert sized.scale(single, single).dtype == np.float32
    assert sized.scale(single, ones(3)).dtype == np.float64
    assert sized.square(ones(2, 2, dtype=np.float32)) == 4.0
    assert sized.square(ones(2, 2, dtype=np.float32), ones(3, 0)) == 4.0
    assert [sized.either(ones(5), ones(5)), sized.either(ones(5, 2), ones(5))] == [1, 2]
    assert [sized.total(ones(*[2] * rank)) for rank in (1, 2, 3)] == [2, 4, 8]
    kept, positive = sized.pair((ones(3), np.array([-1, 0, 1], np.int32)), 0)
    assert kept.tolist() == [1, 1, 1] and positive.tolist() == [False, False, True]


def test_names_of_results_alone_are_those_of_one_return(sized):
    assert [sized.branches(ones(4), way)[0].size for way in (0, 1, 3)] == [4, 3, 2]
    with pytest.raises(
        ValueError, match=r"item 1 of the result of branches\(\) has length 2, and axis 0 of item 0"
    ):
        sized.branches(ones(5), 3)


def test_ranks_in_names(sized):
    assert sized.ranked(ones(2, 2), ones(2, dtype=np.float32), [1, 2]).tolist() == [4, 5]
    with pytest.raises(TypeError, match="2-dimensional float64 array"):
        sized.ranked(ones(2), ones(2, dtype=np.float32), [1, 2])


def test_threads_are_told_of_their_own_arrays(sized):
    said = {}

    def call(length):
        try:
            for _ in range(200):
                sized.product(ones(2, length), ones(length, 2))
            sized.product(ones(2, length), ones(length + 1, 2))
        except ValueError as error:
            said[length] = str(error)

    threads = [threading.Thread(target=call, args=(length,)) for length in (3, 30)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [f"length {n + 1}, " in said[n] and f"'a' {n}:" in said[n] for n in (3, 30)] == [True, True]


Matrix = Float64[np.ndarray, "m k"]


@pydd.kernel(strict=True)
def product(a: Matrix, b: Float64[np.ndarray, "k n"]) -> Float64[np.ndarray, "m n"]:
    return a @ b


@pydd.kernel(strict=True)
def masked(a: Array2[float64], mask: Bool[np.ndarray, "n"] | None = None) -> Array1[float64]:
    return a.sum(axis=0)


@pydd.kernel(strict=True)
def several(a: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n"]:
    return a + a


@pydd.jit(strict=True)
def unread(a: Float64[np.ndarray, "n n"]):
    return a.sum()


def test_functions_of_python_files():
    assert product(ones(2, 3), ones(3, 4)).shape == (2, 4)
    with pytest.raises(ValueError, match=r"axis 0 of argument 'b' of product\(\) has length 4, and axis 1"):
        product(ones(2, 3), ones(4, 3))
    with pytest.raises(TypeError):
        product(ones(2, 3, dtype=np.float32), ones(3, 4))
    assert masked(ones(2, 3), None).tolist() == [2, 2, 2]
    assert masked(ones(2, 3), np.array([True])).tolist() == [2, 2, 2]
    assert several(ones(2, dtype=np.float32)).dtype == np.float32
    # `jit` takes the types of arguments.
    assert unread(ones(2, 3, dtype=np.float32)) == 6


LATER = """from __future__ import annotations

import jaxtyping as jt
import numpy as np
import pydd

if not hasattr(np, "never"):
    from jaxtyping import Float64

Pair = Float64[np.ndarray, "2"]

@pydd.kernel(strict=True)
def add(a: Pair, b: jt.Float64[np.ndarray, "n"], c: Float64[np.ndarray, "n"]) -> pydd.Array1[pydd.float64]:
    return a.sum() + b + c
"""


def test_annotations_that_are_texts(tmp_path, monkeypatch):
    (tmp_path / "texts_of_sizes.py").write_text(LATER)
    monkeypatch.syspath_prepend(str(tmp_path))
    import texts_of_sizes

    assert texts_of_sizes.add(ones(2), ones(3), ones(3)).tolist() == [4, 4, 4]
    with pytest.raises(ValueError, match=r"argument 'a' of add\(\) must have length 2, got 3"):
        texts_of_sizes.add(ones(3), ones(3), ones(3))
    with pytest.raises(ValueError, match="both are 'n'"):
        texts_of_sizes.add(ones(2), ones(3), ones(1))


def test_what_is_no_annotation_is_said():
    def bare(a: Array2):
        return a

    def tensor(a: Float64[list, "n"]):
        return a

    with pytest.raises(pydd.CompileError, match=r"Array2\[float64\]"):
        pydd.kernel(bare, strict=True)(ones(2, 2))
    with pytest.raises(pydd.CompileError, match=r"np\.ndarray"):
        pydd.kernel(tensor, strict=True)(ones(2))
    with pytest.raises(TypeError, match="takes the type of its elements alone"):
        Array2[float64, 2]


UFUNC = """
import numpy as np
from jaxtyping import Float64

@guvectorize("(n),(n)->(n)")
def turned(a: Float64[np.ndarray, "n"], b: Float64[np.ndarray, "n"], out: Float64[np.ndarray, "n"]):
    for i in range(a.shape[0]):
        out[i] = a[i] - b[b.shape[0] - 1 - i]
"""


@pytest.mark.parametrize("load", [pydd.load, pydd.interpret])
def test_ufuncs_take_them(tmp_path, load):
    file = tmp_path / "turned_ufunc.pydd"
    file.write_text(UFUNC)
    a, b = np.arange(6.0).reshape(2, 3), np.arange(3.0)
    assert np.array_equal(load(file).turned(a, b), a - b[::-1])


def test_under_python_nothing_is_checked(tmp_path):
    file = tmp_path / "plain.pydd"
    file.write_text(SOURCE)
    module = pydd.interpret(file)
    assert module.square(ones(2, 3)) == 6
