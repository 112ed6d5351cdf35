//! Common subexpression elimination: what has been computed is not computed again.
//!
//! ```text
//! %1: f64 = mul %0, %0
//! %2: f64 = mul %0, %0
//! %3: f64 = add %1, %2
//!     ⇒
//! %1: f64 = mul %0, %0
//! %3: f64 = add %1, %1
//! ```
//!
//! An operation stands for equal ones that it dominates, as long as nothing in between writes to memory that
//! it read; a check that held holds again. An operation that may raise did not raise the first time and does not the second. Arrays are shared only
//! where nobody can tell one from two: neither is ever written or given away. It does not look at
//! what branches have in common.

use pydd_ir::alias::{ClassSet, MemoryInfo, Summaries};
use pydd_ir::rewrite::{Replacements, erase_ops, hash_op, same_op};
use pydd_ir::{Block, Function, Level, Module, Op, OpKind};
use std::collections::{BTreeMap, BTreeSet};

use crate::array::each_function;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "cse",
    summary: "compute equal things once",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O1),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    each_function(module, |func, summaries| {
        let mut cse = Cse::new(func, summaries);
        cse.block(func.entry, &mut BTreeMap::new());
        let Cse { replacements, dead, .. } = cse;
        replacements.apply(func);
        erase_ops(func, &dead);
    });
    Ok(())
}

/// Operations whose results can still be used, by hash.
type Available = BTreeMap<u64, Vec<Op>>;

struct Cse<'f> {
    func: &'f Function,
    memory: MemoryInfo,
    replacements: Replacements,
    dead: BTreeSet<Op>,
}

impl<'f> Cse<'f> {
    fn new(func: &'f Function, summaries: &Summaries) -> Self {
        let memory = MemoryInfo::new(func, summaries);
        Self { func, memory, replacements: Replacements::default(), dead: BTreeSet::new() }
    }

    fn block(&mut self, block: Block, available: &mut Available) {
        for &op in &self.func.blocks[block].ops {
            let data = &self.func.ops[op];
            let writes = self.memory.effects(op).writes.clone();
            if data.kind.is_loop() {
                // The second iteration reads what the first one wrote.
                self.forget(available, &writes);
            }
            for &region in &data.regions {
                self.block(region, &mut available.clone());
            }
            self.forget(available, &writes);
            if self.is_candidate(op) {
                self.candidate(op, available);
            }
        }
    }

    fn candidate(&mut self, op: Op, available: &mut Available) {
        let resolve = |value| self.replacements.resolve(value);
        let hash = hash_op(self.func, op, resolve);
        let entry = available.entry(hash).or_default();
        match entry.iter().find(|&&earlier| same_op(self.func, earlier, op, resolve)) {
            Some(&earlier) => {
                let (old, new) = (&self.func.ops[op].results, &self.func.ops[earlier].results);
                self.replacements.replace_all(old, new);
                self.dead.insert(op);
            }
            None => entry.push(op),
        }
    }

    fn is_candidate(&self, op: Op) -> bool {
        let data = &self.func.ops[op];
        let effects = self.memory.effects(op);
        let quiet =
            effects.writes.is_empty() && !(effects.io || effects.leaves || effects.diverges || effects.owns);
        let shareable = !effects.allocates || data.results.iter().all(|&r| self.memory.is_value_like(r));
        let useful = !data.results.is_empty() || matches!(data.kind, OpKind::Check { .. });
        quiet && shareable && useful && !data.kind.is_terminator()
    }

    fn forget(&self, available: &mut Available, writes: &ClassSet) {
        if !writes.is_empty() {
            for ops in available.values_mut() {
                ops.retain(|&op| !self.memory.effects(op).reads.intersects(writes));
            }
        }
    }
}
