//! No input makes the syntax stage panic, hang or run out of stack.

use pydd_frontend::diagnostics::{Code, Diagnostics, code, json, render};
use pydd_frontend::source::SourceFile;
use pydd_frontend::syntax;
use pydd_test_support::clock::processor_time;
use pydd_test_support::rng::Rng;
use pydd_test_support::stray::STRAY;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Parses, renders everything there is to render, and drops the tree on this thread's ordinary stack.
fn run_bytes(bytes: &[u8]) -> Diagnostics {
    let source = SourceFile::from_bytes("test.pydd", bytes);
    let mut sink = Diagnostics::new();
    let module = syntax::parse(&source, &mut sink);
    for diagnostic in sink.sorted().iter().take(20) {
        let span = diagnostic.span();
        assert!(span.start <= span.end && span.end as usize <= source.text().len() + 1, "{diagnostic:?}");
        assert!(source.text().is_char_boundary(span.start as usize), "{diagnostic:?}");
        assert!(render::plain(&source, diagnostic).contains(diagnostic.code.name()));
        assert!(!json::line(&source, diagnostic).contains('\n'));
    }
    if let Some(module) = &module {
        syntax::dump_ast(&source, module);
    }
    syntax::dump_tokens(&source, &mut Diagnostics::new());
    assert!(module.is_some() || sink.has_errors(), "no tree and no reason");
    sink
}

/// Only one source at a time is measured: the stage has a thread of its own, so the clock is the whole process's.
static TURN: Mutex<()> = Mutex::new(());

fn run(text: &str) -> Diagnostics {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let start = processor_time();
    let sink = run_bytes(text.as_bytes());
    let taken = processor_time() - start;
    assert!(taken < Duration::from_secs(20), "{text:.60}… took {taken:?}");
    sink
}

#[track_caller]
fn accepts(text: &str) {
    let sink = run(text);
    assert!(!sink.has_errors(), "{:.60}…: {:?}", text, sink.sorted().first());
}

#[track_caller]
fn refuses(text: &str, expected: Code) {
    let sink = run(text);
    let codes: Vec<_> = sink.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(codes, [expected], "{text:.60}");
}

const MANY: usize = 100_000;

#[test]
fn brackets() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("a[", "]"), ("{1: ", "}")] {
        refuses(&format!("x = {}1{}\n", open.repeat(MANY), close.repeat(MANY)), code::NESTING_TOO_DEEP);
        refuses(&format!("x = {}", open.repeat(MANY)), code::NESTING_TOO_DEEP);
        accepts(&format!("x = {}1{}\n", open.repeat(190), close.repeat(190)));
    }
    refuses(&format!("x = {}", ")".repeat(MANY)), code::MISMATCHED_BRACKET);
    refuses("x = (1, 2]\n", code::MISMATCHED_BRACKET);
    refuses("x = (1, 2\n", code::UNCLOSED_BRACKET);
    refuses("def f():\n    x = (1, 2\n    return x\ndef g():\n    return 1\n", code::UNCLOSED_BRACKET);
}

#[test]
fn chains() {
    accepts(&format!("x = {}1\n", "1 + ".repeat(2900)));
    for link in
        ["1 + ", "-", "+", "~", "not ", "2 ** ", "a.", "a < ", "a and ", "a if b else ", "a if b <= c else "]
    {
        refuses(&format!("x = {}1\n", link.repeat(MANY)), code::NESTING_TOO_DEEP);
    }
    for link in [".a", "[0]", "()", "(x)", " @ b"] {
        refuses(&format!("x = a{}\n", link.repeat(MANY)), code::NESTING_TOO_DEEP);
    }
    for lambda in ["lambda: ", "lambda a, b: ", "lambda a=1: "] {
        refuses(&format!("f({}1)\n", lambda.repeat(MANY)), code::NESTING_TOO_DEEP);
    }
}

#[test]
fn long_and_flat_is_fine() {
    accepts(&format!("x = [{}1]\n", "-1, ".repeat(MANY)));
    accepts(&format!("x = [{}(1)]\n", "f(1 + 2), a[3], ".repeat(MANY)));
    accepts(&format!("x = {{{}1: 2}}\n", "3: -4, ".repeat(MANY)));
    accepts(&format!("{}1\n", "x = ".repeat(10_000)));
    accepts(&"x = 1\n".repeat(MANY));
    accepts(&format!("def f():\n{}", "    x = 1\n".repeat(MANY)));
    accepts(&format!("x = ({})\n", "\"a\" ".repeat(MANY)));
    accepts(&"x = 1; ".repeat(MANY));
    accepts(&format!("x = [\n{}]\n", "    1, # one\n\n".repeat(MANY)));
}

