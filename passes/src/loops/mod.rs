//! Passes on loop IR, one file for each.

pub mod array_lists;
pub mod auto_parallel;
pub mod carried_last;
pub mod carry_elements;
pub mod carry_squares;
pub mod check_once;
pub mod coalesce;
pub mod coherence;
pub mod compare_squares;
pub mod conditional_sums;
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
pub mod hoist_elements;
pub mod if_convert;
pub mod interchange;
pub mod jam_columns;
pub mod join_rows;
pub mod join_updates;
pub mod lanes;
pub mod outline;
pub mod pack_columns;
pub mod peel;
pub mod prove_bounds;
pub mod reuse_memory;
pub mod scalarize;
pub mod scan_indices;
pub mod short_axes;
pub mod short_rows;
pub mod single_block;
pub mod sink_stores;
pub mod size_parts;
pub mod split_index;
pub mod split_ranges;
pub mod split_scans;
pub mod split_sums;
pub mod stored_elements;
pub mod unroll;
pub mod unroll_and_jam;
pub mod unroll_scans;
pub mod update_in_place;
pub mod version_loops;
pub mod wavefront;
pub mod write_behind;
pub mod zero_borders;

use pydd_ir::rewrite::{Layout, position};
use pydd_ir::{Builder, ElemOp, Function, Level, Module, Op, OpKind, Value, Version};

/// The functions on loop IR but for the versions for any arguments, which stay as small as they are.
fn fast_functions(module: &mut Module) -> impl Iterator<Item = &mut Function> {
    let fast = |func: &&mut Function| func.level == Level::Loop && func.version != Version::General;
    module.funcs.values_mut().filter(fast)
}

/// What computes a number, and nothing else.
const fn is_number(kind: &OpKind) -> bool {
    matches!(kind, OpKind::Const(_) | OpKind::Elem(_) | OpKind::Cast | OpKind::Dim(_))
}

/// How many iterations there are from `start` to `stop` by one, down to a multiple of `group`, a power of two.
fn whole_groups(b: &mut Builder<'_>, start: Value, stop: Value, group: i64) -> Value {
    let some = b.elem(ElemOp::Lt, &[start, stop]);
    let (count, none) = (b.sub(stop, start), b.int(0));
    let count = b.select(some, count, none);
    // Negative where the difference overflows.
    let count = b.elem(ElemOp::Max, &[count, none]);
    let mask = b.int(-group);
    b.elem(ElemOp::And, &[count, mask])
}

/// Moves operations that suit, and do not change in a loop, before it.
fn take_out(func: &mut Function, looped: Op, suits: fn(&OpKind) -> bool) {
    let layout = Layout::new(func);
    let body = func.ops[looped].regions[0];
    let mut free: Vec<Op> = Vec::new();
    for &op in &func.blocks[body].ops {
        let data = &func.ops[op];
        let known = |&value| {
            layout.dominates(func, value, looped) || func.def_op(value).is_some_and(|def| free.contains(&def))
        };
        if suits(&data.kind) && data.args.iter().all(known) {
            free.push(op);
        }
    }
    func.blocks[body].ops.retain(|op| !free.contains(op));
    let (home, at) = position(func, looped).expect("the loop stands in a block");
    func.blocks[home].ops.splice(at..at, free);
}
