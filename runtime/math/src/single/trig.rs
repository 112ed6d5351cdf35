//! Sine, cosine and tangent of float32.
//!
//! `x = k pi/2 + r` by three fused multiply-adds, of which the first is exact; large angles as float64 have them, behind a
//! branch that vectorised loops take only where an element needs it.

use super::arith::{fast_two_sum, flip_sign, fma, nearest_multiple, polynomial};
use crate::coefficients::{COS_F32, HALF_PI_F32, SIN_F32, TAN_F32, TWO_OVER_PI_F32};
use crate::short;

/// Arguments up to this are reduced in the main path: k has 17 bits.
const MODERATE: f32 = 200_000.0;

/// An angle `r + low` in a quadrant, whose number is in the low bits.
#[inline(always)]
fn reduce(x: f32) -> (u32, f32, f32) {
    let (k, quadrant) = nearest_multiple(x, TWO_OVER_PI_F32[0]);
    let first = fma(-k, HALF_PI_F32[0], x);
    let product = k * HALF_PI_F32[1];
    // `first` need not be the larger one: it is a multiple of the product's last place.
    let (r, error) = fast_two_sum(first, -product);
    let low = error - fma(k, HALF_PI_F32[1], -product);
    (quadrant, r, fma(-k, HALF_PI_F32[2], low))
}

#[inline(always)]
fn sine_or_cosine(quadrant: u32, r: f32, low: f32) -> f32 {
    let z = r * r;
    let sine = r + fma(r * z, polynomial(z, &SIN_F32), low);
    let cosine = 1.0 + fma(z, polynomial(z, &COS_F32), -(r * low));
    flip_sign(if quadrant & 1 == 0 { sine } else { cosine }, quadrant, 1)
}

#[inline(always)]
pub fn sin(x: f32) -> f32 {
    if x.abs() > MODERATE {
        return pydd_math_sin_large_f32(x);
    }
    let (quadrant, r, low) = reduce(x);
    // The sum would lose the sign of zero.
    let result = sine_or_cosine(quadrant, r, low);
    if x == 0.0 { x } else { result }
}

#[inline(always)]
pub fn cos(x: f32) -> f32 {
    if x.abs() > MODERATE {
        return pydd_math_cos_large_f32(x);
    }
    let (quadrant, r, low) = reduce(x);
    sine_or_cosine(quadrant.wrapping_add(1), r, low)
}

#[inline(always)]
pub fn tan(x: f32) -> f32 {
    if x.abs() > MODERATE {
        return pydd_math_tan_large_f32(x);
    }
    let (quadrant, r, low) = reduce(x);
    let z = r * r;
    let tail = fma(r * z, polynomial(z, &TAN_F32), fma(z, low, low));
    let (tangent, error) = fast_two_sum(r, tail);
    let inverse = -1.0 / if quadrant & 1 == 0 { 1.0 } else { tangent };
    // One step of Newton's, with what the tangent has no place for.
    let rest = fma(inverse, error, fma(inverse, tangent, 1.0));
    let cotangent = fma(inverse, rest, inverse);
    let result = if quadrant & 1 == 0 { tangent } else { cotangent };
    if x == 0.0 { x } else { result }
}

/// The sine of a large angle.
#[inline(never)]
#[unsafe(no_mangle)]
pub extern "C" fn pydd_math_sin_large_f32(x: f32) -> f32 {
    short::sin::<false>(f64::from(x)) as f32
}

/// The cosine of a large angle.
#[inline(never)]
#[unsafe(no_mangle)]
pub extern "C" fn pydd_math_cos_large_f32(x: f32) -> f32 {
    short::cos::<false>(f64::from(x)) as f32
}

/// The tangent of a large angle.
#[inline(never)]
#[unsafe(no_mangle)]
pub extern "C" fn pydd_math_tan_large_f32(x: f32) -> f32 {
    short::tan::<false>(f64::from(x)) as f32
}
