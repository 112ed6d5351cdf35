//! Parallel loops: what each variable of the body is.
//!
//! A variable that the body assigns is either *reduced*, when all that the body does with it is to combine it
//! with something by one operator, or *private*, when each iteration assigns it before reading it. Any other one is
//! *carried*: that is an error where each iteration assigns it, and makes the loop run in order where an iteration may
//! leave it as it is. Whether iterations touch the same elements of arrays is decided by a pass.

use super::env::{Binding, Env, NameId, Way};
use super::infer::Infer;
use super::iterate::Iteration;
use super::loops::Place;
use super::reduced::{Reduced, Tried};
use super::winner::{Winner, winners};
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, CompareOp, Expr, ExprKind, For, LogicalOp, Stmt, StmtKind as Ast};
use crate::syntax::visit;
use crate::typed::containers::dict_ops::is_dict;
use crate::typed::containers::list_ops::is_list;
use crate::typed::program::tree::{self, Reduction, StmtKind};
use crate::typed::program::unit;
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue::{Algebra, Builtin};
use pydd_ir::{DType, ElemOp, ReduceOp};
use std::collections::BTreeMap;

/// Walks over a loop until all that it combines has one type.
const ROUNDS: usize = 4;

/// An assignment that combines a variable with something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::typed) enum Combine {
    Sum,
    Prod,
    Min,
    Max,
    /// Of equal values the last one stays.
    LastMin,
    LastMax,
    And,
    Or,
    Xor,
    /// Python's `and` and `or`.
    LogicalAnd,
    LogicalOr,
    /// What came along with the least value, which is this variable.
    WithMin(NameId),
    WithMax(NameId),
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
            Self::Sum | Self::Prod if dtype == DType::Bool => None,
            Self::Sum => Some(ReduceOp::Sum),
            Self::Prod => Some(ReduceOp::Prod),
            // Zeros are equal and differ.
            Self::LastMin | Self::LastMax if dtype.is_float() => None,
            Self::Min | Self::LastMin => Some(ReduceOp::Min),
            Self::Max | Self::LastMax => Some(ReduceOp::Max),
            Self::WithMin(_) => Some(ReduceOp::ArgMin),
            Self::WithMax(_) => Some(ReduceOp::ArgMax),
            Self::And | Self::LogicalAnd if dtype == DType::Bool => Some(ReduceOp::All),
            Self::Or | Self::LogicalOr if dtype == DType::Bool => Some(ReduceOp::Any),
            Self::LogicalAnd | Self::LogicalOr => None,
            _ if !ElemOp::And.domain().contains(dtype) => None,
            Self::And => Some(ReduceOp::And),
            Self::Or => Some(ReduceOp::Or),
            Self::Xor => Some(ReduceOp::Xor),
        }
    }
}

impl Infer<'_, '_> {
    pub(in crate::typed) fn pfor(&mut self, for_: &For, iteration: Iteration, span: Span) {
        if iteration.range().is_none() {
            let diagnostic =
                Diagnostic::error(code::PFOR_ITERABLE, "a `pfor` loop runs over a range or an array")
                    .primary(for_.iter.span, "its items have an order")
                    .secondary(for_.keyword, "iterations run in no fixed order")
                    .help("use `for`");
            self.report(diagnostic);
            return;
        }
        let Some(before) = self.env.clone() else { return };
        let mark = self.mark();
        let mut carried = None;
        let parallel = self.block(|s| {
            carried = match s.pfor_into_dicts(for_, &iteration, span) {
                Some(carried) => carried,
                None => s.in_any_order(for_, &iteration, span),
            };
        });
        let Some(remark) = carried else {
            self.out.extend(parallel);
            return;
        };
        self.back_to(mark);
        self.env = Some(before);
        self.report(remark);
        let at = Place { whole: span, over: for_.iter.span };
        self.counted(at, &iteration, None, &mut |s, item| s.item_of_for(for_, item));
    }

    /// The loop with iterations in no order, or why it has to keep the order.
    fn in_any_order(&mut self, for_: &For, iteration: &Iteration, span: Span) -> Option<Diagnostic> {
        let range = iteration.range()?;
        let index = self.temporary(&Ty::INT);
        self.parallel(for_, range, index, span, |s, label| {
            s.iteration_body(for_.iter.span, iteration, index, label, &mut |s, item| {
                s.item_of_for(for_, item)
            });
        })
    }

