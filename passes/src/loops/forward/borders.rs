//! Elements of zeros of which an inner part is filled.

use pydd_ir::rewrite::{Cloner, Layout};
use pydd_ir::{Builder, ElemOp, Function, Op, OpKind, Value};

use super::{Found, around};
use crate::analysis::filled::Filled;
use crate::analysis::patterns::{counts_up, moved as constant_ahead};
use crate::loops::peel;

/// Whether a load's places are such that only first and last iterations of the loops around it take elements of the border.
pub(super) fn tests_go(
    func: &Function,
    layout: &Layout,
    consumer: Op,
    load: Op,
    filled: &[Filled],
) -> Option<()> {
    let (_, loops) = around(func, layout, layout.block_of(consumer)?, load)?;
    for (&index, axis) in func.ops[load].args[1..].iter().zip(filled).filter(|(_, axis)| axis.has_border()) {
        let (base, ahead) = constant_ahead(func, index);
        let looped = loops.iter().copied().find(|&looped| {
            counts_up(func, looped) && func.blocks[func.ops[looped].regions[0]].params[0] == base
        })?;
        let start = func.as_int(func.ops[looped].args[0])?;
        let (end, less) = constant_ahead(func, func.ops[looped].args[1]);
        let (length, more) = constant_ahead(func, axis.length);
        let is_end = match (func.as_int(end), func.as_int(length)) {
            (Some(end), Some(length)) => Some(length + more - (end + less)),
            _ => (end == length).then(|| more - less),
        };
        // How far from the array's end the loop's last element is.
        let room = is_end?.checked_sub(ahead)?;
        let taken = [axis.before - (start.checked_add(ahead)?), axis.behind - room];
        if taken.iter().any(|&taken| taken > peel::MOST) {
            return None;
        }
    }
    Some(())
}

/// The element at a place.
pub(super) fn computed(b: &mut Builder<'_>, found: &Found, place: &[Value]) -> Value {
    let mut tests = Vec::new();
    for (&index, axis) in place.iter().zip(&found.filled) {
        if axis.before > 0 {
            let before = b.int(axis.before);
            tests.push(b.elem(ElemOp::Ge, &[index, before]));
        }
        if axis.behind > 0 {
            let behind = b.int(axis.behind);
            let end = b.sub(axis.length, behind);
            tests.push(b.elem(ElemOp::Lt, &[index, end]));
        }
    }
    within(b, found, place, &tests)
}

/// The element at a place if all tests hold, else zero.
fn within(b: &mut Builder<'_>, found: &Found, place: &[Value], tests: &[Value]) -> Value {
    let Some((&test, others)) = tests.split_first() else {
        let at = place.iter().zip(&found.filled).map(|(&index, axis)| match axis.before {
            0 => index,
            before => {
                let before = b.int(before);
                b.sub(index, before)
            }
        });
        let at: Vec<Value> = at.collect();
        let mut cloner = Cloner::default();
        cloner.values.insert_all(&found.indices, &at);
        let made: Vec<Op> = found.steps.iter().map(|&op| cloner.op(b.func, None, op)).collect();
        let block = b.block;
        b.func.blocks[block].ops.extend(made);
        return cloner.values.get(found.element).unwrap_or(found.element);
    };
    let ty = b.func.ty(found.element);
    let then = b.region(&[], |b, _| {
        let element = within(b, found, place, others);
        b.effect(OpKind::Yield, vec![element]);
    });
    let otherwise = b.region(&[], |b, _| {
        let none = b.number(0.0, ty.dtype().expect("elements are numbers"));
        b.effect(OpKind::Yield, vec![none]);
    });
    let choice = b.op(OpKind::If, vec![test], &[ty], vec![then, otherwise]);
    b.func.result(choice)
}
