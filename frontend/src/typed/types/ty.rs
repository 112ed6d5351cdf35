//! Types of the source language.

use super::dict_type::{Container, DictType, View, columns, is_item};
use super::meet;
use crate::source::Span;
use crate::syntax::ast::FormatPart;
use crate::syntax::limits;
use pydd_ir::{DType, EITHER_TAG, ExportType, SparseType, Type};
use std::fmt;

/// The most dimensions that an array may have.
pub const MAX_RANK: u8 = limits::RANK;

/// How deep lists of lists may be.
pub const MAX_DEPTH: usize = 8;

/// A rank that was counted; what is far too large stays too large.
#[must_use]
pub fn clamped_rank(count: usize) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX).min(ANY_RANK - 1)
}

/// The rank in annotations that give none; no value has such a type.
const ANY_RANK: u8 = u8::MAX;
/// The type of indices in annotations of sparse matrices, which never give one; no value has such a type.
const ANY_INDEX: DType = DType::Bool;

/// What a random generator is made of.
const GENERATOR_WORDS: Ty = Ty::array(DType::U64, 1);

/// The type of an expression or variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ty {
    /// Something wrong was reported already; silences what follows from it.
    Error,
    /// No value ever: of a recursive call whose type is not found yet.
    Never,
    None,
    Scalar(Num),
    /// A number of one of these types, in order; which one is known when the program runs. See [`either`](super::either).
    Either(Vec<Num>),
    /// Such a value or None: a flag and the value. Of variables and results; see [`absent`](crate::typed::flow::absent).
    Maybe(Box<Ty>),
    Array {
        dtype: DType,
        rank: u8,
    },
    /// A list of scalars; items may be of the weak family.
    List(Num),
    /// A list of tuples of items of these types: a list for each number, and for each list that an item is made of.
    Tuples(Vec<Ty>),
    /// A list of such lists or dicts: a list of lists for each list that an item is made of; or of arrays.
    Lists(Box<Ty>),
    /// `[]`, whose items' type is not known yet; the display's place says which.
    EmptyList(Span),
    /// A dict or set, by reference.
    Dict(Box<DictType>),
    /// `{}`, `set()` and their like, of which it is not known yet what they hold; their place says which.
    EmptyDict(Span, Container),
    /// `d.keys()`, `d.values()`, `d.items()`.
    DictView(Box<DictType>, View),
    /// A sparse matrix: an immutable structure over arrays whose elements may change.
    Sparse(SparseType),
    /// A sparse matrix that SciPy has in another form. Its entries are in compressed rows or columns here, so that
    /// nothing may be asked that depends on their order or number.
    OtherForm(SparseType, Form),
    /// A random generator, by reference: an array of the words of its state.
    Generator,
    Tuple(Items),
    /// An f-string with values of these types: a tuple of these.
    Format(Vec<Ty>, Vec<FormatPart>),
    /// Text, always known when the program is compiled.
    Str,
    /// `range(…)`: start, stop and step.
    Range,
    /// `slice(…)`: which of start, stop and step are there, an int each.
    Slice([bool; 3]),
    /// A type as a value, as in `dtype=np.float32`.
    DType(Num),
    /// What `type(x)` of a number gives. Where numbers met, the number's own type is not known, so it is called and never compared.
    TypeOf(Num),
    /// `np`, `math`, `np.linalg`, `pydd`.
    Module(pydd_ir::catalogue::Space),
    /// A function of a library as a value, to be passed on and called: where it is found, and by which name.
    Library(pydd_ir::catalogue::Space, &'static str),
    /// A function of the program as a value, to be passed on and called: its unit and statement.
    Function {
        unit: usize,
        at: usize,
    },
}

/// The types of a tuple's items; or of the items of a list whose length is known when the program is compiled, and whose
/// items may be arrays, as those of `np.split` are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Items {
    types: Vec<Ty>,
    list: bool,
}

impl Items {
    pub const fn is_list(&self) -> bool {
        self.list
    }

