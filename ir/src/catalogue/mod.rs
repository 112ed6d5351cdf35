//! The catalogue: every library function once, with its names, parameters, type rule, algebra and
//! documentation. Inference, did-you-mean suggestions and the reference are driven by this table; no other
//! place matches the name of a library function.
//!
//! To add a function: add an [`Entry`] to the table of its kind. If it can be written in the language, its
//! algebra is [`Algebra::Prelude`] and its text stands in `frontend/src/prelude/`.

mod access;
mod applied;
mod bisect;
mod builtin;
mod cmath;
mod creation;
mod dicts;
mod elementwise;
mod forms;
mod fourier;
mod heaps;
mod joining;
pub mod limits;
mod linalg;
mod lists;
mod lookup;
mod masks;
mod numeric;
mod planned;
mod prelude;
mod random;
mod reduction;
pub mod reference;
mod scipy;
mod sharing;
mod sorting;
mod spaces;
mod sparse;
mod sparse_make;
mod special;
mod splitting;
mod summary;
mod windows;

pub use elementwise::UfuncMethod;
pub use forms::{Form, attribute_takes_generator, goes_over_all, takes_generator};
pub use joining::Joining;
pub use lists::ListMethod;
pub use lookup::{Found, find, is_planned, names};
pub use masks::MaskOperation;
pub use sharing::{Sharing, changes_container, container_sharing};
pub use spaces::{Names, Space};
pub use sparse::{is_for_any_form, keeps_form};

use crate::elem::{ElemOp, ReduceOp};
use crate::op::LibOp;
use crate::types::DType;

/// What stands for a parameter that a call leaves out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Default {
    Required,
    None,
    /// A text, which tells it from None where both mean different things.
    LeftOut,
    Bool(bool),
    Int(i64),
    /// Takes all further positional arguments; the last parameter.
    Rest,
}

/// What a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    Value,
    /// What a function takes element by element: an array without axes is its number, and Python's bool is NumPy's.
    Operand,
    /// A type: `np.float32`, `float64()`, `"int64"`, `a.dtype`.
    DType,
    /// An array that is written to, or asked for what lists do not have: no list becomes one.
    Array,
    /// Several values, where a display of a list is as good as a tuple: shapes, axes, contents.
    Display,
    /// Tuples of anything; a display of a list, nested or not, is an array.
    Contents,
    /// A number or text that chooses among ways: where it is known when the program is compiled, a constant.
    Choice,
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Param {
    pub name: &'static str,
    pub default: Default,
    pub kind: ParamKind,
    /// The argument must be known when the program is compiled (an axis, a flag); prelude functions are
    /// specialised for it.
    pub constant: bool,
}

/// How operands of an elementwise function become one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promote {
    /// By NEP 50 alone. Bool operands follow the function: `add` is `or`, `multiply` is `and`.
    Common,
    /// As `Common`; then integers become floating point (int16 to float32, wider ones to float64).
    Inexact,
    /// As `Inexact`, of real numbers alone.
    Real,
    /// As `Common`, integers stay and so does bool: functions that round (`floor` of an integer is the integer).
    Rounding,
    /// Each operand is tested for truth.
    Truth,
}

/// How wide a reduction accumulates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accumulate {
    /// The element type.
    Element,
    /// bool and small integers in int64 or uint64, as `np.sum` does.
    Wide,
    /// Elements are tested for truth.
    Truth,
}

/// Functions that make arrays from sizes or values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Creation {
    Zeros,
    Ones,
    Empty,
    Full,
    ZerosLike,
    OnesLike,
    EmptyLike,
    FullLike,
    /// Sizes as separate arguments: Intrepydd's `zeros_2d(rows, columns, dtype)`.
    Zeros2d,
    Empty2d,
    Arange,
    /// `array(x, dtype)`: nested displays, lists, arrays (copied).
    Array,
    /// As `Array`, arrays as they are where the type is right.
    AsArray,
}

