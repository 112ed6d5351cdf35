//! What operations carry: constants, exceptions, axes, how a loop is parallel. The operations themselves are in [`crate::kind`].

use crate::draw::Draw;
use crate::elem::ReduceOp;
pub use crate::kind::OpKind;
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
#[derive(Clone, PartialEq, Eq, Debug)]
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

    /// As Python writes it; for NaN there is nothing, so `...`.
    #[must_use]
    pub fn python(&self) -> String {
        match self {
            Self::Bool(true) => "True".to_owned(),
            Self::Bool(false) => "False".to_owned(),
            Self::Int(value) => value.to_string(),
            Self::Float(bits) => python_float(f64::from_bits(*bits)),
            Self::Complex(re, im) => {
                let (re, im) = (f64::from_bits(*re), f64::from_bits(*im));
                let sign = if im.is_sign_negative() { '-' } else { '+' };
                format!("{}{sign}{}j", python_float(re), python_float(im.abs()))
            }
            Self::Str(text) => python_text(text),
        }
    }
}

/// What `ast.literal_eval` reads as this number.
fn python_float(value: f64) -> String {
    if value.is_nan() {
        "...".to_owned()
    } else if value.is_infinite() {
        format!("{}1e999", if value < 0.0 { "-" } else { "" })
    } else {
        format!("{value:?}")
    }
}

/// `repr` of a text.
#[must_use]
pub fn python_text(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
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

/// How a new array's axes lie to those of others, as NumPy has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// As a copy's of one (`order='K'`): an axis along which nothing moves is the innermost.
    Copy,
    /// As those of the result of an operation on elements of them all.
    Elem,
    /// Column-major where one lies so without gaps, else row-major (`order='A'`).
    Columns,
}

impl Keep {
    pub const ALL: [Self; 3] = [Self::Copy, Self::Elem, Self::Columns];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Copy => "copy",
            Self::Elem => "elem",
            Self::Columns => "columns",
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
