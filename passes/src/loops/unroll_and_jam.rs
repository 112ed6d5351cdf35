//! Does several steps of a loop at once that each add to all elements of an array (unroll and jam).
//!
//! ```text
//! for %k in 0, %n {                                for %k in 0, %m, 4 {
//!     for %j in 0, %l {                                for %j in 0, %l {
//!         %y = load_raw %c, %j                             %y = load_raw %c, %j
//!         %z = add %y, (load_raw %a, %k, %j)   ⇒           %z = add %y, (load_raw %a, %k, %j)
//!         store_raw %c, %z, %j                             … %k + 1, %k + 2, %k + 3 …
//!     }                                                    store_raw %c, %w, %j
//! }                                                    }
//!                                                  }
//!                                                  for %k in %m, %n { … as before }
//! ```
//!
//! So each element is loaded and stored once for four additions: sums along the first axis, and products written as updates of rows. They
//! are added in the same order as before. The loops within go over the same range in each step, and hold nothing but numbers and
//! elements; nothing else that is read is the array.

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout, position};
use pydd_ir::{Block, Builder, Function, Level, Module, Op, OpKind, Value};

use super::{fast_functions, is_number, whole_groups};
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::{constant_range, counts_up, moved};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "unroll-and-jam",
    summary: "do several steps at once that add to all elements of an array",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O3),
    run,
};

/// Steps at once, a power of two.
const GROUP: i64 = 4;
/// Steps of a loop that are all done at once, at most.
const ALL: i64 = 10;
/// Operations of a step, at most.
const LONGEST: usize = 24;
/// Loops of a function that are changed, at most.
const MOST: usize = 8;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module).filter(|func| !func.device) {
        let loops: Vec<Op> =
            func.hot_ops().into_iter().filter(|&op| may_be_jammed(func, op)).take(MOST).collect();
        for looped in loops {
            if let Some(found) = find(func, &summaries, looped) {
                jam(func, &found);
            }
        }
    }
    Ok(())
}

/// A loop around another one, with few operations.
fn may_be_jammed(func: &Function, looped: Op) -> bool {
    let data = &func.ops[looped];
    if !counts_up(func, looped) || !data.results.is_empty() || !runs_to_its_end(func, data.regions[0]) {
        return false;
    }
    let mut count = 0;
    func.walk(data.regions[0], &mut |_| count += 1);
    let is_loop = |op: &Op| func.ops[*op].kind == OpKind::For;
    count <= LONGEST && func.blocks[data.regions[0]].ops.iter().any(is_loop)
}

/// A loop, and what in the innermost one within it makes an element a new one.
struct Found {
    looped: Op,
    load: Op,
    store: Op,
}

fn find(func: &Function, summaries: &Summaries, looped: Op) -> Option<Found> {
    let layout = Layout::new(func);
    let memory = MemoryInfo::new(func, summaries);
    let mut loads = Vec::new();
    let mut block = func.ops[looped].regions[0];
    let mut inner_indices = Vec::new();
    let store = loop {
        let (inner, store) = contents(func, block, &mut loads)?;
        match (inner, store) {
            (Some(inner), None) => {
                let data = &func.ops[inner];
                let same_range = data.args[..2].iter().all(|&end| layout.dominates(func, end, looped));
                let plain = counts_up(func, inner)
                    && data.results.is_empty()
                    && runs_to_its_end(func, data.regions[0])
                    && same_range;
                plain.then_some(())?;
                block = data.regions[0];
                inner_indices.push(func.blocks[block].params[0]);
            }
            (None, Some(store)) if block != func.ops[looped].regions[0] => break store,
            _ => return None,
        }
    };
    let [target, value, place @ ..] = &func.ops[store].args[..] else { return None };
    let index = func.blocks[func.ops[looped].regions[0]].params[0];
    // Each element once, and the same one in each step.
    let bases: Vec<Value> = place.iter().map(|&at| moved(func, at).0).collect();
    let each_once = inner_indices.iter().all(|index| bases.contains(index));
    let is_fixed = |&at: &Value| depends_not(func, &layout, looped, at, index);
    let mut own = loads.iter().copied().filter(|&load| memory.may_alias(func.ops[load].args[0], *target));
    let (load, None) = (own.next()?, own.next()) else { return None };
    let same = func.ops[load].args[0] == *target && func.ops[load].args[1..] == *place;
    let combines = func.def_op(*value).is_some_and(|op| {
        matches!(func.ops[op].kind, OpKind::Elem(_)) && func.ops[op].args.contains(&func.result(load))
    });
    let in_one_block = layout.block_of(load) == layout.block_of(store);
    (same && combines && each_once && in_one_block && place.iter().all(is_fixed)).then_some(Found {
        looped,
        load,
        store,
    })
}

