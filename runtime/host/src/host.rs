//! What the program can have a say in: whether a kernel goes on, and where `print` goes.
//!
//! Unsafe here: the program's functions, which are called as `pydd.h` says.

use pydd_abi::{Ctx, ExcKind};
use pydd_core::errors;
use pydd_core::host::{Host, set};
use std::ffi::{c_char, c_int, c_void};
use std::sync::{Mutex, Once, PoisonError};

type Stop = unsafe extern "C" fn(data: *mut c_void) -> c_int;
type Write = unsafe extern "C" fn(text: *const c_char, length: usize, data: *mut c_void);

/// A function of the program with the pointer that it wants back.
#[derive(Clone, Copy)]
struct Callback<F> {
    function: Option<F>,
    data: *mut c_void,
}

// SAFETY: the pointer is only handed back; `pydd.h` says on which threads.
unsafe impl<F> Send for Callback<F> {}

static STOP: Mutex<Callback<Stop>> = Mutex::new(Callback { function: None, data: std::ptr::null_mut() });
static WRITE: Mutex<Callback<Write>> = Mutex::new(Callback { function: None, data: std::ptr::null_mut() });

/// What is set now: the lock is not held while it is called.
fn current<F: Copy>(of: &Mutex<Callback<F>>) -> Callback<F> {
    *of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the function that long calls ask whether to stop, at most every 50 ms, on the thread that called the kernel: where it gives
/// something else than 0 the call fails with `KeyboardInterrupt`. Null, as in the beginning: they never stop.
#[unsafe(no_mangle)]
pub extern "C" fn pydd_set_stop(function: Option<Stop>, data: *mut c_void) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| set(Host { interrupted, give_lock_away: || 0, drop_exception: |_| () }));
    *STOP.lock().unwrap_or_else(PoisonError::into_inner) = Callback { function, data };
}

/// Sets the function that gets what kernels print. Null, as in the beginning: C's `stdout` does.
#[unsafe(no_mangle)]
pub extern "C" fn pydd_set_output(function: Option<Write>, data: *mut c_void) {
    *WRITE.lock().unwrap_or_else(PoisonError::into_inner) = Callback { function, data };
}

fn interrupted(ctx: &mut Ctx) -> bool {
    let Callback { function: Some(function), data } = current(&STOP) else { return false };
    // SAFETY: the program's function, with its own pointer.
    if unsafe { function(data) } == 0 {
        return false;
    }
    errors::set(ctx, &errors::Error::new(ExcKind::KeyboardInterrupt, ""));
    true
}

/// Writes what a kernel prints.
pub fn write(text: &str) {
    let Callback { function, data } = current(&WRITE);
    // SAFETY: the program's function, with its own pointer; or C's stream, so that it keeps its order with what the program prints.
    unsafe {
        match function {
            Some(function) => function(text.as_ptr().cast(), text.len(), data),
            None => {
                libc::fwrite(text.as_ptr().cast(), 1, text.len(), stdout);
            }
        }
    }
}

unsafe extern "C" {
    static stdout: *mut libc::FILE;
}
