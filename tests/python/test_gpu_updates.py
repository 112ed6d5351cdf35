"""Loops that combine integers into elements of arrays on a GPU, under the driver of `tests/fakecuda`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from test_gpu import driver, run

__all__ = ["driver"]

SOURCE = """
import numpy as np


def count(k: Array(int64, 1), h: Array(int64, 1)):
    pfor i in range(len(k)):
        h[k[i]] += 1


def spread(k: Array(int64, 1), w: Array(int32, 1), h: Array(int32, 1)):
    pfor i in range(len(k)):
        h[k[i]] -= w[i]


def greatest(k: Array(int32, 1), w: Array(uint32, 1), h: Array(uint32, 1)):
    pfor i in range(len(k)):
        h[k[i]] = max(h[k[i]], w[i])


def either(k: Array(int32, 1), w: Array(uint64, 1), h: Array(uint64, 1)):
    pfor i in range(len(k)):
        h[k[i]] ^= w[i]


def of_rows(k: Array(int64, 2), h: Array(int64, 1)):
    pfor i in range(k.shape[0]):
        for j in range(k.shape[1]):
            h[k[i, j]] += 1


def counted(k: Array(int64, 1)) -> Array(int64, 1):
    return np.bincount(k, minlength=10)


def twice(k: Array(int64, 1), h: Array(int64, 1)) -> int64:
    pfor i in range(len(k)):
        h[k[i]] += 1
    most = h[0]
    pfor i in range(len(k)):
        h[k[i]] += 1
    return most
"""

START = """
import traceback
import numpy as np
import pydd
import kernels

x = np.arange(3000) * 7 % 97
h = np.arange(97)
n = np.bincount(x)
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `kernels`, compiled for devices."""
    folder = tmp_path_factory.mktemp("updates")
    (folder / "kernels.pydd").write_text(SOURCE)
    run(f"import pydd; pydd.compile({str(folder / 'kernels.pydd')!r}, options=['--gpu'])")
    return folder


def call(module: Path, driver: Path, code: str, **variables: str) -> tuple[str, list[str]]:
    """What is printed, and the log."""
    environment = {
        "LD_LIBRARY_PATH": str(driver),
        "PYDD_DEVICE": "gpu",
        "PYDD_LOG": "gpu",
        "PYTHONPATH": str(module),
        **variables,
    }
    out, said = run(START + code, **environment)
    return out, [line.removeprefix("pydd gpu: ") for line in said.splitlines()]


def test_arrays_that_are_there_are_neither_copied_nor_cut(module: Path, driver: Path) -> None:
    code = """
d, e = pydd.device_array(np.tile(x, times)), pydd.device_array(h)
for _ in range(3):
    kernels.count(d, e)
print(np.array_equal(e.copy_to_host(), h + 3 * times * n))
"""
    # The shortest loops are faster on the processor, copies included.
    for wish, times in [("gpu", 1), ("auto", 100)]:
        out, said = call(module, driver, f"times = {times}{code}", PYDD_DEVICE=wish)
        assert out == "True\n"
        launches = [at for at, line in enumerate(said) if line.startswith("launch")]
        iterations = 3000 * times
        # Blocks have sums of their own, and are no more than the device runs at a time, twice.
        blocks = min(-(-iterations // 256), 2 * 96)
        assert [said[at] for at in launches] == [
            f"launch of k0_count with {blocks} blocks for 0..{iterations}"
        ] * 3
        assert launches == list(range(launches[0], launches[0] + 3))


def test_what_is_on_the_host_stays_there(module: Path, driver: Path) -> None:
    out, said = call(
        module, driver, "kernels.count(x, h); print(np.array_equal(h, np.arange(97) + n))", PYDD_DEVICE="auto"
    )
    assert (out, said) == ("True\n", [])


TYPES = """
k, w = (x % 5 - 5).astype(np.int32), np.arange(3000) * 2654435761
a = np.arange(20, dtype=np.int32)[::4].copy()
for strided in [a.copy(), np.repeat(a, 3)[::3], a[::-1].copy()[::-1]]:
    before, weights = strided.copy(), w.astype(np.int32)
    kernels.spread(x % 5 - 5, weights, strided)
    np.subtract.at(before, k, weights)
    print(np.array_equal(strided, before))
a = np.full(5, 7, np.uint32)
kernels.greatest(k, w.astype(np.uint32), a)
print([w.astype(np.uint32)[k == i - 5].max() for i in range(5)] == a.tolist())
a = np.full(5, 2**63 + 1, np.uint64)
kernels.either(k, w.astype(np.uint64) << np.uint64(20), a)
print([2**63 + 1 ^ np.bitwise_xor.reduce(w.astype(np.uint64)[k == i - 5]) << np.uint64(20) for i in range(5)] == a.tolist())
h[:] = 0
kernels.of_rows(x.reshape(300, 10), h)
print(np.array_equal(h, n), np.array_equal(kernels.counted(x), n))
print(kernels.twice(x, h) == 2 * n[0], np.array_equal(h, 3 * n))
kernels.count(np.array([], np.int64), h)
kernels.count(x % 90, h[5:95])
print(np.array_equal(h, 3 * n + np.concatenate([np.zeros(5, int), np.bincount(x % 90), np.zeros(2, int)])))
both = np.arange(97) % 50
expected = both.copy()
for i in range(97):
    expected[expected[i]] += 1
