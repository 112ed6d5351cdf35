//! What one loop, or one copy back, uses at a time: a stream, and memory of the host through which all copies go.
//!
//! Copies go through rings of pinned memory, in pieces: while the device copies one, the processor fills the next. Pinned memory alone is touched by the device,
//! so a failed copy harms no memory of the host's. Large copies have a ring of their own, which is made for the first of them, and several threads that fill and empty it.
//!
//! Unsafe here: memory of the host by address.

use crate::backlog::Backlog;
use crate::board::Board;
use crate::driver::{self, Error, Stream};
use crate::helpers::helpers;
use crate::mark::Line;
use crate::memory::{Buffer, Memory};
use crate::ring::Ring;
use crate::say;
use pydd_abi::device::LEFT;
use rayon::ThreadPool;
use std::ops::Range;

/// Slots of the ring for small copies, and bytes of each: enough that a copy takes longer than to start it.
const SLOTS: usize = 4;
const SLOT: usize = 512 << 10;

/// From so many bytes on a copy is large: threads take some time to wake up.
const LARGE: usize = 4 << 20;

/// Slots of the ring for large copies, for each thread, and bytes of each: a copy takes much longer than to start it, and than to hand a slot from one thread to another.
const LARGE_SLOTS: usize = 3;
const LARGE_SLOT: usize = 2 << 20;

pub struct Worker {
    pub stream: Stream,
    pub line: Line,
    small: Ring,
    large: Option<Ring>,
    /// There was no memory for a ring for large copies.
    has_no_large: bool,
    board: Option<Board>,
    left: Option<Left>,
    /// What the stream still has to do, of calls that are over.
    pub backlog: Backlog,
}

/// Memory of the device where a kernel notes the iterations that it leaves; the words before their numbers are zero between loops.
struct Left {
    buffer: Buffer,
    /// Of how many there is room for the numbers.
    numbers: usize,
}

// SAFETY: one thread at a time has it, and nothing of it is a thread's own.
unsafe impl Send for Worker {}

impl Worker {
    /// In the current context.
    pub fn new() -> Result<Self, Error> {
        let stream = Stream::new()?;
        match Ring::new(SLOTS, SLOT) {
            Ok(small) => Ok(Self {
                stream,
                line: Line::new(stream),
                small,
                large: None,
                has_no_large: false,
                board: None,
                left: None,
                backlog: Backlog::default(),
            }),
            Err(error) => {
                // SAFETY: nobody else has it.
                let _ = unsafe { stream.destroy() };
                Err(error)
            }
        }
    }

    /// Frees what it has, once its stream is idle.
    pub fn end(mut self) {
        if self.stream.synchronize().is_err() {
            // What the device may still touch is never given back.
            self.backlog.forget();
            std::mem::forget(self);
            return;
        }
        for buffer in self.backlog.waited() {
            // SAFETY: the stream is idle.
            unsafe { buffer.free() };
        }
        self.small.end();
        if let Some(large) = self.large {
            large.end();
        }
        if let Some(board) = self.board {
            board.end();
        }
        if let Some(left) = self.left {
            // SAFETY: the stream is idle.
            unsafe { left.buffer.free() };
        }
        self.line.end();
        // SAFETY: nobody else has it.
        let _ = unsafe { self.stream.destroy() };
    }

    /// A board for so many blocks at least. The stream is idle.
    pub fn board(&mut self, blocks: usize) -> Result<&Board, Error> {
        if self.board.as_ref().is_none_or(|board| board.blocks() < blocks) {
            if let Some(small) = self.board.take() {
                small.end();
            }
            self.board = Some(Board::new(blocks)?);
        }
        Ok(self.board.as_ref().expect("made above"))
    }

    /// What the last launch left on the board. The stream is idle.
    pub fn results(&mut self, words: usize) -> &mut [u64] {
        self.board.as_mut().expect("a launch left results").left(words)
    }

    /// Where iterations are noted, with room for so many.
    pub fn left(&mut self, numbers: usize, memory: &mut Memory) -> Result<u64, Error> {
        if self.left.as_ref().is_none_or(|left| left.numbers < numbers) {
            let buffer = memory.take(LEFT + 4 * numbers)?;
            if let Some(old) = self.left.replace(Left { buffer, numbers }) {
                // What uses it is of this stream.
                self.stream.synchronize()?;
                memory.put(old.buffer);
            }
            self.clear_left()?;
        }
        Ok(self.left.as_ref().expect("made above").buffer.address)
    }

