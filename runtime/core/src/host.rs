//! What the core asks of the program it runs in (Python, or nothing).

use pydd_abi::{Ctx, is_lock_held};
use std::sync::OnceLock;

/// Functions that the extension module gives to the core.
pub struct Host {
    /// Whether the user asked to stop; if so the exception now is in `ctx`.
    /// Called on a thread that came from the host, at most every [`crate::clock::POLL_INTERVAL`].
    pub interrupted: fn(ctx: &mut Ctx) -> bool,
    /// Gives the host's lock (the GIL), which this thread holds, away for the rest of the call.
    /// Returns a token, neither 0 nor one of those that say that it is held, for whoever called the kernel.
    pub give_lock_away: fn() -> usize,
    /// Drops the exception object of an [`pydd_abi::EXC_PYTHON`] error that nobody will see.
    pub drop_exception: fn(object: i64),
}

static HOST: OnceLock<Host> = OnceLock::new();

/// Sets the host, once; later calls change nothing.
pub fn set(host: Host) {
    let _ = HOST.set(host);
}

pub(crate) fn interrupted(ctx: &mut Ctx) -> bool {
    HOST.get().is_some_and(|h| pydd_gpu::apart(|| (h.interrupted)(ctx)))
}

pub(crate) fn drop_exception(object: i64) {
    if let Some(h) = HOST.get() {
        (h.drop_exception)(object);
    }
}

/// Before this thread works long or waits for others: they may need the host's lock.
pub(crate) fn give_lock_away(ctx: &mut Ctx) {
    if let (Some(host), true) = (HOST.get(), is_lock_held(ctx.lock)) {
        ctx.lock = (host.give_lock_away)();
    }
}
