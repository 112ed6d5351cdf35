"""Binding of arguments, scalars, lists, strings, versions, and what a function looks like."""

import copy
import decimal
import fractions
import importlib
import inspect
import pickle
import pydoc
import weakref

import kernels
import numpy as np
import pytest

import pydd
from pydd_runtime import _runtime


def message(error, f, *args, **kwargs):
    with pytest.raises(error) as raised:
        f(*args, **kwargs)
    return str(raised.value)


def test_binding_fails_in_the_words_of_cpython():
    def twice(x): ...
    def scale(a, s=2.0): ...
    def is_fast2(a, b): ...

    calls = [
        ("twice", (), {}),
        ("twice", (1, 2), {}),
        ("twice", (), {"y": 1}),
        ("twice", (1,), {"x": 1}),
        ("scale", (), {}),
        ("scale", (1, 2, 3), {}),
        ("is_fast2", (), {}),
        ("is_fast2", (1, 2, 3), {}),
        ("is_fast2", (), {"b": 1}),
    ]
    for name, args, kwargs in calls:
        expected = message(TypeError, locals()[name], *args, **kwargs)
        expected = expected[expected.index(name + "()") :]
        assert message(TypeError, getattr(kernels, name), *args, **kwargs) == expected


def test_keywords_and_defaults():
    assert kernels.twice(x=4) == 8.0
    a = np.ones(2)
    kernels.scale(s=3, a=a)
    kernels.scale(a)
    assert a.tolist() == [6, 6]


class Index:
    def __index__(self):
        return 3


class Float:
    def __float__(self):
        return 2.5


def test_floats_take_real_numbers():
    for x in [1.5, 2, True, np.float64(1.5), np.float32(1.5), np.float16(1.5), np.int8(3), np.uint64(7), np.bool_(True),
              np.array(2.5), np.array(2), fractions.Fraction(3, 2), decimal.Decimal("1.5"), Float(), Index(), np.longdouble(1.5)]:  # fmt: skip
        assert kernels.twice(x) == 2 * float(x) and type(kernels.twice(x)) is float
    for x in [
        "1",
        1j,
        np.complex128(1),
        np.complex64(1),
        np.ones(1),
        np.ones(2),
        None,
        [1.0],
        np.array("1"),
        np.datetime64("2020"),
    ]:
        text = message(TypeError, kernels.twice, x)
        assert text.startswith("argument 'x' of twice() must be a float64, got "), text
    assert "an array" in message(TypeError, kernels.twice, np.ones(1))
    assert message(OverflowError, kernels.twice, 10**400) == "int too large to convert to float"


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("kind", "iu")
def test_integers_take_integers_in_range(kind, bits):
    f = getattr(kernels, f"echo_{kind}{bits}")
    dtype = np.dtype(f"{kind}{bits // 8}")
    info = np.iinfo(dtype)
    for x in [
        0,
        1,
        info.min,
        info.max,
        True,
        np.int64(3),
        np.uint8(200 % info.max),
        np.bool_(True),
        np.array(5),
        Index(),
    ]:
        y = f(x)
        assert y == x.__index__() if not isinstance(x, np.bool_) else y == 1
        assert type(y) is (int if dtype == np.int64 else dtype.type)
    for x in [info.min - 1, info.max + 1, 10**30]:
        assert message(OverflowError, f, x) == f"Python integer {x} out of bounds for {dtype.name}"
    for x in [1.0, np.float64(1), np.array(1.0), "1", None, np.ones(1, int), 1j]:
        text = message(TypeError, f, x)
        assert text.startswith(f"argument 'x' of echo_{kind}{bits}() must be a"), text
    assert message(TypeError, f, 1.5).endswith("got float; use int(x)")


def test_bools_take_bools():
    for x in [True, False, np.True_, np.array(True)]:
        assert kernels.echo_bool(x) is bool(x)
    for x in [1, 0.0, "a", None, np.int8(1), np.array([True])]:
        assert "must be a bool, got" in message(TypeError, kernels.echo_bool, x)


