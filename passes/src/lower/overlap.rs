//! Whether arrays meet in memory.
//!
//! ```text
//! %c = overlaps %a, %b     ⇒     %p = address %a     %e = add %p, (its length in bytes)     …the same of %b
//!                                %c = and (lt %p, %f), (lt %q, %e)
//! ```
//!
//! What is known to lie apart is not asked for at run time.

use pydd_ir::{ElemOp, Op, OpKind, Type, Value};

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
        let (low, high, some) = self.stretch(a);
        let (other_low, other_high, other_some) = self.stretch(b);
        let begins = self.less(low, other_high);
        let ends = self.less(other_low, high);
        self.all(&[begins, ends, some, other_some]).expect("there are conditions")
    }

    /// Where an array's lowest element is, the end of its highest one, and whether it has any.
    fn stretch(&mut self, value: Value) -> (Value, Value, Value) {
        let array = self.array(value).clone();
        let (zero, one) = (self.int(0), self.int(1));
        let mut low = self.b.value(OpKind::Address, vec![value], Type::I64);
        let size = self.item_size(value);
        let mut high = self.add(low, size);
        let mut some = self.b.bool(true);
        for (&dim, stride) in array.dims.iter().zip(self.strides(&array)) {
            let last = self.sub(dim, one);
            let reach = self.mul(last, stride);
            let (below, above) = (self.min(reach, zero), self.max(reach, zero));
            low = self.add(low, below);
            high = self.add(high, above);
            let has_any = self.less(zero, dim);
            some = self.b.elem(ElemOp::And, &[some, has_any]);
        }
        (low, high, some)
    }
}
