//! Integers and bits.

use super::{Function, Mode};
use crate::parse::Type;

/// A quotient by zero is whatever the hardware leaves; all ones show it. (PTX ISA: "unspecified, machine-specific value".)
macro_rules! typed {
    ($name:ident, $t:ty, $u:ty, $double:ty) => {
        fn $name(op: &str) -> Option<Function> {
            type T = $t;
            const BITS: u64 = T::BITS as u64;
            fn zero(x: T) -> u64 {
                x as $u as u64
            }
            fn high(a: u64, b: u64) -> T {
                ((a as T as $double).wrapping_mul(b as T as $double) >> BITS) as T
            }
            fn wide(a: u64, b: u64) -> u64 {
                (a as T as $double).wrapping_mul(b as T as $double) as u64
            }
            Some(match op {
                "add" => Function::Binary(|a, b, m| {
                    let (a, b) = (a as T, b as T);
                    zero(if m.saturate { a.saturating_add(b) } else { a.wrapping_add(b) })
                }),
                "sub" => Function::Binary(|a, b, m| {
                    let (a, b) = (a as T, b as T);
                    zero(if m.saturate { a.saturating_sub(b) } else { a.wrapping_sub(b) })
                }),
                "mul.lo" => Function::Binary(|a, b, _| zero((a as T).wrapping_mul(b as T))),
                "mul.hi" => Function::Binary(|a, b, _| zero(high(a, b))),
                "mul.wide" => Function::Binary(|a, b, _| wide(a, b)),
                "mad.lo" => {
                    Function::Ternary(|a, b, c, _| zero((a as T).wrapping_mul(b as T).wrapping_add(c as T)))
                }
                "mad.hi" => Function::Ternary(|a, b, c, m| {
                    let (h, c) = (high(a, b), c as T);
                    zero(if m.saturate { h.saturating_add(c) } else { h.wrapping_add(c) })
                }),
                "mad.wide" => Function::Ternary(|a, b, c, _| {
                    let sum = wide(a, b).wrapping_add(c);
                    if BITS == 16 { u64::from(sum as u32) } else { sum }
                }),
                "sad" => Function::Ternary(|a, b, c, _| {
                    zero(((a as T).abs_diff(b as T) as T).wrapping_add(c as T))
                }),
                "div" => Function::Binary(|a, b, _| match b as T {
                    0 => zero(!0),
                    b => zero((a as T).wrapping_div(b)),
                }),
                "rem" => Function::Binary(|a, b, _| match b as T {
                    0 => zero(!0),
                    b => zero((a as T).wrapping_rem(b)),
                }),
                "min" => Function::Binary(|a, b, _| zero((a as T).min(b as T))),
                "max" => Function::Binary(|a, b, _| zero((a as T).max(b as T))),
                "neg" => Function::Unary(|a, _| zero((a as T).wrapping_neg())),
                "abs" => Function::Unary(|a, _| {
                    let a = a as T;
                    #[allow(unused_comparisons)] // the macro also makes the unsigned types' functions
                    zero(if a < 0 { a.wrapping_neg() } else { a })
                }),
                "shr" => Function::Binary(|a, b, _| {
                    let by = u64::from(b as u32);
                    #[allow(unused_comparisons)] // as above
                    match by < BITS {
                        true => zero((a as T) >> by),
                        false => zero(if (a as T) < 0 { !0 } else { 0 }),
                    }
                }),
                "shl" => Function::Binary(|a, b, _| {
                    let by = u64::from(b as u32);
                    if by < BITS { zero((a as T) << by) } else { 0 }
                }),
                "and" => Function::Binary(|a, b, _| zero((a & b) as T)),
                "or" => Function::Binary(|a, b, _| zero((a | b) as T)),
                "xor" => Function::Binary(|a, b, _| zero((a ^ b) as T)),
                "not" => Function::Unary(|a, _| zero(!a as T)),
                "cnot" => Function::Unary(|a, _| u64::from(a as T == 0)),
                "popc" => Function::Unary(|a, _| (a as T).count_ones().into()),
                "clz" => Function::Unary(|a, _| (a as T).leading_zeros().into()),
                "brev" => Function::Unary(|a, _| zero((a as T).reverse_bits())),
                "bfind" => Function::Unary(|a, _| find(a as T as i128, false, T::BITS)),
                "bfind.shiftamt" => Function::Unary(|a, _| find(a as T as i128, true, T::BITS)),
                "bfe" => Function::Ternary(|a, b, c, _| {
                    let top = ((b & 0xff) + (c & 0xff)).saturating_sub(1).min(BITS - 1);
                    #[allow(unused_comparisons)] // as above
                    let sign = T::MIN < 0 && (a >> top) & 1 == 1;
                    zero(extract(zero(a as T), b, c, BITS, sign) as T)
                }),
                _ => return None,
            })
        }
    };
}

typed!(unsigned16, u16, u16, u32);
typed!(unsigned32, u32, u32, u64);
typed!(unsigned64, u64, u64, u128);
typed!(signed16, i16, u16, i32);
typed!(signed32, i32, u32, i64);
typed!(signed64, i64, u64, i128);

