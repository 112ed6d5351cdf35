//! `pyddc explain CODE`.

use pydd_frontend::diagnostics::{code, did_you_mean, explain};
use std::process::ExitCode;

/// Prints the page of a code, or the list of all codes.
#[must_use]
pub fn run(name: Option<&str>) -> ExitCode {
    let names = || code::all().map(code::Code::name);
    let Some(name) = name else {
        names().for_each(|name| println!("{name}"));
        return ExitCode::SUCCESS;
    };
    if let Some(page) = explain(name) {
        print!("{page}");
        return ExitCode::SUCCESS;
    }
    eprintln!("there is no diagnostic `{name}`");
    if let Some(near) = did_you_mean(name, names()) {
        eprintln!("did you mean `{near}`?");
    }
    ExitCode::from(2)
}
