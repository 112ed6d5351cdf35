//! Finds loops whose iterations may run in any order, and makes them parallel (`--auto-parallel`).
//!
//! ```text
//! %s: f64 = for %0, %n, %1, %x {              %s: f64 = pfor[sum | sliced read [i]] %0, %n, %1, %x, %a {
//! (%i: i64, %t: f64):                         (%i: i64, %t: f64):
//!     %y: f64 = load_raw %a, %i         ⇒         …
//!     %u: f64 = add %t, %y
//!     continue %u
//! }                                           }
//! ```
//!
//! These are loops of the source, those that whole-array operations and reductions became, and those of the library: they
//! are all alike by now. What a loop's iterations share is found out by what judges a `pfor` as well. Of a nest the outermost loop that
//! can be is made parallel, unless it is known to be short, and none within it; loops around a `pfor` stay. Whether a loop is worth
//! threads is decided when it runs, by its length and cost; an innermost one that loops around it repeat stays beside it for short runs. On a device it does not where longer
//! ones are repeated with it, since a device decides by where the memory is.
//!
//! Loops that print, leave early or carry more than accumulations stay in order, and with `--strict-fp` those that add up floats
//! (see [`independent`](crate::analysis::independent)). What arrays in lists and views made in the loop hold is not told apart.

use std::collections::BTreeSet;

use pydd_abi::parts::TWO_PARTS;
use pydd_ir::alias::Summaries;
use pydd_ir::cost::Cost;
use pydd_ir::rewrite::{Cloner, Layout, choose};
use pydd_ir::{
    Block, Builder, ElemOp, Function, Level, Loc, Module, Op, OpKind, Parallel, ReduceOp, Table, Value,
    Version,
};

use crate::analysis::independent::{Finder, Independent};
use crate::pass::{Finding, Need, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "auto-parallel",
    summary: "make loops parallel whose iterations may run in any order",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::Always,
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    let is_asked = |func: &Function| func.level == Level::Loop && cx.options.makes_parallel(func);
    for func in module.funcs.values_mut().filter(|func| is_asked(func)) {
        // As in `prove-pfor`; that parameters are apart is tested before the loop where it is not known.
        let version = std::mem::replace(&mut func.version, Version::Fast);
        let (mut chosen, mut ordered) = (Vec::new(), Vec::new());
        let chooser = Chooser { finder: Finder::new(func, &summaries, cx.options.strict_fp) };
        chooser.block(func.entry, &mut chosen, &mut ordered);
        func.version = version;
        report::in_order(cx, func, &ordered);
        let beside = if func.device { beside_others(func, &chosen) } else { BTreeSet::new() };
        for found in chosen {
            if found.is_inner && !beside.contains(&found.op) {
                keep_short_in_place(func, found.op, &found.cost);
            }
            let data = &mut func.ops[found.op];
            data.kind = OpKind::PFor(Parallel { reduce: found.reduce, table: Some(found.table) });
            data.args.extend(found.operands);
            self::report(cx, data.loc);
        }
    }
    Ok(())
}

/// The loops without others in them that a loop repeats together with longer ones. Their memory is where that of the longer ones is: on a device, if these are.
fn beside_others(func: &Function, chosen: &[Found]) -> BTreeSet<Op> {
    let layout = Layout::new(func);
    let around = |op: Op| layout.ancestors(op).find(|&outer| func.ops[outer].kind.is_loop());
    let asked = func.all_ops().into_iter().filter(|&op| matches!(func.ops[op].kind, OpKind::PFor(_)));
    let long = chosen.iter().filter(|found| !found.is_inner).map(|found| found.op);
    let with_long: BTreeSet<Op> = asked.chain(long).filter_map(around).collect();
    let is_beside = |op: &Op| around(*op).is_some_and(|outer| with_long.contains(&outer));
    chosen.iter().map(|found| found.op).filter(is_beside).collect()
}

/// The remark that a loop was made parallel.
pub fn report(cx: &PassContext<'_>, loc: Loc) {
    // Of versions for devices `device-loops` says more.
    if !cx.options.auto_parallel {
        return;
    }
    cx.report(|| {
        Finding::new("loop-parallel", loc, "the iterations of this loop run in any order")
            .label(loc, "on threads, where there are enough of them")
    });
}

/// A loop that becomes parallel.
struct Found {
    op: Op,
    reduce: Vec<ReduceOp>,
    table: Table,
    operands: Vec<Value>,
    cost: Cost,
    /// It holds no loop, and stands in one: what surrounds it repeats it often.
    is_inner: bool,
}

struct Chooser<'f> {
    finder: Finder<'f>,
}

impl Chooser<'_> {
    fn block(&self, block: Block, chosen: &mut Vec<Found>, ordered: &mut Vec<Op>) {
        let func = self.finder.func;
        for &op in &func.blocks[block].ops {
            let data = &func.ops[op];
            match data.kind {
                OpKind::PFor(_) => {}
                OpKind::For => match self.parallel(op) {
                    Some(found) => chosen.push(found),
                    None => {
                        let others = chosen.len();
                        self.block(data.regions[0], chosen, ordered);
                        ordered.extend((others == chosen.len()).then_some(op));
                    }
                },
                _ => data.regions.iter().for_each(|&region| self.block(region, chosen, ordered)),
            }
        }
    }

    /// The loop, if it may be parallel.
    fn parallel(&self, op: Op) -> Option<Found> {
        let Independent { reduce, table, operands } = self.finder.independent(op)?;
        let (func, layout) = (self.finder.func, &self.finder.layout);
        let cost = Cost::of_iteration(func, layout, op);
        let around = layout.ancestors(op).any(|outer| func.ops[outer].kind.is_loop());
        let by_one = func.as_int(func.ops[op].args[2]) == Some(1);
        let is_inner = around && by_one && cost.loops.is_empty();
        (!table.reduces()).then_some(Found { op, reduce, table, operands, cost, is_inner })
    }
}

/// Puts a copy of the loop beside it, for runs that are one part anyway: it costs nothing where it stands.
fn keep_short_in_place(func: &mut Function, op: Op, cost: &Cost) {
    let data = func.ops[op].clone();
    let copy = Cloner::default().op(func, None, op);
    let is_short = |b: &mut Builder<'_>| {
        let trips = b.sub(data.args[1], data.args[0]);
        let most = b.int(TWO_PARTS / cost.ops.clamp(1, TWO_PARTS));
        (b.elem(ElemOp::Lt, &[trips, most]), copy)
    };
    choose(func, op, is_short, |b, copy| {
        let block = b.block;
        b.func.blocks[block].ops.push(copy);
        b.func.ops[copy].results.clone()
    });
}
