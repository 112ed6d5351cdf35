//! What must hold before a loop so that a check in it always passes.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::interval::Interval;
use pydd_ir::{ElemOp, Function, Op, OpKind, Type, Value};

use super::remarks::{self, Reason};
use super::test;
use crate::analysis::arithmetic::{self, Claim};
use crate::analysis::known::{Known, LowerBound};
use crate::analysis::patterns;
use crate::analysis::ranges::{Ranges, Visitor};
use crate::analysis::symbol::{Poly, Symbol};

/// How many sufficient tests are tried in place of one that is exact.
const ALTERNATIVES: usize = 3;
/// Sums within sums that a length of a slice is made of.
const SUMS: u32 = 4;
/// By degree of a product: in how many bits its symbols are, where a test makes sure of it.
const BITS: [u32; 4] = [45, 29, 19, 14];

/// What makes a check pass in all iterations of a loop.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Plan {
    /// Of each of these, one sum is at least 0.
    pub needs: Vec<Vec<Poly>>,
    /// Symbols that are within so many bits, in either direction, so that no sum overflows.
    pub limits: BTreeMap<Symbol, u32>,
    /// Results of choices between an index and the same from the end, and the index, which is never negative; ends of slices that
    /// are cut off nowhere, and what they are asked to be.
    pub unwrapped: Vec<(Value, Value)>,
}

impl Plan {
    /// Takes what another plan does as well.
    fn include(&mut self, other: &Self) {
        for need in &other.needs {
            if !self.needs.contains(need) {
                self.needs.push(need.clone());
            }
        }
        for (&symbol, &bits) in &other.limits {
            let entry = self.limits.entry(symbol).or_insert(bits);
            *entry = bits.min(*entry);
        }
        for one in &other.unwrapped {
            if !self.unwrapped.contains(one) {
                self.unwrapped.push(*one);
            }
        }
    }

    /// What its tests are about, with repetitions.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        let needed = self.needs.iter().flatten().flat_map(|sum| sum.symbols());
        needed.chain(self.limits.keys().copied())
    }
}

/// Collects, for each check, the outermost loop that it can be decided before.
#[derive(Default)]
pub(super) struct Planner {
    pub plans: BTreeMap<Op, (Op, Plan)>,
    /// Choices between an index and the same from the end, in whatever check or none, with the outermost loop before
    /// which it can be decided that the index is never negative.
    pub choices: BTreeMap<Op, (Op, Plan)>,
    /// Least and greatest values, of which a loop can be asked before it whether they are always the same operand.
    pub clamps: BTreeMap<Op, (Op, Plan)>,
    /// Of the other checks, why they are not decided.
    pub reasons: BTreeMap<Op, Reason>,
}

impl Visitor for Planner {
    fn visit(&mut self, ranges: &Ranges<'_>, op: Op) {
        let func = ranges.func();
        let kind = &func.ops[op].kind;
        let clamp = matches!(kind, OpKind::Elem(ElemOp::Min | ElemOp::Max));
        if !clamp && !matches!(kind, OpKind::Check { .. } | OpKind::Elem(ElemOp::Select)) {
            return;
        }
        let mut loops: Vec<Op> =
            ranges.layout().ancestors(op).filter(|&around| func.ops[around].kind.is_loop()).collect();
        let innermost = loops.first().copied();
        loops.reverse();
        if clamp || *kind == OpKind::Elem(ElemOp::Select) {
            let plan = |looped| {
                if clamp { self.cuts_nothing(ranges, looped, op) } else { never_negative(ranges, looped, op) }
            };
            let found = loops.into_iter().find_map(|looped| Some((looped, plan(looped)?)));
            let plans = if clamp { &mut self.clamps } else { &mut self.choices };
            plans.remove(&op);
            plans.extend(found.map(|found| (op, found)));
            return;
        }
        let found = loops.into_iter().find_map(|looped| Some((looped, self.plan(ranges, looped, op)?)));
        self.plans.remove(&op);
        self.reasons.remove(&op);
        if let Some(found) = found {
            self.plans.insert(op, found);
        } else if let Some(looped) = innermost {
            self.reasons.insert(op, remarks::reason(ranges, op, looped));
        }
    }
}

impl Planner {
    /// What makes a check pass in all iterations of a loop.
    fn plan(&self, ranges: &Ranges<'_>, looped: Op, check: Op) -> Option<Plan> {
        let condition = ranges.func().ops[check].args[0];
        self.equal_lengths(ranges, looped, check, condition).or_else(|| {
            let mut making = Making { ranges, looped, check, plan: Plan::default() };
            making.condition(condition)?;
            Some(making.plan)
        })
    }