    /// Other items of the same kind: of a tuple or of a list.
    pub const fn of_kind(&self, types: Vec<Ty>) -> Self {
        Self { types, list: self.list }
    }

    pub fn into_list(self) -> Self {
        Self { list: true, ..self }
    }
}

impl From<Vec<Ty>> for Items {
    fn from(types: Vec<Ty>) -> Self {
        Self { types, list: false }
    }
}

impl FromIterator<Ty> for Items {
    fn from_iter<I: IntoIterator<Item = Ty>>(items: I) -> Self {
        Vec::from_iter(items).into()
    }
}

impl std::ops::Deref for Items {
    type Target = [Ty];

    fn deref(&self) -> &[Ty] {
        &self.types
    }
}

/// SciPy's form of a sparse matrix that is in neither compressed rows nor columns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// COO or DIA.
    Entries,
    /// BSR, or COO: sums store zeros within blocks.
    Blocks,
}

/// A scalar type and its family: weak are Python's own numbers (see LANGUAGE, rule 2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Num {
    pub dtype: DType,
    pub weak: bool,
}

impl Num {
    pub const BOOL: Self = Self::weak(DType::Bool);
    pub const INT: Self = Self::weak(DType::I64);
    pub const FLOAT: Self = Self::weak(DType::F64);
    pub const COMPLEX: Self = Self::weak(DType::C128);

    pub const fn weak(dtype: DType) -> Self {
        Self { dtype, weak: true }
    }

    pub const fn strong(dtype: DType) -> Self {
        Self { dtype, weak: false }
    }

    pub const fn is_float(self) -> bool {
        self.dtype.is_float()
    }

    /// The name a user reads: Python's for the weak family, NumPy's for the other.
    pub const fn name(self) -> &'static str {
        match (self.weak, self.dtype) {
            (true, DType::Bool) => "bool",
            (true, d) if d.is_int() => "int",
            (true, d) if d.is_float() => "float",
            (true, _) => "complex",
            (false, DType::Bool) => "np.bool",
            (false, d) => d.numpy_name(),
        }
    }
}

impl Ty {
    pub const BOOL: Self = Self::Scalar(Num::BOOL);
    pub const INT: Self = Self::Scalar(Num::INT);
    pub const FLOAT: Self = Self::Scalar(Num::FLOAT);

    pub const fn strong(dtype: DType) -> Self {
        Self::Scalar(Num::strong(dtype))
    }

    pub const fn array(dtype: DType, rank: u8) -> Self {
        Self::Array { dtype, rank }
    }

    /// `Array(T)`, as an annotation asks for it.
    pub const fn unranked(dtype: DType) -> Self {
        Self::Array { dtype, rank: ANY_RANK }
    }

    /// `SparseMat(T)` and `SparseArray(T, 2)`, as an annotation asks for them.
    pub const fn sparse(dtype: DType, array: bool) -> Self {
        Self::Sparse(SparseType { dtype, index: ANY_INDEX, array, csc: false })
    }

    /// Whether something is left open in it: a rank, the type of a sparse matrix's indices.
    pub fn is_open(&self) -> bool {
        match self {
            Self::Sparse(sparse) => sparse.index == ANY_INDEX,
            Self::Tuple(items) => items.iter().any(Self::is_open),
            _ => self.open_rank().is_some(),
        }
    }

    /// The type of numbers that a value stands for, as in `dtype=T` and `T(1)`.
    pub const fn named_type(&self) -> Option<Num> {
        match self {
            Self::DType(num) | Self::TypeOf(num) => Some(*num),
            _ => None,
        }
    }

    /// The element type of an array in it whose rank is left open.
    pub fn open_rank(&self) -> Option<DType> {
        match self {
            Self::Array { dtype, rank: ANY_RANK } => Some(*dtype),
            Self::Tuple(items) => items.iter().find_map(Self::open_rank),
            _ => None,
        }
    }

