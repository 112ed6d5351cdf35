"""What parameters are called with: alternatives by a parameter's name, and for some functions by their own.

An alternative is a text that stands in the program, or an `Arg` that comes at run time. The first alternative of a
required parameter is the usual one; the others are tried singly, and in pairs with those of other parameters.
"""

import numpy as np
from inputs import DTYPES, Arg, kind_of, stable

MAIN = Arg("array")
SAME = Arg("array", "same")


def other_dtype(function, dtype):
    """Another element type than a kernel's, a different one for each function."""
    return DTYPES[(DTYPES.index(dtype) + 1 + stable(function) % 12) % 13] if dtype in DTYPES else "float64"


def second(function, dtype, rank):
    """A further array: of the same shape and type, a number, a row, another type."""
    row = [Arg("array", "last", None, 1)] if rank > 1 else []
    return [
        SAME,
        "2",
        "0.5",
        *row,
        Arg("array", "same", other_dtype(function, dtype)),
        Arg("number", "same", "float"),
    ]


def axes(rank):
    """Each axis, negative ones, tuples, and axes that are not there."""
    each = [str(i) for i in range(rank)]
    pairs = ["(0, 1)", "(0, -1)"] if rank > 1 else []
    return [*each, *(["-1"] if rank else []), *pairs, "()", str(rank), str(-rank - 1)]


def one_axis(rank):
    return [text for text in axes(rank) if "(" not in text]


def kth(dtype, rank):
    return ["0", "1", "-1", "2", "7"]


def quantiles(scale):
    values = Arg("array", "percents" if scale == 100 else "fractions", "float64", 1)
    return [
        str(scale * 0.5),
        str(scale * 0.3),
        "0",
        str(scale),
        f"[{scale * 0.25}, {scale * 0.75}]",
        values,
        str(-scale),
    ]


METHODS = [
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull",
    "linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest",
]  # fmt: skip


def texts(*values):
    return [repr(value) for value in values]


