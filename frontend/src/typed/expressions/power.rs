//! Powers that NumPy computes in another way than C's `pow`: it chooses by the exponent, if that is one number.

use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::{DType, ElemOp, Literal, OpKind};

/// How a power is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Powers {
    /// `a ** b`, which takes further ways for exponents of Python's.
    Operator,
    /// `np.power(a, b)`.
    Ufunc,
}

impl Infer<'_, '_> {
    /// A power of an array, or one by NumPy's function, to a number; None: it is what `pow` gives.
    pub(in crate::typed) fn special_power(
        &mut self,
        base: &Expr,
        exponent: &Expr,
        common: Num,
        how: Powers,
        span: Span,
    ) -> Option<Expr> {
        let is_array = base.ty.is_array();
        if exponent.ty.rank().is_some_and(|rank| rank > 0) || !is_array && how == Powers::Operator {
            return None;
        }
        let of_python = exponent.ty.scalar().is_some_and(|num| num.weak);
        if is_array && base.ty.num() == Some(Num::strong(DType::Bool)) && how == Powers::Operator && of_python
        {
            return self.power_of_bools(base, exponent);
        }
        match common.dtype {
            dtype if dtype.is_float() => Some(self.power_or_root(base, exponent, common, span)),
            dtype if dtype.is_complex() && of_python && how == Powers::Operator => {
                self.complex_power(base, exponent, common, span)
            }
            _ => None,
        }
    }

    /// Floats to a number: `sqrt` for 0.5, which keeps the sign of zero and gives NaN for -inf.
    fn power_or_root(&mut self, base: &Expr, exponent: &Expr, num: Num, span: Span) -> Expr {
        let constant = constant(exponent);
        let mut before = Vec::new();
        let base = self.operand(base.clone(), num);
        let exponent = self.operand(exponent.clone(), num);
        if constant == Some(0.5) {
            return Self::elem(ElemOp::Sqrt, vec![base], num.weak, span);
        }
        if constant.is_some() {
            return Self::elem(ElemOp::Pow, vec![base, exponent], num.weak, span);
        }
        let base = self.once(base, &mut before);
        let exponent = Self::number_of_rank_zero(exponent);
        let exponent = self.once(exponent, &mut before);
        let half = self.convert(Expr::float(0.5, span), num);
        let is_half = Self::elem(ElemOp::Eq, vec![exponent.clone(), half], true, span);
        let root = Self::elem(ElemOp::Sqrt, vec![base.clone()], num.weak, span);
        let power = Self::elem(ElemOp::Pow, vec![base, exponent], num.weak, span);
        let ty = power.ty.clone();
        let chosen = Self::op(OpKind::Elem(ElemOp::Select), vec![is_half, root, power], ty, span);
        Self::seq(before, chosen)
    }

    /// Complex arrays to the exponents of Python's for which `**` has a way of its own.
    fn complex_power(&mut self, base: &Expr, exponent: &Expr, num: Num, span: Span) -> Option<Expr> {
        let is_int = exponent.as_int().is_some();
        let Some(exponent) = constant(exponent) else {
            return exponent
                .ty
                .scalar()
                .is_some_and(|num| num.dtype.is_float())
                .then(|| self.complex_power_or_root(base, exponent, num, span));
        };
        let mut before = Vec::new();
        let base = self.operand(base.clone(), num);
        let base = self.once(base, &mut before);
        let power = match exponent {
            0.5 => Self::elem(ElemOp::Sqrt, vec![base], num.weak, span),
            2.0 if is_int => Self::elem(ElemOp::Mul, vec![base.clone(), base], num.weak, span),
            -1.0 if is_int => self.prelude_call("elementwise", "reciprocal", vec![base], span),
            _ => return None,
        };
        Some(Self::seq(before, power))
    }

    /// Complex arrays to a float of Python's that may be 0.5.
    fn complex_power_or_root(&mut self, base: &Expr, exponent: &Expr, num: Num, span: Span) -> Expr {
        let mut before = Vec::new();
        let base = self.operand(base.clone(), num);
        let base = self.once(base, &mut before);
        let exponent = self.once(exponent.clone(), &mut before);
        let half = Expr::float(0.5, span);
        let is_half = Self::elem(ElemOp::Eq, vec![exponent.clone(), half], true, span);
        let exponent = self.operand(exponent, num);
        let root = Self::elem(ElemOp::Sqrt, vec![base.clone()], num.weak, span);
        let power = Self::elem(ElemOp::Pow, vec![base, exponent], num.weak, span);
        let ty = power.ty.clone();
        let chosen = Self::op(OpKind::Elem(ElemOp::Select), vec![is_half, root, power], ty, span);
        Self::seq(before, chosen)
    }

    /// An array of bools `**` an integer of Python's: int8 for 2, else int64.
    fn power_of_bools(&mut self, base: &Expr, exponent: &Expr) -> Option<Expr> {
        if exponent.ty != Ty::INT {
            return None;
        }
        match exponent.as_int() {
            Some(2) => Some(self.convert(Self::number_of_rank_zero(base.clone()), Num::strong(DType::I8))),
            Some(_) => None,
            None => {
                let headline = "NumPy gives int8 for the square of bools, int64 for other powers";
                let diagnostic = Diagnostic::error(code::UNSUPPORTED_OPERAND, headline)
                    .primary(exponent.span, "not known when the program is compiled")
                    .secondary(base.span, format!("this is {}", base.ty))
                    .help("convert the base first: `.astype(np.int64)`");
                Some(self.fail(diagnostic))
            }
        }
    }
}

/// The value of a constant exponent.
fn constant(exponent: &Expr) -> Option<f64> {
    match &exponent.kind {
        ExprKind::Literal(Literal::Float(bits)) => Some(f64::from_bits(*bits)),
        _ => i32::try_from(exponent.as_int()?).ok().map(f64::from),
    }
}
