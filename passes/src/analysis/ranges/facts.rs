//! What holds at a place, as sums that are at least 0, and proofs from it.
//!
//! A proof of `goal >= 0` takes the symbol of the goal that was defined last and gets rid of it with each
//! fact that has it with the same sign, in turn (Fourier and Motzkin's elimination, depth first, within a budget).
//! Different orders of the same facts lead to the same goals, which are tried once.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use pydd_ir::{ElemOp, Literal, OpKind, Type, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHasher};

use super::Ranges;
use crate::analysis::affine::{Affine, Interval, Symbol};

/// How many facts a proof uses after each other at most: short proofs first, since most are.
const DEPTHS: [u32; 3] = [2, 4, 8];
/// How many goals a proof looks at.
const STEPS: u32 = 64;
/// How many facts a proof tries. Where thousands of facts are about one length, most of them lead nowhere.
const TRIES: u32 = 1000;
/// How many goals a proof of a coefficient's sign looks at, and how many facts it uses.
const SIGN_STEPS: u32 = 14;
const SIGN_DEPTH: u32 = 3;
/// How many sums the search for bounds looks at, and how many facts it uses.
const BOUND_STEPS: u32 = 112;
const BOUND_DEPTH: u32 = 8;

/// Facts, newest last.
#[derive(Default, Debug)]
pub(super) struct Facts {
    facts: Vec<Affine>,
    /// By a symbol and the sign of a fixed number, the facts that have the symbol so many times, with the number.
    by_symbol: BTreeMap<(Symbol, i128), Vec<(usize, i128)>>,
}

impl Facts {
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    pub fn push(&mut self, fact: Affine) {
        if fact.terms.is_empty() || self.facts.last() == Some(&fact) {
            return;
        }
        for (symbol, times) in fixed_times(&fact) {
            let with = self.by_symbol.entry((symbol, times.signum())).or_default();
            with.push((self.facts.len(), times));
        }
        self.facts.push(fact);
    }

    pub fn forget_from(&mut self, mark: usize) {
        while self.facts.len() > mark {
            let fact = self.facts.pop().expect("longer than the mark");
            for (symbol, times) in fixed_times(&fact) {
                self.by_symbol.get_mut(&(symbol, times.signum())).and_then(Vec::pop);
            }
        }
    }

    /// The facts that have a symbol a fixed number of times of this sign, with that number.
    fn of(&self, symbol: Symbol, sign: i128) -> impl DoubleEndedIterator<Item = (&Affine, i128)> {
        let with = self.by_symbol.get(&(symbol, sign)).into_iter().flatten();
        with.map(|&(fact, times)| (&self.facts[fact], times))
    }
}

/// The symbols that a fact has a fixed number of times, other than 0, each once with that number.
fn fixed_times(fact: &Affine) -> impl Iterator<Item = (Symbol, i128)> {
    let mut symbols: Vec<Symbol> = fact.symbols().collect();
    symbols.sort_unstable();
    symbols.dedup();
    symbols.into_iter().filter_map(|symbol| {
        let times = fact.coefficient(symbol)?.as_constant()?;
        (times != 0).then_some((symbol, times))
    })
}

/// What a proof has spent, and the goals that it came to.
struct Search {
    steps: u32,
    tries: u32,
    /// By a goal's hash, how many facts could be used after it at most. Two goals of one hash are taken for one: the
    /// second is not tried, so that a proof may be missed, but none is wrong.
    seen: FxHashMap<u64, u32>,
}

impl Search {
    fn new(steps: u32) -> Self {
        Self { steps, tries: TRIES, seen: FxHashMap::default() }
    }

    /// Whether a goal is worth a step: there is one left, and the goal is new or has more depth now.
    fn enter(&mut self, goal: &Affine, depth: u32) -> bool {
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
    pub bound: Affine,
    /// Sums that are results of int64 operations and must not overflow.
    pub exact: Vec<Affine>,
}

impl Ranges<'_> {
    /// Whether the sum is certainly at least 0 here.
    #[must_use]
    pub fn proves(&self, goal: &Affine) -> bool {
        let mut tried = Search::new(STEPS);
        DEPTHS.into_iter().any(|depth| self.search(goal, depth, &mut tried))
    }