    /// A parallel loop over a range, with what `body` makes of the body; or why it has to keep the order.
    pub(in crate::typed) fn parallel(
        &mut self,
        for_: &For,
        range: [tree::Expr; 3],
        index: tree::LocalId,
        span: Span,
        mut body: impl FnMut(&mut Self, tree::Label),
    ) -> Option<Diagnostic> {
        let (before, outer) = (self.env.clone(), self.reduced.clone());
        let mut types = BTreeMap::new();
        for _ in 0..ROUNDS {
            let mark = self.mark();
            let mut found = Tried::InOneType(BTreeMap::new());
            let stmts = self.block(|s| {
                found = s.try_parallel(for_, range.clone(), index, span, &types, &mut body);
            });
            self.reduced.clone_from(&outer);
            match found {
                Tried::InOneType(more) => {
                    self.back_to(mark);
                    self.env.clone_from(&before);
                    types.extend(more);
                }
                Tried::Done(remark) => {
                    self.out.extend(stmts);
                    return remark;
                }
            }
        }
        Some(
            Diagnostic::remark(code::PFOR_UNDECIDED, "this `pfor` runs in order, on one thread")
                .primary(for_.keyword, "the types of what it combines differ from iteration to iteration"),
        )
    }

    /// One look at the loop, in which what it combines has one type each, as far as that is known.
    fn try_parallel(
        &mut self,
        for_: &For,
        range: [tree::Expr; 3],
        index: tree::LocalId,
        span: Span,
        types: &BTreeMap<NameId, Reduced>,
        body: &mut impl FnMut(&mut Self, tree::Label),
    ) -> Tried {
        let started = self.start_reductions(types, span);
        let Some(before) = &self.env.clone() else { return Tried::Done(None) };
        let told = self.diagnostics.len();
        let combined = self.combined(for_, before);
        let label = self.label();
        let mut typed = Vec::new();
        let head = self.fixpoint(span, |s| {
            let mut ways = Vec::new();
            s.isolate(for_, &combined);
            typed = s.block(|s| {
                s.enter(label, label, Some(for_.keyword));
                body(s, label);
                s.end_way(&mut ways);
            });
            let context = s.leave();
            ways.extend(context.continues);
            s.only_reductions(ways, before, &combined)
        });
        let Some(head) = head else { return Tried::Done(None) };
        let types = self.one_type_each(&combined, &head);
        if !types.is_empty() {
            return Tried::InOneType(types);
        }
        if let Some(remark) = self.carried(for_, told) {
            return Tried::Done(Some(remark));
        }
        let parallel = match self.reductions(&combined, &head) {
            Ok(parallel) => parallel,
            Err(name) => {
                let remark = self.in_order(for_, self.name_of(name));
                return Tried::Done(Some(remark.secondary(combined[&name].1, "read and assigned here")));
            }
        };
        let touched = combined.keys().filter_map(|name| self.reduced.get(name).and_then(Reduced::touched));
        let parallel = touched.chain(parallel).collect();
        let kind =
            StmtKind::For { label, range: Box::new(range), index, body: typed, parallel: Some(parallel) };
        self.push(kind, span);
        self.env = Some(head);
        self.reduced.clear();
        self.end_reductions(started, span);
        self.forget(for_, &combined);
        Tried::Done(None)
    }

    /// The remark that the loop keeps its order, where all that it carries are variables that an iteration may leave as
    /// they are; `told` is how many diagnostics there were before.
    fn carried(&self, for_: &For, told: usize) -> Option<Diagnostic> {
        let own = |d: &&Diagnostic| {
            d.code == code::PFOR_CARRIED
                && d.secondary.first().is_some_and(|label| label.span == for_.keyword)
        };
        let mut found = self.diagnostics.get(told..)?.iter().filter(own).peekable();
        let first = *found.peek()?;
        let name = |d: &Diagnostic| {
            visit::assigned_names(&for_.body)
                .into_iter()
                .find(|name| d.headline.starts_with(&format!("`{name}` ")))
        };
        if !found.all(|d| name(d).is_some_and(|name| may_keep(&for_.body, name))) {
            return None;
        }
        let (write, read) = (first.span(), first.secondary.get(1)?.span);
        let remark =
            self.in_order(for_, name(first)?).secondary(read, "reads what an iteration before has written");
        Some(if read == write { remark } else { remark.secondary(write, "written here") })
    }

    fn in_order(&self, for_: &For, name: &str) -> Diagnostic {
        let headline = format!(
            "this `pfor` runs in order, on one thread: `{name}` carries a value from one iteration to the next"
        );
        Diagnostic::remark(code::PFOR_UNDECIDED, headline).primary(for_.keyword, "")
    }

