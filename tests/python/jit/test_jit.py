"""`@pydd.jit`: functions of plain Python by the types of their arguments; each is compared with itself in Python."""

import threading
import traceback
import types
import warnings
from enum import Enum

import helping
import numpy as np
import pytest
import scipy.sparse
from alike import same

import pydd

WEIGHTS = np.array([1.0, 2.0, 4.0])


class Diverged(ArithmeticError):
    """Of this module."""


class Color(Enum):
    RED = 5


@pydd.jit
def total(x):
    s = 0
    for i in range(x.shape[0]):
        s += x[i]
    return s


@pytest.mark.parametrize(
    "dtype",
    ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16"],
)
@pytest.mark.parametrize("layout", ["plain", "strided", "reversed", "empty"])
def test_arrays_of_all_types_and_layouts(dtype, layout):
    x = np.arange(24).astype(dtype)
    x = {"plain": x, "strided": x[::3], "reversed": x[::-1], "empty": x[:0]}[layout]
    assert total(x) == total.py_func(x)


@pydd.jit
def doubled(x):
    return x + x


@pytest.mark.parametrize(
    "value",
    [True, 3, 0.1, 1 + 2j, np.int8(100), np.uint64(5), np.float32(0.1), np.complex64(1j)],
)
def test_numbers_keep_their_types(value):
    with np.errstate(over="ignore"):
        same(doubled, value)


def test_a_version_for_each_signature():
    @pydd.jit
    def f(x, y):
        return x * y

    for x, y in [(1, 2), (1.0, 2), (np.float32(1), 2), (np.ones(3), 2.0), (np.ones((2, 2), "f4"), 2.0)]:
        same(f, x, y)
        same(f, x, y)
    assert f.signatures == [
        ("int", "int"),
        ("float", "int"),
        ("float32", "int"),
        ("Array(float64, 1)", "float"),
        ("Array(float32, 2)", "float"),
    ]


def test_a_version_for_column_major_arrays():
    @pydd.jit
    def f(x, y, t):
        x[0] += y[0, 0]
        return x.sum(axis=1), x * 2, t[0]

    row, column = np.arange(12.0).reshape(3, 4), np.asfortranarray(np.arange(12.0).reshape(3, 4))
    flat, cube = np.ones((1, 3)), np.asfortranarray(np.arange(24.0).reshape(2, 3, 4))
    rest = [(flat, (column,)), (flat.T, (column,)), (cube[0], (1,)), (cube.T[0], (1,))]
    for x in (row, column, row[:, ::2], column[::2], row.T, column.T, np.asfortranarray(flat)):
        for y, t in rest:
            same(f, x, y, t)
    rows, columns = "Array(float64, 2)", 'Array(float64, 2, order="F")'
    orders = {types[:2] for types in f.signatures}
    # What is contiguous both ways is row-major; strided arrays take the general code of that version.
    assert orders == {(rows, rows), (columns, rows)}
    assert all("order" not in types[2] for types in f.signatures)

    @pydd.jit
    def g(x):
        return x.sum()

    same(g, cube)
    same(g, np.ascontiguousarray(cube))
    assert g.signatures == [('Array(float64, 3, order="F")',), ("Array(float64, 3)",)]


@pydd.jit
def of_containers(xs, d, s, t):
    xs.append(xs[0])
    d[1] = d.get(1, 0) + 2
    s.add(9)
    return xs, len(d), len(s), t[0] + t[1][1]


def test_lists_dicts_sets_and_tuples():
    same(of_containers, [1, 2], {1: 2}, {3}, (1, (2, 3.5)))
    same(of_containers, [1.5], {1: 2.5}, {3}, (1.5, (2, 3.5)))


