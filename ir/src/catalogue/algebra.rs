//! What library functions are to the compiler: rules of types, kinds of functions, and what is built in.

use crate::elem::{ElemOp, ReduceOp};
use crate::op::{Keep, LibOp};
use crate::types::DType;

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
    /// A view of neighbours along the first axis.
    Windows,
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
    Itertool(Itertool),
    /// `operator.itemgetter(k)`: a function that gives the item at k.
    ItemGetter,
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
    /// `ord("a")`.
    Ord,
    /// `hex(n)` of a constant.
    Hex,
    /// A view-like part of a complex array; of a real one itself or zeros.
    Real,
    Imag,
    /// The type that arrays and numbers have in common, of the items of tuples as well.
    ResultType,
    /// `overlaps(a, others…)`: whether the memory of an array may be that of another one.
    Overlaps,
    /// `on_device()`: whether what is compiled is for a device.
    OnDevice,
    /// `list(x)`.
    List,
    /// `a.tolist()`.
    ToList,
    /// `type(x)`, which is called.
    TypeOf,
    /// `isinstance(x, types)`.
    IsInstance,
    /// `np.issubdtype(a.dtype, np.floating)`.
    IsSubDType,
    /// `sorted(x, reverse=False)`: a new list.
    Sorted,
    /// The element type of an array or sparse matrix.
    DType,
    /// `lying_as(fresh, others…)`: a fresh array, or a copy of it whose axes lie as others demand.
    LyingAs(Keep),
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
    Reduce,
}

/// What `itertools` has for loops to go over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Itertool {
    Product,
    Combinations,
    WithReplacement,
    Permutations,
    Accumulate,
    Chain,
    /// `chain.from_iterable`
    Flatten,
    Pairwise,
    Islice,
    Count,
    Repeat,
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
    /// Is a list, tuple or dict with dicts or sets in it.
    HoldsDicts,
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
