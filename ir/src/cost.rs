//! About how many scalar operations an iteration takes: what decides whether parts of a loop pay off, on threads or with arrays
//! of their own.

use crate::rewrite::{Layout, is_defined_inside};
use crate::{Block, Builder, ElemOp, Function, Op, OpKind, Value};

/// `ops` once, `arrays` for each element of whole arrays, and each loop's body as often as the loop runs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cost {
    pub ops: i64,
    pub arrays: i64,
    pub loops: Vec<(Trip, Cost)>,
}

impl Bound {
    fn emit(self, b: &mut Builder<'_>) -> Value {
        match self {
            Self::Number(number) => b.int(number),
            Self::Value(value) => value,
        }
    }
}

/// How many steps a span takes, the last one maybe a part of one.
fn in_steps(b: &mut Builder<'_>, span: Value, step: i64) -> Value {
    if step == 1 {
        return span;
    }
    let (less, step) = (b.int(step - 1), b.int(step));
    let rounded = b.add(span, less);
    b.elem(ElemOp::FloorDiv, &[rounded, step])
}

fn at_most(b: &mut Builder<'_>, value: Value, most: i64) -> Value {
    let most = b.int(most);
    b.elem(ElemOp::Min, &[value, most])
}

/// How often a loop runs.
#[derive(Clone, PartialEq, Debug)]
pub enum Trip {
    Known(i64),
    /// No more often than any of these, which are known before the region is entered.
    Least(Vec<Bound>),
    /// `range(start, stop, step)` with a step above 0 of values that are known before the region is entered, or constants in it.
    Range {
        start: Bound,
        stop: Bound,
        step: i64,
    },
}

/// A number that is known before a region is entered.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bound {
    Number(i64),
    Value(Value),
}

/// Taken for loops of which nothing is known.
const UNKNOWN_TRIP: i64 = 16;
/// Lengths of loops beyond this are all the same.
pub const MOST_TRIPS: i64 = 1 << 20;
/// So are costs beyond this.
pub const MOST: i64 = 1 << 40;

impl Cost {
    /// The cost of an iteration of a loop, over what exists before the loop.
    #[must_use]
    pub fn of_iteration(func: &Function, layout: &Layout, looped: Op) -> Self {
        Self::of(func, func.ops[looped].regions[0], &|value| !is_defined_inside(func, layout, value, looped))
    }

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
            let number = |bound: &Bound| if let Bound::Number(n) = bound { Some(*n) } else { None };
            let count = match trip {
                Trip::Known(n) => *n,
                Trip::Least(bounds) => {
                    bounds.iter().filter_map(number).chain([UNKNOWN_TRIP]).min().unwrap_or(0)
                }
                Trip::Range { .. } => UNKNOWN_TRIP,
            };
            count.saturating_mul(body.rough())
        });
        all.fold(self.ops, i64::saturating_add)
    }

    /// The cost as a value; `size` is the number of elements of whole arrays.
    pub fn emit(&self, b: &mut Builder<'_>, size: Option<Value>) -> Value {
        let mut total = b.int(self.ops.min(MOST));
        if let (Some(size), 1..) = (size, self.arrays) {
            let (arrays, most) = (b.int(self.arrays.min(MOST_TRIPS)), b.int(MOST_TRIPS));
            let size = b.elem(ElemOp::Min, &[size, most]);
            let whole = b.mul(arrays, size);
            total = b.add(total, whole);
        }
        for (trip, body) in &self.loops {
            let count = match trip {
                Trip::Known(n) => b.int((*n).min(MOST_TRIPS)),
                Trip::Least(bounds) => {
                    let most = b.int(MOST_TRIPS);
                    let least = bounds.iter().fold(most, |least, bound| {
                        let bound = bound.emit(b);
                        b.elem(ElemOp::Min, &[least, bound])
                    });
                    let zero = b.int(0);
                    b.elem(ElemOp::Max, &[least, zero])
                }
                Trip::Range { start, stop, step } => {
                    let (start, stop) = (start.emit(b), stop.emit(b));
                    let (zero, span) = (b.int(0), b.sub(stop, start));
                    let runs = b.elem(ElemOp::Lt, &[start, stop]);
                    let span = b.select(runs, span, zero);
                    let trips = at_most(b, span, MOST_TRIPS);
                    in_steps(b, trips, *step)
                }
            };
            let each = body.emit(b, size);
            let all = b.mul(count, each);
            let sum = b.add(total, all);
            total = at_most(b, sum, MOST);
        }
        total
    }

    fn add_block(&mut self, func: &Function, block: Block, known: &dyn Fn(Value) -> bool) {
        for &op in &func.blocks[block].ops {
            self.add_op(func, op, known);
        }
    }

    fn add_op(&mut self, func: &Function, op: Op, known: &dyn Fn(Value) -> bool) {
        let data = &func.ops[op];
        if works_on_arrays(func, op) {
            self.arrays += 1;
        } else {
            self.ops += data.kind.facts(func.level).cost;
        }
        if data.kind == OpKind::If {
            let sides = data.regions.iter().map(|&region| Self::of(func, region, known));
            if let Some(greater) = sides.max_by_key(Self::rough) {
                self.ops = self.ops.saturating_add(greater.ops);
                self.arrays = self.arrays.saturating_add(greater.arrays);
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
                        self.arrays = self.arrays.saturating_add(n.saturating_mul(body.arrays));
                    }
                    trip => self.loops.push((trip, body)),
                }
            } else {
                self.add_block(func, region, known);
            }
        }
    }
}

