//! The store of facts.

use std::collections::BTreeMap;

use crate::analysis::symbol::{Poly, Symbol};

/// Sums that are at least 0, newest last.
#[derive(Default, Debug)]
pub struct Facts {
    facts: Vec<Poly>,
    /// By fact: how many were noted before it, those that are forgotten included.
    noted_before: Vec<usize>,
    /// How many were ever noted.
    noted: usize,
    /// By a symbol and the sign of a fixed number, the facts that have the symbol so many times, with the number.
    by_symbol: BTreeMap<(Symbol, i64), Vec<(usize, i64)>>,
}

/// What was known at some time.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// How many facts, and how many had been noted before the last of them.
    last: Option<(usize, usize)>,
    noted: usize,
}

impl Facts {
    #[must_use]
    pub fn now(&self) -> Moment {
        let last = self.noted_before.last().map(|&before| (self.facts.len(), before));
        Moment { last, noted: self.noted }
    }

    /// Whether all that was known then is known now.
    #[must_use]
    pub fn include(&self, then: Moment) -> bool {
        then.last.is_none_or(|(count, before)| self.noted_before.get(count - 1) == Some(&before))
    }

    /// Whether all that is known now was known then.
    #[must_use]
    pub fn are_among(&self, then: Moment) -> bool {
        self.noted_before.last().is_none_or(|&before| before < then.noted)
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    pub fn push(&mut self, fact: Poly) {
        if fact.as_constant().is_some() || self.facts.last() == Some(&fact) {
            return;
        }
        self.insert(fact);
    }

    fn insert(&mut self, fact: Poly) {
        for (symbol, times) in fixed_times(&fact) {
            let with = self.by_symbol.entry((symbol, times.signum())).or_default();
            with.push((self.facts.len(), times));
        }
        self.facts.push(fact);
        self.noted_before.push(self.noted);
        self.noted += 1;
    }

    /// Forgets all but the first facts, so many.
    pub fn forget_from(&mut self, mark: usize) {
        while self.facts.len() > mark {
            let fact = self.facts.pop().expect("longer than the mark");
            self.noted_before.pop();
            for (symbol, times) in fixed_times(&fact) {
                self.by_symbol.get_mut(&(symbol, times.signum())).and_then(Vec::pop);
            }
        }
    }

    /// Takes all but the first facts out, so many.
    #[must_use]
    pub fn split_off(&mut self, mark: usize) -> Vec<Poly> {
        let later = self.facts[mark..].to_vec();
        self.forget_from(mark);
        later
    }

    /// Puts back what was split off.
    pub fn append(&mut self, later: Vec<Poly>) {
        later.into_iter().for_each(|fact| self.insert(fact));
    }

    /// The facts that have a symbol a fixed number of times of this sign, with that number.
    pub fn of(&self, symbol: Symbol, sign: i64) -> impl DoubleEndedIterator<Item = (&Poly, i64)> {
        let with = self.by_symbol.get(&(symbol, sign)).into_iter().flatten();
        with.map(|&(fact, times)| (&self.facts[fact], times))
    }
}

/// The symbols that a fact has a fixed number of times, other than 0, each once with that number.
fn fixed_times(fact: &Poly) -> impl Iterator<Item = (Symbol, i64)> + '_ {
    let alone = fact.terms().filter(|(product, _)| product.degree() == 1);
    alone.filter_map(|(product, factor)| {
        let symbol = product.symbols().next()?;
        let others = fact.terms().filter(|(other, _)| other.contains(symbol));
        (others.count() == 1).then_some((symbol, factor))
    })
}

#[cfg(test)]
mod tests {
    use pydd_ir::{Entity, Value};

    use super::*;
    use crate::analysis::symbol;

    fn v(index: usize) -> Poly {
        symbol::value(Value::new(index))
    }

    #[test]
    fn facts_are_found_by_symbols_that_no_product_has() {
        let mut facts = Facts::default();
        facts.push(v(1).mul(&v(2)).unwrap().plus(-3, &v(2)).unwrap().add(&v(3)).unwrap());
        let count = |facts: &Facts, index, sign| facts.of(Symbol::Value(Value::new(index)), sign).count();
        assert_eq!([1, 2, 3].map(|index| count(&facts, index, 1)), [0, 0, 1]);
        assert_eq!([1, 2, 3].map(|index| count(&facts, index, -1)), [0, 0, 0]);
        facts.push(v(2).neg());
        assert_eq!(facts.of(Symbol::Value(Value::new(2)), -1).next(), Some((&v(2).neg(), -1)));
    }

    #[test]
    fn what_is_forgotten_is_found_no_more() {
        let mut facts = Facts::default();
        facts.push(v(1));
        facts.push(v(1).add(&v(2)).unwrap());
        facts.push(v(3));
        let later = facts.split_off(1);
        assert_eq!((facts.len(), later.len()), (1, 2));
        facts.append(later[1..].to_vec());
        let count = |facts: &Facts, index| facts.of(Symbol::Value(Value::new(index)), 1).count();
        assert_eq!([1, 2, 3].map(|index| count(&facts, index)), [1, 0, 1]);
        facts.forget_from(0);
        assert!(facts.is_empty() && [1, 2, 3].map(|index| count(&facts, index)) == [0; 3]);
    }

    #[test]
    fn what_was_known_is_compared_with_what_is() {
        let mut facts = Facts::default();
        let nothing = facts.now();
        facts.push(v(1));
        let one = facts.now();
        facts.push(v(2));
        let two = facts.now();
        let compared = |facts: &Facts, then| (facts.include(then), facts.are_among(then));
        assert_eq!(
            [nothing, one, two].map(|then| compared(&facts, then)),
            [(true, false), (true, false), (true, true)]
        );
        facts.forget_from(1);
        assert_eq!(
            [nothing, one, two].map(|then| compared(&facts, then)),
            [(true, false), (true, true), (false, true)]
        );
        // The same fact, learnt anew.
        facts.push(v(2));
        assert_eq!(
            [nothing, one, two].map(|then| compared(&facts, then)),
            [(true, false), (true, false), (false, false)]
        );
    }

    #[test]
    fn constants_and_repetitions_are_not_kept() {
        let mut facts = Facts::default();
        facts.push(Poly::constant(3));
        facts.push(v(1));
        facts.push(v(1));
        assert_eq!(facts.len(), 1);
    }
}
