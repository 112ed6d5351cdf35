//! Tests of memory whose answer is known.
//!
//! ```text
//! %3: bool = overlaps %0, %1
//! if %3 { careful } else { plain }     ⇒     plain
//! ```
//!
//! What lies apart follows from [`pydd_ir::alias`]; other tests are left to run time.

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::take_other_way;
use pydd_ir::{Function, Level, Literal, Module, Op, OpKind};

use crate::array::each_function;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "apart",
    summary: "decide which arrays lie apart in memory",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O1),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    each_function(module, decide);
    Ok(())
}

fn decide(func: &mut Function, summaries: &Summaries) {
    let tests: Vec<Op> =
        func.all_ops().into_iter().filter(|&op| func.ops[op].kind == OpKind::Overlaps).collect();
    if tests.is_empty() {
        return;
    }
    let memory = MemoryInfo::new(func, summaries);
    for op in tests {
        let args = &func.ops[op].args;
        if args[1..].iter().all(|&other| !memory.may_alias(args[0], other)) {
            func.ops[op].kind = OpKind::Const(Literal::Bool(false));
            func.ops[op].args.clear();
            take_other_way(func, op);
        }
    }
}