    /// What makes two lengths of slices equal that the loop changes, where their difference is one that it does not.
    fn equal_lengths(&self, ranges: &Ranges<'_>, looped: Op, check: Op, condition: Value) -> Option<Plan> {
        let func = ranges.func();
        let data = &func.ops[func.def_op(condition)?];
        let (OpKind::Elem(ElemOp::Eq), &[a, b]) = (&data.kind, &data.args[..]) else { return None };
        if func.ty(a) != Type::I64 {
            return None;
        }
        let mut plan = Plan::default();
        // Sums that wrap around are equal where their difference is none.
        let [a, b] = [a, b].map(|length| self.wrapping_sum(ranges, looped, length, SUMS, &mut plan));
        let difference = a.sub(&b)?;
        difference.symbols().all(|symbol| ranges.is_visible(symbol, looped)).then_some(())?;
        let mut making = Making { ranges, looped, check, plan };
        making.need(std::slice::from_ref(&difference))?;
        making.need(&[difference.neg()])?;
        Some(making.plan)
    }

    /// What makes the least or the greatest of an int64 that the loop changes and another one always that int64; where all that
    /// was planned before this loop holds.
    fn cuts_nothing(&self, ranges: &Ranges<'_>, looped: Op, clamp: Op) -> Option<Plan> {
        let func = ranges.func();
        let data = &func.ops[clamp];
        let result = func.result(clamp);
        let &[a, b] = &data.args[..] else { return None };
        let changes = |value| !ranges.layout().dominates(func, value, looped);
        let (kept, bound) = if changes(a) { (a, b) } else { (b, a) };
        let counts_up =
            func.ops[looped].kind == OpKind::Loop || func.as_int(func.ops[looped].args[2]) == Some(1);
        // The length of a block of a few thousand numbers is no end of a slice.
        let is_least = data.kind == OpKind::Elem(ElemOp::Min);
        let cuts = !is_least || func.as_const(bound).is_none();
        if func.ty(result) != Type::I64 || !changes(kept) || !counts_up || !cuts {
            return None;
        }
        let mut plan = Plan::default();
        let (kept_form, bound) = (
            self.form(ranges, looped, kept, &mut plan),
            ranges.form(self.unwrapped(func, looped, bound, &mut plan)),
        );
        let room = if is_least { bound.sub(&kept_form)? } else { kept_form.sub(&bound)? };
        let kept = self.unwrapped(func, looped, kept, &mut plan);
        let mut making = Making { ranges, looped, check: clamp, plan };
        making.need(&[room])?;
        making.plan.unwrapped.push((result, kept));
        Some(making.plan)
    }

    /// What a value is as a sum there; a difference of such values where it is one number, which it is whatever wraps around.
    fn form(&self, ranges: &Ranges<'_>, looped: Op, value: Value, plan: &mut Plan) -> Poly {
        let func = ranges.func();
        let mut with = Plan::default();
        let sum = self.wrapping_sum(ranges, looped, value, SUMS, &mut with);
        let is_number = sum.as_symbol().is_some_and(|symbol| ranges.is_visible(symbol, looped));
        if is_number {
            plan.include(&with);
            sum
        } else {
            ranges.form(self.unwrapped(func, looped, value, plan))
        }
    }

    /// A value as a sum of 64 bits.
    fn wrapping_sum(
        &self,
        ranges: &Ranges<'_>,
        looped: Op,
        value: Value,
        depth: u32,
        plan: &mut Plan,
    ) -> Poly {
        let func = ranges.func();
        let value = self.unwrapped(func, looped, value, plan);
        let sum = depth.checked_sub(1).and_then(|depth| {
            let operand = &mut |value| Some(self.wrapping_sum(ranges, looped, value, depth, plan));
            arithmetic::sum(func, value, operand)
        });
        sum.unwrap_or_else(|| ranges.form(value))
    }

    /// What a value is in the copy of a loop for which all is decided that this takes, which goes to `plan`.
    fn unwrapped(&self, func: &Function, looped: Op, value: Value, plan: &mut Plan) -> Value {
        let Some(op) = func.def_op(value) else { return value };
        let made = self.clamps.get(&op).or_else(|| self.choices.get(&op));
        let Some((_, made)) = made.filter(|(before, _)| *before == looped) else { return value };
        let Some(&(_, kept)) = made.unwrapped.last() else { return value };
        plan.include(made);
        self.unwrapped(func, looped, kept, plan)
    }
}

/// What makes a choice between an index and the same from the end always give the index.
fn never_negative(ranges: &Ranges<'_>, looped: Op, choice: Op) -> Option<Plan> {
    let result = ranges.func().result(choice);
    let index = patterns::wrapped_index(ranges.func(), result, &|_| true)?;
    let mut making = Making { ranges, looped, check: choice, plan: Plan::default() };
    making.need(&[ranges.form(index)])?;
    making.plan.unwrapped.push((result, index));
    Some(making.plan)
}

