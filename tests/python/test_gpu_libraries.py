"""Matrix products and Fourier transforms on GPUs, under the driver and the libraries of `tests/fakecuda`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_gpu import driver

__all__ = ["driver"]

SOURCE = """
import numpy as np


def adapt(
    cube: Array(complex128, 2), weights: Array(complex128, 2), replica: Array(complex128, 1)
) -> Array(complex128, 2):
    beams = weights @ cube
    spectra = np.fft.fft(beams, axis=1) * np.conj(np.fft.fft(replica))
    return np.fft.fft(np.fft.ifft(spectra, axis=1), axis=0)


def product(a, b: Array(float32, 2) | Array(float64, 2) | Array(complex64, 2) | Array(complex128, 2)):
    return a @ b


def of_integers(a, b: Array(int64, 2)) -> Array(int64, 2):
    return a @ b


def gram(a: Array(float64, 2)) -> Array(float64, 2):
    return a.T @ a


def parts(a: Array(float64, 2), b: Array(float64, 2), k: int64) -> Array(float64, 2):
    return a[k:, ::2] @ b[::-1, k:]


def stacks(a: Array(float64, 3), b: Array(float64, 3)) -> Array(float64, 3):
    return np.matmul(a, b.transpose(0, 2, 1)) + 1.0


def stretched(a: Array(float64, 2), b: Array(float64, 4)) -> Array(float64, 4):
    return a @ b


def into(out: Array(float64, 2), a: Array(float64, 2)):
    out[:] = a @ a.T
    out[0, 0] += 1.0


def real(x: Array(float64, 2) | Array(float32, 2), axis: int64):
    if axis == 0:
        return np.fft.rfft(x, axis=0)
    return np.fft.rfft(x)


def there_and_back(x: Array(complex64, 3)) -> Array(complex64, 3):
    return np.fft.ifft(np.fft.fft(x, axis=1), axis=1)


def back_to_reals(x: Array(float64, 2)) -> Array(float64, 2):
    return np.fft.irfft(np.fft.rfft(x) * 2.0)


def products_in_a_loop(a: Array(float64, 3), out: Array(float64, 3)):
    pfor i in range(len(a)):
        out[i] = a[i] @ a[i]


def first_of_product(a: Array(float64, 2)) -> float64:
    b = a @ a
    b[0, 0] += a[1, 1]
    return b[0, 0]
"""

START = """
import sys
import numpy as np
import kernels
import pydd
rng = np.random.default_rng(5)
def some(dtype, *shape):
    x = rng.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.normal(size=shape)
    return x.astype(dtype)
def same(x, y):
    x, y = np.asarray(x), np.asarray(y)
    single = x.dtype in (np.float32, np.complex64)
    assert x.shape == y.shape, (x.shape, y.shape)
    assert np.allclose(x, y, rtol=2e-4 if single else 1e-11, atol=1e-3 if single else 1e-10), np.abs(x - y).max()
def adapted(cube, weights, replica):
    spectra = np.fft.fft(weights @ cube, axis=1) * np.conj(np.fft.fft(replica))
    return np.fft.fft(np.fft.ifft(spectra, axis=1), axis=0)
