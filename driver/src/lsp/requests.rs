//! Which answer a request gets.

use super::document::Document;
use super::{actions, capabilities, completion, hints, hover, places, signature, symbols};
use lsp_server::{ErrorCode, Request, Response};
use lsp_types::{Location, Range, TextDocumentIdentifier, TextDocumentPositionParams};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

type Documents = BTreeMap<String, Document>;

/// What is asked of a text or of a part of it. The protocol's own types hold much that nothing here looks at.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InText {
    text_document: TextDocumentIdentifier,
    #[serde(default)]
    range: Range,
}

/// The answer to a request; none of it ends the server.
pub fn answer(documents: &mut Documents, request: Request) -> Response {
    let Request { id, method, params } = request;
    let about = params["textDocument"]["uri"].as_str().map(str::to_owned);
    let work = AssertUnwindSafe(|| match method.as_str() {
        "initialize" => Ok(capabilities::answer()),
        "shutdown" => Ok(Value::Null),
        "textDocument/hover" => with(params, |asked| hover::answer(documents, &asked)),
        "textDocument/completion" => with(params, |asked| completion::answer(documents, &asked)),
        "textDocument/definition" => with(params, |asked| definition(documents, &asked)),
        "textDocument/signatureHelp" => with(params, |asked| signature::answer(documents, &asked)),
        "textDocument/documentSymbol" => with(params, |asked: InText| {
            symbols::answer(documents.get_mut(asked.text_document.uri.as_str())?)
        }),
        "textDocument/inlayHint" => with(params, |asked: InText| {
            hints::answer(documents.get_mut(asked.text_document.uri.as_str())?, asked.range)
        }),
        "textDocument/codeAction" => with(params, |asked: InText| {
            actions::answer(documents.get_mut(asked.text_document.uri.as_str())?, asked.range)
        }),
        #[cfg(test)]
        super::tests::PANICS => panic!("a test of panics in answers"),
        _ => Err((ErrorCode::MethodNotFound, format!("there is no `{method}`"))),
    });
    match catch_unwind(work) {
        Ok(Ok(value)) => Response::new_ok(id, value),
        Ok(Err((code, message))) => Response::new_err(id, code as i32, message),
        Err(_) => {
            if let Some(document) = about.and_then(|uri| documents.get(&uri)) {
                document.report_panic(&format!("answering `{method}`"));
            }
            Response::new_err(id, ErrorCode::InternalError as i32, "a bug of the compiler".to_owned())
        }
    }
}

/// Reads what is asked and gives the answer to it; where there is none, it is null.
fn with<P: DeserializeOwned, R: Serialize>(
    params: Value,
    work: impl FnOnce(P) -> Option<R>,
) -> Result<Value, (ErrorCode, String)> {
    let asked =
        serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))?;
    serde_json::to_value(work(asked)).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

fn definition(documents: &mut Documents, asked: &TextDocumentPositionParams) -> Option<Location> {
    let uri = &asked.text_document.uri;
    let analysis = &documents.get_mut(uri.as_str())?.known()?.analysis;
    let span = analysis.definition_at(places::offset(&analysis.source, asked.position))?;
    Some(Location { uri: uri.clone(), range: places::range(&analysis.source, span) })
}
