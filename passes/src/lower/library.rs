//! Library functions: their checks and results; the work itself is a call of the runtime.
//!
//! ```text
//! %c = lib matmul %a, %b     ⇒     check (eq %k, %l), ValueError "…"     %c = empty %n, %m     lib matmul %a, %b, %c
//! ```
//!
//! In loop IR `matmul` writes its last operand, and all three have the same rank of at least 2 and equal
//! leading axes (stride 0 where stretched). `sort` works in place. Vector by vector is a loop.

use pydd_ir::{DType, ElemOp, LibOp, Op, OpKind, ReduceOp, Value};

use super::Lower;
use super::array::Array;
use super::reduce::Kind;

const MATMUL_MISMATCH: &str = "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc \
     signature (n?,k),(k,m?)->(n?,m?) (size {0} is different from {1})";

impl Lower<'_> {
    pub(super) fn sort(&mut self, op: Op) {
        let source = self.args(op)[0];
        let copy = self.copy_of(source);
        self.b.effect(OpKind::Lib(LibOp::Sort), vec![copy.value]);
        self.define_array(self.src.result(op), &copy);
    }

    pub(super) fn matmul(&mut self, op: Op) {
        let args = self.args(op);
        let (a, b) = (self.array(args[0]).clone(), self.array(args[1]).clone());
        let inner = b.dims[b.rank().saturating_sub(2)];
        let depth = a.dims[a.rank() - 1];
        if let Some(ok) = self.unless_same(inner, depth) {
            self.check_value(ok, MATMUL_MISMATCH, &[inner, depth]);
        }
        if a.rank() == 1 && b.rank() == 1 {
            let dot = self.dot(&a, &b);
            return self.define(self.src.result(op), dot);
        }
        let (left, right) = (self.as_row(&a), self.as_column(&b));
        let batch = self.batch_dims(&left, &right);
        let (rows, columns) = (left.dims[left.rank() - 2], right.dims[right.rank() - 1]);
        let full = [&batch[..], &[rows, columns]].concat();
        let mut dims = batch.clone();
        dims.extend((a.rank() > 1).then_some(rows));
        dims.extend((b.rank() > 1).then_some(columns));
        let out = self.empty(self.dtype(a.value), &dims);
        let target = if dims.len() == full.len() {
            out.clone()
        } else {
            let (zero, unit) = (self.int(0), self.item_size(out.value));
            let strides = self.row_major(&full, unit);
            self.raw_view(out.value, zero, full, strides, true)
        };
        let left = self.with_batch(&left, &batch);
        let right = self.with_batch(&right, &batch);
        self.b.effect(OpKind::Lib(LibOp::Matmul), vec![left, right, target.value]);
        self.define_array(self.src.result(op), &out);
    }

    /// The inner product of two vectors of the same length.
    fn dot(&mut self, a: &Array, b: &Array) -> Value {
        let dtype = self.dtype(a.value);
        let (op, times) = match dtype {
            DType::Bool => (ReduceOp::Any, ElemOp::And),
            _ => (ReduceOp::Sum, ElemOp::Mul),
        };
        self.accumulate(Kind { op, dtype, flags: false, total: true }, &a.dims, &mut |lower, indices| {
            let (x, y) = (lower.load_raw(a.value, indices), lower.load_raw(b.value, indices));
            lower.b.elem(times, &[x, y])
        })
    }

    /// A vector as a matrix of one row; else as it is.
    fn as_row(&mut self, array: &Array) -> Array {
        if array.rank() > 1 {
            return array.clone();
        }
        let (zero, one, stride) = (self.int(0), self.int(1), self.strides(array)[0]);
        let pitch = self.mul(stride, array.dims[0]);
        self.raw_view(array.value, zero, vec![one, array.dims[0]], vec![pitch, stride], array.contiguous)
    }

    /// A vector as a matrix of one column; else as it is.
    fn as_column(&mut self, array: &Array) -> Array {
        if array.rank() > 1 {
            return array.clone();
        }
        let (zero, one, stride) = (self.int(0), self.int(1), self.strides(array)[0]);
        let unit = self.item_size(array.value);
        self.raw_view(array.value, zero, vec![array.dims[0], one], vec![stride, unit], array.contiguous)
    }

    /// What the axes before the last two broadcast to.
    fn batch_dims(&mut self, left: &Array, right: &Array) -> Vec<Value> {
        let shapes = [left, right].map(|a| &a.dims[..a.rank() - 2]);
        let (shape, ok) = self.broadcast_dims(&shapes);
        if let Some(ok) = ok {
            self.check_value(ok, "operands could not be broadcast together", &[]);
        }
        shape.dims
    }

    fn with_batch(&mut self, array: &Array, batch: &[Value]) -> Value {
        let matrix = &array.dims[array.rank() - 2..];
        let dims = [batch, matrix].concat();
        self.stretched(array, &dims, false).value
    }
}
