//! Makes loops parallel that combine values into elements of arrays (`--auto-parallel`).
//!
//! ```text
//! for %0, %n, %1 {                   pfor[| reduced sum, sliced read [i]] %0, %n, %1, %h, %c {
//! (%i: i64):                         (%i: i64):
//!     %k = load %c, %i                   …
//!     %x = load %h, %k         ⇒
//!     %y = add %x, 1
//!     store %h, %y, %k
//! }                                  }
//! ```
//!
//! `privatize` then gives parts of such a loop arrays of their own, if that pays. All other loops are looked at when they are
//! loops of scalars (see [`auto_parallel`](crate::loops::auto_parallel)); one that is independent as it is stays whole, and what
//! is in it.

use pydd_ir::alias::Summaries;
use pydd_ir::{Block, Level, Module, Op, OpKind, Parallel};

use crate::analysis::independent::{Finder, Independent};
use crate::loops::auto_parallel::report;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "find-reductions",
    summary: "make loops parallel that combine values into elements of arrays",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in module.funcs.values_mut().filter(|func| cx.options.makes_parallel(func)) {
        let mut found = Vec::new();
        let finder = Finder::new(func, &summaries, cx.options.strict_fp);
        add_block(&finder, func.entry, &mut found);
        for (op, Independent { reduce, table, operands }) in found {
            let data = &mut func.ops[op];
            data.kind = OpKind::PFor(Parallel { reduce, table: Some(table) });
            data.args.extend(operands);
            report(cx, data.loc);
        }
    }
    Ok(())
}

fn add_block(finder: &Finder<'_>, block: Block, found: &mut Vec<(Op, Independent)>) {
    for &op in &finder.func.blocks[block].ops {
        let data = &finder.func.ops[op];
        match data.kind {
            OpKind::PFor(_) => {}
            OpKind::For => match finder.independent(op) {
                Some(loop_) if loop_.table.reduces() => found.push((op, loop_)),
                Some(_) => {}
                None => add_block(finder, data.regions[0], found),
            },
            _ => data.regions.iter().for_each(|&region| add_block(finder, region, found)),
        }
    }
}
