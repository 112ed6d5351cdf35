//! Diagnostics for programs to read: one JSON object a line.

use super::{Diagnostic, Label};
use crate::source::{SourceFile, Span};
use serde::Serialize;

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    file: &'a str,
    spans: Vec<JsonSpan<'a>>,
    notes: &'a [String],
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonSpan<'a> {
    primary: bool,
    /// Where it is another file than the diagnostic's.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    label: &'a str,
    start: JsonPosition,
    end: JsonPosition,
}

/// Lines and columns count from 1, columns in characters; offsets count bytes from 0.
#[derive(Serialize)]
struct JsonPosition {
    line: u32,
    column: u32,
    offset: u32,
}

/// The diagnostic as one line of JSON, without the line break.
pub fn line(source: &SourceFile, diagnostic: &Diagnostic) -> String {
    let file = file_of(source, diagnostic.primary.as_ref());
    let primary = diagnostic.primary.iter().map(|label| span(source, label, file, true));
    let secondary = diagnostic.secondary.iter().map(|label| span(source, label, file, false));
    let value = JsonDiagnostic {
        code: diagnostic.code.name(),
        severity: diagnostic.severity.name(),
        message: &diagnostic.headline,
        file,
        spans: primary.chain(secondary).collect(),
        notes: &diagnostic.notes,
        help: diagnostic.help.as_deref(),
    };
    // Serialising strings and numbers into a string has no way to fail.
    serde_json::to_string(&value).unwrap_or_default()
}

/// The file that a label stands in.
fn file_of<'a>(source: &'a SourceFile, label: Option<&Label>) -> &'a str {
    label.and_then(|label| source.place(label.span.start).file).unwrap_or(source.name())
}

fn span<'a>(source: &'a SourceFile, label: &'a Label, file: &str, primary: bool) -> JsonSpan<'a> {
    let Span { start, end } = source.clamp(label.span);
    let own = Some(file_of(source, Some(label))).filter(|own| *own != file);
    let (start, end) = (position(source, start), position(source, end));
    JsonSpan { primary, file: own, label: &label.text, start, end }
}

fn position(source: &SourceFile, offset: u32) -> JsonPosition {
    let at = source.place(offset);
    JsonPosition { line: at.line, column: at.column, offset }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::code;

    #[test]
    fn one_object_a_line() {
        let source = SourceFile::new("f.pydd", "é = x\n");
        let diagnostic = Diagnostic::error(code::UNDEFINED_NAME, "name `x` is not defined")
            .primary(Span::new(5, 6), "here")
            .help("define it");
        assert_eq!(
            line(&source, &diagnostic),
            r#"{"code":"undefined-name","severity":"error","message":"name `x` is not defined","file":"f.pydd","spans":[{"primary":true,"label":"here","start":{"line":1,"column":5,"offset":5},"end":{"line":1,"column":6,"offset":6}}],"notes":[],"help":"define it"}"#
        );
    }
}
