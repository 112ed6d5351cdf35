//! Calls by code that fills in words itself, as machine code of Numba's does.
//!
//! Unsafe here: the caller's words.

use super::run::{self, Exceptions};
use super::version;
use crate::frame::{HeapRoom, Room};
use crate::plan::Function;
use pyo3::ffi;
use pyo3::prelude::*;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `int32_t call(void *function, uint64_t *words, uint64_t *results)`: runs a function on words, in which owners of arrays are left out. Gives 0,
/// or -1 with a Python exception set; on a thread that Python does not know `sys.unraisablehook` has it.
unsafe extern "C" fn call(function: *const Function, words: *mut u64, results: *mut u64) -> i32 {
    // SAFETY: what `_words_entry` gave.
    let function = unsafe { &*function };
    // SAFETY: by the caller's promise.
    let run = || unsafe { run_on(function, words, results) };
    let is_well = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let text = c"pydd runtime bug: a panic";
        // SAFETY: one of CPython's classes.
        unsafe { run::fail_with(function, &raw mut ffi::PyExc_SystemError, text, Exceptions::Told) };
        false
    });
    if is_well { 0 } else { -1 }
}

unsafe fn run_on(function: &Function, words: *mut u64, results: *mut u64) -> bool {
    let mut room = MaybeUninit::<Room>::uninit();
    let mut large = None;
    let mut places = if Room::fits(function) {
        Room::places(&mut room)
    } else {
        large.insert(HeapRoom::new(function)).places()
    };
    (places.words, places.results) = (words, results);
    let mut ctx = run::context(function);
    // SAFETY: the caller's words are those of the function, and there is room for its results.
    let is_well = unsafe {
        let code = run::prepare(function, &places);
        run::enter(&mut ctx, code, places.words, places.results)
    };
    if !is_well {
        run::fail(function, &mut ctx, Exceptions::Told);
    }
    is_well
}

/// The address of [`call`], and what it takes for this version of a function.
#[pyfunction]
pub fn _words_entry(function: &Bound<'_, PyAny>, index: usize) -> PyResult<(usize, usize)> {
    let function = version(function, index)?;
    Ok((call as *const () as usize, std::ptr::from_ref(function) as usize))
}
