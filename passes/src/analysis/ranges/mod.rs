//! Ranges of integers in loop IR, relative to each other: `0 <= i`, `i + 1 <= n - 1`, `c < k`.
//!
//! Each value has a constant [`Interval`] and a *form*: an exact sum of symbols ([`Poly`]), which is the
//! value itself where its operation may overflow. [`walk`](Ranges::walk) goes through a function in order and
//! collects facts on the way, each a sum that is at least 0: bounds of loops, conditions of branches, checks that
//! passed, lengths that arrays were made with. A visitor sees each operation with what holds before it.
//!
//! What holds of values that a loop carries is guessed, assumed, and dropped where an iteration does not keep
//! it, until nothing is dropped (Flanagan and Leino's Houdini, 2001). The visitor comes along when that is done.
//! Where a proof that ended before its budget did not end so again, it may see an operation twice; what it is
//! told last is right.
//!
//! It knows nothing of elements of arrays and lists.

mod guesses;
mod walk;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use pydd_ir::interval::Interval;
use pydd_ir::rewrite::Layout;
use pydd_ir::{ElemOp, Entity, Function, Literal, Op, OpKind, Value, ValueData};

use rustc_hash::FxHashMap;

use self::guesses::{Frame, Guess, Passed};
use super::known::{self, Facts, Known, Moment};
use super::symbol::{self, Poly, Symbol};
use super::{arithmetic, intervals};

/// How many facts all proofs in a function try at most: for each of its operations, and in any case. So the time is
/// linear in the size of a function; those that people write never come near it.
const TRIES: (usize, usize) = (2, 300_000);

/// What is known of a function's values at the operation that is looked at.
pub struct Ranges<'f> {
    func: &'f Function,
    layout: Layout,
    /// By value; integers that int64 can hold only, as the next.
    intervals: Vec<Interval>,
    forms: Vec<Option<Poly>>,
    /// By value, when its definition was first seen; 0: not yet.
    order: Vec<u32>,
    seen: u32,
    facts: Facts,
    frames: Vec<Frame>,
    /// Guesses that do not hold at some exit or for some iteration, so that nobody makes them again.
    refuted: BTreeSet<(Op, Passed, usize, Guess)>,
    /// Upper ends of comparisons, which guesses try.
    ends: Vec<Value>,
    /// How many facts proofs may still try.
    tries: Cell<usize>,
    /// What was asked before, whether it was proved, and when: conditions that share parts ask again and again.
    asked: RefCell<FxHashMap<Poly, (bool, Moment)>>,
}

/// Is shown each operation while what is known describes the place before it.
pub trait Visitor {
    fn visit(&mut self, ranges: &Ranges<'_>, op: Op);
}

/// For walks that only find out which guesses hold.
struct Nobody;

impl Visitor for Nobody {
    fn visit(&mut self, _: &Ranges<'_>, _: Op) {}
}

impl<'f> Ranges<'f> {
    fn new(func: &'f Function) -> Self {
        let values = func.values.len();
        let limits = |value: &ValueData| intervals::limits(value.ty).unwrap_or(Interval::I64);
        Self {
            func,
            layout: Layout::new(func),
            intervals: func.values.values().map(limits).collect(),
            forms: vec![None; values],
            order: vec![0; values],
            seen: 0,
            facts: Facts::default(),
            frames: Vec::new(),
            refuted: BTreeSet::new(),
            ends: guesses::upper_ends(func),
            tries: Cell::new(func.all_ops().len() * TRIES.0 + TRIES.1),
            asked: RefCell::default(),
        }
    }

    /// Goes through a function.
    pub fn walk(func: &'f Function, visitor: &mut dyn Visitor) {
        let mut ranges = Self::new(func);
        for &param in func.params() {
            ranges.introduce(param);
        }
        if func.all_ops().iter().any(|&op| func.ops[op].kind.is_loop()) {
            ranges.block(func.entry, &mut Nobody);
            ranges.facts.forget_from(0);
        }
        ranges.block(func.entry, visitor);
    }

    #[must_use]
    pub fn func(&self) -> &'f Function {
        self.func
    }

    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The constant range of an integer.
    #[must_use]
    pub fn value_interval(&self, value: Value) -> Interval {
        self.intervals[value.index()]
    }

    /// The induction variable of a `for`.
    fn index_of(&self, op: Op) -> Value {
        self.func.blocks[self.func.ops[op].regions[0]].params[0]
    }

    /// Whether a symbol means something before `op`, which it is used in.
    #[must_use]
    pub fn is_visible(&self, symbol: Symbol, op: Op) -> bool {
        match symbol {
            Symbol::Value(value) => self.layout.dominates(self.func, value, op),
            Symbol::Length(array, _) => self.layout.dominates(self.func, array, op),
            Symbol::Iteration(_) => false,
            Symbol::LastIteration(range) => {
                self.func.ops[range].args[..2].iter().all(|&v| self.layout.dominates(self.func, v, op))
            }
        }
    }

