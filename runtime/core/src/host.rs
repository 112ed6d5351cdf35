//! What the core asks of the program it runs in (Python, or nothing).

use pydd_abi::Ctx;
use std::sync::OnceLock;

/// Functions that the extension module gives to the core.
pub struct Host {
    /// Whether the user asked to stop; if so the exception now is in `ctx`.
    /// Called on a thread that came from the host, at most every [`crate::clock::POLL_INTERVAL`].
    pub interrupted: fn(ctx: &mut Ctx) -> bool,
    /// Called before a thread of the host waits for pool threads: gives the GIL away if it is held.
    pub before_wait: fn() -> usize,
    /// Undoes `before_wait`, whose answer it takes.
    pub after_wait: fn(token: usize),
    /// Drops the exception object of an [`pydd_abi::EXC_PYTHON`] error that nobody will see.
    pub drop_exception: fn(object: i64),
}

static HOST: OnceLock<Host> = OnceLock::new();

/// Sets the host, once; later calls change nothing.
pub fn set(host: Host) {
    let _ = HOST.set(host);
}

pub(crate) fn interrupted(ctx: &mut Ctx) -> bool {
    HOST.get().is_some_and(|h| (h.interrupted)(ctx))
}

pub(crate) fn drop_exception(object: i64) {
    if let Some(h) = HOST.get() {
        (h.drop_exception)(object);
    }
}

/// Between its making and its drop, the host's lock is free for other threads.
pub(crate) struct Waiting(Option<usize>);

impl Waiting {
    pub(crate) fn start() -> Self {
        Self(HOST.get().map(|h| (h.before_wait)()))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let (Some(host), Some(token)) = (HOST.get(), self.0) {
            (host.after_wait)(token);
        }
    }
}
