//! Random array IR, run in every way that there is, with results compared.
//!
//! `generate` makes well-typed modules from seeds. `args` makes arguments for an export from its types and a
//! seed. `check` runs a module: in the interpreter as made, after each pass, at loop level, and compiled. What
//! differs is a [`Failure`], which `shrink` makes small. Checking happens in a child process (`worker`), so that
//! a crash is a finding and not the end.

pub mod args;
pub mod check;
pub mod compare;
pub mod generate;
pub mod native;
pub mod shrink;
pub mod worker;

/// Something that differs from what it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What kind of failure it is, without details: shrinking keeps it. `pass:licm value`, `native:O3 crash`.
    pub kind: String,
    pub detail: String,
}

impl Failure {
    pub fn new(kind: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { kind: kind.into(), detail: detail.into() }
    }
}
