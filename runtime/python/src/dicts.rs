//! Dicts and sets: their items are copied into lists, and what changed is copied back into the caller's object.
//!
//! Unsafe here: lists that the core made, of which the frame holds one count each until its end, and objects borrowed
//! from the caller.

use crate::columns::{self, entry_bytes};
use crate::frame::{Failed, Frame, exact};
use crate::lists::{self, ListArgument};
use crate::plan::Param;
use crate::scalars::Place;
use pydd_abi::{DTypeCode, List, TypeKind, TypeSpec, words};
use pydd_core::spec::items;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySet, PyTuple};
use std::ops::Range;
use std::ptr;

/// A dict or set that was passed.
pub struct DictArgument {
    /// The caller's object, borrowed.
    pub object: *mut PyObject,
    ty: &'static TypeSpec,
    /// As the kernel takes them; the frame's.
    lists: Vec<*mut List>,
    /// What the lists of keys and values held, where the kernel may write.
    before: Option<Vec<Vec<u8>>>,
}

/// The lists of a dict or set, as an argument or result has them.
struct Entries<'a> {
    ty: &'a TypeSpec,
    lists: &'a [*mut List],
}

/// The element types of the lists of a dict's keys and values, and how many are of keys.
fn types_of(ty: &TypeSpec) -> (Vec<DTypeCode>, usize) {
    let mut all = Vec::new();
    let mut keys = 0;
    // SAFETY: specs are constants that live for ever.
    for (i, part) in unsafe { items(ty.items, ty.n_items) }.iter().enumerate() {
        columns::add_dtypes(part, &mut all);
        if i == 0 {
            keys = all.len();
        }
    }
    (all, keys)
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

/// Copies the caller's dict or set into lists, whose addresses are its words. One passed twice is copied once, so that
/// writes are seen through both parameters, as in Python.
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
    let ty = &param.spec.ty;
    // SAFETY: a live object, under the GIL.
    let value = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    if !accepts(&value, ty) {
        let got = crate::arrays::type_name(&value);
        let name = if ty.kind == TypeKind::Dict { "dict" } else { "set" };
        let text = format!("must be a {name}, got {got}; use {name}({})", param.name);
        return Err(place.error(&text).into());
    }
    let (dtypes, keys) = types_of(ty);
    let known = frame.dicts.iter().position(|d| d.object == object && columns::alike(d.ty, ty));
    let at = match known {
        Some(at) => {
            let first = frame.dicts[at].lists[0];
            frame.lists.iter_mut().filter(|l| l.list == first).for_each(ListArgument::share);
            at
        }
        None => {
            let all = dtypes.iter().copied().chain([DTypeCode::I32, DTypeCode::Bool]);
            let mut lists = Vec::new();
            for dtype in all {
                let list = pydd_core::list::new(dtype, 0).map_err(|e| crate::raise::error(&e))?;
                frame.lists.push(ListArgument::part(list));
                lists.push(list);
            }
            let mut reader = Reader { ty, lists: &lists, keys, place };
            reader.read(&value)?;
            frame.dicts.push(DictArgument { object, ty, lists, before: None });
            frame.dicts.len() - 1
        }
    };
    let argument = &mut frame.dicts[at];
    if param.written && argument.before.is_none() {
        // SAFETY: lists of the frame.
        let copy = |&list: &*mut List| lists::copy_of_bytes(unsafe { &*list });
        argument.before = Some(argument.lists[..dtypes.len()].iter().map(copy).collect::<Result<_, _>>()?);
    }
    for (i, list) in argument.lists.iter().enumerate() {
        // SAFETY: room by the caller's promise.
        unsafe { *out.add(i) = *list as u64 };
    }
    Ok(())
}

/// Reads items into lists.
struct Reader<'a> {
    ty: &'static TypeSpec,
    lists: &'a [*mut List],
    keys: usize,
    place: &'a Place<'a>,
}

