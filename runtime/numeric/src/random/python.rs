//! The stream of Python's module `random`, of which each thread has one. How many words a number takes and what is computed of them
//! follows CPython to the last bit: logarithms and their like are C's, and no product is fused with a sum.

use super::{BitGenerator, Ready, Stream};
use std::cell::RefCell;
use std::f64::consts::{E, PI, TAU};

/// 4 exp(-1/2) / sqrt(2), ln(4) and 1 + ln(4.5), as C computes them.
const NORMAL_RATIO: f64 = 1.715_527_769_921_413_5;
const LN_4: f64 = 1.386_294_361_119_890_6;
const GAMMA_SQUEEZE: f64 = 2.504_077_396_776_274;

thread_local! {
    static STREAM: RefCell<Stream> = const { RefCell::new(Stream::unseeded()) };
}

/// Starts this thread's stream from the magnitude of a seed.
pub fn seed(magnitude: u64) {
    STREAM.with_borrow_mut(|stream| {
        let words = [magnitude as u32, (magnitude >> 32) as u32];
        let words = if words[1] == 0 { &words[..1] } else { &words };
        stream.start(|twister| twister.seed_by_words(words));
    });
}

/// As [`ready`](super::ready), of this stream.
#[must_use]
pub fn ready() -> *mut Ready {
    STREAM.with(|stream| stream.as_ptr().cast())
}

#[inline]
fn draw<T>(with: impl FnOnce(&mut Stream) -> T) -> T {
    STREAM.with_borrow_mut(|stream| stream.draw(with))
}

impl Stream {
    #[inline]
    fn double(&mut self) -> f64 {
        self.twister.next_double()
    }

    /// So many random bits, at most 96: words from the least significant one, of the last its upper bits.
    #[inline]
    fn bits(&mut self, count: u32) -> u128 {
        let mut bits = 0;
        for at in (0..count).step_by(32) {
            let unused = 32_u32.saturating_sub(count - at);
            bits |= u128::from(self.twister.next_u32() >> unused) << at;
        }
        bits
    }

    /// The ratio of uniforms. A. J. Kinderman and J. F. Monahan, "Computer Generation of Random Variables Using the Ratio of Uniform
    /// Deviates", ACM TOMS 3(3), 1977.
    fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        loop {
            let x = self.double();
            let y = 1.0 - self.double();
            let z = NORMAL_RATIO * (x - 0.5) / y;
            if z * z / 4.0 <= -y.ln() {
                return mean + z * deviation;
            }
        }
    }

    /// R. C. H. Cheng, "The Generation of Gamma Variables with Non-integral Shape Parameter", Applied Statistics 26(1), 1977, for
    /// shapes above 1; algorithm GS of J. H. Ahrens and U. Dieter for those below.
    fn gamma(&mut self, shape: f64, scale: f64) -> f64 {
        if shape > 1.0 {
            let steepness = (2.0 * shape - 1.0).sqrt();
            let (b, c) = (shape - LN_4, shape + steepness);
            loop {
                let first = self.double();
                if first <= 1e-7 || first >= 0.999_999_9 {
                    continue;
                }
                let second = 1.0 - self.double();
                let v = (first / (1.0 - first)).ln() / steepness;
                let x = shape * v.exp();
                let z = first * first * second;
                let r = b + c * v - x;
                if r + GAMMA_SQUEEZE - 4.5 * z >= 0.0 || r >= z.ln() {
                    return x * scale;
                }
            }
        }
        if shape == 1.0 {
            return -(1.0 - self.double()).ln() * scale;
        }
        let b = (E + shape) / E;
        loop {
            let p = b * self.double();
            let below = p <= 1.0;
            let x = if below { p.powf(1.0 / shape) } else { -((b - p) / shape).ln() };
            let other = self.double();
            if other <= if below { (-x).exp() } else { x.powf(shape - 1.0) } {
                return x * scale;
            }
        }
    }

    /// D. J. Best and N. I. Fisher, "Efficient Simulation of the von Mises Distribution", Applied Statistics 28(2), 1979.
    fn von_mises(&mut self, mean: f64, concentration: f64) -> f64 {
        if concentration <= 1e-6 {
            return TAU * self.double();
        }
        let s = 0.5 / concentration;
        let r = s + (1.0 + s * s).sqrt();
        let z = loop {
            let z = (PI * self.double()).cos();
            let d = z / (r + z);
            let other = self.double();
            if other < 1.0 - d * d || other <= (1.0 - d) * d.exp() {
                break z;
            }
        };
        let q = 1.0 / r;
        let angle = ((q + z) / (1.0 + q * z)).acos();
        remainder(if self.double() > 0.5 { mean + angle } else { mean - angle }, TAU)
    }
}

