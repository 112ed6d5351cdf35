//! What the iterations of a parallel loop share: the table that stands with the loop, and with the function that its
//! body becomes.
//!
//! ```text
//! %9: f64 = pfor[sum; sliced write [i], sliced read [i - 1 ..= i + v2], invariant] %3, %4, %5, %6, %0, %1, %7
//! ```
//!
//! Behind the values that it carries, a loop has the operands that its table is about: first the memory of each row,
//! then numbers that footprints name (`v2` is the third of all these operands, `n0.1` the length of the first one's axis
//! 1, `i` the index, `q2` the index divided by the third operand). So what replaces values replaces them here as well, and nothing of a table can dangle.
//!
//! `v1[i] .. v1[i + 1]` is a segment, as rows of sparse matrices are: what lies from an element of an array of integers, here the
//! second operand, up to another one, which is no part of it. It holds where these pointers do not fall and none is
//! negative. Whether they do so is tested before the loop, where a row is written.
//!
//! Memory from outside that the body uses and that has no row is only read. Values made in an iteration are its own.

use std::fmt;

use crate::elem::ReduceOp;
use crate::poly::{self, Poly};

/// How iterations share memory from outside. `S` is what footprints are made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sharing<S> {
    /// The same in all iterations, and only read.
    Invariant,
    /// Each iteration touches a part of its own; of what is only read, parts may overlap.
    Sliced { writes: bool, footprint: Footprint<S> },
    /// Combined over all iterations.
    Reduced(ReduceOp),
    /// A list that iterations append to, and do nothing else with.
    Appended,
}

/// What iteration `i` touches, by axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Footprint<S>(pub Vec<Span<S>>);

/// A part of an axis, both ends included. Negative indices are counted from the end before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Span<S> {
    All,
    Range(Poly<S>, Poly<S>),
    Segment(Segment<S>),
}

/// From element `first` of an array of integers up to its element `last`, that one excluded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment<S> {
    pub pointers: S,
    pub first: Poly<S>,
    pub last: Poly<S>,
}

/// What the footprints of a table speak of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// The loop's index.
    Index,
    /// An operand of the table, a number.
    Number(u32),
    /// The length of an axis of an operand of the table.
    Length(u32, u8),
    /// The loop's index divided by an operand of the table, a number, rounded down: the index of a loop around it, before they became one.
    Quotient(u32),
}

impl Symbol {
    /// No table has so many operands.
    pub const OPERANDS: u32 = 1 << 22;

    /// The operand of the table that it is about.
    #[must_use]
    pub const fn operand(self) -> Option<u32> {
        match self {
            Self::Index => None,
            Self::Number(operand) | Self::Length(operand, _) | Self::Quotient(operand) => Some(operand),
        }
    }
}

impl poly::Symbol for Symbol {
    fn word(self) -> u32 {
        assert!(self.operand().is_none_or(|operand| operand < Self::OPERANDS), "too many operands");
        match self {
            Self::Index => 1,
            Self::Number(operand) => 1 << 30 | operand,
            Self::Length(operand, axis) => 2 << 30 | operand << 8 | u32::from(axis),
            Self::Quotient(operand) => 3 << 30 | operand,
        }
    }

    fn of_word(word: u32) -> Self {
        let index = word & ((1 << 30) - 1);
        match word >> 30 {
            0 => Self::Index,
            1 => Self::Number(index),
            2 => Self::Length(index >> 8, (index & 0xff) as u8),
            _ => Self::Quotient(index),
        }
    }
}

/// How the iterations of a loop share memory: a row for each of its first operands.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Table {
    pub rows: Vec<Sharing<Symbol>>,
}

impl Table {
    /// Whether iterations combine values into the same elements of arrays. Such a loop runs in order, or in parts that
    /// have arrays of their own.
    #[must_use]
    pub fn reduces(&self) -> bool {
        self.rows.iter().any(|row| matches!(row, Sharing::Reduced(_)))
    }

    /// The segments that are written: iterations are independent where their pointers do not fall.
    pub fn written_segments(&self) -> impl Iterator<Item = &Segment<Symbol>> {
        self.rows.iter().filter(|row| row.writes()).flat_map(Sharing::segments)
    }
}

impl<S> Sharing<S> {
    /// Whether iterations change the memory.
    #[must_use]
    pub const fn writes(&self) -> bool {
        match self {
            Self::Invariant => false,
            Self::Sliced { writes, .. } => *writes,
            Self::Reduced(_) | Self::Appended => true,
        }
    }
}

impl<S> Sharing<S> {
    pub fn segments(&self) -> impl Iterator<Item = &Segment<S>> {
        let footprint = if let Self::Sliced { footprint, .. } = self { Some(footprint) } else { None };
        footprint.into_iter().flat_map(Footprint::segments)
    }
}

impl<S: poly::Symbol> Sharing<S> {
    /// The same over other symbols. What has no counterpart makes a part of an axis all of it.
    #[must_use]
    pub fn over<T: poly::Symbol>(&self, symbol: &mut dyn FnMut(S) -> Option<T>) -> Sharing<T> {
        match self {
            Self::Invariant => Sharing::Invariant,
            Self::Sliced { writes, footprint } => {
                Sharing::Sliced { writes: *writes, footprint: footprint.over(symbol) }
            }
            Self::Reduced(op) => Sharing::Reduced(*op),
            Self::Appended => Sharing::Appended,
        }
    }
}

