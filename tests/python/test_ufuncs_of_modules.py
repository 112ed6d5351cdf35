"""`@vectorize` and `@guvectorize` in `.pydd` files: beside the same source under CPython."""

import itertools
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import pydd
import pydd.python

SOURCE = '''
from pydd import vectorize

@vectorize
def blend(x: float32 | float64, y: float64):
    """Mixes."""
    if x > y:
        return x * 2 - y
    return y

@vectorize(identity=0)
def add(x: int, y: int):
    return x + y

@vectorize
def split(x: float64, n: float64):
    if n == 0.0:
        raise ValueError(f"nothing of {x}")
    return x // n, x % n

@vectorize
def is_small(x: int8):
    return x < 3

@guvectorize("(n), (n) -> ()")
def dot(x: Array(float64, 1), y: Array(float64, 1), res: Array(float64, 1)):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    res[0] = s

@guvectorize("(m,n),(n),()->(m),(3)")
def times(a: Array(float64, 2), x: Array(float64, 1), k: float64, res: Array(float64, 1), sizes: Array(int64, 1)):
    for i in range(a.shape[0]):
        res[i] = 0.0
        for j in range(a.shape[1]):
            res[i] += k * a[i, j] * x[j]
    sizes[0] = a.shape[0]
    sizes[1] = a.shape[1]
    sizes[2] = len(sizes)

def total(a: Array(float64, 1)):
    s = 0.0
    for i in range(len(a)):
        s += blend(a[i], 1.0)
    return s
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ufuncs")
    (folder / "mixing.pydd").write_text(SOURCE)
    pydd.compile(folder / "mixing.pydd", options=["--strict-fp"])
    return folder


@pytest.fixture(scope="module")
def mixing(folder):
    sys.path.insert(0, str(folder))
    import mixing

    yield mixing
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def in_python():
    return pydd.python.loads(SOURCE)


def same(got, expected):
    if isinstance(expected, tuple):
        assert isinstance(got, tuple) and len(got) == len(expected)
        for one, other in zip(got, expected):
            same(one, other)
        return
    assert np.asarray(got).dtype == np.asarray(expected).dtype
    np.testing.assert_array_equal(got, expected)


def test_the_module_has_ufuncs(mixing):
    for name in ("blend", "add", "split", "is_small", "dot", "times"):
        assert type(getattr(mixing, name)) is np.ufunc
    assert mixing.blend.types == ["fd->d", "dd->d"]
    assert mixing.add.types == ["ll->l"] and mixing.add.identity == 0
    assert mixing.split.types == ["dd->dd"] and mixing.is_small.types == ["b->?"]
    assert (mixing.dot.signature, mixing.times.signature) == ("(n),(n)->()", "(m,n),(n),()->(m),(3)")
    assert mixing.blend.__doc__.endswith("\n\nMixes.") and mixing.blend.__name__ == "blend"
    assert mixing.total(np.array([3.0, 0.5])) == 6.0
    assert pickle.loads(pickle.dumps(mixing.blend)) is mixing.blend


@pytest.mark.parametrize("shape", [(), (0,), (1,), (7,), (3, 1), (2, 3, 5), (1500,)])
def test_elements_beside_python(mixing, in_python, shape):
    rng = np.random.default_rng(3)
    x, y = rng.integers(-5, 6, shape) / 2, rng.integers(1, 4, shape[-1:]) / 2
    views = [(x, y), (x[..., ::-1] if shape else x, y), (np.asfortranarray(x), 0.5), (x.astype(">f8"), y)]
    for left, right in views:
        if np.size(left) == 0:
            # Without elements there is nothing that gives a type to what Python returns.
            assert mixing.blend(left, right).shape == left.shape
            continue
        same(mixing.blend(left, right), in_python.blend(left, right))
        same(mixing.split(left, right), in_python.split(left, right))
    small = rng.integers(-9, 9, shape).astype(np.int8)
    if small.size:
        same(mixing.is_small(small), in_python.is_small(small))
        same(mixing.blend(x.astype(np.float32), y), in_python.blend(x.astype(np.float32), y))


def test_methods_beside_python(mixing, in_python):
    table = np.arange(12).reshape(3, 4) - 5
    for axis in (0, 1):
        same(mixing.add.reduce(table, axis=axis), in_python.add.reduce(table, axis=axis))
        same(mixing.add.accumulate(table, axis=axis), in_python.add.accumulate(table, axis=axis))
    same(mixing.add.outer(table[0], table[:, 1]), in_python.add.outer(table[0], table[:, 1]))
    assert mixing.add.reduce(table[:0, 0]) == in_python.add.reduce(table[:0, 0]) == 0
    out = np.zeros((3, 4), int)
    assert mixing.add(table, 1, out=out) is out
    same(out, in_python.add(table, 1))


def test_items_beside_python(mixing, in_python):
    rng = np.random.default_rng(4)
    for n in (1, 3, 80):
        a, x, k = rng.random((4, 2, n)), rng.random((4, n)), rng.random(4)
        for operands in (
            (a, x, k),
            (a[0], x, 2.0),
            (a[::-1], x[0], k[:, None]),
            (a[..., ::-1], x[:, ::-1], k),
        ):
            same(mixing.times(*operands), in_python.times(*operands))
        same(mixing.dot(x, x[1]), in_python.dot(x, x[1]))
        same(mixing.dot(x.T.copy().T, x), in_python.dot(x, x))


def test_exceptions(mixing, in_python):
    for module in (mixing, in_python):
        with pytest.raises(ValueError, match=r"^nothing of 2\.0$") as caught:
            module.split([1.0, 2.0], [1.0, 0.0])
        assert caught.traceback[-1].name == "split"
    assert caught.traceback[-1].lineno == 17


def test_a_process_that_loads_it_anew(folder):
    code = "import pickle, sys; f = pickle.loads(sys.stdin.buffer.read()); print(f([1.0, 3.0], 2.0))"
    data = subprocess.run(
        [
            sys.executable,
            "-c",
            "import mixing, pickle, sys; sys.stdout.buffer.write(pickle.dumps(mixing.blend))",
        ],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        check=True,
    ).stdout
    other = {**os.environ, "PYTHONPATH": str(folder)}
    run = subprocess.run([sys.executable, "-c", code], input=data, env=other, capture_output=True, check=True)
    assert run.stdout == b"[2. 4.]\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@vectorize\ndef f(x):\n    return x", "the operands of `f` have no types"),
        (
            "@vectorize\ndef f(x: Array(float64, 1)):\n    return x",
            "the operand `x` of a ufunc is Array(float64, 1)",
        ),
        ("@vectorize\ndef f(x: float64):\n    pass", "`f` returns None"),
        ("@vectorize\ndef f(x: float64, y: float64 = 1.0):\n    return x", "`y` has a default"),
        ("@vectorize\ndef f(*, x: float64):\n    return x", "`x` is only given by its name"),
        ("@vectorize\ndef f() -> int:\n    return 1", "`f` has no parameters"),
        (
            "@vectorize(['f8(f8)'])\ndef f(x: float64):\n    return x",
            "signatures are for functions of Python files",
        ),
        (
            "@vectorize(identity=3)\ndef f(x: float64):\n    return x",
            'an identity is 0, 1, None or "reorderable"',
        ),
        ("@vectorize(target='gpu')\ndef f(x: float64):\n    return x", "`vectorize` has no such keyword"),
        (
            "@guvectorize\ndef f(x: Array(float64, 1)):\n    x[0] = 1",
            "`guvectorize` takes a signature of dimensions",
        ),
        (
            '@guvectorize("(n)")\ndef f(x: Array(float64, 1)):\n    x[0] = 1',
            "this is no signature of dimensions",
        ),
        (
            '@guvectorize("(n)->()")\ndef f(x: Array(float64, 1)):\n    x[0] = 1',
            "(n)->() has 2 operands, and `f` 1 parameters",
        ),
        (
            '@guvectorize("(n)->()")\ndef f(x: Array(float64, 1), r: float64):\n    pass',
            "the operand `r` of a ufunc is float64",
        ),
        (
            '@guvectorize("(n)->()")\ndef f(x: Array(float64, 1), r: Array(float64, 1)):\n    x[0] = 1\n    r[0] = x[0]',
            "`x` is an input of the ufunc `f`, and written to",
        ),
        ("@other\ndef f(x: float64):\n    return x", "a decorator is not in the language"),
        (
            "def g(x: float64):\n    @vectorize\n    def f(y):\n        return y\n    return f(x)",
            "a function inside another one is no ufunc",
        ),
        ("@vectorize\ndef f(x: float64):\n    return x.nothing", "nothing"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(pydd.CompileError) as caught:
        pydd.load(text + "\n")
    assert message in str(caught.value)
    assert "warning" not in str(caught.value)


def test_stubs_say_ufunc(folder):
    stub = folder / "mixing.pyi"
    pydd.compile(folder / "mixing.pydd", output=stub, options=["--emit=pyi"])
    lines = stub.read_text().splitlines()
    assert (
        lines.count("blend: _np.ufunc") == 1 and "dot: _np.ufunc" in lines and "import numpy as _np" in lines
    )


CALLING = """
import numpy as np

@vectorize
def blend(x: float32 | float64, y: float64):
    if x > y:
        return x * 2 - y
    return y

@vectorize
def split(x: float64, n: float64):
    if n == 0.0:
        raise ValueError(f"nothing of {x}")
    return x // n, x % n

@vectorize
def count(x: int16):
    return x * 2

@vectorize
def of_others(x: float64):
    return blend(x, 0.5) + count(np.int16(3))

def line(a: Array(float64, 1), b: Array(float64, 1)):
    return blend(a, b)

def table(a: Array(float64, 2), b: Array(float64, 1), c: float64):
    return blend(a, b) + blend(c, a[:, :1])

def narrow(a: Array(float32, 1), b: Array(int64, 1)):
    return blend(a, b)

def parts(a: Array(float64, 2), n: float64):
    whole, rest = split(a, n)
    return whole * n + rest, rest

def shorts(a: Array(int8, 1)):
    return count(a)

def nested(a: Array(float64, 3)):
    return of_others(blend(a, 1)[..., ::-1])

def without_axes(a: Array(float64, 0)):
    return blend(a, 1.5)

def numbers(a: float64):
    return blend(a, 1.5)

def inside(a: Array(float64, 2)):
    s = 0.0
    for i in range(a.shape[0]):
        s += blend(a[i], a[0]).sum()
    return s
"""


def test_calls_within_the_module(tmp_path):
    (tmp_path / "calling.pydd").write_text(CALLING)
    compiled, python = pydd.load(tmp_path / "calling.pydd"), pydd.interpret(tmp_path / "calling.pydd")
    rng = np.random.default_rng(6)
    for n in (1, 2, 7, 300):
        a, b = rng.integers(-8, 9, n) / 2, rng.integers(-8, 9, n) / 2
        for left, right in ((a, b), (a[::-1], b), (a, b[:1]), (a[:1], b)):
            same(compiled.line(left, right), python.line(left, right))
        square = rng.integers(-8, 9, (3, n)) / 2
        for each in (square, np.asfortranarray(square), square[::2], square[:, ::-1]):
            same(compiled.table(each, b, 0.25), python.table(each, b, 0.25))
            for got, expected in zip(compiled.parts(each, 1.5), python.parts(each, 1.5)):
                same(got, expected)
            assert compiled.inside(each) == python.inside(each)
        narrow = (a.astype(np.float32), b.astype(int))
        same(compiled.narrow(*narrow), compiled.blend(*narrow))
        small = rng.integers(-60, 60, n).astype(np.int8)
        same(compiled.shorts(small), compiled.count(small))
        cube = rng.integers(-8, 9, (2, n, 3)) / 2
        same(compiled.nested(cube), python.nested(cube))
    assert compiled.line(np.empty(0), np.empty(0)).shape == (0,)
    assert compiled.without_axes(np.array(2.0)) == compiled.numbers(2.0) == 2.5
    for module in (compiled, python):
        with pytest.raises(ValueError, match="nothing of"):
            module.parts(np.ones((2, 2)), 0.0)
        with pytest.raises(ValueError, match="broadcast"):
            module.line(np.ones(2), np.ones(3))


def test_operands_that_no_loop_takes():
    with pytest.raises(pydd.CompileError, match="`count` has no loop for these operands"):
        pydd.load(CALLING + "\ndef wrong(a: Array(int64, 1)):\n    return count(a)\n")


LOOPS = """
@vectorize
def several(x: int64 | float32, y: int64 | float32):
    return x * y

@vectorize
def one(x, y: float64):
    return x > y, x - y

@vectorize
def own(x: int):
    return x / 2
"""


@pytest.mark.parametrize("shape", [(0,), (3,), (2, 0)])
def test_ufuncs_under_cpython_have_the_loops_of_compiled_ones(shape):
    compiled, interpreted = pydd.load(LOOPS), pydd.python.loads(LOOPS)
    types = [np.bool_, np.int8, np.int32, np.int64, np.uint64, np.float32, np.float64]

    def outcome(f, *operands):
        try:
            results = f(*operands)
        except TypeError:
            return "TypeError"
        return [
            (each.dtype, each.tolist()) for each in (results if isinstance(results, tuple) else (results,))
        ]

    for a, b in itertools.product(types, types):
        x, y = np.full(shape, 3).astype(a), np.full(shape, 2).astype(b)
        for name in ("several", "one"):
            mine, real = (outcome(getattr(m, name), x, y) for m in (interpreted, compiled))
            assert mine == real, (name, a, b)
        assert outcome(interpreted.own, x) == outcome(compiled.own, x), a
