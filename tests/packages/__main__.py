"""Functions that public packages decorate for Numba, under `pydd.jit`: which compile, and whether they give the same.

    python tests/packages FOLDER [--times]

FOLDER holds the packages of `requirements.txt` (`make packages` puts them there). Each function is called with arguments of its kind
in Python, and compiled; a difference is an error. A refusal is listed with its reason, and is an error where the function does not give the
same in Python then, or where more are refused than once were. `--times` compares calls with Numba's.
"""

import argparse
import copy
import importlib
import sys
import time
import warnings
from collections import Counter

import numpy as np

rng = np.random.default_rng(0)


def singles():
    return rng.random(20).astype(np.float32)


def doubles(n=20):
    return rng.random(n)


def bytes_():
    return rng.integers(0, 256, 20).astype(np.uint8)


def stochastic(n=5):
    matrix = rng.random((n, n))
    return matrix / matrix.sum(axis=1, keepdims=True)


def distance(name):
    """Arguments for a function of distances."""
    if name == "haversine":
        return doubles(2), doubles(2)
    if name == "mahalanobis":
        return doubles(), doubles(), np.eye(20)
    if name in ("standardised_euclidean", "standardised_euclidean_grad"):
        return doubles(), doubles(), np.ones(20)
    if name in ("weighted_minkowski", "weighted_minkowski_grad"):
        return doubles(), doubles(), np.ones(20), 2
    if name in ("kantorovich", "sinkhorn"):
        return doubles(), doubles(), rng.random((20, 20))
    if "uint8" in name:
        return bytes_(), bytes_(), rng.random(256).astype(np.float32)
    if "uint4" in name:
        return bytes_(), bytes_(), rng.random(16).astype(np.float32)
    if "int8" in name:
        norms = (np.float32(0.1), np.float32(0.2)) if "norms" in name else ()
        return bytes_().astype(np.int8), bytes_().astype(np.int8), *norms
    return singles(), singles()


def bounds():
    return np.tile([0.0, 1e9], (100, 1))


def garch():
    return np.array([0.1, 0.05, 0.9])


# Modules, and arguments for their functions by name; a function for all, or a dict.
MODULES = {
    "pynndescent.distances": distance,
    "umap.distances": distance,
    "arch.univariate.recursions_python": {
        "harch_recursion": lambda: (
            doubles(3),
            doubles(100),
            np.zeros(100),
            np.array([1, 5], np.int32),
            100,
            1.0,
            bounds(),
        ),
        "arch_recursion": lambda: (garch()[:2], doubles(100), np.zeros(100), 1, 100, 1.0, bounds()),
        "garch_recursion": lambda: (
            garch(),
            doubles(100),
            np.sign(doubles(100)),
            np.zeros(100),
            1,
            0,
            1,
            100,
            1.0,
            bounds(),
        ),
        "egarch_recursion": lambda: (
            garch(),
            doubles(100),
            np.zeros(100),
            1,
            0,
            1,
            100,
            1.0,
            bounds(),
            np.zeros(100),
            np.zeros(100),
            np.zeros(100),
        ),
        "midas_recursion": lambda: (
            np.array([0.1, 0.5, 0.1]),
            np.full(5, 0.2),
            doubles(100),
            np.zeros(100),
            100,
            1.0,
            bounds(),
        ),
        "figarch_weights": lambda: (np.array([0.05, 0.3, 0.2]), 1, 1, 50),
        "figarch_recursion": lambda: (
            np.array([0.1, 0.05, 0.3, 0.2]),
            doubles(100),
            np.zeros(100),
            1,
            1,
            100,
            50,
            1.0,
            bounds(),
        ),
        "aparch_recursion": lambda: (
            np.array([0.1, 0.05, 0.1, 0.8, 2.0]),
            doubles(100),
            doubles(100),
            np.zeros(100),
            np.zeros(100),
            1,
            1,
            1,
            100,
            1.0,
            bounds(),
        ),
        "bounds_check": lambda: (2.0, np.array([0.1, 1e3])),
    },
    "quantecon.markov.gth_solve": {"_gth_solve_jit": lambda: (stochastic(), np.zeros(5))},
    "quantecon._inequality": {
        "lorenz_curve": lambda: (doubles(30),),
        "gini_coefficient": lambda: (doubles(30),),
    },
    "quantecon.quad": {
        "_qnwcheb1": lambda: (7, 0.0, 1.0),
        "_qnwlege1": lambda: (7, 0.0, 1.0),
        "_qnwnorm1": lambda: (7,),
        "_qnwsimp1": lambda: (7, 0.0, 1.0),
        "_qnwtrap1": lambda: (7, 0.0, 1.0),
        "_qnwbeta1": lambda: (7, 1.5, 2.5),
        "_qnwgamma1": lambda: (7, 1.5, 2.5),
    },
    "quantecon._gridtools": {
        "_repeat_1d": lambda: (doubles(3), 4, np.zeros(24)),
        "simplex_grid": lambda: (3, 4),
        "num_compositions_jit": lambda: (3, 4),
    },
    "quantecon.util.combinatorics": {
        "next_k_array": lambda: (np.array([0, 1, 4]),),
        "k_array_rank_jit": lambda: (np.array([0, 1, 4]),),
    },
    "quantecon.optimize.pivoting": {"_pivoting": lambda: (rng.random((4, 6)), 2, 1)},
    "stumpy.core": {
        "_count_diagonal_ndist": lambda: (np.arange(3), 2, 10, 9),
        "_total_diagonal_ndists": lambda: (0, 5, 20, 20),
        "_rolling_isconstant": lambda: (doubles(50), 5),
        "_shift_insert_at_index": lambda: (doubles(10), 3, 7.5, "left"),
        "_apply_exclusion_zone": lambda: (doubles(50), 20, 5, np.inf),
        "_rolling_nanstd_1d": lambda: (doubles(50), 5),
    },
}