/// `x % y` of Python, for a positive `y`.
fn remainder(x: f64, y: f64) -> f64 {
    let rest = x % y;
    if rest < 0.0 {
        rest + y
    } else if rest == 0.0 {
        0.0
    } else {
        rest
    }
}

/// Of 53 random bits, in [0, 1).
#[must_use]
#[inline]
pub fn double() -> f64 {
    draw(Stream::double)
}

/// So many random bits, at most 64.
#[must_use]
#[inline]
pub fn bits(count: u32) -> u64 {
    draw(|stream| stream.bits(count)) as u64
}

/// An integer of 0 to `max`, both included: as many bits as `max + 1` has, until they are not above it.
#[must_use]
#[inline]
pub fn below(max: u64) -> u64 {
    let count = u128::from(max) + 1;
    let width = u128::BITS - count.leading_zeros();
    draw(|stream| {
        loop {
            let bits = stream.bits(width);
            if bits < count {
                return bits as u64;
            }
        }
    })
}

#[must_use]
#[inline]
pub fn uniform(low: f64, range: f64) -> f64 {
    low + range * double()
}

/// Between `low` and `high`, which are `range` apart; `mode` is the fraction of the range at which the peak is.
#[must_use]
pub fn triangular(low: f64, high: f64, range: f64, mode: f64) -> f64 {
    let x = double();
    if x > mode { high + -range * ((1.0 - x) * (1.0 - mode)).sqrt() } else { low + range * (x * mode).sqrt() }
}

#[must_use]
pub fn normal(mean: f64, deviation: f64) -> f64 {
    draw(|stream| stream.normal(mean, deviation))
}

#[must_use]
pub fn lognormal(mean: f64, deviation: f64) -> f64 {
    normal(mean, deviation).exp()
}

/// A normal number, of two that come together. G. E. P. Box and M. E. Muller, "A Note on the Generation of Random Normal Deviates",
/// Annals of Mathematical Statistics 29(2), 1958.
#[must_use]
pub fn gauss(mean: f64, deviation: f64) -> f64 {
    let z = draw(|stream| {
        stream.normal.take().unwrap_or_else(|| {
            let angle = stream.double() * TAU;
            let radius = (-2.0 * (1.0 - stream.double()).ln()).sqrt();
            stream.normal = Some(angle.sin() * radius);
            angle.cos() * radius
        })
    });
    mean + z * deviation
}

#[must_use]
pub fn exponential(rate: f64) -> f64 {
    -(1.0 - double()).ln() / rate
}

/// The shape is finite, and so is its double.
#[must_use]
pub fn gamma(shape: f64, scale: f64) -> f64 {
    draw(|stream| stream.gamma(shape, scale))
}

#[must_use]
pub fn pareto(shape: f64) -> f64 {
    (1.0 - double()).powf(-1.0 / shape)
}

#[must_use]
pub fn weibull(scale: f64, shape: f64) -> f64 {
    scale * (-(1.0 - double()).ln()).powf(1.0 / shape)
}

/// The concentration is not NaN.
#[must_use]
pub fn von_mises(mean: f64, concentration: f64) -> f64 {
    draw(|stream| stream.von_mises(mean, concentration))
}
