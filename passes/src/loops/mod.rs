//! Passes on loop IR, one file for each.

pub mod defer_checks;
pub mod drop_checks;
pub mod prove_bounds;
pub mod split_index;
pub mod split_sums;
pub mod version_loops;
