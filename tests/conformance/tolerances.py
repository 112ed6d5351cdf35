"""How close results must be, and what the language says is different from NumPy.

Everything is exact but what is listed here. Elementary functions may be off in their last digits, as NumPy's own are
between its builds; sums may be added in another order; factorizations and transforms come from other libraries.
"""

import platform
import re

import inputs
import numpy as np
import reference
from inputs import INTEGERS as INTEGER_TYPES

# Units in the last place that NumPy's and our elementary functions may lie apart, each off by some.
ULPS = 6

# What C leaves open of conversions is as on x86-64 on all machines here; on others NumPy has it as the machine has.
X86 = platform.machine() == "x86_64"

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
    "nanquantile kl_div rel_entr kron cross linspace logspace geomspace diff ediff1d unwrap histogram histogram2d bincount sum_rows "
    "fsum dist spmm spmv spmm_dense polymul polyadd polyint polyder"
).split()


def of(kernel, expected):
    """("ulps", n), ("scaled", factor of the type's eps) or None for exactly equal."""
    name = kernel.function.rsplit(".", 1)[-1]
    if name.startswith("empty") or name == "ndarray" or name == "numpy_random_rand":
        # What lay in memory; numbers of a stream that nobody seeded.
        return "any", 0
    if kernel.exact:
        return None
    if in_single_precision(kernel):
        return "scaled single", 500
    if name == "expm":
        # SciPy 1.17 is off by up to 1.5e-12 of the largest element, as sums of exact fractions show.
        return "scaled", 10000
    if kernel.function.startswith(("np.linalg", "np.fft", "scipy.linalg", "scipy.sparse.linalg")):
        return "scaled", 500
    if name in ("detrend", "polyfit"):
        return "scaled", 500
    if kernel.function == "math.lgamma":
        # CPython adds large terms, where the result is small: 1.5 has an error of 15 units.
        return "scaled", 16
    if name == "betaln":
        return "scaled", 16
    if kernel.function.startswith(("scipy.signal", "scipy.ndimage", "scipy.integrate", "scipy.spatial")):
        return "scaled", 16
    if name in SUMS or kernel.function.startswith("sparse"):
        return "scaled", 8, *(computed_in(kernel) if name == "linspace" else ())
    return "ulps", ULPS, *computed_in(kernel)


def computed_in(kernel):
    """The type that the result has before it goes to `out=` or to a wider type, where that is float32."""
    single = kernel.dtype in (*SINGLE, "float32", "complex64")
    if single and ((kernel.function == "log" and "," in kernel.call) or "linspace" in kernel.function):
        return ("float32",)
    if "out=" not in kernel.call or kernel.dtype in (
        "int32",
        "int64",
        "uint32",
        "uint64",
        "float64",
        "complex128",
    ):
        return ()
    return ("float32",)


# What SciPy takes for float32 where it calls LAPACK.
SINGLE = ("bool", "int8", "uint8", "int16", "uint16", "float32", "complex64")


def in_single_precision(kernel):
    """Whether SciPy factorizes or transforms in single precision, whatever the type of the result."""
    if not kernel.function.startswith(("scipy.linalg", "scipy.signal.fftconvolve")):
        return False
    return any(getattr(arg, "dtype", None) in SINGLE or (not getattr(arg, "dtype", None) and kernel.dtype in SINGLE)
               for _, arg in kernel.args)  # fmt: skip


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
        # Of a number with a part that is not finite each part stands for itself.
        size = np.where(np.isfinite(size), size, np.abs(e))
        return bool(np.all(np.abs(e - g) <= allowed(size, expected, tolerance)))


