//! Passes on loop IR, one file for each.

pub mod auto_parallel;
pub mod coalesce;
pub mod contract;
pub mod defer_checks;
pub mod drop_checks;
pub mod expect_lengths;
pub mod forward;
pub mod fuse_loops;
pub mod hoist_arrays;
pub mod if_convert;
pub mod interchange;
pub mod lanes;
pub mod outline;
pub mod prove_bounds;
pub mod scalarize;
pub mod short_axes;
pub mod single_block;
pub mod size_parts;
pub mod split_index;
pub mod split_sums;
pub mod unroll;
pub mod version_loops;

use pydd_ir::{Block, Function, Level, Module, Op, OpKind, Value, ValueDef, Version};

/// The functions on loop IR but for the versions for any arguments, which stay as small as they are.
fn fast_functions(module: &mut Module) -> impl Iterator<Item = &mut Function> {
    let fast = |func: &&mut Function| func.level == Level::Loop && func.version != Version::General;
    module.funcs.values_mut().filter(fast)
}

/// The parameter and its axis that a value is the length of.
pub(crate) fn param_length(func: &Function, value: Value) -> Option<(Value, u8)> {
    let data = &func.ops[func.def_op(value)?];
    let OpKind::Dim(axis) = data.kind else { return None };
    let array = data.args[0];
    matches!(func.values[array].def, ValueDef::Param(block, _) if block == func.entry)
        .then_some((array, axis))
}

/// Whether all iterations of a loop with this body end at its end: nothing leaves the loop, or an iteration early.
fn runs_to_its_end(func: &Function, body: Block) -> bool {
    let Some((&end, before)) = func.blocks[body].ops.split_last() else { return false };
    func.ops[end].kind == OpKind::Continue(0) && !before.iter().any(|&op| leaves(func, op, 0, false))
}

/// Whether nothing leaves a loop with this body; iterations may end early.
fn stays_in_loop(func: &Function, body: Block) -> bool {
    !func.blocks[body].ops.iter().any(|&op| leaves(func, op, 0, true))
}

/// Whether an operation, or one within it, jumps out of so many breakable operations around it, or further; to the next iteration
/// of the outermost of them, unless that `may_continue`.
fn leaves(func: &Function, op: Op, depth: u32, may_continue: bool) -> bool {
    let data = &func.ops[op];
    let inside = depth + u32::from(data.kind.is_breakable());
    match data.kind {
        OpKind::Return => true,
        OpKind::Break(levels) => levels >= depth,
        OpKind::Continue(levels) => levels > depth || levels == depth && !may_continue,
        _ => data.regions.iter().any(|&region| {
            func.blocks[region].ops.iter().any(|&inner| leaves(func, inner, inside, may_continue))
        }),
    }
}
