//! Computes no more of a result than the parts of it that somebody looks at.
//!
//! ```text
//! %r = call[@order_of] %a, 0, %n        ⇒   %v = call[@order_of] %a, 0, min(%k, %n)
//! %v = view[:stop] %r, %k
//! ```
//!
//! Some functions of the prelude take a range of what they give along its last axis ([`RangeOperation`]): of the order of an array's elements, the first ones, the last ones; of a
//! correlation, some lags. `np.argsort(a)[:k]` looks for `k` elements then, and `np.correlate(x, x, "full")[len(x) - 1:][:lags]` computes as many sums.
//!
//! A result that is used as a whole, by masks or by indices that are not constants, stays what it was, and so does one where something stands between the call and its first use that writes to
//! what the call reads. Under `--strict-fp` correlations are made as a whole.

use std::collections::BTreeSet;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::catalogue::RangeOperation;
use pydd_ir::rewrite::{Layout, Replacements, Uses, build_before, erase_op, replace_op};
use pydd_ir::{Builder, ElemOp, FuncRef, Function, IndexItem, Level, Module, Op, OpKind, Value};

use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "take-ranges",
    summary: "compute no more of a result than the slices of it that are used",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let ranged: BTreeSet<FuncRef> = module
        .funcs
        .iter()
        .filter(|(_, func)| RangeOperation::of(func).is_some_and(|operation| is_wanted(operation, cx)))
        .map(|(r, _)| r)
        .collect();
    if ranged.is_empty() {
        return Ok(());
    }
    let summaries = Summaries::of_callees(module);
    let funcs: Vec<FuncRef> = module.funcs.keys().collect();
    for f in funcs {
        let func = &mut module.funcs[f];
        // Calls that give no more than several uses take of them.
        let mut done = BTreeSet::new();
        // What is taken of a part is a part of the whole.
        while let Some(found) = find(func, &summaries, &ranged, &done) {
            report::ranged(cx, func, found.call, found.first);
            let part = rewrite(func, &found);
            if !found.is_one_slice() {
                done.insert(part);
            }
        }
    }
    Ok(())
}

/// Few sums of products are made in another order than many are.
fn is_wanted(operation: RangeOperation, cx: &PassContext<'_>) -> bool {
    operation != RangeOperation::Convolved || !cx.options.strict_fp
}

/// A call of which parts are used.
struct Found {
    call: Op,
    /// What turns its last axis round, if all uses are of that.
    reversed: Option<Op>,
    /// Questions for the length of that axis.
    lengths: Vec<Op>,
    /// Slices of it.
    slices: Vec<Op>,
    /// The highest constant index of an element that is read, if there is one.
    highest: Option<i64>,
    /// The use that stands before all others.
    first: Op,
}

impl Found {
    /// Whether a slice stands for the result.
    fn is_one_slice(&self) -> bool {
        self.slices.len() == 1 && self.highest.is_none()
    }
}

/// The items of an index that leave all axes but the last one, and the last one.
fn of_last_axis(func: &Function, op: Op) -> Option<IndexItem> {
    let OpKind::View(items) = &func.ops[op].kind else { return None };
    let (last, others) = items.split_last()?;
    let all = IndexItem::Slice { start: false, stop: false, step: false };
    let rank = usize::from(func.ty(func.ops[op].args[0]).rank());
    (items.len() == rank && others.iter().all(|item| *item == all)).then_some(*last)
}

fn is_reversal(func: &Function, op: Op) -> bool {
    let turned = IndexItem::Slice { start: false, stop: false, step: true };
    of_last_axis(func, op) == Some(turned) && func.as_int(func.ops[op].args[1]) == Some(-1)
}

fn find(
    func: &Function,
    summaries: &Summaries,
    ranged: &BTreeSet<FuncRef>,
    done: &BTreeSet<Op>,
) -> Option<Found> {
    let is_ranged = |op: &Op| matches!(func.ops[*op].kind, OpKind::Call(callee) if ranged.contains(&callee));
    let calls: Vec<Op> = func.all_ops().into_iter().filter(is_ranged).collect();
    if calls.is_empty() {
        return None;
    }
    let (uses, layout, memory) = (Uses::new(func), Layout::new(func), MemoryInfo::new(func, summaries));
    let suits = |found: &Found| {
        (found.is_one_slice() || !done.contains(&found.call)) && is_quiet(func, found, &layout, &memory)
    };
    calls.into_iter().find_map(|call| parts(func, call, &uses, &layout).filter(suits))
}

