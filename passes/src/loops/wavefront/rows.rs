//! Writes the rows of a nest side by side.

use pydd_ir::rewrite::{Cloner, ValueMap, inline_block, position};
use pydd_ir::{Builder, ElemOp, Function, Op, OpKind, Type, Value};

use super::depend::{Plan, WIDTH};
use super::nest::{Carried, Nest};
use super::{ROWS, stored};
use crate::loops::whole_groups;

/// Bounds of columns beyond this are left to the loop as it was: their steps could overflow.
const FAR: i64 = 1 << 40;

/// A row on its way.
struct Row {
    /// What stands for its values.
    values: ValueMap,
    to: Value,
    /// What its columns carry.
    carried: Vec<Value>,
}

/// Makes the loop over rows one over four at a time, and leaves the rest of them to the loop as it was.
pub fn write(func: &mut Function, nest: &Nest, plan: &Plan) {
    let writer = Writer { nest, skew: plan.skew, waits: waits(func, nest, plan) };
    let data = func.ops[nest.rows].clone();
    let (start, stop) = (data.args[0], data.args[1]);
    let block = func.new_block();
    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let mut whole = whole_groups(&mut b, start, stop, ROWS);
    if nest.is_rectangular {
        let bounds = bounds_of_rows(&mut b, nest, start);
        let wide = writer.is_wide(&mut b, &bounds);
        let none = b.int(0);
        whole = b.select(wide, whole, none);
    }
    let end = b.add(start, whole);
    let step = b.int(ROWS);
    let results = b.for_loop([start, end, step], &data.args[3..], |b, row, carried| {
        if nest.is_rectangular {
            return writer.rows(b, row, carried);
        }
        let bounds = bounds_of_rows(b, nest, row);
        let wide = writer.is_wide(b, &bounds);
        let types: Vec<Type> = carried.iter().map(|&value| b.func.ty(value)).collect();
        let beside = b.region(&[], |b, _| {
            let next = writer.rows(b, row, carried);
            b.effect(OpKind::Yield, next);
        });
        let apart = b.region(&[], |b, _| {
            let next = rows_as_they_were(b, nest, row, carried);
            b.effect(OpKind::Yield, next);
        });
        let choice = b.op(OpKind::If, vec![wide], &types, vec![beside, apart]);
        b.func.ops[choice].results.clone()
    });
    let made = std::mem::take(&mut func.blocks[block].ops);
    let (home, at) = position(func, nest.rows).expect("the loop stands in a block");
    func.blocks[home].ops.splice(at..at, made);
    let args = &mut func.ops[nest.rows].args;
    args[0] = end;
    args[3..].copy_from_slice(&results);
}

fn bounds_of_rows(b: &mut Builder<'_>, nest: &Nest, first: Value) -> Vec<(Value, Value)> {
    (0..ROWS).map(|row| bounds(b, nest, first, row)).collect()
}

/// The columns of a row.
fn bounds(b: &mut Builder<'_>, nest: &Nest, first: Value, row: i64) -> (Value, Value) {
    let more = b.int(row);
    let row = b.add(first, more);
    let mut cloner = Cloner::default();
    cloner.values.insert(nest.row(b.func), row);
    copy_ops(b, &mut cloner, &nest.bounds);
    let args = &b.func.ops[nest.columns].args;
    let of = |value: Value| cloner.values.get(value).unwrap_or(value);
    (of(args[0]), of(args[1]))
}

/// The rows one after the other.
fn rows_as_they_were(b: &mut Builder<'_>, nest: &Nest, first: Value, carried: &[Value]) -> Vec<Value> {
    let (count, step) = (b.int(ROWS), b.int(1));
    let end = b.add(first, count);
    let body = b.func.ops[nest.rows].regions[0];
    b.for_loop([first, end, step], carried, |b, row, carried| {
        let args: Vec<Value> = std::iter::once(row).chain(carried.iter().copied()).collect();
        let block = b.block;
        inline_block(b.func, body, &args, block)
    })
}

