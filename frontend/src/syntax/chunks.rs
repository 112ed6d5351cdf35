//! Pieces of a file that parse alone: each begins with a statement at module level.

use super::scan::Scan;
use crate::source::Span;

/// A statement at module level with all its blocks, or decorators with their function.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    /// Indices of its logical lines.
    pub lines: std::ops::Range<usize>,
    /// From its first line's indentation to the next chunk.
    pub span: Span,
}

/// Cuts the file.
pub(super) fn chunks(scan: &Scan) -> Vec<Chunk> {
    let mut starts = Vec::new();
    let mut decorators = false;
    for (index, line) in scan.lines.iter().enumerate() {
        let begins = line.indent == 0 && !line.continues && !decorators;
        if begins || index == 0 {
            starts.push(index);
        }
        decorators = line.indent == 0 && scan.masked.get(line.span.start as usize) == Some(&b'@');
    }
    let ends = starts.iter().skip(1).copied().chain(std::iter::once(scan.lines.len()));
    starts.iter().zip(ends).map(|(&start, end)| chunk(scan, start..end)).collect()
}

fn chunk(scan: &Scan, lines: std::ops::Range<usize>) -> Chunk {
    // Everything between chunks is blank; the first one takes its own indentation, which is an error.
    let first = scan.lines[lines.start].span.start as usize;
    let indentation =
        scan.masked[..first].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let last = scan.lines[lines.end - 1].span.end as usize;
    let line_break = match scan.masked.get(last..) {
        Some([b'\r', b'\n', ..]) => 2,
        Some([_, ..]) => 1,
        _ => 0,
    };
    Chunk { span: Span::new((first - indentation) as u32, (last + line_break) as u32), lines }
}
