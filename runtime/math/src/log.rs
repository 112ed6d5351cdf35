//! Logarithms and inverse hyperbolic functions.
//!
//! `x = 2^k (1 + f)` with `sqrt(1/2) <= 1 + f < sqrt(2)`; `log(1 + f)` as in FreeBSD's msun (K. C. Ng).

use crate::arith::{divide, fast_two_sum, mul_add, polynomial, root, two_prod, two_sum, upper};
use crate::coefficients::{
    INV_LN2, INV_LN10, LN2, LN2_FINE, LOG, LOG_FINE, LOG10_2, TWO_THIRDS_HI, TWO_THIRDS_LO,
};

const ROOT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;
const ONE_BITS: u64 = 0x3ff0_0000_0000_0000;
const MANTISSA: u64 = 0x000f_ffff_ffff_ffff;
/// 2^52 as bits: with an integer in the mantissa it is 2^52 plus that integer.
const COUNTER_BITS: u64 = 0x4330_0000_0000_0000;
/// 2^52 + 1023.
const COUNTER: f64 = 4_503_599_627_371_519.0;
/// Squares of larger numbers differ from themselves plus one by nothing.
const SQUARE_IS_ALL: f64 = 1_073_741_824.0;

/// `k` and `m` of `x = 2^k m`, for a positive, finite `x`.
#[inline(always)]
fn decompose(x: f64) -> (f64, f64) {
    let subnormal = x < f64::MIN_POSITIVE;
    let (k, m) = decompose_normal(if subnormal { x * 18_014_398_509_481_984.0 } else { x });
    (if subnormal { k - 54.0 } else { k }, m)
}

/// The same for a normal number.
#[inline(always)]
pub fn decompose_normal(x: f64) -> (f64, f64) {
    let bits = x.to_bits().wrapping_add(ONE_BITS - ROOT_HALF_BITS);
    let k = f64::from_bits((bits >> 52) | COUNTER_BITS) - COUNTER;
    (k, f64::from_bits((bits & MANTISSA).wrapping_add(ROOT_HALF_BITS)))
}

/// `log(1 + f) = f - half + rest`: half is `f²/2`.
#[inline(always)]
fn log_parts<const FMA: bool>(f: f64) -> (f64, f64) {
    let s = f / (2.0 + f);
    let z = s * s;
    let half = 0.5 * f * f;
    (half, s * (half + z * polynomial::<FMA, _>(z, &LOG)))
}

/// The logarithm of a positive, finite `2^shift (x + low)` where `low` is tiny beside `x`.
#[inline(always)]
fn log_of_sum<const FMA: bool>(x: f64, low: f64, shift: f64) -> f64 {
    let (k, m) = decompose(x);
    let k = k + shift;
    let f = m - 1.0;
    let (half, rest) = log_parts::<FMA>(f);
    let small = mul_add::<FMA>(k, LN2[1], low / x);
    mul_add::<FMA>(k, LN2[0], -((half - (rest + small)) - f))
}

/// Results of logarithms at the ends of their domain.
#[inline(always)]
pub fn with_ends(x: f64, result: f64) -> f64 {
    let result = if x == 0.0 { f64::NEG_INFINITY } else { result };
    let result = if x < 0.0 { f64::NAN } else { result };
    if x < f64::INFINITY { result } else { x }
}

#[inline(always)]
pub fn log<const FMA: bool>(x: f64) -> f64 {
    let (k, m) = decompose(x);
    let f = m - 1.0;
    let (half, rest) = log_parts::<FMA>(f);
    let result = mul_add::<FMA>(k, LN2[0], -((half - mul_add::<FMA>(k, LN2[1], rest)) - f));
    with_ends(x, result)
}

#[inline(always)]
pub fn log1p<const FMA: bool>(x: f64) -> f64 {
    let (sum, error) = two_sum(1.0, x);
    let result = with_ends(sum, log_of_sum::<FMA>(sum, error, 0.0));
    if x.abs() < f64::EPSILON / 4.0 { x } else { result }
}

/// `log(1 + f)` as a number of few bits and the rest of it.
#[inline(always)]
fn short_log<const FMA: bool>(f: f64) -> (f64, f64) {
    let (half, rest) = log_parts::<FMA>(f);
    let high = upper(f - half);
    (high, ((f - high) - half) + rest)
}

#[inline(always)]
pub fn log2<const FMA: bool>(x: f64) -> f64 {
    let (k, m) = decompose(x);
    let (high, low) = short_log::<FMA>(m - 1.0);
    let (sum, error) = two_sum(k, high * INV_LN2[0]);
    let small = mul_add::<FMA>(low + high, INV_LN2[1], low * INV_LN2[0]);
    with_ends(x, sum + (error + small))
}

