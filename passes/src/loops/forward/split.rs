//! Loops that overwrite what the elements they use are made of.
//!
//! ```text
//! for %i in 0, %n { store_raw %u, (load_raw %u, %i) + (load_raw %t, %i), %i }
//!     ⇒   %s = empty %n
//!         for %i in 0, %n { store_raw %s, (load_raw %u, %i) + (load_raw %t, %i), %i }
//!         for %i in 0, %n { store_raw %u, (load_raw %s, %i), %i }
//! ```

use pydd_ir::alias::{ClassSet, MemoryInfo};
use pydd_ir::facts::is_nonnegative;
use pydd_ir::rewrite::{Layout, position};
use pydd_ir::{Builder, ElemOp, Function, Op, OpKind, Type, Value};

use super::nest;
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::{counts_from_zero, moved};
use crate::loops::write_behind::accesses;

/// A nest of loops that stores one element in each iteration, and reads no other element of what it stores into.
pub(super) struct Split {
    nest: Op,
    loops: Vec<Op>,
    store: Op,
}

/// The consumer in which all these loads stand, if it alone of what stands behind the producer writes to what that reads.
pub(super) fn split(
    func: &Function,
    layout: &Layout,
    memory: &MemoryInfo,
    (later, producer): (&[Op], Op),
    loads: &[Op],
) -> Option<Split> {
    let (&consumer, between) = later.split_last()?;
    let reads = &memory.effects(producer).reads;
    let (effects, block) = (memory.effects(consumer), layout.block_of(consumer)?);
    let fits = between.iter().all(|&op| keeps(memory, op, reads))
        && loads.iter().all(|&load| layout.is_inside(load, consumer))
        && func.ops[consumer].results.is_empty()
        && !(effects.may_exit() || effects.io || effects.owns || effects.allocates);
    if !fits {
        return None;
    }
    let store = only_store(func, consumer)?;
    let (outermost, loops) = nest(func, layout, block, store)?;
    let plain = |&looped: &Op| {
        counts_from_zero(func, looped)
            && runs_to_its_end(func, func.ops[looped].regions[0])
            && layout.dominates(func, func.ops[looped].args[1], consumer)
    };
    // Each iteration stores another element, and reads that one alone of what is stored into.
    let [target, _, place @ ..] = &func.ops[store].args[..] else { return None };
    let bases: Vec<Value> = place.iter().map(|&index| moved(func, index).0).collect();
    let each_once =
        bases.len() == loops.len() && loops.iter().all(|&looped| bases.contains(&index_of(func, looped)));
    let mut own = true;
    func.walk(func.ops[consumer].regions[0], &mut |op| {
        let data = &func.ops[op];
        if data.kind == OpKind::LoadRaw && memory.may_alias(data.args[0], *target) {
            own &= data.args[0] == *target && data.args[1..] == *place;
        }
    });
    (outermost == consumer && loops.iter().all(plain) && each_once && own).then_some(Split {
        nest: consumer,
        loops,
        store,
    })
}

/// Whether an operation leaves alone what is read.
pub(super) fn keeps(memory: &MemoryInfo, op: Op, reads: &ClassSet) -> bool {
    let effects = memory.effects(op);
    !effects.writes.intersects(reads) && !effects.frees.intersects(reads)
}

fn index_of(func: &Function, looped: Op) -> Value {
    func.blocks[func.ops[looped].regions[0]].params[0]
}

/// The one store in a loop, in which else elements are loaded and computed.
fn only_store(func: &Function, looped: Op) -> Option<Op> {
    let accesses = accesses(func, looped)?;
    let mut stores = accesses.into_iter().filter(|&op| func.ops[op].kind == OpKind::StoreRaw);
    let (Some(store), None) = (stores.next(), stores.next()) else { return None };
    Some(store)
}

impl Split {
    pub(super) fn write(&self, func: &mut Function) {
        let [target, value, place @ ..] = &func.ops[self.store].args.clone()[..] else { return };
        let item = func.ty(*value).dtype().expect("elements are numbers");
        let (params, stops): (Vec<Value>, Vec<Value>) =
            self.loops.iter().map(|&looped| (index_of(func, looped), func.ops[looped].args[1])).unzip();
        let rank = u8::try_from(params.len()).expect("arrays have few axes");
        let (home, at) = position(func, self.nest).expect("the loop stands in a block");

        let mut b = Builder { loc: func.ops[self.nest].loc, block: func.new_block(), func: &mut *func };
        let none = b.int(0);
        let not_negative = |b: &mut Builder<'_>, stop: Value| match is_nonnegative(b.func, stop) {
            true => stop,
            false => b.elem(ElemOp::Max, &[stop, none]),
        };
        let lengths: Vec<Value> = stops.iter().map(|&stop| not_negative(&mut b, stop)).collect();
        let kept = b.value(OpKind::Empty, lengths, Type::array(item, rank));
        let before = b.func.blocks[b.block].ops.len();
        copy(&mut b, kept, *target, (&params, place), &stops, &mut Vec::new());
        let mut made = std::mem::take(&mut b.func.blocks[b.block].ops);
        let behind = made.split_off(before);

        func.ops[self.store].args = [&[kept, *value], &params[..]].concat();
        let ops = &mut func.blocks[home].ops;
        ops.splice(at + 1..=at, behind);
        ops.splice(at..at, made);
    }
}

/// Loops that store what was kept where it belongs.
fn copy(
    b: &mut Builder<'_>,
    kept: Value,
    target: Value,
    (params, place): (&[Value], &[Value]),
    stops: &[Value],
    indices: &mut Vec<Value>,
) {
    let Some(&stop) = stops.get(indices.len()) else {
        let item = Type::Scalar(b.func.ty(kept).dtype().expect("arrays have elements"));
        let element = b.value(OpKind::LoadRaw, [&[kept], &indices[..]].concat(), item);
        let mut args = vec![target, element];
        for &index in place {
            let (base, ahead) = moved(b.func, index);
            let loops = params.iter().zip(indices.iter()).find(|(param, _)| **param == base);
            let &own = loops.expect("each axis has a loop").1;
            let ahead = (ahead != 0).then(|| b.int(ahead));
            args.push(ahead.map_or(own, |ahead| b.add(own, ahead)));
        }
        b.effect(OpKind::StoreRaw, args);
        return;
    };
    let range = [b.int(0), stop, b.int(1)];
    b.for_loop(range, &[], |b, index, _| {
        indices.push(index);
        copy(b, kept, target, (params, place), stops, indices);
        indices.pop();
        vec![]
    });
}
