"""usage: callbacks.py PYDDC, on 64-bit ARM: native code calls functions at their addresses, where the runtime has assembly of its own.

`tests/python/test_native_callers.py` says more of what callers see; it needs pytest and the compiler in one process.
"""

import ctypes
import importlib
import platform
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import numpy as np
from scipy import integrate, ndimage

import pydd_runtime

# Integers and floats of all widths, more than there are registers for.
SOURCE = """
import math

def gauss(x: float64) -> float64:
    return math.exp(-x * x)

def many(a: int8, b: float32, c: bool, d: float64, e: uint64, f: int64, g: int32, h: uint16, i: uint8, j: int64,
         k: float64, l: float64, m: float64, n: float64, o: float64, p: float32, q: float64, r: float32, s: int16) -> float64:
    total = 1000.0 if c else 0.0
    total += a + 2 * b + 3 * d + 4 * e + 5 * f + 6 * g + 7 * h + 8 * i + 9 * j
    return total + 10 * k + 11 * l + 12 * m + 13 * n + 14 * o + 15 * p + 16 * q + 17 * r + 18 * s

def single(x: float32) -> float32:
    return x / 3

def low(x: int64) -> int8:
    return int8(x)

def tenth(n: int64) -> int64:
    return 10 // n

def median(w: Array(float64, 1)) -> float64:
    w.sort()
    return w[len(w) // 2]
"""
ARGUMENTS = (
    -5,
    0.25,
    True,
    1.5,
    2**63,
    -7,
    -8,
    65535,
    255,
    2**40,
    1.0,
    2.0,
    3.0,
    4.0,
    5.0,
    0.5,
    7.0,
    0.25,
    -9,
)


def compiled(pyddc, option):
    """The module, compiled for this machine by the compiler of the one that emulates it."""
    name = f"callbacks{option.replace('-', '_')}"
    folder = Path(tempfile.mkdtemp(prefix="callbacks"))
    source = folder / f"{name}.pydd"
    source.write_text(SOURCE)
    subprocess.run([pyddc, "--target=aarch64-linux", option, str(source), "-o", str(folder)], check=True)
    sys.path.insert(0, str(folder))
    return importlib.import_module(name)


def check(module):
    by_pointer = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(module.gauss.address)
    assert by_pointer(0.5) == module.gauss(0.5)
    assert pydd_runtime.cfunc(module.many)(*ARGUMENTS) == module.many(*ARGUMENTS)
    assert pydd_runtime.cfunc(module.single)(1.0) == np.float32(1) / np.float32(3)
    assert pydd_runtime.cfunc(module.low)(-3) == -3
    tenth = pydd_runtime.cfunc(module.tenth)
    assert tenth(3) == 3
    try:
        tenth(0)
    except ZeroDivisionError as error:
        assert traceback.extract_tb(error.__traceback__)[-1].line == "return 10 // n"
    else:
        raise AssertionError("no ZeroDivisionError")
    total, _ = integrate.quad(pydd_runtime.low_level_callable(module.gauss), 0, np.inf)
    assert abs(total - np.sqrt(np.pi) / 2) < 1e-12, total
    image = np.arange(25.0).reshape(5, 5) ** 2
    median = pydd_runtime.low_level_callable(module.median)
    assert np.array_equal(ndimage.generic_filter(image, median, size=3), ndimage.median_filter(image, size=3))


if __name__ == "__main__":
    assert platform.machine() == "aarch64"
    for option in ("-O0", "-O3"):
        check(compiled(sys.argv[1], option))
    print("callbacks on ARM: passed")