def test_complex_takes_any_number():
    for x in [
        1,
        1.5,
        2j,
        True,
        np.complex64(1 + 2j),
        np.float32(1.5),
        np.array(3j),
        np.int8(3),
        fractions.Fraction(1, 2),
    ]:
        assert kernels.echo_c128(x) == complex(x) and type(kernels.echo_c128(x)) is complex
    y = kernels.echo_c64(1 + 2j)
    assert y == 1 + 2j and type(y) is np.complex64
    for x in ["1", None, np.ones(2)]:
        assert "must be a complex128, got" in message(TypeError, kernels.echo_c128, x)
    assert "must be a complex, got" in message(TypeError, kernels.weak, "1")


def test_float32_rounds():
    y = kernels.echo_f32(0.1)
    assert y == np.float32(0.1) and type(y) is np.float32
    assert kernels.echo_f32(float("inf")) == float("inf")


def test_lists_are_copied_in_and_back():
    x = [10**15, 2]
    first = x[0]
    y = [5, True]
    assert kernels.extend(x, y) is x
    assert x == [10**15 + 1, 2, 5, 1] and y == [5, True] and y[1] is True
    x = [0, 10**15, 7]
    kept = x[1]
    kernels.extend(x, [])
    assert x == [1, 10**15, 7] and x[1] is kept
    assert first == 10**15
    assert kernels.squares(4) == [0, 1, 4, 9]
    assert kernels.squares(0) == []


def test_lists_are_copied_back_after_an_exception():
    x = [1, 2, 3]
    with pytest.raises(AssertionError):
        kernels.extend(x, [4, 5, 6])
    assert x == [2, 2, 3, 4, 5, 6]


def test_one_list_passed_twice_is_one_list():
    def extend(x, y):
        x[0] += 1
        for i in range(len(y)):
            x.append(y[i])

    a, b = [1, 2], [1, 2]
    a[0] += 1
    a.extend(list(a))
    kernels.extend(b, b)
    assert a == b


def test_list_refusals():
    text = message(TypeError, kernels.extend, (1, 2), [])
    assert text == "argument 'x' of extend() must be a list, got tuple; use list(x)"
    # No advice that would fail in its turn.
    for value, got in (("ab", "str"), (3, "int"), (None, "NoneType"), ({1: 2}, "dict")):
        text = message(TypeError, kernels.extend, value, [])
        assert text == f"argument 'x' of extend() must be a list, got {got}"
    text = message(TypeError, kernels.extend, [1, 2.5], [])
    assert text == "item 1 of argument 'x' of extend() must be an int64, got float; use int(x)"
    assert "bounds for int64" in message(OverflowError, kernels.extend, [], [2**63])


def test_tuples_and_strings():
    assert kernels.second((1, 2.5)) == 2.5
    for t in [(1,), [1, 2.5], 3]:
        assert "must be a tuple of 2 items" in message(TypeError, kernels.second, t)
    assert "item 0 of argument 't'" in message(TypeError, kernels.second, (1.5, 2.5))
    assert "must be a str, got int" in message(TypeError, kernels.say, np.ones(1), 3)
    assert "embedded null" in message(ValueError, kernels.say, np.ones(1), "a\0b")


def test_versions_are_chosen_by_the_arguments():
    x, y = np.ones(2, "f4"), np.ones(2)
    assert type(kernels.either(x, 1.5)) is np.float32
    assert type(kernels.either(y, np.float32(1.5))) is float
    assert type(kernels.either(y, s=1)) is float
    text = message(TypeError, kernels.either, np.ones(2, int), 1.5)
    assert text == (
        "no version of either() takes (Array(int64, 1), float); there are\n"
        "    either(a: Array(float32, 1), s: float32)\n"
        "    either(a: Array(float64, 1), s: float64)"
    )
    assert "missing 1 required" in message(TypeError, kernels.either, x)


def test_a_conversion_cannot_pull_an_array_away():
    a = np.ones(1000)

    class Evil:
        def __float__(self):
            a.resize(0, refcheck=False)
            return 3.0

    kernels.scale(a, Evil())
    assert a.size == 0


