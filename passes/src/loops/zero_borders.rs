//! Writes the border of an array of zeros alone, where loops fill all that is inside.
//!
//! ```text
//!                                               %t = empty %n
//! %t = zeros %n                                 store_raw %t, 0.0, 0; store_raw %t, 0.0, %n - 1
//! for %i in 0, %n - 2 {                  ⇒      for %i in 0, %n - 2 {
//!     store_raw %t, …, %i + 1                       store_raw %t, …, %i + 1
//! }                                             }
//! ```
//!
//! `new = np.zeros_like(u); new[1:-1, 1:-1] = …` is so, in each step of a simulation. An array that is filled as a whole has no border.
//! The loops store in each iteration, whatever is computed, and nobody looks at the array before they end.

use pydd_ir::rewrite::{Layout, Uses, position};
use pydd_ir::{Builder, ElemOp, Function, Level, Module, Op, OpKind, Value};

use super::fast_functions;
use crate::analysis::filled::Filled;
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::{counts_from_zero, moved};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "zero-borders",
    summary: "write zeros only where nothing else is stored",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Elements of a border along an axis, at most: a wide one is written faster as a whole.
const WIDEST: i64 = 16;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    for func in fast_functions(module).filter(|func| !func.device) {
        let zeros = |op: &Op| func.ops[*op].kind == OpKind::Zeros;
        let made: Vec<Op> = func.all_ops().into_iter().filter(zeros).collect();
        if made.is_empty() {
            continue;
        }
        let (layout, uses) = (Layout::new(func), Uses::new(func));
        let found: Vec<_> = made.into_iter().filter_map(|made| fill(func, &layout, &uses, made)).collect();
        for (made, nest, filled) in found {
            write(func, made, nest, &filled);
        }
    }
    Ok(())
}

/// The loops that fill the inner part of an array of zeros before anybody looks at it, and that part, by axis.
fn fill(func: &Function, layout: &Layout, uses: &Uses, made: Op) -> Option<(Op, Op, Vec<Filled>)> {
    let (array, lengths) = (func.result(made), &func.ops[made].args);
    let home = layout.block_of(made)?;
    let top = |op: Op| {
        std::iter::once(op).chain(layout.ancestors(op)).find(|&op| layout.block_of(op) == Some(home))
    };
    let users: Option<Vec<(Op, Op)>> =
        uses.of(array).iter().map(|one| Some((top(one.op)?, one.op))).collect();
    let users = users?;
    let nest = users.iter().map(|&(top, _)| top).min_by_key(|&top| layout.index_of(top))?;
    let mut inside = users.iter().filter(|(top, _)| *top == nest).map(|&(_, op)| op);
    let (store, None) = (inside.next()?, inside.next()) else { return None };
    if func.ops[store].kind != OpKind::StoreRaw || func.ops[store].args[0] != array {
        return None;
    }
    // Loops around the store, and nothing else.
    let mut loops: Vec<Op> = layout.ancestors(store).take_while(|&op| op != nest).collect();
    loops.push(nest);
    let mut counts = Vec::new();
    for &looped in &loops {
        let body = func.ops[looped].regions.first()?;
        let stop = *func.ops[looped].args.get(1)?;
        let plain = counts_from_zero(func, looped)
            && runs_to_its_end(func, *body)
            && layout.dominates(func, stop, nest);
        plain.then_some(())?;
        counts.push((func.blocks[*body].params[0], stop));
    }
    let mut filled = Vec::new();
    for (&index, &length) in func.ops[store].args[2..].iter().zip(lengths) {
        let (base, before) = moved(func, index);
        let at = counts.iter().position(|&(param, _)| param == base)?;
        let (_, count) = counts.swap_remove(at);
        filled.push(Filled::new(func, before, count, length)?);
    }
    let is_narrow = |axis: &Filled| axis.before <= WIDEST && axis.behind <= WIDEST;
    let has_room = filled
        .iter()
        .all(|axis| !axis.has_border() || func.as_int(axis.length).is_none_or(|n| n > 2 * WIDEST));
    (counts.is_empty() && filled.iter().all(is_narrow) && has_room).then_some((made, nest, filled))
}

fn write(func: &mut Function, made: Op, nest: Op, filled: &[Filled]) {
    let array = func.result(made);
    func.ops[made].kind = OpKind::Empty;
    if !filled.iter().any(|axis| axis.has_border()) {
        return;
    }
    let mut b = Builder { loc: func.ops[made].loc, block: func.new_block(), func: &mut *func };
    border(&mut b, array, filled, &mut Vec::new());
    let block = b.block;
    let loops = std::mem::take(&mut func.blocks[block].ops);
    let (home, at) = position(func, nest).expect("the loop stands in a block");
    func.blocks[home].ops.splice(at..at, loops);
}

/// Writes what is left out of the axes from the next on.
fn border(b: &mut Builder<'_>, array: Value, filled: &[Filled], indices: &mut Vec<Value>) {
    let axis = filled[indices.len()];
    let (mut from, mut to) = (b.int(0), axis.length);
    if axis.before > 0 {
        let start = from;
        let before = b.int(axis.before);
        from = b.elem(ElemOp::Min, &[before, axis.length]);
        all(b, array, filled, (start, from), indices);
    }
    if axis.behind > 0 {
        let behind = b.int(axis.behind);
        let end = b.sub(axis.length, behind);
        to = b.elem(ElemOp::Max, &[from, end]);
    }
    if filled[indices.len() + 1..].iter().any(|axis| axis.has_border()) {
        over(b, (from, to), indices, &mut |b, indices| border(b, array, filled, indices));
    }
    if axis.behind > 0 {
        all(b, array, filled, (to, axis.length), indices);
    }
}

/// Writes a range of an axis, and all of those behind it.
fn all(
    b: &mut Builder<'_>,
    array: Value,
    filled: &[Filled],
    range: (Value, Value),
    indices: &mut Vec<Value>,
) {
    over(b, range, indices, &mut |b, indices| match filled.get(indices.len()) {
        Some(axis) => {
            let start = b.int(0);
            all(b, array, filled, (start, axis.length), indices);
        }
        None => {
            let none = b.number(0.0, b.func.ty(array).dtype().expect("arrays have elements"));
            b.effect(OpKind::StoreRaw, [&[array, none], &indices[..]].concat());
        }
    });
}

fn over(
    b: &mut Builder<'_>,
    (from, to): (Value, Value),
    indices: &mut Vec<Value>,
    build: &mut dyn FnMut(&mut Builder<'_>, &mut Vec<Value>),
) {
    let one = b.int(1);
    b.for_loop([from, to, one], &[], |b, index, _| {
        indices.push(index);
        build(b, indices);
        indices.pop();
        vec![]
    });
}
