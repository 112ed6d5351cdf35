//! How deep generated code may recurse on the current thread.
//!
//! Unsafe here: pthread calls about the calling thread itself.

use std::cell::Cell;

/// Room below the limit for the runtime, Python's printing, and signal handlers.
const MARGIN: usize = 256 << 10;
/// More stack than this is never used: an unlimited main stack would swallow all memory before it
/// reports endless recursion.
const MOST: usize = 64 << 20;
/// What is assumed free on a stack that is not this thread's own (a coroutine's).
const FOREIGN: usize = 64 << 10;

#[derive(Clone, Copy)]
struct Bounds {
    low: usize,
    high: usize,
    limit: usize,
}

thread_local! {
    static BOUNDS: Cell<Option<Bounds>> = const { Cell::new(None) };
}

/// The lowest stack address that generated code may reach on this thread.
#[must_use]
#[inline]
pub fn limit() -> usize {
    let here = here();
    match BOUNDS.with(Cell::get) {
        Some(b) if (b.low..b.high).contains(&here) => b.limit,
        _ => look_up(here),
    }
}

#[inline(always)]
fn here() -> usize {
    let marker = 0u8;
    (&raw const marker) as usize
}

#[cold]
fn look_up(here: usize) -> usize {
    match thread_stack() {
        Some((low, high)) if (low..high).contains(&here) => {
            let bounds = Bounds { low, high, limit: limit_within(low, high) };
            BOUNDS.with(|b| b.set(Some(bounds)));
            bounds.limit
        }
        _ => here.saturating_sub(FOREIGN),
    }
}

fn limit_within(low: usize, high: usize) -> usize {
    let margin = MARGIN.min((high - low) / 4);
    (low + margin).max(high.saturating_sub(MOST))
}

/// First byte and end of this thread's stack. For the main thread glibc derives it from
/// RLIMIT_STACK, down to the next mapping if there is no limit.
fn thread_stack() -> Option<(usize, usize)> {
    // Miri does not know the call.
    if cfg!(miri) {
        return None;
    }
    let mut attr = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let mut low = std::ptr::null_mut();
    let mut size = 0;
    // SAFETY: `attr` is initialised by a successful pthread_getattr_np and destroyed after its use.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attr.as_mut_ptr()) != 0 {
            return None;
        }
        let rc = libc::pthread_attr_getstack(attr.as_ptr(), &raw mut low, &raw mut size);
        libc::pthread_attr_destroy(attr.as_mut_ptr());
        (rc == 0).then_some((low as usize, low as usize + size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recurse(limit: usize, depth: usize) -> usize {
        let frame = [depth; 16];
        if (&raw const frame) as usize <= limit {
            return depth;
        }
        recurse(limit, std::hint::black_box(&frame)[3] + 1)
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri's stacks have no limits to ask for")]
    fn recursion_down_to_the_limit_is_safe_on_any_thread() {
        for size in [128 << 10, 1 << 20, 8 << 20] {
            let thread = std::thread::Builder::new().stack_size(size);
            let depth = thread.spawn(|| recurse(limit(), 0)).unwrap().join().unwrap();
            assert!(depth > 100, "{depth} frames in {size} bytes");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri's stacks have no limits to ask for")]
    fn an_unlimited_stack_is_not_used_up() {
        let high = 1 << 46;
        assert_eq!(limit_within(4096, high), high - MOST);
        assert_eq!(limit_within(high - (8 << 20), high), high - (8 << 20) + MARGIN);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri's stacks have no limits to ask for")]
    fn a_foreign_stack_gets_a_little_room() {
        assert_eq!(look_up(1 << 40), (1 << 40) - FOREIGN);
    }
}
