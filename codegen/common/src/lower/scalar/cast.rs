//! Conversions between element types.

use super::Scalars;
use crate::emit::{Emit, EmitExt, FloatCmp};
use crate::lower::values::{Val, scalar_type};
use pydd_ir::DType;

impl<E: Emit> Scalars<'_, E> {
    /// Converts as `astype` does; floats out of an integer's range saturate, NaN gives 0.
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
            (true, false) => ir.float_to_int(a, scalar_type(to), to.is_signed_int()),
            (false, false) if to == DType::Bool => ir.ne(a, ir.int_like(0, a)),
            (false, false) => ir.int_cast(a, scalar_type(to), from.is_signed_int()),
        }
    }
}
