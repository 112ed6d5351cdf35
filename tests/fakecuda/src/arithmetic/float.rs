//! Floating point: never fused unless the instruction says so, subnormals kept unless it says `.ftz`.

use super::exact::{self, BFLOAT, DOUBLE, Format, HALF, Rounding, SINGLE};
use super::{Function, Mode};
use crate::parse::Type;

pub fn format_of(ty: Type) -> Option<Format> {
    match ty {
        Type::F16 => Some(HALF),
        Type::Bf16 => Some(BFLOAT),
        Type::F32 => Some(SINGLE),
        Type::F64 => Some(DOUBLE),
        _ => None,
    }
}

/// A subnormal becomes a zero of its sign.
pub fn flush(bits: u64, f: Format) -> u64 {
    if bits & f.infinity() == 0 { bits & f.sign() } else { bits }
}

/// What happens to each result: one NaN, and flushing and clamping to [0, 1] where the instruction says so.
pub fn finish(bits: u64, f: Format, mode: Mode) -> u64 {
    let bits = if f.is_nan(bits) { f.nan() } else { bits };
    let bits = if mode.flush { flush(bits, f) } else { bits };
    if !mode.saturate {
        return bits;
    }
    let one = (f.infinity() >> 1) & f.infinity();
    if f.is_nan(bits) || bits & f.sign() != 0 { 0 } else { bits.min(one) }
}

fn operand(bits: u64, f: Format, mode: Mode) -> u64 {
    let bits = bits & (f.sign() | (f.sign() - 1));
    if mode.flush { flush(bits, f) } else { bits }
}

