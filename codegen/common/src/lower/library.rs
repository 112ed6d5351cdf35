//! Library functions.

use crate::emit::{Emit, Signature, Touches, Ty};
use crate::lower::function::{FuncCx, Lowered};
use crate::lower::values::Val;
use pydd_abi::layout;
use pydd_ir::{LibOp, Op};

impl<E: Emit> FuncCx<'_, E> {
    pub fn library(&mut self, op: Op, lib: LibOp) -> Lowered {
        match lib {
            LibOp::Matmul => self.matmul(op),
            LibOp::Sort => self.sort(op),
            LibOp::Time => self.time(op),
        }
        Ok(())
    }

    fn time(&mut self, op: Op) {
        let signature = Signature::new(&[], &[Ty::F64]);
        let time = self.table_entry(layout::TABLE_TIME);
        let seconds = self.ir.call_pointer(&signature, time, &[], Touches::Anything)[0];
        self.bind(self.func.result(op), Val::Scalar(seconds));
    }

    /// `(a, b, out)`
    fn matmul(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let [a, b, out] = [0, 1, 2].map(|i| self.array_ref(data.args[i]));
        self.runtime_call(layout::TABLE_MATMUL, &[self.ctx, a, b, out], data.loc);
    }

    fn sort(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let array = self.array_ref(data.args[0]);
        self.runtime_call(layout::TABLE_SORT, &[self.ctx, array], data.loc);
    }
}
