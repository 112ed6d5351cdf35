//! Results of elementwise operations in their operands' order of axes, where anything depends on it.
//!
//! ```text
//! %2 = transpose[1, 0] %0                 %2 = transpose[1, 0] %0
//! %3 = add %2, %1                         %3 = add %2, %1
//! %4 = reshape %3                    ⇒    %5 = transpose[1, 0] (empty …)     assign %5, %3
//!                                         %4 = reshape %5
//! ```
//!
//! NumPy allocates results in the order in which its iterator goes through the operands (`order='K'`). Values do not tell, but
//! whether `ravel` and `reshape` give views does, and so do strides; arrays that are returned lie as NumPy's do as well. All
//! passes behind this one, and lowering, take results of elementwise operations for row-major. So this one finds results whose
//! order is looked at and may be another (`order.rs`), and gives them memory in that order: a transposed view of a fresh array
//! where it follows from the program, else one with strides that are computed from the operands' (`strides.rs`).
//! Results that nothing looks at, as temporaries of an expression, have only their strides computed, where those of others
//! depend on them. Functions for contiguous arguments mostly need nothing of all this.

mod order;
mod strides;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::flow::flows;
use pydd_ir::rewrite::{Replacements, Uses, erase_ops};
use pydd_ir::{FuncRef, Function, Level, Module, Op, OpKind, Value};
use std::collections::{BTreeMap, BTreeSet};

use self::order::{Orders, follows_operands};
use self::strides::Arranger;
use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "keep-order",
    summary: "lay out results of elementwise operations in memory as NumPy does, where that can be seen",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::Always,
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    let orders = order::of_module(module);
    let funcs: Vec<FuncRef> = module.funcs.keys().collect();
    for (func, orders) in funcs.into_iter().zip(&orders) {
        arrange(&mut module.funcs[func], orders, &summaries);
        take_out(&mut module.funcs[func]);
    }
    Ok(())
}

/// Gives results that are looked at their order.
fn arrange(func: &mut Function, orders: &Orders, summaries: &Summaries) {
    let other: Vec<Op> = func
        .all_ops()
        .into_iter()
        .filter(|&op| follows_operands(func, op) && !orders.at(func.result(op)).is_rows())
        .collect();
    if other.is_empty() {
        return;
    }
    let (memory, uses) = (MemoryInfo::new(func, summaries), Uses::new(func));
    let seen = reaching(func, |op| match func.ops[op].kind {
        OpKind::Stride(_) | OpKind::Return | OpKind::Call(_) => true,
        OpKind::Reshape => !is_secret(func, &memory, &uses, op),
        _ => false,
    });
    let exact = reaching(func, |op| matches!(func.ops[op].kind, OpKind::Stride(_)));
    let moved: BTreeSet<Op> = other.into_iter().filter(|&op| seen.contains(&func.result(op))).collect();
    if moved.is_empty() {
        return;
    }
    let mut arranger = Arranger::new(func, orders, moved, exact);
    arranger.arrange_all();
    let (code, laid_out) = arranger.finish();
    place(func, &code, &laid_out);
}

/// Puts code behind operations, and arrays that are laid out in the places of results.
fn place(func: &mut Function, code: &BTreeMap<Op, Vec<Op>>, laid_out: &BTreeMap<Value, (Value, Op)>) {
    for block in func.blocks.values_mut() {
        let ops = std::mem::take(&mut block.ops);
        for op in ops {
            block.ops.push(op);
            block.ops.extend(code.get(&op).into_iter().flatten());
        }
    }
    func.replace_uses(|value| laid_out.get(&value).map_or(value, |&(array, _)| array));
    for (&made, &(_, assign)) in laid_out {
        func.ops[assign].args[1] = made;
    }
}

/// Takes out what says how a copy lies.
fn take_out(func: &mut Function) {
    let (mut replacements, mut gone) = (Replacements::default(), BTreeSet::new());
    for op in func.all_ops() {
        if func.ops[op].kind == OpKind::KeepOrder {
            replacements.replace(func.result(op), func.ops[op].args[0]);
            gone.insert(op);
        }
    }
    erase_ops(func, &gone);
    replacements.apply(func);
}

/// The arrays that these operations look at, with those that they may be, or be views of.
fn reaching(func: &Function, looks: impl Fn(Op) -> bool) -> BTreeSet<Value> {
    let lookers = func.all_ops().into_iter().filter(|&op| looks(op));
    let mut waiting: Vec<Value> = lookers.flat_map(|op| func.ops[op].args.clone()).collect();
    let mut sources: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    flows(func).iter().for_each(|flow| sources.entry(flow.to).or_default().push(flow.from));
    let mut seen = BTreeSet::new();
    while let Some(value) = waiting.pop() {
        if !func.ty(value).is_array() || !seen.insert(value) {
            continue;
        }
        waiting.extend(sources.get(&value).into_iter().flatten());
        if let Some(op) = func.def_op(value)
            && (func.ops[op].kind.is_view() || func.ops[op].kind == OpKind::Reshape)
        {
            waiting.push(func.ops[op].args[0]);
        }
    }
    seen
}

/// Whether nobody can tell if this gives a view or a copy: it is never written, or nobody else has the source.
fn is_secret(func: &Function, memory: &MemoryInfo, uses: &Uses, op: Op) -> bool {
    let (source, result) = (func.ops[op].args[0], func.result(op));
    let alone = || {
        func.ty(result).rank() <= 1
            && func.def_op(source).is_some_and(|made| follows_operands(func, made))
            && uses
                .of(source)
                .iter()
                .all(|used| used.op == op || matches!(func.ops[used.op].kind, OpKind::Dim(_)))
    };
    memory.is_value_like(result) || alone()
}