/// The place of the highest bit that is not the sign's, or how far to shift it to the top.
fn find(x: i128, shift: bool, bits: u32) -> u64 {
    let magnitude = if x < 0 { !x } else { x } as u128;
    if magnitude == 0 {
        return 0xffff_ffff;
    }
    let place = 127 - magnitude.leading_zeros();
    u64::from(if shift { bits - 1 - place } else { place })
}

/// `bfe`: a field of `length` bits from `start` on; above it, and where the operand has no bits, stands the sign (PTX ISA).
fn extract(a: u64, start: u64, length: u64, bits: u64, sign: bool) -> u64 {
    let (start, length) = (start & 0xff, length & 0xff);
    let present = length.min(bits.saturating_sub(start));
    let mask = if present >= 64 { u64::MAX } else { (1 << present) - 1 };
    let field = a.checked_shr(start as u32).unwrap_or(0) & mask;
    if sign && length > 0 { field | !mask } else { field }
}

fn funnel(low: u64, high: u64) -> u64 {
    low & 0xffff_ffff | high << 32
}

fn permute(a: u64, b: u64, selector: u64, way: u8) -> u64 {
    let bytes = funnel(a, b).to_le_bytes();
    let selectors: [u64; 4] = match way {
        0 => [0, 1, 2, 3].map(|i| selector >> (4 * i)),
        way => {
            let s = selector & 3;
            match way {
                1 => [s, s + 1, s + 2, s + 3],                                     // f4e
                2 => [s, s + 7, s + 6, s + 5],                                     // b4e
                3 => [s; 4],                                                       // rc8
                4 => [s, s.max(1), s.max(2), 3],                                   // ecl
                5 => [0, s.min(1), s.min(2), s],                                   // ecr
                _ => [2 * (s & 1), 2 * (s & 1) + 1, 2 * (s & 1), 2 * (s & 1) + 1], // rc16
            }
        }
    };
    let mut result = 0;
    for (i, s) in selectors.into_iter().enumerate() {
        let byte = bytes[(s & 7) as usize];
        let replicate = way == 0 && s & 8 != 0;
        let byte = if replicate { if byte & 0x80 != 0 { 0xff } else { 0 } } else { byte };
        result |= u64::from(byte) << (8 * i);
    }
    result
}

/// Any function of three bits: PTX ISA, `lop3`.
fn logic(a: u64, b: u64, c: u64, m: Mode) -> u64 {
    let mut result = 0;
    for row in 0..8 {
        if m.table >> row & 1 == 1 {
            let pick = |x: u64, bit: u8| if row >> bit & 1 == 1 { x } else { !x };
            result |= pick(a, 2) & pick(b, 1) & pick(c, 0);
        }
    }
    result & 0xffff_ffff
}

fn dot4(a: u64, b: u64, c: u64, m: Mode) -> u64 {
    let part = |x: u64, i: usize, signed: bool| {
        let byte = (x >> (8 * i)) as u8;
        if signed { i64::from(byte as i8) } else { i64::from(byte) }
    };
    let (sa, sb) = (m.to == Type::S32, m.from == Type::S32);
    let sum: i64 = (0..4).map(|i| part(a, i, sa) * part(b, i, sb)).sum();
    u64::from((c as u32).wrapping_add(sum as u32))
}

/// Functions on 32 or 64 bits whatever the type; `None` if `op` is not one of them.
fn untyped(op: &str, ty: Type) -> Option<Function> {
    Some(match (op, ty.bytes()) {
        ("lop3", 4) => Function::Ternary(logic),
        ("prmt", 4) => Function::Ternary(|a, b, c, m| permute(a, b, c, m.table)),
        ("shf.l.clamp", 4) => {
            Function::Ternary(|a, b, c, _| u64::from((funnel(a, b) << (c as u32).min(32) >> 32) as u32))
        }
        ("shf.l.wrap", 4) => {
            Function::Ternary(|a, b, c, _| u64::from((funnel(a, b) << (c & 31) >> 32) as u32))
        }
        ("shf.r.clamp", 4) => {
            Function::Ternary(|a, b, c, _| u64::from((funnel(a, b) >> (c as u32).min(32)) as u32))
        }
        ("shf.r.wrap", 4) => Function::Ternary(|a, b, c, _| u64::from((funnel(a, b) >> (c & 31)) as u32)),
        ("dp4a", 4) => Function::Ternary(dot4),
        _ => return None,
    })
}

/// The function of an instruction on integers, by its name with what is part of it (`mul.lo`).
pub fn function(op: &str, ty: Type) -> Option<Function> {
    if let Some(found) = untyped(op, ty) {
        return Some(found);
    }
    match ty {
        Type::U16 | Type::B16 => unsigned16(op),
        Type::U32 | Type::B32 => unsigned32(op),
        Type::U64 | Type::B64 => unsigned64(op),
        Type::S16 => signed16(op),
        Type::S32 => signed32(op),
        Type::S64 => signed64(op),
        Type::Predicate => Some(match op {
            "and" => Function::Binary(|a, b, _| a & b),
            "or" => Function::Binary(|a, b, _| a | b),
            "xor" => Function::Binary(|a, b, _| a ^ b),
            "not" => Function::Unary(|a, _| a ^ 1),
            _ => return None,
        }),
        _ => None,
    }
}

