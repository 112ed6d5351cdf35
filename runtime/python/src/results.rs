//! The kernel's result words as Python objects.
//!
//! Every array and list result comes with one count, which goes to the object that is made, or back.
//!
//! Unsafe here: words are read as the spec types them; arrays are made over memory whose owner the
//! array's base keeps alive.

use crate::columns::{self, Item};
use crate::frame::{Failed, Frame};
use crate::numpy_api::{Interface, WRITEABLE, get};
use crate::{device_arrays, objects, scalars};
use numpy::npyffi::{PY_ARRAY_API, PyArrayObject};
use pydd_abi::{DTypeCode, List, Owner, TypeKind, TypeSpec, words};
use pydd_core::owner::release;
use pydd_core::spec::items;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use std::ffi::{CStr, c_char, c_int};
use std::ptr;

const OWNER: &CStr = c"pydd owner";

/// The object that the call returns.
///
/// # Safety
/// The kernel succeeded, so that its result words are filled in. Under the GIL.
#[inline(always)]
pub unsafe fn build(frame: &mut Frame) -> Result<*mut PyObject, Failed> {
    let ty = &frame.function.spec.result;
    if frame.on_device.is_some() {
        let mut arrays = Vec::new();
        // SAFETY: by the caller's promise.
        unsafe { own_arrays(ty, frame.results, &mut arrays) };
        if let Err(failed) = device_arrays::begin_results(frame, &arrays) {
            // SAFETY: as above.
            unsafe { discard(frame) };
            return Err(failed);
        }
    }
    // SAFETY: by the caller's promise.
    let object = unsafe {
        let word = frame.results;
        match ty.kind {
            TypeKind::Scalar => scalars::to_object(ty.dtype, ty.weak != 0, word),
            _ if frame.returns_nothing() => {
                let none = ffi::Py_None();
                ffi::Py_IncRef(none);
                none
            }
            _ => value(frame, ty, word),
        }
    };
    if object.is_null() { Err(Failed) } else { Ok(object) }
}

/// Gives the counts of all results back.
///
/// # Safety
/// As for [`build`].
#[cold]
pub unsafe fn discard(frame: &mut Frame) {
    // SAFETY: by the caller's promise.
    unsafe { discard_value(&frame.function.spec.result, frame.results) };
}

unsafe fn discard_value(ty: &TypeSpec, word: *const u64) {
    // SAFETY: words as the spec types them.
    unsafe {
        match ty.kind {
            TypeKind::Array => release(*word.add(1) as *mut Owner),
            TypeKind::List | TypeKind::Dict | TypeKind::Set | TypeKind::Tuples | TypeKind::Lists => {
                objects::discard(ty, word);
            }
            TypeKind::Maybe => {
                items(ty.items, ty.n_items).iter().for_each(|value| discard_value(value, word.add(1)));
            }
            TypeKind::Tuple | TypeKind::Sparse => {
                let mut at = word;
                for item in items(ty.items, ty.n_items) {
                    discard_value(item, at);
                    at = at.add(words::of(item));
                }
            }
            TypeKind::None | TypeKind::Constant | TypeKind::Scalar | TypeKind::Either | TypeKind::Str => {}
        }
    }
}

/// The arrays of a result: type and words of each.
unsafe fn own_arrays(
    ty: &'static TypeSpec,
    word: *const u64,
    found: &mut Vec<(DTypeCode, usize, *const u64)>,
) {
    // SAFETY: words as the spec types them.
    unsafe {
        match ty.kind {
            TypeKind::Array => found.push((ty.dtype, usize::from(ty.rank), word)),
            TypeKind::Maybe if *word != 0 => own_arrays(&*ty.items, word.add(1), found),
            TypeKind::Tuple | TypeKind::Sparse => {
                let mut at = word;
                for item in items(ty.items, ty.n_items) {
                    own_arrays(item, at, found);
                    at = at.add(words::of(item));
                }
            }
            TypeKind::Tuples | TypeKind::Lists | TypeKind::Dict => {
                let lists: Vec<*mut List> = (0..words::of(ty)).map(|i| *word.add(i) as *mut List).collect();
                let mut column = 0;
                for item in columns::items(ty) {
                    held_arrays(Item::new(item), &lists, &mut column, found);
                }
            }
            _ => {}
        }
    }
}