# By a parameter's name. A callable takes the element type and the number of axes.
NAMED = {
    "axis": lambda dtype, rank: axes(rank),
    "axes": lambda dtype, rank: [*axes(rank), "(1, 0)"],
    "axis1": lambda dtype, rank: one_axis(rank),
    "axis2": lambda dtype, rank: one_axis(rank)[::-1],
    "source": lambda dtype, rank: one_axis(rank),
    "destination": lambda dtype, rank: one_axis(rank)[::-1],
    "keepdims": ["True", "False"],
    "dtype": ["np.float32", "np.int64", "np.complex128", "float", "int", "bool", "np.uint8", "'int16'"],
    "where": [Arg("array", "mask", "bool"), "True", Arg("array", "last", "bool", 1)],
    "initial": ["2", "0.5", "-1"],
    "ddof": ["1", "0", "2"],
    "correction": ["1", "0"],
    "kind": texts("stable", "quicksort", "mergesort", "heapsort"),
    "stable": ["True"],
    "side": texts("left", "right"),
    "order": texts("C", "F", "K", "A"),
    "norm": texts("ortho", "forward", "backward"),
    "method": texts(*METHODS),
    "indexing": texts("xy", "ij"),
    "sorter": [Arg("array", "order", "int64")],
    "weights": [
        Arg("array", "natural", "float64"),
        Arg("array", "natural"),
        Arg("array", "first", "float64", 1),
    ],
    "density": ["True", "False"],
    "minlength": ["3", "0", "12", "-1"],
    "range": ["(0, 4)", "(-1.0, 2.5)", "(2, 2)", "(3, 1)"],
    "bins": ["4", "1", Arg("array", "ascending", "float64", 1), "[0, 1, 3]", "0"],
    "right": ["True", "False"],
    "left": ["-1.5"],
    "equal_nan": ["True", "False"],
    "rtol": ["0.5", "1e-3"],
    "atol": ["0.5", "0"],
    "rel_tol": ["0.5", "1e-3", "-1.0"],
    "abs_tol": ["0.5", "0.0"],
    "endpoint": ["False", "True"],
    "num": ["5", "1", "0", "-1"],
    "rowvar": ["False", "True"],
    "bias": ["True", "False"],
    "increasing": ["True", "False"],
    "full_matrices": ["False", "True"],
    "compute_uv": ["False", "True"],
    "UPLO": texts("L", "U"),
    "upper": ["True", "False"],
    "lower": ["True", "False"],
    "hermitian": ["True", "False"],
    "rcond": ["0.1", "None"],
    "tol": ["0.5"],
    "rtol_": ["0.5"],
    "return_index": ["True"],
    "return_inverse": ["True"],
    "return_counts": ["True"],
    "assume_unique": ["True", "False"],
    "invert": ["True", "False"],
    "prepend": ["0", SAME],
    "append": ["1", SAME],
    "to_end": ["1", Arg("array", "same", None, 1)],
    "to_begin": ["1", Arg("array", "same", None, 1)],
    "discont": ["4.0", "1.0"],
    "period": ["3.0", "4"],
    "fill_value": ["3", "0.5", "True", Arg("number", "same"), Arg("array", "last", None, 1), "-1", "np.nan"],
    "fill": ["3"],
    "copy": ["True", "False"],
    "nan": ["1", "-0.5"],
    "posinf": ["7", "1.5"],
    "neginf": ["-7"],
    "deg": ["True", "False"],
    "edge_order": ["2", "1"],
    "default": ["7", "-1.5"],
    "k": ["0", "1", "-1", "9", "-9"],
    "offset": ["0", "1", "-1", "9", "-9"],
    "n": ["4", "1", "0", "-1", "7", Arg("number", "same", "int")],
    "N": ["3", "1", "0", "-1", Arg("number", "same", "int")],
    "M": ["4", "1", "0", "-1", "5", Arg("number", "same", "int")],
    "base": ["2", "0.5", "2.0"],
    "s": ["(2, 3)", "(5, 4)", "(2,)"],
    "decimals": ["1", "-1", "0", "3"],
    "ndigits": ["1", "-1", "0", "3"],
    "max": ["2", "0.5", SAME, "None"],
    "min": ["0", "-0.5", SAME, "None"],
    "a_max": ["2", "0.5", SAME, "None"],
    "a_min": ["0", "-0.5", SAME, "None"],
    "shape": ["(2, 3)", "3", "(0, 2)", "()", "(2, 2, 2)", "-1", "[2, 3]", "(-1, 2)"],
    "new_shape": ["(2, 3)", "3", "(0, 2)", "()", "(5, 4)"],
    "dims": ["(3, 4)"],
    "mode": texts("full", "same", "valid"),
    "constant_values": ["5", "(1, 2)"],
    "pad_width": ["1", "(1, 2)", "0", "-1"],
    "repeats": ["2", "0", "1", "-1", Arg("array", "natural", "int64", 1)],
    "reps": ["2", "(2, 3)", "0", "()", "(2, 1, 2)"],
    "shift": ["1", "-1", "7", "0", "(1, 2)", Arg("number", "same", "int")],
    "kth": lambda dtype, rank: ["0", "1", "-1", "2", "7", "-9", "(0, 2)"],
    "indices": [
        Arg("array", "indices", "int64", 1),
        "0",
        "[0, 1]",
        "-1",
        "9",
        Arg("array", "indices", "int32", 1),
    ],
    "ind": [Arg("array", "indices", "int64", 1), "0", "[0, -1]", "99", Arg("array", "indices", "int16", 1)],
    "obj": ["1", "[0, 2]", "-1", "9", Arg("array", "indices", "int64", 1), Arg("array", "first", "bool", 1)],
    "mask": [Arg("array", "mask", "bool"), Arg("array", "mask", "int64")],
    "condition": [Arg("array", "mask", "bool"), Arg("array", "same"), Arg("array", "first", "bool", 1)],
    "indices_or_sections": ["2", "3", "[1, 2]", "1", "0", "[1, 9]"],
    "dimensions": ["(2, 3)", "(0, 2)", "(3,)", "()"],
    "axis_": [],
    "value": ["3", "0.5", Arg("number", "same"), "True"],
    "trim": texts("f", "b", "fb"),
    "ord": ["None", "2", "1", "np.inf", "-np.inf", "0", "-1", "-2", "3", "0.5", "'fro'", "'nuc'"],
    "copyto": [],
    "seed": ["5", "[1, 2]", "0", "-1"],
    "size": ["3", "(2, 3)", "()", "0", "None", "-1"],
    "replace": ["False", "True"],
    "shuffle": ["False", "True"],
    "low": ["-3", "0", "2.5"],
    "high": ["9", "5", "2"],
    "loc": ["2", "-0.5"],
    "scale": ["2", "0.5", "-1"],
    "lam": ["3", "0.5", "40", "-1"],
    "start": ["2", "0", "5", "-1"],
    "stop": ["7", "0", "1.5"],
    "step": ["2", "0.5", "-1"],
    "sep": texts(", ", ""),
    "end": texts("", "!"),
    "flush": ["True"],
    "reverse": ["True", "False"],
    "optimize": ["True", "False"],
    "format": texts("csr", "csc"),
    "maxlen": ["None"],
    "exact": ["True", "False"],
    "mod": ["5", "7"],
    "device": [],
    "subok": ["False", "True"],
    "like": [],
    "casting": texts("unsafe", "same_kind"),
    "dx": ["2", "0.5"],
    "d": ["0.5", "2"],
    "out": ["out"],
    "b": ["b"],
    "left_": [],
    "newbyteorder": [],
    "trim_mode": [],
    "ndmin": ["2", "0"],
    "aweights": [Arg("array", "last", "float64", 1)],
    "fweights": [Arg("array", "natural", "int64", 1)],
    "axisa": ["0"],
    "axisb": ["0"],
    "axisc": ["0"],
    # With True what is left in the array is undefined.
    "overwrite_input": ["False"],
    "include_initial": ["True"],
    "bitorder": texts("big", "little"),
    "count": ["3", "-1"],
    "rcond_": [],
    "noise": [],
    "full": ["False"],
    "cov": ["False"],
    "w": [Arg("array", "natural", "float64", 1)],
    "unit": [],
    "wrap": ["True", "False"],
    "stat_length": ["2"],
    "reflect_type": texts("even", "odd"),
    "end_values": ["3"],
    "sparse": ["True", "False"],
    "return_indices": ["True"],
    "interpolation": [],
    "signature": [],
    "return_sign": ["True"],
}

