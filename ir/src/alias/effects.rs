//! What operations do besides giving results.

use super::MemoryInfo;
use super::set::ClassSet;
use super::summary::{FuncSummary, Summaries};
use crate::entity::{Block, Op, Value};
use crate::facts::Touched;
use crate::func::Function;
use crate::op::OpKind;

/// The effects of an operation with all that is nested in it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Effects {
    /// Memory whose contents it may read. A descriptor's dimensions and strides are not contents; the
    /// length of a list is.
    pub reads: ClassSet,
    /// Memory whose contents it may change. Filling memory that it makes itself is no write.
    pub writes: ClassSet,
    /// Memory that it may free.
    pub frees: ClassSet,
    /// Makes fresh memory (and so may raise MemoryError, which `raises` leaves out).
    pub allocates: bool,
    /// May raise something else than MemoryError.
    pub raises: bool,
    /// Reaches outside: prints, or reads the clock.
    pub io: bool,
    /// Holds a `break`, `continue` or `return` that leaves it, or is one.
    pub leaves: bool,
    /// May not end: `loop`, and calls of functions that hold one or recurse.
    pub diverges: bool,
    /// Is defined only where it stands, behind the checks before it (raw accesses).
    pub guarded: bool,
    /// Takes over or releases an owner.
    pub owns: bool,
}

impl Effects {
    /// Adds another operation's effects.
    pub fn merge(&mut self, other: &Self) {
        self.reads.union(&other.reads);
        self.writes.union(&other.writes);
        self.frees.union(&other.frees);
        self.allocates |= other.allocates;
        self.raises |= other.raises;
        self.io |= other.io;
        self.leaves |= other.leaves;
        self.diverges |= other.diverges;
        self.guarded |= other.guarded;
        self.owns |= other.owns;
    }

    /// Memory that it may write or free, as the text form has it.
    #[must_use]
    pub fn changes(&self) -> ClassSet {
        let mut all = self.writes.clone();
        all.union(&self.frees);
        all
    }

    /// Whether it reads or writes any of this memory.
    #[must_use]
    pub fn touches(&self, memory: &ClassSet) -> bool {
        self.reads.intersects(memory) || self.writes.intersects(memory)
    }

    /// Nobody notices when it is left out and its results are not used.
    #[must_use]
    pub fn is_removable(&self) -> bool {
        self.writes.is_empty() && !(self.raises || self.io || self.leaves || self.diverges || self.owns)
    }

    /// Nobody notices, besides lost time and memory, when it is done although it should not be.
    #[must_use]
    pub fn is_speculable(&self) -> bool {
        self.is_removable() && !self.guarded
    }

    /// It depends on nothing but its operands and gives equal results for equal ones; the memory that
    /// it makes apart.
    #[must_use]
    pub fn is_pure(&self) -> bool {
        self.is_removable() && self.reads.is_empty()
    }

    /// It may end otherwise than by going on to the next operation.
    #[must_use]
    pub fn may_exit(&self) -> bool {
        self.raises || self.leaves || self.diverges
    }
}

/// Computes the effects of all operations in a block, inner ones first.
pub(super) struct EffectsBuilder<'a> {
    pub func: &'a Function,
    pub summaries: &'a Summaries,
    pub memory: &'a mut MemoryInfo,
}

impl EffectsBuilder<'_> {
    /// The block's effects, and how many breakable operations around it its jumps may leave
    /// (`u32::MAX` for `return`).
    pub(super) fn block(&mut self, block: Block) -> (Effects, u32) {
        let mut all = Effects::default();
        let mut leaves = 0;
        for &op in &self.func.blocks[block].ops {
            let (effects, levels) = self.op(op);
            all.merge(&effects);
            leaves = leaves.max(levels);
            self.memory.set_effects(op, effects);
        }
        (all, leaves)
    }

    pub(super) fn op(&mut self, op: Op) -> (Effects, u32) {
        let data = &self.func.ops[op];
        let mut effects = self.own_effects(op);
        let mut levels = match data.kind {
            OpKind::Return => u32::MAX,
            OpKind::Break(depth) | OpKind::Continue(depth) => depth.saturating_add(1),
            _ => 0,
        };
        for &region in &data.regions {
            let (inner, inner_levels) = self.block(region);
            effects.merge(&inner);
            levels = levels.max(inner_levels);
        }
        if data.kind.is_breakable() && levels != u32::MAX {
            levels = levels.saturating_sub(1);
        }
        effects.leaves = levels > 0;
        (effects, levels)
    }

    fn own_effects(&self, op: Op) -> Effects {
        let func = self.func;
        let data = &func.ops[op];
        let facts = data.kind.facts(func.level);
        let mut e = Effects {
            reads: self.classes(&data.args, &facts.reads),
            writes: self.classes(&data.args, &facts.writes),
            allocates: facts.allocates.holds(func, op),
            raises: facts.raises.holds(func, op),
            io: facts.io.holds(func, op),
            diverges: facts.diverges,
            guarded: facts.guarded,
            owns: facts.owns,
            ..Effects::default()
        };
        if let Some((callee, args, first)) = func.passed(op) {
            self.call_effects(args, first, self.summaries.get(callee), &mut e);
        }
        if let OpKind::Own { slot, .. } | OpKind::Disown(slot) = data.kind {
            e.frees.union(&self.memory.owned(slot));
        }
        e
    }

    /// The memory that some of the operands are in.
    fn classes(&self, args: &[Value], touched: &Touched) -> ClassSet {
        let mut all = ClassSet::default();
        let end = touched.end.min(args.len());
        for &arg in args.get(touched.start..end).unwrap_or_default() {
            all.union(self.memory.classes(arg));
        }
        all
    }

    /// A callee that nothing is known of may do everything with its arguments.
    fn call_effects(&self, args: &[Value], first: usize, summary: Option<&FuncSummary>, e: &mut Effects) {
        for (i, &arg) in (first..).zip(args) {
            let index = u32::try_from(i).unwrap_or(u32::MAX);
            if summary.is_none_or(|s| s.reads.contains(index)) {
                e.reads.union(self.memory.classes(arg));
            }
            if summary.is_none_or(|s| s.writes.contains(index)) {
                e.writes.union(self.memory.classes(arg));
            }
        }
        let held = self.memory.held();
        if summary.is_none_or(|s| s.reads_held) {
            e.reads.union(&held);
        }
        if summary.is_none_or(|s| s.writes_held) {
            e.writes.union(&held);
        }
        e.allocates |= summary.is_none_or(|s| s.allocates);
        e.raises |= summary.is_none_or(|s| s.raises);
        e.io |= summary.is_none_or(|s| s.io);
        e.diverges |= summary.is_none_or(|s| s.diverges);
    }
}
