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
use pydd_ir::{FuncRef, Function, Level, Module, Op, OpKind, Type, Value};
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
    let other: BTreeSet<Op> = func
        .all_ops()
        .into_iter()
        .filter(|&op| follows_operands(func, op) && !orders.at(func.result(op)).is_rows())
        .collect();
    if other.is_empty() {
        return;
    }
    let seen = seen_by_others(func, &MemoryInfo::new(func, summaries), &Uses::new(func));
    let exact = reaching(func, looked_at(func, |op| matches!(func.ops[op].kind, OpKind::Stride(_))));
    let moved = moved(func, &other, seen);
    if moved.is_empty() {
        return;
    }
    let mut arranger = Arranger::new(func, orders, moved, exact);
    arranger.arrange_all();
    let (code, laid_out) = arranger.finish();
    place(func, &code, &laid_out);
}

/// The arrays whose order the rest of the program sees.
fn seen_by_others(func: &Function, memory: &MemoryInfo, uses: &Uses) -> BTreeSet<Value> {
    let mut from = looked_at(func, |op| match func.ops[op].kind {
        OpKind::Stride(_) | OpKind::Return | OpKind::Call(_) => true,
        OpKind::Reshape => !is_secret(func, memory, uses, op),
        _ => false,
    });
    // What is put into a list of the caller's.
    from.extend(func.params().iter().filter(|&&param| listed(func, param).is_some()));
    reaching(func, from)
}

/// Of results that lie in another order than rows those that need memory in it: what is seen, and what of it tells how others
/// lie that are seen, where no code says it from operands.
fn moved(func: &Function, other: &BTreeSet<Op>, mut seen: BTreeSet<Value>) -> BTreeSet<Op> {
    loop {
        let moved: BTreeSet<Op> =
            other.iter().copied().filter(|&op| seen.contains(&func.result(op))).collect();
        let told =
            strides::wanted(func, &moved).into_iter().flat_map(|op| strides::operands(func, &moved, op));
        let read = told.filter(|&v| !func.def_op(v).is_some_and(|maker| follows_operands(func, maker)));
        let more = reaching(func, read.collect());
        if more.is_subset(&seen) {
            return moved;
        }
        seen.extend(more);
    }
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
        if matches!(func.ops[op].kind, OpKind::KeepOrder(_)) {
            replacements.replace(func.result(op), func.ops[op].args[0]);
            gone.insert(op);
        }
    }
    erase_ops(func, &gone);
    replacements.apply(func);
}

/// What these operations look at.
fn looked_at(func: &Function, looks: impl Fn(Op) -> bool) -> Vec<Value> {
    let lookers = func.all_ops().into_iter().filter(|&op| looks(op));
    lookers.flat_map(|op| func.ops[op].args.clone()).collect()
}

/// These arrays, and those in these lists, with those that they may be, or be views of.
fn reaching(func: &Function, from: Vec<Value>) -> BTreeSet<Value> {
    let mut waiting = from;
    let mut sources: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    flows(func).iter().for_each(|flow| sources.entry(flow.to).or_default().push(flow.from));
    let (mut seen, mut seen_lists) = (BTreeSet::new(), BTreeSet::new());
    while let Some(value) = waiting.pop() {
        if let Some(kind) = listed(func, value)
            && seen_lists.insert(kind)
        {
            waiting.extend(order::put_in_lists(func).filter(|&v| func.ty(v) == kind));
        }
        if !func.ty(value).is_array() || !seen.insert(value) {
            continue;
        }
        waiting.extend(sources.get(&value).into_iter().flatten());
        if let Some(op) = func.def_op(value)
            && (func.ops[op].kind.is_view() || matches!(func.ops[op].kind, OpKind::Reshape | OpKind::ListGet))
        {
            waiting.push(func.ops[op].args[0]);
        }
    }
    seen
}

/// Which arrays a list has.
fn listed(func: &Function, value: Value) -> Option<Type> {
    order::listed(func.ty(value))
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