# Names of arrays: the first one is the main array.
ARRAYS = set(
    "a x m arr ary array ar x1 x2 f p y z b v ar1 ar2 a1 a2 element test_elements A B dst src values val vals xp fp q "
    "seq_of_zeros filt real imag object base exp num1 c r".split()
)


def vector(role="same", dtype=None):
    return Arg("array", role, dtype, 1)


# By function and parameter, where the name alone does not say it.
OWN = {
    ("np.interp", "xp"): [vector("ascending", "float64"), vector("ascending")],
    ("np.interp", "fp"): [vector("last"), vector("ascending", "float64"), vector("ascending", "complex128")],
    ("np.searchsorted", "a"): [Arg("array", "ascending"), MAIN],
    ("array.searchsorted", "a"): [Arg("array", "ascending"), MAIN],
    ("np.bincount", "x"): [Arg("array", "natural"), MAIN],
    ("np.digitize", "bins"): [
        vector("ascending", "float64"),
        "[0, 1, 3]",
        "[3, 1, 0]",
        vector("ascending"),
        vector(),
    ],
    ("np.percentile", "q"): quantiles(100),
    ("np.nanpercentile", "q"): quantiles(100),
    ("np.quantile", "q"): quantiles(1),
    ("np.nanquantile", "q"): quantiles(1),
    ("np.take_along_axis", "indices"): [Arg("array", "order", "int64"), vector("indices", "int64")],
    ("np.put_along_axis", "indices"): [Arg("array", "order", "int64"), vector("indices", "int64")],
    ("np.put_along_axis", "values"): ["3", SAME],
    ("np.linalg.cholesky", "a"): [Arg("array", "definite"), MAIN],
    ("np.linalg.eigh", "a"): [Arg("array", "definite"), MAIN],
    ("np.linalg.eigvalsh", "a"): [Arg("array", "definite"), MAIN],
    # With 0.5 it would be rounding that decides.
    ("np.linalg.matrix_rank", "rtol"): ["0.4", "1e-3"],
    ("np.linalg.multi_dot", "arrays"): ["[a, b]", "[a, b, a]", "(a, b)"],
    ("np.linalg.matrix_power", "n"): ["2", "3", "0", "1", "-1", "-2", Arg("number", "same", "int")],
    ("np.linalg.qr", "mode"): texts("reduced", "complete", "r"),
    ("np.linalg.cond", "p"): ["None", "2", "1", "np.inf", "-2", "'fro'"],
    ("np.pad", "mode"): texts(
        "constant", "edge", "wrap", "reflect", "symmetric", "linear_ramp", "maximum", "mean"
    ),
    ("np.take", "mode"): texts("raise", "wrap", "clip"),
    ("np.put", "mode"): texts("raise", "wrap", "clip"),
    ("np.tensordot", "axes"): ["0", "1", "2", "([0], [0])", "(0, 0)"],
    ("np.rot90", "k"): ["1", "2", "-1", "0", "5"],
    ("np.rot90", "axes"): ["(0, 1)", "(1, 0)", "(0, 0)", "(0, 2)"],
    ("np.trace", "axis1"): ["1"],
    ("np.meshgrid", "xi"): ["a, b", "a", "a, b, a"],
    ("np.ix_", "args"): ["a, b", "a"],
    ("np.broadcast_arrays", "args"): ["a, b", "a"],
    ("np.broadcast_shapes", "args"): ["a.shape, (1,)", "(3, 1), (4,)", "(2,), (3,)", "5, (2, 1)"],
    ("np.gradient", "varargs"): ["", "2", "0.5", Arg("array", "ascending", "float64", 1)],
    ("np.einsum", "subscripts"): texts(
        "i,i->i", "i,i", "ij,ij->i", "ij,kj->ik", "ij->ji", "ii->i", "ii", "...i,...i"
    ),
    ("np.einsum", "operands"): ["a, b", "a"],
    ("np.unravel_index", "indices"): ["5", "[1, 2]", Arg("array", "natural", "int64", 1), "99", "-1"],
    ("np.unravel_index", "shape"): ["(3, 4)", "(12,)", "12", "()"],
    ("np.ravel_multi_index", "multi_index"): ["(1, 2)", "([0, 1], [1, 2])", "(5, 0)"],
    ("np.select", "condlist"): ["[a > 1, a > 0]", "[a != a]", "[]"],
    ("np.select", "choicelist"): ["[a, b]", "[a]", "[1, 2]"],
    ("np.choose", "choices"): ["[a, b]"],
    ("np.lexsort", "keys"): ["(a, b)", "a", "[b, a]"],
    ("np.apply_along_axis", "func1d"): ["np.sum", "np.sort"],
    ("np.polyfit", "x"): [Arg("array", "ascending")],
    ("np.polyfit", "deg"): ["1", "2", "0"],
    ("np.unpackbits", "axis"): ["0", "-1"],
    ("np.result_type", "items"): ["a", "a, 1.5", "a, b", "np.float32, np.int64"],
    ("np.ndarray", "shape"): ["(0, 2)", "(0,)"],
    ("np.empty", "shape"): ["(0, 2)", "(0,)", "-1"],
    ("empty", "shape"): ["(0, 2)", "(0,)"],
    ("empty_2d", "shape"): ["(0, 2)"],
    ("zeros_2d", "shape"): ["(2, 3)", "(0, 2)"],
    ("np.reshape", "shape"): ["-1", "(2, -1)", "(4, 3)", "(1, -1)", "(5, 5)", "(0, -1)", "(3, 2, 2)"],
    ("reshape", "shape"): ["-1", "(2, -1)", "(4, 3)"],
    ("array.reshape", "shape"): ["-1", "2, -1", "(4, 3)", "(1, -1)", "5, 5", "3, 2, 2"],
    ("np.broadcast_to", "shape"): ["(2, 3, 4)", "(3, 4)", "(2, 5)", "(2, 3)", "()", "(3, 0)"],
    ("np.lib.stride_tricks.sliding_window_view", "window_shape"): [
        "2",
        "(2,)",
        "(2, 2)",
        "[2, 1, 2]",
        "(0,)",
        "9",
        "-1",
    ],
    ("np.lib.stride_tricks.sliding_window_view", "axis"): ["0", "-1", "(0,)", "(1, 1)", "(0, 1)", "5"],
    ("np.transpose", "axes"): ["(1, 0)", "(0, 1)", "(0, 2, 1)", "(0, 0)", "(-1, 0)", "(0,)"],
    ("np.permute_dims", "axes"): ["(1, 0)", "(0, 2, 1)"],
    ("transpose", "axes"): ["(1, 0)", "(0, 2, 1)"],
    ("array.transpose", "axes"): ["1, 0", "(1, 0)", "0, 2, 1", "0, 0", "-1, 0"],
    ("np.expand_dims", "axis"): ["0", "1", "-1", "(0, 1)", "(0, -1)", "5"],
    ("np.where", "x"): [*second("np.where", "float64", 1)[:3], MAIN],
    ("array.fill", "value"): ["3", "True", Arg("number", "same"), "-1"],
    ("np.full", "shape"): ["3", "(2, 3)", "()", "(0, 2)"],
    ("np.full", "fill_value"): [
        "3",
        "0.5",
        "True",
        "2j",
        "np.nan",
        "-1",
        Arg("number", "main"),
        Arg("array", "last", None, 1),
    ],
    ("full", "fill_value"): ["3", "0.5", "True", Arg("number", "main")],
    ("np.array", "object"): [
        "a",
        "[1, 2]",
        "[[1, 2], [3, 4.5]]",
        "[]",
        "[a, a]",
        "[True, 2]",
        "3",
        "(1, 2j)",
    ],
    ("array", "object"): ["a", "[1, 2]", "[[1, 2], [3, 4.5]]"],
    ("np.asarray", "object"): ["a", "[1, 2]", "[[1, 2], [3, 4.5]]", "[]", "3"],
    ("np.arange", "start"): ["5", "0", "2.5", "-3", Arg("number", "main")],
    ("arange", "start"): ["5", "0", "2.5", "-3"],
    ("np.linspace", "start"): ["0", "2.5", Arg("number", "main"), Arg("array", "main")],
    ("np.linspace", "stop"): ["7", "0.5", Arg("number", "same"), SAME],
    ("np.logspace", "start"): ["0", "0.5", Arg("number", "main")],
    ("np.logspace", "stop"): ["3", "0.5", Arg("number", "same")],
    ("np.logspace", "base"): ["2", "10.0"],
    ("np.geomspace", "start"): ["1", "2.5", "-1", "0", Arg("number", "main")],
    ("np.geomspace", "stop"): ["8", "1000.0", "-8"],
    ("np.fft.fftfreq", "d"): ["0.5", "2"],
    ("np.diag_indices", "n"): ["3", "0", "1"],
    ("np.diag_indices_from", "arr"): [MAIN],
    ("np.tri", "N"): ["3", "0", "-1", "1"],
    ("np.vander", "N"): ["3", "0", "1", "-1"],
    ("np.kron", "b"): second("np.kron", "float64", 1)[:3],
    ("where1", "size"): ["3", "0"],
    ("sum_rows", "rows"): [vector("indices", "int64"), "[0, 1]"],
    ("get_row", "b"): ["0", "1", "-1", "9"],
    ("get_row_ptr", "b"): ["0", "1"],
    ("get_col", "b"): ["0", "1", "-1", "9"],
    ("set_row", "i"): ["0", "1", "-1", "9"],
    ("set_row", "v"): [vector("last"), "3"],
    ("set_col", "i"): ["0", "1", "-1", "9"],
    ("set_col", "v"): [vector("first"), "3"],
    ("shape", "axis"): ["0", "1", "-1"],
    ("np.shape", "axis"): [],
    ("scipy.special.comb", "N"): ["5", "0", Arg("number", "main", "int"), "-1", "5.5"],
    ("scipy.special.comb", "k"): ["2", "0", Arg("number", "same", "int"), "7"],
    ("array.astype", "dtype"): [
        "np.bool_",
        *(f"np.{name}" for name in DTYPES[1:]),
        "int",
        "float",
        "complex",
        "bool",
    ],
    ("np.astype", "dtype"): [f"np.{name}" for name in DTYPES[1:]],
    ("np.finfo", "dtype"): ["np.float32", "np.float64", "float"],
    ("np.convolve", "v"): [SAME, vector("fixed")],
    ("np.correlate", "v"): [SAME, vector("fixed")],
    ("np.cross", "b"): [SAME],
    ("np.polyval", "x"): [SAME, "2", "0.5", Arg("number", "same")],
    ("np.heaviside", "b"): [SAME, "0.5", "1"],
    ("np.copyto", "src"): [SAME, "3", "0.5", vector("last")],
    ("np.place", "vals"): [vector(), "[1, 2]", "3"],
    ("np.putmask", "values"): [SAME, "3", vector("last")],
    ("np.put", "v"): ["3", "[1, 2]", vector()],
    ("np.fill_diagonal", "val"): ["3", "0.5", vector("last")],
    ("np.append", "values"): [SAME, "3", "[1, 2]", "0.5"],
    ("np.insert", "values"): ["3", SAME, "[1, 2]", "0.5"],
    ("np.isin", "test_elements"): [SAME, "[1, 2]", "2", vector("last")],
    ("np.round", "ndigits"): [],
    ("pow", "mod"): ["5"],
    ("min", "axis"): ["0", "-1"],
    ("max", "axis"): ["0", "-1"],
    ("numpy_random_rand", "shape"): ["3", "(2, 3)", "()", "0"],
    ("np.random.rand", "size"): ["", "3", "2, 3", "0"],
    ("np.random.randn", "size"): ["", "3", "2, 3", "0"],
    ("np.random.randint", "dtype"): ["np.int32", "np.uint8", "np.int64"],
    ("np.random.choice", "a"): ["5", MAIN],
    ("np.random.choice", "p"): [vector("probabilities", "float64")],
    ("rng.choice", "a"): ["5", MAIN],
    ("rng.choice", "p"): [vector("probabilities", "float64")],
    ("np.random.permutation", "x"): ["5", MAIN],
    ("rng.permutation", "x"): ["5", MAIN],
    ("rng.random", "dtype"): ["np.float32", "np.float64"],
    ("rng.integers", "dtype"): ["np.int32", "np.uint8", "np.int64", "np.uint64", "np.bool_"],
    ("rng.integers", "low"): ["3", "0", "-3", "2.5", "100"],
    ("np.random.randint", "low"): ["3", "0", "-3", "100"],
    ("randint", "low"): ["3"],
    ("randint", "high"): ["3"],
    ("np.random.uniform", "low"): ["-3", "0.5"],
}


