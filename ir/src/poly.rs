//! Sums of products of symbols with whole coefficients: `2*i*m + j - 1`.
//!
//! All that the compiler knows of integers is said in them: which elements an iteration of a parallel loop touches
//! ([`crate::sharing`]), what an index is and what it is not below (`passes`), and the rows of systems of
//! inequalities, whose products are single unknowns.
//!
//! They stand for exact integers, not for wrapped ones: who makes one of an operation says why that is right. What grows
//! past [`MAX_DEGREE`], [`MAX_TERMS`], [`MAX_FACTOR`] or [`MAX_CONSTANT`] is given up, so nothing computed here wraps.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use crate::interval::Interval;

/// How many symbols a product has at most: enough for a flat index into six axes.
pub const MAX_DEGREE: usize = 6;
/// How many products a sum has at most: no index that people write has as many.
pub const MAX_TERMS: usize = 64;
/// The largest factor of a product, in either direction.
pub const MAX_FACTOR: i64 = i64::MAX;
/// The largest constant, in either direction: far more than the difference of two int64.
pub const MAX_CONSTANT: i128 = 1 << 72;

/// What polynomials are over.
pub trait Symbol: Copy + Ord + fmt::Debug {
    /// A number of its own, other than 0. Numbers are ordered as the symbols are.
    fn word(self) -> u32;

    /// The symbol of a number.
    fn of_word(word: u32) -> Self;
}

/// A product of symbols, at least one, sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Product<S> {
    /// Filled up with 0.
    words: [u32; MAX_DEGREE],
    of: PhantomData<S>,
}

impl<S> Hash for Product<S> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let [a, b, c, d, e, f] = self.words.map(u64::from);
        hasher.write_u64(a << 32 | b);
        if c != 0 {
            hasher.write_u64(c << 32 | d);
        }
        if e != 0 {
            hasher.write_u64(e << 32 | f);
        }
    }
}

impl<S: Symbol> Product<S> {
    fn of(symbol: S) -> Self {
        let mut words = [0; MAX_DEGREE];
        words[0] = symbol.word();
        Self { words, of: PhantomData }
    }

    pub fn symbols(self) -> impl Iterator<Item = S> {
        self.words.into_iter().take_while(|&word| word != 0).map(S::of_word)
    }

    #[must_use]
    pub fn degree(self) -> usize {
        self.words.iter().take_while(|&&word| word != 0).count()
    }

    #[must_use]
    pub fn contains(self, symbol: S) -> bool {
        self.words.contains(&symbol.word())
    }

    fn times(self, other: Self) -> Option<Self> {
        let (mine, theirs) = (self.degree(), other.degree());
        let mut words = self.words;
        words.get_mut(mine..mine + theirs)?.copy_from_slice(&other.words[..theirs]);
        words[..mine + theirs].sort_unstable();
        Some(Self { words, of: PhantomData })
    }

    /// What is left when one `symbol`, which is there, is taken out; nothing where that is 1.
    fn without(self, symbol: S) -> Option<Self> {
        let mut words = self.words;
        let at = words.iter().position(|&word| word == symbol.word())?;
        words[at..].rotate_left(1);
        words[MAX_DEGREE - 1] = 0;
        (words[0] != 0).then_some(Self { words, of: PhantomData })
    }
}

/// A constant and products with their factors, sorted, none of which is 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Poly<S> {
    constant: i128,
    terms: Vec<(Product<S>, i64)>,
}

impl<S> Default for Poly<S> {
    fn default() -> Self {
        Self { constant: 0, terms: Vec::new() }
    }
}

impl<S> Poly<S> {
    /// # Panics
    /// Above [`MAX_CONSTANT`], which no int64 is.
    #[must_use]
    pub fn constant(constant: impl Into<i128>) -> Self {
        Self { constant: bounded(constant.into()).expect("a small constant"), terms: Vec::new() }
    }

