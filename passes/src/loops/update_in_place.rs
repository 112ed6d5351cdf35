//! Keeps what a loop over time carries in one array, where each element only needs itself.
//!
//! ```text
//! %u = empty %m   … filled …                          %u = empty %m   … filled …
//! %r = for %t in 0, %n, carried %u as %old {          for %t in 0, %n {
//!     %new = empty %m                             ⇒
//!     for %i in 0, %m {                                   for %i in 0, %m {
//!         store %new[%i], f(load %old[%i])                    store %u[%i], f(load %u[%i])
//!     }                                                   }
//!     continue %new                                   }
//! }
//! ```
//!
//! `x = x - f(x) / g(x)` makes an array in each step of the loop, in the place of one that nobody sees any more. The loop then carries
//! nothing, so that [`interchange`](super::interchange) may take it to the inside.
//!
//! All uses of the old array are loads of the element that the same iteration stores. What the loop starts from
//! is an array that was made before it and is seen by nothing but loads and stores. Of an argument, a view, of what anybody else has
//! a name for, the elements are copied first, where the loop runs at all and writes to none of them.

use std::collections::BTreeSet;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{self, Cloner, Layout, Replacements, Uses, erase_ops};
use pydd_ir::{Block, Builder, ElemOp, Function, Level, Module, Op, OpKind, Type, Value};

use super::carry_elements::{runs_at_all, writes_to_none_of};
use super::fast_functions;
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::{only_elements, raw_element};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "update-in-place",
    summary: "keep what loops over time carry in one array",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    if !module.funcs.values().any(|func| func.hot_ops().into_iter().any(|op| carries_arrays(func, op))) {
        return Ok(());
    }
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module) {
        loop {
            if let Some(found) = find(func) {
                keep(func, &found);
            } else if let Some(starts) = find_starts(func, &summaries) {
                copy_starts(func, &starts);
            } else {
                break;
            }
        }
    }
    Ok(())
}

/// An array that a loop carries.
struct Found {
    looped: Op,
    /// Its place among what is carried.
    place: usize,
    /// What makes the next one.
    made: Op,
    /// Loads of elements of the old one behind the store into the new one, and what was loaded before it.
    behind: Vec<Op>,
    loaded: Option<Value>,
}

fn find(func: &Function) -> Option<Found> {
    let loops: Vec<Op> = func.hot_ops().into_iter().filter(|&op| carries_arrays(func, op)).collect();
    if loops.is_empty() {
        return None;
    }
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    loops.into_iter().find_map(|looped| {
        let count = func.ops[looped].results.len();
        (0..count).find_map(|place| suits(func, &layout, &uses, looped, place))
    })
}

fn carries_arrays(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    data.kind == OpKind::For
        && data.results.iter().any(|&result| func.ty(result).is_array())
        && runs_to_its_end(func, data.regions[0])
}

fn suits(func: &Function, layout: &Layout, uses: &Uses, looped: Op, place: usize) -> Option<Found> {
    let (found, _) = steps(func, layout, uses, looped, place)?;
    let first = func.ops[looped].args[3 + place];
    // Of one shape, since all lengths are the same values.
    let before = func.def_op(first)?;
    let is_own = matches!(func.ops[before].kind, OpKind::Empty | OpKind::Zeros)
        && func.ops[before].args == func.ops[found.made].args
        && is_seen_by_elements(func, layout, uses, first, looped);
    is_own.then_some(found)
}

