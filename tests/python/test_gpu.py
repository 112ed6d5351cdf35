"""What Python sees of GPUs, under the driver of `tests/fakecuda`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the driver and the libraries that it has functions of; or that of a card's own driver, as `PYDD_TEST_DRIVER` says."""
    if card := os.environ.get("PYDD_TEST_DRIVER"):
        return Path(card)
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "pydd-fakecuda"], cwd=ROOT, check=True)
    folder = tmp_path_factory.mktemp("driver")
    for name in ("libcuda.so.1", "libcublas.so.12", "libcufft.so.11"):
        (folder / name).symlink_to(TARGET / "release" / "libfakecuda.so")
    return folder


def run(code: str, **variables: str) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, done.stderr


LIST = "import pydd; print(pydd.devices())"


def test_devices_are_listed(driver: Path) -> None:
    out, said = run(
        LIST, LD_LIBRARY_PATH=str(driver), FAKECUDA_DEVICES="2", FAKECUDA_SM="86", FAKECUDA_DRIVER="12.4"
    )
    one = "compute_capability=(8, 6), memory=1073741824, driver=(12, 4))"
    assert out == (
        f"[Device(index=0, name='fakecuda device 0', {one}, Device(index=1, name='fakecuda device 1', {one}]\n"
    )
    assert said == ""


def test_without_a_card_the_list_is_empty(driver: Path) -> None:
    assert run(LIST, LD_LIBRARY_PATH=str(driver), FAKECUDA_DEVICES="0") == ("[]\n", "")
    assert run(LIST, LD_LIBRARY_PATH="") == ("[]\n", "")


def test_modules_without_kernels_look_for_no_driver(driver: Path, tmp_path: Path) -> None:
    (tmp_path / "plain.pydd").write_text("def twice(x: float64) -> float64:\n    return 2.0 * x\n")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        f"import pydd; pydd.compile({str(tmp_path / 'plain.pydd')!r})\n"
        "import plain; assert plain.twice(2.0) == 4.0\n"
        "print('cuda' in open('/proc/self/maps').read())\n"
        "pydd.devices()\n"
        "print('cuda' in open('/proc/self/maps').read())"
    )
    out, said = run(code, LD_LIBRARY_PATH=str(driver), PYDD_DEVICE="gpu")
    assert (out, said) == ("False\nTrue\n", "")


SOURCE = """
import numpy as np


def steps(u: Array(float64, 1), n: int64) -> float64:
    v = np.empty_like(u)
    m = len(u)
    for t in range(n):
        pfor i in range(1, m - 1):
            v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1])
        pfor i in range(1, m - 1):
            u[i] = v[i]
    return u[1] + u[m // 2]


def then_fails(u: Array(float64, 1), idx: Array(int64, 1)):
    pfor i in range(len(u)):
        u[i] = 2.0 * u[i]
    pfor i in range(len(idx)):
        u[i] = u[idx[i]]


def a_half(u: Array(float64, 1), first: int64, n: int64):
    for t in range(n):
        pfor i in range(first, len(u), 2):
            u[i] = u[i] + 1.0


def made_here(u: Array(float64, 1)) -> float64:
    w = np.zeros(len(u))
    pfor i in range(len(u)):
        w[i] += u[i]
    x = np.empty(len(u))
    pfor i in range(len(u)):
        x[i] = w[i] * w[i]
    pfor i in range(len(u)):
        w[i] = x[i] - u[i]
    s = 0.0
    for i in range(3):
        s += w[i]
    return s


def with_borders(u: Array(float64, 1), n: int64):
    for t in range(n):
        u[1:-1] += 0.1 * (u[2:] + u[:-2])
        u[0] = u[1]
        u[-1] = 0.5


def with_rows_at_the_border(u: Array(float64, 2), n: int64):
    for t in range(n):
        u[1:-1, 1:-1] += 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1])
        u[0, :] = u[1, :]
        u[:, -1] = u[:, -2]


def until_small(u: Array(float64, 1), limit: float64) -> int64:
    # An element is read in each step.
    steps = 0
    while abs(u[3]) > limit:
        u[:] = 0.5 * u
        steps += 1
    return steps


def softmax(x: Array(float64, 2)) -> Array(float64, 2):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def of_a_vector(x: Array(float64, 1), a: Array(float64, 2)) -> Array(float64, 1):
    return x @ a


def of_planes(a: Array(float64, 3)) -> Array(float64, 3):
    return np.sqrt(a) + 1.0
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `kernels`, compiled for devices."""
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "kernels.pydd").write_text(SOURCE)
    code = f"import pydd; pydd.compile({str(folder / 'kernels.pydd')!r}, options=['--gpu'])"
    run(code)
    return folder


