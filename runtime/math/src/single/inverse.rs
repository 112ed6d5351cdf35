//! Inverse trigonometric functions and the cube root of float32.

use super::arith::{fast_two_sum, fma, polynomial};
use crate::coefficients::{ASIN_F32, ATAN_F32, CBRT_F32, HALF_PI_F32, PI_F32};

/// For `|x| <= 1/2` of x itself, else of `s = sqrt((1 - |x|) / 2)`: s, and rest in `asin(s) = s + s * rest`.
#[inline(always)]
fn half(size: f32) -> (f32, f32) {
    let z = if size > 0.5 { fma(-0.5, size, 0.5) } else { size * size };
    let s = if size > 0.5 { z.sqrt() } else { size };
    (s, z * polynomial(z, &ASIN_F32))
}

#[inline(always)]
pub fn asin(x: f32) -> f32 {
    let size = x.abs();
    let (s, rest) = half(size);
    let tail = s * rest;
    let small = s + tail;
    let (high, error) = fast_two_sum(HALF_PI_F32[0], -2.0 * s);
    let big = high + (error - fma(2.0, tail, -HALF_PI_F32[1]));
    // NaN outside, since there s is.
    (if size > 0.5 { big } else { small }).copysign(x)
}

#[inline(always)]
pub fn acos(x: f32) -> f32 {
    let size = x.abs();
    let (s, rest) = half(size);
    let tail = s * rest;
    let middle = HALF_PI_F32[0] - (x + (tail.copysign(x) - HALF_PI_F32[1]));
    let right = 2.0 * (s + tail);
    let left = PI_F32[0] - 2.0 * (s + (tail - 0.5 * PI_F32[1]));
    let outer = if x > 0.0 { right } else { left };
    if size > 0.5 { outer } else { middle }
}

/// `atan(t + low)` for `0 <= t <= 1`, without its leading part t.
#[inline(always)]
fn atan_tail(t: f32, low: f32) -> f32 {
    let z = t * t;
    // 1 - z/2 is close enough to the slope 1 / (1 + z).
    fma(t * z, polynomial(z, &ATAN_F32), low * fma(z, -0.5, 1.0))
}

#[inline(always)]
pub fn atan(x: f32) -> f32 {
    // The arc tangent has long been constant there, and the inverse still is normal.
    const LARGE: f32 = 1e30;
    let size = x.abs();
    let size = if size > LARGE { LARGE } else { size };
    let steep = size > 1.0;
    let inverse = 1.0 / size;
    let (t, low) = if steep { (inverse, fma(-inverse, size, 1.0) * inverse) } else { (size, 0.0) };
    let tail = atan_tail(t, low);
    let (complement, error) = fast_two_sum(HALF_PI_F32[0], -t);
    let result = if steep { complement + (error + (HALF_PI_F32[1] - tail)) } else { t + tail };
    // A NaN is not steep.
    result.copysign(x)
}

#[inline(always)]
pub fn atan2(y: f32, x: f32) -> f32 {
    let (ay, ax) = (y.abs(), x.abs());
    let steep = ay > ax;
    let (a, b) = if steep { (ax, ay) } else { (ay, ax) };
    let (a, b) = finite_ratio(a, b);
    let inverse = 1.0 / b;
    let t = a * inverse;
    let low = fma(-t, b, a) * inverse;
    let left = x.is_sign_negative();
    let (base, base_low) = if left { (PI_F32[0], PI_F32[1]) } else { (0.0, 0.0) };
    let (base, base_low) = if steep { (HALF_PI_F32[0], HALF_PI_F32[1]) } else { (base, base_low) };
    let sign = if steep != left { -1.0 } else { 1.0 };
    let tail = atan_tail(t, low);
    let (sum, error) = fast_two_sum(base, sign * t);
    let result = (sum + (error + fma(sign, tail, base_low))).copysign(y);
    // A sum is NaN where one of its parts is, or where the parts are opposite infinities.
    if x.is_nan() || y.is_nan() { x + y } else { result }
}

/// A pair with the ratio of `a <= b` whose products, and their errors, are in range; 0/0 counts as 0, infinity over infinity as 1.
#[inline(always)]
fn finite_ratio(a: f32, b: f32) -> (f32, f32) {
    const UP: f32 = 1.237_940_1e27;
    const DOWN: f32 = 2.328_306_4e-10;
    let factor = if b > 1.8e19 { DOWN } else { 1.0 };
    let factor = if b < 1e9 { UP } else { factor };
    let infinite = b == f32::INFINITY;
    let of_infinite = if a == f32::INFINITY { 1.0 } else { 0.0 };
    let scaled = if b == 0.0 { 1.0 } else { b * factor };
    (if infinite { of_infinite } else { a * factor }, if infinite { 1.0 } else { scaled })
}

/// A guess from the bits, a polynomial, then one step of Newton's with the exact cube, as in [`crate::power::cbrt`].
#[inline(always)]
pub fn cbrt(x: f32) -> f32 {
    let size = x.abs();
    let small = size < 1e-18;
    // 2^90 and the inverse of its root.
    let scaled = if small { size * 1.237_940_1e27 } else { size };
    let third = ((u64::from(scaled.to_bits()) * 0x5555_5556) >> 32) as u32;
    let guess = f32::from_bits(third.wrapping_add(709_958_130));
    let quotient = guess / scaled;
    let p = polynomial((guess * guess) * quotient, &CBRT_F32);
    let near = guess * p;
    let square = near * near;
    let square_low = fma(near, near, -square);
    let excess = fma(square_low, near, fma(square, near, -scaled));
    let result = fma(-excess, quotient * p * (1.0 / 3.0), near);
    let result = if small { result * 9.313_226e-10 } else { result };
    let plain = size > 0.0 && size < f32::INFINITY;
    (if plain { result } else { size }).copysign(x)
}
