//! `@functools.cache`: functions that keep their results.
//!
//! ```text
//! @cache                           def fib.body(n):
//! def fib(n):              ⇒           return n if n < 2 else fib.kept(n - 1) + fib.kept(n - 2)
//!     return …                     def fib.kept(n):
//!                                      if n in fib.memo: return fib.memo[n]
//!                                      fib.value = fib.body(n)
//!                                      fib.memo[n] = fib.value
//!                                      return fib.value
//!                                  def fib(n): return fib.kept(n)
//! ```
//!
//! The dict is made where the function begins that Python calls, and [passed along](super::passed): results are kept as long as that
//! call lasts. The last function is there for Python alone.

use super::ast::{Branch, CompareOp, Expr, ExprKind, FunctionDef, Module, Param, Stmt, StmtKind};
use super::fresh;
use super::nested::{free_names, own_names};
use super::visit;
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::Span;
use rustpython_parser::ast as py;
use std::collections::{BTreeMap, BTreeSet};

/// Whether a decorator is `functools.cache` or `functools.lru_cache`, with or without a size.
pub fn is_cache(decorator: &py::Expr) -> bool {
    let (func, is_called) = match decorator {
        py::Expr::Call(call) => (&*call.func, true),
        other => (other, false),
    };
    let name = match func {
        py::Expr::Name(name) => name.id.as_str(),
        py::Expr::Attribute(attribute) if matches!(&*attribute.value, py::Expr::Name(base) if base.id.as_str() == "functools") => {
            attribute.attr.as_str()
        }
        _ => return false,
    };
    name == "lru_cache" || (name == "cache" && !is_called)
}

/// Writes out the functions of a module that keep their results. Gives the names of their dicts.
pub fn expand(module: &mut Module, sink: &mut Diagnostics) -> BTreeSet<String> {
    let cached: Vec<String> =
        module.functions().filter(|def| def.cached).map(|def| def.name.name.clone()).collect();
    if cached.is_empty() {
        return BTreeSet::new();
    }
    let kept: BTreeMap<String, String> =
        cached.iter().map(|name| (name.clone(), format!("{name}.kept"))).collect();
    let mut memos = BTreeSet::new();
    let mut body = Vec::new();
    for mut stmt in std::mem::take(&mut module.body) {
        match &mut stmt.kind {
            StmtKind::FunctionDef(def) => {
                let own = own_names(def);
                let mut kept = kept.clone();
                kept.retain(|name, _| !own.contains(name));
                rename(&mut def.body, &kept);
                let StmtKind::FunctionDef(def) = stmt.kind else { continue };
                if def.cached && is_allowed(&def, sink) {
                    let mut make = Make { span: def.name.span, next_id: &mut module.expr_count };
                    memos.insert(format!("{}.memo", def.name.name));
                    body.extend(make.functions(*def));
                } else {
                    body.push(Stmt { span: stmt.span, kind: StmtKind::FunctionDef(def) });
                }
            }
            _ => {
                // Other names of it.
                if let StmtKind::Assign { value: Expr { kind: ExprKind::Name(name), .. }, .. } =
                    &mut stmt.kind
                    && let Some(kept) = kept.get(name)
                {
                    name.clone_from(kept);
                }
                body.push(stmt);
            }
        }
    }
    module.body = body;
    memos
}

/// Whether it makes no difference how long results are kept.
fn is_allowed(def: &FunctionDef, sink: &mut Diagnostics) -> bool {
    let mut refuse = |headline: &str, help: &str| {
        Diagnostic::error(code::NOT_IN_LANGUAGE, headline).primary(def.name.span, "").help(help).emit(sink);
        false
    };
    if def.captures.is_some() {
        return refuse(
            "a function inside another one keeps no results",
            "move it out, or keep them in a dict: `if n in memo: return memo[n]`",
        );
    }
    if def.params.is_empty() {
        return refuse("a function without parameters keeps no results", "compute it once, and pass it on");
    }
    if def.params.iter().any(|param| param.keyword_only) {
        return refuse("a function that keeps its results takes arguments by position", "leave the `*` out");
    }
    if free_names(def).contains("print") {
        return refuse(
            "a function that keeps its results prints something",
            "results are kept while the function runs that Python calls, so it would print more often than in Python",
        );
    }
    true
}

