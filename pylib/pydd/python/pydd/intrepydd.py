"""Intrepydd's names in plain Python: what `from pydd.intrepydd import *` brings when a source runs under CPython.

Meaning is NumPy's. Where Intrepydd's guide and NumPy differ for a name, the bare name here follows the
guide and `np.name` and the method follow NumPy; those functions say so: `argmin`, `argmax`, `where`,
`allclose` and two-argument `log`. Scalar types are NumPy's, and an instance such as `float64()` serves as a dtype.
"""

from __future__ import annotations

import builtins
import contextlib
import heapq
import random
import time as _time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy import (
    complex64,
    complex128,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)

from ._annotations import Constructor, RankedArray
from ._names import LANGUAGE_NAMES, RANKED_ARRAYS
from ._sparse import (
    arr_to_spm,
    csr_to_spm,
    empty_spm,
    getcol,
    getnnz,
    getval,
    is_sparse,
    multiply,
    nnz,
    sparse_diags,
    spm_add,
    spm_diags,
    spm_mask,
    spm_mul,
    spm_set_item,
    spm_set_item_unsafe,
    spm_to_csr,
    spmm,
    spmm_dense,
    spmv,
    tocsc,
    tocsr,
)

__all__ = list(LANGUAGE_NAMES)

boolean = np.bool_
double = D = float64
long = J = int64
F = float32
I = int32  # noqa: E741

Array = Constructor("Array")
globals().update({name: RankedArray(rank) for name, rank in RANKED_ARRAYS.items()})
List = Constructor("List")
Dict = Constructor("Dict")
Set = Constructor("Set")
Tuple = Constructor("Tuple")
Heap = Constructor("Heap")
SparseMat = Constructor("SparseMat")
SparseArray = Constructor("SparseArray")


# Statements. One thread: iterations run in order, tasks at once.


def prange(*bounds: int) -> range:
    """`range`, whose iterations may run in any order and on all processors where the loop is compiled."""
    return range(*bounds)


finish = spawn = isolated = contextlib.nullcontext


# Creation

Shape = "int | Sequence[int]"


def _dtype(value: Any) -> np.dtype:
    """The dtype that `float64()`, `float64`, `"float64"` or `0.0` names."""
    if isinstance(value, (np.generic, bool, int, float, complex)):
        value = type(value)
    return np.dtype(value)


def zeros(shape: Shape, dtype: Any = float64, order: str = "C") -> np.ndarray:
    """An array of zeros; `zeros((2, 3), float64())`."""
    return np.zeros(shape, _dtype(dtype), order)


def empty(shape: Shape, dtype: Any = float64, order: str = "C") -> np.ndarray:
    """An array whose elements have no defined value yet."""
    return np.empty(shape, _dtype(dtype), order)


def zeros_2d(shape: Sequence[int], dtype: Any = float64, order: str = "C") -> np.ndarray:
    """`zeros` of two dimensions."""
    rows, columns = shape
    return zeros((rows, columns), dtype, order)


def empty_2d(shape: Sequence[int], dtype: Any = float64, order: str = "C") -> np.ndarray:
    """`empty` of two dimensions."""
    rows, columns = shape
    return empty((rows, columns), dtype, order)


def arange(*bounds: Any, dtype: Any = None, **named: Any) -> np.ndarray:
    """`np.arange`; a type's instance may follow the bounds: `arange(0, 10, 1, float64())`."""
    if len(bounds) == 4:
        *bounds, dtype = bounds
    return np.arange(*bounds, dtype=None if dtype is None else _dtype(dtype), **named)


def copy(a: np.ndarray, order: str = "K") -> np.ndarray:
    """A fresh array with the elements of `a`."""
    return np.array(a, copy=True, order=order)


def numpy_random_rand(shape: Shape, dtype: Any = float64) -> np.ndarray:
    """Uniform numbers in [0, 1) from NumPy's global stream."""
    return np.random.random_sample(shape).astype(_dtype(dtype))


def randint(low: int, high: int) -> int:
    """A random integer with low <= r <= high."""
    return random.randint(low, high)


empty_like = np.empty_like


# Rows, columns, elements


def shape(a: Any, axis: int | None = None) -> Any:
    """The length of dimension `axis`, or the tuple of all lengths."""
    return np.shape(a) if axis is None else np.shape(a)[axis]


