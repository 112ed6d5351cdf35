//! The names that may stand where the cursor is.

use super::document::Document;
use super::hover::described;
use super::places;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionResponse, Documentation, MarkupContent, MarkupKind,
    TextDocumentPositionParams,
};
use pydd_frontend::editor::Analysis;
use pydd_frontend::editor::at::types_text;
use pydd_frontend::editor::complete::{Candidate, Context, What, context};
use pydd_frontend::source::{SourceFile, Span};
use pydd_frontend::typed::types::ty::Ty;
use pydd_ir::catalogue::{Algebra, Found, Space};
use std::collections::BTreeMap;

/// What may stand at a place.
pub fn answer(
    documents: &mut BTreeMap<String, Document>,
    asked: &TextDocumentPositionParams,
) -> Option<CompletionResponse> {
    let document = documents.get_mut(asked.text_document.uri.as_str())?;
    let source = document.known()?.analysis.source.clone();
    let at = places::offset(&source, asked.position);
    let context = context(&source, at);
    let receiver = receiver(document, &source, &context, at);
    let analysis = &document.known()?.analysis;
    let candidates = analysis.candidates(&context, &receiver, at);
    Some(CompletionResponse::Array(candidates.iter().map(|candidate| item(analysis, candidate)).collect()))
}

/// The types of what stands before the dot.
fn receiver(document: &mut Document, source: &SourceFile, context: &Context, at: u32) -> Vec<Ty> {
    let Context::Member(path) = context else { return Vec::new() };
    let Some(known) = document.known() else { return Vec::new() };
    match path {
        Some(path) if known.analysis.module_named(path).is_some() => Vec::new(),
        Some(name) if !name.contains('.') => known.analysis.types_of_name(name, at).to_vec(),
        _ => {
            let (text, at) = with_a_name(source, at);
            let analysis = document.with_text(&text);
            analysis.and_then(|analysis| analysis.receiver_at(at).map(<[Ty]>::to_vec)).unwrap_or_default()
        }
    }
}

/// The text with a name behind the dot and the line's brackets closed, so that the line can be read; and where the name is.
fn with_a_name(source: &SourceFile, at: u32) -> (String, u32) {
    let line = source.line_span(source.line_column(at).line);
    let before = source.slice(Span::new(line.start, at));
    let before = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    let mut closing = Vec::new();
    for c in before.chars() {
        match c {
            '(' => closing.push(')'),
            '[' => closing.push(']'),
            '{' => closing.push('}'),
            ')' | ']' | '}' => drop(closing.pop()),
            _ => {}
        }
    }
    let closing: String = closing.into_iter().rev().collect();
    let rest = source.slice(Span::new(at, line.end));
    // What follows on the line closes them itself.
    let closing = if rest.trim().is_empty() { closing } else { String::new() };
    let start = line.start + u32::try_from(before.len()).unwrap_or(0);
    let (text, end) = (source.text(), at as usize);
    (format!("{}name_{closing}{}", &text[..start as usize], &text[end..]), start)
}

fn item(analysis: &Analysis, candidate: &Candidate<'_>) -> CompletionItem {
    use CompletionItemKind as Kind;
    // What the program defines comes first, and words last.
    let (kind, detail, doc, order) = match &candidate.what {
        What::Variable(types) => (Kind::VARIABLE, Some(types_text(types)), None, 0),
        What::Function(def) => {
            (Kind::FUNCTION, analysis.signatures_of(def).into_iter().next(), def.docstring.clone(), 1)
        }
        What::Library(found) => (kind_of(*found), None, Some(described(*found)), 2),
        What::ListMethod => (Kind::METHOD, None, None, 1),
        What::Module(space) => (Kind::MODULE, Some(space.path().to_owned()), None, 2),
        What::Alias(ty) => (Kind::CLASS, Some(ty.clone()), None, 0),
        What::Word(word) => (Kind::KEYWORD, None, Some(word.doc.to_owned()).filter(|doc| !doc.is_empty()), 3),
    };
    let markdown = |value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
    CompletionItem {
        label: candidate.name.clone(),
        kind: Some(kind),
        detail,
        documentation: doc.map(markdown),
        sort_text: Some(format!("{order}{}", candidate.name)),
        ..CompletionItem::default()
    }
}

fn kind_of(found: Found) -> CompletionItemKind {
    match (found.entry.algebra, found.space) {
        (Algebra::Constant(_), _) => CompletionItemKind::CONSTANT,
        (_, Space::Attribute | Space::SparseAttribute) => CompletionItemKind::PROPERTY,
        (_, space) if space.path().is_empty() => CompletionItemKind::METHOD,
        _ => CompletionItemKind::FUNCTION,
    }
}
