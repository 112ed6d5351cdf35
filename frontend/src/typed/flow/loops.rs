//! `while`, `for`, `break`, `continue`.

use super::env::Way;
use super::infer::{Infer, LoopContext};
use super::iterate::Iteration;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, For, Stmt};
use crate::typed::program::renumber;
use crate::typed::program::tree::{self, Expr, ExprKind, Label, StmtKind};
use crate::typed::types::ty::Ty;

/// Copies that loops over tuples may make in one function.
const MAX_UNROLLED: usize = 10_000;

/// Where a loop is written.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub whole: Span,
    /// What it goes over.
    pub over: Span,
}

/// What happens to an item of a loop.
pub type Each<'c, I> = &'c mut dyn FnMut(&mut I, Expr);

impl Infer<'_, '_> {
    pub(in crate::typed) fn while_(&mut self, test: &ast::Expr, body: &[Stmt], orelse: &[Stmt], span: Span) {
        let label = self.label();
        let mut breaks = Vec::new();
        let mut typed = Vec::new();
        self.fixpoint(span, |s| {
            breaks.clear();
            let mut ways = Vec::new();
            typed = s.block(|s| {
                s.while_test(test, orelse, label, &mut breaks);
                s.enter(label, label, None);
                s.stmts(body);
                s.end_way(&mut ways);
            });
            let context = s.leave();
            breaks.extend(context.breaks);
            ways.extend(context.continues);
            ways
        });
        self.push(StmtKind::Loop { label, body: typed }, span);
        self.env = self.join(&breaks);
    }

    /// `if not test: orelse; break`.
    fn while_test(&mut self, test: &ast::Expr, orelse: &[Stmt], label: Label, breaks: &mut Vec<Way>) {
        let cond = self.condition(test);
        if cond.as_bool() == Some(true) {
            return;
        }
        let inside = self.env.clone();
        let out = self.block(|s| {
            s.narrow(test, false);
            s.stmts(orelse);
            if s.env.is_some() {
                s.end_way(breaks);
                s.push(StmtKind::Break(label), test.span);
            }
        });
        self.env = inside;
        if cond.as_bool() == Some(false) {
            self.out.extend(out);
            self.env = None;
            return;
        }
        let label = self.label();
        self.push(StmtKind::If { label, cond, then: Vec::new(), orelse: out }, test.span);
        self.narrow(test, true);
    }

    pub(in crate::typed) fn enter(&mut self, break_to: Label, continue_to: Label, pfor: Option<Span>) {
        let (breaks, continues) = (Vec::new(), Vec::new());
        self.loops.push(LoopContext { break_to, continue_to, breaks, continues, pfor });
    }

    pub(in crate::typed) fn leave(&mut self) -> LoopContext {
        // Each `leave` stands after its `enter`.
        self.loops.pop().expect("loops are entered before they are left")
    }

    pub(in crate::typed) fn break_(&mut self, span: Span) {
        let Some(context) = self.loops.last() else { return };
        let label = context.break_to;
        if context.pfor.is_some() {
            // Refused when the tree was made.
            self.env = None;
            return;
        }
        let mut ways = Vec::new();
        self.end_way(&mut ways);
        self.push(StmtKind::Break(label), span);
        if let Some(context) = self.loops.last_mut() {
            context.breaks.extend(ways);
        }
    }

    pub(in crate::typed) fn continue_(&mut self) {
        let Some(context) = self.loops.last() else { return };
        let label = context.continue_to;
        let mut ways = Vec::new();
        self.end_way(&mut ways);
        self.push(StmtKind::Continue(label), Span::default());
        if let Some(context) = self.loops.last_mut() {
            context.continues.extend(ways);
        }
    }