def right_sides(function):
    """What linear equations have on their right: vectors, matrices, of other types, and of a wrong length."""
    return lambda dtype, rank: [
        vector("last"),
        SAME,
        vector("last", other_dtype(function, dtype)),
        vector("fixed"),
        Arg("array", "same", other_dtype(function, dtype)),
        "[1, 2, 3]",
    ]


OWN |= {
    (f"scipy.linalg.{name}", "b"): right_sides(name)
    for name in ("solve", "lu_solve", "cho_solve", "solve_triangular")
}
OWN |= {
    (f"scipy.linalg.{name}", "a"): [Arg("array", "definite"), MAIN] for name in ("cholesky", "cho_factor")
}
OWN |= {
    (f"scipy.linalg.{name}", "r"): [vector("last"), vector("last", "float32"), "[1, 2, 3]"]
    for name in ("toeplitz", "hankel")
}
OWN |= {
    (f"scipy.ndimage.{name}", "weights"): [
        "[1, 2, 3]",
        "[0.5, 0.25]",
        "[2]",
        "[]",
        vector("fixed"),
        "[1, 2, 3, 4, 5, 6, 7]",
    ]
    for name in ("correlate1d", "convolve1d")
}
OWN |= {(f"scipy.ndimage.{name}", "sigma"): ["1", "0.5", "2.0", "0"] for name in ("gaussian_filter1d",)}
OWN |= {
    (f"scipy.ndimage.{name}", "mode"): texts("reflect", "constant", "nearest", "mirror", "wrap", "grid-wrap")
    for name in (
        "correlate", "convolve", "correlate1d", "convolve1d", "gaussian_filter", "gaussian_filter1d", "uniform_filter",
        "uniform_filter1d", "minimum_filter", "maximum_filter", "minimum_filter1d", "maximum_filter1d",
    )
}  # fmt: skip
OWN |= {
    (f"scipy.ndimage.{name}", "order"): ["0", "1", "2"] for name in ("gaussian_filter", "gaussian_filter1d")
}
OWN |= {
    ("scipy.signal.lfilter", "b"): ["[1, 0.5]", "[2]", "[1, 2, 0.5]", vector("fixed")],
    ("scipy.signal.lfilter", "a"): ["[1, -0.25]", "[1]", "[2, 1, 0.5]", "[0, 1]"],
    ("scipy.signal.lfilter", "x"): [MAIN],
    **{
        (f"scipy.signal.{name}", "in2"): lambda dtype, rank: [
            *{1: ["[1, 2, 3]", "[0.5]"], 2: ["[[1.0, 2.0], [3.0, 4.5]]", "[[1, 2, 3]]"]}.get(rank, []),
            *second("in2", dtype, rank)[:1],
            Arg("array", "same", other_dtype("in2", dtype)),
        ]
        for name in ("convolve2d", "correlate2d", "fftconvolve")
    },
    **{
        (f"scipy.integrate.{name}", "x"): [
            vector("ascending", "float64"),
            vector("ascending"),
            SAME,
            vector("fixed"),
        ]
        for name in ("trapezoid", "cumulative_trapezoid", "simpson")
    },
    ("scipy.sparse.linalg.norm", "x"): [Arg("csr_matrix"), Arg("csr_array"), Arg("csc_matrix")],
    ("scipy.sparse.linalg.norm", "ord"): ["None", "'fro'", "1", "np.inf", "-np.inf", "-1", "0"],
    ("scipy.sparse.linalg.norm", "axis"): ["0", "1", "-1", "None"],
    ("scipy.sparse.linalg.cg", "A"): [Arg("csr_matrix", "definite"), Arg("csc_array", "definite")],
    ("scipy.sparse.linalg.cg", "b"): [vector("last"), vector("last", "float64"), vector("fixed")],
    ("scipy.sparse.linalg.spsolve", "A"): [Arg("csr_matrix", "definite"), Arg("csc_array", "definite")],
    ("scipy.sparse.linalg.spsolve", "b"): [vector("last"), vector("last", "float64"), vector("fixed")],
    ("scipy.sparse.linalg.spsolve", "permc_spec"): ["'COLAMD'", "'NATURAL'", "'MMD_ATA'", "'nothing'"],
    ("scipy.sparse.linalg.spsolve", "use_umfpack"): ["True", "False"],
    ("arraysub", "index"): lambda dtype, rank: [
        *[", ".join(["1"] * n) for n in range(1, rank + 2)][::-1][1:],
        "0",
        "-1",
        "9",
        Arg("number", "same", "int"),
    ],
    **{
        (name, part): ["2", "0.5"]
        for name in ("syrk", "dsyrk", "syr2k", "symm", "trmm")
        for part in ("alpha", "beta")
    },
}

