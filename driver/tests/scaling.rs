//! The time that a compilation takes grows as its program does, and no program is too deep for the stack.
//!
//! Each shape is compiled at two sizes, by a process of its own, whose processor time counts. With `PYDD_LONG` the sizes are
//! 10,000 lines, 1,000 functions and 100,000 numbers, and each must take less than [`MOST`].

use pydd_test_support::clock::children_time;
use std::process::Command;
use std::time::Duration;

/// What a program of full size may take.
const MOST: Duration = Duration::from_secs(5);
/// By how much more than linear a time may grow, since small programs are not measured well, and what for. Quadratic
/// growth would be by [`STEP`].
const SLACK: f64 = 2.2;
const SPARE: f64 = 0.1;
/// How many times the small program the large one is.
const STEP: usize = 8;

/// A family of programs: how many of its parts make a large program, and the text for so many parts.
struct Shape {
    name: &'static str,
    large: usize,
    text: fn(usize) -> String,
}

/// `head`, then a line for each number up to `n`, then `tail`.
fn lines(head: &str, n: usize, line: impl Fn(usize) -> String, tail: &str) -> String {
    let body: String = (0..n).map(|i| line(i) + "\n").collect();
    format!("{head}\n{body}{tail}\n")
}

/// `before`, items with commas between them, `after`.
fn items(before: &str, n: usize, item: impl Fn(usize) -> String, after: &str) -> String {
    let all: Vec<String> = (0..n).map(item).collect();
    format!("import numpy as np\n{before}{}{after}\n", all.join(", "))
}

const SHAPES: &[Shape] = &[
    Shape {
        name: "arithmetic",
        large: 10_000,
        text: |n| {
            let line =
                |i: usize| format!("    x = x * 1.5 + y * {}.25\n    y = y - x / {}.0", i % 7, i % 5 + 1);
            lines("def f(x: float, y: float) -> float:", n / 2, line, "    return x + y")
        },
    },
    Shape {
        name: "variables",
        large: 10_000,
        text: |n| {
            let line =
                |i: usize| format!("    x{} = x{i} * 0.5\n    if x{i} > 3.0: x{} = x{i} - 1.0", i + 1, i + 1);
            lines("def f(x0: float) -> float:", n / 2, line, &format!("    return x{}", n / 2))
        },
    },
    Shape {
        name: "ifs",
        large: 10_000,
        text: |n| {
            let line = |i: usize| format!("    if s % k == {}: s += {i}", i % 17);
            lines("def f(s: int, k: int) -> int:", n, line, "    return s")
        },
    },
    Shape {
        name: "returns",
        large: 10_000,
        text: |n| {
            let line = |i: usize| format!("    if s == {}: return {i}", 7 * i);
            lines("def f(s: int) -> int:", n, line, "    return s")
        },
    },
    Shape {
        name: "stores",
        large: 10_000,
        text: |n| {
            let line = |i: usize| format!("    a[i + {i}] = b[{i}] * 2.0");
            lines("def f(a: Array(float64, 1), b: Array(float64, 1), i: int):", n, line, "")
        },
    },
    Shape {
        name: "calls",
        large: 10_000,
        text: |n| {
            let head = "def g(x: float, k: int) -> float:\n    if k > 3:\n        return x * 2.0\n    return x + k\n\n\
                        def f(x: float) -> float:";
            lines(head, n, |i| format!("    x = g(x, {})", i % 9), "    return x")
        },
    },
    Shape {
        name: "messages",
        large: 10_000,
        text: |n| {
            let line = |i: usize| format!("    assert s != {i}, 'message {i}'");
            lines("def f(s: int) -> int:", n, line, "    return s")
        },
    },
    Shape {
        name: "loops in functions",
        large: 1_000,
        text: |n| {
            let line = |i: usize| {
                format!(
                    "def f{i}(a: Array(float64, 1)) -> float:\n    s = 0.0\n    for i in range(len(a)):\n        \
                     s += a[i] * {i}.0\n    return s\n"
                )
            };
            lines("", n, line, "")
        },
    },
    Shape {
        name: "functions that call each other",
        large: 1_000,
        text: |n| {
            let line = |i: usize| {
                format!(
                    "def h{i}(x: float) -> float:\n    return h{}(x) * 0.5 + h{}(x + 1.0)\n",
                    i / 2,
                    i * 2 / 3
                )
            };
            lines("def h0(x: float) -> float:\n    return x\n", n, |i| line(i + 1), "")
        },
    },
    Shape {
        name: "an array",
        large: 100_000,
        text: |n| items("def f():\n    return np.array([", n, |i| format!("{i}.5"), "])"),
    },
    Shape {
        name: "a matrix",
        large: 100_000,
        text: |n| items("def f():\n    return np.array([", n / 5, |i| format!("[{i}, 1, 2, -3, 4]"), "])"),
    },
    Shape {
        name: "a list",
        large: 100_000,
        text: |n| items("def f() -> List(float64):\n    return [", n, |i| format!("{i}.5"), "]"),
    },
    Shape {
        name: "a list of lists",
        large: 100_000,
        text: |n| items("def f():\n    return [", n / 5, |i| format!("[{i}, 1, 2, -3, 4]"), "]"),
    },
    Shape {
        name: "a tuple",
        large: 100_000,
        text: |n| items("T = (", n, |i| i.to_string(), ")\ndef f(i: int):\n    return T[7] + i"),
    },
    Shape {
        name: "membership",
        large: 10_000,
        text: |n| items("def f(i: int) -> bool:\n    return i in (", n, |i| (3 * i).to_string(), ")"),
    },
    Shape {
        name: "a dict",
        large: 100_000,
        text: |n| items("def f():\n    return {", n / 2, |i| format!("{i}: {i}.5"), "}"),
    },
];

