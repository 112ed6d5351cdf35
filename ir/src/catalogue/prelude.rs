//! Functions written in the language; their text stands in `frontend/src/prelude/`.

use super::{
    Default, Entry, Param, ParamKind, array, axis, display, dtype, fixed, flag, int, operand, opt, req, rest,
    written,
};

const A: &[Param] = &[req("a")];
const AB: &[Param] = &[req("a"), req("b")];
const IN_PLACE: &[Param] = &[array("a"), req("b")];
const X: &[Param] = &[req("x")];
/// Of functions that take each element by itself.
const EACH: &[Param] = &[operand("x")];
const OVER: &[Param] = &[req("a"), axis(), dtype(), opt("out"), flag("keepdims", false), opt("where")];
const RANGE: &[Param] = &[req("a"), axis(), opt("out"), flag("keepdims", false)];
const COUNT: &[Param] = &[req("a"), axis(), flag("keepdims", false)];
const RUNNING: &[Param] = &[req("a"), axis(), dtype(), opt("out")];
const SPREAD: &[Param] =
    &[req("a"), axis(), dtype(), opt("out"), int("ddof", 0), flag("keepdims", false), opt("where")];
const CLIP: &[Param] = &[operand("a"), opt("min"), opt("max"), opt("out")];
const NP_CLIP: &[Param] = &[
    operand("a"),
    Param { default: Default::LeftOut, ..opt("a_min") },
    Param { default: Default::LeftOut, ..opt("a_max") },
    opt("out"),
    Param { default: Default::LeftOut, ..opt("min") },
    Param { default: Default::LeftOut, ..opt("max") },
];
const LINSPACE: &[Param] = &[req("start"), req("stop"), int("num", 50), flag("endpoint", true), dtype()];
const EYE: &[Param] = &[req("N"), opt("M"), int("k", 0), dtype()];
const INDICES: &[Param] = &[display("dimensions"), dtype(), flag("sparse", false)];
const TRI: &[Param] = &[req("m"), int("k", 0)];
const CLOSE: &[Param] = &[req("a"), req("b"), opt("rtol"), opt("atol")];
const NP_CLOSE: &[Param] = &[operand("a"), operand("b"), opt("rtol"), opt("atol"), flag("equal_nan", false)];
const MATH_CLOSE: &[Param] = &[req("a"), req("b"), opt("rel_tol"), opt("abs_tol")];
const UPDATE: &[Param] = &[req("a"), int("alpha", 1), int("beta", 0), opt("c")];
const UPDATE_2: &[Param] = &[req("a"), req("b"), int("alpha", 1), int("beta", 0), opt("c")];
const LOG: &[Param] = &[req("x"), opt("base")];