# Parts of sparse matrices and functions that make them.
SPARSE = {
    "A": [Arg("csr_matrix"), Arg("csr_array"), Arg("csc_matrix"), Arg("csc_array")],
    "B": [Arg("csr_matrix", "same"), Arg("csc_matrix", "same"), Arg("array", "same", None, 2)],
    "a": [Arg("csr_matrix")],
    "i": ["0", "1", "-1", "9"],
    "j": ["0", "1", "-1", "9"],
    "row": ["0", "1", "9"],
    "column": ["0", "1", "9"],
    "k": ["0", "1", "-1"],
    "n": ["2", "3"],
    "m": ["3", "0"],
    "mask": [vector("first", "bool")],
    "values": ["3", vector("fixed")],
    "value": ["3", "0.5"],
    "axis": ["0", "1", "-1", "2"],
    "offsets": ["[0]", "1"],
    "diagonals": ["[[1, 2, 3]]", "[x]"],
    "blocks": ["[A, A]", "(A, A)"],
    "arg1": [Arg("array", "main", None, 2), Arg("csr_matrix"), "(3, 4)"],
    "shape": ["(3, 4)", "(5, 5)"],
    "format": texts("csr", "csc"),
    "dtype": ["np.float32", "np.int64", "np.complex128", "float"],
    "copy": ["True", "False"],
}

