//! `pyddc explain CODE`.

use crate::say;
use pydd_frontend::diagnostics::{code, did_you_mean, explain};
use std::process::ExitCode;

/// Prints the page of a code, or the list of all codes.
#[must_use]
pub fn run(name: Option<&str>) -> ExitCode {
    let names = || code::all().map(code::Code::name);
    let Some(name) = name else { return print(&names().map(|name| format!("{name}\n")).collect::<String>()) };
    // As it stands in a diagnostic: error[undefined-name].
    let plain = name.rsplit('[').next().unwrap_or(name).trim_end_matches(']');
    if let Some(page) = explain(plain) {
        return print(page);
    }
    say!("there is no diagnostic `{name}`");
    match did_you_mean(plain, names()) {
        Some(near) => say!("did you mean `{near}`?"),
        None => say!("`pyddc explain` lists all"),
    }
    ExitCode::from(2)
}

fn print(text: &str) -> ExitCode {
    match say::output(text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say!("pyddc: cannot write the output: {error}");
            ExitCode::from(2)
        }
    }
}
