//! Elementary functions of float64 and float32, for compiled kernels.
//!
//! Without branches and tables, so that a loop that inlines them vectorises. Each is there twice, for processors with
//! and without fused multiply-add; the second rounds like plain arithmetic on any processor and in any backend.
//!
//! `build.rs` compiles this same file to [`BITCODE`], which the LLVM backend links into kernels before it optimises
//! them, and to [`OBJECT`], for other backends. Accuracy: docs/math.md.

pub mod arith;
mod coefficients;
pub mod erf;
pub mod exp;
#[cfg(any(pydd_bitcode, pydd_object))]
mod exports;
pub mod huge;
pub mod inverse;
pub mod log;
pub mod power;
pub mod remainder;
pub mod round;
pub mod short;
pub mod single;
pub mod trig;

#[cfg(not(any(pydd_bitcode, pydd_object)))]
mod made;
#[cfg(not(any(pydd_bitcode, pydd_object)))]
pub use made::{BITCODE, OBJECT, RARE, is_exact, symbol};
