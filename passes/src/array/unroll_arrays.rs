//! Writes out short loops that combine arrays elementwise, so that fusion sees all of what they add up.
//!
//! ```text
//! %s = for %k in 0, 3, 1, carried %t from %z {        %u = view[…] %x from 0
//!     %v = view[…] %x from %k                         %s0 = add %z, %u
//!     %w = add %t, %v                            ⇒    %v = view[…] %x from 1
//!     continue %w                                     %s1 = add %s0, %v
//! }                                                   …
//! ```
//!
//! Neighbours of a cell, taps of a filter and columns of a matrix are gone over so. A loop in which an array is made of shifted parts of
//! the array before, as steps in time are, stays: its iterations do not join.

use std::collections::BTreeSet;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Uses, write_out};
use pydd_ir::{Function, Level, Module, Op, OpKind, Value, Version};

use crate::analysis::patterns::few_indices;
use crate::array::canonicalize;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "unroll-arrays",
    summary: "write out short loops that combine arrays",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

/// Iterations of a short loop.
const MOST: i64 = 9;
/// Operations of all iterations.
const LONGEST: i64 = 320;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    let mut changed = false;
    for func in module.funcs.values_mut().filter(|func| func.version != Version::General) {
        // Inner loops first; a loop around them is one of arrays then.
        let loops = func.all_ops().into_iter().rev().filter(|&op| func.ops[op].kind == OpKind::For);
        for looped in loops.collect::<Vec<_>>() {
            if let Some(indices) = indices(func, looped)
                && combines(func, &MemoryInfo::new(func, &summaries), looped)
            {
                write_out(func, looped, &indices);
                changed = true;
            }
        }
    }
    if changed {
        (canonicalize::PASS.run)(module, &PassContext::quiet(cx.options))?;
    }
    Ok(())
}

/// The indices of a loop that is short and holds no others.
fn indices(func: &Function, looped: Op) -> Option<Vec<i64>> {
    let mut has_loops = false;
    func.walk(func.ops[looped].regions[0], &mut |op| has_loops |= func.ops[op].kind.is_breakable());
    few_indices(func, looped, MOST, LONGEST).filter(|indices| !has_loops && !indices.is_empty())
}

/// Whether arrays that a loop carries or writes are only read element by element where they are written.
fn combines(func: &Function, memory: &MemoryInfo, looped: Op) -> bool {
    let body = func.ops[looped].regions[0];
    let uses = Uses::new(func);
    let mut ops = Vec::new();
    func.walk(body, &mut |op| ops.push(op));
    let is_elementwise = |op: Op| {
        let data = &func.ops[op];
        let made = data.results.first().is_some_and(|&result| func.ty(result).is_array());
        made && matches!(data.kind, OpKind::Elem(_) | OpKind::Cast | OpKind::Map(_))
    };
    let passes_on = |op: Op| {
        matches!(func.ops[op].kind, OpKind::Dim(_) | OpKind::Yield | OpKind::Continue(_) | OpKind::Assign)
    };
    let carried: BTreeSet<Value> =
        func.blocks[body].params.iter().copied().filter(|&param| func.ty(param).is_array()).collect();
    let is_combined =
        |&value: &Value| uses.of(value).iter().all(|used| is_elementwise(used.op) || passes_on(used.op));
    let targets: Vec<Value> = ops
        .iter()
        .filter(|&&op| func.ops[op].kind == OpKind::Assign)
        .map(|&op| func.ops[op].args[0])
        .collect();
    let keeps = |target: &Value| {
        let classes = memory.classes(*target);
        ops.iter().all(|&op| {
            let reads = memory.effects(op).reads.intersects(classes);
            !reads || is_elementwise(op) && func.ops[op].args.contains(target) || passes_on(op)
        })
    };
    let others_write = ops.iter().any(|&op| {
        let data = &func.ops[op];
        data.regions.is_empty() && data.kind != OpKind::Assign && !memory.effects(op).writes.is_empty()
    });
    let is_any = ops.iter().any(|&op| is_elementwise(op)) && (!carried.is_empty() || !targets.is_empty());
    is_any && !others_write && carried.iter().all(is_combined) && targets.iter().all(keeps)
}
