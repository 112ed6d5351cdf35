//! Division that rounds down, of integers and floats.

use super::Scalars;
use super::divider::Divider;
use crate::emit::{Emit, EmitExt, FloatFn, Freedom, Signature, Ty};
use pydd_ir::ElemOp;

impl<E: Emit> Scalars<'_, E> {
    /// A divisor that the processor can divide by: 1 stands for 0, and for -1 of signed types, where the
    /// smallest number has no quotient.
    fn safe_divisor(&self, b: E::V, signed: bool) -> E::V {
        let ir = self.ir;
        let mut bad = ir.is_zero(b);
        if signed {
            bad = ir.or(bad, ir.eq(b, ir.int_like(-1, b)));
        }
        ir.select(bad, ir.int_like(1, b), b)
    }

    /// The exponent of a constant power of two, greater than 1.
    fn power_of_two(&self, b: E::V) -> Option<i64> {
        let b = self.ir.const_int(b).filter(|&b| b > 1)?;
        (b & (b - 1) == 0).then(|| i64::from(b.trailing_zeros()))
    }

    /// On devices, of 64 bits: by half as many where the numbers allow it. Loops that were nests divide their indices.
    pub fn floor_div_on_device(&self, a: E::V, b: E::V) -> E::V {
        let signature = Signature::new(&[Ty::I64; 2], &[Ty::I64]);
        let function = self.m.helper("floor.div", signature, true, |ir, params| {
            let &[a, b] = params else { unreachable!("two parameters") };
            let [short, long, done] = ["short", "long", "done"].map(|name| ir.label(name));
            let quotient = ir.params(done, &[Ty::I64]);
            let is_small = ir.is_zero(ir.lshr(ir.or(a, b), ir.i64(32)));
            ir.cond_br(ir.and(is_small, ir.ne(b, ir.i64(0))), short, long);
            ir.at(short);
            let [small, by] = [a, b].map(|x| ir.int_cast(x, Ty::I32, false));
            ir.br(done, &[ir.int_cast(ir.udiv(small, by), Ty::I64, false)]);
            ir.at(long);
            let plain = Scalars::outside_loops(self.m, ir, Freedom::Exact);
            ir.br(done, &[plain.signed_floor_div(a, b)]);
            ir.at(done);
            quotient
        });
        self.ir.call_one(function, &[a, b])
    }

    pub(super) fn int_floor_div(&self, a: E::V, b: E::V, signed: bool) -> E::V {
        let ir = self.ir;
        if let (true, Some(shift)) = (signed, self.power_of_two(b)) {
            return ir.ashr(a, ir.int_like(shift, a));
        }
        if let Some(by) = self.divider_of(b, signed) {
            return self.divide_by(ElemOp::FloorDiv, a, &by);
        }
        if signed && self.ir.const_int(b).is_some_and(|b| b > 1) {
            return self.floor_div_by_positive(a, b);
        }
        if self.divides_on_device(b, signed) {
            return self.floor_div_on_device(a, b);
        }
        if signed {
            return self.signed_floor_div(a, b);
        }
        let divisor = self.safe_divisor(b, signed);
        ir.select(ir.is_zero(b), ir.int_like(0, a), self.quotient(a, divisor, signed))
    }

    fn divides_on_device(&self, b: E::V, signed: bool) -> bool {
        self.m.on_device && signed && self.width(b) == 64 && self.ir.const_int(b).is_none()
    }

    fn signed_floor_div(&self, a: E::V, b: E::V) -> E::V {
        let ir = self.ir;
        let zero = ir.int_like(0, a);
        let divisor = self.safe_divisor(b, true);
        let quotient = self.quotient(a, divisor, true);
        let rest = ir.sub(a, ir.mul(quotient, divisor));
        let down = ir.sub(quotient, ir.int_like(1, a));
        let quotient = ir.select(self.rounds_up(rest, divisor), down, quotient);
        let quotient = ir.select(ir.eq(b, ir.int_like(-1, b)), ir.neg(a), quotient);
        ir.select(ir.is_zero(b), zero, quotient)
    }

    /// Of a signed number by a positive constant: `~(~a / b)` for negative ones, so that one multiplication does.
    fn floor_div_by_positive(&self, a: E::V, b: E::V) -> E::V {
        let ir = self.ir;
        let sign = ir.ashr(a, ir.int_like(self.width(a) - 1, a));
        ir.xor(ir.udiv(ir.xor(a, sign), b), sign)
    }

    /// Whether rounding toward zero rounded up: there is a rest, and its sign is not the divisor's.
    fn rounds_up(&self, rest: E::V, divisor: E::V) -> E::V {
        let ir = self.ir;
        ir.and(ir.ne(rest, ir.int_like(0, rest)), ir.is_negative(ir.xor(rest, divisor)))
    }

    pub(super) fn int_mod(&self, a: E::V, b: E::V, signed: bool) -> E::V {
        let ir = self.ir;
        if let (true, Some(_)) = (signed, self.power_of_two(b)) {
            return ir.and(a, ir.sub(b, ir.int_like(1, b)));
        }
        if let Some(by) = self.divider_of(b, signed) {
            return self.divide_by(ElemOp::Mod, a, &by);
        }
        if signed && self.ir.const_int(b).is_some_and(|b| b > 1) {
            return ir.sub(a, ir.mul(self.floor_div_by_positive(a, b), b));
        }
        if self.divides_on_device(b, signed) {
            // Beside a quotient it takes no second division.
            let rest = ir.sub(a, ir.mul(self.floor_div_on_device(a, b), b));
            return ir.select(ir.is_zero(b), ir.int_like(0, a), rest);
        }
        let rest = self.int_remainder(a, b, signed);
        if !signed {
            return rest;
        }
        // For the divisors 0 and -1 the rest is 0 and stays so.
        ir.select(self.rounds_up(rest, b), ir.add(rest, b), rest)
    }

    /// C's remainder; 0 for a divisor of 0.
    pub(super) fn int_remainder(&self, a: E::V, b: E::V, signed: bool) -> E::V {
        let ir = self.ir;
        if let Some(by) = self.divider_of(b, signed) {
            return self.divide_by(ElemOp::Fmod, a, &by);
        }
        let divisor = self.safe_divisor(b, signed);
        // Beside a quotient it takes no second division.
        if self.independent && ir.const_int(divisor).is_none() {
            return ir.sub(a, ir.mul(self.quotient(a, divisor, signed), divisor));
        }
        if signed { ir.srem(a, divisor) } else { ir.urem(a, divisor) }
    }

    fn divider_of(&self, b: E::V, signed: bool) -> Option<Divider<E::V>> {
        let by_shift = !signed && self.power_of_two(b).is_some();
        self.divider.or_else(|| self.constant_divider(b, signed).filter(|_| !by_shift))
    }

    /// Rounded toward zero; the divisor is a safe one.
    fn quotient(&self, a: E::V, divisor: E::V, signed: bool) -> E::V {
        let ir = self.ir;
        if !self.divides_as_floats(divisor, signed) {
            return if signed { ir.sdiv(a, divisor) } else { ir.udiv(a, divisor) };
        }
        let float = if self.width(a) == 32 { Ty::F64 } else { Ty::F32 };
        let [a, b] = [a, divisor].map(|x| ir.int_to_float(x, float, signed));
        ir.int_cast(ir.float_to_int(ir.fdiv(a, b, Freedom::Exact), Ty::I32, false), ir.ty(divisor), signed)
    }

    /// Whether integers are divided as floats, which processors do with vectors. A float has at least twice
    /// their bits less a few, so that no quotient is rounded up to a whole number.
    fn divides_as_floats(&self, divisor: E::V, signed: bool) -> bool {
        let bits = self.width(divisor);
        let fits = bits == 8 || bits == 16 || bits == 32 && signed;
        fits && self.independent && self.ir.const_int(divisor).is_none()
    }

    /// Quotient and rest, as NumPy's `npy_divmod` computes them.
    pub(super) fn float_divmod(&self, a: E::V, b: E::V) -> (E::V, E::V) {
        use crate::emit::FloatCmp::{Oeq, Ogt, Olt};
        let (ir, none) = (self.ir, Freedom::Exact);
        let zero = ir.float_like(0.0, a);
        let rest = self.math(ElemOp::Fmod, &[a, b]);
        let quotient = ir.fdiv(ir.fsub(a, rest, none), b, none);

        let opposite = ir.xor(ir.fcmp(Olt, b, zero), ir.fcmp(Olt, rest, zero));
        let exact = ir.fcmp(Oeq, rest, zero);
        let adjust = ir.and(opposite, ir.not(exact));
        let adjusted = ir.select(adjust, ir.fadd(rest, b, none), rest);
        let quotient = ir.select(adjust, ir.fsub(quotient, ir.float_like(1.0, a), none), quotient);
        let modulo = ir.select(exact, self.ir.copysign(zero, b), adjusted);

        let floor = self.ir.float_fn(FloatFn::Floor, quotient);
        let off = ir.fcmp(Ogt, ir.fsub(quotient, floor, none), ir.float_like(0.5, a));
        let floor = ir.select(off, ir.fadd(floor, ir.float_like(1.0, a), none), floor);
        let plain = ir.fdiv(a, b, none);
        let signed_zero = self.ir.copysign(zero, plain);
        let floor = ir.select(ir.fcmp(Oeq, quotient, zero), signed_zero, floor);

        let by_zero = ir.fcmp(Oeq, b, zero);
        (ir.select(by_zero, plain, floor), ir.select(by_zero, rest, modulo))
    }
}
