//! Parallel loops: what each variable of the body is.
//!
//! A variable that the body assigns is either *reduced*, when all that the body does with it is to combine it
//! with something by one operator, or *private*, when each iteration assigns it before reading it. Whether
//! iterations touch the same elements of arrays is decided by a pass.

use super::env::{Binding, Env, NameId, Way};
use super::infer::Infer;
use super::iterate::Iteration;
use super::list_ops::is_list;
use super::tree::{Reduction, StmtKind};
use super::ty::Ty;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, CompareOp, Expr, ExprKind, For, Stmt, StmtKind as Ast};
use crate::syntax::visit;
use pydd_ir::catalogue::{Algebra, Builtin};
use pydd_ir::{DType, ElemOp, ReduceOp};
use std::collections::BTreeMap;

/// An assignment that combines a variable with something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Combine {
    Sum,
    Prod,
    Min,
    Max,
    And,
    Or,
    Xor,
}

impl Combine {
    fn of(op: BinaryOp) -> Option<Self> {
        Some(match op {
            BinaryOp::Add | BinaryOp::Sub => Self::Sum,
            BinaryOp::Mul => Self::Prod,
            BinaryOp::BitAnd => Self::And,
            BinaryOp::BitOr => Self::Or,
            BinaryOp::BitXor => Self::Xor,
            _ => return None,
        })
    }

    /// The reduction of variables of this type.
    fn reduce(self, dtype: DType) -> Option<ReduceOp> {
        match self {
            Self::Sum => Some(ReduceOp::Sum),
            Self::Prod => Some(ReduceOp::Prod),
            Self::Min => Some(ReduceOp::Min),
            Self::Max => Some(ReduceOp::Max),
            Self::And if dtype == DType::Bool => Some(ReduceOp::All),
            Self::Or if dtype == DType::Bool => Some(ReduceOp::Any),
            _ if !ElemOp::And.domain().contains(dtype) => None,
            Self::And => Some(ReduceOp::And),
            Self::Or => Some(ReduceOp::Or),
            Self::Xor => Some(ReduceOp::Xor),
        }
    }
}

impl Infer<'_, '_> {
    pub(super) fn pfor(&mut self, for_: &For, iteration: Iteration, span: Span) {
        let Some(range) = iteration.range() else {
            let diagnostic =
                Diagnostic::error(code::PFOR_ITERABLE, "a `pfor` loop runs over a range or an array")
                    .primary(for_.iter.span, "its items have an order")
                    .secondary(for_.keyword, "iterations run in no fixed order")
                    .help("use `for`");
            self.report(diagnostic);
            return;
        };
        let Some(before) = self.env.clone() else { return };
        let combined = self.combined(for_, &before);
        let label = self.label();
        let index = self.temporary(&Ty::INT);
        let mut typed = Vec::new();
        let head = self.fixpoint(span, |s| {
            let mut ways = Vec::new();
            s.isolate(for_, &combined);
            typed = s.block(|s| {
                s.enter(label, label, Some(for_.keyword));
                s.iteration_body(for_, &iteration, index, label);
                s.end_way(&mut ways);
            });
            let context = s.leave();
            ways.extend(context.continues);
            s.only_reductions(ways, &before, &combined)
        });
        let Some(head) = head else { return };
        let parallel = self.reductions(&combined, &head, for_);
        let kind =
            StmtKind::For { label, range: Box::new(range), index, body: typed, parallel: Some(parallel) };
        self.push(kind, span);
        self.env = Some(head);
        self.forget(for_, &combined);
    }

    /// The names that the body combines by one operator, with the assignment.
    fn combined(&mut self, for_: &For, before: &Env) -> BTreeMap<NameId, (Combine, Span)> {
        let mut found = BTreeMap::new();
        for name in visit::assigned_names(&for_.body) {
            let Some(index) = self.name_index(name) else { continue };
            let Some(Binding::Local { local, .. }) = before.0[index] else { continue };
            // `a += …` on an array or list changes it in place: what iterations do to its elements is decided by a pass.
            let in_place =
                is_changed_in_place(&self.locals[local.index()].ty) && only_in_place(&for_.body, name);
            if let (false, Some(combine)) = (in_place, self.combination(&for_.body, name)) {
                found.insert(index, combine);
            }
        }
        found
    }

    /// How the body combines a name, if that is all it does with it, and always the same way.
    fn combination(&self, body: &[Stmt], name: &str) -> Option<(Combine, Span)> {
        let mut common: Option<(Combine, Span)> = None;
        let mut only = true;
        let mut inside = 0;
        visit::walk_stmts(body, &mut |stmt| {
            let found = self.combine_statement(stmt, name).map(|c| (c, mentions_in(stmt, name)));
            if let Some((combine, count)) = found.or_else(|| conditional(stmt, name)) {
                only &= common.is_none_or(|(c, _)| c == combine);
                common = Some((combine, stmt.span));
                inside += count;
            }
        });
        let mut all = 0;
        visit::walk_stmts(body, &mut |stmt| all += mentions_in(stmt, name));
        common.filter(|_| only && all == inside)
    }

