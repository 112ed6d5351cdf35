//! Values at run time.

use pydd_ir::{DType, Type};
use std::cell::RefCell;
use std::rc::Rc;

/// A scalar. Integers are kept as mathematical values within their type's range, float32 rounded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scalar {
    Bool(bool),
    Int(i128, DType),
    Float(f64, DType),
    Complex(f64, f64, DType),
}

impl Scalar {
    #[must_use]
    pub const fn dtype(self) -> DType {
        match self {
            Self::Bool(_) => DType::Bool,
            Self::Int(_, d) | Self::Float(_, d) | Self::Complex(_, _, d) => d,
        }
    }

    /// An integer wrapped to its type.
    #[must_use]
    pub fn int(value: i128, dtype: DType) -> Self {
        let bits = dtype.size() * 8;
        let low = value & ((1_i128 << bits) - 1);
        let negative = dtype.is_signed_int() && (low >> (bits - 1)) & 1 == 1;
        Self::Int(if negative { low - (1_i128 << bits) } else { low }, dtype)
    }

    /// A float rounded to its type.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "rounding is meant")]
    pub fn float(value: f64, dtype: DType) -> Self {
        Self::Float(if dtype == DType::F32 { f64::from(value as f32) } else { value }, dtype)
    }

    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "rounding is meant")]
    pub fn complex(re: f64, im: f64, dtype: DType) -> Self {
        let round = |x: f64| if dtype == DType::C64 { f64::from(x as f32) } else { x };
        Self::Complex(round(re), round(im), dtype)
    }

    #[must_use]
    pub fn i64(value: i64) -> Self {
        Self::Int(i128::from(value), DType::I64)
    }

    /// The value 0 of a type.
    #[must_use]
    pub fn zero(dtype: DType) -> Self {
        Self::from_int(0, dtype)
    }

    /// A small integer in any type.
    #[must_use]
    pub fn from_int(value: i64, dtype: DType) -> Self {
        #[allow(clippy::cast_precision_loss, reason = "small by the contract")]
        match dtype {
            DType::Bool => Self::Bool(value != 0),
            d if d.is_int() => Self::int(i128::from(value), d),
            d if d.is_float() => Self::float(value as f64, d),
            d => Self::complex(value as f64, 0.0, d),
        }
    }

    #[must_use]
    pub const fn as_bool(self) -> Option<bool> {
        match self {
            Self::Bool(b) => Some(b),
            _ => None,
        }
    }

    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        match self {
            Self::Int(v, DType::I64) => i64::try_from(v).ok(),
            _ => None,
        }
    }

    /// Little-endian bytes, as in an array.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "the value fits its type")]
    pub fn to_bytes(self) -> Vec<u8> {
        let float = |x: f64, dtype: DType| match dtype {
            DType::F32 | DType::C64 => (x as f32).to_le_bytes().to_vec(),
            _ => x.to_le_bytes().to_vec(),
        };
        match self {
            Self::Bool(b) => vec![u8::from(b)],
            Self::Int(v, d) => v.to_le_bytes()[..d.size() as usize].to_vec(),
            Self::Float(x, d) => float(x, d),
            Self::Complex(re, im, d) => [float(re, d), float(im, d)].concat(),
        }
    }

    /// The reverse of [`Scalar::to_bytes`].
    #[must_use]
    pub fn from_bytes(bytes: &[u8], dtype: DType) -> Self {
        let float = |b: &[u8]| match b.len() {
            4 => f64::from(f32::from_le_bytes(b.try_into().expect("four bytes"))),
            _ => f64::from_le_bytes(b.try_into().expect("eight bytes")),
        };
        match dtype {
            DType::Bool => Self::Bool(bytes[0] != 0),
            d if d.is_float() => Self::Float(float(bytes), d),
            d if d.is_complex() => {
                let (re, im) = bytes.split_at(bytes.len() / 2);
                Self::Complex(float(re), float(im), d)
            }
            d => {
                let mut wide = [0; 16];
                wide[..bytes.len()].copy_from_slice(bytes);
                Self::int(i128::from_le_bytes(wide), d)
            }
        }
    }
}