    #[must_use]
    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        i64::try_from(self.as_constant()?).ok()
    }

    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.constant == 0 && self.terms.is_empty()
    }

    /// What is added to the products.
    #[must_use]
    pub const fn offset(&self) -> i128 {
        self.constant
    }

    /// Divides the products by what their factors have in common, and the constant, rounded down.
    pub fn divide_down(&mut self) {
        let divisor = self.common_factor();
        if divisor > 1 {
            self.terms.iter_mut().for_each(|(_, factor)| *factor /= divisor);
            self.constant = self.constant.div_euclid(i128::from(divisor));
        }
    }

    /// The greatest common divisor of all factors; 0 for a constant.
    #[must_use]
    pub fn common_factor(&self) -> i64 {
        self.terms.iter().fold(0, |a, (_, b)| greatest_common_divisor(a, b.abs()))
    }
}

impl<S: Symbol> Poly<S> {
    #[must_use]
    pub fn symbol(symbol: S) -> Self {
        Self { constant: 0, terms: vec![(Product::of(symbol), 1)] }
    }

    /// The one symbol that it is.
    #[must_use]
    pub fn as_symbol(&self) -> Option<S> {
        let mut symbols = self.symbols();
        let symbol = symbols.next()?;
        (symbols.next().is_none() && *self == Self::symbol(symbol)).then_some(symbol)
    }

    /// The products with their factors.
    pub fn terms(&self) -> impl Iterator<Item = (Product<S>, i64)> + Clone {
        self.terms.iter().copied()
    }

    /// The products for which this holds, without the others and the constant.
    #[must_use]
    pub fn products(&self, wanted: impl Fn(Product<S>, i64) -> bool) -> Self {
        let terms = self.terms().filter(|&(product, factor)| wanted(product, factor)).collect();
        Self { constant: 0, terms }
    }

