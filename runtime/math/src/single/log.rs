//! Logarithms and inverse hyperbolic functions of float32.
//!
//! `x = 2^k (1 + f)` with `2/3 <= 1 + f < 4/3`, so that `log(1 + f)` is small beside `k log 2` where k is not 0.

use super::arith::{fast_two_sum, fma, polynomial, power_of_two, two_sum};
use crate::coefficients::{INV_LN2_F32, INV_LN10_F32, LN2_F32, LOG_F32, LOG2_F32, LOG10_2_F32, LOG10_F32};

const TWO_THIRDS_BITS: u32 = 0x3f2a_aaab;
const ONE_BITS: u32 = 0x3f80_0000;
const MANTISSA: u32 = 0x007f_ffff;
/// Squares of larger numbers differ from themselves plus one by nothing.
const SQUARE_IS_ALL: f32 = 16_384.0;

/// `k`, its bits and `m` of `x = 2^k m`, for a positive, normal `x`.
#[inline(always)]
fn decompose_normal(x: f32) -> (f32, u32, f32) {
    let bits = x.to_bits().wrapping_add(ONE_BITS - TWO_THIRDS_BITS);
    let k = (bits >> 23).wrapping_sub(127);
    (k as i32 as f32, k, f32::from_bits((bits & MANTISSA).wrapping_add(TWO_THIRDS_BITS)))
}

/// The same with subnormal numbers, without the bits.
#[inline(always)]
pub fn decompose(x: f32) -> (f32, f32) {
    let subnormal = x < f32::MIN_POSITIVE;
    let (k, _, m) = decompose_normal(if subnormal { x * 8_388_608.0 } else { x });
    (if subnormal { k - 23.0 } else { k }, m)
}

/// Results of logarithms at the ends of their domain.
#[inline(always)]
fn with_ends(x: f32, result: f32) -> f32 {
    let result = if x > 0.0 { result } else { f32::NAN };
    let result = if x == 0.0 { f32::NEG_INFINITY } else { result };
    if x == f32::INFINITY { x } else { result }
}

/// The logarithm of `2^k (1 + f + low)`.
#[inline(always)]
fn log_of_parts(k: f32, f: f32, low: f32) -> f32 {
    let tail = fma(f * f, polynomial(f, &LOG_F32), fma(k, LN2_F32[1], low));
    let (sum, error) = fast_two_sum(k * LN2_F32[0], f);
    sum + (error + tail)
}

#[inline(always)]
pub fn log(x: f32) -> f32 {
    let (k, m) = decompose(x);
    with_ends(x, log_of_parts(k, m - 1.0, 0.0))
}

#[inline(always)]
pub fn log2(x: f32) -> f32 {
    let (k, m) = decompose(x);
    let f = m - 1.0;
    let sum = fma(f, INV_LN2_F32[0], k);
    let error = fma(f, INV_LN2_F32[0], k - sum);
    let tail = fma(f * f, polynomial(f, &LOG2_F32), f * INV_LN2_F32[1]);
    with_ends(x, sum + (error + tail))
}

#[inline(always)]
pub fn log10(x: f32) -> f32 {
    let (k, m) = decompose(x);
    let f = m - 1.0;
    let whole = k * LOG10_2_F32[0];
    let sum = fma(f, INV_LN10_F32[0], whole);
    let error = fma(f, INV_LN10_F32[0], whole - sum);
    let tail = fma(f * f, polynomial(f, &LOG10_F32), fma(k, LOG10_2_F32[1], f * INV_LN10_F32[1]));
    with_ends(x, sum + (error + tail))
}

/// The logarithm of a positive, finite `2^shift (x + low)` where `low` is tiny beside `x`, and `x` at least 2^-100.
#[inline(always)]
fn log_of_sum(x: f32, low: f32, shift: f32) -> f32 {
    let (k, bits, m) = decompose_normal(x);
    // In two steps, since k may be 128.
    let low = (0.5 * low) * power_of_two(1_u32.wrapping_sub(bits));
    // (1 + f + low): what f has no place for matters in the linear term alone.
    let (f, low) = fast_two_sum(m - 1.0, low);
    log_of_parts(k + shift, f, low)
}

#[inline(always)]
pub fn log1p(x: f32) -> f32 {
    let (sum, error) = two_sum(1.0, x);
    let result = with_ends(sum, log_of_sum(sum, error, 0.0));
    if x.abs() < f32::EPSILON / 4.0 { x } else { result }
}

/// The square root of `high + low`, and its correction. Zero has the root zero.
#[inline(always)]
fn root(high: f32, low: f32) -> (f32, f32) {
    let root = high.sqrt();
    let divisor = if root == 0.0 { 1.0 } else { root + root };
    (root, (fma(-root, root, high) + low) / divisor)
}

#[inline(always)]
pub fn asinh(x: f32) -> f32 {
    let size = x.abs();
    let big = size > SQUARE_IS_ALL;
    let safe = if big { 1.0 } else { size };
    let square = safe * safe;
    let (inner, inner_low) = two_sum(1.0, square);
    let (root, root_low) = root(inner, inner_low + fma(safe, safe, -square));
    let (sum, error) = two_sum(safe, root);
    let result = twice_or_sum(big, size, sum, error + root_low).copysign(x);
    if size < 2e-4 { x } else { result }
}

#[inline(always)]
pub fn acosh(x: f32) -> f32 {
    let big = x > SQUARE_IS_ALL;
    let safe = if big { 1.0 } else { x };
    let square = safe * safe;
    let (inner, inner_low) = two_sum(square, -1.0);
    let (root, root_low) = root(inner, inner_low + fma(safe, safe, -square));
    let (sum, error) = two_sum(safe, root);
    let result = twice_or_sum(big, x, sum, error + root_low);
    if x < 1.0 { f32::NAN } else { result }
}

/// `log(2 big)` or `log(sum + low)`.
#[inline(always)]
fn twice_or_sum(big: bool, x: f32, sum: f32, low: f32) -> f32 {
    let (value, low, shift) = if big { (x, 0.0, 1.0) } else { (sum, low, 0.0) };
    with_ends(value, log_of_sum(value, low, shift))
}

#[inline(always)]
pub fn atanh(x: f32) -> f32 {
    let size = x.abs();
    let (divisor, divisor_low) = fast_two_sum(1.0, -size);
    let inverse = 1.0 / divisor;
    let quotient = (size + size) * inverse;
    let rest = fma(-quotient, divisor, size + size) - quotient * divisor_low;
    let (sum, error) = two_sum(1.0, quotient);
    let inside = (0.5 * log_of_sum(sum, fma(rest, inverse, error), 0.0)).copysign(x);
    let result = if size < 1.0 { inside } else { f32::INFINITY.copysign(x) };
    let result = if size <= 1.0 { result } else { f32::NAN };
    if size < 2e-4 { x } else { result }
}