/// Functions of shapes and views; none reads an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `shape(a)` is a tuple, `shape(a, axis)` a number.
    Shape,
    Size,
    Ndim,
    Reshape,
    Ravel,
    Flatten,
    Transpose,
    SwapAxes,
    MoveAxis,
    /// The axis is given.
    Squeeze,
    ExpandDims,
    BroadcastTo,
    /// As `BroadcastTo`, where the result may be written.
    Stretched,
    Copy,
    /// A view of the diagonal of the last two axes.
    Diagonal,
    DiagonalInPlace,
    /// The distance of neighbours along each axis in bytes.
    Strides,
    /// The bytes of an element, and of all.
    ItemSize,
    NBytes,
}

/// Functions with rules of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    Len,
    Range,
    /// `slice(stop)`, `slice(start, stop, step)`: what may stand between brackets later.
    Slice,
    /// `print(…, sep=, end=)`.
    Print,
    Zip,
    Enumerate,
    Reversed,
    /// `ndindex(shape)`, `ndenumerate(a)`, `a.flat`: what `for` goes over.
    NdIndex,
    NdEnumerate,
    Flat,
    /// `mgrid[…]`, or `ogrid[…]`: coordinates by subscripts.
    Grid {
        open: bool,
    },
    /// `r_[…]`, or `c_[…]`: arrays joined by subscripts.
    Joined {
        columns: bool,
    },
    /// `einsum("ij,jk->ik", a, b)`.
    Einsum,
    /// `finfo(t)`, or `iinfo(t)`: the type, whose [`limits`] are asked for.
    Limits {
        floats: bool,
    },
    /// `np.dtype(t)`: the type, by any of its names.
    NamedDType,
    /// Python's `abs`: keeps Python's own numbers, and of arrays `np.abs`.
    Abs,
    /// Python's `min`/`max` of several numbers, of a list or array.
    Min,
    Max,
    /// `sum` of a list or array.
    Sum,
    Any,
    All,
    Round,
    Pow,
    Divmod,
    /// `math.floor`, `math.ceil`, `math.trunc`: a Python integer from a number.
    ToInt(ElemOp),
    Append,
    AsType,
    Fill,
    /// `where(c, a, b)`.
    Where,
    /// The index of the least element in each dimension (Intrepydd's bare `argmin`).
    ArgIndex(ReduceOp),
    /// `a.item()`
    Item,
    /// `stoi("12")` and its like: what digits in a literal spell; base 0: that of the second argument.
    Digits {
        base: u32,
    },
    /// `hex(n)` of a constant.
    Hex,
    /// A view-like part of a complex array; of a real one itself or zeros.
    Real,
    Imag,
    /// The type that arrays and numbers have in common, of the items of tuples as well.
    ResultType,
    /// `overlaps(a, others…)`: whether the memory of an array may be that of another one.
    Overlaps,
    /// `list(x)`.
    List,
    /// `a.tolist()`.
    ToList,
    /// `type(x)`, which is called.
    TypeOf,
    /// `isinstance(x, types)`.
    IsInstance,
    /// `sorted(x, reverse=False)`: a new list.
    Sorted,
    /// The element type of an array or sparse matrix.
    DType,
    /// `lying_as(fresh, like)`: a fresh array, or a copy of it whose axes lie as those of another one.
    LyingAs,
    /// A part of a sparse matrix.
    SparsePart(SparsePart),
    /// `csr_of(like, indptr, indices, data, rows, columns)`: a sparse matrix of the kind of another.
    CsrOf,
    /// `spm_set_item(A, value, row, column)`, as a statement; whether it looks for the element first.
    SetItem {
        search: bool,
    },
    /// `A.eliminate_zeros()` and its like, as a statement: the function of the prelude that gives the changed matrix.
    Restructure(&'static str),
    /// `other_form(A)`: the matrix as one of SciPy's forms other than compressed rows or columns; `block_form(A)`: as
    /// one that may be made of dense blocks.
    OtherForm {
        blocks: bool,
    },
    /// Of dicts and sets.
    Dict(DictOp),
    /// Of heaps.
    Heap(HeapOp),
    Bisect(BisectOp),
    /// `collections.deque`: a list.
    Deque,
    /// Calls a function that is an argument.
    Applied(Applied),
    /// The lists that a list is made of, as a tuple: one for each number of its tuples.
    Columns,
    /// A tuple as a list of known length, whose items may be arrays.
    Items,
    /// Whether a value is known when the program is compiled.
    IsKnown,
    /// The random generator whose state an array holds.
    Generator,
    /// A test that is known when the program is compiled.
    Is(Test),
    /// `require(condition, text, values…)`: raises, with the values put into the text.
    Require(crate::op::Exc),
}

