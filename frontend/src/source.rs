//! Source text and positions in it.

use pydd_ir::places::{self, Part, Place};
use serde::Deserialize;
use std::fmt;

/// A half-open range of bytes in a [`SourceFile`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` to `end`; an inverted range becomes empty.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end: end.max(start) }
    }

    /// The empty span at `offset`.
    pub fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// The smallest span that covers both.
    pub fn join(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Number of bytes.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether no byte is covered.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `other` lies within this span.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// As a range of indices.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A position as a reader counts it: lines and characters, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// What a line begins with that says where the lines below it come from: `#pydd:part {"file": "a.py", "line": 12, "indent": 4}`.
/// Where the first line of a text is such a line, the text is put together of parts of files, as decorators and notebooks do. See [`Marker`].
const PART: &str = "#pydd:part ";

/// A source file: its name, its text and where its lines start.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    /// The files that it is put together of.
    parts: Vec<Part>,
    /// What is said of each part.
    markers: Vec<Marker>,
    text: String,
    line_starts: Vec<u32>,
    /// Offsets of the bytes of characters but for the first ones: a line may be long, and many places in it asked for.
    inner_bytes: Vec<u32>,
    invalid_utf8: Option<u32>,
}

impl SourceFile {
    /// A source file from text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = line_starts(&text);
        let inner = |(_, byte): &(u32, u8)| byte & 0xc0 == 0x80;
        let inner_bytes = (0..).zip(text.bytes()).filter(inner).map(|(at, _)| at).collect();
        let (name, (parts, markers)) = (name.into(), (Vec::new(), Vec::new()));
        let mut file = Self { name, parts, markers, text, line_starts, inner_bytes, invalid_utf8: None };
        file.read_parts();
        file
    }

    /// The parts that the text is put together of.
    fn read_parts(&mut self) {
        if !self.text.starts_with(PART) {
            return;
        }
        for line in 1..=self.line_count() {
            let marker = self.slice(self.line_span(line)).strip_prefix(PART);
            let Some(marker) = marker.and_then(|text| serde_json::from_str::<Marker>(text).ok()) else {
                continue;
            };
            // No line of a file is longer than that.
            let (file, first, indent) = (marker.file.clone(), marker.line, marker.indent.min(1000));
            self.parts.push(Part { start: line + 1, file, line: first, indent });
            self.markers.push(marker);
        }
        if let Some(first) = self.parts.first() {
            self.name.clone_from(&first.file);
        }
    }

    /// A source file from bytes that need not be UTF-8. Where they are not, the text holds U+FFFD, and
    /// [`invalid_utf8`](Self::invalid_utf8) says where the first wrong byte is.
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::new(name, text),
            Err(error) => {
                let mut file = Self::new(name, String::from_utf8_lossy(bytes));
                file.invalid_utf8 = Some(u32::try_from(error.valid_up_to()).unwrap_or(u32::MAX));
                file
            }
        }
    }

    /// The SHA-256 of the file that a text was made of, where it says so and is of one file.
    pub fn stated_sha256(bytes: &[u8]) -> Option<String> {
        let rest = bytes.strip_prefix(PART.as_bytes())?;
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let stated = serde_json::from_slice::<Marker>(&rest[..end]).ok()?.sha256?;
        let is_digest = stated.len() == 64 && stated.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
        let is_one = !rest[end..].windows(PART.len()).any(|at| at == PART.as_bytes());
        (is_digest && is_one).then_some(stated)
    }

    /// The files that the text is put together of; empty where it is one file.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The part that holds a line, and the line after its last.
    pub fn part_of(&self, line: u32) -> Option<(&Part, u32)> {
        let part = places::part_of(&self.parts, line)?;
        let next = self.parts.iter().find(|other| other.start > part.start);
        // The line before a part says which file it comes from.
        Some((part, next.map_or(self.line_count() + 1, |next| next.start - 1)))
    }

    /// What is said of the part that holds an offset.
    pub fn marker(&self, offset: u32) -> Option<&Marker> {
        let line = self.line_column(offset).line;
        let index = self.parts.partition_point(|part| part.start <= line).checked_sub(1)?;
        self.markers.get(index)
    }

    /// Whether annotations at an offset say nothing, as in Python.
    pub fn is_plain(&self, offset: u32) -> bool {
        self.marker(offset).is_some_and(|marker| marker.plain)
    }

    /// Where a user finds a line; `None` for those that no file has.
    pub fn shown_line(&self, line: u32) -> Option<Place<'_>> {
        if self.parts.is_empty() {
            return Some(Place { file: None, line, column: 0 });
        }
        let (_, end) = self.part_of(line)?;
        let hidden = self.marker(self.line_span(line).start).is_some_and(|marker| marker.hidden);
        // The text's last line break starts no line.
        let is_line =
            line < end && (line < self.line_count() || !self.slice(self.line_span(line)).is_empty());
        (is_line && !hidden).then(|| places::place(&self.parts, line, 0))
    }

    /// Where a user finds an offset.
    pub fn place(&self, offset: u32) -> Place<'_> {
        let at = self.line_column(offset);
        places::place(&self.parts, at.line, at.column)
    }

    /// The name as it is shown in diagnostics.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Offset of the first byte that is not UTF-8.
    pub fn invalid_utf8(&self) -> Option<u32> {
        self.invalid_utf8
    }

    /// The text of a span; empty where the span lies outside or cuts a character.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Line and column of an offset; an offset past the end counts as the end.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let offset = self.floor_boundary(offset);
        let line = self.line_index(offset);
        let start = self.line_starts[line];
        let inner_before = |offset| self.inner_bytes.partition_point(|&at| at < offset) as u32;
        let column = offset - start - (inner_before(offset) - inner_before(start));
        LineColumn { line: line as u32 + 1, column: column + 1 }
    }

    /// Number of lines, at least 1.
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }

    /// The span of a line (from 1) with its line break.
    pub fn line_span(&self, line: u32) -> Span {
        let index = (line.max(1) as usize - 1).min(self.line_starts.len() - 1);
        let end = self.line_starts.get(index + 1).copied().unwrap_or(self.text.len() as u32);
        Span::new(self.line_starts[index], end)
    }

    /// The span moved inward to character boundaries and to the text's length.
    pub fn clamp(&self, span: Span) -> Span {
        let start = self.floor_boundary(span.start);
        let mut end = span.end.min(self.text.len() as u32);
        while !self.text.is_char_boundary(end as usize) {
            end += 1;
        }
        Span::new(start, end)
    }

    fn floor_boundary(&self, offset: u32) -> u32 {
        let mut offset = offset.min(self.text.len() as u32);
        while !self.text.is_char_boundary(offset as usize) {
            offset -= 1;
        }
        offset
    }

    fn line_index(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }
}

