//! Library functions.

use crate::emit::{Emit, Signature, Touches, Ty};
use crate::lower::function::{FuncCx, Lowered};
use crate::lower::values::Val;
use pydd_abi::layout;
use pydd_ir::{DType, Draw, LibOp, Op, Routine};

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
        let time = self.table_entry(layout::TABLE_TIME);
        let seconds = self.ir.call_pointer(&signature, time, &[], Touches::Anything)[0];
        self.bind(self.func.result(op), Val::Scalar(seconds));
    }

    /// A generator's words, or null for the thread's stream, and parameters.
    fn draw(&mut self, op: Op, draw: Draw) {
        let data = &self.func.ops[op];
        let machine = |dtype: DType| if dtype.is_float() { Ty::F64 } else { Ty::I64 };
        let mut args: Vec<E::V> = data.args.iter().map(|&arg| self.val(arg).parts()[0]).collect();
        if args.len() == draw.params().len() {
            args.insert(0, self.ir.null());
        }
        let params = std::iter::once(Ty::Ptr).chain(draw.params().iter().copied().map(machine)).collect();
        let signature = Signature { params, results: vec![machine(draw.result())] };
        let entry = self.table_entry(draw_entry(draw));
        let drawn = self.ir.call_pointer(&signature, entry, &args, Touches::Anything)[0];
        self.bind(self.func.result(op), Val::Scalar(drawn));
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

    /// Arrays, and for transforms a scale.
    fn routine(&mut self, op: Op, routine: Routine) {
        let data = &self.func.ops[op];
        let mut args = vec![self.ctx];
        for &arg in &data.args {
            args.push(if self.ty(arg).is_array() { self.array_ref(arg) } else { self.val(arg).scalar() });
        }
        self.runtime_call(entry(routine), &args, data.loc);
    }
}

/// Where the runtime's table has a way to draw.
const fn draw_entry(draw: Draw) -> usize {
    match draw {
        Draw::Double => layout::TABLE_DRAW_DOUBLE,
        Draw::Single => layout::TABLE_DRAW_SINGLE,
        Draw::Uniform => layout::TABLE_DRAW_UNIFORM,
        Draw::Normal => layout::TABLE_DRAW_NORMAL,
        Draw::Exponential => layout::TABLE_DRAW_EXPONENTIAL,
        Draw::Poisson => layout::TABLE_DRAW_POISSON,
        Draw::Word => layout::TABLE_DRAW_WORD,
        Draw::Integer => layout::TABLE_DRAW_INTEGER,
        Draw::Interval => layout::TABLE_DRAW_INTERVAL,
        Draw::Seed => layout::TABLE_DRAW_SEED,
        Draw::Entropy => layout::TABLE_DRAW_ENTROPY,
    }
}

/// Where the runtime's table has a routine.
const fn entry(routine: Routine) -> usize {
    match routine {
        Routine::Fft => layout::TABLE_FFT,
        Routine::InverseFft => layout::TABLE_INVERSE_FFT,
        Routine::RealFft => layout::TABLE_REAL_FFT,
        Routine::InverseRealFft => layout::TABLE_INVERSE_REAL_FFT,
        Routine::Solve => layout::TABLE_SOLVE,
        Routine::Slogdet => layout::TABLE_SLOGDET,
        Routine::Cholesky => layout::TABLE_CHOLESKY,
        Routine::Qr => layout::TABLE_QR,
        Routine::Svd => layout::TABLE_SVD,
        Routine::Eigh => layout::TABLE_EIGH,
        Routine::Eig => layout::TABLE_EIG,
        Routine::Argsort => layout::TABLE_ARGSORT,
        Routine::Partition => layout::TABLE_PARTITION,
        Routine::Argpartition => layout::TABLE_ARGPARTITION,
        Routine::CsrTimes => layout::TABLE_CSR_TIMES,
        Routine::SparseSolve => layout::TABLE_SPARSE_SOLVE,
        Routine::SeedGenerator => layout::TABLE_SEED_GENERATOR,
        Routine::Special => layout::TABLE_SPECIAL,
    }
}
