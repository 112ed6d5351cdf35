//! Lists: appending, sums, arrays of them.

use crate::diagnostics::code;
use crate::source::Span;
use crate::typed::infer::Infer;
use crate::typed::tree::Expr;
use crate::typed::ty::{Num, Ty};
use pydd_ir::OpKind;

impl Infer<'_, '_> {
    /// A new 1-D array with a list's items.
    pub(in crate::typed) fn array_of_list(&mut self, list: Expr, span: Span) -> Expr {
        self.prelude_call("sequence", "array_of_list", vec![list], span)
    }

    /// `list.append(value)`.
    pub(super) fn append(&mut self, list: Expr, value: Expr, span: Span) -> Expr {
        let num = match (&list.ty, value.ty.scalar()) {
            (Ty::List(num), _) => *num,
            (Ty::EmptyList(_), Some(num)) => {
                self.note_contents(&list.ty.clone(), &Ty::List(num));
                return Expr::none(span);
            }
            (Ty::EmptyList(_), None) => return self.not_an_item(&value),
            (other, _) => {
                let headline = format!("{other} has no `append`");
                return self.error(code::UNKNOWN_ATTRIBUTE, list.span, headline, "only lists grow");
            }
        };
        let at = list.span;
        let value = self.stored_in_list(value, num, at);
        if value.ty.is_silent() {
            return Expr::error(span);
        }
        self.effect_expr(OpKind::ListAppend, vec![list, value], span)
    }

    /// An item for a list: numbers promote to the list's type, as far as its kind allows.
    fn stored_in_list(&mut self, value: Expr, num: Num, at: Span) -> Expr {
        self.declare(value, &Ty::Scalar(num), at, "stored")
    }

    /// An operation for its effect, as an expression that gives None.
    pub(in crate::typed) fn effect_expr(&mut self, kind: OpKind, args: Vec<Expr>, span: Span) -> Expr {
        let effect = crate::typed::tree::Stmt::new(crate::typed::tree::StmtKind::Effect(kind, args), span);
        Self::seq(vec![effect], Expr::none(span))
    }
}
