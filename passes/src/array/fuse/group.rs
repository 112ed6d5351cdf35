//! Which operations become one.

use pydd_ir::alias::{Effects, MemoryInfo};
use pydd_ir::rewrite::{Layout, Uses};
use pydd_ir::{Block, DType, Function, Op, OpKind, ReduceOp, Value, Version};
use std::collections::BTreeSet;

use crate::analysis::shapes::{Length, Shapes};

/// The most operations in a group: beyond, registers spill and code grows.
const MAX_MEMBERS: usize = 100;

/// Operations between a producer and the group's root at most: all of them are asked whether it may move past them.
const MAX_DISTANCE: usize = 2000;

/// An operation and the producers that join it.
pub(super) struct Group {
    /// Elementwise, a reduction, or an assignment.
    pub root: Op,
    /// Producers, in the order in which they stand.
    pub members: Vec<Op>,
    /// Members and the root, if it has operands to compare, whose shapes need a check at run time.
    pub unchecked: BTreeSet<Op>,
    /// Inputs that the assignment may change before it has read them: copied first.
    pub copied: Vec<Value>,
}

/// An elementwise operation that makes an array.
pub(super) fn is_elementwise(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    matches!(data.kind, OpKind::Elem(_) | OpKind::Cast) && func.ty(data.results[0]).is_array()
}

/// Finds groups, from the last operation of a block to the first.
pub(super) struct Finder<'a> {
    func: &'a Function,
    memory: &'a MemoryInfo,
    uses: &'a Uses,
    shapes: &'a Shapes<'a>,
    layout: Layout,
    strict_fp: bool,
    taken: BTreeSet<Op>,
    pub groups: Vec<Group>,
}

impl<'a> Finder<'a> {
    pub fn new(
        func: &'a Function,
        memory: &'a MemoryInfo,
        uses: &'a Uses,
        shapes: &'a Shapes<'a>,
        strict_fp: bool,
    ) -> Self {
        let layout = Layout::new(func);
        Self { func, memory, uses, shapes, layout, strict_fp, taken: BTreeSet::new(), groups: Vec::new() }
    }

    pub fn block(&mut self, block: Block) {
        let ops = &self.func.blocks[block].ops;
        for at in (0..ops.len()).rev() {
            if self.taken.contains(&ops[at]) || !self.is_root(ops[at]) {
                continue;
            }
            if let Some(group) = self.grow(ops, at) {
                self.taken.extend(&group.members);
                self.taken.insert(group.root);
                self.groups.push(group);
            }
        }
    }

    fn is_root(&self, op: Op) -> bool {
        match self.func.ops[op].kind {
            OpKind::Reduce(_) => !self.has_order_of_its_own(op),
            OpKind::Assign => true,
            _ => is_elementwise(self.func, op),
        }
    }

    /// Whether a sum adds up in another order where its operand is not an array without gaps: over axes one by one, and so over what a general
    /// version is given. With exact floats it keeps its array.
    fn has_order_of_its_own(&self, op: Op) -> bool {
        let (OpKind::Reduce(spec), operand) = (&self.func.ops[op].kind, self.func.ops[op].args[0]) else {
            return false;
        };
        let is_exact = self.func.ty(operand).dtype().is_none_or(DType::is_int);
        let adds = matches!(spec.op, ReduceOp::Sum | ReduceOp::Prod) && !is_exact;
        self.strict_fp && adds && self.func.version == Version::General && self.func.ty(operand).rank() > 1
    }

