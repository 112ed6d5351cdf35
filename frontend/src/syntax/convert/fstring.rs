//! F-strings. The parser sees them as plain strings; they are taken apart here, and each expression is parsed at its place.

use super::Converter;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, FormatPart};
use crate::syntax::limits;
use rustpython_parser::text_size::TextSize;
use rustpython_parser::{Parse, ast as py};

/// An f-string that is read from the front.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Where the text stands in the source.
    offset: u32,
    /// Backslashes stand for themselves.
    raw: bool,
}

/// What is wrong, and where.
type Wrong = (Span, &'static str);

impl Converter<'_, '_> {
    pub(super) fn fstring(&mut self, span: Span) -> ExprKind {
        if self.tokens.within(span).len() != 1 {
            return self.bad_fstring((span, "joined to another string"));
        }
        let source = self.source.slice(span);
        let prefix = source.find(['"', '\'']).unwrap_or(0);
        let quote = &source[prefix..];
        let quotes = if quote.starts_with("\"\"\"") || quote.starts_with("'''") { 3 } else { 1 };
        let Some(text) = source.get(prefix + quotes..source.len().saturating_sub(quotes)) else {
            return self.bad_fstring((span, "not closed"));
        };
        let offset = span.start + (prefix + quotes) as u32;
        let raw = source[..prefix].contains(['r', 'R']);
        let mut reader = Reader { text, at: 0, offset, raw };
        match self.parts(&mut reader) {
            Ok((parts, values)) => ExprKind::Format { parts, values },
            Err(wrong) => self.bad_fstring(wrong),
        }
    }

    pub(super) fn bad_fstring(&mut self, (span, label): Wrong) -> ExprKind {
        Diagnostic::error(code::NOT_IN_LANGUAGE, "this in an f-string is not in the language")
            .primary(span, label)
            .help("f-strings hold `{value}`, `{value!r}`, `{value=}` and `{value:.3f}`")
            .emit(self.sink);
        self.error_expr()
    }

    fn parts(&mut self, reader: &mut Reader<'_>) -> Result<(Vec<FormatPart>, Vec<Expr>), Wrong> {
        let (mut parts, mut values) = (Vec::new(), Vec::new());
        let mut text = String::new();
        while let Some(c) = reader.next() {
            match c {
                '{' | '}' if reader.rest().starts_with(c) => {
                    reader.next();
                    text.push(c);
                }
                '{' => {
                    let value = self.value(reader, &mut text)?;
                    if !text.is_empty() {
                        parts.push(FormatPart::Text(std::mem::take(&mut text)));
                    }
                    parts.push(value.1);
                    values.push(value.0);
                }
                '}' => return Err((reader.here(1), "a single `}`")),
                '\\' if !reader.raw => text.extend(reader.escaped()?),
                _ => text.push(c),
            }
        }
        if !text.is_empty() {
            parts.push(FormatPart::Text(text));
        }
        Ok((parts, values))
    }

    /// What stands in braces, behind the first one. What `=` shows goes to the text before.
    fn value(&mut self, reader: &mut Reader<'_>, text: &mut String) -> Result<(Expr, FormatPart), Wrong> {
        let start = reader.at;
        let length = expression_length(reader.rest()).ok_or_else(|| (reader.here(1), "not closed"))?;
        let source = &reader.text[start..start + length];
        reader.at += length;
        let value = self.placed(source, reader.offset + start as u32)?;
        let (mut repr, mut spec) = (false, String::new());
        if reader.eat('=') {
            while reader.eat(' ') {}
            text.push_str(&reader.text[start..reader.at]);
            repr = matches!(reader.rest().chars().next(), Some('}'));
        }
        if reader.eat('!') {
            match reader.next() {
                Some('r') => repr = true,
                _ => return Err((reader.here(1), "another conversion than `!r`")),
            }
        }
        if reader.eat(':') {
            while let Some(c) = reader.rest().chars().next().filter(|c| *c != '}') {
                if matches!(c, '{' | '\\') {
                    return Err((reader.here(0), "a format that is computed"));
                }
                spec.push(c);
                reader.next();
            }
        }
        if reader.eat('}') {
            Ok((value, FormatPart::Value { repr, spec }))
        } else {
            Err((reader.here(0), "`}` was expected"))
        }
    }

    fn placed(&mut self, source: &str, offset: u32) -> Result<Expr, Wrong> {
        let trimmed = source.trim_start();
        let start = offset + (source.len() - trimmed.len()) as u32;
        let trimmed = trimmed.trim_end();
        let span = Span::new(start, start + trimmed.len() as u32);
        // The length bounds the depth, so that no walk over the tree is deep.
        if trimmed.is_empty() || trimmed.len() > limits::TYPE_TEXT {
            return Err((span, "no expression, or a long one"));
        }
        match py::Expr::parse_starts_at(trimmed, "", TextSize::from(start)) {
            Ok(py::Expr::NamedExpr(_) | py::Expr::JoinedStr(_)) | Err(_) => {
                Err((span, "no expression of the language"))
            }
            Ok(expr) => Ok(self.expr(&expr)),
        }
    }
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.rest().starts_with(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    /// The place so many bytes before.
    fn here(&self, before: usize) -> Span {
        Span::at(self.offset + self.at.saturating_sub(before) as u32)
    }

    /// What stands for a character behind a backslash.
    fn escaped(&mut self) -> Result<Option<char>, Wrong> {
        Ok(Some(match self.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(c @ ('\\' | '\'' | '"')) => c,
            Some('\n') => return Ok(None),
            _ => return Err((self.here(1), "this escape")),
        }))
    }
}

/// How long an expression is that ends in front of `}`, `:`, `!r` or `=`.
fn expression_length(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let next = text[at + c.len_utf8()..].chars().next();
        match (quote, c) {
            (Some(open), _) => quote = Some(open).filter(|open| *open != c),
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']') => depth = depth.checked_sub(1)?,
            (None, '}') if depth > 0 => depth -= 1,
            (None, '}' | ':') if depth == 0 => return Some(at),
            (None, '!') if depth == 0 && next != Some('=') => return Some(at),
            (None, '=') if depth == 0 && next != Some('=') && !"=!<>".contains(before) => return Some(at),
            _ => {}
        }
        before = c;
    }
    None
}
