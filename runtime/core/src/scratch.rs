//! Memory of Rust code in this library: matrices of factorizations, transforms and sorts work in large blocks, which come from those that
//! arrays left (see [`alloc`](crate::alloc)). Fresh pages would cost a factorization of 300 rows a third of its time.
//!
//! Unsafe here: blocks are freed and grown with the layout that they were allocated with, which says where they are from.

use std::alloc::{GlobalAlloc, Layout, System};

use crate::alloc::{LARGE, PAGE, allocate, free};

/// The allocator of a library.
pub struct Scratch;

/// Whether blocks of this layout are kept for reuse, which are mapped; the system has all others.
const fn is_kept(layout: Layout) -> bool {
    layout.size() >= LARGE && layout.align() <= PAGE
}

// SAFETY: both allocators give blocks of the size and alignment asked for, and each gets back its own.
unsafe impl GlobalAlloc for Scratch {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_kept(layout) {
            return allocate(layout.size(), false);
        }
        // SAFETY: by the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_kept(layout) {
            return allocate(layout.size(), true);
        }
        // SAFETY: by the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: by the caller's promise, from the allocator that the layout says.
        unsafe {
            if is_kept(layout) {
                free(block, layout.size());
            } else {
                System.dealloc(block, layout);
            }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: by the caller's promise, the size is none that a layout may not have.
        let other = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: as above; what is copied is within both blocks.
        unsafe {
            if !is_kept(layout) && !is_kept(other) {
                return System.realloc(block, layout, size);
            }
            let made = self.alloc(other);
            if !made.is_null() {
                block.copy_to_nonoverlapping(made, layout.size().min(size));
                self.dealloc(block, layout);
            }
            made
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_keep_what_they_hold_as_they_grow_and_shrink() {
        let layout = |size| Layout::from_size_align(size, 16).unwrap();
        // SAFETY: each block is used within its size, and freed with its layout.
        unsafe {
            let mut size = 1000;
            let mut block = Scratch.alloc_zeroed(layout(size));
            block.write(7);
            for next in [LARGE - 1, LARGE, 3 * LARGE, LARGE / 2, 10] {
                block = Scratch.realloc(block, layout(size), next);
                size = next;
                assert_eq!((block.read(), block.add(9).read()), (7, 0), "{size}");
            }
            Scratch.dealloc(block, layout(size));
        }
    }

    #[test]
    fn blocks_are_aligned_as_asked_for() {
        for (size, align) in [(LARGE / 2, 128), (2 * LARGE, 128), (2 * LARGE, PAGE), (2 * LARGE, 2 * PAGE)] {
            let layout = Layout::from_size_align(size, align).unwrap();
            // SAFETY: freed with its layout.
            unsafe {
                let block = Scratch.alloc(layout);
                assert!(block.addr().is_multiple_of(align));
                Scratch.dealloc(block, layout);
            }
        }
    }
}