kernels.count(both, both)
print(np.array_equal(both, expected))
"""


@pytest.mark.parametrize("parts", ["1", "3"])
@pytest.mark.parametrize("lanes", ["1", "8"])
def test_types_strides_and_overlap(module: Path, driver: Path, parts: str, lanes: str) -> None:
    for seed in ["0", "1", "2"]:
        out, said = call(
            module, driver, TYPES, PYDD_DEVICE_PARTS=parts, PYDD_DEVICE_LANES=lanes, FAKECUDA_SEED=seed
        )
        assert "False" not in out and out.count("True") == 11
        launched = [line for line in said if line.startswith("launch of k0_count")]
        assert launched == [] or all("threads for each" not in line for line in said if "of_rows" in line)


def test_data_larger_than_the_memory(module: Path, driver: Path) -> None:
    code = """
x = np.tile(x, 100)
kernels.count(x, h)
print(np.array_equal(h, np.arange(97) + 100 * n))
kernels.twice(x, h)
print(np.array_equal(h, np.arange(97) + 300 * n))
"""
    out, said = call(module, driver, code, FAKECUDA_MEMORY=str(1 << 20))
    assert out == "True\nTrue\n"
    launches = [line for line in said if line.startswith("launch of k0_count")]
    assert len(launches) > 1 and not any("on the processor" in line for line in said)


def test_an_index_that_is_none_is_the_error_of_the_lowest_iteration(module: Path, driver: Path) -> None:
    code = """
x[1500], x[700], x[2900] = -98, 97, 1 << 40
for given in [x, pydd.device_array(x)]:
    try:
        kernels.count(given, h)
    except IndexError as error:
        print(error, traceback.extract_tb(error.__traceback__)[-1].lineno)
"""
    for variables in [{}, {"PYDD_DEVICE_PARTS": "3"}, {"PYDD_DEVICE": "cpu"}, {"PYDD_DEVICE": "auto"}]:
        out, _ = call(module, driver, code, **variables)
        assert out == "index 97 is out of bounds for axis 0 with size 97 7\n" * 2


FAULTS = """
d, e, r = None, None, h.copy()
try:
    d, e = pydd.device_array(x), pydd.device_array(r)
except (RuntimeError, MemoryError):
    pass
for again in range(3):
    before = h.copy()
    try:
        kernels.count(x, h)
    except RuntimeError:
        assert ((h == before) | (h == before + n)).all(), "lost"
        break
    assert np.array_equal(h, before + n), "counted"
    try:
        assert np.array_equal(kernels.counted(x), n), "made"
        before = h.copy()
        assert kernels.twice(x, h) == before[0] + n[0] and np.array_equal(h, before + 2 * n), "twice"
    except RuntimeError:
        break
    if d is None or e is None:
        continue
    try:
        kernels.count(d, e)
        r += n
        assert np.array_equal(np.asarray(e), r), "resident"
    except RuntimeError:
        e = None
else:
    print("done", e is not None)
"""


@pytest.mark.parametrize("failure", ["lost", "oom"])
@pytest.mark.parametrize("parts", ["1", "3"])
def test_what_fails_is_not_counted_twice(module: Path, driver: Path, failure: str, parts: str) -> None:
    ends = set()
    for n in range(1, 120, 1 if os.environ.get("PYDD_LONG") else 7) if failure == "lost" else range(1, 8):
        out, _ = call(module, driver, FAULTS, FAKECUDA_FAIL=f"{failure}@{n}", PYDD_DEVICE_PARTS=parts)
        ends.add(out)
    assert "done True\n" in ends
    assert failure == "oom" or len(ends) > 1


def test_strict_sums_beside_counts_are_in_order(driver: Path, tmp_path: Path) -> None:
    (tmp_path / "kernels.pydd").write_text(
        """
def total(x: Array(float64, 1), k: Array(int64, 1), h: Array(int64, 1)) -> float64:
    s = 0.0
    pfor i in range(len(x)):
        s += x[i]
        h[k[i]] += 1
    return s
"""
    )
    run(f"import pydd; pydd.compile({str(tmp_path / 'kernels.pydd')!r}, options=['--gpu', '--strict-fp'])")
    code = """
import kernels
import numpy as np

r = np.random.default_rng(1)
x, k = r.uniform(-4, 4, 5000), r.integers(0, 9, 5000)
print(kernels.total(x, k, np.zeros(9, np.int64)) == sum(x.tolist()))
"""
    out, _ = run(code, LD_LIBRARY_PATH=str(driver), PYDD_DEVICE="gpu", PYTHONPATH=str(tmp_path))
    assert out == "True\n"
