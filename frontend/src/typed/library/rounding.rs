//! `round` of Python and of NumPy, `math.floor` and its like.

use super::arguments::Arguments;
use crate::diagnostics::code;
use crate::source::Span;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::Expr;
use crate::typed::types::ty::Num;
use pydd_ir::catalogue::Space;
use pydd_ir::{DType, ElemOp};

const FILE: &str = "rounding";

impl Infer<'_, '_> {
    pub(super) fn round(&mut self, args: &Arguments) -> Expr {
        let rounded = self.rounded(args);
        match args.named("out") {
            Some(out) => self.store_out(out, rounded, false, args.span),
            None => rounded,
        }
    }

    fn rounded(&mut self, args: &Arguments) -> Expr {
        let digits = args.optional(1);
        if let Some(digits) = &digits
            && !matches!(digits.ty.scalar(), Some(num) if num.dtype.is_int() || num.dtype == DType::Bool)
        {
            let headline = format!("{} cannot be interpreted as an integer", digits.ty);
            return self.error(code::TYPE_MISMATCH, digits.span, headline, "the number of digits");
        }
        let value = Self::number_of_rank_zero(args.value(0));
        match value.ty.scalar() {
            Some(_) if args.found.space == Space::Bare && !args.value(0).ty.is_array() => {
                self.python_round(value, digits, args.span)
            }
            _ if args.found.space == Space::Bare => {
                let headline = format!("{} has no `__round__`", args.value(0).ty);
                self.error(code::TYPE_MISMATCH, args.span, headline, "write `np.round`")
            }
            _ => self.numpy_round(value, digits, args),
        }
    }

    /// Python's `round` of a number: an integer, or with digits a number of the same type.
    fn python_round(&mut self, value: Expr, digits: Option<Expr>, span: Span) -> Expr {
        let Some(num) = value.ty.scalar() else { return Expr::error(span) };
        let unrounded = num.dtype.is_complex() || num == Num::strong(DType::Bool);
        match digits {
            _ if unrounded => {
                let headline = format!("{} has no `__round__`", value.ty);
                self.error(code::TYPE_MISMATCH, value.span, headline, "it cannot be rounded")
            }
            None if num.is_float() => {
                let rounded = Self::elem(ElemOp::Rint, vec![value], num.weak, span);
                self.float_to_int(rounded)
            }
            None => self.conversion(value, Num::INT, span),
            Some(digits) => {
                let function = match (num.weak, num.is_float()) {
                    (true, true) => "python_float",
                    (true, false) => "python_int",
                    (false, true) => "float_array",
                    (false, false) => "int_array",
                };
                let value = if num.weak && !num.is_float() { self.convert(value, Num::INT) } else { value };
                let digits = self.convert(digits, Num::INT);
                self.prelude_call(FILE, function, vec![value, digits], span)
            }
        }
    }

    /// `np.round` keeps the type.
    fn numpy_round(&mut self, value: Expr, digits: Option<Expr>, args: &Arguments) -> Expr {
        let span = args.span;
        let value = Self::ufunc_operand(value);
        let Some(num) = value.ty.num() else { return self.needs_array(args, 0) };
        if num.dtype == DType::Bool {
            return self.no_float16(span);
        }
        if num.dtype.is_complex() {
            let digits = digits.unwrap_or_else(|| Expr::int(0, span));
            return self.prelude_call("elementwise", "round_complex", vec![value, digits], span);
        }
        let rounded = match digits {
            None if num.is_float() => Self::elem(ElemOp::Rint, vec![value], false, span),
            None if value.ty.is_array() => self.copied_as_it_lies(value, span),
            None => value,
            Some(digits) => {
                let digits = self.convert(digits, Num::INT);
                let function = if num.is_float() { "float_array" } else { "int_array" };
                self.prelude_call(FILE, function, vec![value, digits], span)
            }
        };
        self.strong(rounded)
    }

    /// `math.floor(x)` and its like.
    pub(super) fn rounded_int(&mut self, op: ElemOp, args: &Arguments) -> Expr {
        let (value, span) = (args.value(0), args.span);
        match value.ty.scalar() {
            // NumPy's numbers have no `__trunc__`, but for float64, which is a float of Python's; for the other two they
            // are converted to a float first.
            Some(num) if op == ElemOp::Trunc && !num.weak && num.dtype != DType::F64 => {
                let headline = format!("type {} doesn't define __trunc__ method", value.ty);
                self.error(code::TYPE_MISMATCH, value.span, headline, "write `int(x)`")
            }
            Some(num) if num.dtype.is_int() && !num.weak => {
                let value = self.convert(value, Num::FLOAT);
                self.float_to_int(value)
            }
            Some(num) if num.is_float() => {
                let value = self.convert(value, Num::FLOAT);
                let rounded = Self::elem(op, vec![value], true, span);
                self.float_to_int(rounded)
            }
            Some(num) if !num.dtype.is_complex() => self.convert(value, Num::INT),
            _ => {
                let headline = format!("must be real number, not {}", value.ty);
                self.error(code::TYPE_MISMATCH, value.span, headline, &format!("this is {}", value.ty))
            }
        }
    }
}