impl<S: poly::Symbol> Footprint<S> {
    fn over<T: poly::Symbol>(&self, symbol: &mut dyn FnMut(S) -> Option<T>) -> Footprint<T> {
        let span = |span: &Span<S>| {
            let same = match span {
                Span::All => None,
                Span::Range(low, high) => {
                    low.over(symbol).zip(high.over(symbol)).map(|(low, high)| Span::Range(low, high))
                }
                Span::Segment(segment) => segment.over(symbol).map(Span::Segment),
            };
            same.unwrap_or(Span::All)
        };
        Footprint(self.0.iter().map(span).collect())
    }

    /// The ends of all parts.
    pub fn polys(&self) -> impl Iterator<Item = &Poly<S>> {
        self.0
            .iter()
            .flat_map(|span| match span {
                Span::All => [None, None],
                Span::Range(low, high) => [Some(low), Some(high)],
                Span::Segment(segment) => [Some(&segment.first), Some(&segment.last)],
            })
            .flatten()
    }
}

impl<S> Footprint<S> {
    pub fn segments(&self) -> impl Iterator<Item = &Segment<S>> {
        self.0.iter().filter_map(|span| match span {
            Span::Segment(segment) => Some(segment),
            Span::All | Span::Range(..) => None,
        })
    }
}

impl<S: poly::Symbol> Segment<S> {
    fn over<T: poly::Symbol>(&self, symbol: &mut dyn FnMut(S) -> Option<T>) -> Option<Segment<T>> {
        Some(Segment {
            pointers: symbol(self.pointers)?,
            first: self.first.over(symbol)?,
            last: self.last.over(symbol)?,
        })
    }
}

/// A captured value of a region: a parameter of the function that a parallel loop's body became.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capture {
    pub sharing: Sharing<Symbol>,
    /// Memory of different numbers never overlaps; numbers of scalars mean nothing.
    pub memory: u32,
    /// Lists that are captured may hold it.
    pub held: bool,
    /// Of arrays of loops that a device runs.
    pub residence: Residence,
}

/// What a device need not copy.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Residence {
    /// Another loop of the call may write to it on the device.
    pub written_later: bool,
    /// What the memory holds where no loop that a device runs was given it before.
    pub content: Content,
    pub cover: Cover,
}

/// What the iterations of a loop do with the elements of an array, from little to much.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Cover {
    #[default]
    Anything,
    /// Each writes exactly one element: if there are as many as iterations, all are written.
    Each,
    /// Likewise, and none is read.
    Fills,
}

/// What memory holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Content {
    #[default]
    Data,
    /// Whatever: the processor has not touched it since it was allocated.
    Nothing,
    /// Likewise, but it was allocated with zeros.
    Zeros,
}

impl Residence {
    /// What holds of two loops that are one.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            written_later: self.written_later || other.written_later,
            content: if self.content == other.content { self.content } else { Content::Data },
            cover: self.cover.min(other.cover),
        }
    }
}

/// What the function is that the body of a parallel loop became.
///
/// Its parameters are the first and the last iteration that it runs (counted from 0, the last excluded), the loop's start
/// and step, what the body captures, and the accumulators, which it goes on from and gives back.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Region {
    pub captures: Vec<Capture>,
    /// The operator of each accumulator, as of [`crate::op::Parallel`].
    pub reduce: Vec<ReduceOp>,
}

impl Region {
    /// Parameters before the captures: begin, end, start, step.
    pub const CAPTURES: usize = 4;

    /// Parameters before the accumulators.
    #[must_use]
    pub fn accumulators(&self) -> usize {
        Self::CAPTURES + self.captures.len()
    }

    /// Whether iterations combine values into the same elements of arrays: threads of a device do so at once, those of a processor in order.
    #[must_use]
    pub fn updates(&self) -> bool {
        self.captures.iter().any(|capture| matches!(capture.sharing, Sharing::Reduced(_)))
    }

    /// What a parameter captures.
    #[must_use]
    pub fn capture(&self, param: usize) -> Option<&Capture> {
        self.captures.get(param.checked_sub(Self::CAPTURES)?)
    }
}

impl<S: poly::Symbol + fmt::Display> fmt::Display for Sharing<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invariant => f.write_str("invariant"),
            Self::Sliced { writes, footprint } => {
                write!(f, "sliced {} {footprint}", if *writes { "write" } else { "read" })
            }
            Self::Reduced(op) => write!(f, "reduced {}", op.name()),
            Self::Appended => f.write_str("appended"),
        }
    }
}

impl<S: poly::Symbol + fmt::Display> fmt::Display for Footprint<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spans: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        write!(f, "[{}]", spans.join(", "))
    }
}

impl<S: poly::Symbol + fmt::Display> fmt::Display for Span<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str(":"),
            Self::Range(low, high) if low == high => write!(f, "{low}"),
            Self::Range(low, high) => write!(f, "{low} ..= {high}"),
            Self::Segment(Segment { pointers, first, last }) => {
                write!(f, "{pointers}[{first}] .. {pointers}[{last}]")
            }
        }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index => f.write_str("i"),
            Self::Number(operand) => write!(f, "v{operand}"),
            Self::Length(operand, axis) => write!(f, "n{operand}.{axis}"),
            Self::Quotient(operand) => write!(f, "q{operand}"),
        }
    }
}
