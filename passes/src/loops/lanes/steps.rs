//! Loops within whose steps need each other.

use std::collections::BTreeSet;

use pydd_ir::rewrite::{Layout, Uses, index_in, position};
use pydd_ir::{Block, ElemOp, Function, Op, OpKind, Value};

use super::divergence::Divergence;
use super::{holds_loop, is_float, joined};
use crate::analysis::patterns::counts_up;
use crate::analysis::reductions;
use crate::loops::unroll;

/// Steps of a loop that is written out, at most.
const FEW: usize = 4;

/// The function with the loops within `outer` made one, and loops of few steps written out in it, if its steps need each other.
pub fn prepared(func: &Function, outer: Op) -> Option<Function> {
    if !counts_up(func, outer) {
        return None;
    }
    let loops = loops_within(func, outer);
    if !loops.iter().any(|&inner| is_chain(func, inner)) {
        return None;
    }
    let mut trial = func.clone();
    let inner = joined::make_one(&mut trial, outer, &loops)?;
    let mut within = Vec::new();
    trial.walk(trial.ops[inner].regions[0], &mut |op| within.push(op));
    let nested: Vec<Op> = within.into_iter().filter(|&op| trial.ops[op].kind.is_loop()).collect();
    for &op in &nested {
        if !unroll::write_out(&mut trial, op, FEW) {
            return None;
        }
    }
    let body = trial.ops[inner].regions[0];
    constants_before(&mut trial, body, outer);
    Some(trial)
}

fn loops_within(func: &Function, outer: Op) -> Vec<Op> {
    let body = func.ops[outer].regions[0];
    func.blocks[body].ops.iter().copied().filter(|&op| holds_loop(func, op)).collect()
}

/// Whether a loop is a `for` whose steps need the one before: what it carries is no sum, minimum or the like, which are vectors in the loop itself.
fn is_chain(func: &Function, inner: Op) -> bool {
    let data = &func.ops[inner];
    data.kind == OpKind::For
        && !data.results.is_empty()
        && reductions::of_loop(func, &Uses::new(func), inner).is_none()
}

/// Moves constants of a body before a loop around it.
pub fn constants_before(func: &mut Function, body: Block, outer: Op) {
    let is_const = |op: &Op| matches!(func.ops[*op].kind, OpKind::Const(_));
    let constants: Vec<Op> = func.blocks[body].ops.iter().copied().filter(is_const).collect();
    func.blocks[body].ops.retain(|op| !constants.contains(op));
    let (home, at) = position(func, outer).expect("the loop stands in a block");
    func.blocks[home].ops.splice(at..at, constants);
}

/// Loads of a loop within, each step another element, which every step makes, whatever happens in it: as many steps for all iterations
/// around.
pub fn loads_of_steps(func: &Function, outer: Op, inner: Op) -> BTreeSet<Op> {
    let body = func.ops[outer].regions[0];
    let layout = Layout::new(func);
    if func.ops[inner].kind != OpKind::For || layout.block_of(inner) != Some(body) || !is_chain(func, inner) {
        return BTreeSet::new();
    }
    let divergence = Divergence::new(func, body);
    if func.ops[inner].args[..3].iter().any(|&value| divergence.contains(value)) {
        return BTreeSet::new();
    }
    let own = &func.blocks[func.ops[inner].regions[0]].ops;
    let moves = |op: Op| func.ops[op].args.iter().any(|&index| !layout.dominates(func, index, inner));
    let is_load = |op: &Op| func.ops[*op].kind == OpKind::LoadRaw && moves(*op);
    own.iter().copied().filter(is_load).filter(|&op| comes_first(func, &layout, inner, op)).collect()
}

/// In squares of differences takes what each step loads for all lanes from what the lanes have, and not the other way round: that is an
/// operand in memory then.
pub fn shared_elements_last(func: &mut Function, inner: Op) {
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    let body = func.ops[inner].regions[0];
    let is_fixed = |value: &Value| layout.dominates(func, *value, inner);
    // Whether it is loaded in each step, and whether from one place.
    let loaded = |value: Value| {
        let load = func.def_op(value).filter(|&op| func.ops[op].kind == OpKind::LoadRaw)?;
        (layout.block_of(load) == Some(body)).then(|| func.ops[load].args.iter().all(is_fixed))
    };
    let is_square = |value: Value| match uses.of(value) {
        [one, two] => one.op == two.op && func.ops[one.op].kind == OpKind::Elem(ElemOp::Mul),
        _ => false,
    };
    let exchanged = |op: &Op| {
        let data = &func.ops[*op];
        data.kind == OpKind::Elem(ElemOp::Sub)
            && is_float(func, data.results[0])
            && loaded(data.args[0]) == Some(false)
            && (is_fixed(&data.args[1]) || loaded(data.args[1]) == Some(true))
            && is_square(data.results[0])
    };
    let all: Vec<Op> = func.blocks[body].ops.iter().copied().filter(exchanged).collect();
    all.into_iter().for_each(|op| func.ops[op].args.swap(0, 1));
}

/// Whether an operation stands in the body of a `for` itself, before anything leaves it.
pub fn comes_first(func: &Function, layout: &Layout, inner: Op, op: Op) -> bool {
    let body = func.ops[inner].regions[0];
    let leaves = |&other: &Op| func.ops[other].regions.iter().any(|&region| jumps(func, region));
    func.ops[inner].kind == OpKind::For
        && layout.block_of(op) == Some(body)
        && index_in(func, body, op).is_some_and(|at| !func.blocks[body].ops[..at].iter().any(leaves))
}

fn jumps(func: &Function, block: Block) -> bool {
    let mut found = false;
    func.walk(block, &mut |op| {
        found |= !matches!(func.ops[op].kind, OpKind::Yield) && func.ops[op].kind.is_terminator();
    });
    found
}
