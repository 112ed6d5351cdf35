//! What a region uses of its surroundings.

use pydd_ir::{Block, Entity, Function, Value};

/// The values from outside that `block` (a region, with all nested in it) uses, in order of first use.
#[must_use]
pub fn of(func: &Function, block: Block) -> Vec<Value> {
    let mut inside = vec![false; func.values.len()];
    let mut taken = vec![false; func.values.len()];
    let mut captures = Vec::new();
    define(func, block, &mut inside);
    func.walk(block, &mut |op| {
        for &arg in &func.ops[op].args {
            if !inside[arg.index()] && !std::mem::replace(&mut taken[arg.index()], true) {
                captures.push(arg);
            }
        }
    });
    captures
}

fn define(func: &Function, block: Block, inside: &mut [bool]) {
    for &param in &func.blocks[block].params {
        inside[param.index()] = true;
    }
    for &op in &func.blocks[block].ops {
        for &result in &func.ops[op].results {
            inside[result.index()] = true;
        }
        for &region in &func.ops[op].regions {
            define(func, region, inside);
        }
    }
}
