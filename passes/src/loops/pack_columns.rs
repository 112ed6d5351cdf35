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

use std::collections::BTreeMap;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout, choose, is_defined_inside, position};
use pydd_ir::{Builder, ElemOp, Function, Level, Module, Op, OpKind, Type, Value, ValueDef};

use super::fast_functions;
use crate::analysis::patterns::constant_range;
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
/// Operations of a loop of which there are to be two, at most.
const LONGEST: usize = 250;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module) {
        while let Some(found) = find(func, &summaries) {
            pack(func, &found);
        }
    }
    Ok(())
}

/// A loop, and what it loads down columns: by matrix, with the number of columns from the first one on.
struct Found {
    around: Op,
    matrices: BTreeMap<Value, (i64, Vec<Op>)>,
}

fn find(func: &Function, summaries: &Summaries) -> Option<Found> {
    let layout = Layout::new(func);
    let mut by_loop: BTreeMap<Op, Vec<(Value, i64, Op)>> = BTreeMap::new();
    for op in func.hot_ops() {
        if func.ops[op].kind != OpKind::For || !becomes_vectors(func, op) {
            continue;
        }
        let index = func.blocks[func.ops[op].regions[0]].params[0];
        func.walk(func.ops[op].regions[0], &mut |load| {
            if let Some((matrix, column)) = down_a_column(func, &layout, load, index)
                && let Some(around) = loop_around(func, &layout, op, matrix)
            {
                by_loop.entry(around).or_default().push((matrix, column, load));
            }
        });
    }
    if by_loop.is_empty() {
        return None;
    }
    let memory = MemoryInfo::new(func, summaries);
    by_loop.into_iter().find_map(|(around, loads)| {
        let writes = &memory.effects(around).writes;
        let mut matrices: BTreeMap<Value, (i64, Vec<Op>)> = BTreeMap::new();
        for (matrix, column, load) in loads {
            if !memory.classes(matrix).intersects(writes) {
                let (columns, all) = matrices.entry(matrix).or_default();
                *columns = (*columns).max(column + 1);
                all.push(load);
            }
        }
        (!matrices.is_empty()).then_some(Found { around, matrices })
    })
}

/// Whether a loop holds numbers, elements and loops that are written out alone, and carries sums and the like at most.
fn becomes_vectors(func: &Function, looped: Op) -> bool {
    let by_one = func.as_int(func.ops[looped].args[2]) == Some(1);
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
    by_one && !is_short && plain && adds_up(func, looped)
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

/// The matrix and the last of the columns, where a load goes one row further with each iteration.
fn down_a_column(func: &Function, layout: &Layout, load: Op, index: Value) -> Option<(Value, i64)> {
    let data = &func.ops[load];
    let (OpKind::LoadRaw, &[matrix, row, column]) = (&data.kind, &data.args[..]) else { return None };
    let is_number = func.ty(matrix).dtype().is_some_and(|dtype| !dtype.is_complex());
    let last = match func.values[column].def {
        ValueDef::Param(block, 0) => last_of_short(func, layout.parent_of_block(block)?)?,
        _ => func.as_int(column).filter(|column| (0..COLUMNS).contains(column))?,
    };
    (is_number && row == index).then_some((matrix, last))
}

/// The nearest loop around another one that goes on by one, if a matrix is there before it and it is short enough.
fn loop_around(func: &Function, layout: &Layout, looped: Op, matrix: Value) -> Option<Op> {
    let by_one = |&op: &Op| {
        let data = &func.ops[op];
        data.kind == OpKind::For && func.as_int(data.args[2]) == Some(1)
    };
    let around = layout.ancestors(looped).find(by_one)?;
    let mut size = 0;
    func.walk(func.ops[around].regions[0], &mut |_| size += 1);
    (size <= LONGEST && !is_defined_inside(func, layout, matrix, around)).then_some(around)
}

fn pack(func: &mut Function, found: &Found) {
    let around = found.around;
    let [start, stop] = [func.ops[around].args[0], func.ops[around].args[1]];
    let pays = |b: &mut Builder<'_>| {
        let (trips, fewest) = (b.sub(stop, start), b.int(FEWEST));
        let mut all = vec![b.elem(ElemOp::Lt, &[start, stop]), b.elem(ElemOp::Ge, &[trips, fewest])];
        for (&matrix, &(columns, _)) in &found.matrices {
            let (rows, width) = (b.dim(matrix, 0), b.dim(matrix, 1));
            let [least, most] = ROWS.map(|rows| b.int(rows));
            let columns = b.int(columns);
            all.push(b.elem(ElemOp::Ge, &[rows, least]));
            all.push(b.elem(ElemOp::Le, &[rows, most]));
            all.push(b.elem(ElemOp::Ge, &[width, columns]));
        }
        let all = all.into_iter().reduce(|a, c| b.elem(ElemOp::And, &[a, c])).expect("there are some");
        (all, ())
    };
    choose(func, around, pays, |b, ()| {
        let mut cloner = Cloner::default();
        let copy = cloner.op(b.func, None, around);
        for (&matrix, &(columns, ref loads)) in &found.matrices {
            let packed = packed(b, matrix, columns);
            for &load in loads {
                let same = cloner.values.get(b.func.result(load)).and_then(|value| b.func.def_op(value));
                let args = &mut b.func.ops[same.expect("copied")].args;
                *args = vec![packed, args[2], args[1]];
            }
        }
        b.func.blocks[b.block].ops.push(copy);
        b.func.ops[copy].results.clone()
    });
    let (block, _) = position(func, around).expect("it stands in the other branch");
    func.blocks[block].cold = true;
}

/// The first columns of a matrix as rows of another one.
fn packed(b: &mut Builder<'_>, matrix: Value, columns: i64) -> Value {
    let ty = b.func.ty(matrix);
    let (count, rows) = (b.int(columns), b.dim(matrix, 0));
    let packed = b.value(OpKind::Empty, vec![count, rows], ty);
    let (zero, one) = (b.int(0), b.int(1));
    let element = Type::Scalar(ty.dtype().expect("a matrix of numbers"));
    b.for_loop([zero, rows, one], &[], |b, row, _| {
        for column in 0..columns {
            let column = b.int(column);
            let x = b.value(OpKind::LoadRaw, vec![matrix, row, column], element);
            b.effect(OpKind::StoreRaw, vec![packed, x, column, row]);
        }
        vec![]
    });
    packed
}
