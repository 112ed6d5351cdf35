//! Types of values.

use std::fmt;

/// Element types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    C64,
    C128,
}

impl DType {
    pub const ALL: [Self; 13] = [
        Self::Bool,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::F32,
        Self::F64,
        Self::C64,
        Self::C128,
    ];

    /// Name in the text form.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::C64 => "c64",
            Self::C128 => "c128",
        }
    }

    /// NumPy's name, as users write and read it.
    #[must_use]
    pub const fn numpy_name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "int8",
            Self::I16 => "int16",
            Self::I32 => "int32",
            Self::I64 => "int64",
            Self::U8 => "uint8",
            Self::U16 => "uint16",
            Self::U32 => "uint32",
            Self::U64 => "uint64",
            Self::F32 => "float32",
            Self::F64 => "float64",
            Self::C64 => "complex64",
            Self::C128 => "complex128",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.name() == name)
    }

    /// Bytes of one element.
    #[must_use]
    pub const fn size(self) -> u64 {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 | Self::C64 => 8,
            Self::C128 => 16,
        }
    }

    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    #[must_use]
    pub const fn is_complex(self) -> bool {
        matches!(self, Self::C64 | Self::C128)
    }

    #[must_use]
    pub const fn is_signed_int(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    #[must_use]
    pub const fn is_unsigned_int(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64)
    }

    /// An integer type; bool is none.
    #[must_use]
    pub const fn is_int(self) -> bool {
        self.is_signed_int() || self.is_unsigned_int()
    }

    /// The type of a complex type's parts; any other type is its own.
    #[must_use]
    pub const fn real(self) -> Self {
        match self {
            Self::C64 => Self::F32,
            Self::C128 => Self::F64,
            other => other,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A sparse matrix as the source and Python see it. In the IR it is five values, see [`Self::parts`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SparseType {
    pub dtype: DType,
    /// Element type of `indptr` and `indices`: `I32` or `I64`.
    pub index: DType,
    /// SciPy's `csr_array` and `csc_array` instead of `csr_matrix` and `csc_matrix`.
    pub array: bool,
    /// Compressed columns instead of rows.
    pub csc: bool,
}

impl SparseType {
    /// How many values carry it.
    pub const PARTS: usize = 5;

    /// The types of `indptr`, `indices`, `data`, and the number of rows and columns.
    #[must_use]
    pub const fn parts(self) -> [Type; Self::PARTS] {
        let index = Type::array(self.index, 1);
        [index, index, Type::array(self.dtype, 1), Type::I64, Type::I64]
    }

    /// The name of SciPy's class, which is the text form's word as well.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match (self.csc, self.array) {
            (false, false) => "csr_matrix",
            (false, true) => "csr_array",
            (true, false) => "csc_matrix",
            (true, true) => "csc_array",
        }
    }
}

impl fmt::Display for SparseType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}<{}, {}>", self.class(), self.dtype, self.index)
    }
}

/// The type of an IR value. Tuples and sparse matrices are taken apart before the IR; None has no value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    Scalar(DType),
    /// A strided array: data, owner, dimensions and strides travel together. Rank 0 is allowed.
    Array {
        dtype: DType,
        rank: u8,
    },
    /// A growing list, by reference: at a depth of 1 of scalars, or of arrays where there is a rank; else of lists that
    /// are one less deep.
    List {
        dtype: DType,
        rank: Option<u8>,
        depth: u8,
    },
    /// A string constant, for messages.
    Str,
}

impl Type {
    pub const BOOL: Self = Self::Scalar(DType::Bool);
    pub const I64: Self = Self::Scalar(DType::I64);
    pub const F64: Self = Self::Scalar(DType::F64);

    #[must_use]
    pub const fn array(dtype: DType, rank: u8) -> Self {
        Self::Array { dtype, rank }
    }

    /// How deep lists of lists are at most.
    pub const MAX_DEPTH: u8 = 16;

    /// A list of scalars.
    #[must_use]
    pub const fn list(dtype: DType) -> Self {
        Self::List { dtype, rank: None, depth: 1 }
    }

    /// A list of such scalars, arrays or lists.
    #[must_use]
    pub const fn list_of(item: Self) -> Option<Self> {
        match item {
            Self::Scalar(dtype) => Some(Self::list(dtype)),
            Self::Array { dtype, rank } => Some(Self::List { dtype, rank: Some(rank), depth: 1 }),
            Self::List { dtype, rank, depth } if depth < Self::MAX_DEPTH => {
                Some(Self::List { dtype, rank, depth: depth + 1 })
            }
            Self::List { .. } | Self::Str => None,
        }
    }

    /// The type of a list's items.
    #[must_use]
    pub const fn list_item(self) -> Option<Self> {
        match self {
            Self::List { dtype, rank: None, depth: 0 | 1 } => Some(Self::Scalar(dtype)),
            Self::List { dtype, rank: Some(rank), depth: 0 | 1 } => Some(Self::Array { dtype, rank }),
            Self::List { dtype, rank, depth } => Some(Self::List { dtype, rank, depth: depth - 1 }),
            _ => None,
        }
    }

    /// Whether values refer to memory.
    #[must_use]
    pub const fn is_memory(self) -> bool {
        matches!(self, Self::Array { .. } | Self::List { .. })
    }

    /// Whether it is a list in which such memory may be, at any depth: lists of that type, or arrays of any, which may be
    /// views of each other.
    #[must_use]
    pub fn may_hold(self, item: Self) -> bool {
        match (self, item) {
            (Self::List { depth, .. }, Self::List { depth: inner, .. }) => {
                self.with_depth(inner) == item && depth > inner
            }
            (Self::List { rank, .. }, Self::Array { .. }) => rank.is_some(),
            _ => false,
        }
    }

    /// A list that is so deep; anything else as it is.
    const fn with_depth(self, depth: u8) -> Self {
        match self {
            Self::List { dtype, rank, .. } => Self::List { dtype, rank, depth },
            other => other,
        }
    }

    /// Whether it is a list of lists or arrays.
    #[must_use]
    pub const fn holds_memory(self) -> bool {
        matches!(self, Self::List { depth: 2.., .. } | Self::List { rank: Some(_), .. })
    }

    /// Element type of scalars and arrays; of lists that of the scalars or arrays in the innermost ones.
    #[must_use]
    pub const fn dtype(self) -> Option<DType> {
        match self {
            Self::Scalar(dtype) | Self::Array { dtype, .. } | Self::List { dtype, .. } => Some(dtype),
            Self::Str => None,
        }
    }

    /// Rank of an array; 0 for everything else.
    #[must_use]
    pub const fn rank(self) -> u8 {
        match self {
            Self::Array { rank, .. } => rank,
            _ => 0,
        }
    }

    #[must_use]
    pub const fn is_array(self) -> bool {
        matches!(self, Self::Array { .. })
    }

    #[must_use]
    pub const fn is_scalar(self) -> bool {
        matches!(self, Self::Scalar(_))
    }

    /// The same shape with another element type.
    #[must_use]
    pub const fn with_dtype(self, dtype: DType) -> Self {
        match self {
            Self::Scalar(_) => Self::Scalar(dtype),
            Self::Array { rank, .. } => Self::Array { dtype, rank },
            Self::List { rank, depth, .. } => Self::List { dtype, rank, depth },
            Self::Str => Self::Str,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(d) => write!(f, "{d}"),
            Self::Array { dtype, rank } => write!(f, "array<{dtype}, {rank}>"),
            Self::List { .. } => {
                let item = self.list_item().expect("lists have items");
                write!(f, "list<{item}>")
            }
            Self::Str => f.write_str("str"),
        }
    }
}
