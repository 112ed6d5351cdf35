//! Functions inside functions become functions of the module.
//!
//! ```text
//! def f(a, k):                     def f.scaled(x, *, k): return k * x
//!     def scaled(x):        ⇒      def f(a, k):
//!         return k * x                 return f.scaled(a, k=k)
//!     return scaled(a)
//! ```
//!
//! What an inner function reads of the functions around it becomes further parameters, and each call passes what
//! the variables hold then, which is what Python reads. An inner function cannot assign them (`nonlocal`), and is
//! no value: it is only called, so it never outlives the variables.

use super::ast::{Clause, Expr, ExprKind, FunctionDef, Ident, Stmt, StmtKind};
use super::fresh;
use super::visit;
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use std::collections::{BTreeMap, BTreeSet};

type Names = BTreeSet<String>;

/// Moves the functions inside a statement in front of it.
pub fn lift(stmt: Stmt, next_id: &mut u32, body: &mut Vec<Stmt>, sink: &mut Diagnostics) {
    let span = stmt.span;
    match stmt.kind {
        StmtKind::FunctionDef(def) => {
            let def = Lifting { next_id, body, sink }.function(*def, &Names::new());
            body.push(Stmt { span, kind: StmtKind::FunctionDef(Box::new(def)) });
        }
        kind => body.push(Stmt { span, kind }),
    }
}

struct Lifting<'a> {
    next_id: &'a mut u32,
    /// Where lifted functions go.
    body: &'a mut Vec<Stmt>,
    sink: &'a mut Diagnostics,
}

impl Lifting<'_> {
    /// The function without those inside it; `around`: the variables of the functions around it.
    fn function(&mut self, mut def: FunctionDef, around: &Names) -> FunctionDef {
        let is_inner = |stmt: &Stmt| matches!(stmt.kind, StmtKind::FunctionDef(_));
        if !def.body.iter().any(is_inner) {
            return def;
        }
        let (inner, rest): (Vec<Stmt>, Vec<Stmt>) = def.body.into_iter().partition(is_inner);
        def.body = rest;
        let own = own_names(&def);
        let visible: Names = own.union(around).cloned().collect();
        let mut functions = Vec::new();
        for stmt in inner {
            if let StmtKind::FunctionDef(inner) = stmt.kind {
                if own.contains(&inner.name.name) || functions.iter().any(|f| same_name(f, &inner)) {
                    self.two_meanings(&inner.name);
                }
                functions.push(self.function(*inner, &visible));
            }
        }
        let captures = self.captures(&functions, &visible);
        let calls: Calls = captures
            .into_iter()
            .map(|(name, captured)| (name.clone(), (format!("{}.{name}", def.name.name), captured)))
            .collect();
        for mut function in functions {
            self.statements(&mut function.body, &calls);
            if let Some((name, captured)) = calls.get(&function.name.name) {
                let span = function.name.span;
                function.captures = Some(captured.len());
                if let Some(ufunc) = function.ufunc.take() {
                    let headline = "a function inside another one is no ufunc";
                    Diagnostic::error(code::UFUNC, headline)
                        .primary(ufunc.span, "")
                        .help("move it out")
                        .emit(self.sink);
                }
                function.params.extend(captured.iter().map(|name| fresh::param(span, name)));
                function.name.name.clone_from(name);
            }
            let span = function.span;
            self.body.push(Stmt { span, kind: StmtKind::FunctionDef(Box::new(function)) });
        }
        self.statements(&mut def.body, &calls);
        def
    }

    fn two_meanings(&mut self, name: &Ident) {
        Diagnostic::error(
            code::NOT_IN_LANGUAGE,
            format!("`{}` has two meanings in this function", name.name),
        )
        .primary(name.span, "a function")
        .help("give the inner function a name of its own")
        .emit(self.sink);
    }

    /// What each function reads of the variables around it, itself or through the functions that it calls.
    fn captures(&mut self, functions: &[FunctionDef], visible: &Names) -> BTreeMap<String, Names> {
        let free: BTreeMap<&str, Names> =
            functions.iter().map(|f| (f.name.name.as_str(), free_names(f))).collect();
        let mut captures: BTreeMap<String, Names> = free
            .iter()
            .map(|(name, free)| ((*name).to_owned(), free.intersection(visible).cloned().collect()))
            .collect();
        loop {
            let before = captures.clone();
            for (name, free) in &free {
                let through = free.iter().filter_map(|callee| before.get(callee)).flatten().cloned();
                captures.entry((*name).to_owned()).or_default().extend(through);
            }
            if captures == before {
                break;
            }
        }
        for function in functions {
            let hidden = own_names(function);
            let captured = &captures[&function.name.name];
            if let Some(name) = captured.iter().find(|name| hidden.contains(*name)) {
                let headline = format!("`{name}` hides a variable that a function called here uses");
                Diagnostic::error(code::NOT_IN_LANGUAGE, headline)
                    .primary(function.name.span, "in this function")
                    .help("give the variable another name")
                    .emit(self.sink);
            }
        }
        captures
    }

    fn statements(&mut self, stmts: &mut [Stmt], calls: &Calls) {
        for stmt in stmts {
            visit::exprs_mut(stmt, &mut |expr| self.expression(expr, calls));
            visit::blocks_mut(stmt, &mut |block| self.statements(block, calls));
        }
    }

    /// Calls of inner functions pass what these capture.
    fn expression(&mut self, expr: &mut Expr, calls: &Calls) {
        let span = expr.span;
        if let ExprKind::Call { func, keywords, .. } = &mut expr.kind
            && let ExprKind::Name(name) = &func.kind
            && let Some((_, captured)) = calls.get(name)
        {
            keywords.extend(captured.iter().map(|name| fresh::keyword(self.next_id, span, name)));
        }
        if let ExprKind::Name(name) = &mut expr.kind
            && let Some((lifted, _)) = calls.get(name)
        {
            name.clone_from(lifted);
        }
        visit::children_mut(expr, &mut |child| self.expression(child, calls));
    }
}

