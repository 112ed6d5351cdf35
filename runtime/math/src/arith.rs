//! Exact sums and products, polynomials, and the bits of doubles.
//!
//! `FMA` says whether the target multiplies and adds in one instruction. Where it does not, products that must be
//! exact are split (Dekker 1971), so that nothing ever calls a library's `fma`.

/// 1.5 * 2^52: adding it rounds to an integer, which then stands in the low bits.
pub const ROUNDER: f64 = 6_755_399_441_055_744.0;
const BIAS: u64 = 1023;

/// `a * b + c`, rounded once or twice.
#[inline(always)]
pub fn mul_add<const FMA: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// Sum and its error.
#[inline(always)]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let from_b = sum - a;
    (sum, (a - (sum - from_b)) + (b - from_b))
}

/// Sum and its error where `a` is zero or not smaller than `b`.
#[inline(always)]
pub fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// Product and its error. Factors below 2^996.
#[inline(always)]
pub fn two_prod<const FMA: bool>(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    if FMA {
        return (product, a.mul_add(b, -product));
    }
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    (product, ((ah * bh - product) + ah * bl + al * bh) + al * bl)
}

/// Two halves of 26 bits (Veltkamp 1968).
#[inline(always)]
fn split(a: f64) -> (f64, f64) {
    let spread = a * 134_217_729.0;
    let high = spread - (spread - a);
    (high, a - high)
}

/// `high + low` over `divisor + divisor_low`, as a quotient and its correction.
#[inline(always)]
pub fn divide<const FMA: bool>(high: f64, low: f64, divisor: f64, divisor_low: f64) -> (f64, f64) {
    let inverse = 1.0 / divisor;
    let quotient = high * inverse;
    let (product, error) = two_prod::<FMA>(quotient, divisor);
    let rest = ((high - product) - error) + (low - quotient * divisor_low);
    (quotient, rest * inverse)
}

/// The square root of `high + low`, and its correction. Zero has the root zero.
#[inline(always)]
pub fn root<const FMA: bool>(high: f64, low: f64) -> (f64, f64) {
    let root = high.sqrt();
    let (square, error) = two_prod::<FMA>(root, root);
    let divisor = if root == 0.0 { 1.0 } else { root + root };
    (root, (((high - square) - error) + low) / divisor)
}

/// Every other coefficient from `first` on, as a polynomial.
#[inline(always)]
fn chain<const FMA: bool, const N: usize>(x: f64, coefficients: &[f64; N], first: usize, step: usize) -> f64 {
    let mut i = first + (N - 1 - first) / step * step;
    let mut sum = coefficients[i];
    while i > first {
        i -= step;
        sum = mul_add::<FMA>(sum, x, coefficients[i]);
    }
    sum
}

/// A polynomial of at least two terms, lowest power first, in two chains that run side by side.
#[inline(always)]
pub fn polynomial<const FMA: bool, const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let even = chain::<FMA, N>(x * x, coefficients, 0, 2);
    let odd = chain::<FMA, N>(x * x, coefficients, 1, 2);
    mul_add::<FMA>(odd, x, even)
}

/// A polynomial by Horner's rule: slower, and more precise where the two chains would cancel.
#[inline(always)]
pub fn horner<const FMA: bool, const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    chain::<FMA, N>(x, coefficients, 0, 1)
}

/// The nearest integer, and a number whose low bits hold it. For `|x| < 2^51`.
#[inline(always)]
pub fn nearest(x: f64) -> (f64, u64) {
    let shifted = x + ROUNDER;
    (shifted - ROUNDER, shifted.to_bits())
}

/// `2^n` for the `n` in the low bits of `bits`; `-1022 <= n <= 1023`.
#[inline(always)]
pub fn power_of_two(bits: u64) -> f64 {
    f64::from_bits(bits.wrapping_add(BIAS) << 52)
}

/// `x * 2^n` for the `n` in the low bits of `bits`, `|n| < 2000`: rounds and overflows once.
#[inline(always)]
pub fn scale(x: f64, bits: u64) -> f64 {
    let biased = bits.wrapping_add(2048) & 4095;
    let half = biased >> 1;
    let factor = |n: u64| power_of_two(n.wrapping_sub(1024));
    x * factor(half) * factor(biased - half)
}

/// `x` without its 32 lowest bits.
#[inline(always)]
pub fn upper(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000)
}

/// `x` within bounds; NaN stays.
#[inline(always)]
pub fn clamp(x: f64, low: f64, high: f64) -> f64 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// `x` with its sign flipped where the bit of `flips` at `at` is set.
#[inline(always)]
pub fn flip_sign(x: f64, flips: u64, at: u32) -> f64 {
    f64::from_bits(x.to_bits() ^ ((flips >> at) << 63))
}
