//! Powers, cube roots and lengths.

use crate::arith::{clamp, mul_add, polynomial, root, two_prod, two_sum};
use crate::coefficients::CBRT;
use crate::{exp, log, short};

/// 2^600 and its inverse.
const UP: f64 = 4.149_515_568_880_993e180;
/// Doubles from here on are even integers.
const ALL_EVEN: f64 = 9_007_199_254_740_992.0;
/// From here on doubles are integers.
const ALL_WHOLE: f64 = 4_503_599_627_370_496.0;

/// Whether a number is an integer, and whether an odd one.
#[inline(always)]
fn whole_and_odd<const FMA: bool>(y: f64) -> (bool, bool) {
    if FMA {
        let half = 0.5 * y;
        let whole = y.trunc() == y;
        return (whole, whole && half.trunc() != half);
    }
    // Where there is no fused multiply-add there may be no instruction that rounds.
    let size = y.abs();
    // An infinity stays as far from an integer as it should: not at all.
    let whole_part = |size: f64| {
        if size < ALL_WHOLE { (size + ALL_WHOLE) - ALL_WHOLE } else { size }
    };
    let whole = whole_part(size) == size;
    let half = 0.5 * size;
    (whole, whole && size < ALL_EVEN && whole_part(half) != half)
}

/// What C99 and NumPy say of a power's special cases, given the power of `|x|`.
#[inline(always)]
fn with_special_cases<const FMA: bool>(x: f64, y: f64, power: f64) -> f64 {
    let size = x.abs();
    let (whole, odd) = whole_and_odd::<FMA>(y);
    let grows = if y > 0.0 { f64::INFINITY } else { 0.0 };
    let shrinks = if y > 0.0 { 0.0 } else { f64::INFINITY };
    let power = if size == f64::INFINITY { grows } else { power };
    let power = if size == 0.0 { shrinks } else { power };
    let negative = x.is_sign_negative();
    let power = if negative && odd { -power } else { power };
    let no_real = x < 0.0 && !whole && size < f64::INFINITY;
    let power = if no_real || x.is_nan() || y.is_nan() { f64::NAN } else { power };
    if x == 1.0 || y == 0.0 { 1.0 } else { power }
}

/// Larger exponents make all powers overflow or vanish, unless |x| is 1.
const LARGE: f64 = 1e20;

/// Another number where the power is known: those of 0 would pass through subnormal numbers, which take processors a hundred times as long,
/// in the last lanes of arrays as well.
#[inline(always)]
fn or_one(size: f64) -> f64 {
    if size == 0.0 { 1.0 } else { size }
}

#[inline(always)]
pub fn pow<const FMA: bool>(x: f64, y: f64) -> f64 {
    let (log, log_low) = log::fine_log::<FMA>(or_one(x.abs()));
    let exponent = clamp(y, -LARGE, LARGE);
    let (product, error) = two_prod::<FMA>(exponent, log);
    let error = if product.abs() < 1000.0 { error + exponent * log_low } else { 0.0 };
    with_special_cases::<FMA>(x, y, exp::exp_of_sum::<FMA>(product, error))
}

/// The power of two float32, rounded to float32 by the caller.
#[inline(always)]
pub fn short_pow<const FMA: bool>(x: f64, y: f64) -> f64 {
    let log = short::log_for_power::<FMA>(or_one(x.abs()));
    with_special_cases::<FMA>(x, y, short::exp::<FMA>(clamp(y, -LARGE, LARGE) * log))
}

/// As in FreeBSD's msun: a guess from the bits, a polynomial to 23 bits, then one step of Newton's.
#[inline(always)]
pub fn cbrt<const FMA: bool>(x: f64) -> f64 {
    let size = x.abs();
    let subnormal = size < f64::MIN_POSITIVE;
    let scaled = if subnormal { size * 18_014_398_509_481_984.0 } else { size };
    let third = ((scaled.to_bits() >> 32).wrapping_mul(0x5555_5556)) >> 32;
    let guess = f64::from_bits(third.wrapping_add(715_094_163) << 32);
    let ratio = (guess * guess) * (guess / scaled);
    let near = guess * polynomial::<FMA, _>(ratio, &CBRT);
    let short = f64::from_bits(near.to_bits().wrapping_add(0x8000_0000) & 0xffff_ffff_c000_0000);
    let quotient = scaled / (short * short);
    let result = short + short * ((quotient - short) / (short + short + quotient));
    let result = if subnormal { result / 262_144.0 } else { result };
    let plain = size > 0.0 && size < f64::INFINITY;
    (if plain { result } else { size }).copysign(x)
}

/// A square root and its correction (Borges 2019).
#[inline(always)]
pub fn hypot<const FMA: bool>(x: f64, y: f64) -> f64 {
    let (ax, ay) = (x.abs(), y.abs());
    let (a, b) = if ax < ay { (ay, ax) } else { (ax, ay) };
    let factor = if a > 1e150 { 1.0 / UP } else { 1.0 };
    let factor = if a < 1e-100 { UP } else { factor };
    let (a, b) = (a * factor, b * factor);
    let (a_square, a_low) = two_prod::<FMA>(a, a);
    let (b_square, b_low) = two_prod::<FMA>(b, b);
    let (sum, error) = two_sum(a_square, b_square);
    let (root, correction) = root::<FMA>(sum, error + (a_low + b_low));
    let length = (root + correction) / factor;
    let infinite = ax == f64::INFINITY || ay == f64::INFINITY;
    if infinite { f64::INFINITY } else { length }
}

/// Of float32, whose squares are exact here.
#[inline(always)]
pub fn short_hypot<const FMA: bool>(x: f64, y: f64) -> f64 {
    // With one rounding or two the same, but no function is then the same as another one.
    let length = mul_add::<FMA>(x, x, y * y).sqrt();
    let infinite = x.abs() == f64::INFINITY || y.abs() == f64::INFINITY;
    if infinite { f64::INFINITY } else { length }
}
