//! Division by an integer that stays the same throughout a loop: by multiplication with a number that is made before it.
//!
//! `n / e` is `(h + ((n - h) >> first)) >> second`, where `h` is the high half of `multiplier * n`: T. Granlund and
//! P. L. Montgomery, "Division by Invariant Integers using Multiplication", PLDI 1994, figure 4.1.

use super::Scalars;
use crate::captures;
use crate::emit::{Emit, EmitExt, Signature, Ty};
use crate::lower::function::FuncCx;
use crate::lower::module::ModuleCx;
use pydd_ir::{ElemOp, Op, OpKind, Value, Version};
use std::collections::BTreeMap;

/// Makes quotients and rests of one divisor, which may be 0.
#[derive(Clone, Copy)]
pub struct Divider<V> {
    /// The divisor; of 8 bits widened to 16, as processors have no instructions on vectors of bytes.
    divisor: V,
    multiplier: V,
    /// Counts of the two shifts.
    first: V,
    second: V,
    signed: bool,
}

impl<E: Emit> FuncCx<'_, E> {
    /// Makes dividers for what a loop divides by and does not change. Gives those that are known outside, to be put back behind it.
    pub fn make_dividers(&mut self, op: Op) -> BTreeMap<Value, Divider<E::V>> {
        let outside = self.dividers.clone();
        // On devices an iteration is a call, and there is a short way for small numbers.
        if self.func.version == Version::General || self.m.options.opt_level < 2 || self.m.on_device {
            return outside;
        }
        for divisor in self.invariant_divisors(op) {
            let signed = self.ty(divisor).dtype().is_some_and(pydd_ir::DType::is_signed_int);
            let made = divider(self.m, &self.ir, self.scalar(divisor), signed);
            self.dividers.insert(divisor, made);
        }
        outside
    }

    /// What integers are divided by in a loop and is known before it; constants are the backend's.
    fn invariant_divisors(&self, op: Op) -> Vec<Value> {
        let func = self.func;
        let body = func.ops[op].regions[0];
        let mut found = Vec::new();
        func.walk(body, &mut |op| {
            let data = &func.ops[op];
            if let OpKind::Elem(ElemOp::FloorDiv | ElemOp::Mod | ElemOp::Fmod) = data.kind
                && self.ty(data.args[1]).dtype().is_some_and(pydd_ir::DType::is_int)
                && func.as_const(data.args[1]).is_none()
                && !self.dividers.contains_key(&data.args[1])
            {
                found.push(data.args[1]);
            }
        });
        if found.is_empty() {
            return found;
        }
        let outside = captures::of(func, body);
        found.sort_unstable();
        found.dedup();
        found.retain(|divisor| outside.contains(divisor));
        found
    }
}

/// Makes a divider where the code stands.
fn divider<E: Emit>(m: &ModuleCx<'_, E>, ir: &E, divisor: E::V, signed: bool) -> Divider<E::V> {
    let divisor = if ir.ty(divisor) == Ty::I8 { ir.int_cast(divisor, Ty::I16, signed) } else { divisor };
    let ty = ir.ty(divisor);
    let size = if signed { ir.int_abs(divisor) } else { divisor };
    let size = ir.select(ir.is_zero(size), ir.int_like(1, size), size);
    let wide = ir.int_cast(size, Ty::I64, false);
    let signature = Signature::new(&[Ty::I64], &[Ty::I64, Ty::I64]);
    let name = format!("divider.{}", ty.bits());
    let function = m.helper(&name, signature, true, |ir, params| multiplier(ir, ty, params[0]));
    let parts = ir.call(function, &[wide]);
    let (multiplier, log) = (ir.int_cast(parts[0], ty, false), ir.int_cast(parts[1], ty, false));
    let any = ir.ne(log, ir.int_like(0, log));
    let one = ir.int_like(1, log);
    let first = ir.select(any, one, log);
    let second = ir.select(any, ir.sub(log, one), log);
    Divider { divisor, multiplier, first, second, signed }
}

