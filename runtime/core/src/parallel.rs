//! Parallel loops.
//!
//! The iteration space is cut into chunks by its size and cost alone, never by the number of
//! threads; each chunk has its own accumulators, and they are combined in chunk order. So results do
//! not depend on the number of threads. Lists that a loop appends to are accumulators as well: each chunk
//! appends to lists of its own, unless all chunks run one after the other. The calling thread and helpers from the pool claim chunks
//! one after the other, each first those of a share of its own. A thread that waits runs nothing else meanwhile, so stacks stay shallow, and
//! it waits only for chunks that some thread is already running, so nested loops cannot deadlock.
//!
//! Unsafe here: the loop's pointers (body, captured words, accumulators, lists) are shared with the
//! helpers. They are used only while a claimed chunk runs, and the loop's caller returns after the
//! last one; a helper that comes late finds nothing to claim.

use crate::clock;
use crate::errors::{Error, Raised, guard};
use crate::host;
use crate::list;
use crate::owner::{release, slice};
use crate::pool::{self, Pool};
use crate::stack;
use pydd_abi::{Ctx, List, ModuleSpec, ParBody, ParCombine, Status, Table};
use std::cell::Cell;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Scalar operations worth a chunk.
const CHUNK_COST: i64 = 32 << 10;
/// Chunks of a loop at most: enough to balance unequal ones on a big machine.
const MOST_CHUNKS: i64 = 256;
/// Scalar operations between two looks for a reason to stop, some milliseconds: a long chunk is run in pieces.
const PIECE_COST: i64 = 1 << 22;
/// Below so many chunks the helpers (about 13 µs) cost more than they bring.
const PARALLEL_CHUNKS: usize = 4;

thread_local! {
    /// Chunks of the innermost loop that this thread runs a chunk of; 0 outside.
    static OUTER_CHUNKS: Cell<usize> = const { Cell::new(0) };
}

/// Whether this thread runs a chunk of a parallel loop.
#[must_use]
pub fn in_region() -> bool {
    OUTER_CHUNKS.get() != 0
}

/// How `0..n` is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Chunks {
    n: i64,
    count: usize,
}

impl Chunks {
    fn new(n: i64, cost: i64) -> Self {
        let n = n.max(0);
        let wanted = n.saturating_mul(cost.max(1)) / CHUNK_COST;
        let count = wanted.clamp(1, MOST_CHUNKS).min(n);
        Self { n, count: usize::try_from(count).unwrap_or(0) }
    }

    /// Iterations of chunk `i`; the lengths differ by one at most.
    fn range(self, i: usize) -> Range<i64> {
        let at = |i: usize| {
            // Quotient and remainder apart, lest n * i overflow.
            let (i, count) = (i as i64, self.count as i64);
            self.n / count * i + self.n % count * i / count
        };
        at(i)..at(i + 1)
    }
}

/// A loop as its caller described it.
struct Loop {
    table: *const Table,
    module: *const ModuleSpec,
    body: ParBody,
    env: *const u64,
    chunks: Chunks,
    /// Iterations that run at a time, by their cost alone.
    piece: i64,
}

/// What the threads of a loop share.
struct Region {
    task: Loop,
    /// Accumulators of all chunks, identities at first, each with its lists; null without reductions.
    parts: *mut u64,
    part_words: usize,
    /// For each thread that takes part, the next chunk of its share.
    next: Vec<AtomicUsize>,
    done: AtomicUsize,
    /// The lowest chunk that failed: later ones need not run.
    failed: AtomicUsize,
    stop: AtomicBool,
    error: Mutex<Option<(usize, Raised)>>,
    finished: Mutex<bool>,
    all_done: Condvar,
}

