//! Makes code of its own for arguments whose lengths are as they usually are: equal where they may be, and no shorter than
//! what slices take of them.
//!
//! ```text
//! %n = dim[0] %a   %m = dim[0] %b              %n = dim[0] %a   %m = dim[0] %b
//! %k = min %n, 8                               if %n == %m and 8 <= %n {
//! %l = min %m, 8                                   …            with 8 for %k and %l: no checks, nothing stretched
//! check (%k == %l or %k == 1 or %l == 1)   ⇒   } else if 8 <= %n and 8 <= %m {
//! if %k == %l { … } else { …stretched… }           …            with 8 for %k and %l
//!                                              } else {
//!                                                  …            as before, or the version for any arguments
//!                                              }
//! ```
//!
//! Lengths that operands of whole-array operations must have in common, unless one is 1, mostly are the same. In code that
//! knows it, loops are over one range (an argument beside an array of few elements, `y + np.array([a, b])`, is expected to have as many), which is what joins them (see [`fuse_loops`](super::fuse_loops)), and one nest is left for
//! each operation. It looks at what can be computed from arguments and their lengths before anything else is done. Slices that
//! depend on a loop are tested before it ([`in_loops`]).
//!
//! Of a function that is not short, the version for any arguments takes the calls whose slices end beyond their arrays, and the body
//! for unequal lengths is cold: compiled for its size. Very long ones are left as they are, as versions for any arguments are.

mod expected;
mod in_loops;

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::flow;
use pydd_ir::rewrite::{Cloner, Replacements};
use pydd_ir::{Block, Builder, ElemOp, FuncRef, Function, Level, Loc, Module, OpKind, Type, Value, Version};

use self::expected::{Equals, Expected, Test};
use crate::analysis::patterns::param_length;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "expect-lengths",
    summary: "make code of its own for arguments of the usual lengths",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Operations of a function of which there are to be several, at most.
const LONGEST: usize = 1500;
/// Those of a function for which the version for any arguments need not do.
const SHORT: usize = 400;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let general = general_versions(module);
    for r in module.funcs.keys().collect::<Vec<_>>() {
        let func = &mut module.funcs[r];
        if func.level != Level::Loop || func.version != Version::Fast {
            continue;
        }
        behind_checks(func);
        let general = general.get(&r).copied();
        let size = func.all_ops().len();
        if size > LONGEST {
            continue;
        }
        ask_for_carried(func);
        let all = Expected::of(func, Equals::Compared);
        if !all.equal.is_empty() && (!all.equalities.is_empty() || !all.clamps.is_empty()) {
            report::expected_lengths(cx, func, &all.pairs(), !all.clamps.is_empty());
            specialize(func, general, size > SHORT);
        }
        if !func.device {
            in_loops::specialize(func);
        }
    }
    Ok(())
}

/// For fast versions, those for any arguments.
fn general_versions(module: &Module) -> BTreeMap<FuncRef, FuncRef> {
    let mut found = BTreeMap::new();
    for export in &module.exports {
        let is_general = |r: &FuncRef| module.funcs[*r].version == Version::General;
        if let Some(general) = export.funcs().find(is_general) {
            found.extend(export.funcs().filter(|r| !is_general(r)).map(|r| (r, general)));
        }
    }
    found
}

/// What loops start from is asked for its lengths, since what they carry may be as long.
fn ask_for_carried(func: &mut Function) {
    let params = func.params().to_vec();
    let carried: BTreeSet<Value> = flow::flows(func)
        .into_iter()
        .filter(|flow| params.contains(&flow.from) && func.ty(flow.from).is_array())
        .map(|flow| flow.from)
        .collect();
    let entry = func.entry;
    let rest = std::mem::take(&mut func.blocks[entry].ops);
    let mut b = Builder::new(func, entry);
    for array in carried {
        (0..b.func.ty(array).rank()).for_each(|axis| _ = b.dim(array, axis));
    }
    func.blocks[entry].ops.extend(rest);
}

/// Behind a check that two lengths are equal, the one stands for the other.
fn behind_checks(func: &mut Function) {
    let blocks: Vec<Block> = func.blocks.keys().collect();
    for block in blocks {
        for at in 0..func.blocks[block].ops.len() {
            let data = &func.ops[func.blocks[block].ops[at]];
            let (OpKind::Check { .. }, Some(condition)) = (&data.kind, data.args.first()) else { continue };
            let Some(equal) = func.def_op(*condition) else { continue };
            let (OpKind::Elem(ElemOp::Eq), &[a, b]) = (&func.ops[equal].kind, &func.ops[equal].args[..])
            else {
                continue;
            };
            let (Some(first), Some(second)) = (param_length(func, a), param_length(func, b)) else {
                continue;
            };
            let (kept, gone) = if first <= second { (a, b) } else { (b, a) };
            let mut behind = Vec::new();
            for &op in &func.blocks[block].ops[at + 1..] {
                behind.push(op);
                func.ops[op].regions.iter().for_each(|&region| func.walk(region, &mut |op| behind.push(op)));
            }
            for op in behind {
                let args = &mut func.ops[op].args;
                args.iter_mut().filter(|arg| **arg == gone).for_each(|arg| *arg = kept);
            }
        }
    }
}

