//! Proofs from facts.
//!
//! A proof of `goal >= 0` takes the symbol of the goal that was defined last and gets rid of it with each
//! fact that has it with the same sign, in turn (Fourier and Motzkin's elimination, depth first, within a budget).
//! Different orders of the same facts lead to the same goals, which are tried once.

use std::hash::{Hash, Hasher};

use pydd_ir::interval::Interval;
use pydd_ir::poly::greatest_common_divisor;
use pydd_ir::{ElemOp, OpKind, Type, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHasher};

use super::Known;
use crate::analysis::arithmetic;
use crate::analysis::symbol::{Poly, Symbol};

/// How many facts a proof uses after each other at most: short proofs first, since most are.
const DEPTHS: [u32; 3] = [2, 4, 8];
/// How many goals a proof looks at.
const STEPS: u32 = 64;
/// How many facts a proof tries. Where thousands of facts are about one length, most of them lead nowhere.
const TRIES: u32 = 1000;
/// How many goals a proof of a coefficient's sign looks at, and how many facts it uses.
const SIGN_STEPS: u32 = 14;
const SIGN_DEPTH: u32 = 3;
/// Searches for signs within searches for signs.
const SIGNS_WITHIN: u32 = 2;
/// How many sums the search for bounds looks at, and how many facts it uses.
const BOUND_STEPS: u32 = 112;
const BOUND_DEPTH: u32 = 8;
/// Ends of ranges beyond which nobody has an array.
const NARROW: i128 = 1 << 16;

/// What a proof has spent, and the goals that it came to.
struct Search {
    steps: u32,
    tries: u32,
    /// By a goal's hash, how many facts could be used after it at most. Two goals of one hash are taken for one: the
    /// second is not tried, so that a proof may be missed, but none is wrong.
    seen: FxHashMap<u64, u32>,
    /// How many searches for the sign of a coefficient this one is within.
    within: u32,
}

impl Search {
    fn new(steps: u32) -> Self {
        Self { steps, tries: TRIES, seen: FxHashMap::default(), within: 0 }
    }

    /// Whether a goal is worth a step: there is one left, and the goal is new or has more depth now.
    fn enter(&mut self, goal: &Poly, depth: u32) -> bool {
        if depth == 0 || self.steps == 0 {
            return false;
        }
        let mut hasher = FxHasher::default();
        goal.hash(&mut hasher);
        let before = self.seen.entry(hasher.finish()).or_insert(0);
        if *before >= depth {
            return false;
        }
        *before = depth;
        self.steps -= 1;
        true
    }
}

/// A sum that is not above another one, as long as what had to be assumed holds.
#[derive(Clone, PartialEq, Debug)]
pub struct LowerBound {
    pub bound: Poly,
    /// Sums that are results of int64 operations and must not overflow.
    pub exact: Vec<Poly>,
}

/// Whether the sum is certainly at least 0 here.
pub fn proves<K: Known>(known: &K, goal: &Poly) -> bool {
    let mut tried = Search::new(STEPS);
    DEPTHS.into_iter().any(|depth| search(known, goal, depth, &mut tried))
}

fn search<K: Known>(known: &K, goal: &Poly, depth: u32, tried: &mut Search) -> bool {
    if known.interval_of(goal).low >= 0 {
        return true;
    }
    if !tried.enter(goal, depth) {
        return false;
    }
    let Some(symbol) = newest(known, goal, |_| true) else { return false };
    let Some(coefficient) = goal.coefficient(symbol) else { return false };
    let Some(sign) = sign(known, &coefficient, tried.within) else { return false };
    for (fact, has) in known.facts().of(symbol, sign).rev() {
        if tried.tries == 0 || !known.may_try() {
            break;
        }
        tried.tries -= 1;
        let next = eliminate(goal, &coefficient, fact, has);
        if next.is_some_and(|next| search(known, &next, depth - 1, tried)) {
            return true;
        }
    }
    let mut with = |sum: &Poly| {
        substitute(goal, symbol, &coefficient, sum).is_some_and(|next| search(known, &next, depth - 1, tried))
    };
    if cases(known, symbol, sign).is_some_and(|cases| cases.iter().all(&mut with)) {
        return true;
    }
    let ends = known.interval(symbol);
    let end = if sign > 0 { ends.low } else { ends.high };
    // Ends of int64 say nothing, and what lies beyond them comes of sums that wrap.
    Interval::I64.low < end && end < Interval::I64.high && with(&Poly::constant(end))
}

/// Sums over `visible` symbols only that are not above `goal`, at most `most` of them.
pub(super) fn lower_bounds<K: Known>(
    known: &K,
    goal: &Poly,
    visible: &dyn Fn(Symbol) -> bool,
    most: usize,
) -> Vec<LowerBound> {
    let mut collector = Collector { known, visible, steps: BOUND_STEPS, most, found: Vec::new() };
    collector.collect(LowerBound { bound: goal.clone(), exact: Vec::new() }, BOUND_DEPTH);
    collector.found
}

struct Collector<'a, K> {
    known: &'a K,
    visible: &'a dyn Fn(Symbol) -> bool,
    steps: u32,
    most: usize,
    found: Vec<LowerBound>,
}

