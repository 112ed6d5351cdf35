//! The parameters of the function whose arguments are being written.

use super::document::Document;
use super::places;
use lsp_types::{
    ParameterInformation, ParameterLabel, SignatureHelp, SignatureInformation, TextDocumentPositionParams,
};
use pydd_frontend::editor::Analysis;
use pydd_frontend::editor::complete::Callee;
use pydd_ir::catalogue::reference;
use std::collections::BTreeMap;

/// The call around a place.
pub fn answer(
    documents: &mut BTreeMap<String, Document>,
    asked: &TextDocumentPositionParams,
) -> Option<SignatureHelp> {
    let analysis = &documents.get_mut(asked.text_document.uri.as_str())?.known()?.analysis;
    let (callees, commas) = analysis.call_at(places::offset(&analysis.source, asked.position))?;
    let signatures: Vec<SignatureInformation> =
        callees.iter().flat_map(|callee| signatures(analysis, callee)).collect();
    let active_parameter = u32::try_from(commas).ok();
    (!signatures.is_empty()).then_some(SignatureHelp {
        signatures,
        active_signature: Some(0),
        active_parameter,
    })
}

fn signatures(analysis: &Analysis, callee: &Callee<'_>) -> Vec<SignatureInformation> {
    match callee {
        Callee::Function(def) => {
            let names: Vec<String> = def.params.iter().map(|param| param.name.name.clone()).collect();
            let all = analysis.signatures_of(def).into_iter();
            all.map(|label| one(label, &names, def.docstring.as_deref())).collect()
        }
        Callee::Library(found) => {
            let names: Vec<String> = found.entry.params.iter().map(|param| param.name.to_owned()).collect();
            let label = reference::call(found.entry, &found.space.spelled(found.name));
            vec![one(label, &names, Some(found.entry.doc))]
        }
    }
}

fn one(label: String, params: &[String], doc: Option<&str>) -> SignatureInformation {
    let param = |name: &String| ParameterInformation {
        label: ParameterLabel::Simple(name.clone()),
        documentation: None,
    };
    SignatureInformation {
        label,
        documentation: doc.map(|doc| lsp_types::Documentation::String(doc.to_owned())),
        parameters: Some(params.iter().map(param).collect()),
        active_parameter: None,
    }
}