def call(module: Path, driver: Path, code: str) -> tuple[str, list[str]]:
    """What is printed, and what the log has of copies of whole arrays (8,000 elements)."""
    start = (
        f"import sys; sys.path.insert(0, {str(module)!r})\n"
        "import kernels, numpy as np\n"
        "u = np.sin(np.arange(20_000.0))\n"
    )
    environment = {"LD_LIBRARY_PATH": str(driver), "PYDD_DEVICE": "gpu", "PYDD_LOG": "gpu"}
    out, said = run(start + code, **environment)
    lines = [line.removeprefix("pydd gpu: ") for line in said.splitlines()]
    return out, [line for line in lines if "160000" in line or line.startswith("launch")]


def test_a_call_copies_each_array_once(driver: Path, module: Path) -> None:
    code = """
w = u.copy()
r = kernels.steps(u, 5)
for t in range(5):
    w[1:-1] = 0.5 * w[1:-1] + 0.25 * (w[:-2] + w[2:])
print(np.array_equal(u, w), r == w[1] + w[len(w) // 2])
"""
    out, log = call(module, driver, code)
    assert out == "True True\n"
    # The other array is made in the function: it is never copied.
    assert log[0] == "copy of 160000 bytes to the device"
    assert log[-1] == "copy of 160000 bytes from the device"
    assert len(log) == 12


def test_loops_are_not_waited_for(driver: Path, module: Path) -> None:
    start = f"import sys; sys.path.insert(0, {str(module)!r})\nimport kernels, numpy as np\n"
    code = "u = np.sin(np.arange(20_000.0)); w = u.copy(); kernels.with_borders(u, 50); borders(w, 50)\n"
    out, said = run(
        start + BORDERS + code + "print(np.allclose(u, w, rtol=1e-12))",
        LD_LIBRARY_PATH=str(driver),
        PYDD_DEVICE="gpu",
        PYDD_LOG="gpu",
    )
    assert out == "True\n"
    assert said.count("launch of") >= 100
    # After the first few by the clock; how many that are, the machine says.
    assert 1 <= said.count("wait for") <= 50


BORDERS = """
def borders(u, n):
    for t in range(n):
        u[1:-1] += 0.1 * (u[2:] + u[:-2])
        u[0] = u[1]
        u[-1] = 0.5
def rows_at_the_border(u, n):
    for t in range(n):
        u[1:-1, 1:-1] += 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1])
        u[0, :] = u[1, :]
        u[:, -1] = u[:, -2]
"""


def test_borders_are_written_there(driver: Path, module: Path) -> None:
    code = """
w = u.copy()
kernels.with_borders(u, 3)
borders(w, 3)
print(np.allclose(u, w, rtol=1e-14))
"""
    out, log = call(module, driver, BORDERS + code)
    assert out == "True\n"
    assert sum("copy" in line for line in log) == 2


