//! Stores under a condition what is there anyway, where the element was just loaded, so that loops have no branch.
//!
//! ```text
//! %x = load_raw %a, %i                         %x = load_raw %a, %i
//! if %c {                                      %v = …
//!     %v = …                               ⇒   %s = select %c, %v, %x
//!     store_raw %a, %v, %i                     store_raw %a, %s, %i
//! }
//! ```
//!
//! It does so in innermost loops of nothing but numbers and elements, which become vectors then: in others a branch that is seldom taken
//! costs less than what it saves. What the branch computes must be cheap, and may be computed for nothing.

use std::collections::BTreeSet;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::erase_ops;
use pydd_ir::{Block, Builder, ElemOp, Function, Level, Module, Op, OpKind, Value};

use super::fast_functions;
use crate::analysis::patterns::raw_element;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "if-convert",
    summary: "store under a condition by selection, where the element was just loaded",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// The cost of what a branch computes, at most.
const MOST: i64 = 16;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module) {
        let bodies: Vec<Block> = func
            .all_ops()
            .into_iter()
            .filter(|&op| func.ops[op].kind == OpKind::For && is_plain(func, op))
            .map(|op| func.ops[op].regions[0])
            .collect();
        for body in bodies {
            let memory = MemoryInfo::new(func, &summaries);
            let found: Vec<Found> =
                (0..func.blocks[body].ops.len()).filter_map(|at| find(func, &memory, body, at)).collect();
            convert(func, body, &found);
        }
    }
    Ok(())
}

/// Whether a loop holds numbers and elements alone, and a branch among them.
pub(super) fn is_plain(func: &Function, looped: Op) -> bool {
    let (mut plain, mut branches) = (true, false);
    func.walk(func.ops[looped].regions[0], &mut |op| match func.ops[op].kind {
        OpKind::If => branches = true,
        OpKind::Const(_) | OpKind::Elem(_) | OpKind::Cast | OpKind::Dim(_) => {}
        OpKind::LoadRaw | OpKind::StoreRaw | OpKind::Yield | OpKind::Continue(0) => {}
        _ => plain = false,
    });
    plain && branches
}

/// A branch that stores one element.
struct Found {
    branch: Op,
    /// The region that does something.
    side: usize,
    store: Op,
    /// What the element was before.
    loaded: Value,
}

fn find(func: &Function, memory: &MemoryInfo, body: Block, at: usize) -> Option<Found> {
    let ops = &func.blocks[body].ops;
    let branch = ops[at];
    let data = &func.ops[branch];
    if data.kind != OpKind::If || !data.results.is_empty() {
        return None;
    }
    // A branch that begins the next iteration also leaves out what follows.
    let goes_on = |&region: &Block| {
        func.blocks[region].ops.last().is_some_and(|&last| func.ops[last].kind == OpKind::Yield)
    };
    if !data.regions.iter().all(goes_on) {
        return None;
    }
    let idle = data.regions.iter().position(|&region| func.blocks[region].ops.len() == 1)?;
    let side = 1 - idle;
    let (_, inner) = func.blocks[data.regions[side]].ops.split_last()?;
    let (&store, computed) = inner.split_last()?;
    let mut cost = 0;
    for &op in computed {
        match func.ops[op].kind {
            OpKind::Const(_) | OpKind::Cast => {}
            OpKind::Elem(elem) => cost += elem.cost(),
            _ => return None,
        }
    }
    let stored = &func.ops[store];
    if stored.kind != OpKind::StoreRaw || cost > MOST {
        return None;
    }
    // The same element, loaded before the branch, with nothing written in between that may be it.
    let element = raw_element(func, store)?;
    let load = ops[..at]
        .iter()
        .rposition(|&op| func.ops[op].kind == OpKind::LoadRaw && func.ops[op].args == element)?;
    let reads = &memory.effects(ops[load]).reads;
    let kept = ops[load..at].iter().all(|&op| !memory.effects(op).writes.intersects(reads));
    kept.then(|| Found { branch, side, store, loaded: func.ops[ops[load]].results[0] })
}

fn convert(func: &mut Function, body: Block, found: &[Found]) {
    for Found { branch, side, store, loaded } in found {
        let data = func.ops[*branch].clone();
        let region = data.regions[*side];
        let mut inner = std::mem::take(&mut func.blocks[region].ops);
        inner.truncate(inner.len() - 2);
        let made = func.new_block();
        func.blocks[made].ops = inner;
        let mut args = func.ops[*store].args.clone();
        let mut b = Builder::new(func, made);
        b.loc = data.loc;
        let (yes, no) = if *side == 0 { (args[1], *loaded) } else { (*loaded, args[1]) };
        args[1] = b.elem(ElemOp::Select, &[data.args[0], yes, no]);
        b.loc = b.func.ops[*store].loc;
        b.effect(OpKind::StoreRaw, args);
        let made = std::mem::take(&mut func.blocks[made].ops);
        let at = func.blocks[body].ops.iter().position(|op| op == branch).expect("the branch stands there");
        func.blocks[body].ops.splice(at..at, made);
    }
    erase_ops(func, &found.iter().map(|found| found.branch).collect::<BTreeSet<Op>>());
}
