//! Computes elements of a temporary array where they are used, if each is used once, or is made of little.
//!
//! ```text
//! %t = empty %n
//! for %i in 0, %n { store_raw %t, (%a[i] + %b[i]), %i }
//! for %j in 0, %m { … load_raw %t, %j + 1 … }            ⇒   for %j in 0, %m { … %a[j + 1] + %b[j + 1] … }
//! ```
//!
//! So a slice of a sum is the sum of slices, and differences of neighbours in one array are loops over what it was made of. The places
//! that load from it have the index of each loop around them along one of its axes, moved by what does not change, maybe around its end, and along other axes
//! what does not change: from each place no element is
//! computed twice. Of zeros of which all but a border is filled, an element is zero or computed, as a test of its place says, which
//! [`peel`](super::peel) takes out of the loops. Where a loop writes to what they are made of (`u += dt * laplacian`), what it stores is
//! kept in an array first, and a loop behind it stores it. Several places compute it again where that costs less than memory, and all do where it is made of next to nothing. In between, and by the loops that use it, nothing is
//! written that its elements are made of. Functions such as `exp` stay in loops of their own, which have vectors, where they would go into a loop that has none: one that stores what it has accumulated.

mod borders;
mod split;

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, Replacements, Uses, erase_ops};
use pydd_ir::{Block, Builder, ElemOp, Function, Level, Module, Op, OpKind, Value};

use self::split::Split;
use super::fast_functions;
use super::fuse_loops::COSTLY;
use crate::analysis::filled::Filled;
use crate::analysis::patterns::{counts_from_zero, moved as constant_ahead};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "forward",
    summary: "compute elements of temporaries where they are used once",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Operations that an element is made of, at most.
const LONGEST: usize = 60;
/// What an element may cost that is computed again rather than loaded wherever it is needed: as those of `arange`.
const LITTLE: i64 = 3;
/// What several places may compute for the second time and more, in additions.
const AGAIN: i64 = 8;
/// Arrays of a function that are forwarded, at most.
const MOST: usize = 32;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    // Without peeling, tests would stay where loops were vectors.
    let with_borders = cx.options.opt_level >= OptLevel::O3;
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module) {
        let made: Vec<Op> = func.all_ops().into_iter().filter(|&op| is_made(func, op)).collect();
        let mut left = MOST;
        for array in made {
            if left == 0 {
                break;
            }
            if let Some(found) = find(func, &summaries, array, with_borders && !func.device) {
                forward(func, &found);
                left -= 1;
            }
        }
    }
    Ok(())
}

fn is_made(func: &Function, op: Op) -> bool {
    matches!(func.ops[op].kind, OpKind::Empty | OpKind::Zeros)
}

/// A temporary, and where its elements go.
struct Found {
    /// What makes it, if nothing else comes of that.
    array: Option<Op>,
    /// The loops that fill it.
    producer: Op,
    /// What its elements are made of, in order, and the element.
    steps: Vec<Op>,
    element: Value,
    /// By axis, the index of the loops that make it, and what of it they make.
    indices: Vec<Value>,
    filled: Vec<Filled>,
    loads: Vec<Op>,
    /// What uses it overwrites what it is made of: this goes into a loop of its own.
    split: Option<Split>,
}

fn find(func: &Function, summaries: &Summaries, array: Op, with_borders: bool) -> Option<Found> {
    let (uses, layout) = (Uses::new(func), Layout::new(func));
    let value = func.ops[array].results[0];
    let (mut store, mut loads) = (None, Vec::new());
    for found in uses.of(value) {
        match (&func.ops[found.op].kind, found.index) {
            (OpKind::StoreRaw, 0) if store.is_none() => store = Some(found.op),
            (OpKind::LoadRaw, 0) => loads.push(found.op),
            _ => return None,
        }
    }
    let store = store?;
    let home = layout.block_of(array)?;
    let (producer, levels) = nest(func, &layout, home, store)?;
    let (steps, element, indices, filled) = made_of(func, &levels, array, store)?;
    let has_border = filled.iter().any(|axis| axis.has_border());
    if has_border && (!with_borders || func.ops[array].kind != OpKind::Zeros) {
        return None;
    }
    let element_cost = steps.iter().map(|&op| cost(func, op)).sum::<i64>();
    let is_little = element_cost <= LITTLE && steps.iter().all(|&op| func.ops[op].kind != OpKind::LoadRaw);
    let is_costly = steps.iter().any(|&op| cost(func, op) >= COSTLY);
    let mut last = None;
    for &load in &loads {
        let (consumer, loops) = around(func, &layout, home, load)?;
        if is_costly && loops.last().is_some_and(|&inner| is_scan(func, inner)) {
            return None;
        }
        // What is read before it is there is a zero, or what was stored before.
        layout.is_before(producer, consumer).then_some(())?;
        if has_border {
            borders::tests_go(func, &layout, consumer, load, &filled)?;
        }
        if has_border || !is_little {
            used_once(func, &layout, consumer, load)?;
        }
        last = last.max(layout.index_of(consumer));
    }
    let again = i64::try_from(loads.len() - different(func, &loads)).ok()?;
    if again * element_cost > AGAIN && !in_blocks(func, &layout, home, &loads) {
        return None;
    }
    // Nothing changes what the elements are made of, nor who loops.
    let memory = MemoryInfo::new(func, summaries);
    let (from, to) = (layout.index_of(producer)?, last?);
    let reads = &memory.effects(producer).reads;
    let later = func.blocks[home].ops.get(from + 1..=to)?;
    let kept = later.iter().all(|&op| split::keeps(&memory, op, reads));
    let alone = memory.effects(producer).writes.iter().all(|class| memory.classes(value).contains(class));
    // One of a negative length raises where it is made.
    let array = (!memory.effects(array).may_exit()).then_some(array);
    // Else there are as many arrays as before.
    let split = if kept || !has_border {
        None
    } else {
        split::split(func, &layout, &memory, (later, producer), &loads)
    };
    ((kept || split.is_some()) && alone).then_some(Found {
        array,
        producer,
        steps,
        element,
        indices,
        filled,
        loads,
        split,
    })
}

