//! `harness fuzz --seeds A..B`: runs seeds, keeps a ledger of them, shrinks and saves what fails.

use super::build;
use super::shrink::shrink;
use super::tree::Program;
use crate::{files, run_case};
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;

/// Candidates tried for one failure.
const SHRINK_STEPS: usize = 400;

/// All that is wrong with a program.
///
/// # Errors
/// A file can't be written.
pub fn check(program: &Program) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join(format!("seed_{}.pydd", program.seed));
    std::fs::write(&path, program.text()).map_err(|e| e.to_string())?;
    Ok(run_case::check(&path))
}

/// The command.
#[must_use]
pub fn main(arguments: &[String]) -> ExitCode {
    match arguments {
        [option, range] if option == "--seeds" => match parse_range(range) {
            Some(range) => run(range),
            None => usage(),
        },
        [option, seed] if option == "--print" => match seed.parse() {
            Ok(seed) => {
                print!("{}", build::program(seed).text());
                ExitCode::SUCCESS
            }
            Err(_) => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: harness fuzz --seeds FIRST..END | --print SEED");
    ExitCode::from(2)
}

fn parse_range(text: &str) -> Option<Range<u64>> {
    let (first, end) = text.split_once("..")?;
    Some(first.parse().ok()?..end.parse().ok()?)
}

/// Seeds that were run, a line each, so that a long run can be resumed.
struct Ledger {
    path: PathBuf,
    done: BTreeSet<u64>,
}

impl Ledger {
    fn open() -> Result<Self, String> {
        let folder = files::root().join("build/fuzz");
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let path = folder.join("ledger.txt");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let done = text.lines().filter_map(|l| l.strip_suffix(" passed")?.parse().ok()).collect();
        Ok(Self { path, done })
    }

    fn note(&self, seed: u64, how: &str) -> Result<(), String> {
        let file = OpenOptions::new().create(true).append(true).open(&self.path);
        file.and_then(|mut f| writeln!(f, "{seed} {how}")).map_err(|e| e.to_string())
    }
}

fn run(range: Range<u64>) -> ExitCode {
    match run_seeds(range) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(failed) => {
            eprintln!("{failed} seeds failed");
            ExitCode::FAILURE
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn run_seeds(range: Range<u64>) -> Result<usize, String> {
    let ledger = Ledger::open()?;
    let mut failed = 0;
    for seed in range.filter(|seed| !ledger.done.contains(seed)) {
        let program = build::program(seed);
        let wrong = check(&program)?;
        ledger.note(seed, if wrong.is_empty() { "passed" } else { "failed" })?;
        if !wrong.is_empty() {
            failed += 1;
            let path = save(&program, &wrong)?;
            eprintln!("seed {seed} failed; saved as {}", path.display());
        }
    }
    Ok(failed)
}

/// Shrinks a failing program and writes it as a run case.
fn save(program: &Program, wrong: &[String]) -> Result<PathBuf, String> {
    let kind = kind_of(&wrong[0]);
    let mut left = SHRINK_STEPS;
    let smallest = shrink(program.clone(), |candidate| {
        left = left.saturating_sub(1);
        left > 0 && check(candidate).is_ok_and(|wrong| wrong.first().is_some_and(|w| kind_of(w) == kind))
    });
    let folder = files::root().join("tests/run/found");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let path = folder.join(format!("seed_{}.pydd", program.seed));
    std::fs::write(&path, smallest.text()).map_err(|e| e.to_string())?;
    for line in check(&smallest)? {
        eprintln!("{line}");
    }
    Ok(path)
}

/// What kind of failure a text tells of: a shrunk program must fail in the same way.
fn kind_of(wrong: &str) -> String {
    if wrong.starts_with("pyddc ended with") {
        // The code of the diagnostic, or the place of the compiler bug.
        return wrong.lines().nth(1).unwrap_or(wrong).chars().take(40).collect();
    }
    for mark in [
        "in the interpreter",
        "the worker",
        "dtype:",
        "shape:",
        "share memory",
        "afterwards",
        "the exception",
    ] {
        if wrong.contains(mark) {
            return mark.to_owned();
        }
    }
    "value".to_owned()
}
