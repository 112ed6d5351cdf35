"""Kernels in other processes: by name where those find them, else by value."""

import copy
import gc
import linecache
import os
import pickle
import platform
import subprocess
import sys
import textwrap
import weakref

import cloudpickle
import numpy as np
import pytest

import pydd
from pydd_runtime import _pickle

SOURCE = """
class Diverged(Exception):
    pass

def scale(x: Array(float64, 1), by: float64 = 2.0) -> Array(float64, 1):
    if by < 0:
        raise Diverged("below zero")
    return x * by

def bump(i: int64) -> int64:
    return i + 1

@vectorize
def hyp(a: float64, b: float64) -> float64:
    return sqrt(a * a + b * b)
"""


@pytest.fixture(scope="module")
def module():
    return pydd.load(SOURCE)


def elsewhere(code, sent, protocol=pickle.HIGHEST_PROTOCOL, **env):
    """What a new process prints that has the sent objects as `got`."""
    code = "import pickle, sys\ngot = pickle.loads(sys.stdin.buffer.read())\n" + textwrap.dedent(code)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        input=sent if isinstance(sent, bytes) else pickle.dumps(sent, protocol),
        capture_output=True,
        env={**os.environ, **env},
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_modules_and_functions_go_by_value(module, protocol):
    code = """
        import numpy as np
        module, scale, bump, hyp = got
        assert module.scale is scale and module.bump is bump and module.hyp is hyp
        print(scale(np.ones(2)).tolist(), bump(4), hyp([3.0, 5.0], [4.0, 12.0]).tolist(), "pydd" in sys.modules)
        try:
            scale(np.ones(2), by=-1.0)
        except module.Diverged as error:
            again = pickle.loads(pickle.dumps(error))
            print(type(again) is module.Diverged, again)
    """
    sent = module, module.scale, module.bump, module.hyp
    assert elsewhere(code, sent, protocol) == "[2.0, 2.0] 5 [5.0, 13.0] False\nTrue below zero"


def test_they_are_sent_on(module):
    code = "sys.stdout.write(pickle.dumps(got).hex())"
    sent = bytes.fromhex(elsewhere(code, module.bump))
    # Here it comes home.
    assert pickle.loads(sent) is module.bump
    assert elsewhere("print(got(1))", sent) == "2"


def test_a_round_trip_gives_the_same_objects(module):
    for each in (module, module.scale, module.hyp):
        assert pickle.loads(pickle.dumps(each)) is each
        assert cloudpickle.loads(cloudpickle.dumps(each)) is each
    for each in (module.scale, module.hyp):
        assert copy.copy(each) is each and copy.deepcopy(each) is each


def test_what_is_sent_is_what_was_loaded(tmp_path):
    """Its file may be replaced or taken away meanwhile."""
    source = tmp_path / "one.pydd"
    source.write_text("def f() -> int64:\n    return 1\n")
    output = pydd.compile(source)
    one = _pickle.import_file("one", output)
    source.write_text("def f() -> int64:\n    return 2\n")
    pydd.compile(source)
    assert elsewhere("print(got())", one.f) == "1"
    output.unlink()
    assert elsewhere("print(got())", one.f) == "1"


def test_wrong_bytes_are_refused_before_they_run(module):
    version, name, machine, digest, content = _pickle.sent(module)
    broken = content[:-1] + bytes([content[-1] ^ 1])
    with pytest.raises(pickle.UnpicklingError, match="are not those that were sent"):
        _pickle.loaded(version, name, machine, digest, broken)
    with pytest.raises(pickle.UnpicklingError, match="install the same one on both sides"):
        _pickle.loaded(version + 1, name, machine, digest, content)
    with pytest.raises(ImportError, match=f"was compiled for sparc64, and this is {platform.machine()}"):
        _pickle.loaded(version, name, "sparc64", digest, content)
    with pytest.raises(pickle.PicklingError, match="nothing is known of the file"):
        pickle.dumps(_pickle.Module("made_up"))


def test_many_modules_are_told_apart_and_leave_no_file_open(tmp_path):
    """The loader of libraries takes a path that it has seen for the library that it knows, and numbers of files are used again."""
    sent = [
        pickle.dumps(pydd.load(f"def f() -> int64:\n    return {k}\n", options=["-O0"]).f) for k in range(20)
    ]
    code = """
        import ctypes, os  # libffi of newer systems keeps a file of its own open
        before = len(os.listdir("/proc/self/fd"))
        functions = [pickle.loads(each) for each in got]
        print([f() for f in functions], len(os.listdir("/proc/self/fd")) - before)
    """
    assert elsewhere(code, sent) == f"{list(range(20))} 0"


