//! Options and errors of code generation.

use crate::cpu::Architecture;
use crate::device::Kernels;
use pydd_ir::Loc;
use std::fmt;
use std::sync::Arc;

/// What a user may choose about generated code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodegenOptions {
    /// 0 to 3.
    pub opt_level: u8,
    pub architecture: Architecture,
    /// `native`, `generic`, an ISA level such as `x86-64-v3`, or a processor's name.
    pub cpu: String,
    /// Which of the module's variants for different processors this is.
    pub variant: Variant,
    /// What the module says of its making: `pyddc 0.1.0 -O3`.
    pub made_by: String,
    /// SHA-256 of what the module was made of, in hexadecimal digits.
    pub source_sha256: String,
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
    /// What was made of the module for devices.
    pub kernels: Option<Arc<Kernels>>,
    /// Of a library for programs without Python: the name of the function that gives the module's description. Otherwise the
    /// object has `PyInit_NAME`.
    pub description: Option<String>,
}

impl Default for CodegenOptions {
    fn default() -> Self {
        Self {
            opt_level: 3,
            architecture: Architecture::HOST,
            cpu: "native".to_owned(),
            variant: Variant::default(),
            made_by: String::new(),
            source_sha256: String::new(),
            strict_fp: false,
            fast_math: false,
            debug: false,
            remarks: false,
            always_launch: false,
            verify: false,
            kernels: None,
            description: None,
        }
    }
}

impl CodegenOptions {
    /// The symbol of the code of kernels.
    #[must_use]
    pub fn device_code(&self) -> String {
        format!("{}..kernels", self.description.as_ref().unwrap_or(&self.variant.symbols))
    }

    /// The symbol of the list of features that the code needs, which is filled in once there is code. Of a library, which others may be linked with, its own.
    #[must_use]
    pub fn features(&self) -> String {
        format!("{}..features", self.description.as_ref().unwrap_or(&self.variant.symbols))
    }
}

/// One of the variants of a module for different processors, all of which are in one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    /// What the symbols of its functions begin with.
    pub symbols: String,
    /// Whether it has the module's initialiser. The others are found by their descriptions.
    pub is_base: bool,
    /// The symbol of the description of the next better variant.
    pub better: Option<String>,
}

impl Default for Variant {
    /// The only one.
    fn default() -> Self {
        Self { symbols: "pydd".to_owned(), is_base: true, better: None }
    }
}

impl Variant {
    /// Those for `cpus`, the first of which is the base.
    #[must_use]
    pub fn all(cpus: &[String]) -> Vec<Self> {
        let symbols = |i: usize| if i == 0 { "pydd".to_owned() } else { format!("pydd.{}", cpus[i]) };
        let better = |i: usize| (i + 1 < cpus.len()).then(|| description(&symbols(i + 1)));
        (0..cpus.len()).map(|i| Self { symbols: symbols(i), is_base: i == 0, better: better(i) }).collect()
    }

    /// The symbol by which a lesser variant finds this one's description.
    #[must_use]
    pub fn description(&self) -> String {
        description(&self.symbols)
    }
}

/// No function has the name: between two dots there would stand a part of one.
fn description(symbols: &str) -> String {
    format!("{symbols}..description")
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
