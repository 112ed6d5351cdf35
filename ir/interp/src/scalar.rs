//! What each elementwise operation does to scalars, written for clarity.

use crate::value::Scalar;
use num_complex::Complex64;
use pydd_ir::{DType, ElemOp, Exc};

/// An exception's class and message.
pub type Failure = (Exc, String);

/// Evaluates an operation. `checked` is array IR's meaning of division by zero: it raises.
///
/// # Errors
/// ZeroDivisionError and ValueError as the operation's documentation says.
pub fn elem(op: ElemOp, args: &[Scalar], checked: bool) -> Result<Scalar, Failure> {
    use Scalar::{Bool, Complex, Float, Int};
    Ok(match (op, args) {
        (ElemOp::Select, [Bool(c), a, b]) => {
            if *c {
                *a
            } else {
                *b
            }
        }
        (op, [Bool(a)]) => boolean1(op, *a),
        (op, [Bool(a), Bool(b)]) => boolean2(op, *a, *b),
        (op, [Int(a, d)]) => int1(op, *a, *d),
        (op, [Int(a, d), Int(b, _)]) => return int2(op, *a, *b, *d, checked),
        (op, [Float(a, d)]) => float1(op, *a, *d),
        (op, [Float(a, d), Float(b, _)]) => float2(op, *a, *b, *d),
        (op, [Complex(re, im, d)]) => complex1(op, Complex64::new(*re, *im), *d),
        (op, [Complex(a, b, d), Complex(e, f, _)]) => {
            complex2(op, Complex64::new(*a, *b), Complex64::new(*e, *f), *d)
        }
        (op, args) => panic!("{} does not take {args:?}", op.name()),
    })
}

fn boolean1(op: ElemOp, a: bool) -> Scalar {
    match op {
        ElemOp::Not => Scalar::Bool(!a),
        ElemOp::Abs => Scalar::Bool(a),
        _ => panic!("{} does not take bool", op.name()),
    }
}

fn boolean2(op: ElemOp, a: bool, b: bool) -> Scalar {
    Scalar::Bool(match op {
        ElemOp::And | ElemOp::Min => a & b,
        ElemOp::Or | ElemOp::Max => a | b,
        ElemOp::Xor => a ^ b,
        _ => return compare(op, &a, &b),
    })
}

fn compare<T: PartialOrd>(op: ElemOp, a: &T, b: &T) -> Scalar {
    Scalar::Bool(match op {
        ElemOp::Eq => a == b,
        ElemOp::Ne => a != b,
        ElemOp::Lt => a < b,
        ElemOp::Le => a <= b,
        ElemOp::Gt => a > b,
        ElemOp::Ge => a >= b,
        _ => panic!("{} is no comparison", op.name()),
    })
}

fn int1(op: ElemOp, a: i128, d: DType) -> Scalar {
    match op {
        ElemOp::Neg => Scalar::int(-a, d),
        ElemOp::Abs => Scalar::int(a.abs(), d),
        ElemOp::Not => Scalar::int(!a, d),
        ElemOp::Sign => Scalar::int(a.signum(), d),
        _ => panic!("{} does not take integers", op.name()),
    }
}

fn int2(op: ElemOp, a: i128, b: i128, d: DType, checked: bool) -> Result<Scalar, Failure> {
    let divides = matches!(op, ElemOp::FloorDiv | ElemOp::Mod | ElemOp::Fmod);
    if divides && b == 0 {
        return if checked {
            Err((Exc::ZeroDivisionError, "integer division or modulo by zero".to_owned()))
        } else {
            Ok(Scalar::int(0, d))
        };
    }
    let width = i128::from(d.size() * 8);
    Ok(match op {
        ElemOp::Add => Scalar::int(a + b, d),
        ElemOp::Sub => Scalar::int(a - b, d),
        // Both factors fit 64 bits, so the product fits 128.
        ElemOp::Mul => Scalar::int(a.wrapping_mul(b), d),
        ElemOp::FloorDiv => Scalar::int(floor_div(a, b), d),
        ElemOp::Mod => Scalar::int(a - floor_div(a, b) * b, d),
        ElemOp::Fmod => Scalar::int(a % b, d),
        ElemOp::Pow if b < 0 && checked => {
            return Err((Exc::ValueError, "Integers to negative integer powers are not allowed.".to_owned()));
        }
        ElemOp::Pow if b < 0 => Scalar::int(0, d),
        ElemOp::Pow => int_pow(a, b, d),
        ElemOp::Min => Scalar::int(a.min(b), d),
        ElemOp::Max => Scalar::int(a.max(b), d),
        ElemOp::And => Scalar::int(a & b, d),
        ElemOp::Or => Scalar::int(a | b, d),
        ElemOp::Xor => Scalar::int(a ^ b, d),
        ElemOp::Shl if (0..width).contains(&b) => Scalar::int(a << b, d),
        ElemOp::Shl => Scalar::int(0, d),
        ElemOp::Shr if (0..width).contains(&b) => Scalar::int(a >> b, d),
        ElemOp::Shr => Scalar::int(if a < 0 { -1 } else { 0 }, d),
        _ => compare(op, &a, &b),
    })
}