# As many run compiled with equal results.
COMPILED = 134

# Gives elements that nobody has set.
LEFT_OUT = "diagonal_gaussian_energy_grad"


def functions():
    """All decorated functions of the modules, with arguments."""
    for module, arguments in MODULES.items():
        found = importlib.import_module(module)
        for name, value in list(vars(found).items()):
            of_module = name != LEFT_OUT and hasattr(value, "py_func") and value.py_func.__module__ == module
            if of_module and callable(arguments):
                yield f"{module}.{name}", value, arguments(name)
            elif of_module and name in arguments:
                yield f"{module}.{name}", value, arguments[name]()


def same(got, expected):
    if isinstance(expected, tuple):
        return isinstance(got, tuple) and len(got) == len(expected) and all(map(same, got, expected))
    if expected is None or isinstance(expected, str):
        return got == expected
    return np.allclose(got, expected, rtol=1e-5, equal_nan=True)


def least(call, count=5):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        for _ in range(100):
            call()
        times.append((time.perf_counter() - start) / 100)
    return min(times)


def difference(kernel, function, arguments):
    """What a kernel gives or writes to its arguments other than the function in Python, if anything."""
    expected_in, got_in = copy.deepcopy(arguments), copy.deepcopy(arguments)
    expected, got = function(*expected_in), kernel(*got_in)
    if not same(got, expected) or not same(got_in, expected_in):
        return f"{got!r:.60} instead of {expected!r:.60}"
    return None


def attempt(function, arguments, times):
    """How it went, and what is to be said about it."""
    import pydd

    try:
        function.py_func(*copy.deepcopy(arguments))
    except Exception as error:
        return "not for such arguments", repr(error)[:90]
    kernel = pydd.jit(function.py_func, strict=True)
    try:
        different = difference(kernel, function.py_func, arguments)
    except pydd.CompileError as error:
        different = difference(pydd.jit(function.py_func), function.py_func, arguments)
        if different is None:
            return "refused, and equal in Python", str(error).splitlines()[0]
    if different is not None:
        return "DIFFERENT", different
    if not times:
        return "equal", ""
    try:
        function(*arguments)
    except Exception as error:
        return "equal", f"Numba fails: {error!r:.60}"
    ratio = least(lambda: kernel(*arguments)) / least(lambda: function(*arguments))
    return "equal", f"{ratio:.2f} of Numba's time"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--times", action="store_true")
    given = parser.parse_args()
    # What the environment has goes first: NumPy, SciPy, Numba.
    sys.path.append(given.folder)
    warnings.simplefilter("ignore")
    counts = Counter()
    for name, function, arguments in functions():
        outcome, said = attempt(function, arguments, given.times)
        counts[outcome] += 1
        if outcome != "equal" or said:
            print(f"{outcome:28} {name}: {said}")
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.most_common()))
    if counts["equal"] < COMPILED:
        print(f"{COMPILED} functions ran compiled before")
    return 1 if counts["DIFFERENT"] or counts["equal"] < COMPILED else 0


if __name__ == "__main__":
    sys.exit(main())