# SciPy's modules apart from `special` and `sparse`.
SCIPY_SPACES = ("SciPyLinalg", "Signal", "NdImage", "Distance", "Integrate", "SparseLinalg", "CsGraph")
FLAGS = ["True", "False"]
SCIPY = {
    "arrs": ["a, b", "a", "a, b, a"],
    "lu_and_piv": ["scipy.linalg.lu_factor(a)"],
    "c_and_lower": ["scipy.linalg.cho_factor(a)", "scipy.linalg.cho_factor(a, lower=True)"],
    "trans": ["0", "1", "2"],
    **{name: FLAGS for name in ("lower", "unit_diagonal", "permute_l", "overwrite_a", "check_finite", "p_indices", "checks")},
    "zi": ["[0.5]", "[0.5, 1]", vector("last", "float64")],
    "boundary": texts("fill", "wrap", "symm"),
    "fillvalue": ["2", "0.5"],
    "type": texts("linear", "constant"),
    "kernel_size": ["3", "5", "1", "2", "9"],
    "cval": ["2", "0.5", "-1.5"],
    "sigma": ["1", "0.5", "2.0", "0", "(1, 2)"],
    "truncate": ["2.0", "1"],
    "radius": ["2", "0"],
    "size": ["3", "2", "1", "4", "0", "(2, 3)"],
    "structure": lambda dtype, rank: [f"np.ones({(3,) * rank})", "[[0, 1, 0], [1, 1, 1], [0, 1, 0]]"],
    "weights": lambda dtype, rank: [*WEIGHTS.get(rank, ["[1, 2, 3]"]), SAME],
    "metric": texts(
        "euclidean", "sqeuclidean", "cityblock", "chebyshev", "minkowski", "cosine", "correlation", "hamming", "canberra",
        "braycurtis",
    ),
    "p": ["2", "1", "3", "1.5"],
    "force": texts("tovector", "tomatrix", "no"),
    "initial": ["0", "0.0", "2"],
    "csgraph": [Arg(kind, "lengths") for kind in ("csr_matrix", "csr_array", "csc_matrix")] + [Arg("array", "lengths", None, 2)],
    # What lies outside SciPy reads without looking.
    "i_start": ["0", "1", "-1"],
    "indices": ["0", "1", "-1", "9", "[0, 1]", Arg("number", "same", "int")],
    "limit": ["2.0", "1", "np.inf"],
    **{name: FLAGS for name in ("directed", "return_predecessors", "unweighted", "return_labels")},
    "connection": texts("weak", "strong"),
    "x0": [vector("last", "float64"), "np.ones(3)"],
    "rtol": ["1e-8", "0.5"],
    "maxiter": ["1", "2", "20"],
}  # fmt: skip
WEIGHTS = {
    1: ["[1, 2, 3]", "[0.5, 0.25]", "[2]", "[]"],
    2: ["[[1.0, 2.0, 3.0], [0.0, -1.0, 0.5]]", "[[1, 2], [3, 4]]", "np.ones((2, 3))"],
    3: ["np.ones((2, 3, 2))", "np.ones((1, 2, 3))"],
}  # fmt: skip
# Their main arrays.
SUBJECTS = set("a b c r A x y X XA XB input in1 in2 data volume".split())