def test_rows_at_the_border_stay_there(driver: Path, module: Path) -> None:
    code = """
u = u.reshape(200, 100)
w = u.copy()
kernels.with_rows_at_the_border(u, 3)
rows_at_the_border(w, 3)
print(np.allclose(u, w, rtol=1e-14))
"""
    out, log = call(module, driver, BORDERS + code)
    assert out == "True\n"
    assert sum("copy" in line for line in log) == 2


def test_borders_of_small_arrays(driver: Path, module: Path) -> None:
    code = """
for n in (2, 3, 10, 1000):
    v = np.cos(np.arange(float(n)))
    w = v.copy()
    kernels.with_borders(v, 2)
    borders(w, 2)
    print(np.allclose(v, w, rtol=1e-14))
for shape in ((2, 2), (3, 5), (40, 30)):
    v = np.cos(np.arange(float(shape[0] * shape[1]))).reshape(shape)
    w = v.copy()
    kernels.with_rows_at_the_border(v, 2)
    rows_at_the_border(w, 2)
    print(np.allclose(v, w, rtol=1e-14))
try:
    kernels.with_borders(np.zeros(0), 1)
except IndexError as error:
    print(error)
"""
    out, _ = call(module, driver, BORDERS + code)
    assert out == "True\n" * 7 + "index 1 is out of bounds for axis 0 with size 0\n"


def test_one_element_comes_back_alone(driver: Path, module: Path) -> None:
    code = """
w = u.copy()
steps = kernels.until_small(u, 0.02)
print(steps, np.array_equal(u, w * 0.5 ** steps))
"""
    out, log = call(module, driver, code)
    assert out == "3 True\n"
    assert sum("copy" in line for line in log) == 2


def test_an_element_that_is_read_often_brings_all(driver: Path, module: Path) -> None:
    code = "u[3] = 1.0\nprint(kernels.until_small(u, 1e-12))"
    out, log = call(module, driver, code)
    assert out == "40\n"
    # A loop stands between each two reads.
    assert sum("copy" in line for line in log) == 2


def test_rows_and_planes_run_there(driver: Path, module: Path) -> None:
    code = """
import pydd
x = u.reshape(200, 100)
e = np.exp(x - x.max(axis=1, keepdims=True))
there = pydd.device_array(x)
print(np.allclose(kernels.softmax(there), e / e.sum(axis=1, keepdims=True), rtol=1e-13))
print(np.allclose(kernels.of_a_vector(pydd.device_array(u[:200].copy()), there), u[:200] @ x, rtol=1e-12))
planes = abs(u).reshape(20, 25, 40)
print(np.array_equal(kernels.of_planes(pydd.device_array(planes)), np.sqrt(planes) + 1.0))
"""
    out, log = call(module, driver, code)
    assert out == "True\n" * 3
    launches = [line for line in log if line.startswith("launch")]
    assert len(launches) == 6


def test_what_a_function_makes_is_copied_where_the_processor_reads_it(driver: Path, module: Path) -> None:
    out, log = call(module, driver, "print(kernels.made_here(u) == np.sum((u * u - u)[:3]))")
    assert out == "True\n"
    assert [line for line in log if "copy" in line] == [
        "copy of 160000 bytes to the device",
        "copy of 160000 bytes from the device",
    ]


def test_an_error_leaves_what_was_written_before(driver: Path, module: Path) -> None:
    code = """
w = u.copy()
try:
    kernels.then_fails(u, np.array([0, 1, 30_000]))
except IndexError as error:
    print(error)
print(np.array_equal(u, 2 * w))
"""
    out, log = call(module, driver, code)
    assert out == "index 30000 is out of bounds for axis 0 with size 20000\nTrue\n"
    assert sum(line.startswith("launch") for line in log) >= 1


def test_threads_share_an_array(driver: Path, module: Path) -> None:
    code = """
import threading
w = u.copy()
threads = [threading.Thread(target=kernels.a_half, args=(u, first, 5)) for first in (0, 1)]
[t.start() for t in threads]
[t.join() for t in threads]
for _ in range(5):
    w += 1.0
print(np.array_equal(u, w))
"""
    out, log = call(module, driver, code)
    assert out == "True\n"
    assert sum(line.startswith("launch") for line in log) == 10


