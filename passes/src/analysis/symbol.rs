//! What integers of a function are made of.

use std::fmt;

use pydd_ir::interval::Interval;
use pydd_ir::poly;
use pydd_ir::{Entity, Op, Value};

use super::known::LONGEST;

/// Larger factors and constants are given up, so that many iterations lie between two whose sums wrap to one number.
const MAX_FACTOR: i64 = 1 << 32;
/// More terms than this are given up.
const MAX_TERMS: usize = 24;

/// An integer that is not taken apart further.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    Value(Value),
    /// The length of an array's axis. Made by [`Symbol::length`].
    Length(Value, u8),
    /// How many iterations of a loop of constant step are done, from 0.
    Iteration(Op),
    /// The greatest number that `Iteration` reaches; negative for a loop that never runs.
    LastIteration(Op),
}

/// An integer as a sum of products.
pub type Poly = poly::Poly<Symbol>;

impl Symbol {
    /// What is left of a word for an index, beside the kind.
    const BITS: u32 = 30;
    /// The same beside an axis.
    const ARRAY_BITS: u32 = Self::BITS - u8::BITS;

    /// The length of an axis; nothing for arrays behind the first four million values of a function.
    #[must_use]
    pub fn length(array: Value, axis: u8) -> Option<Self> {
        (array.index() >> Self::ARRAY_BITS == 0).then_some(Self::Length(array, axis))
    }
}

impl Symbol {
    /// Its constant range, as far as its kind tells.
    #[must_use]
    pub fn limits(self) -> Interval {
        match self {
            Self::Length(..) => Interval::new(0, LONGEST),
            Self::Iteration(_) => Interval::new(0, Interval::I64.high),
            Self::Value(_) | Self::LastIteration(_) => Interval::I64,
        }
    }
}

impl From<Value> for Symbol {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl poly::Symbol for Symbol {
    fn word(self) -> u32 {
        let (kind, index) = match self {
            Self::Value(value) => (0, value.index() + 1),
            Self::Length(array, axis) => (1, array.index() << u8::BITS | usize::from(axis)),
            Self::Iteration(op) => (2, op.index()),
            Self::LastIteration(op) => (3, op.index()),
        };
        let index = u32::try_from(index).ok().filter(|index| index >> Self::BITS == 0);
        kind << Self::BITS | index.expect("a function of less than a thousand million operations")
    }

    fn of_word(word: u32) -> Self {
        let index = (word & ((1 << Self::BITS) - 1)) as usize;
        match word >> Self::BITS {
            0 => Self::Value(Value::new(index - 1)),
            1 => Self::Length(Value::new(index >> u8::BITS), (index & 0xff) as u8),
            2 => Self::Iteration(Op::new(index)),
            _ => Self::LastIteration(Op::new(index)),
        }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => write!(f, "{value}"),
            Self::Length(array, axis) => write!(f, "dim[{axis}]({array})"),
            Self::Iteration(op) => write!(f, "round({op})"),
            Self::LastIteration(op) => write!(f, "last({op})"),
        }
    }
}

/// A polynomial that wrapped arithmetic may be read as.
#[must_use]
pub fn small<S: poly::Symbol>(poly: poly::Poly<S>) -> Option<poly::Poly<S>> {
    (poly.is_within(MAX_FACTOR) && poly.terms().count() <= MAX_TERMS).then_some(poly)
}

/// A value that is not taken apart.
#[must_use]
pub fn value(value: Value) -> Poly {
    Poly::symbol(Symbol::Value(value))
}

#[cfg(test)]
mod tests {
    use pydd_ir::poly::Symbol as _;

    use super::*;

    #[test]
    fn words_are_ordered_as_symbols() {
        let (value, op) = (Value::new, Op::new);
        let symbols = [
            Symbol::Value(value(0)),
            Symbol::Value(value(700)),
            Symbol::Length(value(0), 0),
            Symbol::Length(value(0), 255),
            Symbol::Length(value(1), 3),
            Symbol::Iteration(op(0)),
            Symbol::Iteration(op(9)),
            Symbol::LastIteration(op(0)),
        ];
        assert!(symbols.is_sorted());
        assert!(symbols.map(Symbol::word).is_sorted_by(|a, b| a < b));
        assert!(symbols.iter().all(|&symbol| symbol.word() != 0 && Symbol::of_word(symbol.word()) == symbol));
    }

    #[test]
    fn lengths_of_few_arrays_are_symbols() {
        assert_eq!(Symbol::length(Value::new((1 << 22) - 1), 1).map(Symbol::word), Some(0x7fff_ff01));
        assert_eq!(Symbol::length(Value::new(1 << 22), 1), None);
    }
}
