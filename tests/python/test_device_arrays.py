"""Arrays that live on a GPU between calls, under the driver of `tests/fakecuda`."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_gpu import driver, run

__all__ = ["driver"]

SOURCE = Path(__file__).with_name("device_arrays.pydd").read_text()

PLAIN = """
import numpy as np


def made(u: Array(float64, 1)) -> Array(float64, 1):
    w = np.empty(len(u))
    for i in range(len(u)):
        w[i] = u[i] + 1.0
    return w


def slowly(u: Array(float64, 1), n: int64):
    for t in range(n):
        for i in range(len(u)):
            u[i] += 1.0


def twice(u: Array(float64, 1)) -> tuple[float64, Array(float64, 1)]:
    for i in range(len(u)):
        u[i] = 2.0 * u[i]
    return u[0], u
"""

START = """
import sys
import numpy as np
import pydd
import kernels
import plain

x, y = np.sin(np.arange(5000.0)), np.cos(np.arange(5000.0))


def say(text):
    print("next: " + text, file=sys.stderr, flush=True)


class Foreign:
    def __init__(self, interface):
        self.__interface = interface

    @property
    def __cuda_array_interface__(self):
        return self.__interface


class Pack:
    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)
"""


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `kernels`, compiled for devices, and `plain`."""
    folder = tmp_path_factory.mktemp("device_arrays")
    (folder / "kernels.pydd").write_text(SOURCE)
    (folder / "plain.pydd").write_text(PLAIN)
    run(
        f"import pydd; pydd.compile({str(folder / 'kernels.pydd')!r}, options=['--gpu', '--strict-fp']); "
        f"pydd.compile({str(folder / 'plain.pydd')!r})"
    )
    return folder


def call(modules: Path, driver: Path, code: str, **variables: str) -> tuple[list[str], list[str]]:
    """The lines that are printed, and those of the log."""
    environment = {"LD_LIBRARY_PATH": str(driver), "PYDD_DEVICE": "gpu", "PYDD_LOG": "gpu", **variables}
    out, said = run(f"import sys; sys.path.insert(0, {str(modules)!r})\n" + START + code, **environment)
    return out.splitlines(), [line.removeprefix("pydd gpu: ") for line in said.splitlines()]


RESULTS = """
d, e = pydd.device_array(x), pydd.device_array(y)
print(d, len(d), d.nbytes, d.ndim, d.size, d.shape, d.strides, d.dtype)
say("calls")
r = kernels.scaled(d, 3.0)
kernels.add_to(d, r)
kernels.add_to(d, e)
t = kernels.total(d)
say("copies")
h, q = x.copy(), kernels.scaled(x, 3.0)
kernels.add_to(h, q)
kernels.add_to(h, y)
print(type(r).__name__, t == kernels.total(h), np.array_equal(np.asarray(d), h), np.array_equal(r.copy_to_host(), q))
a, b, c, first = kernels.all_kinds(d)
print(a is d, type(b).__name__, c, first == h[1] + 1, np.array_equal(b, h + 1), np.array_equal(c, h[2:5]))
kernels.add_to(c, b if len(c) == len(b) else pydd.device_array(np.ones(3)))
h[2:5] += 1
print(np.array_equal(d, h), np.asarray(d, dtype=np.float32).dtype)
print(np.array_equal(kernels.one_of(d), np.arange(3.0)), kernels.in_order(d) == (kernels.one_of(h), kernels.in_order(h))[1])
first, same = plain.twice(d)
h *= 2
print(first == h[0], same is d, np.array_equal(d, h))
kernels.add_to(d, d)
kernels.add_to(d, y)
h = 2 * h + y
z = y.copy()
kernels.add_to(z, d)
print(np.array_equal(d, h), np.array_equal(z, y + h))
try:
    kernels.fails(d, np.array([0, 1, 7000]), y)
except IndexError as error:
    print(error)
h *= 2
h[:2] = y[:2]
print(np.array_equal(np.asarray(d)[2:], h[2:]))
m = pydd.device_array(np.asfortranarray(np.arange(12, dtype=np.float32).reshape(3, 4)))
print(np.array_equal(kernels.rows(m), 2 * np.arange(12).reshape(3, 4)), kernels.rows(m).strides)
print(kernels.total(pydd.device_array([])), kernels.scaled(pydd.device_array([]), 1.0))
for a, b, c in (kernels.parts(d, 8), kernels.parts_of_blank(8, d)):
    one = pydd.device_array(np.ones(3))
    whole, first, last = np.asarray(b), np.asarray(a), np.asarray(c)
    kernels.add_to(a, one)
    whole[1:4] += 1
    print(np.array_equal(a, first + 1), np.array_equal(b, whole), np.array_equal(c, last) or np.array_equal(c, whole[:2]))
d, e = pydd.device_array(np.zeros(5)), pydd.device_array(np.zeros(5))
kernels.add_to(d, pydd.device_array(np.full(5, 7.0)))
print(kernels.reads_before(e, d), np.asarray(e))
kernels.writes_before(np.ones(5), e)
print(np.asarray(e), kernels.optional(d, e), kernels.optional(None, v=e), np.asarray(e))
f = pydd.device_array(np.zeros(5, np.float32))
kernels.either(d)
kernels.either(f)
kernels.either(f)
print(np.asarray(d), np.asarray(f))
print(pydd.device_array(d) is d, type(kernels.sparse(d)).__name__)
"""

