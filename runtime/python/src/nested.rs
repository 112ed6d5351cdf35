//! Lists of tuples, arrays, lists, dicts or sets: each list in them is copied in once, and what changed is copied back, so
//! that a list that stands in several places stays one list. Arrays are the caller's own.
//!
//! Unsafe here: lists that the core made, of which the frame holds one count each until its end, and the caller's lists,
//! which the frame keeps alive.

use crate::arrays;
use crate::columns::{self, Before, Item};
use crate::dicts;
use crate::frame::{ArrayItem, Copied, Failed, Frame, with_python};
use crate::lists::{self, ListArgument};
use crate::objects;
use crate::plan::Param;
use crate::scalars::{self, Place};
use pydd_abi::{List, Owner, TypeKind, TypeSpec};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

/// A list of such items that was passed, or that is in one.
pub struct ItemsArgument {
    object: *mut PyObject,
    item: Item,
    /// As the kernel takes them; the frame's.
    lists: Vec<*mut List>,
    /// Where the kernel may write.
    before: Option<Before>,
}

/// Copies the caller's list, dict or set; the addresses of its lists are its words.
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
    // SAFETY: by the caller's promise.
    let lists = unsafe { read(frame, &param.spec.ty, param.written, object, place)? };
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
    ty: &'static TypeSpec,
    written: bool,
    object: *mut PyObject,
    place: &Place,
) -> Result<Vec<*mut List>, Failed> {
    // SAFETY: by the caller's promise.
    unsafe {
        match ty.kind {
            TypeKind::Lists | TypeKind::Tuples => read_list(frame, ty, written, object, place),
            TypeKind::Dict | TypeKind::Set => dicts::read(frame, ty, written, object, place),
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
    // SAFETY: by the caller's promise; an item is held while it is looked at.
    unsafe {
        while i < ffi::PyList_Size(list) {
            let item = ffi::PyList_GetItem(list, i);
            if item.is_null() {
                return Err(Failed);
            }
            let item = Bound::from_borrowed_ptr(Python::assume_attached(), item);
            look(i as usize, item.as_ptr())?;
            i += 1;
        }
    }
    Ok(())
}

unsafe fn read_list(
    frame: &mut Frame,
    ty: &'static TypeSpec,
    written: bool,
    object: *mut PyObject,
    place: &Place,
) -> Result<Vec<*mut List>, Failed> {
    let item = Item::of_list(ty);
    let known = frame.copies_of(object).iter().find_map(|&copied| match copied {
        Copied::Items(at) if frame.nested[at].item.is_like(item) => Some(at),
        _ => None,
    });
    if let Some(at) = known {
        frame.is_shared = true;
        // SAFETY: by the caller's promise.
        unsafe { note_writes(frame, at, written, place)? };
        return Ok(frame.nested[at].lists.clone());
    }
    // SAFETY: a live object, under the GIL.
    if unsafe { ffi::PyList_Check(object) } == 0 {
        // SAFETY: as above.
        let value = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
        return Err(not_a_list(&value, item, place));
    }
    let mut made = Vec::new();
    for column in item.columns() {
        let list = column.list()?;
        frame.lists.push(ListArgument::part(list));
        made.push(list);
    }
    // SAFETY: the caller's list, under the GIL; the lists that were made are the frame's.
    unsafe {
        each_item(object, |i, inner| push(frame, item, written, inner, &made, &mut 0, &place.item(i)))?;
    }
    let before = if written { Some(Before::of(&made)?) } else { None };
    frame.note_copy(object, made[0], Copied::Items(frame.nested.len()));
    frame.nested.push(ItemsArgument { object, item, lists: made.clone(), before });
    Ok(made)
}

#[cold]
fn not_a_list(value: &Bound<'_, PyAny>, item: Item, place: &Place) -> Failed {
    let got = arrays::type_name(value);
    let (of, hint) = match item {
        Item::Tuple(_) => ("tuples", lists::hint_of_list(value, place.param)),
        Item::One(ty) => (plural(ty.kind), String::new()),
    };
    place.error(&format!("must be a list of {of}, got {got}{hint}")).into()
}

const fn plural(kind: TypeKind) -> &'static str {
    match kind {
        TypeKind::Array => "arrays",
        TypeKind::Dict => "dicts",
        TypeKind::Set => "sets",
        _ => "lists",
    }
}

/// Of lists that came in as another parameter, which the kernel does not write: notes what they hold where it may write them by this one.
///
/// # Safety
/// As [`read`].
unsafe fn note_writes(frame: &mut Frame, at: usize, written: bool, place: &Place) -> Result<(), Failed> {
    let ItemsArgument { object, item, .. } = frame.nested[at];
    if !written || frame.nested[at].before.is_some() {
        return Ok(());
    }
    frame.nested[at].before = Some(Before::of(&frame.nested[at].lists)?);
    if item.is_of_numbers() {
        return Ok(());
    }
    // SAFETY: the caller's list, under the GIL.
    unsafe { each_item(object, |i, inner| note_parts(frame, item, inner, &place.item(i))) }
}

/// As [`note_writes`], of the lists and dicts in an item.
///
/// # Safety
/// As [`read`].
pub unsafe fn note_parts(
    frame: &mut Frame,
    item: Item,
    object: *mut PyObject,
    place: &Place,
) -> Result<(), Failed> {
    // SAFETY: a live object, under the GIL.
    unsafe {
        match item {
            Item::One(ty) if ty.kind == TypeKind::Scalar => Ok(()),
            Item::One(ty) => read(frame, ty, true, object, place).map(|_| ()),
            Item::Tuple(types) => {
                let tuple = scalars::tuple_of(object, types.len(), place)?;
                for (i, ty) in types.iter().enumerate() {
                    note_parts(frame, Item::new(ty), tuple.get_item(i)?.as_ptr(), &place.item(i))?;
                }
                Ok(())
            }
        }
    }
}

/// Appends an item to its lists, which begin at `column`.
///
/// # Safety
/// A live object, under the GIL, and lists of the frame's.
pub unsafe fn push(
    frame: &mut Frame,
    item: Item,
    written: bool,
    object: *mut PyObject,
    lists: &[*mut List],
    column: &mut usize,
    place: &Place,
) -> Result<(), Failed> {
    // SAFETY: by the caller's promise.
    unsafe {
        match item {
            Item::One(ty) if ty.kind == TypeKind::Scalar => {
                let mut words = [0u64; 2];
                scalars::to_words(object, ty, words.as_mut_ptr(), place)?;
                lists::push(&mut *lists[*column], &words)?;
                *column += 1;
            }
            Item::One(ty) => {
                ffi::Py_IncRef(object);
                frame.kept.push(object);
                for part in read(frame, ty, written, object, place)? {
                    push_list(&mut *lists[*column], part)?;
                    *column += 1;
                }
            }
            Item::Tuple(types) => {
                let tuple = scalars::tuple_of(object, types.len(), place)?;
                for (i, ty) in types.iter().enumerate() {
                    let part = tuple.get_item(i)?;
                    push(frame, Item::new(ty), written, part.as_ptr(), lists, column, &place.item(i))?;
                }
            }
        }
    }
    Ok(())
}

/// Appends a list or array, which the list gets a count of.
unsafe fn push_list(list: &mut List, item: *mut List) -> Result<(), Failed> {
    // SAFETY: after `reserve` there is room for one item more; both are alive.
    unsafe {
        pydd_core::list::reserve(list).map_err(|e| crate::raise::error(&e))?;
        pydd_core::owner::retain(item.cast());
        list.data.cast::<*mut List>().add(list.len as usize).write(item);
        list.len += 1;
    }
    Ok(())
}

/// Puts the items that changed into the caller's lists; the others stay the objects they were.
pub fn copy_back(frame: &mut Frame) -> Result<(), Failed> {
    let nested = std::mem::take(&mut frame.nested);
    let done = nested.iter().try_for_each(|argument| match &argument.before {
        Some(before) => with_python(|_| copy_one_back(frame, argument, before)),
        None => Ok(()),
    });
    frame.nested = nested;
    done
}

fn copy_one_back(frame: &mut Frame, argument: &ItemsArgument, before: &Before) -> Result<(), Failed> {
    let ItemsArgument { object, item, ref lists, .. } = *argument;
    let (old, new) = (before.length(lists), columns::length(lists));
    let common = old.min(new);
    // SAFETY: the caller's list, under the GIL; indices are below its length unless it changed meanwhile, which the calls
    // report.
    unsafe {
        for i in (0..common).filter(|&i| !before.is(i, lists, i, 0..lists.len())) {
            let made = objects::item(frame, item, lists, &mut 0, i);
            if made.is_null() || ffi::PyList_SetItem(object, i as isize, made) != 0 {
                return Err(Failed);
            }
        }
        if old == new {
            return Ok(());
        }
        let tail = objects::list(frame, item, lists, common..new);
        if tail.is_null() {
            return Err(Failed);
        }
        let done = ffi::PyList_SetSlice(object, common as isize, isize::MAX, tail);
        ffi::Py_DECREF(tail);
        if done != 0 { Err(Failed) } else { Ok(()) }
    }
}
