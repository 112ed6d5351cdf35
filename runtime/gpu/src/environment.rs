//! What a loop captures: its arrays on the host, and its words for a device.
//!
//! Unsafe here: the environment is as long as its description says.

use crate::code::items;
use crate::footprint::Footprint;
use crate::mirror::{Content, Overwrite, Use};
use crate::segments;
use crate::spans::Iterations;
use pydd_abi::DTypeCode;
use pydd_abi::device::{
    CAPTURE_ARRAY, CAPTURE_BLANK, CAPTURE_COVERED, CAPTURE_FILLED, CAPTURE_WRITTEN, CAPTURE_WRITTEN_LATER,
    CAPTURE_ZEROS, DeviceCapture, DeviceSpan, LOOP_WORDS, SPAN_SEGMENT,
};
use std::ops::Range;

/// An array that a loop captures.
pub struct Array {
    /// The place of its first word.
    word: usize,
    /// Its number among the captures.
    capture: u32,
    pub data: u64,
    pub dtype: DTypeCode,
    pub dims: Vec<u64>,
    /// In bytes.
    pub strides: Vec<u64>,
    /// None without elements.
    pub footprint: Option<Footprint>,
    /// By part of the iterations.
    pub usage: Use,
    /// What an iteration that is done has written, beside others that are.
    overwrite: Overwrite,
    /// What an iteration touches, by axis; nothing where that is not known.
    spans: &'static [DeviceSpan],
    is_aligned: bool,
}

pub struct Environment<'a> {
    words: &'a [u64],
    pub arrays: Vec<Array>,
}

/// What some iterations use.
pub struct Part {
    /// By array; none where there are no elements.
    pub footprints: Vec<Option<Footprint>>,
    /// Memory in pieces that do not overlap.
    pub segments: Vec<(Range<usize>, Use)>,
}

impl Part {
    /// What uses of some arrays are together.
    pub fn new(uses: Vec<(Option<Footprint>, Use)>) -> Self {
        let segments =
            segments::join(uses.iter().filter_map(|(footprint, _)| Some(footprint.as_ref()?.span())));
        let with_usage = |range: Range<usize>| (range.clone(), usage(&uses, &range));
        let segments = segments.into_iter().map(with_usage).collect();
        Self { segments, footprints: uses.into_iter().map(|(footprint, _)| footprint).collect() }
    }

    pub fn bytes(&self) -> usize {
        self.segments.iter().map(|(span, _)| span.len()).sum()
    }
}

/// How a range of memory is used, by all arrays in it.
fn usage(uses: &[(Option<Footprint>, Use)], range: &Range<usize>) -> Use {
    let inside = |(footprint, usage): &(Option<Footprint>, Use)| {
        footprint.as_ref().is_some_and(|f| range.contains(&f.span().start)).then_some(*usage)
    };
    let all: Vec<Use> = uses.iter().filter_map(inside).collect();
    let any = |what: fn(&Use) -> bool| all.iter().any(what);
    let content = match all[..] {
        [first, ref rest @ ..] if rest.iter().all(|other| other.content == first.content) => first.content,
        _ => Content::Data,
    };
    // What all write that are in it is all of it.
    let overwrite = all.iter().map(|usage| usage.overwrite).min().unwrap_or_default();
    Use {
        overwrite,
        is_written: any(|usage| usage.is_written),
        may_be_written: any(|usage| usage.may_be_written),
        is_shared: any(|usage| usage.is_shared),
        content,
    }
}

