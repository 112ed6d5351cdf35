//! Makes code of its own for arguments whose lengths are equal where they may be.
//!
//! ```text
//! %n = dim[0] %a   %m = dim[0] %b              %n = dim[0] %a   %m = dim[0] %b
//! check (%n == %m or %n == 1 or %m == 1)       if %n == %m {
//! if %n == %m { … } else { …stretched… }   ⇒       …            with %n for %m: no checks, nothing stretched
//!                                              } else {
//!                                                  …            as before
//!                                              }
//! ```
//!
//! Lengths that operands of whole-array operations must have in common, unless one is 1, mostly are the same. In code that
//! knows it, loops are over one range, which is what joins them (see [`fuse_loops`](super::fuse_loops)). One test chooses for all of a
//! function. It looks at lengths of arguments only, and leaves long functions and versions for any arguments as they are.

use std::collections::BTreeMap;

use pydd_ir::rewrite::{Cloner, Replacements, Uses};
use pydd_ir::{Block, Builder, ElemOp, Function, Level, Module, Op, OpKind, Type, Value, Version};

use super::{fast_functions, param_length};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "same-lengths",
    summary: "make code of its own for arguments of equal lengths",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Operations of a function of which there are to be two, at most.
const LONGEST: usize = 1500;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    for func in fast_functions(module).filter(|func| func.version == Version::Fast) {
        behind_checks(func);
        let lengths = compared_lengths(func);
        if !lengths.is_empty() && func.all_ops().len() <= LONGEST {
            report::same_lengths(cx, func, lengths.iter());
            choose(func, &lengths);
        }
    }
    Ok(())
}

/// Behind a check that two lengths are equal, the one stands for the other.
fn behind_checks(func: &mut Function) {
    let blocks: Vec<Block> = func.blocks.keys().collect();
    for block in blocks {
        for at in 0..func.blocks[block].ops.len() {
            let data = &func.ops[func.blocks[block].ops[at]];
            let (OpKind::Check { .. }, Some(condition)) = (&data.kind, data.args.first()) else { continue };
            let Some(equal) = func.def_op(*condition) else { continue };
            let (OpKind::Elem(ElemOp::Eq), &[a, b]) = (&func.ops[equal].kind, &func.ops[equal].args[..])
            else {
                continue;
            };
            let (Some(first), Some(second)) = (param_length(func, a), param_length(func, b)) else {
                continue;
            };
            let (kept, gone) = if first <= second { (a, b) } else { (b, a) };
            let mut behind = Vec::new();
            for &op in &func.blocks[block].ops[at + 1..] {
                behind.push(op);
                func.ops[op].regions.iter().for_each(|&region| func.walk(region, &mut |op| behind.push(op)));
            }
            for op in behind {
                let args = &mut func.ops[op].args;
                args.iter_mut().filter(|arg| **arg == gone).for_each(|arg| *arg = kept);
            }
        }
    }
}

/// An axis of a parameter.
type Length = (Value, u8);

/// Lengths that more is asked of than that they be equal: from each to the one that stands for all equal ones.
fn compared_lengths(func: &Function) -> BTreeMap<Length, Length> {
    let uses = Uses::new(func);
    let mut same: BTreeMap<Length, Length> = BTreeMap::new();
    for op in func.all_ops() {
        let data = &func.ops[op];
        let (OpKind::Elem(ElemOp::Eq), &[a, b]) = (&data.kind, &data.args[..]) else { continue };
        let (Some(a), Some(b)) = (param_length(func, a), param_length(func, b)) else { continue };
        let is_open = |user: Op| !matches!(func.ops[user].kind, OpKind::Check { .. });
        if a == b || !uses.of(data.results[0]).iter().any(|found| is_open(found.op)) {
            continue;
        }
        let (a, b) = (stands_for(&same, a), stands_for(&same, b));
        if a != b {
            same.insert(a.max(b), a.min(b));
        }
    }
    same.keys().map(|&length| (length, stands_for(&same, length))).collect()
}

/// The length that stands for all that are equal to this one.
fn stands_for(same: &BTreeMap<Length, Length>, mut length: Length) -> Length {
    while let Some(&other) = same.get(&length) {
        length = other;
    }
    length
}

/// The function's body twice, the first one for equal lengths.
fn choose(func: &mut Function, same: &BTreeMap<Length, Length>) {
    let entry = func.entry;
    let ops = std::mem::take(&mut func.blocks[entry].ops);
    // A function without a place has no lines for debuggers.
    let loc = ops.iter().map(|&op| func.ops[op].loc).find(|loc| loc.line != 0).unwrap_or_default();
    let otherwise = func.new_block();
    func.blocks[otherwise].ops = ops;
    let then = func.new_block();
    Cloner::default().ops(func, None, otherwise, then);
    let mut b = Builder::new(func, entry);
    b.loc = loc;
    let mut lengths: BTreeMap<Length, Value> = BTreeMap::new();
    for &found in same.iter().flat_map(|(a, b)| [a, b]) {
        lengths.entry(found).or_insert_with(|| b.dim(found.0, found.1));
    }
    let mut equal: Option<Value> = None;
    for (a, other) in same {
        let one = b.elem(ElemOp::Eq, &[lengths[a], lengths[other]]);
        equal = Some(equal.map_or(one, |all| b.elem(ElemOp::And, &[all, one])));
    }
    let equal = equal.expect("there are lengths");
    b.op(OpKind::If, vec![equal], &[] as &[Type], vec![then, otherwise]);
    b.effect(OpKind::Unreachable, Vec::new());
    let mut replacements = Replacements::default();
    func.walk(then, &mut |op| {
        let data = &func.ops[op];
        if let Some(found) = data.results.first().and_then(|&value| param_length(func, value)) {
            let stands = same.get(&found).copied().unwrap_or(found);
            if let Some(&value) = lengths.get(&stands) {
                replacements.replace(data.results[0], value);
            }
        }
    });
    replacements.apply(func);
}