def test_sparse_matrices():
    @pydd.jit
    def f(A, x):
        return A @ x

    dense = np.array([[0.0, 2.0], [3.0, 0.0]])
    same(f, scipy.sparse.csr_matrix(dense), np.ones(2))
    same(f, scipy.sparse.csr_array(dense), np.ones(2))
    wide = scipy.sparse.csr_array(dense)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    same(f, wide, np.ones(2))
    assert [types[0] for types in f.signatures] == [
        "SparseMat(float64, int32)",
        "SparseArray(float64, 2, int32)",
        "SparseArray(float64, 2, int64)",
    ]

    @pydd.jit
    def g(A, B):
        return A.indices[0] + B.indices[0], (A + B)

    same(g, wide, scipy.sparse.csr_array(dense))


@pydd.jit
def with_defaults(x, n=2, *, scale=1.5, offset=None):
    if offset is None:
        offset = 0.0
    return x * n * scale + offset


def test_arguments_by_position_by_name_and_left_out():
    same(with_defaults, 2.0)
    same(with_defaults, 2.0, 3)
    same(with_defaults, 2.0, n=3, scale=2.0)
    same(with_defaults, x=2.0, offset=1.0)
    same(with_defaults, 2.0, scale=2)
    for wrong in [
        lambda: with_defaults(),
        lambda: with_defaults(1.0, m=2),
        lambda: with_defaults(1.0, x=2.0),
    ]:
        with pytest.raises(TypeError, match="argument"):
            wrong()
    with pytest.raises(TypeError, match="positional"):
        with_defaults(1.0, 2, 3.0)


def test_positional_parameters():
    @pydd.jit
    def f(x, /, y=2, z=3):
        return x + 10 * y + 100 * z

    same(f, 1)
    same(f, 1, z=5)
    same(f, 1, 7, 8)
    with pytest.raises(TypeError):
        f(x=1)


def annotated(x: "np.ndarray", n: int = 3) -> float:
    y: float = n  # an int in Python
    z: "no such name"  # noqa: F722
    z = y / 2  # type: int
    return x.sum() * y + z


def test_annotations_say_nothing():
    kernel = pydd.jit(annotated)
    same(kernel, np.ones(3), 3)
    same(kernel, np.ones(3, "i4"), 4)


@pydd.jit
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def test_recursion_and_kernels_that_call_kernels():
    @pydd.jit
    def f(n):
        return fib(n) + total(np.ones(n))

    assert same(fib, 15) == 610
    same(f, 10)


def lines_of(error):
    return [(frame.filename, frame.lineno, frame.name) for frame in traceback.extract_tb(error.__traceback__)]


@pydd.jit
def fails(x, i):
    y = x[0]
    return y + helping.failing(x, i)


def test_tracebacks_show_lines_of_the_file():
    with pytest.raises(IndexError) as caught:
        fails(np.ones(3), 5)
    file, line, name = lines_of(caught.value)[-1]
    assert (file, name) == (helping.__file__, "failing")
    assert line == helping.failing.__code__.co_firstlineno + 2
    assert "return x[i]" in "".join(traceback.format_exception(caught.value))


def test_own_exceptions_are_those_of_the_module():
    @pydd.jit
    def f(x):
        if x > 1:
            raise Diverged(f"at {x}")
        if x < 0:
            raise ValueError("negative")
        return x

    with pytest.raises(Diverged, match="at 2"):
        f(2)
    with pytest.raises(ValueError, match="negative"):
        f(-1)
    same(f, 1)


@pytest.mark.falls_back
def test_what_is_not_in_the_language_runs_in_python():
    @pydd.jit
    def f(x):
        try:
            return {"a": x}["b"]
        except KeyError:
            return x

    with pytest.warns(
        pydd.PyddWarning, match="`f` runs in Python and is not compiled: error.*`try`"
    ) as caught:
        assert f(3) == 3
    assert caught[0].filename == __file__
    assert f(4) == 4 and f.signatures == []
    assert "`try`" in f.explain()


@pydd.jit
def picked(a, i, how):
    return a[0] if how == "first" else a[i]


@pydd.jit
def weighed(a, i):
    return WEIGHTS[i] * a[0]


@pytest.mark.parametrize(("kernel", "arguments"), [(picked, (99, "last")), (weighed, (99,))])
def test_tracebacks_have_no_frames_of_ours(kernel, arguments):
    with pytest.raises(IndexError) as caught:
        kernel(np.ones(3), *arguments)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [(frame.filename, frame.name) for frame in frames] == [
        (__file__, "test_tracebacks_have_no_frames_of_ours"),
        (__file__, kernel.__name__),
    ]


