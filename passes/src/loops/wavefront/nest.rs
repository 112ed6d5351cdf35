//! Loops over rows around loops over columns, and what goes from row to row.

use std::collections::BTreeSet;

use pydd_ir::alias::MemoryInfo;
use pydd_ir::rewrite::{Layout, Uses, index_in};
use pydd_ir::{Block, DType, ElemOp, Function, Op, OpKind, Value};

use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::{constant_range, counts_up};
use crate::analysis::reductions;
use crate::loops::{is_number, take_out};

/// Operations of an iteration, at most, which is written twelve times.
const LONGEST: usize = 64;
/// Rows and columns at least, where their number is known.
const FEWEST: i64 = 16;

/// How a value that the loop over rows carries gets to the next row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carried {
    /// As one of the values that the row was given.
    Given(usize),
    /// From what is done before the columns.
    Before,
    /// From what is done after the columns, which alone uses it.
    After,
    /// Accumulated over the columns of all rows, in any order; the place among what columns carry.
    Accumulated(usize),
}

pub struct Nest {
    pub rows: Op,
    pub columns: Op,
    /// The condition that the columns stand under, but for the one that there are some.
    pub condition: Option<Value>,
    /// What is called otherwise outside of the condition that the columns stand under.
    pub names: Vec<(Value, Value)>,
    /// What a row does before its columns, and after them.
    pub before: Vec<Op>,
    pub after: Vec<Op>,
    pub carried: Vec<Carried>,
    /// The operations that the bounds of the columns need of `before`, in order; all are numbers.
    pub bounds: Vec<Op>,
    /// Whether all rows have the same columns.
    pub is_rectangular: bool,
}

/// Whether an operation may be the loop over rows, by its form alone.
pub fn is_candidate(func: &Function, outer: Op) -> bool {
    counts_up(func, outer)
        && !is_short(func, outer)
        && runs_to_its_end(func, func.ops[outer].regions[0])
        && columns(func, outer).is_some_and(|inner| {
            !is_short(func, inner) && {
                let body = func.ops[inner].regions[0];
                let mut ops = 0;
                func.walk(body, &mut |_| ops += 1);
                ops <= LONGEST && runs_to_its_end(func, body) && stores(func, body)
            }
        })
}

fn is_short(func: &Function, looped: Op) -> bool {
    constant_range(func, looped).is_some_and(|[start, stop, _]| stop.saturating_sub(start) < FEWEST)
}

fn stores(func: &Function, body: Block) -> bool {
    let mut found = false;
    func.walk(body, &mut |op| found |= func.ops[op].kind == OpKind::StoreRaw);
    found
}

/// The one loop of a loop's body, which holds else but numbers and elements. It may stand under a condition: that there are columns, or
/// another one that is known before the rows.
pub fn columns(func: &Function, outer: Op) -> Option<Op> {
    let (columns, others) = one_loop(func, func.ops[outer].regions[0])?;
    let (_, inner) = func.blocks[func.ops[columns].regions[0]].ops.split_last()?;
    // A store in a branch is seldom foreseen, and costs more than what is waited for.
    let stores = |&op: &Op| func.ops[op].regions.iter().any(|&region| stores(func, region));
    let plain = others.iter().chain(inner).all(|&op| is_plain(func, op));
    (plain && !inner.iter().any(stores)).then_some(columns)
}

/// The one loop of a block, and what else is there.
fn one_loop(func: &Function, block: Block) -> Option<(Op, Vec<Op>)> {
    let (_, ops) = func.blocks[block].ops.split_last()?;
    let is_loop = |&&op: &&Op| counts_up(func, op) || guarded(func, op).is_some();
    let found = *ops.iter().find(is_loop)?;
    let mut others: Vec<Op> = ops.iter().copied().filter(|&op| op != found).collect();
    let Some(block) = guarded(func, found) else { return Some((found, others)) };
    let (columns, inner) = one_loop(func, block)?;
    others.extend(inner);
    Some((columns, others))
}