def allowed(size, expected, tolerance):
    kind, amount, *computed = tolerance
    info = np.finfo(np.asarray(expected).real.dtype)
    if kind == "scaled single":
        info = np.finfo(np.float32)
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
    if not X86 and kind == "value":
        rule = elsewhere(kernel, expected, got)
        if rule:
            return rule
    for applies, rule in LIBRARY_RULES:
        if applies(kernel, each, expected, got, kind):
            return rule
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
    if kind == "value" and casts_beyond(kernel, expected, got):
        return "what C leaves open of conversions to integers"
    if kind == "dtype" and kernel.function in ("pow", "operator **") and type(expected.result) is complex:
        if got.result != got.result:
            return "3: powers of floats are floats"
    if kernel.function in USUAL and nothing_known(expected.result, got.result):
        return "types that depend on values"
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
    if (
        kind == "value"
        and each.values == "special"
        and kernel.function.endswith(("np.dot", "np.inner", "array.dot"))
    ):
        # BLAS takes 0 times an infinity for 0, if the vector's elements are not side by side.
        if each.layout != "C" and " float" in kernel.id:
            return "0 times infinity in BLAS"
    if (
        kind == "value"
        and kernel.function in ("np.fmin", "np.fmax")
        and zeros_apart(expected.result, got.result)
    ):
        return "which one of two zeros, which NumPy decides by the layout"
    if kind in ("dtype", "value") and kernel.function in MEETING and meet(expected.result, got.result):
        return "5: numbers that meet"
    return None


def hard(each):
    return each.values in ("special", "extremes")


def is_transform(kernel, each, expected, got, kind):
    """Which elements of a transform become infinite or NaN depends on the algorithm's order alone; the others must be equal."""
    name = kernel.function
    if kind != "value" or not hard(each) or not name.startswith(("np.fft", "scipy.signal.fftconvolve")):
        return False
    e, g = np.asarray(expected.result), np.asarray(got.result)
    if e.dtype != g.dtype or e.shape != g.shape or e.dtype.kind not in "fc":
        return False
    if name.startswith("scipy"):
        return not (np.isfinite(e).all() and np.isfinite(g).all())
    left = ~np.isfinite(e) | ~np.isfinite(g)
    return close(np.where(left, 0, e).astype(e.dtype), np.where(left, 0, g).astype(g.dtype), ("scaled", 500))


def is_factorization(kernel, each, expected, got, kind):
    """The same of factorizations: a matrix with NaN has none."""
    if kernel.function == "scipy.linalg.lu_solve":
        # Divided by a pivot of 0.
        return kind == "value" and not all_finite(expected.result) and not all_finite(got.result)
    if (
        kind != "value"
        or not hard(each)
        or not kernel.function.startswith(("np.linalg", "scipy.linalg", "eig", "svd", "qr", "np.polyfit"))
    ):
        return False
    return not all_finite(expected.result) and not all_finite(got.result)


def all_finite(result):
    return (
        all(map(all_finite, result))
        if isinstance(result, tuple)
        else bool(np.isfinite(np.asarray(result)).all())
    )


def reads_beyond(kernel, each, expected, got, kind):
    """NumPy's real transforms read memory that nobody wrote where an array has no elements."""
    return kind == "value" and each.size == "empty" and kernel.function.rsplit(".", 1)[-1] in (
        "irfft", "irfft2", "irfftn", "hfft",
    )  # fmt: skip


# Functions whose type follows from how many elements there are, in NumPy and SciPy: 2.4's pinv keeps integers where there are
# none, SciPy's lu_factor and expm as well, and some functions of SciPy have other types for single elements.
OF_LENGTHS = (
    "np.linalg.pinv", "scipy.linalg.lu_factor", "scipy.linalg.lu_solve", "scipy.linalg.expm", "scipy.linalg.lu", "scipy.linalg.norm",
    "scipy.linalg.cho_solve", "scipy.linalg.solve", "scipy.linalg.det", "scipy.signal.fftconvolve", "scipy.sparse.kron", "sparse.setdiag",
)  # fmt: skip