// SAFETY: see the file's head; generated bodies may run on any thread.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Region {
    /// For so many threads. Each has a share of the chunks, those that lie together: the next loop over the same data finds
    /// what its thread touched still in that processor's cache.
    fn new(task: Loop, parts: *mut u64, part_words: usize, threads: usize) -> Self {
        let count = task.chunks.count;
        Self {
            task,
            parts,
            part_words,
            next: (0..threads).map(|thread| AtomicUsize::new(share(count, threads, thread))).collect(),
            done: AtomicUsize::new(0),
            failed: AtomicUsize::new(usize::MAX),
            stop: AtomicBool::new(false),
            error: Mutex::new(None),
            finished: Mutex::new(false),
            all_done: Condvar::new(),
        }
    }

    /// A chunk of a thread's share, or of another's when that is used up.
    fn claim(&self, thread: usize) -> Option<usize> {
        let (count, threads) = (self.task.chunks.count, self.next.len());
        (thread..thread + threads).find_map(|of| {
            let of = of % threads;
            let i = self.next[of].fetch_add(1, Ordering::Relaxed);
            (i < share(count, threads, of + 1)).then_some(i)
        })
    }

    /// Runs chunks as one of the threads until none is left; `between` looks after each one for a reason to stop.
    fn work(&self, thread: usize, mut between: impl FnMut()) {
        while let Some(i) = self.claim(thread) {
            if i < self.failed.load(Ordering::Relaxed) && !self.stop.load(Ordering::Relaxed) {
                self.chunk(i, &mut between);
            }
            if self.done.fetch_add(1, Ordering::AcqRel) + 1 == self.task.chunks.count {
                *lock(&self.finished) = true;
                self.all_done.notify_all();
            }
            between();
        }
    }

    fn chunk(&self, i: usize, between: &mut impl FnMut()) {
        let mut ctx = self.task.ctx();
        let part = self.parts.wrapping_add(i * self.part_words);
        let stops = |_: &mut Ctx| {
            between();
            self.stop.load(Ordering::Relaxed) || i > self.failed.load(Ordering::Relaxed)
        };
        if self.task.run(&mut ctx, i, part, stops) == Ended::Failed {
            self.failed.fetch_min(i, Ordering::Relaxed);
            let raised = Raised::take(&mut ctx);
            let mut error = lock(&self.error);
            if error.as_ref().is_none_or(|(at, _)| i < *at) {
                *error = Some((i, raised));
            }
        }
    }

    /// Waits until the chunks that others claimed are done.
    fn wait(&self, mut between: impl FnMut()) {
        for _ in 0..200 {
            if self.done.load(Ordering::Acquire) == self.task.chunks.count {
                return;
            }
            std::hint::spin_loop();
        }
        let mut finished = lock(&self.finished);
        while !*finished {
            let (guard, timeout) = self
                .all_done
                .wait_timeout(finished, clock::POLL_INTERVAL)
                .unwrap_or_else(PoisonError::into_inner);
            finished = guard;
            if timeout.timed_out() {
                drop(finished);
                between();
                finished = lock(&self.finished);
            }
        }
    }
}

/// The first chunk of a thread's share.
fn share(chunks: usize, threads: usize, thread: usize) -> usize {
    chunks / threads * thread + (chunks % threads) * thread / threads
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Loop {
    /// A context for a chunk, on the thread that runs it.
    fn ctx(&self) -> Ctx {
        Ctx::new(self.table, self.module, stack::limit())
    }

    /// Runs a chunk; `stops` is asked between its pieces.
    fn run(&self, ctx: &mut Ctx, i: usize, part: *mut u64, mut stops: impl FnMut(&mut Ctx) -> bool) -> Ended {
        let Range { start: mut begin, end } = self.chunks.range(i);
        loop {
            let next = begin.saturating_add(self.piece).min(end);
            let outer = OUTER_CHUNKS.replace(self.chunks.count);
            // SAFETY: the caller of the loop keeps `env` and `part` alive until all chunks are done. A body goes on
            // from the accumulators that it finds.
            let status = unsafe { (self.body)(ctx, self.env, begin, next, part) };
            OUTER_CHUNKS.set(outer);
            if status != 0 {
                return Ended::Failed;
            }
            begin = next;
            if begin >= end {
                return Ended::Done;
            }
            if stops(ctx) {
                return Ended::Stopped;
            }
        }
    }
}

/// How a chunk ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    Done,
    /// With an error.
    Failed,
    /// Before its end, since its results are not wanted any more.
    Stopped,
}

/// The accumulators of a loop, as its caller gave them.
struct Accumulators<'a> {
    acc: *mut u64,
    identity: &'a [u64],
    combine: Option<ParCombine>,
    /// The lists that all chunks together append to.
    lists: &'a [*mut List],
}

