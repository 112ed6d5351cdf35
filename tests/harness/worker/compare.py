"""What a call did, and how two such things differ."""

import contextlib
import io
import os
import traceback
import warnings
from dataclasses import dataclass

import numpy as np
import scipy.sparse


@dataclass
class Outcome:
    """Of one call: its result or exception, what it printed, its arguments afterwards and their buffers."""

    result: object
    error: BaseException | None
    stdout: str
    arguments: list
    buffers: list


def run(function, arguments, keywords, buffers):
    """Call, and keep all that can be seen of it."""
    result, error, out = None, None, io.StringIO()
    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(out):
        warnings.simplefilter("ignore")
        try:
            result = function(*arguments, **keywords)
        except BaseException as raised:
            error = raised
    return Outcome(result, error, out.getvalue(), list(arguments), buffers)


def source_line(error, path):
    """The innermost line of the exception's traceback that lies in the file."""
    name = os.path.basename(path)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if os.path.basename(frame.filename) == name]
    return lines[-1] if lines else None


def show(value):
    text = repr(value)
    if isinstance(value, np.ndarray):
        text = f"{text} of {value.dtype}{list(value.shape)}"
    return text if len(text) < 1000 else text[:1000] + "…"


def same_values(a, b, tolerance):
    """Elements of one dtype and shape: equal bitwise, NaN equal to NaN, or within a tolerance."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype.kind == "c":
        part = a.real.dtype
        a, b = (np.ascontiguousarray(x).reshape(-1).view(part) for x in (a, b))
    if a.dtype.kind != "f":
        return bool(np.array_equal(a, b))
    if tolerance is not None:
        return bool(np.allclose(b, a, rtol=tolerance, atol=tolerance, equal_nan=True))
    nan = np.isnan(a)
    same = (a == b) & (np.signbit(a) == np.signbit(b))
    return bool(np.array_equal(nan, np.isnan(b)) and np.all(same | nan))


def scalar_dtype(value):
    return np.asarray(value).dtype if isinstance(value, (bool, int, float, complex, np.generic)) else None


def value_difference(expected, got, tolerance):
    """Why `got` is not `expected`, or None. A number of Python's own is one of its dtype."""
    if isinstance(expected, tuple):
        # NumPy's named tuples come as plain ones.
        expected = tuple(expected)
    wanted = f"expected {show(expected)}, got {show(got)}"
    if isinstance(expected, np.ndarray):
        if not isinstance(got, np.ndarray):
            return wanted
        if expected.dtype != got.dtype:
            return f"dtype: {wanted}"
        if expected.shape != got.shape:
            return f"shape: {wanted}"
        if expected.size and expected.flags.writeable != got.flags.writeable:
            return f"writeable is {expected.flags.writeable} in NumPy: {wanted}"
        return None if same_values(expected, got, tolerance) else wanted
    if scipy.sparse.issparse(expected):
        return sparse_difference(expected, got, tolerance)
    if isinstance(expected, (list, tuple)):
        if type(expected) is not type(got) or len(expected) != len(got):
            return wanted
        inner = (value_difference(e, g, tolerance) for e, g in zip(expected, got))
        first = next((d for d in inner if d), None)
        return first and f"{first} in {show(got)}"
    if isinstance(expected, (dict, set)):
        return dict_difference(expected, got, tolerance)
    if expected is None:
        return None if got is None else wanted
    return scalar_difference(expected, got, tolerance)


def dict_difference(expected, got, tolerance):
    """Items in order; those of a set in their own, since CPython has them in no certain one."""
    kind = dict if isinstance(expected, dict) else set
    if not isinstance(got, kind):
        return f"expected {show(expected)}, got {show(got)}"
    pair = [list(v.items()) if kind is dict else sorted(v) for v in (expected, got)]
    return value_difference(*pair, tolerance)


