//! What the core asks of Python: Ctrl-C, the GIL, exception objects.
//!
//! Unsafe here: the GIL is taken and given by hand, on threads whose state is known.

use crate::frame::with_python;
use pydd_abi::{Ctx, EXC_PYTHON};
use pydd_core::host::{Host, set};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

pub fn init() {
    set(Host { interrupted, give_lock_away, drop_exception });
}

/// Holds the GIL, whether the thread held it before or not. Not `Python::attach` alone: PyO3 does not
/// see that `call` gave the GIL away, and would take it for held.
pub struct Attached(ffi::PyGILState_STATE);

impl Attached {
    pub fn new() -> Self {
        // SAFETY: the interpreter runs, as it called the kernel.
        Self(unsafe { ffi::PyGILState_Ensure() })
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        // SAFETY: ends what `new` began, on the same thread.
        unsafe { ffi::PyGILState_Release(self.0) };
    }
}

/// Moves a Python exception into the context: an exception set on a pool thread would be lost.
pub fn keep_exception(py: Python<'_>, error: PyErr, ctx: &mut Ctx) {
    drop(pydd_core::Raised::take(ctx));
    ctx.kind = EXC_PYTHON;
    ctx.payload[0] = error.into_value(py).into_ptr() as i64;
}

fn interrupted(ctx: &mut Ctx) -> bool {
    let _attached = Attached::new();
    // SAFETY: under the GIL. Only the main thread runs handlers.
    if unsafe { ffi::PyErr_CheckSignals() } == 0 {
        return false;
    }
    with_python(|py| keep_exception(py, PyErr::fetch(py), ctx));
    true
}

/// Whether this thread holds the GIL, as code that others call may or may not.
pub fn holds_lock() -> bool {
    static CHECK: OnceLock<Option<unsafe extern "C" fn() -> c_int>> = OnceLock::new();
    // The stable ABI leaves it out, and every CPython has it.
    let check = CHECK.get_or_init(|| {
        // SAFETY: a constant name; what is found has this type in all versions.
        unsafe {
            let found = libc::dlsym(libc::RTLD_DEFAULT, c"PyGILState_Check".as_ptr());
            (!found.is_null())
                .then(|| std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> c_int>(found))
        }
    });
    // SAFETY: may be called with and without the GIL.
    check.is_some_and(|check| unsafe { check() } != 0)
}

/// Releases the GIL for the rest of a kernel's call.
pub fn give_lock_away() -> usize {
    // SAFETY: the context says that this thread holds the GIL; kernels touch no objects.
    unsafe { ffi::PyEval_SaveThread() as usize }
}

/// Takes back what [`give_lock_away`] gave.
pub fn take_lock_back(token: usize) {
    // SAFETY: the state that was saved, on the same thread.
    unsafe { ffi::PyEval_RestoreThread(token as *mut ffi::PyThreadState) };
}

fn drop_exception(object: i64) {
    let _attached = Attached::new();
    // SAFETY: under the GIL, a reference that the error owned.
    unsafe { ffi::Py_DECREF(object as *mut ffi::PyObject) };
}
