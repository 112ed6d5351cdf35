//! Looks for zero divisors before or behind a loop instead of in each iteration.
//!
//! ```text
//! for %i in 0, %n, 1 {                                  %r = for %i in 0, %n, 1, carried %ok = true {
//!     %b = load_raw %y, %i                                  %b = load_raw %y, %i
//!     check (ne %b, 0), ZeroDivisionError "…"     ⇒         %q = floordiv %a, %b
//!     %q = floordiv %a, %b                                  store_raw %z, %q, %i
//!     store_raw %z, %q, %i                                  continue (and %ok, (ne %b, 0))
//! }                                                     }
//!                                                       check %r, ZeroDivisionError "…"
//! ```
//!
//! A loop with a way out is not vectorised. In loop IR a division by zero gives 0, and what arrays that are being written
//! hold after an exception is not specified. A divisor that the loop does not change is looked at before it, if there
//! is an iteration.
//!
//! It leaves alone loops that hold other checks, other loops or calls, and those in which an index may be right only
//! because the check passed: one that is computed from a divisor, or from what a check is about.

use std::collections::BTreeSet;

use pydd_ir::rewrite::{Layout, erase_ops, index_in, is_defined_inside};
use pydd_ir::{Block, Builder, DType, ElemOp, Exc, Function, Level, Module, Op, OpKind, Type, Value};

use super::fast_functions;
use crate::analysis::patterns::counts_up;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "defer-checks",
    summary: "look for zero divisors before or behind a loop",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    fast_functions(module).for_each(defer);
    Ok(())
}

fn defer(func: &mut Function) {
    let layout = Layout::new(func);
    let plans: Vec<Plan> = func.all_ops().into_iter().filter_map(|op| plan(func, &layout, op)).collect();
    let mut moved = BTreeSet::new();
    for plan in plans {
        let block = layout.block_of(plan.looped).expect("the loop stands in a block");
        for &check in &plan.before {
            check_before(func, block, plan.looped, check);
        }
        if !plan.behind.is_empty() {
            check_behind(func, block, plan.looped, &plan.behind);
        }
        moved.extend(plan.before);
        moved.extend(plan.behind);
    }
    erase_ops(func, &moved);
}

/// The checks of a loop that move.
struct Plan {
    looped: Op,
    before: Vec<Op>,
    behind: Vec<Op>,
}

fn plan(func: &Function, layout: &Layout, looped: Op) -> Option<Plan> {
    let data = &func.ops[looped];
    counts_up(func, looped).then_some(())?;
    let ops = &func.blocks[data.regions[0]].ops;
    let is_check = |&&op: &&Op| matches!(func.ops[op].kind, OpKind::Check { .. });
    let checks: Vec<Op> = ops.iter().filter(is_check).copied().collect();
    let mut plan = Plan { looped, before: Vec::new(), behind: Vec::new() };
    if checks.is_empty() || !is_plain(func, looped) {
        return None;
    }
    for &check in &checks {
        let divisor = divisor(func, check)?;
        let same = func.ops[check].kind == func.ops[checks[0]].kind;
        let line = func.ops[check].loc.line == func.ops[checks[0]].loc.line;
        let place = if is_defined_inside(func, layout, divisor, looped) {
            &mut plan.behind
        } else {
            &mut plan.before
        };
        place.push(check);
        if !(same && line) {
            return None;
        }
    }
    let steady = steady_values(func, looped);
    let known = |value: &Value| steady.contains(value) || !is_defined_inside(func, layout, *value, looped);
    let right = plan.before.is_empty() || plan.behind.is_empty();
    let divided_by_data = plan.behind.iter().all(|&check| !divisor(func, check).is_some_and(|d| known(&d)));
    (right && divided_by_data && indices(func, looped).iter().all(known)).then_some(plan)
}

/// Whether a body has nothing but arithmetic, accesses and checks, and ends with the next iteration.
fn is_plain(func: &Function, looped: Op) -> bool {
    let ops = &func.blocks[func.ops[looped].regions[0]].ops;
    let (last, others) = ops.split_last().expect("a block ends with a terminator");
    let plain = |op: &Op| {
        let kind = &func.ops[*op].kind;
        let arithmetic = matches!(kind, OpKind::Const(_) | OpKind::Elem(_) | OpKind::Cast);
        let access = matches!(kind, OpKind::LoadRaw | OpKind::StoreRaw | OpKind::Dim(_) | OpKind::Stride(_));
        arithmetic || access || matches!(kind, OpKind::Check { .. })
    };
    others.iter().all(plain) && func.ops[*last].kind == OpKind::Continue(0)
}

