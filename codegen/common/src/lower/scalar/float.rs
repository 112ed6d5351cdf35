//! float32 and float64.

use super::Scalars;
use crate::emit::{Emit, EmitExt, Extremum, FloatCmp, FloatFn, Freedom};
use crate::math::math_function;
use pydd_ir::ElemOp;

impl<E: Emit> Scalars<'_, E> {
    pub(super) fn float(&self, op: ElemOp, args: &[E::V]) -> Option<E::V> {
        if let Some(predicate) = predicate(op) {
            return Some(self.ir.fcmp(predicate, args[0], args[1]));
        }
        if let Some(function) = exact(op) {
            return Some(self.ir.float_fn(function, args[0]));
        }
        if op != ElemOp::Pow && math_function(op).is_some() {
            return Some(self.math(op, args));
        }
        match *args {
            [a] => self.float_unary(op, a),
            [a, b] => self.float_binary(op, a, b),
            _ => None,
        }
    }

    fn float_unary(&self, op: ElemOp, a: E::V) -> Option<E::V> {
        let ir = self.ir;
        Some(match op {
            ElemOp::Sign => self.float_sign(a),
            ElemOp::IsNan => self.is_nan(a),
            ElemOp::IsInf => self.is_infinite(a),
            ElemOp::IsFinite => self.is_finite(a),
            ElemOp::SignBit => ir.is_negative(ir.float_bits(a)),
            _ => return None,
        })
    }

    pub(super) fn is_nan(&self, a: E::V) -> E::V {
        self.ir.fcmp(FloatCmp::Uno, a, a)
    }

    pub(super) fn is_infinite(&self, a: E::V) -> E::V {
        self.ir.fcmp_const(FloatCmp::Oeq, self.ir.fabs(a), f64::INFINITY)
    }

    pub(super) fn is_finite(&self, a: E::V) -> E::V {
        let size = self.ir.fabs(a);
        self.ir.fcmp_const(FloatCmp::Olt, size, f64::INFINITY)
    }

    /// -1, 0 or 1; the comparison with itself lets NaN through.
    fn float_sign(&self, a: E::V) -> E::V {
        let ir = self.ir;
        let zero_or_nan = ir.select(self.is_nan(a), a, ir.float_like(0.0, a));
        let negative = ir.fcmp_const(FloatCmp::Olt, a, 0.0);
        let positive = ir.fcmp_const(FloatCmp::Ogt, a, 0.0);
        let down = ir.select(negative, ir.float_like(-1.0, a), zero_or_nan);
        ir.select(positive, ir.float_like(1.0, a), down)
    }

    fn float_binary(&self, op: ElemOp, a: E::V, b: E::V) -> Option<E::V> {
        let ir = self.ir;
        Some(match op {
            ElemOp::Add => ir.fadd(a, b, self.freedom),
            ElemOp::Sub => ir.fsub(a, b, self.freedom),
            ElemOp::Mul => ir.fmul(a, b, self.freedom),
            ElemOp::Div => ir.fdiv(a, b, self.freedom),
            ElemOp::FloorDiv => self.float_divmod(a, b).0,
            ElemOp::Mod => self.float_divmod(a, b).1,
            ElemOp::Copysign => ir.copysign(a, b),
            ElemOp::Min => self.extremum(false, true, a, b),
            ElemOp::Max => self.extremum(true, true, a, b),
            ElemOp::Fmin => self.extremum(false, false, a, b),
            ElemOp::Fmax => self.extremum(true, false, a, b),
            ElemOp::Pow => self.float_pow(a, b),
            _ => return None,
        })
    }

    /// Of two zeros the second, as in NumPy. Any of them where NumPy itself gives any (where numbers win over NaN), and
    /// in an accumulation that may be reordered.
    fn extremum(&self, greatest: bool, nan_wins: bool, a: E::V, b: E::V) -> E::V {
        let ir = self.ir;
        let exact = self.freedom == Freedom::Exact;
        let any_zero = match self.freedom {
            Freedom::Exact => false,
            Freedom::Contract => !nan_wins,
            Freedom::Reassociate | Freedom::Real => true,
        };
        let instruction = any_zero.then(|| ir.extremum(Extremum { greatest, nan_wins }, a, b));
        if let Some(value) = instruction.flatten() {
            return value;
        }
        if nan_wins && self.last.is_some_and(|limit| !limit.is_nan()) {
            // One comparison, which lets NaN through.
            let reached = ir.fcmp(if greatest { FloatCmp::Ole } else { FloatCmp::Oge }, a, b);
            return ir.select(reached, b, a);
        }
        let first = ir.fcmp(if greatest { FloatCmp::Ogt } else { FloatCmp::Olt }, a, b);
        let nan = self.is_nan(if nan_wins { a } else { b });
        if exact || !nan_wins {
            return ir.select(ir.or(first, nan), a, b);
        }
        // The inner choice is an instruction of x86. A constant NaN, since LLVM makes one choice of two between the
        // same operands, and then does not see the instruction.
        ir.select(nan, ir.float_like(f64::NAN, a), ir.select(first, a, b))
    }
}

const fn predicate(op: ElemOp) -> Option<FloatCmp> {
    Some(match op {
        ElemOp::Eq => FloatCmp::Oeq,
        ElemOp::Ne => FloatCmp::Une,
        ElemOp::Lt => FloatCmp::Olt,
        ElemOp::Le => FloatCmp::Ole,
        ElemOp::Gt => FloatCmp::Ogt,
        ElemOp::Ge => FloatCmp::Oge,
        _ => return None,
    })
}

const fn exact(op: ElemOp) -> Option<FloatFn> {
    Some(match op {
        ElemOp::Neg => FloatFn::Neg,
        ElemOp::Abs => FloatFn::Abs,
        ElemOp::Sqrt => FloatFn::Sqrt,
        ElemOp::Floor => FloatFn::Floor,
        ElemOp::Ceil => FloatFn::Ceil,
        ElemOp::Trunc => FloatFn::Trunc,
        ElemOp::Rint => FloatFn::Rint,
        _ => return None,
    })
}
