"""Calls that end before the GPU does, as all do whose arrays live there: under the driver of `tests/fakecuda`, which does nothing before somebody waits or asks, and then streams in any order."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_device_arrays import call, modules
from test_gpu import driver, run

__all__ = ["driver", "modules"]


def test_nobody_waits(modules: Path, driver: Path) -> None:
    code = """
u, v = pydd.device_array(x), pydd.device_array(y)
h = x.copy()
say("calls")
for _ in range(20):
    u = kernels.scaled(u, 3.0)
    kernels.add_to(u, v)
say("copy")
for _ in range(20):
    h = np.sqrt(h * h + 3.0) * 2.0 + y
print(np.array_equal(u, h))
"""
    out, log = call(modules, driver, code)
    assert out == ["True"]
    calls = log[log.index("next: calls") + 1 : log.index("next: copy")]
    assert sum("loops are left to the device" in line for line in calls) > 30
    # Launches are not piled up for ever, and neither is memory.
    assert 1 <= sum(line.startswith("wait for") for line in calls) <= 4
    assert sum(line.startswith("allocation") for line in calls) <= 3
    assert not any(line.startswith("copy") for line in calls)


THREADS = """
import random
import threading

seed = int(sys.argv[1]) if len(sys.argv) > 1 else SEED
n = 300
pool = [[pydd.device_array(np.full(n, float(i))), np.full(n, float(i)), threading.Lock()] for i in range(5)]
wrong = []


def work(number):
    r = random.Random(100 * seed + number)
    for _ in range(25):
        a, b = r.sample(range(len(pool)), 2)
        first, second = (pool[i] for i in sorted((a, b)))
        with first[2], second[2]:
            one, other = pool[a], pool[b]
            what = r.randrange(7)
            if what == 0:
                kernels.add_to(one[0], other[0])
                one[1] += other[1]
            elif what == 1:
                one[0], one[1] = kernels.scaled(other[0], 2.0), np.sqrt(other[1] * other[1] + 2.0) * 2.0
            elif what == 2:
                if kernels.total(one[0]) != plain_total(one[1]):
                    wrong.append("total")
            elif what == 3:
                if not np.array_equal(one[0].copy_to_host(), one[1]):
                    wrong.append("copy")
            elif what == 4:
                z = other[1].copy()
                kernels.add_to(z, one[0])
                if not np.array_equal(z, other[1] + one[1]):
                    wrong.append("into NumPy's")
            elif what == 5:
                _, w, part, first_of = kernels.all_kinds(one[0])
                before, one[0], one[1] = one[1], w, one[1] + 1.0
                if not np.array_equal(part, before[2:5]) or first_of != one[1][1]:
                    wrong.append("parts")
            else:
                kernels.add_to(one[0], other[1])
                one[1] += other[1]


def plain_total(v):
    return float(kernels.total(np.array(v)))


threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(wrong, [np.array_equal(array, host) for array, host, _ in pool])
"""


@pytest.mark.parametrize("seed", range(6))
def test_threads_that_pass_arrays_on(modules: Path, driver: Path, seed: int) -> None:
    code = f"SEED = {seed}\n" + THREADS
    out, _ = call(modules, driver, code, FAKECUDA_SEED=str(seed), PYDD_LOG="")
    assert out == ["[] [True, True, True, True, True]"]


def test_other_libraries_find_what_was_done(modules: Path, driver: Path) -> None:
    code = """
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
context, device = ctypes.c_void_p(), ctypes.c_int()
cuda.cuDeviceGet(ctypes.byref(device), 0)
cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
cuda.cuCtxSetCurrent(context)


def theirs(u):
    address = u.__cuda_array_interface__["data"][0]
    # On a stream that waits for no other one.
    stream, back, memory = ctypes.c_void_p(), np.zeros(5000), ctypes.c_void_p()
    cuda.cuStreamCreate(ctypes.byref(stream), 1)
    cuda.cuMemcpyDtoHAsync_v2(ctypes.c_void_p(back.ctypes.data), ctypes.c_uint64(address), ctypes.c_size_t(40_000), stream)
    cuda.cuStreamSynchronize(stream)
    return back


right = []
for i in range(8):
    u, v = pydd.device_array(x + i), pydd.device_array(x + i)
    kernels.add_to(u, v)
    right.append(np.array_equal(theirs(u), 2 * (x + i)))
    h = 2 * (x + i)
    kernels.add_to(v, u)
    kernels.add_to(u, v)
    h = h + ((x + i) + h)
    right.append(np.array_equal(theirs(u), h))
    w = kernels.scaled(u, 0.0)
    kernels.add_to(u, w)
    last = np.sqrt(h * h) * 2.0
    h, w = h + last, w.copy_to_host()
    right += [np.array_equal(theirs(u), h), np.array_equal(w, last)]
print(right.count(False), len(right))
"""
    for seed in range(4):
        out, _ = call(modules, driver, code, FAKECUDA_SEED=str(seed))
        assert out == ["0 32"]


# What runs while another call has its stream has one of its own.
WITHIN = """
class Out:
    def __init__(self, act):
        self.act = act

    def write(self, text):
        if text.strip():
            self.act()

    def flush(self):
        pass


