//! Options and errors of code generation.

use pydd_ir::Loc;
use std::fmt;

/// What a user may choose about generated code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodegenOptions {
    /// 0 to 3.
    pub opt_level: u8,
    /// `native`, `generic`, an ISA level such as `x86-64-v3`, or a processor's name.
    pub cpu: String,
    /// Floating-point arithmetic in exact source order, without multiply-add.
    pub strict_fp: bool,
    /// Floating-point arithmetic as if real numbers.
    pub fast_math: bool,
    /// Describe source lines and variables in DWARF.
    pub debug: bool,
    /// Keep the source's places for what the backend says of its passes.
    pub remarks: bool,
    /// The runtime runs parallel loops of one part too; tests of the runtime's part ask for it.
    pub always_launch: bool,
    /// Run the backend's own verifier on what the lowering made.
    pub verify: bool,
}

impl Default for CodegenOptions {
    fn default() -> Self {
        Self {
            opt_level: 3,
            cpu: "native".to_owned(),
            strict_fp: false,
            fast_math: false,
            debug: false,
            remarks: false,
            always_launch: false,
            verify: false,
        }
    }
}

/// What a backend says about a place of the source, in its own words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Remark {
    pub line: u32,
    pub column: u32,
    pub text: String,
}

/// Why there is no code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CodegenError {
    /// The program needs what this backend does not have.
    Unsupported { what: String, loc: Loc },
    /// An option makes no sense for this target.
    Option(String),
    /// A compiler bug.
    Internal(String),
}

impl fmt::Display for CodegenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported { what, .. } => write!(f, "{what} is not supported by this backend"),
            Self::Option(message) => f.write_str(message),
            Self::Internal(message) => write!(f, "code generation failed: {message}"),
        }
    }
}

impl std::error::Error for CodegenError {}
