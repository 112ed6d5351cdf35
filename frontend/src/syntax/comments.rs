//! `# type:` comments, found by position: the parser drops comments.

use super::types::{self, TypeExpr};
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::{SourceFile, Span};

/// The type comments of a file.
pub(super) struct TypeComments<'a> {
    source: &'a SourceFile,
    comments: Vec<TypeComment>,
}

struct TypeComment {
    /// From `#`.
    span: Span,
    /// What follows `type:`.
    content: Span,
    used: bool,
}

impl<'a> TypeComments<'a> {
    /// Picks the type comments out of all comments, which come in order.
    pub(super) fn new(source: &'a SourceFile, comments: &[Span]) -> Self {
        let comments = comments.iter().filter(|span| !source.is_plain(span.start));
        let comments = comments.filter_map(|&span| type_comment(source, span)).collect();
        Self { source, comments }
    }

    /// The annotation in the comment that follows `end`, with nothing but `filler` and blanks between.
    pub(super) fn after(&mut self, end: u32, filler: &[char], sink: &mut Diagnostics) -> Option<TypeExpr> {
        let content = self.take(end, filler, false)?;
        Some(types::parse(self.source.slice(content), content.start, sink))
    }

    /// The annotations in the comment of a function whose header ends at `end`: on the same line, or on the next.
    pub(super) fn signature(
        &mut self,
        end: u32,
        sink: &mut Diagnostics,
    ) -> Option<(Vec<TypeExpr>, TypeExpr, Span)> {
        let content = self.take(end, &[':', ')'], true)?;
        let (params, returns) = types::parse_signature(self.source.slice(content), content.start, sink)?;
        Some((params, returns, content))
    }

    fn take(&mut self, end: u32, filler: &[char], next_line: bool) -> Option<Span> {
        let index = self.comments.partition_point(|comment| comment.span.start < end);
        let comment = self.comments.get_mut(index)?;
        let between = self.source.slice(Span::new(end, comment.span.start));
        let mut breaks = 0;
        for c in between.chars() {
            match c {
                '\n' if next_line && breaks == 0 => breaks += 1,
                '\r' if next_line => {}
                ' ' | '\t' => {}
                c if filler.contains(&c) && breaks == 0 => {}
                _ => return None,
            }
        }
        // A signature is told from a variable's type by its arrow.
        if next_line && !self.source.slice(comment.content).contains("->") {
            return None;
        }
        comment.used = true;
        Some(comment.content)
    }

    /// Warns of comments that belong to no statement.
    pub(super) fn warn_unused(&self, sink: &mut Diagnostics) {
        for comment in self.comments.iter().filter(|comment| !comment.used) {
            Diagnostic::warning(code::UNUSED_TYPE_COMMENT, "this type comment has no effect")
                .primary(comment.span, "belongs to no assignment, loop, parameter or function")
                .help("put it at the end of the line whose variable it is about")
                .emit(sink);
        }
    }

    /// Takes the comments within a span for used, where the statements there were not parsed.
    pub(super) fn forget_within(&mut self, span: Span) {
        for comment in &mut self.comments {
            comment.used |= span.contains(comment.span);
        }
    }
}

/// `# type: T`; not `# type: ignore`, which is for other tools.
fn type_comment(source: &SourceFile, span: Span) -> Option<TypeComment> {
    let text = source.slice(span);
    let rest = text.strip_prefix('#')?.trim_start().strip_prefix("type:")?;
    let content = rest.split('#').next().unwrap_or("");
    let word = content.trim();
    if word.is_empty() || word == "ignore" || word.starts_with("ignore[") {
        return None;
    }
    let start = span.end - rest.len() as u32;
    Some(TypeComment { span, content: Span::new(start, start + content.len() as u32), used: false })
}
