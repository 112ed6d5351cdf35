//! Copies columns of a matrix side by side before a loop over loops that go down them.
//!
//! ```text
//!                                                      if %m >= 8 and … {
//! for %i in 0, %m {                                        %t = empty 2, %n
//!     for %j in 0, %n {                                    for %j in 0, %n { %t[0, %j] = %b[%j, 0]; %t[1, %j] = %b[%j, 1] }
//!         … load %b[%j, 0] … load %b[%j, 1] …    ⇒         for %i in 0, %m { for %j in 0, %n { … load %t[0, %j] … load %t[1, %j] … } }
//!     }                                                } else cold {
//! }                                                        the loops as before
//!                                                      }
//! ```
//!
//! Points are rows (AoS), and vectors of one coordinate of several points must be gathered from them: that costs more than all else in a
//! loop over pairs of points. From columns (SoA) they are loaded. The copy is made where it is small beside the work, and of the first few
//! columns that the outer loop does not write: ones with constant numbers, or that a short loop goes over. Whether the matrix has them is
//! asked before.
//!
//! Columns with other numbers, as those of the second factor of a product of matrices, are copied all where each of them is gone down
//! several times.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout, choose, is_defined_inside, position};
use pydd_ir::{Builder, ElemOp, Function, Level, Module, Op, OpKind, Type, Value, ValueDef};

use super::fast_functions;
use crate::analysis::patterns::{constant_range, counts_up};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "pack-columns",
    summary: "copy columns of matrices side by side before loops over them",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Iterations of the outer loop from which on a copy pays.
const FEWEST: i64 = 8;
/// Rows of a matrix of which columns are copied.
const ROWS: [i64; 2] = [32, 1 << 22];
/// Columns of one matrix, at most.
const COLUMNS: i64 = 8;
/// How often each column is gone down, at least, that all are copied.
const AGAIN: i64 = 4;
/// Elements of such a column, at least, and of the matrix, at most.
const SHORTEST: i64 = 16;
const LARGEST: i64 = 1 << 25;
/// Operations of a loop of which there are to be two, at most.
const LONGEST: usize = 250;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    // A device has no memory for a copy, and reads columns side by side as they are.
    for func in fast_functions(module).filter(|func| !func.device) {
        let mut done = BTreeSet::new();
        while let Some(found) = find(func, &summaries, &done) {
            done.extend(found.matrices.values().flat_map(|columns| &columns.loads));
            pack(func, &found, &mut done);
        }
    }
    Ok(())
}

/// Whether all that a loop over columns loads down them, by loads and the loops that they stand in, is copied before a loop around it.
pub(super) fn copies_all(func: &Function, summaries: &Summaries, loads: &[(Op, Op)]) -> bool {
    let layout = Layout::new(func);
    let memory = MemoryInfo::new(func, summaries);
    loads.iter().all(|&(load, looped)| {
        let index = func.blocks[func.ops[looped].regions[0]].params[0];
        let found = counts_up(func, looped) && becomes_vectors(func, looped);
        let found = found.then(|| down_a_column(func, &layout, load, (looped, index))).flatten();
        found.is_some_and(|(matrix, column)| {
            loop_around(func, &layout, looped, load, &column)
                .is_some_and(|around| !memory.classes(matrix).intersects(&memory.effects(around).writes))
        })
    })
}

/// A loop, and what it loads down columns, by matrix.
struct Found {
    around: Op,
    matrices: BTreeMap<Value, Columns>,
}

#[derive(Default)]
struct Columns {
    /// How many of the first columns there are with known numbers.
    first: i64,
    /// Of columns with other numbers: the loops of which each iteration goes down some, with the lengths of those that are known before.
    others: Option<Vec<[Option<Value>; 2]>>,
    loads: Vec<Op>,
}

/// Which column a load goes down.
enum Column {
    /// The last of a few.
    Known(i64),
    Other,
}