    /// Whether `a <= b` certainly holds here.
    #[must_use]
    pub fn proves_le(&self, a: &Affine, b: &Affine) -> bool {
        b.sub(a).is_some_and(|goal| self.proves(&goal))
    }

    /// Takes one try from what is left for the function.
    fn may_try(&self) -> bool {
        let left = self.tries.get();
        self.tries.set(left.saturating_sub(1));
        left > 0
    }

    fn search(&self, goal: &Affine, depth: u32, tried: &mut Search) -> bool {
        if self.interval_of(goal).low >= 0 {
            return true;
        }
        if !tried.enter(goal, depth) {
            return false;
        }
        let Some(symbol) = self.newest(goal, |_| true) else { return false };
        let Some(coefficient) = goal.coefficient(symbol) else { return false };
        let Some(sign) = self.sign(&coefficient) else { return false };
        for (fact, has) in self.facts.of(symbol, sign).rev() {
            if tried.tries == 0 || !self.may_try() {
                break;
            }
            tried.tries -= 1;
            let next = eliminate(goal, &coefficient, fact, has);
            if next.is_some_and(|next| self.search(&next, depth - 1, tried)) {
                return true;
            }
        }
        if let Some(cases) = self.cases(symbol, sign) {
            let mut one = |case: &Affine| {
                substitute(goal, symbol, &coefficient, case)
                    .is_some_and(|next| self.search(&next, depth - 1, tried))
            };
            if cases.iter().all(&mut one) {
                return true;
            }
        }
        let ends = self.interval(symbol);
        let end = if sign > 0 { ends.low } else { ends.high };
        let known = end != Interval::I64.low && end != Interval::I64.high;
        known
            && substitute(goal, symbol, &coefficient, &Affine::constant(end))
                .is_some_and(|next| self.search(&next, depth - 1, tried))
    }

    /// Sums over `visible` symbols only that are not above `goal`, at most `most` of them.
    #[must_use]
    pub fn lower_bounds(
        &self,
        goal: &Affine,
        visible: &dyn Fn(Symbol) -> bool,
        most: usize,
    ) -> Vec<LowerBound> {
        let mut found = Vec::new();
        let start = LowerBound { bound: goal.clone(), exact: Vec::new() };
        let mut steps = BOUND_STEPS;
        self.collect(start, visible, BOUND_DEPTH, &mut steps, most, &mut found);
        found
    }

    fn collect(
        &self,
        goal: LowerBound,
        visible: &dyn Fn(Symbol) -> bool,
        depth: u32,
        steps: &mut u32,
        most: usize,
        found: &mut Vec<LowerBound>,
    ) {
        if found.len() >= most || found.contains(&goal) || *steps == 0 {
            return;
        }
        *steps -= 1;
        let Some(symbol) = self.newest(&goal.bound, |s| !visible(s)) else { return found.push(goal) };
        let Some(coefficient) = goal.bound.coefficient(symbol) else { return };
        let Some(sign) = self.sign(&coefficient) else { return };
        if depth == 0 {
            return;
        }
        for (fact, has) in self.facts.of(symbol, sign) {
            if *steps == 0 || !self.may_try() {
                break;
            }
            if let Some(bound) = eliminate(&goal.bound, &coefficient, fact, has) {
                let next = LowerBound { bound, exact: goal.exact.clone() };
                self.collect(next, visible, depth - 1, steps, most, found);
            }
        }
        if let Some(sum) = self.unproved_sum(symbol)
            && let Some(bound) = substitute(&goal.bound, symbol, &coefficient, &sum)
        {
            let mut exact = goal.exact;
            exact.push(sum);
            self.collect(LowerBound { bound, exact }, visible, depth - 1, steps, most, found);
        }
    }

