//! What PTX instructions compute, bit by bit: functions from register contents to register contents.
//!
//! A register holds 64 bits; a function reads as many of them as its type has, and leaves the rest zero.

pub mod compare;
pub mod convert;
pub mod exact;
pub mod float;
pub mod integer;
pub mod packed;

use crate::parse::Type;
pub use exact::Rounding;

/// How two operands are compared; the forms with `u` are also true for NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    /// Neither is NaN.
    Num,
    Nan,
}

/// What modifiers of an instruction say beside its type. Passed to each function, so that one function serves all modifiers.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    pub rounding: Rounding,
    /// Round a float to an integral value (`.rni`, `.rzi`, `.rmi`, `.rpi`).
    pub integral: bool,
    /// Subnormal operands and results become zero.
    pub flush: bool,
    pub saturate: bool,
    /// `min.NaN`, `max.NaN`: NaN wins.
    pub keep_nan: bool,
    pub comparison: Comparison,
    /// Immediate parameter: the table of `lop3`, the way of `prmt`.
    pub table: u8,
    pub from: Type,
    pub to: Type,
}

impl Default for Mode {
    fn default() -> Self {
        Mode {
            rounding: Rounding::Nearest,
            integral: false,
            flush: false,
            saturate: false,
            keep_nan: false,
            comparison: Comparison::Eq,
            table: 0,
            from: Type::B64,
            to: Type::B64,
        }
    }
}

pub type Unary = fn(u64, Mode) -> u64;
pub type Binary = fn(u64, u64, Mode) -> u64;
pub type Ternary = fn(u64, u64, u64, Mode) -> u64;

/// A function by its number of operands.
#[derive(Clone, Copy)]
pub enum Function {
    Unary(Unary),
    Binary(Binary),
    Ternary(Ternary),
}
