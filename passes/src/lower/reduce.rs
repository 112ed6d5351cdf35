//! Reductions over all elements: a loop with carried accumulators.
//!
//! ```text
//! %s = reduce sum %a     ⇒     %s = for %i in 0, %n, 1 carrying %acc = 0.0 { continue (add %acc, (loadraw %a, %i)) }
//! ```
//!
//! Sums of inexact numbers start anew every [`BLOCK`] elements and for each row, which keeps rounding
//! errors small where there are many (NumPy's pairwise sum does better still; what a block adds up is
//! reassociated by the code generator, so that a block itself is a sum of short sums).
//! `min` and `max` start from the greatest and the least value.
//!
//! `argmin` and `argmax` compare blocks by their extremes, which vectors find, and look for the place in one block alone:
//!
//! ```text
//! %best, %block = for %first in 0, %n, 256 { %m = min of a block     select (lt %m, %best), … }
//! %place = first %i of that block where (eq (loadraw %a, %i), %best)
//! ```
//!
//! Few elements along one axis are compared one by one, and looked at again only where one of them is NaN.
//!
//! A transposed view is walked in the order of its memory, unless positions are asked for. The code of general versions is not
//! vectorised; there, an accumulation goes on in several values at once, since each step waits for the one before.

use pydd_ir::{
    Block, Builder, DType, ElemOp, Exc, Function, Literal, Op, OpKind, ReduceOp, ReduceSpec, Type, Value,
    Version,
};

use super::Lower;
use super::array::Array;
use super::broadcast::Shape;
use super::search::Way;

/// Elements that are summed up before a sum joins the total.
const BLOCK: i64 = 4096;

/// Elements whose extreme is compared with those before.
pub(super) const EXTREME_BLOCK: i64 = 256;

/// The same of truth values, where the first block that has the one looked for is the last.
pub(super) const FLAG_BLOCK: i64 = 64;

/// Truth values that are looked at before the answer may be known.
const ANSWER_BLOCK: i64 = 1024;

/// Flags that are counted in bytes before the count is widened.
const COUNT_BLOCK: i64 = 255;

/// How far back it is looked for what flags are made of.
pub(super) const DEPTH: usize = 3;

/// Accumulators of a loop in a general version.
const ACCUMULATORS: i64 = 4;

/// A reduction to lower.
pub(super) struct Reduction<'r> {
    pub op: ReduceOp,
    /// Of what is reduced.
    pub dtype: DType,
    pub inputs: &'r [Value],
    /// What is reduced is 0 or 1: a converted bool.
    pub flags: bool,
    /// That comes from bytes alone, and not, in the loop that this one may become part of, from wider numbers.
    pub bytes: bool,
    /// The elements are computed without exceptions, so that some need not be.
    pub total: bool,
    /// They are products of two arrays' elements.
    pub products: bool,
    /// How many terms the sums have that they are made of.
    pub terms: Option<Value>,
    /// Of a search, where the extremes go, if it gives these as well.
    pub extremes: Option<Array>,
    /// From the inputs' elements to what is reduced.
    pub body: &'r mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
}

/// What is reduced how: see [`Reduction`].
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub op: ReduceOp,
    pub dtype: DType,
    pub flags: bool,
    pub bytes: bool,
    pub total: bool,
}

