//! The first look at the text: logical lines, comments, and what would be too deep for the parser.
//!
//! The scan knows only strings, comments, brackets and indentation. With that it finds unclosed brackets and
//! strings where they open, refuses what nests too deep before anything recurses over it, and gives later stages
//! the places where parsing can start again after an error.
//!
//! [`Scan::masked`] is the text that the lexer reads. It has the length of the source, so that positions are
//! the same. Blank lines and lines of comments are form feeds there: the lexer keeps a queue of the tokens
//! of such lines that it moves by one for each token taken, which takes quadratic time.

mod characters;
mod depth;

use super::limits;
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::Span;
use depth::Depth;

/// A statement's line, or several joined by brackets or backslashes.
#[derive(Clone, Debug)]
pub(super) struct LogicalLine {
    /// From its first character to before its line break.
    pub span: Span,
    /// Indentation, as Python compares it: tabs to the next multiple of 8.
    pub indent: u32,
    /// Whether an error was reported for it, after which it is masked.
    pub broken: bool,
    /// Whether more blocks are around it than are allowed, so that no block may stay around what follows.
    pub too_deep: bool,
    /// Whether it continues the statement above: `else`, `elif`, `except`, `finally`.
    pub continues: bool,
}

/// What the scan finds.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    /// Logical lines, in order.
    pub lines: Vec<LogicalLine>,
    /// Comments from `#` to the end of the line, in order.
    pub comments: Vec<Span>,
    /// The text for the lexer.
    pub masked: Vec<u8>,
    /// Starts of logical lines that are masked by a statement of the same extent.
    pub masked_lines: std::collections::BTreeSet<u32>,
}

/// Scans a text.
pub(super) fn scan(text: &str, sink: &mut Diagnostics) -> Scan {
    let mut scanner = Scanner {
        bytes: text.as_bytes(),
        text,
        at: 0,
        sink,
        scan: Scan { masked: text.as_bytes().to_vec(), ..Scan::default() },
        brackets: Vec::new(),
        depth: Depth::default(),
        blocks: vec![0],
        elifs: vec![0],
        broken: false,
    };
    scanner.run();
    let mut scan = scanner.scan;
    for index in 0..scan.lines.len() {
        if scan.lines[index].broken {
            scan.mask_line(index);
        }
    }
    scan
}

impl Scan {
    /// The logical line that holds `offset`, or the first after it; indentation and line break are part of it.
    pub(super) fn line_at(&self, offset: u32) -> Option<usize> {
        let index = self.lines.partition_point(|line| line.span.end < offset);
        (index < self.lines.len()).then_some(index)
    }

    /// Whether an error was reported for a logical line that starts within a span or right behind it.
    pub(super) fn has_broken(&self, span: Span) -> bool {
        let first = self.lines.partition_point(|line| line.span.start < span.start);
        let within = self.lines[first..].iter().take_while(|line| line.span.start < span.end || line.broken);
        within.into_iter().any(|line| line.broken)
    }

    /// Blanks a logical line and what follows with the same indentation or more.
    pub(super) fn blank_block(&mut self, index: usize) {
        let indent = self.lines[index].indent;
        let count = self.lines[index..].iter().take_while(|line| line.indent >= indent).count();
        let (start, end) = (self.lines[index].span.start, self.lines[index + count - 1].span.end);
        let line_start = self.masked[..start as usize].iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        self.masked[line_start.map_or(0, |found| found + 1)..end as usize].fill(FORM_FEED);
        self.lines[index..index + count].iter_mut().for_each(|line| line.broken = true);
    }

