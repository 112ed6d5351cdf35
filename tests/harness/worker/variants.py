"""Layouts in which the same elements can come: what the general version of a kernel is for."""

import numpy as np

CANARY = {"b": True, "i": 85, "u": 85, "f": -1234.5, "c": -1234.5 + 77j}


def plain(a):
    return a, a


def rows(a):
    """Row-major, as the interpreter takes it."""
    buffer = np.array(a, order="C")
    return buffer, buffer


def strided(a):
    """Every other element of a larger buffer, along each axis."""
    buffer = np.full([2 * n + 1 for n in a.shape] or [1], CANARY[a.dtype.kind], a.dtype)
    view = buffer[tuple(slice(1, None, 2) for _ in a.shape)] if a.ndim else buffer.reshape(())
    view[...] = a
    return view, buffer


def negative(a):
    """Each axis reversed in memory."""
    back = (slice(None, None, -1),) * a.ndim
    buffer = a[back].copy() if a.ndim else a.copy()
    return buffer[back] if a.ndim else buffer, buffer


def fortran(a):
    """Column-major."""
    buffer = np.array(a, order="F")
    return buffer, buffer


def misaligned(a):
    """At an odd address."""
    raw = np.zeros(a.nbytes + 1, np.uint8)
    view = raw[1:].view(a.dtype).reshape(a.shape)
    view[...] = a
    return view, raw


def readonly(a):
    """Not writeable."""
    buffer = a.copy()
    buffer.flags.writeable = False
    return buffer, buffer


VARIANTS = {
    "plain": plain,
    "rows": rows,
    "strided": strided,
    "negative": negative,
    "fortran": fortran,
    "misaligned": misaligned,
    "readonly": readonly,
}


def applicable(arguments):
    """Names of the variants that make sense for these arguments."""
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    if not arrays or overlapping(arrays):
        return ["plain"]
    names = ["plain", "readonly"]
    if any(a.ndim > 0 for a in arrays):
        names += ["strided", "negative"]
    if any(a.ndim > 1 for a in arrays):
        names.append("fortran")
    if any(a.itemsize > 1 for a in arrays):
        names.append("misaligned")
    return names


def overlapping(arrays):
    return any(
        np.may_share_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i]
    )
