//! Conditions: what holds where they do, and which of them certainly hold.

use pydd_ir::{ElemOp, Literal, Op, OpKind, Type, Value};

use super::{Ranges, intervals};
use crate::analysis::affine::{Affine, Interval};
use crate::analysis::patterns::{self, same_bits};

/// How deep conditions are taken apart.
const DEPTH: u32 = 8;

impl Ranges<'_> {
    /// Whether a condition certainly holds here, or certainly does not.
    #[must_use]
    pub fn decides(&self, condition: Value) -> Option<bool> {
        let op = self.func.def_op(condition)?;
        let data = &self.func.ops[op];
        let (elem, a, b) = match (&data.kind, &data.args[..]) {
            (OpKind::Const(Literal::Bool(value)), _) => return Some(*value),
            (OpKind::Elem(ElemOp::Not), &[a]) => return self.decides(a).map(|holds| !holds),
            (OpKind::Elem(elem), &[a, b]) => (*elem, a, b),
            _ => return None,
        };
        match elem {
            ElemOp::And | ElemOp::Or if self.func.ty(a) == Type::BOOL => {
                let ends = elem == ElemOp::Or;
                match (self.decides(a), self.decides(b)) {
                    (Some(x), _) | (_, Some(x)) if x == ends => Some(ends),
                    (Some(_), Some(_)) => Some(!ends),
                    _ => None,
                }
            }
            _ => self.decides_comparison(elem, a, b),
        }
    }

    fn decides_comparison(&self, elem: ElemOp, a: Value, b: Value) -> Option<bool> {
        if let Some((x, y)) = self.unsigned_operands(a, b) {
            let end = self.form(y);
            let wrapped = self.wrapped_index(x, &end);
            let position = self.form(wrapped.unwrap_or(x));
            let first = if wrapped.is_some() { position.add(&end)? } else { position.clone() };
            let below =
                elem == ElemOp::Lt && self.proves(&first) && self.proves(&end.sub(&position)?.shift(-1)?);
            return below.then_some(true);
        }
        intervals::limits(self.func.ty(a))?;
        // At least 0 where b >= a.
        let up = self.form(b).sub(&self.form(a))?;
        let down = up.scale(-1)?;
        let (less, greater) = (up.shift(-1)?, down.shift(-1)?);
        let one = |yes: &Affine, no: &Affine| match (self.proves(yes), self.proves(no)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        match elem {
            ElemOp::Lt => one(&less, &down),
            ElemOp::Le => one(&up, &greater),
            ElemOp::Gt => one(&greater, &up),
            ElemOp::Ge => one(&down, &less),
            ElemOp::Ne if self.proves(&less) || self.proves(&greater) => Some(true),
            ElemOp::Eq if self.proves(&less) || self.proves(&greater) => Some(false),
            _ => None,
        }
    }

    /// The int64 values that are compared as unsigned numbers.
    #[must_use]
    pub fn unsigned_operands(&self, a: Value, b: Value) -> Option<(Value, Value)> {
        Some((same_bits(self.func, a)?, same_bits(self.func, b)?))
    }

    /// The index that `select (lt i, 0), (add i, n), i` counts from the end where it is negative, `n` being
    /// `length`.
    #[must_use]
    pub fn wrapped_index(&self, value: Value, length: &Affine) -> Option<Value> {
        patterns::wrapped_index(self.func, value, &|added| self.form(added) == *length)
    }

    /// Remembers what holds where a condition does, or does not.
    pub(super) fn assume(&mut self, condition: Value, holds: bool) {
        self.assume_to(condition, holds, DEPTH);
    }

    fn assume_to(&mut self, condition: Value, holds: bool, depth: u32) {
        let (Some(op), Some(depth)) = (self.func.def_op(condition), depth.checked_sub(1)) else { return };
        let data = &self.func.ops[op];
        match (&data.kind, &data.args[..]) {
            (OpKind::Elem(ElemOp::Not), &[a]) => self.assume_to(a, !holds, depth),
            (OpKind::Elem(elem @ (ElemOp::And | ElemOp::Or)), &[a, b])
                if self.func.ty(a) == Type::BOOL && holds == (*elem == ElemOp::And) =>
            {
                self.assume_to(a, holds, depth);
                self.assume_to(b, holds, depth);
            }
            (OpKind::Elem(elem), &[a, b]) => self.assume_comparison(*elem, a, b, holds),
            (OpKind::If, &[first]) => self.assume_short_circuit(op, condition, first, holds, depth),
            _ => {}
        }
    }

    /// `a and b` is `if a { yield b } else { yield false }`, `a or b` is `if a { yield true } else { yield b }`.
    fn assume_short_circuit(&mut self, op: Op, condition: Value, first: Value, holds: bool, depth: u32) {
        let data = &self.func.ops[op];
        let Some(index) = data.results.iter().position(|&r| r == condition) else { return };
        let yielded = |side: usize| {
            let end = self.func.terminator(data.regions[side])?;
            (self.func.ops[end].kind == OpKind::Yield).then(|| self.func.ops[end].args[index])
        };
        let sides = [yielded(0), yielded(1)];
        for side in [0, 1] {
            let other = sides[1 - side].and_then(|v| self.func.as_const(v));
            // The other side would have given the opposite, so this one was taken.
            if other == Some(&Literal::Bool(!holds)) {
                self.assume_to(first, side == 0, depth);
                if let Some(value) = sides[side] {
                    self.assume_to(value, holds, depth);
                }
            }
        }
    }

    fn assume_comparison(&mut self, elem: ElemOp, a: Value, b: Value, holds: bool) {
        if let Some((x, y)) = self.unsigned_operands(a, b) {
            let end = self.form(y);
            if elem == ElemOp::Lt && holds && self.proves(&end) {
                let position = self.form(x);
                let direct = self.wrapped_index(x, &end).map(|index| self.form(index));
                let mut facts = vec![end.sub(&position), Some(position)];
                facts[0] = facts[0].as_ref().and_then(|room| room.shift(-1));
                if let Some(index) = direct {
                    facts.extend([index.add(&end), end.sub(&index).and_then(|room| room.shift(-1))]);
                }
                facts.into_iter().flatten().for_each(|fact| self.facts.push(fact));
            }
            return;
        }
        if intervals::limits(self.func.ty(a)).is_none() {
            return;
        }
        let Some(up) = self.form(b).sub(&self.form(a)) else { return };
        let Some(down) = up.scale(-1) else { return };
        let elem = if holds { elem } else { opposite(elem) };
        let (strict, sums) = match elem {
            ElemOp::Lt => (1, [Some(up), None]),
            ElemOp::Le => (0, [Some(up), None]),
            ElemOp::Gt => (1, [Some(down), None]),
            ElemOp::Ge => (0, [Some(down), None]),
            ElemOp::Eq => (0, [Some(up), Some(down)]),
            // One bound that excludes its own end.
            ElemOp::Ne => (1, [self.proves(&up).then_some(up), self.proves(&down).then_some(down)]),
            _ => return,
        };
        for sum in sums.into_iter().flatten() {
            if let Some(fact) = sum.shift(-strict) {
                self.facts.push(fact);
            }
        }
    }

    /// Remembers that a value is within these limits of int64.
    pub(super) fn assume_within(&mut self, value: Value, limits: Interval) {
        let form = self.form(value);
        let above = form.shift(-limits.low);
        let below = form.scale(-1).and_then(|negated| negated.shift(limits.high));
        [above, below].into_iter().flatten().for_each(|fact| self.facts.push(fact));
    }
}

const fn opposite(elem: ElemOp) -> ElemOp {
    match elem {
        ElemOp::Lt => ElemOp::Ge,
        ElemOp::Le => ElemOp::Gt,
        ElemOp::Gt => ElemOp::Le,
        ElemOp::Ge => ElemOp::Lt,
        ElemOp::Eq => ElemOp::Ne,
        ElemOp::Ne => ElemOp::Eq,
        other => other,
    }
}
