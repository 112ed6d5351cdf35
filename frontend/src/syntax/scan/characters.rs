//! Characters that have no place in a program, and what was probably meant.

use super::Scanner;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;

impl Scanner<'_> {
    /// Reports the ASCII character here, which no token starts with.
    pub(super) fn invalid_character(&mut self) {
        let start = self.at;
        let Some(character) = self.text[start..].chars().next() else { return };
        self.at += character.len_utf8();
        self.report_character(start, character);
    }

    /// Reports the first character of the word that ends here which looks like another one.
    pub(super) fn check_identifier(&mut self, start: usize) {
        let word = &self.text[start..self.at];
        let wrong = word.char_indices().find(|(_, character)| meant(*character).is_some());
        if let Some((offset, character)) = wrong {
            self.report_character(start + offset, character);
        }
    }

    fn report_character(&mut self, at: usize, character: char) {
        let shown = if character.is_control() || character.is_whitespace() || is_invisible(character) {
            format!("U+{:04X}", character as u32)
        } else {
            format!("`{character}`")
        };
        let help = meant(character).map(|meant| format!("write {meant}"));
        let span = Span::new(at as u32, (at + character.len_utf8()) as u32);
        self.error(
            Diagnostic::error(code::INVALID_CHARACTER, format!("invalid character {shown}"))
                .primary(span, "not part of the language")
                .maybe_help(help),
        );
    }
}

fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}' | '\u{feff}')
}

/// What to write for a character that editors and web pages put in place of another.
fn meant(character: char) -> Option<&'static str> {
    Some(match character {
        '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' | '\u{00ab}' | '\u{00bb}' => "`\"` or `'`",
        '\u{2010}'..='\u{2015}' | '\u{2212}' => "`-`",
        '\u{00d7}' | '\u{2217}' | '\u{22c5}' => "`*`",
        '\u{00f7}' => "`/`",
        '\u{2264}' => "`<=`",
        '\u{2265}' => "`>=`",
        '\u{2260}' => "`!=`",
        '\u{2192}' => "`->`",
        '\u{2026}' => "`...`",
        '\u{ff08}' => "`(`",
        '\u{ff09}' => "`)`",
        '\u{ff0c}' => "`,`",
        '\u{ff1a}' => "`:`",
        '\u{ff1d}' => "`=`",
        '\u{00a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => "an ordinary space",
        '\u{feff}' => "nothing: it is an invisible byte order mark",
        c if is_invisible(c) => "nothing: the character is invisible",
        '!' => "`not`",
        '?' => "`a if test else b`",
        '$' | '`' => "a name without it",
        _ => return None,
    })
}