def of_scipy(function, param, dtype, rank, first):
    """Alternatives of a parameter of SciPy's modules."""
    if param.name in SUBJECTS and param.default in ("required", None):
        return [MAIN] if first else second(function.spelled, dtype, rank)
    found = SCIPY.get(param.name) or NAMED.get(param.name)
    return found(dtype, rank) if callable(found) else found


# Scalars of `math`.
MATH = {
    "i": ["3", "-2", Arg("number", "same", "int")],
    "k": ["2", "0", Arg("number", "same", "int")],
    "base": ["2", "10.0"],
    "rel_tol": ["0.5", "1e-3"],
    "abs_tol": ["0.5"],
    "start": ["2", "0.5"],
    "seq": [Arg("list"), Arg("array", "main", None, 1)],
    "iterable": [Arg("list"), Arg("array", "main", None, 1)],
    "p": [Arg("list"), Arg("array", "main", None, 1), "(1.0, 2.0)"],
    "q": [Arg("list", "same"), Arg("array", "same", None, 1), "(3, 4)"],
}


def is_array(space, param):
    return param.name in ARRAYS and space in (
        "Numpy", "StrideTricks", "Linalg", "Fft", "Method", "Attribute", "Special", "Bare", "Random", "Generator",
    )  # fmt: skip


