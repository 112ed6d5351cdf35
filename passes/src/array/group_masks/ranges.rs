//! Masks of numbers between two bounds, which follow from the loop's counter.
//!
//! ```text
//! for %k in %a, %b {                           for %i in 0, %b - %a {
//!     %low = …%k…                                  %lows[%i] = …%a + %i…; %highs[%i] = …%a + %i…
//!     %high = …%k…                             }
//!     %m = and (ge %x, %low), (lt %x, %high)  ⇒   %order, %starts, %made = call[@range_groups] %x, %lows, %highs, …
//!     … y[%m] …                                for %k in %a, %b {
//! }                                                … y[%order[%starts[%k - %a]:%starts[%k - %a + 1]]] …
//!                                              }
//! ```
//!
//! What computes the bounds is done twice, so it is numbers alone, and elements of arrays that the loop does not write to. What would raise does
//! not before the loop: then the loop stays as it is, as where ranges do not rise, or a number is in two of them.

use pydd_ir::rewrite::Cloner;
use pydd_ir::{Builder, DType, ElemOp, FuncRef, Op, OpKind, Type, Value};

use super::{Finder, Functions, flat};

/// Operations that compute the bounds, at most.
const LONGEST: usize = 32;

/// A mask of the numbers between two bounds.
pub(super) struct Range {
    /// The type in which they are compared, and that of the function that finds them.
    compared: DType,
    wide: DType,
    low: Bound,
    high: Bound,
    /// The operations that compute the bounds, in order, and the counter that they begin with.
    steps: Vec<Op>,
    pub counter: Value,
}

#[derive(Clone, Copy)]
struct Bound {
    value: Value,
    belongs: bool,
}

/// One of the comparisons, the array on the left.
struct Side {
    array: Value,
    compared: DType,
    op: ElemOp,
    bound: Value,
}

impl Finder<'_> {
    /// The array of numbers and the bounds of a mask.
    pub(super) fn range(&self, mask: Op) -> Option<(Value, Range)> {
        let &[a, b] = &self.func.ops[mask].args[..] else { return None };
        let (a, b) = (self.side(a)?, self.side(b)?);
        let (low, high) = if is_from_below(a.op) { (a, b) } else { (b, a) };
        let one_array = low.array == high.array && low.compared == high.compared;
        if !one_array || !is_from_below(low.op) || is_from_below(high.op) {
            return None;
        }
        let wide = match low.compared {
            dtype if dtype.is_float() => DType::F64,
            dtype if dtype.is_int() && dtype != DType::U64 => DType::I64,
            _ => return None,
        };
        self.functions.ranges.contains_key(&wide).then_some(())?;
        let mut steps = Vec::new();
        for bound in [low.bound, high.bound] {
            // Ranges with one bound in common meet.
            if self.layout.dominates(self.func, bound, self.looped) {
                return None;
            }
            self.steps(bound, &mut steps)?;
        }
        let bound =
            |side: &Side| Bound { value: side.bound, belongs: matches!(side.op, ElemOp::Ge | ElemOp::Le) };
        let (compared, low_bound, high_bound) = (low.compared, bound(&low), bound(&high));
        let range =
            Range { compared, wide, low: low_bound, high: high_bound, steps, counter: self.counter() };
        Some((low.array, range))
    }

    fn side(&self, mask: Value) -> Option<Side> {
        let func = self.func;
        let data = &func.ops[func.def_op(mask)?];
        let (OpKind::Elem(op), &[a, b]) = (&data.kind, &data.args[..]) else { return None };
        let (compared, op, bound) = if func.ty(a).is_array() { (a, *op, b) } else { (b, op.exchanged(), a) };
        let ordered = matches!(op, ElemOp::Lt | ElemOp::Le | ElemOp::Gt | ElemOp::Ge);
        if !ordered || !func.ty(compared).is_array() || !func.ty(bound).is_scalar() {
            return None;
        }
        let dtype = func.ty(compared).dtype()?;
        Some(Side { array: self.before_cast(compared)?, compared: dtype, op, bound })
    }

    /// An array from before the loop, which the loop at most converts.
    fn before_cast(&self, array: Value) -> Option<Value> {
        let data = self.func.def_op(array).map(|op| &self.func.ops[op]);
        let is_before = |value: Value| self.layout.dominates(self.func, value, self.looped);
        match data {
            _ if is_before(array) => Some(array),
            Some(data) if data.kind == OpKind::Cast && is_before(data.args[0]) => Some(data.args[0]),
            _ => None,
        }
    }

    fn counter(&self) -> Value {
        let body = self.func.ops[self.looped].regions[0];
        self.func.blocks[body].params[0]
    }

    /// The operations that compute a number from the counter and from what does not change, those that others need before these.
    fn steps(&self, value: Value, found: &mut Vec<Op>) -> Option<()> {
        let func = self.func;
        if value == self.counter() || self.layout.dominates(func, value, self.looped) {
            return Some(());
        }
        let op = func.def_op(value)?;
        if found.contains(&op) {
            return Some(());
        }
        let data = &func.ops[op];
        let repeats = match data.kind {
            OpKind::Const(_) | OpKind::Cast | OpKind::Dim(_) => true,
            OpKind::Elem(elem) => {
                let last = *data.args.last()?;
                // By a constant divisor, or to a constant power, nothing raises.
                func.as_int(last).is_some_and(|by| by > 0) || !elem.may_raise(func.ty(last).dtype()?)
            }
            OpKind::Load => self.load_repeats(op),
            _ => false,
        };
        if !repeats || !func.ty(value).is_scalar() || found.len() >= LONGEST {
            return None;
        }
        data.args.iter().try_for_each(|&arg| self.steps(arg, found))?;
        found.push(op);
        Some(())
    }

    /// Whether an element is the same before the loop, and a number.
    fn load_repeats(&self, op: Op) -> bool {
        let (func, args) = (self.func, &self.func.ops[op].args);
        let is_number = func.ty(args[0]).dtype().is_some_and(|dtype| dtype.is_int() || dtype.is_float());
        is_number && !self.is_written(args[0]) && args[1..].iter().all(|&index| func.ty(index) == Type::I64)
    }
}