@pytest.mark.falls_back
def test_warnings_are_told_without_the_lock(monkeypatch):
    @pydd.jit
    def f(x):
        return [x, "text"]

    def show(*args, **kwargs):
        # Another thread calls it meanwhile, and gets its result.
        thread = threading.Thread(target=lambda: answers.append(f(2.5)), daemon=True)
        thread.start()
        thread.join(timeout=20)

    answers = []
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        monkeypatch.setattr(warnings, "showwarning", show)
        assert f(1.5) == [1.5, "text"]
    assert answers == [[2.5, "text"]]

    @pydd.jit
    def g(x):
        return [x, "text"]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(pydd.PyddWarning, match="runs in Python"):
            g(1.5)
        assert g(1.5) == [1.5, "text"]


@pytest.mark.falls_back
@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (["abc"], "a list that holds a text"),
        (np.zeros(2, [("a", "f8"), ("b", "i4")]), "a structured array; pass one of its fields"),
        (np.zeros(2, [("a", ">f8")]), "a structured array"),
        ([np.zeros(2, [("a", "f8")])], "a list that holds a structured array"),
        ([], "an empty list"),
        ([1, "a"], "a list of several types"),
        (np.array(["a"]), "an array of str"),
        (np.array(1.0), "an array without axes"),
        (np.ma.masked_array([1.0]), "np.asarray"),
        (object(), "is a object"),
        (np.bool_(True), r"pass `bool\(x\)`"),
        (np.random.default_rng(1), "a random generator"),
        (scipy.sparse.coo_matrix([[1.0]]), r"A\.tocsr"),
        (Color.RED, "is a Color"),
    ],
)
def test_arguments_that_no_version_takes(value, reason):
    @pydd.jit
    def f(x):
        return x

    with pytest.warns(pydd.PyddWarning, match=f"the argument `x` .*{reason}"):
        assert f(value) is value
    # Others are still compiled.
    assert f(1) == 1 and f.signatures == [("int",)]


@pytest.mark.falls_back
def test_functions_that_are_never_compiled():
    @pydd.jit
    def any_number(*args, **kwargs):
        return len(args), kwargs

    @pydd.jit
    def generator(n):
        yield n

    with pytest.warns(pydd.PyddWarning, match="any number of arguments"):
        assert any_number(1, 2, a=3) == (2, {"a": 3})
    # Told once.
    assert any_number() == (0, {})
    with pytest.warns(pydd.PyddWarning, match="a generator"):
        assert list(generator(3)) == [3]
    with pytest.warns(pydd.PyddWarning, match="lambda"):
        assert pydd.jit(lambda x: x + 1)(2) == 3
    space = {}
    exec("def f(x):\n    return x + 1\n", space)
    with pytest.warns(pydd.PyddWarning, match="not to be had"):
        assert pydd.jit(space["f"])(2) == 3


@pytest.mark.falls_back
def test_globals_that_kernels_cannot_read():
    state, odd = {"n": 1}, np.zeros(3, ">f8")

    @pydd.jit
    def f(x):
        return x + state["n"]

    @pydd.jit
    def g(x):
        return x + odd[0]

    with pytest.warns(pydd.PyddWarning, match="the global `state` is a dict that holds a text"):
        assert f(1) == 2
    state["n"] = 5
    assert f(1) == 6
    with pytest.warns(pydd.PyddWarning, match="the global `odd` is an array of foreign byte order"):
        assert g(1) == 1.0


def test_strict_raises():
    @pydd.jit(strict=True)
    def f(x):
        return x + undefined  # noqa: F821

    with pytest.raises(pydd.CompileError, match="the name `undefined` is not defined"):
        f(1)

    @pydd.jit(strict=True)
    def g(x):
        return x.append(1)

    with pytest.raises(pydd.CompileError, match=r"test_jit\.py:\d+"):
        g(1.0)


