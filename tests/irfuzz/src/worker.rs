//! The child process that checks, and the parent's side of it.
//!
//! The parent writes a line `SETS NATIVE SEED BYTES` and the module's text; the child answers with lines
//! `@stage …` while it works and with `@ok …`, numbers and the passes that changed something, or `@fail KIND` and the detail, which ends with a line `@end`.

use crate::Failure;
use crate::check::{Native, Plan, Stats, check};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Tells the parent what happens next, for the case that it does not end well.
pub fn stage(what: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "@stage {what}");
    let _ = out.flush();
}

/// The child's main loop.
pub fn serve() {
    std::panic::set_hook(Box::new(|_| ()));
    let mut input = BufReader::new(std::io::stdin());
    let mut line = String::new();
    while input.read_line(&mut line).is_ok_and(|n| n > 0) {
        let numbers: Vec<u64> = line.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        let [sets, native, seed, bytes] = numbers[..] else { return };
        let mut text = vec![0; usize::try_from(bytes).unwrap_or(0)];
        if input.read_exact(&mut text).is_err() {
            return;
        }
        let native = usize::try_from(native).ok().and_then(|n| Native::ALL.get(n).copied());
        answer(&String::from_utf8_lossy(&text), seed, Plan { sets, native: native.unwrap_or(Native::None) });
        line.clear();
    }
}

fn answer(text: &str, seed: u64, plan: Plan) {
    stage("interpreter");
    let result = match pydd_ir::text::parse(text) {
        Ok(module) => check(&module, seed, plan),
        Err(error) => Err(Failure::new("text", error.to_string())),
    };
    let mut out = std::io::stdout().lock();
    let _ = match result {
        Ok(s) => {
            let refused = u64::from(s.refused);
            let changed: Vec<&str> = s.changed.iter().map(String::as_str).collect();
            let numbers = [s.returned, s.raised, s.too_long, refused, s.compiled].map(|n| n.to_string());
            writeln!(out, "@ok {} {}", numbers.join(" "), changed.join(" "))
        }
        Err(failure) => writeln!(out, "@fail {}\n{}\n@end", failure.kind, failure.detail),
    };
    let _ = out.flush();
}

/// The parent's side.
pub struct Worker {
    executable: PathBuf,
    /// Where a driver for devices is.
    driver: Option<PathBuf>,
    child: Option<(Child, ChildStdin, Receiver<String>)>,
}

impl Worker {
    /// A worker that runs `executable worker`.
    #[must_use]
    pub fn new(executable: &Path) -> Self {
        Self { executable: executable.to_owned(), driver: None, child: None }
    }

    /// The same with a driver for devices, `libcuda.so.1` in this folder, that all loops with kernels run on.
    #[must_use]
    pub fn with_driver(mut self, folder: PathBuf) -> Self {
        self.driver = Some(folder);
        self
    }

    fn start(&mut self) -> std::io::Result<()> {
        let mut command = Command::new(&self.executable);
        if let Some(folder) = &self.driver {
            command.env("LD_LIBRARY_PATH", folder).env("PYDD_DEVICE", "gpu");
        }
        let mut child = command
            .arg("worker")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().expect("piped");
        let output = child.stdout.take().expect("piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        self.child = Some((child, input, lines));
        Ok(())
    }

    /// Checks a module's text in the child.
    ///
    /// # Errors
    /// What the child found, or how it ended.
    pub fn check(&mut self, text: &str, seed: u64, plan: Plan) -> Result<Stats, Failure> {
        if self.child.is_none() {
            self.start().map_err(|e| Failure::new("worker", e.to_string()))?;
        }
        let (_, input, _) = self.child.as_mut().expect("started");
        let head = format!("{} {} {seed} {}\n", plan.sets, plan.native as u64, text.len());
        let sent = input.write_all(head.as_bytes()).and_then(|()| input.write_all(text.as_bytes()));
        if sent.and_then(|()| input.flush()).is_err() {
            self.stop();
            return Err(Failure::new("worker", "the worker is gone"));
        }
        self.listen()
    }

    fn listen(&mut self) -> Result<Stats, Failure> {
        let mut at = String::new();
        let mut failure: Option<Failure> = None;
        loop {
            let (_, _, lines) = self.child.as_mut().expect("started");
            let line = match lines.recv_timeout(Duration::from_secs(30)) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    self.stop();
                    return Err(Failure::new(format!("{at} hang"), ""));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.stop();
                    return Err(Failure::new(format!("{at} crash"), status));
                }
            };
            if let Some(open) = &mut failure {
                if line == "@end" {
                    return Err(failure.expect("open"));
                }
                open.detail.push_str(&line);
                open.detail.push('\n');
            } else if let Some(stage) = line.strip_prefix("@stage ") {
                stage.clone_into(&mut at);
            } else if let Some(kind) = line.strip_prefix("@fail ") {
                failure = Some(Failure::new(kind, ""));
            } else if let Some(words) = line.strip_prefix("@ok ") {
                let n: Vec<u64> = words.split(' ').map_while(|w| w.parse().ok()).collect();
                let [returned, raised, too_long, refused, compiled] = n[..] else { continue };
                let changed = words.split_whitespace().skip(n.len()).map(str::to_owned).collect();
                return Ok(Stats { returned, raised, too_long, refused: refused != 0, compiled, changed });
            }
        }
    }

    fn stop(&mut self) -> String {
        let Some((mut child, ..)) = self.child.take() else { return String::new() };
        std::thread::sleep(Duration::from_millis(20));
        if let Ok(Some(status)) = child.try_wait() {
            return status.to_string();
        }
        let _ = child.kill();
        child.wait().map_or_else(|e| e.to_string(), |s| s.to_string())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some((mut child, input, _)) = self.child.take() {
            drop(input);
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
