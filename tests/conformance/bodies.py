"""Calls of functions that have rules of their own, as texts: `(parameters) statements; expression`.

`T` stands for each element type; what stands after `~` is said in CPython instead.
"""

import re

from inputs import DTYPES, Arg

BODIES = {
    # Iteration and Python's own functions.
    "range": ["(n: int) [i for i in range(n)]", "(n: int, m: int) [i for i in range(n, m)]",
              "(n: int, m: int) [i for i in range(m, n, -2)]", "() list(range(2, 9, 3))", "(n: int) n in range(5)",
              "() [i for i in range(5, 0)]", "(n: int) [i for i in range(0, 5, n)]"],
    "hash": ["(n: int) hash(n)", "() hash(2.5)", "() hash(-0.1)", "(b: bool) hash(b)"],
    "isinstance": ["(x: T) isinstance(x, (int, float))", "(a: Array(T, 1)) isinstance(a[0], (np.float64, np.int32))",
                   "(x: T) isinstance(x, bool)", "(x: T) isinstance(x, complex)"],
    "type": ["(x: float) type(x)(1)", "(n: int) type(n)(2.5)", "(a: Array(T, 1)) type(a[0])(1)"],
    "array.is_integer": ["(x: float) x.is_integer()", "(a: Array(float32, 1)) a[0].is_integer()"],
    **{f"cmath.{name}": [f"() cmath.{name}(0.5 - 0.25j)", f"() cmath.{name}(1.5)"]
       for name in "exp log log10 sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh phase polar isnan isinf isfinite".split()},
    "cmath.rect": ["() cmath.rect(2.0, 0.5)", "() cmath.rect(2, 1)"],
    "cmath.isclose": ["() cmath.isclose(1.0, 1.0 + 1e-12j)", "() cmath.isclose(1j, 2j, rel_tol=0.6)"],
    "slice": ["(a: Array(T, 1), n: int) a[slice(n)].copy()", "(a: Array(T, 2), n: int) a[slice(None, n), slice(n, None, -1)].copy()",
              "(xs: List(T), n: int, m: int) xs[slice(n, m)]", "(n: int) (slice(n).start is None, slice(n).stop, slice(1, n, 2).step)"],
    "stride": ["(a: Array(T, 2), n: int) stride(a, 0) - stride(a, 0), stride(np.zeros((3, 4)), n % 2)"],
    "prange": ["(n: int) [i for i in prange(n)]"],
    "print": ["(x: T) print(x)", "(x: T, y: int) print(x, y, sep='-', end='!')", "(a: Array(T, 1)) print(a)", "() print('a', 1, 2.5)",
              "(a: Array(T, 2)) print(a)", "(xs: List(T)) print(xs)"],
    "zip": ["(a: Array(T, 1), b: Array(T, 1)) [x for x, y in zip(a, b)]", "(xs: List(T), n: int) [(x, i) for x, i in zip(xs, range(n))]",
            "(xs: List(int), ys: List(T)) list(zip(xs, ys))"],
    "enumerate": ["(a: Array(T, 1)) [(i, x) for i, x in enumerate(a)]", "(xs: List(T)) list(enumerate(xs, 3))", "(xs: List(T)) [i for i, x in enumerate(xs, start=2)]"],
    "reversed": ["(a: Array(T, 1)) [x for x in reversed(a)]", "(xs: List(T)) [x for x in reversed(xs)]", "(n: int) [i for i in reversed(range(n))]"],
    "len": ["(a: Array(T, 1)) len(a)", "(a: Array(T, 3)) len(a)", "(a: Array(T, 0)) len(a)", "(xs: List(T)) len(xs)", "() len((1, 2))",
            "(d: Dict(int, T)) len(d)", "(s: Set(int)) len(s)", "(A: csr_matrix(float64)) len(A)"],
    "list": ["(a: Array(T, 1)) list(a)", "(xs: List(T)) list(xs)", "(n: int) list(range(n))", "(d: Dict(int, T)) list(d)", "(s: Set(int)) sorted(list(s))", "() list((1, 2))"],
    "sorted": ["(xs: List(T)) sorted(xs)", "(a: Array(T, 1)) sorted(a)", "(xs: List(T)) sorted(xs, reverse=True)", "(d: Dict(int, T)) sorted(d)",
               "(xs: List(T)) sorted(xs, key=lambda x: -x)", "(xs: List(T)) sorted(xs, key=abs)"],
    "min": ["(x: T, y: T) min(x, y)", "(xs: List(T)) min(xs)", "(a: Array(T, 1)) min(a)", "(x: T) min(x, 1)", "(x: T, y: float) min(x, y, 2)", "(a: Array(T, 2)) min(a)",
            "(xs: List(T)) min(xs, default=3)", "(xs: List(T)) min(xs, key=lambda x: -x)", "(a: Array(T, 2)) min(a.shape)", "(x: T, y: T) min((x, y))"],
    "max": ["(x: T, y: T) max(x, y)", "(xs: List(T)) max(xs)", "(a: Array(T, 1)) max(a)", "(x: T) max(x, 1)", "(x: T, y: float) max(x, y, 2)", "(a: Array(T, 2)) max(a)",
            "(xs: List(T)) max(xs, default=3)", "(xs: List(T)) max(xs, key=lambda x: -x)", "(a: Array(T, 2)) max(a.shape)", "(x: T, y: T) max((x, y))"],
    "sum": ["(xs: List(T)) sum(xs)", "(a: Array(T, 1)) sum(a)", "(a: Array(T, 2)) sum(a)", "(xs: List(T)) sum(xs, 2)", "(xs: List(T)) sum(xs, start=0.5)", "(a: Array(T, 1)) sum(x for x in a)"],
    "any": ["(xs: List(T)) any(xs)", "(a: Array(T, 1)) any(a)", "(a: Array(T, 1)) any(x > 1 for x in a)", "(a: Array(T, 2)) any(a)"],
    "all": ["(xs: List(T)) all(xs)", "(a: Array(T, 1)) all(a)", "(a: Array(T, 1)) all(x > 1 for x in a)", "(a: Array(T, 2)) all(a)"],
    "abs": ["(x: T) abs(x)", "(a: Array(T, 0)) abs(a)", "(a: Array(T, 1)) abs(a)", "(a: Array(T, 2)) abs(a)"],
    "round": ["(x: T) round(x)", "(x: T) round(x, 1)", "(x: T) round(x, -1)", "(x: T, n: int) round(x, n)", "(a: Array(T, 1)) round(a)", "(a: Array(T, 1)) round(a, 1)", "(x: T) round(x, None)"],
    "pow": ["(x: T, y: T) pow(x, y)", "(x: T) pow(x, 2)", "(x: int, y: int) pow(x, y, 7)", "(a: Array(T, 1)) pow(a, 2)", "(x: T) pow(x, 0.5)", "(x: T) pow(x, -1)", "(x: int) pow(x, -1, 7)"],
    "divmod": ["(x: T, y: T) divmod(x, y)", "(x: T) divmod(x, 2)", "(a: Array(T, 1), b: Array(T, 1)) divmod(a, b)", "(x: T) divmod(7.5, x)"],
    "bool": ["(x: T) bool(x)", "() bool()", "(xs: List(T)) bool(xs)", "(a: Array(T, 0)) bool(a)", "(a: Array(T, 1)) bool(a)"],
    "int": ["(x: T) int(x)", "() int()", "(a: Array(T, 0)) int(a)"],
    "float": ["(x: T) float(x)", "() float()", "(a: Array(T, 0)) float(a)"],
    "complex": ["(x: T) complex(x)", "() complex()", "(x: T, y: T) complex(x, y)", "(x: T) complex(1, x)"],
    "time": ["() time() > 1e9"],
    "array.append": ["(xs: List(T), y: T) xs.append(y); xs", "(xs: List(T)) xs.append(1); xs"],
    "append": ["(xs: List(T), y: T) append(xs, y); xs"],
    "np.mgrid": ["() np.mgrid[0:3, 1:4]", "() np.mgrid[0:3]", "() np.mgrid[0:1:5j]", "() np.mgrid[0:3:2, 0.5:2]", "(n: int) np.mgrid[0:n, 0:2]"],
    "np.ogrid": ["() np.ogrid[0:3, 1:4]", "() np.ogrid[0:3]", "(n: int) np.ogrid[0:n, 0:2]"],
    "np.r_": ["(a: Array(T, 1)) np.r_[a, a]", "(a: Array(T, 1)) np.r_[0, a]", "(a: Array(T, 1)) np.r_[a, 0.5]", "() np.r_[1:4, 0, 4]", "(a: Array(T, 1)) np.r_[0:2, a]", "(x: T) np.r_[x, 1]"],
    "np.c_": ["(a: Array(T, 1)) np.c_[a, a]", "(a: Array(T, 2)) np.c_[a, a]", "(a: Array(T, 1)) np.c_[a, a * 0.5]"],
    "np.ndindex": ["() [i for i in np.ndindex(3)]", "() [i + 10 * j for i, j in np.ndindex(2, 3)]", "() [(i, j) for i, j in np.ndindex((2, 3))]", "(a: Array(T, 2)) [(i, j) for i, j in np.ndindex(a.shape)]"],
    "np.ndenumerate": ["(a: Array(T, 2)) [x for i, x in np.ndenumerate(a)]", "(a: Array(T, 2)) [(i, j, x) for (i, j), x in np.ndenumerate(a)]"],
    "array.flat": ["(a: Array(T, 2)) [x for x in a.flat]", "(a: Array(T, 1)) [x for x in a.flat]", "(a: Array(T, 0)) [x for x in a.flat]"],
    "array.shape": ["(a: Array(T, 0)) a.shape", "(a: Array(T, 1)) a.shape", "(a: Array(T, 3)) a.shape", "(a: Array(T, 2)) a.shape[1]", "(x: T) x.shape"],
    "array.dtype": ["(a: Array(T, 1), b: Array(float32, 1)) a.dtype == b.dtype", "(a: Array(T, 1)) np.zeros(2, a.dtype)", "(x: T) np.zeros(2, x.dtype)", "(a: Array(T, 1)) a.dtype.kind == 'f'", "(a: Array(T, 1)) a.dtype.itemsize"],
    "sparse.dtype": ["(A: csr_matrix(T)) np.zeros(2, A.dtype)", "(A: csc_array(T)) A.dtype == np.float32"],
    "np.issubdtype": ["(a: Array(T, 1)) np.issubdtype(a.dtype, np.integer)", "(a: Array(T, 1)) np.issubdtype(a.dtype, np.floating)", "(a: Array(T, 1)) np.issubdtype(a.dtype, np.unsignedinteger), np.issubdtype(a.dtype, np.inexact)", "(a: Array(T, 1)) np.issubdtype(a.dtype, np.float32), np.issubdtype(a.dtype, int), np.issubdtype(a.dtype, bool)"],
    "np.result_type": ["(a: Array(T, 1)) np.zeros(2, np.result_type(a, 1.5))", "(a: Array(T, 1), x: float32) np.zeros(2, np.result_type(a, x))", "(a: Array(T, 1), b: Array(int16, 1)) np.zeros(2, np.result_type(a, b))"],
    "np.finfo": ["() np.finfo(np.float32).eps", "() np.finfo(np.float64).max", "() np.finfo(float).tiny", "() np.finfo(np.float32).min", "() np.finfo(np.float64).resolution",
                 "(a: Array(float32, 1)) np.finfo(a.dtype).max", "() np.finfo(np.float32).bits", "() np.finfo(np.float64).smallest_subnormal", "() np.finfo(np.complex64).eps", "() np.finfo(int).eps"],
    "np.iinfo": ["() np.iinfo(np.int8).max", "() np.iinfo(np.uint64).max", "() np.iinfo(np.int64).min", "() np.iinfo(np.int32).bits", "(a: Array(uint16, 1)) np.iinfo(a.dtype).max", "() np.iinfo(float).max"],
    "array.bit_length": ["(x: T) x.bit_length()"],
    "array.bit_count": ["(x: T) x.bit_count()"],
    "array.item": ["(a: Array(T, 0)) a.item()", "(a: Array(T, 1)) a[:1].item()", "(a: Array(T, 1)) a.item()", "(x: T) x.item()", "(a: Array(T, 1)) a.item(1)"],
    "array.tolist": ["(a: Array(T, 1)) a.tolist()", "(a: Array(T, 2)) a.tolist()", "(a: Array(T, 0)) a.tolist()", "(x: T) x.tolist()"],
    "np.block": ["(a: Array(T, 2), b: Array(T, 2)) np.block([[a, b], [b, a]])", "(a: Array(T, 1), b: Array(T, 1)) np.block([a, b])", "(a: Array(T, 2)) np.block([[a], [a]])"],
    "hextoi": ["() hextoi('ff')", "() hextoi('-0x1F')", "() hextoi('7fffffffffffffff')", "() hextoi('')", "() hextoi('g')"],
    "ord": ["() ord('-')", "() ord('\u00e9')", "() ord('\\n')", "() ord('')", "() ord('ab')"],
    "stoi": ["() stoi('12')", "() stoi(' -7 ')", "() stoi('1_000')", "() stoi('1.5')", "() stoi('x')"],
    "strtol": ["() strtol('101', 2)", "() strtol('z', 36)", "() strtol('0x1f', 0)", "() strtol('+77', 8)", "() strtol('9', 8)"],
    "scipy.spatial.distance.squareform": [
        "(a: Array(T, 1)) scipy.spatial.distance.squareform(a[:3])", "(a: Array(T, 1)) scipy.spatial.distance.squareform(a)",
        "(a: Array(T, 1)) m = scipy.spatial.distance.squareform(a[:3]); scipy.spatial.distance.squareform(m)",
        "(a: Array(T, 2)) scipy.spatial.distance.squareform(a[:3, :3], checks=False)",
        "(a: Array(T, 2)) scipy.spatial.distance.squareform(a[:3, :3])", "(a: Array(T, 2)) scipy.spatial.distance.squareform(a)",
        "(a: Array(T, 1)) scipy.spatial.distance.squareform(a[:3], force='tomatrix')",
        "(a: Array(T, 2)) scipy.spatial.distance.squareform(a[:3, :3], force='tovector', checks=False)",
        "(a: Array(T, 1)) scipy.spatial.distance.squareform(a[:3], force='tovector')"],
    "csr_to_spm": ["(a: Array(T, 1)) csr_to_spm(a[:2], np.array([0, 1]), np.array([0, 1, 2]), 3)"],
    "spm_to_csr": ["(A: csr_matrix(T)) v = np.zeros(A.nnz, A.dtype); c = np.zeros(A.nnz, np.int32); i = np.zeros(A.shape[0] + 1, np.int32); n = spm_to_csr(A, v, c, i); (v, c, i, n)"],
    "empty_spm": ["() empty_spm(3, 4)", "() empty_spm(2, 2, float32())"],
    "arr_to_spm": ["(a: Array(T, 2)) arr_to_spm(a)"],
    "sparse_diags": ["(a: Array(T, 1)) sparse_diags(a)"],
    "spm_diags": ["(a: Array(T, 1)) spm_diags(a)"],
    "spm_mask": ["(A: csr_matrix(T)) spm_mask(A, np.array([True, False, True]))"],
    "spm_set_item": ["(A: csr_matrix(T)) B = A.copy(); spm_set_item(B, 3, 0, 1); B", "(A: csr_matrix(T)) B = A.copy(); spm_set_item(B, 3, 9, 1); B"],
    "spm_set_item_unsafe": ["(A: csr_matrix(T)) B = A.copy(); spm_set_item_unsafe(B, 3, 2, 1); B"],
    "nnz": ["(A: csr_matrix(T)) nnz(A)"],
    "getval": ["(A: csr_matrix(T)) getval(A, 0, 1)", "(A: csr_matrix(T)) getval(A, 0, 9)"],
    "getcol": ["(A: csr_matrix(T)) getcol(A, 0, 1)", "(A: csr_matrix(T)) getcol(A, 0, 9)"],
    "getnnz": ["(A: csr_matrix(T)) getnnz(A, 0)", "(A: csr_matrix(T)) getnnz(A, 9)"],
    "spm_add": ["(A: csr_matrix(T), B: csr_matrix(T)) spm_add(A, B)"],
    "spm_mul": ["(A: csr_matrix(T), B: csr_matrix(T)) spm_mul(A, B)"],
    "spmm": ["(A: csr_matrix(T), B: csr_matrix(T)) spmm(A, B.T)"],
    "spmv": ["(A: csr_matrix(T)) spmv(A, np.ones(4))"],
    "spmm_dense": ["(A: csr_matrix(T), B: csr_matrix(T)) spmm_dense(A, B.T)"],
    "multiply": ["(A: csr_matrix(T), B: csr_matrix(T)) multiply(A, B)", "(A: csr_matrix(T), x: T) multiply(A, x)"],
    "tocsr": ["(A: csr_matrix(T)) tocsr(A)", "(A: csc_matrix(T)) tocsr(A)"],
    "tocsc": ["(A: csr_matrix(T)) tocsc(A)"],
    "sparse.nonzero_elements": ["(A: csr_matrix(T)) [(i, j, v) for i, j, v in A.nonzero_elements()] ~ [(int(i), int(j), A[i, j]) for i, j in zip(*A.nonzero())]"],
    "sparse.dot": ["(A: csr_matrix(T), B: csr_matrix(T)) A.dot(B.T)", "(A: csr_array(T)) A.dot(np.ones(4))", "(A: csr_matrix(T), b: Array(T, 2)) A.dot(b.T)"],
    "sparse.matmul": [], "sparse.matmult": [], "sparse.add": [], "sparse.sub": [], "sparse.subtract": [], "sparse.mul": [],
    "sparse.negative": [], "sparse.minus": [], "sparse.abs": [], "sparse.ndim": [], "sparse.shape": ["(A: csr_matrix(T)) A.shape", "(A: csc_array(T)) A.shape[1]"],
    "sparse.setdiag": ["(A: csr_matrix(T)) B = A.copy(); B.setdiag(3); B", "(A: csr_matrix(T)) B = A.copy(); B.setdiag([1, 2, 3]); B", "(A: csr_matrix(T)) B = A.copy(); B.setdiag(3, k=1); B", "(A: csr_matrix(T)) B = A.copy(); B.setdiag(3, k=9); B"],
    "sparse.eliminate_zeros": ["(A: csr_matrix(T)) B = A.copy(); B.eliminate_zeros(); B"],
    "sparse.sort_indices": ["(A: csr_matrix(T)) B = A.copy(); B.sort_indices(); B"],
    "sparse.sum_duplicates": ["(A: csr_matrix(T)) B = A.copy(); B.sum_duplicates(); B"],
    "sparse.getrow": ["(A: csr_matrix(T)) A.getrow(1)", "(A: csr_matrix(T)) A.getrow(-1)", "(A: csr_matrix(T)) A.getrow(9)"],
    "sparse.getcol": ["(A: csr_matrix(T)) A.getcol(1)", "(A: csr_matrix(T)) A.getcol(-1)", "(A: csr_matrix(T)) A.getcol(9)"],
    "sparse.power": ["(A: csr_matrix(T)) A.power(2)", "(A: csr_matrix(T)) A.power(3)", "(A: csr_matrix(T)) A.power(0.5)"],
    "sparse.max": ["(A: csr_matrix(T)) A.max()", "(A: csc_array(T)) A.max()", "(A: csr_matrix(T)) A.max(axis=0).tocsr()", "(A: csr_matrix(T)) A.max(1).toarray()", "(A: csc_matrix(T)) A.max(axis=-1).tocsr()", "(A: csr_matrix(T)) A.max(axis=2)"],
    "sparse.min": ["(A: csr_matrix(T)) A.min()", "(A: csc_array(T)) A.min()", "(A: csr_matrix(T)) A.min(axis=0).tocsr()", "(A: csr_matrix(T)) A.min(1).toarray()", "(A: csc_matrix(T)) A.min(axis=-2).tocsr()", "(A: csr_matrix(T)) A.min(axis=2)"],
    "sparse.count_nonzero": ["(A: csr_matrix(T)) A.count_nonzero()", "(A: csc_array(T)) A.count_nonzero()", "(A: csr_matrix(T)) A.count_nonzero(axis=0)", "(A: csc_matrix(T)) A.count_nonzero(axis=1)", "(A: csr_array(T)) A.count_nonzero(-2)"],
    "sparse.diagonal": ["(A: csr_matrix(T)) A.diagonal()", "(A: csr_matrix(T)) A.diagonal(k=1)", "(A: csr_matrix(T)) A.diagonal(-9)", "(A: csc_array(T)) A.diagonal(-1)"],
    "sparse.multiply": ["(A: csr_matrix(T), B: csr_matrix(T)) A.multiply(B)", "(A: csr_matrix(T)) A.multiply(2)", "(A: csr_array(T), b: Array(T, 2)) A.multiply(b).tocsr()", "(A: csr_matrix(T), x: float) A.multiply(x)"],
    "scipy.sparse.eye": ["() scipy.sparse.eye(3, format='csr')", "() scipy.sparse.eye(3, 4, k=1, format='csr')", "() scipy.sparse.eye(3, dtype=np.float32, format='csc')", "(n: int) scipy.sparse.eye(n, format='csr')"],
    "scipy.sparse.eye_array": ["() scipy.sparse.eye_array(3, format='csr')", "() scipy.sparse.eye_array(3, 4, k=1, format='csr')"],
    "scipy.sparse.identity": ["() scipy.sparse.identity(3, format='csr')", "() scipy.sparse.identity(3, dtype=np.int32, format='csr')"],
    "scipy.sparse.diags": ["(a: Array(T, 1)) scipy.sparse.diags([a, a[1:]], [0, 1], format='csr')", "() scipy.sparse.diags([1, -2, 1], [-1, 0, 1], shape=(4, 4), format='csr')", "(a: Array(T, 1)) scipy.sparse.diags(a, format='csr')"],
    "scipy.sparse.diags_array": ["(a: Array(T, 1)) scipy.sparse.diags_array([a, a[1:]], offsets=[0, 1], format='csr')", "() scipy.sparse.diags_array([1, -2, 1], offsets=[-1, 0, 1], shape=(4, 4), format='csr')"],
    "scipy.sparse.kron": ["(A: csr_matrix(T), B: csr_matrix(T)) scipy.sparse.kron(A, B, format='csr')"],
    "scipy.sparse.vstack": ["(A: csr_matrix(T), B: csr_matrix(T)) scipy.sparse.vstack([A, B], format='csr')", "(A: csr_matrix(T), B: csr_matrix(float32)) scipy.sparse.vstack((A, B)).tocsr()"],
    "scipy.sparse.hstack": ["(A: csr_matrix(T), B: csr_matrix(T)) scipy.sparse.hstack([A, B], format='csr')", "(A: csr_matrix(T), B: csr_matrix(float32)) scipy.sparse.hstack((A, B)).tocsr()"],
    # Functions that call a function.
    "np.apply_along_axis": [
        "(a: Array(T, 2)) np.apply_along_axis(np.sum, 0, a)", "(a: Array(T, 2)) np.apply_along_axis(np.sort, 1, a)", "(a: Array(T, 3)) np.apply_along_axis(np.max, -2, a)",
        "(a: Array(T, 3)) np.apply_along_axis(np.cumsum, 1, a)", "(a: Array(T, 2)) np.apply_along_axis(lambda v: v[::-1], 0, a)", "(a: Array(T, 2)) np.apply_along_axis(lambda v: v[:1] * 2, 0, a)",
        "(a: Array(T, 2)) np.apply_along_axis(lambda v: np.outer(v, v), 1, a)", "(a: Array(T, 2)) np.apply_along_axis(lambda v: 1, 1, a)", "(a: Array(T, 2)) np.apply_along_axis(lambda v: 0.5, 1, a)",
        "(a: Array(T, 2)) np.apply_along_axis(lambda v: v[0] == v[1], 1, a)", "(a: Array(T, 2)) np.apply_along_axis(lambda v: [v[0], v[1]], 0, a)", "(a: Array(T, 1)) np.apply_along_axis(np.sum, 0, a)",
        "(a: Array(T, 1)) np.apply_along_axis(np.sort, 0, a)", "(a: Array(T, 2)) np.apply_along_axis(np.sum, 2, a)", "(a: Array(T, 0)) np.apply_along_axis(np.sum, 0, a)", "(x: T) np.apply_along_axis(np.sum, 0, x)",
        "(xs: List(T)) np.apply_along_axis(np.sum, 0, xs)", "(a: Array(T, 2)) np.apply_along_axis(np.median, 1, a)", "(a: Array(T, 2)) np.apply_along_axis(np.percentile, 1, a, 50)", "(a: Array(T, 2), x: T) np.apply_along_axis(lambda v, y: v == y, 1, a, x)",
        "(a: Array(T, 2)) np.apply_along_axis(np.unique, 0, a)", "(a: Array(T, 2)) np.apply_along_axis(np.mean, 0, a, keepdims=True)"],
    "np.fromfunction": [
        "() np.fromfunction(lambda i, j: i + 10 * j, (2, 3))", "(n: int) np.fromfunction(lambda i, j: i == j, (3, 3), dtype=int)", "() np.fromfunction(lambda i: 1, (4,))", "() np.fromfunction(np.add, (2, 3), dtype=np.float32)",
        "() np.fromfunction(lambda i, j, k: i * j - k, (2, 3, 2), dtype=np.int8)", "() np.fromfunction(lambda i: i, (0,))", "(x: T) np.fromfunction(lambda i, j: i * x, (2, 3))"],
    "np.piecewise": [
        "(a: Array(T, 1)) np.piecewise(a, [a == 1, a != a], [2, 3])", "(a: Array(T, 1)) np.piecewise(a, [a == a[0]], [lambda v: v[::-1], 1])", "(a: Array(T, 2)) np.piecewise(a, [a == a], [lambda v: v * v])",
        "(a: Array(T, 1)) np.piecewise(a, a == 0, [1, lambda v: v])", "(a: Array(T, 1)) np.piecewise(a, [a != a[0]], [2.5])", "(a: Array(T, 1)) np.piecewise(a, [a != a[0]], [lambda v: v * 0.5])", "(a: Array(T, 0)) np.piecewise(a, [a == a], [lambda v: v * v])",
        "(x: T) np.piecewise(x, [x == x], [1, 0])", "(xs: List(T)) np.piecewise(xs, [True, False], [1, 0])", "(a: Array(T, 1)) np.piecewise(a, [a == 1, a == 2], [1])", "(a: Array(T, 2)) np.piecewise(a, [a[:, 0] == a[:, 0]], [lambda v: v + v])",
        "(a: Array(T, 1)) np.piecewise(a, [a], [1, 0])", "(a: Array(T, 1), x: T) np.piecewise(a, [a == x], [lambda v, y: v + y, lambda v, y: y], x)"],
    # Heaps.
    "heapq.heappush": ["(xs: List(T), y: T) heapq.heapify(xs); heapq.heappush(xs, y); xs"],
    "heapq.heappop": ["(xs: List(T)) heapq.heapify(xs); x = heapq.heappop(xs); (x, len(xs))"],
    "heapq.heapify": ["(xs: List(T)) heapq.heapify(xs); xs"],
    "heapq.heapreplace": ["(xs: List(T), y: T) heapq.heapify(xs); x = heapq.heapreplace(xs, y); (x, xs)"],
    "heapq.heappushpop": ["(xs: List(T), y: T) heapq.heapify(xs); x = heapq.heappushpop(xs, y); (x, xs)"],
    "heapq.nlargest": ["(xs: List(T)) heapq.nlargest(3, xs)", "(xs: List(T)) heapq.nlargest(9, xs)", "(xs: List(T), n: int) heapq.nlargest(n, xs, key=lambda x: -x)", "(a: Array(T, 1)) heapq.nlargest(2, a)"],
    "heapq.nsmallest": ["(xs: List(T)) heapq.nsmallest(3, xs)", "(xs: List(T), n: int) heapq.nsmallest(n, xs)", "(a: Array(T, 1)) heapq.nsmallest(2, a)"],
    "heappush": ["(x: T) h = heapinit_empty(); heappush(h, x, 1); heappush(h, x, 0); h"],
    "heappop": ["(x: T) h = heapinit(x, 2); heappush(h, x, 1); heappop(h)"],
    "heappop1": ["(x: T) h = heapinit(x, 2); heappush(h, x, 1); heappop1(h); h"],
    "heapinit_empty": ["() h = heapinit_empty(); heappush(h, 1, 2); heapsize(h)"],
    "heapinit": ["(x: T) heapinit(x, 2)"],
    "heappeek": ["(x: T) h = heapinit(x, 2); heappush(h, x, 1); heappeek(h)"],
    "heapsize": ["(x: T) heapsize(heapinit(x, 2))"],
    "heap_get_key": ["(x: T) heap_get_key(heapinit(x, 2), 0)", "(x: T) heap_get_key(heapinit(x, 2), 3)"],
    # Sorted lists.
    **{f"bisect.{name}": [f"(xs: List(T), y: T) xs.sort(); bisect.{name}(xs, y)", f"(a: Array(T, 1), y: T) bisect.{name}(np.sort(a), y)", f"(xs: List(T), y: T) bisect.{name}(xs, y, 1, 3)", f"(xs: List(T), y: T) bisect.{name}(xs, y, lo=-1)"]
       for name in ("bisect_left", "bisect_right", "bisect")},
    **{f"bisect.{name}": [f"(xs: List(T), y: T) xs.sort(); bisect.{name}(xs, y); xs"] for name in ("insort_left", "insort_right", "insort")},
    # Iterators and operators.
    "itertools.product": ["(xs: List(T), n: int) [(x, i) for x, i in itertools.product(xs, range(n))]", "(a: Array(T, 1)) list(itertools.product(a, repeat=2))", "(xs: List(T)) list(itertools.product(xs, (1, 2), xs))"],
    "itertools.combinations": ["(xs: List(T)) list(itertools.combinations(xs, 2))", "(a: Array(T, 1)) [x for x, y, z in itertools.combinations(a, 3)]", "(n: int) list(itertools.combinations(range(n), 1))"],
    "itertools.combinations_with_replacement": ["(xs: List(T)) list(itertools.combinations_with_replacement(xs, 2))", "(a: Array(T, 1)) [x for x, y in itertools.combinations_with_replacement(a, r=2)]"],
    "itertools.permutations": ["(xs: List(T)) list(itertools.permutations(xs, 2))", "(a: Array(T, 1)) [y for x, y, z in itertools.permutations(a, 3)]"],
    "itertools.accumulate": ["(xs: List(float)) list(itertools.accumulate(xs))", "(a: Array(T, 1)) [x for x in itertools.accumulate(a, lambda x, y: y)]", "(xs: List(T), y: T) list(itertools.accumulate(xs, operator.add, initial=y))"],
    "itertools.chain": ["(xs: List(T), a: Array(T, 1)) [x for x in itertools.chain(xs, a)]", "(xs: List(T)) list(itertools.chain(xs, (), xs))", "(n: int) list(itertools.chain(range(n), [n], range(3)))"],
    "itertools.chain.from_iterable": ["(xs: List(T)) list(itertools.chain.from_iterable([xs, xs]))", "(a: Array(T, 2)) list(itertools.chain.from_iterable(a))"],
    "itertools.pairwise": ["(xs: List(T)) list(itertools.pairwise(xs))", "(a: Array(T, 1)) [y for x, y in itertools.pairwise(a)]", "(n: int) list(itertools.pairwise(range(n)))"],
    "itertools.islice": ["(xs: List(T), n: int) list(itertools.islice(xs, n))", "(a: Array(T, 1), n: int) list(itertools.islice(a, 1, None, n))", "(xs: List(T), n: int, m: int) list(itertools.islice(xs, n, m))"],
    "itertools.count": ["(xs: List(T), n: int) list(zip(xs, itertools.count(n)))", "(xs: List(T), n: int) list(zip(itertools.count(n, -2), xs))"],
    "itertools.repeat": ["(x: T, n: int) list(itertools.repeat(x, n % 7))", "(xs: List(T), y: T) list(zip(xs, itertools.repeat(y)))"],
    "functools.reduce": ["(xs: List(T)) functools.reduce(lambda x, y: x, xs)", "(a: Array(T, 1)) functools.reduce(lambda x, y: y, a)", "(xs: List(T), y: T) functools.reduce(operator.add, xs, y)"],
    "operator.itemgetter": ["(xs: List(T)) sorted(list(enumerate(xs)), key=operator.itemgetter(0), reverse=True)", "(xs: List(int)) max(list(enumerate(xs)), key=operator.itemgetter(1, 0))"],
    **{f"operator.{name}": [f"(a: Array(T, 1), b: Array(T, 1)) operator.{name}(a, b)", f"(x: int, y: int) operator.{name}(x, y)", f"(x: float, y: float) operator.{name}(x, y)"]
       for name in "add sub mul truediv floordiv mod eq ne lt le gt ge".split()},
    **{f"operator.{name}": [f"(a: Array(T, 1), b: Array(T, 1)) operator.{name}(a, b)", f"(x: int) operator.{name}(x, 3)"] for name in "and_ or_ xor lshift rshift".split()},
    "operator.pow": ["(a: Array(T, 1)) operator.pow(a, 2)", "(x: float) operator.pow(x, 2)"],
    "operator.matmul": ["(a: Array(T, 2), b: Array(T, 2)) operator.matmul(a, b)"],
    "operator.neg": ["(a: Array(T, 1)) operator.neg(a)", "(x: int) operator.neg(x)", "(x: float) operator.neg(x)"],
    "operator.not_": ["(x: int) operator.not_(x)", "(x: float) operator.not_(x)"],
    **{f"time.{name}": [f"() time.{name}() > 0.0"] for name in ("time", "perf_counter", "monotonic")},
    # Python's `random`.
    "random.seed": ["(n: int) random.seed(n); random.random()", "(x: float) random.seed(x); random.random()"],
    "random.random": ["() random.seed(7); (random.random(), random.random())"],
    "random.getrandbits": ["(n: int) random.seed(7); (random.getrandbits(n % 64), random.getrandbits(33))"],
    "random.randint": ["(x: int, y: int) random.seed(7); random.randint(x, y)", "(n: int, x: int16) random.seed(7); random.randint(n, x)", "(x: uint8, n: int) random.seed(7); random.randint(x, n)"],
    "random.randrange": ["(x: T) random.seed(7); random.randrange(x)", "(x: int, y: int32) random.seed(7); random.randrange(x, y)", "(n: int, m: int, k: int) random.seed(7); random.randrange(n, m, k)", "(n: int, m: int) random.seed(7); random.randrange(n, stop=m, step=-3)"],
    "random.choice": ["(xs: List(T)) random.seed(7); random.choice(xs)", "(a: Array(T, 1)) random.seed(7); random.choice(a)", "(n: int) random.seed(7); random.choice(range(n))", "(x: T, y: T) random.seed(7); random.choice((x, y, x))"],
    "random.shuffle": ["(xs: List(T)) random.seed(7); random.shuffle(xs); xs", "(a: Array(T, 1)) random.seed(7); b = a.copy(); random.shuffle(b); b"],
    "random.sample": ["(xs: List(T)) random.seed(7); random.sample(xs, 2)", "(n: int) random.seed(7); random.sample(range(300), n)", "(x: T, y: T) random.seed(7); random.sample((x, y, x), k=2)"],
    "random.choices": ["(xs: List(T)) random.seed(7); random.choices(xs, k=5)", "(a: Array(T, 1)) random.seed(7); random.choices(a)", "(xs: List(T)) random.seed(7); random.choices([1, 2, 3], xs, k=5)", "(xs: List(T)) random.seed(7); random.choices(range(len(xs)), weights=xs)", "(xs: List(T)) random.seed(7); random.choices(xs, cum_weights=[i + 1 for i in range(len(xs))], k=3)"],
    **{f"random.{name}": [f"(x: T, y: T) random.seed(7); random.{name}(x, y)", f"(x: int) random.seed(7); random.{name}(2, x)", f"(x: float) random.seed(7); random.{name}(x, 0.5)"]
       for name in "uniform gauss normalvariate lognormvariate".split()},
    "random.weibullvariate": ["(x: T) random.seed(7); random.weibullvariate(x, 2)"],
    **{f"random.{name}": [f"(x: T) random.seed(7); random.{name}(x)"] for name in "expovariate paretovariate".split()},
    **{f"random.{name}": [f"(n: int) random.seed(7); random.{name}(n % 5, 2.5)", f"(n: int) random.seed(7); random.{name}(0.5, n % 5)"] for name in "gammavariate betavariate vonmisesvariate".split()},
    "random.triangular": ["() random.seed(7); random.triangular()", "(x: T, y: T) random.seed(7); random.triangular(x, y)", "(x: float, y: float) random.seed(7); random.triangular(x, y, x)", "(x: float, y: float) random.seed(7); random.triangular(high=x, mode=y)"],
    # Dicts, sets and their like.
    "dict": ["(d: Dict(int, T)) dict(d)", "(xs: List(int), ys: List(T)) dict(zip(xs, ys))", "(d: Dict(T, int)) dict(d)"],
    "set": ["(xs: List(T)) len(set(xs))", "(a: Array(T, 1)) len(set(a))", "(n: int) set(range(n))", "(s: Set(int)) set(s)"],
    "collections.defaultdict": ["(xs: List(int)) d = collections.defaultdict(int); d[xs[0]] += 2; dict(d)", "(x: T) d = collections.defaultdict(float); d[x] += 2; dict(d)"],
    "collections.Counter": ["(xs: List(int)) dict(collections.Counter(xs))", "(a: Array(T, 1)) len(collections.Counter(a))", "(xs: List(int)) collections.Counter(xs)[99]"],
    "collections.deque": ["(xs: List(T)) list(collections.deque(xs))", "(xs: List(T)) q = collections.deque(xs); q.appendleft(q.pop()); list(q)"],
    "dict.keys": ["(d: Dict(int, T)) [k for k in d.keys()]"],
    "dict.values": ["(d: Dict(int, T)) [k for k in d.values()]", "(d: Dict(int, T)) sum(d.values())"],
    "dict.items": ["(d: Dict(int, T)) [(k, v) for k, v in d.items()]"],
    "dict.get": ["(d: Dict(int, T), k: int, x: T) d.get(k, x)", "(d: Dict(int, T), k: int) d.get(k, 0)"],
    "dict.setdefault": ["(d: Dict(int, T), k: int, x: T) y = d.setdefault(k, x); (y, d)"],
    "dict.pop": ["(d: Dict(int, T), k: int) x = d.pop(k); (x, d)", "(d: Dict(int, T), k: int, x: T) y = d.pop(k, x); (y, d)"],
    "dict.popitem": ["(d: Dict(int, T)) x = d.popitem(); (x, d)"],
    "dict.update": ["(d: Dict(int, T), e: Dict(int, T)) d.update(e); d"],
    "dict.most_common": ["(xs: List(int)) collections.Counter(xs).most_common()", "(xs: List(int)) collections.Counter(xs).most_common(2)"],
    "dict.total": ["(xs: List(int)) collections.Counter(xs).total()"],
    "dict.clear": ["(d: Dict(int, T)) d.clear(); d"],
    "dict.copy": ["(d: Dict(int, T)) e = d.copy(); e[99] = d.get(0, 1); (d, e)"],
    "set.add": ["(s: Set(int), x: int) s.add(x); s", "(s: Set(T), x: T) s.add(x); len(s)"],
    "set.remove": ["(s: Set(int), x: int) s.remove(x); s"],
    "set.discard": ["(s: Set(int), x: int) s.discard(x); s"],
    "set.pop": ["(x: int) s = {x}; s.pop()"],
    "set.update": ["(s: Set(int), r: Set(int)) s.update(r); s", "(s: Set(int), xs: List(int)) s.update(xs); s"],
    "set.clear": ["(s: Set(int)) s.clear(); s"],
    "set.copy": ["(s: Set(int)) r = s.copy(); r.add(77); (s, r)"],
    **{f"set.{name}": [f"(s: Set(int), r: Set(int)) s.{name}(r); s"] for name in
       ("intersection_update", "difference_update", "symmetric_difference_update")},
    **{f"set.{name}": [f"(s: Set(int), r: Set(int)) s.{name}(r)"] for name in
       ("union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint")},
}  # fmt: skip