LARGE = """
import numpy as np


def elementwise(a: Array(float64, 2), b: Array(float64, 2)) -> Array(float64, 2):
    return np.sqrt(a * a + b) * 2.0


def stencil(u: Array(float64, 2), n: int64):
    v = np.zeros_like(u)
    for t in range(n):
        pfor i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.5 * u[i, j] + 0.125 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        pfor i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = v[i, j]


def dot(a: Array(float64, 1), b: Array(float64, 1)) -> float64:
    s = 0.0
    pfor i in range(len(a)):
        s += a[i] * b[i]
    return s


def rows(a: Array(float64, 2), w: Array(float64, 1)) -> Array(float64, 1):
    out = np.empty(a.shape[0])
    pfor i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j] * w[j]
        out[i] = s
    return out


def cube(a: Array(float64, 3), b: Array(float64, 3), k: int64):
    pfor i in range(k, a.shape[0] - 1):
        for j in range(a.shape[1]):
            for l in range(a.shape[2]):
                b[i, j, l] = 2.0 * a[i + 1, j, l] - a[i - k, j, l]


def backwards(a: Array(int32, 1), b: Array(int32, 1)):
    pfor i in range(len(a) - 1, -1, -3):
        b[i] = a[len(a) - 1 - i] + i


def fails(a: Array(float64, 1), idx: Array(int64, 1), b: Array(float64, 1)):
    pfor i in range(len(idx)):
        b[i] = a[idx[i]]


def csr(
    data: Array(float64, 1), indices: Array(int32, 1), indptr: Array(int32, 1), x: Array(float64, 1)
) -> tuple[Array(float64, 1), float64]:
    out = np.zeros(len(indptr) - 1)
    total = 0.0
    pfor i in range(len(out)):
        s = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            s += data[k] * x[indices[k]]
        out[i] = s
        total += s
    return out, total
"""

USE_LARGE = """
import numpy as np
r = np.random.default_rng(0)
def show(name, *results):
    print(name, *(hash(np.ascontiguousarray(result).tobytes()) for result in results))
    print("done: " + name, file=sys.stderr)
a, b = r.random((700, 300)), r.random((700, 300))
show("elementwise", kernels.elementwise(a, b))
u = a.copy()
kernels.stencil(u, 3)
show("stencil", u)
show("dot", kernels.dot(a.ravel(), b.ravel()))
show("rows", kernels.rows(a, b[0]))
a, b = a.reshape(100, 30, 70), np.zeros((100, 30, 70))
kernels.cube(a, b, 2)
show("cube", b)
i = r.integers(0, 100, 400_000).astype(np.int32)
o = np.zeros_like(i)
kernels.backwards(i, o)
show("backwards", o)
idx, out = r.integers(0, 1000, 200_000), np.zeros(200_000)
idx[150_000], idx[170_000] = 5000, -7000
try:
    kernels.fails(a.ravel()[:1000], idx, out)
except IndexError as error:
    print(error)
show("fails", out[:150_000])
indptr = np.append(0, r.integers(0, 400, 1000).cumsum()).astype(np.int32)
data, indices = r.random(indptr[-1]), r.integers(0, 500, indptr[-1]).astype(np.int32)
show("csr", *kernels.csr(data, indices, indptr, r.random(500)))
indptr[500:] = indptr[-1]
show("a long row", *kernels.csr(data, indices, indptr, r.random(500)))
"""


