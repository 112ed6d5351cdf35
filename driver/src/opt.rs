//! `pyddc opt`: passes on IR text.

use crate::case::{Case, run_passes};
use crate::cli::OptArgs;
use std::path::Path;
use std::process::ExitCode;

/// Runs the subcommand.
#[must_use]
pub fn run(args: &OptArgs) -> ExitCode {
    let mut good = true;
    for file in &args.files {
        let done = read(file)
            .and_then(|text| if args.check { check(&text) } else { transform(&text, &args.passes) });
        match done {
            Ok(output) if args.check => eprintln!("{}: ok{output}", file.display()),
            Ok(output) => print!("{output}"),
            Err(message) => {
                eprintln!("{}: {message}", file.display());
                good = false;
            }
        }
    }
    ExitCode::from(u8::from(!good))
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|e| e.to_string())
}

fn check(text: &str) -> Result<String, String> {
    let wrong = Case::parse(text)?.check();
    if wrong.is_empty() { Ok(String::new()) } else { Err(wrong.join("\n")) }
}

fn transform(text: &str, passes: &[String]) -> Result<String, String> {
    let mut module = pydd_ir::text::parse(text).map_err(|e| e.to_string())?;
    pydd_ir::verify::verify(&module).map_err(|errors| format!("{errors:?}"))?;
    run_passes(&mut module, passes)?;
    Ok(pydd_ir::text::print(&module, &pydd_ir::text::PrintOptions::default()))
}
