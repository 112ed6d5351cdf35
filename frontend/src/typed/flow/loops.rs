//! `while`, `for`, `break`, `continue`.

use super::env::{Env, Way};
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
        let iteration = self.iteration(&for_.iter);
        self.for_over(for_, iteration, span);
    }

    /// As [`for_`](Self::for_), with what it goes over evaluated.
    pub(in crate::typed) fn for_over(&mut self, for_: &For, iteration: Result<Iteration, Ty>, span: Span) {
        let iteration = match iteration {
            Ok(iteration) => iteration,
            Err(silent) => return self.after_bad_iteration(for_, silent),
        };
        match iteration {
            _ if for_.parallel => self.pfor(for_, iteration, span),
            Iteration::Unrolled(items) => self.unrolled(for_, items, span),
            iteration if for_.orelse.is_empty() => {
                self.counted(for_, &iteration, span, None);
            }
            iteration => self.with_else(for_, &iteration, span),
        }
    }

    /// What is iterated over is wrong, or not known yet: so are the variables, and the body is still looked at.
    fn after_bad_iteration(&mut self, for_: &For, silent: Ty) {
        let target = Expr::new(ExprKind::Error, silent, for_.target.span);
        self.assign_target(&for_.target, target, None);
        let label = self.label();
        self.enter(label, label, None);
        self.stmts(&for_.body);
        self.leave();
        self.env.get_or_insert_with(Env::default);
        if self.env.as_ref().is_some_and(|env| env.is_empty()) {
            self.env = None;
        }
    }

    /// A loop with `else`: what breaks leaves a scope that holds the `else` as well.
    fn with_else(&mut self, for_: &For, iteration: &Iteration, span: Span) {
        let outer = self.label();
        let mut breaks = Vec::new();
        let body = self.block(|s| {
            breaks = s.counted(for_, iteration, span, Some(outer));
            s.stmts(&for_.orelse);
            s.end_way(&mut breaks);
        });
        self.push(StmtKind::Scope { label: outer, body }, span);
        self.env = self.join(&breaks);
    }

    /// A loop that counts. Without `break_to`, a `break` leads where the loop's end leads; else there, and
    /// these ways are given back.
    pub(in crate::typed) fn counted(
        &mut self,
        for_: &For,
        iteration: &Iteration,
        span: Span,
        break_to: Option<Label>,
    ) -> Vec<Way> {
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
                s.iteration_body(for_, iteration, index, label);
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

    /// Assigns the target and walks the body.
    pub(in crate::typed) fn iteration_body(
        &mut self,
        for_: &For,
        iteration: &Iteration,
        index: tree::LocalId,
        label: Label,
    ) {
        let span = for_.iter.span;
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
        let declared = self.declared_type(for_.annotation.as_ref());
        self.assign_target(&for_.target, item, declared);
        self.stmts(&for_.body);
    }

    /// A loop over a tuple: the body once for each item, since their types may differ.
    fn unrolled(&mut self, for_: &For, items: Vec<Expr>, span: Span) {
        let outer = self.label();
        let mut breaks = Vec::new();
        let body = self.block(|s| {
            for item in items {
                if s.env.is_none() || !s.may_unroll(for_) {
                    break;
                }
                let inner = s.label();
                s.enter(outer, inner, None);
                let mut ways = Vec::new();
                let once = s.block(|s| {
                    s.assign_target(&for_.target, item, None);
                    s.stmts(&for_.body);
                    s.end_way(&mut ways);
                });
                let context = s.leave();
                breaks.extend(context.breaks);
                s.continue_as_break(once, inner, span);
                ways.extend(context.continues);
                s.env = s.join(&ways);
            }
            if s.env.is_some() {
                s.stmts(&for_.orelse);
            }
            s.end_way(&mut breaks);
        });
        self.push(StmtKind::Scope { label: outer, body }, span);
        self.env = self.join(&breaks);
    }

    /// Whether there is room for one more copy of a loop's body.
    fn may_unroll(&mut self, for_: &For) -> bool {
        self.unrolled += 1;
        if self.unrolled == MAX_UNROLLED {
            let diagnostic = Diagnostic::error(code::NESTING_TOO_DEEP, "this loop over a tuple is too long")
                .primary(for_.iter.span, "the body is compiled for each item")
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