def is_type_of_length(kernel, each, expected, got, kind):
    e, g = expected.result, got.result
    if kernel.function == "np.histogram2d":
        # The edges of nothing are made of Python's 0 and 1.
        return (
            kind == "dtype"
            and each.size == "empty"
            and all(np.allclose(x, y, rtol=1e-6, equal_nan=True) for x, y in zip(e, g))
        )
    if kernel.function == "scipy.linalg.det":
        # Of one element SciPy gives a view.
        return kind == "sharing" and each.size == "one"
    if isinstance(e, (tuple, list)):
        return kind in ("dtype", "value") and each.size != "full" and kernel.function in OF_LENGTHS
    if kernel.function == "sparse.setdiag" and hasattr(g, "toarray") and e.dtype != g.dtype:
        # The type is the values' where entries are new.
        # Numbers are compared in the type that holds them, but truth where the matrix holds bools.
        wide = g.dtype if g.dtype == bool else np.result_type(e.dtype, g.dtype)
        return e.shape == g.shape and close(e.toarray().astype(wide), g.toarray().astype(wide), ("scaled", 0))
    if kernel.function == "scipy.linalg.norm" and kind == "dtype":
        # Of contiguous arrays LAPACK gives Python's floats, of others NumPy its own.
        return bool(np.isclose(float(e), float(g), rtol=1e-5, equal_nan=True))
    same = kind == "dtype" or "dtype" in str(getattr(e, "dtype", "")) or hasattr(e, "indptr")
    return (
        same
        and each.size != "full"
        and kernel.function in OF_LENGTHS
        and getattr(e, "shape", 0) == getattr(g, "shape", 1)
    )


def is_overwritten(kernel, each, expected, got, kind):
    """What an argument holds that may be overwritten."""
    return (
        kind == "value"
        and "overwrite_a=True" in kernel.call
        and close(expected.result, got.result, of(kernel, expected))
    )


def is_singular(kernel, each, expected, got, kind):
    """The condition of a singular matrix is as large as rounding makes it."""
    if kind != "value" or not kernel.function.endswith("linalg.cond"):
        return False
    e, g = np.asarray(expected.result), np.asarray(got.result)
    with np.errstate(all="ignore"):
        large = 0.1 / np.finfo(e.dtype).eps
        # With p=-2 it is the inverse.
        both = (np.maximum(e, 1 / e) > large) & (np.maximum(g, 1 / g) > large)
    return e.dtype == g.dtype and close(
        np.where(both, 0, e).astype(e.dtype), np.where(both, 0, g).astype(g.dtype), ("scaled", 500)
    )


def is_truncated(kernel, each, expected, got, kind):
    """Integers are cut off from sums of weights that exp gave: a sum near an integer may lie on its other side."""
    if kind != "value" or "gaussian_filter" not in kernel.function:
        return False
    e, g = np.asarray(expected.result), np.asarray(got.result)
    if e.dtype.kind not in "iu" or e.dtype != g.dtype or e.shape != g.shape:
        return False
    return bool(np.all(np.abs(e.astype(np.float64) - g) <= 1 + np.abs(e.astype(np.float64)) * 1e-14))


def is_nearer_power(kernel, each, expected, got, kind):
    """Powers of complex numbers that are as near as NumPy's to those in extended precision, or as these are to those of numbers
    that differ in their last digits: one of a large exponent has any direction."""
    if kind != "value" or not re.search(r"\*\*|power|pow\(", kernel.call + kernel.setup):
        return False
    e, g = np.asarray(expected.result), np.asarray(got.result)
    if e.dtype.kind != "c" or e.dtype != g.dtype or e.shape != g.shape:
        return False
    with np.errstate(all="ignore"):
        exact = extended_power(kernel, each, 0)
        if not isinstance(exact, (np.ndarray, np.generic)) or np.shape(exact) != e.shape:
            return False
        eps = np.finfo(e.dtype).eps
        others = [np.abs(extended_power(kernel, each, x * eps) - exact) for x in (-1, -0.5, 0.5, 1)]
        change = np.max([np.where(np.isfinite(x), x, 0) for x in others], axis=0)
        rounded = np.asarray(exact).astype(e.dtype)
        unit = eps * np.abs(exact) + change + np.finfo(e.dtype).smallest_subnormal
        error, reference_error = np.abs(g - exact), np.abs(e - exact)
        near = np.isfinite(g) & (error <= np.fmax(reference_error, ULPS * unit))
        # NumPy's products overflow on the way.
        lost = ~np.isfinite(e) & ((np.isfinite(g) & (error <= ULPS * unit)) | ~np.isfinite(rounded))
        both = ~np.isfinite(e) & ~np.isfinite(g)
        return bool(np.all(near | lost | both))


