//! Exponentials and hyperbolic functions of float32: `x = k ln 2 + r`, as in [`crate::exp`].

use super::arith::{clamp, fast_two_sum, fma, nearest_multiple, polynomial, power_of_two, scale, two_sum};
use crate::coefficients::{COSH_F32, EXP_F32, EXPM1_F32, LN2_FUSED_F32, LOG2_E_F32, SINH_F32, TANH_F32};

/// Larger arguments give infinity, smaller ones than its negative zero.
const LARGEST: f32 = 106.0;
/// The same of hyperbolic functions; a quarter of its power of 2 is finite.
const LARGEST_HYPERBOLIC: f32 = 89.6;

/// The bits that hold k, and `r + low`.
#[inline(always)]
fn reduce(x: f32) -> (u32, f32, f32) {
    let (k, bits) = nearest_multiple(x, LOG2_E_F32[0]);
    let high = fma(-k, LN2_FUSED_F32[0], x);
    let r = fma(-k, LN2_FUSED_F32[1], high);
    (bits, r, fma(-k, LN2_FUSED_F32[1], high - r))
}

/// `exp(r)`.
#[inline(always)]
fn exp_of_rest(r: f32) -> f32 {
    1.0 + fma(r * r, polynomial(r, &EXP_F32), r)
}

#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let x = clamp(x, -LARGEST, LARGEST);
    let (k, bits) = nearest_multiple(x, LOG2_E_F32[0]);
    let r = fma(-k, LN2_FUSED_F32[1], fma(-k, LN2_FUSED_F32[0], x));
    scale(exp_of_rest(r), bits)
}

#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    let x = clamp(x, -152.0, 152.0);
    let (k, bits) = nearest_multiple(x, 1.0);
    scale(exp_of_rest((x - k) * LN2_FUSED_F32[0]), bits)
}

#[inline(always)]
pub fn expm1(x: f32) -> f32 {
    let (bits, r, low) = reduce(clamp(x, -20.0, 89.0));
    let half = power_of_two(bits.wrapping_sub(1));
    let (sum, error) = two_sum(half - 0.5, half * r);
    let tail = fma(r * r, polynomial(r, &EXPM1_F32), low);
    let result = 2.0 * (sum + fma(half, tail, error));
    // Of zero the sign; what is tiny is itself.
    if x.abs() < 1e-8 { x } else { result }
}

/// `p exp(r) - n exp(-r)` and `p exp(r) + n exp(-r)` without their leading parts `p - n` and `p + n`.
#[inline(always)]
fn difference_and_sum(p: f32, n: f32, r: f32, low: f32) -> (f32, f32) {
    let z = r * r;
    let even = z * polynomial(z, &COSH_F32);
    let odd_tail = fma(r * z, polynomial(z, &SINH_F32), low);
    let (minus, (plus, plus_low)) = (p - n, fast_two_sum(p, n));
    let sum = fma(minus, r, fma(minus, odd_tail, fma(plus, even, plus_low)));
    (fma(plus, r, fma(plus, odd_tail, minus * even)), sum)
}

/// A quarter of `2^k` and of `2^-k`, for k of 0 to 129.
#[inline(always)]
fn quarters(bits: u32) -> (f32, f32) {
    let k = bits & 255;
    // From 30 on the second is lost in the sum.
    (power_of_two(k.wrapping_sub(2)), power_of_two(0_u32.wrapping_sub(2 + if k < 30 { k } else { 30 })))
}

#[inline(always)]
pub fn sinh(x: f32) -> f32 {
    let (bits, r, low) = reduce(clamp(x.abs(), 0.0, LARGEST_HYPERBOLIC));
    let (p, n) = quarters(bits);
    let (difference, _) = difference_and_sum(p, n, r, low);
    (2.0 * ((p - n) + difference)).copysign(x)
}

#[inline(always)]
pub fn cosh(x: f32) -> f32 {
    let (bits, r, low) = reduce(clamp(x.abs(), 0.0, LARGEST_HYPERBOLIC));
    let (p, n) = quarters(bits);
    let (_, sum) = difference_and_sum(p, n, r, low);
    2.0 * ((p + n) + sum)
}

/// A polynomial for small arguments, `1 - 2 / (exp(2x) + 1)` for others.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    const SMALL: f32 = 0.5625;
    let size = x.abs();
    let z = x * x;
    let small = fma(size * z, polynomial(z, &TANH_F32), size);
    let (k, bits) = nearest_multiple(clamp(size + size, 0.0, 20.0), LOG2_E_F32[0]);
    let r = fma(-k, LN2_FUSED_F32[1], fma(-k, LN2_FUSED_F32[0], clamp(size + size, 0.0, 20.0)));
    let power = power_of_two(bits);
    let tail = fma(r * r, polynomial(r, &EXP_F32), r);
    let (above, low) = fast_two_sum(power, fma(power, tail, 1.0));
    let large = 1.0 - 2.0 / (above + low);
    (if size < SMALL { small } else { large }).copysign(x)
}
