"""Python code of the runtime: what is shorter here than through the C API."""

import ast
import sys


def site_code(file, line, column, end_column, function):
    """Code that raises the global `_e` from the given place of a `.pydd` file.

    Columns count bytes from 1; 0 is unknown, and then no place within the line is shown.
    """
    tree = ast.parse("raise _e")
    start, end = (column - 1, end_column - 1) if 0 < column < end_column else (-1, -1)
    for node in ast.walk(tree):
        if "lineno" in node._attributes:
            node.lineno = node.end_lineno = line
            node.col_offset, node.end_col_offset = start, end
    code = compile(tree, file, "exec", dont_inherit=True)
    names = {"co_name": function}
    if hasattr(code, "co_qualname"):
        names["co_qualname"] = function
    return code.replace(**names)


def literal(text):
    """The key that a message writes down: a number, or a tuple of numbers."""
    try:
        return ast.literal_eval(text)
    except ValueError:
        # NaN and infinity have no literals.
        return eval(text, {"__builtins__": {}}, {"nan": float("nan"), "inf": float("inf")})


def sparse_fits(matrix, dtype, index):
    """Whether a kernel for these types of values and indices takes the object."""
    scipy = sys.modules.get("scipy.sparse")
    if scipy is None or not scipy.issparse(matrix) or matrix.ndim != 2 or matrix.dtype.name != dtype:
        return False
    return index == "int64" or _index_size(matrix) <= 4


def _index_size(matrix):
    """Bytes that an index needs."""
    if matrix.format in ("csr", "csc", "bsr"):
        return max(matrix.indptr.itemsize, matrix.indices.itemsize)
    if matrix.format == "coo":
        return max(matrix.row.itemsize, matrix.col.itemsize)
    return 8 if max(*matrix.shape, matrix.nnz) > 2**31 - 1 else 4


def sparse_parts(matrix, dtype, index, written, name, function):
    """`indptr`, `indices`, `data`, rows and columns of a sparse matrix in compressed rows.

    The arrays are those of the matrix, unless it is in another format, its indices must be widened or an array has gaps.
    """

    def refuse(text):
        return TypeError(f"argument '{name}' of {function}() {text}")

    scipy = sys.modules.get("scipy.sparse")
    if scipy is None or not scipy.issparse(matrix):
        kind = type(matrix).__name__
        hint = f"; use scipy.sparse.csr_array({name})" if kind == "ndarray" else ""
        raise refuse(f"must be a sparse {dtype} matrix, got {kind}{hint}")
    if matrix.ndim != 2:
        raise refuse(f"must have two dimensions, got {matrix.ndim}")
    if matrix.dtype.name != dtype or not matrix.dtype.isnative:
        raise refuse(f"must be a sparse {dtype} matrix, got {matrix.dtype}; use {name}.astype(np.{dtype})")
    rows = matrix
    if matrix.format != "csr":
        if written:
            form = type(matrix).__name__
            raise refuse(f"is a {form}, and {function}() would write to a copy of it; pass {name}.tocsr()")
        rows = matrix.tocsr()
    indptr, indices = rows.indptr, rows.indices
    if indptr.dtype.name != index:
        indptr = indptr.astype(index)
    if indices.dtype.name != index:
        indices = indices.astype(index)
    count, columns = rows.shape
    if len(indptr) != count + 1:
        raise ValueError(f"argument '{name}' of {function}() has {count} rows and {len(indptr)} bounds of rows")
    data = rows.data
    if written and not is_plain(data):
        raise refuse(f"has its values apart, and {function}() would write to a copy of them; pass {name}.copy()")
    indptr, indices, data = (part if is_plain(part) else part.copy() for part in (indptr, indices, data))
    return indptr, indices, data, int(count), int(columns)


def is_plain(array):
    """Whether elements follow each other without gaps, each at a multiple of its alignment."""
    return array.flags.c_contiguous and array.flags.aligned


def sparse_result(kind, indptr, indices, data, rows, columns):
    """A sparse matrix that shares these arrays.

    A kernel leaves room behind the entries of a matrix that grows. Like SciPy, which looks at the contents, a matrix
    (not an array) gets indices of 32 bits where they are enough.
    """
    import scipy.sparse

    count = int(indptr[-1])
    if len(data) > count >= 0:
        data, indices = data[:count], indices[:count]
    if kind.endswith("matrix") and indptr.dtype == "int64" and max(rows, columns, len(data)) < 2**31:
        indptr, indices = indptr.astype("int32"), indices.astype("int32")
    matrix = getattr(scipy.sparse, kind)((rows, columns), dtype=data.dtype)
    matrix.indptr, matrix.indices, matrix.data = indptr, indices, data
    return matrix
