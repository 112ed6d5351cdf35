//! `scipy.special`: functions of `frontend/src/prelude/special.pydd`; those that `math` has as well are elementwise
//! operations.

use super::{Entry, Param, axis, flag, operand, req, written};

const X: &[Param] = &[operand("x")];
const XY: &[Param] = &[operand("x"), operand("y")];
const OVER: &[Param] = &[req("x"), axis()];

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, "special", function, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(X, "expit", "The logistic function: 1 / (1 + exp(-x)).").special(&["expit"]),
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
];
