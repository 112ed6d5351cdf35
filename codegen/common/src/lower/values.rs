//! How IR values are represented: each is one or more values of the machine.

use crate::emit::{Emit, EmitExt, Ty};
use pydd_ir::{DType, Type};
use std::fmt::Debug;

/// The machine's values that stand for one IR value.
#[derive(Clone, Debug)]
pub enum Val<V> {
    /// A number or bool; bool is an `I1`.
    Scalar(V),
    /// Real and imaginary part.
    Complex(V, V),
    Array(Array<V>),
    /// A pointer to a `pydd_abi::List`.
    List(V),
    /// A C string.
    Str(V),
}

/// An array: strides are in bytes.
#[derive(Clone, Debug)]
pub struct Array<V> {
    pub data: V,
    pub owner: V,
    pub dims: Vec<V>,
    pub strides: Vec<V>,
}

impl<V: Copy + Debug> Val<V> {
    pub fn scalar(&self) -> V {
        match self {
            Self::Scalar(v) => *v,
            other => panic!("a scalar, not {other:?}"),
        }
    }

    pub fn complex(&self) -> (V, V) {
        match self {
            Self::Complex(re, im) => (*re, *im),
            other => panic!("a complex number, not {other:?}"),
        }
    }

    pub fn array(&self) -> &Array<V> {
        match self {
            Self::Array(array) => array,
            other => panic!("an array, not {other:?}"),
        }
    }

    /// The pointer that a list or string is.
    pub fn pointer(&self) -> V {
        match self {
            Self::List(v) | Self::Str(v) => *v,
            other => panic!("a pointer, not {other:?}"),
        }
    }

    /// All parts, in the order of words.
    pub fn parts(&self) -> Vec<V> {
        match self {
            Self::Scalar(v) | Self::List(v) | Self::Str(v) => vec![*v],
            Self::Complex(re, im) => vec![*re, *im],
            Self::Array(a) => {
                [a.data, a.owner].into_iter().chain(a.dims.clone()).chain(a.strides.clone()).collect()
            }
        }
    }

    /// The value made of all parts.
    pub fn from_parts(ty: Type, parts: &[V]) -> Self {
        match ty {
            Type::Scalar(d) if d.is_complex() => Self::Complex(parts[0], parts[1]),
            Type::Scalar(_) => Self::Scalar(parts[0]),
            Type::List { .. } => Self::List(parts[0]),
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
    pub fn free_parts(&self, contiguous: bool) -> Vec<V> {
        let mut parts = self.parts();
        if let Self::Array(a) = self
            && contiguous
        {
            parts.truncate(2 + a.dims.len());
        }
        parts
    }
}

/// The type of a scalar in a register; of a complex number's parts.
pub const fn scalar_type(dtype: DType) -> Ty {
    match dtype {
        DType::Bool => Ty::I1,
        DType::I8 | DType::U8 => Ty::I8,
        DType::I16 | DType::U16 => Ty::I16,
        DType::I32 | DType::U32 => Ty::I32,
        DType::I64 | DType::U64 => Ty::I64,
        DType::F32 | DType::C64 => Ty::F32,
        DType::F64 | DType::C128 => Ty::F64,
    }
}

/// The type that an element (or a complex one's part) has in memory.
pub const fn stored_type(dtype: DType) -> Ty {
    match dtype {
        DType::Bool => Ty::I8,
        other => scalar_type(other),
    }
}

/// The types of all parts.
pub fn part_types(ty: Type) -> Vec<Ty> {
    match ty {
        Type::Scalar(d) if d.is_complex() => vec![scalar_type(d); 2],
        Type::Scalar(d) => vec![scalar_type(d)],
        Type::List { .. } | Type::Str => vec![Ty::Ptr],
        Type::Array { rank, .. } => {
            let mut types = vec![Ty::Ptr; 2];
            types.resize(2 + 2 * usize::from(rank), Ty::I64);
            types
        }
    }
}

/// The types of [`Val::free_parts`].
pub fn free_part_types(ty: Type, contiguous: bool) -> Vec<Ty> {
    let mut types = part_types(ty);
    if ty.is_array() && contiguous {
        types.truncate(2 + usize::from(ty.rank()));
    }
    types
}

/// The inverse of [`Val::free_parts`].
pub fn assemble<E: Emit>(ir: &E, ty: Type, contiguous: bool, parts: &[E::V]) -> Val<E::V> {
    match ty {
        Type::Array { dtype, .. } if contiguous => {
            let dims = parts[2..].to_vec();
            let strides = row_major(ir, &dims, dtype);
            Val::Array(Array { data: parts[0], owner: parts[1], dims, strides })
        }
        _ => Val::from_parts(ty, parts),
    }
}

/// The strides of an array without gaps.
pub fn row_major<E: Emit>(ir: &E, dims: &[E::V], dtype: DType) -> Vec<E::V> {
    let mut stride = ir.i64(dtype.size().cast_signed());
    let mut strides = Vec::with_capacity(dims.len());
    for (i, &dim) in dims.iter().enumerate().rev() {
        strides.push(stride);
        if i > 0 {
            // Wraps where the array is empty and a dimension absurd; then nothing is accessed.
            stride = ir.mul(stride, dim);
        }
    }
    strides.reverse();
    strides
}