/// An array: strided bytes that other arrays may share.
#[derive(Clone, Debug)]
pub struct Array {
    pub bytes: Rc<RefCell<Vec<u8>>>,
    /// Byte offset of element 0, …, 0.
    pub offset: i64,
    pub dims: Vec<i64>,
    /// In bytes.
    pub strides: Vec<i64>,
    pub dtype: DType,
    /// Nothing may be written through it.
    pub read_only: bool,
}

impl Array {
    /// A row-major array of zeros.
    #[must_use]
    pub fn zeros(dtype: DType, dims: &[i64]) -> Self {
        let size = i64::try_from(dtype.size()).expect("small");
        let mut strides = vec![size; dims.len()];
        for axis in (1..dims.len()).rev() {
            strides[axis - 1] = strides[axis] * dims[axis].max(1);
        }
        let count: i64 = dims.iter().product();
        let bytes = vec![0; usize::try_from(count * size).expect("dimensions are not negative")];
        Self {
            bytes: Rc::new(RefCell::new(bytes)),
            offset: 0,
            dims: dims.to_vec(),
            strides,
            dtype,
            read_only: false,
        }
    }

    /// A row-major array of these elements.
    #[must_use]
    pub fn from_scalars(dtype: DType, dims: &[i64], items: &[Scalar]) -> Self {
        let array = Self::zeros(dtype, dims);
        array.bytes.replace(items.iter().flat_map(|s| s.to_bytes()).collect());
        array
    }

    #[must_use]
    pub fn size(&self) -> i64 {
        self.dims.iter().product()
    }

    fn range(&self, index: &[i64]) -> Option<std::ops::Range<usize>> {
        let at = self.offset + index.iter().zip(&self.strides).map(|(i, s)| i * s).sum::<i64>();
        let start = usize::try_from(at).ok()?;
        let end = start + usize::try_from(self.dtype.size()).ok()?;
        (end <= self.bytes.borrow().len()).then_some(start..end)
    }

    /// The element at an index, if it is within the memory.
    #[must_use]
    pub fn get(&self, index: &[i64]) -> Option<Scalar> {
        let range = self.range(index)?;
        Some(Scalar::from_bytes(&self.bytes.borrow()[range], self.dtype))
    }

    /// Writes the element at an index; false where it is outside of the memory.
    #[must_use]
    pub fn set(&self, index: &[i64], value: Scalar) -> bool {
        let Some(range) = self.range(index) else { return false };
        self.bytes.borrow_mut()[range].copy_from_slice(&value.to_bytes());
        true
    }

    /// All elements in row-major order.
    #[must_use]
    pub fn scalars(&self) -> Vec<Scalar> {
        indices(&self.dims).map(|i| self.get(&i).expect("an array's own elements")).collect()
    }
}

/// All indices of a shape in row-major order.
pub fn indices(dims: &[i64]) -> impl Iterator<Item = Vec<i64>> + use<> {
    let dims = dims.to_vec();
    let count: i64 = dims.iter().product();
    (0..count).map(move |mut flat| {
        let mut index = vec![0; dims.len()];
        for axis in (0..dims.len()).rev() {
            index[axis] = flat % dims[axis];
            flat /= dims[axis];
        }
        index
    })
}

/// A value.
#[derive(Clone, Debug)]
pub enum Val {
    Scalar(Scalar),
    Array(Array),
    /// With the type of its items.
    List(Type, Rc<RefCell<Vec<Val>>>),
    Str(String),
}

impl Val {
    /// The value of a scalar type.
    #[must_use]
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// A list of scalars.
    #[must_use]
    pub fn list(dtype: DType, items: impl IntoIterator<Item = Scalar>) -> Self {
        let items = items.into_iter().map(Self::Scalar).collect();
        Self::List(Type::Scalar(dtype), Rc::new(RefCell::new(items)))
    }

    /// The IR type.
    #[must_use]
    pub fn ty(&self) -> Type {
        match self {
            Self::Scalar(s) => Type::Scalar(s.dtype()),
            Self::Array(a) => Type::array(a.dtype, u8::try_from(a.dims.len()).expect("ranks are small")),
            Self::List(item, _) => Type::list_of(*item).expect("lists hold scalars or lists"),
            Self::Str(_) => Type::Str,
        }
    }
}