def test_functions_look_like_functions():
    f = kernels.twice
    assert f.__name__ == f.__qualname__ == "twice" and f.__module__ == "kernels"
    assert str(inspect.signature(f)) == "(x: numpy.float64) -> numpy.float64"
    assert inspect.getdoc(f).startswith("Twice x.\n\nParameters")
    assert kernels.scale.__text_signature__ == "(a, s=2.0)"
    assert inspect.signature(kernels.scale).parameters["s"].default == 2.0
    assert repr(f) == "<pydd kernel twice>" and inspect.isroutine(f)
    assert "    twice(x: numpy.float64) -> numpy.float64\n        Twice x." in pydoc.render_doc(
        kernels, renderer=pydoc.plaintext
    )
    # Not a method of the class that it stands in, as built-in functions are none.
    assert type("Holder", (), {"f": f})().f is f
    assert type(f).__call__(f, 3) == type(f).__call__(f, x=3) == 6
    f.note = "attributes of a user's own"
    assert vars(f)["note"] and weakref.ref(f)() is f
    with pytest.raises(TypeError, match="cannot create"):
        type(f)()
    for g in (pickle.loads(pickle.dumps(f)), copy.deepcopy(f)):
        assert g is f
    assert kernels.__doc__ == "Hand-made kernels."
    assert kernels.__file__.endswith("kernels.abi3.so")


def test_a_file_can_be_imported_under_another_name():
    spec = importlib.util.spec_from_file_location("pkg.other", kernels.__file__, loader=None)
    loader = importlib.machinery.ExtensionFileLoader("kernels", kernels.__file__)
    spec = importlib.util.spec_from_loader("kernels", loader)
    again = importlib.util.module_from_spec(spec)
    loader.exec_module(again)
    assert again is not kernels and again.twice is not kernels.twice and again.twice(3) == 6


def test_wrong_modules_are_refused_at_import():
    text = message(ImportError, importlib.import_module, "future")
    ours = _runtime.ABI_VERSION
    assert (
        text == f"'future' was compiled for pydd-runtime ABI 99; this is {ours}: pip install -U pydd-runtime"
    )
    text = message(ImportError, importlib.import_module, "past")
    assert text == f"'past' was compiled for pydd-runtime ABI 1; this is {ours}: compile it again with pyddc"
    text = message(ImportError, importlib.import_module, "larger")
    assert (
        text == "'larger' needs functions that this pydd-runtime does not have: pip install -U pydd-runtime"
    )
    text = message(ImportError, importlib.import_module, "foreign")
    assert "for a CPU with quantum, avx99, which this one lacks" in text


UNIONS = """
def second(x: float, y: int | float):
    return y

def single(x: float32 | float64):
    return x

def number(x: int | float | complex):
    return x

def flagged(x: bool | float):
    return x

def listed(xs: List(int) | List(float)):
    return xs[0]

def mapped(d: Dict(int, int) | Dict(int, float)):
    return d[1]

def paired(t: Tuple(int, int) | Tuple(float, float) | Tuple(int, int, int)):
    return t[1]

def counted(x: int64 | uint64):
    return x
"""


def test_versions_are_chosen_by_what_conversions_cost():
    m = pydd.load(UNIONS)

    def given(value):
        return type(value), value

    assert given(m.second(1, 1.5)) == (float, 1.5)
    assert given(m.second(1, 2)) == (int, 2)
    assert given(m.single(0.1)) == (float, 0.1)
    assert type(m.single(np.float32(0.5))) is np.float32
    assert given(m.number(np.float32(1.5))) == (float, 1.5)
    assert given(m.number(np.complex64(2j))) == (complex, 2j)
    assert given(m.number(np.int8(3))) == (int, 3)
    assert given(m.flagged(3)) == (float, 3.0) and given(m.flagged(True)) == (bool, True)
    assert given(m.listed([1.5])) == (float, 1.5) and given(m.listed([2])) == (int, 2)
    assert given(m.mapped({1: 1.5})) == (float, 1.5) and given(m.mapped({1: 2})) == (int, 2)
    assert [m.paired((1, 2)), m.paired((1.5, 2.5)), m.paired((1, 2, 3))] == [2, 2.5, 2]
    assert m.counted(np.uint64(2**63)) == 2**63
    with pytest.raises(TypeError, match="no version of paired"):
        m.paired((1, 2, 3, 4))
