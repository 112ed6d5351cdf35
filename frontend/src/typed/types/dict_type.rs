//! Types of dicts and sets. A value of such a type is a bundle of lists: one for each number of a key, those that lists
//! of its values are made of, the table that finds entries, and flags of deleted entries (`prelude/dicts.pydd` says what
//! is in them). Lists are references, and so is the dict.

use super::ty::{self, Items, Num, Ty};
use crate::source::Span;
use pydd_ir::{DType, ExportType};
use std::fmt;

/// What a dict or set holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DictType {
    /// A number, or a tuple of keys.
    pub key: Ty,
    /// What lists can hold; None of a set.
    pub value: Ty,
    pub container: Container,
}

/// Which of Python's classes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Container {
    Dict,
    /// `defaultdict(…)`: what a missing key gets.
    Default(Missing),
    /// `Counter(…)`: counts, and a missing key's count is 0.
    Counter,
    Set,
}

/// What a `defaultdict` gives for a missing key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Missing {
    /// Zero, of `int` and the like.
    Zero(Num),
    List,
    Dict,
    Set,
    /// A `defaultdict` of numbers, as `lambda: defaultdict(int)` gives it.
    Zeros(Num),
    /// A `defaultdict(list)`.
    Lists,
}

/// What is seen of a dict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum View {
    Keys,
    Values,
    Items,
}

impl Container {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dict => "Dict",
            Self::Default(_) => "defaultdict",
            Self::Counter => "Counter",
            Self::Set => "Set",
        }
    }

    /// What a missing key's value is.
    pub const fn missing(self) -> Option<Missing> {
        match self {
            Self::Default(missing) => Some(missing),
            Self::Counter => Some(Missing::Zero(Num::INT)),
            Self::Dict | Self::Set => None,
        }
    }

    /// What one of them is called in a sentence.
    pub const fn noun(self) -> &'static str {
        if matches!(self, Self::Set) { "set" } else { "dict" }
    }
}

impl Missing {
    /// Its type, as far as it is known where the dict that was made at a place gives it.
    pub fn ty(self, dict: Span) -> Ty {
        // The last character of the call that makes the dict, or of the call in it: nothing else is made there.
        let end = if dict.end - dict.start == 1 { dict.start } else { dict.end };
        let at = Span { start: end.saturating_sub(1), end };
        match self {
            Self::Zero(num) => Ty::Scalar(num),
            Self::List => Ty::EmptyList(at),
            Self::Dict => Ty::EmptyDict(at, Container::Dict),
            Self::Set => Ty::EmptyDict(at, Container::Set),
            Self::Zeros(num) => Ty::EmptyDict(at, Container::Default(Self::Zero(num))),
            Self::Lists => Ty::EmptyDict(at, Container::Default(Self::List)),
        }
    }
}

impl View {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Values => "values",
            Self::Items => "items",
        }
    }
}

impl DictType {
    pub const fn is_counter(&self) -> bool {
        matches!(self.container, Container::Counter)
    }

    pub const fn is_set(&self) -> bool {
        matches!(self.container, Container::Set)
    }

    /// How many lists hold keys.
    pub fn key_columns(&self) -> usize {
        numbers(&self.key).len()
    }

    /// How many lists hold values.
    pub fn value_columns(&self) -> usize {
        columns(&self.value).len()
    }

    /// The lists: of keys, of values, the table, the flags.
    pub fn parts(&self) -> Vec<Ty> {
        let behind = [Num::strong(DType::I32), Num::BOOL].map(Ty::List);
        columns(&self.key).into_iter().chain(columns(&self.value)).chain(behind).collect()
    }

    /// The item that a view gives for an entry.
    pub fn item(&self, view: View) -> Ty {
        match view {
            View::Keys => self.key.clone(),
            View::Values => self.value.clone(),
            View::Items => Ty::Tuple(vec![self.key.clone(), self.value.clone()].into()),
        }
    }

    pub fn export(&self) -> Option<ExportType> {
        let value = match self.value {
            Ty::None => None,
            _ => Some(Box::new(self.value.export()?)),
        };
        Some(ExportType::Dict { key: Box::new(self.key.export()?), value })
    }

