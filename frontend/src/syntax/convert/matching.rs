//! `match` becomes `if` and `elif`.
//!
//! ```text
//! match x, y:                      match.0 = x; match.1 = y
//!     case 0, 0: …                 if match.0 == 0 and match.1 == 0: …
//!     case a, 1 if a > 2: …   ⇒    elif match.1 == 1 and match.0 > 2:
//!         body                         a = match.0
//!     case _: …                        body
//!                                  else: …
//! ```
//!
//! Patterns are numbers, texts, `None`, names, tuples and lists of these, and alternatives without names. In a guard, what a
//! pattern names stands for what it is. Python binds these names before it asks the guard, and leaves them so where that says no: nobody
//! else may ask for them.

use super::Converter;
use crate::source::Span;
use crate::syntax::ast::{Branch, CompareOp, Expr, ExprKind, LogicalOp, Stmt, StmtKind, UnaryOp};
use crate::syntax::fresh;
use crate::syntax::span_of;
use crate::syntax::visit;
use rustpython_parser::ast::{self as py, Constant, Ranged};

/// What a pattern asks for, and the names that it gives values.
#[derive(Default)]
struct Found {
    tests: Vec<Expr>,
    names: Vec<(String, Expr)>,
}

/// A name of a case with a guard.
pub(super) struct Guarded {
    name: String,
    span: Span,
    /// The cases of its `match` that give it a value.
    cases: Vec<Span>,
}

impl Converter<'_, '_> {
    /// Refuses functions in which anything but the cases that bind it uses a name of a case with a guard.
    pub(super) fn check_guarded(&mut self, guarded: &[Guarded], body: &[Stmt]) {
        let mut used = Vec::new();
        visit::walk_stmts(body, &mut |stmt| {
            let bound = visit::bound_names(stmt);
            for expr in visit::exprs(stmt) {
                visit::walk_expr(expr, &mut |expr| {
                    if let ExprKind::Name(name) = &expr.kind
                        && !bound.iter().any(|(_, span)| *span == expr.span)
                    {
                        used.push((name.as_str(), expr.span));
                    }
                });
            }
        });
        let inside = |span: Span, case: &Span| case.start <= span.start && span.end <= case.end;
        for one in guarded {
            let elsewhere = |&&(name, span): &&(&str, Span)| {
                name == one.name && !one.cases.iter().any(|case| inside(span, case))
            };
            if used.iter().any(|use_| elsewhere(&use_)) {
                let what = format!("a name of a case with a guard, `{}`, that is used elsewhere", one.name);
                self.not_in_language(one.span, &what, "give it another name");
            }
        }
    }

    /// The statements in place of a `match`.
    pub(super) fn matching(&mut self, matching: &py::StmtMatch) -> Vec<Stmt> {
        let span = span_of(matching.subject.range());
        let mut stmts = Vec::new();
        let subject = match &*matching.subject {
            py::Expr::Tuple(tuple) if !tuple.elts.iter().any(|item| matches!(item, py::Expr::Starred(_))) => {
                let parts = tuple.elts.iter().map(|item| self.kept(item, &mut stmts)).collect();
                self.expr_node(span, ExprKind::Tuple(parts))
            }
            subject => self.kept(subject, &mut stmts),
        };
        self.note_guarded(&matching.cases);
        let mut branches = Vec::new();
        let mut orelse = Vec::new();
        for case in &matching.cases {
            let Some((test, body)) = self.case(case, &subject) else {
                stmts.push(Stmt { span, kind: self.error_stmt() });
                return stmts;
            };
            let Some(test) = test else {
                orelse = body;
                break;
            };
            let end = body.last().map_or(test.span.end, |stmt| stmt.span.end);
            branches.push(Branch { span: Span::new(test.span.start, end), test, body });
        }
        if branches.is_empty() {
            stmts.extend(orelse);
        } else {
            stmts.push(Stmt { span: span_of(matching.range), kind: StmtKind::If { branches, orelse } });
        }
        stmts
    }

    /// Takes note of what cases with a guard name.
    fn note_guarded(&mut self, cases: &[py::MatchCase]) {
        let all: Vec<(Span, Vec<(String, Span)>)> = cases
            .iter()
            .map(|case| {
                let own = span_of(case.pattern.range());
                let end = case.body.last().map_or(own.end, |stmt| span_of(stmt.range()).end);
                let mut names = Vec::new();
                names_of(&case.pattern, &mut names);
                (Span::new(own.start, end), names)
            })
            .collect();
        for (_, (_, names)) in cases.iter().zip(&all).filter(|(case, _)| case.guard.is_some()) {
            for (name, span) in names {
                let binds =
                    |(_, names): &&(Span, Vec<(String, Span)>)| names.iter().any(|(other, _)| other == name);
                let cases = all.iter().filter(binds).map(|(span, _)| *span).collect();
                self.guarded.push(Guarded { name: name.clone(), span: *span, cases });
            }
        }
    }

