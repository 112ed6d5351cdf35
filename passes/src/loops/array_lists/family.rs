//! Lists that loops carry from one iteration to the next, and branches choose from: all of them are arrays, or none.

use std::collections::BTreeSet;

use pydd_ir::rewrite::{Layout, Uses};
use pydd_ir::{Function, Op, OpKind, Value, ValueDef};

use crate::analysis::jumps::runs_to_its_end;

/// What one list may be another name of.
#[derive(Default)]
pub(super) struct Family {
    /// Where its lists are made.
    pub roots: BTreeSet<Op>,
    /// What stands for one of them: what loops carry, and the results of branches.
    pub others: BTreeSet<Value>,
}

/// A place that lists go through: what a loop carries, or a result of a branch.
type Slot = (Op, usize);

/// The lists and values that may be one list, or the other way round. None where one is seen by anybody but accesses of it.
pub(super) fn family(func: &Function, layout: &Layout, uses: &Uses, list: Op) -> Option<Family> {
    let mut finder =
        Finder { func, layout, found: Family::default(), slots: BTreeSet::new(), open: Vec::new() };
    finder.value(func.result(list))?;
    while let Some(value) = finder.open.pop() {
        let is_root = func.def_op(value).is_some_and(|op| finder.found.roots.contains(&op));
        for one in uses.of(value) {
            let index = usize::try_from(one.index).ok()?;
            match func.ops[one.op].kind {
                OpKind::ListGet | OpKind::ListSet | OpKind::ListLen if index == 0 => {}
                OpKind::ListAppend if index == 0 && is_root => {}
                OpKind::For if index > 2 => finder.slot((one.op, index - 3))?,
                OpKind::Continue(0) | OpKind::Yield => finder.slot((layout.parent(one.op)?, index))?,
                _ => return None,
            }
        }
    }
    Some(finder.found)
}

struct Finder<'a> {
    func: &'a Function,
    layout: &'a Layout,
    found: Family,
    slots: BTreeSet<Slot>,
    /// Values whose uses are to be looked at.
    open: Vec<Value>,
}

impl Finder<'_> {
    /// Adds a value, and where it comes from.
    fn value(&mut self, value: Value) -> Option<()> {
        match self.func.values[value].def {
            ValueDef::Result(op, _) if self.func.ops[op].kind == OpKind::ListNew => {
                if self.found.roots.insert(op) {
                    self.open.push(value);
                }
                Some(())
            }
            ValueDef::Result(op, index) => {
                self.other(value);
                self.slot((op, usize::try_from(index).ok()?))
            }
            ValueDef::Param(block, index) => {
                self.other(value);
                let index = usize::try_from(index).ok()?.checked_sub(1)?;
                self.slot((self.layout.parent_of_block(block)?, index))
            }
        }
    }

    fn other(&mut self, value: Value) {
        if self.found.others.insert(value) {
            self.open.push(value);
        }
    }

    /// Adds what goes through a place, and what comes out of it.
    fn slot(&mut self, (op, index): Slot) -> Option<()> {
        if !self.slots.insert((op, index)) {
            return Some(());
        }
        let data = &self.func.ops[op];
        let mut sources = Vec::new();
        let ends = if data.kind == OpKind::For { OpKind::Continue(0) } else { OpKind::Yield };
        for &region in &data.regions {
            let end = self.func.terminator(region).filter(|&end| self.func.ops[end].kind == ends)?;
            sources.push(self.func.ops[end].args[index]);
        }
        match data.kind {
            OpKind::For if runs_to_its_end(self.func, data.regions[0]) => {
                sources.push(data.args[3 + index]);
                self.other(self.func.blocks[data.regions[0]].params[1 + index]);
            }
            OpKind::If => {}
            _ => return None,
        }
        self.other(data.results[index]);
        sources.into_iter().try_for_each(|source| self.value(source))
    }
}
