//! Lists: appending, sums, arrays of them.

use crate::diagnostics::code;
use crate::source::Span;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{self, Expr, ExprKind};
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::OpKind;

impl Infer<'_, '_> {
    /// A new array with a list's items: 1-D, 2-D of a list of lists, or with one more axis than the arrays of a list of arrays.
    pub(in crate::typed) fn array_of_list(&mut self, list: Expr, span: Span) -> Expr {
        if list.ty == Ty::Range {
            return self.array_of_range(list, span);
        }
        if let (ExprKind::Op(OpKind::ListNew, items), Ty::List(num)) = (&list.kind, &list.ty)
            && !items.is_empty()
        {
            // Nobody else sees the list, so that it need not be made.
            let types = items.iter().map(|item| item.ty.clone()).collect();
            let items = Expr::new(ExprKind::Tuple(items.clone()), Ty::Tuple(types), list.span);
            return self.array_of(items, Some(Num::strong(num.dtype)), span);
        }
        let function = match &list.ty {
            Ty::Lists(row) if matches!(**row, Ty::List(_)) => "array_of_lists",
            Ty::Lists(row) if row.is_array() => "array_of_arrays",
            Ty::Lists(_) => return self.later_expr(span, &format!("an array of {}", list.ty)),
            _ => "array_of_list",
        };
        self.prelude_call("sequence", function, vec![list], span)
    }

    fn array_of_range(&mut self, range: Expr, span: Span) -> Expr {
        let mut before = Vec::new();
        let parts = match range.kind {
            ExprKind::Range(parts) => *parts,
            _ => {
                let range = self.once(range, &mut before);
                self.range_parts(&range)
            }
        };
        let array = self.prelude_call("sequence", "array_of_range", parts.to_vec(), span);
        Self::seq(before, array)
    }

    /// `list.append(value)`.
    pub(in crate::typed) fn append(&mut self, list: Expr, value: Expr, span: Span) -> Expr {
        self.put(&OpKind::ListAppend, list, value, span)
    }

    /// `list.append(value)` or `deque.appendleft(value)`, as `kind` is.
    pub(in crate::typed) fn put(&mut self, kind: &OpKind, list: Expr, value: Expr, span: Span) -> Expr {
        let item = match (&list.ty, Ty::list_of(&value.ty)) {
            (Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_), _) => list.ty.list_item(),
            (Ty::EmptyList(_), Some(held)) => {
                self.note_contents(&list.ty.clone(), &held);
                return Expr::none(span);
            }
            (Ty::EmptyList(_), None) => return self.not_an_item(&value),
            (other, _) => {
                let headline = format!("{other} has no `append`");
                return self.error(code::UNKNOWN_ATTRIBUTE, list.span, headline, "only lists grow");
            }
        };
        let Some(item) = item else { return Expr::error(span) };
        // Numbers promote to the list's type, as far as its kind allows.
        let value = self.declare(value, &item, list.span, "stored");
        if value.ty.is_silent() {
            return Expr::error(span);
        }
        self.put_item(kind, &list, value, span)
    }

    /// An operation for its effect, as an expression that gives None.
    pub(in crate::typed) fn effect_expr(&mut self, kind: OpKind, args: Vec<Expr>, span: Span) -> Expr {
        let effect = tree::Stmt::new(tree::StmtKind::Effect(kind, args), span);
        Self::seq(vec![effect], Expr::none(span))
    }
}
