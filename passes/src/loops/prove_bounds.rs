//! Takes out checks that certainly hold, choices that are certainly made, and branches that are decided.
//! Asks once, not twice, whether a value is between 0 and a length.
//!
//! ```text
//! for %i in 1, %n, 1 {                          for %i in 1, %n, 1 {
//!     %j = sub %i, 1                                %j = sub %i, 1
//!     %w = select (lt %j, 0), (add %j, %n), %j
//!     check (lt %w, %n), IndexError "…"    ⇒
//!     %x = load_raw %a, %w                          %x = load_raw %a, %j
//! }                                             }
//! ```
//!
//! What it knows is what [`crate::analysis::ranges`] proves: from loops' bounds, conditions around the place,
//! checks that passed before, and lengths. So a check that another one covers goes as well. It moves nothing:
//! what holds only sometimes stays where it is.

mod between;

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::rewrite::{Replacements, erase_ops};
use pydd_ir::{Builder, ElemOp, Function, Level, Module, Op, OpKind, Type, Value, Version};

use crate::analysis::known::Known;
use crate::analysis::ranges::{Ranges, Visitor};
use crate::analysis::symbol::Symbol;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext, map_functions};

pub const PASS: Pass = Pass {
    name: "prove-bounds",
    summary: "take out checks that certainly hold",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O1),
    run,
};

/// As [`PASS`], but for versions for any arguments: these are to be small, and once is enough for that.
pub const FAST: Pass = Pass {
    name: "prove-bounds-fast",
    summary: "take out checks that certainly hold, where code is to be fast",
    run: run_fast,
    ..PASS
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    map_functions(module, |func| func.level == Level::Loop, prove);
    Ok(())
}

fn run_fast(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    map_functions(module, |func| func.level == Level::Loop && func.version != Version::General, prove);
    Ok(())
}

/// What was found out of an operation, by the walk that saw it last.
#[derive(Clone, Copy)]
enum Decision {
    /// The check holds.
    Holds,
    /// The result is this operand.
    Operand(Value),
    /// The branch's condition.
    Decided(bool),
    /// The branch asks whether the first is in `0..` the second.
    Between(Value, Value),
}

#[derive(Default)]
struct Decisions {
    found: BTreeMap<Op, Decision>,
}

impl Visitor for Decisions {
    fn visit(&mut self, ranges: &Ranges<'_>, op: Op) {
        match decision(ranges, op) {
            Some(finding) => self.found.insert(op, finding),
            None => self.found.remove(&op),
        };
    }
}

fn decision(ranges: &Ranges<'_>, op: Op) -> Option<Decision> {
    let func = ranges.func();
    let data = &func.ops[op];
    match (&data.kind, &data.args[..]) {
        (OpKind::Check { .. }, &[condition, ..]) => {
            (ranges.decides(condition) == Some(true)).then_some(Decision::Holds)
        }
        (OpKind::If, &[condition]) if func.as_const(condition).is_none() => {
            ranges.decides(condition).map(Decision::Decided).or_else(|| between(ranges, op))
        }
        (OpKind::Elem(ElemOp::Select), &[condition, a, b]) => {
            ranges.decides(condition).map(|first| Decision::Operand(if first { a } else { b }))
        }
        (OpKind::Elem(elem @ (ElemOp::Min | ElemOp::Max)), &[a, b]) if func.ty(a) == Type::I64 => {
            let (x, y) = (ranges.form(a), ranges.form(b));
            let (less, greater) = if *elem == ElemOp::Min { (a, b) } else { (b, a) };
            if ranges.proves_le(&x, &y) {
                Some(Decision::Operand(less))
            } else {
                ranges.proves_le(&y, &x).then_some(Decision::Operand(greater))
            }
        }
        (OpKind::Elem(ElemOp::Sub), &[a, b]) if func.ty(a) == Type::I64 => one_symbol(ranges, op, a, b),
        _ => None,
    }
}

/// The value that a difference comes to, where all else in it is taken away again: `(i + k) - i`, whether it wraps around or not.
fn one_symbol(ranges: &Ranges<'_>, op: Op, a: Value, b: Value) -> Option<Decision> {
    let difference = ranges.form(a).sub(&ranges.form(b))?;
    let Some(Symbol::Value(value)) = difference.as_symbol() else { return None };
    let there = ranges.layout().dominates(ranges.func(), value, op) && ranges.func().ty(value) == Type::I64;
    there.then_some(Decision::Operand(value))
}

fn between(ranges: &Ranges<'_>, op: Op) -> Option<Decision> {
    let (value, length) = between::bounds(ranges.func(), op)?;
    ranges.proves(&ranges.form(length)).then_some(Decision::Between(value, length))
}

fn prove(func: &mut Function) {
    let mut decisions = Decisions::default();
    Ranges::walk(func, &mut decisions);
    let mut gone = BTreeSet::new();
    let mut replacements = Replacements::default();
    let mut decided = Vec::new();
    for (op, decision) in decisions.found {
        match decision {
            Decision::Holds => {
                gone.insert(op);
            }
            Decision::Operand(value) => {
                replacements.replace(func.result(op), value);
                gone.insert(op);
            }
            Decision::Decided(holds) => decided.push((op, holds)),
            Decision::Between(value, length) => {
                let result = between::compare_once(func, op, value, length);
                replacements.replace(func.result(op), result);
                gone.insert(op);
            }
        }
    }
    decide(func, &decided);
    replacements.apply(func);
    erase_ops(func, &gone);
}

/// Gives branches constants for conditions.
fn decide(func: &mut Function, decided: &[(Op, bool)]) {
    let entry = func.entry;
    let rest = std::mem::take(&mut func.blocks[entry].ops);
    for &(op, holds) in decided {
        let mut b = Builder::new(func, entry);
        b.loc = b.func.ops[op].loc;
        let constant = b.bool(holds);
        func.ops[op].args[0] = constant;
    }
    func.blocks[entry].ops.extend(rest);
}
