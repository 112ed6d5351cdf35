//! Sums of products of symbols with whole coefficients: `2*i*m + j - 1`.
//!
//! They stand for exact integers, not for wrapped ones: who makes one of an operation has proved, or sees to
//! it, that the operation does not overflow. What grows past [`LIMIT`] or [`DEGREE`] is given up.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use pydd_ir::{Entity, Op, Value};

/// An unknown of a sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    Value(Value),
    /// How many iterations of a loop of constant step are done, from 0.
    Iteration(Op),
    /// The greatest number that `Iteration` reaches; negative for a loop that never runs.
    LastIteration(Op),
}

/// Coefficients and constants stay below it, so that nothing computed with them overflows.
pub const LIMIT: i128 = 1 << 72;
/// How many symbols a product has at most.
pub const DEGREE: usize = 3;

/// A symbol in one word, in the same order; 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Packed(u32);

impl Packed {
    /// What is left for an index.
    const BITS: u32 = 30;

    fn of(symbol: Symbol) -> Self {
        let (kind, index) = match symbol {
            Symbol::Value(value) => (0, value.index()),
            Symbol::Iteration(op) => (1, op.index()),
            Symbol::LastIteration(op) => (2, op.index()),
        };
        let index = u32::try_from(index + 1).ok().filter(|index| index >> Self::BITS == 0);
        Self(kind << Self::BITS | index.expect("a function of less than a thousand million operations"))
    }

    fn symbol(self) -> Option<Symbol> {
        let index = (self.0 & ((1 << Self::BITS) - 1)).checked_sub(1)? as usize;
        Some(match self.0 >> Self::BITS {
            0 => Symbol::Value(Value::new(index)),
            1 => Symbol::Iteration(Op::new(index)),
            _ => Symbol::LastIteration(Op::new(index)),
        })
    }
}

/// A product of symbols, sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Product {
    symbols: [Packed; DEGREE],
}

impl Hash for Product {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let [a, b, c] = self.symbols.map(|symbol| u64::from(symbol.0));
        hasher.write_u64(a << 32 | b);
        if c != 0 {
            hasher.write_u64(c);
        }
    }
}

impl Product {
    #[must_use]
    pub fn of(symbol: Symbol) -> Self {
        Self { symbols: [Packed::of(symbol), Packed(0), Packed(0)] }
    }

    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.symbols.iter().map_while(|packed| packed.symbol())
    }

    #[must_use]
    pub fn degree(&self) -> usize {
        self.symbols.iter().filter(|packed| packed.0 != 0).count()
    }

    #[must_use]
    pub fn contains(&self, symbol: Symbol) -> bool {
        self.symbols.contains(&Packed::of(symbol))
    }

    fn times(&self, other: &Self) -> Option<Self> {
        if self.degree() + other.degree() > DEGREE {
            return None;
        }
        let mut symbols = self.symbols;
        symbols[self.degree()..].copy_from_slice(&other.symbols[..DEGREE - self.degree()]);
        let degree = self.degree() + other.degree();
        symbols[..degree].sort_unstable();
        Some(Self { symbols })
    }

    /// What is left when one `symbol` is taken out.
    #[must_use]
    pub fn without(&self, symbol: Symbol) -> Affine {
        let mut left = self.symbols;
        if let Some(at) = left.iter().position(|&packed| packed == Packed::of(symbol)) {
            left[at..].rotate_left(1);
            left[DEGREE - 1] = Packed(0);
        }
        if left[0].0 == 0 {
            return Affine::constant(1);
        }
        Affine { constant: 0, terms: vec![(Self { symbols: left }, 1)] }
    }
}

/// A constant and products with their coefficients, sorted, none 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Affine {
    pub constant: i128,
    pub terms: Vec<(Product, i128)>,
}

impl Affine {
    #[must_use]
    pub const fn constant(constant: i128) -> Self {
        Self { constant, terms: Vec::new() }
    }

    #[must_use]
    pub fn of(symbol: Symbol) -> Self {
        Self { constant: 0, terms: vec![(Product::of(symbol), 1)] }
    }

    #[must_use]
    pub fn value(value: Value) -> Self {
        Self::of(Symbol::Value(value))
    }