/// `2^w * (2^l - e) / e + 1` for a divisor `e` of `w` bits, and `l`, the least number with `e <= 2^l`.
fn multiplier<E: Emit>(ir: &E, ty: Ty, size: E::V) -> Vec<E::V> {
    let (log, power) = next_power(ir, size);
    let over = ir.sub(power, size);
    let one = ir.i64(1);
    if ty != Ty::I64 {
        let quotient = ir.udiv(ir.shl(over, ir.i64(i64::from(ty.bits()))), size);
        return vec![ir.add(quotient, one), log];
    }
    let [short, long, done] = ["short", "long", "done"].map(|name| ir.label(name));
    let quotient = ir.params(done, &[Ty::I64])[0];
    let half = ir.i64(32);
    ir.cond_br(ir.is_zero(ir.lshr(size, half)), short, long);

    // Two digits of 32 bits.
    ir.at(short);
    let dividend = ir.shl(over, half);
    let high = ir.udiv(dividend, size);
    let rest = ir.sub(dividend, ir.mul(high, size));
    let low = ir.udiv(ir.shl(rest, half), size);
    ir.br(done, &[ir.or(ir.shl(high, half), low)]);

    ir.at(long);
    bit_by_bit(ir, over, size, done);
    ir.at(done);
    vec![ir.add(quotient, one), log]
}

/// The least `l` with `size <= 2^l`, and `2^l`; 0 for `2^64`.
fn next_power<E: Emit>(ir: &E, size: E::V) -> (E::V, E::V) {
    let [next, more, found] = ["next", "more", "found"].map(|name| ir.label(name));
    let parts = ir.params(next, &[Ty::I64, Ty::I64]);
    let (log, power) = (parts[0], parts[1]);
    let one = ir.i64(1);
    ir.br(next, &[ir.i64(0), one]);
    ir.at(next);
    // 2^64 is 0, and not less than anything.
    let less = ir.and(ir.ult(power, size), ir.ne(power, ir.i64(0)));
    ir.cond_br(less, more, found);
    ir.at(more);
    ir.br(next, &[ir.add(log, one), ir.shl(power, one)]);
    ir.at(found);
    (log, power)
}

/// Goes to `done` with `2^64 * rest / size`; `rest` is less than `size`.
fn bit_by_bit<E: Emit>(ir: &E, rest: E::V, size: E::V, done: E::Label) {
    let [next, more, end] = ["next", "more", "end"].map(|name| ir.label(name));
    let parts = ir.params(next, &[Ty::I64; 3]);
    let (count, rest_now, quotient) = (parts[0], parts[1], parts[2]);
    let (zero, one) = (ir.i64(0), ir.i64(1));
    ir.br(next, &[zero, rest, zero]);
    ir.at(next);
    ir.cond_br(ir.ult(count, ir.i64(64)), more, end);
    ir.at(more);
    let doubled = ir.shl(rest_now, one);
    let fits = ir.or(ir.is_negative(rest_now), ir.not(ir.ult(doubled, size)));
    let rest_next = ir.select(fits, ir.sub(doubled, size), doubled);
    let bit = ir.int_cast(fits, Ty::I64, false);
    ir.br(next, &[ir.add(count, one), rest_next, ir.or(ir.shl(quotient, one), bit)]);
    ir.at(end);
    ir.br(done, &[quotient]);
}

