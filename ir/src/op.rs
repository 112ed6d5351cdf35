//! The operations of both levels.
//!
//! Array IR and loop IR share one container (see [`crate::func`]). [`Level`] says which operations a
//! function may hold: whole-array operations and checked accesses live in array IR; raw accesses, raw
//! views and ownership live in loop IR; scalar code, control and calls live in both.

use crate::draw::Draw;
use crate::elem::{ElemOp, ReduceOp};
use crate::entity::{FuncRef, Slot};
use crate::facts::{Levels, Role};
use crate::routine::Routine;
use crate::sharing::Table;
use std::collections::BTreeMap;

/// What stage a function is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    Array,
    Loop,
}

/// Which arguments a version of a function is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Version {
    /// Nothing is known: as the frontend makes it, and for functions called from inside.
    Any,
    /// Array parameters are contiguous, aligned, and a written one overlaps no other.
    Fast,
    /// Any strides, any overlap: small rather than fast.
    General,
}

/// The argument of an exception. Both are templates, in which `{0}`… stand for the payload.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Message {
    /// A string.
    Text(String),
    /// A number, or a tuple of such, as Python writes it: the key that a dict does not have.
    Key(String),
}

impl Message {
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// What is shown of it.
    #[must_use]
    pub fn template(&self) -> &str {
        match self {
            Self::Text(template) | Self::Key(template) => template,
        }
    }
}

/// A constant. Integers are kept as the bits of the result's type, sign- or zero-extended to 64.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    Bool(bool),
    Int(i64),
    /// Bits of an f64; float32 constants are rounded when used.
    Float(u64),
    /// Bits of real and imaginary parts as f64.
    Complex(u64, u64),
    Str(String),
}

impl Literal {
    #[must_use]
    pub fn float(value: f64) -> Self {
        Self::Float(value.to_bits())
    }
}

/// What can be raised: built-in exceptions, and classes of the module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Exc {
    RuntimeError,
    IndexError,
    ValueError,
    TypeError,
    ZeroDivisionError,
    OverflowError,
    MemoryError,
    RecursionError,
    AssertionError,
    UnboundLocalError,
    KeyError,
    NotImplementedError,
    ArithmeticError,
    FloatingPointError,
    LookupError,
    StopIteration,
    KeyboardInterrupt,
    SystemError,
    Exception,
    ImportError,
    OSError,
    LinAlgError,
    /// A class that the module defines, by its place in [`Module::exceptions`](crate::Module::exceptions).
    Own(u16),
}

impl std::fmt::Display for Exc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Own(index) => write!(f, "own{index}"),
            built_in => f.write_str(built_in.name()),
        }
    }
}

impl Exc {
    /// All that are built in.
    pub const ALL: [Self; 22] = [
        Self::RuntimeError,
        Self::IndexError,
        Self::ValueError,
        Self::TypeError,
        Self::ZeroDivisionError,
        Self::OverflowError,
        Self::MemoryError,
        Self::RecursionError,
        Self::AssertionError,
        Self::UnboundLocalError,
        Self::KeyError,
        Self::NotImplementedError,
        Self::ArithmeticError,
        Self::FloatingPointError,
        Self::LookupError,
        Self::StopIteration,
        Self::KeyboardInterrupt,
        Self::SystemError,
        Self::Exception,
        Self::ImportError,
        Self::OSError,
        Self::LinAlgError,
    ];

    /// Python's name of a built-in exception; of others see [`Module::exception_name`](crate::Module::exception_name).
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RuntimeError => "RuntimeError",
            Self::IndexError => "IndexError",
            Self::ValueError => "ValueError",
            Self::TypeError => "TypeError",
            Self::ZeroDivisionError => "ZeroDivisionError",
            Self::OverflowError => "OverflowError",
            Self::MemoryError => "MemoryError",
            Self::RecursionError => "RecursionError",
            Self::AssertionError => "AssertionError",
            Self::UnboundLocalError => "UnboundLocalError",
            Self::KeyError => "KeyError",
            Self::NotImplementedError => "NotImplementedError",
            Self::ArithmeticError => "ArithmeticError",
            Self::FloatingPointError => "FloatingPointError",
            Self::LookupError => "LookupError",
            Self::StopIteration => "StopIteration",
            Self::KeyboardInterrupt => "KeyboardInterrupt",
            Self::SystemError => "SystemError",
            Self::Exception => "Exception",
            Self::ImportError => "ImportError",
            Self::OSError => "OSError",
            Self::LinAlgError => "LinAlgError",
            Self::Own(_) => "Exception",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|e| e.name() == name)
    }

    /// What [`Display`](std::fmt::Display) writes.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let own = || text.strip_prefix("own")?.parse().ok().map(Self::Own);
        Self::from_name(text).or_else(own)
    }
}

