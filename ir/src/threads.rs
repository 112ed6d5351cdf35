//! Work side by side, for passes and backends.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

/// Bytes of stack for each further thread, enough for walks over the deepest functions; only what is touched costs memory.
const STACK: usize = 256 << 20;

/// `work` of each item on all processors; results in the items' order.
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let waiting = Mutex::new(items.into_iter().enumerate());
    let take = || {
        let mut done = Vec::new();
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((i, item)) = next else { return done };
            done.push((i, work(item)));
        }
    };
    thread::scope(|scope| {
        // A system without room for a further thread does with fewer.
        let spawn = || Builder::new().stack_size(STACK).spawn_scoped(scope, take).ok();
        let others: Vec<_> = (1..threads).map_while(|_| spawn()).collect();
        let mut done = take();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        for (i, result) in done {
            results[i] = Some(result);
        }
    });
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        assert_eq!(map((0..1000).collect(), |i: i32| i * i), (0..1000).map(|i| i * i).collect::<Vec<_>>());
        assert!(map(Vec::<i32>::new(), |i| i).is_empty());
    }
}
