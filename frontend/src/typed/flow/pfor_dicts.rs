//! Parallel loops that combine values into dicts, or put items into sets.
//!
//! ```text
//! pfor i in range(n):                      pfor part in range(parts):
//!     d[k(i)] = d.get(k(i), 0) + x(i)          own = {}
//!                                              for i in this part of range(n):
//!                                                  own[k(i)] = own.get(k(i), 0) + x(i)
//!                                              for k, v in own.items():
//!                                                  keys.append(k), values.append(v), at.append(part)
//!                                          join(d, (keys, values), at)
//! ```
//!
//! How many parts there are follows from `n` and the cost of an iteration ([`OpKind::Parts`]), what they append stands in their
//! order, and their values are combined in a balanced tree: neither the values nor the order of the keys depends on threads. Only statements of one kind are recognised for a dict, and only where the
//! body does nothing else with it.

use super::env::{Binding, Env, NameId};
use super::infer::Infer;
use super::iterate::Iteration;
use super::pfor::{self, mentions, mentions_in, same};
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, CompareOp, For, Stmt, StmtKind as Ast};
use crate::syntax::visit;
use crate::typed::containers::dicts::FILE;
use crate::typed::program::tree::{Expr, ExprKind, LocalId, StmtKind};
use crate::typed::types::dict_type::is_of_numbers;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::{self, Algebra, Builtin, DictOp, Space};
use pydd_ir::{ElemOp, OpKind};

/// How iterations combine what they store for a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Joining {
    Sum,
    Min,
    Max,
    /// Of sets: keys alone.
    Add,
}

impl Joining {
    /// The function of the prelude that joins the entries of all parts to the dict.
    const fn function(self) -> &'static str {
        match self {
            Self::Sum => "join_sums",
            Self::Min => "join_least",
            Self::Max => "join_greatest",
            Self::Add => "join_keys",
        }
    }
}

/// A dict or set that a `pfor` combines values into.
struct Joined {
    name: NameId,
    joining: Joining,
    dict: Expr,
    /// The entries of all parts, and of which part each is.
    pool: LocalId,
    parts: LocalId,
}

/// What a body does with a name.
#[derive(Default)]
struct Uses {
    joining: Option<Joining>,
    /// Statements that are not all of one kind, or something else with the name.
    other: bool,
    /// Where it changes it.
    write: Option<Span>,
}

impl Infer<'_, '_> {
    /// A loop over parts, each with dicts and sets of its own, where the body combines values into some (or why it has
    /// to keep the order); None: it does not.
    pub(in crate::typed) fn pfor_into_dicts(
        &mut self,
        for_: &For,
        iteration: &Iteration,
        span: Span,
    ) -> Option<Option<Diagnostic>> {
        let before = self.env.clone()?;
        let found = self.joined_dicts(for_, &before, span);
        if found.is_empty() {
            return None;
        }
        let range = iteration.range()?;
        let [start, stop, step] = range.map(|part| self.keep(part));
        let count = Self::range_length(&[start.clone(), stop, step.clone()], span);
        let count = self.keep(count);
        let int = |value| Expr::int(value, span);
        let elem = |op, a: Expr, b: Expr| Self::elem(op, vec![a, b], true, span);
        let parts = self.keep(Self::op(OpKind::Parts, vec![count.clone()], Ty::INT, span));
        let size = self.keep(elem(ElemOp::FloorDiv, count.clone(), parts.clone()));
        let rest = self.keep(elem(ElemOp::Mod, count, parts.clone()));
        let part = self.temporary(&Ty::INT);
        let at = Expr::new(ExprKind::Local(part), Ty::INT, span);
        let from = |at: Expr| {
            let more = elem(ElemOp::FloorDiv, elem(ElemOp::Mul, at.clone(), rest.clone()), parts.clone());
            let first = elem(ElemOp::Add, elem(ElemOp::Mul, at, size.clone()), more);
            elem(ElemOp::Add, start.clone(), elem(ElemOp::Mul, first, step.clone()))
        };
        let own = [from(at.clone()), from(elem(ElemOp::Add, at, int(1))), step.clone()];
        let outer = [int(0), parts.clone(), int(1)];
        let carried = self.parallel(for_, outer, part, span, |s, _| {
            s.own_part(for_, iteration, (part, own.clone()), &found, span);
        });
        if carried.is_some() {
            return Some(carried);
        }
        if self.env.is_some() {
            found.iter().for_each(|joined| self.join_pool(joined, span));
        }
        Some(None)
    }

