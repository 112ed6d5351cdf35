"""One cell: a kernel called with one input, compiled and in CPython, and what differs."""

import sys
import warnings
from pathlib import Path

import inputs
import numpy as np
import reference

sys.path.append(str(Path(__file__).resolve().parents[1] / "harness" / "worker"))

import compare
import tolerances

# What a cell may be.
EQUAL, RULE, ORDER = "equal", "by rule", "order"
RIGHTLY, OUTSIDE, REFUSED = "refused rightly", "outside", "refused"
FAILURE, BLANK = "failure", "blank"

MEANING = {
    EQUAL: "equal: value, type, shape, exception, sharing of memory",
    RULE: "different by a rule of the language page",
    ORDER: "equal, but the result's axes lie in another order in memory",
    RIGHTLY: "refused by the compiler, and NumPy raises as well",
    OUTSIDE: "refused: NumPy's result is of a type that the language does not have",
    REFUSED: "refused though NumPy accepts",
    FAILURE: "failure",
    BLANK: "blank: no recipe",
}


def run(function, arguments):
    """As the harness runs it, without taking standard output away."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return compare.Outcome(function(*arguments), None, "", arguments, [])
        except Exception as error:
            return compare.Outcome(None, error, "", arguments, [])


def expected_of(kernel, function, each):
    return run(function, reference.arguments(kernel, each))


def judge(kernel, each, oracle, compiled):
    """(what the cell is, kind of failure, text)."""
    prints = "print(" in kernel.call
    call = (lambda f, a: compare.run(f, a, {}, [])) if prints else run
    expected = call(oracle, reference.arguments(kernel, each))
    got = call(compiled, reference.arguments(kernel, each))
    return compare_outcomes(kernel, each, expected, got)


def in_rows(kernel, value):
    """A matrix in compressed columns, passed in, is converted to rows; so is what shares its form."""
    if isinstance(value, tuple):
        return tuple(in_rows(kernel, item) for item in value)
    if getattr(value, "format", None) == "csc":
        value = value.tocsr()
        value.sort_indices()
    return value


def compare_outcomes(kernel, each, expected, got):
    if any(getattr(arg, "kind", "").startswith("csc") for _, arg in kernel.args):
        expected.result, got.result = in_rows(kernel, expected.result), in_rows(kernel, got.result)
    if expected.error is not None or got.error is not None:
        return errors(kernel, each, expected, got)
    if same(expected.result, got.result) and all(map(same_after, expected.arguments, got.arguments)):
        wrong = []
    else:
        tolerance = tolerances.of(kernel, expected)
        wrong = [w for w in differences(kernel, expected, got, tolerance) if w]
    if expected.stdout != got.stdout:
        wrong.append(("stdout", f"expected {expected.stdout!r}, got {got.stdout!r}"))
    wrong = wrong or scalar_types(expected.result, got.result)
    wrong = wrong or [("sharing", w) for w in compare.sharing_difference(expected, got)]
    if not wrong:
        wrong = order(expected.result, got.result)
        return (ORDER, *wrong[0]) if wrong else (EQUAL, None, None)
    rule = tolerances.by_rule(kernel, each, expected, got, wrong[0][0])
    return (RULE, rule, None) if rule else (FAILURE, *wrong[0])


def differences(kernel, expected, got, tolerance):
    pairs = [("result", expected.result, got.result)]
    kinds = (np.ndarray, list, dict, set)
    pairs += [
        (f"argument {i} afterwards", e, g)
        for i, (e, g) in enumerate(zip(expected.arguments, got.arguments))
        if isinstance(e, kinds) or hasattr(e, "indptr")
    ]
    for where, e, g in pairs:
        text = compare.value_difference(e, g, None)
        if text and tolerance is not None and not text.startswith(("dtype", "shape")):
            text = text if not tolerances.close(e, g, tolerance) else None
        if text:
            kind = text.split(":")[0] if text.startswith(("dtype", "shape")) else "value"
            yield kind, (text if where == "result" else f"{where}: {text}")


def same(a, b):
    """A quick test for equal arrays and numbers; what it denies is looked at closely."""
    if isinstance(a, np.ndarray):
        if type(b) is not type(a) or a.dtype != b.dtype or a.shape != b.shape:
            return False
        return a.tobytes() == b.tobytes()
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (bool, int, str)) or a is None:
        return type(a) is type(b) and a == b
    if isinstance(a, np.generic):
        return type(a) is type(b) and a.tobytes() == b.tobytes()
    return False


def same_after(a, b):
    return same(a, b) or isinstance(a, (bool, int, float, complex, np.generic))


def outside(value):
    """Whether a value is of a type that the language does not have: float16, objects, texts."""
    if isinstance(value, (tuple, list)):
        return any(map(outside, value))
    kind = getattr(value, "dtype", None)
    return (kind is not None and str(kind) not in inputs.DTYPES) or isinstance(value, str)


def errors(kernel, each, expected, got):
    if expected.error is None:
        if isinstance(got.error, TypeError) and "read-only" in str(got.error) and kernel.written:
            return RULE, "read-only", None
        rule = tolerances.refuses(kernel, each, got.error)
        if rule:
            return RULE, rule, None
        return FAILURE, "exception", f"expected {compare.show(expected.result)}, got {got.error!r}"
    if got.error is None:
        rule = tolerances.raises_nothing(kernel, expected.error, got.result)
        if rule:
            return RULE, rule, None
        return FAILURE, "no exception", f"expected {expected.error!r}, got {compare.show(got.result)}"
    kinds = [compare.builtin_kind(o.error) for o in (expected, got)]
    if kinds[0] is kinds[1]:
        return EQUAL, None, None
    rule = tolerances.other_exception(expected.error, got.error)
    if rule:
        return RULE, rule, None
    return FAILURE, "exception type", f"expected {expected.error!r}, got {got.error!r}"


def scalar_types(expected, got):
    """Whether numbers are Python's or NumPy's own, as in CPython."""
    if isinstance(expected, tuple):
        return [w for e, g in zip(expected, got) for w in scalar_types(e, g)][:1]
    python = (bool, int, float, complex)
    # Numbers of these types come back as Python's: whether they count as such is asked within programs.
    if isinstance(expected, np.generic) and str(expected.dtype) in ("float64", "int64", "bool", "complex128"):
        return []
    if isinstance(expected, (np.generic, *python)) and isinstance(expected, np.generic) != isinstance(
        got, np.generic
    ):
        return [("scalar type", f"expected {type(expected).__name__}, got {type(got).__name__}")]
    return []


def order(expected, got):
    """Whether results lie in memory in the same order of axes."""
    if isinstance(expected, tuple):
        return [w for e, g in zip(expected, got) for w in order(e, g)][:1]
    if not isinstance(expected, np.ndarray) or expected.ndim < 2 or expected.size < 2:
        return []
    rank = [[s for s, n in zip(a.strides, a.shape) if n > 1] for a in (expected, got)]
    axes = [sorted(range(len(strides)), key=lambda i: -abs(strides[i])) for strides in rank]
    flags = [(a.flags.c_contiguous, a.flags.f_contiguous) for a in (expected, got)]
    if axes[0] == axes[1] or flags[0] == flags[1]:
        return []
    return [("order", f"expected strides {expected.strides}, got {got.strides} of shape {expected.shape}")]
