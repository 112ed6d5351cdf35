//! Two floats in one register: `f32x2`, `f16x2`, `bf16x2`. Each half is computed as the single instruction does it.

use super::{Function, Mode, float};
use crate::parse::Type;

fn one(op: &str, ty: Type, a: u64, b: u64, c: u64, mode: Mode) -> u64 {
    match float::function(op, ty) {
        Some(Function::Unary(f)) => f(a, mode),
        Some(Function::Binary(f)) => f(a, b, mode),
        Some(Function::Ternary(f)) => f(a, b, c, mode),
        None => unreachable!("`function` gives only what all float types have"),
    }
}

fn both(op: &str, ty: Type, [a, b, c]: [u64; 3], mode: Mode) -> u64 {
    let bits = 8 * ty.bytes();
    let mask = u64::MAX >> (64 - bits);
    let low = one(op, ty, a & mask, b & mask, c & mask, mode);
    let high = one(op, ty, a >> bits & mask, b >> bits & mask, c >> bits & mask, mode);
    low | high << bits
}

macro_rules! functions {
    ($ty:expr, $op:expr) => {
        Some(match $op {
            "add" => Function::Binary(|a, b, m| both("add", $ty, [a, b, 0], m)),
            "sub" => Function::Binary(|a, b, m| both("sub", $ty, [a, b, 0], m)),
            "mul" => Function::Binary(|a, b, m| both("mul", $ty, [a, b, 0], m)),
            "min" => Function::Binary(|a, b, m| both("min", $ty, [a, b, 0], m)),
            "max" => Function::Binary(|a, b, m| both("max", $ty, [a, b, 0], m)),
            "fma" => Function::Ternary(|a, b, c, m| both("fma", $ty, [a, b, c], m)),
            "neg" => Function::Unary(|a, m| both("neg", $ty, [a, 0, 0], m)),
            "abs" => Function::Unary(|a, m| both("abs", $ty, [a, 0, 0], m)),
            _ => return None,
        })
    };
}

/// The type of the halves, and of the register.
pub fn named(name: &str) -> Option<(Type, Type)> {
    Some(match name {
        "f32x2" => (Type::F32, Type::B64),
        "f16x2" => (Type::F16, Type::B32),
        "bf16x2" => (Type::Bf16, Type::B32),
        _ => return None,
    })
}

pub fn function(op: &str, half: Type) -> Option<Function> {
    match half {
        Type::F32 => functions!(Type::F32, op),
        Type::F16 => functions!(Type::F16, op),
        Type::Bf16 => functions!(Type::Bf16, op),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_meet() {
        let pair = |low: f32, high: f32| u64::from(low.to_bits()) | u64::from(high.to_bits()) << 32;
        let Some(Function::Ternary(fma)) = function("fma", Type::F32) else { panic!() };
        let result = fma(pair(1.5, -2.0), pair(2.0, 3.0), pair(0.25, 1.0), Mode::default());
        assert_eq!(result, pair(3.25, -5.0));
        let Some(Function::Binary(add)) = function("add", Type::F16) else { panic!() };
        assert_eq!(add(0x3c00_7bff, 0x3c00_7bff, Mode::default()), 0x4000_7c00);
    }
}
