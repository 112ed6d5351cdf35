//! What a loop captures: its arrays on the host, and its words for a device.
//!
//! Unsafe here: the environment is as long as its description says.

use crate::footprint::Footprint;
use pydd_abi::DTypeCode;
use pydd_abi::device::DeviceCapture;

/// Words before those of captures: start and step.
const LOOP_WORDS: usize = 2;

/// An array that a loop captures.
pub struct Array {
    /// The place of its first word.
    word: usize,
    /// None without elements.
    pub footprint: Option<Footprint>,
    pub is_written: bool,
}

pub struct Environment<'a> {
    words: &'a [u64],
    pub arrays: Vec<Array>,
}

impl<'a> Environment<'a> {
    /// # Errors
    /// Why a device cannot have it.
    ///
    /// # Safety
    /// `env` has the loop's words.
    pub unsafe fn read(captures: &[DeviceCapture], env: *const u64) -> Result<Self, &'static str> {
        let count = LOOP_WORDS + captures.iter().map(|c| c.words as usize).sum::<usize>();
        // SAFETY: by the caller's promise.
        let words: &'a [u64] = unsafe { std::slice::from_raw_parts(env, count) };
        let mut arrays = Vec::new();
        let mut word = LOOP_WORDS;
        for capture in captures {
            if capture.is_array != 0 {
                arrays.push(array(capture, word, words)?);
            }
            word += capture.words as usize;
        }
        Ok(Self { words, arrays })
    }

    /// The words for a device, where `address` says where an address of the host is there. Arrays without elements are nowhere.
    pub fn for_device(&self, address: impl Fn(usize) -> u64) -> Vec<u64> {
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

fn array(capture: &DeviceCapture, word: usize, words: &[u64]) -> Result<Array, &'static str> {
    let rank = usize::from(capture.rank);
    let data = words[word];
    let (dims, strides) = words[word + 2..word + 2 + 2 * rank].split_at(rank);
    if !is_aligned(capture.dtype, data, dims, strides) {
        return Err("an array's elements are not aligned");
    }
    let footprint = Footprint::new(data, capture.dtype.size(), dims, strides);
    let footprint = footprint.map_err(|_| "an array is larger than memory")?;
    Ok(Array { word, footprint, is_written: capture.written != 0 })
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
        let array = |rank: u8, written| DeviceCapture {
            words: 2 + 2 * u32::from(rank),
            is_array: 1,
            dtype: F64,
            rank,
            written,
        };
        let number = DeviceCapture { words: 1, is_array: 0, dtype: F64, rank: 0, written: 0 };
        let env = [5, 2, 1000, 99, 3, 8, 7, 2000, 98, 0, 8];
        let captures = [array(1, 1), number, array(1, 0)];
        // SAFETY: as long as said.
        let environment = unsafe { Environment::read(&captures, env.as_ptr()) }.unwrap();
        assert_eq!(environment.for_device(|a| a as u64 + 1), [5, 2, 1001, 0, 3, 8, 7, 0, 0, 0, 8]);
        assert_eq!(environment.arrays[0].footprint.as_ref().unwrap().span(), 1000..1024);
        assert!(environment.arrays[0].is_written && environment.arrays[1].footprint.is_none());
    }

    #[test]
    fn alignment_is_that_of_a_number() {
        assert!(is_aligned(DTypeCode::C128, 8, &[2], &[24]));
        assert!(!is_aligned(F64, 4, &[2], &[8]));
        assert!(!is_aligned(F64, 8, &[2], &[12]));
        assert!(is_aligned(F64, 8, &[1], &[12]));
    }
}
