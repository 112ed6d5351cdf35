//! Pinned memory in slots that are used in turns, through which copies go piece by piece.
//!
//! While the device copies some slots, the processor fills or empties others: by itself, or on [`helpers`](crate::helpers). All calls of the driver are the calling thread's.
//!
//! Unsafe here: pinned memory is reached through its address, slot by slot. A slot is used again when its event has passed and its job is done.

use crate::driver::{self, Error, Event, Stream};
use crate::helpers::{Done, Jobs};
use rayon::ThreadPool;
use std::collections::VecDeque;
use std::ops::Range;

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

pub struct Ring {
    slots: Vec<Slot>,
    /// Bytes of each.
    size: usize,
    pinned: *mut u8,
    next: usize,
}

/// Ranges of so many bytes.
fn pieces(bytes: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    (0..bytes).step_by(size).map(move |at| at..bytes.min(at + size))
}

impl Ring {
    /// In the current context.
    pub fn new(slots: usize, size: usize) -> Result<Self, Error> {
        let mut ring = Self { slots: Vec::with_capacity(slots), size, pinned: std::ptr::null_mut(), next: 0 };
        match ring.allocate(slots) {
            Ok(()) => Ok(ring),
            Err(error) => {
                ring.end();
                Err(error)
            }
        }
    }

    fn allocate(&mut self, slots: usize) -> Result<(), Error> {
        while self.slots.len() < slots {
            self.slots.push(Slot { event: Event::new()?, is_used: false, waiting: None });
        }
        self.pinned = driver::allocate_pinned(slots * self.size)?;
        Ok(())
    }

    /// Frees what it has. All copies are over.
    pub fn end(self) {
        // SAFETY: nobody else has them.
        unsafe {
            if !self.pinned.is_null() {
                let _ = driver::free_pinned(self.pinned);
            }
            for slot in self.slots {
                let _ = slot.event.destroy();
            }
        }
    }

    /// All copies are over; what still waits in slots is of copies that failed.
    pub fn rest(&mut self) {
        for slot in &mut self.slots {
            (slot.is_used, slot.waiting) = (false, None);
        }
    }

    /// The next slot, once nothing waits in it.
    fn slot(&mut self) -> Result<usize, Error> {
        let i = self.next;
        self.next = (i + 1) % self.slots.len();
        self.finish(i)?;
        Ok(i)
    }

    fn place(&self, i: usize) -> *mut u8 {
        // SAFETY: within the ring.
        unsafe { self.pinned.add(i * self.size) }
    }

    /// The first bytes of a slot.
    ///
    /// # Safety
    /// Neither the device nor a job uses it as long as this lives.
    unsafe fn memory<'a>(&self, i: usize, bytes: usize) -> &'a mut [u8] {
        debug_assert!(bytes <= self.size);
        // SAFETY: by the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.place(i), bytes) }
    }

    /// Waits for a slot's copy, and brings what came back where it belongs.
    fn finish(&mut self, i: usize) -> Result<(), Error> {
        let slot = &mut self.slots[i];
        if !std::mem::take(&mut slot.is_used) {
            return Ok(());
        }
        slot.event.synchronize()?;
        if let Some(Waiting { to, bytes }) = slot.waiting.take() {
            // SAFETY: the promise of `receive_later`; a slot has no fewer bytes.
            unsafe { self.place(i).copy_to_nonoverlapping(to, bytes) };
        }
        Ok(())
    }

    fn issued(&mut self, i: usize, stream: Stream, waiting: Option<Waiting>) -> Result<(), Error> {
        let slot = &mut self.slots[i];
        slot.event.record(stream)?;
        (slot.is_used, slot.waiting) = (true, waiting);
        Ok(())
    }

    /// How many slots jobs have at a time, where the device has the others.
    fn for_jobs(&self) -> usize {
        (self.slots.len() * 2 / 3).max(1)
    }