/// What a sparse matrix is made of, and what follows from that alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SparsePart {
    /// Where each row begins in `indices` and `data`, and where the last one ends.
    Indptr,
    /// The column of each entry.
    Indices,
    /// The value of each entry.
    Data,
    /// Rows and columns.
    Shape,
    /// The same arrays read as the transposed matrix.
    Transposed,
}

/// What calls a function that is an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Applied {
    AlongAxis,
    FromFunction,
    Piecewise,
}

/// What is built in of dicts and sets: how they are made, methods whose types follow rules of their own, and what
/// functions of the prelude do to entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DictOp {
    Dict,
    Set,
    DefaultDict,
    Counter,
    Keys,
    Values,
    Items,
    Get,
    SetDefault,
    Pop,
    Add,
    Remove,
    Discard,
    /// The list of the index table.
    Table,
    /// The list of flags of deleted entries.
    Gone,
    Count,
    Key,
    Value,
    PushKey,
    PushValue,
    CopyEntry,
    MoveEntry,
    SetValue,
    Truncate,
    Like,
    Zero,
    Require,
}

/// Functions of heaps, which are lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeapOp {
    Empty,
    New,
    Push,
    Pop,
    /// As `Pop`, and gives nothing.
    Drop,
    Heapify,
    Replace,
    PushPop,
    NLargest,
    NSmallest,
    /// The least key.
    Peek,
    Size,
    /// The key at an index.
    Key,
}

/// `bisect`: lists in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BisectOp {
    /// The place before equal items.
    Left,
    /// The place behind equal items.
    Right,
    InsertLeft,
    InsertRight,
}

/// What functions of the prelude ask about a value's type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    /// Is a sparse matrix.
    Sparse,
    /// Is a sparse matrix in compressed columns.
    Csc,
    /// Is one of SciPy's sparse arrays, not of its sparse matrices.
    SparseArray,
    /// Is a sparse matrix of another form than compressed rows or columns.
    OtherForm,
    Tuple,
    /// Is a number of a float type.
    Float,
    /// Is a number of an integer type.
    Integer,
    /// Is an integer of Python's.
    PythonInteger,
    /// Is a float of Python's.
    PythonFloat,
    /// What elements are, of an array, a number or a dtype.
    OfBools,
    OfIntegers,
    OfFloats,
    OfComplex,
    /// Is an array, with axes or without.
    Array,
    /// Is what stands for a parameter that a call leaves out.
    LeftOut,
    /// Is a list.
    List,
    /// Is a random generator.
    Generator,
    Set,
    Dict,
    Counter,
}

/// What an attribute of `a.dtype` is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DTypeAttribute {
    Text(&'static str),
    Int(i64),
}

/// `a.dtype.kind` and its like.
#[must_use]
pub fn dtype_attribute(dtype: DType, name: &str) -> Option<DTypeAttribute> {
    let kind = match dtype {
        DType::Bool => "b",
        d if d.is_unsigned_int() => "u",
        d if d.is_int() => "i",
        d if d.is_complex() => "c",
        _ => "f",
    };
    match name {
        "kind" => Some(DTypeAttribute::Text(kind)),
        "itemsize" => i64::try_from(dtype.size()).ok().map(DTypeAttribute::Int),
        _ => None,
    }
}

