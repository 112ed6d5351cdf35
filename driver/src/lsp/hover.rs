//! What is shown beside the pointer: types, documentation, and what the optimiser does with the line.

use super::document::Document;
use super::places;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, TextDocumentPositionParams};
use pydd_frontend::diagnostics::Diagnostic;
use pydd_frontend::editor::Analysis;
use pydd_frontend::editor::at::{At, Meaning, types_text};
use pydd_ir::catalogue::{Found, reference};
use std::collections::BTreeMap;

/// What stands at a place.
pub fn answer(
    documents: &mut BTreeMap<String, Document>,
    asked: &TextDocumentPositionParams,
) -> Option<Hover> {
    let known = documents.get_mut(asked.text_document.uri.as_str())?.known()?;
    let source = &known.analysis.source;
    let offset = places::offset(source, asked.position);
    let at = known.analysis.at(offset);
    let mut parts: Vec<String> = at.iter().map(|at| text(&known.analysis, at)).collect();
    let remarks = known.remarks.of_line(source.line_column(offset).line);
    if !remarks.is_empty() {
        parts.push(remarks.iter().map(line).collect::<Vec<_>>().join("\n"));
    }
    if parts.is_empty() {
        return None;
    }
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: parts.join("\n\n---\n\n") };
    let range = at.map(|at| places::range(source, at.span));
    Some(Hover { contents: HoverContents::Markup(contents), range })
}

fn text(analysis: &Analysis, at: &At<'_>) -> String {
    match &at.meaning {
        Meaning::Variable { name, types } => code(&[format!("{name}: {}", types_text(types))]),
        Meaning::Value(types) => code(&[types_text(types)]),
        Meaning::Function(def) => {
            let doc = def.docstring.as_ref().map(|doc| format!("\n\n{}", doc.trim())).unwrap_or_default();
            code(&analysis.signatures_of(def)) + &doc
        }
        Meaning::Library(found) => {
            found.iter().map(|&found| described(found)).collect::<Vec<_>>().join("\n\n")
        }
        Meaning::Module(space) => format!("module `{}`", space.path()),
        Meaning::Alias { name, ty } => code(&[format!("type {name} = {ty}")]),
        Meaning::Word(word) => word.doc.to_owned(),
    }
}

/// What the library says of a function: how it is called, what it does, and its other names.
pub fn described(found: Found) -> String {
    let own = found.space.spelled(found.name);
    let mut others: Vec<String> = reference::spellings(found.entry)
        .map(|(space, name)| format!("`{}`", space.spelled(name)))
        .filter(|name| name.trim_matches('`') != own)
        .collect();
    others.dedup();
    let others = if others.is_empty() { String::new() } else { format!("\n\nAlso {}", others.join(", ")) };
    format!("{}\n\n{}{others}", code(&[reference::call(found.entry, &own)]), found.entry.doc)
}

fn code(lines: &[String]) -> String {
    format!("```python\n{}\n```", lines.join("\n"))
}

/// A remark as an item of a list.
fn line(remark: &Diagnostic) -> String {
    let labels = remark.primary.iter().chain(&remark.secondary).map(|label| label.text.as_str());
    let rest = labels.chain(remark.notes.iter().map(String::as_str)).filter(|text| !text.is_empty());
    let rest: Vec<&str> = rest.collect();
    let behind = if rest.is_empty() { String::new() } else { format!(": {}", rest.join("; ")) };
    format!("- `{}` {}{behind}", remark.code, remark.headline.trim_end_matches(':'))
}
