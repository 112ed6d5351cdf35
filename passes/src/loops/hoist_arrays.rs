//! Makes arrays once that a loop makes in each iteration and nobody sees afterwards.
//!
//! ```text
//! for %i in 0, %n {                %t = empty %m
//!     %t = empty %m            ⇒   for %i in 0, %n {
//!     … store %t, load %t …            … store %t, load %t …
//! }                                }
//! ```
//!
//! It runs behind what gives iterations to threads: each run of a region has its arrays then. Only arrays go whose elements alone
//! are used, in the loop alone, and whose lengths are constants or those of arguments: what there is room for has been shown
//! then, even where the loop does not run.

use pydd_ir::rewrite::{Layout, Uses, move_before};
use pydd_ir::{Function, Level, Literal, Module, Op, OpKind, Value, ValueDef, Version};

use super::fast_functions;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "hoist-arrays",
    summary: "make arrays once that a loop makes in each iteration",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// A constant length up to which there is room anyway.
const SHORT: i64 = 1 << 16;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    for func in fast_functions(module) {
        while let Some((array, looped)) = find(func) {
            move_before(func, array, looped);
        }
    }
    Ok(())
}

/// An array and the loop that it can stand before.
fn find(func: &Function) -> Option<(Op, Op)> {
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    func.all_ops().into_iter().find_map(|array| {
        let data = &func.ops[array];
        if data.kind != OpKind::Empty {
            return None;
        }
        let looped = layout.parent(array).filter(|&around| func.ops[around].kind == OpKind::For)?;
        let lengths = data.args.iter().all(|&length| {
            layout.dominates(func, length, looped) && is_modest(func, length)
        });
        let elements = uses.of(data.results[0]).iter().all(|found| match func.ops[found.op].kind {
            OpKind::LoadRaw => true,
            OpKind::StoreRaw => found.index == 0,
            _ => false,
        });
        (lengths && data.args.len() < 3 && elements).then_some((array, looped))
    })
}

/// A length for which there is room.
fn is_modest(func: &Function, length: Value) -> bool {
    let is_param = |array: Value| matches!(func.values[array].def, ValueDef::Param(block, _) if block == func.entry);
    let Some(op) = func.def_op(length) else { return func.version != Version::Fast && is_param(length) };
    let data = &func.ops[op];
    match data.kind {
        OpKind::Dim(_) => is_param(data.args[0]),
        OpKind::Const(Literal::Int(length)) => (0..=SHORT).contains(&length),
        _ => false,
    }
}
