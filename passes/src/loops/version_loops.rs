//! Makes two copies of a loop whose checks can be decided before it, one of them without these checks.
//!
//! ```text
//!                                          %m = dim[1] %b
//! for %j in 0, %n, 1 {                     if (le %n, %m) {
//!     check (lt %j, %m), IndexError "…"        for %j in 0, %n, 1 { %x = load_raw %b, %j … }
//!     %x = load_raw %b, %j            ⇒    } else {
//!     …                                        for %j in 0, %n, 1 { check … }
//! }                                        }
//! ```
//!
//! A check is decided for all iterations by the least and the greatest value that its index takes, found from
//! the bounds of the loops around it and from all else that holds where it stands. The test goes before the
//! outermost loop where its operands exist. It may say no although no check would fail: then the loop that
//! checks runs, so an exception comes when and where the source raises it.
//!
//! Likewise the ends of slices: where a loop is asked before it whether they are ever cut off at an end of the array, a window
//! `x[i:i + k]` has k elements in all iterations, and the loops over it have one length.
//!
//! It leaves loops alone whose checks depend on data, those that never end, the versions for any arguments (which
//! are to be small), and functions that have grown enough; of library operations also loops that keep other checks,
//! since these would be as slow and are compiled with every program that calls them.

mod plan;
mod remarks;
mod test;

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::rewrite::{Cloner, Layout, Replacements, position};
use pydd_ir::{Builder, Function, Level, Module, Op, OpKind, Value, Version};

use self::plan::{Plan, Planner};
use crate::analysis::ranges::Ranges;
use crate::analysis::symbol::Symbol;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext, map_functions};

pub const PASS: Pass = Pass {
    name: "version-loops",
    summary: "decide checks before loops and choose a copy without them",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// A function grows to so many times its operations, and these more.
const GROWTH: (usize, usize) = (4, 400);
/// Loops of more operations are copied only for checks in loops that hold no others.
const SMALL: usize = 120;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let has_loop = |func: &Function| func.all_ops().into_iter().any(|op| func.ops[op].kind.is_loop());
    let wanted =
        |func: &Function| func.level == Level::Loop && func.version != Version::General && has_loop(func);
    let report = cx.reports();
    let found = map_functions(module, wanted, |func| version_loops(func, report));
    found.into_iter().flatten().for_each(|finding| cx.report(|| finding));
    Ok(())
}

/// What is said of the loops and their checks, where `report` asks for it.
fn version_loops(func: &mut Function, report: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut planner = Planner::default();
    Ranges::walk(func, &mut planner);
    let mut by_loop: BTreeMap<Op, Vec<(Op, Plan)>> = BTreeMap::new();
    let Planner { plans, choices, clamps, reasons } = planner;
    let planned: BTreeSet<Op> = plans.keys().copied().collect();
    for (check, (looped, plan)) in plans {
        by_loop.entry(looped).or_default().push((check, plan));
    }
    let order = func.all_ops();
    let layout = Layout::new(func);
    add_windows(func, &layout, &clamps, &choices, &mut by_loop);
    add_choices(func, &layout, choices, &mut by_loop);
    let most = order.len() * GROWTH.0 + GROWTH.1;
    let mut size = order.len();
    let lengths = lengths(func);
    let mut decided = BTreeSet::new();
    // What loops give, which plans made before may speak of, is what the choice between the copies gives.
    let mut given = Replacements::default();
    let mut yields = Vec::new();
    // Outer loops first: the copy with checks is the one that inner loops are not copied in again.
    for &looped in &func.hot_ops() {
        let Some(checks) = by_loop.get(&looped) else { continue };
        let copied = nested(func, looped).len();
        let worth = copied <= SMALL || checks.iter().any(|(check, _)| is_innermost(func, &layout, *check));
        let worth = worth && (func.operation.is_none() || leaves_no_check(func, looped, &planned));
        if worth && size + copied <= most && ends(func, looped) {
            size += copied;
            decided.extend(checks.iter().map(|(check, _)| *check));
            let count =
                checks.iter().filter(|(op, _)| matches!(func.ops[*op].kind, OpKind::Check { .. })).count();
            if report && count > 0 {
                found.push(remarks::versioned(func, looped, count));
            }
            let lengths = visible_lengths(func, &layout, looped, checks, &lengths);
            version(func, looped, checks, (lengths, &mut given), &mut yields);
        }
    }
    given.apply(func);
    // The branches themselves still yield the loops' own results.
    for (end, results) in yields {
        func.ops[end].args = results;
    }
    if report {
        let undecided = order.into_iter().filter(|op| !decided.contains(op));
        found.extend(undecided.filter_map(|op| remarks::stays(func, &layout, op, &reasons)));
    }
    found
}