    /// Forgets what was noted, behind what is under way.
    pub fn clear_left(&self) -> Result<(), Error> {
        let address = self.left.as_ref().map(|left| left.buffer.address);
        // SAFETY: the buffer has as much.
        address.map_or(Ok(()), |address| unsafe { driver::clear(address, LEFT, self.stream) })
    }

    /// Before it waits for the next loop. The stream is idle; what still waits is of copies that failed.
    pub fn rest(&mut self) {
        self.line.rest();
        self.small.rest();
        if let Some(large) = &mut self.large {
            large.rest();
        }
    }

    /// The ring for a copy of so many bytes, and threads for it.
    fn ring(&mut self, bytes: usize) -> Result<(&mut Ring, Option<&'static ThreadPool>), Error> {
        if bytes >= LARGE
            && let Some(pool) = helpers()
        {
            if self.large.is_none() && !self.has_no_large {
                match Ring::new(LARGE_SLOTS * pool.current_num_threads(), LARGE_SLOT) {
                    Ok(ring) => self.large = Some(ring),
                    Err(error) if error.is_out_of_memory() => self.has_no_large = true,
                    Err(error) => return Err(error),
                }
            }
            if let Some(large) = &mut self.large {
                return Ok((large, Some(pool)));
            }
        }
        Ok((&mut self.small, None))
    }

    /// Copies to the device; the host's memory has been read when this returns.
    ///
    /// # Safety
    /// There are so many bytes on both sides.
    pub unsafe fn upload(&mut self, to: u64, from: *const u8, bytes: usize) -> Result<(), Error> {
        let from = from as usize;
        let fill = |piece: Range<usize>, slot: &mut [u8]| {
            let from = (from + piece.start) as *const u8;
            // SAFETY: by the caller's promise; other threads that write meanwhile do so at their own risk, as they do without a device.
            unsafe { from.copy_to_nonoverlapping(slot.as_mut_ptr(), slot.len()) };
        };
        // SAFETY: as above.
        unsafe { self.send(to, bytes, fill) }
    }

    /// Copies to the device what `fill` writes: pieces, of which it is told their place. It may be called by several threads at once, and has done all when this returns.
    ///
    /// # Safety
    /// The device has so many bytes there.
    pub unsafe fn send(
        &mut self,
        to: u64,
        bytes: usize,
        fill: impl Fn(Range<usize>, &mut [u8]) + Sync,
    ) -> Result<(), Error> {
        if bytes == 0 {
            return Ok(());
        }
        say::log(format_args!("copy of {bytes} bytes to the device"));
        let stream = self.stream;
        let (ring, helpers) = self.ring(bytes)?;
        // SAFETY: by the caller's promise.
        unsafe { ring.send((to, stream), bytes, &fill, helpers) }
    }

    /// Copies from the device; all is there after [`Self::drain`].
    ///
    /// # Safety
    /// There are so many bytes on both sides, and those of the host stay, untouched, until then.
    pub unsafe fn download(&mut self, to: *mut u8, from: u64, bytes: usize) -> Result<(), Error> {
        if bytes >= LARGE {
            let to = to as usize;
            let take = |piece: Range<usize>, slot: &[u8]| {
                let to = (to + piece.start) as *mut u8;
                // SAFETY: by the caller's promise.
                unsafe { to.copy_from_nonoverlapping(slot.as_ptr(), slot.len()) };
            };
            // SAFETY: as above.
            return unsafe { self.receive(from, bytes, take) };
        }
        if bytes > 0 {
            say::log(format_args!("copy of {bytes} bytes from the device"));
        }
        // SAFETY: as above.
        unsafe { self.small.receive_later(to, (from, self.stream), bytes) }
    }

    /// Copies from the device what `take` reads: pieces, of which it is told their place. It may be called by several threads at once, and has had all when this returns.
    ///
    /// # Safety
    /// The device has so many bytes there.
    pub unsafe fn receive(
        &mut self,
        from: u64,
        bytes: usize,
        take: impl Fn(Range<usize>, &[u8]) + Sync,
    ) -> Result<(), Error> {
        if bytes == 0 {
            return Ok(());
        }
        say::log(format_args!("copy of {bytes} bytes from the device"));
        let stream = self.stream;
        let (ring, helpers) = self.ring(bytes)?;
        // SAFETY: by the caller's promise.
        unsafe { ring.receive((from, stream), bytes, &take, helpers) }
    }

    /// Waits for all copies.
    pub fn drain(&mut self) -> Result<(), Error> {
        // Of large ones nothing waits.
        self.small.drain()
    }
}
