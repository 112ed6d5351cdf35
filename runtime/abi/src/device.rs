//! Parallel loops that a GPU can run.
//!
//! A module holds its kernels as PTX text, a [`DeviceCode`], and describes each loop that has one by a [`DeviceLoop`]. Before generated code runs such
//! a loop it asks [`Table::device_for`](crate::Table::device_for), which runs the kernel or declines.
//!
//! A kernel is called `(board, begin, end, iterations, parts, results, lanes, left, limit, environment words…, identity words…)`, each of 64 bits, with blocks of [`BLOCK`]
//! threads and as many blocks as wanted. The environment is that of [`ParBody`](crate::ParBody): start, step and what the loop captures, with the addresses of
//! arrays on the device, and their owners null. Two to the power `lanes`, up to [`WARP`], is how many neighbouring threads do an iteration (or a part) together:
//! they share the steps of loops within ([`DeviceLanes`]).
//!
//! - Of a loop without accumulators the threads share the iterations `begin..end`; `parts` and `results` are 0.
//! - Of one with accumulators they share the parts `begin..end` of the `parts` into which its `iterations` are cut ([`crate::parts`]). `results` holds
//!   [`DeviceLoop::acc_words`] words for each of the parts `begin..end`: what the part gives, from the identities.
//! - Of one with [`LOOP_COMBINES`], a launch whose `lanes` are [`COMBINES`] combines what another one has left in `results` for so many parts: each [`NODE`] of them
//!   give one result in `left`, as the tree over parts has it, and those at the end that are fewer stand behind as they were.
//!
//! - Of one with [`LOOP_LEAVES`], iterations with more steps than `limit` are left, where `left` is not null: their numbers, from `begin` on, as words of 32 bits, stand [`LEFT`]
//!   bytes behind it, and it begins with a word that counts them, zero before. A second launch, whose `lanes` say that a block does an iteration together, does these.
//!   For the kernels of other loops both mean nothing.
//!
//! `board` is memory of the host that the device sees, zeroed before: a word, which is not zero afterwards where an iteration failed, one that is not where one was left,
//! and a [`Report`] of each block. Each thread stops at the first of its iterations that fails, and a block reports its lowest.
//!
//! What a kernel wrote may be on the device alone until the call ends. So generated code asks [`Table::host_access`](crate::Table::host_access) before the processor
//! touches memory that a loop of this call may have had on the device, and calls [`Table::device_end`](crate::Table::device_end) where the function is left
//! that has [`GUARD_DEVICE`](crate::GUARD_DEVICE).

use crate::{Ctx, DTypeCode, MAX_PAYLOAD, ParBody, ParCombine, Status};
use core::ffi::c_char;

/// Threads of a block.
pub const BLOCK: u32 = 256;

/// Threads of a warp.
pub const WARP: u32 = 32;

/// What [`Table::device_for`](crate::Table::device_for) gives where the loop did not run, and its arrays are as they were: the processor may run it.
pub const DECLINED: Status = 2;

/// Code for a range of devices.
#[repr(C)]
pub struct DeviceCode {
    /// A C string.
    pub ptx: *const c_char,
    /// Lowest compute capability that it runs on, as 10 * major + minor.
    pub level: u32,
    pub _pad: u32,
}

/// A loop with a kernel.
#[repr(C)]
pub struct DeviceLoop {
    /// The kernel's name in the code.
    pub kernel: *const c_char,
    /// The module's code, the highest level first.
    pub codes: *const DeviceCode,
    /// What the environment holds behind the loop's start and step, a word each.
    pub captures: *const DeviceCapture,
    pub n_codes: u32,
    pub n_captures: u32,
    /// Words of the accumulators.
    pub acc_words: u32,
    /// Of `LOOP_…`.
    pub flags: u32,
    pub lanes: DeviceLanes,
}

/// Whether several threads do an iteration together, and how many steps they have to share; or a thread several iterations.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceLanes {
    /// Of `LANES_…`.
    pub kind: u32,
    /// A word of the environment by its place, as of [`DeviceProduct`]; 0 for none.
    pub word: u32,
    pub count: i64,
}

/// [`DeviceLanes::kind`]: an iteration is for one thread.
pub const LANES_ONE: u32 = 0;
/// `count` steps, and as many as the word says.
pub const LANES_STEPS: u32 = 1;
/// The word's number of steps for all iterations of the loop together.
pub const LANES_SHARE: u32 = 2;
/// The iterations of a part.
pub const LANES_PART: u32 = 3;
/// A thread does `count` iterations, [`BLOCK`] apart.
pub const LANES_SEVERAL: u32 = 4;
/// Likewise, but as many apart as the word says: those of a column. Where a row has fewer than [`SHORTEST_ROW`], or more than the launch, as before.
pub const LANES_SEVERAL_ROWS: u32 = 5;

