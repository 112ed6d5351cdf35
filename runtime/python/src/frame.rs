//! The memory of one call: words, the owners of argument arrays, copies of lists.
//!
//! Unsafe here: uninitialised memory that `call` provides for the frame's life, written before it is
//! read.

use crate::device_arrays::{self, DeviceArray, OnDevice};
use crate::dicts::DictArgument;
use crate::lists::ListArgument;
use crate::nested::ItemsArgument;
use crate::plan::{Convert, Function, Param};
use crate::{arrays, lists, nested, overloads, scalars};
use numpy::npyffi::PyArrayObject;
use pydd_abi::{DTypeCode, EntrySpec, List, Owner, TypeKind};
use pydd_core::device::Refused;
use pydd_core::spec::{Guarded, LARGE, is_for_call};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::mem::MaybeUninit;

/// A Python exception is set.
#[derive(Debug)]
pub struct Failed;

impl From<PyErr> for Failed {
    #[cold]
    fn from(error: PyErr) -> Self {
        // SAFETY: errors are made and handled under the GIL.
        error.restore(unsafe { Python::assume_attached() });
        Self
    }
}

/// Runs what uses PyO3's owned types, under the GIL that is held already: without PyO3's own count of
/// it, references that are dropped would wait for ever in its queue.
///
/// No kernel may run inside: PyO3 would not see that the GIL is given away there.
#[inline]
pub fn with_python<T>(f: impl FnOnce(Python<'_>) -> T) -> T {
    Python::attach(f)
}

/// What a list, dict or set was copied into: a place among the frame's.
#[derive(Clone, Copy)]
pub enum Copied {
    /// Of numbers.
    List(usize),
    /// Of other items.
    Items(usize),
    Dict(usize),
    /// An array in a list: what the list holds, and the type.
    Array(*mut Owner, DTypeCode, u8),
}

/// An array in a list that was passed: the owner that stands for it, and what lists hold.
pub struct ArrayItem {
    /// Its place must not change.
    owner: Box<Owner>,
    held: *mut Owner,
}

impl ArrayItem {
    /// What stands for a caller's array with these words, of which the second one is missing.
    pub fn new(object: *mut PyObject, words: &mut [u64]) -> Result<Self, Failed> {
        let owner = Owner {
            count: 1.into(),
            drop: None,
            data: words[0] as *mut u8,
            capacity: 0,
            object: object.cast(),
        };
        let mut owner = Box::new(owner);
        words[1] = &raw mut *owner as u64;
        // SAFETY: an array's words; the owner lives longer than what is held.
        let held = unsafe { pydd_core::list::hold_array(words) }.map_err(|e| crate::raise::error(&e))?;
        Ok(Self { owner, held })
    }

    pub const fn held(&self) -> *mut Owner {
        self.held
    }
}

impl Drop for ArrayItem {
    fn drop(&mut self) {
        debug_assert!(!self.owner.object.is_null());
        // SAFETY: a count of ours.
        unsafe { pydd_core::owner::release(self.held) };
    }
}

/// Where a call's words and owners are: uninitialised, large enough for its function.
pub struct Places {
    pub words: *mut u64,
    pub results: *mut u64,
    pub owners: *mut Owner,
}

/// Room on the stack for nearly all functions.
pub struct Room {
    words: [u64; 48],
    results: [u64; 16],
    owners: [Owner; 6],
}

impl Room {
    #[inline(always)]
    pub fn fits(function: &Function) -> bool {
        function.small
    }

    /// Whether a function with so many words and arrays fits.
    pub fn is_enough(arguments: usize, results: usize, arrays: usize) -> bool {
        arguments <= 48 && results <= 16 && arrays <= 6
    }

    #[inline(always)]
    pub fn places(room: &mut MaybeUninit<Self>) -> Places {
        let room = room.as_mut_ptr();
        // SAFETY: addresses of fields, without reading them.
        unsafe {
            Places {
                words: (&raw mut (*room).words).cast(),
                results: (&raw mut (*room).results).cast(),
                owners: (&raw mut (*room).owners).cast(),
            }
        }
    }
}

/// Room for any function.
pub struct HeapRoom {
    words: Vec<u64>,
    results: Vec<u64>,
    owners: Vec<MaybeUninit<Owner>>,
}

impl HeapRoom {
    pub fn new(function: &Function) -> Self {
        let mut owners = Vec::new();
        owners.resize_with(function.arrays, MaybeUninit::uninit);
        Self {
            words: vec![0; function.spec.arg_words as usize],
            results: vec![0; function.spec.ret_words as usize],
            owners,
        }
    }

    pub fn places(&mut self) -> Places {
        Places {
            words: self.words.as_mut_ptr(),
            results: self.results.as_mut_ptr(),
            owners: self.owners.as_mut_ptr().cast(),
        }
    }
}

pub struct Frame<'a> {
    pub function: &'a Function,
    /// One for each parameter, borrowed from the caller; null takes the default.
    pub objects: *const *mut PyObject,
    pub words: *mut u64,
    pub results: *mut u64,
    owners: *mut Owner,
    pub lists: Vec<ListArgument>,
    pub dicts: Vec<DictArgument>,
    pub nested: Vec<ItemsArgument>,
    /// Arrays in lists that were passed.
    pub array_items: Vec<ArrayItem>,
    /// Lists, dicts and arrays in what was passed, kept alive until the end.
    pub kept: Vec<*mut PyObject>,
    /// Whether some list, dict or set stands in two places of what was passed.
    pub is_shared: bool,
    /// What was copied of each list, dict and set that was passed, or is in one.
    copies: BTreeMap<*mut PyObject, Vec<Copied>>,
    /// By the first list that was made of it, the caller's object.
    callers: BTreeMap<*mut List, *mut PyObject>,
    /// By the first list that each is made of, the objects that the call made, with a count of each.
    new: BTreeMap<*mut List, *mut PyObject>,
    /// Of each sparse argument, the parameter that is its first part, and the caller's object.
    pub sparse: &'a [(usize, *mut PyObject)],
    /// The flags that all arrays share, see [`Self::add_flags`].
    array_flags: c_int,
    /// Arrays that were made of arguments, by their parameters; `kept` holds them.
    made: Vec<(usize, *mut PyObject)>,
    /// What lives on a device, where an argument does.
    pub on_device: Option<Box<OnDevice>>,
    /// A conversion ran Python code, which may have changed arrays read before.
    ran_python: bool,
}