    /// All symbols, with repetitions.
    pub fn symbols(&self) -> impl Iterator<Item = S> + '_ {
        self.terms().flat_map(|(product, _)| product.symbols())
    }

    #[must_use]
    pub fn mentions(&self, symbol: S) -> bool {
        self.terms().any(|(product, _)| product.contains(symbol))
    }

    /// The greatest degree of its products.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.terms().map(|(product, _)| product.degree()).max().unwrap_or(0)
    }

    /// Whether no factor, the constant included, is above this in either direction.
    #[must_use]
    pub fn is_within(&self, limit: i64) -> bool {
        self.constant.abs() <= i128::from(limit) && self.terms().all(|(_, factor)| factor.abs() <= limit)
    }

    /// `self + factor * other`
    #[must_use]
    pub fn plus(&self, factor: i64, other: &Self) -> Option<Self> {
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
            let more = theirs.map_or(Some(0), |t| t.1.checked_mul(factor))?;
            let sum = mine.map_or(0, |t| t.1).checked_add(more)?;
            if sum != 0 {
                terms.push((*symbols, within_factor(sum)?));
            }
        }
        (terms.len() <= MAX_TERMS).then_some(Self { constant, terms })
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
    pub fn shift(&self, by: impl Into<i128>) -> Option<Self> {
        let constant = bounded(self.constant.checked_add(by.into())?)?;
        Some(Self { constant, terms: self.terms.clone() })
    }

    #[must_use]
    pub fn neg(&self) -> Self {
        let terms = self.terms().map(|(product, factor)| (product, -factor)).collect();
        Self { constant: -self.constant, terms }
    }

    #[must_use]
    pub fn scale(&self, by: i64) -> Option<Self> {
        if by == 0 {
            return Some(Self::default());
        }
        let constant = bounded(product(by, self.constant)?)?;
        let scaled = |(product, factor): (_, i64)| Some((product, within_factor(factor.checked_mul(by)?)?));
        Some(Self { constant, terms: self.terms().map(scaled).collect::<Option<_>>()? })
    }

    #[must_use]
    pub fn mul(&self, other: &Self) -> Option<Self> {
        let constant = bounded(self.constant.checked_mul(other.constant)?)?;
        let mut terms = Vec::with_capacity((self.terms.len() + 1) * (other.terms.len() + 1));
        for (one, all) in [(self, other), (other, self)] {
            for (symbols, factor) in one.terms().filter(|_| all.constant != 0) {
                terms.push((symbols, i64::try_from(product(factor, all.constant)?).ok()?));
            }
        }
        for (mine, x) in self.terms() {
            for (theirs, y) in other.terms() {
                terms.push((mine.times(theirs)?, x.checked_mul(y)?));
            }
        }
        Self::collected(constant, terms)
    }

    /// A sum of products in any order.
    fn collected(constant: i128, mut terms: Vec<(Product<S>, i64)>) -> Option<Self> {
        terms.sort_unstable_by_key(|&(product, _)| product);
        let mut sums: Vec<(Product<S>, i64)> = Vec::with_capacity(terms.len());
        for (product, factor) in terms {
            match sums.last_mut() {
                Some((last, sum)) if *last == product => *sum = sum.checked_add(factor)?,
                _ => sums.push((product, factor)),
            }
        }
        sums.retain(|&(_, factor)| factor != 0);
        let small = sums.len() <= MAX_TERMS && sums.iter().all(|&(_, sum)| within_factor(sum).is_some());
        small.then_some(Self { constant, terms: sums })
    }

    /// The polynomial as `c * symbol + k`; nothing where the symbol is multiplied by itself.
    #[must_use]
    pub fn split(&self, symbol: S) -> Option<(Self, Self)> {
        Some((
            self.coefficient(symbol)?,
            self.products(|product, _| !product.contains(symbol)).shift(self.constant)?,
        ))
    }

    /// What `symbol` is multiplied with; nothing where that is the symbol itself.
    #[must_use]
    pub fn coefficient(&self, symbol: S) -> Option<Self> {
        let mut sum = Self::default();
        for (product, factor) in self.terms().filter(|(product, _)| product.contains(symbol)) {
            match product.without(symbol) {
                None => sum.constant = i128::from(factor),
                Some(rest) if rest.contains(symbol) => return None,
                Some(rest) => sum.terms.push((rest, factor)),
            }
        }
        sum.terms.sort_unstable_by_key(|&(product, _)| product);
        Some(sum)
    }

    /// The same polynomial with sums in the place of symbols; nothing where one of them has none.
    #[must_use]
    pub fn replace<T: Symbol>(&self, with: &mut dyn FnMut(S) -> Option<Poly<T>>) -> Option<Poly<T>> {
        let mut sum = Poly::constant(self.constant);
        for (product, factor) in self.terms() {
            let mut symbols = product.symbols();
            let first = with(symbols.next()?)?;
            let replaced = symbols.try_fold(first, |all, symbol| all.mul(&with(symbol)?))?;
            sum = sum.plus(factor, &replaced)?;
        }
        Some(sum)
    }

    /// The same polynomial over other symbols; nothing where one of them has no counterpart.
    #[must_use]
    pub fn over<T: Symbol>(&self, symbol: &mut dyn FnMut(S) -> Option<T>) -> Option<Poly<T>> {
        self.replace(&mut |old| symbol(old).map(Poly::symbol))
    }

    /// A range that it lies in, given one for each symbol; saturates far outside of i64.
    #[must_use]
    pub fn interval(&self, of: &impl Fn(S) -> Interval) -> Interval {
        self.terms().fold(Interval::exactly(self.constant), |sum, (product, factor)| {
            let factor = i128::from(factor);
            let mut symbols = product.symbols();
            let first = symbols.next().map_or(Interval::exactly(factor), |s| of(s).scaled(factor));
            sum.plus(symbols.fold(first, |p, s| p.times(of(s))))
        })
    }
}

/// `a * b`, the common case first.
fn product(a: i64, b: i128) -> Option<i128> {
    match i64::try_from(b) {
        Ok(b) => Some(i128::from(a) * i128::from(b)),
        _ => i128::from(a).checked_mul(b),
    }
}

