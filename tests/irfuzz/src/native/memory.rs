//! Memory that ends at a page which must not be touched.
//!
//! Unsafe here: mappings of our own.

use std::ptr;

const PAGE: usize = 4096;

/// A mapping whose last page is forbidden; the data end right before it.
pub struct Guarded {
    start: *mut u8,
    whole: usize,
    pub data: *mut u8,
    pub len: usize,
}

pub const FILL: u8 = 0xA5;

impl Guarded {
    /// `len` bytes at an address that `align` divides, all of them [`FILL`].
    pub fn new(len: usize, align: usize) -> Self {
        let usable = (len + align).next_multiple_of(PAGE);
        let whole = usable + PAGE;
        // SAFETY: a fresh anonymous mapping, written within its bounds.
        unsafe {
            let start: *mut u8 = libc::mmap(
                ptr::null_mut(),
                whole,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
            .cast();
            assert!(start.cast() != libc::MAP_FAILED, "no memory");
            ptr::write_bytes(start, FILL, usable);
            libc::mprotect(start.add(usable).cast(), PAGE, libc::PROT_NONE);
            let data = start.add((usable - len) / align * align);
            Self { start, whole, data, len }
        }
    }

    /// Whether the bytes before and after the data are as they were.
    pub fn is_intact(&self) -> bool {
        let before = self.data as usize - self.start as usize;
        let after = self.whole - PAGE - before - self.len;
        let clean = |from: *const u8, n: usize| {
            // SAFETY: within the mapping.
            let bytes = unsafe { std::slice::from_raw_parts(from, n) };
            bytes.iter().all(|&b| b == FILL)
        };
        clean(self.start, before) && clean(self.data.wrapping_add(self.len), after)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: a mapping of ours that nothing refers to.
        unsafe { libc::munmap(self.start.cast(), self.whole) };
    }
}
