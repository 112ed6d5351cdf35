//! `print`, through Python's own, so that text and target are the same.
//!
//! Unsafe here: items that generated code passes, under a GIL that is taken here.

use crate::frame::with_python;
use crate::host::{Attached, keep_exception};
use crate::{lists, results, scalars};
use pydd_abi::{ArrayRef, Ctx, List, PrintItem, Status, TypeKind, words};
use pydd_core::array::Array;
use pydd_core::owner;
use pydd_core::spec::text;
use pyo3::exceptions::PySystemError;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The table's `print`.
///
/// # Safety
/// `n` valid items; strings are null or C strings.
pub unsafe extern "C" fn print(
    ctx: *mut Ctx,
    items: *const PrintItem,
    n: i64,
    sep: *const c_char,
    end: *const c_char,
) -> Status {
    let _attached = Attached::new();
    with_python(|py| {
        let run = || {
            // SAFETY: `n` items and the strings are valid, by the caller's promise.
            unsafe { print_items(py, owner::slice(items, n), sep, end) }
        };
        let panicked = |_| Err(PySystemError::new_err("pydd runtime bug: a panic in print"));
        // `sys.stdout` may be anything.
        let run = || pydd_core::device::apart(run);
        match catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(panicked) {
            Ok(()) => 0,
            Err(error) => {
                // SAFETY: this call's context.
                keep_exception(py, error, unsafe { &mut *ctx });
                1
            }
        }
    })
}

unsafe fn print_items(
    py: Python<'_>,
    items: &[PrintItem],
    sep: *const c_char,
    end: *const c_char,
) -> PyResult<()> {
    let mut objects = Vec::with_capacity(items.len());
    for item in items {
        // SAFETY: a valid item; null means that an exception is set.
        let object = unsafe { Bound::from_owned_ptr_or_err(py, object(py, item))? };
        if item.format.is_null() {
            objects.push(object);
        } else {
            // SAFETY: a C string of the module.
            let format = unsafe { text(item.format) };
            objects.push(object.call_method1("__format__", (format,))?);
        }
    }
    let options = PyDict::new(py);
    for (name, value) in [("sep", sep), ("end", end)] {
        if !value.is_null() {
            // SAFETY: a C string of the module.
            options.set_item(name, unsafe { text(value) })?;
        }
    }
    let print = py.import("builtins")?.getattr("print")?;
    print.call(PyTuple::new(py, objects)?, Some(&options))?;
    Ok(())
}

/// A new reference to the item's object.
unsafe fn object(py: Python<'_>, item: &PrintItem) -> *mut PyObject {
    let word = item.words.as_ptr();
    // SAFETY: words as the item's kind says.
    unsafe {
        match item.kind {
            TypeKind::Scalar => scalars::to_object(item.dtype, item.weak != 0, word),
            TypeKind::Str => {
                text(*word as *const c_char).into_pyobject(py).map_or(std::ptr::null_mut(), Bound::into_ptr)
            }
            TypeKind::List => lists::to_object_from(&*(*word as *const List), 0),
            TypeKind::Array => array(&*(*word as *const ArrayRef)),
            TypeKind::None
            | TypeKind::Constant
            | TypeKind::Tuple
            | TypeKind::Either
            | TypeKind::Maybe
            | TypeKind::Sparse
            | TypeKind::Dict
            | TypeKind::Set
            | TypeKind::Tuples
            | TypeKind::Lists => py.None().into_ptr(),
        }
    }
}

unsafe fn array(item: &ArrayRef) -> *mut PyObject {
    // SAFETY: a valid array.
    let array = unsafe { Array::new(item) };
    let rank = array.dims.len();
    let mut all = vec![0u64; words::array(rank)];
    all[0] = array.data as u64;
    for k in 0..rank {
        all[2 + k] = array.dims[k] as u64;
        all[2 + rank + k] = array.strides[k] as u64;
    }
    // SAFETY: the words of a live array. A copy, as Python code may keep what it prints.
    unsafe { results::copy_of(array.dtype, rank, all.as_ptr()) }
}