/// An array that each step makes of the one before, element by element, and the store that does so.
fn steps(func: &Function, layout: &Layout, uses: &Uses, looped: Op, place: usize) -> Option<(Found, Op)> {
    let data = &func.ops[looped];
    let body = data.regions[0];
    let (first, old) = (data.args[3 + place], func.blocks[body].params[1 + place]);
    let end = func.terminator(body)?;
    let new = func.ops[end].args[place];
    let made = func.def_op(new)?;
    // Zeros that nothing is stored over would have to be made again.
    if func.ops[made].kind != OpKind::Empty || layout.block_of(made) != Some(body) {
        return None;
    }
    if func.ty(first) != func.ty(new) {
        return None;
    }
    let store = only_store(func, layout, uses, new, end)?;
    let stores_all = each_once(func, layout, store, looped);
    let mut behind = Vec::new();
    for one in uses.of(old) {
        let own = raw_element(func, one.op).filter(|_| func.ops[one.op].kind == OpKind::LoadRaw)?;
        if own[1..] != func.ops[store].args[2..] {
            return None;
        }
        if !comes_first(layout, one.op, store) {
            behind.push(one.op);
        }
    }
    let first_load = uses.of(old).iter().map(|one| one.op).find(|&op| {
        layout.block_of(op) == layout.block_of(store) && layout.index_of(op) < layout.index_of(store)
    });
    let inside = behind.iter().all(|&op| within(layout, op, layout.block_of(store)).is_some());
    let loaded = if behind.is_empty() { None } else { Some(func.result(first_load?)) };
    (stores_all && inside).then_some((Found { looped, place, made, behind, loaded }, store))
}

/// A loop that is to start from arrays of its own.
struct Starts {
    looped: Op,
    /// The places among what is carried, each with what makes the next array and the store into it.
    arrays: Vec<(usize, Op, Op)>,
}

fn find_starts(func: &Function, summaries: &Summaries) -> Option<Starts> {
    let loops: Vec<Op> = func.hot_ops().into_iter().filter(|&op| carries_arrays(func, op)).collect();
    if loops.is_empty() {
        return None;
    }
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    let memory = MemoryInfo::new(func, summaries);
    loops.into_iter().find_map(|looped| {
        let places = 0..func.ops[looped].results.len();
        let arrays: Vec<(usize, Op, Op)> = places
            .filter_map(|place| {
                let (found, store) = steps(func, &layout, &uses, looped, place)?;
                may_be_copied(func, &layout, &uses, &memory, &found, store)
                    .then_some((place, found.made, store))
            })
            .collect();
        (!arrays.is_empty()).then_some(Starts { looped, arrays })
    })
}

/// Whether elements of what a loop starts from can be copied before it: each iteration of the loops around the store reads one, before anything
/// may raise, and nothing in the loop writes to it.
fn may_be_copied(
    func: &Function,
    layout: &Layout,
    uses: &Uses,
    memory: &MemoryInfo,
    found: &Found,
    store: Op,
) -> bool {
    let (looped, body) = (found.looped, func.ops[found.looped].regions[0]);
    let old = func.blocks[body].params[1 + found.place];
    let visible = |op: Op| func.ops[op].args.iter().all(|&value| layout.dominates(func, value, looped));
    let nest = layout.ancestors(store).take_while(|&op| op != looped);
    let quiet = |op: Op| {
        let block = layout.block_of(op).expect("it stands in a block");
        func.blocks[block]
            .ops
            .iter()
            .take_while(|&&before| before != op)
            .all(|&op| !memory.effects(op).may_exit())
    };
    let is_read = uses.of(old).iter().map(|one| one.op).any(|load| {
        let mut around = std::iter::once(load).chain(layout.ancestors(load)).take_while(|&op| op != looped);
        layout.block_of(load) == layout.block_of(store) && around.all(quiet)
    });
    is_read
        && visible(found.made)
        && nest.into_iter().all(|op| visible(op) && func.ops[op].results.is_empty())
        && writes_to_none_of(func, memory, body, old, func.result(found.made))
}

