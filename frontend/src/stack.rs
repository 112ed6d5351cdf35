//! Room on the stack for walks over deep trees.

/// Bytes of stack for [`on_big_stack`]; only what is touched costs memory.
pub const BIG_STACK: usize = 256 << 20;

/// Runs `work` on a thread whose stack holds a walk over the deepest tree the syntax stage lets through
/// (see [`limits`](crate::syntax::limits)), whatever stack the caller has left. A panic in `work` continues
/// in the caller.
pub fn on_big_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    // The closure stays reachable so that a system without room for the thread runs it in place.
    let mut slot = Some(work);
    let mut result = None;
    let spawned = std::thread::scope(|scope| {
        let run = || result = slot.take().map(|work| work());
        let thread = std::thread::Builder::new().stack_size(BIG_STACK).spawn_scoped(scope, run);
        match thread {
            Ok(thread) => thread.join(),
            Err(_) => Ok(()),
        }
    });
    if let Err(panic) = spawned {
        std::panic::resume_unwind(panic);
    }
    match (result, slot) {
        (Some(result), _) => result,
        (None, Some(work)) => work(),
        (None, None) => unreachable!("the closure ran and left no result"),
    }
}
