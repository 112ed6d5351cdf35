//! What the device has of the host's memory.
//!
//! A mirror is of a range of memory, and either the host's bytes are right, or the device's, or both:
//!
//! - without a buffer, the host's;
//! - with one, the device's; where `written` is empty, the host's are as well.
//!
//! The processor may have memory that another thread writes to meanwhile, in other elements of the same array: arguments of a call are **shared**. What comes back of these is compared
//! with what went there, and only elements that differ are written. Memory that the call allocated is its own, and is copied as it is; so is an argument once a loop has overwritten all
//! of it, until the processor has it: before, no other thread can have written there and be heard.
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
    pub overwrite: Overwrite,
}

/// How much of a range a loop writes that is done, from little to much.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Overwrite {
    #[default]
    Part,
    All,
    /// All, and it reads nothing there.
    Blind,
}

impl Use {
    /// Both at once, of parts of the same memory.
    pub const fn and(self, other: Self) -> Self {
        Self {
            is_written: self.is_written || other.is_written,
            may_be_written: self.may_be_written || other.may_be_written,
            is_shared: self.is_shared || other.is_shared,
            content: Content::Data,
            overwrite: Overwrite::Part,
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
    /// Of shared memory that may be written: what the device was given.
    image: Option<Vec<u8>>,
    /// Whether kernels have written all of it.
    overwritten: Overwritten,
    /// How often the host got a part of it since kernels wrote.
    parts: u32,
}

/// How often the host gets a part of what is on the device alone before it gets all of it, and how much smaller that is, at least.
const MOST_PARTS: u32 = 16;
const PART: usize = 16;

/// Whether kernels have written all bytes of a mirror since it is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Overwritten {
    No,
    /// The loop that runs now will have, when it is done. Before, the host alone has anything.
    Promised,
    Yes,
}

/// The host has no memory for an image.
pub struct NoImage;

impl Mirror {
    /// Of memory that only the host has.
    pub const fn new(range: Range<usize>, is_shared: bool) -> Self {
        Self {
            range,
            place: None,
            buffer: None,
            home: None,
            written: Vec::new(),
            is_shared,
            image: None,
            overwritten: Overwritten::No,
            parts: 0,
        }
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
        let is_own = !self.is_shared || self.overwritten == Overwritten::Yes;
        self.is_there() && (!wanted.is_written || is_own || self.image.is_some())
    }

    /// The loop that runs now overwrites all of it.
    pub const fn promise(&mut self) {
        self.overwritten = Overwritten::Promised;
    }

    /// The loop is done, or was left before. Gives whether the device has nothing that counts.
    pub fn keep_promise(&mut self, is_done: bool) -> bool {
        let was_promised = self.overwritten == Overwritten::Promised;
        if was_promised && is_done {
            self.overwritten = Overwritten::Yes;
        }
        was_promised && !is_done
    }

    /// Leaves it to the host, which has all of it.
    pub fn leave(&mut self) -> Option<Buffer> {
        debug_assert!(!self.is_dirty());
        self.image = None;
        self.overwritten = Overwritten::No;
        self.place = None;
        self.buffer.take()
    }

    /// As [`Self::leave`], for what nobody needs any more.
    pub fn forget(mut self) -> Option<Buffer> {
        self.buffer.take()
    }