    /// With what is left open taken from a value's type.
    pub fn closed_by(&self, value: &Self) -> Self {
        match (self, value) {
            (Self::Sparse(own), Self::Sparse(of)) if own.index == ANY_INDEX => {
                Self::Sparse(SparseType { index: of.index, ..*own })
            }
            (Self::Array { dtype, rank: ANY_RANK }, Self::Array { rank, .. }) => Self::array(*dtype, *rank),
            (Self::Tuple(items), Self::Tuple(values)) if items.len() == values.len() => {
                let closed = items.iter().zip(values.iter()).map(|(item, value)| item.closed_by(value));
                Self::Tuple(items.of_kind(closed.collect()))
            }
            _ => self.clone(),
        }
    }

    /// The element type and family of numbers and arrays of numbers.
    pub const fn num(&self) -> Option<Num> {
        match self {
            Self::Scalar(num) => Some(*num),
            Self::Array { dtype, .. } => Some(Num::strong(*dtype)),
            _ => None,
        }
    }

    pub const fn scalar(&self) -> Option<Num> {
        match self {
            Self::Scalar(num) => Some(*num),
            _ => None,
        }
    }

    /// The rank of an array.
    pub const fn rank(&self) -> Option<u8> {
        match self {
            Self::Array { rank, .. } => Some(*rank),
            _ => None,
        }
    }

    /// With one type in the place of each number that has several: as items of lists and arguments of the library are.
    pub fn settled(&self) -> Self {
        match self {
            Self::Either(all) => Self::Scalar(meet::settled(all)),
            Self::Tuple(items) => Self::Tuple(items.of_kind(items.iter().map(Self::settled).collect())),
            _ => self.clone(),
        }
    }

    /// Whether some number in it has one of several types.
    pub fn has_either(&self) -> bool {
        match self {
            Self::Either(_) => true,
            Self::Tuple(items) => items.iter().any(Self::has_either),
            _ => false,
        }
    }

    /// Whether some value in it may be None.
    pub fn has_maybe(&self) -> bool {
        match self {
            Self::Maybe(_) => true,
            Self::Tuple(items) => items.iter().any(Self::has_maybe),
            _ => false,
        }
    }

    /// Whether a variable may hold such a value or None.
    pub fn may_be_absent(&self) -> bool {
        match self {
            Self::Scalar(_) | Self::Either(_) | Self::Array { .. } => true,
            Self::Tuple(items) => {
                !items.is_list()
                    && items.iter().all(|item| matches!(item, Self::Scalar(_) | Self::Array { .. }))
            }
            _ => false,
        }
    }

    /// Whether each value in it that may be None is one that a variable may hold.
    pub fn may_be_kept(&self) -> bool {
        match self {
            Self::Maybe(value) => value.may_be_absent(),
            Self::Tuple(items) => items.iter().all(Self::may_be_kept),
            _ => true,
        }
    }

    pub const fn is_array(&self) -> bool {
        matches!(self, Self::Array { .. })
    }

    /// The list of such items, where there are lists of them.
    pub fn list_of(item: &Self) -> Option<Self> {
        is_item(item).then(|| match item {
            Self::Scalar(num) => Self::List(*num),
            Self::Tuple(items) => Self::Tuples(items.to_vec()),
            _ => Self::Lists(Box::new(item.clone())),
        })
    }

    /// Whether it is a list, or a range, that stands for an array where functions take arrays.
    pub const fn is_sequence(&self) -> bool {
        matches!(self, Self::List(_) | Self::Lists(_) | Self::Range)
    }

    /// How deep lists are nested in it.
    pub fn depth(&self) -> usize {
        match self {
            Self::Lists(item) => item.depth() + 1,
            Self::Tuples(items) => items.iter().map(Self::depth).max().unwrap_or(0) + 1,
            Self::Tuple(items) => items.iter().map(Self::depth).max().unwrap_or(0),
            Self::Dict(dict) => dict.value.depth() + 1,
            Self::List(_) | Self::EmptyList(_) | Self::EmptyDict(..) => 1,
            _ => 0,
        }
    }