def stride(a: np.ndarray, axis: int) -> int:
    """The distance in bytes between neighbours along dimension `axis`."""
    return a.strides[axis]


def get_row(a: np.ndarray, i: int) -> np.ndarray:
    """Row `i`, a view."""
    return a[i]


get_row_ptr = get_row


def get_col(a: np.ndarray, j: int) -> np.ndarray:
    """Column `j`, a view."""
    return a[:, j]


def set_row(a: np.ndarray, i: int, value: Any) -> None:
    """Write a scalar or an array to row `i`."""
    a[i] = value


def set_col(a: np.ndarray, j: int, value: Any) -> None:
    """Write a scalar or an array to column `j`."""
    a[:, j] = value


def arraysub(a: np.ndarray, *index: int) -> Any:
    """`a[index]`."""
    return a[index]


def fill(a: np.ndarray, value: Any) -> None:
    """Write `value` to each element."""
    a.fill(value)


def append(items: list, value: Any) -> None:
    """Add `value` to the end of a list."""
    items.append(value)


def sum_rows(a: np.ndarray, rows: Sequence[int]) -> np.ndarray:
    """The sum of the rows whose numbers are in `rows`; a row listed twice counts twice."""
    return a[np.asarray(rows, dtype=np.intp)].sum(axis=0)


def plus_eq(a: np.ndarray, b: Any) -> None:
    """`a += b`, in place."""
    a += b


def minus_eq(a: np.ndarray, b: Any) -> None:
    """`a -= b`, in place."""
    a -= b


# Reductions. Of an array they are NumPy's, of lists and several scalars Python's.

prod = np.prod


def sum(a: Any, start: Any = None, *, axis: int | None = None) -> Any:
    """The sum of all elements, or along `axis`, which may be the second argument; of others from a start."""
    if is_sparse(a):
        return a.sum(start if axis is None else axis)
    if isinstance(a, np.ndarray):
        return np.sum(a, axis=start if axis is None else axis)
    return builtins.sum(a) if start is None else builtins.sum(a, start)


def min(a: Any, *others: Any, axis: int | None = None, key: Any = None, **default: Any) -> Any:
    """The least of an array, a list or several scalars; NaN where one is NaN."""
    if key is not None:
        return builtins.min(a, *others, key=key, **default)
    if default:
        items = list(a)
        return min(items) if items else default["default"]
    return _extreme(builtins.min, np.min, a, others, axis)


def max(a: Any, *others: Any, axis: int | None = None, key: Any = None, **default: Any) -> Any:
    """The greatest of an array, a list or several scalars; NaN where one is NaN."""
    if key is not None:
        return builtins.max(a, *others, key=key, **default)
    if default:
        items = list(a)
        return max(items) if items else default["default"]
    return _extreme(builtins.max, np.max, a, others, axis)


def _extreme(of_items: Any, of_array: Any, a: Any, others: tuple, axis: int | None) -> Any:
    if isinstance(a, np.ndarray) and not others:
        return of_array(a, axis=axis)
    if isinstance(a, np.ndarray) and isinstance(others[0], (int, np.integer)):
        return of_array(a, axis=others[0])
    items = (a, *others) if others else list(a)
    for item in items:
        if item != item:
            return item
    return of_items(items)


def any(a: Iterable, axis: int | None = None) -> Any:
    """Whether an element is true."""
    return np.any(a, axis=axis) if isinstance(a, np.ndarray) else builtins.any(a)


def all(a: Iterable, axis: int | None = None) -> Any:
    """Whether each element is true."""
    return np.all(a, axis=axis) if isinstance(a, np.ndarray) else builtins.all(a)


def argmin(a: np.ndarray, axis: int | None = None) -> Any:
    """Where the least element is: of an n-d array its index in each dimension, as a tuple (`np.argmin`: the flat index)."""
    return _index_of(np.argmin, a, axis)


def argmax(a: np.ndarray, axis: int | None = None) -> Any:
    """Where the greatest element is: of an n-d array its index in each dimension, as a tuple (`np.argmax`: the flat index)."""
    return _index_of(np.argmax, a, axis)


def _index_of(position: Any, a: np.ndarray, axis: int | None) -> Any:
    flat = position(a, axis=axis)
    if axis is not None or np.ndim(a) < 2:
        return flat
    return tuple(int64(i) for i in np.unravel_index(flat, np.shape(a)))


