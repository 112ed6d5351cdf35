//! Polynomials with integer coefficients, over symbols of any kind.
//!
//! They say which elements of an axis an iteration touches: over values of a function where that is found out
//! (`passes`), and over the operands of a parallel loop where it is kept ([`crate::sharing`]).

use std::collections::BTreeMap;
use std::fmt;

/// More terms than this are given up: no index that people write has them.
const MAX_TERMS: usize = 24;
/// Coefficients beyond this are given up, so that sums of terms stay far from wrapping around.
const MAX_COEFFICIENT: i64 = 1 << 32;

/// A product of symbols, sorted; empty for 1.
type Monomial<S> = Vec<S>;

/// A sum of products. No term has the coefficient 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Poly<S> {
    terms: BTreeMap<Monomial<S>, i64>,
}

impl<S> Default for Poly<S> {
    fn default() -> Self {
        Self { terms: BTreeMap::new() }
    }
}

impl<S: Copy + Ord> Poly<S> {
    #[must_use]
    pub fn constant(value: i64) -> Self {
        let mut terms = BTreeMap::new();
        if value != 0 {
            terms.insert(Vec::new(), value);
        }
        Self { terms }
    }

    #[must_use]
    pub fn symbol(symbol: S) -> Self {
        Self { terms: BTreeMap::from([(vec![symbol], 1)]) }
    }

    #[must_use]
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    fn add_term(&mut self, monomial: Monomial<S>, coefficient: i64) -> Option<()> {
        let sum = self.terms.get(&monomial).copied().unwrap_or(0).checked_add(coefficient)?;
        if sum == 0 {
            self.terms.remove(&monomial);
        } else {
            self.terms.insert(monomial, sum);
        }
        (sum.abs() <= MAX_COEFFICIENT && self.terms.len() <= MAX_TERMS).then_some(())
    }

    #[must_use]
    pub fn add(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        for (monomial, &coefficient) in &other.terms {
            sum.add_term(monomial.clone(), coefficient)?;
        }
        Some(sum)
    }

    #[must_use]
    pub fn sub(&self, other: &Self) -> Option<Self> {
        self.add(&other.neg())
    }

    #[must_use]
    pub fn neg(&self) -> Self {
        Self { terms: self.terms.iter().map(|(m, c)| (m.clone(), -c)).collect() }
    }

    #[must_use]
    pub fn mul(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (a, &x) in &self.terms {
            for (b, &y) in &other.terms {
                let mut monomial = [a.as_slice(), b.as_slice()].concat();
                monomial.sort_unstable();
                product.add_term(monomial, x.checked_mul(y)?)?;
            }
        }
        Some(product)
    }

    #[must_use]
    pub fn plus(&self, constant: i64) -> Option<Self> {
        self.add(&Self::constant(constant))
    }

    #[must_use]
    pub fn mentions(&self, symbol: S) -> bool {
        self.terms.keys().any(|monomial| monomial.contains(&symbol))
    }

    /// The polynomial as `c * symbol + k`; nothing where the symbol is multiplied by itself.
    #[must_use]
    pub fn split(&self, symbol: S) -> Option<(Self, Self)> {
        let (mut factor, mut rest) = (Self::default(), Self::default());
        for (monomial, &coefficient) in &self.terms {
            let others: Monomial<S> = monomial.iter().copied().filter(|&s| s != symbol).collect();
            match monomial.len() - others.len() {
                0 => rest.add_term(others, coefficient)?,
                1 => factor.add_term(others, coefficient)?,
                _ => return None,
            }
        }
        Some((factor, rest))
    }

    /// The terms: a coefficient and a product of symbols.
    pub fn terms(&self) -> impl Iterator<Item = (&[S], i64)> {
        self.terms.iter().map(|(monomial, &coefficient)| (monomial.as_slice(), coefficient))
    }

    /// The same polynomial over other symbols; nothing where one of them has no counterpart.
    #[must_use]
    pub fn over<T: Copy + Ord>(&self, symbol: &mut dyn FnMut(S) -> Option<T>) -> Option<Poly<T>> {
        let mut out = Poly::default();
        for (monomial, &coefficient) in &self.terms {
            let mut factors = monomial.iter().map(|&s| symbol(s)).collect::<Option<Vec<T>>>()?;
            factors.sort_unstable();
            out.add_term(factors, coefficient)?;
        }
        Some(out)
    }
}

/// `2*%3*%4 + %5 - 1`: longer products first, the constant last.
impl<S: Copy + Ord + fmt::Display> fmt::Display for Poly<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        let mut terms: Vec<_> = self.terms().collect();
        terms.sort_by_key(|(monomial, _)| std::cmp::Reverse(monomial.len()));
        for (i, (monomial, coefficient)) in terms.into_iter().enumerate() {
            match (i, coefficient < 0) {
                (0, true) => f.write_str("-")?,
                (0, false) => {}
                (_, true) => f.write_str(" - ")?,
                (_, false) => f.write_str(" + ")?,
            }
            let mut factors: Vec<String> = monomial.iter().map(ToString::to_string).collect();
            if coefficient.abs() != 1 || monomial.is_empty() {
                factors.insert(0, coefficient.abs().to_string());
            }
            f.write_str(&factors.join("*"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: char) -> Poly<char> {
        Poly::symbol(name)
    }

    #[test]
    fn products_and_differences_cancel() {
        let (i, n) = (symbol('i'), symbol('n'));
        let next = i.plus(1).unwrap().mul(&n).unwrap();
        assert_eq!(next.to_string(), "i*n + n");
        assert_eq!(next.sub(&i.mul(&n).unwrap()).unwrap(), n);
        assert!(n.sub(&n).unwrap().is_zero());
    }

    #[test]
    fn splitting_takes_out_one_symbol() {
        let (i, n) = (symbol('i'), symbol('n'));
        let index = i.mul(&n).unwrap().sub(&n.plus(-3).unwrap()).unwrap();
        let (factor, rest) = index.split('i').unwrap();
        assert_eq!((factor.to_string(), rest.to_string()), ("n".into(), "-n + 3".into()));
        assert_eq!(i.mul(&i).unwrap().split('i'), None);
    }

    #[test]
    fn large_coefficients_are_given_up() {
        let large = Poly::<char>::constant(1 << 31);
        assert_eq!(large.mul(&large), None);
    }

    #[test]
    fn symbols_are_replaced_and_sorted_again() {
        let (i, n) = (symbol('i'), symbol('n'));
        let index = i.mul(&n).unwrap().plus(2).unwrap();
        let other = |c: char| if c == 'i' { Some(7) } else { Some(3) };
        assert_eq!(index.over(&mut { other }).unwrap().to_string(), "3*7 + 2");
        assert_eq!(index.over::<u8>(&mut |_| None), None);
    }
}
