//! Sparse matrices. Their functions are written in the language, in `frontend/src/prelude/sparse*.pydd`; only what
//! they are made of is built in.

use super::{Algebra, Builtin, Entry, Param, SparsePart, Test, axis, dtype, entry, req, rest};
use crate::op::Exc;

const A: &[Param] = &[req("A")];
const AB: &[Param] = &[req("A"), req("B")];
const OVER: &[Param] = &[req("A"), axis()];

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    entry(params, Algebra::Prelude { file: "sparse", function }, doc)
}

const fn built_in(params: &'static [Param], builtin: Builtin, doc: &'static str) -> Entry {
    entry(params, Algebra::Builtin(builtin), doc)
}

const fn part(part: SparsePart, doc: &'static str) -> Entry {
    built_in(A, Builtin::SparsePart(part), doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    // What a matrix is made of.
    part(SparsePart::Indptr, "Where each row begins among the entries, and where the last one ends; shared.")
        .sparse_attribute(&["indptr"]),
    part(SparsePart::Indices, "The column of each entry; shared.").sparse_attribute(&["indices"]),
    part(SparsePart::Data, "The value of each entry; shared.").sparse_attribute(&["data"]),
    part(SparsePart::Shape, "Rows and columns.").sparse_attribute(&["shape"]),
    part(SparsePart::Transposed, "The transposed matrix, which shares all arrays.")
        .sparse_attribute(&["T"])
        .sparse(&["transpose"]),
    built_in(A, Builtin::DType, "The element type of a sparse matrix.").sparse_attribute(&["dtype"]),
    make(A, "nnz", "Number of stored entries.").bare(&["nnz"]).sparse_attribute(&["nnz", "size"]),
    make(A, "ndim", "Number of axes of a sparse matrix: 2.").sparse_attribute(&["ndim"]).sparse(&["ndim"]),
    make(OVER, "shape", "Rows and columns, or one of them.").sparse(&["shape"]),
    // Products.
    make(AB, "matmul", "Matrix product, in which one operand or both are sparse.")
        .bare(&["spmm", "spmv", "spmm_dense"])
        .sparse(&["dot", "matmul", "matmult"]),
    // Elementwise.
    make(AB, "add", "Elementwise sum; with an array an array.").sparse(&["add"]),
    make(AB, "subtract", "Elementwise difference; with an array an array.").sparse(&["sub", "subtract"]),
    make(AB, "multiply", "Elementwise product, sparse also with an array.").sparse(&["multiply", "mul"]),
    make(A, "negative", "The entries negated.").sparse(&["negative", "minus"]),
    make(A, "copy", "A new matrix with the same entries.").sparse(&["copy"]),
    make(&[req("A"), dtype()], "astype", "The entries in another type; a copy.").sparse(&["astype"]),
    // Reductions.
    make(OVER, "sum", "Sum of all entries, or along an axis.").sparse(&["sum"]),
    // Forms.
    make(A, "toarray", "A dense array.").sparse(&["toarray", "todense"]),
    make(A, "tocsr", "The same matrix in compressed rows.").bare(&["tocsr"]).sparse(&["tocsr"]),
    make(A, "tocsc", "The same matrix in compressed columns.").bare(&["tocsc"]).sparse(&["tocsc"]),
    // For the functions in the prelude.
    built_in(
        &[req("like"), req("indptr"), req("indices"), req("data"), req("rows"), req("columns")],
        Builtin::CsrOf,
        "A sparse matrix in compressed rows, of the kind of another.",
    )
    .internal(&["csr_of"]),
    built_in(A, Builtin::Is(Test::Sparse), "Whether it is a sparse matrix.").internal(&["is_sparse"]),
    built_in(A, Builtin::Is(Test::Csc), "Whether it is in compressed columns.").internal(&["is_csc"]),
    built_in(A, Builtin::Is(Test::SparseArray), "Whether it is a sparse array.")
        .internal(&["is_sparse_array"]),
    built_in(
        &[req("condition"), req("text"), rest("values")],
        Builtin::Require(Exc::ValueError),
        "Raises ValueError with a text unless the condition holds.",
    )
    .internal(&["require"]),
    built_in(
        &[req("condition"), req("text"), rest("values")],
        Builtin::Require(Exc::IndexError),
        "Raises IndexError with a text unless the condition holds.",
    )
    .internal(&["require_index"]),
];
