//! Takes short rows out of loops over blocks.
//!
//! ```text
//!                                                   %s = if 0 < %n and %n <= 4096 {
//! %s = for %first in 0, %n, 4096, carried %t {          the block from 0 to %n, once
//!     … for %k in %first, min(…) { … } …        ⇒   } else {
//! }                                                     for %first in 0, %n, 4096 … as before
//!                                                   }
//! ```
//!
//! Sums are made in blocks, so that many numbers are summed up well. Of rows that are one block, and within loops most are, the loop over
//! blocks costs as much as a few elements. It looks at loops within loops alone, behind all that joins loops in blocks.

use pydd_ir::rewrite::{Cloner, Layout, choose};
use pydd_ir::{Builder, ElemOp, Function, Level, Module, Op, OpKind};

use super::fast_functions;
use crate::analysis::jumps::runs_to_its_end;
use crate::array::canonicalize;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "single-block",
    summary: "take short rows out of loops over blocks",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Operations of a loop of which there are to be two, at most.
const LONGEST: usize = 60;
/// Shorter blocks are those of searches that end early, which are left alone.
const SHORTEST: i64 = 1024;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let mut changed = false;
    for func in fast_functions(module) {
        for op in found(func) {
            once(func, op);
            changed = true;
        }
    }
    if changed {
        (canonicalize::PASS.run)(module, &PassContext::quiet(cx.options))?;
    }
    Ok(())
}

/// Loops over blocks within other loops.
fn found(func: &Function) -> Vec<Op> {
    let layout = Layout::new(func);
    let suits = |&op: &Op| {
        let data = &func.ops[op];
        let (OpKind::For, Some(&region)) = (&data.kind, data.regions.first()) else { return false };
        let int = |at: usize| func.as_int(data.args[at]);
        let within = layout.ancestors(op).any(|around| func.ops[around].kind.is_loop());
        let (mut ops, mut inner) = (0, 0);
        func.walk(region, &mut |op| {
            ops += 1;
            inner += usize::from(func.ops[op].kind.is_loop());
        });
        let blocks = int(0) == Some(0) && int(1).is_none() && int(2).is_some_and(|size| size >= SHORTEST);
        within && blocks && inner > 0 && ops <= LONGEST && runs_to_its_end(func, region)
    };
    func.all_ops().into_iter().filter(suits).collect()
}

fn once(func: &mut Function, op: Op) {
    let data = func.ops[op].clone();
    let (start, stop, step) = (data.args[0], data.args[1], data.args[2]);
    let body = data.regions[0];
    let is_one = |b: &mut Builder<'_>| {
        let (some, short) = (b.elem(ElemOp::Lt, &[start, stop]), b.elem(ElemOp::Le, &[stop, step]));
        (b.elem(ElemOp::And, &[some, short]), ())
    };
    choose(func, op, is_one, |b, ()| {
        let mut cloner = Cloner::default();
        let params = b.func.blocks[body].params.clone();
        cloner.values.insert(params[0], start);
        cloner.values.insert_all(&params[1..], &data.args[3..]);
        let block = b.block;
        cloner.ops(b.func, None, body, block);
        let end = b.func.blocks[block].ops.pop().expect("bodies end");
        b.func.ops[end].args.clone()
    });
}
