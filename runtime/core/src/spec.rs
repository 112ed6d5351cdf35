//! Descriptions of kernel modules: how they are read, and whether a module can run here.
//!
//! Unsafe here: a description is read through its pointers. It is a constant of a loaded module.

use crate::cpu;
use pydd_abi::{ABI_VERSION, GUARD_APART, GUARD_CONTIGUOUS, GUARD_DEVICE, ModuleSpec, Table};
use std::ffi::{CStr, c_char};

/// A C string of a spec; empty for null, and for what is not UTF-8.
///
/// # Safety
/// Null, or a C string that lives for ever.
#[must_use]
pub unsafe fn text(pointer: *const c_char) -> &'static str {
    if pointer.is_null() {
        return "";
    }
    // SAFETY: by the caller's promise.
    unsafe { CStr::from_ptr(pointer) }.to_str().unwrap_or_default()
}

/// `n` items of a spec.
///
/// # Safety
/// They live for ever.
#[must_use]
pub unsafe fn items<T>(pointer: *const T, n: u32) -> &'static [T] {
    // SAFETY: by the caller's promise.
    unsafe { crate::owner::slice(pointer, n.into()) }
}

/// The environment variable that names the best processor whose variant is taken.
const CPU_VARIABLE: &str = "PYDD_CPU";

/// The best of a module's variants that this processor runs, if this runtime, which its users call `runtime` and bring up to date by `update`,
/// has what the module needs; else why not. Of a module for another ABI nothing is read but the first two numbers and the name.
///
/// # Safety
/// A spec of some version of this ABI, which lives for ever.
pub unsafe fn admit(
    spec: *const ModuleSpec,
    runtime: &str,
    update: &str,
) -> Result<&'static ModuleSpec, String> {
    // SAFETY: these fields are first in every version of the ABI.
    let (version, size, name) = unsafe { ((*spec).abi_version, (*spec).table_size, text((*spec).name)) };
    let ours = ABI_VERSION;
    if version != ours {
        let advice = if version > ours { update } else { "compile it again with pyddc" };
        return Err(format!("'{name}' was compiled for {runtime} ABI {version}; this is {ours}: {advice}"));
    }
    if size as usize > size_of::<Table>() {
        return Err(format!("'{name}' needs functions that this {runtime} does not have: {update}"));
    }
    // SAFETY: a spec of this ABI.
    unsafe { variant(&*spec) }
}

/// The best of a module's variants that this processor runs.
unsafe fn variant(base: &'static ModuleSpec) -> Result<&'static ModuleSpec, String> {
    let limit = std::env::var(CPU_VARIABLE).ok();
    let mut best = None;
    let mut next = Some(base);
    while let Some(spec) = next {
        // SAFETY: strings of a valid spec.
        let (features, name) = unsafe { (text(spec.cpu_features), text(spec.cpu)) };
        if cpu::missing(features).is_empty() {
            best = Some(spec);
        }
        // SAFETY: another spec of the same file, or null.
        next = unsafe { spec.better.as_ref() }.filter(|_| limit.as_deref() != Some(name));
    }
    // SAFETY: strings of a valid spec.
    best.ok_or_else(|| unsafe { too_old(base) })
}

unsafe fn too_old(spec: &'static ModuleSpec) -> String {
    // SAFETY: strings of a valid spec.
    let (name, features) = unsafe { (text(spec.name), text(spec.cpu_features)) };
    let missing = cpu::missing(features);
    // What every variant of a portable module may use.
    let is_old = missing.iter().any(|feature| OF_PORTABLE.contains(feature));
    let other = if is_old { "generic" } else { "portable" };
    format!(
        "'{name}' was compiled for a CPU with {}, which this one lacks: compile it here, or with pyddc --cpu {other}",
        missing.join(", ")
    )
}

/// The features of x86-64-v2, the least processor of `--cpu portable`.
const OF_PORTABLE: [&str; 6] = ["sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "cmpxchg16b"];

/// Guards of which the runtime can tell whether they hold of a call.
const OF_CALLS: u32 = GUARD_CONTIGUOUS | GUARD_APART;

/// Whether an entry with these guards is for calls on this machine: its other guards are to be looked at for each call. Whether a device is there is asked
/// for when a module has an entry that needs one, and not before.
#[must_use]
pub fn is_for_machine(guards: u32) -> bool {
    guards & !(OF_CALLS | GUARD_DEVICE) == 0 && (guards & GUARD_DEVICE == 0 || pydd_gpu::is_wanted())
}

/// What guards are about: the arguments of a call.
pub trait Guarded {
    /// Whether all arrays are row-major without gaps, those of column-major parameters column-major, and their elements aligned.
    fn are_contiguous(&self) -> bool;
    /// Whether nothing that is written may share memory with anything else.
    fn are_apart(&self) -> bool;
    /// Whether the call may run long by what it gets: much data, or nothing that limits its loops.
    fn are_large(&self) -> bool;
}

/// Arrays of more bytes than these are large.
pub const LARGE: usize = 16 << 10;

/// Whether an entry that is [for this machine](is_for_machine) is for a call. What is small is not worth a device, where the user leaves the choice.
#[must_use]
#[inline(always)]
pub fn is_for_call(guards: u32, arguments: &impl Guarded) -> bool {
    (guards & GUARD_CONTIGUOUS == 0 || arguments.are_contiguous())
        && (guards & GUARD_APART == 0 || arguments.are_apart())
        && (guards & GUARD_DEVICE == 0 || arguments.are_large() || pydd_gpu::takes_all())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_with_guards_that_nobody_knows_are_left_out() {
        assert!(is_for_machine(0) && is_for_machine(OF_CALLS));
        assert!(!is_for_machine(1 << 31) && !is_for_machine(GUARD_DEVICE | 1 << 30));
    }
}
