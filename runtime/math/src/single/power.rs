//! Powers of float32: the logarithm and the exponential are computed in float64, all else in float32.

use super::arith::clamp;
use super::log::decompose;
use crate::arith::{self, nearest, polynomial, power_of_two};
use crate::coefficients::{EXP2_OF_POWER, LOG2_OF_POWER};

/// Larger exponents make all powers overflow or vanish, unless |x| is 1.
const LARGE: f32 = 1e20;
/// The same of logarithms of powers.
const LARGEST: f64 = 200.0;

/// Whether a number is an integer, and whether an odd one.
#[inline(always)]
fn whole_and_odd(y: f32) -> (bool, bool) {
    let half = 0.5 * y;
    let whole = y.trunc() == y;
    (whole, whole && half.trunc() != half)
}

/// `2^(y log2(size))` for a positive, finite size.
#[inline(always)]
fn positive_power(size: f32, y: f32) -> f32 {
    let (k, m) = decompose(size);
    let f = f64::from(m) - 1.0;
    let s = f / (2.0 + f);
    let log = s.mul_add(polynomial::<true, _>(s * s, &LOG2_OF_POWER), f64::from(k));
    let exponent = arith::clamp(f64::from(y) * log, -LARGEST, LARGEST);
    let (n, bits) = nearest(exponent);
    (polynomial::<true, _>(exponent - n, &EXP2_OF_POWER) * power_of_two(bits)) as f32
}

#[inline(always)]
pub fn pow(x: f32, y: f32) -> f32 {
    let size = x.abs();
    let power = positive_power(size, clamp(y, -LARGE, LARGE));
    let (whole, odd) = whole_and_odd(y);
    let (grows, shrinks) = if y > 0.0 { (f32::INFINITY, 0.0) } else { (0.0, f32::INFINITY) };
    let power = if size == f32::INFINITY { grows } else { power };
    let power = if size == 0.0 { shrinks } else { power };
    let power = if x.is_sign_negative() && odd { -power } else { power };
    let no_real = x < 0.0 && !whole && size < f32::INFINITY;
    let power = if no_real || x.is_nan() || y.is_nan() { f32::NAN } else { power };
    if x == 1.0 || y == 0.0 { 1.0 } else { power }
}
