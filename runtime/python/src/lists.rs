//! Lists of scalars: copied in, and what changed copied back into the caller's list.
//!
//! Unsafe here: lists that the core made; the frame holds one count of each until its end.

use crate::frame::{Copied, Failed, Frame};
use crate::scalars::{self, Place};
use pydd_abi::{DTypeCode, List, TypeKind, TypeSpec};
use pyo3::exceptions::PyMemoryError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

pub struct ListArgument {
    /// The caller's list, borrowed.
    pub object: *mut PyObject,
    pub list: *mut List,
    /// Elements as they came in, where the kernel may write.
    before: Option<Vec<u8>>,
}

impl ListArgument {
    /// A list that is part of another argument, which says what is copied back.
    pub fn part(list: *mut List) -> Self {
        Self { object: std::ptr::null_mut(), list, before: None }
    }
}

/// What to write for a list, where Python would make one that may do.
pub fn hint_of_list(value: &Bound<'_, PyAny>, name: &str) -> String {
    // Texts and mappings give items that were not meant.
    let is_text = value.is_instance_of::<PyString>() || value.is_instance_of::<PyDict>();
    if is_text || value.try_iter().is_err() { String::new() } else { format!("; use list({name})") }
}

/// A copy of the caller's list. One passed twice is copied once, so that writes are seen through
/// both parameters, as in Python.
///
/// # Safety
/// `object` is alive.
pub unsafe fn copy_in(
    frame: &mut Frame,
    dtype: DTypeCode,
    written: bool,
    object: *mut PyObject,
    place: &Place,
) -> Result<*mut List, Failed> {
    // SAFETY: a live object, under the GIL.
    let value = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    // SAFETY: as above.
    if unsafe { ffi::PyList_Check(object) } == 0 {
        let got = crate::arrays::type_name(&value);
        let text = format!("must be a list, got {got}{}", hint_of_list(&value, place.param));
        return Err(place.error(&text).into());
    }
    let known = frame.copies_of(object).iter().find_map(|&copied| match copied {
        // SAFETY: lists of the frame.
        Copied::List(at) if unsafe { (*frame.lists[at].list).dtype } == dtype => Some(at),
        _ => None,
    });
    let at = match known {
        Some(at) => {
            frame.is_shared = true;
            at
        }
        None => {
            let list = read(object, dtype, place)?;
            let at = frame.lists.len();
            frame.lists.push(ListArgument { object, list, before: None });
            frame.note_copy(object, list, Copied::List(at));
            at
        }
    };
    let argument = &mut frame.lists[at];
    if written && argument.before.is_none() {
        // SAFETY: as above.
        argument.before = Some(copy_of_bytes(unsafe { &*argument.list })?);
    }
    Ok(argument.list)
}

/// Converts all items. They may run Python code that changes the list: its length is looked at for
/// each one.
fn read(object: *mut PyObject, dtype: DTypeCode, place: &Place) -> Result<*mut List, Failed> {
    let ty =
        TypeSpec { kind: TypeKind::Scalar, dtype, rank: 0, weak: 0, n_items: 0, items: std::ptr::null() };
    // SAFETY: a live list, under the GIL; items are held while they are converted; the new list
    // has room for `n` items, of which `len` are counted.
    unsafe {
        let n = ffi::PyList_Size(object);
        let list = pydd_core::list::new(dtype, n as i64).map_err(|e| crate::raise::error(&e))?;
        let mut guard = Release(list);
        (*list).len = 0;
        for i in 0..n {
            let item = ffi::PyList_GetItem(object, i);
            if item.is_null() {
                ffi::PyErr_Clear();
                break;
            }
            let item = Bound::from_borrowed_ptr(Python::assume_attached(), item);
            let mut words = [0u64; 2];
            item_words(&item, &ty, &mut words, &place.item(i as usize))?;
            scalars::store(dtype, words.as_ptr(), (*list).data.add(i as usize * dtype.size()));
            (*list).len += 1;
        }
        guard.0 = std::ptr::null_mut();
        Ok(list)
    }
}

/// Frees a half-made list.
struct Release(*mut List);

impl Drop for Release {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: a live list whose count is ours.
            unsafe { pydd_core::owner::release(&raw mut (*self.0).owner) };
        }
    }
}

