//! The test that a `while` begins each iteration with.

use pydd_ir::{Block, Function, Op, OpKind, Value};

/// The first that an iteration does, besides what nobody notices, is to leave the loop or go on.
pub struct Head {
    pub test: Op,
    pub goes_on_if: bool,
    /// What the test's results are where the loop goes on.
    pub yielded: Vec<Value>,
    /// Where it does not.
    pub exit: Op,
    /// What the loop's results are then.
    pub given: Vec<Value>,
}

impl Head {
    /// The head of a loop's body; what comes before it is `quiet`.
    pub fn of(func: &Function, body: Block, quiet: impl Fn(Op) -> bool) -> Option<Self> {
        let test = func.blocks[body].ops.iter().copied().find(|&op| !quiet(op))?;
        let data = &func.ops[test];
        let (OpKind::If, &[then, otherwise]) = (&data.kind, data.regions.as_slice()) else { return None };
        let end = |block: Block| {
            let (&end, before) = func.blocks[block].ops.split_last()?;
            before.iter().all(|&op| matches!(func.ops[op].kind, OpKind::Const(_))).then_some(end)
        };
        let leaves = |op: Op| func.ops[op].kind == OpKind::Break(0);
        let (goes_on, exit, goes_on_if) = match (end(then)?, end(otherwise)?) {
            (goes_on, exit) if leaves(exit) => (goes_on, exit, true),
            (exit, goes_on) if leaves(exit) => (goes_on, exit, false),
            _ => return None,
        };
        let args = |op: Op| func.ops[op].args.clone();
        let yields_own = args(goes_on).iter().any(|&value| func.as_const(value).is_some());
        let fits = func.ops[goes_on].kind == OpKind::Yield && !yields_own;
        fits.then(|| Self { test, goes_on_if, yielded: args(goes_on), exit, given: args(exit) })
    }

    pub fn condition(&self, func: &Function) -> Value {
        func.ops[self.test].args[0]
    }
}
