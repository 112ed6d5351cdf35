//! Goes down several neighbouring columns at once, where a loop over columns holds loops down one (unroll and jam).
//!
//! ```text
//! for %j in 0, %m {                             for %j in 0, %m - 15, 16 {
//!     %s = for %k in 0, %n, carried %t {            %s0, %s1, … = for %k in 0, %n, carried %t0, %t1, … {
//!         %x = load_raw %a, %i, %k                      %x = load_raw %a, %i, %k
//!         %y = load_raw %b, %k, %j           ⇒          %y0 = load_raw %b, %k, %j; %y1 = load_raw %b, %k, %j + 1; …
//!         continue %t + %x * %y                         continue %t0 + %x * %y0, %t1 + %x * %y1, …
//!     }                                             }
//!     store_raw %c, %s, %i, %j                      store_raw %c, %s0, %i, %j; store_raw %c, %s1, %i, %j + 1; …
//! }                                             }
//!                                               the same for groups of 4, and the loop as it was for what is left
//! ```
//!
//! Elements below each other lie far apart: a loop down a column loads a line of the cache for each. Those beside each other are a
//! vector, which LLVM's vectoriser of straight code sees. Each column's numbers are computed in the order that they had.
//!
//! No column needs what others write ([`independent`](crate::analysis::independent)), and all go through the same steps: ranges and
//! conditions within are the same for all of them. What a column makes for itself, all columns of a group have side by side in one
//! array. It leaves alone: loops within that go along rows, or that are of few steps, which
//! are written out; what raises; devices, where threads are columns.

use pydd_ir::alias::Summaries;
use pydd_ir::rewrite::{Cloner, position};
use pydd_ir::{Block, Builder, ElemOp, Function, Level, Module, Op, OpKind, Type, Value};
use std::collections::BTreeSet;

use super::{fast_functions, is_number, lanes, pack_columns, whole_groups};
use crate::analysis::independent::Finder;
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::{constant_range, counts_up};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "jam-columns",
    summary: "go down several neighbouring columns at once",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O3),
    run,
};

/// Columns of the second, smaller groups.
const FEW: usize = 4;
/// Operations that differ from column to column, at most: each is written for all columns of a group.
const LONGEST: usize = 40;
/// Axes of an array that each column makes, at most.
const MOST_AXES: u8 = 3;
/// Steps of a loop that is written out sooner or later.
const SHORT: i64 = 16;
/// Loops of a function that are changed, at most.
const MOST: usize = 8;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let Some(width) = lanes::width(cx.options) else { return Ok(()) };
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module).filter(|func| !func.device) {
        let mut found = Vec::new();
        for looped in func.hot_ops() {
            if found.len() < MOST
                && let Some(columns) = Columns::find(func, looped)
                && columns.pays_off(func)
                && !columns.are_copied(func, &summaries)
                && columns.is_free(func, &summaries, cx.options.strict_fp)
            {
                found.push(columns);
            }
        }
        for columns in found {
            columns.report(func, cx, width);
            columns.jam(func, width);
        }
    }
    Ok(())
}

/// A loop over columns.
struct Columns {
    looped: Op,
    /// What differs from column to column.
    varying: BTreeSet<Value>,
    /// Accesses of memory that do, with whether they stand in a loop within.
    accesses: Vec<(Op, Option<Op>)>,
    /// How many operations have operands that do.
    ops: usize,
    /// Arrays of elements that a column makes for itself.
    own: Vec<Value>,
}

impl Columns {
    /// A loop that holds nothing but numbers, elements, and loops and branches that are the same for all of its iterations.
    fn find(func: &Function, looped: Op) -> Option<Self> {
        let body = func.ops[looped].regions.first().copied()?;
        if func.ops[looped].kind != OpKind::For
            || !counts_up(func, looped)
            || !func.ops[looped].results.is_empty()
            || !runs_to_its_end(func, body)
        {
            return None;
        }
        let mut found = Self {
            looped,
            varying: BTreeSet::from([func.blocks[body].params[0]]),
            accesses: Vec::new(),
            ops: 0,
            own: own_arrays(func, body),
        };
        found.varying.extend(&found.own);
        loop {
            let known = found.varying.len();
            found.spread(func, body);
            if found.varying.len() == known {
                break;
            }
        }
        found.collect(func, body, None)?;
        Some(found)
    }

    fn varies(&self, value: Value) -> bool {
        self.varying.contains(&value)
    }

