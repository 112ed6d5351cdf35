//! Takes an element that was just stored as it is, and does not store what is overwritten at once.
//!
//! ```text
//! store %a[%i] = %x                      %y = mul %s, %x
//! %v = load %a[%i]                ⇒      store %a[%i] = %y
//! %y = mul %s, %v
//! store %a[%i] = %y
//! ```
//!
//! Loops that were one after the other, of which the first fills an array and the second goes over it in place, leave such steps when they are joined: running products and sums of expressions. What depends on the
//! element before then depends on a number and no longer on memory, which is what other passes look for ([`split_scans`](super::split_scans)).
//!
//! It looks at one block at a time. Whatever may write to the memory ends what is known of it; a store stays where something may read the element, or may end the function, before the next one.

use std::collections::BTreeSet;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Replacements, erase_ops};
use pydd_ir::{Block, Function, Level, Module, Op, OpKind, Value};

use super::fast_functions;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "stored-elements",
    summary: "take elements that were just stored as they are",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module) {
        let is_store = |op: &Op| func.ops[*op].kind == OpKind::StoreRaw;
        if !func.all_ops().iter().any(is_store) {
            continue;
        }
        let memory = MemoryInfo::new(func, &summaries);
        let mut found = Found::default();
        for block in func.blocks.keys() {
            look_at(func, &memory, block, &mut found);
        }
        found.replaced.apply(func);
        erase_ops(func, &found.dead);
    }
    Ok(())
}

#[derive(Default)]
struct Found {
    replaced: Replacements,
    dead: BTreeSet<Op>,
}

/// An element that a block has stored.
struct Stored {
    store: Op,
    array: Value,
    indices: Vec<Value>,
    value: Value,
    /// Whether something may have seen it since.
    is_seen: bool,
}

fn look_at(func: &Function, memory: &MemoryInfo, block: Block, found: &mut Found) {
    let mut known: Vec<Stored> = Vec::new();
    for &op in &func.blocks[block].ops {
        let data = &func.ops[op];
        match (&data.kind, &data.args[..]) {
            (OpKind::LoadRaw, [array, indices @ ..]) => {
                let same = |stored: &&Stored| stored.array == *array && stored.indices == indices;
                if let Some(stored) = known.iter().find(same) {
                    found.replaced.replace(func.result(op), stored.value);
                    found.dead.insert(op);
                    continue;
                }
                see(&mut known, memory, op);
            }
            (OpKind::StoreRaw, [array, value, indices @ ..]) => {
                let same = |stored: &Stored| stored.array == *array && stored.indices == indices;
                let before = known.iter().position(same);
                found.dead.extend(before.map(|at| &known[at]).filter(|s| !s.is_seen).map(|s| s.store));
                forget(&mut known, memory, op);
                let (array, value, indices) = (*array, *value, indices.to_vec());
                known.push(Stored { store: op, array, indices, value, is_seen: false });
            }
            _ => {
                see(&mut known, memory, op);
                forget(&mut known, memory, op);
            }
        }
    }
}

/// What an operation may look at, or leave to others that may.
fn see(known: &mut [Stored], memory: &MemoryInfo, op: Op) {
    let effects = memory.effects(op);
    let ends = effects.may_exit() || effects.allocates || effects.io || effects.diverges;
    for stored in known {
        stored.is_seen |= ends || effects.reads.intersects(memory.classes(stored.array));
    }
}

/// What an operation may write to, or free.
fn forget(known: &mut Vec<Stored>, memory: &MemoryInfo, op: Op) {
    let effects = memory.effects(op);
    known.retain(|stored| {
        let classes = memory.classes(stored.array);
        !effects.writes.intersects(classes) && !effects.frees.intersects(classes)
    });
}