#[test]
fn blank_lines_and_comments_take_linear_time() {
    accepts(&"\n".repeat(1_000_000));
    accepts(&format!("x = 1\n{}y = 2", "# comment\n".repeat(300_000)));
    accepts(&format!("def f():\n    x = 1\n{}    return x\n", "   # é\n\n".repeat(300_000)));
    accepts(&format!("{}x = 1\n", "\r\n".repeat(300_000)));
}

#[test]
fn blocks() {
    let nested = |depth: usize, word: &str| -> String {
        (0..depth).map(|level| format!("{}{word}\n", " ".repeat(level))).collect()
    };
    refuses(&format!("{}{}x = 1\n", nested(1000, "if a:"), " ".repeat(1000)), code::NESTING_TOO_DEEP);
    let tabs: String = (0..1000).map(|level| format!("{}if a:\n", "\t".repeat(level))).collect();
    assert!(run(&tabs).contains(code::NESTING_TOO_DEEP));
    run(&nested(2000, "x = 1"));
    run(&nested(300, "def f():"));
    let elifs = |count: usize| {
        format!("def f(a):\n    if a:\n        pass\n{}", "    elif a:\n        pass\n".repeat(count))
    };
    accepts(&elifs(900));
    assert!(run(&elifs(MANY)).contains(code::NESTING_TOO_DEEP));
    let many = format!("def f():\n{}", "    if a:\n        x = 1\n    else:\n        x = 2\n".repeat(10_000));
    accepts(&many);
}

#[test]
fn bytes() {
    for bytes in [&b"\xff\xfe"[..], b"x = '\xc3'", b"\xed\xa0\x80", b"x\n\x80y\n"] {
        let sink = run_bytes(bytes);
        assert!(sink.contains(code::BAD_ENCODING));
    }
    refuses("x = 1\0\n", code::INVALID_CHARACTER);
    refuses("\0\0\0\n", code::INVALID_CHARACTER);
    accepts("\u{feff}x = 1\n");
    accepts("x = 1\r\ny = 2\rz = 3\n");
    accepts("def f():\r\n    '''a\r\nb'''\r\n    return 1\r\n");
    accepts("\u{c}\ndef f():\n\u{c}    return 1\n");
    accepts("");
    accepts("   ");
    refuses("\\\n", code::SYNTAX_ERROR);
    refuses("x = 3 \u{2212} 1\n", code::INVALID_CHARACTER);
    refuses("x = 😀\n", code::INVALID_CHARACTER);
    refuses("x = a?b\n", code::INVALID_CHARACTER);
    refuses("x =\u{a0}1\n", code::INVALID_CHARACTER);
}

#[test]
fn indentation() {
    for text in
        ["def f():\n    x = 1\n\ty = 2\n", "def f():\n    x = 1\n  y = 2\n", "  x = 1\n", "def f():\nx = 1\n"]
    {
        refuses(text, code::BAD_INDENTATION);
    }
}

#[test]
fn strings() {
    refuses("x = 'abc\n", code::UNTERMINATED_STRING);
    refuses("x = '''abc\n\n", code::UNTERMINATED_STRING);
    refuses("x = 'abc\\", code::UNTERMINATED_STRING);
    refuses("def f():\n    return '\\ud800'\n", code::BAD_STRING_ESCAPE);
    refuses("x = '\\x4'\n", code::BAD_STRING_ESCAPE);
    refuses("x = '\\N{no such character}'\n", code::BAD_STRING_ESCAPE);
    accepts("x = '\\ufffd'\n");
    refuses(&format!("x = f'{{{}1}}'\n", "(".repeat(MANY)), code::NOT_IN_LANGUAGE);
    refuses("x = f'{'\n", code::NOT_IN_LANGUAGE);
    refuses("x = f'\\N{{'\n", code::NOT_IN_LANGUAGE);
    accepts(&format!("x = '{}'\n", "a\\n".repeat(MANY)));
}

#[test]
fn numbers() {
    refuses(&format!("x = {}\n", "9".repeat(1_000_000)), code::INTEGER_TOO_LARGE);
    refuses("x = 18446744073709551616\n", code::INTEGER_TOO_LARGE);
    accepts("x = 18446744073709551615\n");
    accepts(&format!("x = 0x{}1\n", "0".repeat(4000)));
    accepts("x = 1e999\n");
    for text in ["x = 007\n", "x = 0x\n", "x = 1._5\n"] {
        refuses(text, code::INVALID_NUMBER);
    }
}

