//! What a `pfor` combines where a number of Python's meets NumPy's: `s = 0` and `s += a[i]` of float32.
//!
//! Iterations combine numbers of one type. A sum is one of NumPy's type, since the first addition makes it that; the
//! least and greatest of values is a number that holds all of them. After the loop the variable is of one of several types
//! again: of the one that it had before, if no iteration changed it.

use std::collections::BTreeMap;

use super::env::{Binding, Env, NameId};
use super::infer::Infer;
use super::pfor::Combine;
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::typed::program::tree::{Expr, ExprKind, LocalId, Reduction, Stmt, StmtKind};
use crate::typed::types::meet::settled;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::{ElemOp, ReduceOp};

/// What came of a look at a loop.
pub enum Tried {
    /// It is part of the program; or why it has to keep the order.
    Done(Option<Diagnostic>),
    /// Another look is needed, with these variables of one type each.
    InOneType(BTreeMap<NameId, Reduced>),
}

/// The type in which a variable is combined.
#[derive(Clone, Debug)]
pub struct Reduced {
    num: Num,
    /// Its types before and after the loop.
    all: Vec<Num>,
    /// The variable that says what came along with it, or it itself.
    leader: NameId,
    /// Of sums and their like: says whether some iteration changed it.
    touched: Option<LocalId>,
    /// Where it is combined.
    at: Span,
}

/// A variable before the loop.
pub struct Started {
    name: NameId,
    reduced: Reduced,
    /// As [`Reduced::all`].
    before: Expr,
    /// Its type, where that is one.
    own: Option<Num>,
    /// The value that the loop starts from.
    start: Expr,
}

impl Reduced {
    /// The reduction of whether some iteration changed it; of loops inside as well.
    pub fn touched(&self) -> Option<Reduction> {
        self.touched.map(|local| Reduction { local, op: ReduceOp::Any })
    }
}

impl Infer<'_, '_> {
    /// The types for another look at the loop, for what is of one of several types where an iteration starts.
    pub(in crate::typed) fn one_type_each(
        &mut self,
        combined: &BTreeMap<NameId, (Combine, Span)>,
        head: &Env,
    ) -> BTreeMap<NameId, Reduced> {
        let mut types = BTreeMap::new();
        for (&name, &(combine, at)) in combined {
            let Some(Binding::Local { local, flag: None, .. }) = head.get(name) else { continue };
            let Ty::Either(all) = self.locals[local.index()].ty.clone() else { continue };
            let (leader, is_extreme) = match combine {
                Combine::WithMin(leader) | Combine::WithMax(leader) => (leader, true),
                Combine::Min | Combine::Max | Combine::LastMin | Combine::LastMax => (name, true),
                _ => (name, false),
            };
            let strong: Vec<Num> = all.iter().copied().filter(|num| !num.weak).collect();
            let num = if is_extreme { settled(&all) } else { settled(&strong) };
            let touched = (!is_extreme).then(|| self.temporary(&Ty::BOOL));
            types.insert(name, Reduced { num, all, leader, touched, at });
        }
        types
    }

    /// Gives these variables their types for the loop.
    pub(in crate::typed) fn start_reductions(
        &mut self,
        types: &BTreeMap<NameId, Reduced>,
        span: Span,
    ) -> Vec<Started> {
        let outer = std::mem::take(&mut self.reduced);
        let mut started = Vec::new();
        for (&name, reduced) in types {
            let bound = self.env.as_ref().and_then(|env| env.get(name));
            let Some(Binding::Local { local, flag: None, def }) = bound else { continue };
            let value = Expr::new(ExprKind::Local(local), self.locals[local.index()].ty.clone(), span);
            let own = value.ty.scalar();
            let before = self.as_either(value, &reduced.all);
            let before = self.keep(before);
            let number = self.item_of(&before, 0);
            let start = self.convert(number, reduced.num);
            let start = self.keep(start);
            self.assign(name, start.clone(), def);
            if let Some(touched) = reduced.touched {
                self.push(StmtKind::Set(touched, Expr::bool(false, span)), span);
            }
            started.push(Started { name, reduced: reduced.clone(), before, own, start });
        }
        self.reduced = outer;
        self.reduced.extend(types.clone());
        started
    }

