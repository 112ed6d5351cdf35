//! How IR values are represented: each is one or more LLVM values.

use crate::builder::{Ir, V};
use inkwell::types::{BasicTypeEnum, FloatType};
use pydd_ir::{DType, Type};

/// The LLVM values that stand for one IR value.
#[derive(Clone, Debug)]
pub enum Val<'c> {
    /// A number or bool; bool is an `i1`.
    Scalar(V<'c>),
    /// Real and imaginary part.
    Complex(V<'c>, V<'c>),
    Array(Array<'c>),
    /// A pointer to a `pydd_abi::List`.
    List(V<'c>),
    /// A C string.
    Str(V<'c>),
}

/// An array: strides are in bytes.
#[derive(Clone, Debug)]
pub struct Array<'c> {
    pub data: V<'c>,
    pub owner: V<'c>,
    pub dims: Vec<V<'c>>,
    pub strides: Vec<V<'c>>,
}

impl<'c> Val<'c> {
    pub fn scalar(&self) -> V<'c> {
        match self {
            Self::Scalar(v) => *v,
            other => panic!("a scalar, not {other:?}"),
        }
    }

    pub fn complex(&self) -> (V<'c>, V<'c>) {
        match self {
            Self::Complex(re, im) => (*re, *im),
            other => panic!("a complex number, not {other:?}"),
        }
    }

    pub fn array(&self) -> &Array<'c> {
        match self {
            Self::Array(array) => array,
            other => panic!("an array, not {other:?}"),
        }
    }

    /// The pointer that a list or string is.
    pub fn pointer(&self) -> V<'c> {
        match self {
            Self::List(v) | Self::Str(v) => *v,
            other => panic!("a pointer, not {other:?}"),
        }
    }

    /// All parts, in the order of words.
    pub fn parts(&self) -> Vec<V<'c>> {
        match self {
            Self::Scalar(v) | Self::List(v) | Self::Str(v) => vec![*v],
            Self::Complex(re, im) => vec![*re, *im],
            Self::Array(a) => {
                [a.data, a.owner].into_iter().chain(a.dims.clone()).chain(a.strides.clone()).collect()
            }
        }
    }

    /// The value made of all parts.
    pub fn from_parts(ty: Type, parts: &[V<'c>]) -> Self {
        match ty {
            Type::Scalar(d) if d.is_complex() => Self::Complex(parts[0], parts[1]),
            Type::Scalar(_) => Self::Scalar(parts[0]),
            Type::List(_) => Self::List(parts[0]),
            Type::Str => Self::Str(parts[0]),
            Type::Array { rank, .. } => {
                let (dims, strides) = parts[2..].split_at(usize::from(rank));
                Self::Array(Array {
                    data: parts[0],
                    owner: parts[1],
                    dims: dims.to_vec(),
                    strides: strides.to_vec(),
                })
            }
        }
    }

    /// The parts that differ between values of a type: a contiguous array's strides follow from its dimensions.
    pub fn free_parts(&self, contiguous: bool) -> Vec<V<'c>> {
        let mut parts = self.parts();
        if let Self::Array(a) = self
            && contiguous
        {
            parts.truncate(2 + a.dims.len());
        }
        parts
    }
}

impl<'c> Ir<'c> {
    /// The type of a scalar in a register; of a complex number's parts.
    pub fn scalar_type(&self, dtype: DType) -> BasicTypeEnum<'c> {
        match dtype {
            DType::Bool => self.cx.bool_type().into(),
            d if d.is_int() => self.int_type(bits(d)).into(),
            d => self.float_type(d).into(),
        }
    }

    pub fn float_type(&self, dtype: DType) -> FloatType<'c> {
        match dtype.real() {
            DType::F32 => self.cx.f32_type(),
            DType::F64 => self.cx.f64_type(),
            other => panic!("{other} is no float"),
        }
    }

    /// The types of all parts.
    pub fn part_types(&self, ty: Type) -> Vec<BasicTypeEnum<'c>> {
        match ty {
            Type::Scalar(d) if d.is_complex() => vec![self.scalar_type(d); 2],
            Type::Scalar(d) => vec![self.scalar_type(d)],
            Type::List(_) | Type::Str => vec![self.ptr_type().into()],
            Type::Array { rank, .. } => {
                let mut types = vec![self.ptr_type().into(); 2];
                types.resize(2 + 2 * usize::from(rank), self.i64_type());
                types
            }
        }
    }

    /// The types of [`Val::free_parts`].
    pub fn free_part_types(&self, ty: Type, contiguous: bool) -> Vec<BasicTypeEnum<'c>> {
        let mut types = self.part_types(ty);
        if ty.is_array() && contiguous {
            types.truncate(2 + usize::from(ty.rank()));
        }
        types
    }

    /// The inverse of [`Val::free_parts`].
    pub fn assemble(&self, ty: Type, contiguous: bool, parts: &[V<'c>]) -> Val<'c> {
        match ty {
            Type::Array { dtype, .. } if contiguous => {
                let dims = parts[2..].to_vec();
                let strides = self.row_major(&dims, dtype);
                Val::Array(Array { data: parts[0], owner: parts[1], dims, strides })
            }
            _ => Val::from_parts(ty, parts),
        }
    }

    /// The strides of an array without gaps.
    pub fn row_major(&self, dims: &[V<'c>], dtype: DType) -> Vec<V<'c>> {
        let mut stride = self.i64(dtype.size().cast_signed());
        let mut strides = Vec::with_capacity(dims.len());
        for (i, &dim) in dims.iter().enumerate().rev() {
            strides.push(stride);
            if i > 0 {
                // Wraps where the array is empty and a dimension absurd; then nothing is accessed.
                stride = self.mul(stride, dim);
            }
        }
        strides.reverse();
        strides
    }
}

/// Width of an integer type, and of bool in a register.
pub const fn bits(dtype: DType) -> u32 {
    match dtype {
        DType::Bool => 1,
        DType::I8 | DType::U8 => 8,
        DType::I16 | DType::U16 => 16,
        DType::I32 | DType::U32 | DType::F32 => 32,
        _ => 64,
    }
}