def test_data_of_four_times_the_memory(driver: Path, tmp_path: Path) -> None:
    (tmp_path / "kernels.pydd").write_text(LARGE)
    run(f"import pydd; pydd.compile({str(tmp_path / 'kernels.pydd')!r}, options=['--gpu', '--strict-fp'])")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nimport kernels\n" + USE_LARGE
    environment = {"LD_LIBRARY_PATH": str(driver), "PYTHONHASHSEED": "0", "PYDD_LOG": "gpu"}
    threads, _ = run(code, PYDD_DEVICE="cpu", **environment)
    whole, _ = run(code, PYDD_DEVICE="gpu", **environment)
    parts, log = run(code, PYDD_DEVICE="gpu", FAKECUDA_MEMORY="400000", **environment)
    assert threads == whole == parts
    *done, long_row, _ = log.split("done: ")
    assert "on the processor" not in "".join(done)
    assert all(part.count("launch of") >= 2 for part in done), log
    # Half of the elements are one row's.
    assert re.search("csr runs on the processor from [1-9][0-9]* on", long_row)


def test_the_examples_give_the_bits_of_threads(driver: Path) -> None:
    example = ROOT / "examples/gpu.py"
    done = subprocess.run(
        [sys.executable, example, "--driver", driver], capture_output=True, text=True, check=True
    )
    rows = [line for line in done.stdout.splitlines() if line.endswith("same bits")]
    assert len(rows) == 4, done.stdout
    assert done.stdout.startswith("No card is here: ")


