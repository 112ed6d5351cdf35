"""Reductions in many parts on a GPU, which combines them as far as the tree over parts has nodes of one size: under the driver of `tests/fakecuda`, with the bits of threads."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_gpu import driver, run

__all__ = ["driver"]

# So long by what is known before that each iteration is a part.
SOURCE = """
import numpy as np


def floats(x: Array(float64, 1), steps: Array(int64, 1)) -> float64:
    s = 0.1
    pfor i in range(len(x)):
        for k in range(1000000):
            if k >= steps[i]:
                break
            s += x[i]
    return s


def kinds(x: Array(float32, 1), steps: Array(int64, 1)) -> tuple[float32, float32, float32, int64]:
    s, least, most, bits = np.float32(0.0), np.float32(1.0), np.float32(-1.0), 0
    pfor i in range(len(x)):
        for k in range(1000000):
            if k >= steps[i]:
                break
            s += x[i]
            least = min(least, x[i])
            most = max(most, x[i])
            bits ^= i * 77777777777
    return s, least, most, bits


def five(x: Array(float64, 1), steps: Array(int64, 1)) -> tuple[float64, float64, float64, float64, int64]:
    a, b, c, d, e = 0.0, 0.0, 0.0, 0.0, 0
    pfor i in range(len(x)):
        for k in range(1000000):
            if k >= steps[i]:
                break
            a += x[i]
            b += 2.0 * x[i]
            c += x[i] * x[i]
            d += 1.0 / x[i]
            e += 1
    return a, b, c, d, e


def complexes(x: Array(float64, 1), steps: Array(int64, 1)) -> complex128:
    s = 0j
    pfor i in range(len(x)):
        for k in range(1000000):
            if k >= steps[i]:
                break
            s += complex(x[i], 1.0 / x[i])
    return s


def found(x: Array(float64, 1), steps: Array(int64, 1)) -> bool:
    hit = False
    pfor i in range(len(x)):
        for k in range(1000000):
            if k >= steps[i]:
                break
            hit = hit or x[i] > 0.999
    return hit


def fails(x: Array(float64, 1), steps: Array(int64, 1)) -> float64:
    s = 0.0
    pfor i in range(len(x)):
        for k in range(1000000):
            if k >= steps[i]:
                break
            s += x[steps[i]]
    return s
"""

CALLS = """
import numpy as np
import kernels
random = np.random.default_rng(5)
for n in SIZES:
    x = random.random(n) + 1e-6
    steps = random.integers(0, 3, n)
    print(n, kernels.floats(x, steps).hex(), kernels.kinds(x.astype(np.float32), steps))
    print([v.hex() if isinstance(v, float) else v for v in kernels.five(x, steps)])
    print(kernels.complexes(x, steps), kernels.found(x, steps), kernels.found(x - 1.0, steps))
    steps[n // 2:] += n
    try:
        print(kernels.fails(x, steps))
    except IndexError as error:
        print(error)
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sums")
    (folder / "kernels.pydd").write_text(SOURCE)
    run(f"import pydd; pydd.compile({str(folder / 'kernels.pydd')!r}, options=['--gpu', '--strict-fp'])")
    return folder


def said(module: Path, driver: Path, sizes: str, **variables: str) -> tuple[str, str]:
    code = f"import sys; sys.path.insert(0, {str(module)!r})\nSIZES = {sizes}\n" + CALLS
    return run(code, LD_LIBRARY_PATH=str(driver), **variables)


def test_few_parts_are_the_tree_s_as_well(driver: Path, module: Path) -> None:
    """Where tests have even few parts combined: all remainders, and parts of loops that begin anywhere."""
    sizes = "[*range(1, 36), 47, 48, 49, 255, 256, 257, 300]"
    threads, _ = said(module, driver, sizes, PYDD_DEVICE="cpu", PYDD_NUM_THREADS="2")
    for parts in "1", "3":
        variables = {"PYDD_DEVICE_PARTS": parts, "PYDD_DEVICE_COMBINED": "1", "FAKECUDA_SEED": parts}
        out, log = said(module, driver, sizes, PYDD_DEVICE="gpu", PYDD_LOG="gpu", **variables)
        assert out == threads
        assert "launch that combines 300 parts" in log if parts == "1" else "launch that combines" in log


def test_many_parts_are_combined_there(driver: Path, module: Path) -> None:
    sizes = "[4095, 4096, 4111]"
    threads, _ = said(module, driver, sizes, PYDD_DEVICE="cpu", PYDD_NUM_THREADS="2")
    out, log = said(module, driver, sizes, PYDD_DEVICE="gpu", PYDD_LOG="gpu")
    assert out == threads
    combined = [line for line in log.splitlines() if "launch that combines" in line]
    # Five accumulators are the processor's.
    assert {line.split()[-2] for line in combined} == {"4096", "4111"}
    assert len(combined) == 8