_PART = re.compile(r"(\w+): (\w+)(?:\(([\w, ]+)\))?(?:, |$)")


def parse_body(make, function, body, dtype):
    """The kernel of a text, for an element type."""
    inner, rest = body[1:].split(") ", 1) if body.startswith("() ") else _split(body)
    args, rank = [], 1
    for name, kind, of in _PART.findall(inner):
        of = [part.strip() for part in of.split(",")] if of else []
        element = lambda text: None if text == "T" else text  # noqa: E731
        main = "main" if not args else "same"
        if kind == "Array":
            args.append((name, Arg("array", main, element(of[0]), int(of[1]))))
            rank = int(of[1])
        elif kind == "List":
            args.append((name, Arg("list", main, element(of[0]))))
        elif kind in ("Dict", "Set"):
            args.append((name, Arg(kind.lower(), main, ",".join("" if part == "T" else part for part in of))))
        elif kind.startswith("cs"):
            args.append((name, Arg(kind, main, element(of[0]))))
        else:
            args.append((name, Arg("number", main, element(kind))))
    *setup, call = rest.split("; ")
    if dtype not in DTYPES and any(arg.kind not in ("number", "list") for _, arg in args):
        return
    call, _, means = call.partition(" ~ ")
    kernel = make(function, call, tuple(args), dtype, rank, setup="; ".join(setup), means=means)
    if call.startswith("print("):
        kernel.statement = True
    yield kernel


def _split(body):
    """Parameters and the rest: up to the parenthesis that closes the first one."""
    depth = 0
    for i, char in enumerate(body):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth == 0:
            return body[1:i], body[i + 2 :]
    raise ValueError(body)
