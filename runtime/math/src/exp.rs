//! Exponentials and hyperbolic functions.
//!
//! `x = k ln 2 + r` with `|r| <= ln(2)/2`, as in Cody and Waite (1980).

use crate::arith::{
    ROUNDER, clamp, divide, fast_two_sum, mul_add, nearest, polynomial, power_of_two, scale, two_prod,
    two_sum,
};
use crate::coefficients::{COSH, EXP, LN2, LN2_WHOLE_HI, LN2_WHOLE_LO, LOG2_E, SINH};

/// Results for larger arguments are infinite, for smaller ones than its negative zero.
const LARGEST: f64 = 746.0;

/// `x = k ln 2 + high - low`: the bits that hold k, k, high (exact), low.
#[inline(always)]
fn reduce<const FMA: bool>(x: f64) -> (u64, f64, f64, f64) {
    let shifted = mul_add::<FMA>(x, LOG2_E, ROUNDER);
    let k = shifted - ROUNDER;
    (shifted.to_bits(), k, mul_add::<FMA>(-k, LN2[0], x), k * LN2[1])
}

/// `exp(r) - 1 - r`.
#[inline(always)]
fn tail<const FMA: bool>(r: f64) -> f64 {
    r * r * polynomial::<FMA, _>(r, &EXP)
}

/// `exp(x + low)` for a `low` that is tiny beside 1: `(1 + f) 2^k`, as f and the bits that hold k.
#[inline(always)]
pub fn exp_parts<const FMA: bool>(x: f64, low: f64) -> (f64, u64) {
    let (bits, _, high, rest) = reduce::<FMA>(clamp(x, -LARGEST, LARGEST));
    let rest = rest - low;
    (high - (rest - tail::<FMA>(high - rest)), bits)
}

#[inline(always)]
pub fn exp_of_sum<const FMA: bool>(x: f64, low: f64) -> f64 {
    let (f, bits) = exp_parts::<FMA>(x, low);
    scale(1.0 + f, bits)
}

#[inline(always)]
pub fn exp<const FMA: bool>(x: f64) -> f64 {
    exp_of_sum::<FMA>(x, 0.0)
}

#[inline(always)]
pub fn exp2<const FMA: bool>(x: f64) -> f64 {
    let x = clamp(x, -1080.0, 1080.0);
    let (k, bits) = nearest(x);
    let r = x - k;
    let (high, low) = two_prod::<FMA>(r, LN2_WHOLE_HI);
    let low = mul_add::<FMA>(r, LN2_WHOLE_LO, low);
    scale(1.0 + (high + (low + tail::<FMA>(high))), bits)
}

#[inline(always)]
pub fn expm1<const FMA: bool>(x: f64) -> f64 {
    let (bits, _, high, low) = reduce::<FMA>(clamp(x, -38.0, 710.0));
    let half = power_of_two(bits.wrapping_sub(1));
    let (sum, error) = two_sum(half - 0.5, half * high);
    let result = 2.0 * (sum + (error + half * (tail::<FMA>(high - low) - low)));
    if x.abs() < f64::EPSILON / 4.0 { x } else { result }
}

/// `p exp(r) - n exp(-r)` and `p exp(r) + n exp(-r)` with `r = high - low`, each as a sum of two.
#[inline(always)]
fn difference_and_sum<const FMA: bool>(p: f64, n: f64, high: f64, low: f64) -> [(f64, f64); 2] {
    let (r, rest) = fast_two_sum(high, -low);
    let z = r * r;
    let odd = mul_add::<FMA>(r * z, polynomial::<FMA, _>(z, &SINH), rest);
    let even = mul_add::<FMA>(z * z, polynomial::<FMA, _>(z, &COSH), mul_add::<FMA>(r, rest, 0.5 * z));
    let ((up, up_error), (down, down_error)) = (two_sum(1.0, r), two_sum(1.0, -r));
    let (minus, plus) = (p - n, p + n);
    let (difference, error) = two_sum(p * up, -(n * down));
    let small = mul_add::<FMA>(minus, even, plus * odd) + (error + (p * up_error - n * down_error));
    let (sum, sum_error) = two_sum(p * up, n * down);
    let sum_small = mul_add::<FMA>(plus, even, minus * odd) + (sum_error + (p * up_error + n * down_error));
    [(difference, small), (sum, sum_small)]
}

/// Both hyperbolic functions of `|x|`, divided by 2.
#[inline(always)]
fn half_sinh_cosh<const FMA: bool>(x: f64) -> [f64; 2] {
    let size = clamp(x.abs(), 0.0, 710.6);
    let (bits, k, high, low) = reduce::<FMA>(size);
    let p = power_of_two(bits.wrapping_sub(2));
    let n = if k > 60.0 { 0.0 } else { power_of_two(0_u64.wrapping_sub(bits).wrapping_sub(2)) };
    difference_and_sum::<FMA>(p, n, high, low).map(|(sum, error)| sum + error)
}

#[inline(always)]
pub fn sinh<const FMA: bool>(x: f64) -> f64 {
    let result = (2.0 * half_sinh_cosh::<FMA>(x)[0]).copysign(x);
    if x.abs() < 1e-8 { x } else { result }
}

#[inline(always)]
pub fn cosh<const FMA: bool>(x: f64) -> f64 {
    2.0 * half_sinh_cosh::<FMA>(x)[1]
}

#[inline(always)]
pub fn tanh<const FMA: bool>(x: f64) -> f64 {
    let (bits, _, high, low) = reduce::<FMA>(clamp(x.abs(), 0.0, 20.0));
    let n = power_of_two(0_u64.wrapping_sub(bits << 1));
    let [(difference, small), (sum, sum_small)] = difference_and_sum::<FMA>(1.0, n, high, low);
    let (difference, small) = two_sum(difference, small);
    let (sum, sum_small) = fast_two_sum(sum, sum_small);
    let (quotient, correction) = divide::<FMA>(difference, small, sum, sum_small);
    let result = (quotient + correction).copysign(x);
    if x.abs() < 1e-8 { x } else { result }
}