    /// The names that the body combines by one operator, with the assignment.
    fn combined(&mut self, for_: &For, before: &Env) -> BTreeMap<NameId, (Combine, Span)> {
        let mut found = BTreeMap::new();
        for winner in winners(&for_.body) {
            self.add_winner(&winner, for_, before, &mut found);
        }
        let own = visit::target_names(&for_.target);
        for name in visit::assigned_names(&for_.body) {
            let Some(index) = self.name_index(name) else { continue };
            let Some(Binding::Local { local, .. }) = before.get(index) else { continue };
            if found.contains_key(&index) || own.contains(&name) {
                continue;
            }
            // `a += …` on an array or list changes it in place: what iterations do to its elements is decided by a pass.
            let in_place =
                is_changed_in_place(&self.locals[local.index()].ty) && only_in_place(&for_.body, name);
            if let (false, Some(combine)) = (in_place, self.combination(&for_.body, name)) {
                found.insert(index, combine);
            }
        }
        found
    }

    /// Adds a least or greatest value with what comes along, if all of these are numbers of before the loop.
    fn add_winner(
        &self,
        winner: &Winner<'_>,
        for_: &For,
        before: &Env,
        found: &mut BTreeMap<NameId, (Combine, Span)>,
    ) {
        let own = visit::target_names(&for_.target);
        let number = |name: &str| {
            let index = self.name_index(name).filter(|_| !own.contains(&name))?;
            let Some(Binding::Local { local, flag: None, .. }) = before.get(index) else { return None };
            // What is compared must be what is kept.
            let exact = |ty: &Ty| ty.scalar().is_some_and(|num| matches!(num.dtype, DType::F64 | DType::I64));
            let kept = self.declarations.get(&index).is_none_or(|(ty, _)| exact(ty));
            (kept && matches!(self.locals[local.index()].ty, Ty::Scalar(_) | Ty::Either(_) | Ty::Error))
                .then_some(index)
        };
        let names: Option<Vec<NameId>> = winner.names().map(number).collect();
        let Some((&value, with)) = names.as_deref().and_then(<[NameId]>::split_first) else { return };
        let (best, along) = if winner.is_greatest {
            (Combine::Max, Combine::WithMax(value))
        } else {
            (Combine::Min, Combine::WithMin(value))
        };
        found.insert(value, (best, winner.at));
        found.extend(with.iter().map(|&name| (name, (along, winner.at))));
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
                    ExprKind::Conditional { test, then, orelse } if is(orelse) => extreme(test, then, name),
                    ExprKind::Logical { op, values } => {
                        let (last, others) = values.split_last()?;
                        // All of it is evaluated where the variable comes last.
                        let fits =
                            is(last) && others.iter().all(|e| mentions(e, name) == 0) && others.len() == 1;
                        fits.then_some(match op {
                            LogicalOp::And => Combine::LogicalAnd,
                            LogicalOp::Or => Combine::LogicalOr,
                        })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `min` and `max`, however they are spelt.
    pub(in crate::typed) fn combine_function(&self, func: &Expr) -> Option<Combine> {
        use pydd_ir::catalogue;
        let found = match &func.kind {
            ExprKind::Name(name) if self.name_index(name).is_none() => match self.unit.global(name)? {
                unit::Global::Library(found) => found,
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
            matches!(env.and_then(|e| e.get(*name)), Some(Binding::Local { local, .. })
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
            combined.keys().for_each(|&name| kept.set(name, env.get(name)));
            kept
        };
        ways.into_iter().map(|(edge, env)| (edge, keep(env))).collect()
    }

    /// The reductions, what comes along with a value behind it; or a variable whose type is not reduced so.
    fn reductions(
        &self,
        combined: &BTreeMap<NameId, (Combine, Span)>,
        head: &Env,
    ) -> Result<Vec<Reduction>, NameId> {
        let mut all = Vec::new();
        let leader = |combine: Combine| match combine {
            Combine::WithMin(value) | Combine::WithMax(value) => Some(value),
            _ => None,
        };
        let mut order: Vec<(NameId, bool, NameId)> = combined
            .iter()
            .map(|(&name, &(c, _))| (leader(c).unwrap_or(name), leader(c).is_some(), name))
            .collect();
        order.sort_unstable();
        for (_, _, name) in order {
            let Some(Binding::Local { local, .. }) = head.get(name) else { continue };
            match &self.locals[local.index()].ty {
                Ty::Scalar(num) => {
                    let op = combined[&name].0.reduce(num.dtype).ok_or(name)?;
                    all.push(Reduction { local, op });
                }
                Ty::Error => {}
                _ => return Err(name),
            }
        }
        Ok(all)
    }
}

/// `if e < s: s = e` and its like, with how often it mentions s. NaN never wins here; since no iteration makes
/// s NaN, combining the parts by `min` gives the same.
fn conditional(stmt: &Stmt, name: &str) -> Option<(Combine, usize)> {
    let Ast::If { branches, orelse } = &stmt.kind else { return None };
    let ([branch], []) = (branches.as_slice(), orelse.as_slice()) else { return None };
    let [Stmt { kind: Ast::Assign { targets, value, .. }, .. }] = branch.body.as_slice() else { return None };
    let [target] = targets.as_slice() else { return None };
    let is_target = matches!(&target.kind, ExprKind::Name(own) if own == name);
    Some((extreme(&branch.test, value, name).filter(|_| is_target)?, 2))
}

/// The test `e < s` or its like, under which s becomes e.
fn extreme(test: &Expr, value: &Expr, name: &str) -> Option<Combine> {
    let ExprKind::Compare { first, rest } = &test.kind else { return None };
    let [(op, second)] = rest.as_slice() else { return None };
    let is = |e: &Expr| matches!(&e.kind, ExprKind::Name(own) if own == name);
    let (other, value_is_left) = if is(second) { (&**first, true) } else { (second, false) };
    if is(first) == is(second) || mentions(other, name) != 0 || !same(other, value) {
        return None;
    }
    Some(match (op, value_is_left) {
        (CompareOp::Lt, true) | (CompareOp::Gt, false) => Combine::Min,
        (CompareOp::Gt, true) | (CompareOp::Lt, false) => Combine::Max,
        (CompareOp::LtEq, true) | (CompareOp::GtEq, false) => Combine::LastMin,
        (CompareOp::GtEq, true) | (CompareOp::LtEq, false) => Combine::LastMax,
        _ => return None,
    })
}

/// Whether an iteration may leave the variable as it is: all its assignments stand under conditions or in inner loops,
/// or may give it its own value.
fn may_keep(body: &[Stmt], name: &str) -> bool {
    let is = |e: &Expr| matches!(&e.kind, ExprKind::Name(own) if own == name);
    body.iter().all(|stmt| match &stmt.kind {
        Ast::Assign { targets, value, .. } => {
            let assigns = targets.iter().flat_map(visit::target_names).any(|target| target == name);
            let keeps = match &value.kind {
                ExprKind::Logical { values, .. } => values.iter().any(is),
                ExprKind::Conditional { then, orelse, .. } => is(then) || is(orelse),
                _ => false,
            };
            !assigns || keeps
        }
        Ast::Declare { target, .. } | Ast::AugAssign { target, .. } => {
            !visit::target_names(target).contains(&name)
        }
        Ast::Block { body, .. } => may_keep(body, name),
        _ => true,
    })
}

/// Whether two expressions are written alike.
pub(in crate::typed) fn same(a: &Expr, b: &Expr) -> bool {
    let alike = match (&a.kind, &b.kind) {
        (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
        (ExprKind::Item(a), ExprKind::Item(b)) => a == b,
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        (ExprKind::Float(a), ExprKind::Float(b)) => a.to_bits() == b.to_bits(),
        (ExprKind::Tuple(_), ExprKind::Tuple(_)) => true,
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
pub const fn is_changed_in_place(ty: &Ty) -> bool {
    ty.is_array() || is_list(ty) || is_dict(ty)
}

fn each_target(target: &Expr, add: &mut impl FnMut(&str, Span)) {
    match &target.kind {
        ExprKind::Name(name) => add(name, target.span),
        ExprKind::Tuple(items) => items.iter().for_each(|item| each_target(item, add)),
        ExprKind::Starred(target) => each_target(target, add),
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
pub(in crate::typed) fn mentions(expr: &Expr, name: &str) -> usize {
    let mut count = 0;
    visit::walk_expr(expr, &mut |e| {
        count += usize::from(matches!(&e.kind, ExprKind::Name(own) if own == name));
    });
    count
}

/// How often a statement itself mentions a name, targets included, nested statements not.
pub(in crate::typed) fn mentions_in(stmt: &Stmt, name: &str) -> usize {
    visit::exprs(stmt).into_iter().map(|e| mentions(e, name)).sum()
}
