//! Messages over standard input and output. Threads read and write, so that one that is slow does not keep the other.

use lsp_server::Message;
use std::io::{BufReader, stdin, stdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The client is gone, or does not keep to the protocol.
pub struct Gone;

/// The client.
pub struct Client {
    incoming: Receiver<Message>,
    outgoing: Option<Sender<Message>>,
    writer: Option<JoinHandle<()>>,
}

impl Client {
    /// The one at the other ends of standard input and output.
    pub fn start() -> Self {
        let (sender, incoming) = channel();
        std::thread::spawn(move || {
            let mut input = BufReader::new(stdin());
            // What is no message ends the connection.
            while let Ok(Some(message)) = Message::read(&mut input) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let (outgoing, receiver) = channel::<Message>();
        let writer = std::thread::spawn(move || {
            let mut output = stdout().lock();
            // A client that is gone is noticed where its messages are read.
            let _ = receiver.into_iter().try_for_each(|message| message.write(&mut output));
        });
        Self { incoming, outgoing: Some(outgoing), writer: Some(writer) }
    }

    /// One within this process, which says `incoming`.
    #[cfg(test)]
    pub fn within(incoming: Receiver<Message>, outgoing: Sender<Message>) -> Self {
        Self { incoming, outgoing: Some(outgoing), writer: None }
    }

    /// The next message.
    pub fn next(&self) -> Result<Message, Gone> {
        self.incoming.recv().map_err(|_| Gone)
    }

    /// The next message, if one comes in time.
    pub fn next_within(&self, time: Duration) -> Result<Option<Message>, Gone> {
        match self.incoming.recv_timeout(time) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Gone),
        }
    }

    /// What has come.
    pub fn waiting(&self) -> impl Iterator<Item = Message> {
        self.incoming.try_iter()
    }

    pub fn send(&self, message: impl Into<Message>) -> Result<(), Gone> {
        self.outgoing.as_ref().ok_or(Gone)?.send(message.into()).map_err(|_| Gone)
    }
}

impl Drop for Client {
    /// What was sent is written.
    fn drop(&mut self) {
        drop(self.outgoing.take());
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}
