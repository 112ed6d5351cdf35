//! Carries from column to column what one stores and the next one loads.

use std::collections::BTreeSet;

use pydd_ir::alias::MemoryInfo;
use pydd_ir::rewrite::{Cloner, Replacements, build_before, erase_ops};
use pydd_ir::{Builder, ElemOp, Function, Op, OpKind, Type, Value};

use crate::analysis::patterns::raw_element;
use crate::analysis::recurrences::Iterations;
use crate::loops::is_number;

/// Replaces loads of what the column before stored.
pub fn carry(func: &mut Function, memory: &MemoryInfo, columns: Op) {
    let body = func.ops[columns].regions[0];
    let (mut loads, mut stores) = (Vec::new(), Vec::new());
    func.walk(body, &mut |op| match func.ops[op].kind {
        OpKind::LoadRaw => loads.push(op),
        OpKind::StoreRaw => stores.push(op),
        _ => {}
    });
    let iterations = Iterations::of(func, columns);
    let mut found: Vec<(Op, Vec<Op>)> = Vec::new();
    for &store in func.blocks[body].ops.iter().filter(|op| stores.contains(op)) {
        let array = func.ops[store].args[0];
        if stores.iter().all(|&op| op == store || !memory.may_alias(array, func.ops[op].args[0])) {
            let next = loads.iter().copied().filter(|&load| iterations.between(store, load) == Some(1));
            found.push((store, next.collect()));
        }
    }
    let mut gone = BTreeSet::new();
    let mut replacements = Replacements::default();
    let mut carried = Vec::new();
    for (store, next) in found {
        let Some(&first) = next.first() else { continue };
        let Some(init) = before_first(func, columns, first) else { continue };
        let value = func.ops[store].args[1];
        let param = func.add_param(body, func.ty(value));
        carried.push((init, value));
        for load in next {
            replacements.replace(func.result(load), param);
            gone.insert(load);
        }
    }
    let end = func.terminator(body).expect("a block ends with a terminator");
    for (init, value) in carried {
        func.ops[columns].args.push(init);
        func.ops[end].args.push(value);
        func.add_result(columns, func.ty(value));
    }
    erase_ops(func, &gone);
    replacements.apply(func);
}

/// What the first column loads, if there is one and the element exists.
fn before_first(func: &mut Function, columns: Op, load: Op) -> Option<Value> {
    let element = raw_element(func, load)?;
    let body = func.ops[columns].regions[0];
    let needed = indices(func, columns, &element[1..])?;
    let index = func.blocks[body].params[0];
    let (start, stop, loc) = (func.ops[columns].args[0], func.ops[columns].args[1], func.ops[columns].loc);
    let ty = func.ty(func.result(load));
    Some(build_before(func, columns, |b| {
        b.loc = loc;
        let mut cloner = Cloner::default();
        cloner.values.insert(index, start);
        for op in needed {
            let copy = cloner.op(b.func, None, op);
            let block = b.block;
            b.func.blocks[block].ops.push(copy);
        }
        let element: Vec<Value> =
            element.iter().map(|&value| cloner.values.get(value).unwrap_or(value)).collect();
        let mut there = b.elem(ElemOp::Lt, &[start, stop]);
        let zero = b.int(0);
        for (axis, &index) in (0..).zip(&element[1..]) {
            let length = b.dim(element[0], axis);
            for (less, pair) in [(ElemOp::Le, [zero, index]), (ElemOp::Lt, [index, length])] {
                let within = b.elem(less, &pair);
                there = b.elem(ElemOp::And, &[there, within]);
            }
        }
        guarded_load(b, there, element, ty)
    }))
}

fn guarded_load(b: &mut Builder<'_>, there: Value, element: Vec<Value>, ty: Type) -> Value {
    let loads = b.region(&[], |b, _| {
        let value = b.value(OpKind::LoadRaw, element, ty);
        b.effect(OpKind::Yield, vec![value]);
    });
    let dtype = ty.dtype().expect("an element is a number");
    let idle = b.region(&[], |b, _| {
        let nothing = b.number(0.0, dtype);
        b.effect(OpKind::Yield, vec![nothing]);
    });
    let choice = b.op(OpKind::If, vec![there], &[ty], vec![loads, idle]);
    b.func.result(choice)
}

/// The operations of the loop's body that indices need, in order; nothing where one is no number made of the column alone.
pub fn indices(func: &Function, columns: Op, indices: &[Value]) -> Option<Vec<Op>> {
    let body = func.ops[columns].regions[0];
    let mut all = Vec::new();
    func.walk(body, &mut |op| all.push(op));
    let mut wanted = indices.to_vec();
    let mut found = Vec::new();
    for &op in all.iter().rev() {
        if func.ops[op].results.iter().any(|result| wanted.contains(result)) {
            is_number(&func.ops[op].kind).then_some(())?;
            wanted.extend(&func.ops[op].args);
            found.push(op);
        }
    }
    let carried = &func.blocks[body].params[1..];
    if wanted.iter().any(|value| carried.contains(value)) {
        return None;
    }
    found.reverse();
    Some(found)
}