    /// A variable for a part of the subject.
    fn kept(&mut self, value: &py::Expr, stmts: &mut Vec<Stmt>) -> Expr {
        let span = span_of(value.range());
        let name = format!("match.{}", self.next_id);
        let value = self.expr(value);
        let target = self.expr_node(span, ExprKind::Name(name));
        let read = self.copy(&target);
        stmts.push(Stmt { span, kind: StmtKind::Assign { targets: vec![target], value, annotation: None } });
        read
    }

    /// What a case asks for, if anything, and what it does. `None` where that was refused.
    fn case(&mut self, case: &py::MatchCase, subject: &Expr) -> Option<(Option<Expr>, Vec<Stmt>)> {
        let mut found = Found::default();
        let span = span_of(case.pattern.range());
        self.pattern(&case.pattern, subject, &mut found)?;
        if let Some(guard) = &case.guard {
            let mut guard = self.expr(guard);
            self.with_values(&mut guard, &found.names);
            found.tests.push(guard);
        }
        let names = found.names.into_iter().map(|(name, value)| {
            let targets = vec![self.expr_node(value.span, ExprKind::Name(name))];
            Stmt { span: value.span, kind: StmtKind::Assign { targets, value, annotation: None } }
        });
        let mut body: Vec<Stmt> = names.collect();
        body.extend(self.block(&case.body));
        let test = match found.tests.len() {
            0 => None,
            1 => found.tests.pop(),
            _ => {
                let kind = ExprKind::Logical { op: LogicalOp::And, values: found.tests };
                Some(self.expr_node(span, kind))
            }
        };
        Some((test, body))
    }

    fn pattern(&mut self, pattern: &py::Pattern, subject: &Expr, found: &mut Found) -> Option<()> {
        let span = span_of(pattern.range());
        match pattern {
            py::Pattern::MatchValue(value) => {
                let value = self.expr(&value.value);
                let test = self.compared(subject, CompareOp::Eq, value, span);
                found.tests.push(test);
            }
            py::Pattern::MatchSingleton(single) => {
                let kind = match &single.value {
                    Constant::Bool(value) => ExprKind::Bool(*value),
                    _ => ExprKind::None,
                };
                let value = self.expr_node(span, kind);
                let test = self.compared(subject, CompareOp::Is, value, span);
                found.tests.push(test);
            }
            py::Pattern::MatchAs(named) => {
                if let Some(inner) = &named.pattern {
                    self.pattern(inner, subject, found)?;
                }
                if let Some(name) = &named.name {
                    let mut value = self.copy(subject);
                    value.span = span;
                    found.names.push((name.to_string(), value));
                }
            }
            py::Pattern::MatchOr(choice) => {
                let mut values = Vec::new();
                for pattern in &choice.patterns {
                    let mut one = Found::default();
                    self.pattern(pattern, subject, &mut one)?;
                    if !one.names.is_empty() {
                        self.not_in_language(span, "an alternative with a name", "write a `case` for each");
                        return None;
                    }
                    let test = match one.tests.len() {
                        0 => self.expr_node(span, ExprKind::Bool(true)),
                        1 => one.tests.remove(0),
                        _ => {
                            self.expr_node(span, ExprKind::Logical { op: LogicalOp::And, values: one.tests })
                        }
                    };
                    values.push(test);
                }
                let test = self.expr_node(span, ExprKind::Logical { op: LogicalOp::Or, values });
                found.tests.push(test);
            }
            py::Pattern::MatchSequence(sequence) => {
                self.sequence(&sequence.patterns, subject, found, span)?
            }
            _ => {
                let help = "patterns are numbers, texts, names, and tuples and lists of these";
                self.not_in_language(span, "this pattern", help);
                return None;
            }
        }
        Some(())
    }

