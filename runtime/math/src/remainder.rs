//! C's remainder. It is exact, whatever computes it.

/// A quotient below this is rounded to less than the next integer but one.
const MODERATE: f64 = 4_503_599_627_370_496.0;

/// `x - q y`, where the rounded quotient may have reached the next integer: one fused multiply-add of what is then a number, and
/// one addition that gives one. Great quotients, zero, infinities and NaN are the library's.
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

#[inline(never)]
#[unsafe(no_mangle)]
pub extern "C" fn pydd_math_fmod_rare(x: f64, y: f64) -> f64 {
    x % y
}