/// What is done under a condition if that holds a loop, and nothing is done otherwise.
fn guarded(func: &Function, op: Op) -> Option<Block> {
    let data = &func.ops[op];
    let [then, otherwise] = data.regions[..] else { return None };
    let is_guard = data.kind == OpKind::If && func.blocks[otherwise].ops.len() == 1;
    (is_guard && func.blocks[then].ops.iter().any(|&op| counts_up(func, op))).then_some(then)
}

/// Moves numbers that are the same for all rows before them, also from under the condition that the columns stand under.
pub fn take_numbers_out(func: &mut Function, outer: Op) {
    let body = func.ops[outer].regions[0];
    let found = func.blocks[body].ops.iter().find_map(|&op| Some((op, guarded(func, op)?)));
    if let Some((guard, block)) = found {
        let mut numbers: BTreeSet<Value> = BTreeSet::new();
        let layout = Layout::new(func);
        let (free, kept): (Vec<Op>, Vec<Op>) = func.blocks[block].ops.iter().partition(|&&op| {
            let data = &func.ops[op];
            let known = |value: &Value| numbers.contains(value) || layout.dominates(func, *value, guard);
            let suits = is_number(&data.kind) && data.args.iter().all(known);
            if suits {
                numbers.extend(&data.results);
            }
            suits
        });
        func.blocks[block].ops = kept;
        let at = index_in(func, body, guard).expect("it was found there");
        func.blocks[body].ops.splice(at..at, free);
    }
    take_out(func, outer, is_number);
}

/// Numbers and elements, be it in branches.
fn is_plain(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    match &data.kind {
        OpKind::LoadRaw | OpKind::StoreRaw => true,
        OpKind::If => data.regions.iter().all(|&region| {
            let ops = &func.blocks[region].ops;
            let (end, ops) = ops.split_last().expect("a block ends with a terminator");
            func.ops[*end].kind == OpKind::Yield && ops.iter().all(|&op| is_plain(func, op))
        }),
        kind => is_number(kind),
    }
}

impl Nest {
    pub fn of(func: &Function, memory: &MemoryInfo, uses: &Uses, rows: Op, columns: Op) -> Option<Self> {
        let body = func.ops[rows].regions[0];
        let (_, ops) = func.blocks[body].ops.split_last()?;
        let at = ops.iter().position(|&op| op == columns || guarded(func, op).is_some())?;
        let mut nest = Self {
            rows,
            columns,
            condition: None,
            names: Vec::new(),
            before: ops[..at].to_vec(),
            after: ops[at + 1..].to_vec(),
            carried: Vec::new(),
            bounds: Vec::new(),
            is_rectangular: false,
        };
        if ops[at] != columns {
            // Rows run side by side where there are columns.
            let (end, inner) = func.blocks[func.ops[ops[at]].regions[0]].ops.split_last()?;
            let within = inner.iter().position(|&op| op == columns)?;
            nest.before.extend(&inner[..within]);
            nest.after.splice(..0, inner[within + 1..].iter().copied());
            nest.condition = Self::condition(func, rows, columns, func.ops[ops[at]].args[0])?;
            nest.names = func.ops[ops[at]].results.iter().copied().zip(func.ops[*end].args.clone()).collect();
        }
        nest.carried = nest.carried(func, uses, &accumulated(func, uses, columns)?)?;
        (nest.bounds, nest.is_rectangular) = nest.needed_for_bounds(func)?;
        nest.arrays_are_apart(func, memory).then_some(nest)
    }

    /// What is left to ask of a condition where there are columns; nothing where it is not known before the rows.
    fn condition(func: &Function, rows: Op, columns: Op, condition: Value) -> Option<Option<Value>> {
        let test = func.def_op(condition).map(|op| &func.ops[op]);
        let bounds = &func.ops[columns].args[..2];
        if test.is_some_and(|test| test.kind == OpKind::Elem(ElemOp::Lt) && test.args == bounds) {
            return Some(None);
        }
        Layout::new(func).dominates(func, condition, rows).then_some(Some(condition))
    }