    /// The type of the list or dict in it of which it is not known yet what it holds.
    pub fn unknown(&self) -> Option<&Self> {
        match self {
            Self::EmptyList(_) | Self::EmptyDict(..) => Some(self),
            Self::Lists(item) => item.unknown(),
            Self::Tuples(items) => items.iter().find_map(Self::unknown),
            Self::Dict(dict) => dict.value.unknown(),
            Self::Tuple(items) => items.iter().find_map(Self::unknown),
            _ => None,
        }
    }

    /// With what `known` gives in the place of the lists and dicts of which it is not known what they hold.
    pub fn with_known(&self, known: &dyn Fn(&Self) -> Self) -> Self {
        let all = |items: &[Self]| items.iter().map(|item| item.with_known(known)).collect::<Vec<_>>();
        match self {
            Self::EmptyList(_) | Self::EmptyDict(..) => known(self),
            Self::Lists(item) => Self::Lists(Box::new(item.with_known(known))),
            Self::Tuples(items) => Self::Tuples(all(items)),
            Self::Tuple(items) => Self::Tuple(items.of_kind(all(items))),
            Self::Dict(dict) => {
                let value = dict.value.with_known(known);
                Self::Dict(Box::new(DictType { value, key: dict.key.clone(), ..**dict }))
            }
            _ => self.clone(),
        }
    }

    /// Whether there are arrays in a list or dict, or in lists and dicts in it.
    pub fn holds_arrays(&self) -> bool {
        let is_or_holds = |item: &Self| item.is_array() || item.holds_arrays();
        match self {
            Self::Lists(item) => is_or_holds(item),
            Self::Tuples(items) => items.iter().any(is_or_holds),
            Self::Tuple(items) => items.iter().any(Self::holds_arrays),
            Self::Dict(dict) => is_or_holds(&dict.value),
            _ => false,
        }
    }

    /// Whether there are dicts or sets in a list, tuple or dict.
    pub fn holds_dicts(&self) -> bool {
        let is_or_holds = |item: &Self| item.is_dict() || item.holds_dicts();
        match self {
            Self::Lists(item) => is_or_holds(item),
            Self::Tuples(items) => items.iter().any(is_or_holds),
            Self::Tuple(items) => items.iter().any(is_or_holds),
            Self::Dict(dict) => is_or_holds(&dict.value),
            _ => false,
        }
    }

    /// The items of a list.
    pub fn list_item(&self) -> Option<Self> {
        match self {
            Self::List(num) => Some(Self::Scalar(*num)),
            Self::Tuples(items) => Some(Self::Tuple(items.clone().into())),
            Self::Lists(item) => Some((**item).clone()),
            _ => None,
        }
    }

    /// The types of a tuple's items, the value and tag of a number of one of several types, the lists of a dict, of a list of tuples or of lists of these, or a sparse matrix's parts:
    /// `indptr`, `indices`, `data`, rows, columns.
    pub fn parts(&self) -> Option<Vec<Self>> {
        match self {
            Self::Tuple(items) => Some(items.to_vec()),
            Self::Format(items, _) => Some(items.clone()),
            Self::Either(all) => Some(vec![Self::strong(meet::wide(all)), Self::strong(EITHER_TAG)]),
            Self::Maybe(value) => Some(vec![Self::strong(DType::Bool), (**value).clone()]),
            Self::Tuples(items) => Some(items.iter().flat_map(columns).collect()),
            Self::Lists(item) => {
                let parts = item.parts()?;
                Some(parts.into_iter().map(|part| Self::Lists(Box::new(part))).collect())
            }
            Self::Dict(dict) | Self::DictView(dict, _) => Some(dict.parts()),
            Self::Sparse(sparse) | Self::OtherForm(sparse, _) => {
                let part = |ty: Type| match ty {
                    Type::Array { dtype, rank } => Self::array(dtype, rank),
                    _ => Self::INT,
                };
                Some(sparse.parts().map(part).to_vec())
            }
            Self::Generator => Some(vec![GENERATOR_WORDS]),
            _ => None,
        }
    }

