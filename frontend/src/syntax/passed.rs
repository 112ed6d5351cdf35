//! What functions read of the module and what is no constant is passed along.
//!
//! ```text
//! def f(n):                        def f(n, table):
//!     return g(n)                      return g(n, table=table)
//! def g(n):                ⇒       def g(n, *, table):
//!     return table[n]                  return table[n]
//! ```
//!
//! `table` is a list of a Python file, which the function that Python calls is given as a further argument, or a
//! [memo](super::memo), which such a function makes where it begins.

use super::ast::{Expr, ExprKind, FunctionDef, Ident, Keyword, Module, Stmt, StmtKind};
use super::fresh;
use super::nested::{free_names, own_names};
use super::visit;
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::{SourceFile, Span};
use std::collections::{BTreeMap, BTreeSet};

type Names = BTreeSet<String>;

/// What functions are passed, by their names; names of functions are those of what they stand for as well.
type Needs = BTreeMap<String, Names>;

/// Has the functions of a module pass `memos`, and what its first part says of globals.
pub fn pass_along(module: &mut Module, memos: Names, source: &SourceFile, sink: &mut Diagnostics) {
    let root = Root::of(module, source);
    let given = root.iter().flat_map(|root| &root.globals);
    let passed: Names = memos.iter().chain(given).cloned().collect();
    if passed.is_empty() {
        return;
    }
    let is_root = |name: &str| root.as_ref().is_some_and(|root| root.name == name);
    let makes = |def: &&FunctionDef| is_root(&def.name.name) || (root.is_none() && is_called_by_python(def));
    let makers: Names = module.functions().filter(makes).map(|def| def.name.name.clone()).collect();
    let mut reads: Needs = module.functions().map(|def| (def.name.name.clone(), free_names(def))).collect();
    reads.extend(other_names(module));
    if let Some(root) = &root
        && let Some(reads) = reads.get_mut(&root.name)
    {
        reads.extend(root.globals.iter().cloned());
    }
    let (inside, asked) = needs(&reads, &passed, &memos, &makers);
    let params = |def: &FunctionDef| def.params.iter().map(|param| param.name.clone()).collect();
    let params = module.functions().map(|def| (def.name.name.clone(), params(def))).collect();
    let mut passing = Passing { asked: &asked, params, next_id: module.expr_count };
    for stmt in &mut module.body {
        let StmtKind::FunctionDef(def) = &mut stmt.kind else { continue };
        passing.statements(&mut def.body);
        let Some(needed) = inside.get(&def.name.name) else { continue };
        if makers.contains(&def.name.name) {
            // What is not known yet of an empty dict is told apart by its place.
            let span = |at: u32| Span::new(def.header.start + at, def.header.end + at);
            let needed = (0..).zip(needed.iter().filter(|name| memos.contains(*name)));
            let made = needed.map(|(at, name)| passing.memo(name, span(at))).collect::<Vec<_>>();
            def.body.splice(0..0, made);
        } else {
            report_hidden(def, needed, sink);
            capture(def, needed);
        }
    }
    module.expr_count = passing.next_id;
}

/// The function of a Python file that alone is called from there.
struct Root {
    name: String,
    /// What it is given behind its arguments.
    globals: Vec<String>,
}

impl Root {
    fn of(module: &Module, source: &SourceFile) -> Option<Self> {
        module.functions().filter(|def| def.captures.is_none()).find_map(|def| {
            let marker = source.marker(def.span.start).filter(|marker| marker.signature.is_some())?;
            Some(Self { name: def.name.name.clone(), globals: marker.globals.clone() })
        })
    }
}

/// Other names of functions, and what they stand for.
fn other_names(module: &Module) -> Needs {
    let mut others = Needs::new();
    for stmt in &module.body {
        if let StmtKind::Assign { targets, value, .. } = &stmt.kind
            && let ExprKind::Name(function) = &value.kind
        {
            let names = targets.iter().flat_map(visit::target_names);
            others.extend(names.map(|name| (name.to_owned(), Names::from([function.clone()]))));
        }
    }
    others
}

/// Whether it has no other callers that could pass it something.
fn is_called_by_python(def: &FunctionDef) -> bool {
    let is_template = !def.params.is_empty() && def.params.iter().all(|param| param.annotation.is_none());
    def.captures.is_none() && !is_template
}