EXPECTED = [
    "DeviceArray(shape=(5000,), dtype=float64) 5000 40000 1 5000 (5000,) (8,) float64",
    "DeviceArray True True True",
    "True DeviceArray DeviceArray(shape=(3,), dtype=float64) True True True",
    "True float32",
    "True True",
    "True True True",
    "True True",
    "index 7000 is out of bounds for axis 0 with size 5000",
    "True",
    "True (16, 4)",
    "0.0 DeviceArray(shape=(0,), dtype=float64)",
    "True True True",
    "True True True",
    "20.5625 [13.5625 13.5625 13.5625 13.5625 13.5625]",
    "[5. 7. 7. 7. 7.] 41.0 7.0 [7. 9. 9. 9. 9.]",
    "[8. 8. 8. 8. 8.] [2. 2. 2. 2. 2.]",
    "True csr_matrix",
]


@pytest.mark.parametrize("wish", ["gpu", "auto", "cpu"])
def test_results_are_those_of_arrays(modules: Path, driver: Path, wish: str) -> None:
    out, log = call(modules, driver, RESULTS, PYDD_DEVICE=wish)
    assert out == EXPECTED
    if wish == "gpu":
        calls = log[log.index("next: calls") : log.index("next: copies")]
        assert [line for line in calls if "copy of" in line and "40000" in line] == []
        assert sum("launch" in line for line in calls) == 4


def test_calls_again_and_again_allocate_nothing(modules: Path, driver: Path) -> None:
    code = """
d = pydd.device_array(x)
for _ in range(3):
    first = kernels.scaled(d, 3.0)
    r = kernels.scaled(first, 3.0)
say("again")
for _ in range(5):
    r = kernels.scaled(d, 3.0)
for _ in range(5):
    del r
    r = kernels.scaled(d, 3.0)
for _ in range(5):
    kernels.add_to(r, d)
    r = kernels.scaled(r, 3.0)
say("end")
"""
    _, log = call(modules, driver, code)
    assert any(line.startswith("allocation of") for line in log)
    again = log[log.index("next: again") : log.index("next: end")]
    assert sum(line.startswith("launch") for line in again) == 20
    assert [line for line in again if "alloc" in line or "freeing" in line or "copy" in line] == []


def test_without_a_card(modules: Path, driver: Path) -> None:
    assert call(modules, driver, RESULTS, FAKECUDA_DEVICES="0")[0] == EXPECTED
    code = """
d = pydd.device_array(x)
print(hasattr(d, "__cuda_array_interface__"))
try:
    d.__dlpack_device__()
except BufferError as error:
    print(error)
"""
    assert call(modules, driver, code, FAKECUDA_DEVICES="0")[0] == [
        "False",
        "the CUDA driver finds no device",
    ]


def test_in_parts(modules: Path, driver: Path) -> None:
    assert call(modules, driver, RESULTS, PYDD_DEVICE_PARTS="3")[0] == EXPECTED