/// The values that are lengths of arrays, by array and axis.
fn lengths(func: &Function) -> BTreeMap<(Value, u8), Vec<Value>> {
    let mut found: BTreeMap<_, Vec<Value>> = BTreeMap::new();
    for op in func.all_ops() {
        let data = &func.ops[op];
        if let OpKind::Dim(axis) = data.kind {
            found.entry((data.args[0], axis)).or_default().push(data.results[0]);
        }
    }
    found
}

/// For lengths that plans speak of, values that are there before the loop.
fn visible_lengths(
    func: &Function,
    layout: &Layout,
    looped: Op,
    checks: &[(Op, Plan)],
    lengths: &BTreeMap<(Value, u8), Vec<Value>>,
) -> BTreeMap<Symbol, Value> {
    let symbols = checks.iter().flat_map(|(_, plan)| plan.symbols());
    let length = |symbol| {
        let Symbol::Length(array, axis) = symbol else { return None };
        let mut values = lengths.get(&(array, axis))?.iter().copied();
        Some((symbol, values.find(|&value| layout.dominates(func, value, looped))?))
    };
    symbols.filter_map(length).collect()
}

/// What the lengths of loops within other loops are computed from, where all of it that cuts slices off at ends of arrays can be decided
/// before one loop.
fn add_windows(
    func: &Function,
    layout: &Layout,
    clamps: &BTreeMap<Op, (Op, Plan)>,
    choices: &BTreeMap<Op, (Op, Plan)>,
    by_loop: &mut BTreeMap<Op, Vec<(Op, Plan)>>,
) {
    for looped in func.hot_ops() {
        if func.ops[looped].kind != OpKind::For {
            continue;
        }
        let Some(outer) = layout.ancestors(looped).find(|&op| func.ops[op].kind.is_loop()) else { continue };
        let length = computed_in(func, layout, outer, func.ops[looped].args[1]);
        let decided: Vec<(Op, &(Op, Plan))> = length
            .into_iter()
            .filter_map(|op| Some((op, clamps.get(&op).or_else(|| choices.get(&op))?)))
            .collect();
        let Some(&(_, (before, _))) = decided.iter().find(|(op, _)| clamps.contains_key(op)) else {
            continue;
        };
        let plans = by_loop.entry(*before).or_default();
        for (op, (_, plan)) in decided.into_iter().filter(|(_, (looped, _))| looped == before) {
            let known =
                plans.iter().any(|(_, other)| plan.unwrapped.iter().all(|one| other.unwrapped.contains(one)));
            if !known {
                plans.push((op, plan.clone()));
            }
        }
    }
}

/// The arithmetic in a loop that a number comes from.
fn computed_in(func: &Function, layout: &Layout, looped: Op, value: Value) -> BTreeSet<Op> {
    let mut found = BTreeSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let Some(op) = func.def_op(value) else { continue };
        let is_arithmetic = matches!(func.ops[op].kind, OpKind::Elem(_));
        if is_arithmetic && layout.is_inside(op, looped) && found.insert(op) {
            open.extend(&func.ops[op].args);
        }
    }
    found
}

/// Where a loop is copied anyhow, it is asked as well whether the indices that no check of its own guards are negative.
fn add_choices(
    func: &Function,
    layout: &Layout,
    choices: BTreeMap<Op, (Op, Plan)>,
    by_loop: &mut BTreeMap<Op, Vec<(Op, Plan)>>,
) {
    for (choice, (outermost, plan)) in choices {
        let loops = layout.ancestors(choice).filter(|&around| func.ops[around].kind.is_loop());
        let mut inside = loops.take_while(|&around| around != outermost).collect::<Vec<_>>();
        inside.push(outermost);
        let result = func.result(choice);
        let Some(looped) = inside.into_iter().rev().find(|looped| by_loop.contains_key(looped)) else {
            continue;
        };
        let plans = by_loop.entry(looped).or_default();
        if plans.iter().all(|(_, plan)| plan.unwrapped.iter().all(|(value, _)| *value != result)) {
            plans.push((choice, plan));
        }
    }
}

