//! Arrays from dimensions: `empty`, `zeros`, `full`, `iota`, `copy`.
//!
//! ```text
//! %a = full %v, %n     ⇒     %a = empty %n     for %i in 0, %n, 1 { storeraw %a, %v, %i }
//! ```

use pydd_ir::{DType, ElemOp, Literal, Op, OpKind, Value, Version};

use super::Lower;
use super::array::Array;

impl Lower<'_> {
    pub(super) fn create(&mut self, op: Op) {
        let args = self.args(op);
        let result = self.src.result(op);
        let dtype = self.src.ty(result).dtype().expect("arrays have elements");
        let array = match self.src.ops[op].kind {
            OpKind::Empty => self.empty(dtype, &args),
            OpKind::Zeros => self.allocate(OpKind::Zeros, dtype, &args),
            OpKind::Full => self.full(args[0], dtype, &args[1..]),
            OpKind::Iota => self.iota(args[0], args[1], args[2]),
            _ => self.copy_of(args[0]),
        };
        self.define_array(result, &array);
    }

    /// An array whose axes lie in an order that is known at run time. What fills it asks first whether it is row-major.
    pub(super) fn empty_strided(&mut self, op: Op) {
        let (args, result) = (self.args(op), self.src.result(op));
        let (dims, strides) = args.split_at(args.len() / 2);
        let dtype = self.src.ty(result).dtype().expect("arrays have elements");
        let memory = self.empty(dtype, dims);
        let (zero, plain) = (self.int(0), self.strides(&memory));
        let mut view = self.raw_view(memory.value, zero, dims.to_vec(), strides.to_vec(), false);
        view.by_stride = true;
        if self.src.version != Version::General {
            let same: Vec<Value> =
                strides.iter().zip(plain).filter_map(|(&a, b)| self.unless_same(a, b)).collect();
            view.dense_if = self.all(&same);
        }
        self.define_array(result, &view);
    }

    pub(super) fn full(&mut self, value: Value, dtype: DType, dims: &[Value]) -> Array {
        if self.is_zero_bits(value) {
            return self.allocate(OpKind::Zeros, dtype, dims);
        }
        let array = self.empty(dtype, dims);
        self.fill(&array, value);
        array
    }

    /// Whether a constant is all zero bits, as `zeros` gives.
    fn is_zero_bits(&self, value: Value) -> bool {
        matches!(
            self.b.func.as_const(value),
            Some(Literal::Bool(false) | Literal::Int(0) | Literal::Float(0) | Literal::Complex(0, 0))
        )
    }

    pub(super) fn fill(&mut self, array: &Array, value: Value) {
        self.elementwise(array, &[], &mut |_, _| value);
    }

    fn iota(&mut self, start: Value, step: Value, count: Value) -> Array {
        let zero = self.int(0);
        let count =
            if self.b.func.as_int(count).is_some_and(|n| n >= 0) { count } else { self.max(count, zero) };
        let dtype = self.dtype(start);
        let array = self.empty(dtype, &[count]);
        // A negative zero is kept, and no step is NaN.
        let is_plain = |value: Value| match self.b.func.as_const(value) {
            Some(Literal::Float(bits)) => f64::from_bits(*bits).is_finite() && *bits != (-0.0_f64).to_bits(),
            Some(_) => true,
            None => false,
        };
        let may_differ = dtype.is_float() && !(is_plain(start) && is_plain(step));
        self.for_each(count, &[], |lower, i, _| {
            let position = lower.b.cast(i, dtype);
            let offset = lower.b.mul(position, step);
            let mut value = lower.b.add(start, offset);
            if may_differ {
                let first = lower.b.elem(ElemOp::Eq, &[i, zero]);
                value = lower.b.select(first, start, value);
            }
            lower.store_raw(array.value, value, &[i]);
            vec![]
        });
        array
    }

    /// A fresh row-major array with the elements of `source`.
    pub(super) fn copy_of(&mut self, source: Value) -> Array {
        let dims = self.array(source).dims.clone();
        let dtype = self.dtype(source);
        let array = self.empty(dtype, &dims);
        self.elementwise(&array, &[source], &mut |_, elements| elements[0]);
        array
    }
}