/// What a line says of the part below it.
#[derive(Clone, Debug, Deserialize)]
pub struct Marker {
    /// The file that the lines come from.
    pub file: String,
    /// The first of them there, from 1.
    pub line: u32,
    /// How many characters each line has there before what stands here.
    #[serde(default)]
    pub indent: u32,
    /// The SHA-256 of the whole file, in hexadecimal digits.
    #[serde(default)]
    pub sha256: Option<String>,
    /// It is a function of plain Python, in which annotations and type comments say nothing.
    #[serde(default)]
    pub plain: bool,
    /// The lines were made up, and are nobody's to look at.
    #[serde(default)]
    pub hidden: bool,
    /// The types of its function, in place of annotations, as in a type comment: `(Array(float64, 1), int) -> Any`.
    #[serde(default)]
    pub signature: Option<String>,
    /// Parameters of its function that are constants of the module instead, and not given.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// Globals of the Python file that its function is given behind its arguments: lists, dicts, sets and arrays.
    #[serde(default)]
    pub globals: Vec<String>,
    /// Its function keeps its results, as by `functools.cache`.
    #[serde(default)]
    pub cached: bool,
    /// Its function is that of a ufunc, whose loops have operands and results of these types.
    #[serde(default)]
    pub loops: Option<Vec<[Vec<String>; 2]>>,
}

/// Python ends a line at LF, CRLF and CR.
fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (index, &byte) in bytes.iter().enumerate() {
        let ends = byte == b'\n' || (byte == b'\r' && bytes.get(index + 1) != Some(&b'\n'));
        if ends {
            starts.push(index as u32 + 1);
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let file = SourceFile::new("a", "é = 1\r\nxy\rz");
        assert_eq!(file.line_column(3), LineColumn { line: 1, column: 3 });
        assert_eq!(file.line_column(8), LineColumn { line: 2, column: 1 });
        assert_eq!(file.line_column(11), LineColumn { line: 3, column: 1 });
        assert_eq!(file.line_column(999), LineColumn { line: 3, column: 2 });
        assert_eq!(file.line_column(1), LineColumn { line: 1, column: 1 }, "inside é");
        assert_eq!(file.line_count(), 3);
    }

    #[test]
    fn a_text_may_be_parts_of_files() {
        let text = "#pydd:part {\"file\": \"a.py\", \"line\": 12, \"indent\": 4}\nx\n#pydd:part {\"file\": \"b.py\", \"line\": 3}\ny\nz";
        let file = SourceFile::new("t", text);
        assert_eq!(file.name(), "a.py");
        let at = |needle: &str| file.place(text.rfind(needle).unwrap() as u32);
        assert_eq!(at("x"), Place { file: Some("a.py"), line: 12, column: 5 });
        assert_eq!(at("z"), Place { file: Some("b.py"), line: 4, column: 1 });
        assert_eq!(file.part_of(2).map(|(part, end)| (part.line, end)), Some((12, 3)));
        // Somewhere in a file such a line is a comment.
        let file = SourceFile::new("t", format!("\n{text}"));
        assert_eq!(file.name(), "t");
        assert_eq!(file.place(1), Place { file: None, line: 2, column: 1 });
    }

    #[test]
    fn bytes_that_are_not_utf8_are_located() {
        let file = SourceFile::from_bytes("a", b"ab\xffc");
        assert_eq!(file.invalid_utf8(), Some(2));
    }
}
