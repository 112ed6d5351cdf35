//! What a call of a function does: which parameters it writes, and whether it may take long.

use crate::bits::Bits;
use crate::memory::Memory;
use pydd_ir::{Entity, FuncRef, Function, Module, OpKind, Value};

/// Facts about one function, with those it calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Parameters whose memory is written.
    pub written: Bits,
    /// Has a loop, or calls a library function, itself or through others.
    pub long: bool,
}

/// The summaries of all functions.
#[must_use]
pub fn summaries(module: &Module, memories: &[Memory]) -> Vec<Summary> {
    let mut all = vec![Summary::default(); module.funcs.len()];
    loop {
        let mut changed = false;
        for (r, func) in module.funcs.iter() {
            let new = summarize(func, &memories[r.index()], &all);
            changed |= new != all[r.index()];
            all[r.index()] = new;
        }
        if !changed {
            return all;
        }
    }
}

fn summarize(func: &Function, memory: &Memory, all: &[Summary]) -> Summary {
    let mut summary = Summary::default();
    for op in func.all_ops() {
        let data = &func.ops[op];
        let mut written = |value: Value| {
            memory.param_roots(value).for_each(|root| {
                summary.written.insert(root);
            });
        };
        match data.kind {
            OpKind::StoreRaw
            | OpKind::Store
            | OpKind::Assign
            | OpKind::ListSet
            | OpKind::ListAppend
            | OpKind::Map(pydd_ir::MapTarget::Into) => written(data.args[0]),
            OpKind::Call(callee) => call(callee, all, &data.args, &mut written),
            _ => {}
        }
        summary.long |= match data.kind {
            OpKind::Call(callee) => all[callee.index()].long,
            OpKind::Lib(op) => op != pydd_ir::LibOp::Time,
            ref kind => kind.is_loop(),
        };
    }
    summary
}

fn call(callee: FuncRef, all: &[Summary], args: &[Value], written: &mut impl FnMut(Value)) {
    for (i, &arg) in args.iter().enumerate() {
        if all[callee.index()].written.contains(i) {
            written(arg);
        }
    }
}
