//! Owner slots: who holds which memory.

use crate::emit::{Emit, EmitExt, Signature, Touches, Ty};
use crate::layout::refers;
use crate::lower::function::FuncCx;
use crate::lower::values::Val;
use pydd_abi::layout;
use pydd_ir::{OpKind, Slot, Value};

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
        let at = self.slots[&slot];
        let old = self.ir.load(Ty::Ptr, at, 0);
        self.ir.store(at, 0, owner);
        self.release(old);
    }

    pub fn disown(&mut self, slot: Slot) {
        let at = self.slots[&slot];
        let old = self.ir.load(Ty::Ptr, at, 0);
        self.ir.store(at, 0, self.ir.null());
        self.release(old);
    }

    /// Adds one to a count, for a value that leaves the function. Where a slot of this frame holds the
    /// value, the slot's own count leaves with it instead.
    pub fn give_away(&mut self, value: Value) {
        if !refers(self.ty(value)) {
            return;
        }
        let owner = self.owner(value);
        match self.holder(value) {
            None => self.retain(owner),
            Some(at) => {
                let held = self.ir.load(Ty::Ptr, at, 0);
                let (same, differs, done) =
                    (self.ir.label("move"), self.ir.label("retain"), self.ir.label("moved"));
                self.ir.cond_br(self.ir.eq(held, owner), same, differs);
                self.ir.at(same);
                self.ir.store(at, 0, self.ir.null());
                self.ir.br(done, &[]);
                self.ir.at(differs);
                self.retain(owner);
                self.ir.br(done, &[]);
                self.ir.at(done);
            }
        }
    }

    /// A slot that is given this very value somewhere.
    fn holder(&self, value: Value) -> Option<E::V> {
        let func = self.func;
        let owns = |op: &pydd_ir::OpData| match op.kind {
            OpKind::Own { slot, .. } if op.args[0] == value => Some(slot),
            _ => None,
        };
        // A slot of another frame is not among ours.
        func.ops.values().filter_map(owns).find_map(|slot| self.slots.get(&slot)).copied()
    }

    fn retain(&self, owner: E::V) {
        self.when_owned(owner, layout::TABLE_RETAIN);
    }

    pub fn release(&self, owner: E::V) {
        self.when_owned(owner, layout::TABLE_RELEASE);
    }

    fn when_owned(&self, owner: E::V, function: usize) {
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
