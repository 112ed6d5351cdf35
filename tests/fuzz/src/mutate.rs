//! Mutations of a source: of tokens, of lines, and of bytes.

use crate::corpus::Corpus;
use crate::tokens::{self, Kind, Token};
use crate::words;
use pydd_test_support::rng::Rng;
use pydd_test_support::stray::STRAY;

/// No input grows past this, but for the deep ones.
const LARGEST: usize = 30_000;

/// A mutated copy of a program of the corpus.
#[must_use]
pub fn mutate(rng: &mut Rng, corpus: &Corpus) -> Vec<u8> {
    let mut text = corpus.pick(rng).to_owned();
    // Most programs with many mutations die of the first: a few are best.
    let count = if rng.percent(85) { 1 + rng.below(2) } else { 1 + rng.below(10) };
    for _ in 0..count {
        text = one(rng, &text, corpus);
        if text.len() > LARGEST {
            break;
        }
    }
    if rng.percent(2) { raw(rng, text.into_bytes()) } else { text.into_bytes() }
}

fn one(rng: &mut Rng, text: &str, corpus: &Corpus) -> String {
    match rng.below(100) {
        0..60 => of_tokens(rng, text, corpus),
        60..97 => of_lines(rng, text, corpus),
        97..99 => piece(rng, text),
        _ => deep(rng, text),
    }
}

/// Wrong bytes.
fn raw(rng: &mut Rng, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..=rng.below(3) {
        let at = rng.below(bytes.len());
        match (rng.below(3), bytes.get_mut(at)) {
            (0, Some(byte)) => *byte = rng.word().to_le_bytes()[0],
            (1, Some(byte)) => *byte ^= 1 << rng.below(8),
            _ => bytes.truncate(at),
        }
    }
    bytes
}

fn of_tokens(rng: &mut Rng, text: &str, corpus: &Corpus) -> String {
    let mut all = tokens::split(text);
    let meaningful: Vec<usize> = all
        .iter()
        .enumerate()
        .filter(|(_, token)| !matches!(token.kind, Kind::Space | Kind::Newline | Kind::Comment))
        .map(|(index, _)| index)
        .collect();
    if meaningful.is_empty() {
        return format!("{text}{}", rng.pick(words::STATEMENTS));
    }
    let at = rng.pick(&meaningful);
    let other = rng.pick(&meaningful);
    match rng.below(20) {
        0 => drop(all.remove(at)),
        1 => all.insert(at, all[at].clone()),
        2 => all.swap(at, other),
        3 => all[at].text = format!(" {} ", rng.pick(words::SIGNS)),
        4 => replace_alike(rng, &mut all, at),
        5..9 => {
            let expression = expression(rng, &all, corpus);
            let target = target(rng, &all);
            all.splice(target, expression);
        }
        9..14 => around(rng, &mut all, corpus),
        14..16 => annotate(rng, &mut all),
        16..18 => call(rng, &mut all, corpus),
        18 => number(rng, &mut all),
        _ => {
            let name = rename(rng, &all);
            all[at].text = name;
        }
    }
    tokens::join(&all)
}

/// Another token of the same kind.
fn replace_alike(rng: &mut Rng, all: &mut [Token], at: usize) {
    let same: Vec<usize> = (0..all.len()).filter(|&index| all[index].kind == all[at].kind).collect();
    all[at].text = all[rng.pick(&same)].text.clone();
}

/// Where an expression stands.
fn target(rng: &mut Rng, all: &[Token]) -> std::ops::Range<usize> {
    let starts: Vec<usize> = (0..all.len())
        .filter(|&at| {
            matches!(all[at].kind, Kind::Name | Kind::Number) || matches!(all[at].text.as_str(), "(" | "[")
        })
        .filter(|&at| !is_keyword(&all[at].text) && (at == 0 || all[at - 1].text != "."))
        .collect();
    if starts.is_empty() { 0..0 } else { tokens::primary(all, rng.pick(&starts)) }
}

fn is_keyword(word: &str) -> bool {
    let words = "def return if elif else for while in pass break continue and or not is import from as assert raise \
                 pfor finish async isolated with del lambda";
    words.split_whitespace().any(|keyword| keyword == word)
}

/// An expression: of this source, of another, or a number.
fn expression(rng: &mut Rng, all: &[Token], corpus: &Corpus) -> Vec<Token> {
    match rng.below(10) {
        0..6 => all[target(rng, all)].to_vec(),
        6..8 => {
            let other = tokens::split(corpus.pick(rng));
            other[target(rng, &other)].to_vec()
        }
        8 => vec![Token { kind: Kind::Number, text: rng.pick(words::NUMBERS).to_owned() }],
        _ => vec![Token { kind: Kind::Name, text: rename(rng, all) }],
    }
}

/// A pattern with an expression of the source for each `$`.
fn fill(rng: &mut Rng, pattern: &str, all: &[Token], corpus: &Corpus) -> String {
    let mut text = String::new();
    for (index, part) in pattern.split('$').enumerate() {
        if index > 0 {
            text.push_str(&tokens::join(&expression(rng, all, corpus)));
        }
        text.push_str(part);
    }
    text
}

/// `e` becomes `e[0]`, `-e`, `len(e)`, …
fn around(rng: &mut Rng, all: &mut Vec<Token>, corpus: &Corpus) {
    let target = target(rng, all);
    let inside = tokens::join(&all[target.clone()]);
    let pattern = match rng.below(10) {
        0..2 => format!("${}($)", words::method(rng)),
        2 => format!("${}({}=$)", words::method(rng), words::keyword(rng)),
        _ => rng.pick(words::AROUND).to_owned(),
    };
    // The first `$` is what stood there.
    let rest = pattern.replacen('$', &inside.replace('$', ""), 1);
    let text = fill(rng, &rest, all, corpus);
    all.splice(target, [Token { kind: Kind::Text, text }]);
}

