//! Elementwise functions.

use super::arguments::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::promote::{inexact, same_kind};
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::{Promote, Space};
use pydd_ir::{DType, ElemOp, Keep};

impl Infer<'_, '_> {
    pub(super) fn elementwise(&mut self, op: ElemOp, promote: Promote, args: Arguments) -> Expr {
        let (out, mask, span) = (args.named("out"), args.named("where"), args.span);
        if (out.is_some() || mask.is_some()) && args.found.space == Space::Math {
            let headline = format!("`{}` has no `out` and no `where`", Self::shown_name(&args.found));
            return self.error(code::WRONG_ARGUMENT_COUNT, span, headline, "too many arguments");
        }
        if (out.is_some() || mask.is_some()) && args.found.space == Space::Method {
            let headline = format!("`{}` takes no keyword arguments", Self::shown_name(&args.found));
            return self.error(code::KEYWORD_ARGUMENT_UNKNOWN, span, headline, "a method");
        }
        let result = self.elementwise_result(op, promote, args);
        match (out, mask) {
            (Some(out), Some(mask)) => self.store_where(out, &mask, result, span),
            (Some(out), None) => self.store_out(out, result, false, span),
            (None, Some(mask)) => {
                let diagnostic = Diagnostic::error(
                    code::TYPE_MISMATCH,
                    "`where` without `out` leaves elements unspecified",
                )
                .primary(mask.span, "says which elements are computed")
                .help("give the others: `out=np.zeros_like(x)`");
                self.fail(diagnostic)
            }
            (None, None) => result,
        }
    }

    /// Stores the elements of a result into the array given as `out=` where a mask is true.
    fn store_where(&mut self, out: Expr, mask: &Expr, result: Expr, span: Span) -> Expr {
        let fits = |to: DType| result.ty.num().is_some_and(|num| same_kind(Num::strong(num.dtype), to));
        let (Ty::Array { dtype, .. }, false) = (&out.ty, result.ty.is_silent()) else {
            return self.store_out(out, result, false, span);
        };
        if !fits(*dtype) {
            return self.store_out(out, result, false, span);
        }
        let mut before = Vec::new();
        let result = self.convert(result, Num::strong(*dtype));
        let out = self.once(out, &mut before);
        let chosen =
            self.prelude_call("elementwise", "chosen", vec![mask.clone(), result, out.clone()], span);
        let stored = self.store_out(out, chosen, false, span);
        Self::seq(before, stored)
    }

    fn elementwise_result(&mut self, op: ElemOp, promote: Promote, args: Arguments) -> Expr {
        let takes_lists = matches!(args.found.space, Space::Numpy | Space::Special);
        let operand = |s: &mut Self, value: Expr| match value.ty {
            ref ty if takes_lists && (ty.is_sequence() || matches!(ty, Ty::Tuple(_))) => s.as_operand(value),
            Ty::EmptyList(_) if takes_lists => Self::empty_array(DType::F64, args.span),
            _ => value,
        };
        let operands: Vec<Expr> = (0..op.arity()).map(|i| operand(self, args.value(i))).collect();
        for (index, operand) in operands.iter().enumerate() {
            if operand.ty.num().is_none() {
                return self.not_a_number(&args, index);
            }
        }
        if args.found.space == Space::Math {
            return self.math(op, operands, &args);
        }
        // Whatever is real is its own conjugate, which the method gives.
        if op == ElemOp::Conj
            && args.found.space == Space::Method
            && let [x] = operands.as_slice()
            && x.ty.num().is_some_and(|num| !num.dtype.is_complex())
        {
            return x.clone();
        }
        let mut operands = operands.into_iter().map(Self::ufunc_operand);
        let result = match (operands.next(), operands.next()) {
            (Some(x), None) => self.elementwise_unary(op, promote, x, &args),
            (Some(a), Some(b)) if promote == Promote::Truth => {
                let a = self.elements_truth(a);
                let b = self.elements_truth(b);
                if op == ElemOp::And {
                    self.make_ranges(&a, &b, args.span);
                }
                Self::elem(op, vec![a, b], false, args.span)
            }
            (Some(a), Some(b)) => {
                let name = Self::shown_name(&args.found);
                self.arithmetic(op, promote, a, b, &name, args.span)
            }
            _ => Expr::error(args.span),
        };
        self.strong(result)
    }

    fn not_a_number(&mut self, args: &Arguments, index: usize) -> Expr {
        let value = args.value(index);
        let name = Self::shown_name(&args.found);
        let headline = format!("`{name}` needs numbers or arrays, not {}", value.ty);
        self.error(code::TYPE_MISMATCH, value.span, headline, &format!("this is {}", value.ty))
    }

