//! Language tests: pages of prose and programs.
//!
//! A `pydd` block is compiled as `kernel.pydd`. Comments in it state what must be reported and where:
//! `# error: undefined-name` (several: separated by commas), `# warning: …` and `# remark: …` on the line of the primary
//! label. Nothing else may be reported; a block without errors must compile. After it may stand
//! - an `error` block: all that the compiler prints, word for word;
//! - a `python` block, run with the module's names, and an `output` block: what that prints.
//!
//! `PYDD_BLESS=1` rewrites `error` and `output` blocks, never the comments.

use crate::markdown::{Fence, fences, replace};
use crate::{blessing, compiler, failure, files, worker};
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A test for each page in `tests/lang`.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let test = |(name, path): (String, PathBuf)| {
        let own = name.clone();
        Trial::test(name, move || run(&own, &path)).with_kind("lang")
    };
    files::cases("lang", "md").into_iter().map(test).collect()
}

fn run(name: &str, path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let mut page = Page::default();
    page.check(&fences(&text)?)?;
    if blessing() {
        std::fs::write(path, replace(&text, &page.goldens)).map_err(|e| e.to_string())?;
    } else {
        for (fence, got) in &page.goldens {
            if fence.text.trim_end() != got.trim_end() {
                page.wrong.push(format!("{}: expected\n{}got\n{got}", fence.heading, fence.text));
            }
        }
    }
    if page.wrong.is_empty() { Ok(()) } else { Err(failure(name, &page.wrong)) }
}

/// What is found on a page.
#[derive(Default)]
struct Page {
    wrong: Vec<String>,
    /// Blocks that the compiler fills, and what it gave.
    goldens: Vec<(Fence, String)>,
}

const SEVERITIES: [&str; 3] = ["error", "warning", "remark"];

/// A line, and what is reported there: `error: undefined-name`.
type Reports = BTreeSet<(u64, String)>;

impl Page {
    fn check(&mut self, blocks: &[Fence]) -> Result<(), String> {
        let starts: Vec<usize> = (0..blocks.len()).filter(|&i| blocks[i].info == "pydd").collect();
        for (k, &start) in starts.iter().enumerate() {
            let end = starts.get(k + 1).copied().unwrap_or(blocks.len());
            self.program(&blocks[start], &blocks[start + 1..end])?;
        }
        Ok(())
    }

    /// One program and the blocks that belong to it.
    fn program(&mut self, program: &Fence, blocks: &[Fence]) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let text = without_comments(&program.text);
        std::fs::write(folder.path().join("kernel.pydd"), text).map_err(|e| e.to_string())?;
        self.reports(program, folder.path())?;
        let mut shown = String::new();
        for block in blocks {
            match block.info.as_str() {
                "error" => {
                    let output = compiler::pyddc(folder.path(), &["kernel.pydd", "--color=never"])?;
                    self.goldens.push((block.clone(), String::from_utf8_lossy(&output.stderr).into_owned()));
                }
                "python" => shown = script(folder.path(), &block.text)?,
                "output" => self.goldens.push((block.clone(), shown.clone())),
                _ => {}
            }
        }
        Ok(())
    }

    /// Compares what is reported with what the comments state.
    fn reports(&mut self, program: &Fence, folder: &Path) -> Result<(), String> {
        let output = compiler::pyddc(folder, &["kernel.pydd", "--message-format=json", "--verify"])?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        let (stated, reported) = (stated(&program.text), reported(&stderr));
        let heading = &program.heading;
        if !matches!(output.status.code(), Some(0 | 1)) {
            self.wrong.push(format!("{heading}: pyddc ended with {}\n{stderr}", output.status));
            return Ok(());
        }
        let place = |(line, what): &(u64, String)| format!("line {line}: {what}");
        for missing in stated.difference(&reported) {
            self.wrong.push(format!("{heading}: not reported: {}", place(missing)));
        }
        for unexpected in reported.difference(&stated) {
            let said = message_of(&stderr, unexpected);
            self.wrong.push(format!("{heading}: reported and not stated: {} ({said})", place(unexpected)));
        }
        Ok(())
    }
}

/// The program as it is compiled: diagnostics show it without the comments that state them.
fn without_comments(program: &str) -> String {
    let first = |line: &str| SEVERITIES.iter().find_map(|severity| line.find(&format!("# {severity}: ")));
    let bare = |line: &str| match first(line) {
        Some(at) => line[..at].trim_end().to_owned() + "\n",
        None => line.to_owned() + "\n",
    };
    program.lines().map(bare).collect()
}

/// What the comments of a program state.
fn stated(program: &str) -> Reports {
    let mut found = Reports::new();
    for (line, text) in (1..).zip(program.lines()) {
        for severity in SEVERITIES {
            let Some((_, codes)) = text.split_once(&format!("# {severity}: ")) else { continue };
            let codes = codes.split('#').next().unwrap_or_default();
            found.extend(codes.split(',').map(|code| (line, format!("{severity}: {}", code.trim()))));
        }
    }
    found
}

fn diagnostics(stderr: &str) -> impl Iterator<Item = ((u64, String), Value)> {
    let parsed = stderr.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    parsed.map(|d| {
        let what = format!("{}: {}", d["severity"].as_str().unwrap_or(""), d["code"].as_str().unwrap_or(""));
        let primary = d["spans"].as_array().into_iter().flatten().find(|s| s["primary"] == true);
        let line = primary.map_or(0, |s| s["start"]["line"].as_u64().unwrap_or(0));
        ((line, what), d)
    })
}

/// What the compiler reported.
fn reported(stderr: &str) -> Reports {
    diagnostics(stderr).map(|(key, _)| key).collect()
}

fn message_of(stderr: &str, key: &(u64, String)) -> String {
    let found = diagnostics(stderr).find(|(k, _)| k == key);
    found.map_or_else(String::new, |(_, d)| d["message"].as_str().unwrap_or("").to_owned())
}

/// Compiles the program in a folder and runs statements with its names.
fn script(folder: &Path, code: &str) -> Result<String, String> {
    let module = compiler::module(&folder.join("kernel.pydd"), folder, compiler::Way::USUAL)?;
    let mut worker = worker::take(worker::Loops::Whole)?;
    let answer = worker.ask(&json!({ "op": "script", "module": module, "code": code }))?;
    worker::give_back(worker);
    match answer["failed"].as_str() {
        Some(failed) => Err(failed.to_owned()),
        None => Ok(answer["stdout"].as_str().unwrap_or_default().to_owned()),
    }
}