/// Whether numbers above a bound compare so with it.
const fn is_from_below(op: ElemOp) -> bool {
    matches!(op, ElemOp::Gt | ElemOp::Ge)
}

/// The indices of all numbers by range, where those of each range begin, and whether they were found.
#[derive(Clone, Copy)]
pub(super) struct Sorted {
    pub order: Value,
    pub starts: Value,
    pub made: Value,
}

impl Range {
    /// `if wanted { the bounds of all iterations; the indices } else { nothing }`
    pub(super) fn sort(
        &self,
        b: &mut Builder<'_>,
        functions: &Functions,
        array: Value,
        [first, iterations, wanted]: [Value; 3],
    ) -> Sorted {
        let types = [Type::array(DType::I64, 1), Type::array(DType::I64, 1), Type::Scalar(DType::Bool)];
        let sorted = b.region(&[], |b, _| {
            let numbers = self.numbers(b, array);
            let found = self.call(b, functions.ranges[&self.wide], &types, [numbers, first, iterations]);
            b.effect(OpKind::Yield, found);
        });
        let nothing = b.region(&[], |b, _| {
            let zero = b.int(0);
            let mut empty = || b.value(OpKind::Empty, vec![zero], types[0]);
            let (order, starts) = (empty(), empty());
            let no = b.bool(false);
            b.effect(OpKind::Yield, vec![order, starts, no]);
        });
        let choice = b.op(OpKind::If, vec![wanted], &types, vec![sorted, nothing]);
        let &[order, starts, made] = &b.func.ops[choice].results[..] else { unreachable!("three results") };
        Sorted { order, starts, made }
    }

    /// All that is compared, one behind the other.
    fn numbers(&self, b: &mut Builder<'_>, array: Value) -> Value {
        let compared = b.cast(array, self.compared);
        let wide = b.cast(compared, self.wide);
        flat(b, wide)
    }