def test_other_libraries_use_the_memory(modules: Path, driver: Path) -> None:
    code = """
d, e, h = pydd.device_array(x), pydd.device_array(y), x.copy()
interface = d.__cuda_array_interface__
print({**interface, "data": interface["data"][1]}, d.__dlpack_device__())
for other in (Foreign(interface), Foreign({**interface, "stream": 1}), Pack(d)):
    kernels.add_to(other, e)
    h += y
    print(np.array_equal(d, h), type(kernels.scaled(other, 1.0)).__name__)
    print(other is not None and plain.twice(other)[0] == 2 * h[0])
    h *= 2
part = {**interface, "shape": (2500,), "strides": (16,)}
print(kernels.total(Foreign(part)) == kernels.total(h[::2].copy()))
kernels.add_to(Foreign(part), pydd.device_array(np.ones(2500)))
h[::2] += 1
behind = {**interface, "data": (interface["data"][0] + 8 * 4999, False), "strides": (-8,)}
kernels.add_to(Foreign(behind), e)
h += y[::-1]
print(np.array_equal(d, h), kernels.total(Foreign({**interface, "shape": (0,)})))
view = kernels.all_kinds(d)[2]
print(kernels.total(Pack(view)) == kernels.total(h[2:5].copy()), view.__cuda_array_interface__["data"][0] - interface["data"][0])
d.__dlpack__()
capsule = d.__dlpack__(stream=2, max_version=(1, 0))
del d
print(len(x))
"""
    out, _ = call(modules, driver, code)
    assert out == [
        "{'shape': (5000,), 'typestr': '<f8', 'strides': None, 'data': False, 'version': 3, 'stream': None} (2, 0)",
        *["True DeviceArray", "True"] * 3,
        "True",
        "True 0.0",
        "True 16",
        "5000",
    ]


def test_memory_that_is_none_is_refused(modules: Path, driver: Path) -> None:
    code = """
import ctypes
d, e = pydd.device_array(x), pydd.device_array(y)
interface = d.__cuda_array_interface__
address = interface["data"][0]
cases = [
    {"data": (12344, False)},
    {"data": (0, False)},
    {"data": (x.ctypes.data, False)},
    {"shape": (500_000,)},
    {"shape": (2**62,)},
    {"shape": (2**61, 2**61)},
    {"shape": (-1,)},
    {"strides": (2**62,)},
    {"strides": (-8,)},
    {"mask": 3},
    {"typestr": "<f4"},
    {"typestr": "|V8"},
    {"typestr": "nonsense"},
    {"shape": (50, 100)},
    {"data": (address + 4, False), "shape": (10,)},
    {"data": (address, True)},
    {"data": None},
    {"stream": "now"},
]
for case in cases:
    try:
        kernels.add_to(Foreign({**interface, **case}), e)
        print("taken", case)
    except (TypeError, ValueError, MemoryError) as error:
        print(type(error).__name__, error)
for case in (Foreign(interface), Pack(d)):
    try:
        kernels.add_to(case, d)
    except ValueError as error:
        print(error)
for options in ({"copy": True}, {"dl_device": (1, 0)}):
    try:
        d.__dlpack__(**options)
    except BufferError as error:
        print(error)
for wrong in (pydd.device_array(np.zeros(3, np.float32)), pydd.device_array(np.zeros((3, 3)))):
    try:
        kernels.add_to(wrong, wrong)
    except TypeError as error:
        print(error)
try:
    pydd.device_array(["a"])
except TypeError as error:
    print(error)
try:
    np.asarray(d, copy=False) if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else d.__array__(copy=False)
except ValueError as error:
    print(error)
print(np.array_equal(d, x))
# As arrays of JAX, which never change and do not say so.
immutable = type("ArrayImpl", (Pack,), {"__module__": "jaxlib._jax"})(d)
try:
    kernels.add_to(immutable, e)
except TypeError as error:
    print(error)
print(np.array_equal(d, x), kernels.total(immutable) == kernels.total(d))
"""
    out, _ = call(modules, driver, code)
    is_none = "TypeError Foreign on a GPU: its address is none of a GPU's memory"
    ends = "TypeError Foreign on a GPU: its memory ends before its last element"
    must = "TypeError argument 'u' of add_to() must be a"
    assert out[:4] == [is_none, is_none, is_none, ends]
    assert not [line for line in out if line.startswith("taken")]
    assert out[9] == "TypeError Foreign on a GPU: it has a mask, which would be ignored"
    assert out[10] == f"{must} float64 array, got float32; use u.astype(np.float64)"
    assert out[13] == f"{must} 1-dimensional float64 array, got 2 dimensions"
    assert out[14] == "TypeError Foreign on a GPU: its elements are not aligned"
    assert out[15].startswith("TypeError argument 'u' of add_to() is read-only, and add_to() writes to it")
    overlaps = "argument 'v' of add_to() shares memory on the GPU with another argument that is no view of the same array"
    read_only = "argument 'u' of add_to() is read-only, and add_to() writes to it"
    assert out[-2].startswith(read_only)
    assert out[18:-2] == [
        overlaps,
        overlaps,
        *["the array is given as it is, where it is"] * 2,
        "argument 'u' of add_to() must be a float64 array, got float32; use u.astype(np.float64)",
        "argument 'u' of add_to() must be a 1-dimensional float64 array, got 2 dimensions",
        "kernels have no arrays of <U1",
        "what is on a GPU is copied to be an array of NumPy",
        "True",
    ]
    assert out[-1] == "True True"


