//! The lists that hold the items of lists, dicts and sets side by side: one for each number of an item, one for each
//! array, and one for each list that a list, dict or set in it is made of.
//!
//! Unsafe here: lists that the core made, of which the caller holds a count each, and specs, which live for ever.

use crate::frame::Failed;
use crate::lists;
use pydd_abi::{DTypeCode, List, TypeKind, TypeSpec, list_item_size};
use pydd_core::spec;
use std::ops::Range;

/// The type of an item.
#[derive(Clone, Copy)]
pub enum Item {
    One(&'static TypeSpec),
    Tuple(&'static [TypeSpec]),
}

impl Item {
    pub fn new(ty: &'static TypeSpec) -> Self {
        match ty.kind {
            TypeKind::Tuple => Self::Tuple(items(ty)),
            _ => Self::One(ty),
        }
    }

    /// Of a list, which is of this type.
    pub fn of_list(ty: &'static TypeSpec) -> Self {
        match ty.kind {
            TypeKind::Tuples => Self::Tuple(items(ty)),
            _ => Self::One(&items(ty)[0]),
        }
    }

    /// Whether all of it is numbers.
    pub fn is_of_numbers(self) -> bool {
        match self {
            Self::One(ty) => ty.kind == TypeKind::Scalar,
            Self::Tuple(types) => types.iter().all(|ty| Self::new(ty).is_of_numbers()),
        }
    }

    /// The lists for such items.
    pub fn columns(self) -> Vec<Column> {
        match self {
            Self::Tuple(types) => types.iter().flat_map(|ty| Self::new(ty).columns()).collect(),
            Self::One(ty) if ty.kind == TypeKind::Scalar => vec![Column { dtype: ty.dtype, depth: 1 }],
            // What a list of arrays holds is as deep as lists of numbers.
            Self::One(ty) if ty.kind == TypeKind::Array => vec![Column { dtype: ty.dtype, depth: 2 }],
            Self::One(ty) => columns_of(ty).into_iter().map(Column::deeper).collect(),
        }
    }

    pub fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::One(a), Self::One(b)) => alike(a, b),
            (Self::Tuple(a), Self::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
            }
            _ => false,
        }
    }
}

/// The items of a type.
pub fn items(ty: &'static TypeSpec) -> &'static [TypeSpec] {
    // SAFETY: a spec that lives for ever, with as many items.
    unsafe { spec::items(ty.items, ty.n_items) }
}

/// What a list holds: of depth 1 numbers, else pointers to lists or arrays.
#[derive(Clone, Copy)]
pub struct Column {
    dtype: DTypeCode,
    depth: u8,
}

impl Column {
    const fn deeper(self) -> Self {
        Self { dtype: self.dtype, depth: self.depth + 1 }
    }

    /// A new list without items.
    pub fn list(self) -> Result<*mut List, Failed> {
        pydd_core::list::with_depth(self.dtype, self.depth, 0).map_err(|e| crate::raise::error(&e))
    }
}

/// The lists that a list, dict or set is made of.
pub fn columns_of(ty: &'static TypeSpec) -> Vec<Column> {
    let number = |dtype| Column { dtype, depth: 1 };
    match ty.kind {
        TypeKind::Tuples | TypeKind::Lists => Item::of_list(ty).columns(),
        TypeKind::Dict | TypeKind::Set => {
            let own = items(ty).iter().flat_map(|ty| Item::new(ty).columns());
            own.chain([DTypeCode::I32, DTypeCode::Bool].map(number)).collect()
        }
        _ => vec![number(ty.dtype)],
    }
}

/// Whether values of two types are taken apart in the same way.
pub fn alike(a: &TypeSpec, b: &TypeSpec) -> bool {
    if a.kind != b.kind || a.dtype != b.dtype || a.rank != b.rank || a.n_items != b.n_items {
        return false;
    }
    // SAFETY: specs are constants that live for ever.
    let (a, b) = unsafe { (spec::items(a.items, a.n_items), spec::items(b.items, b.n_items)) };
    a.iter().zip(b).all(|(a, b)| alike(a, b))
}

/// How many items lists have side by side. The kernel may have stopped between two of them, out of memory.
pub fn length(lists: &[*mut List]) -> usize {
    // SAFETY: live lists.
    let lengths = lists.iter().map(|&list| unsafe { (*list).len });
    lengths.min().map_or(0, |n| usize::try_from(n).unwrap_or(0))
}

/// What lists held before the call, as bytes. Lists and arrays in them are told by their addresses: the frame holds
/// all of them until its end.
pub struct Before {
    columns: Vec<Vec<u8>>,
}

impl Before {
    pub fn of(lists: &[*mut List]) -> Result<Self, Failed> {
        // SAFETY: live lists.
        let copy = |&list: &*mut List| lists::copy_of_bytes(unsafe { &*list });
        Ok(Self { columns: lists.iter().map(copy).collect::<Result<_, _>>()? })
    }

    /// How many items there were in these lists.
    pub fn length(&self, lists: &[*mut List]) -> usize {
        self.columns[0].len() / size(lists, 0)
    }

    /// Whether an item was, in these columns, what another one is now.
    pub fn is(&self, i: usize, lists: &[*mut List], j: usize, columns: Range<usize>) -> bool {
        columns.into_iter().all(|at| {
            let size = size(lists, at);
            // SAFETY: a live list.
            let after = lists::bytes(unsafe { &*lists[at] });
            self.columns[at][i * size..(i + 1) * size] == after[j * size..(j + 1) * size]
        })
    }

    /// The bytes of these columns.
    pub fn bytes(&self) -> &[Vec<u8>] {
        &self.columns
    }
}

/// Bytes of an item of a list.
fn size(lists: &[*mut List], at: usize) -> usize {
    // SAFETY: a live list.
    unsafe { list_item_size((*lists[at]).dtype, (*lists[at]).depth) }
}
