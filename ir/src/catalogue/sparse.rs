//! Sparse matrices. Their functions are written in the language, in `frontend/src/prelude/sparse*.pydd`; only what
//! they are made of is built in.

use super::{
    Algebra, Builtin, Default, Entry, Param, Space, SparseOperation, SparsePart, Test, axis, dtype, entry,
    int, req, rest,
};
use crate::op::{Exc, LibOp};
use crate::routine::Routine;

const A: &[Param] = &[req("A")];
const AB: &[Param] = &[req("A"), req("B")];
const CSR_TIMES: &[Param] = &[req("indptr"), req("indices"), req("data"), req("x"), req("y")];
const SPARSE_SOLVE: &[Param] = &[req("rows"), req("columns"), req("data"), req("b"), req("x")];
const OVER: &[Param] = &[req("A"), axis()];
const AT: &[Param] = &[req("A"), req("row"), req("k")];
const ITEM: &[Param] = &[req("A"), req("value"), req("row"), req("column")];

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    entry(params, Algebra::Prelude { file: "sparse", function }, doc)
}

const fn build(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    entry(params, Algebra::Prelude { file: "sparse_build", function }, doc)
}

const fn of_values(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    entry(params, Algebra::Prelude { file: "sparse_values", function }, doc)
}

const fn select(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    entry(params, Algebra::Prelude { file: "sparse_index", function }, doc)
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
        .sparse_attribute(&["indptr"])
        .shares(),
    part(SparsePart::Indices, "The column of each entry; shared.").sparse_attribute(&["indices"]).shares(),
    part(SparsePart::Data, "The value of each entry; shared.").sparse_attribute(&["data"]).shares(),
    part(SparsePart::Shape, "Rows and columns.").sparse_attribute(&["shape"]),
    part(SparsePart::Transposed, "The transposed matrix, which shares all arrays.")
        .sparse_attribute(&["T"])
        .sparse(&["transpose"])
        .shares(),
    built_in(A, Builtin::DType, "The element type of a sparse matrix.").sparse_attribute(&["dtype"]),
    make(A, "nnz", "Number of stored entries.").bare(&["nnz"]).sparse_attribute(&["nnz", "size"]),
    make(A, "ndim", "Number of axes of a sparse matrix: 2.").sparse_attribute(&["ndim"]).sparse(&["ndim"]),
    make(OVER, "shape", "Rows and columns, or one of them.").sparse(&["shape"]),
    // Products.
    make(AB, "matmul", "Matrix product, in which one operand or both are sparse.")
        .bare(&["spmm", "spmv"])
        .sparse(&["dot", "matmul", "matmult"]),
    // Elementwise.
    make(AB, "add", "Elementwise sum; with an array an array.").sparse(&["add"]),
    make(AB, "subtract", "Elementwise difference; with an array an array.").sparse(&["sub", "subtract"]),
    make(AB, "multiply", "Elementwise product, sparse also with an array.")
        .bare(&["multiply"])
        .sparse(&["multiply", "mul"])
        .makes(),
    make(AB, "maximum", "The greater of each two elements of sparse matrices.").sparse(&["maximum"]).makes(),
    make(AB, "minimum", "The smaller of each two elements of sparse matrices.").sparse(&["minimum"]).makes(),
    make(A, "negative", "The entries negated.").sparse(&["negative", "minus"]),
    make(A, "copy", "A new matrix with the same entries.").sparse(&["copy"]).makes(),
    make(
        &[req("A"), Param { default: Default::Required, ..dtype() }],
        "astype",
        "The entries in another type; a copy.",
    )
    .sparse(&["astype"]),
    // Reductions.
    make(OVER, "sum", "Sum of all entries, or along an axis.").sparse(&["sum"]),
    build(OVER, "mean", "Mean of all elements, or along an axis.").sparse(&["mean"]),
    of_values(
        OVER,
        "greatest",
        "The greatest element, or of each column or row; zeros that are not stored count.",
    )
    .sparse(&["max"]),
    of_values(OVER, "least", "The least element, or of each column or row; zeros that are not stored count.")
        .sparse(&["min"]),
    of_values(OVER, "argmax", "Where the greatest element is among all, or in each column or row.")
        .sparse(&["argmax"]),
    of_values(OVER, "argmin", "Where the least element is among all, or in each column or row.")
        .sparse(&["argmin"]),
    of_values(OVER, "count_nonzero", "How many elements are not zero, in all or along an axis.")
        .sparse(&["count_nonzero"]),
    of_values(OVER, "getnnz", "Number of stored entries, in all or along an axis.").sparse(&["getnnz"]),
    // Functions of entries.
    of_values(A, "sqrt", "The square roots of the entries.").sparse(&["sqrt"]),
    of_values(A, "sign", "The signs of the entries.").sparse(&["sign"]).makes(),
    of_values(A, "rint", "The entries rounded to integers, halves to even ones.").sparse(&["rint"]),
    of_values(A, "floor", "The entries rounded down.").sparse(&["floor"]),
    of_values(A, "ceil", "The entries rounded up.").sparse(&["ceil"]),
    of_values(A, "trunc", "The entries rounded towards zero.").sparse(&["trunc"]),
    of_values(A, "expm1", "`exp(x) - 1` of the entries.").sparse(&["expm1"]),
    of_values(A, "log1p", "`log(1 + x)` of the entries.").sparse(&["log1p"]),
    of_values(A, "sin", "The sines of the entries.").sparse(&["sin"]),
    of_values(A, "tan", "The tangents of the entries.").sparse(&["tan"]),
    of_values(A, "arcsin", "The inverse sines of the entries.").sparse(&["arcsin"]),
    of_values(A, "arctan", "The inverse tangents of the entries.").sparse(&["arctan"]),
    of_values(A, "sinh", "The hyperbolic sines of the entries.").sparse(&["sinh"]),
    of_values(A, "tanh", "The hyperbolic tangents of the entries.").sparse(&["tanh"]),
    of_values(A, "arcsinh", "The inverse hyperbolic sines of the entries.").sparse(&["arcsinh"]),
    of_values(A, "arctanh", "The inverse hyperbolic tangents of the entries.").sparse(&["arctanh"]),
    of_values(A, "deg2rad", "The entries from degrees to radians.").sparse(&["deg2rad"]),
    of_values(A, "rad2deg", "The entries from radians to degrees.").sparse(&["rad2deg"]),
    build(&[req("A"), req("n")], "power", "The entries to a power.").sparse(&["power"]).makes(),
    build(A, "absolute", "The absolute values of the entries.").sparse(&["abs"]).makes(),
    build(&[req("A"), int("k", 0)], "diagonal", "A diagonal as an array.").sparse(&["diagonal"]),
    // Made and filled.
    build(
        &[req("rows"), req("columns"), dtype()],
        "empty_spm",
        "A sparse matrix without entries, of float64 unless another type is given.",
    )
    .bare(&["empty_spm"])
    .makes(),
    build(
        &[req("values"), req("columns"), req("indexes"), req("count")],
        "csr_to_spm",
        "A sparse matrix of copies of its arrays, with so many columns.",
    )
    .bare(&["csr_to_spm"])
    .makes(),
    build(&[req("a")], "arr_to_spm", "The elements of an array that are not zero.")
        .bare(&["arr_to_spm"])
        .makes(),
    build(&[req("a")], "spm_diags", "A square matrix with this diagonal.")
        .bare(&["sparse_diags", "spm_diags"])
        .makes(),
    build(
        &[req("A"), req("values"), req("columns"), req("indexes")],
        "spm_to_csr",
        "Copies the arrays of a sparse matrix into arrays of their lengths; gives the number of columns.",
    )
    .bare(&["spm_to_csr"]),
    build(&[req("A"), req("mask")], "spm_mask", "The rows where the mask is true.").bare(&["spm_mask"]),
    built_in(
        ITEM,
        Builtin::SetItem { search: true },
        "Sets an element; one that is new is stored unless it is zero.",
    )
    .bare(&["spm_set_item"]),
    built_in(
        ITEM,
        Builtin::SetItem { search: false },
        "Stores another entry at the end of its row, whatever the row holds.",
    )
    .bare(&["spm_set_item_unsafe"]),
    // Entries by row and position.
    build(AT, "getval", "The value of an entry of a row.").bare(&["getval"]),
    build(AT, "getcol", "The column of an entry of a row.").bare(&["getcol"]),
    build(&[req("A"), req("row")], "getnnz", "How many entries a row has.").bare(&["getnnz"]),
    build(A, "nonzero_elements", "Row, column and value of each entry that is not zero.")
        .sparse(&["nonzero_elements"]),
    // Intrepydd's operations.
    build(AB, "spm_add", "Elementwise sum as a sparse matrix.").bare(&["spm_add"]),
    build(AB, "spm_mul", "Elementwise product as a sparse matrix.").bare(&["spm_mul"]),
    build(AB, "spmm_dense", "Matrix product as an array.").bare(&["spmm_dense"]),
    // Forms.
    make(A, "toarray", "A dense array.").sparse(&["toarray", "todense"]),
    make(A, "tocsr", "The same matrix in compressed rows.").bare(&["tocsr"]).sparse(&["tocsr"]).shares(),
    make(A, "tocsc", "The same matrix in compressed columns.").bare(&["tocsc"]).sparse(&["tocsc"]).shares(),
    // For the functions in the prelude.
    make(AB, "times_entries", "Elementwise product of matrices in compressed rows.")
        .internal(&["times_entries"]),
    make(
        &[req("A"), req("B"), Param { kind: super::ParamKind::Display, ..req("how") }],
        "combine",
        "Elementwise, by an operation of a number.",
    )
    .internal(&["combine"]),
    build(&[req("A"), req("greatest")], "extreme", "The least or greatest element.").internal(&["extreme"]),
    build(&[req("x"), req("y"), req("greatest")], "better", "The less or greater of two.")
        .internal(&["better"]),
    make(A, "is_canonical", "Whether the entries of each row are in order, and one for each element.")
        .internal(&["is_canonical"]),
    entry(
        AB,
        Algebra::Prelude { file: SparseOperation::FILE, function: SparseOperation::Product.function() },
        "Product of matrices in compressed rows.",
    )
    .internal(&["sparse_product"]),
    make(&[req("A"), req("data")], "with_data", "The same structure with other values.")
        .internal(&["with_data"]),
    make(A, "deduped", "With the entries of each row in order, and one for each element.")
        .internal(&["deduped"]),
    make(&[req("A"), req("i")], "begin_of", "Where a row begins, checked.").internal(&["begin_of"]),
    make(&[req("A"), req("i"), req("begin")], "end_of", "Where a row ends, checked.").internal(&["end_of"]),
    make(
        &[req("A"), req("k"), req("i"), req("count")],
        "index_of",
        "The index of an entry of a row, checked to be below a count.",
    )
    .internal(&["index_of"]),
    built_in(
        &[req("like"), req("indptr"), req("indices"), req("data"), req("rows"), req("columns")],
        Builtin::CsrOf,
        "A sparse matrix in compressed rows, of the kind of another.",
    )
    .internal(&["csr_of"]),
    select(&[req("A"), req("rows"), req("columns")], "selected", "Rows and columns as a new matrix.")
        .internal(&["selected"]),
    select(&[req("index"), req("count")], "position", "The position that an index from either end names.")
        .internal(&["position"]),
    entry(
        CSR_TIMES,
        Algebra::Opaque(LibOp::Routine(Routine::CsrTimes)),
        "Product of a large matrix, on threads.",
    )
    .internal(&["csr_times_into"]),
    entry(
        SPARSE_SOLVE,
        Algebra::Opaque(LibOp::Routine(Routine::SparseSolve)),
        "Solves with a sparse matrix, of whose entries the places are given.",
    )
    .internal(&["sparse_solve_into"]),
    built_in(A, Builtin::Is(Test::Sparse), "Whether it is a sparse matrix.").internal(&["is_sparse"]),
    built_in(A, Builtin::Is(Test::Csc), "Whether it is in compressed columns.").internal(&["is_csc"]),
    built_in(A, Builtin::Is(Test::SparseArray), "Whether it is a sparse array.")
        .internal(&["is_sparse_array"]),
    built_in(A, Builtin::Is(Test::OtherForm), "Whether it is in neither compressed rows nor columns.")
        .internal(&["is_other_form"]),
    built_in(
        A,
        Builtin::OtherForm { blocks: false },
        "A matrix whose entries are not to be seen in their order.",
    )
    .internal(&["other_form"]),
    built_in(
        A,
        Builtin::OtherForm { blocks: true },
        "The same where sums would store zeros within dense blocks.",
    )
    .internal(&["block_form"]),
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
    built_in(
        &[req("condition"), req("text"), rest("values")],
        Builtin::Require(Exc::LinAlgError),
        "Raises LinAlgError with a text unless the condition holds.",
    )
    .internal(&["require_linear"]),
];

