//! `sum(a * b for a, b in pairs)` of arrays, of which no list is made.

use crate::source::Span;
use crate::syntax::ast::CompareOp;
use crate::typed::expressions::comprehension::Parts;
use crate::typed::flow::hidden::Hidden;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, StmtKind};
use crate::typed::types::promote::promote;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::OpKind;

impl Infer<'_, '_> {
    /// How many axes the elements of a comprehension have, if they are arrays.
    pub(in crate::typed) fn element_rank(&mut self, parts: &Parts<'_>) -> Option<u8> {
        match self.element_type(parts)? {
            Ty::Array { rank, .. } if rank > 0 => Some(rank),
            _ => None,
        }
    }

    /// Raises where there was no array.
    fn need_one(&mut self, count: Expr, span: Span) {
        let needed = self.prelude_call("sequence", "need_one_array", vec![count], span);
        self.push(StmtKind::Eval(needed), span);
    }

    /// `sum(…)` of arrays: the first one is added to 0, as Python does, each other one to those before it.
    pub(in crate::typed) fn sum_of_arrays(&mut self, parts: &Parts<'_>) -> Expr {
        let span = parts.span;
        self.gathering(span, None, &mut |s| {
            let start = match s.element_type(parts) {
                Some(element) => Self::no_sum(&element, span),
                None => Expr::int(0, span),
            };
            let [sum, count] =
                [(Hidden::Sum, start), (Hidden::Rows, Expr::int(0, span))].map(|(variable, start)| {
                    let name = s.hidden(span, variable);
                    s.assign(name, start, span);
                    name
                });
            s.over_elements(parts, &mut |s| {
                let is_first = s.test(CompareOp::Eq, count, |_| Expr::int(0, span), span);
                let first = |s: &mut Self| s.add_element(sum, Expr::int(0, span), parts.element, span);
                s.either_way(is_first, span, first, |s| {
                    let so_far = s.variable(sum, span);
                    s.add_element(sum, so_far, parts.element, span);
                });
                s.count(count, span);
            });
            if s.env.is_some() {
                let count = s.variable(count, span);
                s.need_one(count, span);
            }
            s.unbind(count);
            s.end_of(sum, span)
        })
    }

    /// What a sum of such arrays is before the first one: nothing, in the sum's type.
    fn no_sum(element: &Ty, span: Span) -> Expr {
        let Ty::Array { dtype, rank } = *element else { return Expr::error(span) };
        let sum = promote(Num::INT, Num::strong(dtype)).dtype;
        let sizes = (0..rank).map(|_| Expr::int(0, span)).collect();
        Self::op(OpKind::Empty, sizes, Ty::array(sum, rank), span)
    }
}
