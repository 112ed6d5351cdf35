//! Reshaping and broadcasting to a given shape.
//!
//! ```text
//! %b = reshape %a, -1, 3     ⇒     %n = floordiv (size of %a), 3     check (eq (mul %n, 3), size), ValueError "…"
//!                                  %b = rawview %a, 0, (%n, 3), (24, 8)
//! ```
//!
//! An array of one axis, and one without gaps, is viewed. Of others the strides are looked at when they run: as
//! in NumPy they are viewed where no axes with gaps between them are joined (`a[:, :4].reshape(n, 2, 2)`), else
//! copied. Without lengths (`ravel`) only an array without gaps is viewed.

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
        let rank = self.src.ty(self.src.result(op)).rank();
        let array = if args.len() == 1 && rank == 1 {
            self.without_gaps(&source, &[size])
        } else {
            let dims = self.new_dims(size, &args[1..]);
            self.reshaped(&source, &dims)
        };
        self.define_array(self.src.result(op), &array);
    }

    /// The lengths asked for, a negative one inferred; raises ValueError where they do not fit the size.
    fn new_dims(&mut self, size: Value, wanted: &[Value]) -> Vec<Value> {
        let (message, payload) = self.mismatch_text(size, wanted);
        let one = self.int(1);
        let open: Vec<Value> =
            wanted.iter().copied().filter(|&d| self.b.func.as_int(d).is_none_or(|n| n < 0)).collect();
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
        if self.b.func.as_int(b) == Some(1) { a } else { self.b.elem(ElemOp::FloorDiv, &[a, b]) }
    }

    fn if_negative(&mut self, dim: Value, then: Value, other: Value) -> Value {
        match self.b.func.as_int(dim) {
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
            if self.b.func.as_int(dim).is_none_or(|n| n >= 0) {
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
        if self.b.func.as_int(others).is_none_or(|n| n == 0) {
            let some = self.b.elem(ElemOp::Ne, &[others, zero]);
            let none = self.equals(count, 0);
            let ok = self.or(some, none);
            self.check_value(ok, message, payload);
        }
    }

    /// Checks that the product of lengths does not overflow, zeros apart. It is multiplied in floats.
    fn check_size(&mut self, dims: &[Value], message: &str, payload: &[Value]) {
        let unknown: Vec<Value> = dims.iter().copied().filter(|&d| self.b.func.as_int(d).is_none()).collect();
        let known: Vec<i64> = dims.iter().filter_map(|&d| self.b.func.as_int(d)).collect();
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
    pub(super) fn reshaped(&mut self, source: &Array, dims: &[Value]) -> Array {
        let zero = self.int(0);
        if source.contiguous || source.rank() == 1 {
            let contiguous = source.contiguous;
            let unit = if contiguous { self.item_size(source.value) } else { self.strides(source)[0] };
            let strides = self.row_major(dims, unit);
            return self.raw_view(source.value, zero, dims.to_vec(), strides, contiguous);
        }
        let ty = Type::array(self.dtype(source.value), u8::try_from(dims.len()).expect("ranks are small"));
        let is_dense = self.b.value(pydd_ir::OpKind::IsContiguous, vec![source.value], Type::BOOL);
        let value = self.if_else(
            is_dense,
            &[ty],
            |lower| vec![lower.dense_view(source.value, dims).value],
            |lower| {
                let (possible, strides) = lower.strides_in(source, dims);
                lower.if_else(
                    possible,
                    &[ty],
                    |lower| vec![lower.raw_view(source.value, zero, dims.to_vec(), strides, false).value],
                    |lower| {
                        let copy = lower.copy_of(source.value);
                        vec![lower.dense_view(copy.value, dims).value]
                    },
                )
            },
        )[0];
        Array::new(value, dims.to_vec(), None, false)
    }

    /// A view of an array without gaps, else of a copy.
    fn without_gaps(&mut self, source: &Array, dims: &[Value]) -> Array {
        let unit = self.item_size(source.value);
        let strides = self.row_major(dims, unit);
        let value = if source.contiguous {
            self.dense_view(source.value, dims).value
        } else {
            let ty =
                Type::array(self.dtype(source.value), u8::try_from(dims.len()).expect("ranks are small"));
            let is_dense = self.b.value(pydd_ir::OpKind::IsContiguous, vec![source.value], Type::BOOL);
            self.if_else(
                is_dense,
                &[ty],
                |lower| vec![lower.dense_view(source.value, dims).value],
                |lower| {
                    let copy = lower.copy_of(source.value);
                    vec![lower.dense_view(copy.value, dims).value]
                },
            )[0]
        };
        Array::new(value, dims.to_vec(), Some(strides), true)
    }

    /// An array without gaps in these lengths.
    pub(super) fn dense_view(&mut self, source: Value, dims: &[Value]) -> Array {
        let (zero, unit) = (self.int(0), self.item_size(source));
        let strides = self.row_major(dims, unit);
        self.raw_view(source, zero, dims.to_vec(), strides, true)
    }

    /// Whether a view of an array with some elements has these lengths, and its strides: those of two neighbouring
    /// axes (those of length 1 apart) fit each other, or a new axis begins between them.
    fn strides_in(&mut self, source: &Array, dims: &[Value]) -> (Value, Vec<Value>) {
        let (zero, one) = (self.int(0), self.int(1));
        let old = self.strides(source);
        let behind = self.row_major(&source.dims, one);
        let new_behind = self.row_major(dims, one);
        let mut conditions = Vec::new();
        let mut fitting = zero;
        for axis in (0..source.rank()).rev() {
            let (length, stride) = (source.dims[axis], old[axis]);
            let single = self.equals(length, 1);
            let mut fits = self.b.elem(ElemOp::Eq, &[stride, fitting]);
            for &begin in &new_behind {
                let begins = self.b.elem(ElemOp::Eq, &[begin, behind[axis]]);
                fits = self.or(fits, begins);
            }
            conditions.push(self.or(single, fits));
            let extent = self.mul(length, stride);
            fitting = self.b.select(single, fitting, extent);
        }
        let strides = new_behind.iter().map(|&at| self.offset_at(at, source, &old, &behind)).collect();
        let possible = self.all(&conditions).unwrap_or_else(|| self.b.bool(true));
        (possible, strides)
    }

    /// Where the element at a position in row-major order is, in bytes.
    fn offset_at(&mut self, at: Value, source: &Array, strides: &[Value], behind: &[Value]) -> Value {
        let mut offset = self.int(0);
        for ((&length, &stride), &behind) in source.dims.iter().zip(strides).zip(behind) {
            let whole = self.floor_div(at, behind);
            let index = self.b.elem(ElemOp::Mod, &[whole, length]);
            let part = self.mul(index, stride);
            offset = self.add(offset, part);
        }
        offset
    }

    pub(super) fn broadcast_to(&mut self, op: Op) {
        let args = self.args(op);
        let source = self.array(args[0]).clone();
        let dims = &args[1..];
        let zero = self.int(0);
        let signs: Vec<Value> =
            dims.iter().filter(|&&d| self.b.func.as_int(d).is_none_or(|n| n < 0)).copied().collect();
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
            if !self.same(length, dim) && self.b.func.as_int(length) != Some(1) {
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
