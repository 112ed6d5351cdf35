//! `pyddc check`: what is wrong with a program, without its module.

use crate::options::{Color, MessageFormat, Options, Stage};
use crate::session::Outcome;
use crate::{bug, pir, report, session};
use clap::Args;
use pydd_frontend::diagnostics::Diagnostics;
use pydd_frontend::source::SourceFile;
use pydd_ir::Module;
use pydd_passes::Stopped;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Source files.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Exit with 1 for warnings and remarks as well.
    #[arg(long)]
    pub strict: bool,
    /// When to colour diagnostics.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// How to write diagnostics.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
}

/// Runs the subcommand.
#[must_use]
pub fn run(args: &CheckArgs) -> ExitCode {
    let options = Options { color: args.color, message_format: args.message_format, ..Options::default() };
    session::exit_code(args.files.iter().map(|file| check_file(file, args.strict, &options)))
}

fn check_file(path: &Path, strict: bool, options: &Options) -> Outcome {
    if pir::is_pir(path) {
        let file = path.display();
        return Outcome::Usage(format!("{file} is IR text: `pyddc opt --check {file}` checks it"));
    }
    let bytes = match session::read(path) {
        Ok(bytes) => bytes,
        Err(message) => return Outcome::Usage(message),
    };
    let source = SourceFile::from_bytes(path.to_string_lossy(), &bytes);
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let work = || {
        let mut compiled = pydd_frontend::compile(&source, &name);
        let bug = compiled.bug.take().map(|what| ("in type inference".to_owned(), what));
        let bug = bug.or_else(|| refuse(&source, compiled.module.as_mut(), &mut compiled.diagnostics).err());
        (compiled.diagnostics, bug)
    };
    let Some((diagnostics, bug)) = bug::guard(path, &bytes, work) else { return Outcome::Bug };
    report::write(&source, &diagnostics, options);
    if let Some((stage, what)) = bug {
        bug::report(path, &bytes, &stage, &what);
        return Outcome::Bug;
    }
    let fails = diagnostics.has_errors() || strict && !diagnostics.is_empty();
    if fails { Outcome::Rejected } else { Outcome::Done(None) }
}

/// Runs the passes that refuse programs, and says what they say. What they refuse does not depend on the level of
/// optimisation, so those that only make programs faster are left out.
///
/// # Errors
/// A bug of ours: the stage, and what is wrong.
pub fn refuse(
    source: &SourceFile,
    module: Option<&mut Module>,
    diagnostics: &mut Diagnostics,
) -> Result<(), (String, String)> {
    let Some(module) = module else { return Ok(()) };
    let options = Options { opt_level: 0, emit: Stage::IrOpt, ..Options::default() };
    let mut findings = Vec::new();
    let done = session::run_passes(module, &options, 0, &mut findings);
    diagnostics.extend(report::remarks(source, &findings));
    match done {
        Ok(()) => Ok(()),
        Err(Stopped::Refused(finding)) => {
            diagnostics.push(report::refusal(source, &finding));
            Ok(())
        }
        Err(Stopped::Broken { pass, problem }) => Err((format!("after pass '{pass}'"), problem)),
    }
}
