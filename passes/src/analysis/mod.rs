//! Facts about functions that several passes ask for.

pub mod arithmetic;
pub mod filled;
pub mod independent;
pub mod intervals;
pub mod jumps;
pub mod known;
pub mod lengths;
pub mod patterns;
pub mod positive;
pub mod ranges;
pub mod recurrences;
pub mod reductions;
pub mod shapes;
pub mod symbol;