pub(super) const ENTRIES: &[Entry] = &[
    // Statistics.
    written(OVER, "stats", "mean", "Arithmetic mean over all elements or `axis`.")
        .np(&["mean"])
        .bare(&["mean"])
        .method(&["mean"]),
    written(SPREAD, "stats", "var", "Variance, by N - ddof.").np(&["var"]).method(&["var"]),
    written(SPREAD, "stats", "std", "Standard deviation, by N - ddof.").np(&["std"]).method(&["std"]),
    written(RANGE, "stats", "ptp", "Greatest less least element.").np(&["ptp"]),
    written(COUNT, "stats", "count_nonzero", "Number of elements that are not zero.").np(&["count_nonzero"]),
    written(RUNNING, "stats", "cumsum", "Running sums.").np(&["cumsum"]).method(&["cumsum"]),
    written(RUNNING, "stats", "cumprod", "Running products.").np(&["cumprod"]).method(&["cumprod"]),
    // Where elements are true.
    written(A, "indexing", "nonzero", "Indices of the elements that are not zero, an array for each axis.")
        .np(&["nonzero"])
        .method(&["nonzero"]),
    written(A, "indexing", "flatnonzero", "Indices of the elements that are not zero, all axes as one.")
        .np(&["flatnonzero"]),
    written(A, "indexing", "argwhere", "Indices of the elements that are not zero, a row for each.")
        .np(&["argwhere"]),
    // Elementwise functions made of others.
    written(NP_CLIP, "elementwise", "clip_by_either_name", "Limited to a range; None for no limit.")
        .np(&["clip"]),
    written(CLIP, "elementwise", "clip", "Limited to a range; None for no limit.").method(&["clip"]),
    written(EACH, "elementwise", "square", "x * x.").np(&["square"]),
    written(EACH, "elementwise", "reciprocal", "1 / x.").np(&["reciprocal"]),
    written(EACH, "elementwise", "positive", "x itself.").np(&["positive"]),
    written(EACH, "elementwise", "deg2rad", "Degrees to radians.").np(&["deg2rad", "radians"]),
    written(EACH, "elementwise", "rad2deg", "Radians to degrees.").np(&["rad2deg", "degrees"]),
    written(X, "elementwise", "math_radians", "Degrees to radians.").math(&["radians"]),
    written(X, "elementwise", "math_degrees", "Radians to degrees.").math(&["degrees"]),
    written(
        &[operand("a"), operand("b")],
        "elementwise",
        "heaviside",
        "0 below 0, 1 above, the second argument at 0.",
    )
    .np(&["heaviside"]),
    written(NP_CLOSE, "elementwise", "isclose", "Whether equal within a tolerance.").np(&["isclose"]),
    written(NP_CLOSE, "elementwise", "allclose", "Whether all are equal within a tolerance.")
        .np(&["allclose"]),
    written(
        &[req("a1"), req("a2"), flag("equal_nan", false)],
        "elementwise",
        "array_equal",
        "Whether shapes and elements are equal.",
    )
    .np(&["array_equal"]),
    written(X, "elementwise", "iscomplexobj", "Whether the elements are complex numbers.")
        .np(&["iscomplexobj"]),
    written(X, "elementwise", "isrealobj", "Whether the elements are real numbers.").np(&["isrealobj"]),
    written(EACH, "elementwise", "iscomplex", "Whether the imaginary part is not 0.").np(&["iscomplex"]),
    written(EACH, "elementwise", "isreal", "Whether the imaginary part is 0.").np(&["isreal"]),
    written(EACH, "elementwise", "isneginf", "Whether -inf.").np(&["isneginf"]),
    written(EACH, "elementwise", "isposinf", "Whether +inf.").np(&["isposinf"]),
    written(LOG, "scalar", "math_log", "Logarithm, natural or to a base.").math(&["log"]),
    written(X, "scalar", "hash_of", "Python's hash of a number.").bare(&["hash"]),
    written(X, "scalar", "is_integer_number", "Whether a number is whole.").method(&["is_integer"]),
    written(AB, "scalar", "gcd", "Greatest common divisor.").math(&["gcd"]),
    written(AB, "scalar", "lcm", "Least common multiple.").math(&["lcm"]),
    written(X, "scalar", "factorial", "x!; ValueError for negative numbers.").math(&["factorial"]),
    written(X, "scalar", "isqrt", "Integer part of the square root; ValueError for negative numbers.")
        .math(&["isqrt"]),
    written(AB, "scalar", "comb", "Number of ways to choose.").math(&["comb"]),
    written(&[req("n"), opt("k")], "scalar", "perm", "Number of ways to choose in order.").math(&["perm"]),
    written(MATH_CLOSE, "scalar", "math_isclose", "Whether equal within a tolerance.").math(&["isclose"]),
    written(X, "scalar", "math_modf", "Fractional and whole part, both with the sign of x.").math(&["modf"]),
    written(X, "scalar", "frexp", "Mantissa, of 0.5 to 1, and exponent.").math(&["frexp"]),
    written(&[req("x"), req("i")], "scalar", "ldexp", "x * 2**i; infinite if that is too large.")
        .math(&["ldexp"]),
    written(
        &[req("x"), req("y")],
        "scalar",
        "remainder",
        "The difference of x and the nearest multiple of y; NaN for 0.",
    )
    .math(&["remainder"]),
    written(&[req("seq")], "scalar", "fsum", "The sum of floats, rounded once.").math(&["fsum"]),
    written(X, "scalar", "ulp", "The distance from |x| to the next number.").math(&["ulp"]),
    written(
        &[req("iterable"), int("start", 1)],
        "sequence",
        "product",
        "Product of a list's or vector's items, from a start.",
    )
    .math(&["prod"]),
    written(&[req("p"), req("q")], "sequence", "distance", "Euclidean distance of two points.")
        .math(&["dist"]),
    written(X, "scalar", "bit_length", "How many binary digits an integer has, its sign apart.")
        .method(&["bit_length"]),
    written(X, "scalar", "bit_count", "How many binary digits of an integer are 1, its sign apart.")
        .method(&["bit_count"]),
    // Creation.
    written(LINSPACE, "creation", "linspace", "num evenly spaced numbers from start to stop.")
        .np(&["linspace"]),
    written(EYE, "creation", "eye", "Ones on a diagonal, zeros elsewhere.").np(&["eye"]).bare(&["eye"]),
    written(INDICES, "creation", "indices", "The index of each element of a grid along each axis, the axes in front.")
        .np(&["indices"]),
    written(&[req("n"), dtype()], "creation", "identity", "The identity matrix.").np(&["identity"]),
    written(TRI, "creation", "tril", "The lower triangle.").np(&["tril"]).bare(&["tril"]),
    written(TRI, "creation", "triu", "The upper triangle.").np(&["triu"]).bare(&["triu"]),
    written(
        &[req("v"), int("k", 0)],
        "creation",
        "diag",
        "A diagonal: taken from a matrix, or a matrix made of it.",
    )
    .np(&["diag"])
    .bare(&["diag"]),
    // Shapes.
    written(A, "shape", "ascontiguousarray", "In row-major order without gaps; a copy where it has any.")
        .np(&["ascontiguousarray"]),
    written(A, "shape", "flipud", "Rows in reverse order; a view.").np(&["flipud"]),
    written(A, "shape", "fliplr", "Columns in reverse order; a view.").np(&["fliplr"]),
    written(&[req("a"), axis()], "shape", "flip", "Elements in reverse order; a view.").np(&["flip"]),
    written(
        &[req("a"), Param { kind: ParamKind::Display, ..req("shift") }, axis()],
        "shape",
        "roll",
        "Elements moved round, along one axis, several, or all as one.",
    )
    .np(&["roll"]),
    written(
        &[req("a"), fixed(int("n", 1)), fixed(int("axis", -1)), opt("prepend"), opt("append")],
        "shape",
        "diff",
        "Differences of neighbours.",
    )
    .np(&["diff"]),
    // Intrepydd.
    written(AB, "intrepydd", "get_row", "A row of a matrix; a view.").bare(&["get_row", "get_row_ptr"]),
    written(AB, "intrepydd", "get_col", "A column of a matrix; a view.").bare(&["get_col"]),
    written(
        &[req("condition"), req("size")],
        "intrepydd",
        "where1",
        "Where the first elements are true, as int32.",
    )
    .bare(&["where1"]),
    written(
        CLOSE,
        "intrepydd",
        "allclose",
        "Whether all of a are within b, a number, of zero; else as `np.allclose`.",
    )
    .bare(&["allclose"]),
    written(LOG, "intrepydd", "log", "Logarithm, natural or to a base.").bare(&["log"]),
    written(&[req("a"), req("i"), req("v")], "intrepydd", "set_row", "Sets a row.").bare(&["set_row"]),
    written(&[req("a"), req("i"), req("v")], "intrepydd", "set_col", "Sets a column.").bare(&["set_col"]),
    written(&[req("a"), req("rows")], "intrepydd", "sum_rows", "The sum of the rows with these numbers.")
        .bare(&["sum_rows"]),
    written(IN_PLACE, "intrepydd", "plus_eq", "a += b, in place.").bare(&["plus_eq"]),
    written(IN_PLACE, "intrepydd", "minus_eq", "a -= b, in place.").bare(&["minus_eq"]),
    written(AB, "intrepydd", "power", "Power, as `**`.").bare(&["power"]),
    written(&[req("a"), req("axis")], "intrepydd", "stride", "How many bytes neighbours along an axis are apart.")
        .bare(&["stride"]),
    written(&[req("a"), rest("index")], "intrepydd", "arraysub", "`a[index]`, by one integer or more.")
        .bare(&["arraysub"]),
    written(
        &[rest("arrays")],
        "intrepydd",
        "compatibility_check",
        "Whether the shapes of arrays can be stretched to one shape.",
    )
    .bare(&["compatibility_check"]),
    written(UPDATE, "intrepydd", "syrk", "alpha * a @ a.T + beta * c, both triangles.").bare(&["syrk"]),
    written(UPDATE, "intrepydd", "dsyrk", "`syrk` in double precision.").bare(&["dsyrk"]),
    written(UPDATE_2, "intrepydd", "syr2k", "alpha * (a @ b.T + b @ a.T) + beta * c, both triangles.")
        .bare(&["syr2k"]),
    written(
        &[req("a"), req("b"), int("alpha", 1), int("beta", 0), opt("c"), flag("lower", false)],
        "intrepydd",
        "symm",
        "alpha * s @ b + beta * c, s being symmetric and given by the upper or lower triangle of a.",
    )
    .bare(&["symm"]),
    written(
        &[req("a"), req("b"), int("alpha", 1), flag("lower", false)],
        "intrepydd",
        "trmm",
        "alpha * t @ b, t being the upper or lower triangle of a.",
    )
    .bare(&["trmm"]),
    written(A, "intrepydd", "lu", "l and u with l @ u = a, without exchanges of rows; LinAlgError for a pivot of 0.")
        .bare(&["lu"]),
    written(
        A,
        "intrepydd",
        "ludcmp",
        "Both factors in one matrix, the row that each row was exchanged with, and the sign of the permutation.",
    )
    .bare(&["ludcmp"]),
];