/// `bfi`, the one instruction with four operands: a field of `a` into `b`.
pub fn insert_field(a: u64, b: u64, start: u64, length: u64, wide: bool) -> u64 {
    let (start, length, bits) = (start & 0xff, length & 0xff, if wide { 64 } else { 32 });
    if start >= bits {
        return b;
    }
    let field = if length >= 64 { u64::MAX } else { (1 << length) - 1 };
    let mask = (field << start) & if wide { u64::MAX } else { 0xffff_ffff };
    (b & !mask) | ((a << start) & mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(op: &str, ty: Type, args: &[u64], table: u8) -> u64 {
        let mode = Mode { table, ..Mode::default() };
        match function(op, ty).unwrap() {
            Function::Unary(f) => f(args[0], mode),
            Function::Binary(f) => f(args[0], args[1], mode),
            Function::Ternary(f) => f(args[0], args[1], args[2], mode),
        }
    }

    #[test]
    fn products() {
        assert_eq!(call("mul.hi", Type::S64, &[(-1i64) as u64, 5], 0), u64::MAX);
        assert_eq!(call("mul.hi", Type::U64, &[u64::MAX, u64::MAX], 0), u64::MAX - 1);
        assert_eq!(call("mul.wide", Type::S32, &[0xffff_fffe, 3], 0) as i64, -6);
        assert_eq!(call("mul.wide", Type::U32, &[0xffff_ffff, 0xffff_ffff], 0), 0xffff_fffe_0000_0001);
        assert_eq!(call("mul.wide", Type::S16, &[0xffff, 3], 0) as u32, (-3i32) as u32);
        assert_eq!(call("mad.lo", Type::S32, &[3, 0xffff_ffff, 1], 0), 0xffff_fffe);
    }

    #[test]
    fn shifts_clamp() {
        assert_eq!(call("shl", Type::B32, &[1, 32], 0), 0);
        assert_eq!(call("shr", Type::S32, &[0x8000_0000, 99], 0), 0xffff_ffff);
        assert_eq!(call("shr", Type::U64, &[1 << 63, 63], 0), 1);
        assert_eq!(call("shf.l.wrap", Type::B32, &[0x8000_0000, 1, 33], 0), 3);
        assert_eq!(call("shf.r.clamp", Type::B32, &[5, 7, 40], 0), 7);
    }

    #[test]
    fn fields() {
        assert_eq!(call("bfe", Type::U32, &[0xabcd_1234, 8, 8], 0), 0x12);
        assert_eq!(call("bfe", Type::S32, &[0x0000_8000, 8, 8], 0), 0xffff_ff80);
        assert_eq!(call("bfe", Type::S32, &[0x8000_0000, 28, 8], 0), 0xffff_fff8);
        assert_eq!(call("bfe", Type::S64, &[1 << 63, 60, 4], 0), 0xffff_ffff_ffff_fff8);
        assert_eq!(call("bfe", Type::U64, &[u64::MAX, 70, 8], 0), 0);
        assert_eq!(insert_field(0xff, 0, 4, 8, false), 0xff0);
        assert_eq!(insert_field(0xff, 7, 40, 8, false), 7);
    }

    #[test]
    fn bits() {
        assert_eq!(call("bfind", Type::U32, &[0x100], 0), 8);
        assert_eq!(call("bfind", Type::S32, &[0xffff_ffff], 0), 0xffff_ffff);
        assert_eq!(call("bfind.shiftamt", Type::U32, &[1], 0), 31);
        assert_eq!(call("clz", Type::B64, &[1], 0), 63);
        assert_eq!(call("brev", Type::B32, &[1], 0), 0x8000_0000);
        assert_eq!(call("lop3", Type::B32, &[0xf0, 0xcc, 0xaa], 0x80) & 0xff, 0x80);
        assert_eq!(call("lop3", Type::B32, &[0xf0, 0xcc, 0xaa], 0x96) & 0xff, 0x96);
        assert_eq!(call("prmt", Type::B32, &[0x4433_2211, 0x8877_6655, 0x7540], 0), 0x8866_5511);
        assert_eq!(call("prmt", Type::B32, &[0x0000_0080, 0, 0x8888], 0), 0xffff_ffff);
    }

    #[test]
    fn division() {
        assert_eq!(call("div", Type::S32, &[0x8000_0000, 0xffff_ffff], 0), 0x8000_0000);
        assert_eq!(call("rem", Type::S64, &[(-7i64) as u64, 2], 0) as i64, -1);
        assert_eq!(call("div", Type::U32, &[1, 0], 0), 0xffff_ffff);
    }
}
