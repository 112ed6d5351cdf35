//! Lists of tuples: their numbers are copied into lists, and what changed is copied back into the caller's list.
//!
//! Unsafe here: lists that the core made, of which the frame holds one count each until its end, and objects borrowed
//! from the caller.

use crate::columns::{self, entry_bytes};
use crate::frame::{Copied, Failed, Frame};
use crate::lists::{self, ListArgument};
use crate::scalars::Place;
use pydd_abi::{DTypeCode, List, TypeKind, TypeSpec, words};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use std::ops::Range;
use std::ptr;

/// A list of tuples that was passed.
pub struct TuplesArgument {
    /// The caller's list, borrowed.
    object: *mut PyObject,
    /// Of an item.
    ty: TypeSpec,
    /// As the kernel takes them; the frame's.
    lists: Vec<*mut List>,
    /// What the lists held, where the kernel may write.
    before: Option<Vec<Vec<u8>>>,
}

/// The type of an item.
pub fn item_type(ty: &TypeSpec) -> TypeSpec {
    TypeSpec {
        kind: TypeKind::Tuple,
        dtype: ty.dtype,
        rank: 0,
        weak: 0,
        n_items: ty.n_items,
        items: ty.items,
    }
}

fn dtypes(ty: &TypeSpec) -> Vec<DTypeCode> {
    let mut all = Vec::new();
    columns::add_dtypes(ty, &mut all);
    all
}

/// Copies the caller's list of tuples into lists, whose addresses are its words. One passed twice is copied once, so
/// that writes are seen through both parameters, as in Python.
///
/// # Safety
/// `object` is alive, and `out` has room for the parameter's words.
pub unsafe fn copy_in(
    frame: &mut Frame,
    ty: &TypeSpec,
    written: bool,
    object: *mut PyObject,
    out: *mut u64,
    place: &Place,
) -> Result<(), Failed> {
    // SAFETY: a live object, under the GIL.
    let value = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    // SAFETY: as above.
    if unsafe { ffi::PyList_Check(object) } == 0 {
        let got = crate::arrays::type_name(&value);
        let hint = crate::lists::hint_of_list(&value, place.param);
        let text = format!("must be a list of tuples, got {got}{hint}");
        return Err(place.error(&text).into());
    }
    let ty = item_type(ty);
    let known = frame.copies_of(object).iter().find_map(|&copied| match copied {
        Copied::Tuples(at) if columns::alike(&frame.tuples[at].ty, &ty) => Some(at),
        _ => None,
    });
    let at = match known {
        Some(at) => {
            let first = frame.tuples[at].lists[0];
            frame.lists.iter_mut().filter(|l| l.list == first).for_each(ListArgument::share);
            at
        }
        None => {
            // SAFETY: a live list, under the GIL.
            let n = unsafe { ffi::PyList_Size(object) };
            let mut lists = Vec::new();
            for dtype in dtypes(&ty) {
                let list = pydd_core::list::new(dtype, n as i64).map_err(|e| crate::raise::error(&e))?;
                // SAFETY: just made, with room for `n` items, of which none is there yet.
                unsafe { (*list).len = 0 };
                frame.lists.push(ListArgument::part(list));
                lists.push(list);
            }
            read(object, &ty, &lists, place)?;
            let at = frame.tuples.len();
            frame.note_copy(object, lists[0], Copied::Tuples(at));
            frame.tuples.push(TuplesArgument { object, ty, lists, before: None });
            at
        }
    };
    let argument = &mut frame.tuples[at];
    if written && argument.before.is_none() {
        // SAFETY: lists of the frame.
        let copy = |&list: &*mut List| lists::copy_of_bytes(unsafe { &*list });
        argument.before = Some(argument.lists.iter().map(copy).collect::<Result<_, _>>()?);
    }
    for (i, list) in argument.lists.iter().enumerate() {
        // SAFETY: room by the caller's promise.
        unsafe { *out.add(i) = *list as u64 };
    }
    Ok(())
}

