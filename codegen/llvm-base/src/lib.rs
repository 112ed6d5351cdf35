//! What backends that go through LLVM have in common: the core of instructions of `pydd_codegen` in LLVM's (`builder`), what belongs to an
//! LLVM module as a whole (`object`), elementary functions, debuggers' descriptions, and running passes.
//!
//! Which processor, which passes and what becomes of the module is each backend's. Only this crate and the backends on it name inkwell.

pub mod builder;
mod debug;
mod loops;
pub mod math;
pub mod object;
pub mod pipeline;
mod scopes;

pub use builder::Ir;
pub use object::{Object, Processor};