/// A half of complex numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComplexPart {
    Real,
    Imag,
}

impl ComplexPart {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Imag => "imag",
        }
    }
}

/// One item of a basic index. Items that need values take them from the operation's operands, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexItem {
    /// One operand: an integer; negative counts from the end; raises IndexError; drops the axis.
    At,
    /// `start:stop:step`; an operand for each part that is there. A zero step raises ValueError.
    Slice { start: bool, stop: bool, step: bool },
    /// `np.newaxis`: a new axis of length 1; consumes no axis and no operand.
    New,
}

impl IndexItem {
    /// How many operands the item takes.
    #[must_use]
    pub const fn operands(self) -> usize {
        match self {
            Self::At => 1,
            Self::Slice { start, stop, step } => start as usize + stop as usize + step as usize,
            Self::New => 0,
        }
    }
}

/// Which axes a reduction goes over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReduceSpec {
    pub op: ReduceOp,
    /// `None`: all axes, in row-major order for `argmin` and `argmax`. Sorted and without duplicates.
    pub axes: Option<Vec<u8>>,
    pub keepdims: bool,
}

/// What becomes of the elements that a [`OpKind::Map`] computes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MapTarget {
    /// Each yielded value makes a fresh array of the inputs' broadcast shape.
    Fresh,
    /// The first operand is an array that is overwritten; the inputs broadcast to its shape; one value
    /// is yielded. Elements are written one after the other in row-major order, so the inputs must not
    /// overlap it except as the very same elements. The region's first parameter is the old element.
    Into,
    /// The one yielded value is reduced. Needs an array among the inputs.
    Reduce(ReduceSpec),
}

/// A library function that no composition of other operations stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LibOp {
    /// `np.matmul` for ranks of at least 1; 1-D by 1-D gives a scalar. Raises ValueError on mismatch.
    ///
    /// In loop IR `(a, b, out)` without results: all of one rank of at least 2 and with equal leading axes
    /// (stride 0 where stretched), any strides, `(…, n, k)` by `(…, k, m)` into `(…, n, m)`. All of `out`
    /// is written, with zeros where k is 0; it overlaps neither operand. Lengths are checked before.
    Matmul,
    /// `np.sort` along the last axis, a fresh array.
    ///
    /// In loop IR `(a)` without results: sorts a row-major array in place.
    Sort,
    /// `time.time()`.
    Time,
    /// Of a library for transforms or linear algebra; both levels.
    Routine(Routine),
    /// A random number; both levels.
    Draw(Draw),
}

impl LibOp {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Matmul => "matmul",
            Self::Sort => "sort",
            Self::Time => "time",
            Self::Routine(routine) => routine.name(),
            Self::Draw(draw) => draw.name(),
        }
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let own = [Self::Matmul, Self::Sort, Self::Time].into_iter();
        own.chain(Routine::ALL.map(Self::Routine)).chain(Draw::ALL.map(Self::Draw))
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|op| op.name() == name)
    }
}

/// Python's part of `print`: what stands between and after the items; `None` is the default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PrintSpec {
    pub sep: Option<String>,
    pub end: Option<String>,
    /// For each operand, whether it is of the weak family (printed as Python's own number).
    pub weak: Vec<bool>,
    /// By operand, how Python formats it: what stands behind the colon in `f"{x:.3f}"`.
    pub formats: BTreeMap<usize, String>,
}

/// What iterations of a parallel loop share.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Parallel {
    /// The operator of each carried value. `ArgMin` and `ArgMax` stand behind `Min`, `Max` or each other: such a value comes
    /// along with the least or greatest one before it, of equal ones the first.
    pub reduce: Vec<ReduceOp>,
    /// How iterations share memory; nothing where that is not known, so that they run in order.
    pub table: Option<Table>,
}

impl Parallel {
    /// Iterations of which nothing is known but the scalars that they reduce.
    #[must_use]
    pub const fn new(reduce: Vec<ReduceOp>) -> Self {
        Self { reduce, table: None }
    }

