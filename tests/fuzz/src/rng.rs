//! A small random generator (SplitMix64): the same seed gives the same inputs for ever.

#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The stream of an epoch of a seed.
    #[must_use]
    pub const fn new(seed: u64, epoch: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ epoch.wrapping_mul(0xd1b5_4a32_d192_ed03))
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In `0..limit`; 0 where the limit is 0.
    #[allow(clippy::cast_possible_truncation, reason = "less than the limit")]
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit.max(1) as u64) as usize
    }

    /// True in so many cases of 100.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.number() % 100 < chance
    }

    /// One of the items, of which there must be one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
