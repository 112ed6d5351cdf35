//! The token stream, in which `pfor`, `async:`, `finish:` and `isolated:` are recognised.
//!
//! The parser knows only Python. So `pfor` becomes `for`, the openings of blocks become `while True:`, and a
//! [`Mark`] at the token's position says what was written. Outside these places the words are ordinary names:
//! `pfor = 3`, `finish: int32 = 4`.

use super::ast::BlockKind;
use crate::source::Span;
use rustpython_parser::lexer::{LexicalError, LexicalErrorType, lex_starts_at};
use rustpython_parser::text_size::TextSize;
use rustpython_parser::{Mode, StringKind, Tok};
use std::collections::BTreeMap;

/// A token and where it is.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub tok: Tok,
    pub span: Span,
}

/// What stands in the source where the parser sees `for` or `while True`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Pfor,
    Block(BlockKind),
}

/// Tokens of a chunk of the source, and what was changed in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Tokens {
    pub list: Vec<Token>,
    /// By the start of the keyword.
    pub marks: BTreeMap<u32, Mark>,
    /// Starts of f-strings, which the parser sees as plain ones: they are not in the language, and it would
    /// parse what is in them.
    pub fstrings: Vec<u32>,
}

impl Tokens {
    /// The token that starts at `offset`, or the first after it.
    pub(super) fn index_from(&self, offset: u32) -> usize {
        self.list.partition_point(|token| token.span.start < offset)
    }

    /// The token at `offset` that has text, rather than an end of a block there; else as `index_from`.
    pub(super) fn index_at(&self, offset: u32) -> usize {
        let first = self.index_from(offset);
        let here = self.list[first..].iter().take_while(|token| token.span.start == offset);
        let empty = here.take_while(|token| token.span.is_empty()).count();
        let found = self.list.get(first + empty).is_some_and(|token| token.span.start == offset);
        if found { first + empty } else { first }
    }

    /// The tokens that start within a span.
    pub(super) fn within(&self, span: Span) -> &[Token] {
        &self.list[self.index_from(span.start)..self.index_from(span.end)]
    }
}

/// Reads the tokens of `text`, which starts at `offset` of the source. What came before an error is kept: the
/// lexer repeats its error for ever.
pub(super) fn lex(text: &str, offset: u32) -> (Tokens, Option<LexicalError>) {
    let mut list = Vec::new();
    let mut error = None;
    for item in lex_starts_at(text, Mode::Module, TextSize::from(offset)) {
        match item {
            Ok((Tok::Comment(_) | Tok::NonLogicalNewline, _)) => {}
            Ok((tok, range)) => {
                if let Some(wrong) = not_a_name(&tok) {
                    let error_type = LexicalErrorType::UnrecognizedToken { tok: wrong };
                    error = Some(LexicalError::new(error_type, range.start()));
                    break;
                }
                list.push(Token { tok, span: super::span_of(range) });
            }
            Err(found) => {
                error = Some(found);
                break;
            }
        }
    }
    let mut tokens = Tokens { list, ..Tokens::default() };
    tokens.unmask_fstrings();
    tokens.mark();
    (tokens, error)
}

/// The lexer takes emoji for names.
fn not_a_name(tok: &Tok) -> Option<char> {
    let Tok::Name { name } = tok else { return None };
    name.chars().next().filter(|&first| first != '_' && !first.is_alphabetic())
}

impl Tokens {
    fn unmask_fstrings(&mut self) {
        for token in &mut self.list {
            if let Tok::String { kind, .. } = &mut token.tok
                && matches!(kind, StringKind::FString | StringKind::RawFString)
            {
                // Raw, since escapes mean something else where they stand in braces.
                *kind = StringKind::RawString;
                self.fstrings.push(token.span.start);
            }
        }
    }

    fn mark(&mut self) {
        let mut line_starts = true;
        let mut index = 0;
        while index < self.list.len() {
            if line_starts {
                self.mark_line(index);
            }
            line_starts = matches!(self.list[index].tok, Tok::Newline | Tok::Indent | Tok::Dedent);
            index += 1;
        }
    }