/// The loop and the store in a block of nothing else but numbers and loads.
fn contents(func: &Function, block: Block, loads: &mut Vec<Op>) -> Option<(Option<Op>, Option<Op>)> {
    let (mut inner, mut store) = (None, None);
    let (_, ops) = func.blocks[block].ops.split_last()?;
    for &op in ops {
        match &func.ops[op].kind {
            OpKind::LoadRaw => loads.push(op),
            OpKind::For if inner.is_none() => inner = Some(op),
            OpKind::StoreRaw if store.is_none() => store = Some(op),
            kind if is_number(kind) && inner.is_none() => {}
            _ => return None,
        }
    }
    Some((inner, store))
}

/// Whether a value within a loop is the same for all of its indices.
fn depends_not(func: &Function, layout: &Layout, looped: Op, value: Value, index: Value) -> bool {
    if value == index {
        return false;
    }
    if layout.dominates(func, value, looped) {
        return true;
    }
    match func.def_op(value) {
        Some(op) if is_number(&func.ops[op].kind) => {
            func.ops[op].args.iter().all(|&arg| depends_not(func, layout, looped, arg, index))
        }
        Some(_) => false,
        // The index of a loop within.
        None => true,
    }
}

fn jam(func: &mut Function, found: &Found) {
    let data = func.ops[found.looped].clone();
    let [start, stop] = [data.args[0], data.args[1]];
    let trips = constant_range(func, found.looped).map(|[start, stop, _]| stop.saturating_sub(start));
    let all = trips.filter(|trips| (2..=ALL).contains(trips));
    let body = data.regions[0];
    let index = func.blocks[body].params[0];

    let mut b = Builder { loc: data.loc, block: func.new_block(), func: &mut *func };
    let end = match all {
        Some(_) => stop,
        None => {
            let count = whole_groups(&mut b, start, stop, GROUP);
            b.add(start, count)
        }
    };
    let group = all.unwrap_or(GROUP);
    let step = b.int(group);
    b.for_loop([start, end, step], &[], |b, first, _| {
        let mut copies: Vec<Cloner> = Vec::new();
        for ahead in 0..group {
            let ahead = b.int(ahead);
            let mut copy = Cloner::default();
            let own = b.add(first, ahead);
            copy.values.insert(index, own);
            copies.push(copy);
        }
        steps(b, body, &mut copies, found);
        vec![]
    });
    let made = std::mem::take(&mut b.func.blocks[b.block].ops);
    let (home, at) = position(func, found.looped).expect("the loop stands in a block");
    if all.is_some() {
        func.blocks[home].ops.splice(at..=at, made);
    } else {
        func.ops[found.looped].args[0] = end;
        func.blocks[home].ops.splice(at..at, made);
    }
}

/// What a block does in several steps, with one loop for theirs.
fn steps(b: &mut Builder<'_>, block: Block, copies: &mut [Cloner], found: &Found) {
    let ops = b.func.blocks[block].ops.clone();
    let (_, ops) = ops.split_last().expect("a block has an end");
    if !ops.contains(&found.store) {
        for &op in ops {
            if b.func.ops[op].kind == OpKind::For {
                let data = b.func.ops[op].clone();
                let mapped = |value: Value, copy: &Cloner| copy.values.get(value).unwrap_or(value);
                let range = [0, 1, 2].map(|i| mapped(data.args[i], &copies[0]));
                let inner = b.func.blocks[data.regions[0]].params[0];
                b.for_loop(range, &[], |b, index, _| {
                    copies.iter_mut().for_each(|copy| copy.values.insert(inner, index));
                    steps(b, data.regions[0], copies, found);
                    vec![]
                });
            } else {
                copies.iter_mut().for_each(|copy| clone(b, copy, op));
            }
        }
        return;
    }
    let [loaded, stored] = [b.func.result(found.load), b.func.ops[found.store].args[1]];
    let mut last = None;
    for copy in copies.iter_mut() {
        for &op in ops.iter().filter(|&&op| op != found.store) {
            match last {
                Some(last) if op == found.load => copy.values.insert(loaded, last),
                _ => clone(b, copy, op),
            }
        }
        last = copy.values.get(stored);
    }
    let store = copies[0].op(b.func, None, found.store);
    b.func.ops[store].args[1] = last.expect("it was computed");
    let block = b.block;
    b.func.blocks[block].ops.push(store);
}

fn clone(b: &mut Builder<'_>, copy: &mut Cloner, op: Op) {
    let made = copy.op(b.func, None, op);
    let block = b.block;
    b.func.blocks[block].ops.push(made);
}