def extended_power(kernel, each, change):
    """The result of a kernel's call on arguments of extended precision, the floats among them changed by a relative amount."""
    space = {"np": np, "power": np.power, "pow": pow}
    for i, (name, arg) in enumerate(kernel.args):
        if arg.role in ("out", "mask"):
            continue
        made = inputs.argument(arg, kernel.dtype, kernel.rank, each, kernel.base, i)
        kind = np.asarray(made).dtype.kind
        wide = np.asarray(made, np.clongdouble if kind == "c" else np.longdouble)[()]
        space[name] = wide * (1 + np.longdouble(change)) if kind in "fc" else wide
    text = kernel.call.replace("np.float_power", "np.power").replace("np.pow(", "np.power(")
    try:
        if kernel.setup:
            exec(kernel.setup, space)
        return eval(text.split(", out=")[0] + (")" if ", out=" in text else ""), space)
    except (TypeError, ValueError, OverflowError, np.exceptions.DTypePromotionError):
        return None


def narrows_first(kernel, each, expected, got, kind):
    """NumPy converts the first element to the type of `out=` before it looks for the least or greatest."""
    name = kernel.function.rsplit(".", 1)[-1]
    if kind != "value" or name not in ("min", "max", "amin", "amax") or "out=z" not in kernel.call:
        return False
    whole = reference.evaluate(kernel, kernel.probe, each)
    return bool(np.array_equal(np.asarray(whole).astype(np.asarray(got.result).dtype), got.result))


def which_nan(kernel, each, expected, got, kind):
    """Which one of several NaN a masked reduction of complex numbers meets first depends on the layout."""
    name = kernel.function.rsplit(".", 1)[-1]
    return (
        kind == "value"
        and name in ("min", "max", "amin", "amax")
        and "where=" in kernel.call
        and no_numbers(expected.result, got.result)
    )


def has_no_order(kernel, each, expected, got, kind):
    return kind == "value" and each.values == "special" and kernel.function == "scipy.signal.medfilt"


def is_left_over(kernel, each, expected, got, kind):
    """SciPy's state of a filter that no sample went through is what lay in memory."""
    return kind == "value" and each.size == "empty" and "zi=" in kernel.call and "lfilter" in kernel.function


def is_fault(kernel, each, expected, got, kind):
    """SciPy overflows in int32 (beta and betaln of negative integers), and has gammaln infinite next to 0, where it is 710."""
    return kind == "value" and each.values == "extremes" and kernel.function in (
        "scipy.special.beta", "scipy.special.betaln", "scipy.special.gammaln",
    )  # fmt: skip


# Rules that are about functions of NumPy's and SciPy's libraries.
LIBRARY_RULES = (
    (is_transform, "transforms and factorizations of infinities and NaN"),
    (is_factorization, "transforms and factorizations of infinities and NaN"),
    (reads_beyond, "memory that nobody wrote"),
    (is_type_of_length, "a type does not depend on lengths"),
    (is_overwritten, "what may be overwritten"),
    (is_singular, "signs and bases that a factorization leaves open"),
    (is_truncated, "4: sums in another order"),
    (is_nearer_power, "powers of complex numbers"),
    (narrows_first, "7: a result is converted to the type of `out=`"),
    (which_nan, "complex infinities"),
    (has_no_order, "NaN has no place in Python's order"),
    (is_left_over, "memory that nobody wrote"),
    (is_fault, "a fault of the reference"),
)
# Functions whose type or number of axes NumPy makes depend on values, where the language page gives the usual one.
USUAL = ("np.poly", "np.polyval", "np.nanquantile", "np.nanpercentile")