    /// What a variable that is combined is given in an iteration.
    pub(in crate::typed) fn as_reduced(&mut self, name: NameId, value: Expr) -> Expr {
        let Some(reduced) = self.reduced.get(&name).cloned() else { return value };
        let span = value.span;
        if let Some(touched) = reduced.touched {
            self.push(StmtKind::Set(touched, Expr::bool(true, span)), span);
            return value;
        }
        match value.ty {
            Ty::Scalar(_) | Ty::Either(_) => self.convert_to(value, &Ty::Scalar(reduced.num)),
            _ => value,
        }
    }

    /// Gives these variables their types for after the loop.
    pub(in crate::typed) fn end_reductions(&mut self, started: Vec<Started>, span: Span) {
        let mut changes: BTreeMap<NameId, Expr> = BTreeMap::new();
        let now: Vec<Option<Expr>> = started.iter().map(|s| self.reduced_value(s.name, span)).collect();
        for (started, now) in started.iter().zip(&now) {
            let Some(now) = now else { continue };
            let changed = match started.reduced.touched {
                Some(touched) => Expr::new(ExprKind::Local(touched), Ty::BOOL, span),
                None => Self::elem(ElemOp::Ne, vec![now.clone(), started.start.clone()], true, span),
            };
            changes.insert(started.name, self.keep(changed));
        }
        for (started, now) in started.into_iter().zip(now) {
            let (Some(now), Some(changed)) = (now, changes.get(&started.reduced.leader).cloned()) else {
                continue;
            };
            self.end_reduction(started, now, changed, span);
        }
    }

    fn reduced_value(&self, name: NameId, span: Span) -> Option<Expr> {
        let Some(Binding::Local { local, .. }) = self.env.as_ref()?.get(name) else { return None };
        let ty = self.locals[local.index()].ty.clone();
        ty.scalar().map(|_| Expr::new(ExprKind::Local(local), ty, span))
    }

    fn end_reduction(&mut self, started: Started, now: Expr, changed: Expr, span: Span) {
        let Started { name, reduced, before, own: own_before, .. } = started;
        if reduced.touched.is_some() {
            // The sum is of the type that it was combined in.
            let Some(own) = now.ty.scalar() else { return };
            self.start_must_fit(&before, own, &changed, reduced.at);
            let result = self.unify_and_choose(changed, now, before, span);
            return self.assign(name, result, span);
        }
        let number = self.winner_of(now, &reduced, own_before, span);
        let result = self.unify_and_choose(changed, number, before, span);
        self.assign(name, result, span);
    }

    /// The least or greatest value as one of the type that iterations give, where that is known: of the types that it may
    /// have the one that it had not before, if that holds the value.
    fn winner_of(&mut self, now: Expr, reduced: &Reduced, own_before: Option<Num>, span: Span) -> Expr {
        let others: Vec<Num> = match own_before {
            Some(own) => reduced.all.iter().copied().filter(|num| *num != own).collect(),
            None => reduced.all.iter().copied().filter(|num| !num.weak).collect(),
        };
        let [own] = others[..] else { return now };
        if own == reduced.num {
            return now;
        }
        let mut before = Vec::new();
        let number = self.convert(now.clone(), own);
        let number = self.once(number, &mut before);
        let back = self.convert(number.clone(), reduced.num);
        let holds = Self::elem(ElemOp::Eq, vec![back, now.clone()], true, span);
        let chosen = self.unify_and_choose(holds, number, now, span);
        if chosen.ty.is_silent() { chosen } else { Self::seq(before, chosen) }
    }

    /// A Python integer that the sum's type does not hold raises OverflowError with the first addition.
    fn start_must_fit(&mut self, before: &Expr, own: Num, changed: &Expr, span: Span) {
        if !own.dtype.is_int() {
            return;
        }
        let before = Expr { span, ..before.clone() };
        let then: Vec<Stmt> = self.block(|s| {
            let settled = s.settle(before);
            if settled.ty.scalar().is_some_and(|num| num.weak && num.dtype.is_int()) {
                let fitted = s.fit_int(settled, own.dtype);
                s.push(StmtKind::Eval(fitted), span);
            }
        });
        let label = self.label();
        self.push(StmtKind::If { label, cond: changed.clone(), then, orelse: vec![] }, span);
    }
}