impl<'a> Frame<'a> {
    #[inline(always)]
    pub fn new(function: &'a Function, objects: *const *mut PyObject, places: Places) -> Self {
        let Places { words, results, owners } = places;
        Self {
            function,
            objects,
            words,
            results,
            owners,
            lists: Vec::new(),
            dicts: Vec::new(),
            nested: Vec::new(),
            array_items: Vec::new(),
            kept: Vec::new(),
            is_shared: false,
            copies: BTreeMap::new(),
            callers: BTreeMap::new(),
            new: BTreeMap::new(),
            sparse: &[],
            array_flags: -1,
            made: Vec::new(),
            on_device: None,
            ran_python: false,
        }
    }

    /// Turns all arguments into words.
    #[inline(always)]
    pub fn fill(&mut self) -> Result<(), Failed> {
        let function = self.function;
        for (i, param) in function.params.iter().enumerate() {
            // SAFETY: there is an object for each parameter, and room for each one's words.
            unsafe {
                let object = *self.objects.add(i);
                let out = self.words.add(param.word);
                match param.convert {
                    Convert::Array => self.array(param, object, out)?,
                    Convert::Float64 if exact(object, &raw mut ffi::PyFloat_Type) => {
                        *out = ffi::PyFloat_AsDouble(object).to_bits();
                    }
                    _ => self.other(param, object, out)?,
                }
            }
        }
        if self.ran_python && function.arrays > 0 { self.arrays_again() } else { Ok(()) }
    }

