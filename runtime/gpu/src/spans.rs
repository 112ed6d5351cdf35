//! What a range of a loop's iterations touches of an array.
//!
//! The module says it of one iteration, in sums of its index and of numbers that the environment holds. Of a range of iterations these are bounded from both
//! sides, product by product: so what comes out may be more than is touched, and never less.
//!
//! Unsafe here: tables of the module, and pointers of segments, which are read where the loop's arrays say.

use crate::code::items;
use crate::environment::Array;
use pydd_abi::DTypeCode;
use pydd_abi::device::{
    DeviceProduct, DeviceSpan, DeviceSum, SPAN_RANGE, SPAN_SEGMENT, SYMBOL_INDEX, SYMBOL_QUOTIENT,
};
use std::ops::{Range, RangeInclusive};

/// From the least to the greatest value.
type Interval = RangeInclusive<i128>;

/// Iterations of a loop, with what its environment holds.
pub struct Iterations<'a> {
    words: &'a [u64],
    range: Range<i64>,
}

impl<'a> Iterations<'a> {
    /// Of a range that is not empty.
    pub const fn new(words: &'a [u64], range: Range<i64>) -> Self {
        Self { words, range }
    }

    /// The part of an axis of `dim` elements that the iterations touch; all of it where that is not known. `pointers` finds a captured array by its number.
    ///
    /// # Safety
    /// The span is a module's; arrays are alive, and what they hold is the host's.
    pub unsafe fn part<'b>(
        &self,
        span: &DeviceSpan,
        dim: u64,
        pointers: impl Fn(u32) -> Option<&'b Array>,
    ) -> Range<u64> {
        // SAFETY: by the caller's promise.
        let known = unsafe {
            match span.kind {
                SPAN_RANGE => self.sum(&span.low).zip(self.sum(&span.high)).map(|(low, high)| {
                    let (low, high) = (*low.start(), *high.end());
                    low..high.saturating_add(1)
                }),
                SPAN_SEGMENT => pointers(span.pointers).and_then(|array| self.segments(span, array)),
                _ => None,
            }
        };
        let all = 0..dim;
        // Negative indices are counted from the end.
        let Some(known) = known.filter(|known| known.start >= 0) else { return all };
        let within = |value: i128| u64::try_from(value.clamp(0, i128::from(dim))).unwrap_or(dim);
        within(known.start)..within(known.end)
    }

    /// From the first to the last pointer of these iterations, and all between, whatever order they have.
    unsafe fn segments(&self, span: &DeviceSpan, pointers: &Array) -> Option<Range<i128>> {
        // SAFETY: by the caller's promise.
        let (first, last) = unsafe { (self.sum(&span.low)?, self.sum(&span.high)?) };
        let (&[dim], &[stride]) = (&pointers.dims[..], &pointers.strides[..]) else { return None };
        let (low, high) = (*first.start().min(last.start()), *first.end().max(last.end()));
        if low < 0 || high >= i128::from(dim) {
            return None;
        }
        let places = low as u64..=high as u64;
        // SAFETY: within the array, by the caller's promise.
        let values = places.map(|place| unsafe { integer(pointers, place, stride) });
        values
            .map(|value| value.map(|value| (value, value)))
            .reduce(|all, one| {
                let ((low, high), (value, _)) = (all?, one?);
                Some((low.min(value), high.max(value)))
            })?
            .map(|(low, high)| low..high)
    }

    unsafe fn sum(&self, sum: &DeviceSum) -> Option<Interval> {
        // SAFETY: by the caller's promise.
        let products = unsafe { items(sum.products, sum.n_products) };
        let start = i128::from(sum.constant);
        products.iter().try_fold(start..=start, |sum, product| {
            let product = self.product(product)?;
            let low = sum.start().checked_add(*product.start())?;
            Some(low..=sum.end().checked_add(*product.end())?)
        })
    }

    fn product(&self, product: &DeviceProduct) -> Option<Interval> {
        let factor = i128::from(product.factor);
        let symbols = product.symbols.iter().take_while(|&&symbol| symbol != 0);
        symbols.map(|&symbol| self.symbol(symbol)).try_fold(factor..=factor, |all, symbol| {
            let symbol = symbol?;
            let ends =
                [(all.start(), symbol.start()), (all.start(), symbol.end()), (all.end(), symbol.start())];
            let ends = [ends[0], ends[1], ends[2], (all.end(), symbol.end())];
            let ends = ends.map(|(a, b)| a.checked_mul(*b));
            let ends = [ends[0]?, ends[1]?, ends[2]?, ends[3]?];
            Some(*ends.iter().min()?..=*ends.iter().max()?)
        })
    }

    fn word(&self, place: u32) -> Option<i128> {
        self.words.get(place as usize).map(|word| i128::from(word.cast_signed()))
    }

    fn symbol(&self, symbol: u32) -> Option<Interval> {
        if symbol & SYMBOL_INDEX != 0 {
            return self.index();
        }
        let word = self.word(symbol & !SYMBOL_QUOTIENT)?;
        if symbol & SYMBOL_QUOTIENT == 0 {
            return Some(word..=word);
        }
        let index = self.index()?;
        (word > 0).then(|| index.start().div_euclid(word)..=index.end().div_euclid(word))
    }

    fn index(&self) -> Option<Interval> {
        let (start, step) = (self.word(0)?, self.word(1)?);
        let [first, last] = [self.range.start, self.range.end - 1].map(|i| start + step * i128::from(i));
        Some(first.min(last)..=first.max(last))
    }
}

/// An integer of an array.
unsafe fn integer(array: &Array, place: u64, stride: u64) -> Option<i128> {
    let at = (array.data.cast_signed()).wrapping_add(place.cast_signed().wrapping_mul(stride.cast_signed()));
    let at = at as *const u8;
    macro_rules! read {
        ($ty:ty) => {
            // SAFETY: by the caller's promise.
            i128::from(unsafe { at.cast::<$ty>().read_unaligned() })
        };
    }
    Some(match array.dtype {
        DTypeCode::I8 => read!(i8),
        DTypeCode::I16 => read!(i16),
        DTypeCode::I32 => read!(i32),
        DTypeCode::I64 => read!(i64),
        DTypeCode::U8 => read!(u8),
        DTypeCode::U16 => read!(u16),
        DTypeCode::U32 => read!(u32),
        DTypeCode::U64 => read!(u64),
        _ => return None,
    })
}
