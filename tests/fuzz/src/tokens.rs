//! Text to tokens and back, without loss: the mutator's view of a source, which need not be a program.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Name,
    Number,
    Text,
    Sign,
    Space,
    Newline,
    Comment,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: Kind,
    pub text: String,
}

const SIGNS: [&str; 22] = [
    "**=", "//=", "<<=", ">>=", "...", "->", ":=", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "&=",
    "|=", "^=", "%=", "**", "//", "<<",
];

/// The tokens of a text; joined they are the text.
#[must_use]
pub fn split(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = next(rest, first);
        let (token, after) = rest.split_at(length.max(first.len_utf8()));
        tokens.push(Token { kind, text: token.to_owned() });
        rest = after;
    }
    tokens
}

fn next(rest: &str, first: char) -> (Kind, usize) {
    let while_ = |test: fn(char) -> bool| rest.find(|c: char| !test(c)).unwrap_or(rest.len());
    match first {
        '\n' => (Kind::Newline, 1),
        '#' => (Kind::Comment, rest.find('\n').unwrap_or(rest.len())),
        '"' | '\'' => (Kind::Text, string_end(rest, first)),
        c if c.is_ascii_digit() => {
            (Kind::Number, while_(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.'))
        }
        c if c.is_alphabetic() || c == '_' => (Kind::Name, while_(|c| c.is_alphanumeric() || c == '_')),
        c if c.is_whitespace() => (Kind::Space, while_(|c| c.is_whitespace() && c != '\n')),
        _ => {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            (Kind::Sign, sign.map_or(first.len_utf8(), |sign| sign.len()))
        }
    }
}

fn string_end(rest: &str, quote: char) -> usize {
    let triple: String = [quote; 3].iter().collect();
    if rest.starts_with(&triple) {
        return rest[3..].find(&triple).map_or(rest.len(), |at| at + 6);
    }
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[must_use]
pub fn join(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect()
}

/// The tokens of the expression that starts at `at`: an atom with its subscripts, calls and attributes.
#[must_use]
pub fn primary(tokens: &[Token], at: usize) -> std::ops::Range<usize> {
    let mut end = atom(tokens, at);
    loop {
        let sign = tokens.get(end).map_or("", |token| token.text.as_str());
        match sign {
            "(" | "[" => end = group(tokens, end),
            "." if tokens.get(end + 1).is_some_and(|token| token.kind == Kind::Name) => end += 2,
            _ => return at..end,
        }
    }
}

fn atom(tokens: &[Token], at: usize) -> usize {
    match tokens.get(at).map(|token| token.text.as_str()) {
        Some("(" | "[" | "{") => group(tokens, at),
        Some(_) => at + 1,
        None => at,
    }
}

/// The end of the bracketed group that opens at `at`.
fn group(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// The lines of a block: the line at `at` and those after it that are indented deeper.
#[must_use]
pub fn block(lines: &[&str], at: usize) -> std::ops::Range<usize> {
    let depth = indent(lines[at]);
    let deeper = |line: &&str| line.trim().is_empty() || indent(line) > depth;
    at..at + 1 + lines[at + 1..].iter().take_while(|line| deeper(line)).count()
}

/// Spaces at the start of a line.
#[must_use]
pub fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        for text in ["def f(a):\n    return a[1:] ** 2.5e3 # x\n", "'a\\'b' \"", "\u{2212}é😀'''\n", ""] {
            assert_eq!(join(&split(text)), text);
        }
    }

    #[test]
    fn a_primary_goes_to_its_last_call() {
        let tokens = split("a.b(c[1])[0] + d");
        assert_eq!(join(&tokens[primary(&tokens, 0)]), "a.b(c[1])[0]");
    }

    #[test]
    fn a_block_has_its_body() {
        let lines = ["if a:", "    b", "", "    c", "d"];
        assert_eq!(block(&lines, 0), 0..4);
        assert_eq!(block(&lines, 1), 1..3);
    }
}
