//! What the user is told: diagnostics on standard error, and the report, as remarks or as a page.

pub mod badge;
pub mod effort;
pub mod html;
pub mod perf;
pub mod picture;
pub mod vectors;

use crate::options::{Color, MessageFormat, Options, Report};
use crate::progress;
use pydd_frontend::diagnostics::{Code, Diagnostic, Diagnostics, code, json, render};
use pydd_frontend::source::{SourceFile, Span};
use pydd_ir::Loc;
use pydd_passes::Finding;
use pydd_passes::report::lines::numbered;
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};

use perf::Samples;

/// Says what was found out about a program that compiles, where the options want it.
///
/// # Errors
/// The page can't be written, or samples can't be read: in a user's words.
pub fn tell(
    source: &SourceFile,
    diagnostics: &Diagnostics,
    findings: &[Finding],
    options: &Options,
) -> Result<(), String> {
    let Some(Report::Page(path)) = &options.report else {
        let mut all = diagnostics.clone();
        all.extend(remarks(source, findings));
        write(source, &all, options);
        return Ok(());
    };
    let findings = shown(source, findings);
    write(source, diagnostics, options);
    let samples = options.perf.as_ref().map(|perf| Samples::read(perf, source.name())).transpose()?;
    let how = format!(", {}", options.that_matter());
    let page = html::Page { source, findings: &findings, samples: samples.as_ref(), options: how }.write();
    std::fs::write(path, page).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// What was found out about a program, as diagnostics.
#[must_use]
pub fn remarks(source: &SourceFile, findings: &[Finding]) -> Vec<Diagnostic> {
    shown(source, findings).iter().map(|finding| remark(source, finding)).collect()
}

/// Each finding once, in the order of the source, where readers look for it.
fn shown(source: &SourceFile, findings: &[Finding]) -> Vec<Finding> {
    let mut known: BTreeSet<(&str, Loc)> = BTreeSet::new();
    let once = |finding: &&Finding| known.insert((finding.code, finding.loc));
    let functions = functions(source);
    let mut findings: Vec<Finding> =
        findings.iter().filter(once).map(|finding| placed(&functions, finding)).collect();
    findings.sort_by_key(|finding| finding.loc);
    findings.iter_mut().for_each(|finding| number_lines(source, finding));
    findings
}

/// How a function's first line begins.
const DEF: &str = "def ";

/// Functions with their first lines.
fn functions(source: &SourceFile) -> Vec<(String, u32)> {
    let name = |line: u32| {
        let text = source.slice(source.line_span(line)).strip_prefix(DEF)?;
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        Some((text[..end].to_owned(), line))
    };
    (1..=source.line_count()).filter_map(name).collect()
}

/// Writes the lines that a finding's texts speak of by the numbers that they have in the user's files.
fn number_lines(source: &SourceFile, finding: &mut Finding) {
    let number = |line| source.shown_line(line).map_or(line, |place| place.line);
    let texts = std::iter::once(&mut finding.message).chain(&mut finding.notes).chain(&mut finding.help);
    for text in texts.chain(finding.labels.iter_mut().map(|(_, text)| text)) {
        *text = numbered(text, number);
    }
}

/// What is said of functions.
const OF_FUNCTIONS: [&str; 3] = ["allocations", "equal-lengths", "less-effort"];

/// A finding about a function stands at its first line, which the IR does not know.
fn placed(functions: &[(String, u32)], finding: &Finding) -> Finding {
    let mut finding = finding.clone();
    let before = |&&(_, line): &&(String, u32)| line <= finding.loc.line;
    if OF_FUNCTIONS.contains(&finding.code)
        && let Some(&(_, line)) = functions.iter().rev().find(before)
    {
        let (old, column) = (finding.loc, u32::try_from(DEF.len()).unwrap_or(0) + 1);
        finding.loc = Loc { line, column, ..old };
        finding.labels.iter_mut().filter(|(loc, _)| *loc == old).for_each(|(loc, _)| *loc = finding.loc);
    }
    finding
}

/// Writes all of them, in the order of the source, and the closing count of errors.
pub fn write(source: &SourceFile, diagnostics: &Diagnostics, options: &Options) {
    let _aside = progress::aside();
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
pub fn refusal(source: &SourceFile, finding: &Finding) -> Diagnostic {
    let mut finding = finding.clone();
    number_lines(source, &mut finding);
    diagnostic(source, &finding, Diagnostic::error)
}

/// A pass's remark as a diagnostic.
#[must_use]
pub fn remark(source: &SourceFile, finding: &Finding) -> Diagnostic {
    diagnostic(source, finding, Diagnostic::remark)
}

fn diagnostic(
    source: &SourceFile,
    finding: &Finding,
    kind: impl Fn(Code, String) -> Diagnostic,
) -> Diagnostic {
    let code: Code = code::all().find(|c| c.name() == finding.code).unwrap_or(code::UNSUPPORTED_YET);
    let text_at = |loc: Loc| finding.labels.iter().find(|(l, _)| *l == loc).map_or("", |(_, text)| text);
    let mut diagnostic = kind(code, finding.message.clone())
        .primary(span(source, finding.loc), text_at(finding.loc))
        .maybe_help(finding.help.clone());
    for (loc, text) in finding.labels.iter().filter(|(loc, _)| *loc != finding.loc) {
        diagnostic = diagnostic.secondary(span(source, *loc), text.clone());
    }
    diagnostic.notes.clone_from(&finding.notes);
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
