//! Tokens of PTX, each with its line.

use super::{Error, error};

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Name(String),
    /// What follows a dot: a directive, a type or a modifier.
    Dot(String),
    Integer(u64),
    Single(u32),
    Double(u64),
    Text,
    Symbol(char),
}

pub fn tokens(text: &str) -> Result<Vec<(Token, u32)>, Error> {
    let mut lexer = Lexer { rest: text, line: 1, tokens: Vec::new() };
    while lexer.skip_blanks()? {
        let line = lexer.line;
        let token = lexer.next()?;
        lexer.tokens.push((token, line));
    }
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    rest: &'a str,
    line: u32,
    tokens: Vec<(Token, u32)>,
}

fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

impl<'a> Lexer<'a> {
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count() as u32;
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !test(c)).unwrap_or(self.rest.len());
        self.take(end)
    }

    /// Whether a token follows.
    fn skip_blanks(&mut self) -> Result<bool, Error> {
        loop {
            self.take_while(char::is_whitespace);
            if self.rest.starts_with("//") {
                self.take_while(|c| c != '\n');
            } else if self.rest.starts_with("/*") {
                match self.rest.find("*/") {
                    Some(end) => self.take(end + 2),
                    None => return error(self.line, "a comment without an end"),
                };
            } else {
                return Ok(!self.rest.is_empty());
            }
        }
    }

    fn next(&mut self) -> Result<Token, Error> {
        let first = self.rest.chars().next().expect("a token");
        if first == '.' {
            self.take(1);
            // `.L1::no_allocate` is one word.
            let word = self.take_while(|c| in_name(c) || c == ':');
            let end = word.trim_end_matches(':');
            return Ok(Token::Dot(end.to_string()));
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        if first == '"' {
            self.take(1);
            self.take_while(|c| c != '"');
            self.take(1.min(self.rest.len()));
            return Ok(Token::Text);
        }
        if in_name(first) || first == '%' {
            return Ok(Token::Name(self.name()));
        }
        self.take(first.len_utf8());
        Ok(Token::Symbol(first))
    }

    fn name(&mut self) -> String {
        let start = self.take(1);
        let mut name = start.to_string() + self.take_while(in_name);
        // `%tid.x` is one name.
        let mut ahead = self.rest.chars();
        if start == "%" && ahead.next() == Some('.') {
            let axis = ahead.next().filter(|c| "xyzw".contains(*c));
            if axis.is_some() && !ahead.next().is_some_and(in_name) {
                name += self.take(2);
            }
        }
        name
    }

    fn number(&mut self) -> Result<Token, Error> {
        let line = self.line;
        let word = self.take_while(|c| c.is_ascii_alphanumeric());
        let bad = || Error { line, text: format!("`{word}` is no number") };
        let hex = |digits| u64::from_str_radix(digits, 16).map_err(|_| bad());
        match word.as_bytes() {
            [b'0', b'f' | b'F', ..] => return Ok(Token::Single(hex(&word[2..])? as u32)),
            [b'0', b'd' | b'D', ..] => return Ok(Token::Double(hex(&word[2..])?)),
            [b'0', b'x' | b'X', ..] => return Ok(Token::Integer(hex(word[2..].trim_end_matches('U'))?)),
            [b'0', b'b' | b'B', ..] => {
                let digits = word[2..].trim_end_matches('U');
                return u64::from_str_radix(digits, 2).map(Token::Integer).map_err(|_| bad());
            }
            _ => {}
        }
        if self.rest.starts_with('.') || word.contains(['e', 'E']) {
            let mut all = word.to_string();
            all += self.take_while(|c| c.is_ascii_alphanumeric() || c == '.');
            if all.ends_with(['e', 'E']) {
                all += self.take_while(|c| c.is_ascii_digit() || c == '-' || c == '+');
            }
            return all.parse::<f64>().map(|x| Token::Double(x.to_bits())).map_err(|_| bad());
        }
        let digits = word.trim_end_matches('U');
        let (digits, base) =
            if digits.len() > 1 && digits.starts_with('0') { (&digits[1..], 8) } else { (digits, 10) };
        u64::from_str_radix(digits, base).map(Token::Integer).map_err(|_| bad())
    }
}