def nothing_known(expected, got):
    """Results of no elements: nothing but NaN, or the constant that sums of nothing are."""
    e, g = np.asarray(expected), np.asarray(got)
    if e.size == g.size == 1:
        return bool(np.array_equal(e.ravel(), g.ravel(), equal_nan=True))
    return e.shape == g.shape and bool(np.all(np.isnan(e)) and np.all(np.isnan(g)))


def casts_beyond(kernel, expected, got):
    """Whether integers differ only where they come from floats that the type does not hold."""
    name = kernel.function.rsplit(".", 1)[-1]
    if name in ("round", "around") and "decimals=-" in kernel.call:
        return rounds_beyond(expected, got)
    if name != "astype" and name not in INTEGER_TYPES and kernel.function != "conversions":
        return False
    return converted_beyond(expected, got)


def converted_beyond(expected, got):
    """The same for each element by itself."""
    source, e, g = (dense(x) for x in (expected.arguments[0], expected.result, got.result))
    if source.dtype.kind not in "fc" or e.dtype.kind not in "iu" or not source.shape == e.shape == g.shape:
        return False
    info = np.iinfo(e.dtype)
    with np.errstate(all="ignore"):
        held = (source.real > info.min - 1.0) & (source.real < info.max + 1.0)
    return e.dtype == g.dtype and bool(np.array_equal(e[held], g[held]))


def dense(x):
    return x.toarray() if hasattr(x, "toarray") else np.asarray(x)


# Names of integer types that say how wide they are in C alone.
C_INTEGERS = ("long", "int_", "intc", "intp", "longlong", "uint", "uintp", "ulonglong")


def elsewhere(kernel, expected, got):
    """Rules for machines other than x86-64."""
    name = kernel.function.rsplit(".", 1)[-1]
    if (name in C_INTEGERS or "dtype=" in kernel.call) and converted_beyond(expected, got):
        return "7: floats that an integer type does not hold"
    if name in ("mean", "std", "var") and "dtype=" in kernel.call and dense(got.result).dtype.kind in "iu":
        return "7: floats that an integer type does not hold"
    if name == "ludcmp" and np.linalg.matrix_rank(dense(expected.arguments[0])) < len(expected.arguments[0]):
        return "4: multiplications contracted: which pivot of rounding errors is the largest"
    if name == "y1":
        # SciPy's wheel for ARM is off by 21 units at 5.
        return "a fault of the reference" if close(expected.result, got.result, ("ulps", 30)) else None
    return None


def rounds_beyond(expected, got):
    """Whether unsigned integers differ only where rounding makes them too large for their type; on other machines all integers."""
    source, e, g = np.asarray(expected.arguments[0]), np.asarray(expected.result), np.asarray(got.result)
    kinds = "u" if X86 else "iu"
    if source.dtype.kind not in kinds or e.dtype != g.dtype or source.shape != e.shape:
        return False
    rounded, info = np.round(source.astype(np.float64), -1), np.iinfo(e.dtype)
    held = (rounded >= info.min) & (rounded <= info.max)
    return bool(np.array_equal(e[held], g[held]))


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
    "absolute sinc vander lfilter convolve2d correlate2d symm trmm"
).split()


def no_numbers(expected, got):
    """Whether complex results differ only where neither is finite: C leaves open which part is infinite, and which NaN."""
    if hasattr(expected, "toarray") and hasattr(got, "toarray"):
        return no_numbers(expected.toarray(), got.toarray())
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
    "dict.copy",
    "dict.values",
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
    if isinstance(expected, dict):
        return (
            isinstance(got, dict)
            and list(expected) == list(got)
            and all(map(meet, expected.values(), got.values()))
        )
    numbers = (bool, int, float, complex, np.generic)
    if not isinstance(expected, numbers) or not isinstance(got, numbers):
        return type(expected) is type(got) and repr(expected) == repr(got)
    # Python's own numbers take NumPy's types, where these hold them.
    own = expected if type(expected) in (int, float, complex) else np.asarray(expected)
    equal = bool(expected == got or (expected != expected and got != got))
    return equal and np.asarray(got).dtype == np.result_type(own, np.asarray(got))


