//! Why a link failed.

use std::fmt;
use std::path::PathBuf;

#[derive(Debug)]
pub enum LinkError {
    /// An input is not an object that can be linked here.
    Object(String),
    /// Objects refer to names that generated code may not import: a compiler bug.
    ForbiddenImports(Vec<String>),
    /// A variable that makes the linker do something other than link.
    Environment(&'static str),
    /// The linker refused, or panicked.
    Linker(String),
    /// The shared object could not be written.
    Write { path: PathBuf, source: std::io::Error },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object(reason) => write!(f, "compiler bug: cannot link: {reason}"),
            Self::ForbiddenImports(names) => {
                let names = names.join("`, `");
                write!(
                    f,
                    "compiler bug: generated code refers to `{names}`, which no kernel module may import"
                )
            }
            Self::Environment(name) => {
                write!(f, "the environment variable {name} must not be set when kernels are linked")
            }
            Self::Linker(reason) => write!(f, "the linker failed: {reason}"),
            Self::Write { path, source } => write!(f, "cannot write {}: {source}", path.display()),
        }
    }
}

impl std::error::Error for LinkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write { source, .. } => Some(source),
            _ => None,
        }
    }
}
