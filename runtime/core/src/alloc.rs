//! Blocks of memory aligned to 64 bytes.
//!
//! Small blocks come from malloc, whose aligned blocks are slow: they lie within a larger one, with its address before them. Freed
//! ones of some kilobytes malloc joins and splits again: each thread keeps a few.
//! Large ones are mapped, so that zeroed memory costs nothing until
//! it is touched; huge pages are asked for from 4 MiB on, as NumPy does. Fresh pages cost more than
//! most array operations do (about 0.25 µs for 4 KiB), so some freed large blocks are kept for reuse, be it of their front: arrays that
//! masks make ever smaller take what the one before them left.
//!
//! Unsafe here: every block is freed with the size class that it was allocated with, which both
//! sides compute from the same byte count.

use std::cell::RefCell;
use std::ptr;
use std::sync::Mutex;

pub const ALIGN: usize = 64;
/// From here on blocks are mapped, and so aligned to pages.
pub const LARGE: usize = 64 << 10;
pub const PAGE: usize = 4096;
const HUGE_PAGES_FROM: usize = 4 << 20;
const HUGE_PAGE: usize = 2 << 20;
/// Kept freed blocks: at most so many, and so many bytes together.
const KEPT_BLOCKS: usize = 64;
const KEPT_BYTES: usize = 128 << 20;

/// `bytes` fresh bytes, zeroed if `zero`; null if there are none.
#[must_use]
pub fn allocate(bytes: usize, zero: bool) -> *mut u8 {
    match size_class(bytes) {
        Some(class) if class >= LARGE => large(class, bytes, zero),
        Some(class) => small(class, zero),
        None => ptr::null_mut(),
    }
}

/// Gives a block back.
///
/// # Safety
/// `block` came from [`allocate`] with the same `bytes`, and is not used any more.
pub unsafe fn free(block: *mut u8, bytes: usize) {
    let Some(class) = size_class(bytes) else { return };
    if class < LARGE {
        if !keep_small(block, class) {
            // SAFETY: made by `fresh_small`.
            unsafe { free_small(block) };
        }
        return;
    }
    let unwanted = match KEPT.try_lock() {
        Ok(mut kept) => kept.put(Block(block, class)),
        Err(_) => vec![Block(block, class)],
    };
    for Block(start, size) in unwanted {
        // SAFETY: a whole mapping of ours that nobody uses.
        unsafe { libc::munmap(start.cast(), size) };
    }
}

/// What is really allocated for `bytes`: in steps of 1/8 of the size, and whole pages from [`LARGE`] on, so that arrays of
/// nearly the same size reuse each other's memory.
fn size_class(bytes: usize) -> Option<usize> {
    if bytes > isize::MAX as usize - (1 << 60) {
        return None;
    }
    let bytes = bytes.max(1);
    let step = step(bytes).max(if bytes < LARGE { ALIGN } else { PAGE });
    Some(bytes.div_ceil(step) * step)
}

fn step(bytes: usize) -> usize {
    bytes.next_power_of_two() / 16
}

/// The sizes of small blocks: in steps of [`ALIGN`] up to 16 of them, then eight for each power of two below [`LARGE`].
const SMALL_SIZES: usize = 64;
/// Freed blocks of one size that a thread keeps at most, and bytes of all of them.
const SMALL_BLOCKS: usize = 16;
const SMALL_BYTES: usize = 512 << 10;

/// The place of a small block's size among the sizes.
fn small_size(class: usize) -> usize {
    match class / ALIGN {
        steps @ 1..=16 => steps - 1,
        _ => {
            let doublings = (class.next_power_of_two() / (16 * ALIGN)).ilog2() as usize;
            8 * doublings + class / step(class) - 1
        }
    }
}

/// This thread's freed small blocks, with the size of each, by size.
struct SmallBlocks {
    blocks: [Vec<Block>; SMALL_SIZES],
    bytes: usize,
}

thread_local! {
    static SMALL: RefCell<SmallBlocks> =
        const { RefCell::new(SmallBlocks { blocks: [const { Vec::new() }; SMALL_SIZES], bytes: 0 }) };
}

impl Drop for SmallBlocks {
    fn drop(&mut self) {
        for Block(block, _) in self.blocks.iter_mut().flat_map(|blocks| blocks.drain(..)) {
            // SAFETY: put here by `keep_small`.
            unsafe { free_small(block) };
        }
    }
}