    /// The root with all producers that can join it, nearest first.
    fn grow(&self, ops: &[Op], at: usize) -> Option<Group> {
        let root = ops[at];
        let shape = self.iteration_shape(root)?;
        let mut members: Vec<Op> = Vec::new();
        // Producers that would join if it were not for what is written between.
        let mut stuck = BTreeSet::new();
        let joined = |members: &[Op], op: Op| op == root || members.contains(&op);
        // Where producers of the group's operands stand, the last one to be looked at first.
        let mut waiting = BTreeSet::new();
        self.add_producers(root, &mut waiting);
        while let Some(index) = waiting.pop_last() {
            let op = ops[index];
            let used_here = |used: &pydd_ir::rewrite::Use| {
                self.is_length(used.op) || joined(&members, used.op) && self.is_element_use(used)
            };
            let candidate = is_elementwise(self.func, op)
                && !self.taken.contains(&op)
                && members.len() < MAX_MEMBERS
                && at - index <= MAX_DISTANCE
                && self.uses.of(self.func.result(op)).iter().all(used_here);
            if candidate && self.keeps_count(op, &shape) && self.raises_in_order(op, root, &members) {
                let between = ops[index + 1..at].iter().filter(|between| !members.contains(between));
                if self.may_move(op, between.copied()) {
                    members.push(op);
                    self.add_producers(op, &mut waiting);
                } else {
                    stuck.insert(op);
                }
            }
        }
        members.reverse();
        self.leave_behind(root, &mut members, &stuck);
        if members.is_empty() {
            return None;
        }
        let copied = self.copied_for_writing(root, &members)?;
        let unchecked = members
            .iter()
            .copied()
            .chain([root])
            .filter(|&op| is_elementwise(self.func, op) && !self.shapes_agree(op))
            .collect();
        Some(Group { root, members, unchecked, copied })
    }

    /// Leaves members where they stand that are made of what cannot join, if less is then handed over what is written between.
    fn leave_behind(&self, root: Op, members: &mut Vec<Op>, stuck: &BTreeSet<Op>) {
        let makers = |op: Op| self.func.ops[op].args.iter().filter_map(|&arg| self.func.def_op(arg));
        let mut left = stuck.clone();
        for &op in &*members {
            if makers(op).any(|maker| left.contains(&maker)) {
                left.insert(op);
            }
        }
        // What these use cannot go either. The last first, each behind all that use it.
        for &op in members.iter().rev() {
            if self.uses.of(self.func.result(op)).iter().any(|used| left.contains(&used.op)) {
                left.insert(op);
            }
        }
        let kept: Vec<Op> = members.iter().copied().filter(|op| !left.contains(op)).chain([root]).collect();
        let handed: BTreeSet<Op> =
            kept.iter().flat_map(|&op| makers(op)).filter(|maker| left.contains(maker)).collect();
        let size = |ops: &BTreeSet<Op>| {
            let element = |&op: &Op| self.func.ty(self.func.result(op)).dtype().map_or(0, DType::size);
            ops.iter().map(element).sum::<u64>()
        };
        if size(&handed) < size(stuck) {
            members.retain(|op| !left.contains(op));
        }
    }

    /// Adds the places of the operations in this block that make an operation's operands.
    fn add_producers(&self, op: Op, places: &mut BTreeSet<usize>) {
        let block = self.layout.block_of(op);
        let producers = self.func.ops[op].args.iter().filter_map(|&arg| self.func.def_op(arg));
        let here = producers.filter(|&producer| self.layout.block_of(producer) == block);
        places.extend(here.filter_map(|producer| self.layout.index_of(producer)));
    }

    /// A use that reads elements; the destination of an assignment is none.
    fn is_element_use(&self, used: &pydd_ir::rewrite::Use) -> bool {
        self.func.ops[used.op].kind != OpKind::Assign || used.index == 1
    }

    /// A use that asks for a length alone, which is that of an operand.
    fn is_length(&self, op: Op) -> bool {
        matches!(self.func.ops[op].kind, OpKind::Dim(_))
    }

    /// The shape that the root's loop goes over.
    fn iteration_shape(&self, root: Op) -> Option<Vec<Length>> {
        let data = &self.func.ops[root];
        let array = match data.kind {
            OpKind::Reduce(_) => data.args[0],
            OpKind::Assign if self.func.ty(data.args[1]).is_array() => data.args[0],
            OpKind::Assign => return None,
            _ => data.results[0],
        };
        Some(self.shapes.layout(array).dims.clone())
    }