fn bounded(constant: i128) -> Option<i128> {
    (-MAX_CONSTANT..=MAX_CONSTANT).contains(&constant).then_some(constant)
}

fn within_factor(factor: i64) -> Option<i64> {
    (-MAX_FACTOR..=MAX_FACTOR).contains(&factor).then_some(factor)
}

/// Of two numbers that are not negative.
#[must_use]
pub const fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 || a == 1 { a } else { greatest_common_divisor(b, a % b) }
}

impl<S: Symbol> Poly<S> {
    /// `2*%3*%4 + %5 - 1`: longer products first, the constant last. Nothing where a symbol has no name.
    #[must_use]
    pub fn text(&self, name: &mut dyn FnMut(S) -> Option<String>) -> Option<String> {
        let named = |(product, factor): (Product<S>, i64)| {
            let names: Option<Vec<String>> = product.symbols().map(&mut *name).collect();
            Some((names?, i128::from(factor)))
        };
        let mut terms = self.terms().map(named).collect::<Option<Vec<_>>>()?;
        terms.sort_by_key(|(names, _)| std::cmp::Reverse(names.len()));
        if self.constant != 0 || terms.is_empty() {
            terms.push((Vec::new(), self.constant));
        }
        let mut text = String::new();
        for (i, (mut factors, factor)) in terms.into_iter().enumerate() {
            text.push_str(match (i, factor < 0) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            });
            if factor.abs() != 1 || factors.is_empty() {
                factors.insert(0, factor.abs().to_string());
            }
            text.push_str(&factors.join("*"));
        }
        Some(text)
    }
}