    /// Gives the device what the host has, in a buffer of [`Self::room`] bytes if it needs one. Without an image, what is shared is to be read alone.
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
                _ if wanted.overwrite == Overwrite::Blind => Ok(()),
                Content::Nothing => Ok(()),
                Content::Zeros => driver::clear(address, bytes, worker.stream),
                Content::Data => match &mut self.image {
                    Some(image) => send(address, self.range.start, image, bytes, worker),
                    None => worker.upload(address, self.range.start as *const u8, bytes),
                },
            }
        }
    }

    /// Makes room for an image, if one is needed.
    ///
    /// # Errors
    /// There is no memory.
    pub fn reserve(&mut self, wanted: Use) -> Result<(), NoImage> {
        let may_be_written = wanted.is_written || wanted.may_be_written;
        if self.is_shared && may_be_written && wanted.overwrite == Overwrite::Part && self.image.is_none() {
            self.image = Some(new_image(self.bytes())?);
        }
        Ok(())
    }

    /// A kernel may have written elements.
    pub fn note_written(&mut self, footprint: &Footprint) {
        self.parts = 0;
        if !self.written.contains(footprint) {
            self.written.push(footprint.clone());
        }
    }

    /// Whether the host, which reads this much, should get no more.
    pub fn is_read_in_part(&self, span: &Range<usize>) -> bool {
        let is_inside = self.range.start <= span.start && span.end <= self.range.end;
        is_inside && self.parts < MOST_PARTS && span.len().saturating_mul(PART) <= self.bytes()
    }

    /// Brings back what kernels wrote of a part, which the device still has.
    ///
    /// # Safety
    /// The memory is alive and may be written.
    pub unsafe fn bring_part(&mut self, span: &Range<usize>, worker: &mut Worker) -> Result<(), Error> {
        self.parts += 1;
        // SAFETY: by the caller's promise.
        unsafe { self.receive(span, true, worker) }
    }

    /// Brings back what kernels wrote. Then both have it. Unless it stays, nobody will ask what differs from then on.
    ///
    /// # Safety
    /// The memory is alive and may be written.
    pub unsafe fn bring_back(&mut self, stays: bool, worker: &mut Worker) -> Result<(), Error> {
        let spans = || self.written.iter().map(Footprint::span);
        let (Some(start), Some(end)) = (spans().map(|s| s.start).min(), spans().map(|s| s.end).max()) else {
            return Ok(());
        };
        // SAFETY: by the caller's promise.
        unsafe { self.receive(&(start..end), stays, worker)? };
        self.written.clear();
        // From now on others may see it, and write.
        self.overwritten = Overwritten::No;
        Ok(())
    }

    /// Writes to a part of the host's memory what kernels wrote there.
    ///
    /// # Safety
    /// The memory is alive and may be written.
    unsafe fn receive(&mut self, span: &Range<usize>, stays: bool, worker: &mut Worker) -> Result<(), Error> {
        let (start, end) = (span.start, span.end);
        let from = self.address(start).expect("what kernels wrote is there");
        match &mut self.image {
            // SAFETY: by the caller's promise; nobody else knows this memory.
            None => unsafe { worker.download(start as *mut u8, from, end - start)? },
            Some(image) => {
                let image = &mut image[start - self.range.start..end - self.range.start];
                // SAFETY: by the caller's promise.
                unsafe { receive(start, from, &self.written, (image, stays), worker)? };
            }
        }
        worker.drain()
    }
}

/// Bytes that go through a processor's cache at once.
const STRETCH: usize = 64 << 10;

/// Stretches of a piece of a copy, by their places in it.
fn stretches(bytes: usize) -> impl Iterator<Item = Range<usize>> {
    (0..bytes).step_by(STRETCH).map(move |at| at..bytes.min(at + STRETCH))
}

/// Gives the device what memory holds, and keeps an image of that.
///
/// # Safety
/// So many bytes are there, and on the device; the image has room for them.
unsafe fn send(
    to: u64,
    from: usize,
    image: &mut Vec<u8>,
    bytes: usize,
    worker: &mut Worker,
) -> Result<(), Error> {
    image.clear();
    let place = image.as_mut_ptr() as usize;
    // SAFETY: by the caller's promise; pieces lie within the image.
    let fill = |piece: Range<usize>, slot: &mut [u8]| unsafe {
        copy_twice(from + piece.start, place + piece.start, slot);
    };
    // SAFETY: by the caller's promise; all was written.
    unsafe {
        worker.send(to, bytes, fill)?;
        image.set_len(bytes);
    }
    Ok(())
}