    /// Whether both are the same in memory and of one class: numbers of a family are those of the other.
    pub fn is_like(&self, other: &Self) -> bool {
        let classes = |own, other| match (own, other) {
            (Container::Default(_), Container::Default(_)) => true,
            _ => own == other,
        };
        classes(self.container, other.container)
            && same_layout(&self.key, &other.key)
            && same_layout(&self.value, &other.value)
    }

    /// What holds the items of both.
    pub fn joined(&self, other: &Self, meet: impl Fn(&Ty, &Ty) -> Option<Ty>) -> Option<Self> {
        let (key, value) = (meet(&self.key, &other.key)?, meet(&self.value, &other.value)?);
        Some(Self { key, value, container: self.container })
    }
}

fn same_layouts(a: &[Ty], b: &[Ty]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_layout(a, b))
}

/// Whether values of both types are the same in memory: numbers of a family are those of the other.
pub fn same_layout(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Scalar(a), Ty::Scalar(b)) => a.dtype == b.dtype,
        (Ty::Tuple(a), Ty::Tuple(b)) => same_layouts(a, b),
        (Ty::Tuples(a), Ty::Tuples(b)) => same_layouts(a, b),
        (Ty::List(a), Ty::List(b)) => a.dtype == b.dtype,
        (Ty::Lists(a), Ty::Lists(b)) => same_layout(a, b),
        (Ty::Dict(a), Ty::Dict(b)) => a.is_like(b),
        (Ty::EmptyDict(_, own), Ty::Dict(dict)) | (Ty::Dict(dict), Ty::EmptyDict(_, own)) => {
            *own == dict.container
        }
        (Ty::EmptyDict(_, a), Ty::EmptyDict(_, b)) => a == b,
        (Ty::EmptyList(_), Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) | Ty::EmptyList(_)) => true,
        (Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_), Ty::EmptyList(_)) => true,
        _ => a == b,
    }
}

/// The numbers that a key or value is made of.
pub fn numbers(ty: &Ty) -> Vec<Num> {
    match ty {
        Ty::Scalar(num) => vec![*num],
        Ty::Tuple(items) => items.iter().flat_map(numbers).collect(),
        _ => Vec::new(),
    }
}

/// The lists that hold such items, one beside the other: a list for each number of a tuple, and for each list that a
/// list or dict is made of.
pub fn columns(item: &Ty) -> Vec<Ty> {
    let list_of = |ty: &Ty| Ty::Lists(Box::new(ty.clone()));
    match item {
        Ty::None => Vec::new(),
        Ty::Scalar(num) => vec![Ty::List(*num)],
        Ty::Tuple(items) => items.iter().flat_map(columns).collect(),
        _ => item.parts().map_or_else(|| vec![list_of(item)], |parts| parts.iter().map(list_of).collect()),
    }
}

/// A tuple, with items.
fn is_plain(items: &Items) -> bool {
    !items.is_empty() && !items.is_list()
}

/// Numbers, and tuples of them.
pub fn is_of_numbers(ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(_) => true,
        Ty::Tuple(items) => is_plain(items) && items.iter().all(is_of_numbers),
        _ => false,
    }
}

/// Whether lists can hold this, and dicts as a value: numbers, arrays with axes, lists, dicts, sets, and tuples of these.
pub fn is_item(ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(_) => true,
        Ty::Tuple(items) => is_plain(items) && items.iter().all(is_item),
        Ty::Array { rank, .. } => *rank > 0,
        Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) | Ty::EmptyList(_) | Ty::Dict(_) | Ty::EmptyDict(..) => {
            ty.depth() < ty::MAX_DEPTH
        }
        _ => false,
    }
}

/// Whether a dict can hold this as a key.
pub fn is_key(ty: &Ty) -> bool {
    is_of_numbers(ty) && numbers(ty).iter().all(|num| !num.dtype.is_complex())
}

impl fmt::Display for DictType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.container.name();
        match self.value {
            Ty::None => write!(f, "{name}({})", self.key),
            _ => write!(f, "{name}({}, {})", self.key, self.value),
        }
    }
}