/// Whether the freed block is kept. It is not when the thread ends or has enough.
fn keep_small(block: *mut u8, class: usize) -> bool {
    let keep = |small: &RefCell<SmallBlocks>| {
        let SmallBlocks { blocks, bytes } = &mut *small.borrow_mut();
        let blocks = &mut blocks[small_size(class)];
        let has_room = blocks.len() < SMALL_BLOCKS && *bytes + class <= SMALL_BYTES;
        if has_room {
            *bytes += class;
            blocks.push(Block(block, class));
        }
        has_room
    };
    SMALL.try_with(keep).unwrap_or(false)
}

fn kept_small(class: usize) -> Option<*mut u8> {
    let take = |small: &RefCell<SmallBlocks>| {
        let small = &mut *small.borrow_mut();
        let Block(block, _) = small.blocks[small_size(class)].pop()?;
        small.bytes -= class;
        Some(block)
    };
    SMALL.try_with(take).ok().flatten()
}

fn small(class: usize, zero: bool) -> *mut u8 {
    if let Some(block) = kept_small(class) {
        if zero {
            // SAFETY: a block of this size that is ours.
            unsafe { ptr::write_bytes(block, 0, class) };
        }
        return block;
    }
    fresh_small(class, zero)
}

/// An aligned block within one of malloc's, whose address stands right before it.
fn fresh_small(class: usize, zero: bool) -> *mut u8 {
    // Malloc's blocks are aligned to 16 bytes, so that one for the address leaves at most as much as an alignment before ours.
    let size = class + ALIGN;
    // SAFETY: any size will do.
    let start: *mut u8 = unsafe { if zero { libc::calloc(1, size) } else { libc::malloc(size) } }.cast();
    if start.is_null() {
        return start;
    }
    debug_assert!(start.addr().is_multiple_of(16));
    let before = ALIGN - start.addr() % ALIGN;
    // SAFETY: from 16 to ALIGN bytes lie before the block, and it within malloc's.
    unsafe {
        let block = start.add(before);
        block.cast::<*mut u8>().sub(1).write(start);
        block
    }
}

/// # Safety
/// A block of [`fresh_small`] that nobody uses any more.
unsafe fn free_small(block: *mut u8) {
    // SAFETY: malloc's block is named before ours.
    unsafe { libc::free(block.cast::<*mut u8>().sub(1).read().cast()) };
}

fn large(class: usize, bytes: usize, zero: bool) -> *mut u8 {
    if let Some(Block(block, size)) = KEPT.try_lock().ok().and_then(|mut kept| kept.take(class)) {
        if size > class {
            // SAFETY: whole pages at the end of a mapping of ours that nobody uses.
            unsafe { libc::munmap(block.byte_add(class).cast(), size - class) };
        }
        if zero {
            // SAFETY: `bytes` <= `class` bytes of a block that is ours.
            unsafe { ptr::write_bytes(block, 0, bytes) };
        }
        return block;
    }
    map(class)
}

fn map(class: usize) -> *mut u8 {
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a fresh anonymous mapping.
    let block = unsafe { libc::mmap(ptr::null_mut(), class, access, kind, -1, 0) };
    if block == libc::MAP_FAILED {
        return ptr::null_mut();
    }
    if class >= HUGE_PAGES_FROM {
        // What heads a block is written even where the rest never is, as of arrays that only a device uses: a huge page, which is cleared first, takes
        // longer than such a call. Blocks that are kept have theirs already.
        let behind = if class > KEPT_BYTES / 2 { HUGE_PAGE - block.addr() % HUGE_PAGE } else { 0 };
        // SAFETY: advice about our own mapping, which is longer than a huge page; a refusal is harmless.
        unsafe { libc::madvise(block.byte_add(behind), class - behind, libc::MADV_HUGEPAGE) };
    }
    block.cast()
}

struct Block(*mut u8, usize);

// SAFETY: a block in the cache belongs to nobody.
unsafe impl Send for Block {}

/// Freed blocks, the latest last. Only ever try-locked: a child forked while another thread held
/// the lock goes without.
static KEPT: Mutex<Kept> = Mutex::new(Kept { blocks: Vec::new(), bytes: 0 });

struct Kept {
    blocks: Vec<Block>,
    bytes: usize,
}

impl Kept {
    /// A block of this size, or else the smallest one that is larger by half at most, whose end is not needed.
    fn take(&mut self, class: usize) -> Option<Block> {
        let exact = self.blocks.iter().rposition(|block| block.1 == class);
        let at = exact.or_else(|| self.larger(class))?;
        let block = self.blocks.remove(at);
        self.bytes -= block.1;
        Some(block)
    }

    fn larger(&self, class: usize) -> Option<usize> {
        let fits = |block: &Block| class < block.1 && block.1 <= class + class / 2;
        let found = self.blocks.iter().enumerate().filter(|(_, block)| fits(block));
        found.min_by_key(|(_, block)| block.1).map(|(at, _)| at)
    }

