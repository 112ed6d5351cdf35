//! Conditions: what holds where they do, and which of them certainly hold.

use pydd_ir::interval::Interval;
use pydd_ir::{ElemOp, Literal, Op, OpKind, Type, Value};

use super::Known;
use crate::analysis::arithmetic::Claim;
use crate::analysis::intervals;
use crate::analysis::patterns::moved_once;
use crate::analysis::symbol::Poly;

/// How deep conditions are taken apart.
const DEPTH: u32 = 32;

/// Whether a condition certainly holds here, or certainly does not.
pub(super) fn decides<K: Known>(known: &K, condition: Value) -> Option<bool> {
    let func = known.func();
    let data = &func.ops[func.def_op(condition)?];
    let (elem, a, b) = match (&data.kind, &data.args[..]) {
        (OpKind::Const(Literal::Bool(value)), _) => return Some(*value),
        (OpKind::Elem(ElemOp::Not), &[a]) => return decides(known, a).map(|holds| !holds),
        (OpKind::Elem(elem), &[a, b]) => (*elem, a, b),
        _ => return None,
    };
    match elem {
        ElemOp::And | ElemOp::Or if func.ty(a) == Type::BOOL => {
            let ends = elem == ElemOp::Or;
            match (decides(known, a), decides(known, b)) {
                (Some(x), _) | (_, Some(x)) if x == ends => Some(ends),
                (Some(_), Some(_)) => Some(!ends),
                _ => None,
            }
        }
        _ => decides_comparison(known, elem, a, b),
    }
}

fn decides_comparison<K: Known>(known: &K, elem: ElemOp, a: Value, b: Value) -> Option<bool> {
    if let Some((x, y)) = known.unsigned_operands(a, b) {
        let end = known.form(y);
        let wrapped = known.wrapped_index(x, &end);
        let position = known.form(wrapped.unwrap_or(x));
        let first = if wrapped.is_some() { position.add(&end)? } else { position.clone() };
        let below =
            elem == ElemOp::Lt && known.proves(&first) && known.proves(&end.sub(&position)?.shift(-1)?);
        return below.then_some(true);
    }
    intervals::limits(known.func().ty(a))?;
    let (x, y) = (known.form(a), known.form(b));
    let holds = |holds| match Claim::new(elem, &x, &y, holds) {
        Some(Claim::AtLeastZero(sum)) => known.proves(&sum),
        Some(Claim::Zero(sum)) => sum.is_zero() || known.proves(&sum) && known.proves(&sum.neg()),
        Some(Claim::Either(sums)) => sums.iter().any(|sum| known.proves(sum)),
        None => false,
    };
    if holds(true) { Some(true) } else { holds(false).then_some(false) }
}

/// Remembers what holds where a condition does, or does not.
pub(super) fn assume<K: Known>(known: &mut K, condition: Value, holds: bool) {
    assume_to(known, condition, holds, DEPTH);
}

fn assume_to<K: Known>(known: &mut K, condition: Value, holds: bool, depth: u32) {
    let func = known.func();
    let (Some(op), Some(depth)) = (func.def_op(condition), depth.checked_sub(1)) else { return };
    let data = &func.ops[op];
    match (&data.kind, &data.args[..]) {
        (OpKind::Elem(ElemOp::Not), &[a]) => assume_to(known, a, !holds, depth),
        (OpKind::Elem(elem @ (ElemOp::And | ElemOp::Or)), &[a, b])
            if func.ty(a) == Type::BOOL && holds == (*elem == ElemOp::And) =>
        {
            assume_to(known, a, holds, depth);
            assume_to(known, b, holds, depth);
        }
        (OpKind::Elem(elem), &[a, b]) => {
            let elem = *elem;
            assume_comparison(known, elem, a, b, holds);
        }
        (OpKind::If, &[first]) => assume_short_circuit(known, op, condition, (first, holds), depth),
        _ => {}
    }
}

/// `a and b` is `if a { yield b } else { yield false }`, `a or b` is `if a { yield true } else { yield b }`.
fn assume_short_circuit<K: Known>(
    known: &mut K,
    op: Op,
    condition: Value,
    (first, holds): (Value, bool),
    depth: u32,
) {
    let func = known.func();
    let data = &func.ops[op];
    let Some(index) = data.results.iter().position(|&r| r == condition) else { return };
    let yielded = |side: usize| {
        let end = func.terminator(data.regions[side])?;
        (func.ops[end].kind == OpKind::Yield).then(|| func.ops[end].args[index])
    };
    let sides = [yielded(0), yielded(1)];
    // The side that would have given the opposite was not taken.
    let excluded = sides.map(|value| value.and_then(|v| func.as_const(v)) == Some(&Literal::Bool(!holds)));
    for side in [0, 1] {
        if excluded[1 - side] {
            assume_to(known, first, side == 0, depth);
            if let Some(value) = sides[side] {
                assume_to(known, value, holds, depth);
            }
        }
    }
}

/// What a number and a constant are together, which may have wrapped around, where it is known to be in `0..end`: no other number
/// comes to that.
fn unwrapped_sum<K: Known>(known: &K, sum: Value, end: &Poly) -> Option<Poly> {
    let func = known.func();
    let (value, more) = moved_once(func, sum).filter(|(value, _)| func.ty(*value) == Type::I64)?;
    let values = Interval::new(-i128::from(more), known.interval_of(end).high - 1 - i128::from(more));
    Interval::I64.contains(values).then(|| known.form(value).shift(more))?
}

fn assume_comparison<K: Known>(known: &mut K, elem: ElemOp, a: Value, b: Value, holds: bool) {
    if let Some((x, y)) = known.unsigned_operands(a, b) {
        let end = known.form(y);
        if elem == ElemOp::Lt && holds && known.proves(&end) {
            let position = known.form(x);
            let direct = known.wrapped_index(x, &end).map(|index| known.form(index));
            let below = |sum: &Poly| end.sub(sum).and_then(|room| room.shift(-1));
            let mut facts = vec![below(&position), Some(position)];
            if let Some(index) = direct {
                facts.extend([index.add(&end), below(&index)]);
            }
            if let Some(sum) = unwrapped_sum(known, x, &end) {
                facts.extend([below(&sum), Some(sum)]);
            }
            facts.into_iter().flatten().for_each(|fact| known.facts_mut().push(fact));
        }
        return;
    }
    if intervals::limits(known.func().ty(a)).is_none() {
        return;
    }
    match Claim::new(elem, &known.form(a), &known.form(b), holds) {
        Some(Claim::AtLeastZero(sum)) => known.facts_mut().push(sum),
        Some(Claim::Zero(sum)) => {
            let negative = sum.neg();
            known.facts_mut().push(sum);
            known.facts_mut().push(negative);
        }
        // Where one of them is excluded, the other one holds.
        Some(Claim::Either([x, y])) => {
            let excluded = |sum: &Poly| sum.neg().shift(-1).is_some_and(|sum| known.proves(&sum));
            let (first, second) = (excluded(&y), excluded(&x));
            for (sum, _) in [(x, first), (y, second)].into_iter().filter(|(_, holds)| *holds) {
                known.facts_mut().push(sum);
            }
        }
        None => {}
    }
}
