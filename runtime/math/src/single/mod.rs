//! Functions in float32, for processors with fused multiply-add: twice as many lanes as in float64 and shorter polynomials.
//!
//! What a rounding would cost is carried along as a second number, so that results stay within a unit in the last place. Without
//! fused multiply-add that would not pay: there, float32 is widened (see [`crate::short`]).

mod arith;
pub mod exp;
pub mod inverse;
pub mod log;
pub mod power;
pub mod trig;
