"""What is copied to a GPU and back, and what is not, under the driver of `tests/fakecuda`."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_gpu import driver, run

__all__ = ["driver"]

OVERWRITTEN = """
import numpy as np


def filled(a: Array(float64, 1), out: Array(float64, 1)):
    pfor i in range(len(a)):
        out[i] = 2.0 * a[i] + 1.0


def filled_rows(a: Array(float64, 2), out: Array(float64, 2)):
    out[:] = np.sqrt(a) + 1.0


def in_place(u: Array(float64, 1), v: Array(float64, 1)):
    u += v


def all_but_the_ends(a: Array(float64, 1), out: Array(float64, 1)):
    pfor i in range(1, len(a) - 1):
        out[i] = 2.0 * a[i] + 1.0


def sometimes(a: Array(float64, 1), out: Array(float64, 1)):
    pfor i in range(len(a)):
        if a[i] > 0.0:
            out[i] = a[i]


def checked(a: Array(float64, 1), k: Array(int64, 1), out: Array(float64, 1)):
    pfor i in range(len(out)):
        out[i] = a[k[i]]


def backwards(a: Array(float64, 1), out: Array(float64, 1)):
    n = len(a)
    pfor i in range(n):
        out[n - 1 - i] = a[i]


def then_in_part(a: Array(float64, 1), out: Array(float64, 1)):
    pfor i in range(len(a)):
        out[i] = a[i]
    pfor i in range(0, len(a), 3):
        out[i] = -a[i]


def slowly(a: Array(float64, 1), out: Array(float64, 1), n: int64):
    pfor i in range(len(a)):
        x = a[i]
        for t in range(n):
            x = np.sqrt(x + 1.0)
        out[i] = x
"""


@pytest.fixture(scope="module")
def overwritten(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Code that begins to use `kernels`, whose loops write all of an array, or not quite."""
    folder = tmp_path_factory.mktemp("overwritten")
    (folder / "kernels.pydd").write_text(OVERWRITTEN)
    run(f"import pydd; pydd.compile({str(folder / 'kernels.pydd')!r}, options=['--gpu'])")
    return (
        f"import sys; sys.path.insert(0, {str(folder)!r})\nimport kernels, numpy as np\n"
        "a = np.abs(np.sin(np.arange(20_000.0)))\nout = np.full(20_000, 7.0)\n"
    )


def copies_of(overwritten: str, driver: Path, code: str, **variables: str) -> int:
    """Copies of whole arrays to the device, of a program that prints that its result is right."""
    out, said = run(
        overwritten + code, LD_LIBRARY_PATH=str(driver), PYDD_DEVICE="gpu", PYDD_LOG="gpu", **variables
    )
    assert out == "True\n"
    assert "on the processor" not in said
    return said.count("copy of 160000 bytes to the device")


ONE_ARRAY = {
    "filled": "kernels.filled(a, out); print(np.array_equal(out, 2 * a + 1))",
    "rows": """
out = out.reshape(100, 200)
kernels.filled_rows(a.reshape(100, 200), out)
print(np.array_equal(out, np.sqrt(a.reshape(100, 200)) + 1))
""",
    "backwards": "kernels.backwards(a, out); print(np.array_equal(out, a[::-1]))",
    "then a part": """
kernels.then_in_part(a, out)
a[::3] *= -1.0
print(np.array_equal(out, a))
""",
}


@pytest.mark.parametrize("name", ONE_ARRAY)
def test_what_is_overwritten_is_not_copied_there(driver: Path, overwritten: str, name: str) -> None:
    assert copies_of(overwritten, driver, ONE_ARRAY[name]) == 1


BOTH_ARRAYS = {
    "in place": "v = out.copy(); kernels.in_place(out, a); print(np.array_equal(out, v + a))",
    "a part": """
kernels.all_but_the_ends(a, out)
expected = 2 * a + 1
expected[[0, -1]] = 7.0
print(np.array_equal(out, expected))
""",
    "strided": """
out = np.full(40_000, 7.0)
kernels.filled(a, out[::2])
print(np.array_equal(out[::2], 2 * a + 1) and (out[1::2] == 7.0).all())
""",
    "shorter": """
kernels.filled(a[:19_990], out)
print(np.array_equal(out[:19_990], 2 * a[:19_990] + 1) and (out[19_990:] == 7.0).all())
""",
    "under a condition": """
a[::5] = -1.0
kernels.sometimes(a, out)
print(np.array_equal(out, np.where(a > 0.0, a, 7.0)))
""",
}


@pytest.mark.parametrize("name", BOTH_ARRAYS)
def test_what_is_not_quite_overwritten_is_copied_there(driver: Path, overwritten: str, name: str) -> None:
    copies_of(overwritten, driver, BOTH_ARRAYS[name])


def test_parts_are_overwritten_each(driver: Path, overwritten: str) -> None:
    code = "kernels.filled(a, out); print(np.array_equal(out, 2 * a + 1))"
    out, said = run(
        overwritten + code,
        LD_LIBRARY_PATH=str(driver),
        PYDD_DEVICE="gpu",
        PYDD_LOG="gpu",
        PYDD_DEVICE_PARTS="2",
    )
    assert out == "True\n"
    assert said.count("copy of 80000 bytes to the device") == 2
    assert said.count("copy of 80000 bytes from the device") == 2


def test_an_error_leaves_what_is_not_overwritten(driver: Path, overwritten: str) -> None:
    code = """
k = np.arange(20_000)
k[15_000] = 99_999
try:
    kernels.checked(a, k, out)
except IndexError as error:
    print(error)
print(np.array_equal(out[:15_000], a[:15_000]), ((out == a) | (out == 7.0)).all())
"""
    out, _ = run(overwritten + code, LD_LIBRARY_PATH=str(driver), PYDD_DEVICE="gpu")
    assert out == "index 99999 is out of bounds for axis 0 with size 20000\nTrue True\n"