    pub(in crate::typed) fn for_(&mut self, for_: &For, span: Span) {
        let at = Place { whole: span, over: for_.iter.span };
        match self.iteration(&for_.iter) {
            Err(silent) => {
                let item = Expr::new(ExprKind::Error, silent, for_.target.span);
                self.after_bad_iteration(item, &mut |s, item| s.untyped_item_of_for(for_, item));
            }
            Ok(iteration) if for_.parallel => self.pfor(for_, iteration, span),
            Ok(Iteration::Unrolled(items)) => {
                let each: Each<'_, Self> = &mut |s, item| s.untyped_item_of_for(for_, item);
                self.unrolled(at, items, each, |s| s.stmts(&for_.orelse));
            }
            Ok(Iteration::Composed(composed)) => {
                let each: Each<'_, Self> = &mut |s, item| s.item_of_for(for_, item);
                self.composed(at, &composed, each, |s| s.stmts(&for_.orelse));
            }
            Ok(iteration) if for_.orelse.is_empty() => {
                self.counted(at, &iteration, None, &mut |s, item| s.item_of_for(for_, item));
            }
            Ok(iteration) => self.with_else(for_, &iteration, at),
        }
    }

    /// Gives an item to the target of a loop, and walks the body.
    pub(in crate::typed) fn item_of_for(&mut self, for_: &For, item: Expr) {
        let declared = self.declared_type(for_.annotation.as_ref());
        self.assign_target(&for_.target, item, declared);
        self.stmts(&for_.body);
    }

    /// As [`item_of_for`](Self::item_of_for), whatever type the target is declared to have.
    fn untyped_item_of_for(&mut self, for_: &For, item: Expr) {
        self.assign_target(&for_.target, item, None);
        self.stmts(&for_.body);
    }

    /// A loop that is no statement: `each` is what happens to an item; `target` is where the program names it.
    pub(in crate::typed) fn for_each(
        &mut self,
        at: Place,
        target: Span,
        iteration: Result<Iteration, Ty>,
        each: Each<'_, Self>,
    ) {
        match iteration {
            Err(silent) => self.after_bad_iteration(Expr::new(ExprKind::Error, silent, target), each),
            Ok(Iteration::Unrolled(items)) => self.unrolled(at, items, each, |_| {}),
            Ok(Iteration::Composed(composed)) => self.composed(at, &composed, each, |_| {}),
            Ok(iteration) => {
                self.counted(at, &iteration, None, each);
            }
        }
    }

    /// What is iterated over is wrong, or not known yet: so are the variables, and the body is still looked at.
    pub(super) fn after_bad_iteration(&mut self, item: Expr, each: Each<'_, Self>) {
        let label = self.label();
        self.enter(label, label, None);
        each(self, item);
        self.leave();
    }

    /// A loop with `else`: what breaks leaves a scope that holds the `else` as well.
    fn with_else(&mut self, for_: &For, iteration: &Iteration, at: Place) {
        let body = |s: &mut Self, outer| {
            s.counted(at, iteration, Some(outer), &mut |s, item| s.item_of_for(for_, item))
        };
        self.leaving(at.whole, body, |s| s.stmts(&for_.orelse));
    }

    /// A loop that counts. Without `break_to`, a `break` leads where the loop's end leads; else there, and
    /// these ways are given back.
    pub(in crate::typed) fn counted(
        &mut self,
        at: Place,
        iteration: &Iteration,
        break_to: Option<Label>,
        each: Each<'_, Self>,
    ) -> Vec<Way> {
        let span = at.whole;
        let stepped = match iteration {
            Iteration::Indexed(positions) if positions.grows => Some(Iteration::Stepped(positions.clone())),
            _ => None,
        };
        let iteration = stepped.as_ref().unwrap_or(iteration);
        let label = self.label();
        let index = self.temporary(&Ty::INT);
        let mut typed = Vec::new();
        let mut breaks = Vec::new();
        let head = self.fixpoint(span, |s| {
            let mut ways = Vec::new();
            typed = s.block(|s| {
                s.enter(break_to.unwrap_or(label), label, None);
                s.iteration_body(at.over, iteration, index, label, &mut *each);
                s.end_way(&mut ways);
            });
            let context = s.leave();
            ways.extend(context.continues);
            match break_to {
                Some(_) => breaks = context.breaks,
                None => ways.extend(context.breaks),
            }
            ways
        });
        let kind = match iteration.range() {
            Some(range) => {
                StmtKind::For { label, range: Box::new(range), index, body: typed, parallel: None }
            }
            None => {
                // A growing list, or a dict: the index is a variable like any other.
                let zero = Expr::int(0, span);
                let mut outer = self.take_entry_edge();
                self.push(StmtKind::Set(index, zero), span);
                self.out.append(&mut outer);
                StmtKind::Loop { label, body: typed }
            }
        };
        self.push(kind, span);
        self.env = head;
        breaks
    }

