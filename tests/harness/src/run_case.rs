//! Run cases: each call compiled by each backend and in CPython, in several layouts of its arguments, and in the interpreter.
//!
//! The comparison itself is Python code, in `tests/harness/worker/`; here are processes and names.

use crate::interpreter::{self, Call};
use crate::worker::{self, Loops, Worker};
use crate::{compiler, failure, files};
use libtest_mimic::{Failed, Trial};
use serde_json::json;
use std::path::Path;

/// A test for each file below `tests/run`.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let test = |(name, path): (String, std::path::PathBuf)| {
        let own = name.clone();
        Trial::test(name, move || run(&own, &path)).with_kind("run")
    };
    files::cases("run", "pydd").into_iter().map(test).collect()
}

fn run(name: &str, source: &Path) -> Result<(), Failed> {
    let wrong = check(source);
    if wrong.is_empty() { Ok(()) } else { Err(failure(name, &wrong)) }
}

/// All that is wrong with a file's cases.
#[must_use]
pub fn check(source: &Path) -> Vec<String> {
    match compiled(source) {
        Ok((mut wrong, calls)) => {
            wrong.extend(interpreter::check(source, calls));
            wrong
        }
        Err(why) => vec![why],
    }
}

/// Compares compiled code with CPython; gives what is wrong and the calls for the interpreter.
fn compiled(source: &Path) -> Result<(Vec<String>, Vec<Call>), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let loops = Loops::of(source);
    let modules = compiler::modules(source, folder.path(), loops)?;
    let mut worker = worker::take(loops)?;
    let cases = worker.load(source, &modules)?;
    let (mut wrong, mut calls) = (Vec::new(), Vec::new());
    for (index, text) in cases.iter().enumerate() {
        match case(&mut worker, index) {
            Ok((found, call)) => {
                wrong.extend(found.iter().map(|w| format!("{text}: {w}")));
                if let Some(mut call) = call {
                    call.text.clone_from(text);
                    calls.push(call);
                }
            }
            Err(death) => {
                wrong.push(format!("{text}: {death}"));
                worker = Worker::start(loops)?;
                worker.load(source, &modules)?;
            }
        }
    }
    worker::give_back(worker);
    Ok((wrong, calls))
}

/// One case; an error where the worker died of it.
fn case(worker: &mut Worker, index: usize) -> Result<(Vec<String>, Option<Call>), String> {
    let mut answer = worker.ask(&json!({ "op": "case", "index": index }))?;
    if let Some(failed) = answer["failed"].as_str() {
        return Ok((vec![failed.to_owned()], None));
    }
    let wrong = answer["wrong"].as_array().into_iter().flatten();
    let wrong = wrong.map(|w| w.as_str().unwrap_or_default().to_owned()).collect();
    let call = serde_json::from_value(answer["interpreter"].take()).ok();
    Ok((wrong, call))
}
