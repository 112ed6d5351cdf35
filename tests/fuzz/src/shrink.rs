//! Smaller sources that show the same finding: blocks, lines, then tokens are taken out while it stays.

use crate::tokens;
use std::time::{Duration, Instant};

/// Time for one finding.
const LIMIT: Duration = Duration::from_secs(60);

/// The smallest source found for which `shows` holds.
#[must_use]
pub fn shrink(bytes: &[u8], mut shows: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes.to_vec() };
    let end = Instant::now() + LIMIT;
    let mut smallest = text.to_owned();
    let mut shows = |text: &str| Instant::now() < end && shows(text.as_bytes());
    loop {
        let before = smallest.len();
        smallest = without_lines(&smallest, &mut shows);
        smallest = without_tokens(&smallest, &mut shows);
        if smallest.len() == before || Instant::now() >= end {
            return smallest.into_bytes();
        }
    }
}

fn without_lines(text: &str, shows: &mut impl FnMut(&str) -> bool) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut at = 0;
    while at < lines.len() {
        let views: Vec<&str> = lines.iter().map(String::as_str).collect();
        let block = tokens::block(&views, at);
        let smaller = [block, at..at + 1].into_iter().find_map(|range| {
            let rest: Vec<String> = [&lines[..range.start], &lines[range.end..]].concat();
            shows(&(rest.join("\n") + "\n")).then_some(rest)
        });
        match smaller {
            Some(rest) => lines = rest,
            None => at += 1,
        }
    }
    lines.join("\n") + "\n"
}

fn without_tokens(text: &str, shows: &mut impl FnMut(&str) -> bool) -> String {
    let mut all = tokens::split(text);
    for size in [64, 16, 6, 4, 3, 2, 1] {
        let mut at = 0;
        while at < all.len() {
            let end = (at + size).min(all.len());
            let rest = [&all[..at], &all[end..]].concat();
            if shows(&tokens::join(&rest)) {
                all = rest;
            } else {
                at += 1;
            }
        }
    }
    tokens::join(&all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_stays() {
        let text = b"a = 1\nif b:\n    c = x + y\n    d\ne\n";
        let smallest = shrink(text, |bytes| bytes.windows(1).any(|w| w == b"x"));
        assert_eq!(smallest, b"x");
    }
}
