//! A panic is a compiler bug: it is reported as such, and the input that shows it is saved.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Exit code of a compiler bug.
pub const EXIT_CODE: u8 = 101;

static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps panic messages for the report instead of printing them at once.
pub fn install_hook() {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = info.to_string();
        }
    }));
}

/// The message of the last panic.
#[must_use]
pub fn last_panic() -> String {
    LAST_PANIC.lock().map(|last| last.clone()).unwrap_or_default()
}

/// Reports a bug that compiling `input` shows.
pub fn report(input: &Path, source: &[u8], stage: &str, what: &str) {
    let saved = save(input, source);
    eprintln!("compiler bug {stage}: {what}");
    match saved {
        Some(path) => eprintln!("the input that shows it is saved in {}", path.display()),
        None => eprintln!("the input that shows it is {}", input.display()),
    }
    eprintln!("please report it together with `pyddc --version`");
}

fn save(input: &Path, source: &[u8]) -> Option<PathBuf> {
    let stem = input.file_stem()?.to_string_lossy();
    let path = std::env::temp_dir().join(format!("pyddc-bug-{}-{stem}.pydd", std::process::id()));
    std::fs::write(&path, source).ok()?;
    Some(path)
}
