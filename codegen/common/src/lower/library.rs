//! Library functions.

use crate::emit::{Emit, Signature, Touches, Ty};
use crate::lower::function::{FuncCx, Lowered};
use crate::lower::values::Val;
use pydd_abi::RuntimeFn;
use pydd_ir::{LibOp, Op, Routine};

impl<E: Emit> FuncCx<'_, E> {
    pub fn library(&mut self, op: Op, lib: LibOp) -> Lowered {
        match lib {
            LibOp::Matmul => self.matmul(op),
            LibOp::Sort => self.sort(op),
            LibOp::Time => self.time(op),
            LibOp::Routine(routine) => self.routine(op, routine),
            LibOp::Draw(draw) => self.draw(op, draw),
        }
        Ok(())
    }

    fn time(&mut self, op: Op) {
        let signature = Signature::new(&[], &[Ty::F64]);
        let time = self.table_entry(RuntimeFn::time);
        let seconds = self.ir.call_pointer(&signature, time, &[], Touches::Anything)[0];
        self.bind(self.func.result(op), Val::Scalar(seconds));
    }

    /// `(a, b, out)`
    fn matmul(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let [a, b, out] = [0, 1, 2].map(|i| self.array_ref(data.args[i]));
        self.runtime_call(RuntimeFn::matmul, &[self.ctx, a, b, out], data.loc);
    }

    fn sort(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let array = self.array_ref(data.args[0]);
        self.runtime_call(RuntimeFn::sort, &[self.ctx, array], data.loc);
    }

    /// Arrays, and for transforms a scale.
    fn routine(&mut self, op: Op, routine: Routine) {
        let data = &self.func.ops[op];
        let mut args = vec![self.ctx];
        for &arg in &data.args {
            args.push(if self.ty(arg).is_array() { self.array_ref(arg) } else { self.val(arg).scalar() });
        }
        self.runtime_call(function(routine.name()), &args, data.loc);
    }
}

/// The runtime's function that an operation's name stands for: the two have one.
pub fn function(name: &str) -> RuntimeFn {
    RuntimeFn::from_name(name).expect("a routine or draw is a function of the table")
}

#[cfg(test)]
mod tests {
    use super::*;
    use pydd_ir::Draw;

    #[test]
    fn the_table_has_all_routines_and_draws() {
        for name in Routine::ALL.map(Routine::name).into_iter().chain(Draw::ALL.map(Draw::name)) {
            assert_eq!(function(name).name(), name);
        }
    }
}
