//! Hyperbolic functions of complex numbers `x + iy`, with C99's special values; circular ones are these of `iz`.

use super::Scalars;
use crate::emit::{Emit, EmitExt, FloatCmp, Freedom};
use crate::lower::values::Val;
use pydd_ir::ElemOp;

/// From here on a hyperbolic sine and cosine are half an exponential, which may overflow.
const BIG: f64 = 700.0;
/// From here on a hyperbolic tangent is 1, and its square's distance from 1 a power.
const TANH_IS_ONE: f64 = 20.0;

impl<E: Emit> Scalars<'_, E> {
    /// `-i z`.
    pub(super) fn turned(&self, z: &Val<E::V>) -> Val<E::V> {
        let (re, im) = z.complex();
        Val::Complex(im, self.ir.fneg(re))
    }

    fn is_zero(&self, x: E::V) -> E::V {
        self.ir.fcmp_const(FloatCmp::Oeq, x, 0.0)
    }

    fn times(&self, x: E::V, y: E::V) -> E::V {
        self.ir.fmul(x, y, Freedom::Exact)
    }

    /// `a` times -1 where `sign` is negative.
    fn with_sign_of(&self, a: E::V, sign: E::V) -> E::V {
        self.times(a, self.ir.copysign(self.ir.float_like(1.0, a), sign))
    }

    /// `exp(|x|) / 2` times each of two sines, without overflow on the way.
    fn half_power_times(&self, x: E::V, parts: [E::V; 2]) -> [E::V; 2] {
        let ir = self.ir;
        let rest = ir.fsub(ir.fabs(x), ir.float_like(BIG, x), Freedom::Exact);
        let power = self.math(ElemOp::Exp, &[rest]);
        parts.map(|part| self.times(self.times(power, part), ir.float_like(BIG.exp() / 2.0, x)))
    }

    pub(super) fn complex_sinh(&self, x: E::V, y: E::V) -> Val<E::V> {
        let ir = self.ir;
        let (sine, cosine) = (self.math(ElemOp::Sin, &[y]), self.math(ElemOp::Cos, &[y]));
        let sinh = self.math(ElemOp::Sinh, &[x]);
        let [big_re, big_im] = self.half_power_times(x, [self.with_sign_of(cosine, x), sine]);
        let big = ir.fcmp_const(FloatCmp::Ogt, ir.fabs(x), BIG);
        let re = ir.select(big, big_re, self.times(sinh, cosine));
        let im = ir.select(big, big_im, self.times(self.math(ElemOp::Cosh, &[x]), sine));
        // Without a direction zero and infinity stay themselves.
        let directionless = ir.not(self.is_finite(y));
        let stays = ir.and(directionless, ir.or(self.is_zero(x), self.is_infinite(x)));
        let re = ir.select(stays, x, re);
        let real = self.is_zero(y);
        Val::Complex(ir.select(real, sinh, re), ir.select(real, y, im))
    }

    pub(super) fn complex_cosh(&self, x: E::V, y: E::V) -> Val<E::V> {
        let ir = self.ir;
        let (sine, cosine) = (self.math(ElemOp::Sin, &[y]), self.math(ElemOp::Cos, &[y]));
        let cosh = self.math(ElemOp::Cosh, &[x]);
        let [big_re, big_im] = self.half_power_times(x, [cosine, self.with_sign_of(sine, x)]);
        let big = ir.fcmp_const(FloatCmp::Ogt, ir.fabs(x), BIG);
        let re = ir.select(big, big_re, self.times(cosh, cosine));
        let im = ir.select(big, big_im, self.times(self.math(ElemOp::Sinh, &[x]), sine));
        let directionless = ir.not(self.is_finite(y));
        let re = ir.select(ir.and(directionless, self.is_infinite(x)), ir.fabs(x), re);
        // A real or imaginary number has a real result, with a zero of the signs' product.
        let zero = self.with_sign_of(ir.copysign(ir.float_like(0.0, x), x), y);
        let real = self.is_zero(y);
        let im = ir.select(ir.or(real, ir.and(self.is_zero(x), directionless)), zero, im);
        Val::Complex(ir.select(real, cosh, re), im)
    }

    /// `(sinh x cosh x + i sin y cos y) / (sinh² x + cos² y)`.
    pub(super) fn complex_tanh(&self, x: E::V, y: E::V) -> Val<E::V> {
        let ir = self.ir;
        let constant = |value| ir.float_like(value, x);
        let (sine, cosine) = (self.math(ElemOp::Sin, &[y]), self.math(ElemOp::Cos, &[y]));
        let (sinh, cosh) = (self.math(ElemOp::Sinh, &[x]), self.math(ElemOp::Cosh, &[x]));
        let above = self.times(sine, cosine);
        let below = ir.fadd(self.times(sinh, sinh), self.times(cosine, cosine), Freedom::Exact);
        let re = ir.fdiv(self.times(sinh, cosh), below, Freedom::Exact);
        let im = ir.fdiv(above, below, Freedom::Exact);
        // Far out: 4 exp(-2 |x|) is what is left of the denominator.
        let power = self.math(ElemOp::Exp, &[self.times(constant(-2.0), ir.fabs(x))]);
        let far_im = self.times(self.times(constant(4.0), above), power);
        let infinite = self.is_infinite(x);
        let directionless = ir.not(self.is_finite(y));
        let far_im = ir.select(ir.and(infinite, directionless), ir.copysign(constant(0.0), y), far_im);
        let far = ir.fcmp_const(FloatCmp::Ogt, ir.fabs(x), TANH_IS_ONE);
        let re = ir.select(far, ir.copysign(constant(1.0), x), re);
        let im = ir.select(far, far_im, im);
        let re = ir.select(ir.and(directionless, self.is_zero(x)), x, re);
        Val::Complex(re, ir.select(self.is_zero(y), y, im))
    }
}