/// Converts all items. They may run Python code that changes the list: its length is looked at for each one.
fn read(object: *mut PyObject, ty: &TypeSpec, lists: &[*mut List], place: &Place) -> Result<(), Failed> {
    // SAFETY: specs are constants that live for ever.
    let mut buffer = vec![0u64; unsafe { words::of(ty) }];
    let mut i = 0;
    // SAFETY: a live list, under the GIL; items are held while they are converted; the lists are ours alone.
    unsafe {
        while i < ffi::PyList_Size(object) {
            let item = ffi::PyList_GetItem(object, i);
            if item.is_null() {
                return Err(Failed);
            }
            let item = Bound::from_borrowed_ptr(Python::assume_attached(), item);
            columns::push(lists, ty, item.as_ptr(), &mut buffer, &place.item(i as usize))?;
            i += 1;
        }
    }
    Ok(())
}

/// Puts the items that changed into the caller's lists; the others stay the objects they were.
pub fn copy_back(all: &[TuplesArgument]) -> Result<(), Failed> {
    for t in all {
        if let Some(before) = &t.before {
            crate::frame::with_python(|_| copy_one_back(t, before))?;
        }
    }
    Ok(())
}

fn copy_one_back(t: &TuplesArgument, before: &[Vec<u8>]) -> Result<(), Failed> {
    let all = dtypes(&t.ty);
    // SAFETY: lists of the frame.
    let after: Vec<&[u8]> = t.lists.iter().map(|&list| lists::bytes(unsafe { &*list })).collect();
    let old = before[0].len() / all[0].size();
    // The kernel may have stopped between two lists, out of memory.
    let new = after.iter().zip(&all).map(|(bytes, dtype)| bytes.len() / dtype.size()).min().unwrap_or(0);
    let same = |i: usize| {
        all.iter().enumerate().all(|(k, &d)| entry_bytes(&before[k], d, i) == entry_bytes(after[k], d, i))
    };
    // SAFETY: a live list, under the GIL; indices are below its length unless it changed meanwhile, which the calls
    // report.
    unsafe {
        for i in (0..old.min(new)).filter(|&i| !same(i)) {
            let item = columns::object(&t.lists, &t.ty, &mut 0, i);
            if item.is_null() || ffi::PyList_SetItem(t.object, i as isize, item) != 0 {
                return Err(Failed);
            }
        }
        if old == new {
            return Ok(());
        }
        let first = old.min(new);
        let tail = to_list(&t.lists, &t.ty, first..new);
        if tail.is_null() {
            return Err(Failed);
        }
        let done = ffi::PyList_SetSlice(t.object, first as isize, isize::MAX, tail);
        ffi::Py_DECREF(tail);
        if done != 0 { Err(Failed) } else { Ok(()) }
    }
}

/// A new Python list of items; null with an exception set on failure.
///
/// # Safety
/// Live lists, none shorter than the end of the range, under the GIL.
unsafe fn to_list(lists: &[*mut List], ty: &TypeSpec, items: Range<usize>) -> *mut PyObject {
    // SAFETY: a new list, every item of which is set.
    unsafe {
        let out = ffi::PyList_New(items.len() as isize);
        if out.is_null() {
            return out;
        }
        for (at, i) in items.enumerate() {
            let item = columns::object(lists, ty, &mut 0, i);
            if item.is_null() {
                ffi::Py_DECREF(out);
                return ptr::null_mut();
            }
            ffi::PyList_SetItem(out, at as isize, item);
        }
        out
    }
}

/// A new Python list of all items of this type; null with an exception set on failure.
///
/// # Safety
/// Live lists of one length, under the GIL.
pub unsafe fn whole(lists: &[*mut List], item: &TypeSpec) -> *mut PyObject {
    // SAFETY: by the caller's promise.
    unsafe {
        let n = usize::try_from((*lists[0]).len).unwrap_or(0);
        to_list(lists, item, 0..n)
    }
}

/// A result as an object, the caller's own where it is a parameter's; null with an exception set on failure. Gives the
/// counts of the lists back.
///
/// # Safety
/// The words of a result, under the GIL.
pub unsafe fn to_object(frame: &Frame, ty: &TypeSpec, word: *const u64) -> *mut PyObject {
    let item = item_type(ty);
    // SAFETY: live lists with a count for us each.
    unsafe {
        let lists: Vec<*mut List> = (0..words::of(ty)).map(|i| *word.add(i) as *mut List).collect();
        let object = match frame.caller_of(lists[0]) {
            Some(caller) => {
                ffi::Py_IncRef(caller);
                caller
            }
            None => crate::frame::with_python(|_| whole(&lists, &item)),
        };
        crate::dicts::discard(ty, word);
        object
    }
}