/// Names that mean the same for all of SciPy's forms of a sparse matrix, whatever the order of its entries is.
const FOR_ANY_FORM: [&str; 18] = [
    "tocsr",
    "tocsc",
    "toarray",
    "todense",
    "dot",
    "matmul",
    "T",
    "transpose",
    "shape",
    "ndim",
    "dtype",
    "sum",
    "mean",
    "diagonal",
    "copy",
    "astype",
    "negative",
    "power",
];

/// Functions of NumPy that ask a sparse matrix for what its method of the same name gives. Others take a matrix for one object of
/// which an array is made, or are operators: `np.multiply` and `np.dot` are `*`.
const BY_METHOD: [&str; 31] = [
    "abs", "absolute", "add", "amax", "amin", "arcsin", "arcsinh", "arctan", "arctanh", "argmax", "argmin",
    "deg2rad", "expm1", "log1p", "max", "mean", "min", "ndim", "negative", "nonzero", "rad2deg", "rint",
    "shape", "sin", "sinh", "size", "sqrt", "subtract", "sum", "tan", "tanh",
];

/// Whether what a function of NumPy gives of sparse matrices is what their method gives: for `arrays` alone, or where
/// one operand is a number (`scaled`).
#[must_use]
pub fn is_by_method(name: &str, arrays: bool, scaled: bool) -> bool {
    match name {
        "multiply" => arrays || scaled,
        "power" => arrays,
        "transpose" => true,
        _ => BY_METHOD.contains(&name),
    }
}

/// Whether a function or attribute may be asked for of a matrix of any form.
#[must_use]
pub fn is_for_any_form(found: &super::Found) -> bool {
    found.space == Space::SciPySparse || FOR_ANY_FORM.contains(&found.name)
}

/// Whether what a function gives of a matrix that is in neither compressed rows nor columns is none either.
#[must_use]
pub fn keeps_form(found: &super::Found) -> bool {
    found.space != Space::SciPySparse && FOR_ANY_FORM[4..].contains(&found.name)
}
