//! C's remainder. It is exact, whatever computes it.

use core::num::NonZeroU64;

/// A quotient below this is rounded to less than the next integer but one.
const MODERATE: f64 = 4_503_599_627_370_496.0;

/// `x - q y`, where the rounded quotient may have reached the next integer: one fused multiply-add of what is then a number, and
/// one addition that gives one. Great quotients, zero, infinities and NaN are rare.
#[inline(always)]
#[allow(clippy::neg_cmp_op_on_partial_ord, reason = "NaN is rare, too, and one comparison decides")]
pub fn fmod<const FMA: bool>(x: f64, y: f64) -> f64 {
    if !FMA {
        return x % y;
    }
    let (size, by) = (x.abs(), y.abs());
    let quotient = size / by;
    if !(quotient < MODERATE) {
        return pydd_math_fmod_rare(x, y);
    }
    let rest = (-quotient.trunc()).mul_add(by, size);
    let rest = if rest < 0.0 { rest + by } else { rest };
    (if size < by { size } else { rest }).copysign(x)
}

/// Without C's library, which devices do not have: the remainder of integers, a few bits of the quotient at a time.
#[inline(never)]
#[unsafe(no_mangle)]
#[allow(clippy::eq_op, reason = "NaN of what is NaN, or of what has no remainder")]
pub extern "C" fn pydd_math_fmod_rare(x: f64, y: f64) -> f64 {
    let ((by, scale), (mut rest, size)) = (parts(y), parts(x));
    let (Some(by), true, false) = (NonZeroU64::new(by), x.is_finite(), y.is_nan()) else {
        return (x * y) / (x * y);
    };
    if y.is_infinite() {
        return x;
    }
    if size < scale {
        return x;
    }
    rest %= by;
    let mut bits = size - scale;
    while bits > 0 {
        let step = bits.min(BITS);
        rest = (rest << step) % by;
        bits -= step;
    }
    (rest as f64 * power_of_two(scale)).copysign(x)
}

/// Of a quotient at once: an integer of 53 bits has room for so many more.
const BITS: i32 = 11;

/// An integer below 2^53 and an exponent: the number is `m * 2^e` in size. Of two numbers the one with the smaller exponent is smaller.
fn parts(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) }
}

/// Of an exponent that [`parts`] gives.
fn power_of_two(e: i32) -> f64 {
    f64::from_bits(if e < -1022 { 1 << (e + 1074) } else { ((e + 1023) as u64) << 52 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_are_those_of_the_library() {
        let mut all = vec![0.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY, f64::NAN, 1.0, 3.0, 0.1];
        let mut state = 1u64;
        for _ in 0..400 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            all.push(f64::from_bits(state));
            // Subnormal, and near to each other.
            all.push(f64::from_bits(state >> 12));
            all.push(f64::from_bits(state >> 40 | 0x3ff0_0000_0000_0000));
        }
        for &x in &all {
            for &y in &all {
                for (x, y) in [(x, y), (-x, y), (x, -y)] {
                    let (ours, theirs) = (pydd_math_fmod_rare(x, y), x % y);
                    let same = ours.to_bits() == theirs.to_bits() || (ours.is_nan() && theirs.is_nan());
                    assert!(same, "{x:e} % {y:e}: {ours:e}, not {theirs:e}");
                }
            }
        }
    }
}