/// As [`own_arrays`], of items in lists, which begin at `column`.
unsafe fn held_arrays(
    item: Item,
    lists: &[*mut List],
    column: &mut usize,
    found: &mut Vec<(DTypeCode, usize, *const u64)>,
) {
    // SAFETY: live lists, of such items.
    unsafe {
        match item {
            Item::Tuple(types) => {
                types.iter().for_each(|ty| held_arrays(Item::new(ty), lists, column, found));
            }
            Item::One(ty) => {
                let own = &lists[*column..*column + words::parts(ty)];
                *column += own.len();
                let count = if ty.kind == TypeKind::Scalar { 0 } else { columns::length(own) };
                for i in 0..count {
                    let parts: Vec<_> = own.iter().map(|&list| pydd_core::list::inner(&*list)[i]).collect();
                    match ty.kind {
                        TypeKind::Array => {
                            let words = pydd_core::list::array_words(parts[0].cast());
                            found.push((ty.dtype, usize::from(ty.rank), words));
                        }
                        _ => own_arrays(ty, parts.as_ptr().cast(), found),
                    }
                }
            }
        }
    }
}

/// An object of a result, or of a part of one; null with an exception set on failure.
///
/// # Safety
/// Words as the spec types them, whose counts are taken over; under the GIL.
pub unsafe fn value(frame: &mut Frame, ty: &'static TypeSpec, word: *const u64) -> *mut PyObject {
    // SAFETY: words as the spec types them, under the GIL.
    unsafe {
        match ty.kind {
            TypeKind::None | TypeKind::Constant => none(),
            TypeKind::Maybe if *word == 0 => {
                discard_value(ty, word);
                none()
            }
            TypeKind::Maybe => value(frame, &*ty.items, word.add(1)),
            TypeKind::Scalar => scalars::to_object(ty.dtype, ty.weak != 0, word),
            TypeKind::Either => scalars::either_to_object(ty, word),
            TypeKind::Str => ffi::PyUnicode_FromString(*word as *const c_char),
            TypeKind::Tuple => tuple(frame, ty, word),
            TypeKind::List | TypeKind::Dict | TypeKind::Set | TypeKind::Tuples | TypeKind::Lists => {
                objects::of_result(frame, ty, word)
            }
            TypeKind::Sparse => sparse(frame, ty, word),
            TypeKind::Array => array(frame, ty, word),
        }
    }
}

unsafe fn none() -> *mut PyObject {
    // SAFETY: under the GIL.
    unsafe {
        let none = ffi::Py_None();
        ffi::Py_IncRef(none);
        none
    }
}

unsafe fn tuple(frame: &mut Frame, ty: &'static TypeSpec, mut word: *const u64) -> *mut PyObject {
    // SAFETY: as in `value`. After a failure the remaining counts are given back.
    unsafe {
        let types = items(ty.items, ty.n_items);
        let is_list = ty.weak != 0;
        let count = types.len() as isize;
        let out = if is_list { ffi::PyList_New(count) } else { ffi::PyTuple_New(count) };
        let mut failed = out.is_null();
        for (i, item) in types.iter().enumerate() {
            if failed {
                discard_value(item, word);
            } else {
                let object = value(frame, item, word);
                failed = object.is_null();
                if !failed && is_list {
                    ffi::PyList_SetItem(out, i as isize, object);
                } else if !failed {
                    ffi::PyTuple_SetItem(out, i as isize, object);
                }
            }
            word = word.add(words::of(item));
        }
        if failed {
            ffi::Py_XDECREF(out);
            return ptr::null_mut();
        }
        out
    }
}

