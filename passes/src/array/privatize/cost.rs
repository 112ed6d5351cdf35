//! About how many scalar operations an iteration takes, as a value computed before the loop.

use pydd_ir::rewrite::{Layout, is_defined_inside};
use pydd_ir::{Block, Builder, ElemOp, Function, Literal, Op, OpKind, Value};

/// Taken for loops of which nothing is known.
const UNKNOWN_TRIP: i64 = 16;
/// Costs and lengths of loops beyond this are all the same.
const MOST: i64 = 1 << 20;

/// `ops` once, `arrays` for each element of the arrays that are reduced into, and loops.
#[derive(Default, Debug)]
pub struct Cost {
    ops: i64,
    arrays: i64,
    /// `range(start, stop)` of values from outside, and its body.
    loops: Vec<([Bound; 2], Cost)>,
}

/// An end of a loop's range.
#[derive(Clone, Copy, Debug)]
enum Bound {
    Number(i64),
    Value(Value),
}

impl Bound {
    fn emit(self, b: &mut Builder<'_>) -> Value {
        match self {
            Self::Number(number) => b.int(number),
            Self::Value(value) => value,
        }
    }
}

impl Cost {
    /// The cost of one iteration.
    pub fn of(func: &Function, op: Op) -> Self {
        let layout = Layout::new(func);
        let mut cost = Self::default();
        cost.add_block(func, &layout, op, func.ops[op].regions[0], 1);
        cost
    }

    fn add_block(&mut self, func: &Function, layout: &Layout, pfor: Op, block: Block, times: i64) {
        for &op in &func.blocks[block].ops {
            let data = &func.ops[op];
            let whole = data.args.iter().chain(&data.results).any(|&value| func.ty(value).is_array());
            match &data.kind {
                OpKind::Elem(_) | OpKind::Assign | OpKind::Map(_) | OpKind::Reduce(_) | OpKind::Copy
                    if whole =>
                {
                    self.arrays += times;
                }
                OpKind::Elem(elem) => self.ops = self.ops.saturating_add(times.saturating_mul(elem.cost())),
                OpKind::Const(_) | OpKind::Dim(_) => {}
                _ => self.ops = self.ops.saturating_add(times),
            }
            for &region in &data.regions {
                if !data.kind.is_loop() {
                    self.add_block(func, layout, pfor, region, times);
                    continue;
                }
                match bounds(func, layout, pfor, op) {
                    Some(bounds) if times == 1 => {
                        let mut inner = Self::default();
                        inner.add_block(func, layout, pfor, region, 1);
                        self.loops.push((bounds, inner));
                    }
                    _ => {
                        let times = times.saturating_mul(constant_trip(func, op).unwrap_or(UNKNOWN_TRIP));
                        self.add_block(func, layout, pfor, region, times.min(MOST));
                    }
                }
            }
        }
    }

    /// The cost as a value; `size` is the number of elements of the arrays.
    pub fn emit(&self, b: &mut Builder<'_>, size: Value) -> Value {
        let (zero, most) = (b.int(0), b.int(MOST));
        let ops = b.int(self.ops.min(MOST));
        let arrays = b.int(self.arrays.min(MOST));
        let size = b.elem(ElemOp::Min, &[size, most]);
        let whole = b.mul(arrays, size);
        let mut total = b.add(ops, whole);
        for ([start, stop], body) in &self.loops {
            let (start, stop) = (start.emit(b), stop.emit(b));
            let trip = b.sub(stop, start);
            let trip = b.elem(ElemOp::Max, &[trip, zero]);
            let trip = b.elem(ElemOp::Min, &[trip, most]);
            let each = body.emit(b, size);
            let all = b.mul(trip, each);
            total = b.add(total, all);
        }
        b.elem(ElemOp::Min, &[total, most])
    }
}

/// The bounds of a loop that goes up by 1, where they exist before the `pfor`.
fn bounds(func: &Function, layout: &Layout, pfor: Op, op: Op) -> Option<[Bound; 2]> {
    let &[start, stop, step, ..] = func.ops[op].args.as_slice() else { return None };
    let bound = |value: Value| match func.as_const(value) {
        Some(Literal::Int(number)) => Some(Bound::Number((*number).clamp(-MOST, MOST))),
        _ => (!is_defined_inside(func, layout, value, pfor)).then_some(Bound::Value(value)),
    };
    let up = matches!(func.as_const(step), Some(Literal::Int(1)));
    if func.ops[op].kind == OpKind::Loop || !up { None } else { Some([bound(start)?, bound(stop)?]) }
}

fn constant_trip(func: &Function, op: Op) -> Option<i64> {
    let &[start, stop, ..] = func.ops[op].args.as_slice() else { return None };
    match (func.as_const(start)?, func.as_const(stop)?) {
        (Literal::Int(start), Literal::Int(stop)) => Some(stop.abs_diff(*start).min(MOST as u64) as i64),
        _ => None,
    }
}
