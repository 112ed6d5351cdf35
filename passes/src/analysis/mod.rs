//! Facts about functions that several passes ask for.

pub mod affine;
pub mod independent;
pub mod patterns;
pub mod ranges;
pub mod reductions;
pub mod shapes;