#[inline(always)]
pub fn log10<const FMA: bool>(x: f64) -> f64 {
    let (k, m) = decompose(x);
    let (high, low) = short_log::<FMA>(m - 1.0);
    let (sum, error) = two_sum(k * LOG10_2[0], high * INV_LN10[0]);
    let small = mul_add::<FMA>(low + high, INV_LN10[1], low * INV_LN10[0]);
    with_ends(x, sum + (error + mul_add::<FMA>(k, LOG10_2[1], small)))
}

/// The logarithm of a positive, finite number to about 66 bits, as a sum of two.
#[inline(always)]
pub fn fine_log<const FMA: bool>(x: f64) -> (f64, f64) {
    let (k, m) = decompose(x);
    let f = m - 1.0;
    let (divisor, divisor_low) = fast_two_sum(2.0, f);
    let (s, s_low) = divide::<FMA>(f, 0.0, divisor, divisor_low);
    let (z, z_low) = two_prod::<FMA>(s, s);
    let z_low = mul_add::<FMA>(2.0 * s, s_low, z_low);
    // t = z (2/3 + z p(z))
    let (t, t_low) = two_prod::<FMA>(z, TWO_THIRDS_HI);
    let more = z * z * polynomial::<FMA, _>(z, &LOG_FINE);
    let t_low = t_low + mul_add::<FMA>(z, TWO_THIRDS_LO, z_low * TWO_THIRDS_HI);
    let (t, error) = fast_two_sum(t, more);
    let t_low = t_low + error;
    let (cube, cube_low) = two_prod::<FMA>(s, t);
    let cube_low = cube_low + mul_add::<FMA>(s, t_low, s_low * t);
    let (high, low) = fast_two_sum(s + s, cube);
    let low = low + (cube_low + 2.0 * s_low);
    let (sum, error) = two_sum(k * LN2_FINE[0], high);
    fast_two_sum(sum, error + mul_add::<FMA>(k, LN2_FINE[1], low))
}

#[inline(always)]
pub fn asinh<const FMA: bool>(x: f64) -> f64 {
    let size = x.abs();
    let big = size > SQUARE_IS_ALL;
    let safe = if big { 1.0 } else { size };
    let (square, square_low) = two_prod::<FMA>(safe, safe);
    let (inner, inner_low) = two_sum(1.0, square);
    let (root, root_low) = root::<FMA>(inner, inner_low + square_low);
    let (sum, error) = two_sum(safe, root);
    let result = twice_or_sum::<FMA>(big, size, sum, error + root_low).copysign(x);
    if size < 1e-8 { x } else { result }
}

#[inline(always)]
pub fn acosh<const FMA: bool>(x: f64) -> f64 {
    let big = x > SQUARE_IS_ALL;
    let safe = if big { 1.0 } else { x };
    let (square, square_low) = two_prod::<FMA>(safe, safe);
    let (inner, inner_low) = two_sum(square, -1.0);
    let (root, root_low) = root::<FMA>(inner, inner_low + square_low);
    let (sum, error) = two_sum(safe, root);
    let result = twice_or_sum::<FMA>(big, x, sum, error + root_low);
    if x < 1.0 { f64::NAN } else { result }
}

/// `log(2 big)` or `log(sum + low)`.
#[inline(always)]
fn twice_or_sum<const FMA: bool>(big: bool, x: f64, sum: f64, low: f64) -> f64 {
    let (value, low, shift) = if big { (x, 0.0, 1.0) } else { (sum, low, 0.0) };
    with_ends(value, log_of_sum::<FMA>(value, low, shift))
}

#[inline(always)]
pub fn atanh<const FMA: bool>(x: f64) -> f64 {
    let size = x.abs();
    let (divisor, divisor_low) = two_sum(1.0, -size);
    let (quotient, correction) = divide::<FMA>(2.0 * size, 0.0, divisor, divisor_low);
    let (sum, error) = two_sum(1.0, quotient);
    let inside = (0.5 * log_of_sum::<FMA>(sum, error + correction, 0.0)).copysign(x);
    let result = if size < 1.0 { inside } else { f64::INFINITY.copysign(x) };
    let result = if size > 1.0 { f64::NAN } else { result };
    // A NaN compares with nothing.
    let result = if size >= 0.0 { result } else { x };
    if size < 1e-8 { x } else { result }
}
