//! Work side by side, for passes and backends.

use std::cmp::Reverse;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

/// Bytes of stack for each further thread, enough for walks over the deepest functions; only what is touched costs memory.
const STACK: usize = 256 << 20;

/// `work` of each item on all processors, what `weight` says is most work first, so that no thread is left with a long one
/// at the end; results in the items' order.
pub fn map<T: Send, R: Send>(
    items: Vec<T>,
    weight: impl Fn(&T) -> usize,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let mut items: Vec<(usize, T)> = items.into_iter().enumerate().collect();
    items.sort_by_key(|(_, item)| Reverse(weight(item)));
    let waiting = Mutex::new(items.into_iter());
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
        let squares = map((0..1000).collect(), |&i: &usize| i * 7 % 10, |i| i * i);
        assert_eq!(squares, (0..1000).map(|i| i * i).collect::<Vec<_>>());
        assert!(map(Vec::<i32>::new(), |_| 0, |i| i).is_empty());
    }
}