fn floor_div(a: i128, b: i128) -> i128 {
    let q = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }
}

fn int_pow(base: i128, exponent: i128, d: DType) -> Scalar {
    let mut result: i128 = 1;
    let (mut square, mut left) = (base, exponent);
    let wrap = |v: i128| match Scalar::int(v, d) {
        Scalar::Int(v, _) => v,
        _ => unreachable!("Scalar::int makes an Int"),
    };
    while left > 0 {
        if left & 1 == 1 {
            result = wrap(result.wrapping_mul(square));
        }
        square = wrap(square.wrapping_mul(square));
        left >>= 1;
    }
    Scalar::int(result, d)
}

unsafe extern "C" {
    safe fn erf(x: f64) -> f64;
    safe fn erfc(x: f64) -> f64;
    safe fn tgamma(x: f64) -> f64;
    safe fn lgamma(x: f64) -> f64;
    safe fn nextafter(x: f64, y: f64) -> f64;
    safe fn nextafterf(x: f32, y: f32) -> f32;
}

/// Applies the function of the operand's own width, as compiled code does.
#[allow(clippy::cast_possible_truncation, reason = "float32 values")]
fn by_width(a: f64, d: DType, wide: impl Fn(f64) -> f64, narrow: impl Fn(f32) -> f32) -> Scalar {
    match d {
        DType::F32 => Scalar::float(f64::from(narrow(a as f32)), d),
        _ => Scalar::float(wide(a), d),
    }
}

fn float1(op: ElemOp, a: f64, d: DType) -> Scalar {
    macro_rules! call {
        ($f:ident) => {
            by_width(a, d, f64::$f, f32::$f)
        };
    }
    match op {
        ElemOp::Neg => Scalar::float(-a, d),
        ElemOp::Abs => Scalar::float(a.abs(), d),
        ElemOp::Sqrt => call!(sqrt),
        ElemOp::Cbrt => call!(cbrt),
        ElemOp::Exp => call!(exp),
        ElemOp::Exp2 => call!(exp2),
        ElemOp::Expm1 => call!(exp_m1),
        ElemOp::Log => call!(ln),
        ElemOp::Log2 => call!(log2),
        ElemOp::Log10 => call!(log10),
        ElemOp::Log1p => call!(ln_1p),
        ElemOp::Sin => call!(sin),
        ElemOp::Cos => call!(cos),
        ElemOp::Tan => call!(tan),
        ElemOp::Asin => call!(asin),
        ElemOp::Acos => call!(acos),
        ElemOp::Atan => call!(atan),
        ElemOp::Sinh => call!(sinh),
        ElemOp::Cosh => call!(cosh),
        ElemOp::Tanh => call!(tanh),
        ElemOp::Asinh => call!(asinh),
        ElemOp::Acosh => call!(acosh),
        ElemOp::Atanh => call!(atanh),
        ElemOp::Floor => call!(floor),
        ElemOp::Ceil => call!(ceil),
        ElemOp::Trunc => call!(trunc),
        ElemOp::Rint => call!(round_ties_even),
        ElemOp::Erf => Scalar::float(erf(a), d),
        ElemOp::Erfc => Scalar::float(erfc(a), d),
        ElemOp::Gamma => Scalar::float(tgamma(a), d),
        ElemOp::LogGamma => Scalar::float(lgamma(a), d),
        ElemOp::Sign if a.is_nan() => Scalar::float(a, d),
        ElemOp::Sign => Scalar::float(f64::from(i8::from(a > 0.0) - i8::from(a < 0.0)), d),
        ElemOp::IsNan => Scalar::Bool(a.is_nan()),
        ElemOp::IsInf => Scalar::Bool(a.is_infinite()),
        ElemOp::IsFinite => Scalar::Bool(a.is_finite()),
        ElemOp::SignBit => Scalar::Bool(a.is_sign_negative()),
        _ => panic!("{} does not take one float", op.name()),
    }
}

