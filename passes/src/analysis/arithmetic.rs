//! What operations on integers mean as polynomials: what they compute, what a comparison says, and what is known of a
//! result that is no polynomial.
//!
//! Arithmetic is that of whole numbers here. Who reads a value in this way says why its operation does not overflow, or
//! why it does no harm.

use pydd_ir::poly::{Poly, Symbol};
use pydd_ir::{ElemOp, Function, OpKind, Value};

/// The sum, difference, product or multiple that an operation computes, given what its operands are.
pub fn sum<S: Symbol>(
    func: &Function,
    value: Value,
    operand: &mut dyn FnMut(Value) -> Option<Poly<S>>,
) -> Option<Poly<S>> {
    let data = &func.ops[func.def_op(value)?];
    let OpKind::Elem(elem) = data.kind else { return None };
    match (elem, &data.args[..]) {
        (ElemOp::Add, &[a, b]) => operand(a)?.add(&operand(b)?),
        (ElemOp::Sub, &[a, b]) => operand(a)?.sub(&operand(b)?),
        (ElemOp::Mul, &[a, b]) => operand(a)?.mul(&operand(b)?),
        (ElemOp::Neg, &[a]) => Some(operand(a)?.neg()),
        (ElemOp::Shl, &[a, b]) => {
            let by = func.as_int(b).filter(|by| (0..32).contains(by))?;
            operand(a)?.scale(1 << by)
        }
        _ => None,
    }
}

/// What a comparison says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim<S> {
    AtLeastZero(Poly<S>),
    Zero(Poly<S>),
    /// One of them is at least 0.
    Either([Poly<S>; 2]),
}

impl<S: Symbol> Claim<S> {
    /// What it means that `a op b` holds, or that it does not.
    #[must_use]
    pub fn new(op: ElemOp, a: &Poly<S>, b: &Poly<S>, holds: bool) -> Option<Self> {
        let beyond = |high: &Poly<S>, low: &Poly<S>| high.sub(low)?.shift(-1);
        Some(match (op, holds) {
            (ElemOp::Lt, true) | (ElemOp::Ge, false) => Self::AtLeastZero(beyond(b, a)?),
            (ElemOp::Gt, true) | (ElemOp::Le, false) => Self::AtLeastZero(beyond(a, b)?),
            (ElemOp::Le, true) | (ElemOp::Gt, false) => Self::AtLeastZero(b.sub(a)?),
            (ElemOp::Ge, true) | (ElemOp::Lt, false) => Self::AtLeastZero(a.sub(b)?),
            (ElemOp::Eq, true) | (ElemOp::Ne, false) => Self::Zero(b.sub(a)?),
            (ElemOp::Ne, true) | (ElemOp::Eq, false) => Self::Either([beyond(b, a)?, beyond(a, b)?]),
            _ => return None,
        })
    }
}

/// What is at least 0 since `this` is `op` of `x` and `y`.
#[must_use]
pub fn definition<S: Symbol>(op: ElemOp, this: &Poly<S>, x: &Poly<S>, y: &Poly<S>) -> Vec<Poly<S>> {
    let facts = match op {
        ElemOp::Min => [x.sub(this), y.sub(this)],
        ElemOp::Max => [this.sub(x), this.sub(y)],
        ElemOp::FloorDiv | ElemOp::Shr => {
            let Some(by) = divisor(op, y) else { return Vec::new() };
            let rest = x.plus(-by, this);
            let room = rest.as_ref().and_then(|rest| rest.neg().shift(by - 1));
            [rest, room]
        }
        // Of a positive `y`.
        ElemOp::Mod => [Some(this.clone()), y.sub(this).and_then(|room| room.shift(-1))],
        _ => return Vec::new(),
    };
    facts.into_iter().flatten().collect()
}

/// What an operation divides by, rounding down, where that is a positive number.
fn divisor<S: Symbol>(op: ElemOp, y: &Poly<S>) -> Option<i64> {
    let by = y.as_i64()?;
    match op {
        ElemOp::FloorDiv => (by > 0).then_some(by),
        _ => (0..32).contains(&by).then(|| 1 << by),
    }
}

#[cfg(test)]
mod tests {
    use pydd_ir::{Entity, Value};

    use super::*;
    use crate::analysis::symbol;

    fn v(index: usize) -> Poly<symbol::Symbol> {
        symbol::value(Value::new(index))
    }

    #[test]
    fn comparisons_and_their_opposites() {
        let (a, b) = (v(1), v(2));
        let said = |op, holds| match Claim::new(op, &a, &b, holds).unwrap() {
            Claim::AtLeastZero(sum) => format!("{sum} >= 0"),
            Claim::Zero(sum) => format!("{sum} == 0"),
            Claim::Either([x, y]) => format!("{x} >= 0 or {y} >= 0"),
        };
        assert_eq!(said(ElemOp::Lt, true), "-%1 + %2 - 1 >= 0");
        assert_eq!(said(ElemOp::Le, true), "-%1 + %2 >= 0");
        assert_eq!(said(ElemOp::Gt, true), "%1 - %2 - 1 >= 0");
        assert_eq!(said(ElemOp::Ge, true), "%1 - %2 >= 0");
        assert_eq!(said(ElemOp::Eq, true), "-%1 + %2 == 0");
        assert_eq!(said(ElemOp::Ne, true), "-%1 + %2 - 1 >= 0 or %1 - %2 - 1 >= 0");
        for (op, opposite) in [(ElemOp::Lt, ElemOp::Ge), (ElemOp::Le, ElemOp::Gt), (ElemOp::Eq, ElemOp::Ne)] {
            assert_eq!(said(op, false), said(opposite, true));
            assert_eq!(said(opposite, false), said(op, true));
        }
        assert_eq!(Claim::new(ElemOp::Add, &a, &b, true), None);
    }

    #[test]
    fn definitions_hold_for_numbers() {
        let number = |n: i64| Poly::<symbol::Symbol>::constant(n);
        for x in -9..=9_i64 {
            for y in 1..=4_i64 {
                let results = [
                    (ElemOp::Min, x.min(y)),
                    (ElemOp::Max, x.max(y)),
                    (ElemOp::FloorDiv, x.div_euclid(y)),
                    (ElemOp::Mod, x.rem_euclid(y)),
                    (ElemOp::Shr, x >> y),
                ];
                for (op, result) in results {
                    let facts = definition(op, &number(result), &number(x), &number(y));
                    assert_eq!(facts.len(), 2);
                    assert!(facts.iter().all(|fact| fact.as_i64() >= Some(0)), "{op:?} of {x} and {y}");
                }
            }
        }
        assert!(definition(ElemOp::FloorDiv, &v(0), &v(1), &number(-2)).is_empty());
        assert!(definition(ElemOp::FloorDiv, &v(0), &v(1), &v(2)).is_empty());
    }
}