    /// Values that the loop over rows carries.
    pub fn params<'f>(&self, func: &'f Function) -> &'f [Value] {
        &func.blocks[func.ops[self.rows].regions[0]].params[1..]
    }

    pub fn row(&self, func: &Function) -> Value {
        func.blocks[func.ops[self.rows].regions[0]].params[0]
    }

    pub fn column(&self, func: &Function) -> Value {
        func.blocks[func.ops[self.columns].regions[0]].params[0]
    }

    fn carried(&self, func: &Function, uses: &Uses, accumulated: &[bool]) -> Option<Vec<Carried>> {
        let body = func.ops[self.rows].regions[0];
        let end = func.terminator(body)?;
        let params = self.params(func);
        let layout = Layout::new(func);
        let next = func.ops[end].args.iter().zip(params);
        next.map(|(&named, &param)| {
            let next = self.value(named);
            if let Some(given) = params.iter().position(|&param| param == next) {
                return Some(Carried::Given(given));
            }
            let results = &func.ops[self.columns].results;
            if let Some(place) = results.iter().position(|&result| result == next) {
                let only = func.init(self.columns)[place] == param
                    && uses.count(param) == 1
                    && [next, named].iter().all(|&value| uses.count(value) == 1)
                    && accumulated.get(place).is_some_and(|&is| is);
                return only.then_some(Carried::Accumulated(place));
            }
            func.ty(param).is_scalar().then_some(())?;
            let comes_before = layout.dominates(func, next, self.columns);
            if comes_before {
                return Some(Carried::Before);
            }
            let mut users = uses.of(param).iter().map(|one| self.top(&layout, one.op));
            users.all(|op| op.is_some_and(|op| self.after.contains(&op))).then_some(Carried::After)
        })
        .collect()
    }

    /// What a value is called where the columns are.
    pub fn value(&self, value: Value) -> Value {
        self.names.iter().find(|(outside, _)| *outside == value).map_or(value, |&(_, inside)| inside)
    }

    /// The operation before or after the columns that an operation is, or is within.
    fn top(&self, layout: &Layout, op: Op) -> Option<Op> {
        std::iter::once(op)
            .chain(layout.ancestors(op))
            .find(|op| self.before.contains(op) || self.after.contains(op))
    }

    /// What is done before the columns that their bounds depend on, if it can be known of a row before the rows above it are done; and
    /// whether that is nothing.
    fn needed_for_bounds(&self, func: &Function) -> Option<(Vec<Op>, bool)> {
        let args = &func.ops[self.columns].args;
        let (row, params) = (self.row(func), self.params(func));
        let mut wanted = vec![args[0], args[1]];
        let mut found = Vec::new();
        for &op in self.before.iter().rev() {
            let data = &func.ops[op];
            if data.results.iter().any(|result| wanted.contains(result)) {
                is_number(&data.kind).then_some(())?;
                wanted.extend(&data.args);
                found.push(op);
            }
        }
        if wanted.iter().any(|value| params.contains(value)) {
            return None;
        }
        found.reverse();
        let is_rectangular = found.is_empty() && !wanted.contains(&row);
        Some((found, is_rectangular))
    }

    /// Whether arrays that are handed from row to row are different ones, which change places.
    fn arrays_are_apart(&self, func: &Function, memory: &MemoryInfo) -> bool {
        let init = func.init(self.rows).iter().zip(&self.carried);
        let arrays: Vec<(Value, Carried)> =
            init.filter(|&(&value, _)| !func.ty(value).is_scalar()).map(|(&a, &b)| (a, b)).collect();
        arrays.iter().enumerate().all(|(at, &(a, from))| {
            arrays[..at].iter().all(|&(b, other)| from != other && !memory.may_alias(a, b))
        })
    }
}

/// Whether each value that the loop over columns carries is accumulated, by what gives the same in any order.
fn accumulated(func: &Function, uses: &Uses, columns: Op) -> Option<Vec<bool>> {
    let is_exact =
        |&result: &Value| func.ty(result).dtype().is_some_and(|dtype| dtype.is_int() || dtype == DType::Bool);
    let reduced = reductions::of_values(func, uses, columns)?;
    let results = &func.ops[columns].results;
    Some(reduced.iter().zip(results).map(|(reduce, result)| reduce.is_some() && is_exact(result)).collect())
}
