//! Where the lines of a text come from that was put together of parts of several files.

use crate::func::{Loc, Module};

/// Lines of a text that are lines of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The first of them, in the text, from 1; they end where the next part starts.
    pub start: u32,
    /// The file that they come from.
    pub file: String,
    /// The first of them, in the file, from 1.
    pub line: u32,
    /// How many characters the lines of the file have before what stands in the text.
    pub indent: u32,
}

/// A place as a user knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place<'a> {
    /// `None`: the text itself.
    pub file: Option<&'a str>,
    /// From 1; 0 where there is none.
    pub line: u32,
    /// From 1, in characters; 0 where there is none.
    pub column: u32,
}

/// The part that holds a line of the text. Parts are in order.
#[must_use]
pub fn part_of(parts: &[Part], line: u32) -> Option<&Part> {
    parts[..parts.partition_point(|part| part.start <= line)].last()
}

/// The place of a line and column of the text.
#[must_use]
pub fn place(parts: &[Part], line: u32, column: u32) -> Place<'_> {
    let Some(part) = part_of(parts, line).filter(|_| line > 0) else {
        return Place { file: None, line, column };
    };
    let column = if column == 0 { 0 } else { column.saturating_add(part.indent) };
    Place { file: Some(&part.file), line: part.line.saturating_add(line - part.start), column }
}

impl Module {
    /// Where a user finds what stands at `loc`.
    #[must_use]
    pub fn place(&self, loc: Loc) -> Place<'_> {
        place(&self.parts, loc.line, loc.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(start: u32, file: &str, line: u32, indent: u32) -> Part {
        Part { start, file: file.to_owned(), line, indent }
    }

    #[test]
    fn lines_belong_to_the_last_part_before_them() {
        let parts = [part(2, "a.py", 10, 4), part(6, "b.py", 1, 0)];
        assert_eq!(place(&parts, 2, 1), Place { file: Some("a.py"), line: 10, column: 5 });
        assert_eq!(place(&parts, 5, 0), Place { file: Some("a.py"), line: 13, column: 0 });
        assert_eq!(place(&parts, 6, 3), Place { file: Some("b.py"), line: 1, column: 3 });
        assert_eq!(place(&parts, 1, 3), Place { file: None, line: 1, column: 3 });
        assert_eq!(place(&parts, 0, 0), Place { file: None, line: 0, column: 0 });
        assert_eq!(place(&[], 7, 8), Place { file: None, line: 7, column: 8 });
    }
}
