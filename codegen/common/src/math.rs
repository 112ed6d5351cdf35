//! Where elementary functions come from.

use pydd_ir::ElemOp;

/// A function of floats, the same for float32 and float64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MathFunction {
    /// Of `pydd_math`, by its name there.
    Own(&'static str),
    /// Of C's library, by its name for doubles; that for floats ends in `f`.
    C(&'static str),
}

/// The function that computes `op` on floats, where it is one.
#[must_use]
pub const fn math_function(op: ElemOp) -> Option<MathFunction> {
    use MathFunction::{C, Own};
    Some(match op {
        ElemOp::Exp => Own("exp"),
        ElemOp::Exp2 => Own("exp2"),
        ElemOp::Expm1 => Own("expm1"),
        ElemOp::Log => Own("log"),
        ElemOp::Log2 => Own("log2"),
        ElemOp::Log10 => Own("log10"),
        ElemOp::Log1p => Own("log1p"),
        ElemOp::Sin => Own("sin"),
        ElemOp::Cos => Own("cos"),
        ElemOp::Tan => Own("tan"),
        ElemOp::Asin => Own("asin"),
        ElemOp::Acos => Own("acos"),
        ElemOp::Atan => Own("atan"),
        ElemOp::Atan2 => Own("atan2"),
        ElemOp::Sinh => Own("sinh"),
        ElemOp::Cosh => Own("cosh"),
        ElemOp::Tanh => Own("tanh"),
        ElemOp::Asinh => Own("asinh"),
        ElemOp::Acosh => Own("acosh"),
        ElemOp::Atanh => Own("atanh"),
        ElemOp::Pow => Own("pow"),
        ElemOp::Cbrt => Own("cbrt"),
        ElemOp::Hypot => Own("hypot"),
        ElemOp::Erf => Own("erf"),
        ElemOp::Erfc => Own("erfc"),
        ElemOp::Fmod => Own("fmod"),
        ElemOp::Gamma => C("tgamma"),
        ElemOp::LogGamma => C("lgamma"),
        ElemOp::Nextafter => C("nextafter"),
        _ => return None,
    })
}
