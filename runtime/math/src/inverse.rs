//! Inverse trigonometric functions.

use crate::arith::{divide, fast_two_sum, horner, mul_add, polynomial, two_sum, upper};
use crate::coefficients::{ASIN, ATAN, ATAN_WHOLE, PI_2_HI, PI_2_LO, PI_4_HI, PI_4_LO};

/// `asin` of `s` is `s + s * rest`, for `s` as a short number and what it lacks.
struct Half {
    s: f64,
    short: f64,
    lack: f64,
    rest: f64,
}

/// For `|x| <= 1/2` of x itself, else of `sqrt((1 - |x|) / 2)`: `asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2))`.
#[inline(always)]
fn half<const FMA: bool>(size: f64) -> Half {
    let z = if size > 0.5 { 0.5 * (1.0 - size) } else { size * size };
    let s = if size > 0.5 { z.sqrt() } else { size };
    let short = upper(s);
    let sum = s + short;
    let lack = (z - short * short) / if sum == 0.0 { 1.0 } else { sum };
    Half { s, short, lack, rest: z * polynomial::<FMA, _>(z, &ASIN) }
}

#[inline(always)]
pub fn asin<const FMA: bool>(x: f64) -> f64 {
    let size = x.abs();
    let Half { s, short, lack, rest } = half::<FMA>(size);
    let small = mul_add::<FMA>(s, rest, s);
    let correction = 2.0 * s * rest - (PI_2_LO - 2.0 * lack);
    let big = PI_4_HI - (correction - (PI_4_HI - 2.0 * short));
    let result = if size > 0.5 { big } else { small };
    (if size > 1.0 { f64::NAN } else { result }).copysign(x)
}

#[inline(always)]
pub fn acos<const FMA: bool>(x: f64) -> f64 {
    let size = x.abs();
    let Half { s, short, lack, rest } = half::<FMA>(size);
    let middle = PI_2_HI - (x - (PI_2_LO - x * rest));
    let right = 2.0 * (short + mul_add::<FMA>(s, rest, lack));
    let left = 2.0 * (PI_2_HI - (s + (s * rest - PI_2_LO)));
    let outer = if x > 0.0 { right } else { left };
    let result = if size > 0.5 { outer } else { middle };
    if size > 1.0 { f64::NAN } else { result }
}

/// `atan(a / b)` for `0 <= a <= b` and `b > 0`, as a sum of two. By `atan(t) = pi/4 + atan((t - 1) / (t + 1))` the
/// polynomial sees at most tan(pi/8).
#[inline(always)]
fn atan_of_quotient<const FMA: bool>(a: f64, b: f64) -> (f64, f64) {
    const TAN_PI_8: f64 = std::f64::consts::SQRT_2 - 1.0;
    let big = a > TAN_PI_8 * b;
    let ((above, above_low), (below, below_low)) =
        if big { (two_sum(a, -b), two_sum(b, a)) } else { ((a, 0.0), (b, 0.0)) };
    let (t, correction) = divide::<FMA>(above, above_low, below, below_low);
    let z = t * t;
    let cubic = t * z * polynomial::<FMA, _>(z, &ATAN);
    let (base, base_low) = if big { (PI_4_HI, PI_4_LO) } else { (0.0, 0.0) };
    let (high, error) = fast_two_sum(base, t);
    (high, error + (cubic + (mul_add::<FMA>(-z, correction, correction) + base_low)))
}

#[inline(always)]
pub fn atan<const FMA: bool>(x: f64) -> f64 {
    // The arc tangent has long been constant there, and products still are in range.
    const LARGE: f64 = 1e300;
    let size = x.abs();
    let size = if size > LARGE { LARGE } else { size };
    let steep = size > 1.0;
    let (high, low) = if FMA {
        // A long polynomial is fewer instructions than to make the quotient smaller.
        let inverse = 1.0 / size;
        let (t, rest) =
            if steep { (inverse, mul_add::<FMA>(-inverse, size, 1.0) * inverse) } else { (size, 0.0) };
        let z = t * t;
        // 1 - z/2 is close enough to the slope 1 / (1 + z).
        let rest = rest * mul_add::<FMA>(z, -0.5, 1.0);
        (t, mul_add::<FMA>(t * z, horner::<FMA, _>(z, &ATAN_WHOLE), rest))
    } else {
        let (a, b) = if steep { (1.0, size) } else { (size, 1.0) };
        atan_of_quotient::<FMA>(a, b)
    };
    let (complement, error) = fast_two_sum(PI_2_HI, -high);
    let result = if steep { complement + (error + (PI_2_LO - low)) } else { high + low };
    result.copysign(x)
}

#[inline(always)]
pub fn atan2<const FMA: bool>(y: f64, x: f64) -> f64 {
    let (ay, ax) = (y.abs(), x.abs());
    let steep = ay > ax;
    let (a, b) = if steep { (ax, ay) } else { (ay, ax) };
    let (a, b) = finite_ratio(a, b);
    let (high, low) = atan_of_quotient::<FMA>(a, b);
    let left = x.is_sign_negative();
    let (base, base_low) = if left { (2.0 * PI_2_HI, 2.0 * PI_2_LO) } else { (0.0, 0.0) };
    let (base, base_low) = if steep { (PI_2_HI, PI_2_LO) } else { (base, base_low) };
    let sign = if steep != left { -1.0 } else { 1.0 };
    let (sum, error) = fast_two_sum(base, sign * high);
    let result = (sum + (error + (sign * low + base_low))).copysign(y);
    // A sum is NaN where one of its parts is, or where the parts are opposite infinities.
    if x.is_nan() || y.is_nan() { x + y } else { result }
}

/// A pair with the ratio of `a <= b` whose products, and their errors, are in range; 0/0 counts as 0, infinity over infinity as 1.
#[inline(always)]
fn finite_ratio(a: f64, b: f64) -> (f64, f64) {
    const UP: f64 = 4.149_515_568_880_993e180;
    let factor = if b > 1e200 { 1.0 / UP } else { 1.0 };
    let factor = if b < 1e100 { UP } else { factor };
    let (a_scaled, b_scaled) = (a * factor, b * factor);
    let b_scaled = if b == 0.0 { 1.0 } else { b_scaled };
    let infinite = b == f64::INFINITY;
    let of_infinite = if a == f64::INFINITY { 1.0 } else { 0.0 };
    (if infinite { of_infinite } else { a_scaled }, if infinite { 1.0 } else { b_scaled })
}
