//! Whether a system of linear equations and inequalities has no solution in integers.
//!
//! Equations are solved by substitution where a coefficient is 1 or -1, and tested by the greatest common divisor
//! elsewhere. Inequalities are eliminated as Fourier and Motzkin do, each one tightened to integers
//! (Pugh, "The Omega test", 1991, without its splinters). So "no solution" is always right, and a
//! system without one may not be recognised.

use std::collections::BTreeMap;

/// More inequalities than this are given up.
const MAX_ROWS: usize = 160;
/// Larger coefficients are given up.
const MAX_COEFFICIENT: i64 = 1 << 60;
/// More alternatives than this are not looked into.
const MAX_CHOICES: usize = 7;

/// `sum of coefficient * variable + constant`. No coefficient is 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Linear {
    terms: BTreeMap<u32, i64>,
    pub constant: i64,
}

impl Linear {
    #[must_use]
    pub fn constant(constant: i64) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }

    #[must_use]
    pub fn variable(variable: u32) -> Self {
        Self { terms: BTreeMap::from([(variable, 1)]), constant: 0 }
    }

    #[must_use]
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`; nothing where that overflows.
    #[must_use]
    pub fn plus(&self, other: &Self, factor: i64) -> Option<Self> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (&variable, &coefficient) in &other.terms {
            let entry = sum.terms.entry(variable).or_insert(0);
            *entry = entry.checked_add(coefficient.checked_mul(factor)?)?;
            if entry.checked_abs()? > MAX_COEFFICIENT {
                return None;
            }
            if *entry == 0 {
                sum.terms.remove(&variable);
            }
        }
        Some(sum)
    }

    #[must_use]
    pub fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(other, -1)
    }

    #[must_use]
    pub fn shifted(&self, by: i64) -> Option<Self> {
        self.plus(&Self::constant(by), 1)
    }

    #[must_use]
    pub fn times(&self, factor: i64) -> Option<Self> {
        Self::default().plus(self, factor)
    }

    fn coefficient(&self, variable: u32) -> i64 {
        self.terms.get(&variable).copied().unwrap_or(0)
    }

    fn divisor(&self) -> i64 {
        self.terms.values().fold(0, |a, &b| gcd(a, b))
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.saturating_abs() } else { gcd(b, a.checked_rem(b).unwrap_or(0)) }
}

/// What holds, all at once.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Facts {
    /// Each is 0.
    pub zero: Vec<Linear>,
    /// Each is at least 0.
    pub positive: Vec<Linear>,
}

/// A system: facts, and choices of which one alternative each holds.
#[derive(Clone, Default, Debug)]
pub struct System {
    pub facts: Facts,
    pub choices: Vec<Vec<Facts>>,
}

impl System {
    /// Whether no integers fulfil it, as far as is known.
    #[must_use]
    pub fn has_no_solution(&self) -> bool {
        let used = self.choices.len().min(MAX_CHOICES);
        contradicts(&self.facts, &self.choices[..used])
    }
}

fn contradicts(facts: &Facts, choices: &[Vec<Facts>]) -> bool {
    if facts.contradict() {
        return true;
    }
    let Some((first, rest)) = choices.split_first() else { return false };
    first.iter().all(|alternative| {
        let mut all = facts.clone();
        all.zero.extend_from_slice(&alternative.zero);
        all.positive.extend_from_slice(&alternative.positive);
        contradicts(&all, rest)
    })
}

/// A contradiction was found; or the numbers became too large to go on.
enum Stop {
    Contradiction,
    GivenUp,
}

impl Facts {
    fn contradict(&self) -> bool {
        matches!(self.clone().solve(), Err(Stop::Contradiction))
    }

    fn solve(mut self) -> Result<(), Stop> {
        self.substitute()?;
        let mut rows = Vec::new();
        for equation in &self.zero {
            rows.push(equation.clone());
            rows.push(equation.times(-1).ok_or(Stop::GivenUp)?);
        }
        rows.append(&mut self.positive);
        eliminate(rows)
    }

    /// Takes variables out by equations.
    fn substitute(&mut self) -> Result<(), Stop> {
        let mut kept = Vec::new();
        while let Some(mut equation) = self.zero.pop() {
            let divisor = equation.divisor();
            if divisor == 0 {
                if equation.constant != 0 {
                    return Err(Stop::Contradiction);
                }
                continue;
            }
            if equation.constant % divisor != 0 {
                return Err(Stop::Contradiction);
            }
            equation.terms.values_mut().for_each(|c| *c /= divisor);
            equation.constant /= divisor;
            let Some((&variable, &sign)) = equation.terms.iter().find(|&(_, &c)| c.abs() == 1) else {
                kept.push(equation);
                continue;
            };
            // variable = -sign * (the rest)
            let replace = |row: &Linear| {
                let factor = row.coefficient(variable).checked_mul(-sign)?;
                row.plus(&equation, factor)
            };
            let changed = |rows: &[Linear]| rows.iter().map(replace).collect::<Option<Vec<_>>>();
            // What was kept may have a coefficient of 1 now.
            kept.append(&mut self.zero);
            self.zero = changed(&kept).ok_or(Stop::GivenUp)?;
            kept.clear();
            self.positive = changed(&self.positive).ok_or(Stop::GivenUp)?;
        }
        self.zero = kept;
        Ok(())
    }
}

/// Takes out one variable after the other by adding up pairs of bounds.
fn eliminate(rows: Vec<Linear>) -> Result<(), Stop> {
    let mut rows = tightened(rows)?;
    while let Some(variable) = cheapest(&rows) {
        let (with, mut next): (Vec<Linear>, Vec<Linear>) =
            rows.into_iter().partition(|row| row.coefficient(variable) != 0);
        let (lower, upper): (Vec<Linear>, Vec<Linear>) =
            with.into_iter().partition(|row| row.coefficient(variable) > 0);
        for low in &lower {
            for high in &upper {
                let (a, b) = (low.coefficient(variable), -high.coefficient(variable));
                let common = gcd(a, b);
                let sum = low.times(b / common).and_then(|row| row.plus(high, a / common));
                next.push(sum.ok_or(Stop::GivenUp)?);
            }
        }
        rows = tightened(next)?;
        if rows.len() > MAX_ROWS {
            return Err(Stop::GivenUp);
        }
    }
    Ok(())
}

/// Each row divided by what its coefficients have in common, of parallel ones the strongest.
fn tightened(rows: Vec<Linear>) -> Result<Vec<Linear>, Stop> {
    let mut strongest: BTreeMap<BTreeMap<u32, i64>, i64> = BTreeMap::new();
    for mut row in rows {
        let divisor = row.divisor();
        if divisor == 0 {
            if row.constant < 0 {
                return Err(Stop::Contradiction);
            }
            continue;
        }
        row.terms.values_mut().for_each(|c| *c /= divisor);
        let constant = row.constant.div_euclid(divisor);
        let entry = strongest.entry(row.terms).or_insert(constant);
        *entry = constant.min(*entry);
    }
    Ok(strongest.into_iter().map(|(terms, constant)| Linear { terms, constant }).collect())
}

/// The variable whose elimination makes the fewest rows.
fn cheapest(rows: &[Linear]) -> Option<u32> {
    let mut counts: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (&variable, &coefficient) in rows.iter().flat_map(|row| &row.terms) {
        let entry = counts.entry(variable).or_default();
        if coefficient > 0 {
            entry.0 += 1;
        } else {
            entry.1 += 1;
        }
    }
    counts.into_iter().min_by_key(|&(_, (lower, upper))| lower * upper).map(|(variable, _)| variable)
}

#[cfg(test)]
mod tests {
    use super::{Facts, Linear, System};

    fn row(terms: &[(u32, i64)], constant: i64) -> Linear {
        Linear { terms: terms.iter().copied().collect(), constant }
    }

    fn none(zero: Vec<Linear>, positive: Vec<Linear>) -> bool {
        System { facts: Facts { zero, positive }, choices: Vec::new() }.has_no_solution()
    }

    #[test]
    fn even_numbers_are_not_odd() {
        assert!(none(vec![row(&[(0, 2), (1, -2)], 1)], vec![]));
        assert!(!none(vec![row(&[(0, 2), (1, -2)], 4)], vec![]));
    }

    #[test]
    fn ranges_that_do_not_meet() {
        // 0 <= x < n, y >= n, x = y
        let bounds = vec![row(&[(0, 1)], 0), row(&[(0, -1), (2, 1)], -1), row(&[(1, 1), (2, -1)], 0)];
        assert!(none(vec![row(&[(0, 1), (1, -1)], 0)], bounds.clone()));
        assert!(!none(vec![row(&[(0, 1), (1, -1)], 1)], bounds));
    }

    #[test]
    fn blocks_do_not_overlap() {
        // 4i + j = 4k + l, 0 <= j, l < 4, i < k
        let equation = row(&[(0, 4), (1, 1), (2, -4), (3, -1)], 0);
        let bounds = vec![
            row(&[(1, 1)], 0),
            row(&[(1, -1)], 3),
            row(&[(3, 1)], 0),
            row(&[(3, -1)], 3),
            row(&[(2, 1), (0, -1)], -1),
        ];
        assert!(none(vec![equation.clone()], bounds.clone()));
        let mut wider = bounds;
        wider[1] = row(&[(1, -1)], 4);
        assert!(!none(vec![equation], wider));
    }

    #[test]
    fn numbers_between_integers() {
        // 1 <= 3x <= 2
        assert!(none(vec![], vec![row(&[(0, 3)], -1), row(&[(0, -3)], 2)]));
    }

    #[test]
    fn all_alternatives_must_fail() {
        let less = Facts { zero: vec![], positive: vec![row(&[(0, -1)], -1)] };
        let more = Facts { zero: vec![], positive: vec![row(&[(0, 1)], -1)] };
        let zero = Facts { zero: vec![row(&[(0, 1)], 0)], positive: vec![] };
        let system = System { facts: zero, choices: vec![vec![less, more.clone()]] };
        assert!(system.has_no_solution());
        let open = System { facts: Facts::default(), choices: vec![vec![more]] };
        assert!(!open.has_no_solution());
    }

    #[test]
    fn huge_coefficients_are_given_up() {
        let rows = vec![row(&[(0, i64::MAX), (1, 1)], -1), row(&[(0, -1), (1, i64::MAX)], -1)];
        assert!(!none(vec![], rows));
    }
}
