//! `*args` of functions that are called with so many arguments.
//!
//! ```text
//! def f(x, *args): return x + sum(args)        def f.2(x, args.0, args.1): args = (args.0, args.1); return x + sum(args)
//! def g(a): return f(a, 1, 2)             ⇒    def g(a): return f.2(a, 1, 2)
//! ```
//!
//! A function is made for each number of arguments that some call has. Python calls none of these.

use super::ast::{Expr, ExprKind, FunctionDef, Ident, Module, Param, Stmt, StmtKind};
use super::fresh;
use super::visit;
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Writes out the functions of a module that take any number of arguments.
pub fn expand(module: &mut Module, sink: &mut Diagnostics) {
    let takes = |def: &FunctionDef| (def.name.name.clone(), positional(def));
    let mut known: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for def in module.functions().filter(|def| def.rest.is_some()) {
        let (name, count) = takes(def);
        known.insert(name.clone(), (name, count));
    }
    if known.is_empty() {
        return;
    }
    for stmt in &module.body {
        if let StmtKind::Assign { targets, value, .. } = &stmt.kind
            && let ExprKind::Name(function) = &value.kind
            && let Some(found) = known.get(function).cloned()
        {
            let names = targets.iter().flat_map(visit::target_names);
            known.extend(names.map(|name| (name.to_owned(), found.clone())));
        }
    }
    let mut calls = Calls { known: &known, counts: BTreeMap::new(), sink };
    for stmt in &mut module.body {
        if let StmtKind::FunctionDef(def) = &mut stmt.kind {
            calls.statements(&mut def.body);
        }
    }
    let counts = calls.counts;
    let mut next_id = module.expr_count;
    let mut body = Vec::new();
    for stmt in std::mem::take(&mut module.body) {
        match stmt.kind {
            StmtKind::FunctionDef(def) if def.rest.is_some() => {
                for &count in counts.get(&def.name.name).into_iter().flatten() {
                    let mut copy = (*def).clone();
                    if count != counts[&def.name.name].iter().copied().min().unwrap_or(count) {
                        fresh::renumber_all(&mut next_id, &mut copy.body);
                    }
                    let kind = StmtKind::FunctionDef(Box::new(with_count(copy, count, &mut next_id)));
                    body.push(Stmt { span: stmt.span, kind });
                }
            }
            // Another name of one has nothing to stand for.
            StmtKind::Assign { value: Expr { kind: ExprKind::Name(ref name), .. }, .. }
                if known.contains_key(name) => {}
            kind => body.push(Stmt { span: stmt.span, kind }),
        }
    }
    module.body = body;
    module.expr_count = next_id;
}

/// How many arguments come before the others.
fn positional(def: &FunctionDef) -> usize {
    let own = &def.params[..def.params.len() - def.captures.unwrap_or(0)];
    own.iter().filter(|param| !param.keyword_only).count()
}

/// The function for so many further arguments.
fn with_count(mut def: FunctionDef, count: usize, next_id: &mut u32) -> FunctionDef {
    let Some(rest) = def.rest.take() else { return def };
    let at = positional(&def);
    def.name.name = name_for(&def.name.name, count);
    // It is made for each call, and not seen by Python.
    def.captures.get_or_insert(0);
    let span = rest.span;
    let names: Vec<String> = (0..count).map(|at| format!("{}.{at}", rest.name)).collect();
    let params = names.iter().map(|name| Param {
        name: Ident { name: name.clone(), span },
        annotation: None,
        default: None,
        keyword_only: false,
        positional_only: true,
        span,
    });
    def.params.splice(at..at, params);
    let mut expr = |kind| fresh::expr(next_id, span, kind);
    let items = names.into_iter().map(|name| expr(ExprKind::Name(name))).collect();
    let value = expr(ExprKind::Tuple(items));
    let targets = vec![expr(ExprKind::Name(rest.name))];
    def.body.insert(0, Stmt { span, kind: StmtKind::Assign { targets, value, annotation: None } });
    def
}

fn name_for(name: &str, count: usize) -> String {
    format!("{name}.{count}")
}

struct Calls<'a> {
    /// For each name the function that it stands for, and how many arguments come before the others.
    known: &'a BTreeMap<String, (String, usize)>,
    /// How many further arguments calls of each have.
    counts: BTreeMap<String, BTreeSet<usize>>,
    sink: &'a mut Diagnostics,
}

impl Calls<'_> {
    fn statements(&mut self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            visit::exprs_mut(stmt, &mut |expr| self.expression(expr));
            visit::blocks_mut(stmt, &mut |block| self.statements(block));
        }
    }

    fn expression(&mut self, expr: &mut Expr) {
        visit::children_mut(expr, &mut |child| self.expression(child));
        let ExprKind::Call { func, args, .. } = &mut expr.kind else { return };
        let ExprKind::Name(name) = &mut func.kind else { return };
        let Some((function, before)) = self.known.get(name) else { return };
        if let Some(starred) = args.iter().find(|arg| matches!(arg.kind, ExprKind::Starred(_))) {
            self.refuse(starred.span);
            expr.kind = ExprKind::Error;
            return;
        }
        let count = args.len().saturating_sub(*before);
        self.counts.entry(function.clone()).or_default().insert(count);
        *name = name_for(function, count);
    }

    fn refuse(&mut self, span: Span) {
        Diagnostic::error(
            code::NOT_IN_LANGUAGE,
            "`*` among the arguments of a function that takes any number is not in the language",
        )
        .primary(span, "so many arguments as it has items")
        .help("write each argument, or have the function take a list")
        .emit(self.sink);
    }
}