fn copy_ops(b: &mut Builder<'_>, cloner: &mut Cloner, ops: &[Op]) {
    for &op in ops {
        let copy = cloner.op(b.func, None, op);
        let block = b.block;
        b.func.blocks[block].ops.push(copy);
    }
}

/// What each row but the last stored in the steps before: for each store and row, the latest first.
struct Kept {
    values: Vec<Vec<Vec<Value>>>,
    /// The same for the next step, in one row.
    next: Vec<Value>,
}

impl Kept {
    /// From what is kept besides what columns carry.
    fn new(waits: &[Waiting], rows: usize, carried: &[Value]) -> Self {
        let mut carried = carried.iter().copied();
        let mut values = vec![Vec::new(); waits.len()];
        for _ in 0..rows {
            for (waiting, values) in waits.iter().zip(&mut values) {
                let more = waiting.steps() - usize::from(waiting.carried.is_some());
                values.push(carried.by_ref().take(more).collect());
            }
        }
        Self { values, next: Vec::new() }
    }

    /// What the row below loads.
    fn loaded(&self, waits: &[Waiting], above: usize) -> Vec<(Op, Value)> {
        let each = waits.iter().zip(&self.values);
        each.flat_map(|(waiting, kept)| {
            waiting.loads.iter().map(move |&(load, steps)| (load, kept[above][steps - 1]))
        })
        .collect()
    }

    /// Takes note of a row's step: of what it was given, and of what it has stored.
    fn keep(&mut self, b: &Builder<'_>, waits: &[Waiting], row: usize, given: &[Value], values: &ValueMap) {
        for (waiting, kept) in waits.iter().zip(&mut self.values) {
            let kept = &mut kept[row];
            if let Some(place) = waiting.carried {
                kept.insert(0, given[place]);
            }
            let stored = b.func.ops[waiting.store].args[1];
            let mut next = kept.clone();
            next.insert(0, values.get(stored).unwrap_or(stored));
            next.pop();
            self.next.extend(next.drain(usize::from(waiting.carried.is_some())..));
        }
    }
}

/// What rows store and the rows below them load some steps later.
struct Waiting {
    store: Op,
    /// The place among what columns carry of what was stored in the step before.
    carried: Option<usize>,
    /// The loads, and how many steps later each is.
    loads: Vec<(Op, usize)>,
    /// The load that comes last, and what its indices need.
    last: Op,
    needs: Vec<Op>,
}

fn waits(func: &Function, nest: &Nest, plan: &Plan) -> Vec<Waiting> {
    let mut waits: Vec<Waiting> = Vec::new();
    let body = func.ops[nest.columns].regions[0];
    let next = func.terminator(body).map_or(&[][..], |end| &func.ops[end].args);
    for forward in &plan.forwards {
        let indices = &func.ops[forward.load].args[1..];
        let Some(needs) = stored::indices(func, nest.columns, indices) else { continue };
        let load = (forward.load, usize::try_from(forward.steps).expect("a few steps"));
        match waits.iter_mut().find(|waiting| waiting.store == forward.store) {
            Some(waiting) => {
                if waiting.loads.iter().all(|&(_, steps)| steps < load.1) {
                    (waiting.last, waiting.needs) = (forward.load, needs);
                }
                waiting.loads.push(load);
            }
            None => {
                let value = func.ops[forward.store].args[1];
                let carried = next.iter().position(|&next| next == value);
                let (store, last) = (forward.store, forward.load);
                waits.push(Waiting { store, carried, loads: vec![load], last, needs });
            }
        }
    }
    waits
}

impl Waiting {
    /// For how many steps a value is kept.
    fn steps(&self) -> usize {
        self.loads.iter().map(|&(_, steps)| steps).max().unwrap_or(0)
    }
}

struct Writer<'n> {
    nest: &'n Nest,
    skew: i64,
    waits: Vec<Waiting>,
}

