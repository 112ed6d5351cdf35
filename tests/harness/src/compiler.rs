//! The compiler as tests use it: the executable, since that is the product.

use crate::files;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A stage of the IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    Array,
    ArrayAfterPasses,
    Loops,
}

impl Stage {
    pub const ALL: [Self; 3] = [Self::Array, Self::ArrayAfterPasses, Self::Loops];

    const fn option(self) -> &'static str {
        match self {
            Self::Array => "--emit=ir",
            Self::ArrayAfterPasses => "--emit=ir-opt",
            Self::Loops => "--emit=loops",
        }
    }

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
    Command::new(&path)
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

/// The IR of a file at a stage.
///
/// # Errors
/// What the compiler said, or that its text does not parse.
pub fn ir(source: &Path, stage: Stage) -> Result<pydd_ir::Module, String> {
    let source_text = source.to_string_lossy();
    let output = pyddc(&files::root(), &[&source_text, stage.option(), "--verify", "--color=never"])?;
    let text = successful(output)?;
    pydd_ir::text::parse(&text).map_err(|e| format!("the printed {} does not parse: {e}", stage.name()))
}

/// Standard output of a run that ended well.
fn successful(output: Output) -> Result<String, String> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("pyddc ended with {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}
