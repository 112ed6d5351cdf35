//! Telling the client what is wrong with a text.

use super::document::{Document, Known};
use super::places;
use lsp_server::Notification;
use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString,
    PublishDiagnosticsParams, Range, Uri,
};
use pydd_frontend::diagnostics::{self, Severity, code};
use pydd_frontend::source::SourceFile;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// That nothing is wrong with a text that was closed.
pub fn nothing(uri: Uri) -> Notification {
    let params = PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None };
    Notification::new(PublishDiagnostics::METHOD.to_owned(), params)
}

/// What is wrong with a text.
pub fn of(document: &mut Document) -> Notification {
    let (uri, version) = (document.uri.clone(), Some(document.version));
    let work = AssertUnwindSafe(|| document.take_news().map(|known| all(known, &uri)));
    let diagnostics = catch_unwind(work).unwrap_or_else(|_| {
        document.report_panic("telling what is wrong");
        None
    });
    let diagnostics = diagnostics.unwrap_or_else(|| vec![bug()]);
    let params = PublishDiagnosticsParams { uri, diagnostics, version };
    Notification::new(PublishDiagnostics::METHOD.to_owned(), params)
}

fn all(known: &Known, uri: &Uri) -> Vec<Diagnostic> {
    let source = &known.analysis.source;
    known.analysis.diagnostics.sorted().iter().map(|diagnostic| one(source, diagnostic, uri)).collect()
}

/// A diagnostic as the protocol has it.
pub fn one(source: &SourceFile, diagnostic: &diagnostics::Diagnostic, uri: &Uri) -> Diagnostic {
    let related = diagnostic.secondary.iter().filter(|label| !label.text.is_empty()).map(|label| {
        let location = Location { uri: uri.clone(), range: places::range(source, label.span) };
        DiagnosticRelatedInformation { location, message: label.text.clone() }
    });
    let related: Vec<_> = related.collect();
    let is_unreachable = diagnostic.code == code::UNREACHABLE_CODE;
    Diagnostic {
        range: places::range(source, diagnostic.span()),
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Remark => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(diagnostic.code.name().to_owned())),
        source: Some("pydd".to_owned()),
        message: message(diagnostic),
        related_information: (!related.is_empty()).then_some(related),
        tags: is_unreachable.then(|| vec![DiagnosticTag::UNNECESSARY]),
        ..Diagnostic::default()
    }
}

/// The headline, and below it what is said at the place, the facts and the help.
fn message(diagnostic: &diagnostics::Diagnostic) -> String {
    let label = diagnostic.primary.iter().map(|label| label.text.clone()).filter(|text| !text.is_empty());
    let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
    let lines =
        std::iter::once(diagnostic.headline.clone()).chain(label).chain(diagnostic.notes.iter().cloned());
    lines.chain(help).collect::<Vec<_>>().join("\n")
}

/// The compiler has failed; where it has saved the text, it has said on standard error.
fn bug() -> Diagnostic {
    let message =
        "a bug of the compiler: the server's log says where the text that shows it is saved".to_owned();
    Diagnostic {
        range: Range::default(),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("pydd".to_owned()),
        message,
        ..Diagnostic::default()
    }
}