impl Lower<'_> {
    pub(super) fn reduce(&mut self, op: Op, spec: &ReduceSpec) {
        if self.found.remove(&op) {
            return;
        }
        let inputs = self.args(op);
        let shape = Shape::of(self.array(inputs[0]));
        let dtype = self.dtype(inputs[0]);
        let body = &mut |_: &mut Lower<'_>, x: &[Value]| x[0];
        let beside = self.beside(op, spec);
        self.found.extend(beside);
        let (search, extreme) = match (beside, is_position(spec.op)) {
            (Some(search), false) => {
                self.check_not_empty(spec.op, &shape, &self.reduced_axes(spec, &shape));
                (search, Some(op))
            }
            (extreme, _) => (op, extreme),
        };
        let OpKind::Reduce(spec) = &self.src.ops[search].kind else { unreachable!("both are reductions") };
        let op = search;
        self.reduction(
            op,
            extreme,
            spec,
            &shape,
            Reduction {
                op: spec.op,
                dtype,
                inputs: &inputs,
                flags: false,
                bytes: false,
                total: true,
                products: false,
                terms: self.terms_of(op, spec),
                extremes: None,
                body,
            },
        );
    }

    pub(super) fn map_reduce(&mut self, op: Op, spec: &ReduceSpec) {
        let src = self.src;
        let inputs = self.args(op);
        let shape = self.broadcast_shape(&inputs);
        let region = src.ops[op].regions[0];
        let yielded = src.terminator(region).filter(|&end| src.ops[end].kind == OpKind::Yield);
        let value = yielded.map_or_else(|| src.result(op), |end| src.ops[end].args[0]);
        let dtype = src.ty(value).dtype().expect("elements are scalars");
        let flags = src.def_op(value).is_some_and(|op| {
            let data = &src.ops[op];
            data.kind == OpKind::Cast && src.ty(data.args[0]).dtype() == Some(DType::Bool)
        });
        let body = &mut |lower: &mut Lower<'_>, x: &[Value]| {
            let yielded = lower.inline_region(region, x);
            yielded.first().copied().unwrap_or_else(|| lower.b.number(0.0, dtype))
        };
        let total = never_raises(src, region);
        let products = is_product(src, region);
        let bytes = src.ops[op].args.iter().all(|&input| is_of_bytes(src, input, DEPTH));
        let terms = self.terms_of(op, spec);
        let (extremes, inputs) = (None, &inputs[..]);
        let reduction =
            Reduction { op: spec.op, dtype, inputs, flags, bytes, total, products, terms, extremes, body };
        self.reduction(op, None, spec, &shape, reduction);
    }

    /// Lowers a reduction; of a search also the extreme that it gives.
    fn reduction(
        &mut self,
        op: Op,
        extreme: Option<Op>,
        spec: &ReduceSpec,
        shape: &Shape,
        reduction: Reduction<'_>,
    ) {
        let results: Vec<Value> =
            [Some(op), extreme].into_iter().flatten().map(|op| self.src.result(op)).collect();
        let reduced = self.reduced_axes(spec, shape);
        let in_row = self.in_rows && is_position(spec.op) && reduction.terms.is_some();
        if !in_row || shape.dims.len() > 1 {
            self.check_not_empty(spec.op, shape, &reduced);
        }
        if !reduced.iter().all(|&r| r) {
            let delayed = self.delayed.take_if(|delayed| delayed.search == op);
            return self.reduce_some_axes(&results, spec, shape, &reduced, reduction, delayed);
        }
        let scalars = self.reduce_all(shape, reduction, results.len());
        for (result, scalar) in results.into_iter().zip(scalars) {
            self.define_reduced(result, scalar);
        }
    }

    /// `scalar` stands for a result, which may be an array of one element.
    fn define_reduced(&mut self, result: Value, scalar: Value) {
        if !self.src.ty(result).is_array() {
            return self.define(result, scalar);
        }
        let (one, zero) = (self.int(1), self.int(0));
        let rank = usize::from(self.src.ty(result).rank());
        let array = self.empty(self.dtype(scalar), &vec![one; rank]);
        self.store_raw(array.value, scalar, &vec![zero; rank]);
        self.define_array(result, &array);
    }

    /// Which axes of a shape a reduction goes over.
    fn reduced_axes(&self, spec: &ReduceSpec, shape: &Shape) -> Vec<bool> {
        (0..shape.dims.len())
            .map(|axis| spec.axes.as_ref().is_none_or(|axes| axes.iter().any(|&a| usize::from(a) == axis)))
            .collect()
    }

    fn check_not_empty(&mut self, op: ReduceOp, shape: &Shape, reduced: &[bool]) {
        if op.has_identity() {
            return;
        }
        let axes: Vec<Value> = shape.dims.iter().zip(reduced).filter(|(_, r)| **r).map(|(&d, _)| d).collect();
        let mut conditions = Vec::new();
        for dim in axes {
            if self.b.func.as_int(dim).is_none_or(|n| n == 0) {
                let zero = self.int(0);
                conditions.push(self.b.elem(ElemOp::Ne, &[dim, zero]));
            }
        }
        if let Some(ok) = self.all(&conditions) {
            self.b.check(ok, Exc::ValueError, empty_message(op), &[]);
        }
    }

    /// So many results: of a search its place, and the extreme.
    fn reduce_all(&mut self, shape: &Shape, reduction: Reduction<'_>, results: usize) -> Vec<Value> {
        let Reduction { op, dtype, inputs, flags, bytes, total, terms, body, .. } = reduction;
        let types = [op.result_dtype(dtype), dtype].map(Type::Scalar);
        let order = if is_position(op) { Vec::new() } else { self.order_of(inputs, shape.dims.len()) };
        self.by_shape(shape, &types[..results], |lower, equal| {
            let (mut dims, mut inputs, _) = lower.iteration(&shape.dims, inputs, &[], equal, &order);
            if let Some(first_is_inner) = lower.nearer_first_axis(&inputs, is_position(op)) {
                (dims, inputs) = lower.swapped_if(first_is_inner, &dims, &inputs);
            }
            let kind = Kind { op, dtype, flags, bytes, total };
            let mut element = |lower: &mut Lower<'_>, indices: &[Value]| {
                let elements = lower.elements(&inputs, indices);
                body(lower, &elements)
            };
            let way = terms.filter(|_| lower.in_rows).map(|_| Way::Sums);
            let mut found = lower.accumulate(way, kind, &dims, &mut element);
            found.truncate(results);
            found
        })
    }

    /// Matrices and their lengths, with both axes exchanged if a condition holds.
    fn swapped_if(&mut self, condition: Value, dims: &[Value], inputs: &[Value]) -> (Vec<Value>, Vec<Value>) {
        let zero = self.int(0);
        let chosen = |lower: &mut Self, pair: &[Value]| {
            let first = lower.b.select(condition, pair[1], pair[0]);
            vec![first, lower.b.select(condition, pair[0], pair[1])]
        };
        let dims = chosen(self, dims);
        let mut seen = inputs.to_vec();
        for array in self.arrays_among(inputs) {
            let strides = self.strides(&array);
            let strides = chosen(self, &strides);
            let view = self.raw_view(array.value, zero, dims.clone(), strides, false).value;
            seen.iter_mut().filter(|v| **v == array.value).for_each(|v| *v = view);
        }
        (dims, seen)
    }

    /// Reduces what `element` gives for each index of a nest of loops; a search gives the extreme as well.
    pub(super) fn accumulate(
        &mut self,
        way: Option<Way>,
        kind: Kind,
        dims: &[Value],
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> Vec<Value> {
        if is_position(kind.op) {
            return self.find(way, kind, dims, element).to_vec();
        }
        vec![self.accumulate_numbers(kind, dims, element)]
    }

    pub(super) fn accumulate_numbers(
        &mut self,
        kind: Kind,
        dims: &[Value],
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> Value {
        let Kind { op, dtype, flags, bytes, total } = kind;
        let init = self.identity(op, dtype);
        let Some((&inner, outer)) = dims.split_last() else {
            // Sums start from 0, which makes a negative zero positive.
            let x = element(self, &[]);
            return self.combine(op, init, x);
        };
        if op == ReduceOp::Sum && !dtype.is_int() {
            return self.sum_in_blocks(init, inner, outer, element);
        }
        if op == ReduceOp::Sum && flags && bytes && self.src.version != Version::General && !self.src.device {
            return self.count_in_blocks(init, inner, outer, element);
        }
        let answers = matches!(op, ReduceOp::Any | ReduceOp::All)
            || matches!(op, ReduceOp::Min | ReduceOp::Max) && dtype == DType::Bool;
        if answers && total && !self.src.device {
            return self.answer_in_blocks(op, init, inner, outer, element);
        }
        let zero = self.int(0);
        self.nest(outer, &[init], &mut |lower, outer, total| {
            vec![lower.accumulate_run(op, init, total[0], [zero, inner], &mut |lower, i| {
                element(lower, &[outer, &[i]].concat())
            })]
        })[0]
    }

    /// Accumulates elements of a range, from `start` on; `identity` changes nothing.
    pub(super) fn accumulate_run(
        &mut self,
        op: ReduceOp,
        identity: Value,
        start: Value,
        [first, last]: [Value; 2],
        element: &mut dyn FnMut(&mut Lower<'_>, Value) -> Value,
    ) -> Value {
        let mut total = start;
        let mut first = first;
        if self.src.version == Version::General {
            let several = self.int(ACCUMULATORS);
            let length = self.sub(last, first);
            let groups = self.b.elem(ElemOp::FloorDiv, &[length, several]);
            let covered = self.mul(groups, several);
            let end = self.add(first, covered);
            let mut init = vec![start];
            init.resize(usize::try_from(ACCUMULATORS).expect("few"), identity);
            let parts = self.for_step([first, end, several], &init, |lower, i, parts| {
                let mut next = Vec::new();
                for (k, &part) in (0..).zip(parts) {
                    let k = lower.int(k);
                    let i = lower.add(i, k);
                    let x = element(lower, i);
                    next.push(lower.combine(op, part, x));
                }
                next
            });
            total = parts[1..].iter().fold(parts[0], |total, &part| self.combine(op, total, part));
            first = end;
        }
        self.for_range(first, last, &[total], |lower, i, acc| {
            let x = element(lower, i);
            vec![lower.combine(op, acc[0], x)]
        })[0]
    }

    /// A reduction of truth values, which ends with the first block that shows the answer.
    fn answer_in_blocks(
        &mut self,
        op: ReduceOp,
        unknown: Value,
        inner: Value,
        outer: &[Value],
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> Value {
        let (zero, block) = (self.int(0), self.int(ANSWER_BLOCK));
        self.nest(outer, &[unknown], &mut |lower, outer, answer| {
            lower.for_step([zero, inner, block], answer, |lower, first, answer| {
                let last = lower.block_end(first, inner, block);
                let next = lower.accumulate_run(op, unknown, answer[0], [first, last], &mut |lower, i| {
                    element(lower, &[outer, &[i]].concat())
                });
                let known = lower.b.elem(ElemOp::Ne, &[next, unknown]);
                lower.leave_if(known, &[next]);
                vec![next]
            })
        })[0]
    }

    fn sum_in_blocks(
        &mut self,
        zero: Value,
        inner: Value,
        outer: &[Value],
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> Value {
        self.add_blocks(zero, inner, BLOCK, outer, &mut |lower, outer, range| {
            lower.accumulate_run(ReduceOp::Sum, zero, zero, range, &mut |lower, i| {
                element(lower, &[outer, &[i]].concat())
            })
        })
    }

    /// As [`Self::sum_in_blocks`], of zeros and ones that bytes hold the sums of: a vector has many.
    fn count_in_blocks(
        &mut self,
        zero: Value,
        inner: Value,
        outer: &[Value],
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> Value {
        let (dtype, none) = (self.dtype(zero), self.b.number(0.0, DType::U8));
        self.add_blocks(zero, inner, COUNT_BLOCK, outer, &mut |lower, outer, [first, last]| {
            let count = lower.for_range(first, last, &[none], |lower, i, acc| {
                let x = element(lower, &[outer, &[i]].concat());
                let x = lower.b.cast(x, DType::U8);
                vec![lower.b.add(acc[0], x)]
            })[0];
            lower.b.cast(count, dtype)
        })
    }

    /// The sum of what `part` gives for each range of so many indices of the innermost axis, from the indices of the outer ones.
    fn add_blocks(
        &mut self,
        zero: Value,
        inner: Value,
        block: i64,
        outer: &[Value],
        part: &mut dyn FnMut(&mut Lower<'_>, &[Value], [Value; 2]) -> Value,
    ) -> Value {
        let (start, block) = (self.int(0), self.int(block));
        self.nest(outer, &[zero], &mut |lower, outer, total| {
            lower.for_step([start, inner, block], total, |lower, first, total| {
                let last = lower.block_end(first, inner, block);
                let sum = part(lower, outer, [first, last]);
                vec![lower.b.add(total[0], sum)]
            })
        })[0]
    }

    /// `min(first + block, dim)` of `first < dim`.
    pub(super) fn block_end(&mut self, first: Value, dim: Value, block: Value) -> Value {
        let left = self.sub(dim, first);
        let size = self.min(left, block);
        self.add(first, size)
    }

    /// The order of memory of the first array among inputs that has all axes.
    pub(super) fn order_of(&self, inputs: &[Value], rank: usize) -> Vec<usize> {
        let arrays = self.arrays_among(inputs);
        arrays.iter().find(|a| a.rank() == rank).map(|a| a.order.clone()).unwrap_or_default()
    }

    /// The next value of an accumulation; of `argmin` and `argmax` that of the extreme.
    pub(super) fn combine(&mut self, op: ReduceOp, acc: Value, x: Value) -> Value {
        let (step, x) = match op {
            ReduceOp::ArgMin => (ReduceOp::Min.step(), x),
            ReduceOp::ArgMax => (ReduceOp::Max.step(), x),
            ReduceOp::Any | ReduceOp::All => (op.step(), self.b.cast(x, DType::Bool)),
            _ => (op.step(), x),
        };
        self.b.elem(step.expect("all but positions have one"), &[acc, x])
    }

    /// What a reduction starts from.
    pub(super) fn identity(&mut self, op: ReduceOp, dtype: DType) -> Value {
        identity(&mut self.b, op, dtype)
    }
}

/// NumPy's complaint about nothing to reduce, of operations without an identity.
pub const fn empty_message(op: ReduceOp) -> &'static str {
    match op {
        ReduceOp::Min => "zero-size array to reduction operation minimum which has no identity",
        ReduceOp::Max => "zero-size array to reduction operation maximum which has no identity",
        ReduceOp::ArgMin => "attempt to get argmin of an empty sequence",
        _ => "attempt to get argmax of an empty sequence",
    }
}

/// What combining with changes nothing: of `min` and `max` the greatest and the least value.
pub fn identity(b: &mut Builder<'_>, op: ReduceOp, dtype: DType) -> Value {
    let (literal, dtype) = match op {
        ReduceOp::Sum => return b.number(0.0, dtype),
        ReduceOp::And => (all_bits(dtype), dtype),
        ReduceOp::Min | ReduceOp::ArgMin => (extreme(dtype, true), dtype),
        ReduceOp::Max | ReduceOp::ArgMax => (extreme(dtype, false), dtype),
        _ => {
            let dtype = op.result_dtype(dtype);
            (op.identity(dtype).expect("it is above where there is none"), dtype)
        }
    };
    b.value(OpKind::Const(literal), vec![], Type::Scalar(dtype))
}

/// Whether an array has elements of one byte that are made of such, as far as so many operations tell. The others may become numbers in
/// a loop over wider ones, which has few at a time.
fn is_of_bytes(func: &Function, array: Value, depth: usize) -> bool {
    let narrow = |value: Value| func.ty(value).dtype().is_some_and(|dtype| dtype.size() == 1);
    let Some(op) = func.def_op(array).filter(|_| func.ty(array).is_array() && narrow(array)) else {
        return !func.ty(array).is_array() || narrow(array);
    };
    let data = &func.ops[op];
    let elementwise = matches!(data.kind, OpKind::Elem(_) | OpKind::Cast | OpKind::Map(_));
    !elementwise || depth == 0 || data.args.iter().all(|&arg| is_of_bytes(func, arg, depth - 1))
}

/// Whether a region of arithmetic computes something for all numbers.
fn never_raises(func: &Function, region: Block) -> bool {
    func.blocks[region].ops.iter().all(|&op| {
        let data = &func.ops[op];
        match data.kind {
            OpKind::Elem(elem) => !func.ty(data.args[0]).dtype().is_some_and(|dtype| elem.may_raise(dtype)),
            OpKind::Const(_) | OpKind::Cast | OpKind::Yield => true,
            _ => false,
        }
    })
}

/// Whether a region multiplies its two parameters, and does nothing else.
fn is_product(func: &Function, region: Block) -> bool {
    let block = &func.blocks[region];
    let (&[x, y], &[times, end]) = (&block.params[..], &block.ops[..]) else { return false };
    let (product, end) = (&func.ops[times], &func.ops[end]);
    let of_both = product.args == [x, y] || product.args == [y, x];
    product.kind == OpKind::Elem(ElemOp::Mul)
        && of_both
        && end.kind == OpKind::Yield
        && end.args == product.results
}

/// Whether a reduction gives a position, which depends on the order of axes.
pub(super) const fn is_position(op: ReduceOp) -> bool {
    matches!(op, ReduceOp::ArgMin | ReduceOp::ArgMax)
}

/// The integer or bool whose bits are all set.
fn all_bits(dtype: DType) -> Literal {
    match dtype {
        d if d.is_signed_int() => Literal::Int(-1),
        d => extreme(d, true),
    }
}

/// The greatest (or the least) value of a type.
fn extreme(dtype: DType, greatest: bool) -> Literal {
    let infinity = if greatest { f64::INFINITY } else { f64::NEG_INFINITY };
    let bits = dtype.size() * 8;
    match dtype {
        DType::Bool => Literal::Bool(greatest),
        d if d.is_float() => Literal::float(infinity),
        d if d.is_signed_int() => {
            let max = i64::MAX >> (64 - bits);
            Literal::Int(if greatest { max } else { !max })
        }
        _ if greatest => Literal::Int((u64::MAX >> (64 - bits)).cast_signed()),
        _ => Literal::Int(0),
    }
}
