//! Memory of the host that is copied to the device in one piece.
//!
//! Arrays may be views of the same memory, and one of them may be written: so the bytes that arrays span are joined where they overlap or touch.

use std::ops::Range;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Addresses of the host.
    pub range: Range<usize>,
    /// What written arrays span of it; empty where all are only read.
    pub written: Range<usize>,
}

/// Segments in order, of what arrays span and whether they are written.
pub fn join(spans: impl IntoIterator<Item = (Range<usize>, bool)>) -> Vec<Segment> {
    let mut spans: Vec<_> = spans.into_iter().filter(|(span, _)| !span.is_empty()).collect();
    spans.sort_by_key(|(span, _)| span.start);
    let mut out: Vec<Segment> = Vec::new();
    for (span, is_written) in spans {
        let written = if is_written { span.clone() } else { span.start..span.start };
        match out.last_mut() {
            Some(last) if span.start <= last.range.end => {
                last.range.end = last.range.end.max(span.end);
                if last.written.is_empty() {
                    last.written = written;
                } else if is_written {
                    last.written.end = last.written.end.max(span.end);
                }
            }
            _ => out.push(Segment { range: span, written }),
        }
    }
    out
}

/// The place of the segment that holds an address.
pub fn find(segments: &[Segment], address: usize) -> usize {
    segments.partition_point(|segment| segment.range.end <= address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_joined_where_they_meet() {
        let joined = join([
            (40..60, true),
            (10..20, false),
            (20..30, true),
            (0..0, true),
            (55..58, false),
            (50..70, true),
        ]);
        let expected =
            [Segment { range: 10..30, written: 20..30 }, Segment { range: 40..70, written: 40..70 }];
        assert_eq!(joined, expected);
        assert_eq!([10, 29, 40, 69].map(|address| find(&joined, address)), [0, 0, 1, 1]);
        assert_eq!(join([]), []);
    }
}
