//! A panic is a compiler bug: it is reported as such, and the input that shows it is saved.

use crate::say;
use pydd_frontend::stack::on_big_stack;
use std::panic::{AssertUnwindSafe, catch_unwind};
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

/// Works on an input with a large stack. A panic is reported, and nothing of the work is used.
pub fn guard<R: Send>(input: &Path, source: &[u8], work: impl FnOnce() -> R + Send) -> Option<R> {
    // What `work` can reach is dropped or never looked at again after a panic.
    match catch_unwind(AssertUnwindSafe(|| on_big_stack(work))) {
        Ok(result) => Some(result),
        Err(_) => {
            report_panic(input, source, "(panic)");
            None
        }
    }
}

/// Reports the last panic as a bug that `input` shows.
pub fn report_panic(input: &Path, source: &[u8], stage: &str) {
    let message = LAST_PANIC.lock().map(|last| last.clone()).unwrap_or_default();
    report(input, source, stage, &message);
}

/// Reports a bug that compiling `input` shows.
pub fn report(input: &Path, source: &[u8], stage: &str, what: &str) {
    say!(
        "{}",
        text(stage, what, &save(input, source, &std::env::temp_dir()).unwrap_or_else(|| input.to_owned()))
    );
}

fn text(stage: &str, what: &str, saved: &Path) -> String {
    format!(
        "compiler bug {stage}: {what}\nthe input that shows it is saved in {}\n\
         please report it together with `pyddc --version`",
        saved.display()
    )
}

fn save(input: &Path, source: &[u8], folder: &Path) -> Option<PathBuf> {
    let stem = input.file_stem()?.to_string_lossy();
    let extension = input.extension().map_or("pydd".into(), |e| e.to_string_lossy());
    let path = folder.join(format!("pyddc-bug-{}-{stem}.{extension}", std::process::id()));
    std::fs::write(&path, source).ok()?;
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_input_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let saved = save(Path::new("a/kernel.pydd"), b"x = 1\n", folder.path()).unwrap();
        assert_eq!(std::fs::read(&saved).unwrap(), b"x = 1\n");
        assert!(saved.display().to_string().ends_with("-kernel.pydd"));
        let told = text("after pass 'licm'", "rule 5", &saved);
        assert!(
            told.starts_with("compiler bug after pass 'licm': rule 5\nthe input that shows it is saved in ")
        );
        assert!(told.contains(&saved.display().to_string()));
    }

    #[test]
    fn a_panic_ends_nothing_else() {
        assert_eq!(
            guard(Path::new("bug.pydd"), b"", || panic!("a test of the report of panics")),
            None::<()>
        );
        let saved = std::env::temp_dir().join(format!("pyddc-bug-{}-bug.pydd", std::process::id()));
        assert!(std::fs::remove_file(saved).is_ok());
        assert_eq!(guard(Path::new("fine.pydd"), b"", || 7), Some(7));
    }
}
