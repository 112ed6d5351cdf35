//! Lists, dicts and sets as objects: the caller's own where they came in, and each other one once.
//!
//! Unsafe here: lists that the core made, which the frame or a result holds.

use crate::columns::{self, Item};
use crate::frame::{Frame, with_python};
use crate::{dicts, lists, results, scalars};
use pydd_abi::{List, Owner, TypeKind, TypeSpec, words};
use pyo3::ffi::{self, PyObject};
use std::ops::Range;
use std::ptr;

/// A result as an object; null with an exception set on failure. Gives the counts of its lists back.
///
/// # Safety
/// The words of a list, dict or set, under the GIL.
pub unsafe fn of_result(frame: &mut Frame, ty: &'static TypeSpec, word: *const u64) -> *mut PyObject {
    // SAFETY: live lists with a count for us each.
    unsafe {
        let lists: Vec<*mut List> = (0..words::of(ty)).map(|i| *word.add(i) as *mut List).collect();
        let object = with_python(|_| whole(frame, ty, &lists));
        discard(ty, word);
        object
    }
}

/// Gives the counts of a result's lists back.
///
/// # Safety
/// As for [`of_result`].
pub unsafe fn discard(ty: &TypeSpec, word: *const u64) {
    // SAFETY: live lists with a count for us each.
    unsafe {
        for i in 0..words::of(ty) {
            pydd_core::owner::release(&raw mut (*(*word.add(i) as *mut List)).owner);
        }
    }
}

/// What these lists, or this array in a list, are, as an object with a count for the caller; null with an exception set on
/// failure.
///
/// # Safety
/// Live lists, under the GIL.
unsafe fn whole(frame: &mut Frame, ty: &'static TypeSpec, parts: &[*mut List]) -> *mut PyObject {
    let first = parts[0];
    // SAFETY: by the caller's promise.
    unsafe {
        if let Some(object) = frame.object_of(first) {
            ffi::Py_IncRef(object);
            return object;
        }
        let object = match ty.kind {
            TypeKind::Array => array(frame, ty, first.cast()),
            TypeKind::Dict | TypeKind::Set => dicts::made(frame, ty, parts),
            TypeKind::List => lists::to_object_from(&*first, 0),
            _ => list(frame, Item::of_list(ty), parts, 0..columns::length(parts)),
        };
        if !object.is_null() {
            frame.note_object(first, object);
        }
        object
    }
}

/// An array that a list holds.
unsafe fn array(frame: &mut Frame, ty: &'static TypeSpec, held: *mut Owner) -> *mut PyObject {
    // SAFETY: live memory, of which the object gets a count.
    unsafe {
        let words = pydd_core::list::array_words(held);
        pydd_core::owner::retain(words.add(1).read() as *mut Owner);
        results::value(frame, ty, words)
    }
}

/// A new Python list of items; null with an exception set on failure.
///
/// # Safety
/// Live lists, none shorter than the end of the range, under the GIL.
pub unsafe fn list(frame: &mut Frame, ty: Item, lists: &[*mut List], range: Range<usize>) -> *mut PyObject {
    // SAFETY: a new list, every item of which is set.
    unsafe {
        let out = ffi::PyList_New(range.len() as isize);
        if out.is_null() {
            return out;
        }
        for (at, i) in range.enumerate() {
            let object = item(frame, ty, lists, &mut 0, i);
            if object.is_null() {
                ffi::Py_DECREF(out);
                return ptr::null_mut();
            }
            ffi::PyList_SetItem(out, at as isize, object);
        }
        out
    }
}

/// The item at a position in its lists, which begin at `column`; null with an exception set on failure.
///
/// # Safety
/// Live lists that are longer than `i`, under the GIL.
pub unsafe fn item(
    frame: &mut Frame,
    ty: Item,
    lists: &[*mut List],
    column: &mut usize,
    i: usize,
) -> *mut PyObject {
    // SAFETY: by the caller's promise; a new tuple, every item of which is set.
    unsafe {
        let types = match ty {
            Item::One(ty) if ty.kind == TypeKind::Scalar => {
                let list = &*lists[*column];
                *column += 1;
                let words = pydd_core::array::load(list.dtype, list.data.add(i * list.dtype.size()));
                return scalars::to_object(ty.dtype, ty.weak != 0, words.as_ptr());
            }
            Item::One(one) => {
                let parts = &lists[*column..*column + words::parts(one)];
                *column += parts.len();
                let parts: Vec<_> = parts.iter().map(|&list| pydd_core::list::inner(&*list)[i]).collect();
                return whole(frame, one, &parts);
            }
            Item::Tuple(types) => types,
        };
        let out = ffi::PyTuple_New(types.len() as isize);
        for (k, ty) in types.iter().enumerate() {
            let part = if out.is_null() { out } else { item(frame, Item::new(ty), lists, column, i) };
            if part.is_null() {
                ffi::Py_XDECREF(out);
                return part;
            }
            ffi::PyTuple_SetItem(out, k as isize, part);
        }
        out
    }
}
