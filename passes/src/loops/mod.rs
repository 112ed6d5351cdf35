//! Passes on loop IR, one file for each.

pub mod array_lists;
pub mod auto_parallel;
pub mod carried_last;
pub mod carry_elements;
pub mod carry_squares;
pub mod coalesce;
pub mod coherence;
pub mod compare_squares;
pub mod contract;
pub mod defer_checks;
pub mod device_loops;
pub mod device_stores;
pub mod drop_checks;
pub mod expect_lengths;
pub mod flatten_nests;
pub mod forward;
pub mod fuse_loops;
pub mod hoist_arrays;
pub mod if_convert;
pub mod interchange;
pub mod join_rows;
pub mod lanes;
pub mod outline;
pub mod pack_columns;
pub mod prove_bounds;
pub mod reuse_memory;
pub mod scalarize;
pub mod scan_indices;
pub mod short_axes;
pub mod single_block;
pub mod size_parts;
pub mod split_index;
pub mod split_ranges;
pub mod split_scans;
pub mod split_sums;
pub mod unroll;
pub mod update_in_place;
pub mod version_loops;
pub mod write_behind;

use pydd_ir::{Function, Level, Module, Version};

/// The functions on loop IR but for the versions for any arguments, which stay as small as they are.
fn fast_functions(module: &mut Module) -> impl Iterator<Item = &mut Function> {
    let fast = |func: &&mut Function| func.level == Level::Loop && func.version != Version::General;
    module.funcs.values_mut().filter(fast)
}
