//! Matrix products, `np.linalg` (functions of `frontend/src/prelude/linalg.pydd`, `solving.pydd` and `factorizations.pydd`), and the
//! library's operations on whole arrays.

use super::{Algebra, Entry, Param, ParamKind, Space, axis, entry, fixed, flag, int, opt, req, written};
use crate::op::LibOp;
use crate::routine::Routine;

const A: &[Param] = &[req("a")];
const AB: &[Param] = &[req("a"), req("b")];
const AB_OUT: &[Param] = &[req("a"), req("b"), opt("out")];
const SORT: &[Param] = &[req("a"), fixed(int("axis", -1)), opt("kind")];
const TRACE: &[Param] = &[req("a"), int("offset", 0), fixed(int("axis1", 0)), fixed(int("axis2", 1))];
const ORD: Param = Param { kind: ParamKind::Choice, ..opt("ord") };
const NORM: &[Param] = &[req("x"), ORD, axis(), flag("keepdims", false)];
const TENSORDOT: &[Param] =
    &[req("a"), req("b"), fixed(Param { kind: ParamKind::Display, ..int("axes", 2) })];
const CHOLESKY: &[Param] = &[req("a"), flag("upper", false)];
const QR: &[Param] = &[req("a"), opt("mode")];
const SVD: &[Param] = &[req("a"), flag("full_matrices", true), flag("compute_uv", true)];
const EIGH: &[Param] = &[req("a"), opt("UPLO")];
const LSTSQ: &[Param] = &[req("a"), req("b"), opt("rcond")];
const RANK: &[Param] = &[req("A"), opt("tol"), flag("hermitian", false), opt("rtol")];
const PINV: &[Param] = &[req("a"), opt("rcond"), opt("rtol")];
const COND: &[Param] = &[req("x"), fixed(opt("p"))];
const MULTI: &[Param] = &[Param { kind: ParamKind::Display, ..req("arrays") }];
const POWER: &[Param] = &[req("a"), Param { kind: ParamKind::Choice, ..req("n") }];
const INTO: &[Param] = &[req("a"), req("out")];
const SOLVE_INTO: &[Param] = &[req("a"), req("b"), req("x")];
const TWO_INTO: &[Param] = &[req("a"), req("first"), req("second")];
const THREE_INTO: &[Param] = &[req("a"), req("first"), req("second"), req("third")];

const fn product(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, "linalg", function, doc)
}

const fn make(
    params: &'static [Param],
    function: &'static str,
    names: &'static [&'static str],
    doc: &'static str,
) -> Entry {
    written(params, "factorizations", function, doc).linalg(names)
}

const fn solving(
    params: &'static [Param],
    function: &'static str,
    names: &'static [&'static str],
    doc: &'static str,
) -> Entry {
    written(params, "solving", function, doc).linalg(names)
}

const fn into(params: &'static [Param], routine: Routine, names: &'static [&'static str]) -> Entry {
    entry(params, Algebra::Opaque(LibOp::Routine(routine)), "Writes its last arrays.").internal(names)
}

pub(super) const ENTRIES: &[Entry] = &[
    entry(AB_OUT, Algebra::Contraction, "Matrix product; of two vectors their inner product.")
        .np(&["matmul"])
        .linalg(&["matmul"])
        .bare(&["matmult"]),
    written(AB, "intrepydd", "innerprod", "Inner product of two vectors.").bare(&["innerprod"]),
    product(AB, "dot", "Sum of products over the last axis of a and the last but one of b.")
        .np(&["dot"])
        .method(&["dot"]),
    product(AB, "vdot", "Inner product of all elements, those of the first conjugated.").np(&["vdot"]),
    product(AB, "inner", "Sum of products over the last axes.").np(&["inner"]),
    product(AB, "outer", "All products of two vectors.").np(&["outer"]).bare(&["outer"]),
    product(
        TENSORDOT,
        "tensordot",
        "Sum of products over the last axes of a and the first of b, as many as `axes`.",
    )
    .np(&["tensordot"]),
    product(TRACE, "trace", "Sum of a diagonal of two axes.").np(&["trace"]).method(&["trace"]),
    product(NORM, "norm", "Norm of a vector or matrix, or of those along `axis`.").linalg(&["norm"]),
    solving(AB, "solve", &["solve"], "The x with a @ x = b; LinAlgError where a is singular."),
    solving(A, "inv", &["inv"], "The inverse; LinAlgError where a is singular."),
    solving(A, "det", &["det"], "The determinant."),
    solving(A, "slogdet", &["slogdet"], "The determinant's sign and the logarithm of its absolute value."),
    solving(
        CHOLESKY,
        "cholesky",
        &["cholesky"],
        "The triangular factor of a positive definite matrix; LinAlgError for others.",
    ),
    make(QR, "qr", &["qr"], "Orthogonal and triangular factor: reduced, complete, or r alone.").bare(&["qr"]),
    make(SVD, "svd", &["svd"], "Singular value decomposition: u, s, vh, or s alone.").bare(&["svd"]),
    make(A, "svdvals", &["svdvals"], "Singular values in descending order."),
    make(EIGH, "eigh", &["eigh"], "Eigenvalues, ascending, and eigenvectors of a Hermitian matrix."),
    make(EIGH, "eigvalsh", &["eigvalsh"], "Eigenvalues of a Hermitian matrix, ascending."),
    make(A, "eig", &["eig"], "Eigenvalues and eigenvectors of a complex matrix.").bare(&["eig"]),
    make(A, "eigvals", &["eigvals"], "Eigenvalues of a complex matrix."),
    make(
        LSTSQ,
        "lstsq",
        &["lstsq"],
        "Least squares: solution, sums of squared residuals, rank, singular values.",
    ),
    make(RANK, "matrix_rank", &["matrix_rank"], "The number of singular values that are not small."),
    make(PINV, "pinv", &["pinv"], "The pseudo-inverse."),
    make(COND, "cond", &["cond"], "The condition number."),
    make(MULTI, "multi_dot", &["multi_dot"], "The product of several matrices."),
    make(POWER, "matrix_power", &["matrix_power"], "A square matrix to an integer power."),
    into(SOLVE_INTO, Routine::Solve, &["solve_into"]),
    into(INTO, Routine::Slogdet, &["slogdet_into"]),
    into(INTO, Routine::Cholesky, &["cholesky_into"]),
    into(TWO_INTO, Routine::Qr, &["qr_into"]),
    into(THREE_INTO, Routine::Svd, &["svd_into"]),
    into(TWO_INTO, Routine::Eigh, &["eigh_into"]),
    into(TWO_INTO, Routine::Eig, &["eig_into"]),
    entry(
        SORT,
        Algebra::Opaque(LibOp::Sort),
        "A sorted copy along an axis; NaN last. None: of all elements.",
    )
    .np(&["sort"]),
    entry(&[], Algebra::Opaque(LibOp::Time), "Seconds since 1970.")
        .bare(&["time"])
        .within(Space::Time, &["time", "perf_counter", "monotonic"]),
];