/// A parameter comes back as the caller's own matrix.
unsafe fn sparse(frame: &mut Frame, ty: &'static TypeSpec, word: *const u64) -> *mut PyObject {
    // SAFETY: as in `tuple`, which makes a tuple of the five parts.
    unsafe {
        // A matrix of SciPy's is made of arrays of NumPy's.
        frame.on_device.iter_mut().for_each(|on_device| on_device.is_for_host = true);
        let parts = tuple(frame, ty, word);
        frame.on_device.iter_mut().for_each(|on_device| on_device.is_for_host = false);
        if parts.is_null() {
            return parts;
        }
        let part = |i: isize| ffi::PyTuple_GetItem(parts, i);
        let same = |&&(first, _): &&(usize, *mut PyObject)| {
            (0..3).all(|i| frame.object(first + i) == part(i as isize))
                && [3, 4].iter().all(|&i| {
                    let param = &frame.function.params[first + i];
                    *frame.words.add(param.word) == *word.add(param.word - frame.function.params[first].word)
                })
        };
        // Arguments are in rows: the same arrays in columns are the transposed matrix.
        let rows = ty.rank & pydd_abi::SPARSE_CSC == 0;
        let object = match frame.sparse.iter().find(|argument| rows && same(argument)) {
            Some(&(_, caller)) => {
                ffi::Py_IncRef(caller);
                caller
            }
            None => crate::sparse::to_object(
                ty,
                std::array::from_fn(|i| {
                    let object = part(i as isize);
                    ffi::Py_IncRef(object);
                    object
                }),
            ),
        };
        ffi::Py_DECREF(parts);
        object
    }
}

unsafe fn array(frame: &mut Frame, ty: &TypeSpec, word: *const u64) -> *mut PyObject {
    // SAFETY: an array's words, with one count of the owner for us (arguments' owners need none).
    unsafe {
        let owner = *word.add(1) as *mut Owner;
        if owner.is_null() {
            return copy(ty, word);
        }
        match frame.parameter_of(owner) {
            Some(parameter) => of_argument(frame, parameter, ty, word),
            None if !(*owner).object.is_null() => of_item((*owner).object.cast(), ty, word),
            None => {
                let base = ffi::PyCapsule_New(owner.cast(), OWNER.as_ptr(), Some(drop_owner));
                if base.is_null() {
                    release(owner);
                    return base;
                }
                let writeable = if ty.weak == 0 { WRITEABLE } else { 0 };
                let array = with_base(ty.dtype, usize::from(ty.rank), word, writeable, base);
                if frame.on_device.is_some() { device_arrays::result(frame, array) } else { array }
            }
        }
    }
}

/// The caller's array itself if it is returned whole, a view of it otherwise.
unsafe fn of_argument(frame: &mut Frame, parameter: usize, ty: &TypeSpec, word: *const u64) -> *mut PyObject {
    let param = &frame.function.params[parameter];
    let object = frame.object(parameter);
    let of_device = frame.on_device.as_ref().and_then(|on_device| on_device.object(parameter));
    // SAFETY: the argument's words and object are alive.
    unsafe {
        let argument = frame.words.add(param.word);
        ffi::Py_IncRef(object);
        let may_write = ty.weak == 0;
        // A part of a matrix is a copy.
        let is_for_host = frame.on_device.as_ref().is_some_and(|on_device| on_device.is_for_host);
        if may_write
            && !(is_for_host && of_device.is_some())
            && param.dtype == ty.dtype
            && param.rank == ty.rank
            && same_array(word, argument, ty.rank)
        {
            let Some(caller) = of_device else { return object };
            ffi::Py_DECREF(object);
            ffi::Py_IncRef(caller);
            return caller;
        }
        let writeable = if may_write && (param.written || is_writeable(object)) { WRITEABLE } else { 0 };
        let view = with_base(ty.dtype, usize::from(ty.rank), word, writeable, object);
        if of_device.is_some() { device_arrays::result(frame, view) } else { view }
    }
}

/// As [`of_argument`], of an array in a list that was passed.
unsafe fn of_item(object: *mut PyObject, ty: &TypeSpec, word: *const u64) -> *mut PyObject {
    // SAFETY: the object is alive as long as the frame is.
    unsafe {
        let array = Bound::from_borrowed_ptr(Python::assume_attached(), object);
        ffi::Py_IncRef(object);
        if let Ok(Interface { data, dims, strides, dtype, .. }) = Interface::of(&array)
            && dtype == Some(ty.dtype)
            && dims.len() == usize::from(ty.rank)
        {
            let numbers = dims.iter().chain(&strides).map(|&n| n as u64);
            let own: Vec<u64> = [data as u64, 0].into_iter().chain(numbers).collect();
            if same_array(word, own.as_ptr(), ty.rank) {
                return object;
            }
        }
        let writeable = if is_writeable(object) { WRITEABLE } else { 0 };
        with_base(ty.dtype, usize::from(ty.rank), word, writeable, object)
    }
}

