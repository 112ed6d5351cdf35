//! Which skew keeps what elements of earlier rows rows need.
//!
//! Two accesses to one array, of columns `c` and `d` of rows that are `k` apart, touch one element where `d - c` is a certain distance, which
//! indices that are sums of the row, the column and numbers tell. With a skew of `s` the step of column `d` lies `s * k + distance` behind that
//! of `c`, and rows that run side by side are at most `ROWS - 1` apart. What a row does before its columns is done before steps of
//! earlier rows, what it does after them behind steps of later ones; so that must touch other elements than those steps do.

use pydd_ir::alias::MemoryInfo;
use pydd_ir::rewrite::Layout;
use pydd_ir::{Function, Op, OpKind, Value};

use super::ROWS;
use super::nest::{Carried, Nest};
use crate::analysis::patterns::raw_element;
use crate::analysis::recurrences::sum_of;
use crate::analysis::symbol::{Poly, Symbol};

/// The greatest skew.
const FARTHEST: i64 = 4;
/// Accesses of a nest, at most.
const ACCESSES: usize = 48;
/// Steps in which all rows have a column, at least; with fewer no rows run side by side.
pub const WIDTH: i64 = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Before,
    Columns,
    After,
}

/// One axis of an element: what the row and the column are multiplied with, and the rest.
struct Axis {
    row: Poly,
    column: i64,
    rest: Poly,
}

struct Access {
    op: Op,
    place: Place,
    array: Value,
    writes: bool,
    /// Nothing where it is no sum of the row and the column.
    axes: Vec<Option<Axis>>,
}

/// How many columns one access lies behind another one where both touch one element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Distance {
    Never,
    Columns(i64),
    Unknown,
}

struct Accesses<'f> {
    func: &'f Function,
    memory: &'f MemoryInfo,
    nest: &'f Nest,
    layout: Layout,
    all: Vec<Access>,
    /// The columns' bounds, if all rows have the same.
    bounds: Option<[Poly; 2]>,
}

/// A load that finds what the row above stored so many steps before.
pub struct Forward {
    pub store: Op,
    pub load: Op,
    pub steps: i64,
}

/// How the rows of a nest run side by side.
pub struct Plan {
    /// How many columns each row is behind the one above it.
    pub skew: i64,
    pub forwards: Vec<Forward>,
}

/// The least skew with which the rows of a nest may run side by side, and what they then find in registers.
pub fn plan(func: &Function, memory: &MemoryInfo, nest: &Nest) -> Option<Plan> {
    let accesses = Accesses::of(func, memory, nest)?;
    let skew = (0..=FARTHEST).find(|&skew| accesses.allow(skew))?;
    Some(Plan { skew, forwards: accesses.forwards(skew) })
}

impl<'f> Accesses<'f> {
    fn of(func: &'f Function, memory: &'f MemoryInfo, nest: &'f Nest) -> Option<Self> {
        let layout = Layout::new(func);
        let mut accesses = Self { func, memory, nest, layout, all: Vec::new(), bounds: None };
        accesses.gather(Place::Before, &nest.before)?;
        accesses.gather(Place::Columns, &func.blocks[func.ops[nest.columns].regions[0]].ops)?;
        accesses.gather(Place::After, &nest.after)?;
        if nest.is_rectangular {
            let args = &func.ops[nest.columns].args;
            accesses.bounds = accesses.sum(args[0]).zip(accesses.sum(args[1])).map(<[Poly; 2]>::from);
        }
        (accesses.all.len() <= ACCESSES).then_some(accesses)
    }

    fn sum(&self, value: Value) -> Option<Poly> {
        let (row, column) = (self.nest.row(self.func), self.nest.column(self.func));
        let known = |value| {
            value == row || value == column || self.layout.dominates(self.func, value, self.nest.rows)
        };
        sum_of(self.func, value, &known)
    }

    fn gather(&mut self, place: Place, ops: &[Op]) -> Option<()> {
        for &op in ops {
            let data = &self.func.ops[op];
            if let Some(element) = raw_element(self.func, op) {
                let axes = element[1..].iter().map(|&index| self.axis(index)).collect();
                let writes = data.kind == OpKind::StoreRaw;
                self.all.push(Access { op, place, array: element[0], writes, axes });
            }
            for &region in &data.regions {
                self.gather(place, &self.func.blocks[region].ops)?;
            }
        }
        Some(())
    }

    fn axis(&self, index: Value) -> Option<Axis> {
        let [row, column] = [self.nest.row(self.func), self.nest.column(self.func)].map(Symbol::Value);
        let (by_column, rest) = self.sum(index)?.split(column)?;
        let (row, rest) = rest.split(row)?;
        Some(Axis { row, column: by_column.as_i64()?, rest })
    }

