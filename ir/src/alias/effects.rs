//! What operations do besides giving results.

use super::MemoryInfo;
use super::set::ClassSet;
use super::summary::{FuncSummary, Summaries};
use crate::elem::ReduceOp;
use crate::entity::{Block, Op, Value};
use crate::func::Function;
use crate::op::{IndexItem, Level, LibOp, Literal, MapTarget, OpKind};
use crate::routine::Routine;
use crate::types::DType;

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
        let data = &self.func.ops[op];
        let mut e = Effects::default();
        self.memory_effects(op, &mut e);
        e.allocates |= allocates(self.func, op);
        e.raises |= raises(self.func, op);
        e.io |= match data.kind {
            OpKind::Print(_) | OpKind::Lib(LibOp::Time) => true,
            OpKind::Lib(LibOp::Draw(_)) => draws_from_stream(self.func, op),
            _ => false,
        };
        e.diverges |= data.kind == OpKind::Loop;
        e.guarded |= matches!(data.kind, OpKind::LoadRaw | OpKind::StoreRaw);
        if let OpKind::Call(callee) = data.kind {
            self.call_effects(&data.args, self.summaries.get(callee), &mut e);
        }
        if let OpKind::Own { slot, .. } | OpKind::Disown(slot) = data.kind {
            e.owns = true;
            e.frees.union(&self.memory.owned(slot));
        }
        e
    }

    fn read(&self, value: Option<&Value>, e: &mut Effects) {
        if let Some(&value) = value {
            e.reads.union(self.memory.classes(value));
        }
    }

    fn write(&self, value: Option<&Value>, e: &mut Effects) {
        if let Some(&value) = value {
            e.writes.union(self.memory.classes(value));
        }
    }

    fn memory_effects(&self, op: Op, e: &mut Effects) {
        let data = &self.func.ops[op];
        let args = &data.args;
        match &data.kind {
            OpKind::Elem(_)
            | OpKind::Cast
            | OpKind::Copy
            | OpKind::ModuleConstant
            | OpKind::KeepOrder
            | OpKind::Reduce(_)
            | OpKind::Print(_)
            | OpKind::Map(MapTarget::Fresh | MapTarget::Reduce(_)) => {
                args.iter().for_each(|arg| self.read(Some(arg), e));
            }
            OpKind::Lib(LibOp::Routine(routine)) => {
                let (inputs, outputs) = (routine.inputs(), routine.outputs());
                args.iter().take(inputs).for_each(|arg| self.read(Some(arg), e));
                args.iter().skip(inputs).take(outputs).for_each(|arg| self.write(Some(arg), e));
            }
            OpKind::Lib(LibOp::Draw(_)) => {
                self.read(args.first(), e);
                self.write(args.first(), e);
            }
            OpKind::Lib(_) => {
                args.iter().for_each(|arg| self.read(Some(arg), e));
                // In loop IR the last operand is the destination.
                if self.func.level == Level::Loop {
                    self.write(args.last(), e);
                }
            }
            OpKind::Map(MapTarget::Into) => {
                args.iter().for_each(|arg| self.read(Some(arg), e));
                self.write(args.first(), e);
            }
            OpKind::Reshape | OpKind::Load | OpKind::LoadRaw | OpKind::ListGet | OpKind::ListLen => {
                self.read(args.first(), e)
            }
            OpKind::Store | OpKind::StoreRaw | OpKind::ListSet => self.write(args.first(), e),
            OpKind::ListAppend | OpKind::ListTruncate => self.write(args.first(), e),
            OpKind::Assign => {
                self.write(args.first(), e);
                self.read(args.get(1), e);
            }
            _ => {}
        }
    }

    /// A callee that nothing is known of may do everything with its arguments.
    fn call_effects(&self, args: &[Value], summary: Option<&FuncSummary>, e: &mut Effects) {
        for (i, arg) in args.iter().enumerate() {
            let index = u32::try_from(i).unwrap_or(u32::MAX);
            if summary.is_none_or(|s| s.reads.contains(index)) {
                self.read(Some(arg), e);
            }
            if summary.is_none_or(|s| s.writes.contains(index)) {
                self.write(Some(arg), e);
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

/// Whether a random number is drawn from the stream of `np.random`, which all code of a thread shares.
pub(super) fn draws_from_stream(func: &Function, op: Op) -> bool {
    func.ops[op].args.first().is_none_or(|&first| !func.ty(first).is_array())
}

fn allocates(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    match data.kind {
        OpKind::Empty
        | OpKind::EmptyStrided
        | OpKind::Zeros
        | OpKind::Full
        | OpKind::Iota
        | OpKind::Copy
        | OpKind::ModuleConstant
        | OpKind::KeepOrder
        | OpKind::Reshape
        | OpKind::ListNew
        | OpKind::ListAppend => true,
        OpKind::Elem(_) | OpKind::Cast | OpKind::Map(_) | OpKind::Reduce(_) | OpKind::Lib(_) => {
            data.results.iter().any(|&r| func.ty(r).is_array())
        }
        _ => false,
    }
}

/// Whether the operation itself may raise something else than MemoryError.
fn raises(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let args = &data.args;
    let no_identity = |op: ReduceOp| !op.has_identity();
    match &data.kind {
        OpKind::Elem(elem) => {
            let dtype = args.last().and_then(|&a| func.ty(a).dtype()).unwrap_or(DType::I64);
            func.level == Level::Array && (elem.may_raise(dtype) || arrays(func, args) > 1)
        }
        OpKind::Empty | OpKind::Zeros => !args.iter().all(|&dim| is_nonnegative(func, dim)),
        OpKind::Full => !args.iter().skip(1).all(|&dim| is_nonnegative(func, dim)),
        OpKind::View(items) => view_raises(func, items, args),
        OpKind::Reshape
        | OpKind::BroadcastTo
        | OpKind::Load
        | OpKind::Store
        | OpKind::ListGet
        | OpKind::ListSet
        | OpKind::Print(_)
        | OpKind::Raise { .. } => true,
        OpKind::Lib(LibOp::Matmul) => func.level == Level::Array,
        OpKind::Lib(LibOp::Routine(routine)) => !matches!(
            routine,
            Routine::Argsort
                | Routine::Partition
                | Routine::Argpartition
                | Routine::SeedGenerator
                | Routine::Special
        ),
        OpKind::Assign => args.get(1).is_some_and(|&src| func.ty(src).rank() > 0),
        OpKind::Map(MapTarget::Reduce(spec)) => no_identity(spec.op) || arrays(func, args) > 1,
        OpKind::Map(_) => arrays(func, args) > 1,
        OpKind::Reduce(spec) => no_identity(spec.op),
        OpKind::For | OpKind::PFor(_) => args.get(2).is_none_or(|&step| !is_nonzero(func, step)),
        OpKind::Check { .. } => {
            args.first().is_none_or(|&cond| func.as_const(cond) != Some(&Literal::Bool(true)))
        }
        _ => false,
    }
}

fn arrays(func: &Function, args: &[Value]) -> usize {
    args.iter().filter(|&&arg| func.ty(arg).is_array()).count()
}

fn view_raises(func: &Function, items: &[IndexItem], args: &[Value]) -> bool {
    let mut next = 1;
    items.iter().any(|item| {
        next += item.operands();
        match item {
            IndexItem::At => true,
            IndexItem::Slice { step: true, .. } => {
                args.get(next - 1).is_none_or(|&step| !is_nonzero(func, step))
            }
            _ => false,
        }
    })
}

/// Whether the value is a length, or a constant of at least 0.
fn is_nonnegative(func: &Function, value: Value) -> bool {
    let Some(op) = func.def_op(value) else { return false };
    match func.ops[op].kind {
        OpKind::Dim(_) | OpKind::ListLen => true,
        OpKind::Const(Literal::Int(value)) => value >= 0,
        _ => false,
    }
}

fn is_nonzero(func: &Function, value: Value) -> bool {
    matches!(func.as_const(value), Some(Literal::Int(step)) if *step != 0)
}
