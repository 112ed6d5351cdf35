//! IEEE operations in all rounding modes and formats, on exact values that are rounded once.
//!
//! Slow and simple: rounding to nearest of float and double uses the processor's instructions instead (`float.rs`), and the unit
//! tests compare the two.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    Zero,
    Down,
    Up,
    /// To nearest, ties away from zero (`.rna`).
    Away,
}

#[derive(Clone, Copy)]
pub struct Format {
    pub exponent_bits: u32,
    pub fraction_bits: u32,
}

pub const HALF: Format = Format { exponent_bits: 5, fraction_bits: 10 };
pub const BFLOAT: Format = Format { exponent_bits: 8, fraction_bits: 7 };
pub const SINGLE: Format = Format { exponent_bits: 8, fraction_bits: 23 };
pub const DOUBLE: Format = Format { exponent_bits: 11, fraction_bits: 52 };

impl Format {
    pub fn sign(self) -> u64 {
        1 << (self.exponent_bits + self.fraction_bits)
    }

    pub fn infinity(self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    /// The NaN that hardware makes: all ones in 32 bits and fewer, a quiet one in 64.
    pub fn nan(self) -> u64 {
        if self.fraction_bits == 52 { 0x7ff8_0000_0000_0000 } else { self.sign() - 1 }
    }

    pub fn is_nan(self, bits: u64) -> bool {
        bits & (self.sign() - 1) > self.infinity()
    }

    pub fn is_infinite(self, bits: u64) -> bool {
        bits & (self.sign() - 1) == self.infinity()
    }

    fn smallest_exponent(self) -> i32 {
        2 - (1 << (self.exponent_bits - 1))
    }

    fn signed(self, negative: bool, magnitude: u64) -> u64 {
        if negative { magnitude | self.sign() } else { magnitude }
    }

    /// The value of finite bits.
    pub fn unpack(self, bits: u64) -> Exact {
        let fraction = bits & ((1 << self.fraction_bits) - 1);
        let exponent = (bits & (self.sign() - 1)) >> self.fraction_bits;
        let lowest = self.smallest_exponent() - self.fraction_bits as i32;
        let (mantissa, exponent) = match exponent {
            0 => (fraction, lowest),
            e => (fraction | 1 << self.fraction_bits, lowest + e as i32 - 1),
        };
        Exact { negative: bits & self.sign() != 0, mantissa: mantissa.into(), exponent, sticky: false }
    }
}

/// ±mantissa × 2^exponent, plus less than one unit of the mantissa if `sticky`.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    pub negative: bool,
    pub mantissa: u128,
    pub exponent: i32,
    pub sticky: bool,
}

impl Exact {
    pub fn integer(negative: bool, magnitude: u64) -> Self {
        Exact { negative, mantissa: magnitude.into(), exponent: 0, sticky: false }
    }

    fn is_zero(self) -> bool {
        self.mantissa == 0 && !self.sticky
    }

    /// The same value with the mantissa's highest bit at `top`.
    fn with_top(self, top: u32) -> Self {
        let shift = top as i32 - (127 - self.mantissa.leading_zeros() as i32);
        debug_assert!(shift >= 0);
        Exact { mantissa: self.mantissa << shift, exponent: self.exponent - shift, ..self }
    }

    /// The value in units of 2^`exponent`, rounded: to an integer and whether that was exact.
    fn units(self, exponent: i32, rounding: Rounding) -> u128 {
        let shift = exponent - self.exponent;
        if shift <= 0 {
            return self.mantissa << -shift;
        }
        let (kept, rest, half) = if shift > 127 {
            (0, self.mantissa, u128::MAX)
        } else {
            (self.mantissa >> shift, self.mantissa & ((1 << shift) - 1), 1 << (shift - 1))
        };
        let inexact = rest != 0 || self.sticky;
        let up = match rounding {
            Rounding::Nearest => rest > half || rest == half && (self.sticky || kept & 1 == 1),
            Rounding::Away => rest >= half,
            Rounding::Zero => false,
            Rounding::Down => inexact && self.negative,
            Rounding::Up => inexact && !self.negative,
        };
        kept + u128::from(up)
    }

