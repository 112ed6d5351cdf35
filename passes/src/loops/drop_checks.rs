//! Drops the checks of indices that are left, under `--unchecked`.
//!
//! ```text
//! check (lt %i, %n as unsigned), IndexError "index {0} is out of bounds for axis 0 with size {1}"      ⇒     (nothing)
//! %x = load_raw %a, %i                                                                                      %x = load_raw %a, %i
//! ```
//!
//! It comes late: what other passes conclude from checks, they conclude here too, and negative indices still count
//! from the end. Other exceptions stay.

use std::collections::BTreeSet;

use pydd_ir::rewrite::erase_ops;
use pydd_ir::{Exc, Function, Level, Message, Module, Op, OpKind};

use crate::lower::OUT_OF_BOUNDS;
use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "drop-checks",
    summary: "drop the checks of indices, if that is asked for",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::Always,
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    if cx.options.unchecked {
        module.funcs.values_mut().filter(|func| func.level == Level::Loop).for_each(drop_checks);
    }
    Ok(())
}

fn drop_checks(func: &mut Function) {
    let checks: BTreeSet<Op> = func.all_ops().into_iter().filter(|&op| is_of_an_index(func, op)).collect();
    erase_ops(func, &checks);
}

fn is_of_an_index(func: &Function, op: Op) -> bool {
    let OpKind::Check { exc: Exc::IndexError, message: Some(Message::Text(message)) } = &func.ops[op].kind
    else {
        return false;
    };
    message.starts_with(OUT_OF_BOUNDS)
}
