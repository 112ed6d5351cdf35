//! Loop-invariant code motion, over scalars and whole arrays alike.
//!
//! ```text
//! for … {                      %c: array<f64, 2> = matmul %a, %b
//!     %c = matmul %a, %b   ⇒   for … {
//!     … %c …                       … %c …
//! }                            }
//! ```
//!
//! An operation moves out when its operands come from outside and nothing in the loop writes what it reads. What may
//! raise moves only from where nothing before it in the body can be noticed, and only behind a
//! test that the loop runs at all: `if start < stop { hoisted; for … }`; so does what needs memory, which may be
//! more than there is. An array moves only where nobody can
//! tell one from one for each iteration. It does not move code out of branches, and does not move stores.

use pydd_ir::alias::{Effects, MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, Replacements, is_defined_inside, position};
use pydd_ir::{Builder, ElemOp, Function, Level, Module, Op, OpKind, Value};
use std::collections::BTreeSet;

use crate::array::each_function;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "licm",
    summary: "move what does not change out of loops",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    each_function(module, |func, summaries| {
        // Inner loops come after outer ones in the walk; from the inside out, code moves as far as it can.
        let mut loops = func.all_ops();
        loops.retain(|&op| func.ops[op].kind.is_loop());
        for op in loops.into_iter().rev() {
            hoist_from(func, summaries, op);
        }
    });
    Ok(())
}

/// Operations that can move out of a loop, in order.
struct Hoist {
    ops: Vec<Op>,
    /// One of them may raise, or want more memory than there is.
    fails: bool,
}

fn hoist_from(func: &mut Function, summaries: &Summaries, op: Op) {
    let found = find(func, summaries, op);
    if found.ops.is_empty() {
        return;
    }
    let body = func.ops[op].regions[0];
    let moved: BTreeSet<Op> = found.ops.iter().copied().collect();
    func.blocks[body].ops.retain(|inner| !moved.contains(inner));
    if found.fails && !runs_at_least_once(func, op) {
        guard(func, op, found.ops);
    } else {
        let (block, index) = position(func, op).expect("the loop stands in a block");
        func.blocks[block].ops.splice(index..index, found.ops);
    }
}

fn find(func: &Function, summaries: &Summaries, op: Op) -> Hoist {
    let memory = MemoryInfo::new(func, summaries);
    let layout = Layout::new(func);
    let loop_writes = &memory.effects(op).writes;
    let mut hoist = Hoist { ops: Vec::new(), fails: false };
    let mut outside: BTreeSet<Value> = BTreeSet::new();
    // What stays in the body before the operation that is looked at.
    let mut before = Effects::default();
    let guardable = has_guard(func, op);
    for &inner in &func.blocks[func.ops[op].regions[0]].ops {
        let data = &func.ops[inner];
        let effects = memory.effects(inner);
        let invariant = data
            .args
            .iter()
            .chain(&pydd_ir::rewrite::captures(func, &layout, inner))
            .all(|&v| outside.contains(&v) || !is_defined_inside(func, &layout, v, op));
        let quiet = !(effects.io || effects.leaves || effects.diverges || effects.owns || effects.guarded);
        let alone = effects.writes.is_empty() && !effects.reads.intersects(loop_writes);
        let one_is_enough = !effects.allocates || data.results.iter().all(|&r| memory.is_value_like(r));
        let may_raise_here = !effects.raises || (guardable && memory.may_swap_effects(&before, effects));
        let may_allocate_here = !effects.allocates || (guardable && !before.leaves);
        let movable = !data.kind.is_terminator() && !data.kind.is_loop() && data.kind != OpKind::If;
        if movable && invariant && quiet && alone && one_is_enough && may_raise_here && may_allocate_here {
            hoist.ops.push(inner);
            hoist.fails |= effects.raises || effects.allocates;
            outside.extend(data.results.iter().copied());
        } else {
            before.merge(effects);
        }
    }
    hoist
}

/// Whether it can be told before the loop that it runs.
fn has_guard(func: &Function, op: Op) -> bool {
    func.ops[op].kind == OpKind::Loop || step(func, op).is_some_and(|s| s != 0)
}

fn const_int(func: &Function, value: Value) -> Option<i64> {
    match func.as_const(value)? {
        pydd_ir::Literal::Int(v) => Some(*v),
        _ => None,
    }
}

fn step(func: &Function, op: Op) -> Option<i64> {
    const_int(func, *func.ops[op].args.get(2)?)
}

fn runs_at_least_once(func: &Function, op: Op) -> bool {
    if func.ops[op].kind == OpKind::Loop {
        return true;
    }
    let bound = |i: usize| const_int(func, func.ops[op].args[i]);
    match (bound(0), bound(1), step(func, op)) {
        (Some(start), Some(stop), Some(step)) => (step > 0 && start < stop) || (step < 0 && start > stop),
        _ => false,
    }
}

/// `if it runs { hoisted; loop } else { the initial values }`
fn guard(func: &mut Function, op: Op, hoisted: Vec<Op>) {
    let data = func.ops[op].clone();
    let (block, index) = position(func, op).expect("the loop stands in a block");
    let rest = func.blocks[block].ops.split_off(index);
    let types: Vec<_> = data.results.iter().map(|&r| func.ty(r)).collect();
    let forward = step(func, op).is_some_and(|s| s > 0);

    let then = func.new_block();
    func.blocks[then].ops = hoisted;
    func.blocks[then].ops.push(op);
    let mut b = Builder::new(func, then);
    b.loc = data.loc;
    b.effect(OpKind::Yield, data.results.clone());

    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let compare = if forward { ElemOp::Lt } else { ElemOp::Gt };
    let runs = b.elem(compare, &[data.args[0], data.args[1]]);
    let otherwise = b.region(&[], |b, _| {
        b.effect(OpKind::Yield, data.args[3..].to_vec());
    });
    let choice = b.op(OpKind::If, vec![runs], &types, vec![then, otherwise]);

    let mut replacements = Replacements::default();
    replacements.replace_all(&data.results, &func.ops[choice].results.clone());
    func.blocks[block].ops.extend(rest.into_iter().skip(1));
    replacements.apply(func);
    // The branch itself still yields the loop's own results.
    let last = func.terminator(then).expect("just made");
    func.ops[last].args = data.results;
}
