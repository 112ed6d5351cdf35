//! Parallel loops.
//!
//! The iteration space is cut into parts by its size and cost alone, never by the number of
//! threads ([`pydd_abi::parts`]); each part has its own accumulators, and they are combined in a balanced tree. So results do
//! not depend on the number of threads. Threads take **blocks** of parts, nodes of that tree, so that what is kept until
//! the end is little. Lists that a loop appends to are accumulators as well: each block
//! appends to lists of its own, unless all run one after the other. The calling thread and helpers from the pool claim blocks
//! one after the other, each first those of a share of its own. A thread that waits runs nothing else meanwhile, so stacks stay shallow, and
//! it waits only for blocks that some thread is already running, so nested loops cannot deadlock.
//!
//! Unsafe here: the loop's pointers (body, captured words, accumulators, lists) are shared with the
//! helpers. They are used only while a claimed block runs, and the loop's caller returns after the
//! last one; a helper that comes late finds nothing to claim.

use crate::clock;
use crate::errors::{Error, Raised, guard};
use crate::host;
use crate::list;
use crate::owner::{release, slice};
use crate::pool::{self, Pool};
use crate::stack;
use pydd_abi::parts::{Nodes, PART_COST, Parts};
use pydd_abi::{Ctx, List, ModuleSpec, ParBody, ParCombine, Status, Table};
use std::cell::Cell;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Blocks of a loop at most: enough to balance unequal ones on a big machine.
const MOST_BLOCKS: i64 = 1024;
/// Below the work of so many parts the helpers (about 13 µs) cost more than they bring.
const PARALLEL_PARTS: i64 = 4;

thread_local! {
    /// Parts of the innermost loop that this thread runs a part of; 0 outside.
    static OUTER_PARTS: Cell<i64> = const { Cell::new(0) };
}

/// Whether this thread runs a part of a parallel loop.
#[must_use]
pub fn in_region() -> bool {
    OUTER_PARTS.get() != 0
}

/// A loop as its caller described it.
struct Loop {
    table: *const Table,
    module: *const ModuleSpec,
    body: ParBody,
    env: *const u64,
    parts: Parts,
    /// A block has `2^level` parts, the last one maybe less.
    level: u32,
    combine: Option<ParCombine>,
}

/// The accumulators of parts, as far as they are combined.
type Results = Nodes<Box<[u64]>>;

/// What the threads of a loop share.
struct Region {
    task: Loop,
    /// What the parts of each block start from.
    starts: Vec<Vec<u64>>,
    /// By block, once it is done.
    results: Mutex<Vec<Option<Results>>>,
    /// For each thread that takes part, the next block of its share.
    next: Vec<AtomicUsize>,
    done: AtomicUsize,
    /// The lowest block that failed: later ones need not run.
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
    /// For so many threads. Each has a share of the blocks, those that lie together: the next loop over the same data finds
    /// what its thread touched still in that processor's cache.
    fn new(task: Loop, starts: Vec<Vec<u64>>, threads: usize) -> Self {
        let count = starts.len();
        Self {
            task,
            starts,
            results: Mutex::new(vec![None; count]),
            next: (0..threads).map(|thread| AtomicUsize::new(share(count, threads, thread))).collect(),
            done: AtomicUsize::new(0),
            failed: AtomicUsize::new(usize::MAX),
            stop: AtomicBool::new(false),
            error: Mutex::new(None),
            finished: Mutex::new(false),
            all_done: Condvar::new(),
        }
    }

    fn count(&self) -> usize {
        self.starts.len()
    }

    /// A block of a thread's share, or of another's when that is used up.
    fn claim(&self, thread: usize) -> Option<usize> {
        let (count, threads) = (self.count(), self.next.len());
        (thread..thread + threads).find_map(|of| {
            let of = of % threads;
            let i = self.next[of].fetch_add(1, Ordering::Relaxed);
            (i < share(count, threads, of + 1)).then_some(i)
        })
    }

    /// Runs blocks as one of the threads until none is left; `between` looks after each part for a reason to stop.
    fn work(&self, thread: usize, mut between: impl FnMut()) {
        while let Some(i) = self.claim(thread) {
            if i < self.failed.load(Ordering::Relaxed) && !self.stop.load(Ordering::Relaxed) {
                self.block(i, &mut between);
            }
            if self.done.fetch_add(1, Ordering::AcqRel) + 1 == self.count() {
                *lock(&self.finished) = true;
                self.all_done.notify_all();
            }
            between();
        }
    }