def test_memory_of_another_gpu(modules: Path, driver: Path) -> None:
    code = """
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
device, context, address = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64()
cuda.cuInit(0)
cuda.cuDeviceGet(ctypes.byref(device), 1)
cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
cuda.cuCtxSetCurrent(context)
print(cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(40_000)))
cuda.cuMemcpyHtoD_v2(address, ctypes.c_void_p(x.ctypes.data), ctypes.c_size_t(40_000))
there = Foreign({"shape": (5000,), "typestr": "<f8", "data": (address.value, False), "version": 3})
print(kernels.total(there) == kernels.total(x))
here = pydd.device_array(y)
kernels.add_to(there, here)
kernels.add_to(here, there)
kernels.add_to(there, y)
scaled = kernels.scaled(there, 1.0)
kernels.add_to(scaled, here)
back = np.empty(5000)
cuda.cuMemcpyDtoH_v2(ctypes.c_void_p(back.ctypes.data), address, ctypes.c_size_t(40_000))
print(np.array_equal(back, x + y + y), np.array_equal(here, y + (x + y)))
print(np.array_equal(scaled, np.sqrt(back * back + 1.0) * 2.0 + (y + (x + y))))
print(plain.twice(there)[0] == 2 * back[0], pydd.device_array(there).__dlpack_device__())
now = ctypes.c_void_p()
cuda.cuCtxGetCurrent(ctypes.byref(now))
print(now.value == context.value)
"""
    out, log = call(modules, driver, code, FAKECUDA_DEVICES="2")
    assert out == ["0", "True", "True True", "True", "True (2, 1)", "True"]
    assert "launch of k2_add_to on another device with 5 blocks for 0..5000" in log


def test_calls_of_threads_are_on_both_of_two_gpus(modules: Path, driver: Path) -> None:
    code = """
import threading
expected = x.copy()
for _ in range(20):
    kernels.add_to(expected, y)
results, barrier = [x.copy() for _ in range(4)], threading.Barrier(4)


def work(u):
    for _ in range(20):
        barrier.wait()
        kernels.add_to(u, y)


threads = [threading.Thread(target=work, args=(u,)) for u in results]
[t.start() for t in threads]
[t.join() for t in threads]
print(all(np.array_equal(u, expected) for u in results))
"""
    out, log = call(modules, driver, code, FAKECUDA_DEVICES="2")
    assert out == ["True"]
    there = [line for line in log if line.startswith("launch of k2_add_to on another device")]
    assert 0 < len(there) < sum(line.startswith("launch of k2_add_to") for line in log)


def test_views_keep_the_memory_of_other_libraries(modules: Path, driver: Path) -> None:
    code = """
import gc


class Owner:
    def __init__(self, array):
        self.array = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__

    def __del__(self):
        print("gone")


class OwnerOfCapsule(Pack):
    def __del__(self):
        print("gone")


kernels.add_to(pydd.device_array(np.zeros(3)), pydd.device_array(np.zeros(3)))
Owner.__cuda_array_interface__ = None
for kind in (Owner, OwnerOfCapsule):
    owner = kind(pydd.device_array(x))
    view = kernels.part(owner, 5, 20)
    again = kernels.part(view, 1, 3)
    del owner, view
    gc.collect()
    others = [pydd.device_array(y) for _ in range(3)]
    print(np.array_equal(again, x[6:8]))
    del again
    gc.collect()
"""
    assert call(modules, driver, code)[0] == ["True", "gone", "gone", "True"]