    /// Whether iterations combine values into the same elements of arrays.
    #[must_use]
    pub fn reduces_arrays(&self) -> bool {
        self.table.as_ref().is_some_and(Table::reduces)
    }
}

/// An operation's kind with its attributes. Operands, results and regions are in [`crate::OpData`].
///
/// Notation: `(operands) -> results {regions}`. "Dims" are i64 scalars, one for each axis.
/// Dimension operands that are negative raise ValueError, sizes that can't be had MemoryError.
#[derive(Clone, PartialEq, Debug)]
pub enum OpKind {
    // ---- values, both levels ----
    /// `() -> c`
    Const(Literal),
    /// `(a, …) -> r`: scalars; in array IR also arrays with broadcasting (ValueError on mismatch). A fresh array has the
    /// operands' order of axes, as NumPy has it (`order='K'`); so has that of `Cast`. Where anything depends on it, the
    /// pass `keep-order` says it by other operations.
    Elem(ElemOp),
    /// `(a) -> r`: converts elements to the result's dtype as `astype` does where NumPy leaves it to an x86-64
    /// processor. A float is cut off to an int32, or, for int64, uint32 and uint64, to an int64, which is the least
    /// one for NaN and for what does not fit; of that the low bits are taken. uint64 has 2^63 taken off before and
    /// added after where the float is not below it. Complex to real takes the real part; anything to bool is `!= 0`.
    Cast,
    /// `(array) -> i64`: length of an axis.
    Dim(u8),
    /// `(array) -> i64`: stride of an axis in bytes.
    Stride(u8),

    // ---- arrays, array IR ----
    /// `(dims…) -> fresh array`, contents unspecified. Both levels.
    Empty,
    /// `(dims…) -> fresh array` of zeros. Both levels.
    Zeros,
    /// `(dims…, strides…) -> fresh array`, contents unspecified, whose elements lie at these strides, in bytes: those of
    /// some order of the axes without gaps. Lengths are those of an array.
    EmptyStrided,
    /// `(a, other) -> a or a copy` with the order of axes of the second, which has its shape, as copies in NumPy have it.
    /// The first is fresh, and nothing else uses it. Taken out by the pass `keep-order`.
    KeepOrder,
    /// `(value, dims…) -> fresh array`
    Full,
    /// `(start, step, count: i64) -> fresh 1-D array`: element i is `start + i * step`, the first one `start` itself. A negative count is 0.
    Iota,
    /// `(a) -> fresh row-major array`
    Copy,
    /// As `Copy`, of an array that is one object of the whole module: nothing may write to it or return it.
    ModuleConstant,
    /// `(a, index operands…) -> view`. Axes without an item are kept whole.
    View(Vec<IndexItem>),
    /// `(a) -> view` with axes in this order.
    Transpose(Vec<u8>),
    /// `(a, dims…) -> view where possible, else a copy`. One dim may be -1. ValueError on a wrong size.
    /// Without dims and with a result of one axis all elements in row-major order: a view where the array has no
    /// gaps, else a copy.
    Reshape,
    /// `(a, dims…) -> view` with stride 0 on stretched axes. ValueError on mismatch.
    BroadcastTo,
    /// `(a) -> view` of the diagonal of the last two axes, which becomes one axis behind the others.
    Diagonal,
    /// `(a) -> view` of the real or the imaginary parts of complex elements.
    Part(ComplexPart),
    /// `(a) -> view` of all of it, to which nothing may be written: ValueError.
    ReadOnly,
    /// `(a, others…) -> bool`: whether the stretch of memory from the first to the last element of an array meets that of
    /// another one. An array without elements meets none.
    Overlaps,
    /// `(array, indices…) -> scalar`: an integer for each axis; negative ones count from the end; IndexError.
    Load,
    /// `(array, value, indices…)`: as `Load`.
    Store,
    /// `(dst array, src scalar or array)`: `dst[...] = src`, as if src were copied first; src broadcasts.
    Assign,
    /// `(inputs…) -> results {(one scalar for each input) … yield}`: elementwise; see [`MapTarget`].
    Map(MapTarget),
    /// `(array) -> scalar or array`
    Reduce(ReduceSpec),
    /// Library functions; operands and results by the function.
    Lib(LibOp),

    // ---- lists, both levels ----
    /// `(items…) -> fresh list`
    ListNew,
    /// `(list) -> i64`
    ListLen,
    /// `(list, index) -> item`; negative counts from the end; IndexError "list index out of range". An item that is a list
    /// stays shared with the list.
    ListGet,
    /// `(list, index, value)`; IndexError "list assignment index out of range".
    ListSet,
    /// `(list, value)`
    ListAppend,
    /// `(list, length)`: keeps the first items. A length below 0 is 0, one above the list's own changes nothing.
    ListTruncate,

