"""Parallel loops in real processes: threads, forks, exceptions, Ctrl-C, and results that no number of threads changes."""

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import pydd
import pydd_runtime

CASES = Path(__file__).resolve().parents[1] / "run" / "pfor"
THREADS = (1, 2, 3, 8)

SOURCE = """
import numpy as np


def total(x: Array(float64, 1)) -> float64:
    s = 0.0
    pfor i in range(len(x)):
        s += np.sin(x[i]) / (1.0 + x[i] * x[i])
    return s


def mixed(x: Array(float32, 1), k: Array(int64, 1)):
    s = np.float32(0.0)
    p = 1.0
    most = -np.inf
    bits = 0
    pfor i in range(len(x)):
        s += x[i]
        p *= 1.0 + x[i] * 1e-7
        most = max(most, x[i] * 2.0)
        bits ^= k[i] * 2654435761
    return s, p, most, bits


def histogram(k: Array(int64, 1), x: Array(float64, 1), n: int64):
    h = np.zeros(n)
    pfor i in range(len(k)):
        h[k[i]] += np.sin(x[i]) * np.exp(x[i])
    return h


def centres(x: Array(float64, 2), label: Array(int64, 1), k: int64):
    sums = np.zeros((k, x.shape[1]))
    counts = np.zeros(k, np.int64)
    pfor i in range(x.shape[0]):
        counts[label[i]] += 1
        for j in range(x.shape[1]):
            sums[label[i], j] += x[i, j]
    return sums, counts


def rows(m: Array(float64, 2)):
    out = np.zeros(m.shape[0])
    pfor i in range(m.shape[0]):
        pfor j in range(m.shape[1]):
            out[i] += np.cos(m[i, j])
    return out


def pick(a: Array(float64, 1), index: Array(int64, 1)):
    out = np.zeros(len(index))
    pfor i in range(len(index)):
        out[i] = np.sin(a[index[i]]) + np.exp(-a[index[i]])
    return out


def chosen(x: Array(int64, 1), bad: int64) -> int64:
    s = 0
    pfor i in range(len(x)):
        if x[i] >= bad:
            raise ValueError("item {x[i]} is too large")
        s += x[i] * x[i] % 7
    return s


def collected(x: Array(float64, 1), k: Array(int64, 1)):
    found = []
    halves = [0.5]
    pfor i in range(len(x)):
        if x[i] > 1.0:
            found.append(i)
        for j in range(k[i] % 3):
            halves.append(x[i] / 2.0)
    return np.array(found), np.array(halves)


def collected_pairs(n: int64, m: int64):
    found = [-1]
    pfor i in range(n):
        pfor j in range(m):
            if (i * j) % 3 == 1:
                found.append(i * m + j)
        found.append(-i)
    return np.array(found)


def collected_until(x: Array(int64, 1), bad: int64):
    found = [0]
    pfor i in range(len(x)):
        found.append(x[i])
        if x[i] >= bad:
            raise ValueError("too large")
    return len(found)


def endless(n: int64) -> float64:
    s = 0.0
    pfor i in range(n):
        for j in range(1000):
            s += np.sin(1.0 * i * j)
    return s
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    os.environ["PYDD_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))
    return pydd.load(SOURCE.replace('"item {x[i]} is too large"', '"too large"'))


@pytest.fixture(autouse=True)
def threads():
    before = pydd_runtime.get_num_threads()
    yield
    pydd_runtime.set_num_threads(before)


def big():
    rng = np.random.default_rng(7)
    x = rng.normal(size=400_000)
    k = rng.integers(0, 50, size=400_000)
    return x, k


def calls(kernels):
    x, k = big()
    m = x.reshape(400, 1000)
    label = k[:50_000] % 9
    points = x.reshape(50_000, 8)
    return {
        "total": lambda: kernels.total(x),
        "mixed": lambda: kernels.mixed(x.astype(np.float32), k),
        "histogram": lambda: kernels.histogram(k, x, 50),
        "centres": lambda: kernels.centres(points, label, 9),
        "rows": lambda: kernels.rows(m),
        "pick": lambda: kernels.pick(x, k * 7),
        "chosen": lambda: kernels.chosen(k, 50),
        "collected": lambda: kernels.collected(x, k),
        "collected_pairs": lambda: kernels.collected_pairs(300, 400),
        "collected_pairs, of few rows": lambda: kernels.collected_pairs(3, 40_000),
    }


def frozen(result):
    """Equal for results that are equal bit for bit."""
    if isinstance(result, tuple):
        return tuple(map(frozen, result))
    if isinstance(result, dict):
        return dict, tuple((frozen(key), frozen(value)) for key, value in result.items())
    if isinstance(result, set):
        return set, frozenset(map(frozen, result))
    array = np.asarray(result)
    return array.dtype.str, array.shape, array.tobytes()


def test_results_do_not_depend_on_the_number_of_threads(kernels):
    for name, call in calls(kernels).items():
        results = set()
        for n in THREADS:
            pydd_runtime.set_num_threads(n)
            results.add(frozen(call()))
            results.add(frozen(call()))
        assert len(results) == 1, name


@pytest.mark.parametrize("path", sorted(CASES.glob("*.pydd")), ids=lambda path: path.stem)
def test_cases_do_not_depend_on_the_number_of_threads(path):
    text = path.read_text()
    module = pydd.load(path)
    cases = re.findall(r"^# case: (.*)$", text, re.M)
    assert cases
    names = {**vars(module), "np": np, "nan": np.nan, "inf": np.inf}
    given = "\n".join(re.findall(r"^# given: (.*)$", text, re.M))
    for case in cases:
        results = set()
        for n in THREADS:
            pydd_runtime.set_num_threads(n)
            # A case may change what is given.
            exec(given, names)
            try:
                results.add(repr(frozen(eval(case, names))))
            except Exception as error:
                results.add(repr(error))
        assert len(results) == 1, case


def test_sums_are_right(kernels):
    x, k = big()
    expected = np.zeros(50)
    np.add.at(expected, k, np.sin(x) * np.exp(x))
    np.testing.assert_allclose(kernels.histogram(k, x, 50), expected, rtol=1e-12)
    label = k[:50_000] % 9
    sums, counts = kernels.centres(x.reshape(50_000, 8), label, 9)
    assert (counts == np.bincount(label, minlength=9)).all()
    np.testing.assert_allclose(sums[3], x.reshape(50_000, 8)[label == 3].sum(axis=0), rtol=1e-11)


def test_lists_are_in_the_order_of_iterations(kernels):
    x, k = big()
    for n in THREADS:
        pydd_runtime.set_num_threads(n)
        found, halves = kernels.collected(x, k)
        np.testing.assert_array_equal(found, np.flatnonzero(x > 1.0))
        np.testing.assert_array_equal(halves, np.append(0.5, np.repeat(x / 2.0, k % 3)))
        rows = [
            np.append(j[(i * j) % 3 == 1] + 400 * i, -i) for i, j in ((i, np.arange(400)) for i in range(300))
        ]
        np.testing.assert_array_equal(kernels.collected_pairs(300, 400), np.concatenate([[-1], *rows]))


def test_lists_of_a_loop_that_fails_are_released(kernels):
    _, k = big()

    def resident():
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    for n in THREADS:
        pydd_runtime.set_num_threads(n)
        for round in range(60):
            with pytest.raises(ValueError, match="too large"):
                kernels.collected_until(np.append(k, 50), 50)
            if round == 20:
                before = resident()
        # Each round fills lists of 3.2 MB.
        assert resident() < before + 40e6
        assert kernels.collected_until(k, 50) == len(k) + 1


def test_the_lowest_failing_iteration_is_reported(kernels):
    x, k = big()
    x, k = x[:1000], k % 1000
    for n in THREADS:
        pydd_runtime.set_num_threads(n)
        for low in (0, 17, 123_456, 399_999):
            bad = k.copy()
            bad[low] = 5000
            bad[low + 1 :: 1000] = 6000
            with pytest.raises(IndexError, match="index 5000 is out of bounds"):
                kernels.pick(x, bad)


def test_an_index_out_of_range_in_a_histogram(kernels):
    x, k = big()
    k = k.copy()
    k[300_000] = 77
    for n in THREADS:
        pydd_runtime.set_num_threads(n)
        with pytest.raises(IndexError, match="index 77 is out of bounds"):
            kernels.histogram(k, x, 50)


def test_many_python_threads_call_at_once(kernels):
    expected = {name: frozen(call()) for name, call in calls(kernels).items()}
    wrong = []

    def work():
        for name, call in calls(kernels).items():
            for _ in range(3):
                if frozen(call()) != expected[name]:
                    wrong.append(name)

    workers = [threading.Thread(target=work) for _ in range(6)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    assert not wrong


def test_the_number_of_threads_may_change_while_loops_run(kernels):
    x, _ = big()
    expected = kernels.total(x)
    stop = threading.Event()

    def change():
        while not stop.is_set():
            for n in THREADS:
                pydd_runtime.set_num_threads(n)

    changer = threading.Thread(target=change)
    changer.start()
    try:
        assert {kernels.total(x) for _ in range(50)} == {expected}
    finally:
        stop.set()
        changer.join()


def square_sum(n):
    x = np.arange(float(n))
    return FORKED.total(x)


FORKED = None


@pytest.mark.parametrize("threads_before", [1, 3])
def test_children_of_fork_run_loops(kernels, threads_before):
    global FORKED
    FORKED = kernels
    pydd_runtime.set_num_threads(threads_before)
    expected = [square_sum(n) for n in (10, 100_000, 300_000)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(square_sum, (10, 100_000, 300_000)) == expected
    assert square_sum(300_000) == expected[2]


def test_a_child_forked_while_another_thread_computes(kernels):
    x, _ = big()
    expected = kernels.total(x)
    stop = threading.Event()

    def compute():
        while not stop.is_set():
            kernels.total(x)

    worker = threading.Thread(target=compute)
    worker.start()
    try:
        for _ in range(10):
            child = os.fork()
            if child == 0:
                os._exit(0 if kernels.total(x) == expected else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        worker.join()


def python(code, **environment):
    env = {**os.environ, **environment}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, timeout=60)


def test_ctrl_c_stops_a_loop(tmp_path):
    endless = SOURCE[SOURCE.index("def endless") :]
    (tmp_path / "kernel.pydd").write_text(f"import numpy as np\n\n\n{endless}")
    module = pydd.compile(tmp_path / "kernel.pydd")
    code = f"""
