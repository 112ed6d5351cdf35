//! Makes one loop of two that go over the last axes of arrays without gaps.
//!
//! ```text
//! for %i in 0, %n {                              %s = mul %n, %m      %f = raw_view %a, 0, (%s), (8)
//!     for %j in 0, %m { store %a[i, j], … }  ⇒   for %k in 0, %s { store %f[k], … }
//! }
//! ```
//!
//! So short rows cost no more than long ones, and a loop that is made parallel has all elements. It runs behind what looks at rows: see
//! [`fuse_loops`](super::fuse_loops). Both indices must be used for nothing else than the last two axes of arrays whose rows are as long as the inner loop.
//! Of more loops the inner two become one first, which then goes with the next one if it goes over whole rows of planes.

use pydd_ir::rewrite::{Layout, Uses, position};
use pydd_ir::{Builder, ElemOp, Function, Level, Module, Op, OpKind, Type, Value, Version};
use std::collections::BTreeMap;

use super::fast_functions;
use crate::analysis::jumps::{runs_to_its_end, stays_in_loop};
use crate::analysis::patterns::counts_from_zero;
use crate::analysis::patterns::param_length;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "coalesce",
    summary: "make one loop of two over arrays without gaps",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    for func in fast_functions(module) {
        let mut flat = Flat::new();
        for op in func.all_ops().into_iter().rev() {
            if let Some(nest) = suits(func, &flat, op) {
                coalesce(func, &mut flat, &nest);
            }
        }
    }
    Ok(())
}

/// The views that were made here of arrays without gaps.
type Flat = BTreeMap<Value, Whole>;

/// A view whose last axis is several of an array's.
struct Whole {
    array: Value,
    /// The length of the rows.
    row: Value,
}

struct Nest {
    outer: Op,
    inner: Op,
    /// Accesses by both indices, each with what is added to the first one.
    accesses: BTreeMap<Op, Option<Value>>,
    /// Additions to the first index, which go.
    sums: Vec<Op>,
}

fn suits(func: &Function, flat: &Flat, outer: Op) -> Option<Nest> {
    let (rows, body) = counted(func, outer)?;
    if !runs_to_its_end(func, body) {
        return None;
    }
    // Sums of the first index may stand before the inner loop.
    let inner = *func.blocks[body].ops.iter().rev().nth(1)?;
    let (row, inside) = counted(func, inner)?;
    let (i, j) = (func.blocks[body].params[0], func.blocks[inside].params[0]);
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    let (mut accesses, mut sums) = (BTreeMap::new(), Vec::new());
    // The first index as accesses have it: alone, or with something from outside added to it.
    let mut firsts: BTreeMap<Value, Option<Value>> = BTreeMap::from([(i, None)]);
    for found in uses.of(i) {
        let data = &func.ops[found.op];
        if data.kind == OpKind::Elem(ElemOp::Add) {
            let offset = data.args[1 - found.index as usize];
            if !layout.dominates(func, offset, outer) {
                return None;
            }
            firsts.insert(data.results[0], Some(offset));
            sums.push(found.op);
        }
    }
    let by_first = firsts.keys().flat_map(|&first| uses.of(first));
    for found in by_first.chain(uses.of(j)).filter(|found| !sums.contains(&found.op)) {
        let data = &func.ops[found.op];
        let [others @ .., first, second] = indices(func, found.op)? else { return None };
        let array = data.args[0];
        let offset = *firsts.get(first)?;
        let named = *second == j && !others.iter().any(|other| *other == j || firsts.contains_key(other));
        let is_data =
            data.kind == OpKind::StoreRaw && (data.args[1] == j || firsts.contains_key(&data.args[1]));
        let outside = [array].iter().chain(others).all(|&value| layout.dominates(func, value, outer));
        if !named || is_data || !outside || !is_row_major(func, flat, array, row) {
            return None;
        }
        accesses.insert(found.op, offset);
    }
    let before = &func.blocks[body].ops[..func.blocks[body].ops.len() - 2];
    let alone = before.iter().all(|op| sums.contains(op));
    let known = alone && layout.dominates(func, row, outer) && layout.dominates(func, rows, outer);
    (known && !accesses.is_empty()).then_some(Nest { outer, inner, accesses, sums })
}

/// The length and body of a loop from 0 by 1 that carries nothing.
pub(super) fn counted(func: &Function, op: Op) -> Option<(Value, pydd_ir::Block)> {
    let data = func.ops.get(op)?;
    let (OpKind::For, &[_, stop, _]) = (&data.kind, &data.args[..]) else { return None };
    let body = data.regions[0];
    (counts_from_zero(func, op) && stays_in_loop(func, body)).then_some((stop, body))
}

fn indices(func: &Function, op: Op) -> Option<&[Value]> {
    let data = &func.ops[op];
    match data.kind {
        OpKind::LoadRaw => Some(&data.args[1..]),
        OpKind::StoreRaw => Some(&data.args[2..]),
        _ => None,
    }
}

