//! How many threads do an iteration together, or iterations a thread. It depends on the loop alone, and so do the bits of its sums.

use crate::wish;
use pydd_abi::device::{
    BLOCK, DeviceLanes, LANES_PART, LANES_SEVERAL, LANES_SEVERAL_ROWS, LANES_SHARE, LANES_STEPS,
    SHORTEST_ROW, WARP,
};

/// Steps that a thread does at once.
const AT_ONCE: i64 = 4;

/// Their number's exponent of two. `words` are the environment; `parts` is 0 without accumulators.
pub fn exponent(lanes: &DeviceLanes, words: &[u64], iterations: i64, parts: i64) -> u32 {
    let word = || if lanes.word == 0 { 0 } else { words[lanes.word as usize].cast_signed() };
    let steps = match lanes.kind {
        LANES_STEPS => lanes.count.saturating_add(word()),
        LANES_PART => iterations / parts.max(1),
        // Measured: twice as many steps for a thread as it does at once are better than one for each.
        LANES_SHARE => word() / iterations.max(1) / 2,
        _ => return 0,
    };
    wish::lanes().unwrap_or(steps / AT_ONCE).clamp(1, i64::from(WARP)).ilog2()
}

/// How many iterations a thread does, and how long their rows are, as the environment says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Several {
    /// Others may do it with this thread.
    One,
    InBlocks(i64),
    InRows(i64, i64),
}

impl Several {
    pub fn new(lanes: &DeviceLanes, words: &[u64]) -> Self {
        match lanes.kind {
            LANES_SEVERAL => Self::InBlocks(lanes.count),
            LANES_SEVERAL_ROWS => Self::InRows(lanes.count, words[lanes.word as usize].cast_signed()),
            _ => Self::One,
        }
    }

    /// How many threads do so many iterations.
    pub fn threads(self, iterations: i64) -> i64 {
        let (count, apart) = match self {
            Self::One => (1, 1),
            Self::InRows(count, width) if (SHORTEST_ROW..=iterations).contains(&width) => (count, width),
            Self::InBlocks(count) | Self::InRows(count, _) => (count, BLOCK.into()),
        };
        ((iterations - 1) / (count * apart) + 1) * apart
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_have_several_of_a_column() {
        let of = |kind, word, iterations| {
            let lanes = DeviceLanes { kind, word, count: 4 };
            Several::new(&lanes, &[0, 1, 100, 31, i64::MAX.cast_unsigned()]).threads(iterations)
        };
        assert_eq!([1, 1024, 1025].map(|n| of(LANES_SEVERAL, 0, n)), [256, 256, 512]);
        assert_eq!([99, 100, 400, 401].map(|n| of(LANES_SEVERAL_ROWS, 2, n)), [256, 100, 100, 200]);
        assert_eq!([3, 4].map(|word| of(LANES_SEVERAL_ROWS, word, 1025)), [512, 512]);
        assert_eq!([1, 7].map(|n| of(LANES_STEPS, 2, n)), [1, 7]);
    }

    #[test]
    fn threads_have_steps_to_do() {
        let of = |kind, word, count| {
            exponent(&DeviceLanes { kind, word, count }, &[0, 1, 100, 640_000], 10_000, 250)
        };
        assert_eq!(of(LANES_STEPS, 0, 1), 0);
        assert_eq!(of(LANES_STEPS, 0, 16), 2);
        assert_eq!(of(LANES_STEPS, 2, -84), 2);
        assert_eq!(of(LANES_STEPS, 2, i64::MAX), 5);
        assert_eq!(of(LANES_STEPS, 2, -1000), 0);
        assert_eq!(of(LANES_SHARE, 3, 0), 3);
        assert_eq!(of(LANES_PART, 0, 0), 3);
        assert_eq!(of(0, 3, 1000), 0);
    }
}
