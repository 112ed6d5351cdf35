"""The names of the language, for `from pydd import *`. A leaf module: it imports nothing."""

# As many axes as an array may have.
RANKED_ARRAYS = {f"Array{rank}": rank for rank in range(1, 17)}

TYPES = """
    int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128
    boolean double long I J F D
    Array List Dict Set Tuple Heap SparseMat SparseArray
""".split()

STATEMENTS = "prange finish spawn isolated".split()

# Those that Python has built in and that mean the same here (print, len, range, hex) are left alone.
FUNCTIONS = """
    append fill time zeros zeros_2d empty empty_2d empty_like arange copy numpy_random_rand randint
    get_row get_row_ptr get_col set_row set_col sum_rows plus_eq minus_eq shape stride arraysub
    sum prod min max argmin argmax any all allclose where where1
    abs minus isnan isinf elemwise_not sqrt exp log cos sin tan acos asin atan
    add sub mul div pow maximum minimum eq neq lt gt le ge
    logical_and logical_or logical_xor logical_not compatibility_check
    transpose innerprod matmult tril triu diag kron convolve hextoi stoi strtol
    syrk dsyrk syr2k symm trmm lu ludcmp qr eig svd
    empty_spm csr_to_spm arr_to_spm spm_to_csr spm_set_item spm_set_item_unsafe getval getnnz getcol nnz
    heapinit_empty heapinit heappush heappop heappop1 heappeek heapsize heap_get_key
    spm_add spm_mul multiply spmm spmv spmm_dense sparse_diags spm_diags spm_mask tocsc tocsr
""".split()

LANGUAGE_NAMES = (*TYPES, *RANKED_ARRAYS, *STATEMENTS, *FUNCTIONS)

# Names of Python that mean something else here: `from pydd import *` leaves them alone, so that a Python file keeps its own.
PYTHONS = "sum min max any all abs pow time".split()

EXPORTED_NAMES = tuple(name for name in LANGUAGE_NAMES if name not in PYTHONS)

# Libraries of which the language knows functions; what it lacks of them, the compiler says.
LIBRARIES = frozenset(
    "numpy scipy jaxtyping math cmath heapq bisect collections itertools operator functools random time".split()
)