/// Whether all checks in a loop can be decided before one.
fn leaves_no_check(func: &Function, looped: Op, planned: &BTreeSet<Op>) -> bool {
    let is_check = |op: &Op| matches!(func.ops[*op].kind, OpKind::Check { .. });
    nested(func, looped).iter().filter(|op| is_check(op)).all(|op| planned.contains(op))
}

/// Whether what stands behind a loop is ever reached.
fn ends(func: &Function, looped: Op) -> bool {
    let after = position(func, looped).and_then(|(block, at)| func.blocks[block].ops.get(at + 1).copied());
    after.is_none_or(|op| func.ops[op].kind != OpKind::Unreachable)
}

fn nested(func: &Function, op: Op) -> Vec<Op> {
    let mut found = Vec::new();
    func.ops[op].regions.iter().for_each(|&region| func.walk(region, &mut |op| found.push(op)));
    found
}

/// Whether the loop around an operation holds no other.
fn is_innermost(func: &Function, layout: &Layout, op: Op) -> bool {
    let around = layout.ancestors(op).find(|&op| func.ops[op].kind.is_loop());
    around.is_some_and(|looped| nested(func, looped).iter().all(|&op| !func.ops[op].kind.is_loop()))
}

/// `if test { the loop without these checks and choices } else { a copy of the loop }`
/// What is replaced by what goes to `given`, all but the operands of `yields`; `lengths` are there already.
fn version(
    func: &mut Function,
    looped: Op,
    checks: &[(Op, Plan)],
    (lengths, given): (BTreeMap<Symbol, Value>, &mut Replacements),
    yields: &mut Vec<(Op, Vec<Value>)>,
) {
    let data = func.ops[looped].clone();
    let copy = Cloner::default().op(func, None, looped);
    let (block, index) = position(func, looped).expect("the loop stands in a block");
    let rest = func.blocks[block].ops.split_off(index);
    let types: Vec<_> = data.results.iter().map(|&r| func.ty(r)).collect();

    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let condition = test::emit(&mut b, checks.iter().map(|(_, plan)| plan), lengths, given);
    let regions = [looped, copy].map(|op| {
        let region = b.func.new_block();
        b.func.blocks[region].ops.push(op);
        let results = b.func.ops[op].results.clone();
        let mut inner = Builder { func: &mut *b.func, block: region, loc: data.loc };
        let end = inner.effect(OpKind::Yield, results);
        (region, end)
    });
    let choice = b.op(OpKind::If, vec![condition], &types, regions.map(|(region, _)| region).to_vec());
    func.blocks[block].ops.extend(rest.into_iter().skip(1));

    given.replace_all(&data.results, &func.ops[choice].results.clone());
    // At once: a loop in this one may be copied next.
    let mut unwrapped = Replacements::default();
    for &(wrapped, index) in checks.iter().flat_map(|(_, plan)| &plan.unwrapped) {
        given.replace(wrapped, index);
        unwrapped.replace(wrapped, index);
    }
    if !unwrapped.is_empty() {
        unwrapped.apply(func);
    }
    yields.push((regions[0].1, data.results));
    let gone: BTreeSet<Op> = checks.iter().map(|(check, _)| *check).collect();
    erase_inside(func, looped, &gone);
}

/// Takes operations out of the blocks in a loop.
fn erase_inside(func: &mut Function, op: Op, gone: &BTreeSet<Op>) {
    for region in func.ops[op].regions.clone() {
        let mut ops = std::mem::take(&mut func.blocks[region].ops);
        ops.retain(|op| !gone.contains(op));
        ops.iter().for_each(|&inner| erase_inside(func, inner, gone));
        func.blocks[region].ops = ops;
    }
}
