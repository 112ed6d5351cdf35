//! Parsing that goes on after an error: the line with the error is masked, and the chunk parsed again.

use super::chunks::Chunk;
use super::errors;
use super::limits;
use super::scan::Scan;
use super::span_of;
use super::tokens::{self, Tokens};
use crate::diagnostics::Diagnostics;
use crate::source::SourceFile;
use rustpython_parser::ast as py;
use rustpython_parser::lexer::LexicalError;
use rustpython_parser::text_size::TextRange;
use rustpython_parser::{Mode, ParseErrorType, Tok, parse_tokens};

/// A chunk as the parser understood it.
pub(super) struct Parsed {
    pub body: Vec<py::Stmt>,
    pub tokens: Tokens,
}

/// Bytes that may be parsed again, so that many errors in a large file take no quadratic time.
pub(super) struct Budget {
    bytes: usize,
}

impl Budget {
    pub(super) fn new(source: &SourceFile) -> Self {
        Self { bytes: 4 * source.text().len() + (24 << 20) }
    }

    fn take(&mut self, bytes: usize) -> bool {
        let enough = self.bytes >= bytes;
        self.bytes -= if enough { bytes } else { 0 };
        enough
    }
}

/// Parses a chunk, and reports its errors. `None` where it cannot be made sense of.
pub(super) fn parse_chunk(
    source: &SourceFile,
    scan: &mut Scan,
    chunk: &Chunk,
    budget: &mut Budget,
    sink: &mut Diagnostics,
) -> Option<Parsed> {
    loop {
        let (tokens, error) = lex_chunk(scan, chunk);
        let failure = match error {
            Some(error) => {
                Failure { error: ParseErrorType::Lexical(error.error), offset: error.location.into() }
            }
            None => match parse(&tokens) {
                Ok(body) => return Some(Parsed { body, tokens }),
                Err(failure) => failure,
            },
        };
        let line = scan.line_at(failure.offset).filter(|line| chunk.lines.contains(line));
        let masked_before = line.is_some_and(|line| scan.lines[line].broken);
        if sink.error_count() < limits::SYNTAX_ERRORS && !masked_before {
            errors::report(source, &tokens, &failure, sink);
        }
        let line = line.filter(|_| !masked_before)?;
        if !budget.take(chunk.span.len() as usize) || !mask(scan, chunk, line, &failure) {
            return None;
        }
    }
}

/// The tokens of a chunk, of its masked text.
pub(super) fn lex_chunk(scan: &Scan, chunk: &Chunk) -> (Tokens, Option<LexicalError>) {
    // Masking replaces whole lines by ASCII, so that the text stays UTF-8.
    let text = std::str::from_utf8(&scan.masked[chunk.span.range()]).unwrap_or("");
    tokens::lex(text, chunk.span.start)
}

/// What the parser stumbled over.
pub(super) struct Failure {
    pub error: ParseErrorType,
    pub offset: u32,
}

/// Masks what the parser stumbled over, at logical line `line`; whether there is a point in parsing again.
fn mask(scan: &mut Scan, chunk: &Chunk, line: usize, failure: &Failure) -> bool {
    match &failure.error {
        ParseErrorType::UnrecognizedToken(Tok::Indent, _) => scan.blank_block(line),
        // The line above opens a block that is not there.
        ParseErrorType::UnrecognizedToken(_, Some(expected)) if expected == "Indent" => {
            // Each line is masked once, so that this ends.
            match line
                .checked_sub(1)
                .filter(|&above| chunk.lines.contains(&above) && !scan.lines[above].broken)
            {
                Some(above) => scan.mask_line(above),
                None => return false,
            }
        }
        error if error.is_indentation_error() || error.is_tab_error() => return false,
        _ => scan.mask_line(line),
    }
    true
}

fn parse(tokens: &Tokens) -> Result<Vec<py::Stmt>, Failure> {
    let stream = tokens.list.iter().map(|token| {
        let range = TextRange::new(token.span.start.into(), token.span.end.into());
        Ok((token.tok.clone(), range))
    });
    match parse_tokens(stream, Mode::Module, "") {
        Ok(py::Mod::Module(module)) => Ok(module.body),
        Ok(_) => Ok(Vec::new()),
        Err(error) => Err(Failure { error: error.error, offset: error.offset.into() }),
    }
}

/// Whether a statement stands for a masked line.
pub(super) fn is_masked(scan: &Scan, stmt: &py::Stmt) -> bool {
    use py::Ranged;
    matches!(stmt, py::Stmt::Expr(_) | py::Stmt::If(_))
        && scan.masked_lines.contains(&span_of(stmt.range()).start)
}
