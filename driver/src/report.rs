//! Writes diagnostics to standard error.

use crate::options::{Color, MessageFormat, Options};
use pydd_frontend::diagnostics::{Code, Diagnostic, Diagnostics, Severity, code, json, render};
use pydd_frontend::source::{SourceFile, Span};
use pydd_ir::Loc;
use pydd_passes::Refusal;
use std::io::{IsTerminal, Write};

/// Writes all of them, in the order of the source, and the closing count of errors.
pub fn write(source: &SourceFile, diagnostics: &Diagnostics, options: &Options) {
    let mut out = std::io::stderr().lock();
    for diagnostic in diagnostics.sorted() {
        let text = match options.message_format {
            MessageFormat::Json => json::line(source, &diagnostic) + "\n",
            MessageFormat::Human if coloured(options.color) => render::coloured(source, &diagnostic) + "\n",
            MessageFormat::Human => render::plain(source, &diagnostic) + "\n",
        };
        // Nobody is left to tell when standard error is gone.
        let _ = out.write_all(text.as_bytes());
    }
    let errors = diagnostics.error_count() + diagnostics.left_out();
    if errors > 0 && options.message_format == MessageFormat::Human {
        let plural = if errors == 1 { "" } else { "s" };
        let _ = writeln!(out, "{}: {errors} error{plural}", source.name());
    }
}

fn coloured(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    }
}

/// A pass's refusal as a diagnostic.
#[must_use]
pub fn refusal(source: &SourceFile, refusal: &Refusal) -> Diagnostic {
    let code: Code = code::all().find(|c| c.name() == refusal.code).unwrap_or(code::UNSUPPORTED_YET);
    let text_at = |loc: Loc| refusal.labels.iter().find(|(l, _)| *l == loc).map_or("", |(_, text)| text);
    let mut diagnostic = Diagnostic::error(code, refusal.message.clone())
        .primary(span(source, refusal.loc), text_at(refusal.loc))
        .maybe_help(refusal.help.clone());
    for (loc, text) in refusal.labels.iter().filter(|(loc, _)| *loc != refusal.loc) {
        diagnostic = diagnostic.secondary(span(source, *loc), text.clone());
    }
    debug_assert_eq!(diagnostic.severity, Severity::Error);
    diagnostic
}

/// The name or number that starts at a place, or the single character there.
fn span(source: &SourceFile, loc: Loc) -> Span {
    if loc.line == 0 {
        return Span::default();
    }
    let line = source.line_span(loc.line);
    let text = source.slice(line);
    let column = usize::try_from(loc.column.saturating_sub(1)).unwrap_or(usize::MAX);
    let start = text.char_indices().nth(column).map_or(text.len(), |(at, _)| at);
    let word = text[start..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len() - start);
    let at = |offset: usize| line.start + u32::try_from(offset).unwrap_or(0);
    source.clamp(Span::new(at(start), at(start + word.max(1))))
}
