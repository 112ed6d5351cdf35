//! Goes through the first iterations of a `pfor` as they will run, with symbols for what is not known, and looks for two
//! that touch one element.
//!
//! A loop whose length is a number is gone through to its end, as long as there is time. Of any other loop the first
//! rounds are looked at, and it is taken to have them: a program that races as soon as its loops are long enough
//! is a racy one. If all of all loops was gone through, and all indices were numbers, then what was not found is not there.

use std::collections::BTreeMap;

use pydd_ir::rewrite::Layout;
use pydd_ir::{Block, ElemOp, Function, Literal, Op, OpKind, Type, Value};

use super::access::{Access, Place};
use super::index::Indices;
use crate::analysis::arithmetic::{self, Claim};
use crate::analysis::symbol::{Poly, Symbol, small};

/// Rounds of a `pfor` of unknown length that are looked at, and of loops in it.
const ROUNDS: i64 = 24;
const INNER_ROUNDS: i64 = 4;
/// A loop of unknown length is taken to run at least so often, where a condition asks.
const LONG: i64 = 32;
/// Elements that are looked at, of all accesses to one array together.
const MOST_TOUCHES: usize = 2000;
/// Rounds that are looked at, whether they touch anything or not.
const MOST_ROUNDS: usize = 6000;
const DEPTH: u32 = 24;

/// What going through the iterations showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// No two iterations touch the same element.
    Apart,
    /// These accesses, by index, meet in the iterations with these indices.
    Meet {
        accesses: [usize; 2],
        iterations: [Poly; 2],
    },
    Nothing,
}

/// An element, or a whole axis where it says `None`.
type Element = Vec<Option<Poly>>;

struct Touch {
    round: i64,
    access: usize,
    certain: bool,
}

struct Walk<'a> {
    func: &'a Function,
    indices: &'a Indices<'a>,
    accesses: &'a [&'a Access],
    /// By access: the loops and conditions around it in the `pfor`, outer ones first.
    around: Vec<Vec<Around>>,
    /// By index of a loop: what it is in the current round.
    now: BTreeMap<Value, Poly>,
    /// The lengths of loops that are taken to be long.
    long: Vec<Poly>,
    round: i64,
    touched: BTreeMap<Element, Vec<Touch>>,
    /// Some element stands for a whole axis.
    has_whole_axes: bool,
    touches: usize,
    rounds: usize,
    /// All was gone through, and all of it is known.
    complete: bool,
    meeting: Option<([usize; 2], [i64; 2])>,
}

#[derive(Clone, Copy)]
enum Around {
    Loop(Value),
    /// The value is so.
    Condition(Value, bool),
    /// Something that may run its body or not.
    Other,
}

/// Looks for iterations that meet, among accesses to one root.
#[must_use]
pub fn show(
    func: &Function,
    layout: &Layout,
    indices: &Indices<'_>,
    pfor: Op,
    accesses: &[&Access],
) -> Shown {
    let counter = func.blocks[func.ops[pfor].regions[0]].params[0];
    let around = accesses.iter().map(|access| surroundings(func, layout, pfor, access.op)).collect();
    let mut walk = Walk {
        func,
        indices,
        accesses,
        around,
        now: BTreeMap::new(),
        long: Vec::new(),
        round: 0,
        touched: BTreeMap::new(),
        has_whole_axes: false,
        touches: 0,
        rounds: 0,
        complete: true,
        meeting: None,
    };
    let Some(range) = walk.range(counter) else { return Shown::Nothing };
    let rounds = walk.length(&range);
    for round in 0..rounds {
        let Some(index) = range.at(round).filter(|_| walk.has_time()) else { return Shown::Nothing };
        walk.round = round;
        walk.now.insert(counter, index);
        for (number, access) in accesses.iter().enumerate() {
            walk.access(number, 0, access.reached);
        }
        if let Some((accesses, rounds)) = walk.meeting {
            return match (range.at(rounds[0]), range.at(rounds[1])) {
                (Some(a), Some(b)) => Shown::Meet { accesses, iterations: [a, b] },
                _ => Shown::Nothing,
            };
        }
    }
    if walk.complete { Shown::Apart } else { Shown::Nothing }
}

