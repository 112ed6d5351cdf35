//! Parallel loops on devices: what [`pydd_gpu`] asks of the core, and what it gives back to the loop's caller.
//!
//! Unsafe here: the loop's pointers, as in [`crate::parallel`].

use crate::errors::{self, Error, Raised, guard};
use crate::host;
use crate::owner::{is_fresh, slice};
use crate::parallel::{in_region, is_interrupted};
use crate::pool;
use pydd_abi::device::{DECLINED, DeviceLoop, LOOP_ORDERED, Report};
use pydd_abi::parts::{Nodes, Parts};
use pydd_abi::{ArrayRef, Ctx, ExcKind, Owner, ParBody, ParCombine, Status};
use pydd_gpu::{Caller, Job, Outcome};

pub use pydd_gpu::{
    CallArrays, Footprint, Lost, Pending, Refused, Resident, apart, found, is_there, look_in, synchronize,
};

/// A loop's caller, which waits for the device.
struct Waiting<'a> {
    ctx: &'a mut Ctx,
    combine: Option<ParCombine>,
    /// Words of the loop's accumulators.
    words: usize,
    results: Nodes<Box<[u64]>>,
    /// As they were before what may have to be undone.
    kept: Option<Nodes<Box<[u64]>>>,
}

impl Caller for Waiting<'_> {
    fn waits(&mut self) {
        host::give_lock_away(self.ctx);
    }

    fn stops(&mut self) -> bool {
        is_interrupted(self.ctx)
    }

    fn parts(&mut self, results: &mut [u64], size: u32) {
        let (words, mut left) = (self.words, results);
        while !left.is_empty() {
            let level = self.results.level_of_next(((left.len() / words) as u64) << size);
            debug_assert!(level >= size, "nodes begin where the tree has them");
            let (node, behind) = left.split_at_mut(words << (level - size));
            // In place: there are many of them.
            for half in (0..level - size).map(|below| words << below) {
                for both in node.chunks_exact_mut(2 * half) {
                    let (before, after) = both.split_at_mut(half);
                    if let Some(combine) = self.combine {
                        // SAFETY: both have the loop's accumulator words.
                        unsafe { combine(before.as_mut_ptr(), after.as_ptr()) };
                    }
                }
            }
            self.results.push(level, node[..words].into(), &mut add(self.combine));
            left = behind;
        }
    }

    fn keep(&mut self) {
        self.kept = Some(self.results.clone());
    }

    fn undo(&mut self) {
        if let Some(kept) = self.kept.take() {
            self.results = kept;
        }
    }
}

/// Combines accumulators with those of the iterations that follow.
fn add(combine: Option<ParCombine>) -> impl FnMut(&mut Box<[u64]>, Box<[u64]>) {
    move |left, right| {
        if let Some(combine) = combine {
            // SAFETY: both have the loop's accumulator words.
            unsafe { combine(left.as_mut_ptr(), right.as_ptr()) };
        }
    }
}

/// The table's `device_for`.
///
/// # Safety
/// As for [`par_for`](crate::parallel::par_for); `device_loop` describes the loop, and lives for ever.
pub unsafe extern "C" fn device_for(
    ctx: *mut Ctx,
    device_loop: *const DeviceLoop,
    n: i64,
    cost: i64,
    body: ParBody,
    env: *const u64,
    acc: *mut u64,
    identity: *const u64,
    combine: Option<ParCombine>,
) -> Status {
    // Within a parallel loop all threads are busy already, and no array is on the device.
    if in_region() {
        return DECLINED;
    }
    if n <= 0 {
        return 0;
    }
    let mut status = DECLINED;
    let run = || {
        // SAFETY: by the caller's promise.
        let (ctx, device_loop) = unsafe { (&mut *ctx, &*device_loop) };
        // SAFETY: as above.
        let identity = unsafe { slice(identity, device_loop.acc_words.into()) };
        let is_ordered = device_loop.flags & LOOP_ORDERED != 0;
        let threads = if is_ordered { 1 } else { pool::num_threads() };
        let job = Job { device_loop, n, cost, env, identity, threads, is_own };
        let mut caller = Waiting { ctx, combine, words: identity.len(), results: Nodes::new(0), kept: None };
        // SAFETY: as above.
        status = match unsafe { pydd_gpu::run(&job, &mut caller) } {
            Outcome::Declined => DECLINED,
            Outcome::Done => {
                // SAFETY: as above.
                unsafe { finish(caller.results, combine, acc) };
                0
            }
            // SAFETY: as above.
            Outcome::Begun(units) => match unsafe { go_on(&job, body, &mut caller, units) } {
                0 => {
                    // SAFETY: as above.
                    unsafe { finish(caller.results, combine, acc) };
                    0
                }
                failed => failed,
            },
            Outcome::Stopped => 1,
            Outcome::Failed(report) => fail(caller.ctx, &report),
            Outcome::Lost(lost) => return Err(lost.into()),
        };
        Ok(())
    };
    // SAFETY: `ctx` is this call's; `run` does not use it after an error.
    let panicked = unsafe { guard(ctx, run) };
    if panicked == 0 { status } else { panicked }
}

