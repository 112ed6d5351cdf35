//! Epochs run in a worker process: a stack overflow or exhausted memory ends only that, and a hang is seen
//! from outside. The worker writes each input down before it tries it.

use crate::check::{self, Finding};
use crate::corpus::{self, Corpus};
use crate::{epoch, found};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// An input that takes longer is a hang; generous, for busy machines.
const HANG: Duration = Duration::from_secs(60);

/// Address space of a process in KiB: stacks of 256 MiB are reserved, and no input may fill the machine.
const MEMORY: u64 = 3 << 20;

/// Processor time in seconds for one input in a process of its own.
pub const ONE: u64 = 20;

/// What is kept between runs: the next epoch of a seed, and the current input.
struct State {
    folder: PathBuf,
    seed: u64,
}

impl State {
    fn new(seed: u64) -> std::io::Result<Self> {
        let folder = corpus::root().join("build/fuzz/frontend");
        std::fs::create_dir_all(&folder)?;
        Ok(Self { folder, seed })
    }

    fn input(&self) -> PathBuf {
        self.folder.join(format!("input-{}.pydd", self.seed))
    }

    fn next(&self) -> u64 {
        let text = std::fs::read_to_string(self.folder.join(format!("next-{}", self.seed)));
        text.ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
    }

    fn set_next(&self, epoch: u64) -> std::io::Result<()> {
        std::fs::write(self.folder.join(format!("next-{}", self.seed)), epoch.to_string())
    }
}

/// The worker: runs epochs until it is killed, and tells of each on its standard output.
///
/// # Errors
/// A file can't be read or written.
pub fn worker(seed: u64) -> std::io::Result<()> {
    check::install_hook();
    let state = State::new(seed)?;
    let corpus = Corpus::load()?;
    let mut known = BTreeSet::new();
    loop {
        let at = state.next();
        // Written first: an epoch that crashes is not begun again.
        state.set_next(at + 1)?;
        let before = |input: &[u8], _: &_| {
            let _ = std::fs::write(state.input(), input);
        };
        let compiled = epoch::run(&corpus, (seed, at), epoch::INPUTS, before, |input, options, finding| {
            if known.insert(finding.signature.clone()) {
                let shows = |bytes: &[u8]| {
                    check::check(bytes, options).is_err_and(|f| f.signature == finding.signature)
                };
                if let Ok(path) = found::keep(input, &finding, shows) {
                    println!("found {}: {}\n{}", path.display(), finding.signature, finding.details);
                }
            }
        });
        println!("done {} {compiled}", epoch::INPUTS);
    }
}

/// What a run came to.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    pub inputs: usize,
    /// Inputs without errors.
    pub compiled: usize,
    pub findings: usize,
}

/// Runs workers for a time.
///
/// # Errors
/// A worker can't be started, or a file not be written.
pub fn supervise(seed: u64, time: Duration) -> std::io::Result<Tally> {
    let state = State::new(seed)?;
    let end = Instant::now() + time;
    let mut tally = Tally::default();
    let mut kept = BTreeSet::new();
    while Instant::now() < end {
        // The age of the last worker's input says nothing about this one.
        std::fs::write(state.input(), "")?;
        let (mut child, reader) = start(seed)?;
        let ended = wait(&mut child, &state, end)?;
        let told = reader.join().unwrap_or_default();
        tally.inputs += told.inputs;
        tally.compiled += told.compiled;
        tally.findings += told.findings;
        if let Some(how) = ended {
            let input = std::fs::read(state.input())?;
            let finding = Finding { signature: how.to_owned(), details: String::new() };
            let path = found::keep(&input, &finding, |bytes| dies(&state, bytes))?;
            println!("found {}: {how}", path.display());
            tally.findings += usize::from(kept.insert(path));
        }
    }
    Ok(tally)
}

type Reader = std::thread::JoinHandle<Tally>;

/// A worker, and a thread that passes on what it tells and counts inputs and findings.
fn start(seed: u64) -> std::io::Result<(Child, Reader)> {
    let mut child = limited(&["--worker".to_owned(), "--seed".to_owned(), seed.to_string()], None)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let output = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut tally = Tally::default();
        for line in output.into_iter().flat_map(|out| BufReader::new(out).lines()).map_while(Result::ok) {
            let counts: Option<Vec<usize>> = line
                .strip_prefix("done ")
                .map(|rest| rest.split(' ').filter_map(|n| n.parse().ok()).collect());
            match counts.as_deref() {
                Some(&[inputs, compiled]) => {
                    tally.inputs += inputs;
                    tally.compiled += compiled;
                }
                _ => println!("{line}"),
            }
            tally.findings += usize::from(line.starts_with("found "));
        }
        tally
    });
    Ok((child, reader))
}

/// This program under limits of memory and, where `seconds` are given, of processor time.
pub fn limited(arguments: &[String], seconds: Option<u64>) -> Command {
    let time = seconds.map(|seconds| format!("ulimit -t {seconds}; ")).unwrap_or_default();
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -v {MEMORY}; {time}exec \"$0\" \"$@\""));
    // Not by its path: it may have been built anew meanwhile.
    command.arg(format!("/proc/{}/exe", std::process::id())).args(arguments);
    command
}

/// Waits until the time is over or the worker crashes or hangs.
fn wait(child: &mut Child, state: &State, end: Instant) -> std::io::Result<Option<&'static str>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((!status.success()).then_some("crash"));
        }
        let hangs = age(&state.input()).is_some_and(|age| age > HANG);
        if hangs || Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(hangs.then_some("hang"));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn age(path: &Path) -> Option<Duration> {
    let written = std::fs::metadata(path).ok()?.modified().ok()?;
    SystemTime::now().duration_since(written).ok()
}

/// Whether a source ends a process other than by exiting.
fn dies(state: &State, bytes: &[u8]) -> bool {
    let path = state.folder.join("shrinking.pydd");
    std::fs::write(&path, bytes).is_ok() && !exits(&path)
}

/// Whether trying a file ends by exiting, in bounded memory and time.
#[must_use]
pub fn exits(path: &Path) -> bool {
    let arguments = ["--one".to_owned(), path.display().to_string()];
    let status = limited(&arguments, Some(ONE)).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| matches!(status.code(), Some(0 | 1)))
}
