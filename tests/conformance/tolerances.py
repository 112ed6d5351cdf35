"""How close results must be, and what the language says is different from NumPy.

Everything is exact but what is listed here. Elementary functions may be off in their last digits, as NumPy's own are
between its builds; sums may be added in another order; factorizations and transforms come from other libraries.
"""

import re

import numpy as np

# Units in the last place that NumPy's and our elementary functions may lie apart, each off by some.
ULPS = 6

# Functions that are correctly rounded, or that move values about.
EXACT = {
    "Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "Fmod", "Neg", "Abs", "Min", "Max", "Fmin", "Fmax", "Sqrt", "Copysign",
    "Nextafter", "Floor", "Ceil", "Trunc", "Rint", "Sign", "Conj", "SignBit",
}  # fmt: skip

# Sections whose results are sums of many products: the scale is that of the largest element.
SCALED = {"np.linalg", "np.fft"}
SUMS = (
    "sum mean var std dot vdot inner matmul matmult innerprod tensordot einsum trace cumsum cumprod prod average "
    "cov corrcoef convolve correlate polyfit poly polyval trapezoid gradient interp percentile quantile median ptp "
    "logsumexp softmax log_softmax nansum nanmean nanvar nanstd nanprod nancumsum nancumprod nanmedian nanpercentile "
    "nanquantile kron cross linspace logspace geomspace diff ediff1d unwrap histogram histogram2d bincount sum_rows "
    "fsum dist spmm spmv spmm_dense polymul polyadd polyint polyder"
).split()


def of(kernel, expected):
    """("ulps", n), ("scaled", factor of the type's eps) or None for exactly equal."""
    name = kernel.function.rsplit(".", 1)[-1]
    if name.startswith("empty") or name == "ndarray":
        return "any", 0
    if kernel.exact:
        return None
    if kernel.function.startswith(("np.linalg", "np.fft")):
        return "scaled", 500
    if name in SUMS or kernel.function.startswith("sparse"):
        return "scaled", 8
    return "ulps", ULPS, *computed_in(kernel)


def computed_in(kernel):
    """The type that the result has before it goes to `out=`, where that is float32."""
    if "out=" not in kernel.call or kernel.dtype in ("int32", "int64", "uint32", "uint64", "float64", "complex128"):
        return ()
    return ("float32",)


def close(expected, got, tolerance):
    """Whether values of one type and shape are within a tolerance."""
    if isinstance(expected, (tuple, list)):
        return len(expected) == len(got) and all(close(e, g, tolerance) for e, g in zip(expected, got))
    if hasattr(expected, "toarray"):
        return type(expected) is type(got) and close(expected.toarray(), got.toarray(), tolerance)
    try:
        e, g = np.asarray(expected), np.asarray(got)
    except (ValueError, TypeError):
        return False
    if e.dtype != g.dtype or e.shape != g.shape:
        return False
    modulus = None
    if e.dtype.kind == "c":
        part = e.real.dtype
        with np.errstate(all="ignore"):
            modulus = np.repeat(np.abs(e.reshape(-1)).astype(np.float64), 2)
        e, g = (np.ascontiguousarray(x).reshape(-1).view(part) for x in (e, g))
    if tolerance[0] == "any":
        return True
    if e.dtype.kind != "f":
        return bool(np.array_equal(e, g))
    if not np.array_equal(np.isnan(e), np.isnan(g)):
        return False
    with np.errstate(all="ignore"):
        finite = np.isfinite(e)
        if not np.array_equal(e[~finite & ~np.isnan(e)], g[~finite & ~np.isnan(e)]):
            return False
        e, g = e[finite].astype(np.float64), g[finite].astype(np.float64)
        # The parts of a complex number are as exact as the number is.
        size = np.abs(e) if modulus is None else modulus[finite]
        return bool(np.all(np.abs(e - g) <= allowed(size, expected, tolerance)))


def allowed(size, expected, tolerance):
    kind, amount, *computed = tolerance
    info = np.finfo(np.asarray(expected).real.dtype)
    # Results that are computed in float32 are as exact as that, whatever array they go to.
    info = max([info, *map(np.finfo, computed)], key=lambda info: info.eps)
    if kind == "ulps":
        return np.maximum(size * float(info.eps) * amount, float(info.smallest_subnormal) * amount)
    scale = float(np.max(size, initial=1.0 if amount > 8 else 0.0))
    return scale * float(info.eps) * amount + float(info.tiny)