    /// Notes that a value is there from now on; its form is the value itself unless `describe` knows better.
    fn introduce(&mut self, value: Value) {
        if self.order[value.index()] == 0 {
            // A number in between is left for the length of a loop.
            self.seen += 2;
            self.order[value.index()] = self.seen;
        }
    }

    /// Describes the result of an operation.
    fn describe(&mut self, op: Op) {
        for &result in &self.func.ops[op].results {
            self.introduce(result);
        }
        let &[result] = &self.func.ops[op].results[..] else { return };
        let Some(limits) = intervals::limits(self.func.ty(result)) else { return };
        self.forms[result.index()] = None;
        let of = |value| self.value_interval(value);
        self.intervals[result.index()] = intervals::of_result(self.func, op, limits, &of);
        if let Some(form) = self.result_form(op, result) {
            self.forms[result.index()] = Some(form);
        } else {
            self.assume_result(op, result);
        }
    }

    fn result_form(&self, op: Op, result: Value) -> Option<Poly> {
        let data = &self.func.ops[op];
        match &data.kind {
            OpKind::Const(Literal::Int(value)) => Some(Poly::constant(*value)),
            OpKind::Dim(axis) => self.length(data.args[0], *axis),
            OpKind::Elem(elem) => self.elem_form(*elem, op, result),
            OpKind::Cast => {
                intervals::limits(self.func.ty(data.args[0]))?;
                let form = self.form(data.args[0]);
                self.fits(&form, result).then_some(form)
            }
            _ => None,
        }
    }

    fn length(&self, array: Value, axis: u8) -> Option<Poly> {
        if let Some(op) = self.func.def_op(array) {
            let first = match self.func.ops[op].kind {
                OpKind::Empty | OpKind::Zeros => Some(0),
                OpKind::RawView => Some(2),
                _ => None,
            };
            if let Some(first) = first {
                return Some(self.form(self.func.ops[op].args[first + usize::from(axis)]));
            }
        }
        Symbol::length(array, axis).map(Poly::symbol)
    }

    fn elem_form(&self, elem: ElemOp, op: Op, result: Value) -> Option<Poly> {
        let args = &self.func.ops[op].args;
        if elem == ElemOp::Select {
            return self.decides(args[0]).map(|first| self.form(args[if first { 1 } else { 2 }]));
        }
        if let &[a, b] = &args[..] {
            let (x, y) = (self.form(a), self.form(b));
            let first_is_less = || self.proves_le(&x, &y);
            let second_is_less = || self.proves_le(&y, &x);
            match elem {
                ElemOp::Min if first_is_less() => return Some(x),
                ElemOp::Min if second_is_less() => return Some(y),
                ElemOp::Max if first_is_less() => return Some(y),
                ElemOp::Max if second_is_less() => return Some(x),
                _ => {}
            }
        }
        let sum = arithmetic::sum(self.func, result, &mut |operand| Some(self.form(operand)))?;
        self.fits(&sum, result).then_some(sum)
    }

    /// Whether a sum is certainly a number of the type of `value`.
    fn fits(&self, sum: &Poly, value: Value) -> bool {
        let Some(limits) = intervals::limits(self.func.ty(value)) else { return false };
        let interval = self.interval_of(sum);
        let low = interval.low >= limits.low || sum.shift(-limits.low).is_some_and(|room| self.proves(&room));
        let high = || {
            interval.high <= limits.high
                || sum.neg().shift(limits.high).is_some_and(|room| self.proves(&room))
        };
        low && high()
    }
}

impl Known for Ranges<'_> {
    fn func(&self) -> &Function {
        self.func
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn facts_mut(&mut self) -> &mut Facts {
        &mut self.facts
    }

    fn form(&self, value: Value) -> Poly {
        self.forms[value.index()].clone().unwrap_or_else(|| symbol::value(value))
    }

    fn interval(&self, symbol: Symbol) -> Interval {
        match symbol {
            Symbol::Value(value) => self.value_interval(value),
            _ => symbol.limits(),
        }
    }

    fn order(&self, symbol: Symbol) -> u32 {
        match symbol {
            Symbol::Value(value) | Symbol::Length(value, _) => self.order[value.index()],
            Symbol::Iteration(op) => self.order[self.index_of(op).index()],
            Symbol::LastIteration(op) => self.order[self.index_of(op).index()] - 1,
        }
    }

    /// What followed from facts that are still known does so now, and what did not follow from all that is known now does not.
    fn proves(&self, goal: &Poly) -> bool {
        if self.interval_of(goal).low >= 0 {
            return true;
        }
        if let Some(&(holds, then)) = self.asked.borrow().get(goal)
            && if holds { self.facts.include(then) } else { self.facts.are_among(then) }
        {
            return holds;
        }
        let holds = known::proves(self, goal);
        self.asked.borrow_mut().insert(goal.clone(), (holds, self.facts.now()));
        holds
    }

    fn may_try(&self) -> bool {
        let left = self.tries.get();
        self.tries.set(left.saturating_sub(1));
        left > 0
    }
}
