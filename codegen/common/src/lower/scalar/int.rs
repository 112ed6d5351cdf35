//! Integers and bool. Bool is an unsigned integer of one bit.

use super::Scalars;
use crate::emit::{Emit, EmitExt, IntCmp, IntOp};
use pydd_ir::{DType, ElemOp};

impl<E: Emit> Scalars<'_, E> {
    pub(super) fn int(&self, op: ElemOp, dtype: DType, args: &[E::V]) -> Option<E::V> {
        if let Some(predicate) = predicate(op, dtype.is_signed_int()) {
            return Some(self.ir.icmp(predicate, args[0], args[1]));
        }
        match *args {
            [a] => self.int_unary(op, dtype, a),
            [a, b] => self.int_binary(op, dtype, a, b),
            _ => None,
        }
    }

    fn int_unary(&self, op: ElemOp, dtype: DType, a: E::V) -> Option<E::V> {
        let ir = self.ir;
        Some(match op {
            ElemOp::Neg => ir.neg(a),
            ElemOp::Not => ir.not(a),
            ElemOp::Abs if dtype.is_signed_int() => ir.int_abs(a),
            ElemOp::Abs => a,
            ElemOp::Sign => self.int_sign(dtype, a),
            _ => return None,
        })
    }

    fn int_sign(&self, dtype: DType, a: E::V) -> E::V {
        let ir = self.ir;
        let nonzero = ir.int_cast(ir.ne(a, ir.int_like(0, a)), ir.ty(a), false);
        if dtype.is_signed_int() {
            ir.select(ir.is_negative(a), ir.int_like(-1, a), nonzero)
        } else {
            nonzero
        }
    }

    fn int_binary(&self, op: ElemOp, dtype: DType, a: E::V, b: E::V) -> Option<E::V> {
        let (ir, signed) = (self.ir, dtype.is_signed_int());
        Some(match op {
            ElemOp::Add => ir.add(a, b),
            ElemOp::Sub => ir.sub(a, b),
            ElemOp::Mul => ir.mul(a, b),
            ElemOp::And => ir.and(a, b),
            ElemOp::Or => ir.or(a, b),
            ElemOp::Xor => ir.xor(a, b),
            ElemOp::Min => ir.int_op(if signed { IntOp::Smin } else { IntOp::Umin }, a, b),
            ElemOp::Max => ir.int_op(if signed { IntOp::Smax } else { IntOp::Umax }, a, b),
            ElemOp::FloorDiv => self.int_floor_div(a, b, signed),
            ElemOp::Mod => self.int_mod(a, b, signed),
            ElemOp::Fmod => self.int_remainder(a, b, signed),
            ElemOp::Shl => self.shift_left(a, b),
            ElemOp::Shr => self.shift_right(a, b, signed),
            ElemOp::Pow => self.int_pow(dtype, a, b),
            _ => return None,
        })
    }

    pub(super) fn width(&self, a: E::V) -> i64 {
        i64::from(self.ir.ty(a).bits())
    }

    /// The count if it is less than the width, else a smaller one; and whether it is.
    fn count(&self, count: E::V) -> (E::V, E::V) {
        let ir = self.ir;
        // As an unsigned number a negative count is huge.
        let fits = ir.ult(count, ir.int_like(self.width(count), count));
        if self.m.on_device {
            // LLVM's NVPTX makes one shift by the low 32 bits of a count of that count's shift and the choice below, as if huge counts were none.
            return (ir.and(count, ir.int_like(self.width(count) - 1, count)), fits);
        }
        (ir.select(fits, count, ir.int_like(0, count)), fits)
    }

    fn shift_left(&self, a: E::V, b: E::V) -> E::V {
        let (count, fits) = self.count(b);
        self.ir.select(fits, self.ir.shl(a, count), self.ir.int_like(0, a))
    }

    fn shift_right(&self, a: E::V, b: E::V, signed: bool) -> E::V {
        let ir = self.ir;
        let (count, fits) = self.count(b);
        if signed {
            let most = ir.int_like(self.width(a) - 1, a);
            ir.ashr(a, ir.select(fits, count, most))
        } else {
            ir.select(fits, ir.lshr(a, count), ir.int_like(0, a))
        }
    }
}

const fn predicate(op: ElemOp, signed: bool) -> Option<IntCmp> {
    Some(match (op, signed) {
        (ElemOp::Eq, _) => IntCmp::Eq,
        (ElemOp::Ne, _) => IntCmp::Ne,
        (ElemOp::Lt, true) => IntCmp::Slt,
        (ElemOp::Le, true) => IntCmp::Sle,
        (ElemOp::Gt, true) => IntCmp::Sgt,
        (ElemOp::Ge, true) => IntCmp::Sge,
        (ElemOp::Lt, false) => IntCmp::Ult,
        (ElemOp::Le, false) => IntCmp::Ule,
        (ElemOp::Gt, false) => IntCmp::Ugt,
        (ElemOp::Ge, false) => IntCmp::Uge,
        _ => return None,
    })
}
