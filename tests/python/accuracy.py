"""How far compiled elementary functions are from the true values, measured against MPFR.

`python tests/python/accuracy.py` writes the table of docs/math.md.
"""

import importlib.util
import math
import subprocess
import sys
from pathlib import Path

import gmpy2
import numpy as np
from gmpy2 import mpfr

import pydd

ROOT = Path(__file__).resolve().parents[2]

# Name: NumPy's or math's name in the kernel, intervals that are sampled beside random bit patterns.
UNARY = {
    "exp": ("np.exp", [(-745, 710), (-1, 1)]),
    "exp2": ("np.exp2", [(-1075, 1024), (-1, 1)]),
    "expm1": ("np.expm1", [(-40, 710), (-1, 1)]),
    "log": ("np.log", [(0, 2), (0.7, 1.4)]),
    "log2": ("np.log2", [(0, 2), (0.7, 1.4)]),
    "log10": ("np.log10", [(0, 2), (0.7, 1.4)]),
    "log1p": ("np.log1p", [(-1, 2), (-0.3, 0.3)]),
    "sin": ("np.sin", [(-10, 10), (-1e6, 1e6)]),
    "cos": ("np.cos", [(-10, 10), (-1e6, 1e6)]),
    "tan": ("np.tan", [(-10, 10), (-1e6, 1e6)]),
    "asin": ("np.arcsin", [(-1, 1), (0.45, 0.55)]),
    "acos": ("np.arccos", [(-1, 1), (-0.55, -0.45)]),
    "atan": ("np.arctan", [(-5, 5), (0.3, 0.5)]),
    "sinh": ("np.sinh", [(-710, 710), (-2, 2)]),
    "cosh": ("np.cosh", [(-710, 710), (-2, 2)]),
    "tanh": ("np.tanh", [(-20, 20), (-1, 1)]),
    "asinh": ("np.arcsinh", [(-3, 3), (-0.5, 0.5)]),
    "acosh": ("np.arccosh", [(1, 3), (1, 1.01)]),
    "atanh": ("np.arctanh", [(-1, 1), (-0.3, 0.3)]),
    "cbrt": ("np.cbrt", [(-10, 10)]),
    "erf": ("math.erf", [(-6, 6), (-1.1, 1.1)]),
    "erfc": ("math.erfc", [(-6, 28), (0.4, 1.1)]),
}
# Of float32 these are computed in double precision on all processors.
ALWAYS_WIDENED = ("hypot", "pow", "erf", "erfc")
BINARY = {"atan2": "np.arctan2", "hypot": "np.hypot", "pow": "np.power"}
NAMES = [*UNARY, *BINARY]

# Largest errors that are accepted, in units in the last place.
BOUNDS = {np.float64: {name: 1.0 for name in NAMES}, np.float32: {name: 1.4 for name in NAMES}}
BOUNDS[np.float64] |= {"expm1": 1.1, "atan": 1.1, "erf": 1.5, "erfc": 2.5}
# Of float32 that is widened.
WIDENED = 0.501

SPECIAL = """
0 1 0.5 2 3 4 10 27 100 1000 inf nan 5e-324 1e-310 2.2250738585072014e-308 1.7976931348623157e308 1e-45 1.4e-38 3.4e38
1e-20 709.78 709.79 745.1 745.2 708.5 710.4 710.5 88.7 88.8 103.9 104 1023 1024 1074 1075 1080 1e15 1e22 8e300
3.141592653589793 1.5707963267948966 5.319372648326541e255 1.0000000000000002 0.9999999999999999 0.9999999 19.06 22 38 6
26.5 27.2 28 30 9007199254740991 9007199254740993 4503599627370497.5 0.8 0.41421356 2.41421356 3e6 1073741824
0.11359813809394836 0.05702667310833931
"""


def special():
    values = [float(word) for word in SPECIAL.split()]
    # The double that lies nearest to a multiple of pi/2, by Kahan's search.
    values.append(math.ldexp(6381956970095103, 797))
    return np.array([*values, *(-value for value in values)])


def source():
    """Kernels of all functions, both widths."""
    lines = ["import math", "import numpy as np", ""]
    for bits in (64, 32):
        array = f"Array(float{bits}, 1)"
        for name in NAMES:
            call = f"{BINARY[name]}(x[i], y[i])" if name in BINARY else f"{UNARY[name][0]}(x[i])"
            lines += [
                f"def {name}_{bits}(x: {array}, y: {array}, out: {array}):",
                "    for i in range(len(x)):",
                f"        out[i] = {call}",
                "",
            ]
    return "\n".join(lines)


