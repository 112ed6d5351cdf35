//! Makes temporaries as small as what one iteration needs of them.
//!
//! ```text
//! %t = empty %n, %m                       %t = empty %m
//! for %i in 0, %n {                       for %i in 0, %n {
//!     for %j { store %t[i, j] }      ⇒        for %j { store %t[j] }
//!     for %j { … load %t[i, j] … }            for %j { … load %t[j] … }
//! }                                       }
//! ```
//!
//! What is left is near when it is used, or is one element, which then is no memory at all (see
//! [`scalarize`](super::scalarize)). An axis goes where all uses of the array are elements within one loop, whose index is
//! theirs along the axis: no iteration sees what another one wrote. The loop then has the array in every iteration anew,
//! or, where it stays in order, uses one for all.
//!
//! It leaves arrays alone that are seen as a whole: views, results, arguments.

use pydd_ir::rewrite::{Layout, Uses, erase_op, position};
use pydd_ir::{Block, Builder, Function, Level, Module, Op, OpKind, Type, Value};

use super::fast_functions;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "contract",
    summary: "make temporaries as small as one iteration's part",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    // A loop that may run on threads has temporaries of its own in each iteration.
    let in_order = !cx.options.auto_parallel;
    for func in fast_functions(module) {
        while let Some(found) = find(func) {
            contract(func, &found, in_order);
        }
    }
    Ok(())
}

/// An array that loses its first axis.
struct Found {
    array: Op,
    looped: Op,
    accesses: Vec<Op>,
}

fn find(func: &Function) -> Option<Found> {
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    let made = func.all_ops().into_iter().filter(|&op| matches!(func.ops[op].kind, OpKind::Empty | OpKind::Zeros));
    made.filter_map(|array| suits(func, &layout, &uses, array)).next()
}

fn suits(func: &Function, layout: &Layout, uses: &Uses, array: Op) -> Option<Found> {
    let value = func.result(array);
    let accesses: Vec<Op> = uses.of(value).iter().map(|one| one.op).collect();
    let mut index = None;
    for found in uses.of(value) {
        let data = &func.ops[found.op];
        let at = match data.kind {
            OpKind::LoadRaw => *data.args.get(1)?,
            OpKind::StoreRaw if found.index == 0 => *data.args.get(2)?,
            _ => return None,
        };
        if *index.get_or_insert(at) != at {
            return None;
        }
    }
    let index = index?;
    let looped = layout.ancestors(*accesses.first()?).find(|&around| {
        let data = &func.ops[around];
        matches!(data.kind, OpKind::For | OpKind::PFor(_)) && func.blocks[data.regions[0]].params[0] == index
    })?;
    // An array that is made in the loop is one iteration's own already.
    let outside = !layout.is_inside(array, looped);
    // A loop around it would find in the array what the run before left there.
    let home = layout.block_of(array)?;
    let mut between = layout.ancestors(looped).take_while(|&around| !layout.is_block_inside(home, around));
    let once = between.all(|around| !func.ops[around].kind.is_loop());
    (outside && once).then_some(Found { array, looped, accesses })
}

fn contract(func: &mut Function, found: &Found, in_order: bool) {
    let data = func.ops[found.array].clone();
    let value = data.results[0];
    let Type::Array { dtype, rank } = func.ty(value) else { unreachable!("a made array") };
    let last = rank == 1;
    let looped = &func.ops[found.looped];
    // What becomes numbers is carried by no loop.
    let small = data.args[1..].iter().all(|&dim| func.as_const(dim).is_some());
    let in_body = last || small || !in_order || data.kind == OpKind::Zeros || matches!(looped.kind, OpKind::PFor(_));
    let (block, at) = if in_body {
        (looped.regions[0], 0)
    } else {
        position(func, found.looped).expect("the loop stands in a block")
    };
    let (made, ops) = build(func, &data.kind, dtype, if last { &[] } else { &data.args[1..] });
    func.blocks[block].ops.splice(at..at, ops);
    for &access in &found.accesses {
        let first = if func.ops[access].kind == OpKind::LoadRaw { 1 } else { 2 };
        if last {
            let zero = zero_before(func, access);
            func.ops[access].args[first] = zero;
        } else {
            func.ops[access].args.remove(first);
        }
        func.ops[access].args[0] = made;
    }
    erase_op(func, found.array);
}

/// A new array of these lengths, of one element if there are none; and what makes it.
fn build(func: &mut Function, kind: &OpKind, dtype: pydd_ir::DType, dims: &[Value]) -> (Value, Vec<Op>) {
    let block: Block = func.new_block();
    let mut b = Builder::new(func, block);
    let dims = if dims.is_empty() { vec![b.int(1)] } else { dims.to_vec() };
    let rank = u8::try_from(dims.len()).expect("ranks are small");
    let made = b.value(kind.clone(), dims, Type::array(dtype, rank));
    (made, std::mem::take(&mut func.blocks[block].ops))
}

fn zero_before(func: &mut Function, op: Op) -> Value {
    let block = func.new_block();
    let zero = Builder::new(func, block).int(0);
    let made = std::mem::take(&mut func.blocks[block].ops);
    let (block, at) = position(func, op).expect("the access stands in a block");
    func.blocks[block].ops.splice(at..at, made);
    zero
}