    /// The dicts and sets of before the loop that the body combines values into and does nothing else with.
    fn joined_dicts(&mut self, for_: &For, before: &Env, span: Span) -> Vec<Joined> {
        let own: Vec<&str> =
            visit::assigned_names(&for_.body).into_iter().chain(visit::target_names(&for_.target)).collect();
        let mut found = Vec::new();
        for name in 0..before.len() {
            let Some(Binding::Local { local, flag: None, .. }) = before.get(name) else { continue };
            let ty = self.locals[local.index()].ty.clone();
            let text = self.name_of(name).to_owned();
            let Some(dict) = ty.dict_type().cloned() else { continue };
            if own.contains(&text.as_str()) {
                continue;
            }
            let uses = self.uses_of(&for_.body, &text, dict.container.missing().is_some());
            let joins = dict.is_set() || is_of_numbers(&dict.value);
            match (uses.joining.filter(|_| joins), uses.other || !joins && uses.joining.is_some()) {
                (Some(joining), false) => {
                    if let Some(other) = self.may_be_the_same(for_, before, name) {
                        self.same_dict(for_, &text, &other, uses.write.unwrap_or(span));
                        continue;
                    }
                    let numbers = Ty::List(Num::INT);
                    let (pool, parts) = (self.temporary(&ty), self.temporary(&numbers));
                    let made = self.new_dict(&dict, span);
                    self.push(StmtKind::Set(pool, made), span);
                    self.push(StmtKind::Set(parts, Self::op(OpKind::ListNew, vec![], numbers, span)), span);
                    let dict = Expr::new(ExprKind::Local(local), ty, span);
                    found.push(Joined { name, joining, dict, pool, parts });
                }
                (_, true) if uses.write.is_some() => {
                    self.changed_by_iterations(for_, &text, uses.write.unwrap_or(span), dict.is_set());
                }
                _ => {}
            }
        }
        found
    }

    /// Another dict that the body uses, which may be this one by another name.
    fn may_be_the_same(&self, for_: &For, before: &Env, name: NameId) -> Option<String> {
        let dict_of = |index: NameId| match before.get(index) {
            Some(Binding::Local { local, .. }) => self.locals[local.index()].ty.dict_type(),
            _ => None,
        };
        let used = |text: &str| {
            let mut count = 0;
            visit::walk_stmts(&for_.body, &mut |stmt| count += mentions_in(stmt, text));
            count > 0
        };
        let own = |index: NameId| self.is_own(self.name_of(index));
        let ty = dict_of(name)?;
        if own(name) {
            return None;
        }
        let other = (0..before.len()).find(|&other| {
            let alike = other != name && dict_of(other).is_some_and(|other| other.parts() == ty.parts());
            alike && used(self.name_of(other)) && !own(other)
        });
        other.map(|other| self.name_of(other).to_owned())
    }

    fn same_dict(&mut self, for_: &For, name: &str, other: &str, write: Span) {
        let headline =
            format!("`{name}`, which iterations of this `pfor` change, may be the same as `{other}`");
        let diagnostic = Diagnostic::error(code::PFOR_RACE, headline)
            .primary(write, "changed here")
            .secondary(for_.keyword, "iterations run in no fixed order")
            .help(format!("use a copy by another name: `c = {other}.copy()` before the loop; or use `for`"));
        self.report(diagnostic);
    }