fn surroundings(func: &Function, layout: &Layout, pfor: Op, op: Op) -> Vec<Around> {
    let mut found = Vec::new();
    let mut inner = op;
    for outer in layout.ancestors(op) {
        if outer == pfor {
            break;
        }
        let data = &func.ops[outer];
        found.push(match (&data.kind, layout.block_of(inner)) {
            (OpKind::For | OpKind::PFor(_), Some(block)) => Around::Loop(func.blocks[block].params[0]),
            (OpKind::If, block) => Around::Condition(data.args[0], Some(data.regions[0]) == block),
            (OpKind::Scope, _) => {
                inner = outer;
                continue;
            }
            _ => Around::Other,
        });
        inner = outer;
    }
    found.reverse();
    found
}

/// `range(start, stop, step)` in the current round of the loops around it.
struct Range {
    start: Poly,
    step: i64,
    /// `stop - start`
    span: Poly,
}

impl Range {
    fn at(&self, round: i64) -> Option<Poly> {
        self.start.shift(self.step.checked_mul(round)?)
    }
}

impl Walk<'_> {
    /// Whether there is time for more; what is left out then is not known.
    fn has_time(&mut self) -> bool {
        let has_time = self.rounds <= MOST_ROUNDS && self.touches <= MOST_TOUCHES;
        self.complete &= has_time;
        has_time
    }

    fn access(&mut self, access: usize, depth: usize, certain: bool) {
        self.rounds += 1;
        if self.meeting.is_some() || !self.has_time() {
            return;
        }
        match self.around[access].get(depth).copied() {
            None => self.touch(access, certain),
            Some(Around::Condition(value, holds)) => match self.condition(value, DEPTH) {
                Some(is) if is != holds => {}
                known => self.access(access, depth + 1, certain && known.is_some()),
            },
            Some(Around::Loop(counter)) => {
                let Some(range) = self.range(counter) else {
                    self.complete = false;
                    return;
                };
                let long = self.long.len();
                for round in 0..self.length(&range) {
                    let Some(index) = range.at(round).filter(|_| self.has_time()) else { break };
                    self.now.insert(counter, index);
                    self.access(access, depth + 1, certain);
                }
                self.long.truncate(long);
                self.now.remove(&counter);
            }
            Some(Around::Other) => self.complete = false,
        }
    }

    fn range(&self, counter: Value) -> Option<Range> {
        let [start, stop, step] = self.indices.counter_range(counter)?;
        let start = self.value(start, DEPTH)?;
        let is_limited = matches!(
            self.func.def_op(stop).map(|op| &self.func.ops[op].kind),
            Some(OpKind::Elem(ElemOp::Min | ElemOp::Max | ElemOp::Select) | OpKind::If)
        );
        let span = self.value(stop, DEPTH)?.sub(&start)?;
        let step = self.value(step, DEPTH)?.as_i64()?;
        // A loop that is cut short is not taken to be long.
        if is_limited && span.as_constant().is_none() {
            return None;
        }
        (step != 0 && step.abs() < 1 << 31).then_some(Range { start, step, span })
    }

    /// How many rounds of a loop are looked at.
    fn length(&mut self, range: &Range) -> i64 {
        let Some(span) = range.span.as_i64() else {
            self.complete = false;
            self.long.push(if range.step > 0 { range.span.clone() } else { range.span.neg() });
            return if self.long.len() == 1 { ROUNDS } else { INNER_ROUNDS };
        };
        let span = if range.step > 0 { span } else { -span };
        if span <= 0 { 0 } else { (span - 1) / range.step.abs() + 1 }
    }

    fn touch(&mut self, access: usize, certain: bool) {
        let accessed = self.accesses[access];
        let Some(places) = &accessed.places else {
            self.complete = false;
            return;
        };
        let mut element = Vec::new();
        let mut spread = None;
        for (axis, place) in places.iter().enumerate() {
            match place {
                Place::All => element.push(None),
                Place::Run { .. } if spread.is_none() => {
                    spread = Some(axis);
                    element.push(None);
                }
                Place::At { offset, scale, index, wraps, .. } => {
                    let at = self
                        .value(*index, DEPTH)
                        .and_then(|index| small(self.now_of(offset)?.plus(*scale, &index)?));
                    let Some(at) = at.and_then(|at| self.counted(accessed.root, axis, at, *wraps)) else {
                        self.complete = false;
                        return;
                    };
                    element.push(Some(at));
                }
                Place::Any | Place::Run { .. } => {
                    self.complete = false;
                    return;
                }
            }
        }
        match spread {
            None => self.add(access, element, certain),
            Some(axis) => self.spread(access, &element, axis, certain),
        }
    }

    /// From the start, if it is known to be counted from the end.
    fn counted(&mut self, root: Value, axis: usize, at: Poly, wraps: bool) -> Option<Poly> {
        match at.as_constant() {
            Some(0..) => Some(at),
            Some(_) if wraps => {
                let length = self.indices.axis_length(root, axis)?;
                self.complete &= length.as_constant().is_some();
                length.add(&at)
            }
            Some(_) => None,
            None => {
                self.complete = false;
                Some(at)
            }
        }
    }

    /// All elements of a slice.
    fn spread(&mut self, access: usize, element: &Element, axis: usize, certain: bool) {
        let Some(Place::Run { low, stride, high, whole }) =
            self.accesses[access].places.as_ref().map(|places| &places[axis])
        else {
            return;
        };
        let ends: Option<Vec<Poly>> = high.iter().map(|high| self.now_of(high)).collect();
        let (Some(low), Some(ends)) = (self.now_of(low), ends) else {
            self.complete = false;
            return;
        };
        let mut at = low;
        for round in 0.. {
            let room: Option<Vec<Poly>> = ends.iter().map(|end| end.sub(&at)).collect();
            let numbers: Option<Vec<i128>> = room.unwrap_or_default().iter().map(Poly::as_constant).collect();
            match numbers {
                Some(numbers) if !numbers.is_empty() && numbers.iter().any(|&n| n < 0) => return,
                Some(numbers) if !numbers.is_empty() => {}
                _ => {
                    self.complete = false;
                    if round >= INNER_ROUNDS {
                        return;
                    }
                }
            }
            // A slice ends with its array.
            self.complete &= at.as_constant().is_some();
            let mut one = element.clone();
            one[axis] = Some(at.clone());
            self.add(access, one, certain && *whole);
            let Some(next) = at.shift(*stride) else { return };
            at = next;
            if self.meeting.is_some() || !self.has_time() {
                return;
            }
        }
    }

    fn add(&mut self, access: usize, element: Element, certain: bool) {
        self.touches += 1;
        let touch = Touch { round: self.round, access, certain };
        self.has_whole_axes |= element.contains(&None);
        let touched = std::mem::take(&mut self.touched);
        if self.has_whole_axes {
            for (_, others) in touched.iter().filter(|(other, _)| could_be_one(&element, other)) {
                self.compare(others, &touch);
            }
        } else if let Some(others) = touched.get(&element) {
            self.compare(others, &touch);
        }
        self.touched = touched;
        self.touched.entry(element).or_default().push(touch);
    }

    fn compare(&mut self, others: &[Touch], touch: &Touch) {
        for other in others.iter().filter(|other| other.round != touch.round) {
            if !(self.accesses[other.access].writes || self.accesses[touch.access].writes) {
                continue;
            }
            if other.certain && touch.certain {
                self.meeting.get_or_insert(([other.access, touch.access], [other.round, touch.round]));
            } else {
                self.complete = false;
            }
        }
    }

    /// A polynomial in the current round.
    fn now_of(&self, poly: &Poly) -> Option<Poly> {
        let now = poly.replace(&mut |symbol| match symbol {
            Symbol::Value(value) if self.indices.is_inside(value) => self.value(value, DEPTH),
            symbol => Some(Poly::symbol(symbol)),
        });
        now.and_then(small)
    }

    /// An integer in the current round.
    fn value(&self, value: Value, depth: u32) -> Option<Poly> {
        let depth = depth.checked_sub(1).filter(|_| self.indices.has_time())?;
        if let Some(now) = self.now.get(&value) {
            return Some(now.clone());
        }
        if self.indices.is_invariant(value) {
            return self.indices.poly(value);
        }
        let op = self.func.def_op(value).filter(|_| self.func.ty(value) == Type::I64)?;
        if let Some(sum) = arithmetic::sum(self.func, value, &mut |operand| self.value(operand, depth)) {
            return small(sum);
        }
        let data = &self.func.ops[op];
        let arg = |i: usize| self.value(data.args[i], depth);
        match data.kind {
            OpKind::Elem(elem @ (ElemOp::FloorDiv | ElemOp::Mod)) => {
                let (a, b) = (arg(0)?.as_i64()?, arg(1)?.as_i64().filter(|&b| b > 0)?);
                let result = if elem == ElemOp::Mod { a.rem_euclid(b) } else { a.div_euclid(b) };
                Some(Poly::constant(result))
            }
            OpKind::Elem(elem @ (ElemOp::Min | ElemOp::Max)) => {
                let (a, b) = (arg(0)?, arg(1)?);
                let first_is_less = self.is_never_negative(&b.sub(&a)?)?;
                Some(if first_is_less == (elem == ElemOp::Min) { a } else { b })
            }
            OpKind::Elem(ElemOp::Abs) => {
                let number = arg(0)?.as_i64()?.checked_abs()?;
                Some(Poly::constant(number))
            }
            OpKind::Elem(ElemOp::Select) => {
                let taken = self.condition(data.args[0], depth)?;
                arg(if taken { 1 } else { 2 })
            }
            OpKind::If => self.value(self.yielded(op, value, depth)?, depth),
            _ => None,
        }
    }

    /// What an `if` gives in the current round.
    fn yielded(&self, op: Op, result: Value, depth: u32) -> Option<Value> {
        let data = &self.func.ops[op];
        let region: Block = data.regions[usize::from(!self.condition(data.args[0], depth)?)];
        let last = &self.func.ops[*self.func.blocks[region].ops.last()?];
        let which = data.results.iter().position(|&r| r == result)?;
        (last.kind == OpKind::Yield).then(|| last.args[which])
    }

    fn condition(&self, value: Value, depth: u32) -> Option<bool> {
        let depth = depth.checked_sub(1).filter(|_| self.indices.has_time())?;
        if let Some(Literal::Bool(constant)) = self.func.as_const(value) {
            return Some(*constant);
        }
        let op = self.func.def_op(value)?;
        let data = &self.func.ops[op];
        let arg = |i: usize| self.condition(data.args[i], depth);
        match data.kind {
            OpKind::Elem(ElemOp::Not) => arg(0).map(|is| !is),
            OpKind::Elem(ElemOp::And) => match (arg(0), arg(1)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (a, b) => Some(a? && b?),
            },
            OpKind::Elem(ElemOp::Or) => match (arg(0), arg(1)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (a, b) => Some(a? || b?),
            },
            OpKind::If => self.condition(self.yielded(op, value, depth)?, depth),
            OpKind::Elem(compare) if self.func.ty(data.args[0]) == Type::I64 => {
                let (a, b) = (self.value(data.args[0], depth)?, self.value(data.args[1], depth)?);
                match Claim::new(compare, &a, &b, true)? {
                    Claim::AtLeastZero(sum) => self.is_never_negative(&sum),
                    Claim::Zero(sum) => self.differs(&sum).map(|differs| !differs),
                    Claim::Either([_, beyond]) => self.differs(&beyond.shift(1)?),
                }
            }
            _ => None,
        }
    }

    /// Whether a polynomial is anything but 0, if that is known.
    fn differs(&self, gap: &Poly) -> Option<bool> {
        if let Some(gap) = gap.as_constant() {
            return Some(gap != 0);
        }
        let is_positive = |gap: &Poly| self.is_never_negative(&gap.shift(-1)?);
        (is_positive(gap) == Some(true) || is_positive(&gap.neg()) == Some(true)).then_some(true)
    }

    /// Whether a polynomial is at least 0, if that is known one way or the other.
    fn is_never_negative(&self, poly: &Poly) -> Option<bool> {
        if let Some(constant) = poly.as_constant() {
            return Some(constant >= 0);
        }
        for long in &self.long {
            if let Some(rest) = poly.sub(long).and_then(|rest| rest.as_constant())
                && rest >= -i128::from(LONG)
            {
                return Some(true);
            }
            if let Some(rest) = poly.add(long).and_then(|rest| rest.as_constant())
                && rest < i128::from(LONG)
            {
                return Some(false);
            }
        }
        None
    }
}

fn could_be_one(a: &Element, b: &Element) -> bool {
    a.iter().zip(b).all(|(a, b)| a.is_none() || b.is_none() || a == b)
}