def test_what_is_converted_is_fetched(modules: Path, driver: Path) -> None:
    code = """
m = kernels.rows(pydd.device_array(np.ones((1, 1000), np.float32)))
kernels.either(pydd.device_array(np.zeros(3, np.float32)))
flat = Foreign({**m.__cuda_array_interface__, "shape": (1000,), "strides": None})
print(kernels.converted(flat), kernels.converted(pydd.device_array(np.arange(4))), kernels.converted(pydd.device_array(x)) == kernels.total(x))
try:
    kernels.converted(m)
except TypeError as error:
    print(error)
"""
    out, _ = call(modules, driver, code)
    assert out[0] == "2000.0 6.0 True"
    assert out[1].startswith("argument 'u' of converted() must be a 1-dimensional float64 array, got 2 dim")


def test_finalizers_may_call_kernels_while_results_are_made(modules: Path, driver: Path) -> None:
    code = """
import gc
kept, right = [], []
for kind in ("array", "device"):
    for threshold in range(1, 30):
        d, other = pydd.device_array(x), pydd.device_array(x)

        class Node:
            def __init__(self):
                self.me = self

            def __del__(self, argument=x if kind == "array" else other):
                kept.append(kernels.scaled(argument, 3.0))

        kept.clear()
        Node()
        gc.set_threshold(threshold)
        u, w = kernels.two(d)
        gc.set_threshold(700)
        gc.collect()
        right.append(u is d and bool((np.asarray(u) == 7.0).all()) and np.array_equal(w, x + 1.0))
        right.append(all(np.array_equal(k, np.sqrt(x * x + 3.0) * 2.0) for k in kept) and len(kept) == 1)
print(all(right), len(right))
"""
    assert call(modules, driver, code)[0] == ["True 116"]


def test_an_array_that_is_written_is_not_read(modules: Path, driver: Path) -> None:
    code = """
import threading, time
d = pydd.device_array(np.zeros(1_000_000))
d.__cuda_array_interface__
told, was = [], []
thread = threading.Thread(target=plain.slowly, args=(d, 200))
thread.start()
while thread.is_alive():
    for read in (d.copy_to_host, lambda: d.__cuda_array_interface__, lambda: kernels.total(d)):
        try:
            read()
        except RuntimeError as error:
            told.append(str(error))
    time.sleep(0.001)
thread.join()
print(set(told) <= {"the array is in use by a call that writes to it", "argument 'u' of total() is in use by another call"})
print(bool((np.asarray(d) == 200.0).all()))
d = plain.made(pydd.device_array(x))
totals = []
threads = [threading.Thread(target=lambda: totals.append(kernels.total(d))) for _ in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
print(set(totals) == {kernels.total(x + 1.0)}, d.__dlpack_device__())
"""
    assert call(modules, driver, code)[0] == ["True", "True", "True (2, 0)"]


def test_matrices_have_memory_of_their_own(modules: Path, driver: Path) -> None:
    code = """
import scipy.sparse as sp
a = sp.csr_matrix(np.diag([1.0, 2.0, 3.0]))
u = pydd.device_array(np.zeros(4))
b = kernels.doubled(a, u)
b.data[0] = 9.0
print(type(b.data).__name__, b.toarray().diagonal(), a.toarray().diagonal(), np.asarray(u))
"""
    assert call(modules, driver, code)[0] == ["ndarray [9. 4. 6.] [1. 2. 3.] [3. 0. 0. 0.]"]


def test_callers_in_c_are_given_a_copy(modules: Path, driver: Path) -> None:
    code = """
from scipy.integrate import quad
c = pydd.device_array(np.zeros(2))
kernels.add_to(c, pydd.device_array(np.array([1.0, 2.0])))
print(round(quad(pydd.low_level_callable(kernels.line, user_data=c), 0.0, 1.0)[0], 9))
"""
    assert call(modules, driver, code)[0] == ["2.0"]