/// Bodies for what is expected, for slices alone that are as expected, and for the rest, which `general` takes for a long function.
/// Of that one all but the first body are cold.
fn specialize(func: &mut Function, general: Option<FuncRef>, is_long: bool) {
    // A function without a place has no lines for debuggers.
    let loc = func.all_ops().iter().map(|&op| func.ops[op].loc).find(|loc| loc.line != 0).unwrap_or_default();
    let first = func.new_block();
    let holds = Builder { func: &mut *func, block: first, loc }.bool(true);
    let entry = func.entry;

    let found = Found::of(Expected::of(func, Equals::Certain));
    let within = Tests::new(func, first, loc, &found.picks).all(&found.tests);
    let otherwise = within.map(|_| match general {
        Some(general) if is_long => call(func, general, loc),
        _ => copy(func, entry, true),
    });
    found.apply(func, holds, (first, loc));

    let found = Found::of(Expected::of(func, Equals::Compared));
    let equal = Tests::new(func, first, loc, &found.picks).all(&found.tests);
    let stretched = equal.map(|_| copy(func, entry, is_long));
    found.apply(func, holds, (first, loc));

    let usual = func.new_block();
    func.blocks[usual].ops = std::mem::take(&mut func.blocks[entry].ops);
    func.blocks[entry].ops = std::mem::take(&mut func.blocks[first].ops);
    let other = match (stretched, within.zip(otherwise)) {
        (Some(stretched), Some((within, otherwise))) => {
            let block = func.new_block();
            choose(&mut Builder { func: &mut *func, block, loc }, within, [stretched, otherwise]);
            block
        }
        (stretched, cut) => stretched.or(cut.map(|(_, otherwise)| otherwise)).expect("something is expected"),
    };
    let mut b = Builder { func, block: entry, loc };
    let all = within.into_iter().chain(equal).reduce(|all, one| b.elem(ElemOp::And, &[all, one]));
    choose(&mut b, all.expect("something is expected"), [usual, other]);
}

/// What holds where tests do.
struct Found {
    tests: Vec<Test>,
    picks: BTreeMap<Value, Value>,
    equal: BTreeSet<Value>,
    /// Values that are others, which stand before them.
    same: BTreeMap<Value, Value>,
    /// Values that are numbers.
    constants: BTreeMap<Value, i64>,
}

impl Found {
    fn of(mut expected: Expected<'_>) -> Self {
        let (same, constants) = expected.same();
        let Expected { mut clamps, equalities, picks, equal, .. } = expected;
        clamps.extend(equalities);
        Self { tests: clamps, picks, equal, same, constants }
    }

    /// Relies on it; `holds` is true, and stands in the block, where numbers are put as well.
    fn apply(self, func: &mut Function, holds: Value, (block, loc): (Block, Loc)) {
        let mut replacements = Replacements::default();
        let mut numbers: BTreeMap<i64, Value> = BTreeMap::new();
        for (&value, &number) in &self.constants {
            let make = || Builder { func: &mut *func, block, loc }.int(number);
            replacements.replace(value, *numbers.entry(number).or_insert_with(make));
        }
        let others =
            self.picks.iter().chain(&self.same).filter(|(value, _)| !self.constants.contains_key(value));
        others.for_each(|(&value, &other)| replacements.replace(value, other));
        self.equal.iter().for_each(|&value| replacements.replace(value, holds));
        replacements.apply(func);
    }
}

/// The last operations of a block: bodies that return.
fn choose(b: &mut Builder<'_>, condition: Value, bodies: [Block; 2]) {
    b.op(OpKind::If, vec![condition], &[] as &[Type], bodies.to_vec());
    b.effect(OpKind::Unreachable, Vec::new());
}

fn copy(func: &mut Function, block: Block, cold: bool) -> Block {
    let into = func.new_block();
    func.blocks[into].cold = cold;
    Cloner::default().ops(func, None, block, into);
    into
}

/// A block that gives what another function gives for the same arguments.
fn call(func: &mut Function, callee: FuncRef, loc: Loc) -> Block {
    let block = func.new_block();
    let (params, types) = (func.params().to_vec(), func.results.clone());
    let mut b = Builder { func, block, loc };
    let call = b.op(OpKind::Call(callee), params, &types, Vec::new());
    let results = b.func.ops[call].results.clone();
    b.effect(OpKind::Return, results);
    block
}

/// Makes tests in a block before all others.
struct Tests<'f> {
    b: Builder<'f>,
    picks: &'f BTreeMap<Value, Value>,
    cloner: Cloner,
}

impl<'f> Tests<'f> {
    fn new(func: &'f mut Function, block: Block, loc: Loc, picks: &'f BTreeMap<Value, Value>) -> Self {
        let b = Builder { func, block, loc };
        Self { b, picks, cloner: Cloner { loc: Some(loc), ..Cloner::default() } }
    }

    /// Whether all of them hold.
    fn all(&mut self, tests: &[Test]) -> Option<Value> {
        let one = |this: &mut Self, test: &Test| {
            let operands = [this.value(test.a), this.value(test.b)];
            this.b.elem(test.op, &operands)
        };
        let holds: Vec<Value> = tests.iter().map(|test| one(self, test)).collect();
        holds.into_iter().reduce(|all, one| self.b.elem(ElemOp::And, &[all, one]))
    }

    /// What a value is where all is as expected.
    fn value(&mut self, value: Value) -> Value {
        if let Some(known) = self.cloner.values.get(value) {
            return known;
        }
        let made = match (self.picks.get(&value), self.b.func.def_op(value)) {
            (Some(&pick), _) => self.value(pick),
            (None, None) => value,
            (None, Some(op)) => {
                self.b.func.ops[op].args.clone().into_iter().for_each(|arg| _ = self.value(arg));
                let made = self.cloner.op(self.b.func, None, op);
                let block = self.b.block;
                self.b.func.blocks[block].ops.push(made);
                self.b.func.result(made)
            }
        };
        self.cloner.values.insert(value, made);
        made
    }
}
