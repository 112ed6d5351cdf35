//! The thread pool that all kernels of a process share.
//!
//! Built at its first use; forgotten in a forked child, where its threads do not exist.
//!
//! Unsafe here: one `pthread_atfork` registration and the state that it replaces. Replaced states
//! are leaked, so that references to them stay valid.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};

/// Threads recurse in kernels as the main thread does.
const STACK_SIZE: usize = 8 << 20;
const MOST_THREADS: usize = 1024;

/// The number asked for by [`set_num_threads`]; 0 when nobody asked.
static ASKED: AtomicUsize = AtomicUsize::new(0);
static STATE: AtomicPtr<Mutex<Option<Arc<Pool>>>> = AtomicPtr::new(ptr::null_mut());
static AT_FORK: Once = Once::new();

pub struct Pool {
    pub threads: usize,
    pub rayon: ThreadPool,
}

/// Threads that a parallel loop uses, the calling one included.
#[must_use]
pub fn num_threads() -> usize {
    match ASKED.load(Ordering::Relaxed) {
        0 => {
            let n = default_threads(std::env::var("PYDD_NUM_THREADS").ok().as_deref());
            ASKED.store(n, Ordering::Relaxed);
            n
        }
        n => n,
    }
}

/// The environment's wish, if that is a whole number above 0, or the CPUs that affinity and cgroup quota leave.
fn default_threads(wish: Option<&str>) -> usize {
    let digits = wish.map(str::trim).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    digits
        .filter(|text| text.bytes().any(|byte| byte != b'0'))
        // Only what is too large for a number cannot be read any more.
        .map(|text| text.parse().unwrap_or(MOST_THREADS))
        .or_else(|| std::thread::available_parallelism().ok().map(Into::into))
        .unwrap_or(1)
        .min(MOST_THREADS)
}

/// Changes the number of threads from the next parallel loop on. With one thread the pool that there is waits.
pub fn set_num_threads(n: usize) {
    ASKED.store(n.clamp(1, MOST_THREADS), Ordering::Relaxed);
}

/// The pool, or `None` when loops run on the calling thread alone.
#[must_use]
pub fn pool() -> Option<Arc<Pool>> {
    let threads = num_threads();
    if threads < 2 {
        return None;
    }
    let mut slot = state().lock().unwrap_or_else(PoisonError::into_inner);
    if slot.as_ref().is_none_or(|pool| pool.threads != threads) {
        *slot = build(threads).map(Arc::new);
    }
    slot.clone()
}

fn build(threads: usize) -> Option<Pool> {
    let rayon = ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_SIZE)
        .thread_name(|i| format!("pydd-{i}"))
        .build()
        .ok()?;
    Some(Pool { threads, rayon })
}

fn state() -> &'static Mutex<Option<Arc<Pool>>> {
    // SAFETY: registers a function that lives for ever.
    AT_FORK.call_once(|| unsafe {
        libc::pthread_atfork(None, None, Some(forget));
    });
    let mut current = STATE.load(Ordering::Acquire);
    if current.is_null() {
        let fresh = Box::into_raw(Box::default());
        current = match STATE.compare_exchange(current, fresh, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => fresh,
            Err(other) => {
                // SAFETY: `fresh` was not published.
                drop(unsafe { Box::from_raw(fresh) });
                other
            }
        };
    }
    // SAFETY: published states are never freed.
    unsafe { &*current }
}

/// Runs in a forked child: the old state may be locked for ever, its threads are gone.
extern "C" fn forget() {
    STATE.store(ptr::null_mut(), Ordering::Release);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides_within_bounds() {
        assert_eq!(default_threads(Some(" 3 ")), 3);
        assert_eq!(default_threads(Some("007")), 7);
        assert_eq!(default_threads(Some("100000")), MOST_THREADS);
        assert_eq!(default_threads(Some("100000000000000000000000000")), MOST_THREADS);
        let all = default_threads(None);
        assert!(all >= 1);
        for wrong in ["", " ", "0", "00", "-3", "+4", "2.0", "1e3", "many", "3 4", "\u{0663}"] {
            assert_eq!(default_threads(Some(wrong)), all, "{wrong}");
        }
    }
}
