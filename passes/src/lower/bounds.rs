//! Which indices are certainly in range: cheap local reasoning over induction variables.
//!
//! `i` in `range(a, n)` with `a >= 0` is not negative; if `n` is a length of the array, it is in range;
//! `i + 1` in `range(0, n - 1)` is too. This is the seam where range analysis over whole functions comes in.

use pydd_ir::{ElemOp, OpKind, Value};

use super::Lower;

/// The `range` of an induction variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub start: Value,
    pub stop: Value,
    pub step: Value,
}

/// How far operands are followed.
const DEPTH: u32 = 8;
/// Offsets beyond this are not reasoned about, so that no sum overflows.
const FAR: i64 = 1 << 31;

impl Lower<'_> {
    /// Whether `index`, which is to be an index into `dim` elements, is certainly not negative.
    pub(super) fn not_negative(&self, index: Value, dim: Value) -> bool {
        self.lower_bound(index, dim, DEPTH).is_some_and(|bound| bound >= 0)
    }

    /// Whether `index < dim` certainly holds, `dim` being a length.
    pub(super) fn below(&self, index: Value, dim: Value) -> bool {
        if let (Some(i), Some(n)) = (self.b.func.as_int(index), self.b.func.as_int(dim)) {
            return i < n;
        }
        self.distance(index, dim, DEPTH).is_some_and(|d| d < 0)
    }

    /// A constant that `value` is not below.
    fn lower_bound(&self, value: Value, dim: Value, depth: u32) -> Option<i64> {
        if let Some(n) = self.b.func.as_int(value) {
            return (n >= -FAR).then_some(n.min(FAR));
        }
        if value == dim {
            return Some(0);
        }
        let depth = depth.checked_sub(1)?;
        if let Some(range) = self.ranges.get(&value) {
            return match self.b.func.as_int(range.step)? {
                1.. => self.lower_bound(range.start, dim, depth),
                ..0 => self.lower_bound(range.stop, dim, depth).map(|n| n + 1),
                0 => None,
            };
        }
        if let Some((a, shift)) = self.shifted(value) {
            let bound = self.lower_bound(a, dim, depth)? + shift;
            return self.cannot_overflow(a, shift, dim, depth).then_some(bound);
        }
        match self.operands(value)? {
            (ElemOp::Max, a, b) => self.lower_bound(a, dim, depth).max(self.lower_bound(b, dim, depth)),
            (ElemOp::Min, a, b) => {
                Some(self.lower_bound(a, dim, depth)?.min(self.lower_bound(b, dim, depth)?))
            }
            _ => None,
        }
    }

    /// A constant that `value - dim` is not above.
    fn distance(&self, value: Value, dim: Value, depth: u32) -> Option<i64> {
        if self.same(value, dim) {
            return Some(0);
        }
        let depth = depth.checked_sub(1)?;
        if let Some(range) = self.ranges.get(&value) {
            return match self.b.func.as_int(range.step)? {
                1.. => self.distance(range.stop, dim, depth).map(|d| d - 1),
                ..0 => self.distance(range.start, dim, depth),
                0 => None,
            };
        }
        if let Some((a, shift)) = self.shifted(value) {
            let bound = self.distance(a, dim, depth)? + shift;
            let safe = shift >= 0 || self.lower_bound(a, dim, depth).is_some();
            return safe.then_some(bound);
        }
        match self.operands(value)? {
            (ElemOp::Min, a, b) => match (self.distance(a, dim, depth), self.distance(b, dim, depth)) {
                (Some(x), Some(y)) => Some(x.min(y)),
                (x, y) => x.or(y),
            },
            _ => None,
        }
    }

    /// Whether `value + shift` is no wrapped sum. Lengths are far from the greatest integer, and an
    /// induction variable that counts up is below its stop.
    fn cannot_overflow(&self, value: Value, shift: i64, dim: Value, depth: u32) -> bool {
        let counts_up = |range: &Range| self.b.func.as_int(range.step).is_some_and(|step| step > 0);
        shift <= 0
            || (shift == 1 && self.ranges.get(&value).is_some_and(counts_up))
            || self.distance(value, dim, depth).is_some()
    }

    /// `value` as a sum of a value and a constant.
    fn shifted(&self, value: Value) -> Option<(Value, i64)> {
        match self.operands(value)? {
            (ElemOp::Add, a, b) => match self.const_near(b) {
                Some(shift) => Some((a, shift)),
                None => self.const_near(a).map(|shift| (b, shift)),
            },
            (ElemOp::Sub, a, b) => self.const_near(b).map(|shift| (a, -shift)),
            _ => None,
        }
    }

    fn operands(&self, value: Value) -> Option<(ElemOp, Value, Value)> {
        let data = &self.b.func.ops[self.b.func.def_op(value)?];
        match (&data.kind, &data.args[..]) {
            (OpKind::Elem(op), &[a, b]) => Some((*op, a, b)),
            _ => None,
        }
    }

    fn const_near(&self, value: Value) -> Option<i64> {
        self.b.func.as_int(value).filter(|n| (-FAR..FAR).contains(n))
    }
}
