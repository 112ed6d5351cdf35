//! float32 and float64.

use super::Scalars;
use crate::builder::V;
use inkwell::FloatPredicate;
use inkwell::values::FastMathFlags;
use pydd_ir::{DType, ElemOp};

impl<'c> Scalars<'c, '_> {
    pub(super) fn float(&self, op: ElemOp, dtype: DType, args: &[V<'c>]) -> Option<V<'c>> {
        if let Some(predicate) = predicate(op) {
            return Some(self.ir.fcmp(predicate, args[0], args[1]));
        }
        if let Some(name) = intrinsic(op) {
            return Some(self.intrinsic(name, args));
        }
        if let Some(name) = libm(op) {
            return Some(self.libm(name, args));
        }
        match *args {
            [a] => self.float_unary(op, dtype, a),
            [a, b] => self.float_binary(op, a, b),
            _ => None,
        }
    }

    fn float_unary(&self, op: ElemOp, dtype: DType, a: V<'c>) -> Option<V<'c>> {
        let ir = self.ir;
        Some(match op {
            ElemOp::Neg => ir.fneg(a),
            ElemOp::Sign => self.float_sign(a),
            ElemOp::IsNan => self.is_nan(a),
            ElemOp::IsInf => {
                let size = self.intrinsic("llvm.fabs", &[a]);
                ir.fcmp_const(FloatPredicate::OEQ, size, f64::INFINITY)
            }
            ElemOp::IsFinite => self.is_finite(a),
            ElemOp::SignBit => {
                let bits = ir.int_type(crate::types::bits(dtype));
                ir.is_negative(ir.bitcast(a, bits.into()))
            }
            _ => return None,
        })
    }

    pub(super) fn is_nan(&self, a: V<'c>) -> V<'c> {
        self.ir.fcmp(FloatPredicate::UNO, a, a)
    }

    pub(super) fn is_finite(&self, a: V<'c>) -> V<'c> {
        let size = self.intrinsic("llvm.fabs", &[a]);
        self.ir.fcmp_const(FloatPredicate::OLT, size, f64::INFINITY)
    }

    /// -1, 0 or 1; the comparison with itself lets NaN through.
    fn float_sign(&self, a: V<'c>) -> V<'c> {
        let ir = self.ir;
        let zero_or_nan = ir.select(self.is_nan(a), a, ir.float_like(0.0, a));
        let negative = ir.fcmp_const(FloatPredicate::OLT, a, 0.0);
        let positive = ir.fcmp_const(FloatPredicate::OGT, a, 0.0);
        let down = ir.select(negative, ir.float_like(-1.0, a), zero_or_nan);
        ir.select(positive, ir.float_like(1.0, a), down)
    }

    fn float_binary(&self, op: ElemOp, a: V<'c>, b: V<'c>) -> Option<V<'c>> {
        let ir = self.ir;
        Some(match op {
            ElemOp::Add => ir.fadd(a, b, self.flags),
            ElemOp::Sub => ir.fsub(a, b, self.flags),
            ElemOp::Mul => ir.fmul(a, b, self.flags),
            ElemOp::Div => ir.fdiv(a, b, self.flags),
            ElemOp::FloorDiv => self.float_divmod(a, b).0,
            ElemOp::Mod => self.float_divmod(a, b).1,
            ElemOp::Fmod => ir.frem(a, b),
            ElemOp::Min => self.either_zero("llvm.minimum", a, b),
            ElemOp::Max => self.either_zero("llvm.maximum", a, b),
            ElemOp::Fmin => self.either_zero("llvm.minnum", a, b),
            ElemOp::Fmax => self.either_zero("llvm.maxnum", a, b),
            ElemOp::Pow => self.float_pow(a, b),
            _ => return None,
        })
    }

    /// An intrinsic whose result may be any of two zeros, as NumPy's may.
    fn either_zero(&self, name: &str, a: V<'c>, b: V<'c>) -> V<'c> {
        let flags = FastMathFlags::NoSignedZeros;
        self.ir.intrinsic(&self.m.llvm, name, &[a.get_type()], &[a, b], flags)
    }
}

const fn predicate(op: ElemOp) -> Option<FloatPredicate> {
    Some(match op {
        ElemOp::Eq => FloatPredicate::OEQ,
        ElemOp::Ne => FloatPredicate::UNE,
        ElemOp::Lt => FloatPredicate::OLT,
        ElemOp::Le => FloatPredicate::OLE,
        ElemOp::Gt => FloatPredicate::OGT,
        ElemOp::Ge => FloatPredicate::OGE,
        _ => return None,
    })
}

const fn intrinsic(op: ElemOp) -> Option<&'static str> {
    Some(match op {
        ElemOp::Abs => "llvm.fabs",
        ElemOp::Sqrt => "llvm.sqrt",
        ElemOp::Floor => "llvm.floor",
        ElemOp::Ceil => "llvm.ceil",
        ElemOp::Trunc => "llvm.trunc",
        ElemOp::Rint => "llvm.rint",
        ElemOp::Copysign => "llvm.copysign",
        _ => return None,
    })
}

const fn libm(op: ElemOp) -> Option<&'static str> {
    Some(match op {
        ElemOp::Cbrt => "cbrt",
        ElemOp::Exp => "exp",
        ElemOp::Exp2 => "exp2",
        ElemOp::Expm1 => "expm1",
        ElemOp::Log => "log",
        ElemOp::Log2 => "log2",
        ElemOp::Log10 => "log10",
        ElemOp::Log1p => "log1p",
        ElemOp::Sin => "sin",
        ElemOp::Cos => "cos",
        ElemOp::Tan => "tan",
        ElemOp::Asin => "asin",
        ElemOp::Acos => "acos",
        ElemOp::Atan => "atan",
        ElemOp::Sinh => "sinh",
        ElemOp::Cosh => "cosh",
        ElemOp::Tanh => "tanh",
        ElemOp::Asinh => "asinh",
        ElemOp::Acosh => "acosh",
        ElemOp::Atanh => "atanh",
        ElemOp::Atan2 => "atan2",
        ElemOp::Hypot => "hypot",
        ElemOp::Nextafter => "nextafter",
        ElemOp::Erf => "erf",
        ElemOp::Erfc => "erfc",
        ElemOp::Gamma => "tgamma",
        ElemOp::LogGamma => "lgamma",
        _ => return None,
    })
}