    fn block(&self, i: usize, between: &mut impl FnMut()) {
        let mut ctx = self.task.ctx();
        let stops = |_: &mut Ctx| {
            between();
            self.stop.load(Ordering::Relaxed) || i > self.failed.load(Ordering::Relaxed)
        };
        match self.task.run(&mut ctx, self.task.block(i), &self.starts[i], stops) {
            Ok(results) => lock(&self.results)[i] = Some(results),
            Err(Ended::Stopped) => {}
            Err(Ended::Failed) => {
                self.failed.fetch_min(i, Ordering::Relaxed);
                let raised = Raised::take(&mut ctx);
                let mut error = lock(&self.error);
                if error.as_ref().is_none_or(|(at, _)| i < *at) {
                    *error = Some((i, raised));
                }
            }
        }
    }

    /// Waits until the blocks that others claimed are done.
    fn wait(&self, mut between: impl FnMut()) {
        for _ in 0..200 {
            if self.done.load(Ordering::Acquire) == self.count() {
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

/// The first block of a thread's share.
fn share(blocks: usize, threads: usize, thread: usize) -> usize {
    blocks / threads * thread + (blocks % threads) * thread / threads
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Loop {
    /// A context for a block, on the thread that runs it.
    fn ctx(&self) -> Ctx {
        Ctx::new(self.table, self.module, stack::limit())
    }

    fn blocks(&self) -> i64 {
        (self.parts.count() + (1 << self.level) - 1) >> self.level
    }

    /// The parts of a block.
    fn block(&self, i: usize) -> Range<i64> {
        let begin = (i as i64) << self.level;
        begin..(begin + (1 << self.level)).min(self.parts.count())
    }

    /// Runs parts one after the other, each from `start`; `stops` is asked between them.
    fn run(
        &self,
        ctx: &mut Ctx,
        parts: Range<i64>,
        start: &[u64],
        mut stops: impl FnMut(&mut Ctx) -> bool,
    ) -> Result<Results, Ended> {
        let mut results = Nodes::new(parts.start);
        let mut part: Box<[u64]> = start.into();
        for i in parts.clone() {
            let Range { start: begin, end } = self.parts.range(i);
            part.copy_from_slice(start);
            let outer = OUTER_PARTS.replace(self.parts.count());
            // SAFETY: the caller of the loop keeps `env` alive until all parts are done; `part` has the words of
            // the accumulators, and the lists behind them.
            let status = unsafe { (self.body)(ctx, self.env, begin, end, part.as_mut_ptr()) };
            OUTER_PARTS.set(outer);
            if status != 0 {
                return Err(Ended::Failed);
            }
            if self.combine.is_some() {
                results.push(0, part.clone(), &mut |left, right| self.add(left, &right));
            }
            if i + 1 < parts.end && stops(ctx) {
                return Err(Ended::Stopped);
            }
        }
        Ok(results)
    }

    /// Combines accumulators with those of the iterations that follow.
    fn add(&self, left: &mut [u64], right: &[u64]) {
        if let Some(combine) = self.combine {
            // SAFETY: both have the loop's accumulator words.
            unsafe { combine(left.as_mut_ptr(), right.as_ptr()) };
        }
    }

    /// Combines the accumulators of all parts with the caller's.
    fn finish(&self, results: Results, acc: *mut u64) {
        let all = results.finish(&mut |left: &mut Box<[u64]>, right| self.add(left, &right));
        if let (Some(combine), Some(all)) = (self.combine, all) {
            // SAFETY: both have the loop's accumulator words.
            unsafe { combine(acc, all.as_ptr()) };
        }
    }
}

/// Why parts were not all run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    /// With an error.
    Failed,
    /// Before the end, since the results are not wanted any more.
    Stopped,
}

/// The accumulators of a loop, as its caller gave them.
struct Accumulators<'a> {
    acc: *mut u64,
    identity: &'a [u64],
    /// The lists that all parts together append to.
    lists: &'a [*mut List],
}

impl Accumulators<'_> {
    /// What a part starts from: identities, and the lists that it appends to.
    fn start(&self, lists: &[*mut List]) -> Vec<u64> {
        let lists = lists.iter().map(|list| list.expose_provenance() as u64);
        self.identity.iter().copied().chain(lists).collect()
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
        let parts = Parts::new(n, cost.saturating_abs());
        if parts.count() > 1 {
            host::give_lock_away(ctx);
        }
        let mut task = Loop { table: ctx.table, module: ctx.module, body, env, parts, level: 0, combine };
        while task.blocks() > MOST_BLOCKS {
            task.level += 1;
        }
        let accumulators = Accumulators { acc, identity, lists };
        let worth = n.saturating_mul(cost) / PART_COST >= PARALLEL_PARTS;
        status = match helpers(&task).filter(|_| worth) {
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
/// one part, one thread, or inside a loop that keeps all threads busy already.
fn helpers(task: &Loop) -> Option<(Arc<Pool>, usize)> {
    let threads = i64::try_from(pool::num_threads()).unwrap_or(i64::MAX);
    if task.parts.count() < 2 || OUTER_PARTS.get() >= threads {
        return None;
    }
    let pool = pool::pool()?;
    let blocks = usize::try_from(task.blocks()).unwrap_or(usize::MAX);
    let helpers = (pool.threads - 1).min(blocks - 1);
    Some((pool, helpers))
}

/// The same parts, combined in the same tree, on this thread.
fn serially(ctx: &mut Ctx, task: &Loop, accumulators: &Accumulators) -> Status {
    let start = accumulators.start(accumulators.lists);
    match task.run(ctx, 0..task.parts.count(), &start, is_interrupted) {
        Ok(results) => task.finish(results, accumulators.acc),
        Err(_) => return 1,
    }
    Status::from(task.parts.count() > 1 && is_interrupted(ctx))
}

/// Looks for Ctrl-C, if this thread is the host's and the last look was a while ago.
pub(crate) fn is_interrupted(ctx: &mut Ctx) -> bool {
    !in_region() && clock::poll_due() && host::interrupted(ctx)
}

fn in_parallel(
    ctx: &mut Ctx,
    task: Loop,
    accumulators: &Accumulators,
    pool: &Pool,
    helpers: usize,
) -> Result<Status, Error> {
    let blocks = usize::try_from(task.blocks()).expect("few blocks");
    let lists = BlockLists::new(accumulators.lists, blocks)?;
    let starts = (0..blocks).map(|block| accumulators.start(lists.of_block(block))).collect();
    let region = Arc::new(Region::new(task, starts, helpers + 1));
    let mut interrupted = false;
    for _ in 0..helpers {
        let region = Arc::clone(&region);
        // The share goes with the thread of the pool, not with the order in which these begin.
        let thread = move || 1 + rayon::current_thread_index().unwrap_or(0) % helpers;
        pool.rayon.spawn(move || region.work(thread(), || ()));
    }
    let mut between = || {
        if !interrupted && is_interrupted(ctx) {
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
    let mut all = Results::new(0);
    for results in std::mem::take(&mut *lock(&region.results)).into_iter().flatten() {
        all.join(results, &mut |left: &mut Box<[u64]>, right| region.task.add(left, &right));
    }
    region.task.finish(all, accumulators.acc);
    lists.join(accumulators.lists)?;
    Ok(0)
}

/// Lists of the blocks of a loop, released in the end.
struct BlockLists {
    /// By block, and in it by list.
    all: Vec<*mut List>,
    of_each: usize,
}

impl BlockLists {
    /// For each block as many empty lists as there are `targets`, of the same items.
    fn new(targets: &[*mut List], blocks: usize) -> Result<Self, Error> {
        let mut made = Self { all: Vec::new(), of_each: targets.len() };
        for _ in 0..blocks {
            for &target in targets {
                // SAFETY: the lists of the loop's caller are alive.
                let (dtype, depth) = unsafe { ((*target).dtype, (*target).depth) };
                made.all.push(list::with_depth(dtype, depth, 0)?);
            }
        }
        Ok(made)
    }

    fn of_block(&self, block: usize) -> &[*mut List] {
        &self.all[block * self.of_each..(block + 1) * self.of_each]
    }

    /// Appends all items to the targets, block after block.
    fn join(&self, targets: &[*mut List]) -> Result<(), Error> {
        for (which, &target) in targets.iter().enumerate() {
            let parts: Vec<*mut List> = self.all.iter().skip(which).step_by(self.of_each).copied().collect();
            // SAFETY: the blocks are done, so nobody else uses these lists; a part is no target.
            unsafe { list::extend(&mut *target, &parts)? };
        }
        Ok(())
    }
}

impl Drop for BlockLists {
    fn drop(&mut self) {
        // SAFETY: made in `new`, with a count of one.
        self.all.iter().for_each(|&list| unsafe { release(&raw mut (*list).owner) });
    }
}

/// Runs `f` over parts of `0..n`, each iteration costing about `cost` scalar operations: the
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
