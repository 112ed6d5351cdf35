//! Time, and when to look for Ctrl-C.
//!
//! Unsafe here: one libc call, and the context that generated code passes.

use pydd_abi::{Ctx, LOCK_FRESH, LOCK_HELD, Status};
use std::cell::Cell;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Signals are looked for at most this often.
pub const POLL_INTERVAL: Duration = Duration::from_millis(50);

thread_local! {
    static LAST_POLL: Cell<u64> = const { Cell::new(0) };
}

/// `time.time()`.
pub extern "C" fn time() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64())
}

/// Milliseconds of a clock that is read without a system call and steps in 1 to 4 ms.
fn coarse_ms() -> u64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes one timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC_COARSE, &raw mut t) };
    t.tv_sec.unsigned_abs() * 1000 + t.tv_nsec.unsigned_abs() / 1_000_000
}

/// Whether the last look on this thread is long enough ago; if so the next one counts from now.
pub(crate) fn poll_due() -> bool {
    let now = coarse_ms();
    LAST_POLL.with(|last| {
        let due = u128::from(now.saturating_sub(last.get())) >= POLL_INTERVAL.as_millis();
        if due {
            last.set(now);
        }
        due
    })
}

/// The table's `poll`.
///
/// # Safety
/// `ctx` must be this call's context.
pub unsafe extern "C" fn poll(ctx: *mut Ctx) -> Status {
    // SAFETY: valid by the caller's promise.
    let ctx = unsafe { &mut *ctx };
    if ctx.lock == LOCK_FRESH {
        ctx.lock = LOCK_HELD;
    } else {
        crate::host::give_lock_away(ctx);
    }
    if !poll_due() || crate::parallel::in_region() {
        return 0;
    }
    Status::from(crate::host::interrupted(ctx))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs() {
        assert!(time() > 1.6e9);
    }

    #[test]
    fn a_poll_is_due_only_now_and_then() {
        poll_due();
        assert!(!poll_due());
        std::thread::sleep(POLL_INTERVAL + Duration::from_millis(20));
        assert!(poll_due());
    }
}