    /// Replaces a logical line by a statement that parses: `0`, or `if 0:` where a block follows.
    pub(super) fn mask_line(&mut self, index: usize) {
        let line = &mut self.lines[index];
        line.broken = true;
        let (span, indent, too_deep) = (line.span, line.indent, line.too_deep);
        if self.masked.get(span.start as usize) == Some(&FORM_FEED) {
            return;
        }
        let deeper = self.lines[index + 1..].iter().take_while(|next| next.indent > indent).count();
        let header = deeper > 0 && span.len() >= 5 && !too_deep;
        let statement: &[u8] = if header { b"if 0:" } else { b"0" };
        let bytes = &mut self.masked[span.range()];
        bytes.fill(b' ');
        bytes[..statement.len()].copy_from_slice(statement);
        self.masked_lines.insert(span.start);
        if deeper > 0 && !header {
            let last = &self.lines[index + deeper];
            let end = (last.span.end as usize + 1).min(self.masked.len());
            // The line break stays, since it ends the statement.
            self.masked[span.end as usize + 1..end].fill(FORM_FEED);
            self.lines[index + 1..=index + deeper].iter_mut().for_each(|line| line.broken = true);
        }
    }
}

/// Whitespace for the lexer that leaves no token and sets the indentation back to zero.
const FORM_FEED: u8 = 0x0c;

/// Words that begin a statement and stand nowhere inside brackets, so that a bracket open before them was
/// forgotten to be closed.
const STATEMENT_WORDS: &[&str] = &[
    "def", "class", "return", "while", "import", "with", "assert", "raise", "pass", "break", "continue",
    "del", "global", "try", "elif", "pfor",
];

/// Words that are operators, or count as ones because they nest.
const OPERATOR_WORDS: &[&str] =
    &["not", "and", "or", "in", "is", "if", "else", "lambda", "await", "yield", "for"];

struct Scanner<'a> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
    sink: &'a mut Diagnostics,
    scan: Scan,
    brackets: Vec<(u8, u32)>,
    depth: Depth,
    /// Indentations of the blocks around this line.
    blocks: Vec<u32>,
    /// For each of these, the `elif`s so far.
    elifs: Vec<u32>,
    /// Whether an error was reported for this logical line.
    broken: bool,
}