    fn sequence(
        &mut self,
        patterns: &[py::Pattern],
        subject: &Expr,
        found: &mut Found,
        span: Span,
    ) -> Option<()> {
        let star = patterns.iter().position(|pattern| matches!(pattern, py::Pattern::MatchStar(_)));
        if let ExprKind::Tuple(parts) = &subject.kind
            && star.is_none()
        {
            if parts.len() != patterns.len() {
                let never = self.expr_node(span, ExprKind::Bool(false));
                found.tests.push(never);
                return Some(());
            }
            for (pattern, part) in patterns.iter().zip(parts) {
                self.pattern(pattern, part, found)?;
            }
            return Some(());
        }
        // Arrays, sets and dicts are no sequences to Python.
        let classes =
            ["list", "tuple", "range"].map(|class| self.expr_node(span, ExprKind::Name(class.to_owned())));
        let classes = self.expr_node(span, ExprKind::Tuple(classes.into()));
        let func = Box::new(self.expr_node(span, ExprKind::Name("isinstance".to_owned())));
        let args = vec![self.copy(subject), classes];
        let is_sequence = self.expr_node(span, ExprKind::Call { func, args, keywords: Vec::new() });
        found.tests.push(is_sequence);
        let least = patterns.len() - usize::from(star.is_some());
        let func = Box::new(self.expr_node(span, ExprKind::Name("len".to_owned())));
        let args = vec![self.copy(subject)];
        let length = self.expr_node(span, ExprKind::Call { func, args, keywords: Vec::new() });
        let count = self.expr_node(span, ExprKind::Int(least as u64));
        let op = if star.is_some() { CompareOp::GtEq } else { CompareOp::Eq };
        let test = self.compared(&length, op, count, span);
        found.tests.push(test);
        for (at, pattern) in patterns.iter().enumerate() {
            let behind = patterns.len() - at;
            if let py::Pattern::MatchStar(rest) = pattern {
                if let Some(name) = &rest.name {
                    let value = self.between(subject, at, behind - 1, span);
                    found.names.push((name.to_string(), value));
                }
                continue;
            }
            let index = match star {
                Some(star) if at > star => self.index_from_end(behind, span),
                _ => self.expr_node(span, ExprKind::Int(at as u64)),
            };
            let (value, indices) = (Box::new(self.copy(subject)), vec![index]);
            let item = self.expr_node(span, ExprKind::Subscript { value, indices, tuple: false });
            self.pattern(pattern, &item, found)?;
        }
        Some(())
    }

    /// `list(subject[first:-last])`
    fn between(&mut self, subject: &Expr, first: usize, last: usize, span: Span) -> Expr {
        let lower = Some(Box::new(self.expr_node(span, ExprKind::Int(first as u64))));
        let upper = (last > 0).then(|| Box::new(self.index_from_end(last, span)));
        let slice = self.expr_node(span, ExprKind::Slice { lower, upper, step: None });
        let (value, indices) = (Box::new(self.copy(subject)), vec![slice]);
        let part = self.expr_node(span, ExprKind::Subscript { value, indices, tuple: false });
        let func = Box::new(self.expr_node(span, ExprKind::Name("list".to_owned())));
        self.expr_node(span, ExprKind::Call { func, args: vec![part], keywords: Vec::new() })
    }

    fn index_from_end(&mut self, behind: usize, span: Span) -> Expr {
        let operand = Box::new(self.expr_node(span, ExprKind::Int(behind as u64)));
        self.expr_node(span, ExprKind::Unary { op: UnaryOp::Neg, operand })
    }

    fn compared(&mut self, left: &Expr, op: CompareOp, right: Expr, span: Span) -> Expr {
        let first = Box::new(self.copy(left));
        self.expr_node(span, ExprKind::Compare { first, rest: vec![(op, right)] })
    }

    /// Values in place of names.
    fn with_values(&mut self, expr: &mut Expr, names: &[(String, Expr)]) {
        if let ExprKind::Name(name) = &expr.kind {
            if let Some((_, value)) = names.iter().find(|(known, _)| known == name) {
                expr.kind = self.copy(value).kind;
            }
            return;
        }
        visit::children_mut(expr, &mut |child| self.with_values(child, names));
    }

    fn copy(&mut self, expr: &Expr) -> Expr {
        fresh::copy(&mut self.next_id, expr)
    }
}

/// The names that a pattern gives values.
fn names_of(pattern: &py::Pattern, names: &mut Vec<(String, Span)>) {
    let span = span_of(pattern.range());
    match pattern {
        py::Pattern::MatchAs(named) => {
            named.pattern.iter().for_each(|inner| names_of(inner, names));
            names.extend(named.name.as_ref().map(|name| (name.to_string(), span)));
        }
        py::Pattern::MatchStar(rest) => names.extend(rest.name.as_ref().map(|name| (name.to_string(), span))),
        py::Pattern::MatchSequence(sequence) => {
            sequence.patterns.iter().for_each(|inner| names_of(inner, names));
        }
        py::Pattern::MatchOr(choice) => choice.patterns.iter().for_each(|inner| names_of(inner, names)),
        _ => {}
    }
}
