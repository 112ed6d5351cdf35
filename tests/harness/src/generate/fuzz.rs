//! `harness fuzz --seeds A..B`: runs seeds, shrinks and saves what fails. `--total` says how many have passed so far.
//! `--numbers A..B` runs small programs whose variables mix numbers of all widths, `--ufuncs A..B` ufuncs and what calls them.

use super::build;
use super::ledger::Ledger;
use super::shrink::shrink;
use super::tree::Program;
use crate::{files, run_case};
use std::ops::Range;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;

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

/// What programs are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Mixed,
    Numbers,
    Ufuncs,
}

/// The command.
#[must_use]
pub fn main(arguments: &[String]) -> ExitCode {
    match arguments {
        [option, range] if option == "--seeds" => match parse_range(range) {
            Some(range) => run(range, Family::Mixed),
            None => usage(),
        },
        [option, range] if option == "--numbers" => match parse_range(range) {
            Some(range) => run(range, Family::Numbers),
            None => usage(),
        },
        [option, range] if option == "--ufuncs" => match parse_range(range) {
            Some(range) => run(range, Family::Ufuncs),
            None => usage(),
        },
        [option, seed] if option == "--print" => match seed.parse() {
            Ok(seed) => {
                print!("{}", build::program(seed).text());
                ExitCode::SUCCESS
            }
            Err(_) => usage(),
        },
        [option] if option == "--total" => total(),
        _ => usage(),
    }
}

fn total() -> ExitCode {
    match Ledger::open() {
        Ok(ledger) => {
            println!("{} random programs have passed so far", ledger.passed() * build::FUNCTIONS);
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn usage() -> ExitCode {
    eprintln!(
        "usage: harness fuzz --seeds FIRST..END | --numbers FIRST..END | --ufuncs FIRST..END | --print SEED | --total"
    );
    ExitCode::from(2)
}

fn parse_range(text: &str) -> Option<Range<u64>> {
    let (first, end) = text.split_once("..")?;
    Some(first.parse().ok()?..end.parse().ok()?)
}

fn run(range: Range<u64>, family: Family) -> ExitCode {
    match run_seeds(range, family) {
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

/// Runs seeds on all processors; how many failed.
fn run_seeds(range: Range<u64>, family: Family) -> Result<usize, String> {
    let ledger = Ledger::open()?;
    let is_done = |seed: &u64| family == Family::Mixed && ledger.has_passed(*seed);
    let waiting = Mutex::new(range.filter(|seed| !is_done(seed)));
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let mut failed = 0;
        while let Some(seed) = next() {
            failed += usize::from(!run_seed(seed, family, &ledger)?);
        }
        Ok(failed)
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let done = running.into_iter().map(|each| each.join().unwrap_or_else(|panic| resume_unwind(panic)));
        done.sum()
    })
}

/// Whether a seed passes.
fn run_seed(seed: u64, family: Family, ledger: &Ledger) -> Result<bool, String> {
    let program = match family {
        Family::Mixed => build::program(seed),
        Family::Numbers => build::numbers(seed),
        Family::Ufuncs => build::ufuncs(seed),
    };
    let wrong = check(&program)?;
    if family == Family::Mixed {
        ledger.note(seed, wrong.is_empty())?;
    }
    if !wrong.is_empty() {
        let path = save(&program, &wrong)?;
        eprintln!("seed {seed} failed; saved as {}", path.display());
    }
    Ok(wrong.is_empty())
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
    // Behind the way's name, where there is one.
    if let Some(at) = wrong.find("pyddc ended with") {
        // The code of the diagnostic, or the place of the compiler bug.
        return wrong[at..].lines().nth(1).unwrap_or(wrong).chars().take(40).collect();
    }
    if wrong.starts_with("Traceback") {
        // The worker's own: no case is left, for example.
        return "the worker's exception".to_owned();
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