impl Accumulators<'_> {
    /// What a chunk starts from: identities, and the lists that it appends to.
    fn start(&self, lists: &[*mut List]) -> Vec<u64> {
        let lists = lists.iter().map(|list| list.expose_provenance() as u64);
        self.identity.iter().copied().chain(lists).collect()
    }

    fn add(&self, part: &[u64]) {
        if let Some(combine) = self.combine {
            // SAFETY: both have the loop's accumulator words.
            unsafe { combine(self.acc, part.as_ptr()) };
        }
    }
}

/// The table's `par_for`.
///
/// # Safety
/// `body` and `combine` fit the words given; all pointers live until the return.
pub unsafe extern "C" fn par_for(
    ctx: *mut Ctx,
    n: i64,
    cost: i64,
    body: ParBody,
    env: *const u64,
    acc: *mut u64,
    identity: *const u64,
    acc_words: i64,
    combine: Option<ParCombine>,
) -> Status {
    // SAFETY: by the caller's promise; no lists.
    unsafe { par_append(ctx, n, cost, body, env, acc, identity, acc_words, combine, ptr::null(), 0) }
}

/// The table's `par_append`.
///
/// # Safety
/// As for [`par_for`]; no other thread uses the lists, which are different ones.
pub unsafe extern "C" fn par_append(
    ctx: *mut Ctx,
    n: i64,
    cost: i64,
    body: ParBody,
    env: *const u64,
    acc: *mut u64,
    identity: *const u64,
    acc_words: i64,
    combine: Option<ParCombine>,
    lists: *const *mut List,
    list_count: i64,
) -> Status {
    let mut status = 0;
    let run = || {
        // SAFETY: by the caller's promise.
        let (ctx, identity, lists) =
            unsafe { (&mut *ctx, slice(identity, acc_words), slice(lists, list_count)) };
        let chunks = Chunks::new(n, cost);
        if chunks.count > 1 {
            host::give_lock_away(ctx);
        }
        let piece = (PIECE_COST / cost.max(1)).max(1);
        let task = Loop { table: ctx.table, module: ctx.module, body, env, chunks, piece };
        let accumulators = Accumulators { acc, identity, combine, lists };
        status = match helpers(chunks.count) {
            Some((pool, helpers)) => in_parallel(ctx, task, &accumulators, &pool, helpers)?,
            None => serially(ctx, &task, &accumulators),
        };
        Ok(())
    };
    // SAFETY: `ctx` is this call's; `run` does not use it after an error.
    let panicked = unsafe { guard(ctx, run) };
    status | panicked
}

/// The pool and how many of its threads to ask, or `None` when the calling thread does it alone:
/// few chunks, one thread, or inside a loop that keeps all threads busy already.
fn helpers(chunks: usize) -> Option<(Arc<Pool>, usize)> {
    if chunks < PARALLEL_CHUNKS || OUTER_CHUNKS.get() >= pool::num_threads() {
        return None;
    }
    let pool = pool::pool()?;
    let helpers = (pool.threads - 1).min(chunks - 1);
    Some((pool, helpers))
}

/// The same chunks, combined in the same order, on this thread.
fn serially(ctx: &mut Ctx, task: &Loop, accumulators: &Accumulators) -> Status {
    let start = accumulators.start(accumulators.lists);
    let mut part = start.clone();
    for i in 0..task.chunks.count {
        part.copy_from_slice(&start);
        if task.run(ctx, i, part.as_mut_ptr(), poll) != Ended::Done {
            return 1;
        }
        accumulators.add(&part);
        if task.chunks.count > 1 && poll(ctx) {
            return 1;
        }
    }
    0
}

/// Looks for Ctrl-C, if this thread is the host's and the last look was a while ago.
fn poll(ctx: &mut Ctx) -> bool {
    !in_region() && clock::poll_due() && host::interrupted(ctx)
}

