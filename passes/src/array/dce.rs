//! Removes operations whose results nobody uses.
//!
//! ```text
//! %1: f64 = mul %0, %0
//! return %0
//!     ⇒
//! return %0
//! ```
//!
//! What may raise, print, write to memory that outlives it, or run for ever stays.

use std::collections::BTreeSet;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Uses, erase_ops};
use pydd_ir::{Function, Level, Module, Op};

use crate::array::each_function;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "dce",
    summary: "remove operations whose results nobody uses",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O1),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    each_function(module, |func, summaries| while remove_dead(func, summaries) {});
    Ok(())
}

fn remove_dead(func: &mut Function, summaries: &Summaries) -> bool {
    let memory = MemoryInfo::new(func, summaries);
    let uses = Uses::new(func);
    let is_dead = |&op: &Op| {
        !func.ops[op].kind.is_terminator() && memory.effects(op).is_removable() && uses.is_dead(func, op)
    };
    let dead: BTreeSet<Op> = func.all_ops().into_iter().filter(is_dead).collect();
    erase_ops(func, &dead);
    !dead.is_empty()
}
