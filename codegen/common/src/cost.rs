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

    /// As a number, where lengths that are not known here are taken for short.
    fn rough(&self) -> i64 {
        let all = self.loops.iter().map(|(trip, body)| {
            let count = if let Trip::Known(n) = trip { *n } else { UNKNOWN_TRIP };
            count.saturating_mul(body.rough())
        });
        all.fold(self.ops, i64::saturating_add)
    }

    fn add_block(&mut self, func: &Function, block: Block, known: &dyn Fn(Value) -> bool) {
        for &op in &func.blocks[block].ops {
            self.add_op(func, op, known);
        }
    }

    fn add_op(&mut self, func: &Function, op: Op, known: &dyn Fn(Value) -> bool) {
        let data = &func.ops[op];
        self.ops += data.kind.facts(func.level).cost;
        if data.kind == OpKind::If {
            let sides = data.regions.iter().map(|&region| Self::of(func, region, known));
            if let Some(greater) = sides.max_by_key(Self::rough) {
                self.ops = self.ops.saturating_add(greater.ops);
                self.loops.extend(greater.loops);
            }
            return;
        }
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
    let unknown = || {
        let by = constant(step).map_or(1, |step| step.saturating_abs().max(1));
        Trip::Known((UNKNOWN_TRIP / by).max(1))
    };
    match (constant(start), constant(stop), constant(step)) {
        (Some(start), Some(stop), Some(step)) => Trip::Known(length(start, stop, step)),
        (_, _, Some(1)) if [start, stop].into_iter().all(|v| known(v) || constant(v).is_some()) => {
            Trip::Range { start, stop, step }
        }
        _ => block_length(func, start, stop, known).map_or_else(unknown, Trip::Count),
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

#[cfg(test)]
mod tests {
    use super::{Cost, length};

    fn cost_of(body: &str) -> Cost {
        let text = format!(
            "module \"m\" file \"m.pydd\"\nfunc @f loop (%0: bool, %1: i64, %2: f64) -> () {{\n{body}  return\n}}\n"
        );
        let module = pydd_ir::text::parse(&text).unwrap();
        let func = module.funcs.values().next().unwrap();
        Cost::of(func, func.entry, &|_| false)
    }

    #[test]
    fn one_side_of_a_branch_runs() {
        let add = "    %9: f64 = add %2, %2\n";
        let both = cost_of(&format!(
            "  if %0 {{\n{add}    yield\n  }} else {{\n    %8: f64 = add %2, %2\n    yield\n  }}\n"
        ));
        let one = cost_of(&format!("  if %0 {{\n{add}    yield\n  }} else {{\n    yield\n  }}\n"));
        assert_eq!(both, one);
    }

    #[test]
    fn steps_make_a_loop_shorter() {
        let looped = |step: i64| {
            cost_of(&format!(
                "  %3: i64 = const {step}\n  for %1, %1, %3 {{\n  (%4: i64):\n    %5: f64 = add %2, %2\n    continue[0]\n  }}\n"
            ))
        };
        assert!(looped(4).ops < looped(1).ops);
        assert_eq!(looped(16).ops, looped(100).ops);
    }

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
