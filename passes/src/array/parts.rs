//! Arrays of their own for the parts of a computation, and their combination in a balanced tree.
//!
//! How many parts there are follows from the work and the size of their arrays, never from the number of threads.

use pydd_ir::{Builder, DType, ElemOp, IndexItem, OpKind, ReduceOp, Type, Value};

/// Fewer parts do not pay.
const LEAST_PARTS: i64 = 4;
/// Scalar operations worth a part.
const PART_COST: i64 = 1 << 17;
/// Scalar operations worth an element of a part's own arrays.
const ELEMENT_COST: i64 = 8;
/// Elements of all parts' own arrays at most.
pub const MOST_ELEMENTS: i64 = 1 << 23;
/// Costs of an iteration beyond this are all the same, and so are greater numbers of iterations than the square of it.
const MOST_COST: i64 = 1 << 20;

#[must_use]
pub fn clamped(b: &mut Builder<'_>, value: Value, most: i64) -> Value {
    let most = b.int(most);
    b.elem(ElemOp::Min, &[value, most])
}

/// The lengths of an array.
#[must_use]
pub fn dims(b: &mut Builder<'_>, array: Value) -> Vec<Value> {
    (0..b.func.ty(array).rank()).map(|axis| b.dim(array, axis)).collect()
}

/// The number of elements of such lengths.
#[must_use]
pub fn elements(b: &mut Builder<'_>, dims: &[Value]) -> Value {
    let one = b.int(1);
    dims.iter().fold(one, |all, &dim| b.mul(all, dim))
}

/// What is to be done in parts.
#[derive(Clone, Copy)]
pub struct Work {
    count: Value,
    /// Of all iterations.
    cost: Value,
    /// Of a part's own arrays.
    size: Value,
}

impl Work {
    /// `count` iterations of a cost each, where the arrays of a part have `size` elements, at least one.
    #[must_use]
    pub fn new(b: &mut Builder<'_>, count: Value, each: Value, size: Value) -> Self {
        let each = clamped(b, each, MOST_COST);
        let count = clamped(b, count, 1 << 31);
        let size = clamped(b, size, MOST_ELEMENTS);
        Self { count, cost: b.mul(count, each), size }
    }

    /// Whether there are so many parts that they pay, asked without a division.
    #[must_use]
    pub fn pays(self, b: &mut Builder<'_>) -> Value {
        let copies = b.int(LEAST_PARTS * ELEMENT_COST);
        let copies = b.mul(self.size, copies);
        let (cost, most) = (b.int(LEAST_PARTS * PART_COST), b.int(MOST_ELEMENTS / LEAST_PARTS));
        let least = b.int(LEAST_PARTS);
        let all = [(self.cost, copies), (self.cost, cost), (most, self.size), (self.count, least)];
        let all = all.map(|(a, least)| b.elem(ElemOp::Ge, &[a, least]));
        all.into_iter().reduce(|a, c| b.elem(ElemOp::And, &[a, c])).expect("four conditions")
    }

    /// How many parts there are, where they pay.
    #[must_use]
    pub fn parts(self, b: &mut Builder<'_>) -> Value {
        let worth = b.int(ELEMENT_COST);
        let copies = b.mul(self.size, worth);
        let (cost, most) = (b.int(PART_COST), b.int(MOST_ELEMENTS));
        let limits = [
            b.elem(ElemOp::FloorDiv, &[self.cost, copies]),
            b.elem(ElemOp::FloorDiv, &[self.cost, cost]),
            b.elem(ElemOp::FloorDiv, &[most, self.size]),
            self.count,
        ];
        limits.into_iter().reduce(|a, c| b.elem(ElemOp::Min, &[a, c])).expect("four limits")
    }
}

/// The arrays of all parts, one after the other.
#[must_use]
pub fn own_array(b: &mut Builder<'_>, dtype: DType, dims: &[Value], parts: Value) -> Value {
    let rank = u8::try_from(dims.len() + 1).expect("few axes");
    b.value(OpKind::Empty, [&[parts], dims].concat(), Type::array(dtype, rank))
}

/// The array of one part.
#[must_use]
pub fn part(b: &mut Builder<'_>, own: Value, index: Value) -> Value {
    let ty = b.func.ty(own);
    let dtype = ty.dtype().expect("arrays have elements");
    b.value(OpKind::View(vec![IndexItem::At]), vec![own, index], Type::array(dtype, ty.rank() - 1))
}

/// Combines the arrays of neighbouring parts, then those of pairs, and so on; gives the first part's, which holds them all.
#[must_use]
pub fn combined(b: &mut Builder<'_>, own: Value, parts: Value, reduce: ReduceOp) -> Value {
    let (one, two) = (b.int(1), b.int(2));
    let outer = b.region(&[Type::I64], |b, carried| {
        let distance = carried[0];
        let zero = b.int(0);
        let more = b.elem(ElemOp::Lt, &[distance, parts]);
        let go_on = b.region(&[], |b, _| {
            b.effect(OpKind::Yield, vec![]);
        });
        let leave = b.region(&[], |b, _| {
            b.effect(OpKind::Break(0), vec![]);
        });
        b.op(OpKind::If, vec![more], &[], vec![go_on, leave]);
        let stop = b.sub(parts, distance);
        let step = b.mul(distance, two);
        b.for_loop([zero, stop, step], &[], |b, index, _| {
            let other = b.add(index, distance);
            let (left, right) = (part(b, own, index), part(b, own, other));
            combine_into(b, left, right, reduce);
            Vec::new()
        });
        b.effect(OpKind::Continue(0), vec![step]);
    });
    b.op(OpKind::Loop, vec![one], &[], vec![outer]);
    let zero = b.int(0);
    part(b, own, zero)
}

/// `array = array op part`, elementwise.
pub fn combine_into(b: &mut Builder<'_>, array: Value, part: Value, reduce: ReduceOp) {
    let operands = match reduce {
        // Of two zeros the one before, as in a loop that keeps the first.
        ReduceOp::Min | ReduceOp::Max => [part, array],
        _ => [array, part],
    };
    let combined = b.elem(reduce.step().expect("arrays are reduced by an operation"), &operands);
    b.effect(OpKind::Assign, vec![array, combined]);
}
