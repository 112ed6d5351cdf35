//! Arithmetic of float32 that the functions share; its float64 twin is [`crate::arith`].

/// 1.5 * 2^23: what is added to it is rounded to an integer, which then stands in the low bits.
pub const ROUNDER: f32 = 12_582_912.0;
const BIAS: u32 = 127;

/// `a * b + c`, rounded once.
#[inline(always)]
pub fn fma(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}

/// The integer nearest to `x * factor`, and a number whose low bits hold it.
#[inline(always)]
pub fn nearest_multiple(x: f32, factor: f32) -> (f32, u32) {
    let shifted = fma(x, factor, ROUNDER);
    (shifted - ROUNDER, shifted.to_bits())
}

/// Sum and its error.
#[inline(always)]
pub fn two_sum(a: f32, b: f32) -> (f32, f32) {
    let sum = a + b;
    let from_b = sum - a;
    (sum, (a - (sum - from_b)) + (b - from_b))
}

/// Sum and its error where `a` is zero or not smaller than `b`.
#[inline(always)]
pub fn fast_two_sum(a: f32, b: f32) -> (f32, f32) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// A polynomial by Horner's rule, lowest power first.
#[inline(always)]
pub fn polynomial<const N: usize>(x: f32, coefficients: &[f32; N]) -> f32 {
    let mut i = N - 1;
    let mut sum = coefficients[i];
    while i > 0 {
        i -= 1;
        sum = fma(sum, x, coefficients[i]);
    }
    sum
}

/// `2^n` for the `n` in the low bits of `bits`; `-126 <= n <= 127`, and 0 for -127.
#[inline(always)]
pub fn power_of_two(bits: u32) -> f32 {
    f32::from_bits(bits.wrapping_add(BIAS) << 23)
}

/// `x * 2^n` for the `n` in the low bits of `bits`, `|n| < 250`: rounds and overflows once.
#[inline(always)]
pub fn scale(x: f32, bits: u32) -> f32 {
    let biased = bits.wrapping_add(256) & 511;
    let half = biased >> 1;
    let factor = |n: u32| power_of_two(n.wrapping_sub(128));
    x * factor(half) * factor(biased - half)
}

/// `x` within bounds; NaN stays.
#[inline(always)]
pub fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// `x` with its sign flipped where the bit of `flips` at `at` is set.
#[inline(always)]
pub fn flip_sign(x: f32, flips: u32, at: u32) -> f32 {
    f32::from_bits(x.to_bits() ^ ((flips >> at) << 31))
}
