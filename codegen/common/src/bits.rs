//! Small sets of dense numbers.

/// A set of numbers below some small bound.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// Adds `index`; whether it is new.
    pub fn insert(&mut self, index: usize) -> bool {
        let (word, bit) = (index / 64, 1 << (index % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    #[must_use]
    pub fn contains(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word & 1 << (index % 64) != 0)
    }

    /// Adds all of `other`; whether any of it is new.
    pub fn union(&mut self, other: &Self) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut new = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            new |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        new
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|&index| self.contains(index))
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(items: I) -> Self {
        let mut bits = Self::default();
        items.into_iter().for_each(|index| {
            bits.insert(index);
        });
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn union_says_what_is_new() {
        let mut a: Bits = [1, 70].into_iter().collect();
        let b: Bits = [1, 3].into_iter().collect();
        assert!(a.union(&b));
        assert!(!a.union(&b));
        assert_eq!(a.iter().collect::<Vec<_>>(), [1, 3, 70]);
        assert_eq!(a.len(), 3);
        assert!(!Bits::default().union(&Bits::default()));
    }
}
