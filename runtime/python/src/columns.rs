//! Numbers, and tuples of numbers, whose items stand in lists side by side: one list for each number.
//!
//! Unsafe here: lists that the core made, of which the caller holds a count each.

use crate::frame::Failed;
use crate::lists;
use crate::scalars::{self, Place};
use pydd_abi::{DTypeCode, List, TypeKind, TypeSpec, words};
use pydd_core::spec::items;
use pyo3::ffi::{self, PyObject};
use std::ptr;

/// Adds the element types of the lists for values of this type.
pub fn add_dtypes(ty: &TypeSpec, out: &mut Vec<DTypeCode>) {
    match ty.kind {
        TypeKind::Tuple => {
            // SAFETY: specs are constants that live for ever.
            let items = unsafe { items(ty.items, ty.n_items) };
            items.iter().for_each(|item| add_dtypes(item, out));
        }
        _ => out.push(ty.dtype),
    }
}

/// Whether values of two types are taken apart in the same way.
pub fn alike(a: &TypeSpec, b: &TypeSpec) -> bool {
    if a.kind != b.kind || a.dtype != b.dtype || a.rank != b.rank || a.n_items != b.n_items {
        return false;
    }
    // SAFETY: specs are constants that live for ever.
    let (a, b) = unsafe { (items(a.items, a.n_items), items(b.items, b.n_items)) };
    a.iter().zip(b).all(|(a, b)| alike(a, b))
}

/// Appends a value to its lists, by a buffer of as many words as its type has.
///
/// # Safety
/// A live object and lists that are the caller's alone, one for each number of the type; under the GIL.
pub unsafe fn push(
    lists: &[*mut List],
    ty: &TypeSpec,
    value: *mut PyObject,
    buffer: &mut [u64],
    place: &Place,
) -> Result<(), Failed> {
    // SAFETY: by the caller's promise; `lists::push` makes room.
    unsafe {
        scalars::to_words(value, ty, buffer.as_mut_ptr(), place)?;
        let mut word = 0;
        for &list in lists {
            let list = &mut *list;
            lists::push(list, &buffer[word..])?;
            word += words::scalar(list.dtype);
        }
    }
    Ok(())
}

/// The object of a value at a position in its lists, which begin at `column`; null with an exception set on failure.
///
/// # Safety
/// Live lists that are longer than `i`, under the GIL.
pub unsafe fn object(lists: &[*mut List], ty: &TypeSpec, column: &mut usize, i: usize) -> *mut PyObject {
    // SAFETY: by the caller's promise; a new tuple, every item of which is set.
    unsafe {
        if ty.kind != TypeKind::Tuple {
            let list = &*lists[*column];
            *column += 1;
            let words = pydd_core::array::load(list.dtype, list.data.add(i * list.dtype.size()));
            return scalars::to_object(ty.dtype, ty.weak != 0, words.as_ptr());
        }
        let types = items(ty.items, ty.n_items);
        let out = ffi::PyTuple_New(types.len() as isize);
        for (k, ty) in types.iter().enumerate() {
            let item = if out.is_null() { ptr::null_mut() } else { object(lists, ty, column, i) };
            if item.is_null() {
                ffi::Py_XDECREF(out);
                return item;
            }
            ffi::PyTuple_SetItem(out, k as isize, item);
        }
        out
    }
}

/// The bytes of an element.
pub fn entry_bytes(all: &[u8], dtype: DTypeCode, i: usize) -> &[u8] {
    &all[i * dtype.size()..(i + 1) * dtype.size()]
}