    /// The array's fields as words. The fast way is for what nearly every call brings: an ndarray of
    /// NumPy's own type and dtype; the other looks closely, and explains refusals.
    #[inline(always)]
    unsafe fn array(&mut self, param: &Param, object: *mut PyObject, out: *mut u64) -> Result<(), Failed> {
        // SAFETY: `object` is alive; its fields are read only if it is an ndarray and they are
        // where the self-test found them.
        unsafe {
            let fields = &raw const (*object.cast::<PyArrayObject>()).fields;
            let known = exact(object, crate::numpy_api::get().array_type)
                && crate::numpy_api::fields()
                && (*fields).descr == param.descr
                && (*fields).nd == c_int::from(param.rank)
                && (!param.written || (*fields).flags & crate::numpy_api::WRITEABLE != 0);
            if !known {
                return self.array_slowly(param, object, out);
            }
            let rank = usize::from(param.rank);
            *out = (*fields).data as u64;
            for k in 0..rank {
                *out.add(2 + k) = *(*fields).dimensions.add(k) as u64;
                *out.add(2 + rank + k) = *(*fields).strides.add(k) as u64;
            }
            self.add_flags(param, (*fields).flags);
            self.own(param, object, out);
        }
        Ok(())
    }

    /// As if arrays of column-major parameters were row-major where they lie in columns, and not where they do not.
    #[inline(always)]
    fn add_flags(&mut self, param: &Param, flags: c_int) {
        use crate::numpy_api::{C_CONTIGUOUS, F_CONTIGUOUS};
        self.array_flags &= match (param.column_major, flags & F_CONTIGUOUS != 0) {
            (false, _) => flags,
            (true, true) => flags | C_CONTIGUOUS,
            (true, false) => flags & !C_CONTIGUOUS,
        };
    }

    #[cold]
    unsafe fn array_slowly(
        &mut self,
        param: &Param,
        object: *mut PyObject,
        out: *mut u64,
    ) -> Result<(), Failed> {
        let mut object = object;
        let array = device_array(object)?;
        if let Some(array) = &array
            && param.cast
            && !param.written
            && !with_python(|py| array.get().fits(py, param))?
        {
            // What is converted is a copy in any case.
            object = with_python(|py| array.get().copy_to_host(py).map(Bound::into_ptr))?;
            self.kept.push(object);
        } else if let Some(array) = array {
            self.add_device_array(param, &array)?;
            let host = array.get().host();
            // SAFETY: the frame keeps both objects.
            unsafe {
                self.kept.push(array.into_ptr());
                ffi::Py_IncRef(host);
                self.keep_made(param, host);
                return self.array(param, host, out);
            }
        }
        // SAFETY: `object` is alive, `out` has room for an array of the parameter's rank.
        unsafe {
            let (flags, made) = with_python(|_| arrays::to_words(self.function, param, object, out))?;
            self.add_flags(param, flags);
            let array = match made {
                Some(made) => self.keep_made(param, made.into_ptr()),
                None => object,
            };
            self.own(param, array, out);
        }
        Ok(())
    }

    /// An argument lives on a device: then the call is one with such.
    fn add_device_array(&mut self, param: &Param, array: &Py<DeviceArray>) -> Result<(), Failed> {
        let place = self.function.params.iter().position(|other| other.word == param.word && other.words > 0);
        let added =
            self.on_device.get_or_insert_default().add(place.expect("a parameter"), array, param.written);
        if let Err(why) = added {
            let is = format!("argument '{}' of {}()", param.name, self.function.name);
            return with_python(|_| {
                Err(match why {
                    Refused::Busy => PyRuntimeError::new_err(format!("{is} is in use by another call")),
                    Refused::Overlaps => PyValueError::new_err(format!(
                        "{is} shares memory on the GPU with another argument that is no view of the same array"
                    )),
                }
                .into())
            });
        }
        Ok(())
    }

    /// Keeps an array that was made of an argument until the end; views that are returned are of it.
    fn keep_made(&mut self, param: &Param, made: *mut PyObject) -> *mut PyObject {
        // It may have run Python code.
        self.ran_python = true;
        self.kept.push(made);
        let place = self.function.params.iter().position(|other| other.word == param.word && other.words > 0);
        self.made.extend(place.map(|place| (place, made)));
        made
    }

    /// Makes the owner that stands for the caller's array.
    #[inline(always)]
    unsafe fn own(&mut self, param: &Param, object: *mut PyObject, out: *mut u64) {
        // SAFETY: there is an owner for each array parameter.
        unsafe {
            let owner = self.owners.add(param.array);
            owner.write(Owner {
                count: 1.into(),
                drop: None,
                data: (*out) as *mut u8,
                capacity: 0,
                object: object.cast(),
            });
            *out.add(1) = owner as u64;
        }
    }

