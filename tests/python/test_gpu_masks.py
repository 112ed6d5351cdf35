"""Elements that are kept by a condition, one behind the other, and column-major arrays on a GPU, under the driver of `tests/fakecuda`."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_gpu import driver, run

__all__ = ["driver"]

SOURCE = """
import numpy as np


def masked(x: Array(float64, 1)):
    return x[x > 0.5] * 2.0


def nonzero(x: Array(float64, 1)):
    return np.nonzero(x > 0.5)[0]


def rows(p: Array(float64, 2), x: Array(float64, 1)):
    return p[x > 0.5]


def places(p: Array(float64, 2)):
    return np.argwhere(p > 0.5)


def written(x: Array(float64, 1), out: Array(float64, 1)):
    k = 0
    for i in range(len(x)):
        if x[i] > 0.5:
            out[k] = x[i]
            k += 1
    return k


def by_columns(p: Array(float64, 2, order="F"), q: Array(float64, 2, order="F")):
    return p * 2.0 + q


def in_columns(p: Array(float32, 3, order="F")):
    for i in range(p.shape[0]):
        for j in range(p.shape[1]):
            for k in range(p.shape[2]):
                p[i, j, k] += i * 100 + j * 10 + k
"""

START = """
import kernels, numpy as np, pydd
x = np.random.default_rng(0).random(6000)
p = np.random.default_rng(1).random((6000, 3))
"""


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("masks")
    (folder / "kernels.pydd").write_text(SOURCE)
    run(f"import pydd; pydd.compile({str(folder / 'kernels.pydd')!r}, options=['--gpu'])")
    return f"import sys; sys.path.insert(0, {str(folder)!r})\n{START}"


CALLS = {
    "masked": ("kernels.masked({x})", "x[x > 0.5] * 2.0"),
    "nonzero": ("kernels.nonzero({x})", "np.nonzero(x > 0.5)[0]"),
    "rows": ("kernels.rows({p}, {x})", "p[x > 0.5]"),
    "places": ("kernels.places({p})", "np.argwhere(p > 0.5)"),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("parts", ["1", "3"])
def test_what_a_mask_keeps_stays_there(driver: Path, start: str, name: str, parts: str) -> None:
    call, expected = CALLS[name]
    call = call.format(x="pydd.device_array(x)", p="pydd.device_array(p)")
    code = f"got = {call}\nprint(type(got).__name__, np.array_equal(np.asarray(got), {expected}))"
    out, said = run(
        start + code,
        LD_LIBRARY_PATH=str(driver),
        PYDD_DEVICE="gpu",
        PYDD_LOG="gpu",
        PYDD_DEVICE_PARTS=parts,
    )
    assert out == "DeviceArray True\n"
    assert "on the processor" not in said and "launch of" in said
    if parts == "1":
        # Of the arguments once, and of the result for the comparison; what is counted goes both ways in a few bytes.
        sizes = [line.split()[4] for line in said.splitlines() if " copy of " in line]
        arguments = 2 if name == "rows" else 1
        assert sum(int(size) >= 1000 for size in sizes) == arguments + 1, said


WRITTEN = """
for room in (6000, 3100, 2000, 0):
    out, expected = np.full(room, 7.0), np.full(room, 7.0)
    kept = x[x > 0.5]
    expected[:len(kept)] = kept[:room]
    try:
        told = kernels.written(x, out)
    except IndexError as error:
        told = str(error)
    fits = len(kept) <= room
    wanted = len(kept) if fits else f"index {room} is out of bounds for axis 0 with size {room}"
    print(told == wanted, np.array_equal(out, expected))
"""


@pytest.mark.parametrize("parts", ["1", "2"])
@pytest.mark.parametrize("order", ["1", "7"])
def test_what_does_not_fit_is_an_error_as_in_order(driver: Path, start: str, parts: str, order: str) -> None:
    variables = {"PYDD_DEVICE_PARTS": parts, "FAKECUDA_SEED": order}
    out, _ = run(start + WRITTEN, LD_LIBRARY_PATH=str(driver), PYDD_DEVICE="gpu", **variables)
    assert out == "True True\n" * 4


COLUMNS = """
f = np.asfortranarray(p)
got = kernels.by_columns({given}, f)
print(np.array_equal(np.asarray(got), p * 3.0), type(got).__name__)
c = np.asfortranarray(np.arange(1200.0).reshape(30, 4, 10).astype(np.float32))
i, j, k = np.indices(c.shape, dtype=np.float32)
expected = c + i * 100 + j * 10 + k
kernels.in_columns(c)
print(np.array_equal(c, expected))
"""


def test_column_major_arrays_run_there(driver: Path, start: str) -> None:
    for given, kind in (("f", "ndarray"), ("pydd.device_array(f, order='F')", "DeviceArray")):
        out, said = run(
            start + COLUMNS.format(given=given),
            LD_LIBRARY_PATH=str(driver),
            PYDD_DEVICE="gpu",
            PYDD_LOG="gpu",
        )
        assert out.startswith(f"True {kind}") and out.endswith("\nTrue\n"), out
        assert said.count("launch of") >= 2, said