fn find(func: &Function, summaries: &Summaries, done: &BTreeSet<Op>) -> Option<Found> {
    let layout = Layout::new(func);
    let mut by_loop: BTreeMap<Op, Vec<(Value, Column, Op, Op)>> = BTreeMap::new();
    for op in func.hot_ops() {
        if !counts_up(func, op) || !becomes_vectors(func, op) {
            continue;
        }
        let index = func.blocks[func.ops[op].regions[0]].params[0];
        func.walk(func.ops[op].regions[0], &mut |load| {
            if let Some((matrix, column)) = down_a_column(func, &layout, load, (op, index))
                && !done.contains(&load)
                && let Some(around) = loop_around(func, &layout, op, load, &column)
            {
                by_loop.entry(around).or_default().push((matrix, column, load, op));
            }
        });
    }
    if by_loop.is_empty() {
        return None;
    }
    let memory = MemoryInfo::new(func, summaries);
    by_loop.into_iter().find_map(|(around, loads)| {
        let writes = &memory.effects(around).writes;
        let mut matrices: BTreeMap<Value, Columns> = BTreeMap::new();
        for (matrix, column, load, looped) in loads {
            if memory.classes(matrix).intersects(writes) {
                continue;
            }
            let columns = matrices.entry(matrix).or_default();
            columns.loads.push(load);
            match column {
                Column::Known(last) => columns.first = columns.first.max(last + 1),
                Column::Other => {
                    columns.others.get_or_insert_with(|| lengths_between(func, &layout, looped, around));
                }
            }
        }
        (!matrices.is_empty()).then_some(Found { around, matrices })
    })
}

/// The bounds of the loops between two, where they are known before the outer one.
fn lengths_between(func: &Function, layout: &Layout, inner: Op, outer: Op) -> Vec<[Option<Value>; 2]> {
    let between = layout.ancestors(inner).take_while(|&op| op != outer);
    let bounds = |op: Op| {
        let bounds = [func.ops[op].args[0], func.ops[op].args[1]];
        bounds.map(|bound| (!is_defined_inside(func, layout, bound, outer)).then_some(bound))
    };
    between.filter(|&op| func.ops[op].kind == OpKind::For).map(bounds).collect()
}

/// Whether a loop holds numbers, elements and loops that are written out alone, and carries sums and the like at most.
fn becomes_vectors(func: &Function, looped: Op) -> bool {
    let is_short = constant_range(func, looped).is_some_and(|[start, stop, _]| stop - start <= COLUMNS);
    let mut plain = true;
    func.walk(func.ops[looped].regions[0], &mut |op| {
        plain &= match func.ops[op].kind {
            OpKind::Const(_) | OpKind::Elem(_) | OpKind::Cast | OpKind::LoadRaw | OpKind::StoreRaw => true,
            OpKind::If | OpKind::Yield => true,
            OpKind::Continue(depth) => depth == 0,
            OpKind::For => last_of_short(func, op).is_some() && adds_up(func, op),
            _ => false,
        };
    });
    !is_short && plain && adds_up(func, looped)
}

fn adds_up(func: &Function, looped: Op) -> bool {
    let body = func.ops[looped].regions[0];
    let end = func.terminator(body).expect("blocks end");
    let carried = &func.blocks[body].params[1..];
    func.ops[end].args.iter().all(|&value| adds(func, carried, value))
}

/// Whether a value is a sum or the like, in any way of a branch, or what it was before.
fn adds(func: &Function, carried: &[Value], value: Value) -> bool {
    let ValueDef::Result(op, result) = func.values[value].def else { return carried.contains(&value) };
    let data = &func.ops[op];
    match data.kind {
        OpKind::Elem(ElemOp::Add | ElemOp::Sub | ElemOp::Mul | ElemOp::Min | ElemOp::Max) => true,
        OpKind::If => data.regions.iter().all(|&region| {
            let yielded = func.terminator(region).map(|end| func.ops[end].args[result as usize]);
            yielded.is_some_and(|value| adds(func, carried, value))
        }),
        _ => false,
    }
}

