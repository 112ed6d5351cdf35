//! The error function and its complement.

use crate::arith::{
    divide, fast_two_sum, horner, mul_add, polynomial, power_of_two, scale, two_prod, two_sum,
};
use crate::coefficients::{ERF, ERF_LARGE, ERF_SLOPE, ERFC, ERFC_MIDDLE};
use crate::exp::exp_parts;

/// Up to here a polynomial gives `erf`.
const SMALL: f64 = 0.85;
/// From here on `erfc` is not taken from `erf`.
const LARGE: f64 = 0.8;

/// `erf(x) = x + x * rest` for `|x| <= SMALL`.
#[inline(always)]
fn rest_of_small<const FMA: bool>(x: f64) -> f64 {
    let z = x * x;
    mul_add::<FMA>(z, polynomial::<FMA, _>(z, &ERF), ERF_SLOPE)
}

/// `erfc(x)` for `LARGE <= x <= 28` as a product of a sum of two and the power of two that the last bits hold: by a
/// polynomial in `t = (x - 4) / (x + 4)` that gives `(x + 4) erfc(x) exp(x²)`.
#[inline(always)]
fn complement_of_large<const FMA: bool>(x: f64) -> (f64, f64, u64) {
    let (divisor, divisor_low) = fast_two_sum(4.0, x);
    let (divisor, divisor_low) = if x > 4.0 { two_sum(x, 4.0) } else { (divisor, divisor_low) };
    let (t, correction) = divide::<FMA>(x - 4.0, 0.0, divisor, divisor_low);
    let t = t + correction;
    let (smooth, smooth_low) = fast_two_sum(ERFC_MIDDLE, horner::<FMA, _>(t, &ERFC));
    let (quotient, quotient_low) = divide::<FMA>(smooth, smooth_low, divisor, divisor_low);
    let (square, error) = two_prod::<FMA>(x, x);
    let (f, bits) = exp_parts::<FMA>(-square, -error);
    let (factor, factor_low) = fast_two_sum(1.0, f);
    let (product, product_low) = two_prod::<FMA>(quotient, factor);
    let low = product_low + mul_add::<FMA>(quotient, factor_low, quotient_low * factor);
    (product, low, bits)
}

#[inline(always)]
pub fn erf<const FMA: bool>(x: f64) -> f64 {
    let size = x.abs();
    let small = mul_add::<FMA>(x, rest_of_small::<FMA>(x), x);
    let limited = if size > 6.0 { 6.0 } else { size };
    let t = (limited - 3.0) / (limited + 3.0);
    let (f, bits) = exp_parts::<FMA>(-(limited * limited), 0.0);
    let complement = polynomial::<FMA, _>(t, &ERF_LARGE) * ((1.0 + f) * power_of_two(bits));
    let large = (1.0 - complement).copysign(x);
    if size > SMALL { large } else { small }
}

#[inline(always)]
pub fn erfc<const FMA: bool>(x: f64) -> f64 {
    let size = x.abs();
    let middle = (1.0 - x) - x * rest_of_small::<FMA>(x);
    let limited = if size > 28.0 { 28.0 } else { size };
    let (high, low, bits) = complement_of_large::<FMA>(limited);
    let large = scale(high + low, bits);
    let outer = if x > 0.0 { large } else { 2.0 - large };
    if size > LARGE { outer } else { middle }
}
