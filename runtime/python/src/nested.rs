//! Lists of lists or arrays: each list in them is copied in once, and what changed is copied back, so that a list that stands in
//! several places stays one list. Arrays are the caller's own.
//!
//! Unsafe here: lists that the core made, of which the frame holds one count each until its end, and the caller's lists,
//! which the frame keeps alive.

use crate::arrays;
use crate::columns;
use crate::frame::{ArrayItem, Copied, Failed, Frame, with_python};
use crate::lists::{self, ListArgument};
use crate::plan::Param;
use crate::results;
use crate::scalars::Place;
use crate::tuples;
use pydd_abi::{DTypeCode, List, Owner, TypeKind, TypeSpec, words};
use pydd_core::spec::items;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::ptr;

/// A list of lists or arrays that was passed, or that is in one.
pub struct ListsArgument {
    object: *mut PyObject,
    /// Of an item.
    item: &'static TypeSpec,
    /// As the kernel takes them; the frame's.
    lists: Vec<*mut List>,
    /// The first list of each item, where the kernel may write.
    before: Option<Vec<*mut List>>,
}

/// The objects that were made of lists, by the first list of each.
type Made = BTreeMap<*mut List, *mut PyObject>;

/// The type of an item.
fn item_type(ty: &TypeSpec) -> &'static TypeSpec {
    // SAFETY: specs are constants that live for ever; a list of lists has one item.
    unsafe { &items(ty.items, ty.n_items)[0] }
}

/// How deep lists of this type are, and the numbers in them, one for each of its lists.
fn leaves(ty: &TypeSpec) -> (u8, Vec<DTypeCode>) {
    match ty.kind {
        TypeKind::Lists => {
            let (depth, dtypes) = leaves(item_type(ty));
            (depth + 1, dtypes)
        }
        TypeKind::Tuples => {
            let mut dtypes = Vec::new();
            columns::add_dtypes(&tuples::item_type(ty), &mut dtypes);
            (1, dtypes)
        }
        // What a list of arrays holds is as deep as lists of numbers.
        _ => (1, vec![ty.dtype]),
    }
}

/// Copies the caller's list of lists; the addresses of its lists are its words.
///
/// # Safety
/// `object` is alive, and `out` has room for the parameter's words.
pub unsafe fn copy_in(
    frame: &mut Frame,
    param: &Param,
    object: *mut PyObject,
    out: *mut u64,
    place: &Place,
) -> Result<(), Failed> {
    let known = !frame.copies_of(object).is_empty();
    // SAFETY: by the caller's promise.
    let lists = unsafe { read(frame, &param.spec.ty, param.written, object, place)? };
    if known {
        frame.lists.iter_mut().filter(|l| l.list == lists[0]).for_each(ListArgument::share);
    }
    for (i, list) in lists.into_iter().enumerate() {
        // SAFETY: as above.
        unsafe { *out.add(i) = list as u64 };
    }
    Ok(())
}

/// The lists that stand for an object: those that were made already, if it is one that was met before.
///
/// # Safety
/// A live object, under the GIL.
unsafe fn read(
    frame: &mut Frame,
    ty: &TypeSpec,
    written: bool,
    object: *mut PyObject,
    place: &Place,
) -> Result<Vec<*mut List>, Failed> {
    // SAFETY: by the caller's promise.
    unsafe {
        match ty.kind {
            TypeKind::Lists => read_lists(frame, ty, written, object, place),
            TypeKind::Tuples => {
                let mut out = vec![0; words::of(ty)];
                tuples::copy_in(frame, ty, written, object, out.as_mut_ptr(), place)?;
                Ok(out.into_iter().map(|word| word as *mut List).collect())
            }
            TypeKind::Array => Ok(vec![read_array(frame, ty, written, object, place)?.cast()]),
            _ => Ok(vec![lists::copy_in(frame, ty.dtype, written, object, place)?]),
        }
    }
}

/// What lists hold of the caller's array, the same wherever it stands.
unsafe fn read_array(
    frame: &mut Frame,
    ty: &TypeSpec,
    written: bool,
    object: *mut PyObject,
    place: &Place,
) -> Result<*mut Owner, Failed> {
    // SAFETY: a live object, under the GIL.
    let array = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    let array = arrays::item(&array, ty, written, place)?;
    let known = frame.copies_of(object).iter().find_map(|&copied| match copied {
        Copied::Array(held, dtype, rank) if dtype == ty.dtype && rank == ty.rank => Some(held),
        _ => None,
    });
    if let Some(held) = known {
        return Ok(held);
    }
    let numbers = array.dims.iter().chain(&array.strides).map(|&n| n as u64);
    let mut words: Vec<u64> = [array.data as u64, 0].into_iter().chain(numbers).collect();
    let item = ArrayItem::new(object, &mut words)?;
    let held = item.held();
    frame.array_items.push(item);
    frame.note_copy(object, held.cast(), Copied::Array(held, ty.dtype, ty.rank));
    Ok(held)
}

