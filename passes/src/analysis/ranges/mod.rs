//! Ranges of integers in loop IR, relative to each other: `0 <= i`, `i + 1 <= n - 1`, `c < k`.
//!
//! Each value has a constant [`Interval`] and a *form*: an exact sum of symbols ([`Affine`]), which is the
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

mod conditions;
mod facts;
mod guesses;
mod intervals;
mod walk;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::rewrite::Layout;
use pydd_ir::{ElemOp, Entity, Function, Literal, Op, OpKind, Value, ValueData};

use self::facts::Facts;
pub use self::facts::LowerBound;
use self::guesses::{Frame, Guess, Passed};
use super::affine::{Affine, Interval, Symbol};

/// No axis is longer: memory ends before, and the runtime refuses what only pretends to be.
pub const LONGEST: i128 = (1 << 62) - 1;

/// How many facts all proofs in a function try at most: for each of its operations, and in any case. So the time is
/// linear in the size of a function; those that people write never come near it.
const TRIES: (usize, usize) = (2, 300_000);

/// What is known of a function's values at the operation that is looked at.
pub struct Ranges<'f> {
    func: &'f Function,
    layout: Layout,
    /// By value; integers that int64 can hold only, as the next.
    intervals: Vec<Interval>,
    forms: Vec<Option<Affine>>,
    /// By value, when its definition was first seen; 0: not yet.
    order: Vec<u32>,
    seen: u32,
    /// The first value that stands for an axis's length.
    dims: BTreeMap<(Value, u8), Value>,
    facts: Facts,
    frames: Vec<Frame>,
    /// Guesses that do not hold at some exit or for some iteration, so that nobody makes them again.
    refuted: BTreeSet<(Op, Passed, usize, Guess)>,
    /// Upper ends of comparisons, which guesses try.
    ends: Vec<Value>,
    /// How many facts proofs may still try.
    tries: Cell<usize>,
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
            dims: BTreeMap::new(),
            facts: Facts::default(),
            frames: Vec::new(),
            refuted: BTreeSet::new(),
            ends: guesses::upper_ends(func),
            tries: Cell::new(func.all_ops().len() * TRIES.0 + TRIES.1),
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

    /// An integer as a sum of symbols.
    #[must_use]
    pub fn form(&self, value: Value) -> Affine {
        self.forms[value.index()].clone().unwrap_or_else(|| Affine::value(value))
    }

    /// The constant range of an integer.
    #[must_use]
    pub fn value_interval(&self, value: Value) -> Interval {
        self.intervals[value.index()]
    }

    #[must_use]
    pub fn interval(&self, symbol: Symbol) -> Interval {
        match symbol {
            Symbol::Value(value) => self.value_interval(value),
            Symbol::Iteration(_) => Interval::new(0, Interval::I64.high),
            Symbol::LastIteration(_) => Interval::I64,
        }
    }

    /// The constant range of a sum.
    #[must_use]
    pub fn interval_of(&self, sum: &Affine) -> Interval {
        sum.interval(&|symbol| self.interval(symbol))
    }

    fn order(&self, symbol: Symbol) -> u32 {
        match symbol {
            Symbol::Value(value) => self.order[value.index()],
            Symbol::Iteration(op) => self.order[self.index_of(op).index()],
            Symbol::LastIteration(op) => self.order[self.index_of(op).index()] - 1,
        }
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
        self.intervals[result.index()] = self.result_interval(op, limits);
        if let Some(form) = self.result_form(op, result) {
            self.forms[result.index()] = Some(form);
        } else {
            self.assume_result(op, result);
        }
    }

    fn result_form(&mut self, op: Op, result: Value) -> Option<Affine> {
        let data = &self.func.ops[op];
        match &data.kind {
            OpKind::Const(Literal::Int(value)) => Some(Affine::constant(i128::from(*value))),
            OpKind::Dim(axis) => self.length(data.args[0], *axis, result),
            OpKind::Elem(elem) => self.elem_form(*elem, op, result),
            OpKind::Cast => {
                intervals::limits(self.func.ty(data.args[0]))?;
                let form = self.form(data.args[0]);
                self.fits(&form, result).then_some(form)
            }
            _ => None,
        }
    }

    fn length(&mut self, array: Value, axis: u8, result: Value) -> Option<Affine> {
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
        let known = *self.dims.entry((array, axis)).or_insert(result);
        (known != result).then(|| Affine::value(known))
    }

    fn elem_form(&self, elem: ElemOp, op: Op, result: Value) -> Option<Affine> {
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
        let sum = self.sum_of(result)?;
        self.fits(&sum, result).then_some(sum)
    }

    /// Whether a sum is certainly a number of the type of `value`.
    fn fits(&self, sum: &Affine, value: Value) -> bool {
        let Some(limits) = intervals::limits(self.func.ty(value)) else { return false };
        let interval = self.interval_of(sum);
        let low = interval.low >= limits.low || sum.shift(-limits.low).is_some_and(|room| self.proves(&room));
        let high = || {
            interval.high <= limits.high
                || sum.scale(-1).and_then(|s| s.shift(limits.high)).is_some_and(|room| self.proves(&room))
        };
        low && high()
    }

    /// What an operation's definition says of a result that has no form.
    fn assume_result(&mut self, op: Op, result: Value) {
        let data = &self.func.ops[op];
        let (OpKind::Elem(elem), &[a, b]) = (&data.kind, &data.args[..]) else { return };
        let (this, x, y) = (Affine::value(result), self.form(a), self.form(b));
        let facts = match elem {
            ElemOp::Min => vec![x.sub(&this), y.sub(&this)],
            ElemOp::Max => vec![this.sub(&x), this.sub(&y)],
            ElemOp::FloorDiv | ElemOp::Shr => match self.divisor(*elem, b) {
                Some(by) => {
                    let below = this.scale(by).and_then(|multiple| x.sub(&multiple));
                    let above = below.as_ref().and_then(|rest| rest.scale(-1)?.shift(by - 1));
                    vec![below, above]
                }
                None => return,
            },
            ElemOp::Mod if y.shift(-1).is_some_and(|room| self.proves(&room)) => {
                vec![Some(this.clone()), y.sub(&this).and_then(|room| room.shift(-1))]
            }
            _ => return,
        };
        facts.into_iter().flatten().for_each(|fact| self.facts.push(fact));
    }

    fn divisor(&self, elem: ElemOp, by: Value) -> Option<i128> {
        let by = self.form(by).as_constant()?;
        match elem {
            ElemOp::FloorDiv => (by > 0).then_some(by),
            _ => (0..32).contains(&by).then(|| 1 << by),
        }
    }
}
