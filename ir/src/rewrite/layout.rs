//! Where operations stand: parents, order, dominance.

use crate::entity::{Block, Entity, Op, Value};
use crate::func::{Function, ValueDef};

/// A snapshot of where each operation and block stands.
#[derive(Clone, Debug)]
pub struct Layout {
    /// By operation: its block and index there, and the numbers of the walk's entry and exit.
    ops: Vec<Option<Place>>,
    /// By block: the operation whose region it is.
    parents: Vec<Option<Op>>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    block: Block,
    index: usize,
    /// Number in the walk, outer before inner.
    first: u32,
    /// The number after all that is nested in it.
    end: u32,
}

impl Layout {
    #[must_use]
    pub fn new(func: &Function) -> Self {
        let mut layout = Self { ops: vec![None; func.ops.len()], parents: vec![None; func.blocks.len()] };
        let mut next = 0;
        layout.block(func, func.entry, &mut next);
        layout
    }

    fn block(&mut self, func: &Function, block: Block, next: &mut u32) {
        for (index, &op) in func.blocks[block].ops.iter().enumerate() {
            let first = *next;
            *next += 1;
            for &region in &func.ops[op].regions {
                self.parents[region.index()] = Some(op);
                self.block(func, region, next);
            }
            self.ops[op.index()] = Some(Place { block, index, first, end: *next });
        }
    }

    fn place(&self, op: Op) -> Option<Place> {
        self.ops.get(op.index()).copied().flatten()
    }

    /// The block in which an operation stands.
    #[must_use]
    pub fn block_of(&self, op: Op) -> Option<Block> {
        self.place(op).map(|place| place.block)
    }

    /// Its index in the block.
    #[must_use]
    pub fn index_of(&self, op: Op) -> Option<usize> {
        self.place(op).map(|place| place.index)
    }

    /// The operation whose region the block is; `None` for the entry.
    #[must_use]
    pub fn parent_of_block(&self, block: Block) -> Option<Op> {
        self.parents.get(block.index()).copied().flatten()
    }

    /// The operation in whose region an operation stands.
    #[must_use]
    pub fn parent(&self, op: Op) -> Option<Op> {
        self.parent_of_block(self.block_of(op)?)
    }

    /// The operations around an operation, innermost first.
    pub fn ancestors(&self, op: Op) -> impl Iterator<Item = Op> {
        std::iter::successors(self.parent(op), |&op| self.parent(op))
    }

    /// Whether `inner` stands in a region of `outer`, at any depth.
    #[must_use]
    pub fn is_inside(&self, inner: Op, outer: Op) -> bool {
        match (self.place(inner), self.place(outer)) {
            (Some(inner), Some(outer)) => outer.first < inner.first && inner.first < outer.end,
            _ => false,
        }
    }

    /// Whether a block is a region of `outer`, at any depth.
    #[must_use]
    pub fn is_block_inside(&self, block: Block, outer: Op) -> bool {
        self.parent_of_block(block).is_some_and(|op| op == outer || self.is_inside(op, outer))
    }

    /// Whether `first` stands before `second` in the text of the function, outer before inner.
    #[must_use]
    pub fn is_before(&self, first: Op, second: Op) -> bool {
        match (self.place(first), self.place(second)) {
            (Some(first), Some(second)) => first.first < second.first,
            _ => false,
        }
    }

    /// Whether the value is there for operands of `op`.
    #[must_use]
    pub fn dominates(&self, func: &Function, value: Value, op: Op) -> bool {
        match func.values[value].def {
            ValueDef::Param(block, _) => {
                block == func.entry
                    || self.block_of(op) == Some(block)
                    || self.ancestors(op).any(|a| self.block_of(a) == Some(block))
            }
            ValueDef::Result(def, _) => self.op_dominates(def, op),
        }
    }

    /// Whether `def` has ended whenever `op` starts: it stands before it in its block or in one around it.
    #[must_use]
    pub fn op_dominates(&self, def: Op, op: Op) -> bool {
        let (Some(def), Some(place)) = (self.place(def), self.place(op)) else { return false };
        if place.first < def.end {
            return false;
        }
        if place.block == def.block {
            return true;
        }
        // What stands behind `def` in its block covers `op`.
        match self.parent_of_block(def.block).and_then(|parent| self.place(parent)) {
            Some(parent) => place.first < parent.end && self.region_of(op, def.block),
            None => true,
        }
    }

    /// Whether `op` stands in `block`, at any depth.
    fn region_of(&self, op: Op, block: Block) -> bool {
        self.block_of(op) == Some(block) || self.ancestors(op).any(|a| self.block_of(a) == Some(block))
    }
}
