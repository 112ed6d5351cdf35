//! The function that every kernel call from Python enters.
//!
//! Unsafe here: the C API's calling convention. Argument objects are borrowed from the caller during the call.

use crate::frame::{Failed, Frame, HeapRoom, Room, with_python};
use crate::plan::{Callable, Function};
use crate::{
    bind, device_arrays, dicts, function, host, lists, nested, overloads, raise, results, sparse, table,
};
use pydd_abi::{Ctx, Entry, LOCK_FRESH, Status, is_lock_held};
use pydd_core::spec::Guarded;
use pyo3::ffi::{self, PyObject};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// The vectorcall of a [`function`].
pub unsafe extern "C" fn entry(
    object: *mut PyObject,
    args: *const *mut PyObject,
    nargs: usize,
    kwnames: *mut PyObject,
) -> *mut PyObject {
    // The first bit says that the place before the arguments may be used, which is not needed here.
    let nargs = nargs & !(1 << (usize::BITS - 1));
    // SAFETY: CPython's calling convention.
    let call = || unsafe { dispatch(function::callable(object), args, nargs, kwnames) };
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(object)) => object,
        Ok(Err(Failed)) => ptr::null_mut(),
        Err(_) => {
            // SAFETY: under the GIL, with a constant text.
            unsafe { ffi::PyErr_SetString(ffi::PyExc_SystemError, c"pydd runtime bug: a panic".as_ptr()) };
            ptr::null_mut()
        }
    }
}

#[inline(always)]
unsafe fn dispatch(
    callable: &Callable,
    args: *const *mut PyObject,
    nargs: usize,
    kwnames: *mut PyObject,
) -> Result<*mut PyObject, Failed> {
    // SAFETY: see the file's head.
    unsafe {
        let one = &callable.versions[0];
        let plain = one.sparse.is_none() && callable.versions.len() == 1 && !one.has_keywords;
        if kwnames.is_null() && nargs == one.params.len() && plain {
            return invoke(one, args);
        }
        bound(callable, args, nargs, kwnames)
    }
}

/// Calls with keywords, defaults, wrong counts, sparse matrices, or several versions.
#[cold]
unsafe fn bound(
    callable: &Callable,
    args: *const *mut PyObject,
    nargs: usize,
    kwnames: *mut PyObject,
) -> Result<*mut PyObject, Failed> {
    // SAFETY: as in `dispatch`.
    unsafe {
        let given = bind::Given { args, nargs, kwnames };
        if let [function] = &callable.versions[..] {
            let objects = bind::bind(function, &given)?;
            return invoke_with_parts(function, &objects);
        }
        let chosen = with_python(|_| overloads::choose(callable, &given))?;
        invoke_with_parts(chosen.function, &chosen.objects)
    }
}

/// As [`invoke`], sparse matrices taken apart.
unsafe fn invoke_with_parts(function: &Function, objects: &[*mut PyObject]) -> Result<*mut PyObject, Failed> {
    let Some(visible) = &function.sparse else {
        // SAFETY: as in `dispatch`.
        return unsafe { invoke(function, objects.as_ptr()) };
    };
    let parts = sparse::Parts::of(function, visible, objects)?;
    let mut room = HeapRoom::new(function);
    let mut frame = Frame::new(function, parts.objects.as_ptr(), room.places());
    frame.sparse = &parts.callers;
    run(frame)
}

#[inline(always)]
unsafe fn invoke(function: &Function, objects: *const *mut PyObject) -> Result<*mut PyObject, Failed> {
    if !Room::fits(function) {
        return invoke_large(function, objects);
    }
    let mut room = MaybeUninit::<Room>::uninit();
    run(Frame::new(function, objects, Room::places(&mut room)))
}

/// For functions of very many parameters or results.
#[cold]
fn invoke_large(function: &Function, objects: *const *mut PyObject) -> Result<*mut PyObject, Failed> {
    let mut room = HeapRoom::new(function);
    run(Frame::new(function, objects, room.places()))
}

#[inline(always)]
fn run(mut frame: Frame) -> Result<*mut PyObject, Failed> {
    frame.fill()?;
    if frame.on_device.is_some() {
        return device_arrays::run(frame);
    }
    let code = frame.entry().code;
    execute(&mut frame, code)
}

/// Calls the kernel's code with the frame's words.
#[inline(always)]
pub fn execute(frame: &mut Frame, code: Entry) -> Result<*mut PyObject, Failed> {
    let function = frame.function;
    let early = function.releases_gil && frame.are_large();
    let mut ctx = Ctx::new(&raw const table::TABLE, function.module, pydd_core::stack::limit());
    ctx.lock = if early { host::give_lock_away() } else { LOCK_FRESH };
    // SAFETY: the words fit the spec; without the GIL the kernel touches no object.
    let status: Status = unsafe { code(&raw mut ctx, frame.words, frame.results) };
    if frame.on_device.is_some() {
        device_arrays::left(frame);
    }
    if !is_lock_held(ctx.lock) {
        host::take_lock_back(ctx.lock);
    }
    if status != 0 {
        return fail(frame, &mut ctx);
    }
    // SAFETY: the kernel filled in the results' words, each with its count.
    unsafe {
        if function.has_lists && copy_back(frame).is_err() {
            results::discard(frame);
            return Err(Failed);
        }
        results::build(frame)
    }
}

/// Puts what the kernel changed into the caller's lists, dicts and sets.
fn copy_back(frame: &mut Frame) -> Result<(), Failed> {
    lists::copy_back(&frame.lists)?;
    dicts::copy_back(frame)?;
    nested::copy_back(frame)
}

/// Lists are copied back after an exception, too.
#[cold]
fn fail(frame: &mut Frame, ctx: &mut Ctx) -> Result<*mut PyObject, Failed> {
    if copy_back(frame).is_err() {
        // SAFETY: under the GIL; the kernel's exception is the one to see.
        unsafe { ffi::PyErr_Clear() };
    }
    with_python(|py| raise::raise(py, frame.function.module, ctx));
    Err(Failed)
}
