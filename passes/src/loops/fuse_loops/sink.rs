//! Moves loops that fill a temporary into the branches that use it.
//!
//! ```text
//! %t = empty %n                                 if %few {
//! for %i in 0, %n { … store %t[%i] }                %t = empty %n   for %i in 0, %n { … store %t[%i] }
//! if %few {                                         for %i in 0, %n { … load %t[%i] … }
//!     for %i in 0, %n { … load %t[%i] … }   ⇒   } else {
//! } else {                                          %t = empty %n   for %i in 0, %n { … store %t[%i] }
//!     …                                             …
//! }                                             }
//! ```
//!
//! The loops can then be joined with those that use what they made. It does so where one of the branches begins with a loop over
//! the same range, the array has no other user, and nothing on the way stands against it.

use pydd_ir::alias::MemoryInfo;
use pydd_ir::rewrite::{Cloner, Uses};
use pydd_ir::{Block, Function, Op, OpKind};

/// Moves one loop of a block, if there is one to be moved.
pub(super) fn sink(func: &mut Function, memory: &MemoryInfo, block: Block) -> bool {
    let Some(found) = find(func, memory, block) else { return false };
    let Found { array, producer, branch } = found;
    func.blocks[block].ops.retain(|&op| op != array && op != producer);
    let [first, second] = [func.ops[branch].regions[0], func.ops[branch].regions[1]];
    let (mut cloner, made) = (Cloner::default(), func.ops[array].results[0]);
    let copies = [cloner.op(func, None, array), cloner.op(func, None, producer)];
    let copied = func.ops[copies[0]].results[0];
    replace_within(func, second, made, copied);
    func.blocks[second].ops.splice(0..0, copies);
    func.blocks[first].ops.splice(0..0, [array, producer]);
    true
}

struct Found {
    array: Op,
    producer: Op,
    branch: Op,
}

fn find(func: &Function, memory: &MemoryInfo, block: Block) -> Option<Found> {
    let ops = &func.blocks[block].ops;
    if !ops.iter().any(|&op| func.ops[op].kind == OpKind::If) {
        return None;
    }
    let uses = Uses::new(func);
    for (at, &producer) in ops.iter().enumerate() {
        if !super::is_candidate(func, memory, producer) || !func.ops[producer].results.is_empty() {
            continue;
        }
        let Some((branch, steps)) = ops[at + 1..].iter().enumerate().find_map(|(steps, &op)| {
            let is_branch = func.ops[op].kind == OpKind::If && func.ops[op].results.is_empty();
            (is_branch && joins(func, producer, op)).then_some((op, steps))
        }) else {
            continue;
        };
        // Nobody sees the temporary, so what raises may do so before it is filled.
        let reads = &memory.effects(producer).reads;
        let between = &ops[at + 1..at + 1 + steps];
        if between.iter().any(|&op| memory.effects(op).changes().intersects(reads)) {
            continue;
        }
        let found = ops[..at].iter().copied().find(|&array| {
            // One of a negative length raises where it is made.
            func.ops[array].kind == OpKind::Empty
                && !memory.effects(array).may_exit()
                && is_filled_for(func, &uses, array, producer, branch)
        });
        if let Some(array) = found {
            let writes_it_alone = memory
                .effects(producer)
                .writes
                .iter()
                .all(|class| memory.classes(func.ops[array].results[0]).contains(class));
            if writes_it_alone {
                return Some(Found { array, producer, branch });
            }
        }
    }
    None
}

/// Whether a branch begins one of its ways with a loop over the range of another loop.
fn joins(func: &Function, producer: Op, branch: Op) -> bool {
    func.ops[branch].regions.iter().any(|&region| {
        let mut loops = func.blocks[region].ops.iter().filter(|&&op| func.ops[op].kind == OpKind::For);
        loops.next().is_some_and(|&first| super::same_range(func, producer, first) == Some(None))
    })
}

/// Whether an array is used by one loop that stores elements, and within a branch by loads.
fn is_filled_for(func: &Function, uses: &Uses, array: Op, producer: Op, branch: Op) -> bool {
    let [mut in_producer, mut in_branch] = [Vec::new(), Vec::new()];
    func.ops[producer].regions.iter().for_each(|&region| func.walk(region, &mut |op| in_producer.push(op)));
    func.ops[branch].regions.iter().for_each(|&region| func.walk(region, &mut |op| in_branch.push(op)));
    let users = uses.of(func.ops[array].results[0]);
    let (mut stores, mut loads) = (0, 0);
    for one in users {
        match func.ops[one.op].kind {
            OpKind::StoreRaw if one.index == 0 && in_producer.contains(&one.op) => stores += 1,
            OpKind::LoadRaw if in_branch.contains(&one.op) => loads += 1,
            _ => return false,
        }
    }
    stores == 1 && loads > 0
}

fn replace_within(func: &mut Function, block: Block, old: pydd_ir::Value, new: pydd_ir::Value) {
    let mut inside = Vec::new();
    func.walk(block, &mut |op| inside.push(op));
    for op in inside {
        func.ops[op].args.iter_mut().filter(|arg| **arg == old).for_each(|arg| *arg = new);
    }
}
