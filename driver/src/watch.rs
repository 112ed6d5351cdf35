//! `pyddc watch`: compiles files again whenever they change.

use crate::options::Options;
use crate::say;
use crate::session::{self, Outcome, check_usage, compile_file};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How often files are looked at. What a person changes is compiled at once for all that they can tell.
const PERIOD: Duration = Duration::from_millis(100);

/// What changes when a file is written or another takes its place; `None` where there is none.
type Stamp = Option<(u64, u64, i64, i64, u64)>;

fn stamp(path: &Path) -> Stamp {
    let found = path.metadata().ok()?;
    Some((found.dev(), found.ino(), found.mtime(), found.mtime_nsec(), found.len()))
}

/// Compiles each file, and again when it changes, until the process is interrupted. Ends at once where the usage is wrong.
#[must_use]
pub fn run(files: &[PathBuf], options: &Options) -> ExitCode {
    let usage = check_usage(files, options);
    let missing = || files.iter().find_map(|file| session::read(file).err());
    if let Some(message) = usage.err().or_else(missing) {
        say!("pyddc: {message}");
        return ExitCode::from(2);
    }
    let mut known: Vec<Stamp> = files.iter().map(|file| stamp(file)).collect();
    files.iter().for_each(|file| compile(file, options));
    loop {
        std::thread::sleep(PERIOD);
        for (file, known) in files.iter().zip(&mut known) {
            if let Some(changed) = settled(file, *known) {
                *known = changed;
                compile(file, options);
            }
        }
    }
}

/// The stamp of a file that has changed and is not being written any more.
fn settled(file: &Path, known: Stamp) -> Option<Stamp> {
    let mut seen = stamp(file);
    if seen == known {
        return None;
    }
    // Editors write in parts, and take a file away before the new one is there.
    for _ in 0..50 {
        std::thread::sleep(PERIOD / 2);
        let now = stamp(file);
        if now == seen && now.is_some() {
            break;
        }
        seen = now;
    }
    (seen != known).then_some(seen)
}

fn compile(file: &Path, options: &Options) {
    let started = Instant::now();
    match compile_file(file, options) {
        Outcome::Done(made) => {
            let made = made.map(|target| format!(", {}", target.display())).unwrap_or_default();
            say!("{}: compiled in {} ms{made}", file.display(), started.elapsed().as_millis());
        }
        // The diagnostics, or the report of a bug, say all.
        Outcome::Rejected | Outcome::Bug => {}
        Outcome::Usage(message) => say!("pyddc: {message}"),
    }
}