    /// Whether rows with this skew find all elements as they did before.
    fn allow(&self, skew: i64) -> bool {
        (1..ROWS).all(|apart| {
            self.all.iter().all(|first| {
                let mut later = self.all.iter().filter(|then| first.writes || then.writes);
                later.all(|then| match self.is_same_array(first, then, apart) {
                    Some(same) => !same || self.keep_their_order(first, then, apart, skew),
                    None => false,
                })
            })
        })
    }

    /// Whether an access of a row is one of the array that an access of a later row is of, which is so many rows further; nothing where
    /// both may only have memory in common.
    fn is_same_array(&self, first: &Access, then: &Access, apart: i64) -> Option<bool> {
        let params = self.nest.params(self.func);
        let mut array = then.array;
        for _ in 0..apart {
            let Some(at) = params.iter().position(|&param| param == array) else { break };
            let Carried::Given(from) = self.nest.carried[at] else { return None };
            array = params[from];
        }
        if first.array == array {
            return Some(true);
        }
        let handed_on = |array| params.contains(&array);
        let apart = handed_on(first.array) && handed_on(array) || !self.memory.may_alias(first.array, array);
        apart.then_some(false)
    }

    /// Whether an access is done before that of a row `apart` rows further wherever both touch one element.
    fn keep_their_order(&self, first: &Access, then: &Access, apart: i64, skew: i64) -> bool {
        use Place::{After, Before, Columns};
        match (first.place, then.place) {
            (Columns, Columns) => match self.distance(first, then, apart) {
                Distance::Never => true,
                Distance::Columns(columns) => skew * apart + columns >= 1,
                Distance::Unknown => false,
            },
            // In the order of rows.
            (Before, _) | (_, After) => true,
            (Columns, Before) => Self::any_axis(first, then, apart, |a, b| {
                let gap = Self::gap(a, b, apart)?.neg();
                let Some([from, to]) = &self.bounds else { return Some(false) };
                let done = || Some(at_most(&gap.sub(from)?, skew * apart));
                let outside = || Some(at_least(&gap.sub(to)?, 0));
                Some(a.column == 1 && (done()? || outside()?))
            }),
            (After, Columns) => Self::any_axis(first, then, apart, |a, b| {
                let gap = Self::gap(a, b, apart)?;
                let Some([from, to]) = &self.bounds else { return Some(false) };
                let to_come = || Some(at_least(&gap.sub(to)?, -skew * apart));
                let outside = || Some(at_most(&gap.sub(from)?, -1));
                Some(b.column == 1 && (to_come()? || outside()?))
            }),
            (After, Before) => Self::any_axis(first, then, apart, |a, b| {
                let gap = Self::gap(a, b, apart)?;
                let Some([from, to]) = &self.bounds else { return Some(false) };
                let width = to.sub(from)?;
                // As far apart as the columns reach, but for some of them: there are more than the steps.
                let above = || Some(at_least(&gap.sub(&width)?, 1 - WIDTH));
                let below = || Some(at_most(&gap.add(&width)?, WIDTH - 1));
                Some(above()? || below()?)
            }),
        }
    }

    /// Whether some axis tells the elements of two accesses apart: by itself, where neither depends on the column, or as `apart` says.
    fn any_axis(
        first: &Access,
        then: &Access,
        apart: i64,
        differ: impl Fn(&Axis, &Axis) -> Option<bool>,
    ) -> bool {
        let axes = first.axes.iter().zip(&then.axes);
        axes.filter_map(|(a, b)| a.as_ref().zip(b.as_ref())).filter(|(a, b)| a.row == b.row).any(|(a, b)| {
            let still = a.column == 0 && b.column == 0;
            let gap = || Self::gap(a, b, apart).and_then(|gap| gap.as_i64());
            still && gap().is_some_and(|gap| gap != 0) || differ(a, b).unwrap_or(false)
        })
    }

    /// What the columns of two accesses `apart` rows from each other differ by, times what they are multiplied with, where an axis of both
    /// is the same.
    fn gap(a: &Axis, b: &Axis, apart: i64) -> Option<Poly> {
        a.rest.sub(&b.rest)?.plus(-apart, &a.row)
    }

