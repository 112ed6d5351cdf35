//! Comprehensions, and generators as arguments: loops over hidden variables.
//!
//! `[f(x) for x in xs if x > 0]` is walked as
//!
//! ```text
//! […] = []
//! for x in xs:
//!     if x > 0:
//!         […].append(f(x))
//! ```
//!
//! with names that are seen inside it alone; `sum`, `any` and `all` of a generator need no list.

use super::env::NameId;
use super::infer::Infer;
use super::tree::Expr;
use super::ty::Num;
use crate::source::Span;
use crate::syntax::ast::{
    self, BinaryOp, Branch, Clause, ComprehensionKind, ExprKind, For, FunctionDef, Ident, Stmt, StmtKind,
};
use crate::syntax::visit;
use pydd_ir::catalogue::Builtin;
use std::collections::BTreeMap;

/// How often one comprehension is looked at before its items' type is declared endless.
const MAX_ROUNDS: usize = 4;

/// What becomes of the elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gathering {
    List,
    Sum,
    Any,
    All,
}

impl Gathering {
    /// The hidden variable, as messages show it.
    const fn name(self) -> &'static str {
        match self {
            Self::List => "[…]",
            Self::Sum => "sum(…)",
            Self::Any => "any(…)",
            Self::All => "all(…)",
        }
    }
}

/// A comprehension.
pub struct Parts<'e> {
    element: &'e ast::Expr,
    clauses: &'e [Clause],
    span: Span,
}

/// The comprehension that an expression is, and which.
pub fn parts(expr: &ast::Expr) -> Option<(Parts<'_>, ComprehensionKind)> {
    match &expr.kind {
        ExprKind::Comprehension { kind, element, clauses } => {
            Some((Parts { element, clauses, span: expr.span }, *kind))
        }
        _ => None,
    }
}

/// The names that comprehensions of a function bind, by their places.
pub fn hidden_names(def: &FunctionDef) -> Vec<(Span, String)> {
    let mut names = Vec::new();
    visit::walk_stmts(&def.body, &mut |stmt| {
        for expr in visit::exprs(stmt) {
            visit::walk_expr(expr, &mut |expr| {
                let Some((parts, _)) = parts(expr) else { return };
                for gathering in [Gathering::List, Gathering::Sum, Gathering::Any, Gathering::All] {
                    names.push((expr.span, gathering.name().to_owned()));
                }
                let targets = parts.clauses.iter().flat_map(|clause| visit::target_names(&clause.target));
                names.extend(targets.map(|name| (expr.span, name.to_owned())));
            });
        }
    });
    names
}

impl Infer<'_, '_> {
    /// `[element for …]`.
    pub(super) fn comprehension(&mut self, parts: &Parts<'_>) -> Expr {
        self.gathering(parts, Gathering::List, None)
    }

    /// As [`comprehension`](Self::comprehension), with the items' type declared.
    pub(super) fn comprehension_as(&mut self, parts: &Parts<'_>, items: Num) -> Expr {
        self.gathering(parts, Gathering::List, Some(items))
    }

    /// A function of a comprehension that needs no list; None for others.
    pub(super) fn reduced_comprehension(&mut self, builtin: Builtin, arg: &ast::Expr) -> Option<Expr> {
        let (parts, kind) = parts(arg)?;
        let gathering = match (builtin, kind) {
            (Builtin::Sum, _) => Gathering::Sum,
            // Of a list, all elements are computed first.
            (Builtin::Any, ComprehensionKind::Generator) => Gathering::Any,
            (Builtin::All, ComprehensionKind::Generator) => Gathering::All,
            _ => return None,
        };
        Some(self.gathering(&parts, gathering, None))
    }

    fn gathering(&mut self, parts: &Parts<'_>, gathering: Gathering, items: Option<Num>) -> Expr {
        let span = parts.span;
        if let Some(items) = items {
            self.list_items.insert(span, items);
        }
        for _ in 0..MAX_ROUNDS {
            let (mark, env, again) = (self.mark(), self.env.clone(), self.walk_again);
            let before = self.list_items.clone();
            let mut result = Expr::error(span);
            let stmts = self.block(|s| result = s.gather_elements(parts, gathering));
            // What this list holds is all that was learned: no need to walk over the whole function again.
            let mut others = self.list_items.clone();
            match before.get(&span) {
                Some(known) => others.insert(span, *known),
                None => others.remove(&span),
            };
            if again || !self.walk_again || others != before {
                return if result.ty.is_silent() { result } else { Self::seq(stmts, result) };
            }
            self.back_to(mark);
            self.env = env;
            self.walk_again = false;
        }
        self.walk_again = true;
        Expr::silent([], span)
    }

