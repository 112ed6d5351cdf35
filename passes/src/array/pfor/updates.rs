//! Updates of elements: what iterations may do to the same elements in any order.

use pydd_ir::rewrite::{Layout, Uses};
use pydd_ir::{Function, Op, OpKind, ReduceOp, Value};

/// A load and a store, or an operation on whole arrays and an assignment, that together are `a[k] = a[k] op x`.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    pub read: Op,
    pub write: Op,
    pub reduce: ReduceOp,
}

/// The updates of a loop, all of each in one iteration. Nobody else sees the old or the new value: iterations before have not all gone into it.
#[must_use]
pub fn updates(func: &Function, layout: &Layout, pfor: Op) -> Vec<Update> {
    let (uses, mut found) = (Uses::new(func), Vec::new());
    func.walk(func.ops[pfor].regions[0], &mut |op| {
        let data = &func.ops[op];
        let combined = match data.kind {
            OpKind::Store | OpKind::StoreRaw if uses.count(data.args[1]) == 1 => {
                combined(func, data.args[1], |old| {
                    let same = |load: Op| {
                        let load = &func.ops[load];
                        matches!(load.kind, OpKind::Load | OpKind::LoadRaw)
                            && load.args[0] == data.args[0]
                            && load.args[1..] == data.args[2..]
                    };
                    func.def_op(old).filter(|&load| same(load) && uses.count(old) == 1)
                })
            }
            OpKind::Assign => {
                let sum = func.def_op(data.args[1]).filter(|_| uses.count(data.args[1]) == 1);
                combined(func, data.args[1], |old| sum.filter(|_| old == data.args[0]))
            }
            _ => None,
        };
        if let Some((read, reduce)) = combined.filter(|&(read, _)| layout.is_inside(read, pfor)) {
            found.push(Update { read, write: op, reduce });
        }
    });
    found
}

/// The operator of `old op x`, and the operation that reads `old`.
fn combined(func: &Function, value: Value, read: impl Fn(Value) -> Option<Op>) -> Option<(Op, ReduceOp)> {
    let data = &func.ops[func.def_op(value)?];
    let OpKind::Elem(elem) = data.kind else { return None };
    let (reduce, either) = ReduceOp::of_step(elem)?;
    let from = read(data.args[0]).or_else(|| read(data.args[1]).filter(|_| either))?;
    Some((from, reduce))
}