@pytest.mark.parametrize("missing", ["del os.memfd_create", "os.path.exists = lambda path: False"])
def test_without_files_in_memory(module, missing):
    code = f"""
        import os
        {missing}
        print(pickle.loads(got[0])(1))
    """
    assert elsewhere(code, [pickle.dumps(module.bump)]) == "2"


def test_threads_get_one_module(module):
    code = """
        import threading
        found, start = [], threading.Barrier(8)

        def load():
            start.wait()
            found.append(pickle.loads(got[0]))

        threads = [threading.Thread(target=load) for _ in range(8)]
        [each.start() for each in threads]
        [each.join() for each in threads]
        print(len(set(map(id, found))), found[0](1))
    """
    assert elsewhere(code, [pickle.dumps(module.bump)]) == "1 2"


def test_what_is_imported_by_name_goes_by_name(tmp_path, monkeypatch):
    (tmp_path / "named.pydd").write_text(SOURCE)
    pydd.compile(tmp_path / "named.pydd")
    monkeypatch.syspath_prepend(tmp_path)
    import named

    sent = pickle.dumps((named.bump, named.hyp))
    assert len(sent) < 100 and pickle.loads(sent)[0] is named.bump
    assert elsewhere("print(got[0](1), got[1](3, 4))", sent, PYTHONPATH=str(tmp_path)) == "2 5.0"
    # Python's own are what they were.
    assert pickle.loads(pickle.dumps((len, np.add))) == (len, np.add)