/// Compiles a program, and gives the processor time and the exit code.
fn compile(text: &str) -> (Duration, Option<i32>) {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("shape.pydd");
    std::fs::write(&source, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pyddc"));
    command.arg(&source).env("TMPDIR", folder.path());
    let before = children_time();
    let output = command.output().unwrap();
    (children_time() - before, output.status.code())
}

/// The least time of several runs.
fn time(text: &str) -> Duration {
    let run = || {
        let (time, code) = compile(text);
        assert_eq!(code, Some(0), "{}", &text[..text.len().min(300)]);
        time
    };
    run().min(run())
}

#[test]
fn time_grows_as_the_program_does() {
    let long = std::env::var_os("PYDD_LONG").is_some();
    // What every compilation takes. Measured too long, it hides what small programs take of their own; so it is
    // the least of several, and measured again where a program seems slow.
    let smallest = || time("def f(x: float) -> float:\n    return x\n").as_secs_f64();
    let mut start = (0..4).map(|_| smallest()).fold(f64::INFINITY, f64::min);
    let mut failed = Vec::new();
    for shape in SHAPES {
        let large = if long { shape.large } else { shape.large / 5 };
        let (small, large) = ((shape.text)(large / STEP), (shape.text)(large));
        let times = || [time(&small).as_secs_f64(), time(&large).as_secs_f64()];
        #[allow(clippy::cast_precision_loss, reason = "a small number")]
        let most = |start: f64, small: f64| start + (small - start).max(0.0) * STEP as f64 * SLACK + SPARE;
        let is_slow = |start: f64, [small, large]: [f64; 2]| {
            large > most(start, small) || (long && large > MOST.as_secs_f64())
        };
        let mut measured = times();
        if is_slow(start, measured) {
            start = start.min(smallest());
            measured = times();
        }
        println!("{:>30}: {:.3} s, {:.3} s", shape.name, measured[0], measured[1]);
        if is_slow(start, measured) {
            failed.push((shape.name, measured));
        }
    }
    assert!(failed.is_empty(), "these take too long: {failed:?}");
}

#[test]
fn no_program_is_too_deep() {
    let nested = |n: usize, head: &str| {
        let body: String =
            (0..n).map(|i| format!("{:i$}    {}\n", "", head.replace('#', &i.to_string()))).collect();
        format!("def f(s: int) -> int:\n{body}{:n$}    s += 1\n    return s\n", "")
    };
    let value =
        |text: String| format!("import math\ndef f(s: int, a: Array(int64, 1)):\n    return {text}\n");
    for n in [90, 500, 2_900, 5_000, 100_000] {
        let shallow = n.min(5_000);
        let arms: String = (0..n).map(|i| format!("    elif s == {}:\n        s = {i}\n", i + 1)).collect();
        let programs = [
            nested(shallow, "if s > #:"),
            nested(shallow, "for i# in range(s):"),
            nested(shallow, "while s < #:"),
            value(vec!["s"; n].join(" + ")),
            value(vec!["s > 1"; n].join(" and ")),
            value(format!("{}s{}", "(".repeat(n), ")".repeat(n))),
            value(format!("{}0{}", "a[".repeat(n), "]".repeat(n))),
            value(format!("{}s{}", "math.sin(".repeat(n), ")".repeat(n))),
            value(format!("{}s", "-".repeat(n))),
            value(format!("{}s", "not ".repeat(n))),
            value(format!("{}s", "1 if s else ".repeat(n))),
            value(format!("{}s", "2 ** ".repeat(n))),
            value(vec!["s"; n].join(" < ")),
            value(format!("a{}", ".copy()".repeat(n))),
            value(format!("{}s{}", "[".repeat(n), "]".repeat(n))),
            value(format!("{}s{}", "lambda: ".repeat(n), "")),
            value(format!("sum(({}))", vec!["s"; n].join(", "))),
            format!("def f(s: int) -> int:\n    if s == 0:\n        s = 7\n{arms}    return s\n"),
        ];
        for program in programs {
            let (_, code) = compile(&program);
            assert!(matches!(code, Some(0 | 1)), "{code:?}, {n}: {}", &program[..program.len().min(300)]);
        }
    }
}
