//! Passes on loop IR, one file for each.

pub mod prove_bounds;
pub mod split_index;
pub mod version_loops;
