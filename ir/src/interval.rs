//! Constant ranges of integers.

/// The integers from `low` to `high`, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    pub low: i128,
    pub high: i128,
}

impl Interval {
    /// All of int64.
    pub const I64: Self = Self { low: i64::MIN as i128, high: i64::MAX as i128 };

    #[must_use]
    pub const fn new(low: i128, high: i128) -> Self {
        Self { low, high }
    }

    #[must_use]
    pub const fn exactly(value: i128) -> Self {
        Self { low: value, high: value }
    }

    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self::new(self.low.saturating_add(other.low), self.high.saturating_add(other.high))
    }

    #[must_use]
    pub fn negated(self) -> Self {
        Self::new(self.high.saturating_neg(), self.low.saturating_neg())
    }

    #[must_use]
    pub fn scaled(self, factor: i128) -> Self {
        match factor {
            1 => self,
            -1 => self.negated(),
            _ => self.times(Self::exactly(factor)),
        }
    }

    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let ends = [
            self.low.saturating_mul(other.low),
            self.low.saturating_mul(other.high),
            self.high.saturating_mul(other.low),
            self.high.saturating_mul(other.high),
        ];
        Self::new(*ends.iter().min().expect("four"), *ends.iter().max().expect("four"))
    }
}
