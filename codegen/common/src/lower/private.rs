//! Sums that blocks of a device have of their own (see [`crate::device::private`]).

use crate::device::private::{NUMBERS, Private};
use crate::emit::{Emit, EmitExt, IntOp, Ty};
use crate::lower::function::FuncCx;

impl<E: Emit> FuncCx<'_, E> {
    /// Adds to an element of an array: to the block's own, where the array is small enough.
    pub fn add_in_block(&self, private: Private, indices: &[E::V], value: E::V, at: E::V) {
        let ir = &self.ir;
        let array = self.val(private.array).array();
        let [own, shared, done] = ["sum.own", "sum.shared", "sum.done"].map(|name| ir.label(name));
        ir.cond_br(is_private(ir, &private, &array.dims), own, shared);
        ir.at(shared);
        ir.update(IntOp::Add, at, value);
        ir.br(done, &[]);
        ir.at(own);
        let mut place = indices[0];
        for (&index, &length) in indices.iter().zip(&array.dims).skip(1) {
            place = ir.add(ir.mul(place, length), index);
        }
        let low = ir.int_cast(value, Ty::I32, false);
        let before = ir.add_in_block(NUMBERS, ir.add(place, ir.count(private.first)), low);
        if private.is_wide {
            let carries = ir.ult(ir.add(before, low), before);
            let high = ir.int_cast(ir.lshr(value, ir.i64(32)), Ty::I32, false);
            let high = ir.add(high, ir.int_cast(carries, Ty::I32, false));
            let more = ir.label("sum.more");
            ir.cond_br(ir.is_zero(high), done, more);
            ir.at(more);
            ir.add_in_block(NUMBERS, ir.add(place, ir.count(private.high())), high);
        }
        ir.br(done, &[]);
        ir.at(done);
    }
}

/// Whether an array of these lengths is small enough.
pub fn is_private<E: Emit>(ir: &E, private: &Private, dims: &[E::V]) -> E::V {
    let most = ir.count(private.most);
    let all = dims.iter().copied().reduce(|all, length| ir.mul(all, length)).expect("an axis");
    let fits = dims.iter().map(|&length| ir.not(ir.slt(most, length)));
    fits.fold(ir.not(ir.slt(most, all)), |both, one| ir.and(both, one))
}