/// Who calls the function calls the one that looks into the dict.
fn rename(stmts: &mut [Stmt], kept: &BTreeMap<String, String>) {
    for stmt in stmts {
        visit::exprs_mut(stmt, &mut |expr| rename_in(expr, kept));
        visit::blocks_mut(stmt, &mut |block| rename(block, kept));
    }
}

fn rename_in(expr: &mut Expr, kept: &BTreeMap<String, String>) {
    if let ExprKind::Name(name) = &mut expr.kind
        && let Some(kept) = kept.get(name)
    {
        name.clone_from(kept);
    }
    visit::children_mut(expr, &mut |child| rename_in(child, kept));
}

struct Make<'a> {
    span: Span,
    next_id: &'a mut u32,
}

impl Make<'_> {
    fn functions(&mut self, def: FunctionDef) -> Vec<Stmt> {
        let name = def.name.name.clone();
        let is_template = def.params.iter().all(|param| param.annotation.is_none());
        let kept = FunctionDef { body: self.looking_up(&name, &def.params), ..self.named(&def, "kept") };
        let call = self.call(&format!("{name}.kept"), &def.params);
        let returned = vec![self.stmt(StmtKind::Return(Some(call)))];
        let seen = FunctionDef { body: returned, cached: false, ..def.clone() };
        let inner = FunctionDef { body: def.body.clone(), ..self.named(&def, "body") };
        // Python calls no template, and may call it by other names than its own.
        let mut functions = vec![inner, kept];
        functions.extend((!is_template).then_some(seen));
        functions
            .into_iter()
            .map(|def| Stmt { span: def.span, kind: StmtKind::FunctionDef(Box::new(def)) })
            .collect()
    }

    /// The function by a name that no program writes, and which Python does not see.
    fn named(&self, def: &FunctionDef, last: &str) -> FunctionDef {
        let mut named = def.clone();
        named.name.name = format!("{}.{last}", def.name.name);
        named.captures = Some(0);
        named.cached = false;
        named
    }

    fn looking_up(&mut self, name: &str, params: &[Param]) -> Vec<Stmt> {
        let (memo, value) = (format!("{name}.memo"), format!("{name}.value"));
        let first = Box::new(self.key(params));
        let test = (CompareOp::In, self.name(&memo));
        let test = self.expr(ExprKind::Compare { first, rest: vec![test] });
        let found = self.item(&memo, params);
        let found = self.stmt(StmtKind::Return(Some(found)));
        let branches = vec![Branch { test, body: vec![found], span: self.span }];
        let call = self.call(&format!("{name}.body"), params);
        let targets = vec![self.name(&value)];
        let computed = self.stmt(StmtKind::Assign { targets, value: call, annotation: None });
        let targets = vec![self.item(&memo, params)];
        let stored = self.name(&value);
        let stored = self.stmt(StmtKind::Assign { targets, value: stored, annotation: None });
        let result = self.name(&value);
        vec![
            self.stmt(StmtKind::If { branches, orelse: Vec::new() }),
            computed,
            stored,
            self.stmt(StmtKind::Return(Some(result))),
        ]
    }

    /// The arguments as a key: one alone, or a tuple.
    fn key(&mut self, params: &[Param]) -> Expr {
        let mut names: Vec<Expr> = params.iter().map(|param| self.name(&param.name.name)).collect();
        if names.len() == 1 { names.remove(0) } else { self.expr(ExprKind::Tuple(names)) }
    }

    fn item(&mut self, memo: &str, params: &[Param]) -> Expr {
        let value = Box::new(self.name(memo));
        let tuple = params.len() > 1;
        let indices = params.iter().map(|param| self.name(&param.name.name)).collect();
        self.expr(ExprKind::Subscript { value, indices, tuple })
    }

    fn call(&mut self, function: &str, params: &[Param]) -> Expr {
        let func = Box::new(self.name(function));
        let args = params.iter().map(|param| self.name(&param.name.name)).collect();
        self.expr(ExprKind::Call { func, args, keywords: Vec::new() })
    }

    fn name(&mut self, name: &str) -> Expr {
        self.expr(ExprKind::Name(name.to_owned()))
    }

    fn expr(&mut self, kind: ExprKind) -> Expr {
        fresh::expr(self.next_id, self.span, kind)
    }

    fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt { span: self.span, kind }
    }
}