    // ---- control, both levels ----
    /// `(cond: bool) -> results {then () … yield} {else () … yield}`. A region that leaves otherwise yields nothing.
    If,
    /// `(start, stop, step, init…) -> carried {(index, carried…) … continue}`: Python's `range`; a zero step
    /// raises ValueError "range() arg 3 must not be zero". All i64. Results are the carried values at the
    /// end, or those of `break`.
    For,
    /// `(start, stop, step, init…, operands of the table…) -> carried {(index, carried…) … continue}`: as `For`, iterations
    /// in no order. Each carried value is a scalar reduced by the operator in the
    /// list: a part starts from the operator's identity (`Min`, `Max`, `And`: from the initial value).
    /// No `break`; only level-0 `continue` leaves an iteration. See [`crate::sharing`].
    PFor(Parallel),
    /// `(init…) -> results {(carried…) … continue}`: for ever; `break` gives the results.
    Loop,
    /// `() -> results {() …}`: `break` gives the results; there is no `continue`. Made by inlining.
    Scope,
    /// `(args…) -> results`: arrays and lists by reference.
    Call(FuncRef),
    /// `(cond, payload…)`: raises with the message unless cond. `{0}`… in the message are the payload (i64).
    Check { exc: Exc, message: Option<Message> },
    /// `(items…)`: Python's `print`.
    Print(PrintSpec),

    // ---- loop IR ----
    /// `(array, indices…) -> scalar`: indices are within `0..dim`.
    LoadRaw,
    /// `(array, value, indices…)`: as `LoadRaw`.
    StoreRaw,
    /// `(array) -> i64`: where its first element is.
    Address,
    /// `(base array, byte offset, dims…, strides…) -> view` of the result's dtype and rank. Strides are in
    /// bytes. Where a dim is 0 the offset may point outside of the base.
    RawView,
    /// `(array) -> bool`: whether the elements lie in row-major order without gaps.
    IsContiguous,
    /// `(array or list)`: the slot's old owner is released; the slot takes over the operand's one count
    /// (`retain = false`, for fresh values) or adds one (`retain = true`), before the old one is released.
    Own { slot: Slot, retain: bool },
    /// `()`: releases what the slot holds, if anything. All slots are released where a function is left.
    Disown(Slot),
    /// `(start, stop, step, cost, free: bool, captures…, init…) -> accumulators`: the iterations of a parallel loop whose body
    /// is the function, which is a [`crate::Region`]. They are cut into parts by their number and the cost of one, in scalar
    /// operations; parts run at once where `free` is true, and their accumulators are combined in a balanced
    /// tree, neighbours first. A zero step raises ValueError.
    Launch(FuncRef),

    // ---- terminators ----
    /// `(values…)`: ends a region of `If` or `Map`.
    Yield,
    /// `(carried…)`: next iteration of the loop `depth` breakable operations up (0: the innermost).
    /// Breakable are `For`, `PFor`, `Loop` and `Scope`.
    Continue(u32),
    /// `(results…)`: leaves the breakable operation `depth` up.
    Break(u32),
    /// `(results…)`
    Return,
    /// `(payload…)`
    Raise { exc: Exc, message: Option<Message> },
    /// After operations that never end normally.
    Unreachable,
}

impl OpKind {
    /// Whether the result is a view of the first operand, whatever its layout is.
    #[must_use]
    pub const fn is_view(&self) -> bool {
        matches!(self.role(), Role::View)
    }

    #[must_use]
    pub const fn is_terminator(&self) -> bool {
        matches!(self.role(), Role::Terminator)
    }

    /// What `Break` and `Continue` count.
    #[must_use]
    pub const fn is_breakable(&self) -> bool {
        matches!(self.role(), Role::Loop | Role::Scope)
    }

    #[must_use]
    pub const fn is_loop(&self) -> bool {
        matches!(self.role(), Role::Loop)
    }

    /// Whether the operation may stand at this level.
    #[must_use]
    pub fn allowed_at(&self, level: Level) -> bool {
        match self.facts(level).levels {
            Levels::Both => true,
            Levels::ArrayOnly => level == Level::Array,
            Levels::LoopOnly => level == Level::Loop,
        }
    }
}
