//! From source to typed program and array IR; diagnostics.
//!
//! The stages, in the order in which data flows:
//! - [`source`]: text, spans, lines and columns;
//! - [`syntax`]: text to the syntax tree of the language;
//! - [`typed`]: the syntax tree to a typed program;
//! - [`emit`]: the typed program to array IR;
//! - [`editor`]: what editors ask of a program: meanings, types and definitions by place;
//! - [`diagnostics`]: what is told to the user, as data, and its renderings.

pub mod compile;
pub mod diagnostics;
pub mod editor;
pub mod emit;
mod prelude;
pub mod source;
pub mod stack;
pub mod syntax;
pub mod typed;

pub use compile::{Outcome, compile};