fn parts(func: &Function, call: Op, uses: &Uses, layout: &Layout) -> Option<Found> {
    let whole = func.result(call);
    let axis = func.ty(whole).rank().checked_sub(1)?;
    let (mut lengths, mut others) = (Vec::new(), Vec::new());
    let mut users = |of: Value| -> Vec<Op> {
        let mut rest = Vec::new();
        for op in uses.of(of).iter().map(|found| found.op) {
            match func.ops[op].kind {
                OpKind::Dim(at) if at == axis => lengths.push(op),
                OpKind::Dim(_) => others.push(op),
                _ => rest.push(op),
            }
        }
        rest
    };
    let mut direct = users(whole);
    let reversed = match direct[..] {
        [only] if is_reversal(func, only) => Some(only),
        _ => None,
    };
    if let Some(reversed) = reversed {
        direct = users(func.result(reversed));
    }
    let (mut slices, mut highest) = (Vec::new(), None);
    for &op in &direct {
        let data = &func.ops[op];
        match data.kind {
            OpKind::View(_) => match of_last_axis(func, op)? {
                IndexItem::Slice { start, stop, step: false } if start || stop => slices.push(op),
                _ => return None,
            },
            OpKind::Load if axis == 0 && reversed.is_none() => {
                let index = func.as_int(data.args[1]).filter(|&index| index >= 0)?;
                highest = highest.max(Some(index));
            }
            _ => return None,
        }
    }
    // Several parts are parts of one that begins where the whole does.
    let starts = |op: &Op| matches!(of_last_axis(func, *op), Some(IndexItem::Slice { start: true, .. }));
    if slices.is_empty() || (slices.len() > 1 || highest.is_some()) && slices.iter().any(starts) {
        return None;
    }
    let first = *direct
        .iter()
        .find(|&&op| direct.iter().all(|&other| op == other || layout.op_dominates(op, other)))?;
    // Bounds are known there, and the part is made once for each whole.
    let is_known = |&bound: &Value| layout.dominates(func, bound, first);
    let is_near = layout.block_of(first) == layout.block_of(call);
    let all_known = slices.iter().all(|&slice| func.ops[slice].args[1..].iter().all(is_known));
    // Lengths of other axes are those of the part.
    let is_behind = |&op: &Op| layout.op_dominates(first, op);
    (is_near && all_known && others.iter().all(is_behind)).then_some(Found {
        call,
        reversed,
        lengths,
        slices,
        highest,
        first,
    })
}

/// Whether nothing between a call and the first use of its result writes to what the call reads.
fn is_quiet(func: &Function, found: &Found, layout: &Layout, memory: &MemoryInfo) -> bool {
    let read = &memory.effects(found.call).reads;
    let between = || -> Option<&[Op]> {
        let block = layout.block_of(found.call)?;
        let (start, end) = (layout.index_of(found.call)?, layout.index_of(found.first)?);
        func.blocks[block].ops.get(start + 1..end)
    };
    between().is_some_and(|ops| ops.iter().all(|&op| !memory.effects(op).writes.intersects(read)))
}

/// A bound of a slice, counted from the front, within a length.
fn bound(b: &mut Builder<'_>, given: Value, length: Value) -> Value {
    let zero = b.int(0);
    let is_negative = b.elem(ElemOp::Lt, &[given, zero]);
    let from_end = b.add(given, length);
    let counted = b.select(is_negative, from_end, given);
    let counted = b.elem(ElemOp::Max, &[counted, zero]);
    b.elem(ElemOp::Min, &[counted, length])
}

/// The start and the end of a slice of the last axis.
fn bounds(b: &mut Builder<'_>, slice: Op, length: Value) -> [Value; 2] {
    let args = b.func.ops[slice].args.clone();
    let Some(IndexItem::Slice { start, stop, .. }) = of_last_axis(b.func, slice) else {
        unreachable!("found as a slice")
    };
    let mut given = args[1..].iter().copied();
    let from = if start { given.next().map(|value| bound(b, value, length)) } else { None };
    let to = if stop { given.next().map_or(length, |value| bound(b, value, length)) } else { length };
    match from {
        Some(from) => [from, b.elem(ElemOp::Max, &[from, to])],
        None => [b.int(0), to],
    }
}

/// Gives the call in its place.
fn rewrite(func: &mut Function, found: &Found) -> Op {
    let data = func.ops[found.call].clone();
    let ty = func.ty(data.results[0]);
    let (others, range) = data.args.split_at(data.args.len() - 2);
    let (first, last) = (range[0], range[1]);
    let length = build_before(func, found.call, |b| b.sub(last, first));
    for &op in &found.lengths {
        replace_op(func, op, &[length]);
    }
    let is_part = found.is_one_slice();
    // The part of the axis, as it lies or turned round; and where slices end in it.
    let (made, part, ends) = build_before(func, found.first, |b| {
        let all: Vec<[Value; 2]> = found.slices.iter().map(|&slice| bounds(b, slice, length)).collect();
        let from = if is_part { all[0][0] } else { b.int(0) };
        let mut to = all[0][1];
        for [_, end] in &all[1..] {
            to = b.elem(ElemOp::Max, &[to, *end]);
        }
        if let Some(highest) = found.highest {
            let behind = b.int(highest.saturating_add(1));
            let behind = b.elem(ElemOp::Min, &[behind, length]);
            to = b.elem(ElemOp::Max, &[to, behind]);
        }
        let [low, high] = match found.reversed {
            Some(_) => [b.sub(last, to), b.sub(last, from)],
            None => [b.add(first, from), b.add(first, to)],
        };
        let args = others.iter().copied().chain([low, high]).collect();
        let made = b.value(data.kind.clone(), args, ty);
        let part = match found.reversed {
            Some(reversed) => {
                let view = b.func.ops[reversed].clone();
                let args = std::iter::once(made).chain(view.args[1..].iter().copied()).collect();
                b.value(view.kind, args, ty)
            }
            None => made,
        };
        (made, part, all.into_iter().map(|[_, end]| end).collect::<Vec<Value>>())
    });
    let seen = found.reversed.map_or(data.results[0], |op| func.result(op));
    for (&slice, end) in found.slices.iter().zip(ends) {
        if is_part {
            replace_op(func, slice, &[part]);
        } else {
            // Counted from the front, it ends where it did.
            func.ops[slice].args[1] = end;
        }
    }
    // What is left of the uses asks for lengths of other axes.
    let mut replaced = Replacements::default();
    replaced.replace(seen, part);
    replaced.replace(data.results[0], made);
    if let Some(reversed) = found.reversed {
        erase_op(func, reversed);
    }
    replaced.apply(func);
    erase_op(func, found.call);
    func.def_op(made).expect("made above")
}
