//! Lengths of arrays, as values that are there: of what is made of lengths, and of what loops carry.

use std::collections::BTreeMap;

use pydd_ir::flow::{self, Flow};
use pydd_ir::rewrite::Layout;
use pydd_ir::{Function, Op, OpKind, Value};

/// A value that is the length of an axis and exists already, where the source is made of lengths.
#[must_use]
pub fn existing_dim(func: &Function, source: Value, axis: usize) -> Option<Value> {
    let data = &func.ops[func.def_op(source)?];
    match &data.kind {
        OpKind::Empty | OpKind::EmptyStrided | OpKind::Zeros => Some(data.args[axis]),
        OpKind::Full => Some(data.args[1 + axis]),
        OpKind::Copy | OpKind::KeepOrder(_) | OpKind::Cast => existing_dim(func, data.args[0], axis),
        OpKind::Transpose(order) => existing_dim(func, data.args[0], usize::from(order[axis])),
        _ => None,
    }
}

/// Arrays by axis, and how long they are.
pub type Lengths = BTreeMap<(Value, u8), Value>;

/// The length of an axis, if those that are taken for known are.
#[must_use]
pub fn length_of(func: &Function, known: &Lengths, array: Value, axis: u8) -> Option<Value> {
    known.get(&(array, axis)).copied().or_else(|| existing_dim(func, array, usize::from(axis)))
}

/// The lengths of parameters that are asked for before anything else.
fn lengths_of_params(func: &Function) -> Lengths {
    let mut found = Lengths::new();
    for &op in &func.blocks[func.entry].ops {
        let data = &func.ops[op];
        if let OpKind::Dim(axis) = data.kind
            && func.params().contains(&data.args[0])
        {
            found.entry((data.args[0], axis)).or_insert(data.results[0]);
        }
    }
    found
}

/// The length that is known of an axis, for a value that asks for it.
#[must_use]
pub fn asked_length(func: &Function, known: &Lengths, value: Value) -> Option<Value> {
    let data = &func.ops[func.def_op(value)?];
    let OpKind::Dim(axis) = data.kind else { return None };
    known.get(&(data.args[0], axis)).copied()
}

/// Arrays that loops carry, and those that branches give, which may be as long as what the loops start from in every iteration.
#[derive(Default)]
pub struct CarriedLengths {
    flows: Vec<Flow>,
    known: Lengths,
    /// Those of parameters, which are what they are.
    params: Lengths,
}

impl CarriedLengths {
    /// All that may be: each length is that of what a loop starts from.
    #[must_use]
    pub fn candidates(func: &Function) -> Self {
        let is_array = |flow: &Flow| func.ty(flow.to).is_array();
        let flows: Vec<Flow> = flow::flows(func).into_iter().filter(is_array).collect();
        let mut known = Lengths::new();
        if flows.is_empty() {
            return Self::default();
        }
        let (layout, params) = (Layout::new(func), lengths_of_params(func));
        for flow in &flows {
            for axis in 0..func.ty(flow.to).rank() {
                let of_param = || params.get(&(flow.from, axis)).copied();
                let Some(length) = of_param().or_else(|| length_of(func, &known, flow.from, axis)) else {
                    continue;
                };
                let data = &func.ops[flow.op];
                if data.kind.is_loop() && flow.arg.is_some() {
                    // Of a parameter the length may be asked for behind the loop.
                    if !layout.dominates(func, length, flow.op) {
                        continue;
                    }
                    // A `for` gives what it carries.
                    known.insert((flow.to, axis), length);
                    let (params, _) = flow::carried(func, flow.op);
                    let ends = params.iter().zip(&data.results).filter(|_| data.kind != OpKind::Loop);
                    let end = ends.into_iter().find(|(param, _)| **param == flow.to);
                    known.extend(end.map(|(_, &result)| ((result, axis), length)));
                } else if func.def_op(flow.to).is_some_and(|op| layout.dominates(func, length, op)) {
                    known.entry((flow.to, axis)).or_insert(length);
                }
            }
        }
        Self { flows, known, params }
    }

    /// Drops those that something else flows to; `agrees` says whether an axis of an array is as long as that. Whether there were any:
    /// then others may have been right for these alone.
    pub fn drop_unless(&mut self, mut agrees: impl FnMut(&Lengths, Value, u8, Value) -> bool) -> bool {
        let mut wrong = Vec::new();
        let all: Lengths =
            self.known.iter().chain(&self.params).map(|(&key, &length)| (key, length)).collect();
        for (&(value, axis), &length) in &self.known {
            let others = self.flows.iter().filter(|flow| flow.to == value && flow.from != value);
            if !others.into_iter().all(|flow| agrees(&all, flow.from, axis, length)) {
                wrong.push((value, axis));
            }
        }
        wrong.iter().for_each(|key| _ = self.known.remove(key));
        !wrong.is_empty()
    }

    /// Those for which a length does.
    pub fn retain(&mut self, mut does: impl FnMut(Value) -> bool) {
        self.known.retain(|_, &mut length| does(length));
    }

    /// The operations that ask for such a length, and the length.
    #[must_use]
    pub fn asked(&self, func: &Function) -> Vec<(Op, Value)> {
        let is_known = |op: Op| {
            let asked =
                func.ops[op].results.first().filter(|_| matches!(func.ops[op].kind, OpKind::Dim(_)))?;
            Some((op, asked_length(func, &self.known, *asked)?))
        };
        if self.known.is_empty() {
            Vec::new()
        } else {
            func.all_ops().into_iter().filter_map(is_known).collect()
        }
    }
}
