//! Conversions between element types.

use super::Scalars;
use crate::builder::V;
use crate::types::{Val, bits};
use inkwell::FloatPredicate;
use pydd_ir::DType;

impl<'c> Scalars<'c, '_> {
    /// Converts as `astype` does; floats out of an integer's range saturate, NaN gives 0.
    pub fn cast(&self, val: &Val<'c>, from: DType, to: DType) -> Val<'c> {
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

    fn real(&self, a: V<'c>, from: DType, to: DType) -> V<'c> {
        let ir = self.ir;
        match (from.is_float(), to.is_float()) {
            _ if from == to => a,
            (true, true) => ir.float_cast(a, ir.float_type(to)),
            (false, true) => ir.int_to_float(a, ir.float_type(to), from.is_signed_int()),
            (true, false) if to == DType::Bool => ir.fcmp_const(FloatPredicate::UNE, a, 0.0),
            (true, false) => self.saturate(a, to),
            (false, false) if to == DType::Bool => ir.ne(a, ir.int_like(0, a)),
            (false, false) => ir.int_cast(a, ir.int_type(bits(to)), from.is_signed_int()),
        }
    }

    pub(super) fn saturate(&self, a: V<'c>, to: DType) -> V<'c> {
        let name = if to.is_signed_int() { "llvm.fptosi.sat" } else { "llvm.fptoui.sat" };
        let ty = self.ir.int_type(bits(to));
        self.m.intrinsic(self.ir, name, &[ty.into(), a.get_type()], &[a])
    }
}