impl Writer<'_> {
    /// Whether there are enough steps in which all rows have a column, and no bound is a number near overflow.
    fn is_wide(&self, b: &mut Builder<'_>, bounds: &[(Value, Value)]) -> Value {
        let (low, high, least) = (b.int(-FAR), b.int(FAR), b.int(WIDTH));
        let [begin, end] = self.steps(b, bounds);
        let steps = b.sub(end, begin);
        let mut holds = b.elem(ElemOp::Le, &[least, steps]);
        if let Some(condition) = self.nest.condition {
            holds = b.elem(ElemOp::And, &[holds, condition]);
        }
        let bounds = if self.nest.is_rectangular { &bounds[..1] } else { bounds };
        for &(from, to) in bounds {
            for pair in [[low, from], [from, to], [to, high]] {
                let one = b.elem(ElemOp::Le, &pair);
                holds = b.elem(ElemOp::And, &[holds, one]);
            }
        }
        holds
    }

    /// Four rows; gives what the loop over rows carries behind them.
    fn rows(&self, b: &mut Builder<'_>, first: Value, carried: &[Value]) -> Vec<Value> {
        let nest = self.nest;
        let bounds = bounds_of_rows(b, nest, first);
        let [begin, end] = self.steps(b, &bounds);
        // What each row is given. What is computed after the columns is put in when it is there.
        let mut state = carried.to_vec();
        let mut shared = self.shared(b, carried);
        let mut rows = Vec::new();
        for (row, &(from, to)) in (0..).zip(&bounds) {
            let mut cloner = self.begin_row(b, first, row, &state);
            copy_ops(b, &mut cloner, &nest.before);
            state = self.next(b, &state, &cloner.values);
            let init = b.func.init(nest.columns).to_vec();
            let carried = init.iter().map(|&value| cloner.values.get(value).unwrap_or(value)).collect();
            let mut one = Row { values: cloner.values, to, carried };
            let until = self.column(b, begin, row);
            let until = b.elem(ElemOp::Min, &[until, to]);
            self.columns(b, &mut one, &mut shared, [from, until]);
            rows.push(one);
        }
        self.side_by_side(b, &mut rows, &mut shared, [begin, end]);
        let mut after = carried.to_vec();
        for (row, one) in (0..).zip(&mut rows) {
            // The first of rows with the same columns ends first.
            if row > 0 || !nest.is_rectangular {
                let from = self.column(b, end, row);
                let to = one.to;
                self.columns(b, one, &mut shared, [from, to]);
            }
            self.end_row(b, one, &mut after);
        }
        for (at, (value, how)) in state.iter_mut().zip(&nest.carried).enumerate() {
            match *how {
                Carried::Accumulated(place) => *value = shared[place].expect("it is accumulated"),
                Carried::After => *value = after[at],
                Carried::Given(_) | Carried::Before => {}
            }
        }
        state
    }

    /// The steps in which all rows have a column: from the first of all rows, which are done before, to the end of the first row to end.
    fn steps(&self, b: &mut Builder<'_>, bounds: &[(Value, Value)]) -> [Value; 2] {
        let mut steps: Option<[Value; 2]> = None;
        for (row, &(from, to)) in (0..).zip(bounds) {
            let [begin, end] = [(from, 1), (to, 0)].map(|(bound, more)| {
                let more = b.int(self.skew * row + more);
                b.add(bound, more)
            });
            steps = Some(match steps {
                None => [begin, end],
                Some([first, last]) => {
                    [b.elem(ElemOp::Max, &[first, begin]), b.elem(ElemOp::Min, &[last, end])]
                }
            });
        }
        let [begin, end] = steps.expect("there are rows");
        [begin, b.elem(ElemOp::Max, &[begin, end])]
    }

    /// The column of a row in a step.
    fn column(&self, b: &mut Builder<'_>, step: Value, row: i64) -> Value {
        let behind = b.int(self.skew * row);
        b.sub(step, behind)
    }

    /// What is accumulated over all rows, at its place among what columns carry.
    fn shared(&self, b: &Builder<'_>, carried: &[Value]) -> Vec<Option<Value>> {
        let mut shared = vec![None; b.func.init(self.nest.columns).len()];
        for (&value, how) in carried.iter().zip(&self.nest.carried) {
            if let Carried::Accumulated(place) = *how {
                shared[place] = Some(value);
            }
        }
        shared
    }

    fn begin_row(&self, b: &mut Builder<'_>, first: Value, row: i64, state: &[Value]) -> Cloner {
        let more = b.int(row);
        let index = b.add(first, more);
        let mut cloner = Cloner::default();
        cloner.values.insert(self.nest.row(b.func), index);
        cloner.values.insert_all(self.nest.params(b.func), state);
        cloner
    }

    /// What the next row is given, as far as it is known before the columns.
    fn next(&self, b: &Builder<'_>, state: &[Value], values: &ValueMap) -> Vec<Value> {
        let next = self.continued(b);
        let known = next.iter().zip(&self.nest.carried).zip(state);
        known
            .map(|((&next, how), &same)| match *how {
                Carried::Given(from) => state[from],
                Carried::Before => values.get(next).unwrap_or(next),
                Carried::After | Carried::Accumulated(_) => same,
            })
            .collect()
    }

    /// What the loop over rows is continued with.
    fn continued(&self, b: &Builder<'_>) -> Vec<Value> {
        let end = b.func.terminator(b.func.ops[self.nest.rows].regions[0]).expect("a block has an end");
        b.func.ops[end].args.iter().map(|&value| self.nest.value(value)).collect()
    }

    /// A column of a row, some loads of which are known. What stands for its values is put into the map; gives what is carried to the next one.
    fn one(
        &self,
        b: &mut Builder<'_>,
        values: &mut ValueMap,
        loaded: &[(Op, Value)],
        args: [&[Value]; 2],
    ) -> Vec<Value> {
        let body = b.func.ops[self.nest.columns].regions[0];
        let params = b.func.blocks[body].params.clone();
        let mut ops = b.func.blocks[body].ops.clone();
        let end = ops.pop().expect("a block ends with a terminator");
        let mut cloner = Cloner { values: std::mem::take(values), ..Cloner::default() };
        cloner.values.insert_all(&params, &args.concat());
        for &(load, value) in loaded {
            cloner.values.insert(b.func.result(load), value);
        }
        ops.retain(|op| loaded.iter().all(|(load, _)| load != op));
        copy_ops(b, &mut cloner, &ops);
        let next = b.func.ops[end].args.iter().map(|&arg| cloner.values.get(arg).unwrap_or(arg)).collect();
        *values = cloner.values;
        next
    }

    /// Some columns of one row.
    fn columns(
        &self,
        b: &mut Builder<'_>,
        row: &mut Row,
        shared: &mut [Option<Value>],
        [from, to]: [Value; 2],
    ) {
        let init: Vec<Value> =
            shared.iter().zip(&row.carried).map(|(shared, &own)| shared.unwrap_or(own)).collect();
        let step = b.int(1);
        let values = &row.values;
        let results = b.for_loop([from, to, step], &init, |b, column, carried| {
            self.one(b, &mut values.clone(), &[], [&[column], carried])
        });
        for (shared, &result) in shared.iter_mut().zip(&results) {
            *shared = shared.map(|_| result);
        }
        row.carried = results;
    }

    /// The steps in which each row does a column.
    fn side_by_side(
        &self,
        b: &mut Builder<'_>,
        rows: &mut [Row],
        shared: &mut [Option<Value>],
        [begin, end]: [Value; 2],
    ) {
        // What rows carry for themselves, then what is accumulated over all.
        let own: Vec<usize> = (0..shared.len()).filter(|&place| shared[place].is_none()).collect();
        let all: Vec<usize> = (0..shared.len()).filter(|&place| shared[place].is_some()).collect();
        let mut init: Vec<Value> =
            rows.iter().flat_map(|row| own.iter().map(|&place| row.carried[place])).collect();
        init.extend(all.iter().filter_map(|&place| shared[place]));
        let kept_from = init.len();
        for above in 0..rows.len() - 1 {
            for waiting in &self.waits {
                init.extend(self.first_kept(b, waiting, rows, above, begin));
            }
        }
        let step = b.int(1);
        let results = b.for_loop([begin, end, step], &init, |b, step, carried| {
            let (of_rows, of_all) = carried[..kept_from].split_at(own.len() * rows.len());
            let mut of_all = of_all.to_vec();
            let mut kept = Kept::new(&self.waits, rows.len() - 1, &carried[kept_from..]);
            let mut next = Vec::new();
            for (at, row) in rows.iter().enumerate() {
                let mut given = row.carried.clone();
                own.iter().zip(&of_rows[at * own.len()..]).for_each(|(&place, &value)| given[place] = value);
                all.iter().zip(&of_all).for_each(|(&place, &value)| given[place] = value);
                let column = self.column(b, step, i64::try_from(at).expect("there are few rows"));
                let loaded = if at == 0 { Vec::new() } else { kept.loaded(&self.waits, at - 1) };
                let mut values = row.values.clone();
                let gives = self.one(b, &mut values, &loaded, [&[column], &given]);
                if at + 1 < rows.len() {
                    kept.keep(b, &self.waits, at, &given, &values);
                }
                next.extend(own.iter().map(|&place| gives[place]));
                of_all = all.iter().map(|&place| gives[place]).collect();
            }
            next.extend(of_all);
            next.extend(kept.next);
            next
        });
        let (of_rows, of_all) = results[..kept_from].split_at(own.len() * rows.len());
        for (at, row) in rows.iter_mut().enumerate() {
            own.iter()
                .zip(&of_rows[at * own.len()..])
                .for_each(|(&place, &value)| row.carried[place] = value);
        }
        all.iter().zip(of_all).for_each(|(&place, &value)| shared[place] = Some(value));
    }

    /// What a row stored in the last steps before `begin`, the latest first, as far as it is not carried anyway: what the row below will load.
    fn first_kept(
        &self,
        b: &mut Builder<'_>,
        waiting: &Waiting,
        rows: &[Row],
        above: usize,
        begin: Value,
    ) -> Vec<Value> {
        let steps = waiting.steps();
        let from = 1 + usize::from(waiting.carried.is_some());
        let below = i64::try_from(above + 1).expect("there are few rows");
        let column = self.column(b, begin, below);
        (from..=steps)
            .map(|ago| {
                let ahead = b.int(i64::try_from(steps - ago).expect("a few steps"));
                let column = b.add(column, ahead);
                let mut cloner = Cloner { values: rows[above + 1].values.clone(), ..Cloner::default() };
                cloner.values.insert(self.nest.column(b.func), column);
                copy_ops(b, &mut cloner, &waiting.needs);
                copy_ops(b, &mut cloner, &[waiting.last]);
                cloner.values.get(b.func.result(waiting.last)).expect("it was copied")
            })
            .collect()
    }

    /// What a row does after its columns.
    fn end_row(&self, b: &mut Builder<'_>, row: &Row, state: &mut [Value]) {
        let mut cloner = Cloner { values: row.values.clone(), ..Cloner::default() };
        let params = self.nest.params(b.func).to_vec();
        for ((&param, how), &value) in params.iter().zip(&self.nest.carried).zip(&*state) {
            if *how == Carried::After {
                cloner.values.insert(param, value);
            }
        }
        let results = b.func.ops[self.nest.columns].results.clone();
        cloner.values.insert_all(&results, &row.carried);
        for &op in &self.nest.after {
            for &(outside, inside) in &self.nest.names {
                cloner.values.insert(outside, cloner.values.get(inside).unwrap_or(inside));
            }
            copy_ops(b, &mut cloner, &[op]);
        }
        let next = self.continued(b);
        for ((value, how), next) in state.iter_mut().zip(&self.nest.carried).zip(next) {
            if *how == Carried::After {
                *value = cloner.values.get(next).unwrap_or(next);
            }
        }
    }
}
