//! `slice(start, stop, step)` as a value: the ints that are there; which are is part of its type.

use crate::diagnostics::code;
use crate::source::Span;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::ty::{Num, Ty};

impl Infer<'_, '_> {
    /// `slice(stop)`, `slice(start, stop)` or `slice(start, stop, step)`, each an integer or None.
    pub(in crate::typed) fn slice_value(&mut self, mut args: Vec<Expr>, span: Span) -> Expr {
        let none = Expr::none(span);
        match args.len() {
            1 => args.insert(0, none.clone()),
            2 | 3 => {}
            count => {
                let headline = format!("slice expected 1 to 3 arguments, got {count}");
                return self.error(code::WRONG_ARGUMENT_COUNT, span, headline, "");
            }
        }
        args.resize(3, none);
        let (mut there, mut parts) = ([false; 3], Vec::new());
        for (is_there, part) in there.iter_mut().zip(args) {
            if part.ty == Ty::None {
                continue;
            }
            let at = part.span;
            let part = self.integer_index(part, at);
            if part.ty.is_silent() {
                return Expr::silent([&part], span);
            }
            *is_there = true;
            parts.push(self.convert(part, Num::INT));
        }
        Expr::new(ExprKind::Tuple(parts), Ty::Slice(there), span)
    }

    /// Start, stop and step of a slice that is a value.
    pub(in crate::typed) fn parts_of_slice(&mut self, slice: Expr) -> [Option<Expr>; 3] {
        let Ty::Slice(there) = slice.ty else { return [None, None, None] };
        let count = there.iter().filter(|there| **there).count();
        let parts = Expr { ty: Ty::Tuple(vec![Ty::INT; count].into()), ..slice };
        let parts = self.keep(parts);
        let mut next = 0;
        there.map(|there| {
            there.then(|| {
                next += 1;
                self.item_of(&parts, next - 1)
            })
        })
    }
}