/// Looks at the items of a list. They may run Python code that changes the list: its length is asked for each time.
///
/// # Safety
/// A live list, under the GIL.
unsafe fn each_item(
    list: *mut PyObject,
    mut look: impl FnMut(usize, *mut PyObject) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let mut i = 0;
    // SAFETY: by the caller's promise.
    unsafe {
        while i < ffi::PyList_Size(list) {
            let item = ffi::PyList_GetItem(list, i);
            if item.is_null() {
                return Err(Failed);
            }
            look(i as usize, item)?;
            i += 1;
        }
    }
    Ok(())
}

unsafe fn read_lists(
    frame: &mut Frame,
    ty: &TypeSpec,
    written: bool,
    object: *mut PyObject,
    place: &Place,
) -> Result<Vec<*mut List>, Failed> {
    let item = item_type(ty);
    let known = frame.copies_of(object).iter().find_map(|&copied| match copied {
        Copied::Lists(at) if columns::alike(frame.nested[at].item, item) => Some(at),
        _ => None,
    });
    if let Some(at) = known {
        // SAFETY: by the caller's promise.
        unsafe { note_writes(frame, at, ty, written, object, place)? };
        return Ok(frame.nested[at].lists.clone());
    }
    // SAFETY: a live object, under the GIL; the lists that are made are the frame's.
    unsafe {
        if ffi::PyList_Check(object) == 0 {
            let value = Bound::from_borrowed_ptr(Python::assume_attached(), object);
            let got = crate::arrays::type_name(&value);
            let of = if item.kind == TypeKind::Array { "arrays" } else { "lists" };
            return Err(place.error(&format!("must be a list of {of}, got {got}")).into());
        }
        let (depth, dtypes) = leaves(ty);
        let mut made = Vec::new();
        for dtype in dtypes {
            let list = pydd_core::list::with_depth(dtype, depth, 0).map_err(|e| crate::raise::error(&e))?;
            frame.lists.push(ListArgument::part(list));
            made.push(list);
        }
        let mut before = Vec::new();
        each_item(object, |i, inner| {
            ffi::Py_IncRef(inner);
            frame.kept.push(inner);
            let parts = read(frame, item, written, inner, &place.item(i))?;
            before.push(parts[0]);
            made.iter().zip(parts).try_for_each(|(&list, part)| push(&mut *list, part))
        })?;
        let lists = made.clone();
        frame.note_copy(object, lists[0], Copied::Lists(frame.nested.len()));
        frame.nested.push(ListsArgument { object, item, lists, before: written.then_some(before) });
        Ok(made)
    }
}

/// Of lists that came in as another parameter, which the kernel does not write: notes what they hold where it may write them by this one.
///
/// # Safety
/// As [`read`].
unsafe fn note_writes(
    frame: &mut Frame,
    at: usize,
    ty: &TypeSpec,
    written: bool,
    object: *mut PyObject,
    place: &Place,
) -> Result<(), Failed> {
    let argument = &mut frame.nested[at];
    if !written || argument.before.is_some() {
        return Ok(());
    }
    // SAFETY: live lists of the frame, and the caller's list, under the GIL.
    unsafe {
        argument.before = Some(pydd_core::list::inner(&*argument.lists[0]).to_vec());
        each_item(object, |i, inner| read(frame, item_type(ty), written, inner, &place.item(i)).map(|_| ()))
    }
}

/// Appends a list, which the list of lists gets a count of.
unsafe fn push(list: &mut List, item: *mut List) -> Result<(), Failed> {
    // SAFETY: after `reserve` there is room for one item more; both lists are alive.
    unsafe {
        pydd_core::list::reserve(list).map_err(|e| crate::raise::error(&e))?;
        pydd_core::owner::retain(item.cast());
        list.data.cast::<*mut List>().add(list.len as usize).write(item);
        list.len += 1;
    }
    Ok(())
}

/// Puts the lists that changed into the caller's lists; the others stay the objects they were.
pub fn copy_back(frame: &mut Frame) -> Result<(), Failed> {
    let mut made = Made::new();
    let nested = std::mem::take(&mut frame.nested);
    let done = nested.iter().try_for_each(|argument| match &argument.before {
        // SAFETY: lists of the frame, and the caller's list, under the GIL.
        Some(before) => with_python(|_| unsafe { copy_one_back(frame, argument, before, &mut made) }),
        None => Ok(()),
    });
    frame.nested = nested;
    drop_made(made);
    done
}