#[allow(clippy::cast_possible_truncation, reason = "float32 values")]
fn float2(op: ElemOp, a: f64, b: f64, d: DType) -> Scalar {
    let narrow = d == DType::F32;
    let (x, y) = (a as f32, b as f32);
    let value = match op {
        ElemOp::Add => a + b,
        ElemOp::Sub => a - b,
        ElemOp::Mul => a * b,
        ElemOp::Div => a / b,
        ElemOp::FloorDiv if narrow => f64::from(floor_divmod(x, y).0),
        ElemOp::FloorDiv => floor_divmod(a, b).0,
        ElemOp::Mod if narrow => f64::from(floor_divmod(x, y).1),
        ElemOp::Mod => floor_divmod(a, b).1,
        ElemOp::Fmod if narrow => f64::from(x % y),
        ElemOp::Fmod => a % b,
        ElemOp::Pow if narrow => f64::from(x.powf(y)),
        ElemOp::Pow => a.powf(b),
        ElemOp::Min => {
            if a.is_nan() || a < b {
                a
            } else {
                b
            }
        }
        ElemOp::Max => {
            if a.is_nan() || a > b {
                a
            } else {
                b
            }
        }
        ElemOp::Fmin => {
            if b.is_nan() || a < b {
                a
            } else {
                b
            }
        }
        ElemOp::Fmax => {
            if b.is_nan() || a > b {
                a
            } else {
                b
            }
        }
        ElemOp::Atan2 if narrow => f64::from(x.atan2(y)),
        ElemOp::Atan2 => a.atan2(b),
        ElemOp::Hypot if narrow => f64::from(x.hypot(y)),
        ElemOp::Hypot => a.hypot(b),
        ElemOp::Copysign => a.copysign(b),
        ElemOp::Nextafter if narrow => f64::from(nextafterf(x, y)),
        ElemOp::Nextafter => nextafter(a, b),
        ElemOp::MakeComplex => {
            return Scalar::complex(a, b, if narrow { DType::C64 } else { DType::C128 });
        }
        _ => return compare(op, &a, &b),
    };
    Scalar::float(value, d)
}

/// NumPy's `npy_divmod`: quotient rounded down, remainder with the divisor's sign.
fn floor_divmod<T: Real>(a: T, b: T) -> (T, T) {
    let mut rem = a % b;
    if b == T::ZERO {
        return (a / b, rem);
    }
    let mut div = (a - rem) / b;
    if rem == T::ZERO {
        rem = T::ZERO.copysign(b);
    } else if (b < T::ZERO) != (rem < T::ZERO) {
        rem = rem + b;
        div = div - T::ONE;
    }
    let floor = if div == T::ZERO {
        T::ZERO.copysign(a / b)
    } else {
        let floor = div.floor();
        if div - floor > T::HALF { floor + T::ONE } else { floor }
    };
    (floor, rem)
}

/// The little of float32 and float64 that [`floor_divmod`] needs.
trait Real:
    Copy
    + PartialOrd
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Div<Output = Self>
    + std::ops::Rem<Output = Self>
{
    const ZERO: Self;
    const HALF: Self;
    const ONE: Self;
    fn copysign(self, sign: Self) -> Self;
    fn floor(self) -> Self;
}

macro_rules! real {
    ($t:ident) => {
        impl Real for $t {
            const ZERO: Self = 0.0;
            const HALF: Self = 0.5;
            const ONE: Self = 1.0;
            fn copysign(self, sign: Self) -> Self {
                $t::copysign(self, sign)
            }
            fn floor(self) -> Self {
                $t::floor(self)
            }
        }
    };
}
real!(f32);
real!(f64);

fn complex1(op: ElemOp, a: Complex64, d: DType) -> Scalar {
    let value = match op {
        ElemOp::Neg => -a,
        ElemOp::Conj => a.conj(),
        ElemOp::Sqrt => a.sqrt(),
        ElemOp::Exp => a.exp(),
        ElemOp::Log => a.ln(),
        ElemOp::Sin => a.sin(),
        ElemOp::Cos => a.cos(),
        ElemOp::Tan => a.tan(),
        ElemOp::Sinh => a.sinh(),
        ElemOp::Cosh => a.cosh(),
        ElemOp::Tanh => a.tanh(),
        ElemOp::Abs => return Scalar::float(a.re.hypot(a.im), d.real()),
        ElemOp::Re => return Scalar::float(a.re, d.real()),
        ElemOp::Im => return Scalar::float(a.im, d.real()),
        ElemOp::IsNan => return Scalar::Bool(a.is_nan()),
        // Beside NaN as well, as NumPy has it.
        ElemOp::IsInf => return Scalar::Bool(a.re.is_infinite() || a.im.is_infinite()),
        ElemOp::IsFinite => return Scalar::Bool(a.is_finite()),
        _ => panic!("{} does not take one complex number", op.name()),
    };
    Scalar::complex(value.re, value.im, d)
}

fn complex2(op: ElemOp, a: Complex64, b: Complex64, d: DType) -> Scalar {
    let value = match op {
        ElemOp::Add => a + b,
        ElemOp::Sub => a - b,
        ElemOp::Mul => a * b,
        ElemOp::Div => smith_div(a, b),
        ElemOp::Pow => complex_pow(a, b),
        ElemOp::Eq => return Scalar::Bool(a == b),
        ElemOp::Ne => return Scalar::Bool(a != b),
        // As in NumPy, no number is less or greater than one without an imaginary part.
        ElemOp::Lt | ElemOp::Le | ElemOp::Gt | ElemOp::Ge if a.im.is_nan() || b.im.is_nan() => {
            return Scalar::Bool(false);
        }
        _ => return compare(op, &(a.re, a.im), &(b.re, b.im)),
    };
    Scalar::complex(value.re, value.im, d)
}

