//! Shapes that several arrays broadcast to, and arrays stretched to such a shape.
//!
//! Lengths that are known to be equal need nothing at run time. For the others there is one check before
//! the loops; a stretched axis has stride 0, so that the loops themselves are the same.

use pydd_ir::{Exc, Value};

use super::Lower;
use super::array::Array;

/// More lengths than this are not shown in a message.
const MAX_PAYLOAD: usize = 8;

/// The shape of an elementwise operation.
pub(super) struct Shape {
    pub dims: Vec<Value>,
    /// Lengths of one axis that may differ: equal, or one of them is 1.
    pub open: Vec<(Value, Value)>,
}

impl Shape {
    pub fn of(array: &Array) -> Self {
        Self { dims: array.dims.clone(), open: Vec::new() }
    }
}

impl Lower<'_> {
    /// The arrays among inputs, each once.
    pub(super) fn arrays_among(&self, inputs: &[Value]) -> Vec<Array> {
        let mut arrays: Vec<Array> = Vec::new();
        for &input in inputs.iter().filter(|&&v| self.b.func.ty(v).is_array()) {
            if arrays.iter().all(|a| a.value != input) {
                arrays.push(self.array(input).clone());
            }
        }
        arrays
    }

    /// The shape that the inputs broadcast to; raises ValueError where they do not.
    pub(super) fn broadcast_shape(&mut self, inputs: &[Value]) -> Shape {
        let arrays = self.arrays_among(inputs);
        let shapes: Vec<&[Value]> = arrays.iter().map(|a| &a.dims[..]).collect();
        let (shape, ok) = self.broadcast_dims(&shapes);
        if let Some(ok) = ok {
            // NumPy's message names an operand as often as it is given.
            let given = inputs.iter().filter(|&&v| self.b.func.ty(v).is_array());
            let given: Vec<Array> = given.map(|&v| self.array(v).clone()).collect();
            self.check_mismatch(ok, &given);
        }
        shape
    }

    pub(super) fn check_mismatch(&mut self, ok: Value, arrays: &[Array]) {
        let ranks: Vec<usize> = arrays.iter().map(Array::rank).collect();
        let payload: Vec<Value> = arrays.iter().flat_map(|a| a.dims.clone()).collect();
        self.check_shapes(ok, &broadcast_message(&ranks), &payload);
    }

    /// A check whose message shows lengths, or tells nothing of them where they are too many.
    pub(super) fn check_shapes(&mut self, ok: Value, message: &str, payload: &[Value]) {
        let (message, payload) = shown(message, payload);
        self.b.check(ok, Exc::ValueError, message, payload);
    }

    /// The shape that these broadcast to, and the condition under which they do.
    pub(super) fn broadcast_dims(&mut self, shapes: &[&[Value]]) -> (Shape, Option<Value>) {
        let rank = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
        let mut shape = Shape { dims: Vec::new(), open: Vec::new() };
        let mut conditions = Vec::new();
        for axis in 0..rank {
            let lengths = self.lengths_of_axis(shapes, rank, axis);
            let dim = self.broadcast_axis(&lengths, &mut conditions);
            shape.dims.push(dim);
            shape.open.extend(lengths.iter().skip(1).map(|&other| (lengths[0], other)));
        }
        (shape, self.all(&conditions))
    }

    /// The different lengths that an axis, counted in the result, has in these shapes. Ones that are
    /// certainly 1 are left out where there is another.
    fn lengths_of_axis(&self, shapes: &[&[Value]], rank: usize, axis: usize) -> Vec<Value> {
        let mut lengths: Vec<Value> = Vec::new();
        for dims in shapes.iter().filter(|s| axis + s.len() >= rank) {
            let length = dims[axis + dims.len() - rank];
            if !lengths.iter().any(|&l| self.same(l, length)) {
                lengths.push(length);
            }
        }
        if lengths.len() > 1 {
            lengths.retain(|&l| self.b.func.as_int(l) != Some(1));
        }
        lengths
    }

    /// The length that these broadcast to; adds the conditions under which they do.
    fn broadcast_axis(&mut self, lengths: &[Value], conditions: &mut Vec<Value>) -> Value {
        let mut dim = lengths[0];
        for &length in &lengths[1..] {
            let equal = self.b.elem(pydd_ir::ElemOp::Eq, &[dim, length]);
            let (dim_is_one, length_is_one) = (self.equals(dim, 1), self.equals(length, 1));
            let stretched = self.or(dim_is_one, length_is_one);
            conditions.push(self.or(equal, stretched));
            dim = self.b.select(dim_is_one, length, dim);
        }
        dim
    }

    /// The shape of writing inputs of no greater rank into `target`; `check` is given the condition under
    /// which they broadcast to it, where that is open.
    pub(super) fn shape_into(
        &mut self,
        target: &Array,
        inputs: &[Value],
        check: impl FnOnce(&mut Self, Value, &[Array]),
    ) -> Shape {
        let arrays = self.arrays_among(inputs);
        let mut shape = Shape::of(target);
        let mut conditions = Vec::new();
        for array in &arrays {
            let missing = target.rank() - array.rank();
            for (&length, &dim) in array.dims.iter().zip(&target.dims[missing..]) {
                if !self.same(length, dim) && self.b.func.as_int(length) != Some(1) {
                    conditions.push(self.is_one_or_equals(length, dim));
                    shape.open.push((length, dim));
                }
            }
        }
        if let Some(ok) = self.all(&conditions) {
            check(self, ok, &arrays);
        }
        shape
    }

    pub(super) fn is_one_or_equals(&mut self, length: Value, dim: Value) -> Value {
        let equal = self.b.elem(pydd_ir::ElemOp::Eq, &[length, dim]);
        let one = self.equals(length, 1);
        self.or(equal, one)
    }

    /// An array of length 1 or equal length on each axis, seen with these lengths. With `equal`, lengths
    /// that are not known to be 1 are known to be equal.
    pub(super) fn stretched(&mut self, array: &Array, dims: &[Value], equal: bool) -> Array {
        let missing = dims.len() - array.rank();
        let one = |lower: &Self, d: Value| lower.b.func.as_int(d) == Some(1);
        let whole = (0..array.rank())
            .all(|k| self.same(array.dims[k], dims[k + missing]) || (equal && !one(self, array.dims[k])));
        if missing == 0 && whole {
            return array.clone();
        }
        let (source, zero) = (self.strides(array), self.int(0));
        let mut strides = vec![zero; missing];
        for (k, &stride) in source.iter().enumerate() {
            let length = array.dims[k];
            strides.push(if self.same(length, dims[k + missing]) {
                stride
            } else if one(self, length) {
                zero
            } else if equal {
                stride
            } else {
                let is_one = self.equals(length, 1);
                self.b.select(is_one, zero, stride)
            });
        }
        let known = (0..array.rank())
            .all(|k| equal || one(self, array.dims[k]) || self.same(array.dims[k], dims[k + missing]));
        let mut view = self.raw_view(array.value, zero, dims.to_vec(), strides, false);
        if known {
            let moved = |k: usize| {
                let stays = self.same(array.dims[k], dims[k + missing]) || !one(self, array.dims[k]);
                stays.then_some(k + missing)
            };
            let kept: Vec<Option<usize>> = (0..array.rank()).map(moved).collect();
            let within = self.within(array).moved(|k| kept[k]);
            view = self.is_within(view, within);
        }
        if array.order.is_empty() {
            return view;
        }
        let order = (0..missing).chain(array.order.iter().map(|axis| axis + missing)).collect();
        view.ordered(order, false)
    }
}