def allclose(a: Any, b: Any, *tolerances: float, **named: Any) -> Any:
    """`allclose(a, eps)`: whether no element of `a` exceeds `eps` in absolute value. Two arrays: `np.allclose`."""
    if tolerances or named or np.ndim(b) > 0:
        return np.allclose(a, b, *tolerances, **named)
    return np.all(np.abs(a) <= builtins.abs(b))


def where(condition: np.ndarray, *choices: Any) -> Any:
    """The indices, as int32, at which a 1-D array is true; for more axes, and with two choices, `np.where`."""
    if choices or np.ndim(condition) != 1:
        return np.where(condition, *choices)
    return np.flatnonzero(condition).astype(int32)


def where1(condition: np.ndarray, size: int) -> np.ndarray:
    """`where` of the first `size` elements."""
    return where(condition[:size])


# Elementwise, on arrays and scalars

abs = builtins.abs
sqrt, exp, sin, cos, tan = np.sqrt, np.exp, np.sin, np.cos, np.tan
minus = np.negative
isnan, isinf = np.isnan, np.isinf
maximum, minimum = np.maximum, np.minimum
logical_and, logical_or, logical_xor = np.logical_and, np.logical_or, np.logical_xor
logical_not = elemwise_not = np.logical_not
acos, asin, atan = np.arccos, np.arcsin, np.arctan
add, sub, mul, div = np.add, np.subtract, np.multiply, np.true_divide
eq, neq, lt, gt, le, ge = np.equal, np.not_equal, np.less, np.greater, np.less_equal, np.greater_equal


def pow(x: Any, y: Any, mod: Any = None) -> Any:
    """`x ** y`, of integers also modulo a third one."""
    if mod is None:
        return x**y
    return builtins.pow(int(x), int(y), int(mod))


def log(x: Any, base: Any = None) -> Any:
    """The natural logarithm, or that to `base`."""
    return np.log(x) if base is None else np.log(x) / np.log(base)


def compatibility_check(*arrays: Any) -> bool:
    """Whether the arrays broadcast with each other."""
    if len(arrays) == 1 and isinstance(arrays[0], (list, tuple)):
        (arrays,) = arrays
    try:
        np.broadcast_shapes(*(np.shape(a) for a in arrays))
    except ValueError:
        return False
    return True


# Matrices


def innerprod(a: np.ndarray, b: np.ndarray) -> Any:
    """The inner product of two 1-D arrays of equal length."""
    if np.ndim(a) != 1 or np.ndim(b) != 1:
        raise ValueError(f"innerprod takes 1-D arrays, not {np.ndim(a)}-D and {np.ndim(b)}-D")
    return np.dot(a, b)


def matmult(a: np.ndarray, b: np.ndarray) -> Any:
    """`a @ b`."""
    return np.matmul(a, b)


transpose, tril, triu, diag, kron, convolve = np.transpose, np.tril, np.triu, np.diag, np.kron, np.convolve
qr, eig, svd = np.linalg.qr, np.linalg.eig, np.linalg.svd


def syrk(a: np.ndarray, alpha: Any = 1, beta: Any = 0, c: Any = None) -> np.ndarray:
    """`alpha * a @ a.T + beta * c`: BLAS's rank-k update, both triangles."""
    return _combined(alpha * (a @ a.T), beta, c)


def dsyrk(a: np.ndarray, alpha: Any = 1, beta: Any = 0, c: Any = None) -> np.ndarray:
    """`syrk` in double precision."""
    return syrk(a.astype(float64), alpha, beta, c)


def syr2k(a: np.ndarray, b: np.ndarray, alpha: Any = 1, beta: Any = 0, c: Any = None) -> np.ndarray:
    """`alpha * (a @ b.T + b @ a.T) + beta * c`: BLAS's rank-2k update, both triangles."""
    return _combined(alpha * (a @ b.T + b @ a.T), beta, c)


def symm(
    a: np.ndarray, b: np.ndarray, alpha: Any = 1, beta: Any = 0, c: Any = None, lower: bool = False
) -> np.ndarray:
    """`alpha * s @ b + beta * c`, where s is the symmetric matrix whose upper (or lower) triangle is that of `a`."""
    s = np.tril(a) + np.tril(a, -1).T if lower else np.triu(a) + np.triu(a, 1).T
    return _combined(alpha * (s @ b), beta, c)


