//! What is known of the integers that a `pfor` uses: the facts, and who adds to them.

use pydd_ir::interval::Interval;
use pydd_ir::rewrite::Layout;
use pydd_ir::{Entity, Function, Op, OpKind, Value};

use super::{DEPTH, Guard, Indices, Side, guards};
use crate::analysis::intervals;
use crate::analysis::known::{Facts, Known};
use crate::analysis::symbol::{self, Poly, Symbol};

/// The most conditions before the loop that are looked at.
const MAX_GUARDS: usize = 64;

/// The conditions around an operation within `outermost`.
fn conditions(func: &Function, layout: &Layout, op: Op, outermost: Op) -> Vec<Guard> {
    let mut found = Vec::new();
    let mut inner = op;
    for outer in layout.ancestors(op).take_while(|&outer| outer != outermost) {
        if func.ops[outer].kind == OpKind::If {
            let first = layout.block_of(inner) == Some(func.ops[outer].regions[0]);
            found.push((func.ops[outer].args[0], first));
        }
        inner = outer;
    }
    found
}

impl Indices<'_> {
    /// Begins with what holds wherever the loop runs.
    pub(super) fn assume_surroundings(&self) {
        // Conditions that are near come last: proofs try the latest facts first.
        let known = guards(self.func, self.layout, self.pfor);
        self.with_facts(|here| {
            known.iter().take(MAX_GUARDS).rev().for_each(|&(value, holds)| here.assume(value, holds));
        });
        let around: Vec<Op> = self.layout.ancestors(self.pfor).collect();
        around.into_iter().rev().chain([self.pfor]).for_each(|op| self.bound_counter(op));
        self.lasting.set(self.facts.borrow().len());
    }

    /// Adds to the facts.
    fn with_facts<T>(&self, add: impl FnOnce(&mut Here<'_, '_>) -> T) -> T {
        let mut here = Here { indices: self, facts: self.facts.take() };
        let result = add(&mut here);
        self.facts.replace(here.facts);
        result
    }

    /// Puts definitions among the facts that always hold.
    fn define(&self) {
        while !self.undefined.borrow().is_empty() {
            let values = self.undefined.take();
            self.with_facts(|here| {
                let later = here.facts.split_off(self.lasting.get());
                for value in values {
                    if let Some(op) = self.func.def_op(value) {
                        here.assume_result(op, value);
                    }
                }
                self.lasting.set(here.facts.len());
                here.facts.append(later);
            });
        }
    }

    /// The bounds of a loop's counter become facts, if it is one.
    fn bound_counter(&self, op: Op) {
        if let OpKind::For | OpKind::PFor(_) = self.func.ops[op].kind {
            let counter = self.func.blocks[self.func.ops[op].regions[0]].params[0];
            self.bound(counter);
        }
    }

    fn bound(&self, counter: Value) {
        if !self.bounded.borrow_mut().insert(counter) {
            return;
        }
        let index = symbol::value(counter);
        let low = self.counter_bounds(counter, Side::Below, DEPTH / 2);
        let high = self.counter_bounds(counter, Side::Above, DEPTH / 2);
        let rooms = low.iter().map(|low| index.sub(low)).chain(high.iter().map(|high| high.sub(&index)));
        let rooms: Vec<Poly> = rooms.flatten().collect();
        self.with_facts(|here| rooms.into_iter().for_each(|room| here.facts.push(room)));
    }

    /// From now on, all of these operations are taken to be reached: loops of the body around them run at
    /// least once, and the conditions around them hold.
    pub fn assume_reached(&self, ops: [Op; 2]) {
        self.assume_nothing();
        for op in ops {
            let around = self.layout.ancestors(op).take_while(|&outer| outer != self.pfor);
            let around: Vec<Op> = around.collect();
            around.into_iter().rev().for_each(|outer| self.bound_counter(outer));
        }
        let is_shared = |fact: &Poly| {
            !fact.symbols().any(|symbol| match symbol {
                Symbol::Value(value) | Symbol::Length(value, _) => self.is_inside(value),
                Symbol::Iteration(_) | Symbol::LastIteration(_) => true,
            })
        };
        let mark = self.facts.borrow().len();
        self.with_facts(|here| {
            for op in ops {
                let around = conditions(self.func, self.layout, op, self.pfor);
                around.into_iter().rev().for_each(|(value, holds)| here.assume(value, holds));
            }
            // What changes with the iteration is not the same for both.
            let found = here.facts.split_off(mark);
            found.into_iter().filter(is_shared).for_each(|fact| here.facts.push(fact));
        });
    }

    /// From now on, only what always holds is taken for granted.
    pub fn assume_nothing(&self) {
        self.facts.borrow_mut().forget_from(self.lasting.get());
        let inside = |counter: &Value| self.is_inside(*counter);
        let index = self.func.blocks[self.func.ops[self.pfor].regions[0]].params[0];
        self.bounded.borrow_mut().retain(|counter| !inside(counter) || *counter == index);
    }

    /// The constant range of a value.
    pub(super) fn value_interval(&self, value: Value, depth: u32) -> Interval {
        let limits = intervals::limits(self.func.ty(value)).unwrap_or(Interval::I64);
        let (Some(op), Some(depth)) = (self.func.def_op(value), depth.checked_sub(1)) else { return limits };
        if let Some(&known) = self.intervals.borrow().get(&value) {
            return known;
        }
        let of = |operand| self.value_interval(operand, depth);
        let found = intervals::of_result(self.func, op, limits, &of);
        self.intervals.borrow_mut().insert(value, found);
        found
    }

    /// Whether a polynomial is certainly at least 0.
    #[must_use]
    pub fn is_never_negative(&self, poly: &Poly) -> bool {
        if self.spend(1).is_none() {
            return false;
        }
        let (before, lasting) = (self.facts.borrow().len(), self.lasting.get());
        let bounded = self.bounded.borrow().clone();
        // It is asked about places where the loops of all counters in it run.
        let mut next: Vec<Value> = self.counters_of(poly).collect();
        while let Some(counter) = next.pop() {
            if self.bounded.borrow().contains(&counter) {
                continue;
            }
            let mark = self.facts.borrow().len();
            self.bound(counter);
            let rooms = self.facts.borrow_mut().split_off(mark);
            next.extend(rooms.iter().flat_map(|room| self.counters_of(room)));
            self.facts.borrow_mut().append(rooms);
        }
        self.define();
        let proved = self.with_facts(|here| here.proves(poly));
        self.bounded.replace(bounded);
        // Definitions stay.
        self.facts.borrow_mut().forget_from(before + self.lasting.get() - lasting);
        proved
    }
}

/// The facts, while they are used.
struct Here<'i, 'a> {
    indices: &'i Indices<'a>,
    facts: Facts,
}

impl Known for Here<'_, '_> {
    fn func(&self) -> &Function {
        self.indices.func
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn facts_mut(&mut self) -> &mut Facts {
        &mut self.facts
    }

    fn form(&self, value: Value) -> Poly {
        self.indices.poly(value).unwrap_or_else(|| symbol::value(value))
    }

    fn interval(&self, symbol: Symbol) -> Interval {
        match symbol {
            Symbol::Value(value) => self.indices.value_interval(value, DEPTH),
            _ => symbol.limits(),
        }
    }

    fn order(&self, symbol: Symbol) -> u32 {
        match symbol {
            Symbol::Value(value) | Symbol::Length(value, _) => self.indices.order[value.index()],
            Symbol::Iteration(_) | Symbol::LastIteration(_) => 0,
        }
    }

    fn may_try(&self) -> bool {
        self.indices.spend(1).is_some()
    }
}
