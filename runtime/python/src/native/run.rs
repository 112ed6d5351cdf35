//! One run of an entry for a native caller.
//!
//! Unsafe here: words and owners of the call, and the GIL, which may be held or not.

use crate::frame::{Places, with_python};
use crate::host::{self, Attached};
use crate::plan::{Convert, Function, Param};
use crate::{frame, raise, table};
use pydd_abi::{Ctx, Entry, EntrySpec, LOCK_FRESH, Owner, is_lock_held};
use pydd_core::array;
use pydd_core::spec::{Guarded, is_for_call};
use pyo3::ffi;
use pyo3::types::PyString;
use std::cell::Cell;
use std::ffi::CStr;

thread_local! {
    /// Whether a run of this thread has left an exception set, which the caller sees only after more of them.
    static LEFT: Cell<bool> = const { Cell::new(false) };
}

/// The context of a call on this thread.
#[inline(always)]
pub fn context(function: &Function) -> Ctx {
    let mut ctx = Ctx::new(&raw const table::TABLE, function.module, pydd_core::stack::limit());
    // A loop in parallel within the kernel must not wait for threads that wait for the GIL.
    ctx.lock = if function.releases_gil && host::holds_lock() { LOCK_FRESH } else { 0 };
    ctx
}

/// Runs an entry; whether it went well. The GIL is afterwards what it was.
///
/// # Safety
/// The words fit the function's spec.
#[inline(always)]
pub unsafe fn enter(ctx: &mut Ctx, code: Entry, words: *const u64, results: *mut u64) -> bool {
    let is_held = is_lock_held(ctx.lock);
    // SAFETY: by the caller's promise; the kernel touches no object.
    let status = unsafe { code(&raw mut *ctx, words, results) };
    if is_held && !is_lock_held(ctx.lock) {
        host::take_lock_back(ctx.lock);
        ctx.lock = LOCK_FRESH;
    }
    status == 0
}

/// What becomes of an exception.
#[derive(Clone, Copy)]
pub enum Exceptions {
    /// It is set, for a caller that is told so by the result and then looks.
    Told,
    /// The result says nothing. A caller that holds the GIL was called from Python, where an exception that is set is seen when it returns; all
    /// others go on, and `sys.unraisablehook` gets it.
    Untold,
}

/// Deals with the exception that a context describes.
#[cold]
pub fn fail(function: &Function, ctx: &mut Ctx, exceptions: Exceptions) {
    let is_left = may_leave(exceptions);
    let _attached = Attached::new();
    with_python(|py| raise::raise(py, function.module, ctx));
    leave(is_left, function.name);
}

/// As [`fail`], of an exception with a text.
///
/// # Safety
/// `class` is the address of one of CPython's exception classes.
#[cold]
pub unsafe fn fail_with(
    function: &Function,
    class: *mut *mut ffi::PyObject,
    text: &CStr,
    exceptions: Exceptions,
) {
    let is_left = may_leave(exceptions);
    let _attached = Attached::new();
    // SAFETY: under the GIL, by the caller's promise.
    unsafe { ffi::PyErr_SetString(*class, text.as_ptr()) };
    leave(is_left, function.name);
}

/// Whether an exception that is set now will be seen: threads that Python does not know lose it at once.
fn may_leave(exceptions: Exceptions) -> bool {
    match exceptions {
        // SAFETY: may be called on any thread.
        Exceptions::Told => unsafe { !ffi::PyGILState_GetThisThreadState().is_null() },
        Exceptions::Untold => host::holds_lock(),
    }
}

/// Leaves the exception that is set, or gives it to `sys.unraisablehook`.
fn leave(is_left: bool, name: &str) {
    if is_left {
        return LEFT.set(true);
    }
    with_python(|py| {
        // Made while no exception is set.
        let error = pyo3::PyErr::fetch(py);
        let text = PyString::new(py, name);
        error.write_unraisable(py, Some(&text));
    });
}

/// Whether an earlier run on this thread has left an exception that nobody has seen yet.
#[inline(always)]
pub fn has_left_exception() -> bool {
    LEFT.get() && is_still_set()
}

#[cold]
fn is_still_set() -> bool {
    let _attached = Attached::new();
    // SAFETY: under the GIL.
    let is_set = unsafe { !ffi::PyErr_Occurred().is_null() };
    LEFT.set(is_set);
    is_set
}

/// Makes the owners of all arrays, whose other words are filled in, and chooses the entry.
///
/// # Safety
/// The places are those of a call of the function.
#[inline(always)]
pub unsafe fn prepare(function: &Function, places: &Places) -> Entry {
    if function.arrays == 0 {
        return function.first.code;
    }
    let arrays = || function.params.iter().filter(|p| p.convert == Convert::Array);
    for param in arrays() {
        // SAFETY: there is an owner for each array, and words for each parameter.
        unsafe {
            let (word, owner) = (places.words.add(param.word), places.owners.add(param.array));
            owner.write(Owner::new(None, *word as *mut u8, 0));
            *word.add(1) = owner as u64;
        }
    }
    let given = Given { function, places };
    let is_for_this = |entry: &&EntrySpec| is_for_call(entry.guards, &given);
    let found = if is_for_this(&&function.first) {
        Some(&function.first)
    } else {
        function.others.iter().find(is_for_this)
    };
    // The last entry has no guards.
    found.unwrap_or(&function.first).code
}

/// Arguments whose words are filled in.
struct Given<'a> {
    function: &'a Function,
    places: &'a Places,
}

impl Guarded for Given<'_> {
    #[inline(always)]
    fn are_contiguous(&self) -> bool {
        let mut arrays = self.function.params.iter().filter(|p| p.convert == Convert::Array);
        // SAFETY: by the promise of `prepare`.
        arrays.all(|param| unsafe { is_contiguous(param, self.places.words) })
    }

    fn are_apart(&self) -> bool {
        !frame::overlap(self.function, self.places.words, self.are_contiguous())
    }

    /// Who calls natively does so for a few elements at a time.
    fn are_large(&self) -> bool {
        false
    }
}

/// Whether an array lies as its parameter expects it.
unsafe fn is_contiguous(param: &Param, words: *const u64) -> bool {
    let rank = usize::from(param.rank);
    // SAFETY: an array's words.
    let (data, axes) = unsafe {
        let words = words.add(param.word);
        (*words as usize, std::slice::from_raw_parts(words.add(2).cast::<i64>(), 2 * rank))
    };
    array::is_contiguous(param.dtype, data, axes.split_at(rank), param.column_major)
}
