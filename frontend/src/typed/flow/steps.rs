//! Loops whose number of iterations is not known before: tests at the head of each iteration.

use super::infer::Infer;
use super::iterate::{Entries, Item, Positions};
use crate::source::Span;
use crate::typed::containers::dicts;
use crate::typed::program::tree::{Expr, ExprKind, Label, LocalId, StmtKind};
use crate::typed::types::ty::Ty;
use pydd_ir::ElemOp;

impl Infer<'_, '_> {
    /// `if index >= len(list): break`, then `index += 1`.
    pub(in crate::typed) fn growing_test(
        &mut self,
        list: &Expr,
        at: &Expr,
        index: LocalId,
        label: Label,
        span: Span,
    ) {
        if matches!(list.ty, Ty::EmptyList(_)) {
            return;
        }
        let length = self.list_length(list, span);
        let more = Self::elem(ElemOp::Lt, vec![at.clone(), length], true, span);
        self.leave_unless(more, label, span);
        self.advance(at, index, span);
    }

    /// As [`growing_test`](Self::growing_test), for items of several sources: the first one at its end ends the loop.
    pub(in crate::typed) fn stepped_test(
        &mut self,
        positions: &Positions,
        at: &Expr,
        index: LocalId,
        label: Label,
        span: Span,
    ) {
        let mut tests = Vec::new();
        if let Some(fixed) = &positions.fixed {
            tests.push(Self::elem(ElemOp::Lt, vec![at.clone(), fixed.clone()], true, span));
        }
        self.list_tests(&positions.items, at, &mut tests, span);
        let both = |a, b| Self::elem(ElemOp::And, vec![a, b], true, span);
        if let Some(more) = tests.into_iter().reduce(both) {
            self.leave_unless(more, label, span);
        }
        self.advance(at, index, span);
    }

    /// Whether each list has an item for a position.
    fn list_tests(&mut self, item: &Item, at: &Expr, tests: &mut Vec<Expr>, span: Span) {
        match item {
            Item::List(list) => {
                let length = self.list_length(list, span);
                tests.push(Self::elem(ElemOp::Lt, vec![at.clone(), length], true, span));
            }
            Item::Reversed(item, count) => {
                let at = Self::reversed_position(count, at, span);
                self.list_tests(item, &at, tests, span);
            }
            Item::Tuple(items) => items.iter().for_each(|item| self.list_tests(item, at, tests, span)),
            Item::Strided(item, start, step) => {
                let at = Self::strided_position(start, step, at, span);
                self.list_tests(item, &at, tests, span);
            }
            Item::Counter(..)
            | Item::Same(_)
            | Item::Array(_)
            | Item::Index(_)
            | Item::Flat(..)
            | Item::Entry { .. } => {}
        }
    }

    /// `index += 1`, at the loop's head, since `continue` must not pass it by.
    fn advance(&mut self, at: &Expr, index: LocalId, span: Span) {
        let next = Self::elem(ElemOp::Add, vec![at.clone(), Expr::int(1, span)], true, span);
        self.push(StmtKind::Set(index, next), span);
    }

    /// The position of this iteration, when the index was advanced for the next one.
    pub(in crate::typed) fn before(at: &Expr, span: Span) -> Expr {
        Self::elem(ElemOp::Sub, vec![at.clone(), Expr::int(1, span)], true, span)
    }

    /// The position from the other end of so many items.
    pub(in crate::typed) fn reversed_position(count: &Expr, at: &Expr, span: Span) -> Expr {
        let last = Self::before(count, span);
        Self::elem(ElemOp::Sub, vec![last, at.clone()], true, span)
    }

    /// `if not more: break`, out of a loop at its end.
    fn leave_unless(&mut self, more: Expr, label: Label, span: Span) {
        let inside = self.env.clone();
        let mut ways = Vec::new();
        let out = self.block(|s| {
            s.end_way(&mut ways);
            s.push(StmtKind::Break(label), span);
        });
        self.env = inside;
        if let Some(context) = self.loops.last_mut() {
            context.continues.extend(ways);
        }
        let join = self.label();
        self.push(StmtKind::If { label: join, cond: more, then: Vec::new(), orelse: out }, span);
    }

    /// The entry of the next iteration, or `break`; `at` is the index behind the last one.
    pub(in crate::typed) fn entries_test(
        &mut self,
        entries: &Entries,
        at: &Expr,
        index: LocalId,
        label: Label,
        span: Span,
    ) {
        let Entries { dict, count, left, entry, .. } = entries;
        let local = |local: LocalId| Expr::new(ExprKind::Local(local), Ty::INT, span);
        let args = vec![dict.clone(), at.clone(), count.clone(), local(*left)];
        let next = self.prelude_call(dicts::FILE, "following", args, span);
        self.push(StmtKind::Set(*entry, next), span);
        let zero = Expr::int(0, span);
        let more = Self::elem(ElemOp::Ge, vec![local(*entry), zero], true, span);
        self.leave_unless(more, label, span);
        let one = || Expr::int(1, span);
        let step = |op, of| Self::elem(op, vec![local(of), one()], true, span);
        self.push(StmtKind::Set(index, step(ElemOp::Add, *entry)), span);
        self.push(StmtKind::Set(*left, step(ElemOp::Sub, *left)), span);
    }
}
