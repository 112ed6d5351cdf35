//! Diagnostics as data: a code, a headline, labelled spans, help. Rendering is apart from making.
//!
//! ```
//! use pydd_frontend::diagnostics::{code, Diagnostic, Diagnostics, render};
//! use pydd_frontend::source::{SourceFile, Span};
//!
//! let source = SourceFile::new("f.pydd", "y = x\n");
//! let mut sink = Diagnostics::new();
//! Diagnostic::error(code::UNDEFINED_NAME, "name `x` is not defined")
//!     .primary(Span::new(4, 5), "not defined here")
//!     .emit(&mut sink);
//! assert!(render::plain(&source, &sink.sorted()[0]).starts_with("error[undefined-name]: "));
//! ```

pub mod code;
pub mod json;
pub mod render;
mod sink;
mod suggest;

pub use code::{Code, explain};
pub use sink::Diagnostics;
pub use suggest::did_you_mean;

use crate::source::Span;

/// `1 argument`, `2 arguments`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// `1 was given`, `2 were given`.
pub fn were_given(count: usize) -> String {
    format!("{count} {} given", if count == 1 { "was" } else { "were" })
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program is not compiled.
    Error,
    /// The program is compiled and probably does not mean what was intended.
    Warning,
    /// Something worth knowing about how the program was compiled.
    Remark,
}

impl Severity {
    /// The word that opens a rendered diagnostic.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Remark => "remark",
        }
    }
}

/// A span and what is to be said about it; the text may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What.
    pub text: String,
}

/// What is behind a diagnostic, for code that goes on by it. It is not shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// The diagnostic itself says all.
    #[default]
    Own,
    /// Of a container nothing is known that it holds.
    UnknownItems,
    /// The argument for this parameter of a library function does not fit.
    Parameter(String),
}

/// One thing to tell the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule.
    pub code: Code,
    /// How bad.
    pub severity: Severity,
    /// The message; it stands alone.
    pub headline: String,
    /// What is wrong; the first primary label, where the diagnostic has a place.
    pub primary: Option<Label>,
    /// Where the expectation came from.
    pub secondary: Vec<Label>,
    /// Facts that need no place.
    pub notes: Vec<String>,
    /// What to write instead; only where it is concrete.
    pub help: Option<String>,
    /// Why it is there.
    pub cause: Cause,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: Code, headline: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, headline)
    }

    /// A warning.
    pub fn warning(code: Code, headline: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, headline)
    }

    /// A remark.
    pub fn remark(code: Code, headline: impl Into<String>) -> Self {
        Self::new(Severity::Remark, code, headline)
    }

    fn new(severity: Severity, code: Code, headline: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            headline: headline.into(),
            primary: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            cause: Cause::Own,
        }
    }

    /// Says where and what is wrong.
    #[must_use]
    pub fn primary(mut self, span: Span, text: impl Into<String>) -> Self {
        self.primary = Some(Label { span, text: text.into() });
        self
    }

    /// Points at a further place.
    #[must_use]
    pub fn secondary(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a fact that needs no place.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says what to write instead.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Says what to write instead, where there is something to say.
    #[must_use]
    pub fn maybe_help(mut self, text: Option<impl Into<String>>) -> Self {
        if let Some(text) = text {
            self.help = Some(text.into());
        }
        self
    }

    /// Says what is behind it.
    #[must_use]
    pub fn because(mut self, cause: Cause) -> Self {
        self.cause = cause;
        self
    }

    /// Hands the diagnostic over to a collector.
    pub fn emit(self, sink: &mut Diagnostics) {
        sink.push(self);
    }

    /// The primary span, or the empty span at the start of the file.
    pub fn span(&self) -> Span {
        self.primary.as_ref().map(|label| label.span).unwrap_or_default()
    }
}
