//! The texts that the client has open, and what is known of them.

use super::remarks::Remarks;
use crate::{bug, check};
use lsp_server::Notification;
use lsp_types::{DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, Uri};
use pydd_frontend::editor::{Analysis, analyse};
use pydd_frontend::source::SourceFile;
use std::collections::BTreeMap;
use std::path::Path;

/// A text that the client has open. It may be no file.
pub struct Document {
    pub uri: Uri,
    pub version: i32,
    text: String,
    /// What is known of this text; the inner `None`: the compiler has failed on it.
    known: Option<Option<Known>>,
    published: bool,
}

/// What is known of a text.
pub struct Known {
    pub analysis: Analysis,
    /// What the optimiser does with it.
    pub remarks: Remarks,
}

impl Document {
    fn new(uri: Uri, version: i32, text: String) -> Self {
        Self { uri, version, text, known: None, published: false }
    }

    /// Whether the client knows what is wrong with the text.
    pub fn is_published(&self) -> bool {
        self.published
    }

    /// What is known of the text, for telling what is wrong with it.
    pub fn take_news(&mut self) -> Option<&Known> {
        self.published = true;
        self.known()
    }

    /// What is known of the text; `None` where the compiler fails on it, which was reported.
    pub fn known(&mut self) -> Option<&Known> {
        if self.known.is_none() {
            self.known = Some(look(self.name(), &self.text));
        }
        self.known.as_ref()?.as_ref()
    }

    /// What is known of another text in its place.
    pub fn with_text(&self, text: &str) -> Option<Analysis> {
        look(self.name(), text).map(|known| known.analysis)
    }

    /// Reports a panic that came of answering about the text.
    pub fn report_panic(&self, what_for: &str) {
        bug::report_panic(Path::new(self.name()), self.text.as_bytes(), what_for);
    }

    /// The last part of its path.
    fn name(&self) -> &str {
        self.uri.as_str().rsplit(['/', ':']).next().unwrap_or_default()
    }
}

fn look(name: &str, text: &str) -> Option<Known> {
    let path = Path::new(name);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let work = || {
        #[cfg(test)]
        super::tests::panic_in_compiler(text);
        let mut analysis = analyse(SourceFile::new(name, text), &stem);
        let remarks = Remarks::new(&analysis);
        let bug = analysis.bug.take().map(|what| ("in type inference".to_owned(), what));
        let refused = check::refuse(&analysis.source, analysis.module.as_mut(), &mut analysis.diagnostics);
        (Known { analysis, remarks }, bug.or(refused.err()))
    };
    let (known, bug) = bug::guard(path, text.as_bytes(), work)?;
    if let Some((stage, what)) = bug {
        bug::report(path, text.as_bytes(), &stage, &what);
        return None;
    }
    Some(known)
}

/// Follows what the client does with its texts; gives the one that it closed.
pub fn follow(documents: &mut BTreeMap<String, Document>, note: Notification) -> Option<Uri> {
    match note.method.as_str() {
        "textDocument/didOpen" => {
            let opened: DidOpenTextDocumentParams = serde_json::from_value(note.params).ok()?;
            let item = opened.text_document;
            let key = item.uri.as_str().to_owned();
            documents.insert(key, Document::new(item.uri, item.version, item.text));
        }
        "textDocument/didChange" => {
            let changed: DidChangeTextDocumentParams = serde_json::from_value(note.params).ok()?;
            let id = changed.text_document;
            let document = documents.get_mut(id.uri.as_str())?;
            // Each change is the whole text; an older version than the one that is known comes too late.
            let last = changed.content_changes.into_iter().last()?;
            if id.version >= document.version {
                *document = Document::new(id.uri, id.version, last.text);
            }
        }
        "textDocument/didClose" => {
            let closed: DidCloseTextDocumentParams = serde_json::from_value(note.params).ok()?;
            return documents.remove(closed.text_document.uri.as_str()).map(|document| document.uri);
        }
        _ => {}
    }
    None
}
