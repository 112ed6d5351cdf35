//! Writes out loops over small arrays of known size, and loops that run once.
//!
//! ```text
//! %t = empty 3                                   %t = empty 3
//! for %i in 0, 3 { store %t[i], (load %a[i]) } ⇒ store %t[0], (load %a[0])  store %t[1], …
//! ```
//!
//! Then the elements of such arrays are numbers (see [`scalarize`](super::scalarize)). That an array that is
//! made of a slice `a[i - 1:i + 2]` has three elements is found here: before, loops over so few would not be joined. All other unrolling is left to LLVM,
//! which knows what it costs. Loops that are left early stay.

use pydd_ir::rewrite::{Cloner, Layout, Replacements, erase_op, position};
use pydd_ir::{Builder, ElemOp, Function, Level, Literal, Module, Op, OpKind, Type, Value};
use std::collections::BTreeSet;

use super::fast_functions;
use super::scalarize::small_array;
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::constant_range;
use crate::array::canonicalize;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "unroll",
    summary: "write out loops over small arrays of known size",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Iterations that are written out, at most.
const MOST: i64 = 16;
/// Operations that one loop becomes, at most.
const LONGEST: i64 = 400;
/// Loops within loops that are written out.
const DEPTH: usize = 4;

/// Sums that a difference is made of.
const SUMS: usize = 4;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    if fast_functions(module).fold(false, |changed, func| changed | fold_lengths(func)) {
        (canonicalize::PASS.run)(module, &PassContext::quiet(cx.options))?;
    }
    for _ in 0..DEPTH {
        let mut changed = false;
        for func in fast_functions(module) {
            changed |= unroll_all(func);
        }
        if !changed {
            break;
        }
        // Ranges of loops within become constants.
        (canonicalize::PASS.run)(module, &PassContext::quiet(cx.options))?;
    }
    Ok(())
}

/// Makes constants of arrays' lengths that are differences of a value and itself, each with a constant added. Whether there were any.
fn fold_lengths(func: &mut Function) -> bool {
    let is_array = |op: &Op| matches!(func.ops[*op].kind, OpKind::Empty | OpKind::Zeros);
    let arrays = func.hot_ops().into_iter().filter(is_array);
    let lengths: BTreeSet<Op> =
        arrays.flat_map(|op| func.ops[op].args.clone()).filter_map(|length| func.def_op(length)).collect();
    let mut changed = false;
    for op in lengths {
        let data = &func.ops[op];
        if data.kind != OpKind::Elem(ElemOp::Sub) || func.ty(data.results[0]) != Type::I64 {
            continue;
        }
        let [(one, more), (other, less)] = [data.args[0], data.args[1]].map(|value| moved(func, value));
        if one == other {
            func.ops[op].kind = OpKind::Const(Literal::Int(more.wrapping_sub(less)));
            func.ops[op].args.clear();
            changed = true;
        }
    }
    changed
}

/// What an int64 value is a constant more than, which wraps around as the additions do.
fn moved(func: &Function, mut value: Value) -> (Value, i64) {
    let mut more = 0_i64;
    for _ in 0..SUMS {
        let Some(data) = func.def_op(value).map(|op| &func.ops[op]) else { break };
        let next = match (&data.kind, &data.args[..]) {
            (OpKind::Elem(ElemOp::Add), &[a, b]) => {
                let constant = func.as_int(b).map(|by| (a, by));
                constant.or_else(|| func.as_int(a).map(|by| (b, by)))
            }
            (OpKind::Elem(ElemOp::Sub), &[a, b]) => func.as_int(b).map(|by| (a, by.wrapping_neg())),
            _ => None,
        };
        let Some((base, by)) = next else { break };
        (value, more) = (base, more.wrapping_add(by));
    }
    (value, more)
}

fn unroll_all(func: &mut Function) -> bool {
    let layout = Layout::new(func);
    let found: Vec<(Op, Vec<i64>)> = func
        .all_ops()
        .into_iter()
        .filter_map(|op| indices(func, op).map(|indices| (op, indices)))
        .filter(|(op, indices)| {
            let inner = func.all_ops().into_iter().any(|other| {
                other != *op && layout.is_inside(other, *op) && self::indices(func, other).is_some()
            });
            !inner && (indices.len() < 2 || touches_small_array(func, *op))
        })
        .collect();
    for (op, indices) in &found {
        unroll(func, *op, indices);
    }
    !found.is_empty()
}

/// The indices of a loop that may be written out.
fn indices(func: &Function, op: Op) -> Option<Vec<i64>> {
    let data = &func.ops[op];
    if data.kind != OpKind::For {
        return None;
    }
    let [start, stop, step] = constant_range(func, op)?;
    let trips = pydd_ir::cost::length(start, stop, step);
    let mut ops = 0;
    let body = data.regions[0];
    func.walk(body, &mut |_| ops += 1);
    let fits = trips <= MOST && trips.checked_mul(ops)? <= LONGEST;
    (fits && runs_to_its_end(func, body)).then(|| (0..trips).map(|trip| start + trip * step).collect())
}

/// Whether the body has accesses to an array of few elements.
fn touches_small_array(func: &Function, looped: Op) -> bool {
    let mut found = false;
    func.walk(func.ops[looped].regions[0], &mut |op| {
        let data = &func.ops[op];
        if matches!(data.kind, OpKind::LoadRaw | OpKind::StoreRaw) {
            found |= func.def_op(data.args[0]).is_some_and(|made| small_array(func, made).is_some());
        }
    });
    found
}

/// Writes a loop out whose iterations are known and no more than so many. Whether it was.
pub fn write_out(func: &mut Function, op: Op, most: usize) -> bool {
    let found = indices(func, op).filter(|indices| indices.len() <= most);
    if let Some(indices) = &found {
        unroll(func, op, indices);
    }
    found.is_some()
}

fn unroll(func: &mut Function, op: Op, indices: &[i64]) {
    let data = func.ops[op].clone();
    let body = data.regions[0];
    let params = func.blocks[body].params.clone();
    let mut carried = data.args[3..].to_vec();
    let block = func.new_block();
    for &index in indices {
        let index = Builder::new(func, block).int(index);
        let mut cloner = Cloner::default();
        cloner.values.insert(params[0], index);
        cloner.values.insert_all(&params[1..], &carried);
        cloner.ops(func, None, body, block);
        let end = func.blocks[block].ops.pop().expect("bodies end");
        carried = func.ops[end].args.clone();
    }
    let (home, at) = position(func, op).expect("the loop stands in a block");
    let made = std::mem::take(&mut func.blocks[block].ops);
    func.blocks[home].ops.splice(at..at, made);
    let mut replacements = Replacements::default();
    replacements.replace_all(&data.results, &carried);
    erase_op(func, op);
    replacements.apply(func);
}
