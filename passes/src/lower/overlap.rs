//! Whether arrays meet in memory.
//!
//! ```text
//! %c = overlaps %a, %b     ⇒     %p = address %a     %e = add %p, (its length in bytes)     …the same of %b
//!                                %c = and (lt %p, %f), (lt %q, %e)
//! ```
//!
//! What is known to lie apart is not asked for at run time.

use pydd_ir::{Builder, DType, ElemOp, Op, OpKind, Type, Value};

use super::Lower;

impl Lower<'_> {
    pub(super) fn overlaps(&mut self, op: Op) {
        let operands = self.src.ops[op].args.clone();
        let result = self.src.result(op);
        let apart = |other| self.memory.as_ref().is_some_and(|memory| !memory.may_alias(operands[0], other));
        let others: Vec<Value> = operands[1..].iter().copied().filter(|&other| !apart(other)).collect();
        let mut meets = self.b.bool(false);
        for other in others {
            let (array, other) = (self.get(operands[0]), self.get(other));
            let meets_this = self.stretches_meet(array, other);
            meets = self.or(meets, meets_this);
        }
        self.define(result, meets);
    }

    fn stretches_meet(&mut self, a: Value, b: Value) -> Value {
        let stretches = [a, b].map(|value| {
            let array = self.array(value).clone();
            let strides = self.strides(&array);
            Stretch::new(&mut self.b, value, &array.dims, &strides)
        });
        meet(&mut self.b, stretches)
    }
}

/// An array's memory: where its lowest element is, the end of its highest one, and whether it has any.
#[derive(Clone, Copy)]
pub struct Stretch {
    low: Value,
    high: Value,
    some: Value,
}

impl Stretch {
    /// Of an array of which nothing more is known.
    pub fn of(b: &mut Builder<'_>, array: Value) -> Self {
        let rank = b.func.ty(array).rank();
        let dims: Vec<Value> = (0..rank).map(|axis| b.dim(array, axis)).collect();
        let stride = |axis| b.value(OpKind::Stride(axis), vec![array], Type::I64);
        let strides: Vec<Value> = (0..rank).map(stride).collect();
        Self::new(b, array, &dims, &strides)
    }

    /// Of an array with these lengths and strides, in bytes.
    fn new(b: &mut Builder<'_>, array: Value, dims: &[Value], strides: &[Value]) -> Self {
        let (zero, one) = (b.int(0), b.int(1));
        let mut low = b.value(OpKind::Address, vec![array], Type::I64);
        let size = b.func.ty(array).dtype().map_or(1, DType::size);
        let size = b.int(i64::try_from(size).expect("small"));
        let mut high = b.add(low, size);
        let mut some = b.bool(true);
        for (&dim, &stride) in dims.iter().zip(strides) {
            let last = b.sub(dim, one);
            let reach = b.mul(last, stride);
            let below = b.elem(ElemOp::Min, &[reach, zero]);
            let above = b.elem(ElemOp::Max, &[reach, zero]);
            low = b.add(low, below);
            high = b.add(high, above);
            let has_any = b.elem(ElemOp::Lt, &[zero, dim]);
            some = b.elem(ElemOp::And, &[some, has_any]);
        }
        Self { low, high, some }
    }
}

/// Whether two stretches of memory meet; one without elements meets none.
pub fn meet(b: &mut Builder<'_>, [one, other]: [Stretch; 2]) -> Value {
    let begins = b.elem(ElemOp::Lt, &[one.low, other.high]);
    let ends = b.elem(ElemOp::Lt, &[other.low, one.high]);
    [ends, one.some, other.some].into_iter().fold(begins, |all, one| b.elem(ElemOp::And, &[all, one]))
}
