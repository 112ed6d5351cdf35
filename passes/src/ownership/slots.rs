//! Gives owners their slots and inserts `own`.

use std::collections::{BTreeMap, BTreeSet};

use super::borrow;
use pydd_ir::{Block, Entity, Function, Op, OpKind, Slot, Value, ValueDef};

/// Who has a slot, and who needs none.
pub(super) struct Assigned {
    /// The slots of what loops carry, by body and position among the carried.
    pub carried: BTreeMap<(Block, usize), Slot>,
    /// The slots of lists and arrays that were taken out of lists.
    pub items: BTreeSet<Slot>,
    /// See [`borrow::find`].
    pub borrowed: BTreeSet<Op>,
}

/// Inserts `own` after every operation that gives owners, and around loops that carry some.
pub(super) fn assign(func: &mut Function) -> Assigned {
    let entry = func.entry;
    let borrowed = borrow::find(func);
    let mut slots =
        Slots { func, borrowed, nest: Vec::new(), carried: BTreeMap::new(), items: BTreeSet::new() };
    slots.block(entry);
    Assigned { carried: slots.carried, items: slots.items, borrowed: slots.borrowed }
}

struct Slots<'f> {
    func: &'f mut Function,
    borrowed: BTreeSet<Op>,
    /// The breakable operations around the current position, outermost first.
    nest: Vec<Carried>,
    carried: BTreeMap<(Block, usize), Slot>,
    items: BTreeSet<Slot>,
}

/// What a loop carries.
struct Carried {
    body: Block,
    params: Vec<Value>,
    slots: Vec<Option<Slot>>,
}

/// Whether the operation's results come with counts of their own.
const fn gives_owners(kind: &OpKind) -> bool {
    matches!(kind, OpKind::Empty | OpKind::Zeros | OpKind::ListNew | OpKind::Call(_))
}

impl Slots<'_> {
    fn slot(&mut self) -> Slot {
        self.func.slots += 1;
        Slot::new(self.func.slots as usize - 1)
    }

    fn block(&mut self, block: Block) {
        for op in std::mem::take(&mut self.func.blocks[block].ops) {
            match self.func.ops[op].kind {
                OpKind::For | OpKind::PFor(_) | OpKind::Loop | OpKind::Scope => self.breakable(block, op),
                OpKind::Continue(depth) => self.update(block, op, depth),
                _ => {
                    for region in self.func.ops[op].regions.clone() {
                        self.block(region);
                    }
                }
            }
            self.func.blocks[block].ops.push(op);
            let fresh = gives_owners(&self.func.ops[op].kind);
            if fresh || self.keeps_item(op) {
                for result in self.func.ops[op].results.clone() {
                    if self.func.ty(result).is_memory() {
                        let slot = self.slot();
                        if !fresh {
                            self.items.insert(slot);
                        }
                        self.own(block, op, result, slot, !fresh);
                    }
                }
            }
        }
    }

    /// Whether the operation takes a list or an array out of a list, to be kept while that one changes.
    fn keeps_item(&self, op: Op) -> bool {
        borrow::takes_memory(self.func, op) && !self.borrowed.contains(&op)
    }

    fn own(&mut self, block: Block, at: Op, value: Value, slot: Slot, retain: bool) {
        self.append(block, at, OpKind::Own { slot, retain }, vec![value]);
    }

    fn append(&mut self, block: Block, at: Op, kind: OpKind, args: Vec<Value>) {
        let loc = self.func.ops[at].loc;
        let op = self.func.new_op(kind, args, &[], vec![], loc);
        self.func.blocks[block].ops.push(op);
    }

    fn breakable(&mut self, block: Block, op: Op) {
        let data = &self.func.ops[op];
        let (skip, first) = match data.kind {
            OpKind::For | OpKind::PFor(_) => (1, 3),
            _ => (0, 0),
        };
        let body = data.regions[0];
        let init = data.args[first..].to_vec();
        let params = self.func.blocks[body].params[skip..].to_vec();
        let mut slots = Vec::new();
        for (k, (&param, &value)) in params.iter().zip(&init).enumerate() {
            let slot = self.func.ty(param).is_memory().then(|| self.slot());
            if let Some(slot) = slot {
                self.carried.insert((body, k), slot);
                self.own(block, op, value, slot, true);
            }
            slots.push(slot);
        }
        self.nest.push(Carried { body, params, slots });
        self.block(body);
        self.nest.pop();
    }

    /// The slots of what a loop carries take over the next iteration's values.
    ///
    /// Updating a slot may free what the loop's own parameters refer to, and next values may be such
    /// parameters or views of them. So these are retained first: one alone by being updated first, several
    /// in slots of their own for the time being.
    fn update(&mut self, block: Block, op: Op, depth: u32) {
        let index = self.nest.len() - 1 - depth as usize;
        let target = &self.nest[index];
        let (body, next) = (target.body, &self.func.ops[op].args);
        let changed: Vec<(Slot, Value)> = target
            .slots
            .iter()
            .zip(next.iter().zip(&target.params))
            .filter_map(|(&slot, (&value, &param))| slot.filter(|_| value != param).map(|s| (s, value)))
            .collect();
        let (carried, others): (Vec<_>, Vec<_>) =
            changed.into_iter().partition(|&(_, value)| self.may_come_from(value, body));
        let mut kept = Vec::new();
        if carried.len() > 1 {
            for &(_, value) in &carried {
                let slot = self.slot();
                self.own(block, op, value, slot, true);
                kept.push(slot);
            }
        }
        for (slot, value) in carried.into_iter().chain(others) {
            self.own(block, op, value, slot, true);
        }
        for slot in kept {
            self.append(block, op, OpKind::Disown(slot), vec![]);
        }
    }

    /// Whether a value may have no other owner than a parameter of this loop's body.
    fn may_come_from(&self, value: Value, body: Block) -> bool {
        match self.func.values[value].def {
            ValueDef::Param(block, _) => block == body,
            ValueDef::Result(op, _) => {
                let data = &self.func.ops[op];
                match data.kind {
                    OpKind::RawView => self.may_come_from(data.args[0], body),
                    _ => !gives_owners(&data.kind) && !self.keeps_item(op),
                }
            }
        }
    }
}
