//! Functions of float32, widened to float64, for processors without fused multiply-add (see [`crate::single`] for others): what needs
//! care there is plain here, and polynomials are shorter.

use crate::arith::{clamp, flip_sign, mul_add, nearest, polynomial, power_of_two};
use crate::coefficients::{
    COS_SHORT, EXP_SHORT, EXPM1_SHORT, HALF_PI_SHORT, INV_LN10_SHORT, LN2_WHOLE_HI, LOG_OF_POWER, LOG_SHORT,
    LOG2_E, SIN_SHORT, TWO_OVER_PI,
};
use crate::huge;
use crate::log::{decompose_normal, with_ends};
use crate::trig::MODERATE;

/// `2^k exp(r)` for the k in the low bits.
#[inline(always)]
fn scaled_exp<const FMA: bool>(r: f64, bits: u64) -> f64 {
    let tail = mul_add::<FMA>(r * r, polynomial::<FMA, _>(r, &EXP_SHORT), r);
    (1.0 + tail) * power_of_two(bits)
}

#[inline(always)]
pub fn exp<const FMA: bool>(x: f64) -> f64 {
    let x = clamp(x, -150.0, 150.0);
    let (k, bits) = nearest(x * LOG2_E);
    scaled_exp::<FMA>(mul_add::<FMA>(-k, LN2_WHOLE_HI, x), bits)
}

#[inline(always)]
pub fn exp2<const FMA: bool>(x: f64) -> f64 {
    let x = clamp(x, -200.0, 200.0);
    let (k, bits) = nearest(x);
    scaled_exp::<FMA>((x - k) * LN2_WHOLE_HI, bits)
}

/// `exp(x) - 1`, precise near 0 as well, for `|x|` up to 200.
#[inline(always)]
fn exp_less_one<const FMA: bool>(x: f64) -> f64 {
    let (k, bits) = nearest(x * LOG2_E);
    let r = mul_add::<FMA>(-k, LN2_WHOLE_HI, x);
    let tail = r * mul_add::<FMA>(r, polynomial::<FMA, _>(r, &EXPM1_SHORT), 1.0);
    let power = power_of_two(bits);
    mul_add::<FMA>(power, tail, power - 1.0)
}

#[inline(always)]
pub fn expm1<const FMA: bool>(x: f64) -> f64 {
    exp_less_one::<FMA>(clamp(x, -150.0, 150.0)).copysign(x)
}

#[inline(always)]
pub fn sinh<const FMA: bool>(x: f64) -> f64 {
    let e = exp_less_one::<FMA>(clamp(x.abs(), 0.0, 150.0));
    (0.5 * (e + e / (e + 1.0))).copysign(x)
}

#[inline(always)]
pub fn cosh<const FMA: bool>(x: f64) -> f64 {
    let e = exp::<FMA>(x.abs());
    0.5 * (e + 1.0 / e)
}

#[inline(always)]
pub fn tanh<const FMA: bool>(x: f64) -> f64 {
    let e = exp_less_one::<FMA>(clamp(2.0 * x.abs(), 0.0, 100.0));
    (e / (e + 2.0)).copysign(x)
}

/// `x = 2^k (1 + f)` for a positive float32: k and `log(1 + f)`.
#[inline(always)]
fn log_parts<const FMA: bool>(x: f64) -> (f64, f64) {
    let (k, m) = decompose_normal(x);
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let half = 0.5 * f * f;
    (k, f - (half - s * (half + z * polynomial::<FMA, _>(z, &LOG_SHORT))))
}

/// The logarithm of a positive float32, to more bits than a float32 has: an exponent multiplies its error. Anything for others.
#[inline(always)]
pub fn log_for_power<const FMA: bool>(x: f64) -> f64 {
    let (k, m) = decompose_normal(x);
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let half = 0.5 * f * f;
    let log = f - (half - s * (half + z * polynomial::<FMA, _>(z, &LOG_OF_POWER)));
    mul_add::<FMA>(k, LN2_WHOLE_HI, log)
}

#[inline(always)]
pub fn log<const FMA: bool>(x: f64) -> f64 {
    let (k, log) = log_parts::<FMA>(x);
    with_ends(x, mul_add::<FMA>(k, LN2_WHOLE_HI, log))
}

#[inline(always)]
pub fn log2<const FMA: bool>(x: f64) -> f64 {
    let (k, log) = log_parts::<FMA>(x);
    with_ends(x, mul_add::<FMA>(log, LOG2_E, k))
}

#[inline(always)]
pub fn log10<const FMA: bool>(x: f64) -> f64 {
    let (k, log) = log_parts::<FMA>(x);
    with_ends(x, mul_add::<FMA>(k, LN2_WHOLE_HI, log) * INV_LN10_SHORT)
}

/// Sine and cosine within a quadrant, and that quadrant's number in the low bits.
#[inline(always)]
fn sine_and_cosine<const FMA: bool>(x: f64) -> (f64, f64, u64) {
    let (k, quadrant) = nearest(x * TWO_OVER_PI);
    let r = mul_add::<FMA>(-k, HALF_PI_SHORT[1], mul_add::<FMA>(-k, HALF_PI_SHORT[0], x));
    let z = r * r;
    let sine = r * mul_add::<FMA>(z, polynomial::<FMA, _>(z, &SIN_SHORT), 1.0);
    let cosine = mul_add::<FMA>(z * z, polynomial::<FMA, _>(z, &COS_SHORT), mul_add::<FMA>(z, -0.5, 1.0));
    (sine, cosine, quadrant)
}

#[inline(always)]
pub fn sin<const FMA: bool>(x: f64) -> f64 {
    if x.abs() > MODERATE {
        return huge::pydd_math_sin_huge(x);
    }
    let (sine, cosine, quadrant) = sine_and_cosine::<FMA>(x);
    flip_sign(if quadrant & 1 == 0 { sine } else { cosine }, quadrant, 1)
}

#[inline(always)]
pub fn cos<const FMA: bool>(x: f64) -> f64 {
    if x.abs() > MODERATE {
        return huge::pydd_math_cos_huge(x);
    }
    let (sine, cosine, quadrant) = sine_and_cosine::<FMA>(x);
    flip_sign(if quadrant & 1 == 0 { cosine } else { sine }, quadrant.wrapping_add(1), 1)
}

#[inline(always)]
pub fn tan<const FMA: bool>(x: f64) -> f64 {
    if x.abs() > MODERATE {
        return huge::pydd_math_tan_huge(x);
    }
    let (sine, cosine, quadrant) = sine_and_cosine::<FMA>(x);
    let (above, below) = if quadrant & 1 == 0 { (sine, cosine) } else { (cosine, sine) };
    flip_sign(above / below, quadrant, 0)
}