def test_the_benchmark_runs_dry(driver: Path) -> None:
    command = [sys.executable, str(ROOT / "benchmarks/gpu.py"), "--driver", str(driver)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "a dry run: times mean nothing" in done.stdout
    assert all(f"| {name} |" in done.stdout for name in ("fused", "sum", "stencil", "SpMV", "n-body", "call"))


GROUPS = """
def rows(y: Array(float64, 1), a: Array(float64, 2), x: Array(float64, 1)):
    pfor i in range(len(y)):
        s = 0.0
        for k in range(a.shape[1]):
            s += a[i, k] * x[k]
        y[i] = s


def columns(y: Array(float64, 1), a: Array(float64, 2), x: Array(float64, 1)):
    pfor j in range(len(y)):
        s = 0.0
        for k in range(a.shape[0]):
            s += a[k, j] * x[k]
        y[j] = s


def sparse(y: Array(float64, 1), begin: Array(int64, 1), column: Array(int64, 1), value: Array(float64, 1), x: Array(float64, 1)):
    pfor i in range(len(y)):
        s = 0.0
        for k in range(begin[i], begin[i + 1]):
            s += value[k] * x[column[k]]
        y[i] = s


def total(a: Array(float64, 1)) -> float64:
    s = 0.0
    pfor i in range(len(a)):
        s += a[i]
    return s
"""

SHOW_GROUPS = """
import hashlib
import numpy as np
import pydd

kernels = pydd.load("groups.pydd", gpu=True)
strict = pydd.load("groups.pydd", options=["--strict-fp"], gpu=True)
a = np.sin(np.arange(24 * 700.0))
wide, long = a.reshape(24, 700), a.reshape(700, 24)
x, y = np.cos(np.arange(700.0)), np.zeros(24)
begin = np.arange(25) * 40
bits = hashlib.sha256()
for module in (kernels, strict):
    module.rows(y, wide, x)
    bits.update(y.tobytes())
    module.columns(y, long, x)
    bits.update(y.tobytes())
    module.sparse(y, begin, np.arange(960) * 7 % 700, a[:960], x)
    bits.update(y.tobytes())
    bits.update(np.float64(module.total(a)).tobytes())
module = kernels
module.rows(y[:5], np.ascontiguousarray(wide[:5, :6]), x)
print(bits.hexdigest())
"""


def test_threads_share_the_steps_of_an_iteration(driver: Path, tmp_path: Path) -> None:
    (tmp_path / "groups.pydd").write_text(GROUPS)
    said = {}
    for sm, seed in (("90", "1"), ("75", "2")):
        variables = {"PYDD_DEVICE": "gpu", "PYDD_LOG": "gpu", "FAKECUDA_SM": sm, "FAKECUDA_SEED": seed}
        folders = [str(driver), os.environ.get("LD_LIBRARY_PATH", "")]
        done = subprocess.run(
            [sys.executable, "-c", SHOW_GROUPS],
            cwd=tmp_path,
            env={**os.environ, **variables, "LD_LIBRARY_PATH": os.pathsep.join(folders)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        said[sm] = done.stdout
        launches = [line for line in done.stderr.splitlines() if "launch of" in line]
        groups = [line.partition(", ")[2] for line in launches]
        # Rows of 700, columns, rows of 40, a part of a sum; floats in order; rows of 6.
        shared = ["32 threads for each", "", "4 threads for each", "32 threads for each"]
        assert groups == [*shared, "", "", "", "", ""], done.stderr
    assert said["90"] == said["75"], "the same bits on any device"


def test_a_handler_may_call_kernels(tmp_path: Path, driver: Path) -> None:
    """What a call has on the device is still there when a handler of a signal has called another one."""
    (tmp_path / "slow.pydd").write_text(
        """
import numpy as np

def slow(u: Array(float64, 1), k: int64) -> tuple[Array(float64, 1), float64]:
    n = len(u)
    w = np.zeros(n)
    pfor i in range(n):
        w[i] = u[i] + 1.0
    s = 1.0
    for t in range(k):
        s = s * 0.5 + np.sin(s)
    pfor i in range(n):
        w[i] = w[i] * 2.0
    return w, s

def small(u: Array(float64, 1)) -> Array(float64, 1):
    return u * 2.0 + 1.0
"""
    )
    code = f"""
import signal
import numpy as np
import pydd
kernels = pydd.load({str(tmp_path / "slow.pydd")!r}, gpu=True)
u, v = np.arange(12_000.0), np.arange(9_000.0)
calls = []
def handler(*_):
    calls.append(np.array_equal(kernels.small(v), v * 2.0 + 1.0))
signal.signal(signal.SIGALRM, handler)
kernels.small(v)
signal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)
w, _ = kernels.slow(u, 60_000_000)
signal.setitimer(signal.ITIMER_REAL, 0.0)
print(np.array_equal(w, (u + 1.0) * 2.0), len(calls) > 0 and all(calls))
"""
    assert run(code, LD_LIBRARY_PATH=str(driver), PYDD_DEVICE="gpu")[0] == "True True\n"


STEPS = """module "steps" file "steps.pydd"
export "f"("a": array<i64, 1>) -> () = @f

func @f array (%0: array<i64, 1> in m0) -> () {
  %1: i64 = const 0
  %2: array<i64, 1> in m1 = map[reduce xor keepdims] %0, %1 !r m0 {
  (%3: i64, %4: i64):
    %5: f64 = const 1.0
    %6: f64 = const 2.0
    %7: bool = ne %5, %6
    if %7 {
      %8: bool = const false
      check[AssertionError, "element {0}"] %8, %3
      yield
    } else {
      yield
    }
    yield %1
  }
  return
}
"""


def test_of_several_steps_at_once_the_lowest_that_fails_is_told(driver: Path, tmp_path: Path) -> None:
    """A check within a branch, which passes on sources seldom leave there."""
    (tmp_path / "steps.pir").write_text(STEPS)
    run(f"import pydd; pydd.compile({str(tmp_path / 'steps.pir')!r}, options=['--gpu'])")
    code = "import numpy as np, steps\ntry: steps.f(np.arange(100) + 5)\nexcept AssertionError as e: print(e)"
    for seed in range(4):
        variables = {"FAKECUDA_SEED": str(seed), "PYDD_DEVICE_LANES": "4", "PYDD_DEVICE": "gpu"}
        out, _ = run(code, LD_LIBRARY_PATH=str(driver), PYTHONPATH=str(tmp_path), **variables)
        assert out == "element 5\n"
