//! Dicts and sets: their items are copied into lists, and what changed is copied back into the caller's object.
//!
//! Unsafe here: lists that the core made, of which the frame holds one count each until its end, and objects borrowed
//! from the caller.

use crate::columns::{self, Before, Item};
use crate::frame::{Copied, Failed, Frame, with_python};
use crate::lists::{self, ListArgument};
use crate::scalars::Place;
use crate::{arrays, nested, objects};
use pydd_abi::{DTypeCode, List, TypeKind, TypeSpec, words};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySet, PyTuple};
use std::ptr;

/// A dict or set that was passed, or that is in what was.
pub struct DictArgument {
    /// The caller's object, borrowed.
    object: *mut PyObject,
    ty: &'static TypeSpec,
    /// As the kernel takes them; the frame's.
    lists: Vec<*mut List>,
    /// What the lists of keys and values held, where the kernel may write.
    before: Option<Before>,
}

/// The types of an entry: of a key, and of a dict's values.
fn key_and_value(ty: &'static TypeSpec) -> (Item, Option<Item>) {
    let types = columns::items(ty);
    (Item::new(&types[0]), types.get(1).map(Item::new))
}

/// How many lists hold keys.
fn key_columns(ty: &'static TypeSpec) -> usize {
    // SAFETY: specs are constants that live for ever.
    unsafe { words::parts(&columns::items(ty)[0]) }
}

/// Whether an argument can be this parameter.
pub fn accepts(value: &Bound<'_, PyAny>, ty: &TypeSpec) -> bool {
    match ty.kind {
        TypeKind::Dict => value.is_instance_of::<PyDict>(),
        _ => value.is_instance_of::<PySet>(),
    }
}

/// `Dict`, `Set`.
pub const fn describe(ty: &TypeSpec) -> &'static str {
    if matches!(ty.kind, TypeKind::Dict) { "Dict" } else { "Set" }
}

/// The lists that stand for a dict or set. One that was met before has its own already, so that writes are seen wherever it
/// stands, as in Python.
///
/// # Safety
/// A live object, under the GIL.
pub unsafe fn read(
    frame: &mut Frame,
    ty: &'static TypeSpec,
    written: bool,
    object: *mut PyObject,
    place: &Place,
) -> Result<Vec<*mut List>, Failed> {
    // SAFETY: a live object, under the GIL.
    let value = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    if !accepts(&value, ty) {
        let got = arrays::type_name(&value);
        let name = if ty.kind == TypeKind::Dict { "dict" } else { "set" };
        let text = format!("must be a {name}, got {got}; use {name}({})", place.param);
        return Err(place.error(&text).into());
    }
    let known = frame.copies_of(object).iter().find_map(|&copied| match copied {
        Copied::Dict(at) if columns::alike(frame.dicts[at].ty, ty) => Some(at),
        _ => None,
    });
    if let Some(at) = known {
        frame.is_shared = true;
        note_writes(frame, at, written, place)?;
        return Ok(frame.dicts[at].lists.clone());
    }
    let mut made = Vec::new();
    for column in columns::columns_of(ty) {
        let list = column.list()?;
        frame.lists.push(ListArgument::part(list));
        made.push(list);
    }
    let (key, held) = key_and_value(ty);
    let keys = key_columns(ty);
    each_entry(&value, ty.kind, |own, value| {
        // SAFETY: live objects, under the GIL, and lists of the frame's.
        unsafe {
            nested::push(frame, key, written, own.as_ptr(), &made, &mut 0, &place.key(own.as_ptr()))?;
            match (held, value) {
                (Some(held), Some(value)) => {
                    let place = place.value_of(own.as_ptr());
                    nested::push(frame, held, written, value.as_ptr(), &made, &mut keys.clone(), &place)
                }
                _ => Ok(()),
            }
        }
    })?;
    let before = if written { Some(Before::of(&made[..made.len() - 2])?) } else { None };
    frame.note_copy(object, made[0], Copied::Dict(frame.dicts.len()));
    frame.dicts.push(DictArgument { object, ty, lists: made.clone(), before });
    Ok(made)
}

