//! What a loop captures: its arrays on the host, and its words for a device.
//!
//! Unsafe here: the environment is as long as its description says.

use crate::footprint::Footprint;
use crate::mirror::{Content, Use};
use pydd_abi::DTypeCode;
use pydd_abi::device::{
    CAPTURE_ARRAY, CAPTURE_BLANK, CAPTURE_WRITTEN, CAPTURE_WRITTEN_LATER, CAPTURE_ZEROS, DeviceCapture,
};
use std::ops::Range;

/// Words before those of captures: start and step.
const LOOP_WORDS: usize = 2;

/// An array that a loop captures.
pub struct Array {
    /// The place of its first word.
    word: usize,
    /// None without elements.
    pub footprint: Option<Footprint>,
    pub usage: Use,
    is_aligned: bool,
}

pub struct Environment<'a> {
    words: &'a [u64],
    pub arrays: Vec<Array>,
}

impl<'a> Environment<'a> {
    /// `is_own` says of an owner whether its memory was allocated for this call, so that nobody else knows it.
    ///
    /// # Errors
    /// An array is larger than memory.
    ///
    /// # Safety
    /// `env` has the loop's words.
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
        for capture in captures {
            if capture.flags & CAPTURE_ARRAY != 0 {
                arrays.push(array(capture, word, words, is_own)?);
            }
            word += capture.words as usize;
        }
        Ok(Self { words, arrays })
    }

    /// Whether a device can read all numbers.
    pub fn is_aligned(&self) -> bool {
        self.arrays.iter().all(|array| array.is_aligned)
    }

    /// How a range of memory is used, by all arrays in it.
    pub fn usage(&self, range: &Range<usize>) -> Use {
        let inside = |array: &&Array| {
            array.footprint.as_ref().is_some_and(|footprint| range.contains(&footprint.span().start))
        };
        let all: Vec<Use> = self.arrays.iter().filter(inside).map(|array| array.usage).collect();
        let any = |what: fn(&Use) -> bool| all.iter().any(what);
        let content = match all[..] {
            [first, ref rest @ ..] if rest.iter().all(|other| other.content == first.content) => {
                first.content
            }
            _ => Content::Data,
        };
        Use {
            is_written: any(|usage| usage.is_written),
            may_be_written: any(|usage| usage.may_be_written),
            is_shared: any(|usage| usage.is_shared),
            content,
        }
    }

    /// The words for a device, where `address` says where an address of the host is there. Arrays without elements are nowhere.
    pub fn for_device(&self, mut address: impl FnMut(usize) -> u64) -> Vec<u64> {
        let mut words = self.words.to_vec();
        for array in &self.arrays {
            let data = words[array.word];
            // An array with a negative stride has its data at its end, but within.
            words[array.word] = if array.footprint.is_some() { address(data as usize) } else { 0 };
            words[array.word + 1] = 0;
        }
        words
    }
}

fn array(
    capture: &DeviceCapture,
    word: usize,
    words: &[u64],
    is_own: fn(u64) -> bool,
) -> Result<Array, &'static str> {
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
    };
    Ok(Array {
        word,
        footprint: footprint.map_err(|_| "an array is larger than memory")?,
        usage,
        is_aligned: is_aligned(capture.dtype, data, dims, strides),
    })
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

    const F64: DTypeCode = DTypeCode::F64;

    #[test]
    fn arrays_move_and_owners_go() {
        let array = |rank: u8, flags| DeviceCapture {
            words: 2 + 2 * u32::from(rank),
            flags: CAPTURE_ARRAY | flags,
            dtype: F64,
            rank,
            _pad: 0,
        };
        let number = DeviceCapture { words: 1, flags: 0, dtype: F64, rank: 0, _pad: 0 };
        let env = [5, 2, 1000, 99, 3, 8, 7, 2000, 98, 0, 8];
        let captures = [array(1, CAPTURE_WRITTEN | CAPTURE_BLANK), number, array(1, 0)];
        // SAFETY: as long as said.
        let environment = unsafe { Environment::read(&captures, env.as_ptr(), |owner| owner == 99) }.unwrap();
        assert_eq!(environment.for_device(|a| a as u64 + 1), [5, 2, 1001, 0, 3, 8, 7, 0, 0, 0, 8]);
        assert_eq!(environment.arrays[0].footprint.as_ref().unwrap().span(), 1000..1024);
        assert!(environment.arrays[1].footprint.is_none());
        let usage = Use { is_written: true, content: Content::Nothing, ..Use::default() };
        assert_eq!(environment.usage(&(1000..1024)), usage);
    }

    #[test]
    fn alignment_is_that_of_a_number() {
        assert!(is_aligned(DTypeCode::C128, 8, &[2], &[24]));
        assert!(!is_aligned(F64, 4, &[2], &[8]));
        assert!(!is_aligned(F64, 8, &[2], &[12]));
        assert!(is_aligned(F64, 8, &[1], &[12]));
    }
}
