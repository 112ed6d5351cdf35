//! Arrays to which nothing may be written.
//!
//! ```text
//! %1: array<f64, 1> = diagonal %0              %1: array<f64, 1> = diagonal %0
//! %2: array<f64, 1> = read_only %1       ⇒     check[ValueError, "assignment destination is read-only"] false
//! store %2, %3, %4                             return %1
//! return %2
//! ```
//!
//! Which arrays are follows from the program alone: what `read_only` gives, views of it, and where it goes. So it costs
//! nothing at run time. A write that certainly meets one raises; where it depends on the way that the program took, or is
//! a function's that is called, the program is refused. Results that certainly are one go to Python as such.

use pydd_ir::alias::Summaries;
use pydd_ir::flow::flows;
use pydd_ir::rewrite::{Replacements, erase_ops, insert_before, position};
use pydd_ir::{
    Builder, Entity, Exc, ExportType, FuncRef, Function, Level, MapTarget, Module, Op, OpKind, Value,
};
use std::collections::BTreeSet;

use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "read-only",
    summary: "find the arrays to which nothing may be written, and the writes to them",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::Always,
    run,
};

const MESSAGE: &str = "assignment destination is read-only";

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let marks = |func: &Function| func.all_ops().iter().any(|&op| func.ops[op].kind == OpKind::ReadOnly);
    if !module.funcs.values().any(marks) {
        return Ok(());
    }
    let summaries = Summaries::of_callees(module);
    let all = statuses(module, &summaries);
    let mut results = Vec::new();
    for (at, func) in all.iter().zip(module.funcs.values()) {
        results.push(returned(func, at));
    }
    for export in &mut module.exports {
        // There are no versions yet.
        mark_results(&mut export.result, &mut results[export.entries[0].func.index()].iter().copied());
    }
    let funcs: Vec<FuncRef> = module.funcs.keys().collect();
    for (func, at) in funcs.into_iter().zip(&all) {
        rewrite(&mut module.funcs[func], at, &summaries)?;
    }
    Ok(())
}

/// What is known of whether a value is read-only.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Status {
    /// No way that was seen leads to it.
    #[default]
    Unseen,
    /// A parameter or a view of one: what the caller passes.
    Passed,
    Writable,
    ReadOnly,
    /// One or the other, by the way that the program takes.
    Either,
}

impl Status {
    fn meet(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unseen, status) | (status, Self::Unseen) => status,
            (a, b) if a == b => a,
            (Self::Passed, Self::Writable) | (Self::Writable, Self::Passed) => Self::Writable,
            _ => Self::Either,
        }
    }
}

/// The statuses of all values of all functions.
fn statuses(module: &Module, summaries: &Summaries) -> Vec<Vec<Status>> {
    let mut known: Vec<Vec<Status>> =
        module.funcs.values().map(|func| vec![Status::Unseen; func.results.len()]).collect();
    loop {
        let all: Vec<Vec<Status>> =
            module.funcs.values().map(|func| Walk::over(func, &known, summaries)).collect();
        let next: Vec<Vec<Status>> =
            module.funcs.values().zip(&all).map(|(func, at)| returned(func, at)).collect();
        if next == known {
            return all;
        }
        known = next;
    }
}

/// What each result of a function is on all its ways out.
fn returned(func: &Function, at: &[Status]) -> Vec<Status> {
    let mut results = vec![Status::Unseen; func.results.len()];
    func.walk(func.entry, &mut |op| {
        if func.ops[op].kind == OpKind::Return {
            for (result, &value) in results.iter_mut().zip(&func.ops[op].args) {
                *result = result.meet(at[value.index()]);
            }
        }
    });
    results
}

struct Walk<'f> {
    func: &'f Function,
    known: &'f [Vec<Status>],
    summaries: &'f Summaries,
    at: Vec<Status>,
    changed: bool,
}

impl<'f> Walk<'f> {
    fn over(func: &'f Function, known: &'f [Vec<Status>], summaries: &'f Summaries) -> Vec<Status> {
        let at = vec![Status::Unseen; func.values.len()];
        let mut walk = Self { func, known, summaries, at, changed: true };
        for &param in func.params() {
            walk.at[param.index()] = Status::Passed;
        }
        let (ops, flows) = (func.all_ops(), flows(func));
        while std::mem::take(&mut walk.changed) {
            ops.iter().for_each(|&op| walk.op(op));
            flows.iter().for_each(|flow| walk.meet(flow.to, walk.at[flow.from.index()]));
        }
        walk.at
    }

    fn meet(&mut self, value: Value, status: Status) {
        if self.func.ty(value).is_array() {
            let met = self.at[value.index()].meet(status);
            self.changed |= met != self.at[value.index()];
            self.at[value.index()] = met;
        }
    }

    fn op(&mut self, op: Op) {
        let func = self.func;
        let data = &func.ops[op];
        match &data.kind {
            OpKind::ReadOnly => self.meet(data.results[0], Status::ReadOnly),
            kind if kind.is_view() => self.meet(data.results[0], self.at[data.args[0].index()]),
            OpKind::Reshape if flattens_diagonal(func, op) => {
                self.meet(data.results[0], Status::Writable);
            }
            OpKind::Reshape => {
                let source = self.at[data.args[0].index()];
                // Of several axes with gaps it is a copy.
                let copied = source == Status::ReadOnly && func.ty(data.args[0]).rank() > 1;
                self.meet(data.results[0], if copied { Status::Either } else { source });
            }
            OpKind::For | OpKind::PFor(_) | OpKind::Loop | OpKind::If | OpKind::Scope => {}
            OpKind::Call(callee) => self.call(op, *callee),
            _ => data.results.iter().for_each(|&result| self.meet(result, Status::Writable)),
        }
    }