"""


@pytest.fixture(scope="module", params=["", "--strict-fp"])
def module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "kernels.pydd").write_text(SOURCE)
    options = ["--gpu", *request.param.split()]
    code = f"import pydd; pydd.compile({str(folder / 'kernels.pydd')!r}, options={options!r})"
    subprocess.run([sys.executable, "-c", code], check=True)
    (folder / "uses_libraries").write_text(str(not request.param))
    return folder


def run(module: Path, driver: Path, code: str, **variables: str) -> tuple[str, list[str]]:
    """What is printed, and the log."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(driver), "PYDD_DEVICE": "gpu", "PYDD_LOG": "gpu"}
    environment |= {"PYTHONPATH": str(module), **variables}
    done = subprocess.run(
        [sys.executable, "-c", START + code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, [line.removeprefix("pydd gpu: ") for line in done.stderr.splitlines()]


def count(log: list[str], text: str) -> int:
    return sum(text in line for line in log)


def uses_libraries(module: Path) -> bool:
    return (module / "uses_libraries").read_text() == "True"


ADAPT = """
arrays = some(complex, 6, 128), some(complex, 5, 6), some(complex, 128)
there = [pydd.device_array(x) for x in arrays]
kernels.adapt(*there)
print("second call", file=sys.stderr)
out = kernels.adapt(*there)
print("ended", file=sys.stderr)
assert isinstance(out, pydd.DeviceArray)
same(out, adapted(*arrays))
same(kernels.adapt(*arrays), adapted(*arrays))
"""


def test_arrays_that_are_there_stay_there(driver: Path, module: Path) -> None:
    _, log = run(module, driver, ADAPT)
    if not uses_libraries(module):
        assert count(log, "by a library") == 0
        return
    second = log[log.index("second call") : log.index("ended")]
    # The small product is a kernel of ours.
    assert count(second, "fft by a library") == 4
    assert count(second, "copy of") == 0
    assert count(second, "processor") == 0


def test_layouts_and_types(driver: Path, module: Path) -> None:
    code = """
for dtype in (np.float32, np.float64, np.complex64, np.complex128):
    for n, k, m in ((70, 80, 90), (1, 90, 100), (100, 90, 1), (90, 1, 90), (128, 128, 128), (0, 3, 4), (3, 0, 4)):
        a, b = some(dtype, n, k), some(dtype, k, m)
        same(kernels.product(a, b), a @ b)
        same(kernels.product(pydd.device_array(a), pydd.device_array(b)), a @ b)
        same(kernels.product(a.T.copy().T, b.T.copy().T), a @ b)
a, b = some(float, 100, 120), some(float, 60, 100)
same(kernels.parts(a, b, 3), a[3:, ::2] @ b[::-1, 3:])
same(kernels.gram(a), a.T @ a)
out = np.zeros((100, 100))
kernels.into(out, a)
expected = a @ a.T
expected[0, 0] += 1.0
same(out, expected)
a, b = some(float, 4, 70, 80), some(float, 4, 60, 80)
same(kernels.stacks(a, b), a @ b.transpose(0, 2, 1) + 1.0)
same(kernels.stacks(a[::2], b[::2]), a[::2] @ b[::2].transpose(0, 2, 1) + 1.0)
a, b = some(float, 80, 90), some(float, 2, 3, 90, 70)
same(kernels.stretched(a, b), a @ b)
out = np.zeros((5, 64, 64))
a = some(float, 5, 64, 64)
kernels.products_in_a_loop(a, out)
same(out, a @ a)
a = some(float, 100, 100)
assert np.isclose(kernels.first_of_product(pydd.device_array(a)), (a @ a)[0, 0] + a[1, 1])
n = rng.integers(-9, 9, (90, 90))
same(kernels.of_integers(n, n), n @ n)
"""
    _, log = run(module, driver, code)
    assert (count(log, "matmul by a library") > 40) == uses_libraries(module)


def test_transforms(driver: Path, module: Path) -> None:
    code = """
for shape in ((7, 60), (60, 7), (1, 64), (64, 1), (3, 1)):
    for dtype in (np.float32, np.float64):
        x = some(dtype, *shape)
        for axis in (0, 1):
            same(kernels.real(x, axis), np.fft.rfft(x, axis=axis))
            same(kernels.real(pydd.device_array(x), axis), np.fft.rfft(x, axis=axis))
for shape in ((3, 40, 5), (1, 30, 1), (2, 1, 6), (2, 33, 0)):
    x = some(np.complex64, *shape)
    same(kernels.there_and_back(x), x)
    same(kernels.there_and_back(x[::-1, :, ::2]), x[::-1, :, ::2])
# Elements that no library takes as they lie.
bytes_ = np.zeros(16 * 40 * 3 + 8, np.uint8)
x = bytes_[8:].view(np.complex64)[:3 * 40].reshape(1, 40, 3)
x[:] = some(np.complex64, 1, 40, 3)
same(kernels.there_and_back(x), x)
x = some(float, 5, 64)
same(kernels.back_to_reals(x), 2.0 * x)
"""
    _, log = run(module, driver, code)
    assert (count(log, "real_fft by a library") > 10) == uses_libraries(module)
    assert count(log, "inverse_real_fft by a library") == 0


def test_without_libraries_the_processor_does_it(driver: Path, module: Path, tmp_path: Path) -> None:
    (tmp_path / "libcuda.so.1").symlink_to(driver / "libcuda.so.1")
    code = ADAPT + "a = some(float, 90, 90); same(kernels.gram(pydd.device_array(a)), a.T @ a)\n"
    _, log = run(module, tmp_path, code)
    said = [line for line in log if line.startswith("pydd: ")]
    names = "libcublas.so.13, libcublas.so.12, libcublas.so.11"
    expected = [f"pydd: there is no cuBLAS ({names}) that works; `matmul` runs on the processor"]
    assert said == (expected if uses_libraries(module) else [])
    # And folders may be given.
    _, log = run(module, tmp_path, code, PYDD_CUDA_LIBRARIES=f"/nowhere:{driver}")
    assert [line for line in log if line.startswith("pydd: ")] == []
    assert (count(log, "by a library") > 8) == uses_libraries(module)


FAULTS = """
arrays = some(complex, 70, 128), some(complex, 72, 70), some(complex, 128)
there = [pydd.device_array(x) for x in arrays]
lost = False
try:
    for _ in range(2):
        same(kernels.adapt(*there), adapted(*arrays))
except RuntimeError as error:
    assert "failed" in str(error), error
    lost = True
same(kernels.adapt(*arrays), adapted(*arrays))
print(lost)
"""


@pytest.mark.parametrize("fault", ["refuse", "oom", "lost"])
def test_faults_at_each_call(driver: Path, module: Path, fault: str) -> None:
    if not uses_libraries(module):
        return
    for at in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 18, 21, 25, 30, 36):
        out, _ = run(module, driver, FAULTS, FAKECUDA_FAIL=f"{fault}@{at}")
        assert out == "False\n" or (fault == "lost" and out == "True\n")


def test_threads_share_a_library(driver: Path, module: Path) -> None:
    code = """
import threading
a = [some(float, 80 + i, 90) for i in range(6)]
results = [None] * 6
def work(i):
    for _ in range(5):
        results[i] = kernels.gram(a[i])
threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
[t.start() for t in threads]
[t.join() for t in threads]
for x, r in zip(a, results):
    same(r, x.T @ x)
"""
    run(module, driver, code, FAKECUDA_DEVICES="2")