/// `if the loop runs not at all { what it starts from } else { copies; the loop }`
fn copy_starts(func: &mut Function, starts: &Starts) {
    let looped = starts.looped;
    let args = func.ops[looped].args.clone();
    let condition = |b: &mut Builder<'_>| {
        let runs = runs_at_all(b, &args);
        (b.elem(ElemOp::Not, &[runs]), ())
    };
    rewrite::choose(func, looped, condition, |_, ()| args[3..].to_vec());
    for &(place, made, store) in &starts.arrays {
        let first = args[3 + place];
        let nest = nest_of(func, looped, store);
        let own = rewrite::build_before(func, looped, |b| {
            let (dims, ty) = (b.func.ops[made].args.clone(), b.func.ty(first));
            let own = b.value(OpKind::Empty, dims, ty);
            let indices = b.func.ops[store].args[2..].to_vec();
            copy_elements(b, &nest, &indices, &mut Vec::new(), [first, own]);
            own
        });
        func.ops[looped].args[3 + place] = own;
    }
}

/// The loops around a store within another one, from the outermost to the innermost: their numbers, and from where to where they go.
fn nest_of(func: &Function, looped: Op, store: Op) -> Vec<(Value, [Value; 3])> {
    let layout = Layout::new(func);
    let around = layout.ancestors(store).take_while(|&op| op != looped);
    let mut nest: Vec<_> = around
        .map(|op| {
            let data = &func.ops[op];
            (func.blocks[data.regions[0]].params[0], [data.args[0], data.args[1], data.args[2]])
        })
        .collect();
    nest.reverse();
    nest
}

/// Copies the elements at `indices`, which are numbers of the loops of a nest.
fn copy_elements(
    b: &mut Builder<'_>,
    nest: &[(Value, [Value; 3])],
    indices: &[Value],
    numbers: &mut Vec<(Value, Value)>,
    [from, to]: [Value; 2],
) {
    let Some(&(number, range)) = nest.get(numbers.len()) else {
        let place: Vec<Value> = indices
            .iter()
            .map(|index| numbers.iter().find(|(of, _)| of == index).map_or(*index, |&(_, new)| new))
            .collect();
        let element = Type::Scalar(b.func.ty(from).dtype().expect("arrays have elements"));
        let element = b.value(OpKind::LoadRaw, [&[from], &place[..]].concat(), element);
        b.effect(OpKind::StoreRaw, [&[to, element], &place[..]].concat());
        return;
    };
    b.for_loop(range, &[], |b, new, _| {
        numbers.push((number, new));
        copy_elements(b, nest, indices, numbers, [from, to]);
        numbers.pop();
        vec![]
    });
}

/// What stands in a block and is an operation, or holds it.
fn within(layout: &Layout, op: Op, block: Option<Block>) -> Option<Op> {
    std::iter::once(op).chain(layout.ancestors(op)).find(|&around| layout.block_of(around) == block)
}

/// Whether what a loop starts from is made beside it, used by it once, and else by loads and stores of elements before it.
fn is_seen_by_elements(func: &Function, layout: &Layout, uses: &Uses, first: Value, looped: Op) -> bool {
    let home = func.def_op(first).and_then(|made| layout.block_of(made));
    // In a loop around, the array is made anew for each time.
    home.is_some()
        && home == layout.block_of(looped)
        && (is_shared_zeros(func, uses, first, looped)
            || uses.of(first).iter().filter(|one| one.op == looped).count() == 1
                && only_elements(func, uses, first, looped, &|op| layout.is_before(op, looped)))
}

/// Whether an array is zeros that several carried values start from, and nobody else looks at.
fn is_shared_zeros(func: &Function, uses: &Uses, first: Value, looped: Op) -> bool {
    func.def_op(first).is_some_and(|op| func.ops[op].kind == OpKind::Zeros)
        && uses.of(first).iter().all(|one| one.op == looped)
}

