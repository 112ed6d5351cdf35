//! Threads that copy memory of the host for large copies: one alone is slower than the bus.
//!
//! Made at the first large copy, for all workers; they wait as long as there is nothing to do.

use crate::device::lock;
use rayon::{Scope, ThreadPool, ThreadPoolBuilder};
use std::sync::{Condvar, Mutex, OnceLock};

/// With so many the processor's memory is busy.
const MOST: usize = 8;

/// The threads, and the process that has them: a forked child has none.
struct Pool {
    process: u32,
    threads: Option<ThreadPool>,
}

/// None where there is one processor, or no thread is to be had.
pub fn helpers() -> Option<&'static ThreadPool> {
    static POOL: OnceLock<Pool> = OnceLock::new();
    let pool = POOL.get_or_init(|| Pool { process: std::process::id(), threads: build() });
    pool.threads.as_ref().filter(|_| pool.process == std::process::id())
}

fn build() -> Option<ThreadPool> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST);
    let builder = ThreadPoolBuilder::new().num_threads(threads).thread_name(|i| format!("pydd-copy-{i}"));
    if threads < 2 { None } else { builder.build().ok() }
}

/// Where the jobs of a copy run, of which each slot has one at a time.
pub enum Jobs<'a, 'scope> {
    Here,
    There(&'a Scope<'scope>),
}

impl<'scope> Jobs<'_, 'scope> {
    /// Starts a slot's job, or runs it.
    pub fn start(&self, done: &'scope Done, slot: usize, job: impl FnOnce() + Send + 'scope) {
        let whole = move || {
            let _at_end = AtEnd { done, slot };
            job();
        };
        match self {
            Self::Here => whole(),
            Self::There(scope) => scope.spawn(|_| whole()),
        }
    }
}

/// Which slots' jobs are done.
pub struct Done {
    slots: Mutex<Vec<bool>>,
    changed: Condvar,
}

impl Done {
    pub fn new(slots: usize) -> Self {
        Self { slots: Mutex::new(vec![false; slots]), changed: Condvar::new() }
    }

    /// Waits for the job that was started last.
    pub fn wait(&self, slot: usize) {
        let slots = lock(&self.slots);
        let waited = self.changed.wait_while(slots, |slots| !std::mem::take(&mut slots[slot]));
        drop(waited);
    }
}

/// Tells it also if the job panics.
struct AtEnd<'a> {
    done: &'a Done,
    slot: usize,
}

impl Drop for AtEnd<'_> {
    fn drop(&mut self) {
        lock(&self.done.slots)[self.slot] = true;
        self.done.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn act<'scope>(jobs: &Jobs<'_, 'scope>, sum: &'scope AtomicUsize, done: &'scope Done) {
        for round in 1..100 {
            (0..3).for_each(|slot| jobs.start(done, slot, || _ = sum.fetch_add(1, Ordering::Relaxed)));
            (0..3).for_each(|slot| done.wait(slot));
            assert_eq!(sum.load(Ordering::Relaxed), 3 * round);
        }
    }

    #[test]
    fn jobs_are_waited_for_one_by_one() {
        let (here, there, done) = (AtomicUsize::new(0), AtomicUsize::new(0), Done::new(3));
        act(&Jobs::Here, &here, &done);
        if let Some(pool) = helpers() {
            pool.in_place_scope(|scope| act(&Jobs::There(scope), &there, &done));
        }
    }
}
