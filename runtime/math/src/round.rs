//! Rounding to integers, for processors without an instruction for it.

/// From here on doubles are integers.
const ALL_WHOLE: f64 = 4_503_599_627_370_496.0;

#[inline(always)]
pub fn rint<const FMA: bool>(x: f64) -> f64 {
    let size = x.abs();
    let rounded = ((size + ALL_WHOLE) - ALL_WHOLE).copysign(x);
    if size < ALL_WHOLE { rounded } else { x }
}

#[inline(always)]
pub fn floor<const FMA: bool>(x: f64) -> f64 {
    let near = rint::<FMA>(x);
    (if near > x { near - 1.0 } else { near }).copysign(x)
}

#[inline(always)]
pub fn ceil<const FMA: bool>(x: f64) -> f64 {
    let near = rint::<FMA>(x);
    (if near < x { near + 1.0 } else { near }).copysign(x)
}

#[inline(always)]
pub fn trunc<const FMA: bool>(x: f64) -> f64 {
    floor::<FMA>(x.abs()).copysign(x)
}
