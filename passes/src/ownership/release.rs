//! Releases slots after the last use of what relies on them.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::{Block, Entity, Function, Op, OpKind, Slot, Value};

use super::borrow;
use super::slots::Assigned;

/// Inserts `disown` where a slot's last use is known and is not the function's end.
pub(super) fn place(func: &mut Function, assigned: Assigned) {
    let mut uses = Uses {
        func,
        relies: vec![BTreeSet::new(); func.values.len()],
        assigned,
        extents: BTreeMap::new(),
        released: BTreeSet::new(),
        path: Vec::new(),
        nest: Vec::new(),
    };
    uses.block(func.entry);
    let mut ends: BTreeMap<Block, Vec<(usize, Slot)>> = BTreeMap::new();
    for (slot, extent) in uses.extents.into_iter().filter(|(slot, _)| !uses.released.contains(slot)) {
        let &(block, index) = extent.last().expect("an extent ends in a block");
        ends.entry(block).or_default().push((index, slot));
    }
    for (block, mut released) in ends {
        released.sort_unstable();
        insert(func, block, &released);
    }
}

/// Inserts `disown` behind these positions of a block, which are in order.
fn insert(func: &mut Function, block: Block, released: &[(usize, Slot)]) {
    let old = std::mem::take(&mut func.blocks[block].ops);
    let mut ops = Vec::with_capacity(old.len() + released.len());
    let mut rest = released;
    for (index, &op) in old.iter().enumerate() {
        ops.push(op);
        let (here, later) = rest.split_at(rest.partition_point(|&(at, _)| at <= index));
        rest = later;
        // All slots are released where the function is left, and nothing runs in front of `unreachable`.
        let leaves = |&op: &Op| {
            matches!(func.ops[op].kind, OpKind::Return | OpKind::Raise { .. } | OpKind::Unreachable)
        };
        if func.ops[op].kind.is_terminator() || old.get(index + 1).is_some_and(leaves) {
            continue;
        }
        for &(_, slot) in here {
            let loc = func.ops[op].loc;
            ops.push(func.new_op(OpKind::Disown(slot), vec![], &[], vec![], loc));
        }
    }
    func.blocks[block].ops = ops;
}

/// From the entry block inwards: a block and a position in it.
type Path = Vec<(Block, usize)>;

struct Uses<'f> {
    func: &'f Function,
    /// The slots that keep a value alive.
    relies: Vec<BTreeSet<Slot>>,
    assigned: Assigned,
    /// The position up to which each slot is needed.
    extents: BTreeMap<Slot, Path>,
    /// Slots that are released already.
    released: BTreeSet<Slot>,
    path: Path,
    /// Breakable operations around, with what the values they were left with rely on.
    nest: Vec<Vec<BTreeSet<Slot>>>,
}

impl Uses<'_> {
    fn block(&mut self, block: Block) {
        self.path.push((block, 0));
        let func = self.func;
        for (index, &op) in func.blocks[block].ops.iter().enumerate() {
            self.path.last_mut().expect("pushed above").1 = index;
            self.op(op);
        }
        self.path.pop();
    }

    fn op(&mut self, op: Op) {
        let data = &self.func.ops[op];
        match data.kind {
            OpKind::Yield | OpKind::Continue(_) => {}
            OpKind::Break(depth) => {
                let index = self.nest.len() - 1 - depth as usize;
                for (k, &value) in data.args.iter().enumerate() {
                    let relied = self.relies[value.index()].clone();
                    self.nest[index][k].extend(relied);
                }
            }
            _ => data.args.iter().for_each(|&value| self.use_value(value)),
        }
        match data.kind {
            OpKind::Own { slot, retain } => {
                self.extend(slot);
                // Until what is taken out of a list has an owner of its own, the list keeps it.
                let taken =
                    self.func.def_op(data.args[0]).filter(|&taken| borrow::takes_memory(self.func, taken));
                if let Some(taken) = taken.filter(|_| retain) {
                    self.use_value(self.func.ops[taken].args[0]);
                }
                if !retain || self.assigned.items.contains(&slot) {
                    self.relies[data.args[0].index()].insert(slot);
                }
            }
            OpKind::Disown(slot) => {
                self.released.insert(slot);
            }
            OpKind::ListGet if !self.assigned.borrowed.contains(&op) => {}
            OpKind::RawView | OpKind::ListGet => {
                let relied = self.relies[data.args[0].index()].clone();
                self.relies[data.results[0].index()] = relied;
            }
            OpKind::If => self.if_op(op),
            _ if data.kind.is_breakable() => self.breakable(op),
            _ => data.regions.iter().for_each(|&region| self.block(region)),
        }
    }

    fn if_op(&mut self, op: Op) {
        let data = &self.func.ops[op];
        for &region in &data.regions {
            self.block(region);
            let Some(end) = self.func.terminator(region) else { continue };
            if self.func.ops[end].kind == OpKind::Yield {
                for (&result, value) in data.results.iter().zip(&self.func.ops[end].args) {
                    let relied = self.relies[value.index()].clone();
                    self.relies[result.index()].extend(relied);
                }
            }
        }
    }

    fn breakable(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let body = data.regions[0];
        let skip = usize::from(matches!(data.kind, OpKind::For | OpKind::PFor(_)));
        for (k, param) in self.func.blocks[body].params.iter().skip(skip).enumerate() {
            self.relies[param.index()].extend(self.assigned.carried.get(&(body, k)).copied());
        }
        self.nest.push(vec![BTreeSet::new(); data.results.len()]);
        self.block(body);
        let exits = self.nest.pop().expect("pushed above");
        for (k, (&result, exit)) in data.results.iter().zip(exits).enumerate() {
            self.relies[result.index()].extend(exit);
            if data.kind == OpKind::For {
                self.relies[result.index()].extend(self.assigned.carried.get(&(body, k)).copied());
            }
        }
    }

    fn use_value(&mut self, value: Value) {
        for slot in self.relies[value.index()].clone() {
            self.extend(slot);
        }
    }

    /// The slot is needed up to here.
    fn extend(&mut self, slot: Slot) {
        let Some(extent) = self.extents.get_mut(&slot) else {
            self.extents.insert(slot, self.path.clone());
            return;
        };
        let common = extent.iter().zip(&self.path).take_while(|(a, b)| a == b).count();
        if let (Some(a), Some(b)) = (extent.get(common), self.path.get(common)) {
            if a.0 == b.0 {
                let end = (a.0, a.1.max(b.1));
                extent.truncate(common);
                extent.push(end);
            } else {
                extent.truncate(common);
            }
        } else {
            extent.truncate(common);
        }
    }
}