    fn call(
        &self,
        b: &mut Builder<'_>,
        function: FuncRef,
        types: &[Type],
        [numbers, first, iterations]: [Value; 3],
    ) -> Vec<Value> {
        // A loop that is left early may have far more iterations than it runs; bounds and counts take less memory than the numbers.
        let (length, two, some) = (b.dim(numbers, 0), b.int(2), b.int(1024));
        let most = b.elem(ElemOp::Shr, &[length, two]);
        let most = b.add(most, some);
        let few = b.elem(ElemOp::Le, &[iterations, most]);
        let zero = b.int(0);
        let count = b.select(few, iterations, zero);
        let [lows, highs, fits] = self.bounds(b, first, count);
        let (from_low, to_high) = (b.bool(self.low.belongs), b.bool(self.high.belongs));
        let args = vec![numbers, lows, highs, from_low, to_high, fits];
        let call = b.op(OpKind::Call(function), args, types, vec![]);
        b.func.ops[call].results.clone()
    }

    /// The bounds of all iterations, and whether nothing that computes them raises.
    fn bounds(&self, b: &mut Builder<'_>, first: Value, count: Value) -> [Value; 3] {
        let ty = Type::array(self.wide, 1);
        let lows = b.value(OpKind::Empty, vec![count], ty);
        let highs = b.value(OpKind::Empty, vec![count], ty);
        let (zero, one, yes) = (b.int(0), b.int(1), b.bool(true));
        let fits = b.for_loop([zero, count, one], &[yes], |b, i, carried| {
            let mut cloner = Cloner::default();
            let counter = b.add(first, i);
            cloner.values.insert(self.counter, counter);
            let fits = self.steps.iter().fold(carried[0], |fits, &op| repeat(b, &mut cloner, op, fits));
            for (array, bound) in [(lows, self.low), (highs, self.high)] {
                let value = cloner.values.get(bound.value).unwrap_or(bound.value);
                let value = b.cast(value, self.wide);
                b.effect(OpKind::Store, vec![array, value, i]);
            }
            vec![fits]
        });
        [lows, highs, fits[0]]
    }
}

/// Copies an operation. Of an index outside of an array it gives anything; whether there was none so far.
fn repeat(b: &mut Builder<'_>, cloner: &mut Cloner, op: Op, fits: Value) -> Value {
    if b.func.ops[op].kind != OpKind::Load {
        let copy = cloner.op(b.func, None, op);
        b.func.blocks[b.block].ops.push(copy);
        return fits;
    }
    let args: Vec<Value> =
        b.func.ops[op].args.iter().map(|&arg| cloner.values.get(arg).unwrap_or(arg)).collect();
    let inside = (0..).zip(&args[1..]).fold(fits, |inside, (axis, &index)| {
        let within = is_within(b, args[0], axis, index);
        b.elem(ElemOp::And, &[inside, within])
    });
    let result = b.func.result(op);
    let ty = b.func.ty(result);
    let taken = b.region(&[], |b, _| {
        let element = b.value(OpKind::Load, args, ty);
        b.effect(OpKind::Yield, vec![element]);
    });
    let dtype = ty.dtype().expect("an element is a number");
    let outside = b.region(&[], |b, _| {
        let zero = b.number(0.0, dtype);
        b.effect(OpKind::Yield, vec![zero]);
    });
    let choice = b.op(OpKind::If, vec![inside], &[ty], vec![taken, outside]);
    let element = b.func.result(choice);
    cloner.values.insert(result, element);
    inside
}

/// Whether an index is one of an axis, counted from its beginning or its end.
fn is_within(b: &mut Builder<'_>, array: Value, axis: u8, index: Value) -> Value {
    let (length, zero) = (b.dim(array, axis), b.int(0));
    let least = b.sub(zero, length);
    let above = b.elem(ElemOp::Ge, &[index, least]);
    let below = b.elem(ElemOp::Lt, &[index, length]);
    b.elem(ElemOp::And, &[above, below])
}
