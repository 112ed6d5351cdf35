//! The sources that mutation starts from: every program in the repository.

use crate::check::{COMPILES, check, options};
use pydd_test_support::rng::Rng;
use std::path::{Path, PathBuf};

/// The repository's root.
#[must_use]
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// Programs to mutate.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// Those that compile: mutations of these get furthest.
    pub right: Vec<String>,
    /// Those with errors.
    pub wrong: Vec<String>,
}

impl Corpus {
    /// The programs that mutation starts from, sorted by what becomes of them.
    ///
    /// # Errors
    /// A file can't be read.
    pub fn load() -> std::io::Result<Self> {
        let mut corpus = Self::default();
        for text in programs()? {
            let compiles = check(text.as_bytes(), &options(2)).is_ok_and(|traits| traits.contains(COMPILES));
            corpus.add(text, compiles);
        }
        Ok(corpus)
    }

    pub fn add(&mut self, text: String, compiles: bool) {
        if compiles { self.right.push(text) } else { self.wrong.push(text) }
    }

    /// A program to mutate.
    pub fn pick(&self, rng: &mut Rng) -> &str {
        let wrong = self.right.is_empty() || rng.percent(12);
        let from = if wrong && !self.wrong.is_empty() { &self.wrong } else { &self.right };
        from.get(rng.below(from.len())).map_or("", String::as_str)
    }
}

/// All programs, in the order of their paths.
///
/// # Errors
/// A file can't be read.
pub fn programs() -> std::io::Result<Vec<String>> {
    let mut programs = vec![EVERY_TYPE.to_owned(), EVERY_STATEMENT.to_owned()];
    for folder in ["examples", "tests/run", "tests/lang", "tests/fuzz/found", "frontend/src/prelude"] {
        for path in files(&root().join(folder))? {
            let bytes = std::fs::read(&path)?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            match path.extension().and_then(|e| e.to_str()) {
                Some("pydd") => programs.push(text),
                Some("md") => programs.extend(blocks(&text)),
                _ => {}
            }
        }
    }
    programs.retain(|text| text.len() < 20_000);
    Ok(programs)
}

/// Files below a folder, sorted; none where there is no folder.
///
/// # Errors
/// The folder can't be read.
pub fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The programs on a page of prose.
fn blocks(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<String> = None;
    for line in page.lines() {
        match &mut open {
            None if line.starts_with("```pydd") => open = Some(String::new()),
            Some(_) if line.starts_with("```") => found.extend(open.take()),
            Some(text) => {
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    found
}

const EVERY_TYPE: &str = "\
import numpy as np
import math
from pydd import *

N = 10
X = 2.5

def f(a: Array(float64, 2), b: Array(float64, 1), c: Array(int64, 1), d: Array(float32, 1), m: Array(bool, 1),
      z: Array(complex128, 1), u: Array(uint8, 3), k: int64, i8: int8, u64: uint64, x: float64, y: float32,
      w: complex128, q: bool, n: int, r: float, xs: List(float64), ks: List(int64)):
    v = b
    s = 0.0
    t = (k, x)
    return v
";

const EVERY_STATEMENT: &str = "\
import numpy as np
from pydd import *

def g(a, b=1):
    return a + b

def h(n: int64, x: float64 | int64) -> float64:
    if n <= 0:
        return 1.0
    return h(n - 1, x) + x

def f(a: Array(float64, 2), b: Array(float64, 1), n: int64, ks: List(int64)) -> float64:
    total = 0.0
    out = np.zeros_like(b)
    pfor i in range(len(b)):
        out[i] = b[i] * 2.0
        total += b[i]
    for i, row in enumerate(a):
        for x in row:
            if x > 1.0:
                continue
            elif x < -5.0:
                break
            total += x
        else:
            total -= 1.0
    while n > 0:
        n -= 1
        if n == 3:
            break
    p, (q, r) = n, (total, g(n))
    first = second = a[0, 1:-1:2]
    first += g(second, b=2.0)
    ks.append(n)
    ys = [k * 2 for k in ks if k > 0]
    last: float64 = 0
    assert len(ys) > 0, \"none\"
    if a.shape[0] == 0 or not np.any(b > 0):
        raise ValueError(\"empty\")
    print(total, p, q, sep=\", \")
    return total + r + np.sum(a @ b) + (1.0 if n in ks else 2.0) + last + h(3, 2)
";