/// Of a dict that came in as another parameter, which the kernel does not write: notes what it holds where it may write it by this one.
fn note_writes(frame: &mut Frame, at: usize, written: bool, place: &Place) -> Result<(), Failed> {
    let argument = &mut frame.dicts[at];
    if !written || argument.before.is_some() {
        return Ok(());
    }
    let own = &argument.lists[..argument.lists.len() - 2];
    argument.before = Some(Before::of(own)?);
    let (object, kind) = (argument.object, argument.ty.kind);
    let Some(held) = key_and_value(argument.ty).1.filter(|held| !held.is_of_numbers()) else { return Ok(()) };
    // SAFETY: the caller's object, under the GIL.
    let value = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    each_entry(&value, kind, |key, value| match value {
        // SAFETY: a live object, under the GIL.
        Some(value) => unsafe {
            nested::note_parts(frame, held, value.as_ptr(), &place.value_of(key.as_ptr()))
        },
        None => Ok(()),
    })
}

/// Looks at keys and values. Conversions may run Python code that changes the dict: each item is held meanwhile.
fn each_entry<'py>(
    value: &Bound<'py, PyAny>,
    kind: TypeKind,
    mut look: impl FnMut(&Bound<'py, PyAny>, Option<&Bound<'py, PyAny>>) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let object = value.as_ptr();
    if kind == TypeKind::Set {
        for item in value.try_iter()? {
            look(&item?, None)?;
        }
        return Ok(());
    }
    // SAFETY: a live object.
    if !unsafe { crate::frame::exact(object, &raw mut ffi::PyDict_Type) } {
        // A subclass may keep its order elsewhere.
        for item in value.call_method0("items")?.try_iter()? {
            let pair = item?.cast_into::<PyTuple>().map_err(PyErr::from)?;
            look(&pair.get_item(0)?, Some(&pair.get_item(1)?))?;
        }
        return Ok(());
    }
    let (mut position, mut key, mut held) = (0, ptr::null_mut(), ptr::null_mut());
    // SAFETY: a live dict, under the GIL; what it lends is held while it is converted.
    while unsafe { ffi::PyDict_Next(object, &raw mut position, &raw mut key, &raw mut held) } != 0 {
        let py = value.py();
        // SAFETY: as above.
        let (key, held) = unsafe { (Bound::from_borrowed_ptr(py, key), Bound::from_borrowed_ptr(py, held)) };
        look(&key, Some(&held))?;
    }
    Ok(())
}

/// Numbers of the entries that were not deleted. No list of them, for which there may be no memory left. A kernel that
/// runs out of memory may stop between two lists.
fn there(lists: &[*mut List]) -> impl Iterator<Item = usize> {
    let (own, behind) = lists.split_at(lists.len() - 2);
    // SAFETY: a live list, which nobody changes meanwhile.
    let gone = lists::bytes(unsafe { &*behind[1] });
    (0..columns::length(own)).filter(move |&i| gone.get(i).is_none_or(|&flag| flag == 0))
}

/// Puts an entry into a dict or set.
fn put(
    frame: &mut Frame,
    ty: &'static TypeSpec,
    lists: &[*mut List],
    object: *mut PyObject,
    i: usize,
) -> Result<(), Failed> {
    let (key, held) = key_and_value(ty);
    let mut column = 0;
    // SAFETY: live objects and lists that are longer than `i`, under the GIL.
    unsafe {
        let key = owned(objects::item(frame, key, lists, &mut column, i))?;
        let Some(held) = held else { return done(ffi::PySet_Add(object, key.as_ptr())) };
        let value = owned(objects::item(frame, held, lists, &mut column, i))?;
        done(ffi::PyObject_SetItem(object, key.as_ptr(), value.as_ptr()))
    }
}

fn owned<'py>(object: *mut PyObject) -> Result<Bound<'py, PyAny>, Failed> {
    // SAFETY: a new reference or null, under the GIL.
    let made = unsafe { Bound::from_owned_ptr_or_opt(Python::assume_attached(), object) };
    made.ok_or(Failed)
}

fn done(status: std::ffi::c_int) -> Result<(), Failed> {
    if status < 0 { Err(Failed) } else { Ok(()) }
}