/// Writes to memory what the device has and the image has not.
///
/// # Safety
/// The memory is alive and may be written, and the device has as many bytes as the image.
unsafe fn receive(
    begin: usize,
    from: u64,
    written: &[Footprint],
    (image, stays): (&mut [u8], bool),
    worker: &mut Worker,
) -> Result<(), Error> {
    let (place, bytes) = (image.as_mut_ptr() as usize, image.len());
    let take = |piece: Range<usize>, slot: &[u8]| {
        for stretch in stretches(slot.len()) {
            let at = piece.start + stretch.start;
            let after = &slot[stretch];
            // SAFETY: a part of the image that no other piece has.
            let before = unsafe { std::slice::from_raw_parts_mut((place + at) as *mut u8, after.len()) };
            for footprint in written {
                // SAFETY: by the caller's promise.
                unsafe { footprint.write_changes(begin + at, before, after) };
            }
            if stays {
                before.copy_from_slice(after);
            }
        }
    };
    // SAFETY: by the caller's promise.
    unsafe { worker.receive(from, bytes, take) }
}

/// Copies memory to an image, and what the image has to a slot, whatever other threads write meanwhile: what they wrote between two readings would look as if the device had changed it.
///
/// # Safety
/// So many bytes are at both addresses, and do not overlap.
unsafe fn copy_twice(from: usize, image: usize, slot: &mut [u8]) {
    for stretch in stretches(slot.len()) {
        let at = stretch.start;
        let slot = &mut slot[stretch];
        // SAFETY: by the caller's promise.
        unsafe {
            copy(from + at, image + at, slot.len());
            copy(as_it_is_now(image + at), slot.as_mut_ptr() as usize, slot.len());
        }
    }
}

/// An address of which the compiler does not know whose it is: what is read there is what was written there, and not read again where that came from.
fn as_it_is_now(mut address: usize) -> usize {
    // SAFETY: no instructions; by what is said of it, memory may have changed.
    unsafe { std::arch::asm!("/* {0} */", inout(reg) address, options(nostack, preserves_flags)) };
    address
}

/// # Safety
/// Both are there and do not overlap.
unsafe fn copy(from: usize, to: usize, bytes: usize) {
    // SAFETY: by the caller's promise; other threads that write meanwhile do so at their own risk, as they do without a device.
    unsafe { (from as *const u8).copy_to_nonoverlapping(to as *mut u8, bytes) };
}

/// From so many bytes on, pages are large: to get them one by one takes longer than to copy them.
const LARGE_PAGES: usize = 4 << 20;

/// Room for an image, of which nothing is touched yet.
fn new_image(bytes: usize) -> Result<Vec<u8>, NoImage> {
    let mut image = Vec::new();
    image.try_reserve_exact(bytes).map_err(|_| NoImage)?;
    if bytes >= LARGE_PAGES {
        let begin = (image.as_mut_ptr() as usize).next_multiple_of(4096);
        let end = image.as_ptr() as usize + bytes;
        // SAFETY: advice about memory that is there; a refusal is harmless.
        unsafe { libc::madvise(begin as *mut libc::c_void, end - begin, libc::MADV_HUGEPAGE) };
    }
    Ok(image)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    #[test]
    fn an_image_is_what_the_device_gets() {
        const WORDS: usize = 64 << 10;
        let memory: Vec<AtomicU64> = (0..WORDS).map(|_| AtomicU64::new(0)).collect();
        let (mut image, mut slot) = (vec![0u8; 8 * WORDS], vec![0u8; 8 * WORDS]);
        let (rounds, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let round = rounds.fetch_add(1, Ordering::Relaxed);
                    memory.iter().for_each(|word| word.store(round, Ordering::Relaxed));
                }
            });
            let mut differ = false;
            while !differ && rounds.load(Ordering::Relaxed) < 2000 {
                // SAFETY: as long as said.
                unsafe { copy_twice(memory.as_ptr() as usize, image.as_mut_ptr() as usize, &mut slot) };
                differ = image != slot;
            }
            is_over.store(true, Ordering::Relaxed);
            assert!(!differ, "another thread's writes came between the two");
        });
    }
}
