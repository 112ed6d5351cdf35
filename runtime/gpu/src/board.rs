//! Where kernels tell which iterations failed, and leave a few results: pinned memory, which the device writes to by itself, so that no copy is waited for.
//!
//! Unsafe here: the memory is reached through its address. The device has written what it will when the stream is idle.

use crate::driver::{self, Error};
use pydd_abi::device::{BOARD, Report};

/// Words for results: those of most sums. The device writes them while it computes others, and no copy is waited for.
pub const RESULTS: usize = 1 << 16;

/// A word, not zero where an iteration failed, one where iterations were left for a second launch, and a report of each block, all zero before a launch; then the results.
pub struct Board {
    memory: *mut u8,
    blocks: usize,
}

impl Board {
    /// Before the results.
    const fn bytes(blocks: usize) -> usize {
        BOARD + blocks * size_of::<Report>()
    }

    /// For so many blocks, in the current context.
    pub fn new(blocks: usize) -> Result<Self, Error> {
        let memory = driver::allocate_pinned(Self::bytes(blocks) + 8 * RESULTS)?;
        let board = Self { memory, blocks };
        board.clear();
        Ok(board)
    }

    pub const fn blocks(&self) -> usize {
        self.blocks
    }

    /// Host and device know pinned memory by one address.
    pub fn address(&self) -> u64 {
        self.memory as u64
    }

    /// Where the results are.
    pub fn results(&self) -> u64 {
        self.address() + Self::bytes(self.blocks) as u64
    }

    /// The first results of the last launch, whose stream is idle.
    pub fn left(&mut self, words: usize) -> &mut [u64] {
        debug_assert!(words <= RESULTS);
        // SAFETY: within the memory, and aligned; no launch is under way.
        unsafe { std::slice::from_raw_parts_mut(self.results() as *mut u64, words) }
    }

    fn clear(&self) {
        // SAFETY: allocated with so many bytes, and no launch is under way.
        unsafe { self.memory.write_bytes(0, Self::bytes(self.blocks)) };
    }

    /// Whether iterations were left since the last call. The stream is idle.
    pub fn take_left(&self) -> bool {
        // SAFETY: within the memory, and aligned; the device wrote it behind the compiler's back.
        unsafe {
            let word = self.memory.add(8).cast::<u64>();
            let is_left = word.read_volatile() != 0;
            word.write_volatile(0);
            is_left
        }
    }

    /// The lowest failure of the launches since the last call, whose stream is idle.
    pub fn take(&self) -> Option<Report> {
        // SAFETY: within the memory, and aligned; the device wrote it behind the compiler's back.
        let failed = unsafe { self.memory.cast::<u64>().read_volatile() };
        if failed == 0 {
            return None;
        }
        // SAFETY: as above, and Report is plain words.
        let reports =
            unsafe { std::slice::from_raw_parts(self.memory.add(BOARD).cast::<Report>(), self.blocks) };
        let lowest =
            reports.iter().filter(|report| report.failed != 0).min_by_key(|report| report.failed).copied();
        self.clear();
        lowest
    }

    /// Frees it. Its stream is idle.
    pub fn end(self) {
        // SAFETY: of `allocate_pinned`, and nobody else has it.
        let _ = unsafe { driver::free_pinned(self.memory) };
    }
}
