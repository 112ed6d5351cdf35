//! What is known of integers at a place of a function: facts, and what follows from them.
//!
//! A fact is a polynomial that is at least 0: a bound of a loop, a condition, a check that passed, what an
//! operation's definition says. There is one store of facts, one prover, and one reading of conditions and definitions for all
//! who ask. They differ in what they take for granted when they read a value as a polynomial ([`Known::form`]): `ranges` that
//! no operation overflows without proof, `pfor` that wrapped indices do no harm.

mod conditions;
mod facts;
mod proof;

use pydd_ir::interval::Interval;
use pydd_ir::{ElemOp, Function, Op, OpKind, Value};

pub use self::facts::{Facts, Moment};
pub use self::proof::{LowerBound, proves};
use super::arithmetic;
use super::patterns::{self, same_bits};
use super::symbol::{self, Poly, Symbol};

/// No axis is longer: memory ends before, and the runtime refuses what only pretends to be.
pub const LONGEST: i128 = (1 << 62) - 1;

/// What is known at one place.
pub trait Known {
    fn func(&self) -> &Function;
    fn facts(&self) -> &Facts;
    fn facts_mut(&mut self) -> &mut Facts;

    /// An integer as a sum of symbols.
    fn form(&self, value: Value) -> Poly;

    /// The constant range of a symbol.
    fn interval(&self, symbol: Symbol) -> Interval;

    /// Greater for what is defined later. Proofs get rid of the latest symbol first.
    fn order(&self, symbol: Symbol) -> u32;

    /// Takes one try from what is left for all proofs together.
    fn may_try(&self) -> bool;

    /// The constant range of a sum.
    fn interval_of(&self, sum: &Poly) -> Interval {
        sum.interval(&|symbol| self.interval(symbol))
    }

    /// Whether the sum is certainly at least 0.
    fn proves(&self, goal: &Poly) -> bool
    where
        Self: Sized,
    {
        proof::proves(self, goal)
    }

    /// Whether `a <= b` certainly holds.
    fn proves_le(&self, a: &Poly, b: &Poly) -> bool
    where
        Self: Sized,
    {
        b.sub(a).is_some_and(|goal| self.proves(&goal))
    }

    /// Sums over `visible` symbols only that are not above `goal`, at most `most` of them.
    fn lower_bounds(&self, goal: &Poly, visible: &dyn Fn(Symbol) -> bool, most: usize) -> Vec<LowerBound>
    where
        Self: Sized,
    {
        proof::lower_bounds(self, goal, visible, most)
    }

    /// Whether a condition certainly holds, or certainly does not.
    fn decides(&self, condition: Value) -> Option<bool>
    where
        Self: Sized,
    {
        conditions::decides(self, condition)
    }

    /// Remembers what holds where a condition does, or does not.
    fn assume(&mut self, condition: Value, holds: bool)
    where
        Self: Sized,
    {
        conditions::assume(self, condition, holds);
    }

    /// Remembers that a value is within these limits of int64.
    fn assume_within(&mut self, value: Value, limits: Interval) {
        let form = self.form(value);
        let facts = [form.shift(-limits.low), form.neg().shift(limits.high)];
        facts.into_iter().flatten().for_each(|fact| self.facts_mut().push(fact));
    }

    /// Remembers what an operation's definition says of its result, which is a symbol.
    fn assume_result(&mut self, op: Op, result: Value)
    where
        Self: Sized,
    {
        use ElemOp::{FloorDiv, Max, Min, Mod, Shr};
        let data = &self.func().ops[op];
        let (OpKind::Elem(elem @ (Min | Max | FloorDiv | Shr | Mod)), &[a, b]) = (&data.kind, &data.args[..])
        else {
            return;
        };
        let (this, x, y) = (symbol::value(result), self.form(a), self.form(b));
        let is_positive = |sum: &Poly| sum.shift(-1).is_some_and(|room| self.proves(&room));
        if *elem != Mod || is_positive(&y) {
            let facts = arithmetic::definition(*elem, &this, &x, &y);
            facts.into_iter().for_each(|fact| self.facts_mut().push(fact));
        }
    }

    /// The int64 values that are compared as unsigned numbers.
    fn unsigned_operands(&self, a: Value, b: Value) -> Option<(Value, Value)> {
        Some((same_bits(self.func(), a)?, same_bits(self.func(), b)?))
    }

    /// The index that `select (lt i, 0), (add i, n), i` counts from the end where it is negative, `n` being
    /// `length`.
    fn wrapped_index(&self, value: Value, length: &Poly) -> Option<Value> {
        patterns::wrapped_index(self.func(), value, &|added| self.form(added) == *length)
    }
}