    #[must_use]
    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`
    #[must_use]
    pub fn plus(&self, factor: i128, other: &Self) -> Option<Self> {
        let constant = bounded(self.constant.checked_add(product(factor, other.constant)?)?)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((x, _)), Some((y, _))) => x.cmp(y),
            };
            let mine = if order == Ordering::Greater { None } else { a.next() };
            let theirs = if order == Ordering::Less { None } else { b.next() };
            let (symbols, _) = mine.or(theirs).expect("one of them is there");
            let sum = mine.map_or(0, |t| t.1).checked_add(product(theirs.map_or(0, |t| t.1), factor)?)?;
            if sum != 0 {
                terms.push((*symbols, bounded(sum)?));
            }
        }
        Some(Self { constant, terms })
    }

    #[must_use]
    pub fn add(&self, other: &Self) -> Option<Self> {
        self.plus(1, other)
    }

    #[must_use]
    pub fn sub(&self, other: &Self) -> Option<Self> {
        self.plus(-1, other)
    }

    #[must_use]
    pub fn shift(&self, by: i128) -> Option<Self> {
        Some(Self { constant: bounded(self.constant.checked_add(by)?)?, terms: self.terms.clone() })
    }

    #[must_use]
    pub fn scale(&self, factor: i128) -> Option<Self> {
        Self::constant(0).plus(factor, self)
    }

    #[must_use]
    pub fn times(&self, other: &Self) -> Option<Self> {
        let mut product = other.scale(self.constant)?;
        for (mine, factor) in &self.terms {
            let mut part = Self::of_product(mine, bounded(other.constant.checked_mul(*factor)?)?);
            for (theirs, k) in &other.terms {
                part =
                    part.add(&Self::of_product(&mine.times(theirs)?, bounded(k.checked_mul(*factor)?)?))?;
            }
            product = product.add(&part)?;
        }
        Some(product)
    }

    fn of_product(product: &Product, factor: i128) -> Self {
        let terms = if factor == 0 { Vec::new() } else { vec![(*product, factor)] };
        Self { constant: 0, terms }
    }

    /// All symbols, with repetitions.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.terms.iter().flat_map(|(product, _)| product.symbols())
    }

    /// What `symbol` is multiplied with; `None` where it stands in a product twice.
    #[must_use]
    pub fn coefficient(&self, symbol: Symbol) -> Option<Self> {
        let mut sum = Self::constant(0);
        for (product, factor) in self.terms.iter().filter(|(product, _)| product.contains(symbol)) {
            let rest = product.without(symbol);
            if rest.symbols().any(|s| s == symbol) {
                return None;
            }
            sum = sum.plus(*factor, &rest)?;
        }
        Some(sum)
    }

    #[must_use]
    pub fn has_negative_terms(&self) -> bool {
        self.terms.iter().any(|(_, factor)| *factor < 0)
    }

    /// The greatest degree of its products.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.terms.iter().map(|(product, _)| product.degree()).max().unwrap_or(0)
    }

    /// A range that it lies in, given one for each symbol; saturates far outside of i64.
    #[must_use]
    pub fn interval(&self, of: &impl Fn(Symbol) -> Interval) -> Interval {
        let constant = Interval::exactly(self.constant);
        self.terms.iter().fold(constant, |sum, (product, factor)| {
            let mut symbols = product.symbols();
            let first = symbols.next().map_or(Interval::exactly(*factor), |s| of(s).scaled(*factor));
            sum.plus(symbols.fold(first, |p, s| p.times(of(s))))
        })
    }
}

/// `a * b`, the common case first.
fn product(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b),
    }
}

fn bounded(value: i128) -> Option<i128> {
    (-LIMIT..=LIMIT).contains(&value).then_some(value)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn v(index: usize) -> Affine {
        Affine::value(Value::new(index))
    }

    #[test]
    fn equal_terms_cancel() {
        let sum = v(1).add(&v(2)).unwrap().shift(3).unwrap();
        assert_eq!(sum.sub(&v(2)).unwrap(), v(1).shift(3).unwrap());
        assert_eq!(sum.sub(&sum).unwrap(), Affine::constant(0));
    }

    #[test]
    fn products_are_sorted() {
        let (ab, ba) = (v(1).times(&v(2)).unwrap(), v(2).times(&v(1)).unwrap());
        assert_eq!(ab, ba);
        let sum = v(1).shift(1).unwrap().times(&v(2).shift(-1).unwrap()).unwrap();
        // (a + 1)(b - 1) = ab - a + b - 1
        let expected = ab.sub(&v(1)).unwrap().add(&v(2)).unwrap().shift(-1).unwrap();
        assert_eq!(sum, expected);
        assert_eq!(sum.coefficient(Symbol::Value(Value::new(1))).unwrap(), v(2).shift(-1).unwrap());
    }

    #[test]
    fn squares_have_no_coefficient() {
        assert_eq!(v(1).times(&v(1)).unwrap().coefficient(Symbol::Value(Value::new(1))), None);
    }

    #[test]
    fn what_grows_is_given_up() {
        let big = v(1).scale(LIMIT).unwrap();
        assert_eq!(big.scale(2), None);
        let cube = v(1).times(&v(1)).unwrap().times(&v(1)).unwrap();
        assert_eq!(cube.times(&v(1)), None);
    }

    #[test]
    fn intervals_of_negative_factors_turn_round() {
        let of = |_| Interval::new(-1, 5);
        assert_eq!(v(1).scale(-2).unwrap().shift(1).unwrap().interval(&of), Interval::new(-9, 3));
    }
}
