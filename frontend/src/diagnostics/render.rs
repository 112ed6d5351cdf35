//! Diagnostics for people to read, as rustc shows them.

use super::{Diagnostic, Label, Severity};
use crate::source::{SourceFile, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use pydd_ir::places::Place;

/// Lines longer than this are shown in part, so that generated code of one line stays readable.
const LONG_LINE: usize = 400;

/// Characters shown on each side of a label in a long line.
const CONTEXT: usize = 60;

/// Without colours.
pub fn plain(source: &SourceFile, diagnostic: &Diagnostic) -> String {
    render(source, diagnostic, &Renderer::plain())
}

/// With ANSI colours.
pub fn coloured(source: &SourceFile, diagnostic: &Diagnostic) -> String {
    render(source, diagnostic, &Renderer::styled())
}

fn render(source: &SourceFile, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Remark => Level::INFO.with_name("remark"),
    };
    let title = level.primary_title(&diagnostic.headline).id(diagnostic.code.name());
    let mut group = Group::with_title(title);
    let snippets = Snippets::new(source, diagnostic);
    for window in &snippets.windows {
        match window.origin {
            Some(at) => {
                let origin = Origin::path(window.file).line(at.line as usize).char_column(at.column as usize);
                group = group.element(origin).element(window.snippet());
            }
            None => group = group.element(window.snippet().path(window.file)),
        }
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    let mut text = renderer.render(&[group]);
    text.push('\n');
    text
}

/// The lines around the labels, cut out of the source.
struct Snippets<'a> {
    windows: Vec<Window<'a>>,
}

/// Neighbouring lines and the labels that lie in them.
struct Window<'a> {
    file: &'a str,
    first_line: u32,
    text: String,
    annotations: Vec<(Span, &'a str, bool)>,
    /// The position, where it is not that of the label in `text`.
    origin: Option<Place<'a>>,
}

impl<'a> Snippets<'a> {
    fn new(source: &'a SourceFile, diagnostic: &'a Diagnostic) -> Self {
        let Some(primary) = &diagnostic.primary else { return Self { windows: Vec::new() } };
        let mut labels: Vec<(&Label, bool)> = std::iter::once((primary, true))
            .chain(diagnostic.secondary.iter().map(|label| (label, false)))
            .collect();
        let mut windows = Vec::new();
        // Labels of one file are shown together, the primary one's first.
        while let Some((first, _)) = labels.first() {
            let start = |label: &Label| {
                let line = source.line_column(source.clamp(label.span).start).line;
                source.part_of(line).map(|(part, _)| part.start)
            };
            let part = start(first);
            let (here, elsewhere) = labels.iter().partition(|(label, _)| start(label) == part);
            labels = elsewhere;
            windows.push(Window::around(source, here));
        }
        Self { windows }
    }
}

impl<'a> Window<'a> {
    /// The lines around labels of one part.
    fn around(source: &'a SourceFile, labels: Vec<(&'a Label, bool)>) -> Self {
        let (mut first, mut last) = (u32::MAX, 0);
        for (label, _) in &labels {
            let span = source.clamp(label.span);
            first = first.min(source.line_column(span.start).line);
            last = last.max(source.line_column(span.end).line);
        }
        let longest = (first..=last).map(|line| source.line_span(line).len() as usize).max();
        if longest.unwrap_or(0) > LONG_LINE {
            return Self::part_of_long_line(source, labels[0].0);
        }
        let place = source.place(source.line_span(first).start);
        let indent = source.part_of(first).map_or(0, |(part, _)| part.indent);
        // What stands before all lines of a part is put there again.
        let (mut text, mut moved) = (String::new(), Vec::new());
        for line in first..=last {
            let span = source.line_span(line);
            text.extend(std::iter::repeat_n(' ', indent as usize));
            moved.push((span.start, text.len() as u32));
            text.push_str(source.slice(span));
        }
        let at = |offset: u32| {
            let line = moved.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
            let (start, here) = moved[line];
            (here + (offset - start)).min(text.len() as u32)
        };
        let annotations = labels
            .iter()
            .map(|(label, is_primary)| {
                let span = source.clamp(label.span);
                (Span::new(at(span.start), at(span.end)), label.text.as_str(), *is_primary)
            })
            .collect();
        let text = one_kind_of_line_break(&text);
        let file = place.file.unwrap_or(source.name());
        Self { file, first_line: place.line, text, annotations, origin: None }
    }

    /// Only the neighbourhood of the label; others are not shown.
    fn part_of_long_line(source: &'a SourceFile, label: &'a Label) -> Self {
        let span = source.clamp(label.span);
        let at = source.place(span.start);
        let line = source.line_span(source.line_column(span.start).line);
        let end = span.end.min(line.end);
        let before = source.slice(Span::new(line.start, span.start));
        let within = source.slice(Span::new(span.start, end));
        let after = source.slice(Span::new(end, line.end));
        let lead: String = tail(before, CONTEXT);
        let shown: String = within.chars().take(CONTEXT).collect();
        let cut = shown.len() < within.len();
        let mut text = if lead.len() < before.len() { format!("…{lead}") } else { lead };
        let start = text.len() as u32;
        text.push_str(&shown);
        let end = text.len() as u32;
        let rest: String = after.chars().take(CONTEXT).take_while(|&c| c != '\n' && c != '\r').collect();
        if cut {
            text.push('…');
        } else {
            let more = rest.len() < after.trim_end().len();
            text.push_str(&rest);
            text.push_str(if more { "…" } else { "" });
        }
        Self {
            file: at.file.unwrap_or(source.name()),
            first_line: at.line,
            text,
            annotations: vec![(Span::new(start, end), label.text.as_str(), true)],
            origin: Some(at),
        }
    }

    fn snippet(&self) -> Snippet<'_, Annotation<'_>> {
        let annotations = self.annotations.iter().map(|(span, text, is_primary)| {
            let kind = if *is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            kind.span(span.range()).label((!text.is_empty()).then_some(*text))
        });
        Snippet::source(self.text.as_str()).line_start(self.first_line as usize).annotations(annotations)
    }
}