def test_an_interrupted_loop_leaves_old_or_new_elements(driver: Path, overwritten: str) -> None:
    code = """
import signal
expected = out.copy()
kernels.slowly(a, expected, 100)
def handler(*_):
    raise ValueError
signal.signal(signal.SIGALRM, handler)
a, out = np.tile(a, 400), np.full(8_000_000, 7.0)
signal.setitimer(signal.ITIMER_REAL, 0.3)
try:
    kernels.slowly(a, out, 100)
    print("done")
except ValueError:
    print("interrupted")
print(((out == np.tile(expected, 400)) | (out == 7.0)).all())
"""
    assert run(overwritten + code, LD_LIBRARY_PATH=str(driver), PYDD_DEVICE="gpu")[0] == "interrupted\nTrue\n"


@pytest.mark.parametrize("name", ["filled", "in_place", "then_in_part"])
@pytest.mark.parametrize("failure", ["lost", "oom"])
def test_a_device_that_fails_leaves_old_or_new_elements(
    driver: Path, overwritten: str, name: str, failure: str
) -> None:
    code = f"""
before, after = out.copy(), out.copy()
try:
    kernels.{name}(*([out, a] if {name == "in_place"} else [a, out]))
    print("done")
except RuntimeError:
    print("lost")
expected = {{"filled": 2 * a + 1, "in_place": before + a, "then_in_part": np.where(np.arange(20_000) % 3, a, -a)}}
expected = expected[{name!r}]
assert ((out == before) | (out == expected) | (out == a)).all()
"""
    said = []
    for n in range(1, 40, 2):
        out, _ = run(
            overwritten + code, LD_LIBRARY_PATH=str(driver), PYDD_DEVICE="gpu", FAKECUDA_FAIL=f"{failure}@{n}"
        )
        said.append(out.strip())
    assert "done" in said


COPIES = """
import numpy as np


def some(u: Array(float64, 1), w: Array(float64, 1)):
    pfor i in range(0, len(w), 101):
        w[i] = 2.0 * u[i] + 1.0


def pairs(u: Array(complex128, 1), w: Array(complex128, 1)):
    pfor i in range(0, len(w), 77):
        w[i] = u[i] + 1.0


def made(u: Array(float64, 1)) -> Array(float64, 1):
    w = np.zeros(len(u))
    pfor i in range(0, len(w), 101):
        w[i] = u[i] + 1.0
    return w
"""


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Code that begins to use `kernels`, whose loops do little with much memory."""
    folder = tmp_path_factory.mktemp("copies")
    (folder / "kernels.pydd").write_text(COPIES)
    run(f"import pydd; pydd.compile({str(folder / 'kernels.pydd')!r}, options=['--gpu'])")
    return f"import sys; sys.path.insert(0, {str(folder)!r})\nimport kernels, numpy as np\n"


def test_large_copies_are_those_of_small_ones(driver: Path, copies: str) -> None:
    code = """
import threading
for n in (1000, 524_287, 524_289, 3_000_001):
    u, w = np.sin(np.arange(n + 0.0)), np.cos(np.arange(n + 0.0))
    expected = w.copy()
    expected[::101] = 2.0 * u[::101] + 1.0
    stop, rounds = threading.Event(), 0

    # Elements that no loop writes; once at least, however short the calls are.
    def write():
        global rounds
        is_last = False
        while not is_last:
            is_last = stop.is_set()
            rounds += 1
            w[1::101] = w[100::101] = rounds

    thread = threading.Thread(target=write)
    thread.start()
    before = u.copy()
    for _ in range(3):
        kernels.some(u, w)
    stop.set()
    thread.join()
    expected[1::101] = expected[100::101] = rounds
    print(np.array_equal(w, expected), np.array_equal(u, before))
    z = u + 1j * u
    expected = z.copy()
    expected[::77] += 1.0
    # Addresses that are no multiples of an element's size.
    memory = np.zeros(16 * n + 8, np.uint8)[8:].view(np.complex128)
    memory[:] = z
    kernels.pairs(z, memory)
    print(np.array_equal(memory, expected))
    expected = np.zeros(n)
    expected[::101] = u[::101] + 1.0
    print(np.array_equal(kernels.made(u), expected))
"""
    out, said = run(copies + code, LD_LIBRARY_PATH=str(driver), PYDD_DEVICE="gpu", PYDD_LOG="gpu")
    assert out == "True True\nTrue\nTrue\n" * 4
    assert "on the processor" not in said


@pytest.mark.parametrize("failure", ["lost", "oom"])
def test_large_copies_that_fail(driver: Path, copies: str, failure: str) -> None:
    code = """
n = 3_000_001
u, w = np.sin(np.arange(n + 0.0)), np.cos(np.arange(n + 0.0))
before, after = w.copy(), w.copy()
after[::101] = 2.0 * u[::101] + 1.0
try:
    kernels.some(u, w)
    assert np.array_equal(w, after)
    print("done")
except RuntimeError:
    assert ((w == before) | (w == after)).all()
    print("lost")
"""
    said = []
    for n in range(1, 160, 9) if failure == "lost" else range(1, 10):
        out, _ = run(
            copies + code, LD_LIBRARY_PATH=str(driver), PYDD_DEVICE="gpu", FAKECUDA_FAIL=f"{failure}@{n}"
        )
        said.append(out.strip())
    assert said[0] == said[-1] == "done"
    assert ("lost" in said) == (failure == "lost")
