//! Elementwise functions of one, two and three operands.

use super::{Algebra, Entry, Param, Promote, entry, opt, req};
use crate::elem::ElemOp;

const X: &[Param] = &[req("x"), opt("out"), opt("where")];
const XY: &[Param] = &[req("x1"), req("x2"), opt("out"), opt("where")];

const fn unary(op: ElemOp, promote: Promote, doc: &'static str) -> Entry {
    entry(X, Algebra::Elementwise { op, promote }, doc)
}

const fn binary(op: ElemOp, promote: Promote, doc: &'static str) -> Entry {
    entry(XY, Algebra::Elementwise { op, promote }, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    // Arithmetic.
    binary(ElemOp::Add, Promote::Common, "Sum.").np(&["add"]).bare(&["add"]),
    binary(ElemOp::Sub, Promote::Common, "Difference; TypeError for bool.").np(&["subtract"]).bare(&["sub"]),
    binary(ElemOp::Mul, Promote::Common, "Product.").np(&["multiply"]).bare(&["mul"]),
    binary(ElemOp::Div, Promote::Inexact, "True quotient.").np(&["divide", "true_divide"]).bare(&["div"]),
    binary(ElemOp::FloorDiv, Promote::Common, "Quotient, rounded down. ZeroDivisionError for integers by 0.")
        .np(&["floor_divide"]),
    binary(ElemOp::Mod, Promote::Common, "Remainder with the sign of the divisor.").np(&["remainder", "mod"]),
    binary(ElemOp::Fmod, Promote::Common, "Remainder with the sign of the dividend.")
        .np(&["fmod"])
        .math(&["fmod"]),
    binary(ElemOp::Pow, Promote::Common, "Power. ValueError for integers to negative integers.")
        .np(&["power", "pow"])
        .math(&["pow"]),
    unary(ElemOp::Neg, Promote::Common, "Negation; TypeError for bool.").np(&["negative"]).bare(&["minus"]),
    unary(ElemOp::Abs, Promote::Rounding, "Absolute value; the modulus of complex numbers.")
        .np(&["abs", "absolute"])
        .method(&["abs"]),
    unary(ElemOp::Abs, Promote::Real, "Absolute value as a floating-point number.")
        .np(&["fabs"])
        .math(&["fabs"]),
    binary(ElemOp::Min, Promote::Common, "The smaller of each two; NaN wins.")
        .np(&["minimum"])
        .bare(&["minimum"]),
    binary(ElemOp::Max, Promote::Common, "The greater of each two; NaN wins.")
        .np(&["maximum"])
        .bare(&["maximum"]),
    binary(ElemOp::Fmin, Promote::Common, "The smaller of each two; numbers win over NaN.").np(&["fmin"]),
    binary(ElemOp::Fmax, Promote::Common, "The greater of each two; numbers win over NaN.").np(&["fmax"]),
    // Comparison.
    binary(ElemOp::Eq, Promote::Common, "Whether equal.").np(&["equal"]).bare(&["eq"]),
    binary(ElemOp::Ne, Promote::Common, "Whether different.").np(&["not_equal"]).bare(&["neq"]),
    binary(ElemOp::Lt, Promote::Common, "Whether less.").np(&["less"]).bare(&["lt"]),
    binary(ElemOp::Le, Promote::Common, "Whether less or equal.").np(&["less_equal"]).bare(&["le"]),
    binary(ElemOp::Gt, Promote::Common, "Whether greater.").np(&["greater"]).bare(&["gt"]),
    binary(ElemOp::Ge, Promote::Common, "Whether greater or equal.").np(&["greater_equal"]).bare(&["ge"]),
    // Logic and bits.
    binary(ElemOp::And, Promote::Truth, "Whether both are true.").np(&["logical_and"]).bare(&["logical_and"]),
    binary(ElemOp::Or, Promote::Truth, "Whether one is true.").np(&["logical_or"]).bare(&["logical_or"]),
    binary(ElemOp::Xor, Promote::Truth, "Whether just one is true.")
        .np(&["logical_xor"])
        .bare(&["logical_xor"]),
    unary(ElemOp::Not, Promote::Truth, "Whether false.")
        .np(&["logical_not"])
        .bare(&["logical_not", "elemwise_not"]),
    binary(ElemOp::And, Promote::Common, "Bitwise and.").np(&["bitwise_and"]),
    binary(ElemOp::Or, Promote::Common, "Bitwise or.").np(&["bitwise_or"]),
    binary(ElemOp::Xor, Promote::Common, "Bitwise exclusive or.").np(&["bitwise_xor"]),
    unary(ElemOp::Not, Promote::Common, "Bitwise complement.").np(&[
        "bitwise_not",
        "invert",
        "bitwise_invert",
    ]),
    binary(ElemOp::Shl, Promote::Common, "Bits moved left.").np(&["left_shift", "bitwise_left_shift"]),
    binary(ElemOp::Shr, Promote::Common, "Bits moved right.").np(&["right_shift", "bitwise_right_shift"]),
    // Roots, exponentials, logarithms.
    unary(ElemOp::Sqrt, Promote::Inexact, "Square root; NaN for negative numbers.")
        .np(&["sqrt"])
        .math(&["sqrt"])
        .bare(&["sqrt"]),
    unary(ElemOp::Cbrt, Promote::Inexact, "Cube root.").np(&["cbrt"]).math(&["cbrt"]),
    unary(ElemOp::Exp, Promote::Inexact, "e to the power x.").np(&["exp"]).math(&["exp"]).bare(&["exp"]),
    unary(ElemOp::Exp2, Promote::Inexact, "2 to the power x.").np(&["exp2"]).math(&["exp2"]),
    unary(ElemOp::Expm1, Promote::Inexact, "exp(x) - 1, exact near 0.").np(&["expm1"]).math(&["expm1"]),
    unary(ElemOp::Log, Promote::Inexact, "Natural logarithm.").np(&["log"]),
    unary(ElemOp::Log2, Promote::Inexact, "Logarithm to base 2.").np(&["log2"]).math(&["log2"]),
    unary(ElemOp::Log10, Promote::Inexact, "Logarithm to base 10.").np(&["log10"]).math(&["log10"]),
    unary(ElemOp::Log1p, Promote::Inexact, "log(1 + x), exact near 0.").np(&["log1p"]).math(&["log1p"]),
    // Trigonometry, in radians.
    unary(ElemOp::Sin, Promote::Inexact, "Sine of radians.").np(&["sin"]).math(&["sin"]).bare(&["sin"]),
    unary(ElemOp::Cos, Promote::Inexact, "Cosine of radians.").np(&["cos"]).math(&["cos"]).bare(&["cos"]),
    unary(ElemOp::Tan, Promote::Inexact, "Tangent of radians.").np(&["tan"]).math(&["tan"]).bare(&["tan"]),
    unary(ElemOp::Asin, Promote::Inexact, "Inverse sine, in radians.")
        .np(&["arcsin", "asin"])
        .math(&["asin"])
        .bare(&["asin"]),
    unary(ElemOp::Acos, Promote::Inexact, "Inverse cosine, in radians.")
        .np(&["arccos", "acos"])
        .math(&["acos"])
        .bare(&["acos"]),
    unary(ElemOp::Atan, Promote::Inexact, "Inverse tangent, in radians.")
        .np(&["arctan", "atan"])
        .math(&["atan"])
        .bare(&["atan"]),
    unary(ElemOp::Sinh, Promote::Inexact, "Hyperbolic sine.").np(&["sinh"]).math(&["sinh"]),
    unary(ElemOp::Cosh, Promote::Inexact, "Hyperbolic cosine.").np(&["cosh"]).math(&["cosh"]),
    unary(ElemOp::Tanh, Promote::Inexact, "Hyperbolic tangent.").np(&["tanh"]).math(&["tanh"]),
    unary(ElemOp::Asinh, Promote::Inexact, "Inverse hyperbolic sine.")
        .np(&["arcsinh", "asinh"])
        .math(&["asinh"]),
    unary(ElemOp::Acosh, Promote::Inexact, "Inverse hyperbolic cosine.")
        .np(&["arccosh", "acosh"])
        .math(&["acosh"]),
    unary(ElemOp::Atanh, Promote::Inexact, "Inverse hyperbolic tangent.")
        .np(&["arctanh", "atanh"])
        .math(&["atanh"]),
    binary(ElemOp::Atan2, Promote::Inexact, "Angle of the point (x2, x1), in radians.")
        .np(&["arctan2", "atan2"])
        .math(&["atan2"]),
    binary(ElemOp::Hypot, Promote::Inexact, "Length of the hypotenuse.").np(&["hypot"]).math(&["hypot"]),
    binary(ElemOp::Copysign, Promote::Inexact, "x1 with the sign of x2.")
        .np(&["copysign"])
        .math(&["copysign"]),
    binary(ElemOp::Nextafter, Promote::Inexact, "The next number after x1 towards x2.")
        .np(&["nextafter"])
        .math(&["nextafter"]),
    // Rounding; `math.floor` and its like give integers and stand with the built-in functions.
    unary(ElemOp::Floor, Promote::Rounding, "Rounded down.").np(&["floor"]),
    unary(ElemOp::Ceil, Promote::Rounding, "Rounded up.").np(&["ceil"]),
    unary(ElemOp::Trunc, Promote::Rounding, "Rounded towards zero.").np(&["trunc"]),
    Entry {
        params: &[req("x"), opt("out")],
        ..unary(ElemOp::Trunc, Promote::Rounding, "Rounded towards zero.")
    }
    .np(&["fix"]),
    unary(ElemOp::Rint, Promote::Inexact, "Rounded to the nearest integer, halves to even.").np(&["rint"]),
    unary(ElemOp::Sign, Promote::Common, "-1, 0 or 1; NaN stays.").np(&["sign"]),
    // Tests.
    unary(ElemOp::IsNan, Promote::Inexact, "Whether NaN.").np(&["isnan"]).math(&["isnan"]).bare(&["isnan"]),
    unary(ElemOp::IsInf, Promote::Inexact, "Whether infinite.")
        .np(&["isinf"])
        .math(&["isinf"])
        .bare(&["isinf"]),
    unary(ElemOp::IsFinite, Promote::Inexact, "Whether neither NaN nor infinite.")
        .np(&["isfinite"])
        .math(&["isfinite"]),
    unary(ElemOp::SignBit, Promote::Inexact, "Whether the sign bit is set.").np(&["signbit"]),
    // Special functions.
    unary(ElemOp::Erf, Promote::Inexact, "Error function.").math(&["erf"]).special(&["erf"]),
    unary(ElemOp::Erfc, Promote::Inexact, "Complementary error function.").math(&["erfc"]).special(&["erfc"]),
    unary(ElemOp::Gamma, Promote::Inexact, "Gamma function.").math(&["gamma"]).internal(&["gamma_of_number"]),
    unary(ElemOp::LogGamma, Promote::Inexact, "Logarithm of the gamma function's modulus.")
        .math(&["lgamma"])
        .internal(&["log_gamma"]),
    // Complex numbers.
    unary(ElemOp::Conj, Promote::Rounding, "Complex conjugate; real numbers stay.")
        .np(&["conj", "conjugate"])
        .method(&["conj", "conjugate"]),
    binary(ElemOp::MakeComplex, Promote::Inexact, "A complex number from its parts.")
        .internal(&["complex_of"]),
];

/// Methods of elementwise functions: `np.add.outer` and its like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UfuncMethod {
    Outer,
    Reduce,
    Accumulate,
    ReduceAt,
    At,
}

const METHODS: [(&str, UfuncMethod); 5] = [
    ("outer", UfuncMethod::Outer),
    ("reduce", UfuncMethod::Reduce),
    ("accumulate", UfuncMethod::Accumulate),
    ("reduceat", UfuncMethod::ReduceAt),
    ("at", UfuncMethod::At),
];

impl UfuncMethod {
    /// The method of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        METHODS.iter().find(|(own, _)| *own == name).map(|(_, method)| *method)
    }
}