    fn changed_by_iterations(&mut self, for_: &For, name: &str, write: Span, set: bool) {
        let headline = format!("iterations of this `pfor` change `{name}` in no fixed order");
        let help = if set {
            "iterations can only add items to a set that they share: `s.add(x)`; use `for`, or a set of their own"
        } else {
            "iterations can only combine values by key, as in `d[k] = d.get(k, 0) + x`, and do nothing else with the \
             dict; use `for`, or a dict of their own"
        };
        let diagnostic = Diagnostic::error(code::PFOR_RACE, headline)
            .primary(write, "changed here")
            .secondary(for_.keyword, "iterations run in no fixed order")
            .help(help);
        self.report(diagnostic);
    }

    /// What a part does: its iterations, with dicts of its own; then their entries go to the pools.
    fn own_part(
        &mut self,
        for_: &For,
        iteration: &Iteration,
        (part, range): (LocalId, [Expr; 3]),
        found: &[Joined],
        span: Span,
    ) {
        let mut own = Vec::new();
        for joined in found {
            let Some(ty) = joined.dict.ty.dict_type().cloned() else { continue };
            let local = self.temporary(&joined.dict.ty);
            let made = self.new_dict(&ty, span);
            self.push(StmtKind::Set(local, made), span);
            self.bind(joined.name, Binding::Local { local, flag: None, def: span });
            own.push(Expr::new(ExprKind::Local(local), joined.dict.ty.clone(), span));
        }
        let label = self.label();
        let index = self.temporary(&Ty::INT);
        let mut typed = Vec::new();
        let head = self.fixpoint(for_.keyword, |s| {
            let mut ways = Vec::new();
            typed = s.block(|s| {
                s.enter(label, label, None);
                s.iteration_body(for_.iter.span, iteration, index, label, &mut |s, item| {
                    s.item_of_for(for_, item);
                });
                s.end_way(&mut ways);
            });
            ways.extend(s.leave().continues);
            ways
        });
        let kind = StmtKind::For { label, range: Box::new(range), index, body: typed, parallel: None };
        self.push(kind, span);
        self.env = head;
        for (joined, own) in found.iter().zip(&own) {
            self.add_to_pool(joined, own, part, span);
        }
    }

    /// A loop over positions in the lists of a dict that nothing was deleted from.
    fn each_entry(&mut self, dict: &Expr, span: Span, build: impl FnOnce(&mut Self, Expr)) {
        let first = self.item_of(dict, 0);
        let count = Self::op(OpKind::ListLen, vec![first], Ty::INT, span);
        let count = self.keep(count);
        let (label, index) = (self.label(), self.temporary(&Ty::INT));
        let at = Expr::new(ExprKind::Local(index), Ty::INT, span);
        let body = self.block(|s| build(s, at));
        let range = Box::new([Expr::int(0, span), count, Expr::int(1, span)]);
        self.push(StmtKind::For { label, range, index, body, parallel: None }, span);
    }

    fn add_to_pool(&mut self, joined: &Joined, own: &Expr, part: LocalId, span: Span) {
        let parts = Expr::new(ExprKind::Local(joined.parts), Ty::List(Num::INT), span);
        let part = Expr::new(ExprKind::Local(part), Ty::INT, span);
        let pool = Expr::new(ExprKind::Local(joined.pool), joined.dict.ty.clone(), span);
        let columns = own.ty.dict_type().map_or(0, |ty| ty.key_columns() + ty.value_columns());
        self.each_entry(own, span, |s, at| {
            for column in 0..columns {
                let (from, to) = (s.item_of(own, column), s.item_of(&pool, column));
                let Ty::List(num) = from.ty else { continue };
                let item = Self::op(OpKind::ListGet, vec![from, at.clone()], Ty::Scalar(num), span);
                s.effect(OpKind::ListAppend, vec![to, item], span);
            }
            s.effect(OpKind::ListAppend, vec![parts, part], span);
        });
    }

