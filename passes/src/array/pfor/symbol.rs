//! What indices are made of while a `pfor` is looked at.

use std::fmt;

use pydd_ir::Value;

/// What is not taken apart further: a scalar, or the length of an array's axis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Symbol {
    Scalar(Value),
    Length(Value, u8),
}

/// An index.
pub type Poly = pydd_ir::poly::Poly<Symbol>;

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(value) => write!(f, "{value}"),
            Self::Length(array, axis) => write!(f, "dim[{axis}]({array})"),
        }
    }
}
