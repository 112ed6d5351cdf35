//! Types within the text, where it does not say them.

use super::document::Document;
use super::places;
use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Range};
use pydd_frontend::source::Span;

/// The types to be shown within a range.
pub fn answer(document: &mut Document, range: Range) -> Option<Vec<InlayHint>> {
    let analysis = &document.known()?.analysis;
    let source = &analysis.source;
    let within = Span::new(places::offset(source, range.start), places::offset(source, range.end));
    let one = |hint: pydd_frontend::editor::hints::Hint| InlayHint {
        position: places::position(source, hint.at),
        label: InlayHintLabel::String(hint.text),
        kind: Some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: None,
        padding_left: None,
        padding_right: None,
        data: None,
    };
    Some(analysis.hints(within).into_iter().map(one).collect())
}
