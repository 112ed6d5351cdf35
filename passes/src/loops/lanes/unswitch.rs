//! Asks before a loop what all its iterations ask.
//!
//! ```text
//! for %i in 0, %n {                  if %c {
//!     if %c { … loop … }        ⇒        for %i in 0, %n { … loop … }
//!     …                              } else {
//! }                                      for %i in 0, %n { … }
//!                                    }
//! ```
//!
//! Code that does not change in a loop within is moved before it under the condition that the loop has a step.

use pydd_ir::rewrite::{Cloner, Layout, Replacements, build_before, erase_op, index_in, splice_block};
use pydd_ir::{Function, Op, OpKind, Type};

use super::holds_loop;
use crate::analysis::patterns::counts_up;

/// The function with the one branch that holds the loop within `outer` asked for before it, and the loop that holds that loop then.
pub fn unswitched(func: &Function, outer: Op) -> Option<(Function, Op)> {
    if !counts_up(func, outer) {
        return None;
    }
    let body = func.ops[outer].regions[0];
    let mut loops = func.blocks[body].ops.iter().copied().filter(|&op| holds_loop(func, op));
    let branch = loops.next().filter(|&op| func.ops[op].kind == OpKind::If)?;
    let data = &func.ops[branch];
    let holds =
        data.regions.iter().map(|&region| func.blocks[region].ops.iter().any(|&op| holds_loop(func, op)));
    let ends = data
        .regions
        .iter()
        .all(|&region| func.terminator(region).is_some_and(|end| func.ops[end].kind == OpKind::Yield));
    let known = Layout::new(func).dominates(func, data.args[0], outer);
    if loops.next().is_some() || !known || !ends || !holds.eq([true, false]) {
        return None;
    }
    let condition = data.args[0];
    let at = index_in(func, body, branch)?;
    let mut new = func.clone();
    let results = new.ops[outer].results.clone();
    let types: Vec<Type> = results.iter().map(|&value| new.ty(value)).collect();
    let mut copies = Vec::new();
    let chosen = build_before(&mut new, outer, |b| {
        let regions = [0, 1].map(|_| {
            b.region(&[], |b, _| {
                let copy = Cloner::default().op(b.func, None, outer);
                b.func.blocks[b.block].ops.push(copy);
                copies.push(copy);
                let results = b.func.ops[copy].results.clone();
                b.effect(OpKind::Yield, results);
            })
        });
        b.op(OpKind::If, vec![condition], &types, regions.to_vec())
    });
    let mut replacements = Replacements::default();
    replacements.replace_all(&results, &new.ops[chosen].results.clone());
    for (way, &copy) in copies.iter().enumerate() {
        let branch = new.blocks[new.ops[copy].regions[0]].ops[at];
        let (results, region) = (new.ops[branch].results.clone(), new.ops[branch].regions[way]);
        let values = splice_block(&mut new, branch, region);
        replacements.replace_all(&results, &values);
    }
    erase_op(&mut new, outer);
    replacements.apply(&mut new);
    Some((new, copies[0]))
}
