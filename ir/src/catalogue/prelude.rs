//! Functions written in the language; their text stands in `frontend/src/prelude/`.

use super::{Algebra, Entry, Param, axis, dtype, entry, fixed, flag, int, opt, req};

const A: &[Param] = &[req("a")];
const AB: &[Param] = &[req("a"), req("b")];
const X: &[Param] = &[req("x")];
const OVER: &[Param] = &[req("a"), axis(), dtype(), opt("out"), flag("keepdims", false)];
const RANGE: &[Param] = &[req("a"), axis(), opt("out"), flag("keepdims", false)];
const COUNT: &[Param] = &[req("a"), axis(), flag("keepdims", false)];
const RUNNING: &[Param] = &[req("a"), axis(), dtype()];
const SPREAD: &[Param] = &[req("a"), axis(), dtype(), opt("out"), int("ddof", 0), flag("keepdims", false)];
const CLIP: &[Param] = &[req("a"), opt("a_min"), opt("a_max")];
const LINSPACE: &[Param] = &[req("start"), req("stop"), int("num", 50), flag("endpoint", true)];
const EYE: &[Param] = &[req("N"), opt("M"), int("k", 0), dtype()];
const TRI: &[Param] = &[req("m"), int("k", 0)];
const CLOSE: &[Param] = &[req("a"), req("b"), opt("rtol"), opt("atol")];
const LOG: &[Param] = &[req("x"), opt("base")];
const NORM: &[Param] = &[req("x"), fixed(opt("ord")), axis(), flag("keepdims", false)];

