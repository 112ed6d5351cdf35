//! `map` and `filter` where something goes over them: `sum(map(f, xs))` is read as `sum(f(x) for x in xs)`, and
//! `filter(f, xs)` as `(x for x in xs if f(x))`.

use super::{Converter, defined_function};
use crate::source::Span;
use crate::syntax::ast::{Clause, ComprehensionKind, Expr, ExprKind, Ident};
use crate::syntax::span_of;
use pydd_ir::catalogue::Form;
use rustpython_parser::ast::{self as py, Ranged};

impl Converter<'_, '_> {
    /// Something to go over.
    pub(super) fn iterable(&mut self, expr: &py::Expr) -> Expr {
        match self.mapped(expr) {
            Some(kind) => self.expr_node(span_of(expr.range()), kind),
            None => self.expr(expr),
        }
    }

    /// A call of `map` or `filter` as a generator; None for other expressions.
    pub(super) fn mapped(&mut self, expr: &py::Expr) -> Option<ExprKind> {
        let py::Expr::Call(call) = expr else { return None };
        let py::Expr::Name(name) = &*call.func else { return None };
        let [function, over @ ..] = call.args.as_slice() else { return None };
        let form = Form::named(&name.id).filter(|form| matches!(form, Form::Map | Form::Filter))?;
        if !call.keywords.is_empty() || self.defines(&name.id) {
            return None;
        }
        let span = span_of(call.range);
        match (form, over) {
            (Form::Map, [_, ..]) => self.map(function, over, span),
            (Form::Filter, [over]) => self.filter(function, over, span),
            _ => None,
        }
    }

    /// Whether the file has a function of this name.
    fn defines(&self, name: &str) -> bool {
        let mut starts = self.scan.lines.iter().map(|line| line.span.start);
        starts.any(|start| defined_function(self.source, start).as_deref() == Some(name))
    }

    fn map(&mut self, function: &py::Expr, over: &[py::Expr], span: Span) -> Option<ExprKind> {
        let (targets, element) = self.applied(function, over.len())?;
        let iters: Vec<Expr> = over.iter().map(|over| self.iterable(over)).collect();
        let iter = match <[Expr; 1]>::try_from(iters) {
            Ok([iter]) => iter,
            Err(args) => {
                let func = Box::new(self.expr_node(span, ExprKind::Name("zip".to_owned())));
                self.expr_node(span, ExprKind::Call { func, args, keywords: Vec::new() })
            }
        };
        let target = match <[Expr; 1]>::try_from(targets) {
            Ok([target]) => target,
            Err(targets) => self.expr_node(span, ExprKind::Tuple(targets)),
        };
        Some(generator(element, Clause { target, iter, conditions: Vec::new() }))
    }

    fn filter(&mut self, function: &py::Expr, over: &py::Expr, span: Span) -> Option<ExprKind> {
        let (target, condition) = match function {
            py::Expr::Constant(constant) if constant.value.is_none() => {
                let item = |s: &mut Self| s.expr_node(span, ExprKind::Item(0));
                (item(self), item(self))
            }
            _ => {
                let (targets, condition) = self.applied(function, 1)?;
                (targets.into_iter().next()?, condition)
            }
        };
        let iter = self.iterable(over);
        Some(generator(target.clone(), Clause { target, iter, conditions: vec![condition] }))
    }

    /// Targets for so many items, and what the function gives for them.
    fn applied(&mut self, function: &py::Expr, count: usize) -> Option<(Vec<Expr>, Expr)> {
        let span = span_of(function.range());
        if let py::Expr::Lambda(_) = function {
            let ExprKind::Lambda { params, body } = self.argument(function).kind else { return None };
            if params.len() != count {
                return None;
            }
            let name = |s: &mut Self, param: Ident| s.expr_node(param.span, ExprKind::Name(param.name));
            let targets = params.into_iter().map(|param| name(self, param)).collect();
            return Some((targets, *body));
        }
        let mut items =
            || -> Vec<Expr> { (0..count).map(|at| self.expr_node(span, ExprKind::Item(at))).collect() };
        let (targets, args) = (items(), items());
        let func = Box::new(self.expr(function));
        let element = self.expr_node(span, ExprKind::Call { func, args, keywords: Vec::new() });
        Some((targets, element))
    }
}

fn generator(element: Expr, clause: Clause) -> ExprKind {
    let kind = ComprehensionKind::Generator;
    ExprKind::Comprehension { kind, element: Box::new(element), clauses: vec![clause] }
}