/// Another type for a parameter, result or variable.
fn annotate(rng: &mut Rng, all: &mut Vec<Token>) {
    let colons: Vec<usize> = (0..all.len())
        .filter(|&at| matches!(all[at].text.as_str(), ":" | "->"))
        .filter(|&at| all.get(at + 1).is_some_and(|token| token.kind == Kind::Space))
        .collect();
    if colons.is_empty() {
        return;
    }
    let at = rng.pick(&colons) + 2;
    let old = tokens::primary(all, at.min(all.len()));
    all.splice(old, [Token { kind: Kind::Name, text: words::annotation(rng) }]);
}

/// A call of a library function in place of an expression.
fn call(rng: &mut Rng, all: &mut Vec<Token>, corpus: &Corpus) {
    let target = target(rng, all);
    let mut arguments: Vec<String> =
        (0..rng.below(4)).map(|_| tokens::join(&expression(rng, all, corpus))).collect();
    if rng.percent(25) {
        arguments.push(format!("{}={}", words::keyword(rng), tokens::join(&expression(rng, all, corpus))));
    }
    let text = format!("{}({})", words::library(rng), arguments.join(", "));
    all.splice(target, [Token { kind: Kind::Text, text }]);
}

fn number(rng: &mut Rng, all: &mut [Token]) {
    let numbers: Vec<usize> = (0..all.len()).filter(|&at| all[at].kind == Kind::Number).collect();
    if !numbers.is_empty() {
        all[rng.pick(&numbers)].text = rng.pick(words::NUMBERS).to_owned();
    }
}

/// Another name: of the source, of the library, of a type.
fn rename(rng: &mut Rng, all: &[Token]) -> String {
    let names: Vec<&str> = all.iter().filter(|t| t.kind == Kind::Name).map(|t| t.text.as_str()).collect();
    match rng.below(10) {
        0..7 if !names.is_empty() => (rng.pick(&names)).to_owned(),
        7 => rng.pick(words::DTYPES).to_owned(),
        _ => words::library(rng),
    }
}

fn of_lines(rng: &mut Rng, text: &str, corpus: &Corpus) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return rng.pick(words::STATEMENTS).to_owned();
    }
    let at = rng.below(lines.len());
    let block = tokens::block(&lines, at);
    let depth = tokens::indent(lines[at]);
    let mut out: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let all = tokens::split(text);
    match rng.below(12) {
        0 => drop(out.drain(block)),
        1 => drop(out.splice(block.start..block.start, indented(&lines[block], depth))),
        2 => {
            let to = rng.below(lines.len());
            let moved = indented(&lines[block], tokens::indent(lines[to]));
            out.splice(to..to, moved);
        }
        3 => {
            let other = corpus.pick(rng);
            let others: Vec<&str> = other.lines().collect();
            if !others.is_empty() {
                let from = rng.below(others.len());
                let range = tokens::block(&others, from);
                out.splice(at..at, indented(&others[range], depth));
            }
        }
        4..6 => {
            let pattern = rng.pick(words::HEADERS);
            let header = fill(rng, pattern, &all, corpus);
            let mut wrapped = vec![format!("{}{header}", " ".repeat(depth))];
            wrapped.extend(indented(&lines[block.clone()], depth + 4));
            out.splice(block, wrapped);
        }
        6..11 => {
            let pattern = rng.pick(words::STATEMENTS);
            let statement = fill(rng, pattern, &all, corpus);
            out.insert(at, format!("{}{statement}", " ".repeat(depth)));
        }
        _ => {
            let change = [1, 4, 8][rng.below(3)];
            let depth = if rng.percent(50) { depth + change } else { depth.saturating_sub(change) };
            out.splice(block.clone(), indented(&lines[block], depth));
        }
    }
    out.join("\n") + "\n"
}

/// A block moved to another depth.
fn indented(block: &[&str], depth: usize) -> Vec<String> {
    let from = block.first().map_or(0, |line| tokens::indent(line));
    let line = |line: &&str| format!("{}{}", " ".repeat(depth), line.get(from..).unwrap_or_default());
    block.iter().map(line).collect()
}

fn piece(rng: &mut Rng, text: &str) -> String {
    let mut at = rng.below(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    format!("{}{}{}", &text[..at], rng.pick(STRAY), &text[at..])
}

/// Something nested, or long.
fn deep(rng: &mut Rng, text: &str) -> String {
    let mut all = tokens::split(text);
    let target = target(rng, &all);
    let inside = tokens::join(&all[target.clone()]);
    let pairs = [
        ("(", ")"),
        ("[", "]"),
        ("-", ""),
        ("not ", ""),
        ("abs(", ")"),
        ("1 + ", ""),
        ("x if x else ", ""),
        ("", "[0]"),
        ("", ".T"),
        ("1 < ", ""),
        ("True and ", ""),
        ("", " + 1"),
        ("", ", 1"),
        ("", " if 1 else 2"),
        ("np.sqrt(", ")"),
        ("(1, ", ")"),
        ("", "[None]"),
        ("x = ", ""),
        ("{1: ", "}"),
        ("", " @ 1"),
        ("lambda: ", ""),
    ];
    let (open, close) = rng.pick(&pairs);
    let count = [5, 20, 90, 150, 199, 250, 1000, 2900, 3100][rng.below(9)];
    let text = format!("{}{inside}{}", open.repeat(count), close.repeat(count));
    all.splice(target, [Token { kind: Kind::Text, text }]);
    tokens::join(&all)
}
