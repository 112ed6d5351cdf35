//! Whether a system of linear equations and inequalities has no solution in integers.
//!
//! Equations are solved by substitution where a coefficient is 1 or -1, and tested by the greatest common divisor
//! elsewhere. Inequalities are eliminated as Fourier and Motzkin do, each one tightened to integers
//! (Pugh, "The Omega test", 1991, without its splinters). So "no solution" is always right, and a
//! system without one may not be recognised.

use std::collections::BTreeMap;

use pydd_ir::poly::{self, Poly, greatest_common_divisor};

/// More inequalities than this are given up.
const MAX_ROWS: usize = 160;
/// More alternatives than this are not looked into.
const MAX_CHOICES: usize = 7;

/// An unknown of a system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Column(pub u32);

impl poly::Symbol for Column {
    fn word(self) -> u32 {
        self.0 + 1
    }

    fn of_word(word: u32) -> Self {
        Self(word - 1)
    }
}

/// A sum of unknowns without products. What has products is a product of the program's integers, which is an unknown here.
pub type Row = Poly<Column>;

/// How often a row has an unknown.
fn times(row: &Row, column: Column) -> i64 {
    row.terms().find(|(product, _)| product.contains(column)).map_or(0, |(_, factor)| factor)
}

fn columns(row: &Row) -> impl Iterator<Item = (Column, i64)> + '_ {
    row.terms().flat_map(|(product, factor)| product.symbols().map(move |column| (column, factor)))
}

/// What holds, all at once.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Constraints {
    /// Each is 0.
    pub zero: Vec<Row>,
    /// Each is at least 0.
    pub positive: Vec<Row>,
}

/// A system: constraints, and choices of which one alternative each holds.
#[derive(Clone, Default, Debug)]
pub struct System {
    pub constraints: Constraints,
    pub choices: Vec<Vec<Constraints>>,
}

impl System {
    /// Whether no integers fulfil it, as far as is known.
    #[must_use]
    pub fn has_no_solution(&self) -> bool {
        let used = self.choices.len().min(MAX_CHOICES);
        contradicts(&self.constraints, &self.choices[..used])
    }
}

fn contradicts(constraints: &Constraints, choices: &[Vec<Constraints>]) -> bool {
    if constraints.contradict() {
        return true;
    }
    let Some((first, rest)) = choices.split_first() else { return false };
    first.iter().all(|alternative| {
        let mut all = constraints.clone();
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

impl Constraints {
    fn contradict(&self) -> bool {
        matches!(self.clone().solve(), Err(Stop::Contradiction))
    }

    fn solve(mut self) -> Result<(), Stop> {
        self.substitute()?;
        let mut rows = Vec::new();
        for equation in &self.zero {
            rows.push(equation.clone());
            rows.push(equation.neg());
        }
        rows.append(&mut self.positive);
        eliminate(rows)
    }

    /// Takes unknowns out by equations.
    fn substitute(&mut self) -> Result<(), Stop> {
        let mut kept = Vec::new();
        while let Some(mut equation) = self.zero.pop() {
            if equation.is_zero() {
                continue;
            }
            let divisor = i128::from(equation.common_factor());
            if divisor == 0 || equation.offset() % divisor != 0 {
                return Err(Stop::Contradiction);
            }
            equation.divide_down();
            let Some((column, sign)) = columns(&equation).find(|(_, factor)| factor.abs() == 1) else {
                kept.push(equation);
                continue;
            };
            // column = -sign * (the rest)
            let replace = |row: &Row| match times(row, column) {
                0 => Some(row.clone()),
                factor => row.plus(factor.checked_mul(-sign)?, &equation),
            };
            let changed = |rows: &[Row]| rows.iter().map(replace).collect::<Option<Vec<_>>>();
            // What was kept may have a factor of 1 now.
            kept.append(&mut self.zero);
            self.zero = changed(&kept).ok_or(Stop::GivenUp)?;
            kept.clear();
            self.positive = changed(&self.positive).ok_or(Stop::GivenUp)?;
        }
        self.zero = kept;
        Ok(())
    }
}

/// Takes out one unknown after the other by adding up pairs of bounds.
fn eliminate(rows: Vec<Row>) -> Result<(), Stop> {
    let mut rows = tightened(rows)?;
    while let Some(column) = cheapest(&rows) {
        let (mut lower, mut upper, mut next) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            match times(&row, column) {
                0 => next.push(row),
                factor if factor > 0 => lower.push((factor, row)),
                factor => upper.push((-factor, row)),
            }
        }
        for (a, low) in &lower {
            for (b, high) in &upper {
                let common = greatest_common_divisor(*a, *b);
                let sum = low.scale(b / common).and_then(|row| row.plus(a / common, high));
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

/// Each row divided by what its factors have in common, of parallel ones the strongest.
fn tightened(rows: Vec<Row>) -> Result<Vec<Row>, Stop> {
    let mut strongest: BTreeMap<Row, i128> = BTreeMap::new();
    for mut row in rows {
        if let Some(constant) = row.as_constant() {
            if constant < 0 {
                return Err(Stop::Contradiction);
            }
            continue;
        }
        row.divide_down();
        let constant = row.offset();
        let entry = strongest.entry(row.products(|_, _| true)).or_insert(constant);
        *entry = constant.min(*entry);
    }
    let rows = strongest.into_iter().map(|(products, constant)| products.shift(constant));
    Ok(rows.map(|row| row.expect("a constant that was there before")).collect())
}

/// The unknown whose elimination makes the fewest rows.
fn cheapest(rows: &[Row]) -> Option<Column> {
    let mut counts: BTreeMap<Column, (usize, usize)> = BTreeMap::new();
    for (column, factor) in rows.iter().flat_map(columns) {
        let entry = counts.entry(column).or_default();
        if factor > 0 {
            entry.0 += 1;
        } else {
            entry.1 += 1;
        }
    }
    counts.into_iter().min_by_key(|&(_, (lower, upper))| lower * upper).map(|(column, _)| column)
}

#[cfg(test)]
mod tests {
    use super::{Column, Constraints, Row, System};

    fn row(terms: &[(u32, i64)], constant: i64) -> Row {
        let unknown = |column| Row::symbol(Column(column));
        let add = |sum: Row, &(column, times): &(u32, i64)| sum.plus(times, &unknown(column)).unwrap();
        terms.iter().fold(Row::constant(constant), add)
    }

    fn none(zero: Vec<Row>, positive: Vec<Row>) -> bool {
        System { constraints: Constraints { zero, positive }, choices: Vec::new() }.has_no_solution()
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
        let less = Constraints { zero: vec![], positive: vec![row(&[(0, -1)], -1)] };
        let more = Constraints { zero: vec![], positive: vec![row(&[(0, 1)], -1)] };
        let zero = Constraints { zero: vec![row(&[(0, 1)], 0)], positive: vec![] };
        let system = System { constraints: zero, choices: vec![vec![less, more.clone()]] };
        assert!(system.has_no_solution());
        let open = System { constraints: Constraints::default(), choices: vec![vec![more]] };
        assert!(!open.has_no_solution());
    }

    #[test]
    fn huge_coefficients_are_given_up() {
        let rows = vec![row(&[(0, i64::MAX), (1, 1)], -1), row(&[(0, -1), (1, i64::MAX)], -1)];
        assert!(!none(vec![], rows));
    }
}
