//! The bytes of memory that an array's elements take.
//!
//! Unsafe here: elements are compared and copied by address, all within the array that the caller describes.

use std::ops::Range;

/// Where elements lie: blocks without gaps, at multiples of strides from the lowest one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// Address of the lowest byte.
    low: usize,
    /// Bytes of an element, and of a block of such.
    item: usize,
    block: usize,
    /// How often, and how many bytes apart; the greatest stride first.
    axes: Vec<(usize, usize)>,
}

impl Footprint {
    /// Of an array with strides in bytes; none without elements.
    ///
    /// # Errors
    /// It would be greater than memory is.
    pub fn new(data: u64, item: usize, dims: &[u64], strides: &[u64]) -> Result<Option<Self>, TooLarge> {
        if dims.contains(&0) {
            return Ok(None);
        }
        let mut low = data;
        let mut axes = Vec::with_capacity(dims.len());
        for (&dim, &stride) in dims.iter().zip(strides) {
            let stride = stride.cast_signed();
            if dim == 1 || stride == 0 {
                continue;
            }
            let reach = stride.unsigned_abs().checked_mul(dim - 1).ok_or(TooLarge)?;
            if stride < 0 {
                low = low.checked_sub(reach).ok_or(TooLarge)?;
            }
            axes.push((size(dim)?, size(stride.unsigned_abs())?));
        }
        axes.sort_by_key(|&(_, stride)| std::cmp::Reverse(stride));
        let mut block = item;
        while let Some((dim, _)) = axes.pop_if(|&mut (_, stride)| stride == block) {
            block = block.checked_mul(dim).ok_or(TooLarge)?;
        }
        let made = Self { low: size(low)?, item, block, axes };
        made.end().ok_or(TooLarge)?;
        Ok(Some(made))
    }

    /// All bytes of a range, which is not empty.
    pub const fn of_bytes(range: &Range<usize>) -> Self {
        Self { low: range.start, item: 1, block: range.end - range.start, axes: Vec::new() }
    }

    /// Whether all bytes of the span are elements'.
    pub const fn is_dense(&self) -> bool {
        self.axes.is_empty()
    }

    fn end(&self) -> Option<usize> {
        let mut end = self.low.checked_add(self.block)?;
        for &(dim, stride) in &self.axes {
            end = end.checked_add(stride.checked_mul(dim - 1)?)?;
        }
        Some(end)
    }

    /// All bytes from the first to the last one.
    pub fn span(&self) -> Range<usize> {
        self.low..self.end().expect("looked at when it was made")
    }

    /// Writes the elements that differ between two images of memory, which begin at an address: what they have of the array. What an iteration did not write is left alone: another
    /// thread may have written it meanwhile.
    ///
    /// # Safety
    /// The array is alive and may be written.
    pub unsafe fn write_changes(&self, begin: usize, before: &[u8], after: &[u8]) {
        let window = begin..begin + before.len();
        self.visit(&self.axes, self.low, &window, &mut |block, part| {
            let images = part.start - begin..part.end - begin;
            let (before, after) = (&before[images.clone()], &after[images]);
            // SAFETY: by the caller's promise, a part of a block of the array.
            unsafe { write_part(self.item, part.start - block, before, after, part.start as *mut u8) };
        });
    }

    /// The parts of blocks that lie in a window, each with the address of its block.
    fn visit(
        &self,
        axes: &[(usize, usize)],
        low: usize,
        window: &Range<usize>,
        act: &mut impl FnMut(usize, Range<usize>),
    ) {
        let Some((&(dim, stride), inner)) = axes.split_first() else {
            let part = low.max(window.start)..window.end.min(low + self.block);
            if !part.is_empty() {
                act(low, part);
            }
            return;
        };
        let reach = self.block + inner.iter().map(|&(dim, stride)| stride * (dim - 1)).sum::<usize>();
        let first = (window.start + 1).saturating_sub(low + reach).div_ceil(stride);
        let end = window.end.saturating_sub(low).div_ceil(stride).min(dim);
        for place in first..end {
            self.visit(inner, low + place * stride, window, act);
        }
    }
}

/// Memory is smaller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

fn size(value: u64) -> Result<usize, TooLarge> {
    usize::try_from(value).map_err(|_| TooLarge)
}

/// Writes what differs in a part of a block that begins so many bytes behind the block's begin. It may begin and end within an element.
unsafe fn write_part(item: usize, offset: usize, before: &[u8], after: &[u8], to: *mut u8) {
    let write = match item {
        1 => write_items::<1>,
        2 => write_items::<2>,
        4 => write_items::<4>,
        8 => write_items::<8>,
        _ => write_items::<16>,
    };
    let first = (offset.next_multiple_of(item) - offset).min(before.len());
    let last = before.len() - (before.len() - first) % item;
    let part = |write: unsafe fn(&[u8], &[u8], *mut u8), range: Range<usize>| {
        if !range.is_empty() {
            // SAFETY: by the caller's promise, within the part.
            unsafe { write(&before[range.clone()], &after[range.clone()], to.add(range.start)) };
        }
    };
    part(write_items::<1>, 0..first);
    part(write, first..last);
    part(write_items::<1>, last..before.len());
}