def test_modules_of_the_import_hook_go_by_value(tmp_path):
    (tmp_path / "hooked.pydd").write_text(SOURCE)
    (tmp_path / "main.py").write_text(
        "import pydd.auto, hooked, pickle, sys\n"
        "sys.stdout.buffer.write(pickle.dumps((hooked, hooked.bump, hooked.hyp)))\n"
    )
    done = subprocess.run([sys.executable, "main.py"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert elsewhere("print(got[0].bump(1), got[1](2), got[2](3, 4))", done.stdout) == "2 3 5.0"


SCRIPT = """
import json, multiprocessing, os, sys, warnings
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from joblib import Parallel, delayed

import pydd

warnings.simplefilter("error")
BY = 3.0
tools = pydd.load("def double(x: float64) -> float64:\\n    return x * 2\\n")

def helper(x):
    return x * BY

@pydd.jit
def total(a):
    s = 0.0
    for i in range(a.shape[0]):
        s += helper(a[i])
    return s

@pydd.jit
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

@pydd.jit
def even(n):
    return True if n == 0 else odd(n - 1)

@pydd.jit
def odd(n):
    return False if n == 0 else even(n - 1)

@pydd.kernel
def first(a: "Array(float64, 1)") -> "float64":
    return a[0]

@pydd.vectorize
def plus(a: "float64", b: "float64") -> "float64":
    return a + b * BY

def around(by):
    @pydd.jit
    def inner(x):
        return x + by
    return inner

def task(a):
    warnings.simplefilter("error")
    values = [total(a), fib(10), even(7), first(a), float(plus(1.0, 2.0)), tools.double(2.0)]
    assert os.getpid() != parent
    return [float(each) for each in values], [len(each.signatures) for each in (total, fib, even, first)]

parent = os.getpid()

def main():
    a = np.arange(4.0)
    wanted = [[18.0, 55.0, 0.0, 0.0, 7.0, 4.0], [1, 1, 1, 1]]
    if sys.argv[1] == "called":
        assert total(a) == 18 and fib(10) == 55 and not even(7) and first(a) == 0 and around(2)(1) == 3
    for _ in range(2):
        assert list(map(list, Parallel(2)(delayed(task)(a) for _ in range(3)))) == [wanted] * 3
    assert Parallel(2)(delayed(around(by))(1) for by in (1, 2, 3)) == [2, 3, 4]
    assert Parallel(2)(delayed(f)(x) for f, x in [(total, a), (fib, 5), (plus.outer, 1)][:2]) == [18.0, 5]
    assert Parallel(2)(delayed(plus)(x, 1.0) for x in (1.0, 2.0)) == [4.0, 5.0]
    for method in ("fork", "spawn", "forkserver"):
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as pool:
            got = [pool.submit(f, x).result() for f, x in [(total, a), (fib, 5), (tools.double, 1.0), (plus, 1.0)][:3]]
            assert got == [18.0, 5, 2.0] and pool.submit(plus, 1.0, 1.0).result() == 4.0
    print("all right")

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("when", ["called", "new"])
def test_kernels_of_a_script_in_workers(tmp_path, when):
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run([sys.executable, "script.py", when], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "all right\n", done.stderr


def in_a_new_file(tmp_path, text):
    """The variables of a script, whose file is gone."""
    file = tmp_path / "gone.py"
    file.write_text(text)
    space = {"__name__": "__main__", "__file__": str(file)}
    exec(compile(text, str(file), "exec"), space)
    linecache.getlines(str(file))
    return space, file


KERNELS = """
import pydd

def helper(x):
    return x * 3

@pydd.jit
def triple(x):
    return helper(x)
"""


def test_neither_source_nor_compiler_are_needed_where_it_was_compiled(tmp_path, monkeypatch):
    space, file = in_a_new_file(tmp_path, KERNELS)
    triple = space["triple"]
    assert triple(2) == 6
    sent = cloudpickle.dumps(triple)
    file.unlink()
    code = """
        import pydd._compiler
        pydd._compiler.find_compiler = lambda: exec("raise FileNotFoundError('no compiler')")
        print(got(5), got.signatures, got.__name__, got.__qualname__)
        sent = __import__("cloudpickle").dumps(got)
        print(pickle.loads(sent)(6))
        try:
            got(2.5)
        except FileNotFoundError as error:
            print(error)
    """
    empty = {"PYDD_CACHE_DIR": str(tmp_path / "empty")}
    assert elsewhere(code, sent, **empty) == "15 [('int',)] triple triple\n18\nno compiler"
    # Other types are compiled there, of the lines that were sent.
    assert elsewhere("print(got(2.5), got.signatures)", sent) == "7.5 [('float',)]"


def test_code_for_another_machine_is_made_again(tmp_path):
    space, _ = in_a_new_file(tmp_path, KERNELS)
    triple = space["triple"]
    assert triple(2) == 6
    code = """
        from pydd import _build
        for key, (version, name, machine, *others) in list(_build._SENT.items()):
            _build.expect(key, (version, name, "sparc64", *others))
        print(len(_build._SENT), got(5), got.signatures)
    """
    assert elsewhere(code, cloudpickle.dumps(triple)) == "1 15 [('int',)]"


def test_two_states_of_a_cell_are_told_apart(tmp_path):
    sent = []
    for factor in (3, 4):
        space, file = in_a_new_file(tmp_path, KERNELS.replace("x * 3", f"x * {factor}"))
        file = file.rename(tmp_path / f"gone_{factor}.py")
        text = file.read_text()
        exec(compile(text, str(file), "exec"), space)
        linecache.getlines(str(file))
        sent.append(cloudpickle.dumps(space["triple"]))
        file.unlink()
    code = "one, other = map(pickle.loads, got)\nprint(other(5), one(5), one(2.5), one.signatures)"
    assert elsewhere(code, sent) == "20 15 7.5 [('int',), ('float',)]"


def test_a_kernel_that_was_not_called_is_compiled_there(tmp_path):
    space, file = in_a_new_file(tmp_path, KERNELS)
    sent = cloudpickle.dumps(space["triple"])
    file.unlink()
    assert elsewhere("print(got(5), got.signatures)", sent) == "15 [('int',)]"


def test_modules_that_are_to_go_by_value(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(KERNELS)
    monkeypatch.syspath_prepend(tmp_path)
    import mine

    assert len(cloudpickle.dumps(mine.triple)) < 100
    cloudpickle.register_pickle_by_value(mine)
    try:
        assert elsewhere("print(got(5), got.signatures)", cloudpickle.dumps(mine.triple)) == "15 [('int',)]"
    finally:
        cloudpickle.unregister_pickle_by_value(mine)


def test_kernels_are_not_kept_alive():
    @pydd.jit
    def f(x):
        return x

    assert f(1) == 1
    cloudpickle.loads(cloudpickle.dumps(f))
    found = weakref.ref(f)
    del f
    gc.collect()
    assert found() is None


def test_functions_are_collected_with_their_modules():
    module = pydd.load("def f() -> int64:\n    return 77\n", name="collected_module")
    function = weakref.ref(module.f)
    del module, sys.modules["collected_module"]
    gc.collect()
    assert function() is None