/// The one store into the next array, which is else carried on, and loaded where the store was: the same element behind it, any behind the
/// loops around it.
fn only_store(func: &Function, layout: &Layout, uses: &Uses, new: Value, end: Op) -> Option<Op> {
    let mut stores =
        uses.of(new).iter().filter(|one| func.ops[one.op].kind == OpKind::StoreRaw && one.index == 0);
    let store = stores.next()?.op;
    let body = layout.block_of(end);
    let nest = within(layout, store, body)?;
    let is_there = |load: Op| {
        let own = &func.ops[load];
        let same = own.kind == OpKind::LoadRaw && own.args[1..] == func.ops[store].args[2..];
        let behind =
            |around: Option<Op>, what| around.is_some_and(|op| layout.index_of(op) > layout.index_of(what));
        own.kind == OpKind::LoadRaw && behind(within(layout, load, body), nest)
            || same && behind(within(layout, load, layout.block_of(store)), store)
    };
    let others = || uses.of(new).iter().map(|one| one.op).filter(|&op| op != store);
    let carried = others().filter(|&op| op == end).count();
    (stores.next().is_none() && carried == 1 && others().all(|op| op == end || is_there(op))).then_some(store)
}

/// Whether a store goes to another element in each iteration of the loops within `looped`: its indices are theirs.
fn each_once(func: &Function, layout: &Layout, store: Op, looped: Op) -> bool {
    let around: Vec<Op> = layout.ancestors(store).take_while(|&op| op != looped).collect();
    let indices = &func.ops[store].args[2..];
    let index_of = |op: Op| func.blocks[func.ops[op].regions[0]].params[0];
    let loops = around.iter().all(|&op| func.ops[op].kind == OpKind::For && indices.contains(&index_of(op)));
    loops && around.len() == indices.len()
}

/// Whether a load stands in the block of a store, or in a branch there, before it.
fn comes_first(layout: &Layout, load: Op, store: Op) -> bool {
    within(layout, load, layout.block_of(store))
        .is_some_and(|around| layout.index_of(around) < layout.index_of(store))
}

/// Makes the loop use the array that it starts from.
fn keep(func: &mut Function, found: &Found) {
    let &Found { looped, place, made, .. } = found;
    let data = func.ops[looped].clone();
    let body = data.regions[0];
    let mut first = data.args[3 + place];
    if data.args.iter().filter(|&&arg| arg == first).count() > 1 {
        first = zeros_of_its_own(func, first, looped);
    }
    let mut replacements = Replacements::default();
    replacements.replace(func.blocks[body].params[1 + place], first);
    replacements.replace(func.ops[made].results[0], first);
    replacements.replace(data.results[place], first);

    let end = func.terminator(body).expect("a loop's body ends");
    func.ops[end].args.remove(place);
    let fresh = func.new_block();
    for (at, &param) in func.blocks[body].params.clone().iter().enumerate() {
        if at != 1 + place {
            let ty = func.ty(param);
            let new = func.add_param(fresh, ty);
            replacements.replace(param, new);
        }
    }
    func.blocks[fresh].ops = std::mem::take(&mut func.blocks[body].ops);
    let mut args = data.args;
    args.remove(3 + place);
    let mut results = data.results.clone();
    results.remove(place);
    let types: Vec<_> = results.iter().map(|&result| func.ty(result)).collect();
    let new = func.new_op(OpKind::For, args, &types, vec![fresh], data.loc);
    replacements.replace_all(&results, &func.ops[new].results.clone());
    let (home, at) = rewrite::position(func, looped).expect("the loop stands in a block");
    func.blocks[home].ops[at] = new;
    for &load in &found.behind {
        replacements.replace(func.result(load), found.loaded.expect("there is a load before"));
    }
    let gone: BTreeSet<Op> = found.behind.iter().copied().chain([made]).collect();
    erase_ops(func, &gone);
    replacements.apply(func);
}

fn zeros_of_its_own(func: &mut Function, zeros: Value, looped: Op) -> Value {
    let made = func.def_op(zeros).expect("zeros are made");
    let copy = Cloner::default().op(func, None, made);
    rewrite::insert_before(func, copy, looped);
    func.result(copy)
}