    unsafe fn other(&mut self, param: &Param, object: *mut PyObject, out: *mut u64) -> Result<(), Failed> {
        // SAFETY: `object` is null or alive; `out` has room for the parameter's words.
        unsafe {
            if object.is_null() {
                std::ptr::copy_nonoverlapping(param.spec.default.as_ptr(), out, param.words.min(2));
                return Ok(());
            }
            if exact(object, &raw mut ffi::PyLong_Type) && quick_int(param, object, out) {
                return Ok(());
            }
            if param.spec.ty.kind == TypeKind::Constant {
                return with_python(|py| overloads::check_constant(self.function, param.spec, py, object));
            }
            self.ran_python = true;
            let place = scalars::Place::of(self.function, param);
            if param.convert == Convert::Lists {
                return with_python(|_| nested::copy_in(self, param, object, out, &place));
            }
            with_python(|_| scalars::to_words(object, &param.spec.ty, out, &place))
        }
    }

    #[cold]
    fn arrays_again(&mut self) -> Result<(), Failed> {
        let function = self.function;
        for (i, param) in function.params.iter().enumerate() {
            if param.convert == Convert::Array {
                // SAFETY: as in `fill`.
                unsafe {
                    let out = self.words.add(param.word);
                    self.array(param, self.object(i), out)?;
                }
            }
        }
        Ok(())
    }

    /// The entry that runs: the first one whose guards all hold.
    #[inline(always)]
    pub fn entry(&self) -> &'a EntrySpec {
        let Function { first, others, .. } = self.function;
        let is_for_this = |entry: &&EntrySpec| is_for_call(entry.guards, self);
        let found = if is_for_this(&first) { Some(first) } else { others.iter().find(is_for_this) };
        // The last entry has no guards.
        found.unwrap_or(first)
    }

    /// What was copied of a list, dict or set.
    pub fn copies_of(&self, object: *mut PyObject) -> &[Copied] {
        self.copies.get(&object).map_or(&[], Vec::as_slice)
    }

    /// Remembers what was copied of an object, and the first list that was made of it.
    pub fn note_copy(&mut self, object: *mut PyObject, first: *mut List, copied: Copied) {
        self.copies.entry(object).or_default().push(copied);
        self.callers.insert(first, object);
    }

    /// The object that was copied into this list and those behind it, or was made of them.
    pub fn object_of(&self, first: *mut List) -> Option<*mut PyObject> {
        self.callers.get(&first).or_else(|| self.new.get(&first)).copied()
    }

    /// Remembers an object that was made of lists, of which this is the first.
    pub fn note_object(&mut self, first: *mut List, object: *mut PyObject) {
        // SAFETY: a live object, under the GIL.
        unsafe { ffi::Py_IncRef(object) };
        self.new.insert(first, object);
    }

    /// The parameter whose owner this is.
    pub fn parameter_of(&self, owner: *mut Owner) -> Option<usize> {
        let first = self.owners as usize;
        let at = (owner as usize).wrapping_sub(first) / size_of::<Owner>();
        if (owner as usize) < first || at >= self.function.arrays {
            return None;
        }
        self.function.params.iter().position(|p| p.convert == Convert::Array && p.array == at)
    }

    /// The caller's object of a parameter.
    pub fn object(&self, parameter: usize) -> *mut PyObject {
        if let Some((_, made)) = self.made.iter().find(|(place, _)| *place == parameter) {
            return *made;
        }
        // SAFETY: there is one for each parameter.
        unsafe { *self.objects.add(parameter) }
    }

    pub fn returns_nothing(&self) -> bool {
        self.function.spec.result.kind == TypeKind::None
    }
}

/// The array that lives on a device, if an object is one.
fn device_array(object: *mut PyObject) -> Result<Option<Py<DeviceArray>>, Failed> {
    if object.is_null() {
        return Ok(None);
    }
    let found = with_python(|py| {
        // SAFETY: a live object.
        device_arrays::of(&unsafe { Bound::from_borrowed_ptr(py, object) })
    });
    Ok(found?)
}