/// Whether loads take different elements: in each step of a loop the next so many rows, and behind it those that are left.
fn in_blocks(func: &Function, layout: &Layout, home: Block, loads: &[Op]) -> bool {
    let mut by_loop: BTreeMap<Op, Vec<Op>> = BTreeMap::new();
    for &load in loads {
        let Some((_, loops)) = around(func, layout, home, load) else { return false };
        let Some(&outermost) = loops.first() else { return false };
        by_loop.entry(outermost).or_default().push(load);
    }
    let range = |op: Op| [0, 1, 2].map(|i| func.ops[op].args[i]);
    let mut loops: Vec<Op> = by_loop.keys().copied().collect();
    loops.sort_by_key(|&op| layout.index_of(op));
    let go_on = loops.windows(2).all(|pair| range(pair[1])[0] == range(pair[0])[1]);
    go_on
        && by_loop.iter().all(|(&looped, loads)| {
            let Some(step) = func.as_int(range(looped)[2]) else { return false };
            let index = func.blocks[func.ops[looped].regions[0]].params[0];
            let ahead = loads.iter().map(|&load| {
                let rows = func.ops[load].args[1..].iter().map(|&index| constant_ahead(func, index));
                rows.into_iter().find(|(base, _)| *base == index).map(|(_, ahead)| ahead)
            });
            let ahead: Option<BTreeSet<i64>> = ahead.collect();
            ahead.is_some_and(|all| all.len() == loads.len() && all.iter().all(|row| (0..step).contains(row)))
        })
}

/// Whether a loop stores what it has accumulated so far: it has no vectors.
fn is_scan(func: &Function, looped: Op) -> bool {
    let body = func.ops[looped].regions[0];
    let stores = |&op: &Op| func.ops[op].kind == OpKind::StoreRaw;
    !func.ops[looped].results.is_empty() && func.blocks[body].ops.iter().any(stores)
}

/// What an operation that an element is made of costs where it is done again.
fn cost(func: &Function, op: Op) -> i64 {
    let data = &func.ops[op];
    match data.kind {
        OpKind::Elem(elem) => elem.cost(),
        OpKind::LoadRaw | OpKind::Cast => 1,
        _ => 0,
    }
}

/// The operation of a block that an operation stands in, and the loops from it on, outermost first.
fn around(func: &Function, layout: &Layout, home: Block, op: Op) -> Option<(Op, Vec<Op>)> {
    let mut path = vec![op];
    path.extend(layout.ancestors(op));
    let at = path.iter().position(|&outer| layout.block_of(outer) == Some(home))?;
    let mut loops: Vec<Op> = path[1..=at].iter().copied().filter(|&op| func.ops[op].kind.is_loop()).collect();
    loops.reverse();
    Some((path[at], loops))
}

/// Loops within each other, over all of an array, around a store.
fn nest(func: &Function, layout: &Layout, home: Block, store: Op) -> Option<(Op, Vec<Op>)> {
    let (outermost, loops) = around(func, layout, home, store)?;
    let mut parent = layout.parent(store);
    for &looped in loops.iter().rev() {
        // With nothing else around it.
        (parent == Some(looped)).then_some(())?;
        parent = layout.parent(looped);
    }
    (loops.first() == Some(&outermost)).then_some((outermost, loops))
}

