//! The text form: `parse(print(m)) == compact(m)`.
//!
//! `docs/ir.md` describes the language. The printer numbers values densely in the order in which they are
//! printed, so that a pass that makes and drops temporaries does not change a golden elsewhere. Memory
//! facts (`in m0|m1` behind a type, `!r m0 !w m1` behind an operation) are derived, never stored: the
//! parser derives them again and refuses text that claims something else.

mod attrs;
mod claims;
mod exports;
mod lexer;
mod parser;
mod printer;
mod sharing;

#[cfg(test)]
mod tests;

use std::fmt;

pub use parser::parse;
pub use printer::{PrintOptions, print, print_function, print_op};

/// How deep regions may nest; what is deeper is refused, so that recursion over regions is safe.
pub const MAX_NESTING: usize = 500;

/// Why a text is no module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}
