//! What the device has of the host's memory.
//!
//! A mirror is of a range of memory, and either the host's bytes are right, or the device's, or both:
//!
//! - without a buffer, the host's;
//! - with one, the device's; where `written` is empty, the host's are as well.
//!
//! The processor may have memory that another thread writes to meanwhile, in other elements of the same array: arguments of a call are **shared**. What comes back of these is compared
//! with what went there, and only elements that differ are written. Memory that the call allocated is its own, and is copied as it is.
//!
//! An array that lives on the device (see [`resident`](crate::resident)) has a **home** there: its buffer belongs to no call, and nothing comes back by itself.
//!
//! Unsafe here: memory of the host by address, which is that of living arrays.

use crate::driver::{self, Error};
use crate::footprint::Footprint;
use crate::memory::{Buffer, room};
use crate::worker::Worker;
use std::ops::Range;

/// What may be done with memory, for one loop.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Use {
    pub is_written: bool,
    /// By other loops of the call.
    pub may_be_written: bool,
    pub is_shared: bool,
    pub content: Content,
}

impl Use {
    /// Both at once, of parts of the same memory.
    pub const fn and(self, other: Self) -> Self {
        Self {
            is_written: self.is_written || other.is_written,
            may_be_written: self.may_be_written || other.may_be_written,
            is_shared: self.is_shared || other.is_shared,
            content: Content::Data,
        }
    }
}

/// What memory holds that no kernel has seen.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Content {
    #[default]
    Data,
    /// Whatever.
    Nothing,
    Zeros,
}

/// A range of the host's memory.
pub struct Mirror {
    pub range: Range<usize>,
    /// The device's address of the first byte, if it is there.
    place: Option<u64>,
    /// Where it is, unless that is its home.
    buffer: Option<Buffer>,
    /// Where it is whenever it is there, if it lives on the device.
    home: Option<u64>,
    /// What kernels wrote that the host does not have.
    written: Vec<Footprint>,
    is_shared: bool,
    /// Of shared memory that may be written: what the device was given, and room for what it gives.
    images: Option<(Vec<u8>, Vec<u8>)>,
}

/// The host has no memory for images.
pub struct NoImages;

impl Mirror {
    /// Of memory that only the host has.
    pub const fn new(range: Range<usize>, is_shared: bool) -> Self {
        Self { range, place: None, buffer: None, home: None, written: Vec::new(), is_shared, images: None }
    }

    /// Of an array that lives on the device, at this address: whether it is there now, and on the host.
    pub fn resident(range: Range<usize>, address: u64, is_there: bool, is_here: bool) -> Self {
        let written = if is_here { Vec::new() } else { vec![Footprint::of_bytes(&range)] };
        let place = is_there.then_some(address);
        Self { place, home: Some(address), written, ..Self::new(range, false) }
    }

    pub const fn is_resident(&self) -> bool {
        self.home.is_some()
    }

    pub const fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Whether the device has it.
    pub const fn is_there(&self) -> bool {
        self.place.is_some()
    }

    /// Whether the device alone has some of it.
    pub const fn is_dirty(&self) -> bool {
        !self.written.is_empty()
    }

    pub const fn bytes(&self) -> usize {
        self.range.end - self.range.start
    }

    /// Bytes of a buffer for it.
    pub const fn room(&self) -> usize {
        room(self.bytes())
    }

    /// The device's address of a byte of the host's.
    pub fn address(&self, host: usize) -> Option<u64> {
        Some(self.place? + (host - self.range.start) as u64)
    }

    /// Whether it is there and may be used so.
    pub fn serves(&self, wanted: Use) -> bool {
        self.is_there() && (!wanted.is_written || !self.is_shared || self.images.is_some())
    }

    /// Leaves it to the host, which has all of it.
    pub fn leave(&mut self) -> Option<Buffer> {
        debug_assert!(!self.is_dirty());
        self.images = None;
        self.place = None;
        self.buffer.take()
    }

    /// As [`Self::leave`], for what nobody needs any more.
    pub fn forget(mut self) -> Option<Buffer> {
        self.buffer.take()
    }

    /// Gives the device what the host has, in a buffer of [`Self::room`] bytes if it needs one. Without images, what is shared is to be read alone.
    ///
    /// # Safety
    /// The memory is alive.
    pub unsafe fn fill(
        &mut self,
        buffer: Option<Buffer>,
        wanted: Use,
        worker: &mut Worker,
    ) -> Result<(), Error> {
        let in_buffer = || buffer.as_ref().map(|buffer| buffer.begin(self.range.start));
        let address = self.home.or_else(in_buffer).expect("a home or a buffer");
        self.place = Some(address);
        self.buffer = buffer;
        let bytes = self.bytes();
        // SAFETY: by the caller's promise; the buffer has room for as much.
        unsafe {
            match wanted.content {
                Content::Nothing => Ok(()),
                Content::Zeros => driver::clear(address, bytes, worker.stream),
                Content::Data => match &mut self.images {
                    Some((before, _)) => {
                        before.clear();
                        append(before, &self.range);
                        worker.upload(address, before.as_ptr(), bytes)
                    }
                    None => worker.upload(address, self.range.start as *const u8, bytes),
                },
            }
        }
    }

    /// Makes room for images, if they are needed.
    ///
    /// # Errors
    /// There is no memory.
    pub fn reserve(&mut self, wanted: Use) -> Result<(), NoImages> {
        if !self.is_shared || !(wanted.is_written || wanted.may_be_written) || self.images.is_some() {
            return Ok(());
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        before.try_reserve_exact(self.bytes()).map_err(|_| NoImages)?;
        after.try_reserve_exact(self.bytes()).map_err(|_| NoImages)?;
        self.images = Some((before, after));
        Ok(())
    }

    /// A kernel may have written elements.
    pub fn note_written(&mut self, footprint: &Footprint) {
        if !self.written.contains(footprint) {
            self.written.push(footprint.clone());
        }
    }

    /// Brings back what kernels wrote. Then both have it.
    ///
    /// # Safety
    /// The memory is alive and may be written.
    pub unsafe fn bring_back(&mut self, worker: &mut Worker) -> Result<(), Error> {
        let spans = || self.written.iter().map(Footprint::span);
        let (Some(start), Some(end)) = (spans().map(|s| s.start).min(), spans().map(|s| s.end).max()) else {
            return Ok(());
        };
        let from = self.address(start).expect("what kernels wrote is there");
        let Some((before, after)) = &mut self.images else {
            // SAFETY: by the caller's promise; nobody else knows this memory.
            unsafe { worker.download(start as *mut u8, from, end - start)? };
            worker.drain()?;
            self.written.clear();
            return Ok(());
        };
        after.clear();
        after.resize(end - start, 0);
        // SAFETY: it has so many bytes, and stays.
        unsafe { worker.download(after.as_mut_ptr(), from, end - start)? };
        worker.drain()?;
        let before = &mut before[start - self.range.start..end - self.range.start];
        for footprint in &self.written {
            // SAFETY: by the caller's promise; the images are of what written arrays span.
            unsafe { footprint.write_changes(start, before, after) };
        }
        before.copy_from_slice(after);
        self.written.clear();
        Ok(())
    }
}

/// Adds what memory holds.
///
/// # Safety
/// It is there.
unsafe fn append(to: &mut Vec<u8>, from: &Range<usize>) {
    // SAFETY: by the caller's promise; other threads that write meanwhile do so at their own risk, as they do without a device.
    to.extend_from_slice(unsafe { std::slice::from_raw_parts(from.start as *const u8, from.len()) });
}