/// What stands in the loops, if it makes each element of the array once, or each of an inner part, and nothing else.
fn made_of(
    func: &Function,
    loops: &[Op],
    array: Op,
    store: Op,
) -> Option<(Vec<Op>, Value, Vec<Value>, Vec<Filled>)> {
    let lengths = &func.ops[array].args;
    let mut steps = Vec::new();
    let mut params = Vec::new();
    for &looped in loops {
        let data = &func.ops[looped];
        (counts_from_zero(func, looped) && data.results.is_empty()).then_some(())?;
        params.push((func.blocks[data.regions[0]].params[0], data.args[1]));
        let (_, ops) = func.blocks[data.regions[0]].ops.split_last()?;
        for &op in ops.iter().filter(|&&op| op != store && !loops.contains(&op)) {
            let plain = matches!(
                func.ops[op].kind,
                OpKind::Const(_) | OpKind::Elem(_) | OpKind::Cast | OpKind::Dim(_) | OpKind::LoadRaw
            );
            plain.then_some(())?;
            steps.push(op);
        }
    }
    let data = &func.ops[store];
    let (mut indices, mut filled) = (Vec::new(), Vec::new());
    for (&index, &length) in data.args[2..].iter().zip(lengths) {
        let (base, before) = constant_ahead(func, index);
        let &(_, count) = params.iter().find(|(param, _)| *param == base)?;
        indices.push(base);
        filled.push(Filled::new(func, before, count, length)?);
    }
    let distinct = indices.iter().collect::<BTreeSet<_>>().len() == indices.len();
    (indices.len() == params.len() && distinct && steps.len() <= LONGEST)
        .then(|| (steps, data.args[1], indices, filled))
}

/// How many of the loads take different elements for certain, by the constants among their indices.
fn different(func: &Function, loads: &[Op]) -> usize {
    let places = loads.iter().map(|&load| {
        let indices = &func.ops[load].args[1..];
        indices.iter().map(|&index| func.as_int(index).filter(|&index| index >= 0)).collect::<Vec<_>>()
    });
    let places: BTreeSet<Vec<Option<i64>>> = places.collect();
    let differ = |a: &[Option<i64>], b: &[Option<i64>]| {
        a.iter().zip(b).any(|(a, b)| a.is_some() && b.is_some() && a != b)
    };
    let all: Vec<_> = places.into_iter().collect();
    let apart = (0..all.len()).all(|i| (0..i).all(|j| differ(&all[i], &all[j])));
    if apart { all.len() } else { 1 }
}

/// Whether a load has the index of another loop in each of its indices, of all loops around it, or what does not change in any of them.
fn used_once(func: &Function, layout: &Layout, consumer: Op, load: Op) -> Option<()> {
    let home = layout.block_of(consumer)?;
    let (_, loops) = around(func, layout, home, load)?;
    let mut found = 0;
    let mut seen = BTreeSet::new();
    for &index in &func.ops[load].args[1..] {
        let is_fixed = loops.first().is_none_or(|&outermost| layout.dominates(func, index, outermost))
            || func.as_const(index).is_some();
        if !is_fixed {
            seen.insert(moved(func, layout, &loops, index)?);
            found += 1;
        }
    }
    (found == loops.len() && seen.len() == found).then_some(())
}

/// The loop whose index a value is, moved by what does not change in any of the loops.
fn moved(func: &Function, layout: &Layout, loops: &[Op], value: Value) -> Option<Op> {
    let of = |value: Value| {
        loops.iter().copied().find(|&op| {
            func.ops[op].kind == OpKind::For && func.blocks[func.ops[op].regions[0]].params[0] == value
        })
    };
    if let Some(found) = of(value) {
        return Some(found);
    }
    let data = &func.ops[func.def_op(value)?];
    let &[a, b] = &data.args[..] else { return None };
    let fixed = |value: Value| layout.dominates(func, value, loops[0]) || func.as_const(value).is_some();
    match data.kind {
        OpKind::Elem(ElemOp::Add) => match (of(a), of(b)) {
            (Some(found), None) if fixed(b) => Some(found),
            (None, Some(found)) if fixed(a) => Some(found),
            _ => None,
        },
        OpKind::Elem(ElemOp::Sub) if fixed(b) => of(a),
        OpKind::Elem(ElemOp::Sub) if fixed(a) => of(b),
        // Around the end of as many elements as the loop goes over.
        OpKind::Elem(ElemOp::Mod) => moved(func, layout, loops, a)
            .filter(|&found| func.ops[found].args[1] == b && counts_from_zero(func, found)),
        _ => None,
    }
}

fn forward(func: &mut Function, found: &Found) {
    if let Some(split) = &found.split {
        split.write(func);
    }
    let mut replacements = Replacements::default();
    for &load in &found.loads {
        let data = func.ops[load].clone();
        let scratch = func.new_block();
        let mut b = Builder { func: &mut *func, block: scratch, loc: data.loc };
        let element = borders::computed(&mut b, found, &data.args[1..]);
        let made = std::mem::take(&mut func.blocks[scratch].ops);
        let (home, at) = pydd_ir::rewrite::position(func, load).expect("the load stands in a block");
        func.blocks[home].ops.splice(at..at, made);
        replacements.replace(data.results[0], element);
    }
    erase_ops(func, &found.loads.iter().copied().chain([found.producer]).chain(found.array).collect());
    replacements.apply(func);
}