struct Making<'a, 'f> {
    ranges: &'a Ranges<'f>,
    looped: Op,
    /// The check, the choice, or the clamp.
    check: Op,
    plan: Plan,
}

impl Making<'_, '_> {
    fn condition(&mut self, condition: Value) -> Option<()> {
        let func = self.ranges.func();
        let data = &func.ops[func.def_op(condition)?];
        let (OpKind::Elem(elem), &[a, b]) = (&data.kind, &data.args[..]) else { return None };
        if let Some((index, length)) = self.ranges.unsigned_operands(a, b) {
            return if *elem == ElemOp::Lt { self.index(index, length) } else { None };
        }
        if func.ty(a) == Type::BOOL && *elem == ElemOp::And {
            self.condition(a)?;
            return self.condition(b);
        }
        if func.ty(a) != Type::I64 {
            return None;
        }
        match Claim::new(*elem, &self.ranges.form(a), &self.ranges.form(b), true)? {
            Claim::AtLeastZero(sum) => self.need(&[sum]),
            Claim::Zero(sum) => {
                self.need(std::slice::from_ref(&sum))?;
                self.need(&[sum.neg()])
            }
            Claim::Either(sums) => self.need(&sums),
        }
    }

    /// `index` is within `0..length`, or, where it counts from the end, within `-length..length`.
    fn index(&mut self, index: Value, length: Value) -> Option<()> {
        let end = self.ranges.form(length);
        let wrapped = self.ranges.wrapped_index(index, &end);
        let direct = wrapped.unwrap_or(index);
        let position = self.ranges.form(direct);
        self.need(&[end.sub(&position)?.shift(-1)?])?;
        if wrapped.is_none() {
            return self.need(&[position]);
        }
        if self.stands_right_before(index) && self.need(std::slice::from_ref(&position)).is_some() {
            self.plan.unwrapped.push((index, direct));
            return Some(());
        }
        self.need(&[position.add(&end)?])
    }

    /// Whether a value is computed where what is known is what is known at the check.
    fn stands_right_before(&self, value: Value) -> bool {
        let (func, layout) = (self.ranges.func(), self.ranges.layout());
        let Some(def) = func.def_op(value) else { return false };
        let (Some(block), Some(from), Some(to)) =
            (layout.block_of(self.check), layout.index_of(def), layout.index_of(self.check))
        else {
            return false;
        };
        let is_quiet = |op: &Op| {
            matches!(func.ops[*op].kind, OpKind::Elem(_) | OpKind::Cast | OpKind::Const(_) | OpKind::Dim(_))
        };
        layout.block_of(def) == Some(block)
            && from < to
            && func.blocks[block].ops[from..to].iter().all(is_quiet)
    }

    /// One of these is at least 0 in all iterations.
    fn need(&mut self, goals: &[Poly]) -> Option<()> {
        if goals.iter().any(|goal| self.ranges.proves(goal)) {
            return Some(());
        }
        let visible = |symbol| self.ranges.is_visible(symbol, self.looped);
        let bounds = goals.iter().flat_map(|goal| self.ranges.lower_bounds(goal, &visible, ALTERNATIVES));
        let mut tests = Vec::new();
        let mut limits = self.plan.limits.clone();
        for LowerBound { bound, exact } in bounds {
            if self.is_hopeless(&bound) || tests.contains(&bound) {
                continue;
            }
            let mut with = limits.clone();
            if self.computable(&bound, &mut with)
                && exact.iter().all(|sum| self.is_exact(sum, &exact, &mut with))
            {
                limits = with;
                tests.push(bound);
            }
        }
        // What always holds needs no test.
        let certain = tests.iter().any(|test| self.ranges.interval_of(test).low >= 0);
        if tests.is_empty() {
            return None;
        }
        self.plan.limits = limits;
        if !certain && !self.plan.needs.contains(&tests) {
            self.plan.needs.push(tests);
        }
        Some(())
    }

    /// Whether a sum is at least 0 only where a length is 0 or 1, if ever.
    fn is_hopeless(&self, sum: &Poly) -> bool {
        let variable = sum.products(|_, _| true);
        sum.offset() < 2 && self.ranges.interval_of(&variable).high <= 0 && sum.as_constant().is_none()
            || sum.as_constant().is_some_and(|constant| constant < 0)
    }

