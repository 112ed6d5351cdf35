//! Moves loops that fill a temporary into the branches that use it, and first what else uses it behind them.
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
//! the same range, the array has no other user but loops over that range behind the branch, and nothing on the way stands against it.

use pydd_ir::alias::MemoryInfo;
use pydd_ir::rewrite::{Cloner, Uses, index_in};
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

/// Moves a loop of a block behind a branch into the branch's ways, if both use what a loop before them makes, and nobody else does.
pub(super) fn sink_user(func: &mut Function, memory: &MemoryInfo, block: Block) -> bool {
    let Some(User { branch, looped, before }) = find_user(func, memory, block) else { return false };
    func.blocks[block].ops.retain(|op| *op != looped && !before.contains(op));
    let at = index_in(func, block, branch).expect("the branch stands in its block");
    func.blocks[block].ops.splice(at..at, before);
    let copy = Cloner::default().op(func, None, looped);
    for (region, op) in func.ops[branch].regions.clone().into_iter().zip([looped, copy]) {
        let end = func.blocks[region].ops.len() - 1;
        func.blocks[region].ops.insert(end, op);
    }
    true
}

/// A loop behind a branch.
struct User {
    branch: Op,
    looped: Op,
    /// Of what stands between them, what moves before the branch.
    before: Vec<Op>,
}

fn find_user(func: &Function, memory: &MemoryInfo, block: Block) -> Option<User> {
    let ops = &func.blocks[block].ops;
    let is_plain = |op: Op| super::is_candidate(func, memory, op) && func.ops[op].results.is_empty();
    let branches = ops.iter().enumerate().filter(|&(_, &op)| {
        let data = &func.ops[op];
        let ends =
            |&region: &Block| func.terminator(region).is_some_and(|end| func.ops[end].kind == OpKind::Yield);
        data.kind == OpKind::If && data.results.is_empty() && data.regions.iter().all(ends)
    });
    let mut known_uses = None;
    for (at, &branch) in branches {
        let producers: Vec<Op> =
            ops[..at].iter().copied().filter(|&op| is_plain(op) && joins(func, op, branch)).collect();
        if producers.is_empty() {
            continue;
        }
        for (steps, &looped) in ops[at + 1..].iter().enumerate() {
            if !is_plain(looped) || !joins(func, looped, branch) {
                continue;
            }
            let uses = known_uses.get_or_insert_with(|| Uses::new(func));
            let shares = ops[..at].iter().any(|&array| {
                func.ops[array].kind == OpKind::Empty
                    && producers
                        .iter()
                        .any(|&producer| is_filled_for(func, uses, array, producer, &[branch, looped]))
            });
            if let Some(before) =
                shares.then(|| moved_before(func, memory, branch, &ops[at + 1..], steps)).flatten()
            {
                return Some(User { branch, looped, before });
            }
        }
    }
    None
}

/// Of what stands between a branch and a loop so many steps behind it, what moves before the branch, if the loop may follow the branch then.
fn moved_before(
    func: &Function,
    memory: &MemoryInfo,
    branch: Op,
    behind: &[Op],
    steps: usize,
) -> Option<Vec<Op>> {
    let looped = behind[steps];
    let (before, stuck) = super::split_between(func, memory, branch, &behind[..steps]);
    let passes = |&other: &Op| !super::uses_results(func, looped, other) && memory.may_swap(other, looped);
    stuck.iter().all(passes).then_some(before)
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
                && is_filled_for(func, &uses, array, producer, &[branch])
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

/// Whether an array is used by one loop that stores elements, and by loads within each of these operations.
fn is_filled_for(func: &Function, uses: &Uses, array: Op, producer: Op, users: &[Op]) -> bool {
    let within = |op: Op| {
        let mut found = Vec::new();
        func.ops[op].regions.iter().for_each(|&region| func.walk(region, &mut |inner| found.push(inner)));
        found
    };
    let in_producer = within(producer);
    let in_users: Vec<Vec<Op>> = users.iter().map(|&user| within(user)).collect();
    let (mut stores, mut loads) = (0, vec![0; users.len()]);
    for one in uses.of(func.ops[array].results[0]) {
        match func.ops[one.op].kind {
            OpKind::StoreRaw if one.index == 0 && in_producer.contains(&one.op) => stores += 1,
            OpKind::LoadRaw => match in_users.iter().position(|inside| inside.contains(&one.op)) {
                Some(user) => loads[user] += 1,
                None => return false,
            },
            _ => return false,
        }
    }
    stores == 1 && loads.iter().all(|&count| count > 0)
}

fn replace_within(func: &mut Function, block: Block, old: pydd_ir::Value, new: pydd_ir::Value) {
    let mut inside = Vec::new();
    func.walk(block, &mut |op| inside.push(op));
    for op in inside {
        func.ops[op].args.iter_mut().filter(|arg| **arg == old).for_each(|arg| *arg = new);
    }
}