    /// Copies to the device what `fill` writes into pieces of pinned memory; it is told which bytes of the copy it is to write, and has done so when this returns.
    ///
    /// # Safety
    /// The device has so many bytes there.
    pub unsafe fn send(
        &mut self,
        (to, stream): (u64, Stream),
        bytes: usize,
        fill: &(impl Fn(Range<usize>, &mut [u8]) + Sync),
        helpers: Option<&ThreadPool>,
    ) -> Result<(), Error> {
        let Some(pool) = helpers else {
            for piece in pieces(bytes, self.size) {
                let i = self.slot()?;
                // SAFETY: the slot is free; by the caller's promise.
                unsafe {
                    fill(piece.clone(), self.memory(i, piece.len()));
                    self.send_slot(i, (to, stream), &piece)?;
                }
            }
            return Ok(());
        };
        let done = Done::new(self.slots.len());
        pool.in_place_scope(|scope| {
            let (mut left, mut filling) = (pieces(bytes, self.size), VecDeque::new());
            loop {
                while filling.len() < self.for_jobs()
                    && let Some(piece) = left.next()
                {
                    let i = self.slot()?;
                    // SAFETY: the slot is free, and is given to the device when the job is done.
                    let memory = unsafe { self.memory(i, piece.len()) };
                    filling.push_back((i, piece.clone()));
                    Jobs::There(scope).start(&done, i, move || fill(piece, memory));
                }
                let Some((i, piece)) = filling.pop_front() else { return Ok(()) };
                done.wait(i);
                // SAFETY: by the caller's promise.
                unsafe { self.send_slot(i, (to, stream), &piece)? };
            }
        })
    }

    /// Gives the device a slot to copy from.
    unsafe fn send_slot(
        &mut self,
        i: usize,
        (to, stream): (u64, Stream),
        piece: &Range<usize>,
    ) -> Result<(), Error> {
        // SAFETY: by the promise of `send`.
        unsafe { driver::copy_to_device(to + piece.start as u64, self.place(i), piece.len(), stream)? };
        self.issued(i, stream, None)
    }

    /// Copies from the device, and has `take` read pieces of pinned memory; it is told which bytes of the copy they are, and has read all when this returns.
    ///
    /// # Safety
    /// The device has so many bytes there.
    pub unsafe fn receive(
        &mut self,
        (from, stream): (u64, Stream),
        bytes: usize,
        take: &(impl Fn(Range<usize>, &[u8]) + Sync),
        helpers: Option<&ThreadPool>,
    ) -> Result<(), Error> {
        let done = Done::new(self.slots.len());
        let most = self.slots.len() - if helpers.is_some() { self.for_jobs() } else { 1 };
        with_jobs(helpers, |jobs| {
            let (mut left, mut copying) = (pieces(bytes, self.size), VecDeque::new());
            let mut has_job = vec![false; self.slots.len()];
            loop {
                while copying.len() < most.max(1)
                    && let Some(piece) = left.next()
                {
                    let i = self.slot()?;
                    if std::mem::take(&mut has_job[i]) {
                        done.wait(i);
                    }
                    // SAFETY: the slot is free; by the caller's promise.
                    unsafe {
                        driver::copy_to_host(self.place(i), from + piece.start as u64, piece.len(), stream)?;
                    }
                    self.issued(i, stream, None)?;
                    copying.push_back((i, piece));
                }
                let Some((i, piece)) = copying.pop_front() else { return Ok(()) };
                self.finish(i)?;
                // SAFETY: the device is done with the slot, and gets it again when the job is.
                let memory: &[u8] = unsafe { self.memory(i, piece.len()) };
                has_job[i] = true;
                jobs.start(&done, i, move || take(piece, memory));
            }
        })
    }

    /// Copies from the device; all is there after [`Self::drain`].
    ///
    /// # Safety
    /// There are so many bytes on both sides, and those of the host stay, untouched, until then.
    pub unsafe fn receive_later(
        &mut self,
        to: *mut u8,
        (from, stream): (u64, Stream),
        bytes: usize,
    ) -> Result<(), Error> {
        for piece in pieces(bytes, self.size) {
            let i = self.slot()?;
            // SAFETY: the slot is free; by the caller's promise.
            let to = unsafe {
                driver::copy_to_host(self.place(i), from + piece.start as u64, piece.len(), stream)?;
                to.add(piece.start)
            };
            self.issued(i, stream, Some(Waiting { to, bytes: piece.len() }))?;
        }
        Ok(())
    }

    /// Waits for all copies.
    pub fn drain(&mut self) -> Result<(), Error> {
        let slots = self.slots.len();
        (0..slots).try_for_each(|i| self.finish((self.next + i) % slots))
    }
}

/// Does something with jobs, which are done when this returns, however it does.
fn with_jobs<'scope, T>(helpers: Option<&ThreadPool>, act: impl FnOnce(Jobs<'_, 'scope>) -> T) -> T {
    match helpers {
        Some(pool) => pool.in_place_scope(|scope| act(Jobs::There(scope))),
        None => act(Jobs::Here),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_all_bytes() {
        assert_eq!(pieces(10, 4).collect::<Vec<_>>(), [0..4, 4..8, 8..10]);
        assert_eq!(pieces(0, 4).count(), 0);
    }
}