    /// Whether no part of the sum overflows, given what is added to `limits`.
    fn computable(&self, sum: &Poly, limits: &mut BTreeMap<Symbol, u32>) -> bool {
        let last = sum.symbols().filter_map(|symbol| match symbol {
            Symbol::LastIteration(op) => Some(op),
            _ => None,
        });
        let ranges: BTreeSet<Op> = last.collect();
        for op in ranges {
            let [start, stop] = [0, 1].map(|i| self.ranges.form(self.ranges.func().ops[op].args[i]));
            let Some(distance) = stop.sub(&start) else { return false };
            if !self.fits(&distance, limits) {
                return false;
            }
        }
        self.fits(sum, limits)
    }

    fn fits(&self, sum: &Poly, limits: &mut BTreeMap<Symbol, u32>) -> bool {
        // Positive and negative terms stand on different sides of a comparison.
        let side = |sign: i64, of: &dyn Fn(Symbol) -> Interval| {
            let constant = sum.offset();
            let constant = if constant.signum() == i128::from(sign) { constant.abs() } else { 0 };
            // A constant that only makes the comparison strict is not added.
            let constant =
                if sign < 0 && constant == 1 && test::has_negative_terms(sum) { 0 } else { constant };
            let terms: Vec<_> = sum.terms().filter(|(_, factor)| factor.signum() == sign).collect();
            // A symbol as it is needs no arithmetic.
            if let ([(product, 1 | -1)], 0) = (&terms[..], constant)
                && product.degree() == 1
            {
                return 0;
            }
            terms.into_iter().fold(constant, |total, (product, factor)| {
                let size = product.symbols().fold(i128::from(factor).abs(), |p, s| {
                    let range = of(s);
                    p.saturating_mul(range.low.saturating_abs().max(range.high.saturating_abs()))
                });
                total.saturating_add(size)
            })
        };
        let greatest = |of: &dyn Fn(Symbol) -> Interval| side(1, of).max(side(-1, of));
        let free = greatest(&|symbol| self.ranges.interval(symbol));
        if free <= Interval::I64.high {
            return true;
        }
        let Some(bits) = bits(sum) else { return false };
        let limited = greatest(&|symbol| self.limited(symbol, &bits));
        if limited > Interval::I64.high {
            return false;
        }
        for sign in [1, -1] {
            if side(sign, &|symbol| self.ranges.interval(symbol)) > Interval::I64.high {
                self.limit(&sum.products(|_, factor| factor.signum() == sign), &bits, limits);
            }
        }
        true
    }

    /// Whether a sum over symbols of the loop is an int64 in all iterations, given what is added to `limits`
    /// and that `all`, of which it is one, are.
    fn is_exact(&self, sum: &Poly, all: &[Poly], limits: &mut BTreeMap<Symbol, u32>) -> bool {
        let visible = |symbol| self.ranges.is_visible(symbol, self.looped);
        let rooms = [sum.shift(-Interval::I64.low), sum.neg().shift(Interval::I64.high)];
        rooms.into_iter().all(|room| {
            let Some(room) = room else { return false };
            if self.ranges.proves(&room) {
                return true;
            }
            let bounds = self.ranges.lower_bounds(&room, &visible, ALTERNATIVES);
            let found = bounds.iter().find_map(|LowerBound { bound, exact }| {
                let bits = bits(bound).unwrap_or_default();
                let low = bound.interval(&|symbol| self.limited(symbol, &bits)).low;
                (low >= 0 && exact.iter().all(|sum| all.contains(sum))).then_some((bound, bits))
            });
            if let Some((bound, bits)) = &found {
                self.limit(bound, bits, limits);
            }
            found.is_some()
        })
    }

    fn limited(&self, symbol: Symbol, bits: &BTreeMap<Symbol, u32>) -> Interval {
        let (known, most) = (self.ranges.interval(symbol), 1 << bits.get(&symbol).unwrap_or(&BITS[0]));
        Interval::new(known.low.max(-most), known.high.min(most))
    }

    fn limit(&self, sum: &Poly, bits: &BTreeMap<Symbol, u32>, limits: &mut BTreeMap<Symbol, u32>) {
        for symbol in sum.symbols() {
            let bits = *bits.get(&symbol).unwrap_or(&BITS[0]);
            let wide = !Interval::new(-(1 << bits), 1 << bits).contains(self.ranges.interval(symbol));
            if wide {
                let entry = limits.entry(symbol).or_insert(bits);
                *entry = bits.min(*entry);
            }
        }
    }
}

/// In how many bits the symbols of a sum are to be; nothing where a product is too long for that.
fn bits(sum: &Poly) -> Option<BTreeMap<Symbol, u32>> {
    let mut found = BTreeMap::new();
    for (product, _) in sum.terms() {
        let most = *BITS.get(product.degree() - 1)?;
        for symbol in product.symbols() {
            let bits = found.entry(symbol).or_insert(most);
            *bits = most.min(*bits);
        }
    }
    Some(found)
}
