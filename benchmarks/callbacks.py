"""SciPy's callbacks: functions of Python, of Numba and of pydd in one run. `python benchmarks/callbacks.py` prints the table of docs/howto/native.md.

The least of some repetitions counts. An evaluation of `quad` includes its own work, a window that of `generic_filter`.
"""

import math
import timeit

import numba
import numpy as np
from scipy import LowLevelCallable, integrate, ndimage

import pydd

SIZE = 300


def wave(x):
    return math.exp(-x * x) * math.cos(3 * x)


def trimmed(window):
    least = greatest = total = window[0]
    for i in range(1, len(window)):
        x = window[i]
        if x < least:
            least = x
        if x > greatest:
            greatest = x
        total += x
    return (total - least - greatest) / (len(window) - 2)


def of_numba():
    inner = numba.njit(trimmed)
    types = numba.types
    values = types.CPointer(types.float64)

    @numba.cfunc(types.intc(values, types.intp, values, types.voidptr))
    def filtered(window, size, out, data):
        out[0] = inner(numba.carray(window, (size,), dtype=np.float64))
        return 1

    integrand = numba.cfunc("float64(float64)")(wave)
    return LowLevelCallable(integrand.ctypes), LowLevelCallable(filtered.ctypes)


def of_pydd():
    integrand, filtered = pydd.jit(wave), pydd.jit(trimmed)
    integrand.compile(1.0)
    filtered.compile(np.ones(9))
    return pydd.low_level_callable(integrand), pydd.low_level_callable(filtered)


def least(function, number, repeat):
    return min(timeit.repeat(function, number=number, repeat=repeat)) / number


def main():
    image = np.random.default_rng(0).random((SIZE, SIZE))
    expected = ndimage.generic_filter(image, trimmed, size=3)
    ways = {
        "a function of Python": (wave, trimmed),
        "`numba.cfunc`": of_numba(),
        "`pydd.low_level_callable`": of_pydd(),
    }
    print("| | `quad`, an evaluation | `generic_filter`, a window of 3 by 3 |\n|---|---:|---:|")
    for name, (integrand, filtered) in ways.items():
        count = integrate.quad(integrand, 0, 10, full_output=1)[2]["neval"]
        one = least(lambda f=integrand: integrate.quad(f, 0, 10), 200, 7) / count
        np.testing.assert_allclose(ndimage.generic_filter(image, filtered, size=3), expected)
        window = least(lambda f=filtered: ndimage.generic_filter(image, f, size=3), 1, 7) / image.size
        print(f"| {name} | {1e9 * one:.0f} ns | {1e9 * window:.0f} ns |")


if __name__ == "__main__":
    main()