    /// Keeps the block, and returns what must go instead: it, or the oldest ones.
    fn put(&mut self, block: Block) -> Vec<Block> {
        if block.1 > KEPT_BYTES / 2 {
            return vec![block];
        }
        self.bytes += block.1;
        self.blocks.push(block);
        let mut unwanted = Vec::new();
        while self.blocks.len() > KEPT_BLOCKS || self.bytes > KEPT_BYTES {
            let oldest = self.blocks.remove(0);
            self.bytes -= oldest.1;
            unwanted.push(oldest);
        }
        unwanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_zero(block: *mut u8, bytes: usize) -> bool {
        // SAFETY: a block of that size.
        unsafe { std::slice::from_raw_parts(block, bytes) }.iter().all(|&b| b == 0)
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes long: megabytes, byte for byte")]
    fn blocks_are_aligned_and_zeroed_also_when_reused() {
        for bytes in [0, 1, 63, 64, 1000, 70_000, 1 << 20, 5 << 20] {
            for _ in 0..3 {
                let block = allocate(bytes, true);
                assert!(!block.is_null() && (block as usize).is_multiple_of(ALIGN));
                assert!(is_zero(block, bytes), "{bytes}");
                // SAFETY: our block.
                unsafe {
                    ptr::write_bytes(block, 7, bytes);
                    free(block, bytes);
                }
            }
        }
    }

    #[test]
    fn size_classes_waste_an_eighth_at_most() {
        for bytes in [LARGE, LARGE + 1, 1_000_000, 12_345_678, 1 << 40] {
            let class = size_class(bytes).unwrap();
            assert!(class >= bytes && class <= bytes + bytes / 8 + 4096, "{bytes}: {class}");
        }
        for bytes in 0..LARGE {
            let class = size_class(bytes).unwrap();
            assert!(class >= bytes && class <= bytes + bytes / 8 + ALIGN, "{bytes}: {class}");
        }
        assert_eq!(size_class(usize::MAX / 2), None);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends where memory does")]
    fn absurd_sizes_give_null() {
        assert!(allocate(1 << 60, true).is_null());
        assert!(allocate(usize::MAX, false).is_null());
    }

    #[test]
    fn each_small_size_has_a_place() {
        let mut classes: Vec<usize> =
            (1..LARGE).filter_map(size_class).filter(|&class| class < LARGE).collect();
        classes.dedup();
        let places: Vec<usize> = classes.iter().map(|&class| small_size(class)).collect();
        assert_eq!(places, (0..classes.len()).collect::<Vec<_>>());
        assert!(places.len() <= SMALL_SIZES);
    }

    #[test]
    fn a_thread_keeps_few_small_blocks() {
        let blocks: Vec<*mut u8> = (0..100).map(|_| allocate(LARGE / 2, false)).collect();
        // SAFETY: our blocks.
        blocks.iter().for_each(|&block| unsafe { free(block, LARGE / 2) });
        SMALL.with(|small| {
            let small = small.borrow();
            let held = |blocks: &Vec<Block>| blocks.iter().map(|block| block.1).sum::<usize>();
            assert_eq!(small.bytes, small.blocks.iter().map(held).sum::<usize>());
            assert!(small.bytes > 0 && small.bytes <= SMALL_BYTES);
        });
    }

    #[test]
    fn the_front_of_a_larger_block_will_do() {
        let mut kept = Kept { blocks: Vec::new(), bytes: 0 };
        for pages in [16, 40, 24, 20] {
            kept.put(Block(ptr::null_mut(), pages << 12));
        }
        let mut take = |pages: usize| kept.take(pages << 12).map(|block| block.1 >> 12);
        assert_eq!([take(17), take(17), take(17)], [Some(20), Some(24), None]);
        assert_eq!([take(16), take(16), take(40)], [Some(16), None, Some(40)]);
        assert_eq!(kept.bytes, 0);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes long: megabytes, byte for byte")]
    fn ever_smaller_blocks_are_zeroed_and_free() {
        for pages in (16..300).rev().step_by(3) {
            let bytes = pages << 12;
            let block = allocate(bytes, pages % 2 == 0);
            assert!(pages % 2 == 1 || is_zero(block, bytes), "{pages}");
            // SAFETY: our block.
            unsafe {
                ptr::write_bytes(block, 7, bytes);
                free(block, bytes);
            }
        }
    }

    #[test]
    fn the_cache_stays_small() {
        let mut kept = Kept { blocks: Vec::new(), bytes: 0 };
        for i in 1..100 {
            kept.put(Block(ptr::null_mut(), i << 20));
            assert!(kept.blocks.len() <= KEPT_BLOCKS && kept.bytes <= KEPT_BYTES);
        }
    }
}