    /// `math.f(x)`: of numbers only, computed in Python's own float.
    fn math(&mut self, op: ElemOp, operands: Vec<Expr>, args: &Arguments) -> Expr {
        if let Some(array) = operands.iter().find(|o| o.ty.is_array()) {
            let name = Self::shown_name(&args.found);
            let headline = format!("`{name}` needs a number, not {}", array.ty);
            return self.error(code::TYPE_MISMATCH, array.span, headline, "use the function of NumPy");
        }
        if let Some(complex) = operands.iter().find(|o| o.ty.num().is_some_and(|n| n.dtype.is_complex())) {
            return self.error(
                code::TYPE_MISMATCH,
                complex.span,
                "must be a real number, not complex",
                "complex",
            );
        }
        let operands = operands.into_iter().map(|o| self.convert(o, Num::FLOAT)).collect();
        Self::elem(op, operands, true, args.span)
    }

    fn elementwise_unary(&mut self, op: ElemOp, promote: Promote, x: Expr, args: &Arguments) -> Expr {
        let Some(num) = x.ty.num() else { return Expr::error(args.span) };
        let span = args.span;
        let to = match promote {
            Promote::Truth => {
                let x = self.elements_truth(x);
                return Self::elem(op, vec![x], false, span);
            }
            // Integers are whole and never NaN.
            Promote::Rounding
                if !op.domain().contains(num.dtype)
                    && num.dtype != DType::Bool
                    && !num.dtype.is_complex() =>
            {
                return self.unchanged(x);
            }
            Promote::Rounding | Promote::Common => num,
            Promote::Real if num.dtype.is_complex() => return self.not_this_type(x, args),
            // SciPy takes integers to float64, of any width.
            Promote::Inexact
                if args.found.space == Space::Special && !num.is_float() && !num.dtype.is_complex() =>
            {
                Num::FLOAT
            }
            Promote::Inexact | Promote::Real => match inexact(num) {
                Some(to) => to,
                None if op.result_dtype(DType::F64) == DType::Bool => Num::FLOAT,
                None => return self.no_float16(span),
            },
        };
        if to.dtype == DType::Bool {
            return self.unary_on_bool(op, x, args);
        }
        if op == ElemOp::Sign && to.dtype.is_complex() {
            return self.prelude_call("elementwise", "direction", vec![x], span);
        }
        if op == ElemOp::Rint && to.dtype.is_complex() {
            return self.prelude_call("elementwise", "rint_complex", vec![x], span);
        }
        if to.dtype.is_complex()
            && let Some(function) = of_complex(op)
        {
            let function = Expr::new(ExprKind::Text(function.to_owned()), Ty::Str, span);
            return self.prelude_call("elementwise", "in_complex128", vec![x, function], span);
        }
        if !op.domain().contains(to.dtype) {
            return self.not_this_type(x, args);
        }
        let x = self.convert(x, to);
        Self::elem(op, vec![x], num.weak, span)
    }

    fn unary_on_bool(&mut self, op: ElemOp, x: Expr, args: &Arguments) -> Expr {
        match op {
            ElemOp::Not => Self::elem(op, vec![x], false, args.span),
            ElemOp::Neg | ElemOp::Sign => self.not_this_type(x, args),
            // NumPy's conjugate has no loop for bool.
            ElemOp::Conj => self.convert(x, Num::strong(DType::I8)),
            _ => self.unchanged(x),
        }
    }

    fn not_this_type(&mut self, x: Expr, args: &Arguments) -> Expr {
        let name = Self::shown_name(&args.found);
        let headline = format!("`{name}` does not take {}", x.ty);
        self.error(code::UNSUPPORTED_OPERAND, x.span, headline, &format!("this is {}", x.ty))
    }

    /// The same values in a new array; of an array without axes its number.
    pub(in crate::typed) fn fresh(&mut self, x: Expr) -> Expr {
        let x = Self::number_of_rank_zero(x);
        if !x.ty.is_array() {
            return x;
        }
        let (ty, span) = (x.ty.clone(), x.span);
        Self::op(pydd_ir::OpKind::Copy, vec![x], ty, span)
    }

    /// As [`Self::fresh`], the axes in their order: what an operation on elements gives that changes nothing.
    pub(in crate::typed) fn unchanged(&mut self, x: Expr) -> Expr {
        let x = Self::number_of_rank_zero(x);
        let span = x.span;
        if x.ty.is_array() { self.copied_keeping(Keep::Elem, x, span) } else { x }
    }

    /// Each element's truth.
    pub(in crate::typed) fn elements_truth(&mut self, x: Expr) -> Expr {
        match x.ty {
            Ty::Array { .. } => self.convert(x, Num::strong(DType::Bool)),
            _ => {
                let truth = self.truth(x);
                self.convert(truth, Num::strong(DType::Bool))
            }
        }
    }
}

/// Functions of complex numbers that are written in the language.
const fn of_complex(op: ElemOp) -> Option<&'static str> {
    match op {
        ElemOp::Asin
        | ElemOp::Acos
        | ElemOp::Atan
        | ElemOp::Asinh
        | ElemOp::Acosh
        | ElemOp::Atanh
        | ElemOp::Exp2
        | ElemOp::Expm1
        | ElemOp::Log1p
        | ElemOp::Log2
        | ElemOp::Log10 => Some(op.name()),
        _ => None,
    }
}