/// Same data and dimensions, and the same strides where there is a step to take.
unsafe fn same_array(a: *const u64, b: *const u64, rank: u8) -> bool {
    let rank = usize::from(rank);
    // SAFETY: an array's words each.
    unsafe {
        let dim = |k: usize| *a.add(2 + k);
        let empty = (0..rank).any(|k| dim(k) == 0);
        let stride = |w: *const u64, k: usize| *w.add(2 + rank + k);
        *a == *b
            && (0..rank)
                .all(|k| dim(k) == *b.add(2 + k) && (empty || dim(k) == 1 || stride(a, k) == stride(b, k)))
    }
}

unsafe fn is_writeable(object: *mut PyObject) -> bool {
    // SAFETY: a live ndarray, under the GIL; the fields are read only where the self-test found them.
    unsafe {
        if crate::numpy_api::fields() {
            return (*object.cast::<PyArrayObject>()).fields.flags & WRITEABLE != 0;
        }
        let array = Bound::from_borrowed_ptr(Python::assume_attached(), object);
        let flag = array.getattr("flags").and_then(|f| f.getattr("writeable"));
        flag.and_then(|f| f.is_truthy()).unwrap_or(false)
    }
}

/// An array over memory that `base`, whose reference is taken over, keeps alive.
unsafe fn with_base(
    dtype: DTypeCode,
    rank: usize,
    word: *const u64,
    flags: c_int,
    base: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: an array's words; the references go where NumPy takes them.
    unsafe {
        let array = over(dtype, rank, word, flags);
        if array.is_null() {
            ffi::Py_DECREF(base);
            return array;
        }
        let py = Python::assume_attached();
        if PY_ARRAY_API.PyArray_SetBaseObject(py, array.cast(), base) != 0 {
            ffi::Py_DECREF(array);
            return ptr::null_mut();
        }
        array
    }
}

/// An array over memory that nothing keeps alive.
unsafe fn over(dtype: DTypeCode, rank: usize, word: *const u64, flags: c_int) -> *mut PyObject {
    // SAFETY: an array's words, under the GIL; NumPy takes over the descriptor's reference.
    unsafe {
        let descr = get().descr(dtype);
        ffi::Py_IncRef(descr.cast());
        let dims = word.add(2).cast_mut().cast::<isize>();
        PY_ARRAY_API.PyArray_NewFromDescr(
            Python::assume_attached(),
            get().array_type,
            descr,
            rank as c_int,
            dims,
            dims.add(rank),
            (*word as *mut u8).cast(),
            flags,
            ptr::null_mut(),
        )
    }
}

/// A new array with the elements of one whose memory has no owner.
unsafe fn copy(ty: &TypeSpec, word: *const u64) -> *mut PyObject {
    // SAFETY: as in `array`.
    unsafe { copy_of(ty.dtype, usize::from(ty.rank), word) }
}

/// A copy as an ndarray of the array with the given words; null with an exception set on failure.
///
/// # Safety
/// The words of a live array, under the GIL.
pub unsafe fn copy_of(dtype: DTypeCode, rank: usize, word: *const u64) -> *mut PyObject {
    // SAFETY: by the caller's promise; the array without a base ends here.
    unsafe {
        let array = over(dtype, rank, word, 0);
        if array.is_null() {
            return array;
        }
        let order = numpy::npyffi::NPY_ORDER::NPY_CORDER;
        let out = PY_ARRAY_API.PyArray_NewCopy(Python::assume_attached(), array.cast(), order);
        ffi::Py_DECREF(array);
        out
    }
}

unsafe extern "C" fn drop_owner(capsule: *mut PyObject) {
    // SAFETY: a capsule of `array`, whose count of the owner ends with it.
    unsafe { release(ffi::PyCapsule_GetPointer(capsule, OWNER.as_ptr()).cast()) };
}