    /// After the loop.
    fn join_pool(&mut self, joined: &Joined, span: Span) {
        let pool = Expr::new(ExprKind::Local(joined.pool), joined.dict.ty.clone(), span);
        let parts = Expr::new(ExprKind::Local(joined.parts), Ty::List(Num::INT), span);
        let call =
            self.prelude_call(FILE, joined.joining.function(), vec![joined.dict.clone(), pool, parts], span);
        self.push(StmtKind::Eval(call), span);
    }

    // ---- what a body does ----

    fn uses_of(&self, body: &[Stmt], name: &str, default: bool) -> Uses {
        let mut uses = Uses::default();
        self.add_uses(body, name, default, &mut uses);
        uses
    }

    fn add_uses(&self, body: &[Stmt], name: &str, default: bool, uses: &mut Uses) {
        for stmt in body {
            if let Some(joining) = self.joining_statement(stmt, name, default) {
                uses.other |= uses.joining.is_some_and(|known| known != joining);
                uses.joining = Some(joining);
                uses.write = uses.write.or(Some(stmt.span));
                continue;
            }
            if mentions_in(stmt, name) > 0 {
                uses.other = true;
                if writes(stmt, name) {
                    uses.write = uses.write.or(Some(stmt.span));
                }
            }
            visit::blocks(stmt).into_iter().for_each(|block| self.add_uses(block, name, default, uses));
        }
    }

    /// How a statement combines something into a dict, if that is all it does with it.
    fn joining_statement(&self, stmt: &Stmt, name: &str, default: bool) -> Option<Joining> {
        match &stmt.kind {
            Ast::AugAssign { target, op: BinaryOp::Add, value } if default => {
                let key = item_key(target, name)?;
                (mentions(&key, name) + mentions(value, name) == 0).then_some(Joining::Sum)
            }
            Ast::Assign { targets, value, .. } => {
                let [target] = targets.as_slice() else { return None };
                let key = item_key(target, name).filter(|key| mentions(key, name) == 0)?;
                self.joining_value(&key, value, name)
            }
            Ast::If { branches, orelse } => {
                let [branch] = branches.as_slice() else { return None };
                let ast::ExprKind::Compare { first: key, rest } = &branch.test.kind else { return None };
                let [(op, container)] = rest.as_slice() else { return None };
                let (there, missing) = match op {
                    CompareOp::In => (&branch.body, orelse),
                    CompareOp::NotIn => (orelse, &branch.body),
                    _ => return None,
                };
                (is_name(container, name)
                    && mentions(key, name) == 0
                    && adds_or_stores(there, missing, key, name))
                .then_some(Joining::Sum)
            }
            Ast::Expr(call) => {
                let (receiver, attr, args) = method_call(call)?;
                let adds = is_method(Space::Set, attr, DictOp::Add) && is_name(receiver, name);
                (adds && args.iter().all(|arg| mentions(arg, name) == 0)).then_some(Joining::Add)
            }
            _ => None,
        }
    }

