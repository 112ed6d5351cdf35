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

use pydd_ir::rewrite::{self, Layout};
use pydd_ir::{ElemOp, Function, Level, Literal, Module, Op, OpKind, Type};
use std::collections::BTreeSet;

use super::fast_functions;
use super::scalarize::small_array;
use crate::analysis::patterns::{few_indices, moved};
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

fn unroll_all(func: &mut Function) -> bool {
    let layout = Layout::new(func);
    let found: Vec<(Op, Vec<i64>)> = func
        .all_ops()
        .into_iter()
        .filter_map(|op| few(func, op).map(|indices| (op, indices)))
        .filter(|(op, indices)| {
            let inner = func
                .all_ops()
                .into_iter()
                .any(|other| other != *op && layout.is_inside(other, *op) && few(func, other).is_some());
            !inner && (indices.len() < 2 || touches_small_array(func, *op))
        })
        .collect();
    for (op, indices) in &found {
        rewrite::write_out(func, *op, indices);
    }
    !found.is_empty()
}

/// The indices of a loop that may be written out.
fn few(func: &Function, op: Op) -> Option<Vec<i64>> {
    few_indices(func, op, MOST, LONGEST)
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
    let found = few(func, op).filter(|indices| indices.len() <= most);
    if let Some(indices) = &found {
        rewrite::write_out(func, op, indices);
    }
    found.is_some()
}
