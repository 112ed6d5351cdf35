//! Quick fixes: what diagnostics say is to be written instead.

use super::document::Document;
use super::{places, publish};
use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, Range, TextEdit, WorkspaceEdit};
use pydd_frontend::editor::fix;
use pydd_frontend::source::Span;

/// The quick fixes for what is wrong within a range.
#[allow(clippy::mutable_key_type, reason = "the protocol's type for edits; nothing changes the keys")]
pub fn answer(document: &mut Document, range: Range) -> Option<Vec<CodeActionOrCommand>> {
    let uri = document.uri.clone();
    let analysis = &document.known()?.analysis;
    let source = &analysis.source;
    let asked = Span::new(places::offset(source, range.start), places::offset(source, range.end));
    let touches = |span: Span| span.start <= asked.end && asked.start <= span.end;
    let mut actions = Vec::new();
    for diagnostic in analysis.diagnostics.iter().filter(|diagnostic| touches(diagnostic.span())) {
        let Some(fix) = fix::of(source, diagnostic) else { continue };
        let edit = TextEdit { range: places::range(source, fix.span), new_text: fix.text };
        let changes = std::iter::once((uri.clone(), vec![edit])).collect();
        actions.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: fix.title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![publish::one(source, diagnostic, &uri)]),
            edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
            is_preferred: Some(true),
            ..CodeAction::default()
        }));
    }
    Some(actions)
}
