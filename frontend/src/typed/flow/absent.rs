//! Variables that may be None: `best = None`, and in a loop `if best is None or x > best: best = x`.
//!
//! Such a variable is a flag and a value ([`Ty::Maybe`]). Where a test has said that it is not None it is the value alone: its name stands
//! for another variable from there on, and where ways meet, it may be None again.

use super::env::{Binding, NameId};
use super::infer::Infer;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, CompareOp, ExprKind, LogicalOp, UnaryOp};
use crate::typed::program::tree::Expr;
use crate::typed::types::ty::Ty;

/// What names stood for before a part of an expression knew more.
pub(in crate::typed) type Wider = Vec<(NameId, Option<Binding>)>;

impl Infer<'_, '_> {
    /// A value that is never None; what may be was reported.
    pub(in crate::typed) fn certain(&mut self, value: Expr) -> Expr {
        if !value.ty.has_maybe() {
            return value;
        }
        let diagnostic = Diagnostic::error(code::NONE_VALUE, "this may be None here")
            .primary(value.span, format!("this is {}", value.ty))
            .help("ask before: `if x is not None:`, or `assert x is not None`");
        self.fail(diagnostic)
    }

    /// `value is None`, of what may be.
    pub(in crate::typed) fn is_absent(&mut self, value: Expr) -> Expr {
        let mut before = Vec::new();
        let value = self.once(value, &mut before);
        let is_present = self.item_of(&value, 0);
        Self::seq(before, Self::not(Expr { ty: Ty::BOOL, ..is_present }))
    }

    /// Whether what may be None is something that counts as true.
    pub(in crate::typed) fn truth_of_maybe(&mut self, value: Expr) -> Expr {
        let (mut before, span) = (Vec::new(), value.span);
        let value = self.once(value, &mut before);
        let is_present = Expr { ty: Ty::BOOL, ..self.item_of(&value, 0) };
        let own = self.item_of(&value, 1);
        let truth = self.truth(own);
        if truth.ty.is_silent() {
            return truth;
        }
        Self::seq(before, Self::choose(is_present, truth, Expr::bool(false, span), span))
    }

    /// From here on `test` is known to be true, or false: variables that are not None then are their values.
    pub(in crate::typed) fn narrow(&mut self, test: &ast::Expr, truth: bool) {
        for (name, value) in self.present_where(test, truth) {
            self.assign(name, value, test.span);
        }
    }

    /// As [`narrow`](Self::narrow), in a part of an expression.
    pub(in crate::typed) fn narrowed<T>(
        &mut self,
        test: &ast::Expr,
        truth: bool,
        walk: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.narrow_within(test, truth);
        let result = walk(self);
        self.widen(before);
        result
    }

    /// Narrows for what follows in an expression; gives what [`widen`](Self::widen) puts back.
    pub(in crate::typed) fn narrow_within(&mut self, test: &ast::Expr, truth: bool) -> Wider {
        let mut before = Vec::new();
        for (name, value) in self.present_where(test, truth) {
            before.push((name, self.env.as_ref().and_then(|env| env.get(name))));
            self.constants.push(value);
            self.bind(name, Binding::Constant(self.constants.len() - 1));
        }
        before
    }

    /// Ends [`narrow_within`](Self::narrow_within).
    pub(in crate::typed) fn widen(&mut self, before: Wider) {
        // A test may ask twice about one variable.
        for (name, binding) in before.into_iter().rev() {
            if let Some(env) = &mut self.env {
                env.set(name, binding);
            }
        }
    }

    /// Variables that may be None and are not where a test is true, or false, with their values.
    fn present_where(&mut self, test: &ast::Expr, truth: bool) -> Vec<(NameId, Expr)> {
        let mut names = Vec::new();
        self.names_present(test, truth, &mut names);
        let mut present = Vec::new();
        for (name, span) in names {
            let is_bound = matches!(
                self.env.as_ref().and_then(|env| env.get(name)),
                Some(Binding::Local { .. } | Binding::Constant(_))
            );
            if is_bound {
                let value = self.variable(name, span);
                if let Ty::Maybe(_) = value.ty {
                    present.push((name, self.item_of(&value, 1)));
                }
            }
        }
        present
    }

    fn names_present(&self, test: &ast::Expr, truth: bool, names: &mut Vec<(NameId, Span)>) {
        match &test.kind {
            ExprKind::Name(name) if truth => {
                names.extend(self.name_index(name).map(|name| (name, test.span)))
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.names_present(operand, !truth, names),
            ExprKind::Logical { op, values } if truth == (*op == LogicalOp::And) => {
                values.iter().for_each(|value| self.names_present(value, truth, names));
            }
            ExprKind::Compare { first, rest } => {
                let [(op, ast::Expr { kind: ExprKind::None, .. })] = rest.as_slice() else { return };
                let is_present = match op {
                    CompareOp::Is | CompareOp::Eq => !truth,
                    CompareOp::IsNot | CompareOp::NotEq => truth,
                    _ => false,
                };
                if is_present && let ExprKind::Name(name) = &first.kind {
                    names.extend(self.name_index(name).map(|name| (name, first.span)));
                }
            }
            _ => {}
        }
    }
}