    /// Whether it is a dict or set, of which it is known what it holds.
    pub const fn is_dict(&self) -> bool {
        matches!(self, Self::Dict(_))
    }

    /// The type of a dict or set.
    pub const fn dict_type(&self) -> Option<&DictType> {
        match self {
            Self::Dict(dict) => Some(dict),
            _ => None,
        }
    }

    pub const fn sparse_type(&self) -> Option<SparseType> {
        match self {
            Self::Sparse(sparse) => Some(*sparse),
            _ => None,
        }
    }

    /// Error, in tuples as well.
    pub fn has_error(&self) -> bool {
        match self {
            Self::Error => true,
            Self::Tuple(items) => items.iter().any(Self::has_error),
            _ => false,
        }
    }

    /// Error or Never, in tuples as well: nothing can be said about it.
    pub fn is_silent(&self) -> bool {
        match self {
            Self::Error | Self::Never => true,
            Self::Tuple(items) => items.iter().any(Self::is_silent),
            _ => false,
        }
    }

    /// Never, in tuples as well: of a recursive call whose type is not found yet.
    pub fn has_never(&self) -> bool {
        match self {
            Self::Never => true,
            Self::Tuple(items) => items.iter().any(Self::has_never),
            _ => false,
        }
    }

    /// How many types it is made of.
    pub fn size(&self) -> usize {
        match self {
            Self::Tuple(items) => items.iter().map(Self::size).sum::<usize>() + 1,
            Self::Tuples(items) => items.iter().map(Self::size).sum::<usize>() + 1,
            _ => 1,
        }
    }

    /// A number or array of numbers with this element type and family (arrays have no family).
    pub const fn with_num(&self, num: Num) -> Self {
        match self {
            Self::Array { rank, .. } => Self::Array { dtype: num.dtype, rank: *rank },
            _ => Self::Scalar(num),
        }
    }

    /// The IR values that carry a value of this type.
    pub fn flatten(&self, out: &mut Vec<Type>) {
        match self {
            Self::Scalar(num) => out.push(Type::Scalar(num.dtype)),
            Self::Either(all) => {
                out.extend([Type::Scalar(meet::wide(all)), Type::Scalar(EITHER_TAG)]);
            }
            Self::Maybe(value) => {
                out.push(Type::Scalar(DType::Bool));
                value.flatten(out);
            }
            Self::Array { dtype, rank } => out.push(Type::array(*dtype, *rank)),
            Self::List(num) => out.push(Type::list(num.dtype)),
            Self::Str => out.push(Type::Str),
            Self::Tuple(items) => items.iter().for_each(|item| item.flatten(out)),
            Self::Format(items, _) => items.iter().for_each(|item| item.flatten(out)),
            Self::Tuples(items) => items.iter().flat_map(columns).for_each(|part| part.flatten(out)),
            Self::Lists(item) => out.extend(item.flat().into_iter().filter_map(Type::list_of)),
            Self::Sparse(sparse) | Self::OtherForm(sparse, _) => out.extend(sparse.parts()),
            Self::Generator => GENERATOR_WORDS.flatten(out),
            Self::Dict(dict) | Self::DictView(dict, _) => {
                dict.parts().iter().for_each(|part| part.flatten(out));
            }
            Self::Range => out.extend([Type::I64; 3]),
            Self::Slice(there) => out.extend(there.iter().filter(|there| **there).map(|_| Type::I64)),
            _ => {}
        }
    }

    /// As [`flatten`](Self::flatten), in a new vector.
    pub fn flat(&self) -> Vec<Type> {
        let mut out = Vec::new();
        self.flatten(&mut out);
        out
    }