def sparse_difference(expected, got, tolerance):
    """Class, shape and all three arrays. What SciPy gives in another format than by rows or columns is compared as arrays."""
    wanted = f"expected {expected!r}, got {got!r}"
    if expected.format not in ("csr", "csc"):
        if not scipy.sparse.issparse(got) or type(got).__name__[-5:] != type(expected).__name__[-5:]:
            return wanted
        return value_difference(expected.toarray(), got.toarray(), tolerance)
    if type(expected) is not type(got) or expected.shape != got.shape:
        return wanted
    parts = ("indptr", "indices", "data")
    inner = (value_difference(getattr(expected, p), getattr(got, p), tolerance) for p in parts)
    return next((f"{part} of a sparse matrix: {d}" for part, d in zip(parts, inner) if d), None)


def scalar_difference(expected, got, tolerance):
    wanted = f"expected {show(expected)} ({type(expected).__name__}), got {show(got)} ({type(got).__name__})"
    if scalar_dtype(got) is None or isinstance(got, (list, tuple)):
        return wanted
    if isinstance(expected, int) and not isinstance(expected, bool) and not -(2**63) <= expected < 2**63:
        return f"{wanted}: a Python integer past 64 bits; the case needs an `expect:` line"
    if scalar_dtype(expected) != scalar_dtype(got):
        return f"dtype: {wanted}"
    return None if same_values(expected, got, tolerance) else wanted


def differences(expected, got, path, tolerance):
    """All that differs between two outcomes, a line each."""
    if expected.error is not None or got.error is not None:
        return error_difference(expected, got, path)
    wrong = [value_difference(expected.result, got.result, tolerance)]
    if expected.stdout != got.stdout:
        wrong.append(f"stdout: expected {expected.stdout!r}, got {got.stdout!r}")
    for i, (e, g) in enumerate(zip(expected.arguments, got.arguments)):
        if not isinstance(e, (np.ndarray, list, dict, set)) and not scipy.sparse.issparse(e):
            continue
        difference = value_difference(e, g, tolerance)
        wrong.append(difference and f"argument {i} afterwards: {difference}")
    for i, (e, g) in enumerate(zip(expected.buffers, got.buffers)):
        difference = value_difference(e, g, tolerance)
        wrong.append(difference and f"memory around argument {i}: {difference}")
    wrong += sharing_difference(expected, got)
    return [w for w in wrong if w]


def error_difference(expected, got, path):
    if expected.error is None:
        trace = "".join(traceback.format_exception(got.error))
        return [f"expected {show(expected.result)}, got the exception\n{trace}"]
    if got.error is None:
        return [f"expected {expected.error!r}, got {show(got.result)}"]
    if kind_name(expected.error) != kind_name(got.error):
        return [f"expected {expected.error!r}, got {got.error!r}"]
    wrong = line_difference(source_line(expected.error, path), source_line(got.error, path), got.error)
    return [wrong] if wrong else []


def builtin_kind(error):
    """The built-in exception type that an exception is of: NumPy's own ones derive from them, but for LinAlgError."""
    if isinstance(error, np.linalg.LinAlgError):
        return np.linalg.LinAlgError
    return next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")


def kind_name(error):
    """The name of what was raised: of a class that the case defines, or of the built-in exception."""
    own = type(error)
    packages = ("builtins", "numpy", "scipy", "pydd")
    return own.__name__ if own.__module__.split(".")[0] not in packages else builtin_kind(error).__name__


def line_difference(expected, got, error):
    if expected is None or expected == got:
        return None
    return f"{error!r}: expected at line {expected}, got line {got}"


def leaves(value):
    if isinstance(value, np.ndarray):
        return [value]
    if scipy.sparse.issparse(value):
        return [value.data] if value.format in ("csr", "csc") else []
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return []


def sharing(outcome):
    """Pairs of result arrays and arguments, or of result arrays, that share memory."""
    results, arguments = leaves(outcome.result), leaves(outcome.arguments)
    pairs = []
    for i, r in enumerate(results):
        pairs += [f"result {i} and argument {j}" for j, a in enumerate(arguments) if np.shares_memory(r, a)]
        pairs += [f"results {j} and {i}" for j, a in enumerate(results[:i]) if np.shares_memory(r, a)]
    return pairs


def sharing_difference(expected, got):
    e, g = sharing(expected), sharing(got)
    missing = [f"{pair} share memory in CPython and not here" for pair in e if pair not in g]
    return missing + [f"{pair} share memory here and not in CPython" for pair in g if pair not in e]