unsafe fn item_words(
    item: &Bound<'_, PyAny>,
    ty: &TypeSpec,
    words: &mut [u64; 2],
    place: &Place,
) -> Result<(), Failed> {
    // SAFETY: a live object, and two words.
    unsafe {
        if ty.dtype == DTypeCode::F64 && crate::frame::exact(item.as_ptr(), &raw mut ffi::PyFloat_Type) {
            words[0] = ffi::PyFloat_AsDouble(item.as_ptr()).to_bits();
            return Ok(());
        }
        scalars::to_words(item.as_ptr(), ty, words.as_mut_ptr(), place)
    }
}

/// The items of a list as bytes.
pub fn bytes(list: &List) -> &[u8] {
    let n = usize::try_from(list.len).unwrap_or(0) * list.item_size();
    if n == 0 {
        return &[];
    }
    // SAFETY: a list has `len` items of this size.
    unsafe { std::slice::from_raw_parts(list.data, n) }
}

/// A copy of a list's items as bytes, to see later what changed.
pub fn copy_of_bytes(list: &List) -> Result<Vec<u8>, Failed> {
    let all = bytes(list);
    let mut copy = Vec::new();
    copy.try_reserve_exact(all.len()).map_err(|_| PyMemoryError::new_err(()))?;
    copy.extend_from_slice(all);
    Ok(copy)
}

/// Appends the scalar whose words these begin with.
///
/// # Safety
/// A list that only the caller uses, and the words of a scalar of its type.
pub unsafe fn push(list: &mut List, words: &[u64]) -> Result<(), Failed> {
    // SAFETY: after `grow` there is room for one item more.
    unsafe {
        pydd_core::list::reserve(list).map_err(|e| crate::raise::error(&e))?;
        scalars::store(list.dtype, words.as_ptr(), list.data.add(list.len as usize * list.dtype.size()));
        list.len += 1;
    }
    Ok(())
}

/// Puts the items that changed into the caller's lists; the others stay the objects they were.
pub fn copy_back(lists: &[ListArgument]) -> Result<(), Failed> {
    for l in lists {
        if let Some(before) = &l.before {
            // SAFETY: a list of the frame, and the caller's list, under the GIL.
            unsafe { copy_one_back(l.object, &*l.list, before)? };
        }
    }
    Ok(())
}

unsafe fn copy_one_back(object: *mut PyObject, list: &List, before: &[u8]) -> Result<(), Failed> {
    let size = list.dtype.size();
    let after = bytes(list);
    let common = before.len().min(after.len()) / size;
    // SAFETY: a live list, under the GIL; indices are below its length unless it changed meanwhile,
    // which the calls report.
    unsafe {
        for i in 0..common {
            let item = i * size..(i + 1) * size;
            if before[item.clone()] != after[item.clone()] {
                let new = item_object(list, i);
                if new.is_null() || ffi::PyList_SetItem(object, i as isize, new) != 0 {
                    return Err(Failed);
                }
            }
        }
        if before.len() == after.len() {
            return Ok(());
        }
        let tail = to_object_from(list, common);
        if tail.is_null() {
            return Err(Failed);
        }
        let done = ffi::PyList_SetSlice(object, common as isize, isize::MAX, tail);
        ffi::Py_DECREF(tail);
        if done != 0 { Err(Failed) } else { Ok(()) }
    }
}

unsafe fn item_object(list: &List, i: usize) -> *mut PyObject {
    // SAFETY: `i` is below the length.
    unsafe {
        // Of what is printed.
        if list.holds_owners() {
            return to_object_from(&*pydd_core::list::inner(list)[i], 0);
        }
        let words = pydd_core::array::load(list.dtype, list.data.add(i * list.dtype.size()));
        scalars::to_object(list.dtype, false, words.as_ptr())
    }
}

/// A new Python list of the items from `first` on; null with an exception set on failure.
///
/// # Safety
/// A live list, under the GIL.
pub unsafe fn to_object_from(list: &List, first: usize) -> *mut PyObject {
    let n = usize::try_from(list.len).unwrap_or(0);
    // SAFETY: a new list, every item of which is set.
    unsafe {
        let out = ffi::PyList_New((n - first) as isize);
        if out.is_null() {
            return out;
        }
        for i in first..n {
            let item = item_object(list, i);
            if item.is_null() {
                ffi::Py_DECREF(out);
                return item;
            }
            ffi::PyList_SetItem(out, (i - first) as isize, item);
        }
        out
    }
}

/// Gives the frame's counts back.
pub fn release(lists: &mut Vec<ListArgument>) {
    for l in lists.drain(..) {
        drop(Release(l.list));
    }
}