import importlib.util, sys
spec = importlib.util.spec_from_file_location("kernel", {str(module)!r})
kernel = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernel)
print("ready", flush=True)
try:
    kernel.endless(2**50)
except KeyboardInterrupt:
    print("stopped", kernel.endless(10) < 1e9, flush=True)
"""
    for n in ("1", "3"):
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYDD_NUM_THREADS": n},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        assert out == "stopped True\n"
        assert process.returncode == 0


def test_the_environment_sets_the_number_of_threads():
    code = "import pydd_runtime; print(pydd_runtime.get_num_threads())"
    assert python(code, PYDD_NUM_THREADS="5").stdout == "5\n"
    available = len(os.sched_getaffinity(0))
    for value in ("", "0", "-3", "many", "2.5"):
        assert 1 <= int(python(code, PYDD_NUM_THREADS=value).stdout) <= available
    for value in ("1025", "9" * 40):
        assert python(code, PYDD_NUM_THREADS=value).stdout == "1024\n"


def test_affinity_limits_the_number_of_threads():
    code = "import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\n"
    code += "import pydd_runtime; print(pydd_runtime.get_num_threads())"
    assert python(code, PYDD_NUM_THREADS="").stdout == "1\n"


def test_numbers_of_threads_from_python():
    for module in (pydd, pydd_runtime):
        module.set_num_threads(3)
        assert pydd.get_num_threads() == pydd_runtime.get_num_threads() == 3
        with pytest.raises(ValueError):
            module.set_num_threads(0)
        with pytest.raises((ValueError, OverflowError)):
            module.set_num_threads(-1)
        with pytest.raises(TypeError):
            module.set_num_threads("2")


FOLDED = """
def doubled(a: Array(float64, 2)):
    pfor i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = a[i, j] * 2.0 + i


