//! Loops that only copy, as copies of memory.
//!
//! What a backend makes of such a loop is longer and no faster, and takes longer to compile: LLVM, which looks for such loops, does not
//! ask what is known of aliasing.

use crate::emit::{Emit, EmitExt};
use crate::lower::function::FuncCx;
use crate::lower::loops::Range;
use crate::lower::values::Array;
use crate::polling::Polling;
use pydd_ir::{DType, Op, OpKind, Value};

/// What `to[i] = from[i]` copies.
pub struct Copy {
    to: Value,
    from: Value,
    size: i64,
}

impl<E: Emit> FuncCx<'_, E> {
    /// The arrays of a loop that counts up by one and copies elements that adjoin, of one array to another that shares no memory
    /// with it.
    pub fn copied(&self, op: Op) -> Option<Copy> {
        let data = &self.func.ops[op];
        let plain = data.kind == OpKind::For && data.args.len() == 3 && self.polling(op) != Polling::Counted;
        let block = &self.func.blocks[data.regions[0]];
        let &[load, store, end] = &block.ops[..] else { return None };
        let [load, store, end] = [load, store, end].map(|op| &self.func.ops[op]);
        let is_whole = end.kind == OpKind::Continue(0);
        if !is_whole || load.kind != OpKind::LoadRaw || store.kind != OpKind::StoreRaw {
            return None;
        }
        let index = block.params[0];
        let is_copy = load.args[1..] == [index] && store.args[1..] == [load.results[0], index];
        let (to, from) = (store.args[0], load.args[0]);
        let dtype = self.ty(to).dtype()?;
        // A bool that is neither 0 nor 1 becomes 1 where it is loaded.
        let same = self.ty(from).dtype() == Some(dtype) && dtype != DType::Bool;
        let size = i64::try_from(dtype.size()).expect("small");
        let classes = self.facts.memory.classes(from);
        let apart = !self.facts.memory.classes(to).iter().any(|class| classes.contains(class));
        let adjoins = |array| self.ir.const_int(self.val(array).array().strides[0]) == Some(size);
        let found = plain && is_copy && same && apart && adjoins(to) && adjoins(from);
        found.then_some(Copy { to, from, size })
    }

    /// Copies the elements of a range; false where the backend can't.
    pub fn copy_range(&self, copy: &Copy, range: Range<E::V>) -> bool {
        let Range::Unit { start, stop, up: true } = range else { return false };
        if !E::COPIES_MEMORY {
            return false;
        }
        let ir = &self.ir;
        let (some, done) = (ir.label("copy"), ir.label("copied"));
        ir.cond_br(ir.slt(start, stop), some, done);
        ir.at(some);
        let at = |array: &Array<E::V>| ir.offset(array.data, ir.mul_nsw(start, ir.i64(copy.size)));
        let [to, from] = [copy.to, copy.from].map(|array| at(self.val(array).array()));
        ir.copy_memory(to, from, ir.mul_nsw(ir.sub(stop, start), ir.i64(copy.size)));
        ir.br(done, &[]);
        ir.at(done);
        true
    }
}
