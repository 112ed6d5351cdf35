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
//! are used, in the loop alone, and which are small or as large as an argument: there is room for them even where the loop
//! does not run.

use pydd_ir::rewrite::{Layout, Uses, move_before};
use pydd_ir::{Function, Level, Module, Op, OpKind, Value};

use super::fast_functions;
use crate::analysis::patterns::param_length;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "hoist-arrays",
    summary: "make arrays once that a loop makes in each iteration",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// A constant length up to which there is room anyway.
const SHORT: i64 = 1 << 10;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    for func in fast_functions(module) {
        while let Some((array, looped)) = find(func) {
            report::made_once(cx, func, array, looped);
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
        let lengths = data.args.iter().all(|&length| layout.dominates(func, length, looped))
            && has_room(func, &data.args);
        let elements = uses.of(data.results[0]).iter().all(|found| match func.ops[found.op].kind {
            OpKind::LoadRaw => true,
            OpKind::StoreRaw => found.index == 0,
            _ => false,
        });
        (lengths && elements).then_some((array, looped))
    })
}

/// Whether there certainly is room for an array of these lengths: there is an argument that is as large, or it is small.
fn has_room(func: &Function, lengths: &[Value]) -> bool {
    let axis = |length: Value| param_length(func, length);
    let short = |length: Value| func.as_int(length).is_some_and(|length| (0..=SHORT).contains(&length));
    match *lengths {
        [length] => short(length) || axis(length).is_some(),
        [first, second] => match (axis(first), axis(second)) {
            (Some((array, 0)), Some((other, 1))) => array == other && func.ty(array).rank() == 2,
            (None, None) => short(first) && short(second),
            _ => false,
        },
        _ => false,
    }
}
