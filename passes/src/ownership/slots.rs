//! Gives owners their slots and inserts `own`.

use std::collections::BTreeMap;

use pydd_ir::{Block, Entity, Function, Op, OpKind, Slot, Type, Value, ValueDef};

/// The slots of what loops carry, by body and position among the carried.
pub(super) type CarriedSlots = BTreeMap<(Block, usize), Slot>;

/// Inserts `own` after every operation that gives fresh owners, and around loops that carry some.
pub(super) fn assign(func: &mut Function) -> CarriedSlots {
    let entry = func.entry;
    let mut slots = Slots { func, nest: Vec::new(), carried: BTreeMap::new() };
    slots.block(entry);
    slots.carried
}

struct Slots<'f> {
    func: &'f mut Function,
    /// The breakable operations around the current position, outermost first.
    nest: Vec<Carried>,
    carried: CarriedSlots,
}

/// What a loop carries.
struct Carried {
    body: Block,
    params: Vec<Value>,
    slots: Vec<Option<Slot>>,
}

const fn is_owned(ty: Type) -> bool {
    matches!(ty, Type::Array { .. } | Type::List(_))
}

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
            if gives_owners(&self.func.ops[op].kind) {
                for result in self.func.ops[op].results.clone() {
                    if is_owned(self.func.ty(result)) {
                        let slot = self.slot();
                        self.own(block, op, result, slot, false);
                    }
                }
            }
        }
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
            let slot = is_owned(self.func.ty(param)).then(|| self.slot());
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
                    _ => !gives_owners(&data.kind),
                }
            }
        }
    }
}
