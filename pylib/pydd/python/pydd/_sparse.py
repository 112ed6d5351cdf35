"""Intrepydd's sparse matrices in plain Python, over SciPy, which is imported when one is made."""

from __future__ import annotations

from typing import Any

import numpy as np


def _sparse() -> Any:
    import scipy.sparse

    return scipy.sparse


def is_sparse(a: Any) -> bool:
    """Whether it is a sparse matrix; SciPy need not be there."""
    return hasattr(a, "tocsr")


def empty_spm(rows: int, columns: int, dtype: Any = np.float64) -> Any:
    """A sparse matrix without entries."""
    kind = type(dtype) if isinstance(dtype, (np.generic, bool, int, float, complex)) else dtype
    return _sparse().csr_matrix((int(rows), int(columns)), dtype=kind)


def csr_to_spm(values: np.ndarray, columns: np.ndarray, indexes: np.ndarray, count: int) -> Any:
    """A sparse matrix of copies of its arrays, with `count` columns."""
    shape = (len(indexes) - 1, int(count))
    return _sparse().csr_matrix((values, columns, indexes), shape=shape, copy=True)


def arr_to_spm(a: np.ndarray) -> Any:
    """The elements of an array that are not zero."""
    return _sparse().csr_matrix(a)


def spm_diags(a: np.ndarray) -> Any:
    """A square matrix with this diagonal."""
    return _sparse().csr_matrix(_sparse().diags(a, format="csr"))


sparse_diags = spm_diags


def spm_to_csr(A: Any, values: np.ndarray, columns: np.ndarray, indexes: np.ndarray) -> int:
    """Copy the arrays of a matrix into arrays of their lengths; the number of columns."""
    rows = A.tocsr()
    if (len(values), len(columns), len(indexes)) != (rows.nnz, rows.nnz, len(rows.indptr)):
        raise ValueError("the arrays do not have the lengths of the matrix's")
    values[:], columns[:], indexes[:] = rows.data, rows.indices, rows.indptr
    return rows.shape[1]


def spm_mask(A: Any, mask: np.ndarray) -> Any:
    """The rows where the mask is true."""
    return A.tocsr()[mask]


def spm_set_item(A: Any, value: Any, row: int, column: int) -> None:
    """Set an element; one that is new is stored unless it is zero."""
    _within(A, row, column)
    begin, end = A.indptr[row], A.indptr[row + 1]
    at = begin
    while at < end and A.indices[at] < column:
        at += 1
    if at < end and A.indices[at] == column:
        A.data[at] = value
    elif value != 0:
        _insert(A, at, value, row, column)


def spm_set_item_unsafe(A: Any, value: Any, row: int, column: int) -> None:
    """Store another entry at the end of its row, whatever the row holds."""
    _within(A, row, column)
    _insert(A, A.indptr[row + 1], value, row, column)


def _within(A: Any, row: int, column: int) -> None:
    if not 0 <= row < A.shape[0]:
        raise IndexError(f"row index ({row}) out of range")
    if not 0 <= column < A.shape[1]:
        raise IndexError(f"column index ({column}) out of range")


def _insert(A: Any, at: int, value: Any, row: int, column: int) -> None:
    data, indices = np.empty(len(A.data) + 1, A.dtype), np.insert(A.indices, at, column)
    data[:at], data[at], data[at + 1 :] = A.data[:at], value, A.data[at:]
    A.data, A.indices = data, indices
    A.indptr[row + 1 :] += 1
    # SciPy keeps what it once found out about the order of entries.
    for flag in ("_has_sorted_indices", "_has_canonical_format"):
        vars(A).pop(flag, None)


def _place(A: Any, row: int, k: int) -> int:
    if not 0 <= row < A.shape[0]:
        raise IndexError(f"row index ({row}) out of range")
    if not 0 <= k < A.indptr[row + 1] - A.indptr[row]:
        raise IndexError(f"row {row} has no entry {k}")
    return A.indptr[row] + k


def getval(A: Any, row: int, k: int) -> Any:
    """The value of an entry of a row."""
    rows = A.tocsr()
    return rows.data[_place(rows, row, k)]


def getcol(A: Any, row: int, k: int) -> Any:
    """The column of an entry of a row."""
    rows = A.tocsr()
    return rows.indices[_place(rows, row, k)]


def getnnz(A: Any, row: int) -> int:
    """How many entries a row has."""
    rows = A.tocsr()
    if not 0 <= row < rows.shape[0]:
        raise IndexError(f"row index ({row}) out of range")
    return int(rows.indptr[row + 1] - rows.indptr[row])


def nnz(A: Any) -> int:
    """Number of stored entries."""
    return A.nnz


def spm_add(A: Any, B: Any) -> Any:
    """Elementwise sum as a sparse matrix."""
    both = A + B
    return both if is_sparse(both) else arr_to_spm(np.asarray(both))


def spm_mul(A: Any, B: Any) -> Any:
    """Elementwise product as a sparse matrix."""
    return A.multiply(B)


def multiply(A: Any, B: Any) -> Any:
    """Elementwise product of arrays and sparse matrices."""
    if is_sparse(A):
        return A.multiply(B)
    return B.multiply(A) if is_sparse(B) else np.multiply(A, B)


def spmm(A: Any, B: Any) -> Any:
    """Matrix product, in which one operand or both are sparse."""
    return A @ B


spmv = spmm


def spmm_dense(A: Any, B: Any) -> Any:
    """Matrix product as an array."""
    product = A @ B
    return product.toarray() if is_sparse(product) else np.asarray(product)


def tocsr(A: Any) -> Any:
    """The same matrix in compressed rows."""
    return A.tocsr()


def tocsc(A: Any) -> Any:
    """The same matrix in compressed columns."""
    return A.tocsc()