    /// Recognises a statement that begins with the token at `index`.
    fn mark_line(&mut self, index: usize) {
        let next = self.list.get(index + 1).map(|token| &token.tok);
        let after = self.list.get(index + 2).map(|token| &token.tok);
        let opens_block = matches!(next, Some(Tok::Colon)) && matches!(after, Some(Tok::Newline));
        let kind = match &self.list[index].tok {
            Tok::Name { name } if name == "pfor" && self.begins_loop(index) => {
                self.marks.insert(self.list[index].span.start, Mark::Pfor);
                self.list[index].tok = Tok::For;
                return;
            }
            // As a keyword, `async` before a colon has no other meaning.
            Tok::Async if matches!(next, Some(Tok::Colon)) => BlockKind::Async,
            Tok::Name { name } if name == "finish" && opens_block => BlockKind::Finish,
            Tok::Name { name } if name == "isolated" && opens_block => BlockKind::Isolated,
            _ => return,
        };
        let span = self.list[index].span;
        self.marks.insert(span.start, Mark::Block(kind));
        self.list[index].tok = Tok::While;
        self.list.insert(index + 1, Token { tok: Tok::True, span: Span::at(span.end) });
    }

    /// Whether `pfor` at `index` is followed by a loop's target. After a bracket it may as well be called or
    /// indexed: then the line must have an `in` outside brackets and end in a colon.
    fn begins_loop(&self, index: usize) -> bool {
        match self.list.get(index + 1).map(|token| &token.tok) {
            Some(Tok::Name { .. }) => true,
            Some(Tok::Lpar | Tok::Lsqb) => self.looks_like_loop(index + 1),
            _ => false,
        }
    }

    fn looks_like_loop(&self, start: usize) -> bool {
        let (mut brackets, mut has_in, mut colon) = (0_u32, false, false);
        for token in &self.list[start..] {
            match token.tok {
                Tok::Newline => break,
                Tok::Lpar | Tok::Lsqb | Tok::Lbrace => brackets += 1,
                Tok::Rpar | Tok::Rsqb | Tok::Rbrace => brackets = brackets.saturating_sub(1),
                Tok::In if brackets == 0 => has_in = true,
                Tok::Colon if brackets == 0 => colon = true,
                _ => {}
            }
        }
        has_in && colon
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str) -> Vec<(u32, Mark)> {
        lex(text, 0).0.marks.into_iter().collect()
    }

    #[test]
    fn words_become_statements() {
        assert_eq!(marks("pfor i in x:\n    pass\n"), [(0, Mark::Pfor)]);
        assert_eq!(marks("pfor (i, j) in x:\n    pass\n"), [(0, Mark::Pfor)]);
        assert_eq!(marks("async: # why\n    pass\n"), [(0, Mark::Block(BlockKind::Async))]);
        assert_eq!(marks("async: f()\n"), [(0, Mark::Block(BlockKind::Async))]);
        let nested = "finish:\n    isolated:\n        pass\n";
        assert_eq!(
            marks(nested),
            [(0, Mark::Block(BlockKind::Finish)), (12, Mark::Block(BlockKind::Isolated))]
        );
    }

    #[test]
    fn names_stay_names() {
        let ordinary = [
            "pfor = 3\n",
            "pfor(i)\n",
            "pfor[i] = 3\n",
            "pfor.x = 1\n",
            "finish: int32 = 4\n",
            "finish: int32\n",
            "isolated = finish\n",
            "x = pfor\n",
            "finish(3)\n",
            "if finish:\n    pass\n",
            "f(pfor, x)\n",
        ];
        for text in ordinary {
            assert_eq!(marks(text), [], "{text}");
        }
    }

    #[test]
    fn positions_are_the_sources() {
        let text = "async:\n    x = 1\n";
        let (tokens, error) = lex(text, 0);
        assert!(error.is_none());
        let shown: Vec<&str> = tokens.list.iter().map(|token| &text[token.span.range()]).collect();
        assert_eq!(shown[..4], ["async", "", ":", "\n"]);
    }

    #[test]
    fn an_unclosed_bracket_ends_the_tokens() {
        let (tokens, error) = lex("x = (", 0);
        assert!(error.is_some());
        assert_eq!(tokens.list.len(), 3);
    }
}
