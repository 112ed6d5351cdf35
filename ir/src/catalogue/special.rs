//! `scipy.special`: functions of `frontend/src/prelude/special.pydd`; those that `math` has as well are elementwise
//! operations.

use super::{Algebra, Entry, Param, axis, entry, flag, operand, opt, req, written};
use crate::op::LibOp;
use crate::routine::Routine;

const X: &[Param] = &[operand("x")];
const AB: &[Param] = &[operand("a"), operand("b")];
const AX: &[Param] = &[operand("a"), operand("x")];
const XY: &[Param] = &[operand("x"), operand("y")];
const OVER: &[Param] = &[req("x"), axis()];

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, "special", function, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        &[req("x"), req("code"), req("out")],
        Algebra::Opaque(LibOp::Routine(Routine::Special)),
        "A special function of each column.",
    )
    .internal(&["special_into"]),
    make(X, "expit", "The logistic function: 1 / (1 + exp(-x)).").special(&["expit"]),
    make(X, "gamma", "Gamma function, of real numbers; NaN at negative integers.").special(&["gamma"]),
    make(X, "gammaln", "Logarithm of the gamma function's modulus; -inf at -inf.").special(&["gammaln"]),
    make(X, "logit", "log(x / (1 - x)), the inverse of `expit`.").special(&["logit"]),
    make(X, "log_expit", "log(expit(x)).").special(&["log_expit"]),
    make(X, "ndtr", "The normal distribution function.").special(&["ndtr"]),
    make(X, "entr", "-x log(x); 0 at 0, -inf below.").special(&["entr"]),
    make(XY, "xlogy", "x log(y); 0 where x is 0 and y is a number.").special(&["xlogy"]),
    make(XY, "rel_entr", "x log(x / y); 0 where x is 0 and y is not negative, inf outside.")
        .special(&["rel_entr"]),
    make(&[req("a"), axis(), flag("keepdims", false)], "logsumexp", "log(sum(exp(a))), without overflow.")
        .special(&["logsumexp"]),
    make(OVER, "softmax", "exp(x) / sum(exp(x)), without overflow.").special(&["softmax"]),
    make(OVER, "log_softmax", "log(softmax(x)).").special(&["log_softmax"]),
    make(&[req("N"), req("k"), flag("exact", false)], "comb", "Number of ways to choose, of two numbers.")
        .special(&["comb"]),
    make(X, "j0", "Bessel function of the first kind, of order 0.").special(&["j0"]),
    make(X, "j1", "Bessel function of the first kind, of order 1.").special(&["j1"]),
    make(X, "y0", "Bessel function of the second kind, of order 0; NaN below 0.").special(&["y0"]),
    make(X, "y1", "Bessel function of the second kind, of order 1; NaN below 0.").special(&["y1"]),
    make(X, "i0", "Modified Bessel function of order 0.").special(&["i0"]),
    make(X, "i1", "Modified Bessel function of order 1.").special(&["i1"]),
    make(X, "i0e", "`i0(x) * exp(-abs(x))`.").special(&["i0e"]),
    make(X, "i1e", "`i1(x) * exp(-abs(x))`.").special(&["i1e"]),
    make(X, "k0", "Modified Bessel function of the second kind, of order 0.").special(&["k0"]),
    make(X, "k1", "Modified Bessel function of the second kind, of order 1.").special(&["k1"]),
    make(X, "k0e", "`k0(x) * exp(x)`.").special(&["k0e"]),
    make(X, "k1e", "`k1(x) * exp(x)`.").special(&["k1e"]),
    make(X, "expi", "Exponential integral Ei, of real numbers.").special(&["expi"]),
    make(&[req("y")], "ndtri", "The inverse of `ndtr`.").special(&["ndtri"]),
    make(&[req("y")], "erfinv", "The inverse of the error function.").special(&["erfinv"]),
    make(&[req("y")], "erfcinv", "The inverse of `erfc`.").special(&["erfcinv"]),
    make(&[req("z")], "digamma", "The logarithmic derivative of the gamma function, of real numbers.")
        .special(&["digamma", "psi"]),
    make(&[req("m")], "ellipk", "Complete elliptic integral of the first kind, of the parameter m.")
        .special(&["ellipk"]),
    make(&[req("m")], "ellipe", "Complete elliptic integral of the second kind, of the parameter m.")
        .special(&["ellipe"]),
    make(&[req("x"), opt("q")], "zeta", "Riemann's zeta function, or Hurwitz's of x and q.")
        .special(&["zeta"]),
    make(X, "sici", "Sine and cosine integral, a tuple; of real numbers.").special(&["sici"]),
    make(&[req("z")], "spence", "The dilogarithm of 1 - z, of real numbers.").special(&["spence"]),
    make(&[req("z")], "exp1", "Exponential integral E1, of real numbers.").special(&["exp1"]),
    make(AB, "beta", "The beta function.").special(&["beta"]),
    make(AB, "betaln", "Logarithm of the beta function's modulus.").special(&["betaln"]),
    make(AX, "gammainc", "The lower incomplete gamma function, as a part of the whole.")
        .special(&["gammainc"]),
    make(AX, "gammaincc", "The upper incomplete gamma function, as a part of the whole.")
        .special(&["gammaincc"]),
    make(X, "log_ndtr", "Logarithm of the normal distribution function, of real numbers.")
        .special(&["log_ndtr"]),
    make(XY, "binom", "The binomial coefficient, of real numbers.").special(&["binom"]),
    make(XY, "xlog1py", "x log(1 + y); 0 where x is 0 and y is a number.").special(&["xlog1py"]),
    make(XY, "kl_div", "x log(x / y) - x + y; y where x is 0 and y is not negative, inf outside.")
        .special(&["kl_div"]),
];