def is_sum(kernel):
    libraries = ("np.linalg", "scipy.linalg", "scipy.sparse.linalg", "scipy.signal", "scipy.integrate")
    return kernel.function.startswith(libraries) or kernel.function.rsplit(".", 1)[-1] in SUMS


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


# Functions of integers alone, to which NumPy's floats of an empty list are none.
OF_INTEGERS = (
    "np.gcd", "np.lcm", "np.bitwise_count", "np.choose", "np.bitwise_and", "np.bitwise_or", "np.bitwise_xor", "np.bitwise_not",
    "np.left_shift", "np.right_shift", "np.packbits",
)  # fmt: skip


def raises_nothing(kernel, error, result):
    """Arithmetic of floats and `math` raise nothing."""
    if isinstance(result, tuple):
        return raises_nothing(kernel, error, result[-1])
    if isinstance(error, MemoryError) and kernel.function == "np.arange" and "uint" in kernel.id:
        return "ranges of unsigned numbers downwards, whose length wraps in NumPy"
    if not X86 and kernel.function in ("np.hamming", "np.hanning") and isinstance(error, ValueError):
        if np.size(result) == 0:
            return "the length of windows beyond 64 bits"
    if kernel.function in OF_INTEGERS and "List(int)" in kernel.id:
        if isinstance(error, TypeError) and np.size(result) == 0:
            return "a list of nothing has a type"
    scalar = isinstance(result, (float, complex, np.floating))
    domain = isinstance(error, (ValueError, OverflowError, ZeroDivisionError))
    of_floats = ("math.", "operator", "divmod", "pow", "random.")
    if scalar and domain and kernel.function.startswith(of_floats):
        if not np.isfinite(result) or isinstance(error, ZeroDivisionError):
            return "3: floats raise nothing"
    lists = any(getattr(arg, "kind", "") == "list" for _, arg in kernel.args)
    if lists and "." not in kernel.function and isinstance(error, (AttributeError, TypeError)):
        return "Intrepydd's functions take lists as arrays"
    return None


def refuses(kernel, each, error):
    """An exception where NumPy gives a value."""
    if kernel.function in ("np.cov", "np.corrcoef") and each.size == "empty":
        return "5: one type: NumPy drops observations of nothing"
    if isinstance(error, np.linalg.LinAlgError) and each.values in ("special", "extremes"):
        return "transforms and factorizations of infinities and NaN"
    if isinstance(error, ZeroDivisionError):
        return "1: integers by zero"
    if kernel.function == "np.linalg.matrix_power" and "no integer matrix" in str(error):
        return "a type does not depend on values"
    if isinstance(error, ValueError) and "negative integer powers" in str(error) and kernel.function == "pow":
        return "1: integers to negative powers"
    if isinstance(error, ValueError) and "hash of NaN" in str(error):
        return "a hash that depends on the object"
    if isinstance(error, OverflowError) and "meets floats" in str(error):
        return "5: numbers that meet"
    # NumPy gives another type, or another number of axes, where there are no elements.
    if isinstance(error, ValueError) and str(error) in LENGTHS:
        return "types that depend on lengths"
    if isinstance(error, OverflowError) and kernel.call.startswith("int("):
        return "7: integers past 64 bits"
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


# What is raised where the type of a result would depend on how many elements there are.
LENGTHS = (
    "several quantiles of no elements",
    "quantiles of no elements are NaN",
)


def other_exception(expected, got):
    """Arguments that can't be written are refused before the call."""
    if "no integer matrix" in str(got):
        return "a type does not depend on values"
    if (isinstance(expected, IndexError) and "list" in str(expected)) or "list indices" in str(expected):
        return "Intrepydd's functions take lists as arrays"
    if isinstance(expected, ValueError) and isinstance(got, TypeError) and "read-only" in str(got):
        return "read-only"
    return None
