//! `pyddc lsp`: the language server, over standard input and output.
//!
//! One thread reads and answers, so that answers are about the text as it is. What was typed is looked at when nothing more
//! comes for a moment, or when an answer needs it; texts between are never looked at. A panic of the compiler ends an answer,
//! not the server.

mod actions;
mod capabilities;
mod completion;
mod document;
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
    let client = Client::start();
    let mut server = Server { client: &client, documents: BTreeMap::new(), queue: VecDeque::new() };
    match server.serve() {
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

impl Server<'_> {
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