/// The last number of a loop over few.
fn last_of_short(func: &Function, looped: Op) -> Option<i64> {
    let [start, stop, step] = constant_range(func, looped)?;
    (start >= 0 && start < stop && stop <= COLUMNS && step == 1).then_some(stop - 1)
}

/// The matrix and the column, where a load goes one row further with each iteration of a loop.
fn down_a_column(
    func: &Function,
    layout: &Layout,
    load: Op,
    (looped, index): (Op, Value),
) -> Option<(Value, Column)> {
    let data = &func.ops[load];
    let (OpKind::LoadRaw, &[matrix, row, column]) = (&data.kind, &data.args[..]) else { return None };
    let is_number = func.ty(matrix).dtype().is_some_and(|dtype| !dtype.is_complex());
    if !is_number || row != index {
        return None;
    }
    let short = match func.values[column].def {
        ValueDef::Param(block, 0) => layout.parent_of_block(block).and_then(|op| last_of_short(func, op)),
        _ => func.as_int(column).filter(|column| (0..COLUMNS).contains(column)),
    };
    match short {
        Some(last) => Some((matrix, Column::Known(last))),
        None if is_defined_inside(func, layout, column, looped) || func.as_int(column).is_some() => None,
        None => Some((matrix, Column::Other)),
    }
}

/// The nearest loop around another one that goes on by one and goes down columns again and again, if the matrix is there before it and it
/// is short enough.
fn loop_around(func: &Function, layout: &Layout, looped: Op, load: Op, column: &Column) -> Option<Op> {
    let (matrix, number) = (func.ops[load].args[0], func.ops[load].args[2]);
    let repeats = |&op: &Op| {
        let is_number = func.blocks[func.ops[op].regions[0]].params.first() == Some(&number);
        let varies = matches!(column, Column::Known(_)) || is_defined_inside(func, layout, number, op);
        counts_up(func, op) && !is_number && varies
    };
    let around = layout.ancestors(looped).find(repeats)?;
    let (mut size, mut is_whole) = (0, true);
    func.walk(func.ops[around].regions[0], &mut |op| {
        size += 1;
        // The function of a parallel loop has one caller.
        is_whole &= !matches!(func.ops[op].kind, OpKind::Launch(_));
    });
    (is_whole && size <= LONGEST && !is_defined_inside(func, layout, matrix, around)).then_some(around)
}

