//! About how many scalar operations a region takes: what decides whether threads pay off.

use pydd_ir::{Block, ElemOp, Function, Literal, Op, OpKind, Value};

/// `ops` once, and each loop's body as often as the loop runs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cost {
    pub ops: i64,
    pub loops: Vec<(Trip, Cost)>,
}

/// How often a loop runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Trip {
    Known(i64),
    /// At most this, a value that is known before the region is entered.
    Count(Value),
    /// `range(start, stop, step)` of values that are known before the region is entered.
    Range {
        start: Value,
        stop: Value,
        step: Value,
    },
}

/// Taken for loops of which nothing is known.
const UNKNOWN_TRIP: i64 = 16;

impl Cost {
    /// The cost of one run of `block`; `known` says which values exist before it.
    #[must_use]
    pub fn of(func: &Function, block: Block, known: &dyn Fn(Value) -> bool) -> Self {
        let mut cost = Self::default();
        cost.add_block(func, block, known);
        cost
    }

    fn add_block(&mut self, func: &Function, block: Block, known: &dyn Fn(Value) -> bool) {
        for &op in &func.blocks[block].ops {
            self.add_op(func, op, known);
        }
    }

    fn add_op(&mut self, func: &Function, op: Op, known: &dyn Fn(Value) -> bool) {
        let data = &func.ops[op];
        self.ops += one(&data.kind);
        for &region in &data.regions {
            if data.kind.is_loop() {
                let trip = trip(func, op, known);
                let body = Self::of(func, region, known);
                match trip {
                    Trip::Known(n) if body.loops.is_empty() => {
                        self.ops = self.ops.saturating_add(n.saturating_mul(body.ops));
                    }
                    trip => self.loops.push((trip, body)),
                }
            } else {
                self.add_block(func, region, known);
            }
        }
    }
}

fn trip(func: &Function, op: Op, known: &dyn Fn(Value) -> bool) -> Trip {
    let data = &func.ops[op];
    let (OpKind::For | OpKind::PFor(_), &[start, stop, step, ..]) = (&data.kind, data.args.as_slice()) else {
        return Trip::Known(UNKNOWN_TRIP);
    };
    let constant = |value: Value| match func.as_const(value) {
        Some(Literal::Int(value)) => Some(*value),
        _ => None,
    };
    match (constant(start), constant(stop), constant(step)) {
        (Some(start), Some(stop), Some(step)) => Trip::Known(length(start, stop, step)),
        (_, _, Some(1)) if [start, stop].into_iter().all(|v| known(v) || constant(v).is_some()) => {
            Trip::Range { start, stop, step }
        }
        _ => block_length(func, start, stop, known).map_or(Trip::Known(UNKNOWN_TRIP), Trip::Count),
    }
}

/// The length of a block, as in `range(start, min(start + length, end))`.
fn block_length(func: &Function, start: Value, stop: Value, known: &dyn Fn(Value) -> bool) -> Option<Value> {
    let args = |value: Value, wanted: ElemOp| {
        let data = &func.ops[func.def_op(value)?];
        (data.kind == OpKind::Elem(wanted)).then_some(data.args.as_slice())
    };
    let ends = args(stop, ElemOp::Min)?;
    ends.iter().find_map(|&end| match *args(end, ElemOp::Add)? {
        [a, b] if a == start && known(b) => Some(b),
        [a, b] if b == start && known(a) => Some(a),
        _ => None,
    })
}

/// `len(range(start, stop, step))`.
#[must_use]
pub fn length(start: i64, stop: i64, step: i64) -> i64 {
    let (start, stop, step) = (i128::from(start), i128::from(stop), i128::from(step));
    let n = match step.signum() {
        1 => (stop - start + step - 1) / step,
        -1 => (start - stop - step - 1) / -step,
        _ => 0,
    };
    i64::try_from(n.max(0)).unwrap_or(i64::MAX)
}

/// One operation without its regions.
const fn one(kind: &OpKind) -> i64 {
    match kind {
        OpKind::Const(_) | OpKind::Dim(_) | OpKind::Stride(_) => 0,
        OpKind::Elem(op) => op.cost(),
        OpKind::Call(_) | OpKind::Empty | OpKind::Zeros | OpKind::ListNew => 64,
        OpKind::Lib(_) | OpKind::Print(_) => 1024,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn lengths_are_pythons() {
        assert_eq!(length(0, 10, 3), 4);
        assert_eq!(length(10, 0, -3), 4);
        assert_eq!(length(0, 0, 1), 0);
        assert_eq!(length(5, 0, 1), 0);
        assert_eq!(length(i64::MIN, i64::MAX, 1), i64::MAX);
        assert_eq!(length(0, 10, 0), 0);
    }
}
