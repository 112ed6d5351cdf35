//! SciPy's modules, apart from `scipy.special` and `scipy.sparse`; functions of the prelude.

use super::{Entry, Param, ParamKind, Space, axis, fixed, flag, int, opt, req, rest, written};

const A: &[Param] = &[req("a")];
const AB: &[Param] = &[req("a"), req("b")];
const LAST: Param = fixed(int("axis", -1));
const MODE: Param = opt("mode");
const CVAL: Param = int("cval", 0);
const NORM: &[Param] =
    &[req("a"), Param { kind: ParamKind::Choice, ..opt("ord") }, axis(), flag("keepdims", false)];
const LOWER: Param = flag("lower", false);
const FACTORS: Param = Param { kind: ParamKind::Display, ..req("lu_and_piv") };
const TRIANGLE: Param = Param { kind: ParamKind::Display, ..req("c_and_lower") };
const TRANS: Param = fixed(int("trans", 0));
const FILTER: &[Param] = &[req("b"), req("a"), req("x"), LAST, opt("zi")];
const TWO: &[Param] = &[req("in1"), req("in2"), MODE, opt("boundary"), int("fillvalue", 0)];
const WEIGHTED: &[Param] = &[req("input"), req("weights"), MODE, CVAL];
const WEIGHTED_1D: &[Param] = &[req("input"), req("weights"), LAST, MODE, CVAL];
const ORDER: Param = fixed(int("order", 0));
const TRUNCATE: Param = int("truncate", 4);
const GAUSSIAN: &[Param] = &[req("input"), SIGMA, ORDER, MODE, CVAL, TRUNCATE, opt("radius")];
const GAUSSIAN_1D: &[Param] = &[req("input"), req("sigma"), LAST, ORDER, MODE, CVAL, TRUNCATE, opt("radius")];
const SIGMA: Param = Param { kind: ParamKind::Display, ..req("sigma") };
const SIZE: Param = Param { kind: ParamKind::Display, ..req("size") };
const SIZED: &[Param] = &[req("input"), SIZE, MODE, CVAL];
const SIZED_3: &[Param] = &[req("input"), Param { kind: ParamKind::Display, ..int("size", 3) }, MODE, CVAL];
const SIZED_1D: &[Param] = &[req("input"), req("size"), LAST, MODE, CVAL];
const METRIC: Param = opt("metric");
const SAMPLES: &[Param] = &[req("y"), opt("x"), int("dx", 1), LAST];

