//! Memory of the host that lies on the device in one piece.
//!
//! Arrays may be views of the same memory, and one of them may be written: so the bytes that arrays span are joined where they overlap.

use std::ops::Range;

/// What overlaps, joined, in order.
pub fn join(spans: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut spans: Vec<_> = spans.into_iter().filter(|span| !span.is_empty()).collect();
    spans.sort_by_key(|span| span.start);
    let mut out: Vec<Range<usize>> = Vec::new();
    for span in spans {
        match out.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => out.push(span),
        }
    }
    out
}

/// Whether two ranges share a byte.
pub fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_joined_where_they_overlap() {
        assert_eq!(join([40..60, 10..20, 20..30, 0..0, 55..58, 50..70]), [10..20, 20..30, 40..70]);
        assert_eq!(join([]), []);
        assert!(overlap(&(0..5), &(4..6)) && !overlap(&(0..5), &(5..6)));
    }
}
