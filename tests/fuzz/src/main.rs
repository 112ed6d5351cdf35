//! The command: `pydd-fuzz --seconds 600 --seed 1` goes on where the last run of that seed ended.

use pydd_fuzz::{check, corpus, epoch, found, supervise};
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
usage: pydd-fuzz [--seconds N] [--seed N]    try mutated sources
       pydd-fuzz --one FILE                  try one source
       pydd-fuzz --replay                    try the sources in tests/fuzz/found/
       pydd-fuzz --short                     try the corpus, and the first mutated sources of seed 1";

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Inputs of `--short`.
const SHORT: usize = 300;

/// Processor time in seconds for `--short`.
const SHORT_TIME: u64 = 300;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<ExitCode, String> {
    let (mut seconds, mut seed, mut worker) = (60, 1, false);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut number = || rest.next().and_then(|n| n.parse().ok()).ok_or(USAGE);
        match argument.as_str() {
            "--seconds" => seconds = number()?,
            "--seed" => seed = number()?,
            "--worker" => worker = true,
            "--one" => return one(rest.next().ok_or(USAGE)?),
            "--replay" => return replay(),
            "--short" => return in_own_process("--short-worker", SHORT_TIME),
            "--short-worker" => return short(),
            _ => return Err(USAGE.to_owned()),
        }
    }
    if worker {
        supervise::worker(seed).map_err(|e| e.to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    let tally = supervise::supervise(seed, Duration::from_secs(seconds)).map_err(|e| e.to_string())?;
    println!("{} inputs, {} of them compile, {} findings", tally.inputs, tally.compiled, tally.findings);
    Ok(ExitCode::from(u8::from(tally.findings > 0)))
}

fn one(path: &str) -> Result<ExitCode, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("cannot read {path}: {e}"))?;
    check::install_hook();
    Ok(match found::replay(&bytes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(finding) => {
            println!("{path}: {}\n{}", finding.signature, finding.details);
            ExitCode::FAILURE
        }
    })
}

/// Each in a process of its own, which may crash or hang.
fn replay() -> Result<ExitCode, String> {
    let mut worst = ExitCode::SUCCESS;
    for path in corpus::files(&found::folder()).map_err(|e| e.to_string())? {
        let shown = path.display().to_string();
        let status = supervise::limited(&["--one".to_owned(), shown.clone()], Some(supervise::ONE)).status();
        let status = status.map_err(|e| e.to_string())?;
        if status.code().is_none() {
            println!("{shown}: {status}");
        }
        if !status.success() {
            worst = ExitCode::FAILURE;
        }
    }
    Ok(worst)
}

fn in_own_process(argument: &str, seconds: u64) -> Result<ExitCode, String> {
    let status =
        supervise::limited(&[argument.to_owned()], Some(seconds)).status().map_err(|e| e.to_string())?;
    if status.code().is_none() {
        println!("{status}");
    }
    Ok(ExitCode::from(u8::from(!status.success())))
}

fn short() -> Result<ExitCode, String> {
    check::install_hook();
    let programs = corpus::programs().map_err(|e| e.to_string())?;
    let mut corpus = corpus::Corpus::default();
    let mut wrong = 0;
    let mut tell = |input: &[u8], finding: check::Finding| {
        println!("{}\n{}\n{}\n", finding.signature, finding.details, String::from_utf8_lossy(input));
        wrong += 1;
    };
    let count = programs.len() + SHORT;
    for program in programs {
        match check::check(program.as_bytes(), &check::options(2)) {
            Ok(traits) => corpus.add(program, traits.contains(check::COMPILES)),
            Err(finding) => tell(program.as_bytes(), finding),
        }
    }
    epoch::run(&corpus, (1, 0), SHORT, |_, _| {}, |input, _, finding| tell(input, finding));
    println!("{} inputs, {wrong} findings", count);
    Ok(ExitCode::from(u8::from(wrong > 0)))
}
