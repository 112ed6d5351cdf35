//! `cvt` between all types.

use super::exact::{Exact, Rounding};
use super::float::{finish, flush, format_of};
use super::{Mode, Unary};
use crate::parse::Type;

/// The number in a register: of type `ty`.
fn integer(bits: u64, ty: Type) -> i128 {
    let unused = 64 - 8 * ty.bytes();
    if ty.is_signed() {
        i128::from(((bits << unused) as i64) >> unused)
    } else {
        i128::from((bits << unused) >> unused)
    }
}

fn range(ty: Type) -> (i128, i128) {
    let bits = 8 * ty.bytes();
    if ty.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

fn integer_to_integer(a: u64, m: Mode) -> u64 {
    let value = integer(a, m.from);
    let (low, high) = range(m.to);
    let value = if m.saturate { value.clamp(low, high) } else { value };
    integer(value as u64, m.to) as u64
}

fn integer_to_float(a: u64, m: Mode) -> u64 {
    let (value, f) = (integer(a, m.from), format_of(m.to).expect("a float"));
    finish(Exact::integer(value < 0, value.unsigned_abs() as u64).round(f, m.rounding), f, m)
}

fn float_to_integer(a: u64, m: Mode) -> u64 {
    let f = format_of(m.from).expect("a float");
    let a = if m.flush { flush(a & (f.sign() | (f.sign() - 1)), f) } else { a & (f.sign() | (f.sign() - 1)) };
    let (low, high) = range(m.to);
    if f.is_nan(a) {
        // PTX ISA, cvt: zero in 32 bits and fewer, else the middle of the range.
        let wide = m.to.bytes() == 8 || m.from == Type::F64;
        return if wide { 1 << (8 * m.to.bytes() - 1) } else { 0 };
    }
    let value = if !f.is_infinite(a) {
        f.unpack(a).to_integer(m.rounding).clamp(low, high)
    } else if a & f.sign() != 0 {
        low
    } else {
        high
    };
    integer(value as u64, m.to) as u64
}

fn float_to_float(a: u64, m: Mode) -> u64 {
    let (from, to) = (format_of(m.from).expect("a float"), format_of(m.to).expect("a float"));
    let a = a & (from.sign() | (from.sign() - 1));
    let a = if m.flush { flush(a, from) } else { a };
    let negative = a & from.sign() != 0;
    let bits = if from.is_nan(a) {
        to.nan()
    } else if from.is_infinite(a) {
        if negative { to.sign() | to.infinity() } else { to.infinity() }
    } else if m.integral {
        let exact = from.unpack(a);
        // From this exponent on each value is integral.
        let value = if exact.exponent >= 0 {
            exact
        } else {
            let rounded = exact.to_integer(m.rounding);
            Exact::integer(negative, rounded.unsigned_abs() as u64)
        };
        value.round(to, Rounding::Nearest)
    } else {
        from.unpack(a).round(to, m.rounding)
    };
    finish(bits, to, m)
}

fn narrow(a: u64, m: Mode) -> u64 {
    let x = f64::from_bits(a) as f32;
    finish(x.to_bits().into(), super::exact::SINGLE, m)
}

fn widen(a: u64, m: Mode) -> u64 {
    let x = f64::from(f32::from_bits(a as u32));
    finish(x.to_bits(), super::exact::DOUBLE, m)
}

/// The conversion that `mode` describes.
pub fn function(mode: Mode) -> Unary {
    let plain = mode.rounding == Rounding::Nearest && !mode.integral && !mode.flush;
    match (mode.from, mode.to) {
        (Type::F64, Type::F32) if plain => narrow,
        (Type::F32, Type::F64) if plain => widen,
        (Type::S32, Type::F64) if plain && !mode.saturate => |a, _| f64::from(a as i32).to_bits(),
        (Type::U32, Type::F64) if plain && !mode.saturate => |a, _| f64::from(a as u32).to_bits(),
        (Type::S64, Type::F64) if plain && !mode.saturate => |a, _| (a as i64 as f64).to_bits(),
        (Type::S32, Type::F32) if plain && !mode.saturate => |a, _| (a as i32 as f32).to_bits().into(),
        (from, to) => match (from.is_float(), to.is_float()) {
            (false, false) => integer_to_integer,
            (false, true) => integer_to_float,
            (true, false) => float_to_integer,
            (true, true) => float_to_float,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(to: Type, from: Type, a: u64, change: impl Fn(&mut Mode)) -> u64 {
        let mut mode = Mode { from, to, ..Mode::default() };
        change(&mut mode);
        function(mode)(a, mode)
    }

    #[test]
    fn floats_to_integers_clamp() {
        let rz = |m: &mut Mode| m.rounding = Rounding::Zero;
        assert_eq!(convert(Type::S32, Type::F64, (-2.9f64).to_bits(), rz) as i32, -2);
        assert_eq!(convert(Type::S32, Type::F64, 1e30f64.to_bits(), rz) as i32, i32::MAX);
        assert_eq!(convert(Type::U8, Type::F32, (-5f32).to_bits().into(), rz), 0);
        assert_eq!(convert(Type::S32, Type::F32, f32::NAN.to_bits().into(), rz), 0);
        assert_eq!(convert(Type::S64, Type::F64, f64::NAN.to_bits(), rz), 1 << 63);
        assert_eq!(convert(Type::S64, Type::F64, (-(2f64.powi(63))).to_bits(), rz), 1 << 63);
        assert_eq!(convert(Type::U64, Type::F64, f64::MAX.to_bits(), rz), u64::MAX);
        assert_eq!(convert(Type::S32, Type::F32, 2.5f32.to_bits().into(), |_| ()), 2);
        assert_eq!(
            convert(Type::S32, Type::F32, 1e-45f32.to_bits().into(), |m| m.rounding = Rounding::Up),
            1
        );
    }

    #[test]
    fn integers_to_floats_round() {
        let odd = (1u64 << 53) + 1;
        assert_eq!(convert(Type::F64, Type::U64, odd, |_| ()), ((1u64 << 53) as f64).to_bits());
        assert_eq!(
            convert(Type::F64, Type::U64, odd, |m| m.rounding = Rounding::Up),
            ((odd + 1) as f64).to_bits()
        );
        for x in [0i64, 1, -1, i64::MIN, i64::MAX, 0x1234_5678_9abc_def1] {
            assert_eq!(convert(Type::F32, Type::S64, x as u64, |_| ()), u64::from((x as f32).to_bits()));
            assert_eq!(convert(Type::F64, Type::S64, x as u64, |_| ()), (x as f64).to_bits());
            assert_eq!(
                integer_to_float(x as u64, Mode { from: Type::S64, to: Type::F64, ..Mode::default() }),
                (x as f64).to_bits()
            );
        }
    }

    #[test]
    fn integers_extend_and_saturate() {
        assert_eq!(convert(Type::S64, Type::S8, 0x80, |_| ()), 0xffff_ffff_ffff_ff80);
        assert_eq!(convert(Type::U32, Type::S8, 0x80, |_| ()), 0xffff_ff80);
        assert_eq!(convert(Type::S8, Type::S32, 300, |m| m.saturate = true), 127);
        assert_eq!(convert(Type::U16, Type::S32, 0xffff_ffff, |m| m.saturate = true), 0);
    }

    #[test]
    fn integral_values() {
        let round = |x: f64, r| {
            f64::from_bits(convert(Type::F64, Type::F64, x.to_bits(), |m| {
                (m.integral, m.rounding) = (true, r)
            }))
        };
        for x in [0.5, 1.5, -2.5, -0.3, 1e300, -0.0, 4503599627370495.5] {
            assert_eq!(round(x, Rounding::Nearest).to_bits(), x.round_ties_even().to_bits(), "{x}");
            assert_eq!(round(x, Rounding::Zero).to_bits(), x.trunc().to_bits(), "{x}");
            assert_eq!(round(x, Rounding::Down).to_bits(), x.floor().to_bits(), "{x}");
            assert_eq!(round(x, Rounding::Up).to_bits(), x.ceil().to_bits(), "{x}");
        }
    }
}
