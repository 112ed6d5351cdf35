//! Trigonometric functions of huge arguments (Payne and Hanek 1983).
//!
//! These are the functions that a vectorised loop calls, behind a mask, for the rare elements that need them.

use crate::arith::two_prod;
use crate::coefficients::{PI_2_HI, PI_2_LO};
use crate::trig::{Angle, cos_of, sin_of, tan_of};

/// The bits of 2/pi after the point, behind 64 zeros, and zeros up to a power of two.
const TWO_OVER_PI: [u64; 32] = [
    0x0000_0000_0000_0000,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
    0xf0cf_bc20_9af4_361d,
    0x0000_0000_0000_0000,
    0x0000_0000_0000_0000,
    0x0000_0000_0000_0000,
    0x0000_0000_0000_0000,
    0x0000_0000_0000_0000,
    0x0000_0000_0000_0000,
    0x0000_0000_0000_0000,
    0x0000_0000_0000_0000,
    0x0000_0000_0000_0000,
    0x0000_0000_0000_0000,
    0x0000_0000_0000_0000,
];

/// 64 bits of the table from a bit on.
fn window(bit: u32) -> u64 {
    let (word, shift) = ((bit / 64) as usize, bit % 64);
    let (high, low) = (TWO_OVER_PI[word & 31], TWO_OVER_PI[(word + 1) & 31]);
    (high << shift) | ((low >> 1) >> (63 - shift))
}

/// Where `x`, with `|x| >= 2^20`, stands in its quadrant. An infinity or NaN gives NaN.
///
/// With `x = m 2^e` only those bits of 2/pi matter that give more than a multiple of four turns' quarters: 190 bits from
/// bit e - 2 on. They leave 130 bits of the fraction, of which the worst double loses 62.
fn reduce(x: f64) -> Angle {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 2047) as u32;
    let mantissa = u128::from((bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000);
    // e - 2 = exponent - 1077, and the table begins with 64 zeros.
    let start = exponent.wrapping_sub(1077 - 64);
    let [high, middle, low] = [0, 64, 128].map(|offset| u128::from(window(start.wrapping_add(offset))));
    // The product modulo 2^192: two bits of quadrant, 190 of fraction.
    let lowest = mantissa * low;
    let upper = ((mantissa * high) << 64).wrapping_add(mantissa * middle).wrapping_add(lowest >> 64);
    // To the nearest multiple: the fraction becomes signed.
    let quadrant = ((upper >> 126) as u64).wrapping_add((upper >> 125) as u64 & 1);
    let lowest = lowest as u64;
    let (fraction, rest) = ((upper << 2) | u128::from(lowest >> 62), lowest << 2);
    let negative = fraction >> 127 == 1;
    let flips = if negative { u128::MAX } else { 0 };
    let (size, size_rest) = (fraction ^ flips, rest ^ flips as u64);
    // 106 bits from the first that is set.
    let zeros = size.leading_zeros() & 127;
    let top = (size << zeros) | (u128::from(size_rest) << 64 >> 1 >> (127 - zeros));
    let unit = f64::from_bits(u64::from(1023 - 53 - zeros) << 52);
    let first = (top >> 75) as u64 as f64 * unit;
    let second = ((top >> 22) as u64 & 0x001f_ffff_ffff_ffff) as f64 * (unit / 9_007_199_254_740_992.0);
    let (product, error) = two_prod::<false>(first, PI_2_HI);
    let low = error + (first * PI_2_LO + second * PI_2_HI);
    let (r, low) = crate::arith::fast_two_sum(product, low);
    let sign = if negative != (x < 0.0) { -1.0 } else { 1.0 };
    let quadrant = if x < 0.0 { quadrant.wrapping_neg() } else { quadrant };
    let r = if exponent == 2047 { f64::NAN } else { sign * r };
    Angle { quadrant, r, low: sign * low }
}

/// The sine of a huge argument.
#[inline(never)]
#[unsafe(no_mangle)]
pub extern "C" fn pydd_math_sin_huge(x: f64) -> f64 {
    sin_of::<false>(reduce(x))
}

/// The cosine of a huge argument.
#[inline(never)]
#[unsafe(no_mangle)]
pub extern "C" fn pydd_math_cos_huge(x: f64) -> f64 {
    cos_of::<false>(reduce(x))
}

/// The tangent of a huge argument.
#[inline(never)]
#[unsafe(no_mangle)]
pub extern "C" fn pydd_math_tan_huge(x: f64) -> f64 {
    tan_of::<false>(reduce(x))
}