/// Bytes that are compared at once.
const STRETCH: usize = 4096;

unsafe fn write_items<const ITEM: usize>(before: &[u8], after: &[u8], to: *mut u8) {
    for (stretch, (old, new)) in before.chunks(STRETCH).zip(after.chunks(STRETCH)).enumerate() {
        if old == new {
            continue;
        }
        let (old, new) = (old.as_chunks::<ITEM>().0, new.as_chunks::<ITEM>().0);
        for (i, (old, new)) in old.iter().zip(new).enumerate() {
            if old != new {
                // SAFETY: within the block.
                unsafe { to.add(stretch * STRETCH + i * ITEM).cast::<[u8; ITEM]>().write(*new) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footprint(data: u64, dims: &[u64], strides: &[i64]) -> Footprint {
        let strides: Vec<u64> = strides.iter().map(|s| s.cast_unsigned()).collect();
        Footprint::new(data, 8, dims, &strides).unwrap().unwrap()
    }

    #[test]
    fn spans_follow_strides() {
        assert_eq!(footprint(1000, &[], &[]).span(), 1000..1008);
        assert_eq!(footprint(1000, &[3, 4], &[32, 8]).span(), 1000..1096);
        assert_eq!(footprint(1000, &[4, 3], &[8, 32]), footprint(1000, &[12], &[8]));
        assert_eq!(footprint(1000, &[5], &[-16]).span(), 936..1008);
        assert_eq!(footprint(1000, &[5, 7], &[0, 8]).span(), 1000..1056);
        assert_eq!(Footprint::new(1000, 8, &[5, 0], &[8, 8]), Ok(None));
        assert_eq!(Footprint::new(1000, 8, &[1 << 62], &[8]), Err(TooLarge));
        assert_eq!(Footprint::new(1000, 8, &[1 << 40], &[(-8i64).cast_unsigned()]), Err(TooLarge));
    }

    #[test]
    fn only_elements_that_changed_are_written() {
        let mut memory: Vec<u64> = (0..600).collect();
        let begin = memory.as_mut_ptr() as usize;
        let bytes = |values: &[u64]| values.iter().flat_map(|v| v.to_ne_bytes()).collect::<Vec<u8>>();
        let before = bytes(&memory);
        // A device doubled all bytes between the first and the last element.
        let after = bytes(&memory.iter().map(|v| 2 * v).collect::<Vec<_>>());
        // Meanwhile somebody wrote what lies between, and an element that stays.
        memory[1] = 77;
        memory[0] = 78;
        let whole = |dims: &[u64], strides: &[i64]| footprint(begin as u64, dims, strides);
        // SAFETY: within the memory.
        unsafe { whole(&[20, 10], &[240, 16]).write_changes(begin, &before, &after) };
        for (i, &value) in memory.iter().enumerate() {
            let is_element = i % 30 < 20 && i % 2 == 0;
            let expected = match i {
                0 => 78,
                1 => 77,
                _ if is_element => 2 * i as u64,
                _ => i as u64,
            };
            assert_eq!(value, expected, "{i}");
        }
    }

    #[test]
    fn windows_have_parts_of_elements() {
        let shapes: [(usize, &[u64], &[i64]); 7] = [
            (16, &[40], &[16]),
            (16, &[7, 4], &[136, 24]),
            (8, &[15, 3], &[56, 16]),
            (8, &[60], &[-16]),
            (4, &[3, 5, 7], &[300, 60, 8]),
            (1, &[900], &[1]),
            (8, &[6, 4], &[8, 16]),
        ];
        for (item, dims, strides) in shapes {
            for window in [1, 7, 24, 64, 1000] {
                for step in [1, 3] {
                    let mut memory = vec![1u8; 1000];
                    let begin = memory.as_mut_ptr() as usize;
                    let low = begin as u64 + if strides[0] < 0 { 960 } else { 8 };
                    let strides: Vec<u64> = strides.iter().map(|s| s.cast_unsigned()).collect();
                    let footprint = Footprint::new(low, item, dims, &strides).unwrap().unwrap();
                    let before = memory.clone();
                    let after: Vec<u8> =
                        (0..1000).map(|i| if i / item % step == 0 { 2 } else { 1 }).collect();
                    for at in (0..1000).step_by(window) {
                        let all = at..1000.min(at + window);
                        // SAFETY: within the memory.
                        unsafe { footprint.write_changes(begin + at, &before[all.clone()], &after[all]) };
                    }
                    let mut expected = before;
                    let counts: Vec<u64> = dims.to_vec();
                    for n in 0..counts.iter().product() {
                        let (mut n, mut at) = (n, low);
                        for (dim, stride) in counts.iter().zip(&strides) {
                            at = at.wrapping_add((n % dim).wrapping_mul(*stride));
                            n /= dim;
                        }
                        let at = at as usize - begin;
                        expected[at..at + item].copy_from_slice(&after[at..at + item]);
                    }
                    assert!(memory == expected, "{item} {dims:?} {strides:?} {window} {step}");
                }
            }
        }
    }
}
