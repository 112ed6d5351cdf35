//! Functions of `scipy.sparse` that make matrices, and methods that take matrices apart or change their structure;
//! written in the language, in `frontend/src/prelude/sparse_make.pydd`.

use super::{Algebra, Builtin, Entry, Param, ParamKind, dtype, entry, flag, int, opt, req, written};

const CONTENTS: Param = Param { kind: ParamKind::Contents, ..req("arg1") };
const SHAPE: Param = Param { kind: ParamKind::Display, ..opt("shape") };
const OF: &[Param] = &[CONTENTS, SHAPE, dtype(), flag("copy", false)];
const EYE: &[Param] = &[req("m"), opt("n"), int("k", 0), dtype(), opt("format")];
const DIAGS: &[Param] = &[
    Param { kind: ParamKind::Display, ..req("diagonals") },
    Param { kind: ParamKind::Display, ..int("offsets", 0) },
    SHAPE,
    opt("format"),
    dtype(),
];
const STACK: &[Param] = &[Param { kind: ParamKind::Display, ..req("blocks") }, opt("format"), dtype()];
const KRON: &[Param] = &[req("A"), req("B"), opt("format")];
const A: &[Param] = &[req("A")];

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, "sparse_make", function, doc)
}

const fn change(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    entry(params, Algebra::Builtin(Builtin::Restructure(function)), doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(
        OF,
        "csr_matrix",
        "A matrix in compressed rows: of an array, of a matrix, of `(data, (rows, columns))` with duplicates added up, \
         of `(data, indices, indptr)`, or of a shape.",
    )
    .scipy_sparse(&["csr_matrix"]),
    make(OF, "csr_array", "As `csr_matrix`, a sparse array.").scipy_sparse(&["csr_array"]),
    make(OF, "csc_matrix", "As `csr_matrix`, in compressed columns.").scipy_sparse(&["csc_matrix"]),
    make(OF, "csc_array", "As `csc_matrix`, a sparse array.").scipy_sparse(&["csc_array"]),
    make(OF, "coo_matrix", "As `csr_matrix`, to compute with or for `.tocsr()`.").scipy_sparse(&["coo_matrix"]),
    make(OF, "coo_array", "As `coo_matrix`, a sparse array.").scipy_sparse(&["coo_array"]),
    make(EYE, "eye", "Ones on a diagonal; `format` is 'csr' or 'csc' where the result is returned.")
        .scipy_sparse(&["eye"]),
    make(EYE, "eye_array", "As `eye`, a sparse array.").scipy_sparse(&["eye_array"]),
    make(&[req("n"), dtype(), opt("format")], "identity", "Ones on the diagonal of a square matrix.")
        .scipy_sparse(&["identity"]),
    make(DIAGS, "diags", "A matrix of diagonals at offsets; a diagonal of one element is stretched.")
        .scipy_sparse(&["diags"]),
    make(DIAGS, "diags_array", "As `diags`, a sparse array.").scipy_sparse(&["diags_array"]),
    make(KRON, "kron", "Kronecker product of two matrices.").scipy_sparse(&["kron"]),
    make(STACK, "vstack", "Matrices one below the other.").scipy_sparse(&["vstack"]),
    make(STACK, "hstack", "Matrices side by side.").scipy_sparse(&["hstack"]),
    // Parts.
    make(&[req("A"), req("i")], "getrow", "A row as a matrix of one row.").sparse(&["getrow"]),
    make(&[req("A"), req("j")], "getcol", "A column as a matrix of one column.").sparse(&["getcol"]),
    make(A, "nonzero", "Row and column of each entry that is not zero.").sparse(&["nonzero"]),
    // Changed structure.
    change(A, "without_zeros", "Takes entries out that are zero.").sparse(&["eliminate_zeros"]),
    change(A, "with_sorted_indices", "Puts the entries of each row in order.").sparse(&["sort_indices"]),
    change(A, "with_sums", "Adds up entries of one element.").sparse(&["sum_duplicates"]),
    change(&[req("A"), req("values"), int("k", 0)], "with_diagonal", "Sets a diagonal: to a number, or a vector's elements.")
        .sparse(&["setdiag"]),
];