/// A message with its lengths, or without them where they are too many to be shown.
#[must_use]
pub fn shown<'m>(message: &'m str, payload: &'m [Value]) -> (&'m str, &'m [Value]) {
    if payload.len() <= MAX_PAYLOAD {
        return (message, payload);
    }
    let general = message.split(['(', '{']).next().unwrap_or(message).trim_end();
    (general.strip_suffix(" with shapes").unwrap_or(general), &[])
}

/// NumPy's complaint about operands of these ranks; the payload are their lengths.
#[must_use]
pub fn broadcast_message(ranks: &[usize]) -> String {
    let mut first = 0;
    let mut shapes = String::new();
    for &rank in ranks {
        shapes += &shape_text(first, rank);
        shapes += " ";
        first += rank;
    }
    format!("operands could not be broadcast together with shapes {shapes}")
}

/// NumPy's complaint about an assignment between arrays of these ranks; the payload are the lengths of the
/// source, then of the target.
#[must_use]
pub fn assign_message(from: usize, to: usize) -> String {
    let (source, target) = (shape_text(0, from), shape_text(from, to));
    format!("could not broadcast input array from shape {source} into shape {target}")
}

/// `({0},{1})` of `rank` lengths from payload item `first` on.
pub(super) fn shape_text(first: usize, rank: usize) -> String {
    let items: Vec<String> = (first..first + rank).map(|k| format!("{{{k}}}")).collect();
    if rank == 1 { format!("({},)", items[0]) } else { format!("({})", items.join(",")) }
}
