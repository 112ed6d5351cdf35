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
//! where nobody can tell one from two: neither is ever written, and no more than one is given away. It does not look at
//! what branches have in common.

use pydd_ir::alias::{ClassSet, MemoryInfo, Summaries};
use pydd_ir::rewrite::{Replacements, erase_ops, hash_op, same_op};
use pydd_ir::{AliasClass, Block, Entity, Function, Level, Module, Op, OpKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

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
        cse.block(func.entry);
        let Cse { replacements, dead, .. } = cse;
        replacements.apply(func);
        erase_ops(func, &dead);
    });
    Ok(())
}

/// Operations whose results can still be used. A region adds to them and forgets some; both are undone at its end,
/// so that nothing is copied.
struct Available {
    /// By hash, each with the time at which it was computed. It is looked up only, so its order is of no account.
    by_hash: FxHashMap<u64, Vec<(Op, u32)>>,
    /// By class, when it was last written: what read it before counts no more.
    written: Vec<u32>,
    now: u32,
    undo: Vec<Undo>,
}

enum Undo {
    Added(u64),
    Replaced(u64, usize, (Op, u32)),
    Written(AliasClass, u32),
}

impl Available {
    fn forget(&mut self, classes: &ClassSet) {
        if !classes.is_empty() {
            self.now += 1;
        }
        for class in classes.iter() {
            let before = std::mem::replace(&mut self.written[class.index()], self.now);
            self.undo.push(Undo::Written(class, before));
        }
    }

    fn back_to(&mut self, mark: usize) {
        for undo in self.undo.drain(mark..).rev() {
            match undo {
                Undo::Added(hash) => {
                    self.by_hash.get_mut(&hash).and_then(Vec::pop);
                }
                Undo::Replaced(hash, index, before) => {
                    self.by_hash.entry(hash).and_modify(|entry| entry[index] = before);
                }
                Undo::Written(class, before) => self.written[class.index()] = before,
            }
        }
    }
}

struct Cse<'f> {
    func: &'f Function,
    memory: MemoryInfo,
    replacements: Replacements,
    dead: BTreeSet<Op>,
    /// What stands for arrays that are given away, or makes such.
    given: BTreeSet<Op>,
    available: Available,
}

impl<'f> Cse<'f> {
    fn new(func: &'f Function, summaries: &Summaries) -> Self {
        let memory = MemoryInfo::new(func, summaries);
        let written = vec![0; memory.class_count()];
        let available = Available { by_hash: FxHashMap::default(), written, now: 0, undo: Vec::new() };
        let (replacements, dead, given) = (Replacements::default(), BTreeSet::new(), BTreeSet::new());
        Self { func, memory, replacements, dead, given, available }
    }

    fn block(&mut self, block: Block) {
        for &op in &self.func.blocks[block].ops {
            let data = &self.func.ops[op];
            if data.kind.is_loop() {
                // The second iteration reads what the first one wrote.
                self.available.forget(&self.memory.effects(op).writes);
            }
            for &region in &data.regions {
                let mark = self.available.undo.len();
                self.block(region);
                self.available.back_to(mark);
            }
            self.available.forget(&self.memory.effects(op).writes);
            if self.is_candidate(op) {
                self.candidate(op);
            }
        }
    }

    fn candidate(&mut self, op: Op) {
        let resolve = |value| self.replacements.resolve(value);
        let hash = hash_op(self.func, op, resolve);
        let Available { by_hash, written, now, undo } = &mut self.available;
        let entry = by_hash.entry(hash).or_default();
        let found = entry.iter().position(|&(earlier, _)| same_op(self.func, earlier, op, resolve));
        let Some(index) = found else {
            entry.push((op, *now));
            undo.push(Undo::Added(hash));
            return;
        };
        let (earlier, time) = entry[index];
        if self.memory.effects(earlier).reads.iter().any(|class| written[class.index()] > time) {
            entry[index] = (op, *now);
            undo.push(Undo::Replaced(hash, index, (earlier, time)));
            return;
        }
        if self.is_given(op) {
            if self.is_given(earlier) {
                return;
            }
            self.given.insert(earlier);
        }
        let (old, new) = (&self.func.ops[op].results, &self.func.ops[earlier].results);
        self.replacements.replace_all(old, new);
        self.dead.insert(op);
    }

    /// Whether somebody else gets what an operation makes, or what equals it.
    fn is_given(&self, op: Op) -> bool {
        let is_own = |&result| self.memory.is_value_like(result);
        self.given.contains(&op)
            || self.memory.effects(op).allocates && !self.func.ops[op].results.iter().all(is_own)
    }

    fn is_candidate(&self, op: Op) -> bool {
        let data = &self.func.ops[op];
        let effects = self.memory.effects(op);
        // What came to its end does so again.
        let quiet = effects.writes.is_empty() && !(effects.io || effects.leaves || effects.owns);
        let shareable = !effects.allocates || data.results.iter().all(|&r| self.memory.is_unchanged(r));
        let useful = !data.results.is_empty() || matches!(data.kind, OpKind::Check { .. });
        quiet && shareable && useful && !data.kind.is_terminator()
    }
}