impl<K: Known> Collector<'_, K> {
    fn collect(&mut self, goal: LowerBound, depth: u32) {
        if self.found.len() >= self.most || self.found.contains(&goal) || self.steps == 0 {
            return;
        }
        self.steps -= 1;
        let known = self.known;
        let Some(symbol) = newest(known, &goal.bound, |s| !(self.visible)(s)) else {
            return self.found.push(goal);
        };
        let Some(coefficient) = goal.bound.coefficient(symbol) else { return };
        let Some(sign) = sign(known, &coefficient, 0) else { return };
        if depth == 0 {
            return;
        }
        for (fact, has) in known.facts().of(symbol, sign) {
            if self.steps == 0 || !known.may_try() {
                break;
            }
            if let Some(bound) = eliminate(&goal.bound, &coefficient, fact, has) {
                self.collect(LowerBound { bound, exact: goal.exact.clone() }, depth - 1);
            }
        }
        if let Some(sum) = unproved_sum(known, symbol)
            && let Some(bound) = substitute(&goal.bound, symbol, &coefficient, &sum)
        {
            let mut exact = goal.exact.clone();
            exact.push(sum);
            self.collect(LowerBound { bound, exact }, depth - 1);
        }
        // Of data of few bits: tables often have an element for each.
        let ends = known.interval(symbol);
        let end = if sign > 0 { ends.low } else { ends.high };
        if end.abs() < NARROW
            && let Some(bound) = substitute(&goal.bound, symbol, &coefficient, &Poly::constant(end))
        {
            self.collect(LowerBound { bound, exact: goal.exact }, depth - 1);
        }
    }
}

/// The symbol that was defined last, of those wanted.
fn newest<K: Known>(known: &K, sum: &Poly, wanted: impl Fn(Symbol) -> bool) -> Option<Symbol> {
    sum.symbols().filter(|&s| wanted(s)).max_by_key(|&s| (known.order(s), s))
}

/// 1 where the sum is never negative, -1 where never positive.
fn sign<K: Known>(known: &K, sum: &Poly, within: u32) -> Option<i64> {
    if let Some(constant) = sum.as_constant() {
        return i64::try_from(constant.signum()).ok();
    }
    // A coefficient's symbols may have coefficients again, and those the first one's.
    if within >= SIGNS_WITHIN {
        return None;
    }
    let mut tried = Search { within: within + 1, ..Search::new(SIGN_STEPS) };
    if search(known, sum, SIGN_DEPTH, &mut tried) {
        return Some(1);
    }
    search(known, &sum.neg(), SIGN_DEPTH, &mut tried).then_some(-1)
}

/// What a symbol is one of, where each of them is not better than the symbol for the goal.
fn cases<K: Known>(known: &K, symbol: Symbol, sign: i64) -> Option<Vec<Poly>> {
    let Symbol::Value(value) = symbol else { return None };
    let func = known.func();
    let data = &func.ops[func.def_op(value)?];
    let operands = match (&data.kind, sign) {
        (OpKind::Elem(ElemOp::Min), 1) | (OpKind::Elem(ElemOp::Max), -1) => &data.args[..],
        (OpKind::Elem(ElemOp::Select), _) => &data.args[1..],
        (OpKind::If, _) => return yielded(known, value),
        _ => return None,
    };
    Some(operands.iter().map(|&v| known.form(v)).collect())
}

/// What the sides of a branch give for a result.
fn yielded<K: Known>(known: &K, result: Value) -> Option<Vec<Poly>> {
    let func = known.func();
    let ValueDef::Result(op, index) = func.values[result].def else { return None };
    let regions = func.ops[op].regions.iter();
    let values = regions.map(|&region| {
        let end = &func.ops[func.terminator(region)?];
        (end.kind == OpKind::Yield).then(|| known.form(end.args[index as usize]))
    });
    values.collect()
}

/// What a symbol would be if its operation did not overflow, which nothing proves.
fn unproved_sum<K: Known>(known: &K, symbol: Symbol) -> Option<Poly> {
    let Symbol::Value(value) = symbol else { return None };
    let operand = &mut |operand| Some(known.form(operand));
    if known.func().ty(value) == Type::I64 { arithmetic::sum(known.func(), value, operand) } else { None }
}

/// `goal` with `sum` in the place of `symbol`, which stands there `coefficient` times.
fn substitute(goal: &Poly, symbol: Symbol, coefficient: &Poly, sum: &Poly) -> Option<Poly> {
    let difference = sum.sub(&Poly::symbol(symbol))?;
    goal.add(&coefficient.mul(&difference)?)
}

/// A sum without a symbol that `goal` has `coefficient` times and `fact` has `has` times, both of one sign. If it is
/// at least 0 where `fact` is, then so is `goal`.
fn eliminate(goal: &Poly, coefficient: &Poly, fact: &Poly, has: i64) -> Option<Poly> {
    if let Some(wants) = coefficient.as_i64() {
        let common = greatest_common_divisor(wants.abs(), has.abs());
        let (scale, factor) = (has.abs() / common, wants.abs() / common);
        if scale == 1 {
            return goal.plus(-factor, fact);
        }
        // Of whole numbers, `goal >= 0` is `scale * goal >= 1 - scale`.
        return goal.scale(scale)?.shift(scale - 1)?.plus(-factor, fact);
    }
    if has.abs() != 1 {
        return None;
    }
    // The coefficient has the fact's sign, so that their product is at least 0.
    goal.plus(-has, &coefficient.mul(fact)?)
}
