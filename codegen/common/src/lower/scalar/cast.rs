//! Conversions between element types.

use super::Scalars;
use crate::emit::{Emit, EmitExt, FloatCmp, FloatOp, Freedom, IntOp, Ty};
use crate::lower::values::{Val, scalar_type};
use pydd_ir::DType;

/// 2^63
const INT64_END: f64 = 9_223_372_036_854_775_808.0;

impl<E: Emit> Scalars<'_, E> {
    /// Converts as [`OpKind::Cast`](pydd_ir::OpKind::Cast) says.
    pub fn cast(&self, val: &Val<E::V>, from: DType, to: DType) -> Val<E::V> {
        match (from.is_complex(), to.is_complex()) {
            (true, true) => {
                let (re, im) = val.complex();
                Val::Complex(self.real(re, from.real(), to.real()), self.real(im, from.real(), to.real()))
            }
            (false, true) => {
                let re = self.real(val.scalar(), from, to.real());
                Val::Complex(re, self.ir.float_like(0.0, re))
            }
            (true, false) if to == DType::Bool => Val::Scalar(self.ir.not(self.complex_is_zero(val))),
            (true, false) => Val::Scalar(self.real(val.complex().0, from.real(), to)),
            (false, false) => Val::Scalar(self.real(val.scalar(), from, to)),
        }
    }

    fn real(&self, a: E::V, from: DType, to: DType) -> E::V {
        let ir = self.ir;
        match (from.is_float(), to.is_float()) {
            _ if from == to => a,
            (true, true) => ir.float_cast(a, scalar_type(to)),
            (false, true) => ir.int_to_float(a, scalar_type(to), from.is_signed_int()),
            (true, false) if to == DType::Bool => ir.fcmp_const(FloatCmp::Une, a, 0.0),
            (true, false) => self.whole(a, to),
            (false, false) if to == DType::Bool => ir.ne(a, ir.int_like(0, a)),
            (false, false) => ir.int_cast(a, scalar_type(to), from.is_signed_int()),
        }
    }

    fn whole(&self, a: E::V, to: DType) -> E::V {
        let ir = self.ir;
        match to {
            DType::I64 => ir.float_to_int(a, Ty::I64, self.asked),
            DType::U64 => {
                let end = ir.float_like(INT64_END, a);
                let high = ir.fcmp(FloatCmp::Oge, a, end);
                let lower = ir.float_op(FloatOp::Sub, a, end, Freedom::Exact);
                let whole = ir.float_to_int(ir.select(high, lower, a), Ty::I64, false);
                ir.int_op(IntOp::Xor, whole, ir.select(high, ir.i64(i64::MIN), ir.i64(0)))
            }
            DType::U32 => ir.int_cast(ir.float_to_int(a, Ty::I64, false), scalar_type(to), false),
            _ => ir.int_cast(ir.float_to_int(a, Ty::I32, false), scalar_type(to), true),
        }
    }
}