    /// `s += e`, `s = s + e`, `s = e + s`, `s = min(s, e)`, where e does not mention s.
    fn combine_statement(&self, stmt: &Stmt, name: &str) -> Option<Combine> {
        let is = |e: &Expr| matches!(&e.kind, ExprKind::Name(own) if own == name);
        match &stmt.kind {
            Ast::AugAssign { target, op, value } if is(target) && mentions(value, name) == 0 => {
                Combine::of(*op)
            }
            Ast::Assign { targets, value, .. } if targets.len() == 1 && is(&targets[0]) => {
                match &value.kind {
                    ExprKind::Binary { op, left, right } => {
                        let first = is(left) && mentions(right, name) == 0;
                        let second = is(right) && mentions(left, name) == 0 && *op != BinaryOp::Sub;
                        (first || second).then(|| Combine::of(*op))?
                    }
                    ExprKind::Call { func, args, keywords } if keywords.is_empty() => {
                        let one = args.iter().filter(|a| is(a)).count() == 1;
                        let total: usize = args.iter().map(|a| mentions(a, name)).sum();
                        if one && total == 1 { self.combine_function(func) } else { None }
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `min` and `max`, however they are spelt.
    fn combine_function(&self, func: &Expr) -> Option<Combine> {
        use pydd_ir::catalogue;
        let found = match &func.kind {
            ExprKind::Name(name) if self.name_index(name).is_none() => match self.unit.global(name)? {
                super::unit::Global::Library(found) => found,
                _ => return None,
            },
            ExprKind::Attribute { value, attr } => catalogue::find(self.static_module(value)?, &attr.name)?,
            _ => return None,
        };
        match found.entry.algebra {
            Algebra::Builtin(Builtin::Min) | Algebra::Elementwise { op: ElemOp::Min, .. } => {
                Some(Combine::Min)
            }
            Algebra::Builtin(Builtin::Max) | Algebra::Elementwise { op: ElemOp::Max, .. } => {
                Some(Combine::Max)
            }
            _ => None,
        }
    }

    /// In the body, what other iterations assign can't be read.
    fn isolate(&mut self, for_: &For, combined: &BTreeMap<NameId, (Combine, Span)>) {
        let pfor = for_.keyword;
        for (name, write) in self.private_names(for_, combined) {
            self.bind(name, Binding::OtherIteration { pfor, write });
        }
    }

    /// After the loop, what the iterations assigned can't be read.
    fn forget(&mut self, for_: &For, combined: &BTreeMap<NameId, (Combine, Span)>) {
        let pfor = for_.keyword;
        for (name, write) in self.private_names(for_, combined) {
            self.bind(name, Binding::AfterPfor { pfor, write });
        }
    }

    /// Names that the loop assigns and does not reduce, each with its first assignment.
    fn private_names(&self, for_: &For, combined: &BTreeMap<NameId, (Combine, Span)>) -> Vec<(NameId, Span)> {
        let mut names: BTreeMap<NameId, Span> = BTreeMap::new();
        let mut add = |name: &str, span: Span| {
            if let Some(index) = self.name_index(name)
                && !combined.contains_key(&index)
            {
                names.entry(index).or_insert(span);
            }
        };
        each_target(&for_.target, &mut add);
        visit::walk_stmts(&for_.body, &mut |stmt| match &stmt.kind {
            Ast::Assign { targets, .. } => targets.iter().for_each(|t| each_target(t, &mut add)),
            Ast::Declare { target, .. } | Ast::AugAssign { target, .. } => each_target(target, &mut add),
            Ast::For(inner) => each_target(&inner.target, &mut add),
            _ => {}
        });
        // `a += …` on an array or list changes it in place and assigns no variable.
        let env = self.env.as_ref();
        let in_place = |name: &NameId| {
            matches!(env.and_then(|e| e.0[*name]), Some(Binding::Local { local, .. })
                if is_changed_in_place(&self.locals[local.index()].ty)
                    && only_in_place(&for_.body, self.name_of(*name)))
        };
        names.into_iter().filter(|(name, _)| !in_place(name)).collect()
    }

    /// The ways back, on which all but the reductions is as before the loop.
    fn only_reductions(
        &self,
        ways: Vec<Way>,
        before: &Env,
        combined: &BTreeMap<NameId, (Combine, Span)>,
    ) -> Vec<Way> {
        let keep = |env: Env| {
            let mut kept = before.clone();
            combined.keys().for_each(|&name| kept.0[name] = env.0[name]);
            kept
        };
        ways.into_iter().map(|(edge, env)| (edge, keep(env))).collect()
    }

    fn reductions(
        &mut self,
        combined: &BTreeMap<NameId, (Combine, Span)>,
        head: &Env,
        for_: &For,
    ) -> Vec<Reduction> {
        let mut all = Vec::new();
        for (&name, &(combine, span)) in combined {
            let Some(Binding::Local { local, .. }) = head.0[name] else { continue };
            let reduced = match &self.locals[local.index()].ty {
                Ty::Scalar(num) => combine.reduce(num.dtype),
                Ty::Error => continue,
                _ => None,
            };
            match reduced {
                Some(op) => all.push(Reduction { local, op }),
                None => {
                    let what = format!("this reduction of {}", self.locals[local.index()].ty);
                    let diagnostic =
                        Diagnostic::error(code::UNSUPPORTED_YET, format!("{what} is not supported yet"))
                            .primary(span, "combined here")
                            .secondary(for_.keyword, "in this parallel loop");
                    self.report(diagnostic);
                }
            }
        }
        all
    }
}

/// `if e < s: s = e` and its like, with how often it mentions s. NaN never wins here; since no iteration makes
/// s NaN, combining the parts by `min` gives the same.
fn conditional(stmt: &Stmt, name: &str) -> Option<(Combine, usize)> {
    let Ast::If { branches, orelse } = &stmt.kind else { return None };
    let ([branch], []) = (branches.as_slice(), orelse.as_slice()) else { return None };
    let [Stmt { kind: Ast::Assign { targets, value, .. }, .. }] = branch.body.as_slice() else { return None };
    let ExprKind::Compare { first, rest } = &branch.test.kind else { return None };
    let ([target], [(op, second)]) = (targets.as_slice(), rest.as_slice()) else { return None };
    let is = |e: &Expr| matches!(&e.kind, ExprKind::Name(own) if own == name);
    let (other, value_is_left) = if is(second) { (&**first, true) } else { (second, false) };
    let fits = is(target) && (is(first) != is(second)) && mentions(other, name) == 0 && same(other, value);
    let less = match op {
        CompareOp::Lt | CompareOp::LtEq => value_is_left,
        CompareOp::Gt | CompareOp::GtEq => !value_is_left,
        _ => return None,
    };
    fits.then_some((if less { Combine::Min } else { Combine::Max }, 2))
}

/// Whether two expressions are written alike.
fn same(a: &Expr, b: &Expr) -> bool {
    let alike = match (&a.kind, &b.kind) {
        (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        (ExprKind::Attribute { attr: a, .. }, ExprKind::Attribute { attr: b, .. }) => a.name == b.name,
        (ExprKind::Unary { op: a, .. }, ExprKind::Unary { op: b, .. }) => a == b,
        (ExprKind::Binary { op: a, .. }, ExprKind::Binary { op: b, .. }) => a == b,
        (ExprKind::Subscript { .. }, ExprKind::Subscript { .. }) => true,
        (ExprKind::Call { keywords: a, .. }, ExprKind::Call { keywords: b, .. }) => {
            a.is_empty() && b.is_empty()
        }
        _ => false,
    };
    let (a, b) = (visit::children(a), visit::children(b));
    alike && a.len() == b.len() && a.into_iter().zip(b).all(|(a, b)| same(a, b))
}

/// Whether `+=` and the like change the value itself.
fn is_changed_in_place(ty: &Ty) -> bool {
    ty.is_array() || is_list(ty)
}

fn each_target(target: &Expr, add: &mut impl FnMut(&str, Span)) {
    match &target.kind {
        ExprKind::Name(name) => add(name, target.span),
        ExprKind::Tuple(items) => items.iter().for_each(|item| each_target(item, add)),
        _ => {}
    }
}

fn only_in_place(body: &[Stmt], name: &str) -> bool {
    let mut only = true;
    visit::walk_stmts(body, &mut |stmt| {
        let targets: Vec<&Expr> = match &stmt.kind {
            Ast::Assign { targets, .. } => targets.iter().collect(),
            Ast::Declare { target, .. } => vec![target],
            Ast::For(inner) => vec![&inner.target],
            _ => vec![],
        };
        only &= !targets.into_iter().flat_map(visit::target_names).any(|n| n == name);
    });
    only
}

/// How often an expression mentions a name.
fn mentions(expr: &Expr, name: &str) -> usize {
    let mut count = 0;
    visit::walk_expr(expr, &mut |e| {
        count += usize::from(matches!(&e.kind, ExprKind::Name(own) if own == name));
    });
    count
}

/// How often a statement itself mentions a name, targets included, nested statements not.
fn mentions_in(stmt: &Stmt, name: &str) -> usize {
    visit::exprs(stmt).into_iter().map(|e| mentions(e, name)).sum()
}
