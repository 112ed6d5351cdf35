//! From source to typed program and array IR; diagnostics.
//!
//! The stages, in the order in which data flows:
//! - [`source`]: text, spans, lines and columns;
//! - [`syntax`]: text to the syntax tree of the language;
//! - [`diagnostics`]: what is told to the user, as data, and its renderings.

pub mod diagnostics;
pub mod source;
pub mod stack;
pub mod syntax;