    /// What Python sees of it; `None` for what Python can't be given.
    pub fn export(&self) -> Option<ExportType> {
        Some(match self {
            Self::None => ExportType::None,
            Self::Scalar(num) => ExportType::Scalar { dtype: num.dtype, weak: num.weak },
            Self::Either(all) => {
                ExportType::Either(meet::wide(all), all.iter().map(|num| (num.dtype, num.weak)).collect())
            }
            Self::Maybe(value) => ExportType::Maybe(Box::new(value.export()?)),
            Self::Array { dtype, rank } => ExportType::Array { dtype: *dtype, rank: *rank },
            Self::List(num) => ExportType::List(num.dtype),
            Self::Tuples(items) => {
                ExportType::Tuples(items.iter().map(Self::export).collect::<Option<Vec<_>>>()?)
            }
            Self::Lists(item) => ExportType::Lists(Box::new(item.export()?)),
            Self::Sparse(sparse) => ExportType::Sparse(*sparse),
            Self::Dict(dict) => dict.export()?,
            Self::Tuple(items) => {
                let parts = items.iter().map(Self::export).collect::<Option<Vec<_>>>()?;
                if items.is_list() { ExportType::Items(parts) } else { ExportType::Tuple(parts) }
            }
            _ => return None,
        })
    }
}

/// Parts of a tuple beyond which a message only counts them.
const SHOWN: usize = 16;

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error => f.write_str("?"),
            Self::Never => f.write_str("Never"),
            Self::None => f.write_str("None"),
            Self::Scalar(num) => f.write_str(num.name()),
            Self::Either(all) => {
                for (i, num) in all.iter().enumerate() {
                    write!(f, "{}{}", if i > 0 { " or " } else { "" }, num.name())?;
                }
                Ok(())
            }
            Self::Maybe(value) => write!(f, "{value} or None"),
            Self::Array { dtype, rank: ANY_RANK } => write!(f, "Array({})", dtype.numpy_name()),
            Self::Array { dtype, rank } => write!(f, "Array({}, {rank})", dtype.numpy_name()),
            Self::List(num) => write!(f, "List({})", num.name()),
            Self::Tuples(items) => write!(f, "List({})", Self::Tuple(items.clone().into())),
            Self::Lists(item) => write!(f, "List({item})"),
            Self::EmptyList(_) => f.write_str("List(?)"),
            Self::Dict(dict) => dict.fmt(f),
            Self::EmptyDict(_, container) => write!(f, "{}(?)", container.name()),
            Self::DictView(dict, view) => write!(f, "the {} of {dict}", view.name()),
            Self::Sparse(SparseType { dtype, array, csc, .. }) => {
                let (name, rank) = if *array { ("SparseArray", ", 2") } else { ("SparseMat", "") };
                write!(f, "{name}({}{rank})", dtype.numpy_name())?;
                f.write_str(if *csc { " in CSC" } else { "" })
            }
            Self::OtherForm(sparse, _) => {
                let kind = if sparse.array { "array" } else { "matrix" };
                write!(f, "a sparse {kind} of {} in neither CSR nor CSC", sparse.dtype.numpy_name())
            }
            Self::Generator => f.write_str("np.random.Generator"),
            Self::Tuple(items) if self.size() > SHOWN => {
                let kind = if items.is_list() { "list" } else { "tuple" };
                write!(f, "a {kind} of {} parts", self.size())
            }
            Self::Tuple(items) => {
                f.write_str(if items.is_list() { "[" } else { "Tuple(" })?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(if items.is_list() { "]" } else { ")" })
            }
            Self::Str | Self::Format(..) => f.write_str("str"),
            Self::Range => f.write_str("range"),
            Self::Slice(there) => {
                let parts = there.map(|there| if there { "int" } else { "None" });
                write!(f, "slice({})", parts.join(", "))
            }
            Self::DType(num) | Self::TypeOf(num) => write!(f, "the type {}", num.name()),
            Self::Module(_) => f.write_str("module"),
            Self::Function { .. } | Self::Library(..) => f.write_str("function"),
        }
    }
}