impl<'a> Environment<'a> {
    /// `is_own` says of an owner whether its memory was allocated for this call, so that nobody else knows it.
    ///
    /// # Errors
    /// An array is larger than memory.
    ///
    /// # Safety
    /// `env` has the loop's words, and the descriptions live for ever.
    pub unsafe fn read(
        captures: &[DeviceCapture],
        env: *const u64,
        is_own: fn(u64) -> bool,
    ) -> Result<Self, &'static str> {
        let count = LOOP_WORDS + captures.iter().map(|c| c.words as usize).sum::<usize>();
        // SAFETY: by the caller's promise.
        let words: &'a [u64] = unsafe { std::slice::from_raw_parts(env, count) };
        let mut arrays = Vec::new();
        let mut word = LOOP_WORDS;
        for (number, capture) in (0..).zip(captures) {
            if capture.flags & CAPTURE_ARRAY != 0 {
                // SAFETY: by the caller's promise.
                arrays.push(unsafe { Array::read((number, capture), word, words, is_own)? });
            }
            word += capture.words as usize;
        }
        Ok(Self { words, arrays })
    }

    /// Whether a device can read all numbers.
    pub fn is_aligned(&self) -> bool {
        self.arrays.iter().all(|array| array.is_aligned)
    }

    /// Whether indices of so many iterations from the loop's start, and of those that threads of the last block are left without, are int64.
    pub fn holds_indices(&self, iterations: i64) -> bool {
        let [start, step] = [0, 1].map(|word| i128::from(self.words[word].cast_signed()));
        i64::try_from(start + step * i128::from(iterations)).is_ok()
    }

    /// What all iterations use, which are so many.
    pub fn whole(&self, n: i64) -> Part {
        let whole = |array: &Array| {
            (array.footprint.clone(), array.usage_by(n, array.footprint.as_ref(), &array.dims))
        };
        Part::new(self.arrays.iter().map(whole).collect())
    }

    /// Whether some iterations may use less than all.
    pub fn has_parts(&self) -> bool {
        self.arrays.iter().any(|array| !array.spans.is_empty())
    }

    /// Arrays of pointers that say what iterations use.
    pub fn pointers(&self) -> impl Iterator<Item = &Array> {
        let segments = self.arrays.iter().flat_map(|array| array.spans).filter(|s| s.kind == SPAN_SEGMENT);
        segments.filter_map(|span| self.captured(span.pointers))
    }

    fn captured(&self, number: u32) -> Option<&Array> {
        self.arrays.iter().find(|array| array.capture == number)
    }

    /// What a range of iterations uses, which is not empty.
    ///
    /// # Safety
    /// The host has what [`Self::pointers`] hold.
    pub unsafe fn part(&self, range: Range<i64>) -> Part {
        let n = range.end - range.start;
        let iterations = Iterations::new(self.words, range);
        let part = |array: &Array| {
            if array.spans.is_empty() || array.footprint.is_none() {
                let footprint = array.footprint.clone();
                let usage = array.usage_by(n, footprint.as_ref(), &array.dims);
                return (footprint, usage);
            }
            let (mut data, mut dims) = (array.data, array.dims.clone());
            for ((span, dim), &stride) in array.spans.iter().zip(&mut dims).zip(&array.strides) {
                // SAFETY: by the caller's promise, and that of `read`.
                let touched = unsafe { iterations.part(span, *dim, |number| self.captured(number)) };
                data = data.wrapping_add(touched.start.wrapping_mul(stride));
                *dim = touched.end.saturating_sub(touched.start);
            }
            let footprint = Footprint::new(data, array.dtype.size(), &dims, &array.strides);
            let footprint = footprint.expect("a part of an array");
            let usage = array.usage_by(n, footprint.as_ref(), &dims);
            (footprint, usage)
        };
        Part::new(self.arrays.iter().map(part).collect())
    }

    /// Its words, as the host has them.
    pub const fn words(&self) -> &[u64] {
        self.words
    }

    /// The words for a device, where `address` says where an address of the host is there. Arrays without elements are nowhere.
    pub fn for_device(&self, part: &Part, mut address: impl FnMut(usize) -> u64) -> Vec<u64> {
        let mut words = self.words.to_vec();
        for (array, footprint) in self.arrays.iter().zip(&part.footprints) {
            // The array's first element may lie outside of what is used, or behind it.
            let moved = |footprint: &Footprint| {
                let low = footprint.span().start;
                address(low).wrapping_add(array.data.wrapping_sub(low as u64))
            };
            words[array.word] = footprint.as_ref().map_or(0, moved);
            words[array.word + 1] = 0;
        }
        words
    }
}

impl Array {
    /// How so many iterations use the elements that they may touch: if each writes one of its own, and there are no more, they write all.
    fn usage_by(&self, n: i64, footprint: Option<&Footprint>, dims: &[u64]) -> Use {
        let count = dims.iter().try_fold(1u64, |count, &dim| count.checked_mul(dim));
        let is_all = u64::try_from(n).ok() == count && footprint.is_some_and(Footprint::is_dense);
        Use { overwrite: if is_all { self.overwrite } else { Overwrite::Part }, ..self.usage }
    }