trait Native: Copy {
    const FORMAT: Format;
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

impl Native for f32 {
    const FORMAT: Format = SINGLE;
    fn of(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Native for f64 {
    const FORMAT: Format = DOUBLE;
    fn of(bits: u64) -> Self {
        f64::from_bits(bits)
    }
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

type Exact2 = fn(u64, u64, Format, Rounding) -> u64;

#[inline(always)]
fn binary<T: Native>(a: u64, b: u64, mode: Mode, native: fn(T, T) -> T, exact: Exact2) -> u64 {
    let f = T::FORMAT;
    let (a, b) = (operand(a, f, mode), operand(b, f, mode));
    let result = match mode.rounding {
        Rounding::Nearest => native(T::of(a), T::of(b)).bits(),
        other => exact(a, b, f, other),
    };
    finish(result, f, mode)
}

/// The same without native instructions, for 16 bits.
fn small(a: u64, b: u64, f: Format, mode: Mode, exact: Exact2) -> u64 {
    finish(exact(operand(a, f, mode), operand(b, f, mode), f, mode.rounding), f, mode)
}

fn subtract(a: u64, b: u64, f: Format, rounding: Rounding) -> u64 {
    exact::add(a, b ^ f.sign(), f, rounding)
}

fn fused<T: Native>(a: u64, b: u64, c: u64, mode: Mode, native: fn(T, T, T) -> T) -> u64 {
    let f = T::FORMAT;
    let (a, b, c) = (operand(a, f, mode), operand(b, f, mode), operand(c, f, mode));
    let result = match mode.rounding {
        Rounding::Nearest => native(T::of(a), T::of(b), T::of(c)).bits(),
        other => exact::fused(a, b, c, f, other),
    };
    finish(result, f, mode)
}

fn root<T: Native>(a: u64, mode: Mode, native: fn(T) -> T) -> u64 {
    let f = T::FORMAT;
    let a = operand(a, f, mode);
    let result = match mode.rounding {
        Rounding::Nearest => native(T::of(a)).bits(),
        other => exact::square_root(a, f, other),
    };
    finish(result, f, mode)
}

/// The approximations of the hardware, which nobody may rely on bit by bit: here, the best float.
fn approximate(a: u64, mode: Mode, function: fn(f64) -> f64) -> u64 {
    let x = f32::from_bits(operand(a, SINGLE, mode) as u32);
    finish(u64::from((function(x.into()) as f32).to_bits()), SINGLE, mode)
}

/// `rcp.approx.ftz.f64` and `rsqrt.approx.f64` leave the low word zero.
fn approximate64(a: u64, function: fn(f64) -> f64) -> u64 {
    let flush = Mode { flush: true, ..Mode::default() };
    let x = f64::from_bits(operand(a, DOUBLE, flush));
    finish(function(x).to_bits() & 0xffff_ffff_0000_0000, DOUBLE, flush)
}

/// Orders as the hardware does for min and max: -0 below +0.
fn key(bits: u64, f: Format) -> i64 {
    if bits & f.sign() != 0 { -1 - (bits & (f.sign() - 1)) as i64 } else { bits as i64 }
}

fn extremum(a: u64, b: u64, f: Format, mode: Mode, smaller: bool) -> u64 {
    let (a, b) = (operand(a, f, mode), operand(b, f, mode));
    match (f.is_nan(a), f.is_nan(b)) {
        (true, true) => f.nan(),
        (true, false) => {
            if mode.keep_nan {
                f.nan()
            } else {
                b
            }
        }
        (false, true) => {
            if mode.keep_nan {
                f.nan()
            } else {
                a
            }
        }
        (false, false) => {
            if (key(a, f) <= key(b, f)) == smaller {
                a
            } else {
                b
            }
        }
    }
}

macro_rules! native_functions {
    ($name:ident, $t:ty) => {
        fn $name(op: &str) -> Option<Function> {
            type T = $t;
            Some(match op {
                "add" => Function::Binary(|a, b, m| binary::<T>(a, b, m, |x, y| x + y, exact::add)),
                "sub" => Function::Binary(|a, b, m| binary::<T>(a, b, m, |x, y| x - y, subtract)),
                "mul" => Function::Binary(|a, b, m| binary::<T>(a, b, m, |x, y| x * y, exact::multiply)),
                "div" => Function::Binary(|a, b, m| binary::<T>(a, b, m, |x, y| x / y, exact::divide)),
                "fma" => Function::Ternary(|a, b, c, m| fused::<T>(a, b, c, m, |x, y, z| x.mul_add(y, z))),
                "sqrt" => Function::Unary(|a, m| root::<T>(a, m, |x| x.sqrt())),
                "rcp" => {
                    Function::Unary(|a, m| binary::<T>((1.0 as T).bits(), a, m, |x, y| x / y, exact::divide))
                }
                _ => return None,
            })
        }
    };
}

native_functions!(single, f32);
native_functions!(double, f64);

macro_rules! format_functions {
    ($name:ident, $f:expr) => {
        fn $name(op: &str) -> Option<Function> {
            const F: Format = $f;
            Some(match op {
                "min" => Function::Binary(|a, b, m| extremum(a, b, F, m, true)),
                "max" => Function::Binary(|a, b, m| extremum(a, b, F, m, false)),
                "neg" => Function::Unary(|a, m| operand(a, F, m) ^ F.sign()),
                "abs" => Function::Unary(|a, m| operand(a, F, m) & !F.sign()),
                "copysign" => Function::Binary(|a, b, _| (a & F.sign()) | (b & (F.sign() - 1))),
                // 16 bits; the wider formats have instructions of their own.
                "add" => Function::Binary(|a, b, m| small(a, b, F, m, exact::add)),
                "sub" => Function::Binary(|a, b, m| small(a, b, F, m, subtract)),
                "mul" => Function::Binary(|a, b, m| small(a, b, F, m, exact::multiply)),
                "fma" => Function::Ternary(|a, b, c, m| {
                    let of = |x| operand(x, F, m);
                    finish(exact::fused(of(a), of(b), of(c), F, m.rounding), F, m)
                }),
                _ => return None,
            })
        }
    };
}

format_functions!(half_format, HALF);
format_functions!(bfloat_format, BFLOAT);
format_functions!(single_format, SINGLE);
format_functions!(double_format, DOUBLE);

/// The function of an exact instruction.
pub fn function(op: &str, ty: Type) -> Option<Function> {
    match ty {
        Type::F32 => single(op).or_else(|| single_format(op)),
        Type::F64 => double(op).or_else(|| double_format(op)),
        Type::F16 => half_format(op),
        Type::Bf16 => bfloat_format(op),
        _ => None,
    }
}

/// The function of an instruction with `.approx` or `.full`.
pub fn approximation(op: &str, ty: Type) -> Option<Function> {
    Some(match (op, ty) {
        ("div", Type::F32) => return single("div"),
        ("rcp", Type::F32) => Function::Unary(|a, m| approximate(a, m, |x| 1.0 / x)),
        ("sqrt", Type::F32) => Function::Unary(|a, m| approximate(a, m, f64::sqrt)),
        ("rsqrt", Type::F32) => Function::Unary(|a, m| approximate(a, m, |x| 1.0 / x.sqrt())),
        ("sin", Type::F32) => Function::Unary(|a, m| approximate(a, m, f64::sin)),
        ("cos", Type::F32) => Function::Unary(|a, m| approximate(a, m, f64::cos)),
        ("ex2", Type::F32) => Function::Unary(|a, m| approximate(a, m, f64::exp2)),
        ("lg2", Type::F32) => Function::Unary(|a, m| approximate(a, m, f64::log2)),
        ("tanh", Type::F32) => Function::Unary(|a, m| approximate(a, m, f64::tanh)),
        ("rcp", Type::F64) => Function::Unary(|a, _| approximate64(a, |x| 1.0 / x)),
        ("rsqrt", Type::F64) => Function::Unary(|a, _| approximate64(a, |x| 1.0 / x.sqrt())),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(op: &str, ty: Type, args: &[u64], mode: Mode) -> u64 {
        match function(op, ty).unwrap() {
            Function::Unary(f) => f(args[0], mode),
            Function::Binary(f) => f(args[0], args[1], mode),
            Function::Ternary(f) => f(args[0], args[1], args[2], mode),
        }
    }

    #[test]
    fn multiplication_and_addition_are_not_fused() {
        let (a, b) = (1.0 + f64::EPSILON, 1.0 - f64::EPSILON);
        let product = call("mul", Type::F64, &[a.to_bits(), b.to_bits()], Mode::default());
        assert_eq!(f64::from_bits(product), 1.0);
        let fused = call("fma", Type::F64, &[a.to_bits(), b.to_bits(), (-1f64).to_bits()], Mode::default());
        assert_eq!(f64::from_bits(fused), -f64::EPSILON * f64::EPSILON);
    }

    #[test]
    fn subnormals_stay_unless_flushed() {
        let tiny = u64::from(1e-40f32.to_bits());
        let one = u64::from(1f32.to_bits());
        assert_eq!(call("mul", Type::F32, &[tiny, one], Mode::default()), tiny);
        assert_eq!(call("mul", Type::F32, &[tiny, one], Mode { flush: true, ..Mode::default() }), 0);
    }

    #[test]
    fn extrema_and_nan() {
        let (nan, one) = (u64::from(f32::NAN.to_bits()), u64::from(1f32.to_bits()));
        assert_eq!(call("min", Type::F32, &[nan, one], Mode::default()), one);
        assert_eq!(
            call("min", Type::F32, &[nan, one], Mode { keep_nan: true, ..Mode::default() }),
            0x7fff_ffff
        );
        assert_eq!(call("max", Type::F64, &[(-0f64).to_bits(), 0], Mode::default()), 0);
        assert_eq!(call("min", Type::F64, &[0, (-0f64).to_bits()], Mode::default()), (-0f64).to_bits());
    }

    #[test]
    fn saturation_clamps_and_clears_nan() {
        let mode = Mode { saturate: true, ..Mode::default() };
        let add = |a: f32, b: f32| {
            f32::from_bits(call("add", Type::F32, &[a.to_bits().into(), b.to_bits().into()], mode) as u32)
        };
        assert_eq!(add(0.75, 0.75), 1.0);
        assert_eq!(add(-0.75, 0.5), 0.0);
        assert_eq!(add(f32::NAN, 0.5), 0.0);
    }
}
