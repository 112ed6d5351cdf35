//! Keeps a loop that combines integers into elements of arrays whole, for where a device runs it.
//!
//! ```text
//! pfor[| reduced sum] 0, %n, 1, %h {      %wanted = device_wanted
//! (%i: i64):                              if %wanted {
//!     %k = load %c, %i                        pfor[| reduced sum] 0, %n, 1, %h {
//!     %x = load %h, %k               ⇒        (%i: i64):
//!     %y = add %x, 1                              %k = load %c, %i
//!     store %h, %y, %k                            %x = load %h, %k
//! }                                               update[sum] %h, 1, %k
//!                                             }
//!                                         } else { the loop }
//! ```
//!
//! The load stays, and only looks whether there is such an element, before what is combined with it is computed. Parts with arrays of their own would be few
//! threads to a device. Not done where whole arrays are combined, or in a loop that another one runs.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout, choose, erase_ops, insert_before};
use pydd_ir::{Builder, ElemOp, Function, Literal, Op, OpKind, ReduceOp, Type, Value};

use crate::array::pfor::updates::{Update, updates};

/// Puts a copy of the loop beside it, if all it does with the arrays is to update their elements.
pub(super) fn offer(func: &mut Function, summaries: &Summaries, op: Op, arrays: &[(Value, ReduceOp)]) {
    if !func.device || !only_updates(func, summaries, op, arrays) {
        return;
    }
    let copy = Cloner::default().op(func, None, op);
    let wanted = |b: &mut Builder<'_>| (b.value(OpKind::DeviceWanted, vec![], Type::BOOL), ());
    choose(func, op, wanted, |b, ()| {
        let block = b.block;
        b.func.blocks[block].ops.push(copy);
        b.func.ops[copy].results.clone()
    });
    let found = updates(func, &Layout::new(func), copy);
    // What else an iteration adds to belongs to it alone.
    let memory = MemoryInfo::new(func, summaries);
    let is_shared = |update: &&Update| {
        let written = func.ops[update.write].args[0];
        let is_of = |&(array, reduce): &(Value, ReduceOp)| {
            reduce == update.reduce && memory.may_alias(written, array)
        };
        arrays.iter().any(is_of)
    };
    let found: Vec<Update> = found.iter().filter(is_shared).copied().collect();
    let steps: BTreeSet<Op> = found.iter().filter_map(|update| rewrite(func, update)).collect();
    erase_ops(func, &steps);
}

fn only_updates(func: &Function, summaries: &Summaries, op: Op, arrays: &[(Value, ReduceOp)]) -> bool {
    let (layout, memory) = (Layout::new(func), MemoryInfo::new(func, summaries));
    let is_outermost = !layout.ancestors(op).any(|around| matches!(func.ops[around].kind, OpKind::PFor(_)));
    let suits = |&(array, reduce): &(Value, ReduceOp)| {
        func.ty(array).dtype().is_some_and(|dtype| reduce.updates(dtype))
    };
    let found = updates(func, &layout, op);
    let of_elements = found.iter().filter(|update| func.ops[update.write].kind == OpKind::Store);
    let known: BTreeMap<Op, ReduceOp> =
        of_elements.flat_map(|one| [(one.read, one.reduce), (one.write, one.reduce)]).collect();
    let mut only = is_outermost && arrays.iter().all(suits);
    func.walk(func.ops[op].regions[0], &mut |inner| {
        let effects = memory.effects(inner);
        let touched = |(array, _): &&(Value, ReduceOp)| effects.touches(memory.classes(*array));
        if let Some((_, reduce)) = arrays.iter().find(touched)
            && func.ops[inner].regions.is_empty()
        {
            only &= known.get(&inner) == Some(reduce);
        }
    });
    only
}

/// Makes an update of a store; gives what computed the new value.
fn rewrite(func: &mut Function, &Update { read, write, reduce }: &Update) -> Option<Op> {
    let step = func.def_op(func.ops[write].args[1])?;
    let old = func.result(read);
    let OpKind::Elem(elem) = func.ops[step].kind else { return None };
    let mut value = func.ops[step].args.iter().copied().find(|&arg| arg != old)?;
    if elem == ElemOp::Sub {
        let (ty, loc) = (func.ty(value), func.ops[step].loc);
        let zero = func.new_op(OpKind::Const(Literal::Int(0)), vec![], &[ty], vec![], loc);
        let less = func.new_op(OpKind::Elem(elem), vec![func.result(zero), value], &[ty], vec![], loc);
        insert_before(func, zero, write);
        insert_before(func, less, write);
        value = func.result(less);
    }
    func.ops[write].kind = OpKind::Update(reduce);
    func.ops[write].args[1] = value;
    Some(step)
}
