//! The function that every call of a kernel enters.
//!
//! Unsafe here: words that the generated headers lay out by the module's description, whose fingerprint is in the symbol by which they
//! find it.

use crate::TABLE;
use crate::arguments::Arguments;
use crate::error::Failure;
use crate::results::{self, Results};
use pydd_abi::{Ctx, Entry, EntrySpec, ExcKind, FunctionSpec, ModuleSpec};
use pydd_core::spec::{admit, is_for_call, is_for_machine, items, text};
use pydd_core::stack;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Calls a function of a module. Gives 0, or the kind of the exception that [`crate::error::pydd_last_error`] tells of; then nothing is
/// written to `results`.
///
/// # Safety
/// `module` is a module's description, `function` the place of a function in it, `args` are the words of its arguments, and `results` has room
/// for those of its results. Arrays are alive, and written only by this call where it writes them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pydd_call(
    module: *const ModuleSpec,
    function: u32,
    args: *const u64,
    results: *mut u64,
) -> i32 {
    // SAFETY: by the caller's promise.
    let run = || unsafe { call(module, function, args, results) };
    let bug = |_| Err(Failure::of_call(ExcKind::SystemError, "", "pydd runtime bug: a panic".to_owned()));
    match catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(bug) {
        Ok(()) => 0,
        Err(failure) => failure.keep(),
    }
}

unsafe fn call(
    module: *const ModuleSpec,
    function: u32,
    args: *const u64,
    out: *mut u64,
) -> Result<(), Failure> {
    // SAFETY: by the caller's promise.
    let module = unsafe { admitted(module)? };
    // SAFETY: a valid spec.
    let functions = unsafe { items(module.functions, module.n_functions) };
    let Some(function) = functions.get(function as usize) else {
        let text = "the module has no such function: its header is another's".to_owned();
        return Err(Failure::of_call(ExcKind::ImportError, "", text));
    };
    // SAFETY: by the caller's promise.
    let arguments = unsafe { Arguments::new(function, args) };
    // SAFETY: a string of the spec.
    let refused = |(kind, why)| Failure::of_call(kind, unsafe { text(function.name) }, why);
    let arguments = arguments.map_err(refused)?;
    let mut words = vec![0; function.ret_words as usize];
    let mut ctx = Ctx::new(&raw const TABLE, module, stack::limit());
    let code = code(function, &arguments);
    // SAFETY: the words fit the spec.
    let status = unsafe { code(&raw mut ctx, arguments.words(), words.as_mut_ptr()) };
    if status != 0 {
        // SAFETY: the context of this call.
        return Err(unsafe { Failure::of_kernel(module, &mut ctx) });
    }
    // SAFETY: the kernel filled in the results' words, each with its count; there is room for them.
    let results = unsafe { Results::convert(&arguments, &function.result, &words) };
    let results = results.map_err(refused)?;
    // SAFETY: by the caller's promise.
    unsafe { ptr::copy_nonoverlapping(results.as_ptr(), out, results::words(&function.result)) };
    Ok(())
}

/// The first entry whose guards all hold.
fn code(function: &FunctionSpec, arguments: &Arguments) -> Entry {
    // SAFETY: a valid spec, whose last entry has no guards.
    let entries = unsafe { items(function.entries, function.n_entries) };
    let holds = |entry: &&EntrySpec| is_for_machine(entry.guards) && is_for_call(entry.guards, arguments);
    entries.iter().find(holds).unwrap_or(&entries[entries.len() - 1]).code
}

/// A module that was found to run here.
struct Admitted {
    /// Its description, as programs know it.
    base: *const ModuleSpec,
    /// That of its variant for this processor.
    module: &'static ModuleSpec,
    next: *mut Self,
}

/// The modules that were found to run here, the last one first.
static ADMITTED: AtomicPtr<Admitted> = AtomicPtr::new(ptr::null_mut());

/// The module, if it can run here; that is found out at its first call.
unsafe fn admitted(module: *const ModuleSpec) -> Result<&'static ModuleSpec, Failure> {
    let first = ADMITTED.load(Ordering::Acquire);
    let mut known = first;
    // SAFETY: what is in the list stays for ever.
    while let Some(one) = unsafe { known.as_ref() } {
        if ptr::eq(one.base, module) {
            return Ok(one.module);
        }
        known = one.next;
    }
    // SAFETY: by the caller's promise.
    let found = unsafe { admit(module, "libpydd", "use the libpydd that came with that pyddc") };
    let base = module;
    let module = found.map_err(|why| Failure::of_call(ExcKind::ImportError, "", why))?;
    let new = Box::into_raw(Box::new(Admitted { base, module, next: first }));
    // Where another thread was first the module is found again at its next call.
    if ADMITTED.compare_exchange(first, new, Ordering::AcqRel, Ordering::Acquire).is_err() {
        // SAFETY: not in the list.
        drop(unsafe { Box::from_raw(new) });
    }
    Ok(module)
}