    /// Adds what depends on what differs.
    fn spread(&mut self, func: &Function, block: Block) {
        for &op in &func.blocks[block].ops {
            let data = &func.ops[op];
            let mut ways: Vec<(Value, Value)> = Vec::new();
            for &region in &data.regions {
                self.spread(func, region);
                let end = func.blocks[region].ops.last().map_or(&[][..], |&end| &func.ops[end].args);
                ways.extend(end.iter().copied().zip(data.results.iter().copied()));
                if data.kind == OpKind::For {
                    let params = func.blocks[region].params[1..].iter().copied();
                    ways.extend(params.clone().zip(data.results.iter().copied()));
                    ways.extend(end.iter().copied().zip(params.clone()));
                    ways.extend(data.args[3..].iter().copied().zip(params));
                }
            }
            for (from, to) in ways {
                if self.varies(from) {
                    self.varying.insert(to);
                }
            }
            if data.regions.is_empty() && data.args.iter().any(|&arg| self.varies(arg)) {
                self.varying.extend(&data.results);
            }
        }
    }

    /// Looks at all operations; none where one does not suit. `around`: the innermost loop within.
    fn collect(&mut self, func: &Function, block: Block, around: Option<Op>) -> Option<()> {
        let (_, ops) = func.blocks[block].ops.split_last()?;
        for &op in ops {
            let data = &func.ops[op];
            let varies = data.args.iter().any(|&arg| self.varies(arg));
            self.ops += usize::from(varies);
            match &data.kind {
                OpKind::Empty if self.own.contains(&func.result(op)) => (!varies).then_some(())?,
                OpKind::LoadRaw | OpKind::StoreRaw if self.own.contains(&data.args[0]) => {
                    let differs = place(func, op).iter().any(|&at| self.varies(at));
                    (!differs).then_some(())?;
                }
                OpKind::LoadRaw | OpKind::StoreRaw => {
                    let array = data.args[0];
                    (!self.varies(array)).then_some(())?;
                    if varies {
                        self.accesses.push((op, around));
                    }
                    // What is stored in each column has a place of its own there.
                    let own = place(func, op).iter().any(|&at| self.is_next(func, at));
                    (data.kind == OpKind::LoadRaw || own).then_some(())?;
                }
                OpKind::RawView | OpKind::Stride(_) => (!varies).then_some(())?,
                OpKind::For => {
                    let same = !data.args[..3].iter().any(|&arg| self.varies(arg));
                    (same && runs_to_its_end(func, data.regions[0])).then_some(())?;
                    self.collect(func, data.regions[0], Some(op))?;
                }
                OpKind::If => {
                    (!self.varies(data.args[0])).then_some(())?;
                    for &region in &data.regions {
                        let end = func.blocks[region].ops.last()?;
                        (func.ops[*end].kind == OpKind::Yield).then_some(())?;
                        self.collect(func, region, around)?;
                    }
                }
                kind if is_number(kind) => {
                    data.results
                        .iter()
                        .all(|&value| matches!(func.ty(value), Type::Scalar(_)))
                        .then_some(())?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Whether a number is one more in the next column.
    fn is_next(&self, func: &Function, value: Value) -> bool {
        if value == func.blocks[func.ops[self.looped].regions[0]].params[0] {
            return true;
        }
        let Some(op) = func.def_op(value) else { return false };
        match (&func.ops[op].kind, &func.ops[op].args[..]) {
            (OpKind::Elem(ElemOp::Add), &[a, b]) => match (self.varies(a), self.varies(b)) {
                (true, false) => self.is_next(func, a),
                (false, true) => self.is_next(func, b),
                _ => false,
            },
            (OpKind::Elem(ElemOp::Sub), &[a, b]) => !self.varies(b) && self.is_next(func, a),
            _ => false,
        }
    }

    /// Whether loops within go down columns that lie beside each other.
    fn pays_off(&self, func: &Function) -> bool {
        let mut goes_down = false;
        for &(op, around) in &self.accesses {
            let Some(around) = around else { continue };
            let Some((&last, rest)) = place(func, op).split_last() else { return false };
            if !self.is_next(func, last) || rest.iter().any(|&at| self.varies(at)) {
                return false;
            }
            let index = func.blocks[func.ops[around].regions[0]].params[0];
            let is_short = constant_range(func, around)
                .is_some_and(|[start, stop, step]| pydd_ir::cost::length(start, stop, step) <= SHORT);
            goes_down |= !is_short && rest.iter().any(|&at| depends(func, at, index));
        }
        goes_down && self.ops <= LONGEST
    }

    /// Whether columns are gone down again and again that another pass copies.
    fn are_copied(&self, func: &Function, summaries: &Summaries) -> bool {
        let within: Vec<(Op, Op)> =
            self.accesses.iter().filter_map(|&(op, around)| Some((op, around?))).collect();
        pack_columns::copies_all(func, summaries, &within)
    }

    /// Whether no column needs what others write.
    fn is_free(&self, func: &Function, summaries: &Summaries, strict_fp: bool) -> bool {
        let found = Finder::new(func, summaries, strict_fp).independent(self.looped);
        found.is_some_and(|found| !found.table.reduces() && found.table.written_segments().next().is_none())
    }

    fn report(&self, func: &Function, cx: &PassContext<'_>, width: usize) {
        if let Some(down) = self.accesses.iter().find_map(|&(_, around)| around) {
            report::columns_side_by_side(cx, func, self.looped, down, width);
        }
    }

    /// Puts the groups before the loop, which does what is left.
    fn jam(&self, func: &mut Function, width: usize) {
        let Some((home, _)) = position(func, self.looped) else { return };
        let data = func.ops[self.looped].clone();
        let (mut start, stop) = (data.args[0], data.args[1]);
        let mut b = Builder { loc: data.loc, block: func.new_block(), func: &mut *func };
        let mut sizes = vec![width, FEW];
        sizes.dedup();
        for size in sizes {
            let size = i64::try_from(size).expect("small");
            let count = whole_groups(&mut b, start, stop, size);
            let end = b.add(start, count);
            let step = b.int(size);
            b.for_loop([start, end, step], &[], |b, first, _| {
                let mut columns = Vec::new();
                for ahead in 0..size {
                    let ahead = b.int(ahead);
                    let mut copy = Cloner::default();
                    let own = b.add(first, ahead);
                    copy.values.insert(b.func.blocks[data.regions[0]].params[0], own);
                    columns.push(copy);
                }
                self.steps(b, data.regions[0], &mut columns);
                vec![]
            });
            start = end;
        }
        let made = std::mem::take(&mut b.func.blocks[b.block].ops);
        func.ops[self.looped].args[0] = start;
        let at = func.blocks[home].ops.iter().position(|&op| op == self.looped).expect("it stands there");
        func.blocks[home].ops.splice(at..at, made);
    }

    /// What a block does, for all columns of a group; what is the same for them once.
    fn steps(&self, b: &mut Builder<'_>, block: Block, columns: &mut [Cloner]) {
        let ops = b.func.blocks[block].ops.clone();
        let (_, ops) = ops.split_last().expect("a block has an end");
        for &op in ops {
            let data = b.func.ops[op].clone();
            b.loc = data.loc;
            match data.kind {
                OpKind::For => {
                    let range = [0, 1, 2].map(|i| mapped(&columns[0], data.args[i]));
                    let (region, init) = (data.regions[0], &data.args[3..]);
                    let params = b.func.blocks[region].params.clone();
                    let init = self.of_all(&params[1..], init, columns);
                    let results = b.for_loop(range, &init, |b, index, carried| {
                        columns.iter_mut().for_each(|copy| copy.values.insert(params[0], index));
                        self.stand_for(&params[1..], carried, columns);
                        self.steps(b, region, columns);
                        let end = *b.func.blocks[region].ops.last().expect("a block has an end");
                        self.of_all(&params[1..], &b.func.ops[end].args, columns)
                    });
                    // A result varies as what is carried does.
                    self.stand_for_results(&params[1..], &data.results, &results, columns);
                }
                OpKind::If => {
                    let cond = mapped(&columns[0], data.args[0]);
                    let mut regions = Vec::new();
                    for &region in &data.regions {
                        let made = b.region(&[], |b, _| {
                            self.steps(b, region, columns);
                            let end = *b.func.blocks[region].ops.last().expect("a block has an end");
                            let values = self.of_all(&data.results, &b.func.ops[end].args.clone(), columns);
                            b.effect(OpKind::Yield, values);
                        });
                        b.func.blocks[made].cold = b.func.blocks[region].cold;
                        regions.push(made);
                    }
                    let types = self.types_of_all(b.func, &data.results, columns.len());
                    let made = b.op(OpKind::If, vec![cond], &types, regions);
                    let results = b.func.ops[made].results.clone();
                    self.stand_for(&data.results, &results, columns);
                }
                _ => self.number_or_element(b, op, columns),
            }
        }
    }

    fn number_or_element(&self, b: &mut Builder<'_>, op: Op, columns: &mut [Cloner]) {
        let data = &b.func.ops[op];
        let (results, block) = (data.results.clone(), b.block);
        if data.kind == OpKind::Empty {
            self.wide(b, op, columns);
            return;
        }
        let is_own = data.args.first().is_some_and(|array| self.own.contains(array));
        let varies = data.args.iter().any(|&arg| self.varies(arg));
        let count = if varies { columns.len() } else { 1 };
        for (at, copy) in columns[..count].iter_mut().enumerate() {
            let column = is_own.then(|| b.int(i64::try_from(at).expect("small")));
            let made = copy.op(b.func, None, op);
            b.func.ops[made].args.extend(column);
            b.func.blocks[block].ops.push(made);
        }
        if !varies {
            let made: Vec<Value> = results.iter().map(|&value| mapped(&columns[0], value)).collect();
            columns.iter_mut().for_each(|copy| copy.values.insert_all(&results, &made));
        }
    }

    /// One array for what each column makes: that is its last axis.
    fn wide(&self, b: &mut Builder<'_>, made: Op, columns: &mut [Cloner]) {
        let data = b.func.ops[made].clone();
        let mut dims: Vec<Value> = data.args.iter().map(|&dim| mapped(&columns[0], dim)).collect();
        dims.push(b.int(i64::try_from(columns.len()).expect("small")));
        let ty = with_another_axis(b.func.ty(data.results[0])).expect("it has one more");
        let wide = b.value(OpKind::Empty, dims, ty);
        columns.iter_mut().for_each(|copy| copy.values.insert(data.results[0], wide));
    }

    /// The values of all columns, where those that they are for differ from column to column.
    fn of_all(&self, of: &[Value], values: &[Value], columns: &[Cloner]) -> Vec<Value> {
        let of_one = |(&of, &value): (&Value, &Value)| {
            let count = if self.varies(of) { columns.len() } else { 1 };
            columns[..count].iter().map(|copy| mapped(copy, value)).collect::<Vec<_>>()
        };
        of.iter().zip(values).flat_map(of_one).collect()
    }

    fn types_of_all(&self, func: &Function, of: &[Value], columns: usize) -> Vec<Type> {
        let of_one = |&of: &Value| vec![func.ty(of); if self.varies(of) { columns } else { 1 }];
        of.iter().flat_map(of_one).collect()
    }

    /// Has the values stand for these, in the order of [`Self::of_all`].
    fn stand_for(&self, of: &[Value], values: &[Value], columns: &mut [Cloner]) {
        self.stand_for_results(of, of, values, columns);
    }

    fn stand_for_results(&self, like: &[Value], of: &[Value], values: &[Value], columns: &mut [Cloner]) {
        let mut values = values.iter().copied();
        for (&like, &of) in like.iter().zip(of) {
            let mut value = values.next();
            for (at, copy) in columns.iter_mut().enumerate() {
                if at > 0 && self.varies(like) {
                    value = values.next();
                }
                copy.values.insert(of, value.expect("there is one for each"));
            }
        }
    }
}

/// Arrays that a block makes and nothing but loads and stores of elements use.
fn own_arrays(func: &Function, body: Block) -> Vec<Value> {
    let made = func.blocks[body].ops.iter().filter(|&&op| func.ops[op].kind == OpKind::Empty);
    let mut own: Vec<Value> = made
        .map(|&op| func.result(op))
        .filter(|&array| with_another_axis(func.ty(array)).is_some())
        .collect();
    if own.is_empty() {
        return own;
    }
    func.walk(body, &mut |op| {
        let data = &func.ops[op];
        let elements = matches!(data.kind, OpKind::LoadRaw | OpKind::StoreRaw);
        own.retain(|array| !data.args.iter().skip(usize::from(elements)).any(|arg| arg == array));
    });
    own
}

/// The type of an array with an axis more, if there may be one.
fn with_another_axis(ty: Type) -> Option<Type> {
    let Type::Array { dtype, rank } = ty else { return None };
    (rank < MOST_AXES).then(|| Type::Array { dtype, rank: rank + 1 })
}

fn mapped(copy: &Cloner, value: Value) -> Value {
    copy.values.get(value).unwrap_or(value)
}

/// The indices of a load or a store.
fn place(func: &Function, op: Op) -> &[Value] {
    let data = &func.ops[op];
    if data.kind == OpKind::StoreRaw { &data.args[2..] } else { &data.args[1..] }
}

/// Whether a number is computed from another one, by operations alone.
fn depends(func: &Function, value: Value, on: Value) -> bool {
    value == on
        || func.def_op(value).is_some_and(|op| {
            is_number(&func.ops[op].kind) && func.ops[op].args.iter().any(|&arg| depends(func, arg, on))
        })
}