    fn gather_elements(&mut self, parts: &Parts<'_>, gathering: Gathering) -> Expr {
        let Parts { clauses, span, .. } = *parts;
        let Some((first, rest)) = clauses.split_first() else { return Expr::error(span) };
        let hidden = vec![gathering.name().to_owned()];
        let outer = self.shadow(span, hidden);
        let start = self.start(gathering, span);
        if let Some(index) = self.name_index(gathering.name()) {
            self.assign(index, start, span);
        }
        let innermost = gathering.body(parts.element, span);
        let body = nested(rest, innermost, gathering, span);
        let body = conditions(&first.conditions, body, span);
        // The first iterable is of the place outside.
        let iteration = self.iteration(&first.iter);
        let targets = clauses.iter().flat_map(|clause| visit::target_names(&clause.target));
        let outer_targets = self.shadow(span, targets.map(str::to_owned).collect());
        self.for_over(&loop_over(first, body), iteration, span);
        self.unshadow(outer_targets);
        let result = match self.env {
            Some(_) => self.name(gathering.name(), span),
            None => Expr::error(span),
        };
        self.unshadow(outer);
        result
    }

    fn start(&mut self, gathering: Gathering, span: Span) -> Expr {
        match gathering {
            Gathering::List => self.list(&[], None, span),
            Gathering::Sum => Expr::int(0, span),
            Gathering::Any => Expr::bool(false, span),
            Gathering::All => Expr::bool(true, span),
        }
    }

    /// Makes names stand for the comprehension's own variables; gives what they stood for.
    fn shadow(&mut self, span: Span, names: Vec<String>) -> BTreeMap<String, Option<NameId>> {
        let mut outer = BTreeMap::new();
        for name in names {
            let Some(&own) = self.hidden.get(&(span, name.clone())) else { continue };
            let before = self.names.insert(name.clone(), own);
            outer.entry(name).or_insert(before);
        }
        outer
    }

    /// Ends [`shadow`](Self::shadow): the variables are not bound any more.
    fn unshadow(&mut self, outer: BTreeMap<String, Option<NameId>>) {
        for (name, before) in outer {
            let own = match before {
                Some(before) => self.names.insert(name, before),
                None => self.names.remove(&name),
            };
            if let (Some(own), Some(env)) = (own, &mut self.env) {
                env.0[own] = None;
            }
        }
    }
}

impl Gathering {
    /// What is done with an element.
    fn body(self, element: &ast::Expr, span: Span) -> Vec<Stmt> {
        let hidden = name(self.name(), span);
        let set = |value: ExprKind| {
            let value = expr(value, span);
            let targets = vec![hidden.clone()];
            stmt(StmtKind::Assign { targets, value, annotation: None }, span)
        };
        let found = |value: bool| vec![set(ExprKind::Bool(value)), stmt(StmtKind::Break, span)];
        match self {
            Self::List => {
                let attr = Ident { name: "append".to_owned(), span };
                let func = ExprKind::Attribute { value: Box::new(hidden), attr };
                let func = Box::new(expr(func, span));
                let call = ExprKind::Call { func, args: vec![element.clone()], keywords: Vec::new() };
                vec![stmt(StmtKind::Expr(expr(call, span)), span)]
            }
            Self::Sum => {
                let (left, right) = (Box::new(hidden.clone()), Box::new(element.clone()));
                vec![set(ExprKind::Binary { op: BinaryOp::Add, left, right })]
            }
            Self::Any => vec![branch(element.clone(), found(true), span)],
            Self::All => {
                let operand = Box::new(element.clone());
                let test = expr(ExprKind::Unary { op: ast::UnaryOp::Not, operand }, element.span);
                vec![branch(test, found(false), span)]
            }
        }
    }

    /// After an inner loop: leaves the outer one as well, where the result is known.
    fn leave(self, span: Span) -> Option<Stmt> {
        let hidden = name(self.name(), span);
        let test = match self {
            Self::Any => hidden,
            Self::All => expr(ExprKind::Unary { op: ast::UnaryOp::Not, operand: Box::new(hidden) }, span),
            Self::List | Self::Sum => return None,
        };
        Some(branch(test, vec![stmt(StmtKind::Break, span)], span))
    }
}

/// The loops of inner clauses.
fn nested(clauses: &[Clause], innermost: Vec<Stmt>, gathering: Gathering, span: Span) -> Vec<Stmt> {
    clauses.iter().rev().fold(innermost, |body, clause| {
        let body = conditions(&clause.conditions, body, span);
        let repeat = StmtKind::For(Box::new(loop_over(clause, body)));
        std::iter::once(stmt(repeat, clause.iter.span)).chain(gathering.leave(span)).collect()
    })
}

fn conditions(conditions: &[ast::Expr], body: Vec<Stmt>, span: Span) -> Vec<Stmt> {
    conditions.iter().rev().fold(body, |body, test| vec![branch(test.clone(), body, span)])
}

fn loop_over(clause: &Clause, body: Vec<Stmt>) -> For {
    For {
        keyword: clause.iter.span,
        parallel: false,
        target: clause.target.clone(),
        iter: clause.iter.clone(),
        body,
        orelse: Vec::new(),
        annotation: None,
    }
}

fn branch(test: ast::Expr, body: Vec<Stmt>, span: Span) -> Stmt {
    stmt(StmtKind::If { branches: vec![Branch { test, body, span }], orelse: Vec::new() }, span)
}

fn name(name: &str, span: Span) -> ast::Expr {
    expr(ExprKind::Name(name.to_owned()), span)
}

fn expr(kind: ExprKind, span: Span) -> ast::Expr {
    ast::Expr { id: ast::ExprId(0), span, kind }
}

const fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt { span, kind }
}
