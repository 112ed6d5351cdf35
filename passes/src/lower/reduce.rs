//! Reductions over all elements: a loop with carried accumulators.
//!
//! ```text
//! %s = reduce sum %a     ⇒     %s = for %i in 0, %n, 1 carrying %acc = 0.0 { continue (add %acc, (loadraw %a, %i)) }
//! ```
//!
//! Sums of inexact numbers start anew every [`BLOCK`] elements and for each row, which keeps rounding
//! errors small where there are many (NumPy's pairwise sum does better still; what a block adds up is
//! reassociated by the code generator, so that a block itself is a sum of short sums).
//! `min` and `max` start from the greatest and the least value, `argmin` and `argmax` from that at index 0.

use pydd_ir::{DType, ElemOp, Exc, Literal, Op, OpKind, ReduceOp, ReduceSpec, Type, Value};

use super::Lower;
use super::broadcast::Shape;

/// Elements that are summed up before a sum joins the total.
const BLOCK: i64 = 4096;

/// A reduction to lower.
pub(super) struct Reduction<'r> {
    pub op: ReduceOp,
    /// Of what is reduced.
    pub dtype: DType,
    pub inputs: &'r [Value],
    /// From the inputs' elements to what is reduced.
    pub body: &'r mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
}

impl Lower<'_> {
    pub(super) fn reduce(&mut self, op: Op, spec: &ReduceSpec) {
        let inputs = self.args(op);
        let shape = Shape::of(self.array(inputs[0]));
        let dtype = self.dtype(inputs[0]);
        let body = &mut |_: &mut Lower<'_>, x: &[Value]| x[0];
        self.reduction(op, spec, &shape, Reduction { op: spec.op, dtype, inputs: &inputs, body });
    }

    pub(super) fn map_reduce(&mut self, op: Op, spec: &ReduceSpec) {
        let src = self.src;
        let inputs = self.args(op);
        let shape = self.broadcast_shape(&inputs);
        let region = src.ops[op].regions[0];
        let yielded = src.terminator(region).filter(|&end| src.ops[end].kind == OpKind::Yield);
        let value = yielded.map_or_else(|| src.result(op), |end| src.ops[end].args[0]);
        let dtype = src.ty(value).dtype().expect("elements are scalars");
        let body = &mut |lower: &mut Lower<'_>, x: &[Value]| {
            let yielded = lower.inline_region(region, x);
            yielded.first().copied().unwrap_or_else(|| lower.b.number(0.0, dtype))
        };
        self.reduction(op, spec, &shape, Reduction { op: spec.op, dtype, inputs: &inputs, body });
    }

    fn reduction(&mut self, op: Op, spec: &ReduceSpec, shape: &Shape, reduction: Reduction<'_>) {
        let result = self.src.result(op);
        let reduced: Vec<bool> = (0..shape.dims.len())
            .map(|axis| spec.axes.as_ref().is_none_or(|axes| axes.iter().any(|&a| usize::from(a) == axis)))
            .collect();
        self.check_not_empty(spec.op, shape, &reduced);
        if !reduced.iter().all(|&r| r) {
            return self.reduce_some_axes(result, spec, shape, &reduced, reduction);
        }
        let scalar = self.reduce_all(shape, reduction);
        if !self.src.ty(result).is_array() {
            return self.define(result, scalar);
        }
        let (one, zero) = (self.int(1), self.int(0));
        let rank = usize::from(self.src.ty(result).rank());
        let array = self.empty(self.dtype(scalar), &vec![one; rank]);
        self.store_raw(array.value, scalar, &vec![zero; rank]);
        self.define_array(result, &array);
    }

    fn check_not_empty(&mut self, op: ReduceOp, shape: &Shape, reduced: &[bool]) {
        if op.has_identity() {
            return;
        }
        let axes: Vec<Value> = shape.dims.iter().zip(reduced).filter(|(_, r)| **r).map(|(&d, _)| d).collect();
        let mut conditions = Vec::new();
        for dim in axes {
            if self.const_int(dim).is_none_or(|n| n == 0) {
                let zero = self.int(0);
                conditions.push(self.b.elem(ElemOp::Ne, &[dim, zero]));
            }
        }
        if let Some(ok) = self.all(&conditions) {
            let message = match op {
                ReduceOp::Min => "zero-size array to reduction operation minimum which has no identity",
                ReduceOp::Max => "zero-size array to reduction operation maximum which has no identity",
                ReduceOp::ArgMin => "attempt to get argmin of an empty sequence",
                _ => "attempt to get argmax of an empty sequence",
            };
            self.b.check(ok, Exc::ValueError, message, &[]);
        }
    }

    fn reduce_all(&mut self, shape: &Shape, reduction: Reduction<'_>) -> Value {
        let Reduction { op, dtype, inputs, body } = reduction;
        let result = Type::Scalar(op.result_dtype(dtype));
        self.by_shape(shape, &[result], |lower, equal| {
            let (dims, inputs, _) = lower.iteration(&shape.dims, inputs, &[], equal);
            let total = lower.accumulate(op, dtype, &dims, &mut |lower, indices| {
                let elements = lower.elements(&inputs, indices);
                body(lower, &elements)
            });
            vec![total]
        })[0]
    }

    /// Reduces what `element` gives for each index of a nest of loops.
    pub(super) fn accumulate(
        &mut self,
        op: ReduceOp,
        dtype: DType,
        dims: &[Value],
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> Value {
        match op {
            ReduceOp::ArgMin | ReduceOp::ArgMax => self.find_extreme(op, dtype, dims, element),
            ReduceOp::Sum if !dtype.is_int() => self.sum_in_blocks(dtype, dims, element),
            _ => {
                let init = self.identity(op, dtype);
                self.nest(dims, &[init], &mut |lower, indices, acc| {
                    let x = element(lower, indices);
                    vec![lower.combine(op, acc[0], x)]
                })[0]
            }
        }
    }

    fn sum_in_blocks(
        &mut self,
        dtype: DType,
        dims: &[Value],
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> Value {
        let zero = self.identity(ReduceOp::Sum, dtype);
        let Some((&inner, outer)) = dims.split_last() else {
            // Sums start from 0, which makes a negative zero positive.
            let x = element(self, &[]);
            return self.combine(ReduceOp::Sum, zero, x);
        };
        let (start, block) = (self.int(0), self.int(BLOCK));
        self.nest(outer, &[zero], &mut |lower, outer, total| {
            lower.for_step([start, inner, block], total, |lower, first, total| {
                let last = lower.block_end(first, inner, block);
                let sum = lower.for_range(first, last, &[zero], |lower, i, acc| {
                    let indices = [outer, &[i]].concat();
                    let x = element(lower, &indices);
                    vec![lower.b.add(acc[0], x)]
                });
                vec![lower.b.add(total[0], sum[0])]
            })
        })[0]
    }

    /// `min(first + block, dim)` of `first < dim`.
    fn block_end(&mut self, first: Value, dim: Value, block: Value) -> Value {
        let left = self.sub(dim, first);
        let size = self.min(left, block);
        self.add(first, size)
    }

    /// The row-major position of the first extreme element.
    fn find_extreme(
        &mut self,
        op: ReduceOp,
        dtype: DType,
        dims: &[Value],
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> Value {
        let (best, zero, one) = (self.identity(op, dtype), self.int(0), self.int(1));
        if dims.len() == 1 {
            return self.nest(dims, &[best, zero], &mut |lower, indices, acc| {
                let x = element(lower, indices);
                lower.better(op, [acc[0], acc[1]], [x, indices[0]])
            })[1];
        }
        self.nest(dims, &[best, zero, zero], &mut |lower, indices, acc| {
            let x = element(lower, indices);
            let mut next = lower.better(op, [acc[0], acc[1]], [x, acc[2]]);
            next.push(lower.add(acc[2], one));
            next
        })[1]
    }

    /// The better of two elements with their positions; the first of equals, NaN above all.
    pub(super) fn better(&mut self, op: ReduceOp, best: [Value; 2], new: [Value; 2]) -> Vec<Value> {
        let compare = if op == ReduceOp::ArgMin { ElemOp::Lt } else { ElemOp::Gt };
        let mut wins = self.b.elem(compare, &[new[0], best[0]]);
        let dtype = self.dtype(new[0]);
        if dtype.is_float() {
            let new_nan = self.b.elem(ElemOp::IsNan, &[new[0]]);
            let best_nan = self.b.elem(ElemOp::IsNan, &[best[0]]);
            let best_number = self.b.elem(ElemOp::Not, &[best_nan]);
            wins = self.or(wins, new_nan);
            wins = self.b.elem(ElemOp::And, &[wins, best_number]);
        }
        vec![self.b.select(wins, new[0], best[0]), self.b.select(wins, new[1], best[1])]
    }

    pub(super) fn combine(&mut self, op: ReduceOp, acc: Value, x: Value) -> Value {
        match op {
            ReduceOp::Sum => self.b.add(acc, x),
            ReduceOp::Prod => self.b.mul(acc, x),
            ReduceOp::Min => self.b.elem(ElemOp::Min, &[acc, x]),
            ReduceOp::Max => self.b.elem(ElemOp::Max, &[acc, x]),
            ReduceOp::Any | ReduceOp::All => {
                let x = self.b.cast(x, DType::Bool);
                self.b.elem(if op == ReduceOp::Any { ElemOp::Or } else { ElemOp::And }, &[acc, x])
            }
            ReduceOp::And => self.b.elem(ElemOp::And, &[acc, x]),
            ReduceOp::Or => self.b.elem(ElemOp::Or, &[acc, x]),
            ReduceOp::Xor => self.b.elem(ElemOp::Xor, &[acc, x]),
            ReduceOp::ArgMin | ReduceOp::ArgMax => unreachable!("positions are combined by `better`"),
        }
    }

    /// What a reduction starts from.
    pub(super) fn identity(&mut self, op: ReduceOp, dtype: DType) -> Value {
        let (literal, dtype) = match op {
            ReduceOp::Sum => return self.b.number(0.0, dtype),
            ReduceOp::Prod => return self.b.number(1.0, dtype),
            ReduceOp::Any => (Literal::Bool(false), DType::Bool),
            ReduceOp::All => (Literal::Bool(true), DType::Bool),
            ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => (all_bits(dtype, op == ReduceOp::And), dtype),
            ReduceOp::Min | ReduceOp::ArgMin => (extreme(dtype, true), dtype),
            ReduceOp::Max | ReduceOp::ArgMax => (extreme(dtype, false), dtype),
        };
        self.b.value(OpKind::Const(literal), vec![], Type::Scalar(dtype))
    }
}

/// The integer or bool whose bits are all set, or not set.
fn all_bits(dtype: DType, set: bool) -> Literal {
    match dtype {
        DType::Bool => Literal::Bool(set),
        _ if !set => Literal::Int(0),
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
