//! Distributions that both of NumPy's interfaces have, drawn from either bit generator. What they compute and how many words
//! they take follows NumPy to the last bit: logarithms are C's, and no product is fused with a sum.

use super::BitGenerator;
use super::layers::{EXPONENTIAL, NORMAL};

/// Where the tail begins behind the layers.
const NORMAL_TAIL: f64 = 3.654_152_885_361_009;
const EXPONENTIAL_TAIL: f64 = 7.697_117_470_131_05;
const INVERSE_NORMAL_TAIL: f64 = 0.273_661_237_329_758_3;

/// A standard normal number, by the ziggurat method. G. Marsaglia and W. W. Tsang, "The Ziggurat Method for Generating Random
/// Variables", Journal of Statistical Software 5(8), 2000; the tail as in G. Marsaglia, "Generating a Variable from the Tail of the Normal
/// Distribution", Technometrics 6(1), 1964.
#[inline]
pub fn normal(source: &mut impl BitGenerator) -> f64 {
    loop {
        let bits = source.next_u64();
        let layer = (bits & 0xff) as usize;
        let position = bits >> 9 & 0x000f_ffff_ffff_ffff;
        let distance = position as f64 * NORMAL.scale[layer];
        // Without a branch, which half of the time would not be foreseen.
        let x = f64::from_bits(distance.to_bits() ^ (bits >> 8 & 1) << 63);
        if position < NORMAL.inside[layer] {
            return x;
        }
        if layer == 0 {
            let beyond = normal_tail(source);
            return if position >> 8 & 1 == 1 { -beyond } else { beyond };
        }
        let (low, high) = (NORMAL.density[layer], NORMAL.density[layer - 1]);
        if (high - low) * source.next_double() + low < (-0.5 * x * x).exp() {
            return x;
        }
    }
}

#[cold]
fn normal_tail(source: &mut impl BitGenerator) -> f64 {
    loop {
        let x = -INVERSE_NORMAL_TAIL * (-source.next_double()).ln_1p();
        let y = -(-source.next_double()).ln_1p();
        if y + y > x * x {
            return NORMAL_TAIL + x;
        }
    }
}

/// A standard exponential number, by the ziggurat method.
#[inline]
pub fn exponential(source: &mut impl BitGenerator) -> f64 {
    loop {
        let bits = source.next_u64() >> 3;
        let layer = (bits & 0xff) as usize;
        let position = bits >> 8;
        let x = position as f64 * EXPONENTIAL.scale[layer];
        if position < EXPONENTIAL.inside[layer] {
            return x;
        }
        if layer == 0 {
            return EXPONENTIAL_TAIL - (-source.next_double()).ln_1p();
        }
        let (low, high) = (EXPONENTIAL.density[layer], EXPONENTIAL.density[layer - 1]);
        if (high - low) * source.next_double() + low < (-x).exp() {
            return x;
        }
    }
}

/// A number of 24 random bits in [0, 1), as float32 holds it.
#[inline]
pub fn single(source: &mut impl BitGenerator) -> f64 {
    f64::from(source.next_u32() >> 8) * (1.0 / 16_777_216.0)
}

/// An integer of 0 to `max`: words cut to as many bits as `max` has, until one is not above it.
#[inline]
pub fn interval(source: &mut impl BitGenerator, max: u64) -> u64 {
    if max == 0 {
        return 0;
    }
    let mask = u64::MAX >> max.leading_zeros();
    loop {
        let word = if max <= u64::from(u32::MAX) { u64::from(source.next_u32()) } else { source.next_u64() };
        if word & mask <= max {
            return word & mask;
        }
    }
}

/// An integer of 0 to `max`, by few divisions. D. Lemire, "Fast Random Integer Generation in an Interval", ACM TOMACS 29(1),
/// 2019.
#[inline]
pub fn bounded(source: &mut impl BitGenerator, max: u64) -> u64 {
    match u32::try_from(max) {
        Ok(0) => 0,
        Ok(u32::MAX) => u64::from(source.next_u32()),
        Ok(max) => {
            let count = u64::from(max) + 1;
            let mut product = u64::from(source.next_u32()) * count;
            if (product as u32) <= max {
                let threshold = (u32::MAX - max) % (max + 1);
                while (product as u32) < threshold {
                    product = u64::from(source.next_u32()) * count;
                }
            }
            product >> 32
        }
        Err(_) if max == u64::MAX => source.next_u64(),
        Err(_) => {
            let count = u128::from(max) + 1;
            let mut product = u128::from(source.next_u64()) * count;
            if (product as u64) <= max {
                let threshold = (u64::MAX - max) % (max + 1);
                while (product as u64) < threshold {
                    product = u128::from(source.next_u64()) * count;
                }
            }
            (product >> 64) as u64
        }
    }
}

/// A count of a Poisson distribution with a mean of at least 0.
pub fn poisson(source: &mut impl BitGenerator, mean: f64) -> i64 {
    if mean >= 10.0 {
        poisson_by_rejection(source, mean)
    } else if mean == 0.0 {
        0
    } else {
        let limit = (-mean).exp();
        let mut product = source.next_double();
        let mut count = 0;
        while product > limit {
            product *= source.next_double();
            count += 1;
        }
        count
    }
}

/// W. Hörmann, "The transformed rejection method for generating Poisson random variables", Insurance: Mathematics and Economics
/// 12(1), 1993: algorithm PTRS.
fn poisson_by_rejection(source: &mut impl BitGenerator, mean: f64) -> i64 {
    let log_mean = mean.ln();
    let b = 0.931 + 2.53 * mean.sqrt();
    let a = -0.059 + 0.02483 * b;
    let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    const TOO_LARGE: f64 = 9_223_372_036_854_775_808.0;
    let v_r = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let u = source.next_double() - 0.5;
        let v = source.next_double();
        let us = 0.5 - u.abs();
        let count = ((2.0 * a / us + b) * u + mean + 0.43).floor();
        if us >= 0.07 && v <= v_r {
            return count as i64;
        }
        if !(0.0..TOO_LARGE).contains(&count) || us < 0.013 && v > us {
            continue;
        }
        let accepted = v.ln() + inverse_alpha.ln() - (a / (us * us) + b).ln();
        if accepted <= -mean + count * log_mean - log_gamma(count + 1.0) {
            return count as i64;
        }
    }
}

/// The logarithm of the gamma function, as NumPy computes it for the test above (the last bit may decide): Stirling's series,
/// from 7 on. S. Zhang and J. Jin, "Computation of Special Functions", Wiley, 1996.
fn log_gamma(x: f64) -> f64 {
    const SERIES: [f64; 10] = [
        8.333_333_333_333_333e-2,
        -2.777_777_777_777_778e-3,
        7.936_507_936_507_937e-4,
        -5.952_380_952_380_952e-4,
        8.417_508_417_508_418e-4,
        -1.917_526_917_526_918e-3,
        6.410_256_410_256_41e-3,
        -2.955_065_359_477_124e-2,
        1.796_443_723_688_307e-1,
        -1.392_432_216_905_9,
    ];
    const LOG_TWO_PI: f64 = 1.837_877_066_409_345_3;
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    let below = if x < 7.0 { (7.0 - x) as i64 } else { 0 };
    let mut at = x + below as f64;
    let square = (1.0 / at) * (1.0 / at);
    let series = SERIES.iter().rev().copied().reduce(|sum, term| sum * square + term).unwrap_or(0.0);
    let mut result = series / at + 0.5 * LOG_TWO_PI + (at - 0.5) * at.ln() - at;
    for _ in 0..below {
        result -= (at - 1.0).ln();
        at -= 1.0;
    }
    result
}