/// For each inner function its name in the module and what it captures.
type Calls = BTreeMap<String, (String, Names)>;

fn same_name(a: &FunctionDef, b: &FunctionDef) -> bool {
    a.name.name == b.name.name
}

/// Parameters and variables.
pub(super) fn own_names(def: &FunctionDef) -> Names {
    let params = def.params.iter().map(|param| param.name.name.as_str());
    let rest = def.rest.iter().map(|rest| rest.name.as_str());
    params.chain(rest).chain(visit::assigned_names(&def.body)).map(str::to_owned).collect()
}

/// Names that a function uses and does not bind.
pub(super) fn free_names(def: &FunctionDef) -> Names {
    let mut free = Names::new();
    visit::walk_stmts(&def.body, &mut |stmt| {
        for expr in visit::exprs(stmt) {
            free_in(expr, &mut Vec::new(), &mut free);
        }
    });
    let own = own_names(def);
    free.difference(&own).cloned().collect()
}

fn free_in<'e>(expr: &'e Expr, bound: &mut Vec<&'e str>, free: &mut Names) {
    let depth = bound.len();
    match &expr.kind {
        ExprKind::Name(name) if !bound.contains(&name.as_str()) => {
            free.insert(name.clone());
        }
        ExprKind::Comprehension { element, clauses, .. } => {
            for Clause { target, iter, conditions } in clauses {
                free_in(iter, bound, free);
                bound.extend(visit::target_names(target));
                conditions.iter().for_each(|condition| free_in(condition, bound, free));
            }
            free_in(element, bound, free);
        }
        ExprKind::Lambda { params, body } => {
            bound.extend(params.iter().map(|param| param.name.as_str()));
            free_in(body, bound, free);
        }
        _ => visit::children(expr).into_iter().for_each(|child| free_in(child, bound, free)),
    }
    bound.truncate(depth);
}
