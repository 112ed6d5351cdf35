//! Powers with a constant exponent that are a few instructions: backends write them out, and passes count on it.

use crate::elem::ElemOp;
use crate::entity::Op;
use crate::func::Function;
use crate::kind::OpKind;
use crate::types::DType;

/// Whole exponents up to this are multiplied out.
const UNROLLED: f64 = 64.0;

/// How such a power is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShortPower {
    /// By so many factors, squares of squares where they can be.
    Product(u32),
    /// `a ** 0.5`
    Root,
    /// `a ** 1.5`
    RootCubed,
    /// `a ** -1`
    Inverse,
    /// `a ** -0.5`
    InverseRoot,
    /// `a ** -1.5`
    InverseRootCubed,
}

impl ShortPower {
    /// Of a power with a constant exponent.
    #[must_use]
    pub fn of_op(func: &Function, op: Op, exact: bool) -> Option<Self> {
        let data = &func.ops[op];
        if data.kind != OpKind::Elem(ElemOp::Pow) {
            return None;
        }
        Self::of(func.ty(data.results[0]).dtype()?, func.as_number(data.args[1])?, exact)
    }

    /// Of a base of this type. Of floats that are to be `exact` only squares are: NumPy squares too, other powers are nearer in the
    /// library, by a unit in the last place or two.
    #[must_use]
    pub fn of(dtype: DType, exponent: f64, exact: bool) -> Option<Self> {
        let is_natural = exponent.fract() == 0.0 && (0.0..=UNROLLED).contains(&exponent);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "just tested")]
        let product = is_natural.then_some(Self::Product(exponent as u32));
        if !dtype.is_float() {
            return product.filter(|_| !dtype.is_complex() || exponent > 0.0);
        }
        match exponent {
            2.0 => product,
            _ if exact => None,
            3.0 | 4.0 => product,
            0.5 => Some(Self::Root),
            1.5 => Some(Self::RootCubed),
            -1.0 => Some(Self::Inverse),
            -0.5 => Some(Self::InverseRoot),
            -1.5 => Some(Self::InverseRootCubed),
            _ => None,
        }
    }
}