/// Whether the operation does something for each element of an array.
fn works_on_arrays(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let elementwise = matches!(
        data.kind,
        OpKind::Elem(_) | OpKind::Cast | OpKind::Assign | OpKind::Map(_) | OpKind::Reduce(_) | OpKind::Copy
    );
    elementwise && data.args.iter().chain(&data.results).any(|&value| func.ty(value).is_array())
}

fn trip(func: &Function, op: Op, known: &dyn Fn(Value) -> bool) -> Trip {
    let data = &func.ops[op];
    let (OpKind::For | OpKind::PFor(_), &[start, stop, step, ..]) = (&data.kind, data.args.as_slice()) else {
        return Trip::Known(UNKNOWN_TRIP);
    };
    let constant = |value: Value| func.as_int(value);
    let unknown = || {
        let by = constant(step).map_or(1, |step| step.saturating_abs().max(1));
        Trip::Known((UNKNOWN_TRIP / by).max(1))
    };
    let bound = |value: Value| match constant(value) {
        Some(number) => Some(Bound::Number(number)),
        None => known(value).then_some(Bound::Value(value)),
    };
    match (constant(start), constant(stop), constant(step)) {
        (Some(start), Some(stop), Some(step)) => Trip::Known(length(start, stop, step)),
        (_, _, Some(step @ 1..)) => match (bound(start), bound(stop)) {
            (Some(start), Some(stop)) => Trip::Range { start, stop, step },
            _ if step == 1 => {
                let [start, stop] = slice_bounds(func, stop).unwrap_or([start, stop]);
                let bounds = block_length(func, start, stop, &bound);
                if bounds.is_empty() { unknown() } else { Trip::Least(bounds) }
            }
            _ => unknown(),
        },
        _ => unknown(),
    }
}

/// The bounds that a slice was written with whose length this is: both are counted from the end where they are negative, and kept
/// between 0 and the array's length.
fn slice_bounds(func: &Function, length: Value) -> Option<[Value; 2]> {
    let args = |value: Value, wanted: ElemOp| {
        let data = &func.ops[func.def_op(value)?];
        (data.kind == OpKind::Elem(wanted)).then_some(data.args.as_slice())
    };
    let is_zero = |value: Value| func.as_int(value) == Some(0);
    let above_zero = |value: Value| match args(value, ElemOp::Max) {
        Some(&[inner, zero]) if is_zero(zero) => Some(inner),
        _ => None,
    };
    let written = |value: Value| {
        let &[inside, _] = args(value, ElemOp::Min)? else { return None };
        let from_end = above_zero(inside)?;
        match args(from_end, ElemOp::Select) {
            Some(&[_, _, plain]) => Some(plain),
            _ => Some(from_end),
        }
    };
    match args(above_zero(length).unwrap_or(length), ElemOp::Sub)? {
        &[stop, start] => Some([written(start)?, written(stop)?]),
        _ => None,
    }
}

/// What the length of a block is at most, as in `range(start, min(start + length, end))` and `range(start, start + min(end - start, length))`.
fn block_length(
    func: &Function,
    start: Value,
    stop: Value,
    bound: &dyn Fn(Value) -> Option<Bound>,
) -> Vec<Bound> {
    let args = |value: Value, wanted: ElemOp| {
        let data = &func.ops[func.def_op(value)?];
        (data.kind == OpKind::Elem(wanted)).then_some(data.args.as_slice())
    };
    // What is added to the start.
    let added = |end: Value| match *args(end, ElemOp::Add)? {
        [a, b] if a == start => Some(b),
        [a, b] if b == start => Some(a),
        _ => None,
    };
    // Where blocks begin at 0, the last one ends there.
    let rest = |value: Value| match *args(value, ElemOp::Sub)? {
        [end, from] if from == start => bound(end),
        _ => None,
    };
    let both = |value: Value| args(value, ElemOp::Min).map_or_else(Vec::new, <[Value]>::to_vec);
    match added(stop) {
        Some(size) => both(size).into_iter().filter_map(|most| bound(most).or_else(|| rest(most))).collect(),
        None => both(stop).into_iter().filter_map(|end| bound(added(end).unwrap_or(end))).collect(),
    }
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
        let module = crate::text::parse(&text).unwrap();
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
