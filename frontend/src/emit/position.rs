//! Lines and columns of many places, cheaply: each is counted from the last one asked for.

use crate::source::SourceFile;

pub struct Positions<'a> {
    source: &'a SourceFile,
    /// Whether places are of this source; prelude functions have none.
    known: bool,
    last: Option<(u32, u32, u32)>,
}

impl<'a> Positions<'a> {
    pub fn new(source: &'a SourceFile, known: bool) -> Self {
        Self { source, known, last: None }
    }

    /// Line and column from 1, or 0 for "nowhere".
    pub fn at(&mut self, offset: u32) -> (u32, u32) {
        if !self.known {
            return (0, 0);
        }
        let found = self.near(offset).unwrap_or_else(|| {
            let at = self.source.line_column(offset);
            (at.line, at.column)
        });
        self.last = Some((offset, found.0, found.1));
        found
    }

    /// Counts from the last place, where that is on the same line.
    fn near(&self, offset: u32) -> Option<(u32, u32)> {
        let (last, line, column) = self.last?;
        let (from, to) = (last.min(offset), last.max(offset));
        let between = self.source.text().get(from as usize..to as usize)?;
        if between.contains(['\n', '\r']) {
            return None;
        }
        let count = between.chars().count() as u32;
        Some((line, if offset >= last { column + count } else { column - count }))
    }
}
