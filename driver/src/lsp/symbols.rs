//! What a file defines.

use super::document::Document;
use super::places;
use lsp_types::{DocumentSymbol, DocumentSymbolResponse, SymbolKind};
use pydd_frontend::editor::outline::{Kind, Symbol};
use pydd_frontend::source::SourceFile;

/// The symbols of a file.
pub fn answer(document: &mut Document) -> Option<DocumentSymbolResponse> {
    let analysis = &document.known()?.analysis;
    let all = analysis.outline().into_iter().map(|each| symbol(&analysis.source, each)).collect();
    Some(DocumentSymbolResponse::Nested(all))
}

#[allow(deprecated, reason = "a field of the protocol's type, which must be given")]
fn symbol(source: &SourceFile, found: Symbol) -> DocumentSymbol {
    let Symbol { name, kind, span, name_span, detail, inner } = found;
    let kind = match kind {
        Kind::Function => SymbolKind::FUNCTION,
        Kind::Class => SymbolKind::CLASS,
        Kind::Type => SymbolKind::CLASS,
        Kind::Constant => SymbolKind::CONSTANT,
    };
    let children: Vec<DocumentSymbol> = inner.into_iter().map(|each| symbol(source, each)).collect();
    DocumentSymbol {
        name,
        detail: (!detail.is_empty()).then_some(detail),
        kind,
        tags: None,
        deprecated: None,
        range: places::range(source, span.join(name_span)),
        selection_range: places::range(source, name_span),
        children: (!children.is_empty()).then_some(children),
    }
}
