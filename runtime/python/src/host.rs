//! What the core asks of Python: Ctrl-C, the GIL, exception objects.
//!
//! Unsafe here: the GIL is taken and given by hand, on threads whose state is known.

use crate::frame::with_python;
use pydd_abi::{Ctx, EXC_PYTHON};
use pydd_core::host::{Host, set};
use pyo3::ffi;
use pyo3::prelude::*;

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