const fn make(
    params: &'static [Param],
    file: &'static str,
    function: &'static str,
    doc: &'static str,
) -> Entry {
    entry(params, Algebra::Prelude { file, function }, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    // Statistics.
    make(OVER, "stats", "mean", "Arithmetic mean over all elements or `axis`.")
        .np(&["mean"])
        .bare(&["mean"])
        .method(&["mean"]),
    make(SPREAD, "stats", "var", "Variance, by N - ddof.").np(&["var"]).method(&["var"]),
    make(SPREAD, "stats", "std", "Standard deviation, by N - ddof.").np(&["std"]).method(&["std"]),
    make(RANGE, "stats", "ptp", "Greatest less least element.").np(&["ptp"]),
    make(COUNT, "stats", "count_nonzero", "Number of elements that are not zero.").np(&["count_nonzero"]),
    make(RUNNING, "stats", "cumsum", "Running sums.").np(&["cumsum"]).method(&["cumsum"]),
    make(RUNNING, "stats", "cumprod", "Running products.").np(&["cumprod"]).method(&["cumprod"]),
    // Where elements are true.
    make(A, "indexing", "nonzero", "Indices of the elements that are not zero, an array for each axis.")
        .np(&["nonzero"])
        .method(&["nonzero"]),
    make(A, "indexing", "flatnonzero", "Indices of the elements that are not zero, all axes as one.")
        .np(&["flatnonzero"]),
    make(A, "indexing", "argwhere", "Indices of the elements that are not zero, a row for each.")
        .np(&["argwhere"]),
    // Elementwise functions made of others.
    make(CLIP, "elementwise", "clip", "Limited to a range; None for no limit.")
        .np(&["clip"])
        .method(&["clip"]),
    make(X, "elementwise", "square", "x * x.").np(&["square"]),
    make(X, "elementwise", "reciprocal", "1 / x.").np(&["reciprocal"]),
    make(X, "elementwise", "positive", "x itself.").np(&["positive"]),
    make(X, "elementwise", "deg2rad", "Degrees to radians.").np(&["deg2rad", "radians"]),
    make(X, "elementwise", "rad2deg", "Radians to degrees.").np(&["rad2deg", "degrees"]),
    make(X, "elementwise", "math_radians", "Degrees to radians.").math(&["radians"]),
    make(X, "elementwise", "math_degrees", "Radians to degrees.").math(&["degrees"]),
    make(AB, "elementwise", "heaviside", "0 below 0, 1 above, the second argument at 0.").np(&["heaviside"]),
    make(CLOSE, "elementwise", "isclose", "Whether equal within a tolerance.").np(&["isclose"]),
    make(CLOSE, "elementwise", "allclose", "Whether all are equal within a tolerance.").np(&["allclose"]),
    make(AB, "elementwise", "array_equal", "Whether shapes and elements are equal.").np(&["array_equal"]),
    make(LOG, "scalar", "math_log", "Logarithm, natural or to a base.").math(&["log"]),
    make(AB, "scalar", "gcd", "Greatest common divisor.").math(&["gcd"]),
    make(AB, "scalar", "lcm", "Least common multiple.").math(&["lcm"]),
    make(X, "scalar", "factorial", "x!; ValueError for negative numbers.").math(&["factorial"]),
    make(X, "scalar", "isqrt", "Integer part of the square root; ValueError for negative numbers.")
        .math(&["isqrt"]),
    make(AB, "scalar", "comb", "Number of ways to choose.").math(&["comb"]),
    // Creation.
    make(LINSPACE, "creation", "linspace", "num evenly spaced numbers from start to stop.").np(&["linspace"]),
    make(EYE, "creation", "eye", "Ones on a diagonal, zeros elsewhere.").np(&["eye"]).bare(&["eye"]),
    make(&[req("n"), dtype()], "creation", "identity", "The identity matrix.").np(&["identity"]),
    make(TRI, "creation", "tril", "The lower triangle.").np(&["tril"]).bare(&["tril"]),
    make(TRI, "creation", "triu", "The upper triangle.").np(&["triu"]).bare(&["triu"]),
    make(
        &[req("v"), int("k", 0)],
        "creation",
        "diag",
        "A diagonal: taken from a matrix, or a matrix made of it.",
    )
    .np(&["diag"])
    .bare(&["diag"]),
    // Shapes.
    make(A, "shape", "flipud", "Rows in reverse order; a view.").np(&["flipud"]),
    make(A, "shape", "fliplr", "Columns in reverse order; a view.").np(&["fliplr"]),
    make(&[req("a"), axis()], "shape", "flip", "Elements in reverse order; a view.").np(&["flip"]),
    make(&[req("a"), req("shift"), axis()], "shape", "roll", "Elements moved round.").np(&["roll"]),
    make(
        &[req("a"), fixed(int("n", 1)), fixed(int("axis", -1))],
        "shape",
        "diff",
        "Differences of neighbours.",
    )
    .np(&["diff"]),
    // Linear algebra.
    make(AB, "linalg", "outer", "All products of two vectors.").np(&["outer"]).bare(&["outer"]),
    make(AB, "linalg", "inner", "Inner product of vectors.").np(&["inner", "vdot"]),
    make(A, "linalg", "trace", "Sum of the diagonal.").np(&["trace"]).method(&["trace"]),
    make(NORM, "linalg", "norm", "Euclidean length of a vector, Frobenius norm of a matrix.")
        .linalg(&["norm"]),
    // Intrepydd.
    make(AB, "intrepydd", "get_row", "A row of a matrix; a view.").bare(&["get_row", "get_row_ptr"]),
    make(AB, "intrepydd", "get_col", "A column of a matrix; a view.").bare(&["get_col"]),
    make(
        &[req("condition"), req("size")],
        "intrepydd",
        "where1",
        "Where the first elements are true, as int32.",
    )
    .bare(&["where1"]),
    make(
        CLOSE,
        "intrepydd",
        "allclose",
        "Whether all of a are within b, a number, of zero; else as `np.allclose`.",
    )
    .bare(&["allclose"]),
    make(LOG, "intrepydd", "log", "Logarithm, natural or to a base.").bare(&["log"]),
    make(&[req("a"), req("i"), req("v")], "intrepydd", "set_row", "Sets a row.").bare(&["set_row"]),
    make(&[req("a"), req("i"), req("v")], "intrepydd", "set_col", "Sets a column.").bare(&["set_col"]),
    make(&[req("a"), req("rows")], "intrepydd", "sum_rows", "The sum of the rows with these numbers.")
        .bare(&["sum_rows"]),
    make(AB, "intrepydd", "plus_eq", "a += b, in place.").bare(&["plus_eq"]),
    make(AB, "intrepydd", "minus_eq", "a -= b, in place.").bare(&["minus_eq"]),
    make(AB, "intrepydd", "power", "Power, as `**`.").bare(&["power"]),
];