#[test]
fn types() {
    refuses(&format!("x = 1  # type: {}\n", "(".repeat(MANY)), code::ANNOTATION_SYNTAX);
    refuses(&format!("def f(x: {}int):\n    pass\n", "int | ".repeat(MANY)), code::NESTING_TOO_DEEP);
    refuses("x: \"'int'\" = 1\n", code::ANNOTATION_SYNTAX);
    accepts("x: \"int64\" = 1\n");
}

#[test]
fn many_errors_take_linear_time() {
    let sink = run(&"def f(x) x\n".repeat(20_000));
    assert!(sink.error_count() >= 50, "{:?}", sink.sorted());
    let sink = run(&format!("def f():\n{}", "    x = = 1\n".repeat(20_000)));
    assert!(sink.error_count() >= 50);
    run(&"@a\n".repeat(MANY));
    run(&"match x:\n".repeat(20_000));
    run(&"async:\n".repeat(20_000));
    run(&format!("{}x", "match ".repeat(MANY)));
    run(&"else:\n".repeat(MANY));
}

/// Words and signs; what stands in [`STRAY`] comes between them.
const PIECES: &[&str] = &[
    "def f(x: Array(float64, 1)) -> int:\n",
    "    ",
    "\n",
    "pfor",
    " i in range(3):\n",
    "async:",
    "finish:",
    "isolated:",
    "if",
    "elif",
    "else",
    "else:\n",
    "for",
    "while",
    "return",
    "break",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "x",
    "y",
    " ",
    "=",
    "==",
    "<=",
    "->",
    ":",
    ":=",
    ",",
    ".",
    "+",
    "-",
    "*",
    "**",
    "//",
    "@",
    "~",
    "not ",
    "lambda",
    "1",
    "1e5",
    "2j",
    "match ",
    "case ",
    "type ",
    "yield",
    "await ",
    "try:\n",
    "except:\n",
    "with finish():\n",
    "class A:\n",
    "global x",
    "import np",
    "from a import b",
    ";",
    "%",
    "!=",
    "None",
    "True",
    "...",
    "prange(",
    "assert ",
    "raise ",
    "del ",
    "in ",
    "is ",
    "and ",
    "or ",
    "_",
    "if __name__ == '__main__':\n",
];

fn piece(rng: &mut Rng) -> &'static str {
    let pieces = if rng.percent(70) { PIECES } else { STRAY };
    rng.pick(pieces)
}

#[test]
fn random_pieces() {
    let mut rng = Rng::new(1);
    for _ in 0..6000 {
        let length = rng.below(60);
        let text: String = (0..length).map(|_| piece(&mut rng)).collect();
        run(&text);
    }
}

#[test]
fn random_bytes() {
    let mut rng = Rng::new(2);
    for _ in 0..3000 {
        let length = rng.below(80);
        let bytes: Vec<u8> = (0..length).map(|_| rng.below(256) as u8).collect();
        run_bytes(&bytes);
    }
}

const PROGRAM: &str = r#"
"""Docstring."""
import numpy as np
from pydd import *

N = 10

def centers(k: int64, X: Array(float64, 2), y: Array(int64)) -> Array(float64, 2):
    m = shape(X, 0) # type: int64
    out = zeros((k, 3), float64())
    pfor i in range(m):
        c = y[i]
        if X[i, 0] < 0.5 and not isnan(X[i, 1]):
            out[c, 0] += X[i, 0] ** 2 - 1.5e-3
        elif c == 0:
            continue
        else:
            out[c, 1] /= 3
    finish:
        async:
            f(out[1:, ::2], key="a\tb")
    isolated:
        z: Dict(int, double) = {1: 2.0}
    assert m >= 0, "message"
    return out

def f(a, b=3):
    # type: (int64, int64) -> float64 | float32
    s = sum(x * 2 for x in a if x > 0)
    while True:
        s += [i for i in range(3)][0]
        if s > 4:
            break
    raise ValueError("no")
"#;

#[test]
fn mutations_of_a_program() {
    accepts(PROGRAM);
    let mut rng = Rng::new(3);
    for _ in 0..4000 {
        let mut bytes = PROGRAM.as_bytes().to_vec();
        for _ in 0..=rng.below(4) {
            if bytes.is_empty() {
                break;
            }
            let at = rng.below(bytes.len());
            let end = (at + rng.below(12)).min(bytes.len());
            match rng.below(4) {
                0 => drop(bytes.drain(at..end)),
                1 => {
                    bytes.splice(at..at, piece(&mut rng).bytes());
                }
                2 => bytes[at] = rng.below(128) as u8,
                _ => bytes.truncate(at.max(1)),
            }
        }
        run_bytes(&bytes);
    }
}
