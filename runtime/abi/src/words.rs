//! How values become 64-bit words at a kernel's boundary.
//!
//! - bool and integers: one word, sign- or zero-extended by the type's own signedness.
//! - float32, float64: one word, the bits in the low end.
//! - complex: two words, real then imaginary, each as a float of half the width.
//! - array of rank r: `2 + 2 r` words: data, owner, r dimensions, r strides in bytes.
//!   An argument's owner is borrowed; a result's owner comes with one count.
//! - list: one word, a pointer to a `List` (an argument is borrowed, a result comes with one count).
//! - str: one word, a C string that lives as long as the module.
//! - sparse matrix: the words of its five parts, three arrays and two integers.
//! - items of lists and dicts: a list for each part of an item. A number is a part; an array is one, a pointer to an owner
//!   with its words behind it; so is each list that a list, dict or set is made of, a pointer to it; a tuple has the parts of its items.
//! - dict or set: the lists of its keys and values, then two lists that are empty in an argument: an int32
//!   list, which the kernel fills, and a list of bools that are true where an entry was deleted, empty where none was.
//! - number of one of several types: the words of one of the type that holds all, then a tag: twice the code of its own
//!   type, and 1 more where it is weak.
//! - tuple: the words of its items, one after the other. None, and a constant that a version is for: no word.

use crate::{DTypeCode, TypeKind, TypeSpec};

/// Words of a scalar.
#[must_use]
pub const fn scalar(dtype: DTypeCode) -> usize {
    match dtype {
        DTypeCode::C64 | DTypeCode::C128 => 2,
        _ => 1,
    }
}

/// Words of an array.
#[must_use]
pub const fn array(rank: usize) -> usize {
    2 + 2 * rank
}

/// Words of any value.
///
/// # Safety
/// `ty.items` must point to `ty.n_items` valid specs.
#[must_use]
pub unsafe fn of(ty: &TypeSpec) -> usize {
    match ty.kind {
        TypeKind::None | TypeKind::Constant => 0,
        TypeKind::Scalar => scalar(ty.dtype),
        TypeKind::Either => scalar(ty.dtype) + 1,
        TypeKind::Maybe => {
            // SAFETY: by the caller's promise.
            1 + (0..ty.n_items as usize).map(|i| unsafe { of(&*ty.items.add(i)) }).sum::<usize>()
        }
        TypeKind::Array => array(ty.rank as usize),
        TypeKind::List | TypeKind::Str => 1,
        TypeKind::Tuples | TypeKind::Lists | TypeKind::Dict | TypeKind::Set => {
            let behind = if matches!(ty.kind, TypeKind::Dict | TypeKind::Set) { 2 } else { 0 };
            // SAFETY: by the caller's promise.
            (0..ty.n_items as usize).map(|i| unsafe { parts(&*ty.items.add(i)) }).sum::<usize>() + behind
        }
        TypeKind::Tuple | TypeKind::Sparse => (0..ty.n_items as usize)
            // SAFETY: in bounds by the caller's promise, which covers the items' items as well.
            .map(|i| unsafe { of(&*ty.items.add(i)) })
            .sum(),
    }
}

/// How many parts an item of a list or dict has.
///
/// # Safety
/// As for [`of`].
#[must_use]
pub unsafe fn parts(ty: &TypeSpec) -> usize {
    // SAFETY: by the caller's promise.
    unsafe {
        match ty.kind {
            TypeKind::Tuple => (0..ty.n_items as usize).map(|i| parts(&*ty.items.add(i))).sum(),
            TypeKind::Scalar | TypeKind::Array => 1,
            _ => of(ty),
        }
    }
}