const fn linalg(params: &'static [Param], name: &'static [&'static str; 1], doc: &'static str) -> Entry {
    written(params, "scipy_linalg", name[0], doc).within(Space::SciPyLinalg, name)
}

const fn signal(params: &'static [Param], name: &'static [&'static str; 1], doc: &'static str) -> Entry {
    written(params, "signal", name[0], doc).within(Space::Signal, name)
}

const fn image(params: &'static [Param], name: &'static [&'static str; 1], doc: &'static str) -> Entry {
    written(params, "ndimage", name[0], doc).within(Space::NdImage, name)
}

const fn distance(params: &'static [Param], name: &'static [&'static str; 1], doc: &'static str) -> Entry {
    written(params, "distance", name[0], doc).within(Space::Distance, name)
}

const fn graph(params: &'static [Param], name: &'static [&'static str; 1], doc: &'static str) -> Entry {
    written(params, "sparse_graph", name[0], doc).within(Space::CsGraph, name)
}

pub(super) const ENTRIES: &[Entry] = &[
    linalg(AB, &["solve"], "The x with a @ x = b; LinAlgError where a is singular."),
    linalg(A, &["inv"], "The inverse; LinAlgError where a is singular."),
    linalg(A, &["det"], "The determinant, in double precision."),
    linalg(NORM, &["norm"], "Norm of a vector or matrix, or of those along `axis`."),
    linalg(&[req("a"), LOWER], &["cholesky"], "The triangular factor, the upper one unless `lower`."),
    linalg(&[req("A")], &["expm"], "The exponential of a matrix, or of each of a stack."),
    linalg(A, &["lu_factor"], "Both factors of a in one matrix, and the rows exchanged with each."),
    linalg(&[FACTORS, req("b"), TRANS], &["lu_solve"], "Solves with what `lu_factor` gives."),
    linalg(
        &[req("a"), flag("permute_l", false), flag("overwrite_a", false), flag("check_finite", true), flag("p_indices", false)],
        &["lu"],
        "Permutation, lower and upper factor: a = p @ l @ u.",
    ),
    linalg(&[req("a"), LOWER], &["cho_factor"], "A triangular factor in a copy of a, and which one it is."),
    linalg(&[TRIANGLE, req("b")], &["cho_solve"], "Solves with what `cho_factor` gives."),
    linalg(
        &[req("a"), req("b"), TRANS, LOWER, flag("unit_diagonal", false)],
        &["solve_triangular"],
        "Solves with a triangle of a; LinAlgError for a zero on its diagonal.",
    ),
    linalg(&[req("c"), opt("r")], &["toeplitz"], "A matrix with constant diagonals, from its first column and row."),
    linalg(&[req("c")], &["circulant"], "A matrix whose columns are a vector moved round."),
    linalg(&[req("c"), opt("r")], &["hankel"], "A matrix with constant anti-diagonals."),
    linalg(&[rest("arrs")], &["block_diag"], "Matrices along the diagonal of a larger one."),
    signal(FILTER, &["lfilter"], "A rational filter along an axis; with `zi` its state as well."),
    signal(TWO, &["convolve2d"], "Convolution of two matrices: full, valid or same."),
    signal(TWO, &["correlate2d"], "Correlation of two matrices: full, valid or same."),
    signal(&[req("in1"), req("in2"), MODE], &["fftconvolve"], "Convolution of two vectors by Fourier transforms."),
    signal(&[req("data"), LAST, opt("type")], &["detrend"], "Less the mean, or a straight line, along an axis."),
    signal(&[req("volume"), Param { kind: ParamKind::Display, ..opt("kernel_size") }], &["medfilt"], "Median of each element's neighbourhood."),
    image(WEIGHTED, &["correlate"], "Weighted sums of each element's neighbours."),
    image(WEIGHTED, &["convolve"], "As `correlate`, with the weights reversed."),
    image(WEIGHTED_1D, &["correlate1d"], "Weighted sums along an axis."),
    image(WEIGHTED_1D, &["convolve1d"], "As `correlate1d`, with the weights reversed."),
    image(GAUSSIAN, &["gaussian_filter"], "Blurred by a Gaussian along all axes."),
    image(GAUSSIAN_1D, &["gaussian_filter1d"], "Blurred by a Gaussian along an axis."),
    image(SIZED_3, &["uniform_filter"], "Means of each element's neighbourhood."),
    image(SIZED_1D, &["uniform_filter1d"], "Means along an axis."),
    image(SIZED, &["minimum_filter"], "The least of each element's neighbourhood."),
    image(SIZED, &["maximum_filter"], "The greatest of each element's neighbourhood."),
    image(SIZED_1D, &["minimum_filter1d"], "The least along an axis."),
    image(SIZED_1D, &["maximum_filter1d"], "The greatest along an axis."),
    image(&[req("input"), opt("structure")], &["label"], "Numbers of connected parts, and how many there are."),
    distance(&[req("XA"), req("XB"), METRIC, opt("p")], &["cdist"], "Distances of the rows of two matrices."),
    distance(&[req("X"), METRIC, opt("p")], &["pdist"], "Distances of each two rows of a matrix, as a vector."),
    distance(
        &[req("X"), opt("force"), flag("checks", true)],
        &["squareform"],
        "A matrix of the distances in a vector, or the other way round.",
    ),
    written(SAMPLES, "integrate", "trapezoid", "Integral along an axis by the trapezoidal rule.")
        .within(Space::Integrate, &["trapezoid"]),
    written(
        &[req("y"), opt("x"), int("dx", 1), LAST, opt("initial")],
        "integrate",
        "cumulative_trapezoid",
        "Running integral along an axis by the trapezoidal rule.",
    )
    .within(Space::Integrate, &["cumulative_trapezoid"]),
    written(SAMPLES, "integrate", "simpson", "Integral along an axis by Simpson's rule.")
        .within(Space::Integrate, &["simpson"]),
    written(
        &[req("x"), Param { kind: ParamKind::Choice, ..opt("ord") }, opt("axis")],
        "sparse_linalg",
        "norm",
        "Norm of a sparse matrix: Frobenius's, or the greatest or least sum of a row or column.",
    )
    .within(Space::SparseLinalg, &["norm"]),
    written(
        &[req("A"), req("b"), opt("x0"), opt("rtol"), int("atol", 0), opt("maxiter")],
        "sparse_linalg",
        "cg",
        "Solves with a positive definite matrix by conjugate gradients; 0, or how many steps were not enough.",
    )
    .within(Space::SparseLinalg, &["cg"]),
    written(
        &[
            req("A"),
            req("b"),
            Param { kind: ParamKind::Choice, ..opt("permc_spec") },
            flag("use_umfpack", true),
        ],
        "sparse_linalg",
        "spsolve",
        "The x with A @ x = b, for a sparse A by its LU factors; NaN where A is singular.",
    )
    .within(Space::SparseLinalg, &["spsolve"]),
    graph(
        &[
            req("csgraph"),
            flag("directed", true),
            opt("indices"),
            flag("return_predecessors", false),
            flag("unweighted", false),
            opt("limit"),
        ],
        &["dijkstra"],
        "Lengths of shortest paths from each node, or from those at `indices`.",
    ),
    graph(
        &[req("csgraph"), flag("directed", true), opt("connection"), flag("return_labels", true)],
        &["connected_components"],
        "How many connected parts a graph has, and the part of each node.",
    ),
    graph(
        &[req("csgraph"), req("i_start"), flag("directed", true), flag("return_predecessors", true)],
        &["breadth_first_order"],
        "The nodes that are reached from one, the nearest ones first, and where each is reached from.",
    ),
];