def alternatives(function, param, dtype, rank, first):
    """What a parameter is tried with; None where nobody has said it. first: no array stands before it."""
    space, label = function.space, function.label
    if (label, param.name) in OWN:
        found = OWN[label, param.name]
        return found(dtype, rank) if callable(found) else found
    if space in SCIPY_SPACES:
        return of_scipy(function, param, dtype, rank, first)
    if space in ("Sparse", "SparseAttribute", "SciPySparse") or function.section.endswith("parse matrices"):
        return SPARSE.get(param.name)
    if space == "Math":
        return MATH.get(param.name) or [Arg("number", "main" if first else "same")]
    if (
        space in ("Method", "Attribute", "Fft", "Linalg")
        and (f"np.{function.name}", param.name) in OWN
        and not first
    ):
        return OWN[f"np.{function.name}", param.name]
    if is_array(space, param) and param.default in ("required", None) and param.takes != "display":
        return [MAIN] if first else second(function.spelled, dtype, rank)
    if param.name in ("arrays", "tup"):
        return ["(a, b)", "[a, b]", "(a,)", "a", "(a, b, a)"]
    found = NAMED.get(param.name)
    return found(dtype, rank) if callable(found) else found


def default_inputs(dtype):
    return np.dtype(dtype) if kind_of(dtype) else None