/// Puts what changed into the caller's dicts and sets; other items stay the objects they were.
pub fn copy_back(frame: &mut Frame) -> Result<(), Failed> {
    let dicts = std::mem::take(&mut frame.dicts);
    let done = dicts.iter().try_for_each(|argument| match &argument.before {
        Some(before) => with_python(|_| copy_one_back(frame, argument, before)),
        None => Ok(()),
    });
    frame.dicts = dicts;
    done
}

fn copy_one_back(frame: &mut Frame, d: &DictArgument, before: &Before) -> Result<(), Failed> {
    let (keys, all) = (key_columns(d.ty), d.lists.len() - 2);
    if holds_nan(before, &d.lists[..keys]) {
        return replace_all(frame, d);
    }
    // What is still there has kept its order and comes first; what was put in again follows.
    let mut next = there(&d.lists).peekable();
    for i in 0..before.length(&d.lists) {
        match next.peek() {
            Some(&j) if before.is(i, &d.lists, j, 0..keys) => {
                next.next();
                if !before.is(i, &d.lists, j, keys..all) {
                    put(frame, d.ty, &d.lists, d.object, j)?;
                }
            }
            _ => delete_old(frame, d, before, i)?,
        }
    }
    next.try_for_each(|j| put(frame, d.ty, &d.lists, d.object, j))
}

/// Deletes an item that was there before the call.
fn delete_old(frame: &mut Frame, d: &DictArgument, before: &Before, i: usize) -> Result<(), Failed> {
    let mut keys = Vec::new();
    for (bytes, &list) in before.bytes().iter().zip(&d.lists[..key_columns(d.ty)]) {
        // SAFETY: a list of the frame, of which a shallow copy shows the bytes of before; nothing frees it.
        let mut shown = std::mem::ManuallyDrop::new(unsafe { ptr::read(list) });
        shown.data = bytes.as_ptr().cast_mut();
        keys.push(shown);
    }
    let shown: Vec<*mut List> = keys.iter_mut().map(|list| ptr::from_mut(&mut **list)).collect();
    // SAFETY: live objects and lists of numbers that are longer than `i`, under the GIL.
    unsafe {
        let key = owned(objects::item(frame, key_and_value(d.ty).0, &shown, &mut 0, i))?;
        match d.ty.kind {
            TypeKind::Set => done(ffi::PySet_Discard(d.object, key.as_ptr())),
            _ => done(ffi::PyObject_DelItem(d.object, key.as_ptr())),
        }
    }
}

/// NaN is found by identity alone, which it has lost.
fn holds_nan(before: &Before, keys: &[*mut List]) -> bool {
    let nan = |(bytes, &list): (&Vec<u8>, &*mut List)| {
        // SAFETY: a live list.
        match unsafe { (*list).dtype } {
            DTypeCode::F64 => {
                bytes.chunks_exact(8).any(|b| b.try_into().is_ok_and(|b| f64::from_ne_bytes(b).is_nan()))
            }
            DTypeCode::F32 => {
                bytes.chunks_exact(4).any(|b| b.try_into().is_ok_and(|b| f32::from_ne_bytes(b).is_nan()))
            }
            _ => false,
        }
    };
    before.bytes().iter().zip(keys).any(nan)
}

fn replace_all(frame: &mut Frame, d: &DictArgument) -> Result<(), Failed> {
    // SAFETY: a live object, under the GIL.
    let value = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), d.object) };
    value.call_method0("clear")?;
    there(&d.lists).try_for_each(|i| put(frame, d.ty, &d.lists, d.object, i))
}

/// A new dict or set with the entries of lists; null with an exception set on failure.
///
/// # Safety
/// Live lists, under the GIL.
pub unsafe fn made(frame: &mut Frame, ty: &'static TypeSpec, lists: &[*mut List]) -> *mut PyObject {
    // SAFETY: under the GIL.
    let new = unsafe {
        match ty.kind {
            TypeKind::Set => ffi::PySet_New(ptr::null_mut()),
            _ => ffi::PyDict_New(),
        }
    };
    let Ok(object) = owned(new) else { return ptr::null_mut() };
    let filled = there(lists).try_for_each(|i| put(frame, ty, lists, object.as_ptr(), i));
    if filled.is_err() { ptr::null_mut() } else { object.into_ptr() }
}
