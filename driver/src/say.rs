//! Writing to the terminal. Nobody is left to tell when it is gone: a closed pipe is no failure.

use crate::progress;
use std::fmt::Arguments;
use std::io::{ErrorKind, Result, Write};

/// Writes a text to standard output.
///
/// # Errors
/// It can't be written, though someone reads it.
pub fn output(text: &str) -> Result<()> {
    let _aside = progress::aside();
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}

/// Writes a line to standard error.
pub fn error(line: Arguments<'_>) {
    let _aside = progress::aside();
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Writes a line to standard error, from a format string.
#[macro_export]
macro_rules! say {
    ($($arguments:tt)*) => { $crate::say::error(format_args!($($arguments)*)) };
}