/// Copies are made once, so what makes them is `done`.
fn pack(func: &mut Function, found: &Found, done: &mut BTreeSet<Op>) {
    let around = found.around;
    let [start, stop] = [func.ops[around].args[0], func.ops[around].args[1]];
    let pays = |b: &mut Builder<'_>| {
        let trips = b.sub(stop, start);
        let mut all = vec![b.elem(ElemOp::Lt, &[start, stop])];
        for (&matrix, columns) in &found.matrices {
            let (rows, width) = (b.dim(matrix, 0), b.dim(matrix, 1));
            match &columns.others {
                None => {
                    let [least, most] = ROWS.map(|rows| b.int(rows));
                    let (fewest, first) = (b.int(FEWEST), b.int(columns.first));
                    all.push(b.elem(ElemOp::Ge, &[trips, fewest]));
                    all.push(b.elem(ElemOp::Ge, &[rows, least]));
                    all.push(b.elem(ElemOp::Le, &[rows, most]));
                    all.push(b.elem(ElemOp::Ge, &[width, first]));
                }
                Some(lengths) => {
                    let walks = walks(b, trips, lengths);
                    let (again, shortest, largest) = (b.int(AGAIN), b.int(SHORTEST), b.int(LARGEST));
                    let (wanted, size) = (b.mul(width, again), b.mul(rows, width));
                    all.push(b.elem(ElemOp::Ge, &[walks, wanted]));
                    all.push(b.elem(ElemOp::Ge, &[rows, shortest]));
                    all.push(b.elem(ElemOp::Le, &[size, largest]));
                }
            }
        }
        let all = all.into_iter().reduce(|a, c| b.elem(ElemOp::And, &[a, c])).expect("there are some");
        (all, ())
    };
    choose(func, around, pays, |b, ()| {
        let mut cloner = Cloner::default();
        let copy = cloner.op(b.func, None, around);
        for (&matrix, columns) in &found.matrices {
            let packed = match columns.others {
                None => first_columns(b, matrix, columns.first, done),
                Some(_) => all_columns(b, matrix),
            };
            for &load in &columns.loads {
                let same = cloner.values.get(b.func.result(load)).and_then(|value| b.func.def_op(value));
                let args = &mut b.func.ops[same.expect("copied")].args;
                *args = vec![packed, args[2], args[1]];
            }
        }
        b.func.blocks[b.block].ops.push(copy);
        b.func.ops[copy].results.clone()
    });
    // Few points are soon done; other loops may be long all the same.
    if found.matrices.values().all(|columns| columns.others.is_none()) {
        let (block, _) = position(func, around).expect("it stands in the other branch");
        func.blocks[block].cold = true;
    }
}

/// How many columns are gone down, as far as that is known before.
fn walks(b: &mut Builder<'_>, trips: Value, lengths: &[[Option<Value>; 2]]) -> Value {
    let zero = b.int(0);
    let two = b.int(2);
    lengths.iter().fold(trips, |walks, &[start, stop]| {
        // Of triangles half.
        let length = match (start, stop) {
            (Some(start), Some(stop)) => b.sub(stop, start),
            (None, Some(stop)) => b.elem(ElemOp::FloorDiv, &[stop, two]),
            _ => b.elem(ElemOp::FloorDiv, &[trips, two]),
        };
        let length = b.elem(ElemOp::Max, &[length, zero]);
        b.mul(walks, length)
    })
}

/// The first columns of a matrix as rows of another one.
fn first_columns(b: &mut Builder<'_>, matrix: Value, columns: i64, done: &mut BTreeSet<Op>) -> Value {
    let ty = b.func.ty(matrix);
    let (count, rows) = (b.int(columns), b.dim(matrix, 0));
    let packed = b.value(OpKind::Empty, vec![count, rows], ty);
    let (zero, one) = (b.int(0), b.int(1));
    b.for_loop([zero, rows, one], &[], |b, row, _| {
        for column in 0..columns {
            let column = b.int(column);
            done.insert(copy(b, matrix, packed, [row, column]));
        }
        vec![]
    });
    packed
}

/// A matrix whose rows are another one's columns.
fn all_columns(b: &mut Builder<'_>, matrix: Value) -> Value {
    let ty = b.func.ty(matrix);
    let (columns, rows) = (b.dim(matrix, 1), b.dim(matrix, 0));
    let packed = b.value(OpKind::Empty, vec![columns, rows], ty);
    let (zero, one) = (b.int(0), b.int(1));
    b.for_loop([zero, rows, one], &[], |b, row, _| {
        b.for_loop([zero, columns, one], &[], |b, column, _| {
            copy(b, matrix, packed, [row, column]);
            vec![]
        });
        vec![]
    });
    packed
}

/// Gives the load.
fn copy(b: &mut Builder<'_>, from: Value, to: Value, [row, column]: [Value; 2]) -> Op {
    let element = Type::Scalar(b.func.ty(from).dtype().expect("a matrix of numbers"));
    let load = b.op(OpKind::LoadRaw, vec![from, row, column], &[element], vec![]);
    let x = b.func.result(load);
    b.effect(OpKind::StoreRaw, vec![to, x, column, row]);
    load
}