    /// `d.get(key, 0) + e`, `max(d.get(key, e), e)`.
    fn joining_value(&self, key: &ast::Expr, value: &ast::Expr, name: &str) -> Option<Joining> {
        let got = |expr: &ast::Expr| -> Option<ast::Expr> {
            let (receiver, attr, args) = method_call(expr)?;
            let [own, default] = args else { return None };
            let fits = is_method(Space::Dict, attr, DictOp::Get) && is_name(receiver, name) && same(own, key);
            fits.then(|| default.clone())
        };
        match &value.kind {
            ast::ExprKind::Binary { op: BinaryOp::Add, .. } => {
                let (all, mut terms) = (mentions(value, name), Vec::new());
                add_terms(value, &mut terms);
                let mut got = terms.into_iter().filter_map(got);
                // The one term that mentions the dict does so once.
                let default = got.next().filter(|_| all == 1)?;
                is_zero(&default).then_some(Joining::Sum)
            }
            ast::ExprKind::Call { func, args, keywords } if keywords.is_empty() => {
                let [a, b] = args.as_slice() else { return None };
                let (default, other) = got(a).map(|d| (d, b)).or_else(|| got(b).map(|d| (d, a)))?;
                let alike = same(&default, other) && mentions(other, name) == 0;
                match self.combine_function(func).filter(|_| alike)? {
                    pfor::Combine::Min => Some(Joining::Min),
                    pfor::Combine::Max => Some(Joining::Max),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn is_name(expr: &ast::Expr, name: &str) -> bool {
    matches!(&expr.kind, ast::ExprKind::Name(own) if own == name)
}

/// The terms of a sum, from left to right.
fn add_terms<'e>(expr: &'e ast::Expr, terms: &mut Vec<&'e ast::Expr>) {
    match &expr.kind {
        ast::ExprKind::Binary { op: BinaryOp::Add, left, right } => {
            add_terms(left, terms);
            add_terms(right, terms);
        }
        _ => terms.push(expr),
    }
}

fn is_zero(expr: &ast::Expr) -> bool {
    match expr.kind {
        ast::ExprKind::Int(value) => value == 0,
        ast::ExprKind::Float(value) => value == 0.0 && value.is_sign_positive(),
        _ => false,
    }
}

/// The receiver, name and arguments of `receiver.name(…)`.
fn method_call(expr: &ast::Expr) -> Option<(&ast::Expr, &str, &[ast::Expr])> {
    let ast::ExprKind::Call { func, args, keywords } = &expr.kind else { return None };
    let ast::ExprKind::Attribute { value, attr } = &func.kind else { return None };
    keywords.is_empty().then_some((&**value, attr.name.as_str(), args.as_slice()))
}

fn is_method(space: Space, name: &str, op: DictOp) -> bool {
    catalogue::find(space, name)
        .is_some_and(|found| found.entry.algebra == Algebra::Builtin(Builtin::Dict(op)))
}

/// The key of `name[key]`.
fn item_key(target: &ast::Expr, name: &str) -> Option<ast::Expr> {
    let ast::ExprKind::Subscript { value, indices, .. } = &target.kind else { return None };
    let key = match indices.as_slice() {
        [key] => key.clone(),
        all => ast::Expr { kind: ast::ExprKind::Tuple(all.to_vec()), ..target.clone() },
    };
    is_name(value, name).then_some(key)
}

/// Whether the one block is `d[key] += e` and the other `d[key] = e`.
fn adds_or_stores(there: &[Stmt], missing: &[Stmt], key: &ast::Expr, name: &str) -> bool {
    let ([there], [missing]) = (there, missing) else { return false };
    let Ast::AugAssign { target, op: BinaryOp::Add, value } = &there.kind else { return false };
    let Ast::Assign { targets, value: stored, .. } = &missing.kind else { return false };
    let [stored_at] = targets.as_slice() else { return false };
    let at_key = |target| item_key(target, name).is_some_and(|own| same(&own, key));
    at_key(target) && at_key(stored_at) && same(value, stored) && mentions(value, name) == 0
}

/// Whether a statement may change a dict itself: by an item, or by a method that does more than to look.
fn writes(stmt: &Stmt, name: &str) -> bool {
    let targets: Vec<&ast::Expr> = match &stmt.kind {
        Ast::Assign { targets, .. } | Ast::Delete(targets) => targets.iter().collect(),
        Ast::AugAssign { target, .. } => vec![target],
        _ => Vec::new(),
    };
    let item = |target: &&ast::Expr| match &target.kind {
        ast::ExprKind::Subscript { value, .. } => is_name(value, name),
        _ => false,
    };
    let mut changes = targets.iter().any(item);
    for expr in visit::exprs(stmt) {
        visit::walk_expr(expr, &mut |expr| {
            let Some((receiver, attr, _)) = method_call(expr) else { return };
            changes |= is_name(receiver, name) && catalogue::changes_container(attr);
        });
    }
    changes
}