/// What a function is to the compiler.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Algebra {
    Elementwise {
        op: ElemOp,
        promote: Promote,
    },
    Reduction {
        op: ReduceOp,
        accumulate: Accumulate,
    },
    Creation(Creation),
    Shape(Shape),
    /// A matrix product.
    Contraction,
    /// A library operation on whole arrays.
    Opaque(LibOp),
    /// Conversion of a scalar (or array) to a type; without arguments the type's zero. As a value, a dtype.
    Convert {
        dtype: DType,
        weak: bool,
    },
    /// A number.
    Constant(f64),
    Builtin(Builtin),
    /// Written in the language: file and function.
    Prelude {
        file: &'static str,
        function: &'static str,
    },
}

impl Algebra {
    /// Whether it gives the same for the same arguments wherever and however often it is called, and does nothing else
    /// to them.
    #[must_use]
    pub fn is_repeatable(self) -> bool {
        match self {
            Self::Elementwise { .. }
            | Self::Reduction { .. }
            | Self::Shape(_)
            | Self::Contraction
            | Self::Convert { .. }
            | Self::Constant(_)
            | Self::Opaque(LibOp::Matmul | LibOp::Sort) => true,
            Self::Creation(creation) => {
                !matches!(creation, Creation::Empty | Creation::EmptyLike | Creation::Empty2d)
            }
            Self::Opaque(_) => false,
            Self::Builtin(builtin) => !matches!(builtin, Builtin::Print | Builtin::Append | Builtin::Fill),
            Self::Prelude { function: "fill_diagonal", .. } => false,
            Self::Prelude { file, .. } => matches!(
                file,
                "creation"
                    | "elementwise"
                    | "joining"
                    | "numeric"
                    | "rounding"
                    | "shape"
                    | "special"
                    | "splitting"
                    | "stats"
                    | "windows"
            ),
        }
    }
}

/// A library function.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Entry {
    names: Names,
    pub params: &'static [Param],
    pub algebra: Algebra,
    /// Shapes, units, errors; one or two sentences.
    pub doc: &'static str,
    pub sharing: Sharing,
    /// Whether it changes the container that it is a method of.
    pub changes: bool,
}

const fn req(name: &'static str) -> Param {
    Param { name, default: Default::Required, kind: ParamKind::Value, constant: false }
}

const fn array(name: &'static str) -> Param {
    Param { name, default: Default::Required, kind: ParamKind::Array, constant: false }
}

const fn operand(name: &'static str) -> Param {
    Param { name, default: Default::Required, kind: ParamKind::Operand, constant: false }
}

const fn opt(name: &'static str) -> Param {
    Param { name, default: Default::None, kind: ParamKind::Value, constant: false }
}

const fn int(name: &'static str, value: i64) -> Param {
    Param { name, default: Default::Int(value), kind: ParamKind::Value, constant: false }
}

const fn axis() -> Param {
    Param { name: "axis", default: Default::None, kind: ParamKind::Display, constant: true }
}

const fn flag(name: &'static str, value: bool) -> Param {
    Param { name, default: Default::Bool(value), kind: ParamKind::Value, constant: true }
}

const fn fixed(param: Param) -> Param {
    Param { constant: true, ..param }
}

const fn dtype() -> Param {
    Param { name: "dtype", default: Default::None, kind: ParamKind::DType, constant: true }
}

const fn display(name: &'static str) -> Param {
    Param { name, default: Default::Required, kind: ParamKind::Display, constant: false }
}

const fn rest(name: &'static str) -> Param {
    Param { name, default: Default::Rest, kind: ParamKind::Value, constant: false }
}

/// An entry without names; [`Entry::within`] adds them, and [`Entry::np`] and its like do for spaces with many.
const fn entry(params: &'static [Param], algebra: Algebra, doc: &'static str) -> Entry {
    Entry { names: Names::NONE, params, algebra, doc, sharing: Sharing::None, changes: false }
}