# Rules of the language, by the number of its page.


def by_rule(kernel, each, expected, got, kind):
    """The rule that lets a value differ, or None."""
    if kind in ("value", "dtype", "shape") and wraps(expected.result, got.result):
        return "1: integers wrap"
    if (
        kind == "dtype"
        and each.size == "empty"
        and any(getattr(arg, "kind", "") == "list" for _, arg in kernel.args)
    ):
        return "a list of nothing has a type"
    if (
        kind == "value"
        and each.values == "extremes"
        and is_sum(kernel)
        and close(expected.result, got.result, ("any", 0))
    ):
        return "4: sums in another order"
    if (
        kind == "value"
        and each.values == "special"
        and re.search(r"sort|heap|bisect|insort|min\(|max\(|Set\(", kernel.id)
    ):
        if not kernel.function.startswith(("np.", "array.")):
            return "NaN has no place in Python's order"
    if kind == "value" and each.values in ("special", "extremes") and is_arithmetic(kernel):
        if no_numbers(expected.result, got.result):
            return "complex infinities"
    if (
        kind == "value"
        and kernel.function.rsplit(".", 1)[-1] in VECTORS
        and factorized(expected.result, got.result)
    ):
        return "signs and bases that a factorization leaves open"
    if kind == "value" and "partition" in kernel.function and partitioned(expected.result, got.result):
        return "the order of what partition leaves open"
    if kind == "dtype" and kernel.function == "np.bincount" and each.size == "empty":
        return "5: one type: NumPy counts nothing in integers, whatever the weights are"
    if kind in ("dtype", "value") and kernel.function in ("np.cov", "np.corrcoef") and each.size == "empty":
        return "5: one type: NumPy counts no observations in float64"
    if kind == "shape" and kernel.function == "np.arange" and "uint" in kernel.id:
        return "ranges of unsigned numbers downwards, whose length wraps in NumPy"
    if kind == "dtype" and kernel.function == "array.tolist" and "uint64" in kernel.id:
        return "1: integers of 64 bits: uint64 is none of Python's"
    if kind == "value" and kernel.function == "array.strides" and each.size == "empty":
        return "how far elements are apart that are not there"
    if kind == "value" and each.values == "special" and kernel.function.endswith(("np.dot", "np.inner", "array.dot")):
        # BLAS takes 0 times an infinity for 0, if the vector's elements are not side by side.
        if each.layout != "C" and " float" in kernel.id:
            return "0 times infinity in BLAS"
    if kind == "value" and each.values == "special" and kernel.function.endswith(("astype", "uint32", "uint64")):
        return "casts of NaN and infinities, which C leaves open"
    if kind == "value" and kernel.function in ("np.fmin", "np.fmax") and zeros_apart(expected.result, got.result):
        return "which one of two zeros, which NumPy decides by the layout"
    if kind in ("dtype", "value") and kernel.function in MEETING and meet(expected.result, got.result):
        return "5: numbers that meet"
    return None


# Factorizations whose vectors are given up to signs, phases and the choice of a basis.
VECTORS = ("eigh", "eig", "svd", "qr", "lstsq")


def factorized(expected, got):
    """Results of the same types and shapes, with the same values but for vectors."""
    if isinstance(expected, tuple):
        return isinstance(got, tuple) and len(expected) == len(got) and all(map(factorized, expected, got))
    e, g = np.asarray(expected), np.asarray(got)
    return e.dtype == g.dtype and e.shape == g.shape and (e.ndim > 1 or close(e, g, ("scaled", 500)))


def partitioned(expected, got):
    """The same elements along the last axis or the first one."""
    if (
        not isinstance(got, np.ndarray)
        or expected.ndim == 0
        or expected.dtype != got.dtype
        or expected.shape != got.shape
    ):
        return False
    return any(
        np.array_equal(np.sort(expected, axis), np.sort(got, axis), equal_nan=got.dtype.kind in "fc")
        for axis in (-1, *range(expected.ndim))
    )


def is_arithmetic(kernel):
    name = kernel.function.rsplit(".", 1)[-1]
    return not kernel.exact and (name in SUMS or name in ARITHMETIC or kernel.function.startswith("operator"))


