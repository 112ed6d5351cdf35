//! A small random generator, SplitMix64 (Steele, Lea, Flood 2014): the same seed gives the same numbers for ever.

#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self::stream(seed, 1)
    }

    /// One of many streams of a seed.
    #[must_use]
    pub const fn stream(seed: u64, number: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03))
    }

    /// The stream that goes on from a state.
    #[must_use]
    pub const fn from_state(state: u64) -> Self {
        Self(state)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// In `0..n`; 0 where n is 0.
    #[allow(clippy::cast_possible_truncation, reason = "less than n")]
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.word() % n as u64) as usize }
    }

    /// In `low..=high`.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        let span = high.wrapping_sub(low).cast_unsigned() + 1;
        low.wrapping_add((self.word() % span).cast_signed())
    }

    /// True in so many cases of 100.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.word() % 100 < chance
    }

    /// One of the items, of which there must be one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn numbers_are_those_of_the_paper() {
        let mut rng = Rng::from_state(1_234_567);
        let numbers = [rng.word(), rng.word(), rng.word()];
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn limits_hold() {
        let mut rng = Rng::new(3);
        assert_eq!(rng.below(0), 0);
        assert!((0..100).all(|_| (-2..=5).contains(&rng.range(-2, 5)) && rng.below(3) < 3));
    }
}