def trmm(a: np.ndarray, b: np.ndarray, alpha: Any = 1, lower: bool = False) -> np.ndarray:
    """`alpha * t @ b`, where t is the upper (or lower) triangle of `a`."""
    return alpha * ((np.tril(a) if lower else np.triu(a)) @ b)


def _combined(product: np.ndarray, beta: Any, c: Any) -> np.ndarray:
    return product if c is None else product + beta * c


def _square(a: np.ndarray, name: str) -> np.ndarray:
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError(f"{name} takes a square matrix")
    return np.array(a, float64)


def lu(a: np.ndarray) -> tuple:
    """`l, u` with `l @ u == a`, by elimination without exchanges of rows; LinAlgError where a pivot is 0."""
    upper = _square(a, "lu")
    lower = np.eye(builtins.len(upper))
    for k in builtins.range(builtins.len(upper)):
        if upper[k, k] == 0:
            raise np.linalg.LinAlgError("a pivot is 0: ludcmp exchanges rows")
        for i in builtins.range(k + 1, builtins.len(upper)):
            lower[i, k] = upper[i, k] / upper[k, k]
            upper[i, k] = 0
            upper[i, k + 1 :] -= lower[i, k] * upper[k, k + 1 :]
    return lower, upper


def ludcmp(a: np.ndarray) -> tuple:
    """Numerical Recipes' `ludcmp`: both factors in one matrix, the row that each row was exchanged with, and 1.0 or -1.0
    for an even or odd number of exchanges. Pivots are those that are largest within their rows."""
    factors = _square(a, "ludcmp")
    n = builtins.len(factors)
    order, sign, scale = np.empty(n, int64), 1.0, np.empty(n)
    for i in builtins.range(n):
        most = np.max(np.abs(factors[i]), initial=0)
        if most == 0:
            raise np.linalg.LinAlgError("singular matrix in ludcmp")
        scale[i] = 1 / most
    for k in builtins.range(n):
        best = k
        for i in builtins.range(k + 1, n):
            if scale[i] * abs(factors[i, k]) > scale[best] * abs(factors[best, k]):
                best = i
        order[k] = best
        if best != k:
            factors[[best, k]] = factors[[k, best]]
            scale[best] = scale[k]
            sign = -sign
        if factors[k, k] == 0:
            factors[k, k] = 1e-40
        for i in builtins.range(k + 1, n):
            factors[i, k] /= factors[k, k]
            factors[i, k + 1 :] -= factors[i, k] * factors[k, k + 1 :]
    return factors, order, sign


# Heaps: lists of keys, or of tuples of a key and a value, in the order that heapq keeps


def _heap_item(key: Any, value: Any) -> Any:
    return key if value is None else (key, value)


def _heap_key(item: Any) -> Any:
    return item[0] if isinstance(item, tuple) else item


def heapinit_empty() -> list:
    """A heap without items."""
    return []


def heapinit(key: Any, value: Any = None) -> list:
    """A heap of one item: a key, or a tuple of a key and a value."""
    return [_heap_item(key, value)]


def heappush(heap: list, key: Any, value: Any = None) -> None:
    """Puts a key, or a tuple of a key and a value, into a heap."""
    heapq.heappush(heap, _heap_item(key, value))


def heappop(heap: list) -> Any:
    """Takes the least item out and gives it; IndexError if there is none."""
    return heapq.heappop(heap)


def heappop1(heap: list) -> None:
    """Takes the least item out; IndexError if there is none."""
    heapq.heappop(heap)


def heappeek(heap: list) -> Any:
    """The least key; IndexError if there is none."""
    return _heap_key(heap[0])


def heapsize(heap: list) -> int:
    """How many items a heap has."""
    return len(heap)


def heap_get_key(heap: list, index: int) -> Any:
    """The key of the item at an index of a heap's list."""
    return _heap_key(heap[index])


# Text and clock


def time() -> float:
    """Seconds since the epoch."""
    return _time.time()


def hextoi(text: str) -> int:
    """The integer that hexadecimal digits spell."""
    return int(text, 16)


def stoi(text: str) -> int:
    """The integer that decimal digits spell."""
    return int(text)


def strtol(text: str, base: int) -> int:
    """The integer that digits in `base` spell."""
    return int(text, base)
