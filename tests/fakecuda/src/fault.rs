//! What ends a kernel before its end.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    IllegalAddress,
    Misaligned,
    /// A trap, a barrier that not all reach, and what else a real device may do anything at.
    LaunchFailed,
    /// More steps than the limit.
    Timeout,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub code: Code,
    pub text: String,
}

impl Fault {
    #[cold]
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Fault { code, text: text.into() }
    }
}
