//! The runtime for programs in C, C++ and Rust, which call kernels without Python: `libpydd`.
//!
//! `pyddc --host` makes of a `.pydd` file a library without Python and a header whose functions turn their arguments into words and call
//! [`call::pydd_call`] with the library's description. Here is what `runtime/python` is to Python: the table of functions that kernels
//! are given ([`TABLE`]), arguments and results ([`call`]), errors ([`error`]) and `print` ([`print`]). The functions named `pydd_…` are what
//! `include/pydd.h` declares; none of them lets a panic out.
//!
//! **Words here** are those of `pydd_abi::words`, but that strides count elements, and that a list is passed as an array of one axis, whose
//! elements are copied, and comes back as one, which owns the list.

mod arguments;
pub mod call;
pub mod error;
mod host;
mod number;
mod print;
mod results;

use pydd_abi::{Owner, Table};
use pydd_core::{owner, pool};

/// What kernels are given. Nothing makes modules here.
static TABLE: Table = pydd_core::table::table(Table::STUBS.module_init, print::print);

/// Gives back what a result owns; null is allowed.
///
/// # Safety
/// The `owner` of a result, once for each call that gave it and each [`pydd_retain`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pydd_release(owner: *mut Owner) {
    // SAFETY: by the caller's promise.
    unsafe { owner::release(owner) };
}

/// Keeps what a result owns for one [`pydd_release`] more; null is allowed.
///
/// # Safety
/// The `owner` of a result that was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pydd_retain(owner: *mut Owner) {
    // SAFETY: by the caller's promise.
    unsafe { owner::retain(owner) };
}

/// Sets the number of threads that parallel loops use, the calling one included; at least 1.
#[unsafe(no_mangle)]
pub extern "C" fn pydd_set_num_threads(n: i32) {
    pool::set_num_threads(usize::try_from(n).unwrap_or(1));
}

/// The number of threads that parallel loops use: `PYDD_NUM_THREADS`, or the CPUs available.
#[unsafe(no_mangle)]
pub extern "C" fn pydd_num_threads() -> i32 {
    i32::try_from(pool::num_threads()).unwrap_or(i32::MAX)
}