    /// The symbol that was defined last, of those wanted.
    fn newest(&self, sum: &Affine, wanted: impl Fn(Symbol) -> bool) -> Option<Symbol> {
        sum.symbols().filter(|&s| wanted(s)).max_by_key(|&s| (self.order(s), s))
    }

    /// 1 where the sum is never negative, -1 where never positive.
    fn sign(&self, sum: &Affine) -> Option<i128> {
        if let Some(constant) = sum.as_constant() {
            return Some(constant.signum());
        }
        let negated = sum.scale(-1)?;
        let mut tried = Search::new(SIGN_STEPS);
        if self.search(sum, SIGN_DEPTH, &mut tried) {
            return Some(1);
        }
        self.search(&negated, SIGN_DEPTH, &mut tried).then_some(-1)
    }

    /// What a symbol is one of, where each of them is not better than the symbol for the goal.
    fn cases(&self, symbol: Symbol, sign: i128) -> Option<Vec<Affine>> {
        let Symbol::Value(value) = symbol else { return None };
        let data = &self.func.ops[self.func.def_op(value)?];
        let operands = match (&data.kind, sign) {
            (OpKind::Elem(ElemOp::Min), 1) | (OpKind::Elem(ElemOp::Max), -1) => &data.args[..],
            (OpKind::Elem(ElemOp::Select), _) => &data.args[1..],
            (OpKind::If, _) => return self.yielded(value),
            _ => return None,
        };
        Some(operands.iter().map(|&v| self.form(v)).collect())
    }

    /// What the sides of a branch give for a result.
    fn yielded(&self, result: Value) -> Option<Vec<Affine>> {
        let ValueDef::Result(op, index) = self.func.values[result].def else { return None };
        let regions = self.func.ops[op].regions.iter();
        let values = regions.map(|&region| {
            let end = &self.func.ops[self.func.terminator(region)?];
            (end.kind == OpKind::Yield).then(|| self.form(end.args[index as usize]))
        });
        values.collect()
    }

    /// What a symbol would be if its operation did not overflow, which nothing proves.
    fn unproved_sum(&self, symbol: Symbol) -> Option<Affine> {
        let Symbol::Value(value) = symbol else { return None };
        if self.func.ty(value) == Type::I64 { self.sum_of(value) } else { None }
    }

    /// The sum, difference or product that an operation gives where it does not overflow.
    pub(super) fn sum_of(&self, value: Value) -> Option<Affine> {
        let data = &self.func.ops[self.func.def_op(value)?];
        let OpKind::Elem(elem) = data.kind else { return None };
        match (elem, &data.args[..]) {
            (ElemOp::Add, &[a, b]) => self.form(a).add(&self.form(b)),
            (ElemOp::Sub, &[a, b]) => self.form(a).sub(&self.form(b)),
            (ElemOp::Mul, &[a, b]) => self.form(a).times(&self.form(b)),
            (ElemOp::Neg, &[a]) => self.form(a).scale(-1),
            (ElemOp::Shl, &[a, b]) => match self.func.as_const(b)? {
                Literal::Int(by @ 0..32) => self.form(a).scale(1 << by),
                _ => None,
            },
            _ => None,
        }
    }
}

/// `goal` with `sum` in the place of `symbol`, which stands there `coefficient` times.
fn substitute(goal: &Affine, symbol: Symbol, coefficient: &Affine, sum: &Affine) -> Option<Affine> {
    let difference = sum.sub(&Affine::of(symbol))?;
    goal.add(&coefficient.times(&difference)?)
}

/// A sum without a symbol that `goal` has `coefficient` times and `fact` has `has` times, both of one sign. If it is
/// at least 0 where `fact` is, then so is `goal`.
fn eliminate(goal: &Affine, coefficient: &Affine, fact: &Affine, has: i128) -> Option<Affine> {
    if let Some(wants) = coefficient.as_constant() {
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
    goal.plus(-has, &coefficient.times(fact)?)
}

fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    if b == 0 || a == 1 { a } else { greatest_common_divisor(b, a % b) }
}
