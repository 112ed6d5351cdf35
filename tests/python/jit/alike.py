"""Calls of a kernel beside its function in Python."""

import numpy as np
import scipy.sparse


def same(kernel, *args, **kwargs):
    """Calls the kernel and its function in Python, on arguments of their own; both give the same."""
    copies = [[copied(x) for x in args] for _ in range(2)]
    got = kernel(*copies[0], **kwargs)
    expected = kernel.py_func(*copies[1], **kwargs)
    equal(got, expected)
    equal(copies[0], copies[1])
    return got


def copied(x):
    if isinstance(x, np.ndarray):
        return copied_as_it_lies(x)
    return x.copy() if isinstance(x, (list, dict, set)) or scipy.sparse.issparse(x) else x


def copied_as_it_lies(x):
    """With the same strides."""
    low, high = np.lib.array_utils.byte_bounds(x)
    memory = np.zeros(high - low, np.uint8)
    copy = np.ndarray(x.shape, x.dtype, memory, x.__array_interface__["data"][0] - low, x.strides)
    copy[...] = x
    return copy


# Numbers that compute alike are one type to the language where they meet.
ALIKE = {np.int64: int, np.float64: float, np.complex128: complex, np.bool_: bool}


def kind(x):
    return ALIKE.get(type(x), type(x))


def equal(got, expected):
    assert kind(got) is kind(expected), (got, expected)
    if isinstance(got, np.ndarray):
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)
    elif isinstance(got, (tuple, list)):
        assert len(got) == len(expected)
        for a, b in zip(got, expected):
            equal(a, b)
    elif scipy.sparse.issparse(got):
        equal(got.toarray(), expected.toarray())
    else:
        assert got == expected or (got != got and expected != expected)