/// Threads of a warp touch neighbouring elements in rows that are no shorter.
pub const SHORTEST_ROW: i64 = WARP as i64;

/// [`DeviceLoop::flags`]: an iteration may fail. Of other loops nobody looks at the board.
pub const LOOP_FAILS: u32 = 1;

/// [`DeviceLoop::flags`]: iterations combine values into the same elements of arrays. On the processor they run in order.
pub const LOOP_ORDERED: u32 = 2;

/// [`DeviceLoop::flags`]: its kernel may leave iterations with many steps for a second launch.
pub const LOOP_LEAVES: u32 = 4;

/// [`DeviceLoop::flags`]: its kernel combines results of parts.
pub const LOOP_COMBINES: u32 = 8;
/// The `lanes` of such a launch.
pub const COMBINES: u32 = 32;
/// How many parts it makes one of: two to this power.
pub const NODE: u32 = 4;

/// Bytes before the numbers of iterations that were left: how many there are, and how many were taken by blocks that had done one.
pub const LEFT: usize = 16;

/// Bytes of a board before the reports.
pub const BOARD: usize = 16;

/// Words of an environment before those of captures: start and step.
pub const LOOP_WORDS: usize = 2;

/// A value of an environment.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceCapture {
    /// What an iteration touches of an array, a span for each axis; null where that may be all of it.
    pub spans: *const DeviceSpan,
    /// Its words ([`crate::words`]).
    pub words: u32,
    /// Of `CAPTURE_…`.
    pub flags: u8,
    /// Of the elements.
    pub dtype: DTypeCode,
    pub rank: u8,
    pub _pad: u8,
}

/// The elements of an axis that an iteration touches, at most. Negative ones are counted from the axis' end.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceSpan {
    /// Of `SPAN_…`.
    pub kind: u32,
    /// Of [`SPAN_SEGMENT`]: the number of the capture that is the array of pointers.
    pub pointers: u32,
    pub low: DeviceSum,
    pub high: DeviceSum,
}

/// [`DeviceSpan::kind`]: all elements.
pub const SPAN_ALL: u32 = 0;
/// From `low` to `high`, both included.
pub const SPAN_RANGE: u32 = 1;
/// From what an array of integers has at `low` to what it has at `high`, that one excluded.
pub const SPAN_SEGMENT: u32 = 2;

/// A constant and products.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceSum {
    pub products: *const DeviceProduct,
    pub constant: i64,
    pub n_products: u32,
    pub _pad: u32,
}

/// A factor times the values of symbols: each is 0 for none, or a word of the environment by its place (the first, which is never named, is the loop's start), or one of `SYMBOL_…`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceProduct {
    pub factor: i64,
    pub symbols: [u32; MAX_SYMBOLS],
}

/// Symbols of a product at most.
pub const MAX_SYMBOLS: usize = 6;

/// The loop's index: its start, and its step as often as iterations went before.
pub const SYMBOL_INDEX: u32 = 1 << 31;
/// Together with the place of a word: the index divided by it, rounded down.
pub const SYMBOL_QUOTIENT: u32 = 1 << 30;

/// [`DeviceCapture::flags`]: an array, whose words are data, owner, dimensions, strides in bytes.
pub const CAPTURE_ARRAY: u8 = 1;
/// Iterations write to its elements.
pub const CAPTURE_WRITTEN: u8 = 2;
/// Another loop of the call may write them on the device.
pub const CAPTURE_WRITTEN_LATER: u8 = 4;
/// The processor has done nothing with the memory since it was allocated, unless it ran this loop or one before it.
pub const CAPTURE_BLANK: u8 = 8;
/// As [`CAPTURE_BLANK`], and it was allocated with zeros.
pub const CAPTURE_ZEROS: u8 = 16;
/// Each iteration writes exactly one element, another one than the others, and none fails: all are written if there are as many as iterations.
pub const CAPTURE_COVERED: u8 = 32;
/// As [`CAPTURE_COVERED`], and the loop reads nothing of the memory.
pub const CAPTURE_FILLED: u8 = 64;

/// What a block tells.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// 1 + the lowest iteration (or part) that failed; 0 for none.
    pub failed: u64,
    /// As of [`Ctx`].
    pub site: u32,
    pub caller: u32,
    pub payload: [i64; MAX_PAYLOAD],
}

/// Runs a loop of `n` iterations of about `cost` scalar operations each on a device, as [`Table::par_for`](crate::Table::par_for) does on threads, or
/// gives [`DECLINED`]. `body` is for what is left where the device cannot go on.
pub type DeviceFor = unsafe extern "C" fn(
    ctx: *mut Ctx,
    device_loop: *const DeviceLoop,
    n: i64,
    cost: i64,
    body: ParBody,
    env: *const u64,
    acc: *mut u64,
    identity: *const u64,
    combine: Option<ParCombine>,
) -> Status;