# Elementwise functions whose complex results may have an infinite part, or NaN.
ARITHMETIC = (
    "add sub subtract mul multiply div divide true_divide pow power float_power square reciprocal sqrt exp exp2 expm1 log log2 "
    "log10 log1p sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh asin acos atan asinh acosh atanh abs "
    "absolute sinc vander"
).split()


def no_numbers(expected, got):
    """Whether complex results differ only where neither is finite: C leaves open which part is infinite, and which NaN."""
    try:
        e, g = np.asarray(expected), np.asarray(got)
    except (ValueError, TypeError):
        return False
    if e.dtype.kind != "c" or e.dtype != g.dtype or e.shape != g.shape:
        return False
    neither = ~np.isfinite(e) & ~np.isfinite(g)
    return close(
        np.where(neither, 0, e).astype(e.dtype), np.where(neither, 0, g).astype(e.dtype), ("ulps", ULPS)
    )


def zeros_apart(expected, got):
    """Whether results differ in the signs of zeros alone."""
    e, g = np.asarray(expected), np.asarray(got)
    return e.dtype == g.dtype and e.shape == g.shape and bool(np.array_equal(e, g, equal_nan=True))


# Functions that choose one of several numbers.
MEETING = (
    "array.append",
    "min",
    "max",
    "sum",
    "dict.get",
    "dict.setdefault",
    "dict.pop",
    "math.prod",
    "collections.defaultdict",
    "pow",
)


def meet(expected, got):
    """The same number, of a wider type."""
    if isinstance(expected, (tuple, list)):
        return type(got) is type(expected) and len(got) == len(expected) and all(map(meet, expected, got))
    numbers = (bool, int, float, complex, np.generic)
    if not isinstance(expected, numbers) or not isinstance(got, numbers):
        return type(expected) is type(got) and repr(expected) == repr(got)
    return bool(expected == got or (expected != expected and got != got)) and np.asarray(
        got
    ).dtype == np.result_type(np.asarray(expected), np.asarray(got))


def is_sum(kernel):
    return kernel.function.startswith("np.linalg") or kernel.function.rsplit(".", 1)[-1] in SUMS


def wraps(expected, got):
    """A Python integer past 64 bits, and its low bits."""
    if isinstance(expected, tuple):
        return (
            isinstance(got, tuple)
            and len(got) == len(expected)
            and all(wraps(e, g) or (type(e) is int and e == g) for e, g in zip(expected, got))
        )
    if type(expected) is int and isinstance(got, (int, np.integer)) and not -(2**63) <= expected < 2**63:
        return (expected - int(got)) % 2**64 == 0
    return False


def raises_nothing(kernel, error, result):
    """Arithmetic of floats and `math` raise nothing."""
    if isinstance(error, MemoryError) and kernel.function == "np.arange" and "uint" in kernel.id:
        return "ranges of unsigned numbers downwards, whose length wraps in NumPy"
    if kernel.function in ("np.gcd", "np.lcm", "np.bitwise_count", "np.choose") and "List(int)" in kernel.id:
        if isinstance(error, TypeError) and np.size(result) == 0:
            return "a list of nothing has a type"
    scalar = isinstance(result, (float, complex, np.floating))
    domain = isinstance(error, (ValueError, OverflowError, ZeroDivisionError))
    if scalar and domain and (kernel.function.startswith("math.") or kernel.function.startswith("operator")):
        if not np.isfinite(result) or isinstance(error, ZeroDivisionError):
            return "3: floats raise nothing"
    return None


def refuses(kernel, each, error):
    """An exception where NumPy gives a value."""
    if kernel.function in ("np.cov", "np.corrcoef") and each.size == "empty":
        return "5: one type: NumPy drops observations of nothing"
    if isinstance(error, np.linalg.LinAlgError) and each.values in ("special", "extremes"):
        return "transforms and factorizations of infinities and NaN"
    if isinstance(error, ZeroDivisionError):
        return "1: integers by zero"
    if kernel.function in ("np.cov", "np.corrcoef") and "one variable" in str(error):
        return "5: one type: NumPy drops the axes of the covariances of one variable"
    if isinstance(error, OverflowError) and kernel.function in (
        "int",
        "round",
        "math.floor",
        "math.ceil",
        "math.trunc",
    ):
        return "7: integers past 64 bits"
    return None


def other_exception(expected, got):
    """Arguments that can't be written are refused before the call."""
    if isinstance(expected, ValueError) and isinstance(got, TypeError) and "read-only" in str(got):
        return "read-only"
    return None
