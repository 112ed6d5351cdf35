//! `pyddc opt`: passes on IR text.

use crate::case::{Case, run_passes};
use crate::cli::OptArgs;
use crate::{bug, pir, say};
use pydd_frontend::diagnostics::did_you_mean;
use std::path::Path;
use std::process::ExitCode;

/// Runs the subcommand.
#[must_use]
pub fn run(args: &OptArgs) -> ExitCode {
    if let Some(message) = args.passes.iter().find_map(|name| unknown_pass(name)) {
        say!("pyddc: {message}");
        return ExitCode::from(2);
    }
    ExitCode::from(args.files.iter().map(|file| one(file, args)).max().unwrap_or(0))
}

/// What to say about a name that is no pass's.
#[must_use]
pub fn unknown_pass(name: &str) -> Option<String> {
    let names = || pydd_passes::PIPELINE.iter().map(|pass| pass.name);
    if names().any(|known| known == name) {
        return None;
    }
    let hint = match did_you_mean(name, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let mut known: Vec<&str> = Vec::new();
            names().for_each(|name| {
                if !known.contains(&name) {
                    known.push(name)
                }
            });
            format!("there are {}", known.join(", "))
        }
    };
    Some(format!("there is no pass `{name}`; {hint}"))
}

/// Whether a pass can't be left out.
#[must_use]
pub fn is_needed(name: &str) -> bool {
    pydd_passes::PIPELINE.iter().any(|pass| pass.name == name && pass.need == pydd_passes::Need::Always)
}

/// Does what is asked for with one file; gives the exit code.
fn one(file: &Path, args: &OptArgs) -> u8 {
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            say!("pyddc: cannot read {}: {error}", file.display());
            return 2;
        }
    };
    let work = || if args.check { check(file, &bytes) } else { transform(file, &bytes, &args.passes) };
    let Some(done) = bug::guard(file, &bytes, work) else { return bug::EXIT_CODE };
    match done {
        Ok(_) if args.check => say!("{}: ok", file.display()),
        Ok(text) => {
            if let Err(error) = say::output(&text) {
                say!("pyddc: cannot write the output: {error}");
                return 2;
            }
        }
        Err(message) => {
            say!("{message}");
            return 1;
        }
    }
    0
}

fn check(file: &Path, bytes: &[u8]) -> Result<String, String> {
    let prefixed = |lines: &str| {
        lines.lines().map(|l| format!("{}: {l}", file.display())).collect::<Vec<_>>().join("\n")
    };
    let text = std::str::from_utf8(bytes).map_err(|_| prefixed("the file is not UTF-8"))?;
    let wrong = Case::parse(text).map_err(|e| prefixed(&e))?.check();
    if wrong.is_empty() { Ok(String::new()) } else { Err(prefixed(&wrong.join("\n"))) }
}

fn transform(file: &Path, bytes: &[u8], passes: &[String]) -> Result<String, String> {
    let mut module = pir::read(file, bytes)?;
    run_passes(&mut module, passes).map_err(|message| format!("{}: {message}", file.display()))?;
    Ok(pydd_ir::text::print(&module, &pydd_ir::text::PrintOptions::default()))
}