/// What each function has of what is passed, since it or those that it calls read it, and what calls of it must pass.
fn needs(reads: &Needs, passed: &Names, memos: &Names, makers: &Names) -> (Needs, Needs) {
    let mut inside: Needs = reads
        .iter()
        .map(|(name, read)| (name.clone(), read.intersection(passed).cloned().collect()))
        .collect();
    loop {
        let asked = asked(&inside, memos, makers);
        let mut next = inside.clone();
        for (name, read) in reads {
            let through = read.iter().filter_map(|callee| asked.get(callee)).flatten().cloned();
            next.entry(name.clone()).or_default().extend(through);
        }
        if next == inside {
            inside.retain(|_, names| !names.is_empty());
            return (inside, asked);
        }
        inside = next;
    }
}

/// Who makes its memos asks no caller for them.
fn asked(inside: &Needs, memos: &Names, makers: &Names) -> Needs {
    let asks = |function: &String, name: &&String| !makers.contains(function) || !memos.contains(*name);
    let asked = inside.iter().map(|(function, names)| {
        (function.clone(), names.iter().filter(|name| asks(function, name)).cloned().collect::<Names>())
    });
    asked.filter(|(_, names)| !names.is_empty()).collect()
}

fn report_hidden(def: &FunctionDef, needed: &Names, sink: &mut Diagnostics) {
    let own = own_names(def);
    if let Some(name) = needed.iter().find(|name| own.contains(*name)) {
        Diagnostic::error(
            code::NOT_IN_LANGUAGE,
            format!("`{name}` hides a global that a function called here uses"),
        )
        .primary(def.name.span, "in this function")
        .help("give the variable another name")
        .emit(sink);
    }
}

fn capture(def: &mut FunctionDef, names: &Names) {
    let span = def.name.span;
    let before = def.params.len();
    def.params.extend(names.iter().map(|name| fresh::param(span, name)));
    def.captures = Some(def.captures.unwrap_or(0) + def.params.len() - before);
}

struct Passing<'a> {
    /// What calls of functions must pass.
    asked: &'a Needs,
    /// The parameters of functions as they are written.
    params: BTreeMap<String, Vec<Ident>>,
    next_id: u32,
}

impl Passing<'_> {
    fn expr(&mut self, span: Span, kind: ExprKind) -> Expr {
        fresh::expr(&mut self.next_id, span, kind)
    }

    /// `name = {}`.
    fn memo(&mut self, name: &str, span: Span) -> Stmt {
        let target = self.expr(span, ExprKind::Name(name.to_owned()));
        let value = self.expr(span, ExprKind::Dict(Vec::new()));
        Stmt { span, kind: StmtKind::Assign { targets: vec![target], value, annotation: None } }
    }

    fn statements(&mut self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            visit::exprs_mut(stmt, &mut |expr| self.expression(expr));
            visit::blocks_mut(stmt, &mut |block| self.statements(block));
        }
    }

    /// Calls pass what functions need, and functions that are arguments become lambdas that do.
    fn expression(&mut self, expr: &mut Expr) {
        visit::children_mut(expr, &mut |child| self.expression(child));
        let span = expr.span;
        let ExprKind::Call { func, args, keywords } = &mut expr.kind else { return };
        let given = keywords.iter_mut().map(|keyword| &mut keyword.value);
        args.iter_mut().chain(given).for_each(|arg| self.argument(arg));
        if let ExprKind::Name(name) = &func.kind
            && let Some(needed) = self.needed(name)
        {
            keywords.extend(needed.iter().map(|name| self.keyword(name, span)));
        }
    }

    fn needed(&self, name: &str) -> Option<Vec<String>> {
        self.asked.get(name).map(|needed| needed.iter().cloned().collect())
    }

    fn keyword(&mut self, name: &str, span: Span) -> Keyword {
        fresh::keyword(&mut self.next_id, span, name)
    }

    fn argument(&mut self, arg: &mut Expr) {
        let span = arg.span;
        let ExprKind::Name(name) = &arg.kind else { return };
        let name = name.clone();
        let (Some(needed), Some(params)) = (self.needed(&name), self.params.get(&name)) else { return };
        let params = params.clone();
        let func = Box::new(self.expr(span, ExprKind::Name(name)));
        let args = params.iter().map(|param| self.expr(span, ExprKind::Name(param.name.clone()))).collect();
        let keywords = needed.iter().map(|name| self.keyword(name, span)).collect();
        let body = Box::new(self.expr(span, ExprKind::Call { func, args, keywords }));
        arg.kind = ExprKind::Lambda { params, body };
    }
}