def within(u, act):
    before = sys.stdout
    sys.stdout = Out(act)
    try:
        return kernels.talks(u)
    finally:
        sys.stdout = before


def scaled(v, s):
    return np.sqrt(v * v + s) * 2.0


a, b, c, d = (pydd.device_array(v) for v in (x, y, x + y, x - y))
"""


@pytest.mark.parametrize("seed", range(4))
def test_streams_come_behind_each_other(modules: Path, driver: Path, seed: int) -> None:
    code = (
        WITHIN
        + """
right = []
ha, hb, hc = x, y, x + y
for i in range(10):
    made = []
    within(a, lambda: made.append(kernels.scaled(b, 1.0)))
    kernels.add_to(a, made[0])
    ha = ha + 1 + scaled(hb, 1.0)
    within(a, lambda: kernels.add_to(c, b))
    kernels.add_to(c, a)
    ha, hc = ha + 1, hc + hb + (ha + 1)
    kernels.add_to(b, c)
    hb = hb + hc
    if i % 3 == 0:
        right += [np.array_equal(b, hb), np.array_equal(a, ha), np.array_equal(c, hc)]
print(all(right))
"""
    )
    out, log = call(modules, driver, code, FAKECUDA_SEED=str(seed))
    assert out == ["True"]
    assert any("left to the device" in line for line in log)


@pytest.mark.parametrize("seed", range(4))
def test_copies_come_behind_other_streams(modules: Path, driver: Path, seed: int) -> None:
    code = (
        WITHIN
        + """
right = []
hc, hd = x + y, x - y


def first():
    kernels.add_to(c, b)
    within(d, lambda: right.append(np.array_equal(c.copy_to_host(), hc)))
    kernels.add_to(c, d)


for _ in range(10):
    hc, hd = hc + y, hd + 1
    within(a, first)
    hc = hc + hd
print(all(right), len(right), np.array_equal(c, hc))
"""
    )
    out, _ = call(modules, driver, code, FAKECUDA_SEED=str(seed))
    assert out == ["True 10 True"]


@pytest.mark.parametrize("seed", range(4))
def test_memory_is_not_given_away_before(modules: Path, driver: Path, seed: int) -> None:
    """An array that is dropped has memory that the device still writes to."""
    code = (
        WITHIN
        + """
def first():
    for s in range(3):
        kernels.scaled(b, float(s))


w = within(a, first)
print(np.array_equal(w, 2 * (x + 1)), np.array_equal(a, x + 1))
"""
    )
    out, _ = call(modules, driver, code, FAKECUDA_SEED=str(seed))
    assert out == ["True True"]
    out, _ = call(modules, driver, code, FAKECUDA_SEED=str(seed), FAKECUDA_MEMORY=str(280_000))
    assert out == ["True True"]


def test_a_device_that_fails_behind_a_call(modules: Path, driver: Path) -> None:
    """Right results or an error, whichever call of the driver's it is."""
    code = """
u, v = pydd.device_array(x), pydd.device_array(y)
try:
    w = kernels.scaled(u, 3.0)
    kernels.add_to(w, v)
    kernels.add_to(w, u)
    pydd.synchronize()
    back = w.copy_to_host()
    print(np.array_equal(back, np.sqrt(x * x + 3.0) * 2.0 + y + x))
    print(np.array_equal(kernels.scaled(x, 3.0), np.sqrt(x * x + 3.0) * 2.0))
except RuntimeError as error:
    print("failed" in str(error))
"""
    for n in range(1, 70):
        out, _ = call(modules, driver, code, FAKECUDA_FAIL=f"lost@{n}", PYDD_LOG="")
        assert out in (["True"], ["True", "True"]), n


def test_synchronize_looks_for_no_driver(driver: Path) -> None:
    out, said = run(
        "import pydd; pydd.synchronize()", LD_LIBRARY_PATH=str(driver), PYDD_LOG="gpu", FAKECUDA_FAIL="lost@1"
    )
    assert (out, said) == ("", "")


def test_the_later_of_two_places_in_a_stream_counts(modules: Path, driver: Path) -> None:
    code = """
u, v, w = pydd.device_array(x), pydd.device_array(x), pydd.device_array(y)
# The stream is known to have come past what `v` waits for, and not past what `u` does.
kernels.add_to(v, y)
pydd.synchronize()
kernels.two(u)


class Within:
    # A call within another one has a stream of its own.
    def write(self, text):
        global total
        if text.strip():
            kernels.add_to(u, v)
            total = kernels.total(u)


usual, sys.stdout = sys.stdout, Within()
kernels.talks(w)
sys.stdout = usual
print(np.array_equal(u, 7.0 + (x + y)), total == kernels.total(7.0 + (x + y)))
"""
    for seed in range(6):
        assert call(modules, driver, code, FAKECUDA_SEED=str(seed))[0] == ["True True"]
