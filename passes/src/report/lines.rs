//! Lines that texts speak of. A text has them as marks: by which number a reader knows a line is known where the source is,
//! which may be put together of parts of files.

use pydd_ir::Loc;

/// Of the characters that no text has.
const MARK: char = '\u{E000}';

/// A line within a text.
#[must_use]
pub fn line(loc: Loc) -> String {
    format!("{MARK}{}{MARK}", loc.line)
}

/// The text with each line by the number that `number` gives it.
#[must_use]
pub fn numbered(text: &str, number: impl Fn(u32) -> u32) -> String {
    let parts = text.split(MARK).enumerate();
    let shown = parts.map(|(index, part)| match part.parse() {
        Ok(line) if index % 2 == 1 => number(line).to_string(),
        _ => part.to_owned(),
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_lines_alone_are_numbered() {
        let at = |line| Loc { line, ..Loc::default() };
        let text = format!("line 7 of the 3 in lines {}, {} and 5", line(at(7)), line(at(30)));
        assert_eq!(numbered(&text, |line| line + 100), "line 7 of the 3 in lines 107, 130 and 5");
        assert_eq!(numbered("no line", |line| line + 1), "no line");
    }
}
