//! Owners in loop IR, counted as compiled code counts them.
//!
//! Memory whose last owner is gone is emptied, so that a later access is a fault. What came from outside is
//! borrowed and not counted.

use crate::value::Val;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The memory that functions own.
#[derive(Default)]
pub(crate) struct Owners {
    /// By address, which is taken as long as the memory is held here.
    counts: BTreeMap<usize, (Memory, u32)>,
}

enum Memory {
    Bytes(Rc<RefCell<Vec<u8>>>),
    Items(Rc<RefCell<Vec<Val>>>),
}

impl Memory {
    fn of(value: &Val) -> Option<Self> {
        match value {
            Val::Array(array) => Some(Self::Bytes(Rc::clone(&array.bytes))),
            Val::List(_, items) => Some(Self::Items(Rc::clone(items))),
            Val::Scalar(_) | Val::Str(_) => None,
        }
    }

    fn address(&self) -> usize {
        match self {
            Self::Bytes(bytes) => Rc::as_ptr(bytes) as usize,
            Self::Items(items) => Rc::as_ptr(items) as usize,
        }
    }

    fn empty(&self) {
        match self {
            Self::Bytes(bytes) => bytes.borrow_mut().clear(),
            Self::Items(items) => items.borrow_mut().clear(),
        }
    }
}

impl Owners {
    /// Memory that was just made has one owner.
    pub(crate) fn made(&mut self, value: &Val) {
        if let Some(memory) = Memory::of(value) {
            self.counts.insert(memory.address(), (memory, 1));
        }
    }

    pub(crate) fn retain(&mut self, value: &Val) {
        if let Some(memory) = Memory::of(value)
            && let Some((_, count)) = self.counts.get_mut(&memory.address())
        {
            *count += 1;
        }
    }

    pub(crate) fn release(&mut self, value: &Val) {
        let Some(memory) = Memory::of(value) else { return };
        let Some((_, count)) = self.counts.get_mut(&memory.address()) else { return };
        *count -= 1;
        if *count > 0 {
            return;
        }
        self.counts.remove(&memory.address());
        if let Memory::Items(items) = &memory {
            let items = items.borrow().clone();
            items.iter().for_each(|item| self.release(item));
        }
        memory.empty();
    }

    /// How many pieces of memory have an owner.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }
}
