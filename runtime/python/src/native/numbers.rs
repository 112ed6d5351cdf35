//! Numbers of C and words.
//!
//! Unsafe here: nothing.

use pydd_abi::{DTypeCode, TypeKind, TypeSpec};

/// The word of a number of C, of whose register or place on the stack only the low bytes mean something.
#[inline(always)]
pub const fn word_of(dtype: DTypeCode, bits: u64) -> u64 {
    match dtype {
        DTypeCode::Bool => (bits as u8 != 0) as u64,
        DTypeCode::I8 => bits as i8 as u64,
        DTypeCode::I16 => bits as i16 as u64,
        DTypeCode::I32 => bits as i32 as u64,
        DTypeCode::U8 => bits as u8 as u64,
        DTypeCode::U16 => bits as u16 as u64,
        DTypeCode::U32 | DTypeCode::F32 => bits as u32 as u64,
        _ => bits,
    }
}

/// A word of a real number as float64.
#[inline(always)]
pub fn as_float64(dtype: DTypeCode, word: u64) -> f64 {
    match dtype {
        DTypeCode::F64 => f64::from_bits(word),
        DTypeCode::F32 => f64::from(f32::from_bits(word as u32)),
        DTypeCode::U64 => word as f64,
        DTypeCode::Bool => f64::from(u8::from(word & 1 != 0)),
        _ => word_of(dtype, word).cast_signed() as f64,
    }
}

/// What a result is that nobody may take for one.
pub const fn nothing(dtype: DTypeCode) -> u64 {
    match dtype {
        DTypeCode::F64 => f64::NAN.to_bits(),
        DTypeCode::F32 => f32::NAN.to_bits() as u64,
        _ => 0,
    }
}

pub const fn is_float(dtype: DTypeCode) -> bool {
    matches!(dtype, DTypeCode::F32 | DTypeCode::F64)
}

/// The type of a value that is a real number; of one of several types that which holds all.
pub fn real(ty: &TypeSpec) -> Option<DTypeCode> {
    let is_number = matches!(ty.kind, TypeKind::Scalar | TypeKind::Either);
    (is_number && !matches!(ty.dtype, DTypeCode::C64 | DTypeCode::C128)).then_some(ty.dtype)
}