def build(folder, cpu, *options):
    """The kernels, compiled for a processor."""
    name = "functions_" + "".join(c if c.isalnum() else "_" for c in "_".join([cpu, *options]))
    path = folder / f"{name}.pydd"
    path.write_text(source())
    target = folder / f"{name}.abi3.so"
    subprocess.run([pydd.find_compiler(), "--cpu", cpu, *options, path, "-o", target], check=True)
    spec = importlib.util.spec_from_file_location(name, target)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def samples(name, dtype, count, seed=0):
    """Arguments of a function, as two arrays: special values, random bit patterns, and intervals of interest."""
    rng = np.random.default_rng(seed)
    word = np.uint64 if dtype == np.float64 else np.uint32

    def patterns():
        bits = rng.integers(0, np.iinfo(word).max, count, dtype=word, endpoint=True)
        with np.errstate(invalid="ignore"):
            return bits.view(dtype).astype(float)

    def magnitudes(low, high):
        return np.exp2(rng.uniform(low, high, count)) * rng.choice([-1, 1], count)

    if name in BINARY:
        ends = special()[:16]
        grid = np.array(np.meshgrid([*ends, *-ends], [*ends, *-ends])).reshape(2, -1)
        parts = [grid, [patterns(), patterns()]]
        parts += [[magnitudes(-60, 60), magnitudes(-60, 60)], rng.uniform(-3, 3, (2, count))]
        if name == "pow":
            parts += [[rng.uniform(0, 3, count), rng.uniform(-600, 600, count)]]
            parts += [[abs(magnitudes(-1000, 1000)), rng.uniform(-2, 2, count)]]
            parts += [[1 + 0.9 * magnitudes(-40, -1), magnitudes(-3, 50)]]
            parts += [np.round(rng.uniform(-20, 20, (2, count)))]
        both = np.concatenate([np.asarray(part) for part in parts], axis=1)
    else:
        parts = [special(), patterns(), magnitudes(-60, 12)]
        parts += [rng.uniform(low, high, count) for low, high in UNARY[name][1]]
        if name in ("sin", "cos", "tan"):
            quarters = [rng.integers(1, 2**20, count), np.round(np.exp2(rng.uniform(0, 50, count)))]
            parts += [k * (math.pi / 2) for k in quarters] + [magnitudes(12, 60)]
        x = np.concatenate(parts)
        both = np.array([x, np.zeros_like(x)])
    with np.errstate(over="ignore", invalid="ignore"):
        return tuple(np.ascontiguousarray(row.astype(dtype)) for row in both)


def is_special(name, x, y, value):
    """Powers that C99 defines otherwise than MPFR, or that MPFR calls an error."""
    return name == "pow" and (not gmpy2.is_finite(value) or x == 0 or math.isinf(x) or math.isinf(y))


def reference(name, x, y):
    with gmpy2.context(gmpy2.get_context(), precision=140, emin=-10000, emax=10000):
        if name == "pow":
            return mpfr(x) ** mpfr(y)
        function = getattr(gmpy2, name)
        return function(mpfr(x), mpfr(y)) if name in BINARY else function(mpfr(x))


def same(a, b):
    return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))


def error(got, value, dtype):
    """Units in the last place between a result and the true value; infinite where only equality would do."""
    info = np.finfo(dtype)
    precision, lowest = info.nmant + 1, info.minexp - info.nmant
    with np.errstate(over="ignore"):
        rounded = float(dtype(float(value)))
    if math.isnan(got) or gmpy2.is_nan(value) or gmpy2.is_infinite(value) or value == 0:
        return 0.0 if same(got, rounded) else math.inf
    top = mpfr(2) ** (info.maxexp)
    if math.isinf(got):
        # As far as the number that would follow the largest one.
        got_exact = math.copysign(1, got) * top
    else:
        got_exact = mpfr(got)
    if got == 0 and math.copysign(1, got) != math.copysign(1, rounded):
        return math.inf
    if abs(value) >= top:
        return 0.0 if math.isinf(got) else math.inf
    exponent = max(int(gmpy2.get_exp(value)) - precision, lowest)
    with gmpy2.context(gmpy2.get_context(), precision=200, emin=-10000, emax=10000):
        return float(abs(got_exact - value) * mpfr(2) ** -exponent)


def worst(module, name, dtype, count, seed=0):
    """The largest error of a compiled function and the arguments that show it."""
    x, y = samples(name, dtype, count, seed)
    out = np.empty_like(x)
    getattr(module, f"{name}_{np.dtype(dtype).itemsize * 8}")(x, y, out)
    with np.errstate(all="ignore"):
        # NumPy has another way for an exponent that is one number, as it is for each element in a loop.
        powers = np.array([np.power(a, b) for a, b in zip(x, y)], dtype) if name == "pow" else out
    found = (0.0, None)
    for a, b, got, power in zip(x.tolist(), y.tolist(), out.tolist(), powers.tolist()):
        value = reference(name, a, b)
        if is_special(name, a, b, value):
            distance = 0.0 if same(got, power) else math.inf
        else:
            distance = error(got, value, dtype)
        if distance > found[0]:
            found = (distance, (a, b, got))
    return found


def table(folder, count):
    modules = [build(folder, "x86-64-v3"), build(folder, "generic")]
    rows = ["| function | with FMA | without FMA |", "|---|---|---|"]
    for name in NAMES:
        errors = [worst(module, name, np.float64, count)[0] for module in modules]
        rows.append(f"| {name} | " + " | ".join(f"{error:.3f}" for error in errors) + " |")
        print(rows[-1], flush=True)
    return "\n".join(rows)


def main():
    import tempfile

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    page = ROOT / "docs" / "math.md"
    with tempfile.TemporaryDirectory() as folder:
        rows = table(Path(folder), count)
    head, marker, _ = page.read_text().partition("<!-- table -->\n")
    page.write_text(head + marker + f"\n{count} arguments of each kind, `make accuracy`.\n\n" + rows + "\n")


if __name__ == "__main__":
    main()