    pub fn round(self, format: Format, rounding: Rounding) -> u64 {
        if self.is_zero() {
            return format.signed(self.negative, 0);
        }
        let lowest = format.smallest_exponent() - format.fraction_bits as i32;
        let top = 127 - self.mantissa.leading_zeros() as i32 + self.exponent;
        let unit = if self.mantissa == 0 { lowest } else { lowest.max(top - format.fraction_bits as i32) };
        let kept = self.units(unit, rounding) as u64;
        // The implicit bit of a normal number counts one in the exponent, and so does a carry.
        let magnitude = (((unit - lowest) as u128) << format.fraction_bits) + u128::from(kept);
        if magnitude < u128::from(format.infinity()) {
            return format.signed(self.negative, magnitude as u64);
        }
        let stays_finite = match rounding {
            Rounding::Nearest | Rounding::Away => false,
            Rounding::Zero => true,
            Rounding::Down => !self.negative,
            Rounding::Up => self.negative,
        };
        format.signed(self.negative, format.infinity() - u64::from(stays_finite))
    }

    /// Rounded to an integer, which may be beyond any type's range.
    pub fn to_integer(self, rounding: Rounding) -> i128 {
        if self.exponent > 64 && self.mantissa != 0 {
            return if self.negative { i128::MIN } else { i128::MAX };
        }
        let magnitude = self.units(0, rounding) as i128;
        if self.negative { -magnitude } else { magnitude }
    }
}

fn add_exact(a: Exact, b: Exact, rounding: Rounding) -> Exact {
    if a.is_zero() && b.is_zero() {
        let negative = if a.negative == b.negative { a.negative } else { rounding == Rounding::Down };
        return Exact { negative, ..a };
    }
    if a.is_zero() {
        return b;
    }
    if b.is_zero() {
        return a;
    }
    // Room for a carry above; what falls out below is far below the last bit of any format.
    let (a, b) = (a.with_top(124), b.with_top(124));
    let (large, small) = if (a.exponent, a.mantissa) >= (b.exponent, b.mantissa) { (a, b) } else { (b, a) };
    let shift = (large.exponent - small.exponent) as u32;
    let shifted = small.mantissa.checked_shr(shift).unwrap_or(0);
    let sticky = shifted.checked_shl(shift).unwrap_or(0) != small.mantissa;
    let mantissa = if large.negative == small.negative {
        large.mantissa + shifted
    } else {
        large.mantissa - shifted - u128::from(sticky)
    };
    let negative = if mantissa == 0 && !sticky { rounding == Rounding::Down } else { large.negative };
    Exact { negative, mantissa, exponent: large.exponent, sticky }
}

fn multiply_exact(a: Exact, b: Exact) -> Exact {
    Exact {
        negative: a.negative != b.negative,
        mantissa: a.mantissa * b.mantissa,
        exponent: a.exponent + b.exponent,
        sticky: false,
    }
}

pub fn add(a: u64, b: u64, f: Format, rounding: Rounding) -> u64 {
    if f.is_nan(a) || f.is_nan(b) {
        return f.nan();
    }
    match (f.is_infinite(a), f.is_infinite(b)) {
        (true, true) if a != b => f.nan(),
        (true, _) => a,
        (_, true) => b,
        _ => add_exact(f.unpack(a), f.unpack(b), rounding).round(f, rounding),
    }
}

pub fn multiply(a: u64, b: u64, f: Format, rounding: Rounding) -> u64 {
    let magnitude = f.sign() - 1;
    if f.is_nan(a) || f.is_nan(b) {
        return f.nan();
    }
    if f.is_infinite(a) || f.is_infinite(b) {
        let zero = a & magnitude == 0 || b & magnitude == 0;
        return if zero { f.nan() } else { f.infinity() | (a ^ b) & f.sign() };
    }
    multiply_exact(f.unpack(a), f.unpack(b)).round(f, rounding)
}

pub fn fused(a: u64, b: u64, c: u64, f: Format, rounding: Rounding) -> u64 {
    let finite = |x| !f.is_nan(x) && !f.is_infinite(x);
    if finite(a) && finite(b) && finite(c) {
        return add_exact(multiply_exact(f.unpack(a), f.unpack(b)), f.unpack(c), rounding).round(f, rounding);
    }
    if finite(a) && finite(b) {
        return if f.is_nan(c) { f.nan() } else { c };
    }
    add(multiply(a, b, f, rounding), c, f, rounding)
}

