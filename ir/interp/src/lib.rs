//! The IR interpreter: deliberately naive, since it is what compiled code is compared with.
//!
//! It runs both levels. Python exceptions are values ([`Stop::Raise`]); a broken promise of the IR, such as a
//! raw access out of bounds or an operand of the wrong type, is a [`Stop::Fault`]: a compiler bug.

mod array;
mod exec;
pub mod literal;
mod ops;
mod order;
mod owners;
mod random;
mod routines;
mod scalar;
mod value;

pub use exec::{Interp, Raised, Split, Stop};
pub use scalar::{cast, elem};
pub use value::{Array, Scalar, Val};