impl<S: Symbol + fmt::Display> fmt::Display for Poly<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text(&mut |symbol| Some(symbol.to_string()));
        f.write_str(&text.expect("all symbols have names"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Symbol for char {
        fn word(self) -> u32 {
            self.into()
        }

        fn of_word(word: u32) -> Self {
            Self::from_u32(word).expect("a letter")
        }
    }

    fn symbol(name: char) -> Poly<char> {
        Poly::symbol(name)
    }

    #[test]
    fn products_and_differences_cancel() {
        let (i, n) = (symbol('i'), symbol('n'));
        let next = i.shift(1).unwrap().mul(&n).unwrap();
        assert_eq!(next.to_string(), "i*n + n");
        assert_eq!(next.sub(&i.mul(&n).unwrap()).unwrap(), n);
        assert!(n.sub(&n).unwrap().is_zero());
        assert_eq!(n.sub(&n).unwrap(), Poly::constant(0));
    }

    #[test]
    fn products_are_sorted() {
        let (a, b) = (symbol('a'), symbol('b'));
        assert_eq!(a.mul(&b), b.mul(&a));
        let product = a.shift(1).unwrap().mul(&b.shift(-1).unwrap()).unwrap();
        assert_eq!(product.to_string(), "a*b - a + b - 1");
        assert_eq!(product.coefficient('a'), b.shift(-1));
        let three = symbol('c').mul(&b).unwrap().mul(&a).unwrap();
        assert_eq!(three.to_string(), "a*b*c");
        assert_eq!(three.coefficient('b'), a.mul(&symbol('c')));
    }

    #[test]
    fn conjugate_sums_leave_squares() {
        let (a, b) = (symbol('a'), symbol('b'));
        let product = a.add(&b).unwrap().mul(&a.sub(&b).unwrap()).unwrap();
        assert_eq!(product.to_string(), "a*a - b*b");
    }

    #[test]
    fn splitting_takes_out_one_symbol() {
        let (i, n) = (symbol('i'), symbol('n'));
        let index = i.mul(&n).unwrap().sub(&n.shift(-3).unwrap()).unwrap();
        let (factor, rest) = index.split('i').unwrap();
        assert_eq!((factor.to_string(), rest.to_string()), ("n".into(), "-n + 3".into()));
        let square = i.mul(&i).unwrap();
        assert_eq!((square.split('i'), square.coefficient('i')), (None, None));
        assert_eq!(square.split('n').unwrap(), (Poly::default(), square));
    }

    #[test]
    fn coefficients_stay_sorted() {
        // b*d + a*b*c: without b, the second product comes first.
        let (a, b, c, d) = (symbol('a'), symbol('b'), symbol('c'), symbol('d'));
        let sum = b.mul(&d).unwrap().add(&a.mul(&b).unwrap().mul(&c).unwrap()).unwrap();
        let expected = d.add(&a.mul(&c).unwrap()).unwrap();
        assert_eq!(sum.coefficient('b'), Some(expected));
    }

    #[test]
    fn what_grows_is_given_up() {
        let large = symbol('a').scale(MAX_FACTOR).unwrap();
        assert_eq!(large.scale(2), None);
        assert_eq!(large.add(&symbol('a')), None);
        assert_eq!(large.mul(&symbol('b').scale(2).unwrap()), None);
        assert_eq!(large.mul(&symbol('b').shift(3).unwrap()), None);
        // -2^63 has no counterpart.
        assert_eq!(large.neg().sub(&symbol('a')), None);
        let constant = Poly::<char>::constant(MAX_CONSTANT);
        assert_eq!((constant.shift(1), constant.scale(2), constant.mul(&constant)), (None, None, None));
        let power = |n| (1..n).try_fold(symbol('a'), |power, _| power.mul(&symbol('a')));
        assert_eq!(power(MAX_DEGREE).map(|power| power.degree()), Some(MAX_DEGREE));
        assert_eq!(power(MAX_DEGREE + 1), None);
        let sum = |n: usize| {
            ('a'..).take(n).try_fold(Poly::default(), |sum: Poly<char>, name| sum.add(&symbol(name)))
        };
        assert!(sum(MAX_TERMS).is_some() && sum(MAX_TERMS + 1).is_none());
        assert_eq!(sum(9).and_then(|sum| sum.mul(&sum)).map(|square| square.terms().count()), Some(45));
        assert_eq!(sum(12).and_then(|sum| sum.mul(&sum)), None);
    }

    #[test]
    fn symbols_are_replaced_and_sorted_again() {
        let (i, n) = (symbol('i'), symbol('n'));
        let index = i.mul(&n).unwrap().shift(2).unwrap();
        let other = |c: char| if c == 'i' { Some('z') } else { Some('m') };
        assert_eq!(index.over(&mut { other }).unwrap().to_string(), "m*z + 2");
        assert_eq!(index.over::<char>(&mut |_| None), None);
        let sums = |c: char| if c == 'i' { n.shift(1) } else { Some(Poly::symbol(c)) };
        assert_eq!(index.replace(&mut { sums }).unwrap().to_string(), "n*n + n + 2");
        let numbers = |c: char| Some(Poly::<char>::constant(if c == 'i' { 5 } else { -7 }));
        assert_eq!(index.replace(&mut { numbers }).unwrap().as_i64(), Some(-33));
    }

    #[test]
    fn what_factors_have_in_common() {
        let mut sum = symbol('a').scale(6).unwrap().plus(-4, &symbol('b')).unwrap().shift(-5).unwrap();
        assert_eq!(sum.common_factor(), 2);
        sum.divide_down();
        assert_eq!(sum.to_string(), "3*a - 2*b - 3");
        assert_eq!(Poly::<char>::constant(4).common_factor(), 0);
    }

    #[test]
    fn intervals_of_negative_factors_turn_round() {
        let of = |_| Interval::new(-1, 5);
        let sum = symbol('a').scale(-2).unwrap().shift(1).unwrap();
        assert_eq!(sum.interval(&of), Interval::new(-9, 3));
        let square = symbol('a').mul(&symbol('b')).unwrap();
        assert_eq!(square.interval(&of), Interval::new(-5, 25));
    }
}