    /// What rows find in registers of the row above them.
    fn forwards(&self, skew: i64) -> Vec<Forward> {
        let body = &self.func.blocks[self.func.ops[self.nest.columns].regions[0]].ops;
        let in_columns = |access: &&Access| body.contains(&access.op);
        let mut found = Vec::new();
        for store in self.all.iter().filter(in_columns).filter(|store| self.stays_until_next_row(store)) {
            for load in self.all.iter().filter(in_columns).filter(|load| !load.writes) {
                let position = |op: Op| body.iter().position(|&other| other == op);
                let loads_first = position(load.op) < position(store.op);
                let of_own_row = match self.is_same_array(store, load, 0) {
                    Some(false) => false,
                    Some(true) => match self.distance(store, load, 0) {
                        Distance::Never => false,
                        Distance::Columns(columns) => columns > 0 || columns == 0 && !loads_first,
                        Distance::Unknown => true,
                    },
                    None => true,
                };
                if of_own_row || self.is_same_array(store, load, 1) != Some(true) {
                    continue;
                }
                let Some(columns) = Self::exactly(store, load) else { continue };
                let steps = skew + columns;
                // The row above has then been at that column, or nobody has.
                let known = columns <= 1 && self.nest.is_rectangular || Self::has_row_of_its_own(store);
                if known && (1..=WIDTH).contains(&steps) {
                    found.push(Forward { store: store.op, load: load.op, steps });
                }
            }
        }
        found
    }

    /// Whether what columns of a row store is there until the same columns of the next row.
    fn stays_until_next_row(&self, store: &Access) -> bool {
        let elsewhere = |other: &Access, apart: i64| match self.is_same_array(store, other, apart) {
            Some(same) => {
                let outside = |a: &Axis, b: &Axis| {
                    let column = Self::gap(a, b, apart)?.neg();
                    let [from, to] = self.bounds.as_ref()?;
                    let before = || Some(at_most(&column.sub(from)?, -1));
                    Some(a.column == 1 && (before()? || at_least(&column.sub(to)?, 0)))
                };
                !same || Self::any_axis(store, other, apart, outside)
            }
            None => false,
        };
        let mut others = self.all.iter().filter(|other| other.writes && other.op != store.op);
        store.writes
            && others.all(|other| match other.place {
                Place::Columns => !self.memory.may_alias(store.array, other.array),
                Place::Before => elsewhere(other, 1),
                Place::After => elsewhere(other, 0),
            })
    }

    /// Whether an axis tells the rows of an access apart.
    fn has_row_of_its_own(access: &Access) -> bool {
        let by_row = |axis: &Axis| axis.column == 0 && axis.row.as_i64().is_some_and(|row| row != 0);
        access.axes.iter().flatten().any(by_row)
    }

    /// How many columns behind a store a load of the next row always touches the same element.
    fn exactly(store: &Access, load: &Access) -> Option<i64> {
        let mut distance = None;
        for (a, b) in store.axes.iter().zip(&load.axes) {
            let (a, b) = (a.as_ref()?, b.as_ref()?);
            (a.row == b.row && a.column == b.column).then_some(())?;
            let gap = Self::gap(a, b, 1)?.as_i64()?;
            match a.column {
                0 if gap == 0 => {}
                by if by != 0 && gap % by == 0 => {
                    distance.replace(gap / by).is_none_or(|before| before == gap / by).then_some(())?;
                }
                _ => return None,
            }
        }
        distance
    }

    fn distance(&self, first: &Access, then: &Access, apart: i64) -> Distance {
        if first.axes.len() != then.axes.len() {
            return Distance::Unknown;
        }
        let mut distance = Distance::Unknown;
        for (a, b) in first.axes.iter().zip(&then.axes) {
            let (Some(a), Some(b)) = (a, b) else { continue };
            if a.row != b.row || a.column != b.column {
                continue;
            }
            let Some(gap) = Self::gap(a, b, apart) else { continue };
            match (a.column, gap.as_i64()) {
                (0, Some(gap)) if gap != 0 => return Distance::Never,
                (0, _) => {}
                (by, Some(gap)) if gap % by != 0 => return Distance::Never,
                (by, Some(gap)) => {
                    let columns = gap / by;
                    if matches!(distance, Distance::Columns(other) if other != columns) {
                        return Distance::Never;
                    }
                    distance = Distance::Columns(columns);
                }
                (1 | -1, None) if self.is_beyond(&gap) => return Distance::Never,
                (_, None) => {}
            }
        }
        distance
    }

    /// Whether a number of columns is at least as large as there are columns, in either direction.
    fn is_beyond(&self, gap: &Poly) -> bool {
        let Some([from, to]) = &self.bounds else { return false };
        let Some(width) = to.sub(from) else { return false };
        gap.sub(&width).is_some_and(|more| at_least(&more, 0))
            || gap.add(&width).is_some_and(|more| at_most(&more, 0))
    }
}

fn at_least(poly: &Poly, bound: i64) -> bool {
    poly.as_i64().is_some_and(|constant| constant >= bound)
}

fn at_most(poly: &Poly, bound: i64) -> bool {
    poly.as_i64().is_some_and(|constant| constant <= bound)
}
