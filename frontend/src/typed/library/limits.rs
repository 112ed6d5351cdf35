//! `np.finfo(t)` and `np.iinfo(t)`: a type, whose attributes are its limits.

use super::arguments::Arguments;
use crate::diagnostics::code;
use crate::source::Span;
use crate::syntax::ast::Ident;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::limits::{Limit, limit};
use pydd_ir::{DType, Literal};

impl Infer<'_, '_> {
    pub(super) fn limits_of(&mut self, floats: bool, args: &Arguments) -> Expr {
        let Some(num) = args.dtype() else { return Expr::error(args.span) };
        let fits = if floats { num.is_float() || num.dtype.is_complex() } else { num.dtype.is_int() };
        if !fits {
            let (function, of) = if floats { ("finfo", "float") } else { ("iinfo", "integer") };
            let headline = format!("`np.{function}` is for {of} types, not {}", num.name());
            return self.error(code::TYPE_MISMATCH, args.span, headline, "");
        }
        let dtype = match num.dtype {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            dtype => dtype,
        };
        Expr::new(ExprKind::Static, Ty::DType(Num::strong(dtype)), args.span)
    }

    /// `np.finfo(t).eps`.
    pub(in crate::typed) fn limit(&mut self, num: Num, attr: &Ident, span: Span) -> Expr {
        // A dtype and the type of its scalars are one here.
        if attr.name == "type" {
            return Expr::new(ExprKind::Static, Ty::DType(Num::strong(num.dtype)), span);
        }
        match limit(num.dtype, &attr.name) {
            Some(Limit::Float(value)) => {
                let value = Expr::float(value, span);
                self.convert(value, Num::strong(num.dtype))
            }
            Some(Limit::Int(value)) => match i64::try_from(value) {
                Ok(value) => Expr::int(value, span),
                Err(_) => {
                    let literal = Literal::Int(-1);
                    Expr::new(ExprKind::Literal(literal), Ty::Scalar(Num::weak(DType::U64)), span)
                }
            },
            None => {
                let headline = format!("the type {} has no attribute `{}`", num.name(), attr.name);
                self.error(code::UNKNOWN_ATTRIBUTE, attr.span, headline, "no such attribute")
            }
        }
    }
}
