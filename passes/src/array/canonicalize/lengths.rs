//! Where lengths of arrays come from, through views, copies and loops.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::flow::{self, Flow};
use pydd_ir::rewrite::{Layout, Replacements};
use pydd_ir::{ElemOp, Function, IndexItem, Literal, Op, OpKind, Value};

use super::Found;

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
        OpKind::Full => Some(Found::Value(data.args[1 + axis])),
        OpKind::Copy | OpKind::KeepOrder | OpKind::Cast | OpKind::Part(_) | OpKind::ReadOnly => {
            same_axis_of(data.args[0], axis)
        }
        OpKind::Transpose(order) => same_axis_of(data.args[0], usize::from(order[axis])),
        OpKind::View(items) => match view_axis(func, data.args[0], items, axis)? {
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

fn view_axis(func: &Function, source: Value, items: &[IndexItem], axis: usize) -> Option<Axis> {
    let (mut from, mut to) = (0, 0);
    for item in items {
        let here = match item {
            IndexItem::At => {
                from += 1;
                continue;
            }
            IndexItem::New => Axis::New,
            IndexItem::Slice { start: false, stop: false, step: false } => Axis::Source(from),
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

/// A value that is the length of an axis and exists already, where the source is made of lengths.
fn existing_dim(func: &Function, source: Value, axis: usize) -> Option<Value> {
    let data = &func.ops[func.def_op(source)?];
    match &data.kind {
        OpKind::Empty | OpKind::EmptyStrided | OpKind::Zeros => Some(data.args[axis]),
        OpKind::Full => Some(data.args[1 + axis]),
        OpKind::Copy | OpKind::KeepOrder | OpKind::Cast => existing_dim(func, data.args[0], axis),
        OpKind::Transpose(order) => existing_dim(func, data.args[0], usize::from(order[axis])),
        _ => None,
    }
}

/// Arrays of loops by axis, and how long they are in every iteration.
type Lengths = BTreeMap<(Value, u8), Value>;

/// Replaces lengths of arrays that loops carry by those of what they start from, where no iteration makes other ones; gives the
/// operations that ask for them.
pub fn carried(func: &Function, replacements: &mut Replacements) -> BTreeSet<Op> {
    let is_array = |flow: &Flow| func.ty(flow.to).is_array();
    let flows: Vec<Flow> = flow::flows(func).into_iter().filter(is_array).collect();
    let mut lengths = Lengths::new();
    if flows.is_empty() {
        return BTreeSet::new();
    }
    let layout = Layout::new(func);
    for flow in &flows {
        for axis in 0..func.ty(flow.to).rank() {
            let Some(length) = known(func, &lengths, flow.from, axis) else { continue };
            // What a loop starts from stands before it, and so do its lengths.
            let starts = func.ops[flow.op].kind.is_loop() && flow.arg.is_some();
            let dominates = |op: Op| layout.dominates(func, length, op);
            if starts {
                let (params, _) = flow::carried(func, flow.op);
                let end = params.iter().zip(&func.ops[flow.op].results).find(|(param, _)| **param == flow.to);
                lengths.insert((flow.to, axis), length);
                lengths.extend(end.map(|(_, &result)| ((result, axis), length)));
            } else if func.def_op(flow.to).is_some_and(|op| func.ops[op].kind == OpKind::If && dominates(op))
            {
                lengths.entry((flow.to, axis)).or_insert(length);
            }
        }
    }
    loop {
        let differs = |&(value, axis): &(Value, u8), length: Value| {
            flows.iter().any(|flow| {
                flow.to == value
                    && flow.from != value
                    && known(func, &lengths, flow.from, axis) != Some(length)
            })
        };
        let wrong: Vec<(Value, u8)> =
            lengths.iter().filter(|(key, length)| differs(key, **length)).map(|(key, _)| *key).collect();
        if wrong.is_empty() {
            break;
        }
        wrong.iter().for_each(|key| {
            lengths.remove(key);
        });
    }
    let mut asked = BTreeSet::new();
    for op in func.all_ops() {
        let data = &func.ops[op];
        if let OpKind::Dim(axis) = data.kind
            && let Some(&length) = lengths.get(&(data.args[0], axis))
        {
            replacements.replace(data.results[0], length);
            asked.insert(op);
        }
    }
    asked
}

/// The length of an axis, if those that are taken for known are.
fn known(func: &Function, lengths: &Lengths, array: Value, axis: u8) -> Option<Value> {
    if let Some(&length) = lengths.get(&(array, axis)) {
        return Some(length);
    }
    let length = existing_dim(func, array, usize::from(axis))?;
    let asked = |value: Value| {
        let data = &func.ops[func.def_op(value)?];
        let OpKind::Dim(axis) = data.kind else { return None };
        lengths.get(&(data.args[0], axis)).copied()
    };
    let resolved = |value: Value| asked(value).unwrap_or(value);
    let data = func.def_op(length).map(|op| &func.ops[op]);
    match data.map(|data| (&data.kind, &data.args[..])) {
        // What broadcasting makes of two lengths.
        Some((OpKind::Elem(ElemOp::Select), &[_, a, b])) if resolved(a) == resolved(b) => Some(resolved(a)),
        _ => Some(resolved(length)),
    }
}