    /// Whether a producer's elements are computed as often in the root's loop as by itself: as far as it
    /// can be seen, no axis is stretched.
    fn keeps_count(&self, op: Op, shape: &[Length]) -> bool {
        let dims = &self.shapes.layout(self.func.result(op)).dims;
        let stretched = |(own, outer): (&Length, &Length)| own != outer && *own == Length::Const(1);
        dims.len() == shape.len() && !dims.iter().zip(shape).any(stretched)
    }

    /// Whether a producer, its shape check left behind, may as well stand behind these operations.
    fn may_move(&self, op: Op, mut between: impl Iterator<Item = Op>) -> bool {
        let effects = self.element_effects(op);
        between.all(|other| self.memory.may_swap_effects(&effects, self.memory.effects(other)))
    }

    /// Whether exceptions come in the order in which they came: an operation that raises for some elements joins
    /// only where nothing of the group behind it raises, since its last element comes after all their checks.
    fn raises_in_order(&self, op: Op, root: Op, members: &[Op]) -> bool {
        let quiet = |&later: &Op| match self.func.ops[later].kind {
            OpKind::Assign => {
                let args = &self.func.ops[later].args;
                self.shapes.layout(args[0]).dims == self.shapes.layout(args[1]).dims
            }
            OpKind::Reduce(_) => true,
            _ => !self.element_effects(later).raises && self.shapes_agree(later),
        };
        !self.element_effects(op).raises || members.iter().chain([&root]).all(quiet)
    }

    /// What an elementwise operation does, complaints about shapes apart: those come where they came before.
    fn element_effects(&self, op: Op) -> Effects {
        let data = &self.func.ops[op];
        let dtype = data.args.last().and_then(|&arg| self.func.ty(arg).dtype()).unwrap_or(DType::F64);
        let raises = matches!(data.kind, OpKind::Elem(elem) if elem.may_raise(dtype));
        Effects { raises, ..self.memory.effects(op).clone() }
    }

    /// The inputs to be copied so that elements may be written while others are still read: those that may overlap the destination,
    /// except as the same elements. None where that is too much, or the source is not the group's.
    fn copied_for_writing(&self, root: Op, members: &[Op]) -> Option<Vec<Value>> {
        let data = &self.func.ops[root];
        if data.kind != OpKind::Assign {
            return Some(Vec::new());
        }
        let (target, source) = (data.args[0], data.args[1]);
        let inside = |v: Value| members.iter().any(|&m| self.func.ops[m].results.contains(&v));
        let overlaps = |arg: Value| {
            self.func.ty(arg).is_array()
                && !inside(arg)
                && arg != target
                && self.memory.may_alias(arg, target)
        };
        if self.func.ty(source).rank() != self.func.ty(target).rank() || !inside(source) {
            return None;
        }
        let mut copied = Vec::new();
        for &arg in members.iter().flat_map(|&m| &self.func.ops[m].args) {
            if !overlaps(arg) || copied.contains(&arg) {
                continue;
            }
            if !self.is_stretched_to(arg, target) {
                return None;
            }
            copied.push(arg);
        }
        Some(copied)
    }

    /// Whether an array has fewer axes than another, or certainly one element along one of them: a row, a column.
    fn is_stretched_to(&self, array: Value, other: Value) -> bool {
        self.func.ty(array).rank() < self.func.ty(other).rank()
            || self.shapes.layout(array).dims.contains(&Length::Const(1))
    }

    /// Whether the array operands certainly have shapes that go together.
    fn shapes_agree(&self, op: Op) -> bool {
        let args = &self.func.ops[op].args;
        let arrays: Vec<&[Length]> = args
            .iter()
            .filter(|&&arg| self.func.ty(arg).is_array())
            .map(|&arg| self.shapes.layout(arg).dims.as_slice())
            .collect();
        let pair = |(a, b): (&Length, &Length)| a == b || *a == Length::Const(1) || *b == Length::Const(1);
        let agree = |a: &[Length], b: &[Length]| a.iter().rev().zip(b.iter().rev()).all(pair);
        // Each with each: what lies between two may have one element.
        arrays.iter().enumerate().all(|(at, a)| arrays[at + 1..].iter().all(|b| agree(a, b)))
    }
}
