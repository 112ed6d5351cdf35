//! NumPy's promotion of types (NEP 50), Python's of its own numbers, and what may be converted to what.

use super::ty::Num;
use pydd_ir::DType;

/// bool, int, float, complex: 0 to 3.
const fn kind(dtype: DType) -> u8 {
    match dtype {
        DType::Bool => 0,
        d if d.is_int() => 1,
        d if d.is_float() => 2,
        _ => 3,
    }
}

const fn bits(dtype: DType) -> u64 {
    dtype.size() * 8
}

const fn signed(bits: u64) -> DType {
    match bits {
        8 => DType::I8,
        16 => DType::I16,
        32 => DType::I32,
        _ => DType::I64,
    }
}

/// The float that holds an integer type as NumPy pairs them: 32 bits up to 16, else 64.
const fn float_for(dtype: DType) -> DType {
    match dtype {
        DType::Bool | DType::I8 | DType::U8 | DType::I16 | DType::U16 => DType::F32,
        DType::F32 => DType::F32,
        _ => DType::F64,
    }
}

/// `np.promote_types`, both of the NumPy family.
pub fn promote_dtypes(a: DType, b: DType) -> DType {
    let (low, high) = if (kind(a), bits(a)) <= (kind(b), bits(b)) { (a, b) } else { (b, a) };
    match (kind(low), kind(high)) {
        (0, _) => high,
        (1, 1) => promote_ints(low, high),
        (1, 2) | (2, 2) => {
            let least = float_for(low);
            if bits(least) > bits(high) { least } else { high }
        }
        (_, _) => {
            let part = float_for(low.real());
            if bits(part) > bits(high.real()) { DType::C128 } else { high }
        }
    }
}

/// `low` is at most as wide as `high`.
fn promote_ints(low: DType, high: DType) -> DType {
    if low.is_signed_int() == high.is_signed_int() || (high.is_signed_int() && bits(high) > bits(low)) {
        return high;
    }
    let wide = bits(low).max(bits(high));
    if wide == 64 { DType::F64 } else { signed(wide * 2) }
}

/// The common type of two numbers, by NEP 50.
pub fn promote(a: Num, b: Num) -> Num {
    match (a.weak, b.weak) {
        (true, true) => {
            if kind(a.dtype) >= kind(b.dtype) {
                a
            } else {
                b
            }
        }
        (false, false) => Num::strong(promote_dtypes(a.dtype, b.dtype)),
        (true, false) => Num::strong(promote_weak(a.dtype, b.dtype)),
        (false, true) => Num::strong(promote_weak(b.dtype, a.dtype)),
    }
}

/// Whether an operand of a ufunc may become a type: NumPy's `can_cast`, of Python's numbers any type of their kind or a wider one.
pub fn holds(from: Num, to: DType) -> bool {
    if from.weak { kind(from.dtype) <= kind(to) } else { promote_dtypes(from.dtype, to) == to }
}

fn promote_weak(weak: DType, strong: DType) -> DType {
    if kind(weak) <= kind(strong) {
        return strong;
    }
    match (kind(weak), strong) {
        (1, _) => DType::I64,
        (2, _) => DType::F64,
        (_, DType::F32) => DType::C64,
        (_, _) => DType::C128,
    }
}

/// NumPy's `can_cast(from, to, "same_kind")`; weak numbers go to every type of their kind or a higher one.
pub fn same_kind(from: Num, to: DType) -> bool {
    if from.weak {
        return kind(from.dtype) <= kind(to);
    }
    match (kind(from.dtype), kind(to)) {
        (1, 1) => !(from.dtype.is_signed_int() && to.is_unsigned_int()),
        (from, to) => from <= to,
    }
}

/// The type in which `sqrt` and its like compute. NumPy gives float16 for bool and 8-bit integers, which
/// the language lacks: `None`.
pub fn inexact(num: Num) -> Option<Num> {
    let dtype = match num.dtype {
        d if kind(d) >= 2 => d,
        _ if num.weak => DType::F64,
        DType::Bool | DType::I8 | DType::U8 => return None,
        DType::I16 | DType::U16 => DType::F32,
        _ => DType::F64,
    };
    Some(Num { dtype, weak: num.weak })
}

/// The type in which `arctan2` and its like compute: each operand chooses a float that holds it.
pub fn inexact_pair(a: Num, b: Num) -> Option<Num> {
    let common = promote(a, b);
    let small = |num: Num| !num.weak && kind(num.dtype) < 2;
    if !small(a) || !small(b) {
        return inexact(common);
    }
    match (inexact(a), inexact(b)) {
        (Some(a), Some(b)) => Some(promote(a, b)),
        (one, other) => one.or(other),
    }
}

/// The least and greatest value of an integer type.
pub const fn int_range(dtype: DType) -> (i128, i128) {
    let bits = bits(dtype);
    if dtype.is_signed_int() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DType::*;

    #[test]
    fn numpy_pairs() {
        let cases = [
            (I8, U8, I16),
            (I64, U64, F64),
            (U32, I32, I64),
            (I32, U8, I32),
            (I16, F32, F32),
            (I32, F32, F64),
            (F32, F64, F64),
            (F64, C64, C128),
            (I32, C64, C128),
            (I16, C64, C64),
            (Bool, I8, I8),
            (F32, C64, C64),
        ];
        for (a, b, expected) in cases {
            assert_eq!(promote_dtypes(a, b), expected, "{a} {b}");
            assert_eq!(promote_dtypes(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn weak_numbers_give_way() {
        let f32 = Num::strong(F32);
        assert_eq!(promote(f32, Num::FLOAT), f32);
        assert_eq!(promote(Num::strong(I32), Num::FLOAT), Num::strong(F64));
        assert_eq!(promote(Num::INT, Num::strong(U8)), Num::strong(U8));
        assert_eq!(promote(Num::INT, Num::strong(Bool)), Num::strong(I64));
        assert_eq!(promote(Num::INT, Num::FLOAT), Num::FLOAT);
        assert_eq!(promote(Num::COMPLEX, f32), Num::strong(C64));
    }

    #[test]
    fn each_operand_chooses_its_float() {
        let pair = |a, b| inexact_pair(Num::strong(a), Num::strong(b));
        assert_eq!(pair(I16, U16), Some(Num::strong(F32)));
        assert_eq!(pair(I8, U16), Some(Num::strong(F32)));
        assert_eq!(pair(I8, U8), None);
        assert_eq!(pair(Bool, I32), Some(Num::strong(F64)));
        assert_eq!(pair(I32, F32), Some(Num::strong(F64)));
        assert_eq!(inexact_pair(Num::strong(I16), Num::FLOAT), Some(Num::strong(F64)));
        assert_eq!(inexact_pair(Num::strong(I16), Num::INT), Some(Num::strong(F32)));
    }

    #[test]
    fn same_kind_follows_numpy() {
        assert!(same_kind(Num::strong(F64), F32));
        assert!(same_kind(Num::strong(I64), I8));
        assert!(same_kind(Num::strong(U64), I8));
        assert!(!same_kind(Num::strong(I64), U64));
        assert!(!same_kind(Num::FLOAT, I64));
        assert!(same_kind(Num::INT, U8));
    }
}
