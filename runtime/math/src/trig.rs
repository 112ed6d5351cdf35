//! Sine, cosine and tangent.
//!
//! `x = k pi/2 + r` with `|r| <= pi/4`: by Cody and Waite's subtraction in parts where k is moderate, which is exact enough
//! for the worst double; by [`crate::huge`] elsewhere, behind a branch that vectorised loops take only where an element needs it.

use crate::arith::{divide, fast_two_sum, flip_sign, mul_add, nearest, polynomial, two_sum};
use crate::coefficients::{COS, HALF_PI, SIN, TWO_OVER_PI};
use crate::huge;

/// Arguments up to this are reduced in the main path: k has 21 bits.
pub const MODERATE: f64 = 3_000_000.0;
/// Sine and tangent of smaller arguments are their arguments.
const TINY: f64 = 1.0 / 134_217_728.0;

/// An angle `r + low` in a quadrant, whose number is in the low bits.
#[derive(Clone, Copy)]
pub struct Angle {
    pub quadrant: u64,
    pub r: f64,
    pub low: f64,
}

#[inline(always)]
fn reduce<const FMA: bool>(x: f64) -> Angle {
    let (k, quadrant) = nearest(x * TWO_OVER_PI);
    let first = mul_add::<FMA>(-k, HALF_PI[0], x);
    let (second, second_low) = two_sum(first, -(k * HALF_PI[1]));
    let (third, third_low) = two_sum(second, -(k * HALF_PI[2]));
    let rest = mul_add::<FMA>(-k, HALF_PI[3], second_low + third_low);
    let (r, low) = fast_two_sum(third, rest);
    Angle { quadrant, r, low }
}

/// The sine of an angle within its quadrant, as a sum of two.
#[inline(always)]
fn sine<const FMA: bool>(angle: Angle) -> (f64, f64) {
    let z = angle.r * angle.r;
    let cubic = angle.r * z * polynomial::<FMA, _>(z, &SIN);
    (angle.r, cubic + mul_add::<FMA>(-0.5 * z, angle.low, angle.low))
}

/// The cosine likewise.
#[inline(always)]
fn cosine<const FMA: bool>(angle: Angle) -> (f64, f64) {
    let z = angle.r * angle.r;
    let (high, error) = fast_two_sum(1.0, -0.5 * z);
    let quartic = mul_add::<FMA>(z * z, polynomial::<FMA, _>(z, &COS), -(angle.r * angle.low));
    (high, error + quartic)
}

#[inline(always)]
pub fn sin_of<const FMA: bool>(angle: Angle) -> f64 {
    let (sine, cosine) = (sine::<FMA>(angle), cosine::<FMA>(angle));
    let (high, low) = if angle.quadrant & 1 == 0 { sine } else { cosine };
    flip_sign(high + low, angle.quadrant, 1)
}

#[inline(always)]
pub fn cos_of<const FMA: bool>(angle: Angle) -> f64 {
    sin_of::<FMA>(Angle { quadrant: angle.quadrant.wrapping_add(1), ..angle })
}

#[inline(always)]
pub fn tan_of<const FMA: bool>(angle: Angle) -> f64 {
    let (sine, cosine) = (sine::<FMA>(angle), cosine::<FMA>(angle));
    let sine = fast_two_sum(sine.0, sine.1);
    let cosine = fast_two_sum(cosine.0, cosine.1);
    let even = angle.quadrant & 1 == 0;
    let ((above, above_low), (below, below_low)) = if even { (sine, cosine) } else { (cosine, sine) };
    let (quotient, correction) = divide::<FMA>(above, above_low, below, below_low);
    flip_sign(quotient + correction, angle.quadrant, 0)
}

#[inline(always)]
pub fn sin<const FMA: bool>(x: f64) -> f64 {
    if x.abs() > MODERATE {
        return huge::pydd_math_sin_huge(x);
    }
    let result = sin_of::<FMA>(reduce::<FMA>(x));
    if x.abs() < TINY { x } else { result }
}

#[inline(always)]
pub fn cos<const FMA: bool>(x: f64) -> f64 {
    if x.abs() > MODERATE {
        return huge::pydd_math_cos_huge(x);
    }
    cos_of::<FMA>(reduce::<FMA>(x))
}

#[inline(always)]
pub fn tan<const FMA: bool>(x: f64) -> f64 {
    if x.abs() > MODERATE {
        return huge::pydd_math_tan_huge(x);
    }
    let result = tan_of::<FMA>(reduce::<FMA>(x));
    if x.abs() < TINY { x } else { result }
}
