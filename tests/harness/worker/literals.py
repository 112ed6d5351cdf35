"""Values as the IR interpreter's text: what the harness feeds it and what it must give."""

import numpy as np
import scipy.sparse


class Unwritable(Exception):
    """The value has no literal."""


def scalar(value):
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, complex):
        imaginary = repr(value.imag)
        sign = "" if imaginary.startswith("-") else "+"
        return f"{value.real!r}{sign}{imaginary}j"
    if isinstance(value, (bool, int, float)):
        return repr(value)
    raise Unwritable(repr(value))


def nested(items):
    return "[" + ", ".join(nested(i) if isinstance(i, list) else scalar(i) for i in items) + "]"


def array(a):
    if a.size == 0 and a.ndim > 1:
        raise Unwritable("an empty array of several dimensions")
    if a.dtype == np.float32 or a.dtype == np.complex64:
        a = a.astype(np.float64 if a.dtype == np.float32 else np.complex128)
    return nested(a.tolist()) if a.ndim else scalar(a[()])


def columns(items):
    """Numbers of keys or values by their place in these, a list each."""
    if not any(isinstance(item, tuple) for item in items):
        return [nested(items)]
    return [text for place in zip(*items) for text in columns(list(place))]


def may_hold_tuples(value):
    """Whether a list is, or may be, passed as several."""
    return isinstance(value, list) and (not value or isinstance(value[0], tuple))


def argument(value):
    """As `flat`, also of a dict or set: the lists of its keys and values, and two empty ones; None and texts as Python writes them."""
    if value is None or isinstance(value, str):
        return [repr(value)]
    if not isinstance(value, (dict, set)):
        return flat(value)
    items = [list(value), list(value.values())] if isinstance(value, dict) else [list(value)]
    if not value:
        raise Unwritable("an empty dict, which does not tell how many lists it has")
    return [text for part in items for text in columns(part)] + ["[]", "[]"]


def flat(value):
    """Literals of a value, a tuple and a list of tuples taken apart; None is none."""
    if value is None:
        return []
    if isinstance(value, tuple):
        return [text for item in value for text in flat(item)]
    if scipy.sparse.issparse(value):
        if value.format not in ("csr", "csc"):
            raise Unwritable("a sparse matrix in another format")
        parts = [array(part) for part in (value.indptr, value.indices, value.data)]
        return parts + [scalar(size) for size in value.shape]
    if isinstance(value, np.ndarray):
        return [array(value)]
    if isinstance(value, list):
        return columns(value)
    return [scalar(value)]
