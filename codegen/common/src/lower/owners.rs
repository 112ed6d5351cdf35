//! Owner slots: who holds which memory.

use crate::emit::{Emit, EmitExt, Signature, Touches, Ty};
use crate::lower::function::FuncCx;
use crate::lower::helpers::Helper;
use crate::lower::values::Val;
use pydd_abi::RuntimeFn;
use pydd_ir::{Function, OpKind, Slot, Value};
use std::collections::{BTreeMap, BTreeSet};

/// More slots than these stand together in memory.
const APART: usize = 4;

/// The owner slots of a frame.
pub enum Slots<V> {
    /// Each a word by itself, which the backend may keep in a register.
    Apart(BTreeMap<Slot, V>),
    /// Words behind each other, in this order. Many values that are all needed at the exit, which is reached from
    /// everywhere, would cost a backend more than all the rest.
    Together { base: V, order: Vec<Slot> },
}

impl<V> Default for Slots<V> {
    fn default() -> Self {
        Self::Apart(BTreeMap::new())
    }
}

/// The slots that a function uses.
pub fn used(func: &Function) -> Vec<Slot> {
    let mut slots = BTreeSet::new();
    func.walk(func.entry, &mut |op| {
        if let OpKind::Own { slot, .. } | OpKind::Disown(slot) = func.ops[op].kind {
            slots.insert(slot);
        }
    });
    slots.into_iter().collect()
}

/// The slots that one operation alone fills.
pub fn filled_once(func: &Function) -> BTreeSet<Slot> {
    let mut counts: BTreeMap<Slot, usize> = BTreeMap::new();
    for op in func.ops.values() {
        if let OpKind::Own { slot, .. } = op.kind {
            *counts.entry(slot).or_default() += 1;
        }
    }
    counts.into_iter().filter(|&(_, count)| count == 1).map(|(slot, _)| slot).collect()
}

impl<V: Copy> Slots<V> {
    /// Empty slots, made where the function begins.
    pub fn take<E: Emit<V = V>>(ir: &E, slots: &[Slot]) -> Self {
        if slots.len() <= APART {
            return Self::Apart(slots.iter().map(|&slot| (slot, ir.stack_word(0))).collect());
        }
        let base = ir.stack_words(slots.len());
        (0..slots.len()).for_each(|i| ir.store(base, 8 * i, ir.null()));
        Self::Together { base, order: slots.to_vec() }
    }

    /// A base and an offset in bytes, of a slot of this frame.
    fn find(&self, slot: Slot) -> Option<(V, usize)> {
        match self {
            Self::Apart(slots) => slots.get(&slot).map(|&at| (at, 0)),
            Self::Together { base, order } => {
                order.iter().position(|&other| other == slot).map(|i| (*base, 8 * i))
            }
        }
    }

    fn place(&self, slot: Slot) -> (V, usize) {
        self.find(slot).expect("a slot of this frame")
    }
}

impl<E: Emit> FuncCx<'_, E> {
    /// The owner that an array or list has.
    fn owner(&self, value: Value) -> E::V {
        match self.val(value) {
            Val::Array(array) => array.owner,
            // A list starts with its owner.
            list => list.pointer(),
        }
    }

    pub fn own(&mut self, slot: Slot, value: Value, retain: bool) {
        let owner = self.owner(value);
        if retain {
            self.retain(owner);
        }
        if self.filled_once.contains(&slot) && !self.repeats() {
            // Nothing to release.
            let (base, at) = self.slots.place(slot);
            return self.ir.store(base, at, owner);
        }
        self.fill(slot, owner);
    }

    pub fn disown(&mut self, slot: Slot) {
        self.fill(slot, self.ir.null());
    }

    /// Puts an owner, or null, in the place of what a slot holds, which is released.
    fn fill(&self, slot: Slot, owner: E::V) {
        let (base, at) = self.slots.place(slot);
        if let Slots::Together { .. } = self.slots {
            // Where there are many slots, branches for each would cost the backend more than the calls do.
            let fill = self.m.shared_helper(Helper::FillSlot);
            self.ir.call(fill, &[self.ctx, self.ir.field(base, at), owner]);
            return;
        }
        let old = self.ir.load(Ty::Ptr, base, at);
        self.ir.store(base, at, owner);
        self.release(old);
    }

    /// Whether what is being lowered stands in a loop.
    fn repeats(&self) -> bool {
        self.frames.iter().any(|frame| frame.repeat.is_some())
    }

    /// Adds one to a count, for a value that leaves the function. Where a slot of this frame holds the
    /// value, the slot's own count leaves with it instead.
    pub fn give_away(&mut self, value: Value) {
        if !self.ty(value).is_memory() {
            return;
        }
        let owner = self.owner(value);
        match self.holder(value) {
            None => self.retain(owner),
            Some((base, at)) => {
                let held = self.ir.load(Ty::Ptr, base, at);
                let (same, differs, done) =
                    (self.ir.label("move"), self.ir.label("retain"), self.ir.label("moved"));
                self.ir.cond_br(self.ir.eq(held, owner), same, differs);
                self.ir.at(same);
                self.ir.store(base, at, self.ir.null());
                self.ir.br(done, &[]);
                self.ir.at(differs);
                self.retain(owner);
                self.ir.br(done, &[]);
                self.ir.at(done);
            }
        }
    }

    /// A slot that is given this very value somewhere.
    fn holder(&self, value: Value) -> Option<(E::V, usize)> {
        let func = self.func;
        let owns = |op: &pydd_ir::OpData| match op.kind {
            OpKind::Own { slot, .. } if op.args[0] == value => Some(slot),
            _ => None,
        };
        // A slot of another frame is not among ours.
        func.ops.values().filter_map(owns).find_map(|slot| self.slots.find(slot))
    }

    pub fn retain(&self, owner: E::V) {
        self.when_owned(owner, RuntimeFn::retain);
    }

    pub fn release(&self, owner: E::V) {
        self.when_owned(owner, RuntimeFn::release);
    }

    /// Releases what all slots hold.
    pub fn release_slots(&self) {
        match &self.slots {
            Slots::Apart(slots) => {
                for &slot in slots.values() {
                    self.release(self.ir.load(Ty::Ptr, slot, 0));
                }
            }
            Slots::Together { base, order } => {
                let release = self.m.shared_helper(Helper::ReleaseSlots);
                self.ir.call(release, &[self.ctx, *base, self.ir.count(order.len())]);
            }
        }
    }

    fn when_owned(&self, owner: E::V, function: RuntimeFn) {
        if self.ir.const_int(owner) == Some(0) {
            return;
        }
        let (owned, done) = (self.ir.label("owned"), self.ir.label("owned.end"));
        self.ir.cond_br(self.ir.is_null(owner), done, owned);
        self.ir.at(owned);
        let signature = Signature::new(&[Ty::Ptr], &[]);
        self.ir.call_pointer(&signature, self.table_entry(function), &[owner], Touches::Anything);
        self.ir.br(done, &[]);
        self.ir.at(done);
    }
}