impl<'a> Scanner<'a> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = 3;
            self.scan.masked[..3].fill(FORM_FEED);
        }
        while self.at < self.bytes.len() {
            let line_start = self.at;
            let indent = self.indentation();
            match self.peek(0) {
                None | Some(b'\n' | b'\r' | b'#') => {
                    self.comment();
                    self.line_break();
                    self.scan.masked[line_start..self.at].fill(FORM_FEED);
                }
                Some(_) => self.logical_line(indent),
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn indentation(&mut self) -> u32 {
        let mut indent = 0;
        loop {
            match self.peek(0) {
                Some(b' ') => indent += 1,
                Some(b'\t') => indent = (indent / 8 + 1) * 8,
                Some(FORM_FEED) => indent = 0,
                _ => return indent,
            }
            self.at += 1;
        }
    }

    fn comment(&mut self) {
        if self.peek(0) != Some(b'#') {
            return;
        }
        let start = self.at;
        while !matches!(self.peek(0), None | Some(b'\n' | b'\r')) {
            self.at += 1;
        }
        self.scan.comments.push(Span::new(start as u32, self.at as u32));
    }

    /// Steps over one line break, if there is one here.
    fn line_break(&mut self) -> bool {
        match (self.peek(0), self.peek(1)) {
            (Some(b'\r'), Some(b'\n')) => self.at += 2,
            (Some(b'\r' | b'\n'), _) => self.at += 1,
            _ => return false,
        }
        true
    }

    fn logical_line(&mut self, indent: u32) {
        let start = self.at;
        self.broken = false;
        self.brackets.clear();
        self.depth = Depth::default();
        let word = self.word_at(start);
        self.enter_block(indent, word, start);
        let end = self.logical_line_end();
        if let (Some(&(_, open)), false) = (self.brackets.last(), self.broken) {
            self.unclosed(open);
        }
        self.scan.lines.push(LogicalLine {
            span: Span::new(start as u32, end as u32),
            indent,
            broken: self.broken,
            too_deep: self.blocks.len() > limits::BLOCKS,
            continues: matches!(word, "else" | "elif" | "except" | "finally"),
        });
    }

    fn enter_block(&mut self, indent: u32, word: &str, start: usize) {
        while self.blocks.last().is_some_and(|&block| block > indent) {
            self.blocks.pop();
            self.elifs.pop();
        }
        if self.blocks.last().is_none_or(|&block| block < indent) {
            self.blocks.push(indent);
            self.elifs.push(0);
        }
        if self.blocks.len() > limits::BLOCKS + 1 {
            // Told at the first line that was too deep.
            self.broken = true;
        } else if self.blocks.len() > limits::BLOCKS {
            let span = Span::new(start as u32, (start + word.len().max(1)) as u32);
            self.too_deep(span, "blocks nest too deep", "blocks", limits::BLOCKS);
        }
        if let Some(elifs) = self.elifs.last_mut() {
            *elifs = if word == "elif" { *elifs + 1 } else { 0 };
            if *elifs > limits::ELIFS {
                *elifs = 0;
                let span = Span::new(start as u32, (start + word.len()) as u32);
                self.too_deep(span, "an `if` has too many `elif`s", "`elif`s", limits::ELIFS as usize);
            }
        }
    }

    /// Scans to the end of the logical line and over its line break; gives the offset before that.
    fn logical_line_end(&mut self) -> usize {
        loop {
            let before = self.at;
            match self.peek(0) {
                None => return before,
                Some(b'\n' | b'\r') => {
                    self.line_break();
                    if self.brackets.is_empty() || self.statement_begins() {
                        return before;
                    }
                }
                Some(_) => self.item(),
            }
        }
    }

    /// Whether this physical line begins with a word that cannot stand inside brackets.
    fn statement_begins(&self) -> bool {
        let skipped = self.bytes[self.at..].iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count();
        STATEMENT_WORDS.contains(&self.word_at(self.at + skipped))
    }

    fn word_at(&self, start: usize) -> &'a str {
        let length = self.bytes[start..].iter().take_while(|&&byte| is_word(byte)).count();
        self.text.get(start..start + length).unwrap_or("")
    }

    /// One token, roughly.
    fn item(&mut self) {
        let byte = self.bytes[self.at];
        match byte {
            b'#' => self.comment(),
            b'"' | b'\'' => self.string(self.at),
            b'0'..=b'9' => self.number(),
            _ if is_word(byte) => self.word(),
            b'(' | b'[' | b'{' => self.open(byte),
            b')' | b']' | b'}' => self.close(byte),
            b'\\' => {
                self.at += 1;
                self.line_break();
            }
            b',' | b';' => {
                self.depth.separate();
                self.at += 1;
            }
            b'=' if self.peek(1) != Some(b'=') => {
                self.depth.separate();
                self.at += 1;
            }
            b'!' if self.peek(1) != Some(b'=') => self.invalid_character(),
            b'+' | b'-' | b'*' | b'/' | b'%' | b'@' | b'&' | b'|' | b'^' | b'~' | b'<' | b'>' | b'.'
            | b'=' | b'!' => {
                self.operator(byte);
            }
            b' ' | b'\t' | FORM_FEED | b':' => self.at += 1,
            _ => self.invalid_character(),
        }
    }

    fn operator(&mut self, byte: u8) {
        let at = self.at;
        let doubled = self.peek(1) == Some(byte) && matches!(byte, b'*' | b'/' | b'<' | b'>');
        // `<=` is no assignment; an assignment would separate.
        let compares = self.peek(1) == Some(b'=') && matches!(byte, b'<' | b'>' | b'=' | b'!');
        self.at += if doubled || compares { 2 } else { 1 };
        self.count_operator(at);
    }

    fn count_operator(&mut self, at: usize) {
        if self.depth.operator() && !self.broken {
            self.too_deep(
                Span::new(at as u32, self.at as u32),
                "expression is too long",
                "operators inside each other",
                limits::OPERATORS as usize,
            );
        }
    }

    fn open(&mut self, byte: u8) {
        let at = self.at;
        self.at += 1;
        self.count_operator(at);
        self.brackets.push((byte, at as u32));
        self.depth.open();
        if self.brackets.len() > limits::BRACKETS && !self.broken {
            let span = Span::new(at as u32, self.at as u32);
            self.too_deep(span, "brackets nest too deep", "brackets", limits::BRACKETS);
        }
    }

    fn close(&mut self, byte: u8) {
        let here = Span::new(self.at as u32, self.at as u32 + 1);
        self.at += 1;
        let closes = |open: u8| matches!((open, byte), (b'(', b')') | (b'[', b']') | (b'{', b'}'));
        match self.brackets.pop() {
            Some((open, _)) if closes(open) => {
                if self.depth.close() && !self.broken {
                    let most = limits::OPERATORS as usize;
                    self.too_deep(here, "expression is too long", "operators inside each other", most);
                }
            }
            Some((open, at)) => {
                let headline = format!("`{}` does not close `{}`", byte as char, open as char);
                self.error(
                    Diagnostic::error(code::MISMATCHED_BRACKET, headline)
                        .primary(here, format!("expected `{}`", closing(open)))
                        .secondary(Span::new(at, at + 1), "opened here"),
                );
                // What follows up to the line's end belongs to the line.
                self.brackets.clear();
                self.depth = Depth::default();
            }
            None => self.error(
                Diagnostic::error(code::MISMATCHED_BRACKET, format!("`{}` closes nothing", byte as char))
                    .primary(here, "no bracket is open here"),
            ),
        }
    }

    fn unclosed(&mut self, open: u32) {
        let bracket = self.bytes[open as usize];
        self.error(
            Diagnostic::error(code::UNCLOSED_BRACKET, format!("`{}` was never closed", bracket as char))
                .primary(Span::new(open, open + 1), format!("no `{}` follows", closing(bracket))),
        );
    }

    fn word(&mut self) {
        let start = self.at;
        while self.peek(0).is_some_and(is_word) {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        let prefixed = self.at - start <= 2 && matches!(self.peek(0), Some(b'"' | b'\''));
        if prefixed && is_string_prefix(word) {
            self.string(start);
        } else if OPERATOR_WORDS.contains(&word) {
            if word == "lambda" {
                self.depth.lambda();
            }
            self.count_operator(start);
        } else if !word.is_ascii() {
            self.check_identifier(start);
        }
    }

    fn number(&mut self) {
        let start = self.at;
        while self.peek(0).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')) {
            self.at += 1;
        }
        if self.at - start > limits::DIGITS {
            self.error(
                Diagnostic::error(code::INTEGER_TOO_LARGE, "number has too many digits")
                    .primary(Span::new(start as u32, self.at as u32), "fits no number type"),
            );
        }
    }

    /// A string whose quote is here; `start` is where its prefix starts.
    fn string(&mut self, start: usize) {
        let quote = self.bytes[self.at];
        let triple = self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        let opening = if triple { 3 } else { 1 };
        self.at += opening;
        let content = self.at;
        loop {
            match self.peek(0) {
                None => break,
                Some(b'\\') => {
                    self.at += 1;
                    if !self.line_break() && self.at < self.bytes.len() {
                        self.at += 1;
                    }
                }
                Some(b'\n' | b'\r') if !triple => break,
                Some(byte) if byte == quote && !triple => {
                    self.at += 1;
                    return;
                }
                Some(byte) if byte == quote && self.peek(1) == Some(quote) && self.peek(2) == Some(quote) => {
                    self.at += 3;
                    return;
                }
                Some(_) => self.at += 1,
            }
        }
        let span = Span::new(start as u32, content as u32);
        self.error(
            Diagnostic::error(code::UNTERMINATED_STRING, "string is never closed")
                .primary(span, "opened here"),
        );
        // The brackets around it are likely closed in what now looks like text.
        self.brackets.clear();
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        if !self.broken && self.sink.error_count() < limits::SYNTAX_ERRORS {
            self.sink.push(diagnostic);
        }
        self.broken = true;
    }

    fn too_deep(&mut self, span: Span, headline: &str, what: &str, most: usize) {
        self.error(
            Diagnostic::error(code::NESTING_TOO_DEEP, headline)
                .primary(span, format!("more than {most} {what} here"))
                .help("compute parts of it into variables or functions of their own"),
        );
    }
}

fn closing(open: u8) -> char {
    match open {
        b'(' => ')',
        b'[' => ']',
        _ => '}',
    }
}

/// Bytes of names; what is not ASCII counts as one and is checked afterwards.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn is_string_prefix(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "r" | "u" | "b" | "f" | "br" | "rb" | "fr" | "rf")
}
