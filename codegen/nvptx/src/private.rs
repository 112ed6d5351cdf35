//! Sums that a block has of its own: all zero before its iterations, and added to arrays behind them.

use inkwell::values::BasicValueEnum;
use pydd_abi::device::BLOCK;
use pydd_codegen::device::private::{NUMBERS, Private};
use pydd_codegen::emit::{Emit, EmitExt, IntOp, Ty};
use pydd_codegen::lower::is_private;
use pydd_codegen_llvm_base::Ir;

type V<'c> = BasicValueEnum<'c>;

/// An array with such sums, as the kernel has it.
pub struct Summed<'c> {
    pub private: Private,
    pub data: V<'c>,
    pub dims: Vec<V<'c>>,
    /// In bytes.
    pub strides: Vec<V<'c>>,
}

impl<'c> Summed<'c> {
    /// Each thread sets some to zero. Others wait for them.
    pub fn clear(&self, ir: &Ir<'c, '_>, thread: V<'c>) {
        self.each(ir, thread, |place| self.clear_one(ir, place));
    }

    fn clear_one(&self, ir: &Ir<'c, '_>, place: V<'c>) {
        let private = &self.private;
        let firsts = [Some(private.first), private.is_wide.then(|| private.high())];
        for first in firsts.into_iter().flatten() {
            ir.set_in_block(NUMBERS, ir.add(place, ir.count(first)), ir.i32(0));
        }
    }

    /// Each thread adds some to the array, once all iterations are done, or one has failed and others follow.
    pub fn add(&self, ir: &Ir<'c, '_>, thread: V<'c>) {
        self.each(ir, thread, |place| {
            let get = |first| ir.get_in_block(NUMBERS, ir.add(place, ir.count(first)));
            let mut sum = get(self.private.first);
            if self.private.is_wide {
                let [low, high] =
                    [sum, get(self.private.high())].map(|half| ir.int_cast(half, Ty::I64, false));
                sum = ir.or(low, ir.shl(high, ir.i64(32)));
            }
            let [some, none] = ["sum.some", "sum.none"].map(|name| ir.label(name));
            ir.cond_br(ir.is_zero(sum), none, some);
            ir.at(some);
            let (mut at, all, mut place) = (self.data, place, place);
            for (i, (&length, &stride)) in self.dims.iter().zip(&self.strides).enumerate().rev() {
                let index = if i == 0 { place } else { ir.urem(place, length) };
                at = ir.offset(at, ir.mul(index, stride));
                place = ir.udiv(place, length);
            }
            ir.update(IntOp::Add, at, sum);
            self.clear_one(ir, all);
            ir.br(none, &[]);
            ir.at(none);
        });
    }

    fn each(&self, ir: &Ir<'c, '_>, thread: V<'c>, act: impl FnOnce(V<'c>)) {
        let [some, next, step, done] = ["own", "own.next", "own.step", "own.done"].map(|name| ir.label(name));
        let place = ir.params(next, &[Ty::I64])[0];
        ir.cond_br(is_private(ir, &self.private, &self.dims), some, done);
        ir.at(some);
        let all = self.dims.iter().copied().reduce(|all, length| ir.mul(all, length)).expect("an axis");
        ir.br(next, &[thread]);
        ir.at(next);
        ir.cond_br(ir.slt(place, all), step, done);
        ir.at(step);
        act(place);
        ir.br(next, &[ir.add(place, ir.i64(BLOCK.into()))]);
        ir.at(done);
    }
}
