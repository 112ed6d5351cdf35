//! Facts about functions that several passes ask for.

pub mod shapes;