/// An entry whose function is written in the language.
const fn written(
    params: &'static [Param],
    file: &'static str,
    function: &'static str,
    doc: &'static str,
) -> Entry {
    entry(params, Algebra::Prelude { file, function }, doc)
}

impl Entry {
    /// That it gives a new container.
    const fn makes(self) -> Self {
        Self { sharing: Sharing::New, ..self }
    }

    /// That it may give the container that it is given, or a part of it.
    const fn shares(self) -> Self {
        Self { sharing: Sharing::Shared, ..self }
    }

    /// That it changes its receiver.
    const fn changes(self) -> Self {
        Self { changes: true, ..self }
    }

    /// The same function by further names.
    const fn within(self, space: Space, names: &[&'static str]) -> Self {
        Self { names: self.names.and(space, names), ..self }
    }

    const fn np(self, names: &[&'static str]) -> Self {
        self.within(Space::Numpy, names)
    }

    const fn math(self, names: &[&'static str]) -> Self {
        self.within(Space::Math, names)
    }

    const fn cmath(self, names: &[&'static str]) -> Self {
        self.within(Space::Cmath, names)
    }

    const fn bare(self, names: &[&'static str]) -> Self {
        self.within(Space::Bare, names)
    }

    const fn linalg(self, names: &[&'static str]) -> Self {
        self.within(Space::Linalg, names)
    }

    const fn fft(self, names: &[&'static str]) -> Self {
        self.within(Space::Fft, names)
    }

    const fn method(self, names: &[&'static str]) -> Self {
        self.within(Space::Method, names)
    }

    const fn attribute(self, names: &[&'static str]) -> Self {
        self.within(Space::Attribute, names)
    }

    const fn sparse(self, names: &[&'static str]) -> Self {
        self.within(Space::Sparse, names)
    }

    const fn sparse_attribute(self, names: &[&'static str]) -> Self {
        self.within(Space::SparseAttribute, names)
    }

    const fn dict(self, names: &[&'static str]) -> Self {
        self.within(Space::Dict, names)
    }

    const fn set(self, names: &[&'static str]) -> Self {
        self.within(Space::Set, names)
    }

    const fn collections(self, names: &[&'static str]) -> Self {
        self.within(Space::Collections, names)
    }

    const fn heapq(self, names: &[&'static str]) -> Self {
        self.within(Space::Heapq, names)
    }

    const fn bisect(self, names: &[&'static str]) -> Self {
        self.within(Space::Bisect, names)
    }

    const fn special(self, names: &[&'static str]) -> Self {
        self.within(Space::Special, names)
    }

    const fn scipy_sparse(self, names: &[&'static str]) -> Self {
        self.within(Space::SciPySparse, names)
    }

    const fn random(self, names: &[&'static str]) -> Self {
        self.within(Space::Random, names)
    }

    const fn internal(self, names: &[&'static str]) -> Self {
        self.within(Space::Internal, names)
    }

    /// What it is called: each name with the space that it stands in.
    #[must_use]
    pub fn names(&self) -> &[(Space, &'static str)] {
        self.names.get()
    }
}

/// All tables.
pub const TABLES: &[&[Entry]] = &[
    elementwise::ENTRIES,
    reduction::ENTRIES,
    creation::ENTRIES,
    access::ENTRIES,
    applied::ENTRIES,
    linalg::ENTRIES,
    fourier::ENTRIES,
    builtin::ENTRIES,
    prelude::ENTRIES,
    sparse::ENTRIES,
    sparse_make::ENTRIES,
    joining::ENTRIES,
    sorting::ENTRIES,
    summary::ENTRIES,
    numeric::ENTRIES,
    splitting::ENTRIES,
    windows::ENTRIES,
    dicts::ENTRIES,
    heaps::ENTRIES,
    bisect::ENTRIES,
    cmath::ENTRIES,
    special::ENTRIES,
    random::ENTRIES,
    scipy::ENTRIES,
];