impl<E: Emit> Scalars<'_, E> {
    /// `a // d`, `a % d` or C's remainder, as `op` says; 0 for a divisor of 0.
    pub(super) fn divide_by(&self, op: ElemOp, a: E::V, by: &Divider<E::V>) -> E::V {
        let ir = self.ir;
        let ty = ir.ty(a);
        let a = ir.int_cast(a, ir.ty(by.divisor), by.signed);
        let result = match (op, by.signed) {
            (ElemOp::FloorDiv, false) => self.unsigned_quotient(a, by),
            (ElemOp::FloorDiv, true) => self.floor_quotient(a, by),
            (ElemOp::Mod, true) => ir.sub(a, ir.mul(self.floor_quotient(a, by), by.divisor)),
            (_, false) => ir.sub(a, ir.mul(self.unsigned_quotient(a, by), by.divisor)),
            (_, true) => self.signed_remainder(a, by),
        };
        let result = ir.select(ir.is_zero(by.divisor), ir.int_like(0, result), result);
        ir.int_cast(result, ty, by.signed)
    }

    fn unsigned_quotient(&self, n: E::V, by: &Divider<E::V>) -> E::V {
        let ir = self.ir;
        let high = self.high_product(by.multiplier, n);
        ir.lshr(ir.add(high, ir.lshr(ir.sub(n, high), by.first)), by.second)
    }

    /// Of signed numbers, rounded down: with `t / |d|` of `t = a` or `-a`, or `~(~t / |d|)` where `t` is negative.
    fn floor_quotient(&self, a: E::V, by: &Divider<E::V>) -> E::V {
        let ir = self.ir;
        let last = ir.int_like(self.width(a) - 1, a);
        let flip = ir.ashr(by.divisor, last);
        let turned = ir.sub(ir.xor(a, flip), flip);
        // The smallest number has no opposite: it is one without a sign.
        let sign = ir.ashr(ir.and(turned, ir.not(ir.and(a, flip))), last);
        ir.xor(self.unsigned_quotient(ir.xor(turned, sign), by), sign)
    }

    fn signed_remainder(&self, a: E::V, by: &Divider<E::V>) -> E::V {
        let ir = self.ir;
        let sign = ir.ashr(a, ir.int_like(self.width(a) - 1, a));
        let size = ir.sub(ir.xor(a, sign), sign);
        // Whatever the divisor's sign is, its multiples are the same.
        let rest = ir.sub(size, ir.mul(self.unsigned_quotient(size, by), ir.int_abs(by.divisor)));
        ir.sub(ir.xor(rest, sign), sign)
    }

    /// The upper half of a product of unsigned numbers. Of 64 bits it is made of four products of 32, since
    /// processors have no instruction for it on vectors: H. S. Warren, "Hacker's Delight", 8-2.
    fn high_product(&self, a: E::V, b: E::V) -> E::V {
        let ir = self.ir;
        let ty = ir.ty(a);
        if ty != Ty::I64 {
            let wide = if ty == Ty::I16 { Ty::I32 } else { Ty::I64 };
            let product = ir.mul(ir.int_cast(a, wide, false), ir.int_cast(b, wide, false));
            return ir.int_cast(ir.lshr(product, ir.int(wide, i64::from(ty.bits()))), ty, false);
        }
        let half = ir.i64(32);
        let low = |x| ir.and(x, ir.i64(0xffff_ffff));
        let high = |x| ir.lshr(x, half);
        let (a0, a1, b0, b1) = (low(a), high(a), low(b), high(b));
        let middle = ir.add(ir.mul(a1, b0), high(ir.mul(a0, b0)));
        let other = ir.add(ir.mul(a0, b1), low(middle));
        ir.add(ir.add(ir.mul(a1, b1), high(middle)), high(other))
    }

    /// The divider of a constant that is not 0.
    pub(super) fn constant_divider(&self, divisor: E::V, signed: bool) -> Option<Divider<E::V>> {
        let ir = self.ir;
        let value = ir.const_int(divisor).filter(|_| ir.ty(divisor) == Ty::I64 && self.independent)?;
        let size = if signed { value.unsigned_abs() } else { value.cast_unsigned() };
        let log = (size != 0).then(|| size.checked_next_power_of_two().map_or(64, u64::trailing_zeros))?;
        let over = (1_u128 << log) - u128::from(size);
        #[allow(
            clippy::cast_possible_truncation,
            reason = "the quotient is less than 2^64, but for its wrapping"
        )]
        let multiplier = ((over << 64) / u128::from(size)) as u64;
        let number = |n: u64| ir.i64(n.cast_signed());
        Some(Divider {
            divisor,
            multiplier: number(multiplier.wrapping_add(1)),
            first: number(u64::from(log.min(1))),
            second: number(u64::from(log.saturating_sub(1))),
            signed,
        })
    }
}
