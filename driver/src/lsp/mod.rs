//! `pyddc lsp`: the language server, over standard input and output.
//!
//! One thread reads and answers, so that answers are about the text as it is. What was typed is looked at when nothing more
//! comes for a moment, or when an answer needs it; texts between are never looked at. A panic of the compiler ends an answer,
//! not the server.

mod actions;
mod capabilities;
mod completion;
mod document;
mod hints;
mod hover;
mod places;
mod publish;
mod remarks;
mod requests;
mod signature;
mod symbols;
mod transport;

use document::Document;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::process::ExitCode;
use std::time::Duration;
use transport::{Client, Gone};

/// How long nothing must come before a text is looked at.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves until the client ends it: 0 where it asked for that, 1 where it is gone.
#[must_use]
pub fn run() -> ExitCode {
    match Server::new(&Client::start()).serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Gone) => ExitCode::from(1),
    }
}

struct Server<'a> {
    client: &'a Client,
    /// By their URIs.
    documents: BTreeMap<String, Document>,
    queue: VecDeque<Message>,
}

impl<'a> Server<'a> {
    fn new(client: &'a Client) -> Self {
        Server { client, documents: BTreeMap::new(), queue: VecDeque::new() }
    }

    fn serve(&mut self) -> Result<(), Gone> {
        let mut is_over = false;
        loop {
            self.fill_queue()?;
            match self.queue.pop_front() {
                Some(Message::Request(request)) => {
                    is_over |= request.method == "shutdown";
                    let response = self.answer(request);
                    self.client.send(response)?;
                }
                Some(Message::Notification(note)) if note.method == "exit" => {
                    return if is_over { Ok(()) } else { Err(Gone) };
                }
                Some(Message::Notification(note)) => self.note(note)?,
                Some(Message::Response(_)) => {}
                // Nothing came for a moment.
                None => self.publish()?,
            }
        }
    }

    /// Takes what has come; waits where there is nothing to do.
    fn fill_queue(&mut self) -> Result<(), Gone> {
        if self.queue.is_empty() {
            let waits = self.documents.values().any(|document| !document.is_published());
            let first = if waits { self.client.next_within(PAUSE)? } else { Some(self.client.next()?) };
            self.queue.extend(first);
        }
        self.queue.extend(self.client.waiting());
        Ok(())
    }

    /// Whether the client does not want an answer any more.
    fn is_cancelled(&self, id: &RequestId) -> bool {
        let cancelled: BTreeSet<String> = self.queue.iter().filter_map(cancelled_by).collect();
        cancelled.contains(&id.to_string())
    }

    fn answer(&mut self, request: Request) -> Response {
        if self.is_cancelled(&request.id) {
            return Response::new_err(request.id, ErrorCode::RequestCanceled as i32, "cancelled".to_owned());
        }
        requests::answer(&mut self.documents, request)
    }

    fn note(&mut self, note: Notification) -> Result<(), Gone> {
        if let Some(closed) = document::follow(&mut self.documents, note) {
            self.client.send(publish::nothing(closed))?;
        }
        Ok(())
    }

    /// Says what is wrong with the texts that were not looked at yet.
    fn publish(&mut self) -> Result<(), Gone> {
        let notes: Vec<Notification> = self
            .documents
            .values_mut()
            .filter(|document| !document.is_published())
            .map(publish::of)
            .collect();
        notes.into_iter().try_for_each(|note| self.client.send(note))
    }
}

/// The request that a message cancels, as text.
fn cancelled_by(message: &Message) -> Option<String> {
    let Message::Notification(note) = message else { return None };
    let id = note.params.get("id").filter(|_| note.method == "$/cancelRequest")?;
    serde_json::from_value::<RequestId>(id.clone()).ok().map(|id| id.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::sync::mpsc::channel;

    /// A request whose answer panics.
    pub const PANICS: &str = "test/panics";

    /// Stands for a bug of the compiler that a text shows.
    pub fn panic_in_compiler(text: &str) {
        assert!(!text.contains("# panic"), "a test of panics in the compiler");
    }

    const URI: &str = "file:///a-test-of-panics.pydd";

    fn note(method: &str, params: Value) -> Message {
        Notification::new(method.to_owned(), params).into()
    }

    fn request(id: i32, method: &str) -> Message {
        let params = json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": 4 } });
        Request::new(id.into(), method.to_owned(), params).into()
    }

    /// What a server says to these messages and to its end.
    fn answers(messages: Vec<Message>) -> (bool, Vec<Value>) {
        let (to_server, incoming) = channel();
        let (outgoing, from_server) = channel();
        let ends = [request(99, "shutdown"), note("exit", Value::Null)];
        // The server takes its time before it tells what is wrong with a text.
        std::thread::spawn(move || {
            for message in messages.into_iter().chain(ends) {
                let _ = to_server.send(message);
                std::thread::sleep(PAUSE * 3);
            }
        });
        let client = Client::within(incoming, outgoing);
        let is_over = Server::new(&client).serve().is_ok();
        drop(client);
        (is_over, from_server.iter().map(|message| serde_json::to_value(message).unwrap()).collect())
    }

    #[test]
    fn a_panic_ends_an_answer_and_not_the_server() {
        let item = json!({ "uri": URI, "languageId": "pydd", "version": 1, "text": "def f(x: float64):\n    return x  # panic\n" });
        let changed = json!({
            "textDocument": { "uri": URI, "version": 2 }, "contentChanges": [{ "text": "def f(x: float64):\n    return x\n" }],
        });
        let (is_over, said) = answers(vec![
            note("textDocument/didOpen", json!({ "textDocument": item })),
            request(1, "textDocument/hover"),
            note("textDocument/didChange", changed),
            request(2, PANICS),
            request(3, "textDocument/hover"),
        ]);
        assert!(is_over);
        let [bug, no_hover, nothing, error, hover, shutdown] = said.as_slice() else { panic!("{said:?}") };
        assert!(
            bug["params"]["diagnostics"][0]["message"].as_str().unwrap().starts_with("a bug of the compiler")
        );
        assert_eq!((&no_hover["id"], &no_hover["result"]), (&json!(1), &Value::Null));
        assert_eq!(nothing["params"], json!({ "uri": URI, "version": 2, "diagnostics": [] }));
        assert_eq!((&error["id"], &error["error"]["code"]), (&json!(2), &json!(-32603)));
        assert!(
            hover["result"]["contents"]["value"].as_str().unwrap().contains("def f(x: float64) -> float64"),
            "{hover}"
        );
        assert_eq!((&shutdown["id"], &shutdown["result"]), (&json!(99), &Value::Null));
        // What shows the bugs was saved: the text, once for each.
        let saved =
            std::env::temp_dir().join(format!("pyddc-bug-{}-a-test-of-panics.pydd", std::process::id()));
        assert_eq!(std::fs::read_to_string(&saved).unwrap(), "def f(x: float64):\n    return x\n");
        std::fs::remove_file(saved).unwrap();
    }
}