    unsafe fn read(
        (number, capture): (u32, &DeviceCapture),
        word: usize,
        words: &[u64],
        is_own: fn(u64) -> bool,
    ) -> Result<Self, &'static str> {
        let rank = usize::from(capture.rank);
        let data = words[word];
        let (dims, strides) = words[word + 2..word + 2 + 2 * rank].split_at(rank);
        let footprint = Footprint::new(data, capture.dtype.size(), dims, strides);
        let has = |flag: u8| capture.flags & flag != 0;
        let is_shared = !is_own(words[word + 1]);
        let content = match (is_shared, has(CAPTURE_BLANK), has(CAPTURE_ZEROS)) {
            (false, true, false) => Content::Nothing,
            (false, true, true) => Content::Zeros,
            _ => Content::Data,
        };
        let usage = Use {
            is_written: has(CAPTURE_WRITTEN),
            may_be_written: has(CAPTURE_WRITTEN_LATER),
            is_shared,
            content,
            overwrite: Overwrite::Part,
        };
        let overwrite = match (has(CAPTURE_COVERED), has(CAPTURE_FILLED)) {
            (false, _) => Overwrite::Part,
            (true, false) => Overwrite::All,
            (true, true) => Overwrite::Blind,
        };
        let n_spans = if capture.spans.is_null() { 0 } else { capture.rank.into() };
        Ok(Self {
            word,
            capture: number,
            data,
            dtype: capture.dtype,
            dims: dims.to_vec(),
            strides: strides.to_vec(),
            footprint: footprint.map_err(|_| "an array is larger than memory")?,
            usage,
            overwrite,
            // SAFETY: by the caller's promise.
            spans: unsafe { items(capture.spans, n_spans) },
            is_aligned: is_aligned(capture.dtype, data, dims, strides),
        })
    }
}

