//! How the iterations of a parallel loop are cut into parts, and how the parts' results are combined.
//!
//! The number of parts follows from the number of iterations and the cost of one, never from the machine, and results
//! are combined in a balanced tree over the parts: the tree of a range has on its left as many parts as the greatest power of two
//! below their number. So the parts `k * 2^j .. (k + 1) * 2^j` are one node of it, and whoever computes which
//! pieces of the range (threads, processes, another machine), whole parts give the same bits.

use core::ops::Range;

/// Scalar operations worth a part.
pub const PART_COST: i64 = 32 << 10;

/// Less work than this, in scalar operations, is one part.
pub const TWO_PARTS: i64 = 2 * PART_COST;

/// Long parts begin at multiples of this, so that none but the last ends with less than vectors hold.
pub const UNIT: i64 = 16;

/// Iterations of a long part.
pub const LONG: i64 = 64;

/// How `0..n` is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    n: i64,
    count: i64,
}

impl Parts {
    /// For `n` iterations that cost about so many scalar operations each.
    #[must_use]
    pub const fn new(n: i64, cost: i64) -> Self {
        let n = if n < 0 { 0 } else { n };
        let cost = if cost < 1 { 1 } else { cost };
        let wanted = n.saturating_mul(cost) / PART_COST;
        let wanted = if wanted < 1 { 1 } else { wanted };
        Self { n, count: if wanted < n { wanted } else { n } }
    }

    /// How many parts there are.
    #[must_use]
    pub const fn count(self) -> i64 {
        self.count
    }

    /// The first iteration of a part; of the one past the last, the number of iterations.
    #[must_use]
    pub const fn start(self, part: i64) -> i64 {
        if self.count == 0 {
            return 0;
        }
        // Quotient and remainder apart, lest n * part overflows.
        let rest = (self.n % self.count) as i128 * part as i128 / self.count as i128;
        let start = self.n / self.count * part + rest as i64;
        if part < self.count && self.n / self.count >= LONG { start - start % UNIT } else { start }
    }

    /// The iterations of a part; their numbers differ by one at most, and those of long parts by so many as there are in vectors.
    #[must_use]
    pub const fn range(self, part: i64) -> Range<i64> {
        self.start(part)..self.start(part + 1)
    }

    /// The first part that begins at an iteration or behind it: a piece of the range that begins there begins with it.
    #[must_use]
    pub const fn from_iteration(self, iteration: i64) -> i64 {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.start(middle) < iteration {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// Results of neighbouring parts, combined as far as the tree has them as nodes.
#[derive(Clone, Debug)]
pub struct Nodes<A> {
    /// The part past the last one.
    end: i64,
    /// By size, greatest first where the parts begin with 0: `2^level` parts each.
    stack: Vec<(u32, A)>,
}

impl<A> Nodes<A> {
    /// None, before this part.
    #[must_use]
    pub const fn new(begin: i64) -> Self {
        Self { end: begin, stack: Vec::new() }
    }

    /// Adds the next `2^level` parts, which are a node of the tree.
    ///
    /// `combine` makes of two results, the left one first, the left one.
    pub fn push(&mut self, level: u32, result: A, combine: &mut impl FnMut(&mut A, A)) {
        let (mut level, mut result) = (level, result);
        self.end += 1 << level;
        // As long as what is before is the left half of a node.
        while let Some((_, left)) =
            self.stack.pop_if(|(size, _)| *size == level && (self.end >> level) & 1 == 0)
        {
            let right = core::mem::replace(&mut result, left);
            combine(&mut result, right);
            level += 1;
        }
        self.stack.push((level, result));
    }

    /// The greatest node that the next parts begin with, of which there are `count`, at least one: `2^level` parts.
    #[must_use]
    pub const fn level_of_next(&self, count: u64) -> u32 {
        let begins = if self.end == 0 { u64::BITS } else { self.end.trailing_zeros() };
        let most = count.ilog2();
        if begins < most { begins } else { most }
    }

    /// Adds what was combined of the parts that follow.
    pub fn join(&mut self, next: Self, combine: &mut impl FnMut(&mut A, A)) {
        for (level, result) in next.stack {
            self.push(level, result, combine);
        }
    }

    /// The result of all parts, where these began with 0.
    pub fn finish(mut self, combine: &mut impl FnMut(&mut A, A)) -> Option<A> {
        let (_, mut right) = self.stack.pop()?;
        while let Some((_, mut left)) = self.stack.pop() {
            combine(&mut left, right);
            right = left;
        }
        Some(right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_the_iterations_once() {
        for (n, cost) in [(0, 1), (1, i64::MAX), (7, 1 << 20), (1_000_003, 100), (i64::MAX, 1)] {
            let parts = Parts::new(n, cost);
            let step = (parts.count() / 1000).max(1);
            for part in (0..parts.count()).step_by(usize::try_from(step).unwrap()) {
                let range = parts.range(part);
                assert!(range.start < range.end, "{n} {cost} {part}");
                assert_eq!(parts.from_iteration(range.start), part);
                assert_eq!(parts.from_iteration(range.start + 1), part + 1);
            }
            assert_eq!((parts.start(0), parts.start(parts.count())), (0, n));
        }
        assert_eq!(Parts::new(-5, 1).count(), 0);
        assert_eq!(Parts::new(100, 10).count(), 1);
    }

    /// What is combined with what, as text.
    fn whole(parts: i64) -> String {
        if parts == 1 {
            return "x".to_owned();
        }
        let left = 1 << (parts - 1).ilog2();
        format!("({}{})", whole(left), whole(parts - left))
    }

    fn pair(left: &mut String, right: String) {
        *left = format!("({left}{right})");
    }

    #[test]
    fn any_split_gives_the_same_tree() {
        for count in 1..70 {
            for cut in 0..=count {
                for second in cut..=count {
                    let mut pieces = [(0, cut), (cut, second), (second, count)].map(|(begin, end)| {
                        let mut nodes = Nodes::new(begin);
                        (begin..end).for_each(|_| nodes.push(0, "x".to_owned(), &mut pair));
                        nodes
                    });
                    let [first, middle, last] = &mut pieces;
                    first.join(middle.clone(), &mut pair);
                    first.join(last.clone(), &mut pair);
                    assert_eq!(
                        first.clone().finish(&mut pair).unwrap(),
                        whole(count),
                        "{count} {cut} {second}"
                    );
                }
            }
        }
        assert_eq!(Nodes::<String>::new(0).finish(&mut pair), None);
    }

    #[test]
    fn nodes_are_as_large_as_the_tree_has_them() {
        let levels = |begin: i64, mut count: u64| {
            let mut nodes = Nodes::new(begin);
            let mut levels = Vec::new();
            while count > 0 {
                let level = nodes.level_of_next(count);
                nodes.push(level, (), &mut |&mut (), ()| {});
                levels.push(level);
                count -= 1 << level;
            }
            levels
        };
        assert_eq!(levels(0, 13), [3, 2, 0]);
        assert_eq!(levels(3, 13), [0, 2, 3]);
        assert_eq!(levels(4, 4), [2]);
        assert_eq!(levels(6, 1), [0]);
    }
}
