//! Where lengths of arrays come from, through views, copies and loops.

use std::collections::BTreeSet;

use pydd_ir::rewrite::Replacements;
use pydd_ir::{ElemOp, Function, IndexItem, Literal, Op, OpKind, Value};

use super::Found;
use crate::analysis::lengths::{CarriedLengths, Lengths, asked_length, existing_dim, length_of};

/// Where the length of an axis comes from.
pub fn length(func: &Function, array: Value, axis: u8) -> Option<Found> {
    let data = &func.ops[func.def_op(array)?];
    let axis = usize::from(axis);
    let same_axis_of = |source: Value, axis: usize| existing_dim(func, source, axis).map(Found::Value);
    match &data.kind {
        OpKind::Empty | OpKind::EmptyStrided | OpKind::Zeros | OpKind::BroadcastTo => {
            let first = usize::from(data.kind == OpKind::BroadcastTo);
            Some(Found::Value(data.args[first + axis]))
        }
        OpKind::Windows => match axis {
            0 => None,
            _ if axis < usize::from(func.ty(data.args[0]).rank()) => same_axis_of(data.args[0], axis),
            _ => Some(Found::Value(data.args[1])),
        },
        OpKind::Full => Some(Found::Value(data.args[1 + axis])),
        OpKind::Copy | OpKind::KeepOrder(_) | OpKind::Cast | OpKind::Part(_) | OpKind::ReadOnly => {
            same_axis_of(data.args[0], axis)
        }
        OpKind::Transpose(order) => same_axis_of(data.args[0], usize::from(order[axis])),
        OpKind::View(items) => match view_axis(func, &data.args, items, axis)? {
            Axis::Source(axis) => same_axis_of(data.args[0], axis),
            Axis::New => Some(Found::Const(Literal::Int(1))),
            Axis::Sliced => None,
        },
        _ => None,
    }
}

enum Axis {
    /// The source's axis as it is.
    Source(usize),
    New,
    Sliced,
}

fn view_axis(func: &Function, args: &[Value], items: &[IndexItem], axis: usize) -> Option<Axis> {
    let (&source, mut operands) = args.split_first()?;
    let (mut from, mut to) = (0, 0);
    for item in items {
        let (own, others) = operands.split_at_checked(item.operands())?;
        operands = others;
        let here = match item {
            IndexItem::At => {
                from += 1;
                continue;
            }
            IndexItem::New => Axis::New,
            IndexItem::Slice { start: false, stop: false, step: false } => Axis::Source(from),
            // In either direction all elements.
            IndexItem::Slice { start: false, stop: false, step: true }
                if func.as_int(own[0]).is_some_and(|step| step.unsigned_abs() == 1) =>
            {
                Axis::Source(from)
            }
            IndexItem::Slice { .. } => Axis::Sliced,
        };
        if to == axis {
            return Some(here);
        }
        from += usize::from(!matches!(item, IndexItem::New));
        to += 1;
    }
    let source_axis = from + (axis - to);
    (source_axis < usize::from(func.ty(source).rank())).then_some(Axis::Source(source_axis))
}

/// Replaces lengths of arrays that loops carry by those of what they start from, where no iteration makes other ones; gives the
/// operations that ask for them.
pub fn carried(func: &Function, replacements: &mut Replacements) -> BTreeSet<Op> {
    let mut lengths = CarriedLengths::candidates(func);
    while lengths.drop_unless(|known, from, axis, length| of_next(func, known, from, axis) == Some(length)) {}
    let asked = lengths.asked(func);
    asked.iter().for_each(|&(op, length)| replacements.replace(func.result(op), length));
    asked.into_iter().map(|(op, _)| op).collect()
}

/// The length of an axis, if those that are taken for known are.
fn of_next(func: &Function, known: &Lengths, array: Value, axis: u8) -> Option<Value> {
    let length = length_of(func, known, array, axis)?;
    let resolved = |value: Value| asked_length(func, known, value).unwrap_or(value);
    let data = func.def_op(length).map(|op| &func.ops[op]);
    match data.map(|data| (&data.kind, &data.args[..])) {
        // What broadcasting makes of two lengths.
        Some((OpKind::Elem(ElemOp::Select), &[_, a, b])) if resolved(a) == resolved(b) => Some(resolved(a)),
        _ => Some(resolved(length)),
    }
}