impl Guarded for Frame<'_> {
    #[inline(always)]
    fn are_contiguous(&self) -> bool {
        use crate::numpy_api::{ALIGNED, C_CONTIGUOUS};
        self.array_flags & (C_CONTIGUOUS | ALIGNED) == (C_CONTIGUOUS | ALIGNED)
    }

    fn are_apart(&self) -> bool {
        !overlap(self.function, self.words, self.are_contiguous()) && !self.is_shared
    }

    /// Then the GIL should go at once.
    #[inline(always)]
    fn are_large(&self) -> bool {
        let arrays = || self.function.params.iter().filter(|p| p.convert == Convert::Array);
        // SAFETY: the words of all arrays are filled in.
        let bytes = |p: &Param| unsafe { size(p, self.words.add(p.word)) };
        self.on_device.is_some()
            || self.function.arrays == 0
            || self.function.has_lists
            || arrays().map(bytes).sum::<usize>() > LARGE
    }
}

impl Drop for Frame<'_> {
    fn drop(&mut self) {
        // While the arrays are there, and where PyO3 counts references.
        if self.on_device.is_some() {
            with_python(|_| self.on_device = None);
        }
        if !self.lists.is_empty() {
            lists::release(&mut self.lists);
        }
        // Nobody holds one any more.
        self.array_items.clear();
        for object in self.kept.drain(..).chain(std::mem::take(&mut self.new).into_values()) {
            // SAFETY: a count of ours, under the GIL.
            unsafe { ffi::Py_DECREF(object) };
        }
    }
}

/// An int for an int64 or float64, if it fits; no exception is set otherwise.
#[inline(always)]
unsafe fn quick_int(param: &Param, object: *mut PyObject, out: *mut u64) -> bool {
    // SAFETY: a live int, and room for a word.
    unsafe {
        let (word, suspect) = match param.convert {
            Convert::Int64 => {
                let value = ffi::PyLong_AsLongLong(object);
                (value as u64, value == -1)
            }
            Convert::Float64 => {
                let value = ffi::PyFloat_AsDouble(object);
                (value.to_bits(), value == -1.0)
            }
            _ => return false,
        };
        *out = word;
        if suspect && !ffi::PyErr_Occurred().is_null() {
            ffi::PyErr_Clear();
            return false;
        }
        true
    }
}

/// Whether the object is of exactly this type.
#[inline(always)]
pub unsafe fn exact(object: *mut PyObject, ty: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: null or alive, by the caller's promise.
    !object.is_null() && unsafe { ffi::Py_TYPE(object) == ty }
}

/// Whether an array that is written may share bytes with another one. The words of all arrays are filled in.
pub fn overlap(function: &Function, words: *const u64, is_contiguous: bool) -> bool {
    let arrays = || function.params.iter().filter(|p| p.convert == Convert::Array);
    // SAFETY: the words of all arrays are filled in.
    let extent = |p: &Param| unsafe {
        let words = words.add(p.word);
        if is_contiguous {
            contiguous_extent(p, words)
        } else {
            let rank = usize::from(p.rank);
            let axes = |first| std::slice::from_raw_parts(words.add(first).cast(), rank);
            pydd_core::array::extent(*words as usize, p.dtype.size(), axes(2), axes(2 + rank))
        }
    };
    for a in arrays().filter(|p| p.written) {
        let (begin, end) = extent(a);
        let shares = |b: &Param| {
            let other = extent(b);
            b.word != a.word && begin < other.1 && other.0 < end
        };
        if begin < end && arrays().any(shares) {
            return true;
        }
    }
    false
}

/// First byte and end of a contiguous array.
unsafe fn contiguous_extent(param: &Param, words: *const u64) -> (usize, usize) {
    // SAFETY: the array's words, by the caller's promise.
    unsafe { (*words as usize, *words as usize + size(param, words)) }
}

/// Bytes of an array's elements.
#[inline(always)]
unsafe fn size(param: &Param, words: *const u64) -> usize {
    // SAFETY: the array's words, by the caller's promise.
    let dim = |k| unsafe { *words.add(2 + k) as usize };
    (0..usize::from(param.rank)).map(dim).fold(param.dtype.size(), usize::wrapping_mul)
}