fn tail(text: &str, count: usize) -> String {
    let skip = text.chars().count().saturating_sub(count);
    text.chars().skip(skip).collect()
}

/// The renderer counts lines by LF alone; a CR that is no part of CRLF ends a line as well.
fn one_kind_of_line_break(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let lone = c == '\r' && chars.peek() != Some(&'\n');
        result.push(if lone { '\n' } else { c });
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::code;

    #[test]
    fn looks_like_rustc() {
        let text =
            "def f(x, n):\n    total = 0.0\n    pfor i in range(n):\n        total = total * 0.5 + x[i]\n";
        let source = SourceFile::new("dot.pydd", text);
        let find = |needle: &str, from: usize| {
            let start = (text[from..].find(needle).unwrap() + from) as u32;
            Span::new(start, start + needle.len() as u32)
        };
        let loop_at = find("pfor", 0);
        let write = find("total", loop_at.start as usize);
        let read = find("total", write.end as usize);
        let diagnostic =
            Diagnostic::error(code::PFOR_CARRIED, "`total` carries a value between `pfor` iterations")
                .primary(write, "")
                .secondary(loop_at, "iterations run in no fixed order")
                .secondary(read, "reads another iteration's write")
                .help("use `for` to keep the order");
        let expected = "\
error[pfor-carried]: `total` carries a value between `pfor` iterations
 --> dot.pydd:4:9
  |
3 |     pfor i in range(n):
  |     ---- iterations run in no fixed order
4 |         total = total * 0.5 + x[i]
  |         ^^^^^   ----- reads another iteration's write
  |
  = help: use `for` to keep the order
";
        assert_eq!(plain(&source, &diagnostic), expected);
        assert!(coloured(&source, &diagnostic).contains("\u{1b}["));
    }

    #[test]
    fn labels_in_several_files() {
        let text = "#pydd:part {\"file\": \"a.py\", \"line\": 12, \"indent\": 4}\ny = g(x)\n#pydd:part {\"file\": \"b.py\", \"line\": 3}\n\ndef g(x):\n";
        let source = SourceFile::new("t", text);
        let find = |needle: &str| {
            let start = text.find(needle).unwrap() as u32;
            Span::new(start, start + needle.len() as u32)
        };
        let diagnostic = Diagnostic::error(code::UNDEFINED_NAME, "no `x`")
            .primary(find("x)"), "here")
            .secondary(find("def g"), "for this");
        let expected = "\
error[undefined-name]: no `x`
  --> a.py:12:11
   |
12 |     y = g(x)
   |           ^^ here
   |
  ::: b.py:4:1
   |
 4 | def g(x):
   | ----- for this
";
        assert_eq!(plain(&source, &diagnostic), expected);
    }

    #[test]
    fn a_long_line_is_shown_in_part() {
        let source = SourceFile::new("f.pydd", format!("x = {}1\n", "1+".repeat(100_000)));
        let diagnostic =
            Diagnostic::error(code::NESTING_TOO_DEEP, "too long").primary(Span::new(5000, 5001), "from here");
        let text = plain(&source, &diagnostic);
        assert!(text.contains("--> f.pydd:1:5001\n"), "{text}");
        assert!(text.len() < 1000, "{text}");
    }
}