/// What the device could not do, on this thread: all but so many iterations, or parts of a reduction.
unsafe fn go_on(job: &Job, body: ParBody, caller: &mut Waiting, done: i64) -> Status {
    let parts = Parts::new(job.n, job.cost);
    let reduces = !job.identity.is_empty();
    let mut begin = if reduces { parts.start(done) } else { done };
    while begin < job.n {
        let end = parts.start(parts.from_iteration(begin + 1));
        let mut acc = job.identity.to_vec();
        // SAFETY: by the promise of `device_for`.
        let status = unsafe { body(caller.ctx, job.env, begin, end, acc.as_mut_ptr()) };
        if status != 0 {
            return status;
        }
        if reduces {
            caller.parts(&mut acc, 0);
        }
        if caller.stops() {
            return 1;
        }
        begin = end;
    }
    0
}

/// Whether a call has allocated an owner's memory, so that no other thread knows it. Arguments have owners that free nothing.
pub fn is_own(owner: u64) -> bool {
    // SAFETY: an owner of an array that a loop captures, which is alive.
    unsafe { is_fresh(owner as *const Owner) }
}

impl From<Lost> for Error {
    fn from(lost: Lost) -> Self {
        Self::new(ExcKind::RuntimeError, lost.0)
    }
}

/// The table's `host_access`.
///
/// # Safety
/// `ctx` is this call's; `array` describes one.
pub unsafe extern "C" fn host_access(ctx: *mut Ctx, array: *const ArrayRef, writes: i32) -> Status {
    let body = || {
        // SAFETY: by the caller's promise.
        let array = unsafe { &*array };
        let rank = i64::from(array.rank);
        // SAFETY: by the caller's promise; the bits of numbers that are not negative are the same.
        let [dims, strides] =
            unsafe { [slice(array.dims.cast::<u64>(), rank), slice(array.strides.cast(), rank)] };
        let footprint = Footprint::new(array.data as u64, array.dtype.size(), dims, strides);
        let span = match footprint {
            Ok(None) => return Ok(()),
            Ok(Some(footprint)) => footprint.span(),
            Err(_) => 0..usize::MAX,
        };
        // SAFETY: as above.
        let waits = || unsafe { host::give_lock_away(&mut *ctx) };
        Ok(pydd_gpu::host_access(&span, writes != 0, waits)?)
    };
    // SAFETY: as above.
    unsafe { guard(ctx, body) }
}

/// The table's `device_end`: gives the call's status, which was `status` until now. A failure is one at `site`.
///
/// # Safety
/// `ctx` is this call's.
pub unsafe extern "C" fn device_end(ctx: *mut Ctx, status: Status, site: u32) -> Status {
    // SAFETY: by the caller's promise.
    let waits = || unsafe { host::give_lock_away(&mut *ctx) };
    match pydd_gpu::end(waits) {
        Err(lost) if status == 0 => {
            // SAFETY: by the caller's promise.
            let ctx = unsafe { &mut *ctx };
            (ctx.site, ctx.caller) = (site, 0);
            errors::set(ctx, &lost.into())
        }
        _ => status,
    }
}

/// The table's `device_wanted`.
pub extern "C" fn device_wanted() -> i32 {
    i32::from(!in_region() && pydd_gpu::is_preferred())
}

/// Combines the accumulators of all parts with the caller's.
unsafe fn finish(results: Nodes<Box<[u64]>>, combine: Option<ParCombine>, acc: *mut u64) {
    if let (Some(combine), Some(all)) = (combine, results.finish(&mut add(combine))) {
        // SAFETY: both have the loop's accumulator words.
        unsafe { combine(acc, all.as_ptr()) };
    }
}

/// Leaves in the context what generated code would have.
fn fail(ctx: &mut Ctx, report: &Report) -> Status {
    drop(Raised::take(ctx));
    ctx.site = report.site;
    ctx.caller = report.caller;
    ctx.payload = report.payload;
    1
}
