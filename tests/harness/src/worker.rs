//! Python processes that run cases: JSON lines to and fro, a time limit, and a new process after a crash.

use crate::compiler::Way;
use crate::files;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Longest time for one request.
const LIMIT: Duration = Duration::from_secs(60);

/// Bytes of a dead worker's standard error that are shown.
const SHOWN: u64 = 4000;

/// How loops run on the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loops {
    /// At once.
    Whole,
    /// In two parts, as where the device's memory is too small.
    InParts,
    /// With four threads for an iteration, where several can share its steps; floats are summed as they come.
    InGroups,
}

impl Loops {
    /// Each for a third of the case files.
    #[must_use]
    pub fn of(source: &Path) -> Self {
        let name = source.file_name().unwrap_or_default().as_encoded_bytes();
        let sum: u32 = name.iter().map(|&byte| u32::from(byte)).sum();
        [Self::Whole, Self::InParts, Self::InGroups][sum as usize % 3]
    }
}

/// A Python process that answers requests.
pub struct Worker {
    loops: Loops,
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
    errors: File,
}

impl Worker {
    /// Starts a process.
    ///
    /// # Errors
    /// Python can't be started.
    pub fn start(loops: Loops) -> Result<Self, String> {
        let python = files::python();
        let errors = tempfile::tempfile().map_err(|e| format!("cannot make a temporary file: {e}"))?;
        let stderr = errors.try_clone().map_err(|e| e.to_string())?;
        let mut child = Command::new(&python)
            .arg(files::root().join("tests/harness/worker"))
            // Modules with kernels run them, however short their loops are; others don't look for a driver.
            .env("LD_LIBRARY_PATH", files::device_driver()?)
            .env("PYDD_DEVICE", "gpu")
            .env("PYDD_DEVICE_PARTS", if loops == Loops::InParts { "2" } else { "1" })
            .env("PYDD_DEVICE_LANES", if loops == Loops::InGroups { "4" } else { "" })
            .env("PYDD_DEVICE_COMBINED", if loops == Loops::InGroups { "1" } else { "" })
            .env("PYDD_DEVICE_LONG", if loops == Loops::InGroups { "2" } else { "" })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .map_err(|e| format!("cannot start {}: {e}", python.display()))?;
        let requests = child.stdin.take().expect("asked for");
        let stdout = child.stdout.take().expect("asked for");
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { loops, child, requests, answers, errors })
    }

    /// Sends a request and waits for its answer.
    ///
    /// # Errors
    /// The process died or ran out of time: it is gone, and the text says how.
    pub fn ask(&mut self, request: &Value) -> Result<Value, String> {
        if writeln!(self.requests, "{request}").and_then(|()| self.requests.flush()).is_err() {
            return Err(self.obituary("crashed"));
        }
        match self.answers.recv_timeout(LIMIT) {
            Ok(line) => serde_json::from_str(&line).map_err(|e| format!("a bad answer ({e}): {line}")),
            Err(RecvTimeoutError::Timeout) => Err(self.obituary("ran out of time")),
            Err(RecvTimeoutError::Disconnected) => Err(self.obituary("crashed")),
        }
    }

    /// Loads a case file and its compiled modules; gives the texts of its cases.
    ///
    /// # Errors
    /// As [`Worker::ask`], or the file is broken.
    pub fn load(&mut self, source: &Path, modules: &[(Way, PathBuf)]) -> Result<Vec<String>, String> {
        let module =
            |(way, path): &(Way, PathBuf)| json!({ "name": way.name, "exact": way.exact, "path": path });
        let modules: Vec<Value> = modules.iter().map(module).collect();
        let answer = self.ask(&json!({ "op": "load", "path": source, "modules": modules }))?;
        if let Some(failed) = answer["failed"].as_str() {
            return Err(failed.to_owned());
        }
        let texts = answer["cases"].as_array().into_iter().flatten();
        Ok(texts.map(|case| case["text"].as_str().unwrap_or_default().to_owned()).collect())
    }

    fn obituary(&mut self, how: &str) -> String {
        // It may have ended by itself; either way it is waited for.
        let _ = self.child.kill();
        let status = self.child.wait().map_or_else(|e| e.to_string(), |s| s.to_string());
        format!("the worker {how} ({status})\n{}", self.last_errors())
    }

    fn last_errors(&mut self) -> String {
        let length = self.errors.seek(SeekFrom::End(0)).unwrap_or(0);
        let mut text = Vec::new();
        let read = self
            .errors
            .seek(SeekFrom::Start(length.saturating_sub(SHOWN)))
            .and_then(|_| self.errors.read_to_end(&mut text));
        read.map_or_else(|e| e.to_string(), |_| String::from_utf8_lossy(&text).into_owned())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

static IDLE: Mutex<Vec<Worker>> = Mutex::new(Vec::new());

/// An idle worker, or a new one.
///
/// # Errors
/// As [`Worker::start`].
pub fn take(loops: Loops) -> Result<Worker, String> {
    let mut idle = IDLE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let at = idle.iter().position(|worker| worker.loops == loops);
    let found = at.map(|at| idle.swap_remove(at));
    drop(idle);
    found.map_or_else(|| Worker::start(loops), Ok)
}

/// Gives a worker back for the next test.
pub fn give_back(worker: Worker) {
    IDLE.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(worker);
}
