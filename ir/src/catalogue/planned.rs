//! Names of the language's library that are not compiled yet, so that a program which uses one hears that
//! instead of "not defined".

/// Bare names, and names under `np.` and as methods.
pub(super) const PLANNED: &[&str] = &[
    "stride", "arraysub", "dsyrk", "syrk", "syr2k", "symm", "trmm", "lu", "ludcmp", "qr", "eig", "svd",
    "kron", "convolve", "compatibility_check", "numpy_random_rand", "randint", "hex", "hextoi",
    "stoi", "strtol", "empty_spm", "csr_to_spm", "arr_to_spm", "spm_to_csr", "spm_set_item",
    "spm_set_item_unsafe", "getval", "getnnz", "getcol", "nnz", "spm_add", "spm_mul", "spmm", "spmv",
    "spmm_dense", "sparse_diags", "spm_diags", "spm_mask", "tocsc", "tocsr", "heapinit_empty", "heapinit",
    "heappush", "heappop", "heappop1", "heappeek", "heapsize", "heap_get_key", "tri", "meshgrid", "mgrid",
    "indices", "fromfunction", "repeat", "tile", "vander", "moveaxis", "squeeze", "concatenate", "stack",
    "hstack", "vstack", "column_stack", "split", "rot90", "pad", "atleast_1d", "atleast_2d", "select",
    "nan_to_num", "angle", "median", "percentile", "average", "nansum", "nanmean", "nanmin", "nanmax",
    "argsort", "partition", "searchsorted", "unique", "nonzero", "flatnonzero", "argwhere", "bincount",
    "digitize", "histogram", "interp", "gradient", "correlate", "cov", "corrcoef", "trapezoid", "cross", "isin",
    "intersect1d", "union1d", "setdiff1d", "in1d", "tensordot", "einsum", "linalg", "fft", "random", "inv",
    "solve", "det", "slogdet", "cholesky", "eigh", "eigvals", "eigvalsh", "lstsq", "pinv", "matrix_power",
    "matrix_rank", "sorted", "filter", "map", "set", "dict", "list", "tuple", "frexp", "ldexp", "modf", "dist",
    "fsum", "perm", "remainder", "ulp",
];
