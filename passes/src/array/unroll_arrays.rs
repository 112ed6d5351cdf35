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
use pydd_ir::rewrite::{Replacements, Uses, inline_block, position};
use pydd_ir::{Builder, Function, Level, Module, Op, OpKind, Value, Version};

use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::constant_range;
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
const LONGEST: usize = 320;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    let mut changed = false;
    for func in module.funcs.values_mut().filter(|func| func.version != Version::General) {
        // Inner loops first; a loop around them is one of arrays then.
        let loops = func.all_ops().into_iter().rev().filter(|&op| func.ops[op].kind == OpKind::For);
        for looped in loops.collect::<Vec<_>>() {
            if let Some(numbers) = is_short(func, looped)
                && combines(func, &MemoryInfo::new(func, &summaries), looped)
            {
                write_out(func, looped, &numbers);
                changed = true;
            }
        }
    }
    if changed {
        (canonicalize::PASS.run)(module, &PassContext::quiet(cx.options))?;
    }
    Ok(())
}

/// What the index of a loop is, if all iterations together are short.
fn is_short(func: &Function, looped: Op) -> Option<Vec<i64>> {
    let [start, stop, step] = constant_range(func, looped)?;
    let count = match step {
        1.. => stop.checked_sub(start)?.max(0).checked_add(step - 1)? / step,
        ..0 => start.checked_sub(stop)?.max(0).checked_sub(step + 1)? / step.checked_neg()?,
        0 => return None,
    };
    let body = func.ops[looped].regions[0];
    let (mut size, mut has_loops) = (0, false);
    func.walk(body, &mut |op| {
        size += 1;
        has_loops |= func.ops[op].kind.is_breakable();
    });
    let fits = (1..=MOST).contains(&count) && size * usize::try_from(count).ok()? <= LONGEST;
    (fits && !has_loops && runs_to_its_end(func, body))
        .then(|| (0..count).map(|k| start + k * step).collect())
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

fn write_out(func: &mut Function, looped: Op, numbers: &[i64]) {
    let data = func.ops[looped].clone();
    let mut carried = func.init(looped).to_vec();
    let block = func.new_block();
    for &number in numbers {
        let mut b = Builder::new(func, block);
        b.loc = data.loc;
        let index = b.int(number);
        let args: Vec<Value> = std::iter::once(index).chain(carried).collect();
        carried = inline_block(func, data.regions[0], &args, block);
    }
    let made = std::mem::take(&mut func.blocks[block].ops);
    let (home, at) = position(func, looped).expect("the loop stands in a block");
    func.blocks[home].ops.splice(at..=at, made);
    let mut map = Replacements::default();
    map.replace_all(&data.results, &carried);
    map.apply(func);
}
