//! Arrays that nobody writes to any more once they are in a list, though they have other names as well: what the list
//! has of them may be copies.

use std::collections::BTreeSet;

use pydd_ir::flow::{Flow, flows};
use pydd_ir::rewrite::{Layout, Uses};
use pydd_ir::{Function, Op, OpKind, Value};

use crate::analysis::patterns::elements_alone;

/// The lengths of arrays that are put into a list, where all are made here, have the same ones, and are written before
/// they have another name or are in the list.
pub(super) fn settled_lengths(
    func: &Function,
    layout: &Layout,
    uses: &Uses,
    appends: &BTreeSet<Op>,
) -> Option<Vec<Value>> {
    let flows = flows(func);
    let sources = sources(&flows, appends.iter().map(|&append| func.ops[append].args[1]).collect());
    let mut lengths: Option<Vec<Value>> = None;
    for &source in &sources {
        let data = &func.ops[func.def_op(source)?];
        let own = matches!(data.kind, OpKind::Empty | OpKind::Zeros).then_some(&data.args)?;
        let same = |lengths: &Vec<Value>| {
            let same = |(&a, &b): (&Value, &Value)| {
                a == b || func.as_int(a).is_some_and(|a| func.as_int(b) == Some(a))
            };
            lengths.len() == own.len() && lengths.iter().zip(own).all(same)
        };
        if lengths.as_ref().is_some_and(|lengths| !same(lengths)) {
            return None;
        }
        lengths.get_or_insert_with(|| own.clone());
        is_written_first(func, layout, uses, &flows, (source, appends)).then_some(())?;
    }
    lengths
}

/// What the values come of.
fn sources(flows: &[Flow], mut open: Vec<Value>) -> BTreeSet<Value> {
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        let from: Vec<Value> = flows.iter().filter(|flow| flow.to == value).map(|flow| flow.from).collect();
        if from.is_empty() {
            found.insert(value);
        }
        open.extend(from);
    }
    found
}

/// Whether an array is written under its first name alone, before it has others and before it is in the list.
fn is_written_first(
    func: &Function,
    layout: &Layout,
    uses: &Uses,
    flows: &[Flow],
    (array, appends): (Value, &BTreeSet<Op>),
) -> bool {
    let home = func.def_op(array).and_then(|made| layout.block_of(made));
    let place = |op: Op| {
        let top = std::iter::once(op).chain(layout.ancestors(op)).find(|&op| layout.block_of(op) == home)?;
        layout.index_of(top)
    };
    let (mut names, mut open) = (BTreeSet::new(), vec![array]);
    let (mut written, mut known) = (Vec::new(), Vec::new());
    while let Some(name) = open.pop() {
        if !names.insert(name) {
            continue;
        }
        open.extend(flows.iter().filter(|flow| flow.from == name).map(|flow| flow.to));
        for one in uses.of(name) {
            let passes_on =
                flows.iter().any(|flow| flow.op == one.op && flow.arg == Some(one.index as usize));
            match func.ops[one.op].kind {
                _ if passes_on || appends.contains(&one.op) && one.index == 1 => known.push(one.op),
                OpKind::LoadRaw | OpKind::Dim(_) | OpKind::Stride(_) => {}
                OpKind::Return => {}
                OpKind::StoreRaw if one.index == 0 && name == array => written.push(one.op),
                OpKind::RawView if elements_alone(func, uses, func.result(one.op), None) => {
                    let stores = writers(func, uses, func.result(one.op));
                    if name != array && !stores.is_empty() {
                        return false;
                    }
                    written.extend(stores);
                }
                _ => return false,
            }
        }
    }
    let last = written.into_iter().map(place).max();
    let first = known.into_iter().map(place).min();
    // What has no place in the block sorts before all that has one.
    match (last, first) {
        (Some(last), Some(first)) => first.is_some() && last.is_some() && last < first,
        _ => true,
    }
}

/// What writes to the elements of a view, or to those of views of it.
fn writers(func: &Function, uses: &Uses, view: Value) -> Vec<Op> {
    let mut found = Vec::new();
    for one in uses.of(view) {
        match func.ops[one.op].kind {
            OpKind::RawView => found.extend(writers(func, uses, func.result(one.op))),
            OpKind::StoreRaw | OpKind::Lib(_) => found.push(one.op),
            _ => {}
        }
    }
    found
}

/// Whether nothing but the elements of an array is used, and none is written.
pub(super) fn only_read(func: &Function, uses: &Uses, array: Value) -> bool {
    elements_alone(func, uses, array, None) && writers(func, uses, array).is_empty()
}