/// A device reads no number across the borders of its size, as processors do.
fn is_aligned(dtype: DTypeCode, data: u64, dims: &[u64], strides: &[u64]) -> bool {
    let number = match dtype {
        DTypeCode::C64 | DTypeCode::C128 => dtype.size() / 2,
        other => other.size(),
    } as u64;
    let used = dims.iter().zip(strides).filter(|&(&dim, _)| dim > 1);
    dims.contains(&0)
        || data.is_multiple_of(number) && used.into_iter().all(|(_, s)| s.is_multiple_of(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pydd_abi::device::{DeviceProduct, DeviceSum, SPAN_ALL, SPAN_RANGE, SYMBOL_INDEX, SYMBOL_QUOTIENT};

    const F64: DTypeCode = DTypeCode::F64;

    const fn array(rank: u8, flags: u8, spans: &'static [DeviceSpan]) -> DeviceCapture {
        DeviceCapture {
            spans: if spans.is_empty() { std::ptr::null() } else { spans.as_ptr() },
            words: 2 + 2 * rank as u32,
            flags: CAPTURE_ARRAY | flags,
            dtype: F64,
            rank,
            _pad: 0,
        }
    }

    fn number() -> DeviceCapture {
        DeviceCapture { words: 1, flags: 0, ..array(0, 0, &[]) }
    }

    #[test]
    fn arrays_move_and_owners_go() {
        let env = [5, 2, 1000, 99, 3, 8, 7, 2000, 98, 0, 8];
        let captures = [array(1, CAPTURE_WRITTEN | CAPTURE_BLANK, &[]), number(), array(1, 0, &[])];
        // SAFETY: as long as said.
        let environment = unsafe { Environment::read(&captures, env.as_ptr(), |owner| owner == 99) }.unwrap();
        let whole = environment.whole(3);
        let words = environment.for_device(&whole, |address| address as u64 + 1);
        assert_eq!(words, [5, 2, 1001, 0, 3, 8, 7, 0, 0, 0, 8]);
        let usage = Use { is_written: true, content: Content::Nothing, ..Use::default() };
        assert_eq!(whole.segments, [(1000..1024, usage)]);
        assert!(whole.footprints[1].is_none() && !environment.has_parts());
    }

    const fn product(factor: i64, symbol: u32) -> DeviceProduct {
        DeviceProduct { factor, symbols: [symbol, 0, 0, 0, 0, 0] }
    }

    const fn sum(products: &'static [DeviceProduct], constant: i64) -> DeviceSum {
        DeviceSum { products: products.as_ptr(), constant, n_products: products.len() as u32, _pad: 0 }
    }

    const fn span(kind: u32, pointers: u32, low: DeviceSum, high: DeviceSum) -> DeviceSpan {
        DeviceSpan { kind, pointers, low, high }
    }

    const ALL: DeviceSpan = span(SPAN_ALL, 0, sum(&[], 0), sum(&[], 0));
    const INDEX: &[DeviceProduct] = &[product(1, SYMBOL_INDEX)];

    /// The memory of the first array for a range of iterations.
    fn part(captures: &[DeviceCapture], env: &[u64], range: Range<i64>) -> Option<Range<usize>> {
        // SAFETY: as long as said; pointers are a test's own.
        let part = unsafe { Environment::read(captures, env.as_ptr(), |_| true).unwrap().part(range) };
        part.footprints[0].as_ref().map(Footprint::span)
    }

    #[test]
    fn iterations_use_a_part_with_its_borders() {
        const ROWS: &[DeviceSpan] = &[span(SPAN_RANGE, 0, sum(INDEX, -1), sum(INDEX, 1)), ALL];
        let captures = [array(2, 0, ROWS)];
        let rows = |data: u64, stride: i64, first: u64, step: i64| {
            [first, step.cast_unsigned(), data, 0, 10, 4, stride.cast_unsigned(), 8]
        };
        let one = |env: [u64; 8], range| part(&captures, &env, range);
        assert_eq!(one(rows(1000, 32, 1, 1), 0..8), Some(1000..1320));
        assert_eq!(one(rows(1000, 32, 1, 1), 2..4), Some(1064..1192));
        // By steps, from the end, and with the array's end before its begin.
        assert_eq!(one(rows(1000, 32, 1, 3), 1..2), Some(1096..1192));
        assert_eq!(one(rows(1000, 32, 8, -1), 0..2), Some(1192..1320));
        assert_eq!(one(rows(1288, -32, 1, 1), 0..1), Some(1224..1320));
        // What counts from the end may be anywhere, and what is outside of the array is nowhere.
        assert_eq!(one(rows(1000, 32, 0, 1), 0..2), Some(1000..1320));
        assert_eq!(one(rows(1000, 32, 9, 1), 0..5), Some(1256..1320));
        assert_eq!(one(rows(1000, 32, 20, 1), 0..5), None);
    }

    #[test]
    fn products_quotients_and_numbers_that_are_too_large() {
        const FLAT: &[DeviceProduct] =
            &[DeviceProduct { factor: -2, symbols: [SYMBOL_INDEX, 6, 0, 0, 0, 0] }];
        const ROW: &[DeviceProduct] = &[product(1, SYMBOL_QUOTIENT | 6)];
        const HUGE: &[DeviceProduct] = &[DeviceProduct { factor: i64::MAX, symbols: [6; 6] }];
        let one = |spans: &'static [DeviceSpan], by: i64, range| {
            let captures = [array(1, 0, spans), number()];
            part(&captures, &[0, 1, 1000, 0, 100, 8, by.cast_unsigned()], range)
        };
        const FALLING: &[DeviceSpan] = &[span(SPAN_RANGE, 0, sum(FLAT, 99), sum(FLAT, 99))];
        assert_eq!(one(FALLING, 5, 0..3), Some(1000 + 8 * 79..1800));
        const ROWS: &[DeviceSpan] = &[span(SPAN_RANGE, 0, sum(ROW, 0), sum(ROW, 0))];
        assert_eq!(one(ROWS, 7, 13..29), Some(1008..1040));
        assert_eq!(one(ROWS, 0, 13..29), Some(1000..1800));
        const BEYOND: &[DeviceSpan] = &[span(SPAN_RANGE, 0, sum(HUGE, 0), sum(HUGE, 0))];
        assert_eq!(one(BEYOND, i64::MAX, 0..1), Some(1000..1800));
    }

    #[test]
    fn segments_lie_between_pointers_of_any_order() {
        const SEGMENT: &[DeviceSpan] = &[span(SPAN_SEGMENT, 1, sum(INDEX, 0), sum(INDEX, 1))];
        let captures = [array(1, 0, SEGMENT), DeviceCapture { dtype: DTypeCode::I32, ..array(1, 0, &[]) }];
        let one = |pointers: &[i32], range| {
            let (data, n) = (pointers.as_ptr() as u64, pointers.len() as u64);
            part(&captures, &[0, 1, 1000, 0, 50, 8, data, 0, n, 4], range)
        };
        let rising = [0, 3, 3, 10, 40];
        assert_eq!(one(&rising, 2..4), Some(1024..1320));
        assert_eq!(one(&rising, 1..2), None);
        assert_eq!(one(&[0, 30, 20, 40], 1..2), Some(1160..1240));
        // There is no pointer, or it is none.
        assert_eq!(one(&rising, 3..5), Some(1000..1400));
        assert_eq!(one(&[-1, 30], 0..1), Some(1000..1400));
        assert_eq!(one(&[20, 99], 0..1), Some(1160..1400));
    }

    #[test]
    fn alignment_is_that_of_a_number() {
        assert!(is_aligned(DTypeCode::C128, 8, &[2], &[24]));
        assert!(!is_aligned(F64, 4, &[2], &[8]));
        assert!(!is_aligned(F64, 8, &[2], &[12]));
        assert!(is_aligned(F64, 8, &[1], &[12]));
    }
}