unsafe fn copy_one_back(
    frame: &mut Frame,
    argument: &ListsArgument,
    before: &[*mut List],
    made: &mut Made,
) -> Result<(), Failed> {
    let (object, lists) = (argument.object, &argument.lists);
    // SAFETY: a live list, under the GIL; indices are below its length unless it changed meanwhile, which the calls
    // report.
    unsafe {
        let after = pydd_core::list::inner(&*lists[0]);
        let common = before.len().min(length(lists));
        for i in (0..common).filter(|&i| before[i] != after[i]) {
            let new = list_object(frame, argument.item, &row(lists, i), made);
            if new.is_null() || ffi::PyList_SetItem(object, i as isize, new) != 0 {
                return Err(Failed);
            }
        }
        if before.len() == length(lists) {
            return Ok(());
        }
        let tail = to_list(frame, argument.item, lists, common, made);
        if tail.is_null() {
            return Err(Failed);
        }
        let done = ffi::PyList_SetSlice(object, common as isize, isize::MAX, tail);
        ffi::Py_DECREF(tail);
        if done != 0 { Err(Failed) } else { Ok(()) }
    }
}

/// How many items there are. The kernel may have stopped between two lists, out of memory.
unsafe fn length(lists: &[*mut List]) -> usize {
    // SAFETY: live lists.
    let lengths = lists.iter().map(|&list| unsafe { (*list).len });
    lengths.min().map_or(0, |n| usize::try_from(n).unwrap_or(0))
}

/// The lists of an item.
unsafe fn row(lists: &[*mut List], i: usize) -> Vec<*mut List> {
    // SAFETY: live lists of lists that are longer than `i`.
    lists.iter().map(|&list| unsafe { pydd_core::list::inner(&*list)[i] }).collect()
}

/// A list as an object with a count for the caller: the one that came in, or was made already; null with an exception set on
/// failure.
unsafe fn list_object(
    frame: &mut Frame,
    ty: &TypeSpec,
    parts: &[*mut List],
    made: &mut Made,
) -> *mut PyObject {
    let first = parts[0];
    // SAFETY: live lists, under the GIL.
    unsafe {
        if let Some(object) = frame.caller_of(first).or_else(|| made.get(&first).copied()) {
            ffi::Py_IncRef(object);
            return object;
        }
        let object = match ty.kind {
            TypeKind::Lists => to_list(frame, item_type(ty), parts, 0, made),
            TypeKind::Tuples => tuples::whole(parts, &tuples::item_type(ty)),
            TypeKind::Array => array_object(frame, ty, first.cast()),
            _ => lists::to_object_from(&*first, 0),
        };
        if !object.is_null() {
            ffi::Py_IncRef(object);
            made.insert(first, object);
        }
        object
    }
}

/// An array that a list holds.
unsafe fn array_object(frame: &mut Frame, ty: &TypeSpec, held: *mut Owner) -> *mut PyObject {
    // SAFETY: live memory, of which the object gets a count.
    unsafe {
        let words = pydd_core::list::array_words(held);
        pydd_core::owner::retain(words.add(1).read() as *mut Owner);
        results::value(frame, ty, words)
    }
}

/// A new Python list of the items from `first` on; null with an exception set on failure.
unsafe fn to_list(
    frame: &mut Frame,
    item: &TypeSpec,
    lists: &[*mut List],
    first: usize,
    made: &mut Made,
) -> *mut PyObject {
    // SAFETY: a new list, every item of which is set.
    unsafe {
        let n = length(lists);
        let out = ffi::PyList_New((n - first) as isize);
        if out.is_null() {
            return out;
        }
        for i in first..n {
            let object = list_object(frame, item, &row(lists, i), made);
            if object.is_null() {
                ffi::Py_DECREF(out);
                return ptr::null_mut();
            }
            ffi::PyList_SetItem(out, (i - first) as isize, object);
        }
        out
    }
}

fn drop_made(made: Made) {
    // SAFETY: a count of each is ours, under the GIL.
    made.into_values().for_each(|object| unsafe { ffi::Py_DECREF(object) });
}

/// A result as an object, the caller's own where it is one; null with an exception set on failure. Gives the counts of the
/// lists back.
///
/// # Safety
/// The words of a result, under the GIL.
pub unsafe fn to_object(frame: &mut Frame, ty: &TypeSpec, word: *const u64) -> *mut PyObject {
    // SAFETY: live lists with a count for us each.
    unsafe {
        let lists: Vec<*mut List> = (0..words::of(ty)).map(|i| *word.add(i) as *mut List).collect();
        let mut made = Made::new();
        let object = with_python(|_| list_object(frame, ty, &lists, &mut made));
        drop_made(made);
        crate::dicts::discard(ty, word);
        object
    }
}
