//! Makes temporaries as small as what one iteration needs of them.
//!
//! ```text
//! %t = empty %n, %m                       for %i in 0, %n {
//! for %i in 0, %n {                           %t = empty %m
//!     for %j { store %t[i, j] }      ⇒        for %j { store %t[j] }
//!     for %j { … load %t[i, j] … }            for %j { … load %t[j] … }
//! }                                       }
//! ```
//!
//! What is left is near when it is used, or is one element, which then is no memory at all (see
//! [`scalarize`](super::scalarize)). An axis goes where all uses of the array are elements within one loop, whose index is
//! theirs along the axis, and no iteration sees what another one wrote, as in a loop around it that uses the array again, or where the array is made in an
//! iteration as it is. The loop then makes the array in every iteration anew, which [`hoist_arrays`](super::hoist_arrays) mends where it is not one element.
//!
//! It leaves arrays alone that are seen as a whole: views, results, arguments.

use std::collections::BTreeMap;

use pydd_ir::facts::is_nonnegative;
use pydd_ir::rewrite::{Layout, Uses, erase_op, position};
use pydd_ir::{Block, Builder, ElemOp, Exc, Function, Level, Module, Op, OpKind, Type, Value};

use super::fast_functions;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report::Contractions;

pub const PASS: Pass = Pass {
    name: "contract",
    summary: "make temporaries as small as one iteration's part",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    for func in fast_functions(module) {
        let mut said = Contractions::default();
        while let Some(found) = find(func) {
            said.note(cx, func, found.array, found.looped);
            contract(func, &found);
        }
        said.report(cx);
    }
    Ok(())
}

/// An array that loses an axis.
struct Found {
    array: Op,
    axis: usize,
    looped: Op,
    /// Whether it is made in each iteration of the loop already.
    stays: bool,
    accesses: Vec<Op>,
}

fn find(func: &Function) -> Option<Found> {
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    let made =
        func.all_ops().into_iter().filter(|&op| matches!(func.ops[op].kind, OpKind::Empty | OpKind::Zeros));
    let axes =
        |array: Op| (0..usize::from(func.ty(func.result(array)).rank())).map(move |axis| (array, axis));
    made.flat_map(axes).find_map(|(array, axis)| suits(func, &layout, &uses, array, axis))
}

fn suits(func: &Function, layout: &Layout, uses: &Uses, array: Op, axis: usize) -> Option<Found> {
    let value = func.result(array);
    let accesses: Vec<Op> = uses.of(value).iter().map(|one| one.op).collect();
    let mut index = None;
    for found in uses.of(value) {
        let data = &func.ops[found.op];
        let at = match data.kind {
            OpKind::LoadRaw => *data.args.get(1 + axis)?,
            OpKind::StoreRaw if found.index == 0 => *data.args.get(2 + axis)?,
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
    // An array that is made in the loop is one iteration's own already, and has one element along the axis.
    if layout.is_inside(array, looped) {
        return Some(Found { array, axis, looped, stays: true, accesses });
    }
    // A loop around it would find in the array what the run before left there.
    let home = layout.block_of(array)?;
    let mut between = layout.ancestors(looped).take_while(|&around| !layout.is_block_inside(home, around));
    let once = between.all(|around| !func.ops[around].kind.is_loop());
    let fits = once || begins_with_store(func, layout, looped, &accesses);
    fits.then_some(Found { array, axis, looped, stays: false, accesses })
}

/// Whether an iteration stores each element before it loads it.
fn begins_with_store(func: &Function, layout: &Layout, looped: Op, accesses: &[Op]) -> bool {
    let body = func.ops[looped].regions[0];
    // The operation of the body that an access is, or stands in.
    let within = |access: Op| {
        std::iter::once(access).chain(layout.ancestors(access)).find(|&op| layout.block_of(op) == Some(body))
    };
    let element = |access: Op, first: usize| -> Vec<Result<i64, Value>> {
        func.ops[access].args[first..].iter().map(|&index| func.as_int(index).ok_or(index)).collect()
    };
    let is_store = |access: &&Op| func.ops[**access].kind == OpKind::StoreRaw;
    let mut stored = BTreeMap::new();
    for &store in accesses.iter().filter(is_store).filter(|&&store| layout.block_of(store) == Some(body)) {
        let at = layout.index_of(store);
        let first = stored.entry(element(store, 2)).or_insert(at);
        *first = at.min(*first);
    }
    accesses.iter().all(|access| {
        let Some(place) = within(*access).map(|op| layout.index_of(op)) else { return false };
        is_store(&access) || stored.get(&element(*access, 1)).is_some_and(|&at| at < place)
    })
}

fn contract(func: &mut Function, found: &Found) {
    let data = func.ops[found.array].clone();
    let value = data.results[0];
    let Type::Array { dtype, rank } = func.ty(value) else { unreachable!("a made array") };
    let last = rank == 1;
    let (block, at) = match found.stays {
        true => position(func, found.array).expect("the array is made in a block"),
        false => (func.ops[found.looped].regions[0], 0),
    };
    let mut lengths = data.args.clone();
    lengths.remove(found.axis);
    let (made, ops) = build(func, &data.kind, dtype, &lengths);
    for &op in &ops {
        func.ops[op].loc = data.loc;
    }
    func.names.extend(func.names.get(&value).cloned().map(|names| (made, names)));
    func.blocks[block].ops.splice(at..at, ops);
    for &access in &found.accesses {
        let first = if func.ops[access].kind == OpKind::LoadRaw { 1 } else { 2 };
        if last {
            let zero = zero_before(func, access);
            func.ops[access].args[first] = zero;
        } else {
            func.ops[access].args.remove(first + found.axis);
        }
        func.ops[access].args[0] = made;
    }
    refuse_negative(func, found.array);
    erase_op(func, found.array);
}

/// Checks before an array that goes that its lengths are none that would have been refused.
fn refuse_negative(func: &mut Function, array: Op) {
    let lengths: Vec<Value> =
        func.ops[array].args.iter().copied().filter(|&length| !is_nonnegative(func, length)).collect();
    let block = func.new_block();
    let mut b = Builder::new(func, block);
    b.loc = b.func.ops[array].loc;
    for length in lengths {
        let zero = b.int(0);
        let holds = b.elem(ElemOp::Ge, &[length, zero]);
        b.check(holds, Exc::ValueError, "negative dimensions are not allowed", &[]);
    }
    let made = std::mem::take(&mut func.blocks[block].ops);
    let (block, at) = position(func, array).expect("the array is made in a block");
    func.blocks[block].ops.splice(at..at, made);
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
