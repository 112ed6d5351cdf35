//! `pyddc explain`: diagnostics and library functions.

use crate::say;
use pydd_frontend::diagnostics::{code, did_you_mean, explain};
use pydd_ir::catalogue::reference;
use std::process::ExitCode;

/// The name of the reference of all functions.
const LIBRARY: &str = "library";

/// Prints the page of a code, what is said of a library function, the whole library, or the list of all codes.
#[must_use]
pub fn run(name: Option<&str>) -> ExitCode {
    let names = || code::all().map(code::Code::name);
    let Some(name) = name else { return print(&names().map(|name| format!("{name}\n")).collect::<String>()) };
    // As it stands in a diagnostic: error[undefined-name].
    let plain = name.rsplit('[').next().unwrap_or(name).trim_end_matches(']');
    if let Some(page) = explain(plain) {
        return print(page);
    }
    if name == LIBRARY {
        return print(&reference::page());
    }
    if let Some(text) = reference::describe(name) {
        return print(&text);
    }
    say!("there is no diagnostic or library function `{name}`");
    let functions: Vec<String> = reference::all_names().collect();
    let near = did_you_mean(plain, names());
    match near.or_else(|| did_you_mean(plain, functions.iter().map(String::as_str))) {
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
