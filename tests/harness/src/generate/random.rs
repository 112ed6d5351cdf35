//! Random numbers; a seed means the same program everywhere.

use pydd_test_support::rng::Rng;

pub struct Random(Rng);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Rng::from_state(seed))
    }

    /// In `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n.max(1))
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
