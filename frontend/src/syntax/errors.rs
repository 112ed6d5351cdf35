//! The parser's errors in words for the reader of a program, not of a grammar.

use super::recover::Failure;
use super::tokens::{Mark, Tokens};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, code};
use crate::source::{SourceFile, Span};
use rustpython_parser::lexer::LexicalErrorType;
use rustpython_parser::{ParseErrorType, Tok};

/// Reports what the parser stumbled over.
pub(super) fn report(source: &SourceFile, tokens: &Tokens, failure: &Failure, sink: &mut Diagnostics) {
    let context = Context { source, tokens, offset: failure.offset };
    let diagnostic = match &failure.error {
        ParseErrorType::Lexical(error) => context.lexical(error),
        ParseErrorType::Eof => context.end_of_file(),
        ParseErrorType::InvalidToken => context.unexpected(),
        ParseErrorType::ExtraToken(_) => context.unexpected(),
        ParseErrorType::UnrecognizedToken(tok, expected) => context.unrecognized(tok, expected.as_deref()),
    };
    diagnostic.emit(sink);
}

struct Context<'a> {
    source: &'a SourceFile,
    tokens: &'a Tokens,
    offset: u32,
}

impl Context<'_> {
    fn index(&self) -> usize {
        self.tokens.index_at(self.offset)
    }

    fn tok(&self, index: usize) -> Option<&Tok> {
        self.tokens.list.get(index).map(|token| &token.tok)
    }

    /// The token at the error, or the character there.
    fn here(&self) -> Span {
        match self.tokens.list.get(self.index()) {
            Some(token) if token.span.start == self.offset && !token.span.is_empty() => token.span,
            _ => self.character_at(self.offset),
        }
    }

    fn character_at(&self, offset: u32) -> Span {
        let start = self.source.clamp(Span::at(offset)).start;
        let rest = self.source.text().get(start as usize..).unwrap_or("");
        let length = rest.chars().next().filter(|c| !matches!(c, '\n' | '\r')).map_or(0, char::len_utf8);
        Span::new(start, start + length as u32)
    }

    /// The token before the error.
    fn before(&self) -> Option<Span> {
        let index = self.index().checked_sub(1)?;
        self.tokens.list[..=index].iter().rev().map(|token| token.span).find(|span| !span.is_empty())
    }

    fn lexical(&self, error: &LexicalErrorType) -> Diagnostic {
        use LexicalErrorType as E;
        match error {
            E::IndentationError => self.bad_indentation("indentation matches no block above"),
            E::TabError | E::TabsAfterSpaces => {
                self.bad_indentation("indentation mixes tabs and spaces").help("indent with spaces alone")
            }
            E::DuplicateArgumentError(name) => self.duplicate_parameter(name),
            E::DefaultArgumentError => self
                .at(code::REQUIRED_AFTER_DEFAULT, "parameter without a default follows one with a default")
                .help("give it a default, or move it to the left"),
            E::PositionalArgumentError | E::UnpackedArgumentError => self
                .at(code::POSITIONAL_AFTER_KEYWORD, "positional argument follows a keyword argument")
                .help("write the positional arguments first"),
            E::DuplicateKeywordArgumentError(name) => {
                self.at(code::DUPLICATE_KEYWORD, format!("keyword argument `{name}` is given twice"))
            }
            E::UnrecognizedToken { tok } => self.invalid_character(*tok),
            E::LineContinuationError => {
                self.at(code::SYNTAX_ERROR, "a backslash must be the last character of its line")
            }
            E::UnicodeError | E::StringError | E::FStringError(_) => {
                self.at(code::BAD_STRING_ESCAPE, "string has an escape that means no character")
            }
            E::NestingError => self.at(code::MISMATCHED_BRACKET, "bracket closes nothing"),
            E::Eof => self.end_of_file(),
            E::OtherError(message) => self.other(message),
        }
    }

    fn at(&self, code: Code, headline: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, headline).primary(self.here(), "")
    }

    /// The lexer says most things about numbers without saying so.
    fn other(&self, message: &str) -> Diagnostic {
        let line = self.source.line_span(self.source.line_column(self.offset).line);
        let before = self.source.slice(Span::new(line.start, self.offset));
        let digits = before.len()
            - before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '.').len();
        let span = Span::new(self.offset - digits as u32, self.offset);
        let text = self.source.slice(span);
        if text.starts_with('0')
            && text.len() > 1
            && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
        {
            return Diagnostic::error(code::INVALID_NUMBER, "an integer does not begin with `0`")
                .primary(span, "")
                .help(format!(
                    "write `{}`, or `0o{0}` for an octal number",
                    text.trim_start_matches(['0', '_'])
                ));
        }
        if message.contains("bytes") {
            return self.at(code::SYNTAX_ERROR, message.to_lowercase());
        }
        let number = text.starts_with(|c: char| c.is_ascii_digit() || c == '.') || message.contains("Digit");
        if number || self.source.slice(self.here()).starts_with(|c: char| c.is_ascii_digit()) {
            let span = if span.is_empty() { self.here() } else { span };
            return Diagnostic::error(code::INVALID_NUMBER, "this is not a number").primary(span, "");
        }
        self.unexpected()
    }

    fn invalid_character(&self, character: char) -> Diagnostic {
        // The lexer sometimes points behind the character.
        let here = self.character_at(self.offset);
        let width = character.len_utf8() as u32;
        let behind = Span::new(self.offset.saturating_sub(width), self.offset);
        let span = if self.source.slice(here).starts_with(character) { here } else { behind };
        let shown = if character.is_control() || character.is_whitespace() {
            format!("U+{:04X}", character as u32)
        } else {
            format!("`{character}`")
        };
        Diagnostic::error(code::INVALID_CHARACTER, format!("invalid character {shown}"))
            .primary(span, "not part of the language")
    }

    fn duplicate_parameter(&self, name: &str) -> Diagnostic {
        let named =
            |token: &&super::tokens::Token| matches!(&token.tok, Tok::Name { name: other } if other == name);
        let earlier = self.tokens.list[..self.index()].iter().rev().find(named);
        let diagnostic = self.at(code::DUPLICATE_PARAMETER, format!("parameter `{name}` is defined twice"));
        match earlier {
            Some(token) => diagnostic.secondary(token.span, "first defined here"),
            None => diagnostic,
        }
    }

    fn bad_indentation(&self, headline: &str) -> Diagnostic {
        let line = self.source.line_span(self.source.line_column(self.offset).line);
        let text = self.source.slice(line);
        let end = line.start + (text.len() - text.trim_start_matches([' ', '\t', '\u{c}']).len()) as u32;
        Diagnostic::error(code::BAD_INDENTATION, headline)
            .primary(Span::new(line.start, end.max(line.start)), "")
    }

    fn end_of_file(&self) -> Diagnostic {
        Diagnostic::error(code::SYNTAX_ERROR, "the file ends in the middle of a statement")
            .primary(self.before().unwrap_or_else(|| self.here()), "something must follow")
    }

    fn unrecognized(&self, tok: &Tok, expected: Option<&str>) -> Diagnostic {
        match tok {
            Tok::Indent => self.bad_indentation("unexpected indentation"),
            _ if expected == Some("Indent") => self.missing_block(),
            Tok::Dedent | Tok::EndOfFile => self.end_of_file(),
            Tok::Newline => self.line_ends(),
            _ => self.unexpected(),
        }
    }

    fn missing_block(&self) -> Diagnostic {
        let header = self.header();
        let word = header.map(|span| self.source.slice(span)).unwrap_or("this");
        let diagnostic =
            Diagnostic::error(code::BAD_INDENTATION, format!("expected an indented block after `{word}`"))
                .primary(self.here(), "not indented")
                .help("indent the block, or write `pass` where nothing is to be done");
        match header {
            Some(span) => diagnostic.secondary(span, "opens a block"),
            None => diagnostic,
        }
    }

    /// The first token of the logical line before the error.
    fn header(&self) -> Option<Span> {
        let before = &self.tokens.list[..self.index()];
        let breaks = |token: &super::tokens::Token| matches!(token.tok, Tok::Newline);
        let end = before.iter().rposition(breaks)?;
        self.first_of_line(end).map(|index| self.tokens.list[index].span)
    }

    fn first_of_line(&self, index: usize) -> Option<usize> {
        let starts =
            |token: &super::tokens::Token| matches!(token.tok, Tok::Newline | Tok::Indent | Tok::Dedent);
        let start = self.tokens.list.get(..index)?.iter().rposition(starts).map_or(0, |found| found + 1);
        (start < index).then_some(start)
    }

    fn line_ends(&self) -> Diagnostic {
        let before = self.before().unwrap_or_default();
        let after = Span::at(before.end);
        if let Some(word) = self.unfinished_header() {
            let shown = self.source.slice(word);
            return Diagnostic::error(
                code::MISSING_COLON,
                format!("expected `:` at the end of the `{shown}` line"),
            )
            .primary(after, "add `:` here");
        }
        let increment = self.source.slice(Span::new(before.end.saturating_sub(2), before.end));
        if increment == "++" || increment == "--" {
            return Diagnostic::error(code::SYNTAX_ERROR, format!("`{increment}` is not an operator"))
                .primary(Span::new(before.end - 2, before.end), "")
                .help(format!("write `x {}= 1`", &increment[..1]));
        }
        let shown = self.source.slice(before);
        Diagnostic::error(code::SYNTAX_ERROR, format!("the line ends after `{shown}`"))
            .primary(before, "something must follow")
    }

    /// The word that opens the line, where the line should end in a colon and does not.
    fn unfinished_header(&self) -> Option<Span> {
        let index = self.index();
        let first = self.first_of_line(index)?;
        let token = &self.tokens.list[first];
        let opens = matches!(
            token.tok,
            Tok::If
                | Tok::Elif
                | Tok::Else
                | Tok::While
                | Tok::For
                | Tok::Def
                | Tok::With
                | Tok::Class
                | Tok::Try
        );
        let colon = self.tokens.list[first..index].iter().any(|token| matches!(token.tok, Tok::Colon));
        let annotated = matches!(token.tok, Tok::Def);
        (opens && (!colon || annotated)).then_some(token.span)
    }

    fn unexpected(&self) -> Diagnostic {
        let here = self.here();
        let text = self.source.slice(here);
        let headline = match self.tok(self.index()) {
            Some(tok) if is_keyword(tok) => format!("keyword `{text}` is not expected here"),
            Some(Tok::String { .. }) => "a string is not expected here".to_owned(),
            _ if text.is_empty() => "the statement is not complete".to_owned(),
            _ => format!("`{text}` is not expected here"),
        };
        Diagnostic::error(code::SYNTAX_ERROR, headline).primary(here, "").maybe_help(self.hint())
    }

    /// What other languages write in this place.
    fn hint(&self) -> Option<String> {
        let index = self.index();
        let previous = index.checked_sub(1).and_then(|index| self.tok(index));
        let first = self.first_of_line(index).and_then(|first| self.tok(first));
        let hint = match (first, previous?, self.tok(index)?) {
            (_, Tok::Amper, Tok::Amper) => "write `and`".to_owned(),
            (_, Tok::Vbar, Tok::Vbar) => "write `or`".to_owned(),
            (_, Tok::Else, Tok::If) => "write `elif`".to_owned(),
            (Some(Tok::If | Tok::Elif | Tok::While), _, Tok::Equal) => "write `==` to compare".to_owned(),
            (_, Tok::Name { name }, Tok::String { .. } | Tok::Name { .. } | Tok::Int { .. })
                if matches!(name.as_str(), "print" | "exec") =>
            {
                format!("call it: `{name}(…)`")
            }
            (_, Tok::Async, _) => {
                "`async` is a keyword: `async:` opens a block that runs as a task".to_owned()
            }
            (_, Tok::Name { name }, Tok::Name { .. })
                if name == "function" || name == "func" || name == "fn" =>
            {
                "write `def`".to_owned()
            }
            (_, Tok::True, Tok::Colon) | (_, _, Tok::While) if self.is_block_mark() => {
                "the word opens a block: write its statements on the lines below".to_owned()
            }
            (_, previous, Tok::Equal) if is_keyword(previous) => {
                "a keyword cannot be used as a name".to_owned()
            }
            (_, _, tok) if is_keyword(tok) => "a keyword cannot be used as a name".to_owned(),
            _ => return None,
        };
        Some(hint)
    }

    fn is_block_mark(&self) -> bool {
        let line = self.first_of_line(self.index()).map(|first| self.tokens.list[first].span.start);
        line.is_some_and(|start| matches!(self.tokens.marks.get(&start), Some(Mark::Block(_))))
    }
}

fn is_keyword(tok: &Tok) -> bool {
    matches!(
        tok,
        Tok::False
            | Tok::None
            | Tok::True
            | Tok::And
            | Tok::As
            | Tok::Assert
            | Tok::Async
            | Tok::Await
            | Tok::Break
            | Tok::Class
            | Tok::Continue
            | Tok::Def
            | Tok::Del
            | Tok::Elif
            | Tok::Else
            | Tok::Except
            | Tok::Finally
            | Tok::For
            | Tok::From
            | Tok::Global
            | Tok::If
            | Tok::Import
            | Tok::In
            | Tok::Is
            | Tok::Lambda
            | Tok::Nonlocal
            | Tok::Not
            | Tok::Or
            | Tok::Pass
            | Tok::Raise
            | Tok::Return
            | Tok::Try
            | Tok::While
            | Tok::With
            | Tok::Yield
    )
}
