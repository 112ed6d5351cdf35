"""Exceptions, tracebacks, printing, signals, threads, fork, and memory."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import traceback

import kernels
import numpy as np
import pytest

import pydd_runtime


def test_an_exception_has_the_kernels_place():
    with pytest.raises(IndexError) as error:
        kernels.fail(0, 7)
    assert str(error.value) == "index 7 is out of bounds for axis 0 with size 3"
    last = traceback.extract_tb(error.value.__traceback__)[-1]
    assert (last.filename, last.lineno, last.name) == ("/nowhere/kernels.pydd", 3, "fail")
    if sys.version_info >= (3, 11):
        assert (last.colno, last.end_colno) == (4, 8)


def test_the_traceback_shows_the_source(tmp_path):
    with pytest.raises(IndexError) as error:
        kernels.fail(0, 7)
    text = "".join(traceback.format_exception(error.value))
    assert 'File "/nowhere/kernels.pydd", line 3, in fail' in text


def test_exceptions_without_message_and_of_libraries():
    with pytest.raises(AssertionError) as error:
        kernels.fail(1, 0)
    assert error.value.args == ()
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        kernels.fail(3, 0)
    with pytest.raises(SystemError):
        kernels.fail(1000, 0)


def test_an_exception_leaves_no_cycle():
    gc.collect()
    gc.disable()
    try:
        for _ in range(10):
            try:
                kernels.fail(0, 1)
            except IndexError:
                pass
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_absurd_sizes():
    with pytest.raises(MemoryError) as error:
        kernels.zeros(10**18)
    assert str(error.value) == "Unable to allocate 6.94 EiB for an array with shape (1000000000000000000,)"
    assert traceback.extract_tb(error.value.__traceback__)[-1].lineno == 13
    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        kernels.zeros(-1)
    with pytest.raises(ValueError, match="array is too big"):
        kernels.zeros(2**62)


def test_endless_recursion_is_an_exception_on_every_thread():
    assert kernels.dive(1000) == 1000

    def dive():
        with pytest.raises(RecursionError):
            kernels.dive(2**60)
        done.append(1)

    done = []
    dive()
    threads = [threading.Thread(target=dive) for _ in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len(done) == 4


def test_print_is_pythons(capsys):
    a = np.arange(3.0)
    kernels.say(a[::-1], "né")
    print("né", 7, np.float32(0.1), 1e100, True, a[::-1], sep="|")
    mine, theirs = capsys.readouterr().out.splitlines()
    assert mine == theirs


def test_an_exception_of_print_comes_through(monkeypatch):
    class Broken:
        def write(self, text):
            raise OSError("no disk")

    monkeypatch.setattr(sys, "stdout", Broken())
    with pytest.raises(OSError, match="no disk"):
        kernels.say(np.ones(1), "x")
    with pytest.raises(OSError, match="no disk"):
        kernels.say_in_parallel(50)


def test_parallel_kernels_may_print_while_the_caller_holds_the_gil(capsys):
    kernels.say_in_parallel(50)
    assert sorted(map(int, capsys.readouterr().out.split())) == list(range(50))


def test_results_do_not_depend_on_the_number_of_threads():
    before = pydd_runtime.get_num_threads()
    results = set()
    for n in (1, 2, 5):
        pydd_runtime.set_num_threads(n)
        assert pydd_runtime.get_num_threads() == n
        results.add(kernels.harmonic(10**6))
    pydd_runtime.set_num_threads(before)
    assert len(results) == 1
    with pytest.raises(ValueError):
        pydd_runtime.set_num_threads(0)


def test_calls_from_many_threads():
    expected = kernels.harmonic(10**6)
    results = []
    threads = [threading.Thread(target=lambda: results.append(kernels.harmonic(10**6))) for _ in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert results == [expected] * 8


def test_a_forked_child_computes_in_parallel():
    expected = kernels.harmonic(10**6)
    child = os.fork()
    if child == 0:
        os._exit(0 if kernels.harmonic(10**6) == expected else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize(
    "call", ["spin(60)", "spin_in_parallel(60000)", "spin_small(__import__('numpy').ones(3), 60)"]
)
def test_control_c_stops_a_kernel(call):
    program = f"import kernels; print('ready', flush=True); kernels.{call}"
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Where the tests themselves run in the background, it would be ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, text = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in text and "kernels.pydd" in text
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("call", [lambda: kernels.spin(0.5), lambda: kernels.spin_small(np.ones(3), 0.5)])
def test_the_gil_is_free_during_a_long_kernel(call):
    done = threading.Event()
    thread = threading.Thread(target=lambda: (call(), done.set()))
    thread.start()
    count = 0
    while not done.is_set():
        count += 1
        time.sleep(0.01)
    thread.join()
    assert count > 10


def rss():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def calls():
    a = np.arange(1000.0)
    x = list(range(100))
    yield "fresh", lambda: kernels.zeros(1000)
    yield "big", lambda: kernels.zeros(20_000)
    yield "view", lambda: kernels.tail(a)
    yield "tuple", lambda: kernels.pair(a)
    yield "whole", lambda: kernels.whole(a)
    yield "lists", lambda: kernels.squares(20)
    yield "list", lambda: kernels.extend([0], [1, 2])
    yield "scalar", lambda: kernels.echo_f32(1.5)
    yield "bad item", lambda: kernels.extend(x, ["a"])
    yield "error", lambda: kernels.fail(0, 1)
    yield "memory error", lambda: kernels.zeros(10**18)
    yield "refusal", lambda: kernels.total(x)
    yield "interface", lambda: kernels.total(a.view(np.recarray))


@pytest.mark.parametrize("name, call", list(calls()), ids=lambda v: v if isinstance(v, str) else "")
def test_memory_stays_flat(name, call):
    def run(n):
        for _ in range(n):
            try:
                call()
            except (IndexError, MemoryError, TypeError):
                pass

    run(2000)
    before = rss()
    run(100_000 if name in ("fresh", "view", "error", "tuple") else 20_000)
    assert rss() - before < 2 << 20


def run(program, prefix=""):
    command = f"{prefix} exec {sys.executable} -c '{program}'"
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)


def test_print_may_call_kernels():
    program = """
import sys, kernels, numpy as np
class Out:
    def write(self, text):
        kernels.harmonic(10**6)
        kernels.total_free(np.ones(10**5))
        real.write(text)
    def flush(self):
        real.flush()
real, sys.stdout = sys.stdout, Out()
kernels.say(np.ones(2), "a")
kernels.say_in_parallel(10)
"""
    done = run(program)
    assert done.returncode == 0 and "a|7|0.1|1e+100|True|[1. 1.]" in done.stdout, done.stderr


@pytest.mark.parametrize("limit", ["unlimited", "1024", "65536"])
def test_endless_recursion_for_any_stack_limit(limit):
    program = """
import kernels, threading
def dive():
    try: kernels.dive(2**60)
    except RecursionError: print("stopped")
dive()
threading.stack_size(128 << 10)
t = threading.Thread(target=dive)
t.start()
t.join()
"""
    done = run(program, f"ulimit -s {limit} 2>/dev/null;")
    assert done.stdout == "stopped\nstopped\n", done.stderr


def test_free_threaded_builds_are_refused():
    done = run("import sysconfig; sysconfig.get_config_var = lambda name: 1\nimport pydd_runtime")
    assert "ImportError: pydd_runtime does not support free-threaded Python yet" in done.stderr


def test_the_number_of_threads_comes_from_the_environment():
    done = run("from pydd_runtime import _runtime as r; print(r.get_num_threads())", "PYDD_NUM_THREADS=3")
    assert done.stdout == "3\n"
