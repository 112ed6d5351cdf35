//! Whether a loop's iterations write all elements of an array.
//!
//! Iterations write to elements of their own. So where each writes one, whatever happens in it, and there are as many as elements, all are written, and nobody has to know which
//! iteration writes which.

use pydd_ir::rewrite::Uses;
use pydd_ir::sharing::{Cover, Sharing};
use pydd_ir::{Block, ElemOp, Function, Op, OpKind, Region, Value};

use crate::analysis::jumps::runs_to_its_end;

/// What iterations do with a captured array.
pub fn cover(func: &Function, capture: usize) -> Cover {
    let captures = &func.region.as_ref().expect("a loop's function").captures;
    let array = func.params()[Region::CAPTURES + capture];
    let Sharing::Sliced { writes: true, .. } = captures[capture].sharing else { return Cover::Anything };
    let memory = captures[capture].memory;
    let has_other_names = captures.iter().enumerate().any(|(at, other)| {
        at != capture && other.memory == memory && func.ty(func.params()[Region::CAPTURES + at]).is_array()
    });
    let Some(body) = iteration(func).filter(|_| !has_other_names) else { return Cover::Anything };
    let (mut stores, mut reads) = (Vec::new(), false);
    for one in Uses::new(func).of(array) {
        match func.ops[one.op].kind {
            OpKind::StoreRaw => stores.push(one.op),
            OpKind::LoadRaw => reads = true,
            OpKind::Dim(_) | OpKind::Stride(_) => {}
            _ => return Cover::Anything,
        }
    }
    match stores[..] {
        [store] if func.blocks[body].ops.contains(&store) && runs_to_its_end(func, body) => {
            if reads {
                Cover::Each
            } else {
                Cover::Fills
            }
        }
        _ => Cover::Anything,
    }
}

/// What is done once for each iteration, and nothing else in the function is done several times.
fn iteration(func: &Function) -> Option<Block> {
    let has_regions = |op: &Op| !func.ops[*op].regions.is_empty();
    let nested: Vec<Op> = func.blocks[func.entry].ops.iter().copied().filter(has_regions).collect();
    let [looped] = nested[..] else { return None };
    let data = &func.ops[looped];
    let [begin, end] = [func.params()[0], func.params()[1]];
    let is_range =
        is_from(func, data.args.first().copied()?, begin) && is_from(func, *data.args.get(1)?, end);
    (data.kind == OpKind::For && is_range).then(|| data.regions[0])
}

/// Whether a value is the number of an iteration, or a sum with it or a difference.
fn is_from(func: &Function, value: Value, number: Value) -> bool {
    if value == number {
        return true;
    }
    func.def_op(value).is_some_and(|op| {
        let data = &func.ops[op];
        matches!(data.kind, OpKind::Elem(ElemOp::Add | ElemOp::Sub)) && data.args.get(1) == Some(&number)
    })
}