@pytest.mark.falls_back
def test_a_file_that_changed_after_its_import(tmp_path):
    file = tmp_path / "changing.py"
    file.write_text("import pydd\n\n\n@pydd.jit\ndef f(x):\n    return x + 1\n")
    module = types.ModuleType("changing")
    exec(compile(file.read_text(), str(file), "exec"), module.__dict__)
    file.write_text("import pydd\n\n\n@pydd.jit\ndef f(x):\n    return x - 1\n")
    with pytest.warns(pydd.PyddWarning, match="its file has changed"):
        assert module.f(1) == 2


# As an object.


@pydd.jit
def both(x):
    y, z = np.empty_like(x), np.empty_like(x)
    for i in range(len(x)):
        y[i] = x[i] + 1.0
    for i in range(len(x)):
        z[i] = x[i] * 2.0
    return y, z


def test_it_looks_like_its_function():
    assert (fib.__name__, fib.__module__, fib.py_func.__name__) == ("fib", __name__, "fib")
    assert repr(fib) == "<pydd kernel fib>"
    assert "movs" in fib.inspect_asm()["int",] or "mov" in fib.inspect_asm()["int",]
    assert "def fib(n):" in fib.inspect_source()["int",]
    total(np.ones(3))
    both(np.ones(3))
    assert "vectori" in total.explain()
    first = both.py_func.__code__.co_firstlineno
    # Lines are those of this file, although the compiler sees a text of a few lines.
    assert f"the 2 loops of lines {first + 3} and {first + 5} are one" in both.explain()


def test_compiling_without_a_call():
    @pydd.jit
    def f(x, n=1):
        return x + n

    f.compile(np.ones(3))
    assert f.signatures == [("Array(float64, 1)", "int")]

    @pydd.jit
    def g(x):
        return x.nothing()

    with pytest.raises(pydd.CompileError):
        g.compile(1.0)


def test_threads_compile_once(monkeypatch):
    @pydd.jit
    def f(x):
        return x + 2

    made = []
    original = f._compiled
    monkeypatch.setattr(f, "_compiled", lambda key, watch: made.append(key) or original(key, watch))
    results = []
    threads = [threading.Thread(target=lambda: results.append(f(3))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [5] * 8 and len(made) == 1


def test_methods_of_classes_are_functions_too():
    class Holder:
        @staticmethod
        @pydd.jit
        def static(x):
            return x + 1

        @pydd.jit
        @staticmethod
        def other(x):
            return x + 2

    assert Holder.static(1) == 2 and Holder().other(1) == 3


def test_kernels_are_pickled_by_name():
    import copy
    import pickle

    assert pickle.loads(pickle.dumps(fib)) is fib
    assert copy.deepcopy(fib) is fib


def test_options():
    @pydd.jit(opt=0, strict_fp=True)
    def f(x):
        return x * 0.1 + 0.2

    same(f, 0.3)
    assert all(request.options == ("-O0", "--strict-fp") for request in [f._versions[(float,)].request])

    with pytest.raises(TypeError):
        pydd.jit(3)
    with pytest.raises(pydd.CompileError, match="no-such-option"):
        pydd.jit(options=["--no-such-option"])(fib.py_func)(3)


def test_lines_of_indented_functions():
    def make():
        @pydd.jit
        def f(x, i):
            return x[0] + x[i]

        return f

    with pytest.raises(IndexError) as caught:
        make()(np.ones(2), 7)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == "return x[0] + x[i]"


def test_texts_are_constants_of_a_version():
    @pydd.jit
    def f(x, mode="edge", n=1):
        if mode == "none":
            return x
        return np.pad(x, n, mode=mode)

    for args in [(), ("edge",), ("reflect", 2), ("none", 3), ("edge", 2)]:
        same(f, np.arange(4.0), *args)
    assert len(f.signatures) == 3

    @pydd.jit(strict=True)
    def g(x, mode):
        if mode == "a":
            mode = "b"
        return x

    with pytest.raises(
        pydd.CompileError, match="the argument `mode`, which is a constant, is given another value"
    ):
        g(1, "a")
