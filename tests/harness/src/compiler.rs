//! The compiler as tests use it: the executable, since that is the product.

use crate::files;
use pydd_frontend::source::SourceFile;
use pydd_ir::{Level, Module};
use pydd_passes::{Options, Quiet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Seconds of processor time and KiB of memory that one run may take: a hostile source must not take the machine.
const LIMITS: &str = r#"ulimit -t 60; ulimit -v 6000000; exec "$0" "$@""#;

/// A stage of the IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    Array,
    ArrayAfterPasses,
    Loops,
}

impl Stage {
    pub const ALL: [Self; 3] = [Self::Array, Self::ArrayAfterPasses, Self::Loops];

    /// For messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Array => "array IR",
            Self::ArrayAfterPasses => "array IR after its passes",
            Self::Loops => "loop IR",
        }
    }
}

/// Runs the compiler in a folder.
///
/// # Errors
/// It can't be started.
pub fn pyddc(folder: &Path, arguments: &[&str]) -> Result<Output, String> {
    let path = files::pyddc();
    Command::new("/bin/sh")
        .args(["-c", LIMITS])
        .arg(&path)
        .current_dir(folder)
        .args(arguments)
        .env_remove("PYDD_BLESS")
        .output()
        .map_err(|e| format!("cannot run {}: {e}", path.display()))
}

/// Compiles a file to a module in `folder`; `options` go to the compiler.
///
/// # Errors
/// What the compiler said.
pub fn module(source: &Path, folder: &Path, options: &[&str]) -> Result<PathBuf, String> {
    let (source_text, folder_text) = (source.to_string_lossy(), folder.to_string_lossy());
    let mut arguments = vec![&*source_text, "-o", &*folder_text, "--verify", "--color=never"];
    arguments.extend(options);
    successful(pyddc(&files::root(), &arguments)?)?;
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    Ok(folder.join(format!("{stem}.abi3.so")))
}

/// The IR of a file as the frontend makes it. In process: the text form of the executable leaves places out.
///
/// # Errors
/// The diagnostics.
pub fn array_ir(source: &Path) -> Result<Module, String> {
    let bytes = std::fs::read(source).map_err(|e| e.to_string())?;
    let file = SourceFile::from_bytes(source.to_string_lossy(), &bytes);
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let compiled = pydd_frontend::compile(&file, &stem);
    let said = || compiled.diagnostics.iter().map(|d| d.headline.clone()).collect::<Vec<_>>().join("\n");
    compiled.module.ok_or_else(said)
}

/// Array IR brought to a stage, verified after each pass.
///
/// # Errors
/// A refusal, or what the verifier says.
pub fn bring_to(module: &Module, stage: Stage) -> Result<Module, String> {
    let mut module = module.clone();
    if stage != Stage::Array {
        let until = (stage == Stage::ArrayAfterPasses).then_some(Level::Array);
        let options = Options { verify: true, until, ..Options::default() };
        pydd_passes::run_pipeline(&mut module, &options, &mut Quiet).map_err(|e| format!("{e:?}"))?;
    }
    Ok(module)
}

/// Standard output of a run that ended well.
fn successful(output: Output) -> Result<String, String> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("pyddc ended with {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}