/// Division without overflow of intermediates (R. L. Smith, CACM 5(8), 1962), as NumPy does it.
fn smith_div(a: Complex64, b: Complex64) -> Complex64 {
    if b.re.abs() >= b.im.abs() {
        if b.re == 0.0 && b.im == 0.0 {
            return Complex64::new(a.re / b.re.abs(), a.im / b.re.abs());
        }
        let ratio = b.im / b.re;
        let scale = 1.0 / (b.re + b.im * ratio);
        Complex64::new((a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale)
    } else {
        let ratio = b.re / b.im;
        let scale = 1.0 / (b.im + b.re * ratio);
        Complex64::new((a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale)
    }
}

fn complex_pow(a: Complex64, b: Complex64) -> Complex64 {
    if b.re == 0.0 && b.im == 0.0 {
        return Complex64::new(1.0, 0.0);
    }
    if a.re == 0.0 && a.im == 0.0 {
        let power = if b.re > 0.0 { 0.0 } else { f64::NAN };
        return Complex64::new(power, power);
    }
    #[allow(clippy::cast_possible_truncation, reason = "small by the test")]
    if b.im == 0.0 && b.re.fract() == 0.0 && b.re.abs() < 100.0 {
        return whole_power(a, b.re as i32);
    }
    a.powc(b)
}

/// Products as NumPy orders them: up to three factors alone, longer ones from 1.
fn whole_power(a: Complex64, exponent: i32) -> Complex64 {
    match exponent {
        1 => return a,
        2 => return a * a,
        3 => return a * (a * a),
        _ => {}
    }
    let (mut product, mut square, mut rest) = (Complex64::new(1.0, 0.0), a, exponent.unsigned_abs());
    while rest > 0 {
        if rest & 1 == 1 {
            product *= square;
        }
        square *= square;
        rest >>= 1;
    }
    if exponent < 0 { smith_div(Complex64::new(1.0, 0.0), product) } else { product }
}

/// Converts as [`OpKind::Cast`](pydd_ir::OpKind::Cast) says.
#[must_use]
pub fn cast(a: Scalar, to: DType) -> Scalar {
    match (a, to) {
        (Scalar::Bool(b), DType::Bool) => Scalar::Bool(b),
        (Scalar::Bool(b), to) => Scalar::from_int(i64::from(b), to),
        (Scalar::Int(v, _), DType::Bool) => Scalar::Bool(v != 0),
        (Scalar::Int(v, _), to) if to.is_int() => Scalar::int(v, to),
        #[allow(clippy::cast_precision_loss, reason = "conversion rounds")]
        // float32 is rounded once, from the integer itself.
        (Scalar::Int(v, _), DType::F32 | DType::C64) => real_to(f64::from(v as f32), to),
        #[allow(clippy::cast_precision_loss, reason = "conversion rounds")]
        (Scalar::Int(v, _), to) => real_to(v as f64, to),
        (Scalar::Float(x, _), to) => real_to(x, to),
        (Scalar::Complex(re, im, _), DType::Bool) => Scalar::Bool(re != 0.0 || im != 0.0),
        (Scalar::Complex(re, im, _), to) if to.is_complex() => Scalar::complex(re, im, to),
        (Scalar::Complex(re, ..), to) => real_to(re, to),
    }
}

fn real_to(x: f64, to: DType) -> Scalar {
    match to {
        DType::Bool => Scalar::Bool(x != 0.0),
        to if to.is_float() => Scalar::float(x, to),
        to if to.is_complex() => Scalar::complex(x, 0.0, to),
        DType::U64 if x >= INT64_END => Scalar::int(i128::from(whole(x - INT64_END, 64) ^ i64::MIN), to),
        DType::I64 | DType::U64 | DType::U32 => Scalar::int(i128::from(whole(x, 64)), to),
        to => Scalar::int(i128::from(whole(x, 32)), to),
    }
}

/// 2^63
const INT64_END: f64 = 9_223_372_036_854_775_808.0;

/// The integer part as a signed integer of so many bits; the least one where it does not fit, and for NaN.
fn whole(x: f64, bits: u32) -> i64 {
    let least = -1_i64 << (bits - 1);
    #[allow(clippy::cast_possible_truncation, reason = "in range by the test")]
    #[allow(clippy::cast_precision_loss, reason = "a power of two")]
    if x.abs() < -(least as f64) { x as i64 } else { least }
}
