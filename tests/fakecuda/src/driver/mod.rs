//! The driver's functions, by theme. Each locks the one state of the process, so that any thread may call any of them.

mod context;
mod copy;
mod device;
pub mod error;
mod event;
mod exit;
mod kernel;
mod memory;
mod module;
pub mod pointer;
mod pool;
pub mod queue;
mod settings;
pub mod state;
mod stream;
mod unsupported;

use error::{Error, UNKNOWN};
use state::Driver;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard};

static DRIVER: Mutex<Option<Driver>> = Mutex::new(None);

pub fn lock() -> MutexGuard<'static, Option<Driver>> {
    // A panic was reported when it happened; the state is still good enough for error codes.
    DRIVER.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Writes a line to stderr.
fn say(text: &str) {
    eprintln!("fakecuda: {text}");
}

/// What a driver function still waits for once the lock is given away: streams, and how far each must come.
type Targets = Vec<(state::Handle, u64)>;

/// What a driver function's body gives: nothing, or what to wait for.
trait Outcome {
    fn targets(self) -> Targets;
}

impl Outcome for () {
    fn targets(self) -> Targets {
        Vec::new()
    }
}

impl Outcome for Targets {
    fn targets(self) -> Targets {
        self
    }
}

/// Runs a driver function: its error becomes a code and, where there is one, a text on stderr; so does a panic.
fn call<T: Outcome>(name: &str, body: impl FnOnce(&mut Option<Driver>) -> Result<T, Error>) -> u32 {
    let result = catch_unwind(AssertUnwindSafe(|| {
        let targets = body(&mut lock())?.targets();
        if targets.is_empty() { Ok(()) } else { queue::synchronize(&targets) }
    }));
    match result {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => {
            if let Some(text) = &error.text {
                say(&format!("{name}: {text}"));
            }
            error.code
        }
        Err(_) => {
            say(&format!("{name}: a panic within fakecuda, see above"));
            UNKNOWN
        }
    }
}

/// A function that waits, without the lock, before it does its work.
fn call_in_two(
    name: &str,
    wait: impl FnOnce(&mut Driver) -> Result<Targets, Error>,
    body: impl FnOnce(&mut Driver) -> Result<(), Error>,
) -> u32 {
    let waited = call(name, |state| wait(state.as_mut().ok_or(NO_STATE)?));
    if waited != 0 {
        return waited;
    }
    call(name, |state| body(state.as_mut().ok_or(NO_STATE)?))
}

const NO_STATE: Error = Error { code: error::NOT_INITIALIZED, text: None };

/// Exports functions of the C interface. Their bodies see the driver, once `cuInit` was called.
macro_rules! driver_functions {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),*) |$driver:ident| $body:block)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)] // CUDA's name
        pub extern "C" fn $name($($arg: $ty),*) -> u32 {
            $crate::driver::call(stringify!($name), |state| {
                let Some($driver) = state.as_mut() else { return $crate::driver::error::fail($crate::driver::error::NOT_INITIALIZED) };
                $body
            })
        }
    )*};
}
use driver_functions;