impl Reader<'_> {
    /// Conversions may run Python code that changes the dict: each item is held meanwhile.
    fn read(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Failed> {
        let object = value.as_ptr();
        if self.ty.kind == TypeKind::Set {
            for item in value.try_iter()? {
                self.key(&item?)?;
            }
            return Ok(());
        }
        // SAFETY: a live object.
        if !unsafe { exact(object, &raw mut ffi::PyDict_Type) } {
            // A subclass may keep its order elsewhere.
            for item in value.call_method0("items")?.try_iter()? {
                let pair = item?.cast_into::<PyTuple>().map_err(PyErr::from)?;
                self.item(&pair.get_item(0)?, &pair.get_item(1)?)?;
            }
            return Ok(());
        }
        let (mut position, mut key, mut held) = (0, ptr::null_mut(), ptr::null_mut());
        // SAFETY: a live dict, under the GIL; what it lends is held while it is converted.
        while unsafe { ffi::PyDict_Next(object, &raw mut position, &raw mut key, &raw mut held) } != 0 {
            let py = value.py();
            // SAFETY: as above.
            let (key, held) =
                unsafe { (Bound::from_borrowed_ptr(py, key), Bound::from_borrowed_ptr(py, held)) };
            self.item(&key, &held)?;
        }
        Ok(())
    }

    fn item(&mut self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> Result<(), Failed> {
        self.key(key)?;
        self.part(1, self.keys, value, &self.place.value_of(key.as_ptr()))
    }

    fn key(&mut self, key: &Bound<'_, PyAny>) -> Result<(), Failed> {
        self.part(0, 0, key, &self.place.key(key.as_ptr()))
    }

    /// Appends a key or value to its lists.
    fn part(&self, at: usize, first: usize, value: &Bound<'_, PyAny>, place: &Place) -> Result<(), Failed> {
        // SAFETY: specs are constants that live for ever.
        let ty = &unsafe { items(self.ty.items, self.ty.n_items) }[at];
        let mut dtypes = Vec::new();
        columns::add_dtypes(ty, &mut dtypes);
        // SAFETY: as above; a live object, and lists that are ours alone.
        unsafe {
            let mut buffer = vec![0u64; words::of(ty)];
            let lists = &self.lists[first..first + dtypes.len()];
            columns::push(lists, ty, value.as_ptr(), &mut buffer, place)
        }
    }
}

impl Entries<'_> {
    fn list(&self, at: usize) -> &List {
        // SAFETY: a live list.
        unsafe { &*self.lists[at] }
    }

    /// How many entries have all their numbers: a kernel that runs out of memory may stop between two lists.
    fn count(&self) -> usize {
        let columns = &self.lists[..self.lists.len() - 2];
        // SAFETY: live lists.
        let least = columns.iter().map(|&list| unsafe { (*list).len }).min().unwrap_or(0);
        usize::try_from(least).unwrap_or(0)
    }

    /// Numbers of the entries that were not deleted. No list of them, for which there may be no memory left.
    fn there(&self) -> impl Iterator<Item = usize> + '_ {
        let gone = lists::bytes(self.list(self.lists.len() - 1));
        (0..self.count()).filter(move |&i| gone.get(i).is_none_or(|&flag| flag == 0))
    }

    /// The bytes of an entry in a list.
    fn bytes(&self, at: usize, i: usize) -> &[u8] {
        entry_bytes(lists::bytes(self.list(at)), self.list(at).dtype, i)
    }

    /// The object of a key (0) or value (1); null with an exception set on failure.
    fn object(&self, part: usize, first: usize, i: usize) -> *mut PyObject {
        let mut column = first;
        // SAFETY: specs are constants that live for ever.
        let ty = &unsafe { items(self.ty.items, self.ty.n_items) }[part];
        // SAFETY: `i` is below the length of all lists that hold keys and values.
        unsafe { columns::object(self.lists, ty, &mut column, i) }
    }

    /// Puts an entry into a dict or set.
    fn put(&self, object: *mut PyObject, keys: usize, i: usize) -> Result<(), Failed> {
        let key = owned(self.object(0, 0, i))?;
        if self.ty.kind == TypeKind::Set {
            // SAFETY: live objects, under the GIL.
            return done(unsafe { ffi::PySet_Add(object, key.as_ptr()) });
        }
        let value = owned(self.object(1, keys, i))?;
        // SAFETY: as above.
        done(unsafe { ffi::PyObject_SetItem(object, key.as_ptr(), value.as_ptr()) })
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
pub fn copy_back(dicts: &[DictArgument]) -> Result<(), Failed> {
    for d in dicts {
        if let Some(before) = &d.before {
            crate::frame::with_python(|_| copy_one_back(d, before))?;
        }
    }
    Ok(())
}

fn copy_one_back(d: &DictArgument, before: &[Vec<u8>]) -> Result<(), Failed> {
    let entries = Entries { ty: d.ty, lists: &d.lists };
    let (dtypes, keys) = types_of(d.ty);
    let n = before[0].len() / dtypes[0].size();
    // Whether an entry is in some of the lists what another one was.
    let same = |mut columns: Range<usize>, j: usize, i: usize| {
        columns.all(|at| entries.bytes(at, j) == entry_bytes(&before[at], dtypes[at], i))
    };
    if holds_nan(before, &dtypes[..keys]) {
        return replace_all(&entries, d.object, keys);
    }
    // What is still there has kept its order and comes first; what was put in again follows.
    let mut next = entries.there().peekable();
    for i in 0..n {
        match next.peek() {
            Some(&j) if same(0..keys, j, i) => {
                next.next();
                if !same(keys..dtypes.len(), j, i) {
                    entries.put(d.object, keys, j)?;
                }
            }
            _ => delete_old(d, before, i)?,
        }
    }
    next.try_for_each(|j| entries.put(d.object, keys, j))
}

/// Deletes an item that was there before the call.
fn delete_old(d: &DictArgument, before: &[Vec<u8>], i: usize) -> Result<(), Failed> {
    let mut lists = Vec::new();
    for (bytes, &list) in before.iter().zip(&d.lists) {
        // SAFETY: a list of the frame, of which a shallow copy shows the bytes of before; nothing frees it.
        let mut shown = std::mem::ManuallyDrop::new(unsafe { ptr::read(list) });
        shown.data = bytes.as_ptr().cast_mut();
        lists.push(shown);
    }
    let shown: Vec<*mut List> = lists.iter_mut().map(|list| ptr::from_mut(&mut **list)).collect();
    let key = owned(Entries { ty: d.ty, lists: &shown }.object(0, 0, i))?;
    // SAFETY: live objects, under the GIL.
    unsafe {
        match d.ty.kind {
            TypeKind::Set => done(ffi::PySet_Discard(d.object, key.as_ptr())),
            _ => done(ffi::PyObject_DelItem(d.object, key.as_ptr())),
        }
    }
}

/// NaN is found by identity alone, which it has lost.
fn holds_nan(keys: &[Vec<u8>], dtypes: &[DTypeCode]) -> bool {
    let nan = |(bytes, dtype): (&Vec<u8>, &DTypeCode)| match dtype {
        DTypeCode::F64 => {
            bytes.chunks_exact(8).any(|b| b.try_into().is_ok_and(|b| f64::from_ne_bytes(b).is_nan()))
        }
        DTypeCode::F32 => {
            bytes.chunks_exact(4).any(|b| b.try_into().is_ok_and(|b| f32::from_ne_bytes(b).is_nan()))
        }
        _ => false,
    };
    keys.iter().zip(dtypes).any(nan)
}

fn replace_all(entries: &Entries, object: *mut PyObject, keys: usize) -> Result<(), Failed> {
    // SAFETY: a live object, under the GIL.
    let value = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    value.call_method0("clear")?;
    entries.there().try_for_each(|i| entries.put(object, keys, i))
}

/// A result as an object, the caller's own where it is a parameter's; null with an exception set on failure. Gives the
/// counts of the lists back.
///
/// # Safety
/// The words of a result, under the GIL.
pub unsafe fn to_object(frame: &Frame, ty: &TypeSpec, word: *const u64) -> *mut PyObject {
    let (dtypes, keys) = types_of(ty);
    // SAFETY: live lists with a count for us each.
    unsafe {
        let lists: Vec<*mut List> = (0..dtypes.len() + 2).map(|i| *word.add(i) as *mut List).collect();
        let object = match frame.dicts.iter().find(|d| d.lists[0] == lists[0]) {
            Some(argument) => {
                ffi::Py_IncRef(argument.object);
                argument.object
            }
            None => crate::frame::with_python(|_| made(&Entries { ty, lists: &lists }, keys)),
        };
        discard(ty, word);
        object
    }
}

fn made(entries: &Entries, keys: usize) -> *mut PyObject {
    // SAFETY: under the GIL.
    let new = unsafe {
        match entries.ty.kind {
            TypeKind::Set => ffi::PySet_New(ptr::null_mut()),
            _ => ffi::PyDict_New(),
        }
    };
    let Ok(object) = owned(new) else { return ptr::null_mut() };
    let filled = entries.there().try_for_each(|i| entries.put(object.as_ptr(), keys, i));
    if filled.is_err() { ptr::null_mut() } else { object.into_ptr() }
}

/// Gives the counts of a result's lists back.
///
/// # Safety
/// As for [`to_object`].
pub unsafe fn discard(ty: &TypeSpec, word: *const u64) {
    // SAFETY: live lists with a count for us each.
    unsafe {
        for i in 0..words::of(ty) {
            pydd_core::owner::release(&raw mut (*(*word.add(i) as *mut List)).owner);
        }
    }
}
