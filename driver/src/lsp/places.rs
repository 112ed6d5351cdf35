//! Places as the protocol counts them: lines from 0, and units of UTF-16 within a line.

use lsp_types::{Position, Range};
use pydd_frontend::source::{SourceFile, Span};

/// The place of an offset.
pub fn position(source: &SourceFile, offset: u32) -> Position {
    let offset = source.clamp(Span::at(offset)).start;
    let line = source.line_column(offset).line;
    let before = source.slice(Span::new(source.line_span(line).start, offset));
    let units = before.encode_utf16().count();
    Position { line: line - 1, character: u32::try_from(units).unwrap_or(u32::MAX) }
}

/// The places of a span.
pub fn range(source: &SourceFile, span: Span) -> Range {
    Range { start: position(source, span.start), end: position(source, span.end) }
}

/// The offset of a place; behind the end of a line it is the line's end, behind the text the text's.
pub fn offset(source: &SourceFile, place: Position) -> u32 {
    if place.line >= source.line_count() {
        return u32::try_from(source.text().len()).unwrap_or(u32::MAX);
    }
    let span = source.line_span(place.line + 1);
    let text = source.slice(span).trim_end_matches(['\r', '\n']);
    let mut units = 0;
    for (at, c) in text.char_indices() {
        // Within a pair of units stands the character before.
        if units + c.len_utf16() as u32 > place.character {
            return span.start + u32::try_from(at).unwrap_or(0);
        }
        units += c.len_utf16() as u32;
    }
    span.start + u32::try_from(text.len()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_utf16() {
        let source = SourceFile::new("f.pydd", "ä = 1\r\n😀x = 2\n");
        let text = source.text();
        for (needle, line, character) in [("=", 0, 2), ("x", 1, 2), ("2", 1, 6)] {
            let at = u32::try_from(text.find(needle).unwrap()).unwrap();
            let place = Position { line, character };
            assert_eq!(position(&source, at), place, "{needle}");
            assert_eq!(offset(&source, place), at, "{needle}");
        }
        assert_eq!(offset(&source, Position { line: 0, character: 99 }), 6, "the line's end");
        assert_eq!(offset(&source, Position { line: 99, character: 0 }), text.len() as u32);
        assert_eq!(offset(&source, Position { line: 1, character: 1 }), 8, "within a pair");
    }
}
