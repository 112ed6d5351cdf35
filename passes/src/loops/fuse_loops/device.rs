//! Which loops stay apart for a device.
//!
//! A device has a thread for each step of a nest that stores elements, and threads that share the steps of a loop that only accumulates. A loop that does both in each iteration has
//! a thread for an iteration alone, which goes through a row by itself:
//!
//! ```text
//! for %i { for %j { %m = max …a[i, j]… } store m[i] }      stays apart from      for %i { for %j { store e[i, j] } }
//! ```
//!
//! What one loop stores for the other alone is never stored once they are one, and does not count.

use pydd_ir::rewrite::{Layout, Uses};
use pydd_ir::{Function, Op, OpKind, Value};

use super::same_range;

/// Whether one of two neighbours stores elements in a loop within, and both together would be no nest.
pub fn is_better_apart(func: &Function, loops: [Op; 2]) -> bool {
    let within = loops.map(|op| loops_within(func, op));
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    let is_passed = |array: Value| {
        func.def_op(array).is_some_and(|op| matches!(func.ops[op].kind, OpKind::Empty | OpKind::Zeros))
            && uses.of(array).iter().all(|found| {
                let data = &func.ops[found.op];
                matches!(data.kind, OpKind::LoadRaw | OpKind::StoreRaw)
                    && found.index == 0
                    && loops.iter().any(|&op| layout.is_inside(found.op, op))
            })
    };
    let stores = |all: &[Op]| {
        let mut stores = false;
        for &inner in all {
            func.walk(func.ops[inner].regions[0], &mut |op| {
                let data = &func.ops[op];
                stores |= data.kind == OpKind::StoreRaw && !is_passed(data.args[0]);
            });
        }
        stores
    };
    if !within.iter().any(|all| stores(all)) {
        return false;
    }
    // Nests over one range stay a nest.
    let is_map = |op: Op| func.ops[op].kind == OpKind::For && func.ops[op].results.is_empty();
    match (&within[0][..], &within[1][..]) {
        (&[one], &[two]) => !(is_map(one) && is_map(two) && same_range(func, one, two) == Some(None)),
        _ => true,
    }
}

/// The loops that are not in others of them.
fn loops_within(func: &Function, op: Op) -> Vec<Op> {
    let mut found: Vec<Op> = Vec::new();
    let mut blocks = func.ops[op].regions.clone();
    while let Some(block) = blocks.pop() {
        for &inner in &func.blocks[block].ops {
            let data = &func.ops[inner];
            if data.kind.is_loop() {
                found.push(inner);
            } else {
                blocks.extend(&data.regions);
            }
        }
    }
    found
}
