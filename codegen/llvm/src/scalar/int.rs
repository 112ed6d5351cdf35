//! Integers and bool. Bool is an unsigned integer of one bit.

use super::Scalars;
use crate::builder::V;
use crate::types::bits;
use inkwell::IntPredicate;
use pydd_ir::{DType, ElemOp};

impl<'c> Scalars<'c, '_> {
    pub(super) fn int(&self, op: ElemOp, dtype: DType, args: &[V<'c>]) -> Option<V<'c>> {
        if let Some(predicate) = predicate(op, dtype.is_signed_int()) {
            return Some(self.ir.icmp(predicate, args[0], args[1]));
        }
        match *args {
            [a] => self.int_unary(op, dtype, a),
            [a, b] => self.int_binary(op, dtype, a, b),
            _ => None,
        }
    }

    fn int_unary(&self, op: ElemOp, dtype: DType, a: V<'c>) -> Option<V<'c>> {
        let ir = self.ir;
        Some(match op {
            ElemOp::Neg => ir.neg(a),
            ElemOp::Not => ir.not(a),
            ElemOp::Abs if dtype.is_signed_int() => self.intrinsic("llvm.abs", &[a, ir.bool(false)]),
            ElemOp::Abs => a,
            ElemOp::Sign => self.int_sign(dtype, a),
            _ => return None,
        })
    }

    fn int_sign(&self, dtype: DType, a: V<'c>) -> V<'c> {
        let ir = self.ir;
        let nonzero = ir.int_cast(ir.ne(a, ir.int_like(0, a)), a.into_int_value().get_type(), false);
        if dtype.is_signed_int() {
            ir.select(ir.is_negative(a), ir.int_like(-1, a), nonzero)
        } else {
            nonzero
        }
    }

    fn int_binary(&self, op: ElemOp, dtype: DType, a: V<'c>, b: V<'c>) -> Option<V<'c>> {
        let (ir, signed) = (self.ir, dtype.is_signed_int());
        Some(match op {
            ElemOp::Add => ir.add(a, b),
            ElemOp::Sub => ir.sub(a, b),
            ElemOp::Mul => ir.mul(a, b),
            ElemOp::And => ir.and(a, b),
            ElemOp::Or => ir.or(a, b),
            ElemOp::Xor => ir.xor(a, b),
            ElemOp::Min => self.intrinsic(if signed { "llvm.smin" } else { "llvm.umin" }, &[a, b]),
            ElemOp::Max => self.intrinsic(if signed { "llvm.smax" } else { "llvm.umax" }, &[a, b]),
            ElemOp::FloorDiv => self.int_floor_div(a, b, signed),
            ElemOp::Mod => self.int_mod(a, b, signed),
            ElemOp::Fmod => self.int_remainder(a, b, signed),
            ElemOp::Shl => self.shift_left(dtype, a, b),
            ElemOp::Shr => self.shift_right(dtype, a, b),
            ElemOp::Pow => self.int_pow(dtype, a, b),
            _ => return None,
        })
    }

    /// The count if it is less than the width, else 0; and whether it is.
    fn count(&self, dtype: DType, count: V<'c>) -> (V<'c>, V<'c>) {
        let ir = self.ir;
        // As an unsigned number a negative count is huge.
        let fits = ir.ult(count, ir.int_like(i64::from(bits(dtype)), count));
        (ir.select(fits, count, ir.int_like(0, count)), fits)
    }

    fn shift_left(&self, dtype: DType, a: V<'c>, b: V<'c>) -> V<'c> {
        let (count, fits) = self.count(dtype, b);
        self.ir.select(fits, self.ir.shl(a, count), self.ir.int_like(0, a))
    }

    fn shift_right(&self, dtype: DType, a: V<'c>, b: V<'c>) -> V<'c> {
        let ir = self.ir;
        let (count, fits) = self.count(dtype, b);
        if dtype.is_signed_int() {
            let most = ir.int_like(i64::from(bits(dtype)) - 1, a);
            ir.ashr(a, ir.select(fits, count, most))
        } else {
            ir.select(fits, ir.lshr(a, count), ir.int_like(0, a))
        }
    }
}

const fn predicate(op: ElemOp, signed: bool) -> Option<IntPredicate> {
    Some(match (op, signed) {
        (ElemOp::Eq, _) => IntPredicate::EQ,
        (ElemOp::Ne, _) => IntPredicate::NE,
        (ElemOp::Lt, true) => IntPredicate::SLT,
        (ElemOp::Le, true) => IntPredicate::SLE,
        (ElemOp::Gt, true) => IntPredicate::SGT,
        (ElemOp::Ge, true) => IntPredicate::SGE,
        (ElemOp::Lt, false) => IntPredicate::ULT,
        (ElemOp::Le, false) => IntPredicate::ULE,
        (ElemOp::Gt, false) => IntPredicate::UGT,
        (ElemOp::Ge, false) => IntPredicate::UGE,
        _ => return None,
    })
}