pub fn divide(a: u64, b: u64, f: Format, rounding: Rounding) -> u64 {
    let sign = (a ^ b) & f.sign();
    let (zero_a, zero_b) = (a & (f.sign() - 1) == 0, b & (f.sign() - 1) == 0);
    if f.is_nan(a) || f.is_nan(b) || zero_a && zero_b || f.is_infinite(a) && f.is_infinite(b) {
        return f.nan();
    }
    if f.is_infinite(a) || zero_b {
        return sign | f.infinity();
    }
    if f.is_infinite(b) || zero_a {
        return sign;
    }
    let (x, y) = (f.unpack(a).with_top(126), f.unpack(b));
    let quotient = Exact {
        negative: sign != 0,
        mantissa: x.mantissa / y.mantissa,
        exponent: x.exponent - y.exponent,
        sticky: x.mantissa % y.mantissa != 0,
    };
    quotient.round(f, rounding)
}

pub fn square_root(a: u64, f: Format, rounding: Rounding) -> u64 {
    if f.is_nan(a) || a & f.sign() != 0 && a != f.sign() {
        return f.nan();
    }
    if f.is_infinite(a) || a & (f.sign() - 1) == 0 {
        return a;
    }
    let x = f.unpack(a).with_top(124);
    let x = if x.exponent % 2 == 0 { x } else { f.unpack(a).with_top(125) };
    let root = x.mantissa.isqrt();
    let result = Exact {
        negative: false,
        mantissa: root,
        exponent: x.exponent / 2,
        sticky: root * root != x.mantissa,
    };
    result.round(f, rounding)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits that are often special: few values of exponents, few of mantissas.
    fn samples() -> Vec<f32> {
        let mut state = 1u32;
        let mut all: Vec<f32> =
            [0.0, -0.0, 1.0, f32::MAX, f32::MIN_POSITIVE, f32::INFINITY, f32::NAN, 1e-45].into();
        for _ in 0..300 {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            let mantissa = [0, 1, 0x7fffff, (state >> 9) & 0x7fffff][(state >> 5) as usize % 4];
            let exponent = [0, 1, 126, 127, 128, 254, (state >> 3) & 0xff][(state >> 13) as usize % 7];
            all.push(f32::from_bits(mantissa | exponent << 23 | (state & 0x8000_0000)));
        }
        all
    }

    fn same(ours: u64, native: f32, what: &str) {
        let ours = f32::from_bits(ours as u32);
        assert!(
            ours.to_bits() == native.to_bits() || ours.is_nan() && native.is_nan(),
            "{what}: {ours:e} {native:e}"
        );
    }

    #[test]
    fn nearest_is_the_processors() {
        let values = samples();
        let bits = |x: f32| u64::from(x.to_bits());
        for &a in &values {
            same(square_root(bits(a), SINGLE, Rounding::Nearest), a.sqrt(), "sqrt");
            for &b in &values {
                let n = Rounding::Nearest;
                same(add(bits(a), bits(b), SINGLE, n), a + b, "add");
                same(multiply(bits(a), bits(b), SINGLE, n), a * b, "multiply");
                same(divide(bits(a), bits(b), SINGLE, n), a / b, "divide");
                let c = values[(a.to_bits() ^ b.to_bits()) as usize % values.len()];
                same(fused(bits(a), bits(b), bits(c), SINGLE, n), a.mul_add(b, c), "fused");
            }
        }
    }

    #[test]
    fn directed_roundings_enclose() {
        let values = samples();
        for &a in &values {
            for &b in &values {
                let by = |r| f32::from_bits(divide(a.to_bits().into(), b.to_bits().into(), SINGLE, r) as u32);
                let exact = f64::from(a) / f64::from(b);
                if exact.is_nan() {
                    continue;
                }
                assert!(
                    f64::from(by(Rounding::Down)) <= exact && exact <= f64::from(by(Rounding::Up)),
                    "{a:e} / {b:e}"
                );
                assert!(f64::from(by(Rounding::Zero)).abs() <= exact.abs());
            }
        }
    }

    #[test]
    fn halves() {
        assert_eq!(SINGLE.unpack(65519f32.to_bits().into()).round(HALF, Rounding::Nearest), 0x7bff);
        assert_eq!(SINGLE.unpack(65520f32.to_bits().into()).round(HALF, Rounding::Nearest), 0x7c00);
        assert_eq!(SINGLE.unpack(65520f32.to_bits().into()).round(HALF, Rounding::Zero), 0x7bff);
        assert_eq!(SINGLE.unpack((2f32.powi(-25)).to_bits().into()).round(HALF, Rounding::Nearest), 0);
        assert_eq!(SINGLE.unpack((2f32.powi(-25)).to_bits().into()).round(HALF, Rounding::Up), 1);
        assert_eq!(
            SINGLE.unpack((1.0 + 1.0 / 256.0f32).to_bits().into()).round(BFLOAT, Rounding::Nearest),
            0x3f80
        );
    }
}