/// What a check that numbers are not divided by zero is about.
fn divisor(func: &Function, check: Op) -> Option<Value> {
    let data = &func.ops[check];
    let OpKind::Check { exc: Exc::ZeroDivisionError, .. } = data.kind else { return None };
    let &[condition] = &data.args[..] else { return None };
    let compared = func.def_op(condition).map(|op| &func.ops[op])?;
    let zero = compared.kind == OpKind::Elem(ElemOp::Ne) && func.as_int(compared.args[1]) == Some(0);
    zero.then(|| compared.args[0])
}

/// What a body computes of its index and of nothing that it loads, carries or divides.
fn steady_values(func: &Function, looped: Op) -> BTreeSet<Value> {
    let block = &func.blocks[func.ops[looped].regions[0]];
    let mut steady = BTreeSet::from([block.params[0]]);
    let mut unsteady: BTreeSet<Value> = block.params[1..].iter().copied().collect();
    for &op in &block.ops {
        let data = &func.ops[op];
        let total = match data.kind {
            OpKind::Elem(elem) => !matches!(elem, ElemOp::FloorDiv | ElemOp::Mod | ElemOp::Fmod),
            OpKind::Const(_) | OpKind::Cast | OpKind::Dim(_) | OpKind::Stride(_) => true,
            _ => false,
        };
        let known = total && data.args.iter().all(|arg| !unsteady.contains(arg));
        if known { &mut steady } else { &mut unsteady }.extend(&data.results);
    }
    steady
}

/// All indices of a body's accesses.
fn indices(func: &Function, looped: Op) -> Vec<Value> {
    let ops = &func.blocks[func.ops[looped].regions[0]].ops;
    let of = |&op: &Op| {
        let data = &func.ops[op];
        let first = match data.kind {
            OpKind::LoadRaw => 1,
            OpKind::StoreRaw => 2,
            _ => data.args.len(),
        };
        data.args[first..].to_vec()
    };
    ops.iter().flat_map(of).collect()
}

/// Of a divisor that stays the same: nothing else in the loop raises before.
fn check_before(func: &mut Function, block: Block, looped: Op, check: Op) {
    let divisor = divisor(func, check).expect("as planned");
    let Type::Scalar(dtype) = func.ty(divisor) else { panic!("numbers are divided") };
    let at = index_in(func, block, looped).expect("the loop stands in its block");
    let rest = func.blocks[block].ops.split_off(at);
    let mut data = func.ops[check].clone();
    let [start, stop] = [func.ops[looped].args[0], func.ops[looped].args[1]];
    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let zero = b.number(0.0, dtype);
    let holds = b.elem(ElemOp::Ne, &[divisor, zero]);
    let none = b.elem(ElemOp::Ge, &[start, stop]);
    data.args = vec![b.elem(ElemOp::Or, &[holds, none])];
    b.effect(data.kind, data.args);
    func.blocks[block].ops.extend(rest);
}

fn check_behind(func: &mut Function, block: Block, looped: Op, checks: &[Op]) {
    let body = func.ops[looped].regions[0];
    let all_so_far = func.add_param(body, Type::Scalar(DType::Bool));
    let end = func.blocks[body].ops.pop().expect("a block ends with a terminator");
    let conditions: Vec<Value> = checks.iter().map(|&check| func.ops[check].args[0]).collect();
    let mut b = Builder::new(func, body);
    b.loc = b.func.ops[end].loc;
    let next = conditions.iter().fold(all_so_far, |all, &one| b.elem(ElemOp::And, &[all, one]));
    func.ops[end].args.push(next);
    func.blocks[body].ops.push(end);

    let at = index_in(func, block, looped).expect("the loop stands in its block");
    let rest = func.blocks[block].ops.split_off(at);
    let mut b = Builder::new(func, block);
    b.loc = b.func.ops[looped].loc;
    let yes = b.bool(true);
    func.ops[looped].args.push(yes);
    let all = func.add_result(looped, Type::Scalar(DType::Bool));
    let (first, behind) = rest.split_first().expect("the loop");
    func.blocks[block].ops.push(*first);
    let check = func.ops[checks[0]].clone();
    let mut b = Builder::new(func, block);
    b.loc = check.loc;
    b.effect(check.kind, vec![all]);
    func.blocks[block].ops.extend(behind);
}
