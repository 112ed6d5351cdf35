"""Programs in which kernels once gave something else than Python: now they give the same, compiled or not."""

import builtins
import enum
import importlib
import os
import pickle
import subprocess
import sys
import threading
import warnings

import changing
import helping
import numpy as np
import pytest

import pydd
from pydd.numba import njit

pytestmark = pytest.mark.falls_back

Err = ValueError
TEXT = "ab"
changing_N = 50


def outcome(function, *args):
    try:
        return repr(function(*args))
    except Exception as error:
        return type(error), str(error)


def agree(kernel, *args):
    """The kernel and its function in Python give the same value, or raise the same."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pydd.PyddWarning)
        got = outcome(kernel, *args)
    assert got == outcome(kernel.py_func, *args)
    return got


@pydd.jit
def renamed_exception(x):
    if x == 2:
        raise Err("two")
    if x == 3:
        raise builtins.KeyError("three")
    return x


def test_exceptions_by_other_names():
    for x in (1, 2, 3):
        agree(renamed_exception, x)
    assert renamed_exception.signatures == [("int",)]


@pydd.jit
def stores(x):
    changing.N = x
    return x


def test_an_attribute_of_a_module_is_stored(monkeypatch):
    monkeypatch.setattr(changing, "N", 1)
    agree(stores, 5)
    assert changing.N == 5


@pydd.jit
def prints(x):
    print(f"{TEXT}-{x}", (TEXT, x))
    t = (TEXT, x)
    print(t)


def test_texts_among_what_is_printed(capfd):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pydd.PyddWarning)
        prints(7)
    assert capfd.readouterr().out == "ab-7 ('ab', 7)\n('ab', 7)\n"


def test_functions_named_as_words_of_the_language():
    def prange(n):
        return range(n, 2 * n)

    def map(f, xs):
        return xs[::-1]

    @pydd.jit
    def f(n):
        s = 0
        for i in prange(n):
            s += i
        return s

    @pydd.jit
    def g(xs):
        s = 0
        for i, x in enumerate(map(f, xs)):
            s += i * x
        return s

    @pydd.jit
    def h(n):
        def filter(a, b):
            return b

        return filter(n, 3)

    agree(f, 10)
    agree(g, np.arange(4))
    agree(h, 1)


def test_prange_of_numba_is_range():
    from pydd.numba import prange

    @njit
    def f(n):
        for i in prange(n):
            last = i
        return last

    assert f(5) == 4 and f.signatures == [("int",)]


def test_zip_strict():
    @pydd.jit
    def f(a, b):
        s = 0
        for x, y in zip(a, b, strict=True):
            s += x * y
        return s

    agree(f, [1, 2], [3, 4])
    agree(f, [1, 2], [3])


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "i8", "f4", "f8", "?"])
def test_sum_of_python(dtype):
    @pydd.jit
    def f(a):
        return sum(a)

    with np.errstate(over="ignore"):
        a = np.array([100, 100, 1]).astype(dtype)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert f(a) == f.py_func(a)
            np.testing.assert_array_equal(f(a.reshape(1, 3)), f.py_func(a.reshape(1, 3)))


def test_defaults_are_computed_once():
    n = 1

    def g(x, k=n):
        return x + k

    n = 2

    @pydd.jit
    def f(x):
        return g(x) + n

    agree(f, 1)

    def h(x, k=3):
        return x + k

    @pydd.jit
    def f2(x):
        return h(x)

    assert agree(f2, 1) == "4"
    h.__defaults__ = (10,)
    assert agree(f2, 1) == "11"


def test_a_constant_array_as_an_argument():
    table = np.array([1.0, 2.0])

    @pydd.jit
    def f(a):
        a[0] = a[0] + 5.0
        return table[0]

    assert f(np.ones(2)) == 1.0
    assert f(table) == 6.0 and f(table) == 11.0


def test_constant_arrays_that_change():
    table, pair = np.array([1.0, 2.0, 3.0, 4.0]), (np.array([1.0, 2.0]), 3)
    columns = np.array([[1.0, 2.0], [3.0, 4.0]], order="F")

    @pydd.jit
    def f(x):
        return len(table) * x + pair[0][0]

    @pydd.jit
    def g(x):
        return (columns * x).ravel(order="K")

    assert f(1) == f.py_func(1) == 5.0
    table.shape = (2, 2)
    assert f(1) == f.py_func(1) == 3.0
    pair[0][0] = 9
    assert f(1) == f.py_func(1) == 11.0
    assert f.signatures == [("int",)]
    agree(g, 2.0)


@pydd.jit
def both(x):
    return x + changing.N * 10 + changing_N


@pydd.jit
def through(x):
    return changing.N + reads(x)


def reads(x):
    return x + changing_N


def test_a_name_with_a_dot_and_the_same_with_an_underscore():
    agree(both, 1)
    agree(through, 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return a - b", "return b - a"),
        ("assert a\n    return a - b", "assert a\n    return a + b"),
        (
            "if a > 5:\n        b = 1\n    a = 2\n    return a + b",
            "if a > 5:\n        b = 1\n        a = 2\n    return a + b",
        ),
        ("return [a - i for i in range(b)][0]", "return [i - a for i in range(b)][0]"),
        ("return '''x\n  y''' == b", "return '''x\n    y''' == b"),
    ],
)
@pytest.mark.parametrize("closure", [False, True])
def test_a_file_that_changed(tmp_path, before, after, closure):
    def text(body):
        if not closure:
            return f"def f(a, b):\n    {body}\n"
        lines = f"def f(a, b):\n    {body}".replace("return ", "return k, ").split("\n")
        return "def make(k):\n" + "".join(f"    {line}\n" for line in lines) + "    return f\nf = make(1)\n"

    file = tmp_path / "edited.py"
    file.write_text(text(before))
    space = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    file.write_text(text(after))
    kernel = pydd.jit(space["f"])
    with pytest.warns(pydd.PyddWarning, match="its file has changed"):
        assert kernel(7, 2) == space["f"](7, 2)


def test_loops_whose_jumps_are_long(tmp_path):
    # How calls of a module's functions look in bytecode depends on its imports, and so does which jumps need a longer form.
    file = tmp_path / "long_loops.py"
    functions = [
        f"def f{extra}(x):\n    s = 0\n    for i in range(3):\n"
        + "        s += math.floor(x) + i\n" * 7
        + "        s += i\n" * extra
        + "    return s\n"
        for extra in range(20)
    ]
    file.write_text("import math\n" + "".join(functions))
    space = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    for extra in range(20):
        function = space[f"f{extra}"]
        assert pydd.jit(function, strict=True)(2.5) == function(2.5)


def test_equal_functions_of_two_files(tmp_path):
    kernels = []
    for name in ("twin_a", "twin_b"):
        file = tmp_path / f"{name}.py"
        file.write_text("def f(x, i):\n    return x[i]\n")
        space = {}
        exec(compile(file.read_text(), str(file), "exec"), space)
        kernels.append((str(file), pydd.jit(space["f"])))
    for file, kernel in kernels:
        with pytest.raises(IndexError) as caught:
            kernel(np.ones(2), 5)
        traceback = caught.value.__traceback__
        while traceback.tb_next:
            traceback = traceback.tb_next
        assert traceback.tb_frame.f_code.co_filename == file


def test_texts_of_several_lines_keep_their_blanks(capfd):
    @pydd.jit(strict=True)
    def f(x):
        print("""a
          b""")
        return x

    f(1)
    assert capfd.readouterr().out == "a\n          b\n"


def test_objects_that_hold_a_function():
    class Negated:
        def __init__(self, function):
            self.py_func = function

        def __call__(self, x):
            return -self.py_func(x)

    negated = Negated(helping.scaled)

    @pydd.jit
    def f(x):
        return negated(x)

    agree(f, 1)


def test_kernels_with_annotations_convert():
    @pydd.kernel
    def narrow(x: np.int8) -> np.int8:
        return x + 1

    @pydd.jit
    def f(x):
        return narrow(x)

    assert f(127) == narrow(127)


def test_lists_of_integers_and_floats():
    @pydd.jit
    def f(a):
        a.reverse()
        return a[0]

    xs = [1, 2.5, 2**53 + 1]
    assert f(xs) == 2**53 + 1
    assert [type(x) for x in xs] == [int, float, int]


def test_assertions_that_python_leaves_out(tmp_path):
    file = tmp_path / "asserting.py"
    file.write_text("import pydd\n@pydd.jit\ndef f(x):\n    assert x > 0\n    return x\nprint(f(-1))\n")
    result = subprocess.run([sys.executable, "-W", "ignore", "-O", file], capture_output=True, text=True)
    assert (result.stdout, result.returncode) == ("-1\n", 0), result.stderr


def test_a_variable_around_that_has_no_value():
    def make():
        @pydd.jit
        def f(x):
            return x + changing_N

        if f is None:
            changing_N = 1
        return f

    assert agree(make(), 1)[0] is NameError


def test_members_of_enumerations():
    class Number(enum.IntEnum):
        A = 1

    class Plain(enum.Enum):
        B = 2

    @pydd.jit
    def f(x):
        return x == Number.A

    @pydd.jit
    def g(x):
        return x, Plain.B

    agree(f, 1)
    agree(g, 1)


def test_a_list_that_holds_itself():
    @pydd.jit
    def f(xs):
        return len(xs)

    xs = [1]
    xs.append(xs)
    agree(f, xs)


def test_arguments_of_strange_types():
    class Nameless:
        __module__ = None

    @pydd.jit
    def f(x):
        return type(x).__name__

    agree(f, Nameless())


def test_other_names_of_functions():
    def f(x):
        return x + 1

    f.__name__ = "other"
    assert agree(pydd.jit(f), 1) == "2"


def test_tried_again_when_a_name_changes(monkeypatch):
    monkeypatch.setattr(changing, "N", [1])

    @pydd.jit
    def f(x):
        return x if isinstance(changing.N, list) else x + changing.N

    agree(f, 1)
    assert f.signatures == []
    monkeypatch.setattr(changing, "N", 5)
    agree(f, 1)
    assert f.signatures == [("int",)]


def test_texts_that_are_all_different():
    @pydd.jit
    def f(x, text):
        return x if text == "a" else x + 1

    @pydd.jit
    def g(xs):
        return len(xs)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(10):
            assert g([str(i)]) == 1
    assert len(g._versions) == 1


def test_compile_raises_where_a_function_runs_in_python():
    @pydd.jit
    def f(x):
        try:
            return x
        except ValueError:
            return x

    agree(f, 1)
    with pytest.raises(pydd.CompileError, match="`try`"):
        f.compile(1)


def test_a_child_that_is_forked_while_a_kernel_compiles():
    @pydd.jit
    def f(x):
        return x + 1

    with f._lock:
        child = os.fork()
        if child == 0:
            done = threading.Event()
            threading.Thread(target=lambda: (f(1), done.set()), daemon=True).start()
            os._exit(0 if done.wait(30) else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_kernels_of_the_main_module_go_to_other_processes(tmp_path):
    file = tmp_path / "pooled.py"
    file.write_text(
        "import multiprocessing, sys, pydd\n"
        "@pydd.jit\ndef f(x):\n    return x + 1\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:\n"
        "        print(pool.map(f, [1, 2]))\n"
    )
    for how in ("fork", "spawn"):
        result = subprocess.run([sys.executable, file, how], capture_output=True, text=True)
        assert result.stdout == "[2, 3]\n", result.stderr


def test_pickling_by_name():
    module = importlib.import_module(__name__)
    assert pickle.loads(pickle.dumps(module.both)) is both


def test_a_function_that_is_named_as_python_names_modules():
    """Its own table of symbols is taken for a module's, in which all names are global."""

    @pydd.jit(strict=True)
    def top(x, k):
        total = 0.0
        for i in range(k):
            total += x[i]
        return total + np.float64(k)

    x = np.arange(4.0)
    assert top(x, 3) == top.py_func(x, 3) == 6.0