/// Whether an array has no gaps, and rows of this length.
fn is_row_major(func: &Function, flat: &Flat, array: Value, row: Value) -> bool {
    match flat.get(&array) {
        Some(whole) => whole.row == row,
        None => is_whole_axis(func, array, 1, row),
    }
}

/// Whether an array has no gaps, and this is the length of an axis, counted from the end: 1 is the last one.
fn is_whole_axis(func: &Function, array: Value, from_end: usize, length: Value) -> bool {
    let rank = usize::from(func.ty(array).rank());
    let same = |other: Value| {
        other == length || func.as_const(other).is_some() && func.as_const(other) == func.as_const(length)
    };
    let Some(made) = func.def_op(array) else {
        let is_axis = |(of, axis): (Value, u8)| of == array && usize::from(axis) + from_end == rank;
        return param_length(func, length).is_some_and(is_axis) && func.version == Version::Fast;
    };
    let data = &func.ops[made];
    matches!(data.kind, OpKind::Empty | OpKind::Zeros)
        && data.args.len().checked_sub(from_end).is_some_and(|axis| same(data.args[axis]))
}

/// The outermost loop around an operation, or itself, that all these values are known before.
fn outermost(func: &Function, op: Op, values: &[Value]) -> Op {
    let layout = Layout::new(func);
    let mut out = op;
    while let Some(around) = layout.parent(out).filter(|&around| func.ops[around].kind == OpKind::For)
        && values.iter().all(|&value| layout.dominates(func, value, around))
    {
        out = around;
    }
    out
}

fn coalesce(func: &mut Function, known: &mut Flat, nest: &Nest) {
    let Nest { outer, inner, accesses, sums } = nest;
    let (outer_data, inner_data) = (func.ops[*outer].clone(), func.ops[*inner].clone());
    let (rows, row) = (outer_data.args[1], inner_data.args[1]);
    let block = func.new_block();
    let mut b = Builder::new(func, block);
    b.loc = inner_data.loc;
    let size = b.mul(rows, row);
    let (mut views, mut starts) = (BTreeMap::new(), BTreeMap::new());
    for (&access, &offset) in accesses {
        let array = b.func.ops[access].args[0];
        views.entry(array).or_insert_with(|| flat(&mut b, array, row));
        if let Some(offset) = offset {
            starts.entry(offset).or_insert_with(|| b.mul(offset, row));
        }
    }
    let made = std::mem::take(&mut func.blocks[block].ops);
    let arrays: Vec<Value> = views.keys().copied().collect();
    let offsets: Vec<Value> = starts.keys().copied().collect();
    let first = outermost(func, *outer, &[&arrays[..], &offsets, &[rows, row]].concat());
    let (home, at) = position(func, first).expect("the loop stands in a block");
    func.blocks[home].ops.splice(at..at, made);
    for (&array, &view) in &views {
        let array = known.get(&array).map_or(array, |whole| whole.array);
        let axis = usize::from(func.ty(array).rank() - func.ty(view).rank()) + 1;
        if is_whole_axis(func, array, axis, rows) {
            known.insert(view, Whole { array, row: size });
        }
    }
    let (body, inside) = (outer_data.regions[0], inner_data.regions[0]);
    let index = func.blocks[inside].params[0];
    for sum in sums {
        // They may stand in either body.
        if let Some((block, at)) = position(func, *sum) {
            func.blocks[block].ops.remove(at);
        }
    }
    let mut indices: BTreeMap<Value, Value> = BTreeMap::new();
    let mut b = Builder::new(func, block);
    for (&offset, &start) in &starts {
        let from_start = b.add(start, index);
        indices.insert(offset, from_start);
    }
    let made = std::mem::take(&mut func.blocks[block].ops);
    func.blocks[inside].ops.splice(0..0, made);
    for (&access, offset) in accesses {
        let data = &mut func.ops[access];
        data.args[0] = views[&data.args[0]];
        data.args.truncate(data.args.len() - 2);
        data.args.push(offset.map_or(index, |offset| indices[&offset]));
    }
    // The inner loop takes the place of both.
    func.ops[*inner].args[1] = size;
    let (home, at) = position(func, *outer).expect("the loop stands in a block");
    func.blocks[home].ops[at] = *inner;
    func.blocks[body].ops.clear();
}

/// The array of rows of this length with its last two axes as one.
pub(super) fn flat(b: &mut Builder<'_>, array: Value, row: Value) -> Value {
    let Type::Array { dtype, rank } = b.func.ty(array) else { unreachable!("an array") };
    let zero = b.int(0);
    let unit = b.int(i64::try_from(dtype.size()).expect("small"));
    let mut dims: Vec<Value> = (0..rank - 2).map(|axis| b.dim(array, axis)).collect();
    let rows = b.dim(array, rank - 2);
    dims.push(b.mul(rows, row));
    let mut strides = vec![unit; dims.len()];
    for axis in (1..dims.len()).rev() {
        strides[axis - 1] = b.mul(strides[axis], dims[axis]);
    }
    let ty = Type::array(dtype, rank - 1);
    b.value(OpKind::RawView, [&[array, zero], &dims[..], &strides[..]].concat(), ty)
}
