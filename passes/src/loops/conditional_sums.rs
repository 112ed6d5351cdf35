//! Adds nothing where a condition does not hold, instead of not adding.
//!
//! ```text
//! %t = if %c {                                 %a = if %c {
//!     %u = add %s, %v                              yield %v
//!     yield %u                                 } else {
//! } else {                             ⇒           yield -0.0
//!     yield %s                                 }
//! }                                            %t = add %s, %a
//! continue %t                                  continue %t
//! ```
//!
//! That is a sum for LLVM's vectoriser, which takes the one on the left for something else as soon as the branch has become a selection: sums of floats under conditions need
//! more freedom there than to be added in another order. -0.0 changes nothing it is added to.
//!
//! It looks at innermost loops of nothing but numbers and elements, whose branches compute little, and leaves sums alone that the iteration uses
//! otherwise, and all under `--strict-fp`. In other loops a branch that is seldom taken costs less than an addition in each iteration.

use pydd_ir::rewrite::Uses;
use pydd_ir::{Block, Builder, DType, ElemOp, Function, Level, Module, Op, OpKind, Type, Value};

use super::fast_functions;
use super::if_convert::is_plain;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "conditional-sums",
    summary: "add nothing where a condition does not hold, instead of not adding",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// The cost of what a branch computes, at most.
const MOST: i64 = 16;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    if cx.options.strict_fp {
        return Ok(());
    }
    for func in fast_functions(module) {
        for looped in func.hot_ops() {
            if func.ops[looped].kind == OpKind::For && is_plain(func, looped) {
                let uses = Uses::new(func);
                for found in find(func, &uses, looped) {
                    convert(func, looped, &found);
                }
            }
        }
    }
    Ok(())
}

/// A sum to which one side of a branch adds.
struct Found {
    branch: Op,
    /// Which of the branch's results.
    place: usize,
    side: usize,
    elem: ElemOp,
    /// The operation that adds.
    op: Op,
    sum: Value,
    added: Value,
}

fn find(func: &Function, uses: &Uses, looped: Op) -> Vec<Found> {
    let body = func.ops[looped].regions[0];
    let params = &func.blocks[body].params[1..];
    let Some(end) = func.terminator(body) else { return Vec::new() };
    let carried = params.iter().zip(&func.ops[end].args);
    carried.filter_map(|(&param, &next)| conditional(func, uses, body, end, param, next)).collect()
}

fn conditional(
    func: &Function,
    uses: &Uses,
    body: Block,
    end: Op,
    param: Value,
    next: Value,
) -> Option<Found> {
    let branch = func.def_op(next)?;
    let data = &func.ops[branch];
    let is_float = matches!(func.ty(param), Type::Scalar(DType::F32 | DType::F64));
    let only = uses.single(next).is_some_and(|one| one.op == end);
    if data.kind != OpKind::If || !is_float || !only || !func.blocks[body].ops.contains(&branch) {
        return None;
    }
    let place = data.results.iter().position(|&result| result == next)?;
    let yielded = |side: usize| {
        let op = func.terminator(data.regions[side])?;
        (func.ops[op].kind == OpKind::Yield).then(|| func.ops[op].args[place])
    };
    let idle = (0..2).find(|&side| yielded(side) == Some(param))?;
    let side = 1 - idle;
    let value = yielded(side)?;
    let adds = func.def_op(value)?;
    let (&OpKind::Elem(elem), &[a, b]) = (&func.ops[adds].kind, &func.ops[adds].args[..]) else {
        return None;
    };
    let added = match elem {
        ElemOp::Add if a == param => b,
        ElemOp::Add if b == param => a,
        ElemOp::Sub if a == param => b,
        _ => return None,
    };
    // Where it is added and where it is kept.
    let alone = uses.count(param) == 2 && uses.single(value).is_some();
    let cost: i64 = func.blocks[data.regions[side]]
        .ops
        .iter()
        .map(|&op| match func.ops[op].kind {
            OpKind::Elem(elem) => elem.cost(),
            _ => 0,
        })
        .sum();
    (alone && added != param && cost <= MOST).then_some(Found {
        branch,
        place,
        side,
        elem,
        op: adds,
        sum: param,
        added,
    })
}

fn convert(func: &mut Function, looped: Op, found: &Found) {
    let body = func.ops[looped].regions[0];
    let data = func.ops[found.branch].clone();
    let result = data.results[found.place];
    let Type::Scalar(dtype) = func.ty(result) else { unreachable!("a sum is a number") };
    let idle = data.regions[1 - found.side];
    let block = func.new_block();
    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let nothing = b.number(if found.elem == ElemOp::Add { -0.0 } else { 0.0 }, dtype);
    let made = std::mem::take(&mut b.func.blocks[block].ops);
    let sum = b.elem(found.elem, &[found.sum, result]);
    let adds = std::mem::take(&mut func.blocks[block].ops);
    let stays = func.blocks[idle].ops.len() - 1;
    func.blocks[idle].ops.splice(stays..stays, made);
    for (region, value) in [(idle, nothing), (data.regions[found.side], found.added)] {
        let end = func.terminator(region).expect("a block ends with a terminator");
        func.ops[end].args[found.place] = value;
    }
    func.blocks[data.regions[found.side]].ops.retain(|&op| op != found.op);
    let end = func.terminator(body).expect("a block ends with a terminator");
    let next = func.ops[end].args.iter().position(|&arg| arg == result).expect("it is carried");
    func.ops[end].args[next] = sum;
    let at = func.blocks[body].ops.len() - 1;
    func.blocks[body].ops.splice(at..at, adds);
}