def test_after_the_device_has_failed_arrays_are_on_the_host(modules: Path, driver: Path) -> None:
    code = """
d = pydd.device_array(x)
for _ in range(3):
    try:
        kernels.total(x)
    except RuntimeError:
        pass
fresh = pydd.device_array(y)
for array, values in ((d, x), (fresh, y)):
    try:
        print(kernels.total(array) == kernels.total(values), np.array_equal(array, values))
    except RuntimeError as error:
        print(error)
"""
    for n in range(20, 60, 5):
        out, said = call(modules, driver, code, FAKECUDA_FAIL=f"lost@{n}")
        assert out == ["True True"] * 2, (n, out, said)


def test_one_call_at_a_time_writes(modules: Path, driver: Path) -> None:
    code = """
import threading
d, e, results = pydd.device_array(x), pydd.device_array(y), []


def work():
    for _ in range(20):
        try:
            kernels.add_to(d, e)
            results.append("")
        except RuntimeError as error:
            results.append(str(error))


threads = [threading.Thread(target=work) for _ in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
h = x.copy()
for _ in range(results.count("")):
    h += y
print(set(results) <= {"", "argument 'u' of add_to() is in use by another call"}, np.array_equal(d, h))
totals = []
threads = [threading.Thread(target=lambda: totals.append(kernels.total(d))) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
print(len(totals), set(totals) == {kernels.total(h)})
"""
    assert call(modules, driver, code)[0] == ["True True", "8 True"]


def test_functions_of_python_take_them(driver: Path, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "import numpy as np\nimport pydd\n\n\n@pydd.jit(gpu=True)\ndef twice(a):\n"
        "    out = np.empty(len(a))\n    for i in range(len(a)):\n        out[i] = 2.0 * a[i]\n    return out\n"
    )
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import numpy as np, own, pydd\n"
        "x = np.arange(5.0)\n"
        "for _ in range(2): print(type(own.twice(pydd.device_array(x))).__name__, type(own.twice(x)).__name__)\n"
        "print(np.array_equal(own.twice(pydd.device_array(x)), 2 * x))"
    )
    out, _ = run(code, LD_LIBRARY_PATH=str(driver), PYDD_DEVICE="gpu")
    assert out.splitlines() == ["DeviceArray ndarray"] * 2 + ["True"]


@pytest.mark.parametrize("failure", ["lost", "oom"])
def test_what_fails_is_an_error_and_no_wrong_value(modules: Path, driver: Path, failure: str) -> None:
    code = """
def step(act):
    try:
        return act()
    except (RuntimeError, MemoryError):
        return None


d, h = pydd.device_array(x), x.copy()
r = step(lambda: kernels.scaled(d, 3.0))
ok = r is not None
if ok:
    got = step(lambda: np.asarray(r))
    assert got is None or np.array_equal(got, np.sqrt(h * h + 3.0) * 2.0), "scaled"
got = step(lambda: kernels.total(d))
assert got is None or np.isclose(got, h.sum()), "total"
before = step(lambda: np.asarray(d))
assert before is None or np.array_equal(before, h), "unchanged"
done = step(lambda: (kernels.add_to(d, y), True)[1])
got = step(lambda: np.asarray(d))
if done and got is not None:
    assert np.array_equal(got, h + y), "added"
plain_first = step(lambda: plain.made(d))
got = plain_first is not None and step(lambda: np.asarray(plain_first))
assert got is None or got is False or not done or np.array_equal(got, h + y + 1.0), "made"
got = step(lambda: np.asarray(d))
assert got is None or not done or np.array_equal(got, h + y), "after made"
first = step(lambda: plain.twice(d)[0])
got = step(lambda: np.asarray(d))
assert got is None or not done or first is None or np.array_equal(got, 2 * (h + y)), "after twice"
assert first is None or not done or first == 2 * (h + y)[0], "plain"
print("right", bool(done))
"""
    ends = set()
    for n in range(1, 60):
        out, _ = call(modules, driver, code, FAKECUDA_FAIL=f"{failure}@{n}")
        (line,) = out
        assert line.startswith("right")
        ends.add(line)
    assert "right True" in ends