    /// What a call gives: a result that may be a view of an argument has its status as well.
    fn call(&mut self, op: Op, callee: FuncRef) {
        let data = &self.func.ops[op];
        for (i, &result) in data.results.iter().enumerate() {
            // Of what is passed through the arguments tell.
            let own = self.known[callee.index()][i];
            self.meet(result, if own == Status::Passed { Status::Unseen } else { own });
            let Some(summary) = self.summaries.get(callee).and_then(|summary| summary.results.get(i)) else {
                continue;
            };
            for param in summary.params.iter() {
                let passed = self.at[data.args[param as usize].index()];
                let copied = passed == Status::ReadOnly && !summary.fresh.is_empty();
                self.meet(result, if copied { Status::Either } else { passed });
            }
        }
    }
}

/// Says of results that certainly are read-only that they are.
fn mark_results(result: &mut ExportType, statuses: &mut impl Iterator<Item = Status>) {
    match result {
        ExportType::Tuple(items) | ExportType::Items(items) => {
            items.iter_mut().for_each(|item| mark_results(item, statuses));
        }
        ExportType::Maybe(value) => {
            statuses.next();
            mark_results(value, statuses);
        }
        ExportType::Array { dtype, rank } => {
            if statuses.next() == Some(Status::ReadOnly) {
                *result = ExportType::ReadOnly { dtype: *dtype, rank: *rank };
            }
        }
        other => {
            let mut types = Vec::new();
            other.flatten(&mut types);
            statuses.take(types.len()).for_each(drop);
        }
    }
}

/// Takes marks out, and lets certain writes raise.
fn rewrite(func: &mut Function, at: &[Status], summaries: &Summaries) -> Result<(), Finding> {
    let (mut replacements, mut gone, mut raises) = (Replacements::default(), BTreeSet::new(), Vec::new());
    let mut copies = Vec::new();
    for op in func.all_ops() {
        let data = &func.ops[op];
        let status = |value: &Value| at[value.index()];
        match &data.kind {
            OpKind::ReadOnly => {
                replacements.replace(data.results[0], data.args[0]);
                gone.insert(op);
            }
            OpKind::Reshape if flattens_diagonal(func, op) => copies.push(op),
            OpKind::Store | OpKind::Assign | OpKind::Map(MapTarget::Into) => match status(&data.args[0]) {
                Status::ReadOnly => raises.push(op),
                Status::Either => return Err(refusal(func, op, "this array may be read-only")),
                Status::Unseen | Status::Passed | Status::Writable => {}
            },
            OpKind::Call(callee) => {
                let writes = |i: &usize| {
                    let param = u32::try_from(*i).unwrap_or(u32::MAX);
                    summaries.get(*callee).is_none_or(|summary| summary.writes.contains(param))
                };
                let wrong = |i: &usize| matches!(status(&data.args[*i]), Status::ReadOnly | Status::Either);
                if (0..data.args.len()).any(|i| wrong(&i) && writes(&i)) {
                    return Err(refusal(
                        func,
                        op,
                        "a function that writes to an array is given a read-only one",
                    ));
                }
            }
            _ => {}
        }
    }
    for op in copies {
        copy_before(func, op);
    }
    for op in raises {
        raise_before(func, op);
        gone.insert(op);
    }
    erase_ops(func, &gone);
    replacements.apply(func);
    Ok(())
}

/// Whether it flattens a diagonal, whose elements do not lie together: NumPy gives a copy.
fn flattens_diagonal(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let made = |value: Value| func.def_op(value).map(|op| &func.ops[op]);
    data.kind == OpKind::Reshape
        && data.args.len() == 1
        && func.ty(data.args[0]).rank() == 1
        && made(data.args[0]).is_some_and(|view| {
            view.kind == OpKind::ReadOnly
                && made(view.args[0]).is_some_and(|diagonal| diagonal.kind == OpKind::Diagonal)
        })
}

/// Lets an operation have a copy of its operand.
fn copy_before(func: &mut Function, op: Op) {
    let (source, loc) = (func.ops[op].args[0], func.ops[op].loc);
    let copy = func.new_op(OpKind::Copy, vec![source], &[func.ty(source)], vec![], loc);
    func.ops[op].args[0] = func.result(copy);
    insert_before(func, copy, op);
}

fn raise_before(func: &mut Function, op: Op) {
    let (block, index) = position(func, op).expect("the operation stands in a block");
    let made = func.new_block();
    let loc = func.ops[op].loc;
    let mut b = Builder::new(func, made);
    b.loc = loc;
    let never = b.bool(false);
    b.check(never, Exc::ValueError, MESSAGE, &[]);
    let ops = std::mem::take(&mut func.blocks[made].ops);
    func.blocks[block].ops.splice(index..index, ops);
}

fn refusal(func: &Function, op: Op, message: &str) -> Finding {
    let loc = func.ops[op].loc;
    Finding::new("not-writable", loc, message).label(loc, "written here").help(
        "diagonals, windows and what `np.broadcast_to` gives are read-only; write to a copy: `b = a.copy()`",
    )
}
