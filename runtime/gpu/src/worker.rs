//! What one loop, or one copy back, uses at a time: a stream, and memory of the host through which all copies go.
//!
//! Copies go through a ring of pinned memory, in pieces: while the device copies one, the processor fills the next. Pinned memory alone is touched by the device,
//! so a failed copy harms no memory of the host's.
//!
//! Unsafe here: pinned memory is reached through its address, slot by slot; a slot is used again when its event has passed.

use crate::board::Board;
use crate::driver::{self, Error, Event, Stream};
use crate::say;

/// Slots of the ring, and bytes of each: enough that a copy takes much longer than to start it.
const SLOTS: usize = 4;
const SLOT: usize = 4 << 20;

/// A copy back that waits in a slot.
#[derive(Clone, Copy)]
struct Waiting {
    to: *mut u8,
    bytes: usize,
}

#[derive(Clone, Copy)]
struct Slot {
    event: Event,
    is_used: bool,
    waiting: Option<Waiting>,
}

pub struct Worker {
    pub stream: Stream,
    slots: Vec<Slot>,
    pinned: *mut u8,
    next: usize,
    board: Option<Board>,
}

// SAFETY: one thread at a time has it, and nothing of it is a thread's own.
unsafe impl Send for Worker {}

impl Worker {
    /// In the current context.
    pub fn new() -> Result<Self, Error> {
        let mut worker = Self {
            stream: Stream::new()?,
            slots: Vec::with_capacity(SLOTS),
            pinned: std::ptr::null_mut(),
            next: 0,
            board: None,
        };
        match worker.fill() {
            Ok(()) => Ok(worker),
            Err(error) => {
                worker.end();
                Err(error)
            }
        }
    }

    fn fill(&mut self) -> Result<(), Error> {
        while self.slots.len() < SLOTS {
            self.slots.push(Slot { event: Event::new()?, is_used: false, waiting: None });
        }
        self.pinned = driver::allocate_pinned(SLOTS * SLOT)?;
        Ok(())
    }

    /// Frees what it has. Its stream is idle.
    pub fn end(self) {
        // SAFETY: nobody else has them.
        unsafe {
            if !self.pinned.is_null() {
                let _ = driver::free_pinned(self.pinned);
            }
            for slot in self.slots {
                let _ = slot.event.destroy();
            }
            if let Some(board) = self.board {
                board.end();
            }
            let _ = self.stream.destroy();
        }
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

    /// Before it waits for the next loop. The stream is idle; what still waits in slots is of copies that failed.
    pub fn rest(&mut self) {
        for slot in &mut self.slots {
            (slot.is_used, slot.waiting) = (false, None);
        }
    }

    /// The next slot, once nothing waits in it.
    fn slot(&mut self) -> Result<(usize, *mut u8), Error> {
        let i = self.next;
        self.next = (i + 1) % SLOTS;
        self.finish(i)?;
        // SAFETY: within the ring.
        Ok((i, unsafe { self.pinned.add(i * SLOT) }))
    }

    /// Waits for a slot's copy, and brings what came back where it belongs.
    fn finish(&mut self, i: usize) -> Result<(), Error> {
        let slot = &mut self.slots[i];
        if !std::mem::take(&mut slot.is_used) {
            return Ok(());
        }
        slot.event.synchronize()?;
        if let Some(Waiting { to, bytes }) = slot.waiting.take() {
            // SAFETY: the promise of `download`; a slot has no fewer bytes.
            unsafe { self.pinned.add(i * SLOT).copy_to_nonoverlapping(to, bytes) };
        }
        Ok(())
    }

    fn issued(&mut self, i: usize, waiting: Option<Waiting>) -> Result<(), Error> {
        self.slots[i].event.record(self.stream)?;
        self.slots[i].is_used = true;
        self.slots[i].waiting = waiting;
        Ok(())
    }

    /// Copies to the device; the host's memory has been read when this returns.
    ///
    /// # Safety
    /// There are so many bytes on both sides.
    pub unsafe fn upload(&mut self, to: u64, from: *const u8, bytes: usize) -> Result<(), Error> {
        if bytes > 0 {
            say::log(format_args!("copy of {bytes} bytes to the device"));
        }
        for at in (0..bytes).step_by(SLOT) {
            let count = SLOT.min(bytes - at);
            let (i, pinned) = self.slot()?;
            // SAFETY: by the caller's promise; the slot is free.
            unsafe {
                from.add(at).copy_to_nonoverlapping(pinned, count);
                driver::copy_to_device(to + at as u64, pinned, count, self.stream)?;
            }
            self.issued(i, None)?;
        }
        Ok(())
    }

    /// Copies from the device; all is there after [`Self::drain`].
    ///
    /// # Safety
    /// There are so many bytes on both sides, and those of the host stay, untouched, until then.
    pub unsafe fn download(&mut self, to: *mut u8, from: u64, bytes: usize) -> Result<(), Error> {
        if bytes > 0 {
            say::log(format_args!("copy of {bytes} bytes from the device"));
        }
        for at in (0..bytes).step_by(SLOT) {
            let count = SLOT.min(bytes - at);
            let (i, pinned) = self.slot()?;
            // SAFETY: the slot is free; by the caller's promise.
            let to = unsafe {
                driver::copy_to_host(pinned, from + at as u64, count, self.stream)?;
                to.add(at)
            };
            self.issued(i, Some(Waiting { to, bytes: count }))?;
        }
        Ok(())
    }

    /// Waits for all copies.
    pub fn drain(&mut self) -> Result<(), Error> {
        (0..SLOTS).try_for_each(|i| self.finish((self.next + i) % SLOTS))
    }
}