    /// The edge into a loop, to put something before it.
    fn take_entry_edge(&mut self) -> Vec<tree::Stmt> {
        let at = self.out.len().saturating_sub(1);
        self.out.split_off(at)
    }

    /// An iteration: `each` is what happens to the item at the index.
    pub(in crate::typed) fn iteration_body(
        &mut self,
        span: Span,
        iteration: &Iteration,
        index: tree::LocalId,
        label: Label,
        each: Each<'_, Self>,
    ) {
        let at = Expr::new(ExprKind::Local(index), Ty::INT, span);
        if let Iteration::Growing(list) = iteration {
            self.growing_test(list, &at, index, label, span);
        }
        if let Iteration::Stepped(positions) = iteration {
            self.stepped_test(positions, &at, index, label, span);
        }
        if let Iteration::Entries(entries) = iteration {
            self.entries_test(entries, &at, index, label, span);
        }
        let item = self.iteration_item(iteration, &at, span);
        each(self, item);
    }

    /// A loop over a tuple: the body once for each item, since their types may differ.
    fn unrolled(
        &mut self,
        at: Place,
        items: Vec<Expr>,
        each: Each<'_, Self>,
        orelse: impl FnOnce(&mut Self),
    ) {
        self.leaving(at.whole, |s, outer| s.one_by_one(at, items, outer, each), orelse);
    }

    /// A scope that `break` leaves: `body` gives the ways of these. `orelse` stands behind it where nothing breaks.
    pub(super) fn leaving(
        &mut self,
        span: Span,
        body: impl FnOnce(&mut Self, Label) -> Vec<Way>,
        orelse: impl FnOnce(&mut Self),
    ) {
        let outer = self.label();
        let mut breaks = Vec::new();
        let body = self.block(|s| {
            breaks = body(s, outer);
            if s.env.is_some() {
                orelse(s);
            }
            s.end_way(&mut breaks);
        });
        self.push(StmtKind::Scope { label: outer, body }, span);
        self.env = self.join(&breaks);
    }

    /// The body once for each item. A `break` leads to `outer`; these ways are given back.
    pub(super) fn one_by_one(
        &mut self,
        at: Place,
        items: Vec<Expr>,
        outer: Label,
        each: Each<'_, Self>,
    ) -> Vec<Way> {
        let mut breaks = Vec::new();
        for item in items {
            if self.env.is_none() || !self.may_unroll(at.over) {
                break;
            }
            let inner = self.label();
            self.enter(outer, inner, None);
            let mut ways = Vec::new();
            let once = self.block(|s| {
                each(s, item);
                s.end_way(&mut ways);
            });
            let context = self.leave();
            breaks.extend(context.breaks);
            self.continue_as_break(once, inner, at.whole);
            ways.extend(context.continues);
            self.env = self.join(&ways);
        }
        breaks
    }

    /// Whether there is room for one more copy of a loop's body.
    fn may_unroll(&mut self, over: Span) -> bool {
        self.unrolled += 1;
        if self.unrolled == MAX_UNROLLED {
            let diagnostic = Diagnostic::error(code::NESTING_TOO_DEEP, "this loop over a tuple is too long")
                .primary(over, "the body is compiled for each item")
                .help("iterate over an array or a list");
            self.report(diagnostic);
        }
        self.unrolled < MAX_UNROLLED
    }

    /// An unrolled iteration is a scope; `continue` leaves it.
    fn continue_as_break(&mut self, mut body: Vec<tree::Stmt>, label: Label, span: Span) {
        renumber::continue_to_break(&mut body, label);
        self.push(StmtKind::Scope { label, body }, span);
    }
}