fn in_parallel(
    ctx: &mut Ctx,
    task: Loop,
    accumulators: &Accumulators,
    pool: &Pool,
    helpers: usize,
) -> Result<Status, Error> {
    let lists = PartLists::new(accumulators.lists, task.chunks.count)?;
    let mut parts: Vec<u64> =
        (0..task.chunks.count).flat_map(|chunk| accumulators.start(lists.of_chunk(chunk))).collect();
    let words = accumulators.identity.len() + accumulators.lists.len();
    let region = Arc::new(Region::new(task, parts.as_mut_ptr(), words, helpers + 1));
    let mut interrupted = false;
    for _ in 0..helpers {
        let region = Arc::clone(&region);
        // The share goes with the thread of the pool, not with the order in which these begin.
        let thread = move || 1 + rayon::current_thread_index().unwrap_or(0) % helpers;
        pool.rayon.spawn(move || region.work(thread(), || ()));
    }
    let mut between = || {
        if !interrupted && poll(ctx) {
            interrupted = true;
            region.stop.store(true, Ordering::Relaxed);
        }
    };
    region.work(0, &mut between);
    region.wait(&mut between);
    let failure = lock(&region.error).take();
    if interrupted {
        return Ok(1);
    }
    if let Some((_, raised)) = failure {
        raised.put(ctx);
        return Ok(1);
    }
    if words > 0 {
        parts.chunks_exact(words).for_each(|part| accumulators.add(part));
    }
    lists.join(accumulators.lists)?;
    Ok(0)
}

/// Lists of the chunks of a loop, released in the end.
struct PartLists {
    /// By chunk, and in it by list.
    all: Vec<*mut List>,
    of_each: usize,
}

impl PartLists {
    /// For each chunk as many empty lists as there are `targets`, of the same items.
    fn new(targets: &[*mut List], chunks: usize) -> Result<Self, Error> {
        let mut made = Self { all: Vec::new(), of_each: targets.len() };
        for _ in 0..chunks {
            for &target in targets {
                // SAFETY: the lists of the loop's caller are alive.
                let (dtype, depth) = unsafe { ((*target).dtype, (*target).depth) };
                made.all.push(list::with_depth(dtype, depth, 0)?);
            }
        }
        Ok(made)
    }

    fn of_chunk(&self, chunk: usize) -> &[*mut List] {
        &self.all[chunk * self.of_each..(chunk + 1) * self.of_each]
    }

    /// Appends all items to the targets, chunk after chunk.
    fn join(&self, targets: &[*mut List]) -> Result<(), Error> {
        for (which, &target) in targets.iter().enumerate() {
            let parts: Vec<*mut List> = self.all.iter().skip(which).step_by(self.of_each).copied().collect();
            // SAFETY: the chunks are done, so nobody else uses these lists; a part is no target.
            unsafe { list::extend(&mut *target, &parts)? };
        }
        Ok(())
    }
}

impl Drop for PartLists {
    fn drop(&mut self) {
        // SAFETY: made in `new`, with a count of one.
        self.all.iter().for_each(|&list| unsafe { release(&raw mut (*list).owner) });
    }
}

/// Runs `f` over chunks of `0..n`, each iteration costing about `cost` scalar operations: the
/// runtime's own parallel loops.
pub fn for_each<F>(ctx: &mut Ctx, n: usize, cost: usize, f: F) -> Result<(), Raised>
where
    F: Fn(Range<usize>) -> Result<(), Error> + Sync,
{
    /// # Safety
    /// `env` points to the closure.
    unsafe extern "C" fn body<F>(ctx: *mut Ctx, env: *const u64, begin: i64, end: i64, _: *mut u64) -> Status
    where
        F: Fn(Range<usize>) -> Result<(), Error> + Sync,
    {
        // SAFETY: `env` is the closure that `for_each` keeps alive; iterations are not negative.
        unsafe { guard(ctx, || (*env.cast::<F>())(begin as usize..end as usize)) }
    }
    let size = |x: usize| i64::try_from(x).unwrap_or(i64::MAX);
    let env = (&raw const f).cast::<u64>();
    // SAFETY: `f` lives until the return, and is `Sync`; no accumulators.
    let status =
        unsafe { par_for(ctx, size(n), size(cost), body::<F>, env, ptr::null_mut(), ptr::null(), 0, None) };
    if status == 0 { Ok(()) } else { Err(Raised::take(ctx)) }
}

#[cfg(test)]
#[path = "parallel_tests.rs"]
mod tests;
