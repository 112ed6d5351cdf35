//! Polynomials with integer coefficients over values that do not change, and over loop indices.

use std::collections::BTreeMap;
use std::fmt;

use pydd_ir::Value;

/// More terms than this are given up: no index that people write has them.
const MAX_TERMS: usize = 24;
/// Coefficients beyond this are given up; see `depend.rs` on wrap-around.
const MAX_COEFFICIENT: i64 = 1 << 32;

/// What is not taken apart further: a scalar, or the length of an array's axis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Symbol {
    Scalar(Value),
    Length(Value, u8),
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(value) => write!(f, "{value}"),
            Self::Length(array, axis) => write!(f, "dim[{axis}]({array})"),
        }
    }
}

/// A product of symbols, sorted; empty for 1.
type Monomial = Vec<Symbol>;

/// A sum of products. No term has the coefficient 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Poly {
    terms: BTreeMap<Monomial, i64>,
}

impl Poly {
    #[must_use]
    pub fn constant(value: i64) -> Self {
        let mut terms = BTreeMap::new();
        if value != 0 {
            terms.insert(Vec::new(), value);
        }
        Self { terms }
    }

    #[must_use]
    pub fn symbol(symbol: Symbol) -> Self {
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

    fn add_term(&mut self, monomial: Monomial, coefficient: i64) -> Option<()> {
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
    pub fn mentions(&self, symbol: Symbol) -> bool {
        self.terms.keys().any(|monomial| monomial.contains(&symbol))
    }

    /// The polynomial as `c * symbol + k`; nothing where the symbol is multiplied by itself.
    #[must_use]
    pub fn split(&self, symbol: Symbol) -> Option<(Self, Self)> {
        let (mut factor, mut rest) = (Self::default(), Self::default());
        for (monomial, &coefficient) in &self.terms {
            let others: Monomial = monomial.iter().copied().filter(|&s| s != symbol).collect();
            match monomial.len() - others.len() {
                0 => rest.add_term(others, coefficient)?,
                1 => factor.add_term(others, coefficient)?,
                _ => return None,
            }
        }
        Some((factor, rest))
    }

    /// The terms: a coefficient and a product of symbols.
    pub fn terms(&self) -> impl Iterator<Item = (&[Symbol], i64)> {
        self.terms.iter().map(|(monomial, &coefficient)| (monomial.as_slice(), coefficient))
    }
}

/// `2*%3*%4 + %5 - 1`: longer products first, the constant last.
impl fmt::Display for Poly {
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
            let mut factors: Vec<String> = monomial.iter().map(Symbol::to_string).collect();
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
    use pydd_ir::Entity;

    fn symbol(index: usize) -> Symbol {
        Symbol::Scalar(Value::new(index))
    }

    #[test]
    fn products_and_differences_cancel() {
        let (i, n) = (Poly::symbol(symbol(0)), Poly::symbol(symbol(1)));
        let next = i.plus(1).unwrap().mul(&n).unwrap();
        assert_eq!(next.to_string(), "%0*%1 + %1");
        assert_eq!(next.sub(&i.mul(&n).unwrap()).unwrap(), n);
        assert!(n.sub(&n).unwrap().is_zero());
    }

    #[test]
    fn splitting_takes_out_one_symbol() {
        let (i, n) = (Poly::symbol(symbol(0)), Poly::symbol(symbol(1)));
        let index = i.mul(&n).unwrap().sub(&n.plus(-3).unwrap()).unwrap();
        let (factor, rest) = index.split(symbol(0)).unwrap();
        assert_eq!((factor.to_string(), rest.to_string()), ("%1".into(), "-%1 + 3".into()));
        assert_eq!(i.mul(&i).unwrap().split(symbol(0)), None);
    }

    #[test]
    fn large_coefficients_are_given_up() {
        let large = Poly::constant(1 << 31);
        assert_eq!(large.mul(&large), None);
    }
}
