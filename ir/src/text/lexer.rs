//! Tokens of the text form.

use super::ParseError;

/// What a token is. Names are without their `%` or `@`.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Tok {
    Value(String),
    Func(String),
    Ident(String),
    Int(i128),
    /// Bits of an f64.
    Float(u64),
    Str(String),
    Arrow,
    Punct(char),
    End,
}

impl Tok {
    /// How an error message calls it.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Value(n) => format!("`%{n}`"),
            Self::Func(n) => format!("`@{n}`"),
            Self::Ident(n) => format!("`{n}`"),
            Self::Int(n) => format!("`{n}`"),
            Self::Float(bits) => format!("`{:?}`", f64::from_bits(*bits)),
            Self::Str(_) => "a string".to_owned(),
            Self::Arrow => "`->`".to_owned(),
            Self::Punct(c) => format!("`{c}`"),
            Self::End => "the end of the text".to_owned(),
        }
    }
}

/// A line and a column, both from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Pos {
    pub line: u32,
    pub column: u32,
}

impl Pos {
    pub(super) fn error(self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.into() }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub tok: Tok,
    pub pos: Pos,
    /// Whether it is the first one on its line.
    pub first: bool,
}

/// All tokens of a text; the last one is [`Tok::End`].
pub(super) fn tokenize(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut lexer = Lexer { chars: text.chars().collect(), next: 0, pos: Pos { line: 1, column: 1 } };
    let mut tokens = Vec::new();
    let mut line = 0;
    loop {
        lexer.skip_blank();
        let pos = lexer.pos;
        let tok = lexer.token()?;
        let end = tok == Tok::End;
        tokens.push(Token { tok, pos, first: pos.line != line });
        line = lexer.pos.line;
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer {
    chars: Vec<char>,
    next: usize,
    pos: Pos,
}

/// What may stand in the name of a value.
fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

/// What may stand in the name of a function without quotes.
pub(super) fn is_func_name(c: char) -> bool {
    is_name(c) || c == '$' || c == '?'
}

impl Lexer {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.next).copied()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.next += 1;
        if c == '\n' {
            self.pos.line = self.pos.line.saturating_add(1);
            self.pos.column = 1;
        } else {
            self.pos.column = self.pos.column.saturating_add(1);
        }
        Some(c)
    }

    fn skip_blank(&mut self) {
        while let Some(c) = self.peek() {
            if c == ';' || c == '#' {
                self.take_while(|c| c != '\n');
            } else if c.is_whitespace() {
                self.bump();
            } else {
                return;
            }
        }
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> String {
        let mut out = String::new();
        while let Some(c) = self.peek().filter(|&c| keep(c)) {
            out.push(c);
            self.bump();
        }
        out
    }

    fn token(&mut self) -> Result<Tok, ParseError> {
        let pos = self.pos;
        let Some(c) = self.peek() else { return Ok(Tok::End) };
        match c {
            '%' => {
                self.bump();
                self.name(pos, is_name, "value").map(Tok::Value)
            }
            '@' => {
                self.bump();
                if self.peek() == Some('"') {
                    return self.string().map(Tok::Func);
                }
                self.name(pos, is_func_name, "function").map(Tok::Func)
            }
            '"' => self.string().map(Tok::Str),
            '-' => self.minus(pos),
            c if c.is_ascii_digit() => self.number(false, pos),
            c if c.is_ascii_alphabetic() || c == '_' => {
                let word = self.take_while(is_name);
                Ok(match word.as_str() {
                    "inf" => Tok::Float(f64::INFINITY.to_bits()),
                    "nan" => Tok::Float(f64::NAN.to_bits()),
                    _ => Tok::Ident(word),
                })
            }
            '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | ',' | ':' | '=' | '|' | '!' | '+' | '*' | '.' => {
                self.bump();
                Ok(Tok::Punct(c))
            }
            c => Err(pos.error(format!("`{}` has no meaning here", c.escape_default()))),
        }
    }

    fn name(&mut self, pos: Pos, keep: fn(char) -> bool, what: &str) -> Result<String, ParseError> {
        let name = self.take_while(keep);
        if name.is_empty() { Err(pos.error(format!("the name of a {what} is missing"))) } else { Ok(name) }
    }

    fn minus(&mut self, pos: Pos) -> Result<Tok, ParseError> {
        self.bump();
        match self.peek() {
            Some('>') => {
                self.bump();
                Ok(Tok::Arrow)
            }
            Some(c) if c.is_ascii_digit() => self.number(true, pos),
            _ => {
                let rest = self.chars.get(self.next..).unwrap_or_default();
                let word: String = rest.iter().copied().take_while(|&c| is_name(c)).collect();
                let bits = match word.as_str() {
                    "inf" => f64::NEG_INFINITY,
                    "nan" => f64::NAN,
                    _ => return Ok(Tok::Punct('-')),
                };
                self.take_while(is_name);
                Ok(Tok::Float(bits.to_bits()))
            }
        }
    }

    fn number(&mut self, negative: bool, pos: Pos) -> Result<Tok, ParseError> {
        let mut text = String::from(if negative { "-" } else { "" });
        text += &self.take_while(|c| c.is_ascii_alphanumeric() || c == '.');
        // The sign of an exponent.
        if text.ends_with(['e', 'E'])
            && let Some(sign @ ('+' | '-')) = self.peek()
        {
            text.push(sign);
            self.bump();
            text += &self.take_while(|c| c.is_ascii_digit());
        }
        let bad = || pos.error(format!("`{text}` is no number"));
        if text.contains(['.', 'e', 'E']) {
            text.parse::<f64>().map(|f| Tok::Float(f.to_bits())).map_err(|_| bad())
        } else {
            text.parse::<i128>().map(Tok::Int).map_err(|_| bad())
        }
    }

    fn string(&mut self) -> Result<String, ParseError> {
        let start = self.pos;
        self.bump();
        let mut out = String::new();
        loop {
            let pos = self.pos;
            match self.bump() {
                None | Some('\n') => return Err(start.error("the string does not end on its line")),
                Some('"') => return Ok(out),
                Some('\\') => out.push(self.escape(pos)?),
                Some(c) => out.push(c),
            }
        }
    }

    fn escape(&mut self, pos: Pos) -> Result<char, ParseError> {
        match self.bump() {
            Some('n') => Ok('\n'),
            Some('t') => Ok('\t'),
            Some('r') => Ok('\r'),
            Some(c @ ('"' | '\\')) => Ok(c),
            Some('u') => {
                let open = self.bump() == Some('{');
                let hex = self.take_while(|c| c.is_ascii_hexdigit());
                let close = self.bump() == Some('}');
                let code = u32::from_str_radix(&hex, 16).ok().filter(|_| open && close);
                code.and_then(char::from_u32).ok_or_else(|| pos.error("a bad `\\u{…}`"))
            }
            _ => Err(pos.error("an unknown escape; there are \\n \\t \\r \\\" \\\\ \\u{…}")),
        }
    }
}

/// A string with its quotes, as [`tokenize`] reads it.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            '\r' => out += "\\r",
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out += &format!("\\u{{{:x}}}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