def halved(a: Array(float64, 1), b: Array(float64, 1)):
    pfor i in range(len(a)):
        a[i] = b[i] * 0.5 + i
"""


def test_arguments_that_overlap_themselves_run_in_order():
    """Views laid over memory by hand, elements of which lie in one place."""
    module = pydd.load(FOLDED, "folded")
    pydd_runtime.set_num_threads(5)
    laid = np.lib.stride_tricks.as_strided
    for shape, strides in (
        ((50_000, 3), (8, 8)),
        ((50_000, 4), (16, 8)),
        ((3, 50_000), (8, 8)),
        ((4, 40_000), (8, 16)),
    ):
        ours, theirs = np.ones(200_010), np.ones(200_010)
        for _ in range(2):
            module.doubled(laid(ours, shape, strides))
            view = laid(theirs, shape, strides)
            for i, j in np.ndindex(shape):
                view[i, j] = view[i, j] * 2.0 + i
            np.testing.assert_array_equal(ours, theirs)
    ours, source = np.zeros(4), np.arange(300_000.0)
    for _ in range(10):
        module.halved(laid(ours, (300_000,), (0,)), source)
        assert ours[0] == source[-1] * 0.5 + 299_999
    # Any other strides run at once, and right.
    matrix = np.ones((700, 900, 3))
    module.doubled(matrix[:, ::-2, 1].T)
    np.testing.assert_array_equal(matrix[0, ::-2, 1], 2.0 + np.arange(450))
