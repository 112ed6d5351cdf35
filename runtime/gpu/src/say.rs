//! What the user is told on stderr.
//!
//! What makes loops run elsewhere than wanted is said once for each reason. With `PYDD_LOG=gpu` there is a line for each copy, launch, allocation and refusal as well.

use std::fmt;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is said once in a process.
#[derive(Clone, Copy)]
#[repr(u32)]
pub enum Once {
    Variable = 1,
    NoDriver = 2,
    OldDriver = 4,
    Fork = 8,
    Code = 16,
    Lost = 32,
    Memory = 64,
    Library = 128,
}

static SAID: AtomicU32 = AtomicU32::new(0);

/// Says something, unless that was said before.
pub fn once(what: Once, text: fmt::Arguments<'_>) {
    if SAID.fetch_or(what as u32, Ordering::Relaxed) & what as u32 == 0 {
        line(format_args!("pydd: {text}"));
    }
}

/// The variable that lists, with commas, what is logged.
const LOG_VARIABLE: &str = "PYDD_LOG";

/// Whether `PYDD_LOG` has `gpu`.
pub fn logs() -> bool {
    static LOGS: OnceLock<bool> = OnceLock::new();
    let read = || std::env::var(LOG_VARIABLE).is_ok_and(|all| all.split(',').any(|one| one.trim() == "gpu"));
    *LOGS.get_or_init(read)
}

/// Adds a line to the log, if there is one.
pub fn log(text: fmt::Arguments<'_>) {
    if logs() {
        line(format_args!("pydd gpu: {text}"));
    }
}

/// A whole line at once, so that threads do not mix theirs; where stderr is closed there is nobody to tell.
fn line(text: fmt::Arguments<'_>) {
    let _ = std::io::stderr().lock().write_all(format!("{text}\n").as_bytes());
}
