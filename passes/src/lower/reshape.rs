//! Reshaping and broadcasting to a given shape.
//!
//! ```text
//! %b = reshape %a, -1, 3     ⇒     %n = floordiv (size of %a), 3     check (eq (mul %n, 3), size), ValueError "…"
//!                                  %b = rawview %a, 0, (%n, 3), (24, 8)
//! ```
//!
//! An array of one axis, and one without gaps, is viewed; whether others have gaps is looked at when they
//! run, and those that have are copied. NumPy views some of these too: where axes with gaps between them
//! are neither split nor joined (`a[:, :4].reshape(n, 2, 2)`).

use pydd_ir::{DType, ElemOp, Op, Type, Value};

use super::Lower;
use super::array::Array;
use super::broadcast::shape_text;

/// A bound of the number of elements of any array, as a float.
const MAX_SIZE: f64 = (1_u64 << 62) as f64;

impl Lower<'_> {
    pub(super) fn reshape(&mut self, op: Op) {
        let args = self.args(op);
        let source = self.array(args[0]).clone();
        let size = self.product(&source.dims);
        let dims = self.new_dims(size, &args[1..]);
        let array = self.reshaped(&source, &dims);
        self.define_array(self.src.result(op), &array);
    }

    /// The lengths asked for, a negative one inferred; raises ValueError where they do not fit the size.
    fn new_dims(&mut self, size: Value, wanted: &[Value]) -> Vec<Value> {
        let (message, payload) = self.mismatch_text(size, wanted);
        let one = self.int(1);
        let open: Vec<Value> =
            wanted.iter().copied().filter(|&d| self.const_int(d).is_none_or(|n| n < 0)).collect();
        let known: Vec<Value> = wanted.iter().map(|&d| self.if_negative(d, one, d)).collect();
        self.check_size(&known, &message, &payload);
        let mut dims = known;
        if !open.is_empty() {
            let others = self.product(&dims);
            self.check_unknown(&open, others, &message, &payload);
            let inferred = self.floor_div(size, others);
            dims = wanted.iter().map(|&d| self.if_negative(d, inferred, d)).collect();
        }
        let total = self.product(&dims);
        if let Some(ok) = self.unless_same(total, size) {
            self.check_value(ok, &message, &payload);
        }
        dims
    }

    fn floor_div(&mut self, a: Value, b: Value) -> Value {
        if self.const_int(b) == Some(1) { a } else { self.b.elem(ElemOp::FloorDiv, &[a, b]) }
    }

    fn if_negative(&mut self, dim: Value, then: Value, other: Value) -> Value {
        match self.const_int(dim) {
            Some(n) if n < 0 => then,
            Some(_) => other,
            None => {
                let zero = self.int(0);
                let negative = self.less(dim, zero);
                self.b.select(negative, then, other)
            }
        }
    }

    /// NumPy's message, with the shape asked for as it shows it: leading unknown lengths are left out.
    fn mismatch_text(&mut self, size: Value, wanted: &[Value]) -> (String, Vec<Value>) {
        let (mut items, mut payload) = (Vec::new(), vec![size]);
        for &dim in wanted {
            if self.const_int(dim).is_none_or(|n| n >= 0) {
                items.push(format!("{{{}}}", payload.len()));
                payload.push(dim);
            } else if !items.is_empty() {
                items.push("newaxis".to_owned());
            }
        }
        let comma = if wanted.len() == 1 { "," } else { "" };
        (format!("cannot reshape array of size {{0}} into shape ({}{comma})", items.join(",")), payload)
    }

    /// Checks that at most one length is unknown and that it can be inferred from the product of the others.
    fn check_unknown(&mut self, open: &[Value], others: Value, message: &str, payload: &[Value]) {
        let (zero, one) = (self.int(0), self.int(1));
        let flags: Vec<Value> = open.iter().map(|&d| self.if_negative(d, one, zero)).collect();
        let count = flags.into_iter().fold(zero, |sum, flag| self.add(sum, flag));
        if open.len() > 1 {
            let ok = self.b.elem(ElemOp::Le, &[count, one]);
            self.check_value(ok, "can only specify one unknown dimension", &[]);
        }
        if self.const_int(others).is_none_or(|n| n == 0) {
            let some = self.b.elem(ElemOp::Ne, &[others, zero]);
            let none = self.equals(count, 0);
            let ok = self.or(some, none);
            self.check_value(ok, message, payload);
        }
    }

    /// Checks that the product of lengths does not overflow, zeros apart. It is multiplied in floats.
    fn check_size(&mut self, dims: &[Value], message: &str, payload: &[Value]) {
        let unknown: Vec<Value> = dims.iter().copied().filter(|&d| self.const_int(d).is_none()).collect();
        let known: Vec<i64> = dims.iter().filter_map(|&d| self.const_int(d)).collect();
        #[allow(clippy::cast_precision_loss, reason = "compared with a bound far from the exact limit")]
        let product: f64 = known.iter().map(|&n| n.max(1) as f64).product();
        if unknown.is_empty() && product < MAX_SIZE {
            return;
        }
        let one = self.int(1);
        let mut size = self.b.number(product, DType::F64);
        for dim in unknown {
            let dim = self.max(dim, one);
            let dim = self.b.cast(dim, DType::F64);
            size = self.b.mul(size, dim);
        }
        let limit = self.b.number(MAX_SIZE, DType::F64);
        let ok = self.b.elem(ElemOp::Lt, &[size, limit]);
        self.check_value(ok, message, payload);
    }

    /// The elements of an array in another shape of the same size.
    fn reshaped(&mut self, source: &Array, dims: &[Value]) -> Array {
        let zero = self.int(0);
        if source.contiguous || source.rank() == 1 {
            let contiguous = source.contiguous;
            let unit = if contiguous { self.item_size(source.value) } else { self.strides(source)[0] };
            let strides = self.row_major(dims, unit);
            return self.raw_view(source.value, zero, dims.to_vec(), strides, contiguous);
        }
        let rank = u8::try_from(dims.len()).expect("ranks are small");
        let ty = Type::array(self.dtype(source.value), rank);
        let without_gaps = self.b.value(pydd_ir::OpKind::IsContiguous, vec![source.value], Type::BOOL);
        let unit = self.item_size(source.value);
        let strides = self.row_major(dims, unit);
        let value = self.if_else(
            without_gaps,
            &[ty],
            |lower| vec![lower.raw_view(source.value, zero, dims.to_vec(), strides.clone(), true).value],
            |lower| {
                let copy = lower.copy_of(source.value);
                vec![lower.raw_view(copy.value, zero, dims.to_vec(), strides.clone(), true).value]
            },
        )[0];
        Array { value, dims: dims.to_vec(), strides: Some(strides), contiguous: true }
    }

    pub(super) fn broadcast_to(&mut self, op: Op) {
        let args = self.args(op);
        let source = self.array(args[0]).clone();
        let dims = &args[1..];
        let zero = self.int(0);
        let signs: Vec<Value> =
            dims.iter().filter(|&&d| self.const_int(d).is_none_or(|n| n < 0)).copied().collect();
        let signs: Vec<Value> = signs.into_iter().map(|d| self.b.elem(ElemOp::Ge, &[d, zero])).collect();
        if let Some(ok) = self.all(&signs) {
            self.check_value(ok, "all elements of broadcast shape must be non-negative", &[]);
        }
        self.check_size(dims, "iterator is too large", &[]);
        self.check_broadcasts(&source, dims);
        let view = self.stretched(&source, dims, false);
        let view = if view.value == source.value { self.same_view(&source) } else { view };
        self.define_array(self.src.result(op), &view);
    }

    fn same_view(&mut self, source: &Array) -> Array {
        let (zero, strides) = (self.int(0), self.strides(source));
        self.raw_view(source.value, zero, source.dims.clone(), strides, source.contiguous)
    }

    fn check_broadcasts(&mut self, source: &Array, dims: &[Value]) {
        let missing = dims.len() - source.rank();
        let mut conditions = Vec::new();
        for (&length, &dim) in source.dims.iter().zip(&dims[missing..]) {
            if !self.same(length, dim) && self.const_int(length) != Some(1) {
                conditions.push(self.is_one_or_equals(length, dim));
            }
        }
        if let Some(ok) = self.all(&conditions) {
            let (from, to) = (shape_text(0, source.rank()), shape_text(source.rank(), dims.len()));
            let payload = [&source.dims[..], dims].concat();
            let message = format!(
                "operands could not be broadcast together with remapped shapes [original->remapped]: {from}  and requested shape {to}"
            );
            self.check_shapes(ok, &message, &payload);
        }
    }
}
