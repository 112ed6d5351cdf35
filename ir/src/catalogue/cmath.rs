//! `cmath`: functions of `frontend/src/prelude/cmath.pydd`. They give Python's complex numbers.

use super::{Entry, Param, opt, req, written};

const X: &[Param] = &[req("z")];
const CLOSE: &[Param] = &[req("a"), req("b"), opt("rel_tol"), opt("abs_tol")];

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, "cmath", function, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(X, "exp", "e to the power of z.").cmath(&["exp"]),
    make(&[req("z"), opt("base")], "log", "Logarithm, natural or to a base.").cmath(&["log"]),
    make(X, "sqrt", "Square root.").cmath(&["sqrt"]),
    make(X, "sin", "Sine.").cmath(&["sin"]),
    make(X, "cos", "Cosine.").cmath(&["cos"]),
    make(X, "tan", "Tangent.").cmath(&["tan"]),
    make(X, "sinh", "Hyperbolic sine.").cmath(&["sinh"]),
    make(X, "cosh", "Hyperbolic cosine.").cmath(&["cosh"]),
    make(X, "tanh", "Hyperbolic tangent.").cmath(&["tanh"]),
    make(X, "asin", "Inverse sine.").cmath(&["asin"]),
    make(X, "acos", "Inverse cosine.").cmath(&["acos"]),
    make(X, "atan", "Inverse tangent.").cmath(&["atan"]),
    make(X, "asinh", "Inverse hyperbolic sine.").cmath(&["asinh"]),
    make(X, "acosh", "Inverse hyperbolic cosine.").cmath(&["acosh"]),
    make(X, "atanh", "Inverse hyperbolic tangent.").cmath(&["atanh"]),
    make(X, "log10", "Logarithm to the base 10.").cmath(&["log10"]),
    make(X, "phase", "The angle of z, from -pi to pi.").cmath(&["phase"]),
    make(X, "polar", "Absolute value and angle.").cmath(&["polar"]),
    make(&[req("r"), req("phi")], "rect", "The number of an absolute value and an angle.").cmath(&["rect"]),
    make(X, "isnan", "Whether a part is NaN.").cmath(&["isnan"]),
    make(X, "isinf", "Whether a part is infinite.").cmath(&["isinf"]),
    make(X, "isfinite", "Whether both parts are finite.").cmath(&["isfinite"]),
    make(CLOSE, "isclose", "Whether equal within a tolerance.").cmath(&["isclose"]),
];
