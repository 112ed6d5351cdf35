//! What is tested before a loop is launched.

use pydd_ir::poly::Poly;
use pydd_ir::sharing::{Segment, Symbol};
use pydd_ir::{Builder, DType, ElemOp, Literal, OpKind, Type, Value};

/// Whether all elements of an array surely lie in places of their own: each axis steps over all that those inside of it reach, in the
/// order of the axes or in the opposite one. Views that were laid over memory by hand (`as_strided`) may not.
pub(super) fn is_unfolded(b: &mut Builder<'_>, array: Value) -> Value {
    let rank = b.func.ty(array).rank();
    let size = b.func.ty(array).dtype().map_or(1, DType::size);
    let orders: [Vec<u8>; 2] = [(0..rank).rev().collect(), (0..rank).collect()];
    let mut unfolded = b.bool(false);
    for order in orders {
        let mut reach = b.int(i64::try_from(size).expect("small"));
        let (mut nested, one) = (b.bool(true), b.int(1));
        for axis in order {
            let (dim, stride) = (b.dim(array, axis), b.value(OpKind::Stride(axis), vec![array], Type::I64));
            let stride = b.elem(ElemOp::Abs, &[stride]);
            let steps_over = b.elem(ElemOp::Ge, &[stride, reach]);
            let is_one = b.elem(ElemOp::Le, &[dim, one]);
            let fits = b.elem(ElemOp::Or, &[steps_over, is_one]);
            nested = b.elem(ElemOp::And, &[nested, fits]);
            let last = b.sub(dim, one);
            let more = b.mul(last, stride);
            let sum = b.add(reach, more);
            reach = b.select(is_one, reach, sum);
        }
        unfolded = b.elem(ElemOp::Or, &[unfolded, nested]);
    }
    unfolded
}

/// Whether the pointers of a segment that iterations `start..stop` touch do not fall, and none is negative. `operands` are those
/// of the loop's table.
pub(super) fn is_rising(
    b: &mut Builder<'_>,
    segment: &Segment<Symbol>,
    operands: &[Value],
    [start, stop]: [Value; 2],
) -> Value {
    let pointers = operands[segment.pointers.operand().expect("an array") as usize];
    let dtype = b.func.ty(pointers).dtype().expect("an array");
    let (zero, one) = (b.int(0), b.int(1));
    let end = b.sub(stop, one);
    let (first, last) = (sum(b, &segment.first, start, operands), sum(b, &segment.last, end, operands));
    let length = b.dim(pointers, 0);
    let within = [
        b.elem(ElemOp::Ge, &[first, zero]),
        b.elem(ElemOp::Lt, &[last, length]),
        b.elem(ElemOp::Le, &[first, last]),
    ];
    let within = within.into_iter().reduce(|x, y| b.elem(ElemOp::And, &[x, y])).expect("three tests");
    let tested = b.region(&[], |b, _| {
        let least = b.value(OpKind::LoadRaw, vec![pointers, first], Type::Scalar(dtype));
        let nothing = b.value(OpKind::Const(Literal::Int(0)), vec![], Type::Scalar(dtype));
        let is_index = b.elem(ElemOp::Ge, &[least, nothing]);
        let rises = b.for_loop([first, last, one], &[is_index], |b, at, rising| {
            let next = b.add(at, one);
            let [here, there] =
                [at, next].map(|at| b.value(OpKind::LoadRaw, vec![pointers, at], Type::Scalar(dtype)));
            let step = b.elem(ElemOp::Le, &[here, there]);
            vec![b.elem(ElemOp::And, &[rising[0], step])]
        });
        b.effect(OpKind::Yield, rises);
    });
    let unknown = b.region(&[], |b, _| {
        let no = b.bool(false);
        b.effect(OpKind::Yield, vec![no]);
    });
    let test = b.op(OpKind::If, vec![within], &[Type::Scalar(DType::Bool)], vec![tested, unknown]);
    b.func.ops[test].results[0]
}

/// A sum of a table, in the iteration of this index.
fn sum(b: &mut Builder<'_>, poly: &Poly<Symbol>, index: Value, operands: &[Value]) -> Value {
    let mut sum = b.int(i64::try_from(poly.offset()).unwrap_or(i64::MIN));
    for (product, factor) in poly.terms() {
        let mut term = b.int(factor);
        for symbol in product.symbols() {
            let value = match symbol {
                Symbol::Index => index,
                Symbol::Number(operand) => operands[operand as usize],
                Symbol::Length(operand, axis) => b.dim(operands[operand as usize], axis),
                Symbol::Quotient(operand) => b.elem(ElemOp::FloorDiv, &[index, operands[operand as usize]]),
            };
            term = b.mul(term, value);
        }
        sum = b.add(sum, term);
    }
    sum
}
