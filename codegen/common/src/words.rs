//! How IR values become words (see `pydd_abi::words`).

use pydd_abi::DTypeCode;
use pydd_ir::{DType, Type};

/// The ABI's code of an element type.
#[must_use]
pub const fn dtype_code(dtype: DType) -> DTypeCode {
    match dtype {
        DType::Bool => DTypeCode::Bool,
        DType::I8 => DTypeCode::I8,
        DType::I16 => DTypeCode::I16,
        DType::I32 => DTypeCode::I32,
        DType::I64 => DTypeCode::I64,
        DType::U8 => DTypeCode::U8,
        DType::U16 => DTypeCode::U16,
        DType::U32 => DTypeCode::U32,
        DType::U64 => DTypeCode::U64,
        DType::F32 => DTypeCode::F32,
        DType::F64 => DTypeCode::F64,
        DType::C64 => DTypeCode::C64,
        DType::C128 => DTypeCode::C128,
    }
}

/// Words of a value.
#[must_use]
pub const fn of(ty: Type) -> usize {
    match ty {
        Type::Scalar(dtype) => pydd_abi::words::scalar(dtype_code(dtype)),
        Type::Array { rank, .. } => pydd_abi::words::array(rank as usize),
        Type::List { .. } | Type::Str => 1,
    }
}

/// Words of several values.
pub fn total(types: impl IntoIterator<Item = Type>) -> usize {
    types.into_iter().map(of).sum()
}

/// The words of a scalar constant of type `dtype`.
#[must_use]
pub fn of_literal(literal: &pydd_ir::Literal, dtype: DType) -> [u64; 2] {
    use pydd_ir::Literal;
    let float = |bits: u64| match dtype {
        #[allow(clippy::cast_possible_truncation, reason = "float32 constants are rounded when used")]
        DType::F32 | DType::C64 => u64::from((f64::from_bits(bits) as f32).to_bits()),
        _ => bits,
    };
    match *literal {
        Literal::Bool(value) => [u64::from(value), 0],
        Literal::Int(value) => [value.cast_unsigned(), 0],
        Literal::Float(bits) => [float(bits), 0],
        Literal::Complex(re, im) => [float(re), float(im)],
        Literal::Str(_) => [0, 0],
    }
}
