//! Carries the elements of small arrays that a loop makes anew in each iteration, instead of the arrays.
//!
//! ```text
//! %r = for %t in 0, %n, carried %y as %old {         %x = if 0 < %n { load_raw %y, 0 } …   %v = …
//!     … load_raw %old, 0 … load_raw %old, 1 …        for %t in 0, %n, carried %x as %a, %v as %b {
//!     %new = empty 2                             ⇒       … %a … %b …
//!     store_raw %new, %p, 0                              continue %p, %q
//!     store_raw %new, %q, 1                          }
//!     continue %new
//! }
//! ```
//!
//! So the state of `y = y + h * rhs(y)` is in registers. All elements are named by constants, each is stored once and read only behind
//! that; what the loop starts from is read where the first iteration would have read it, before anything there may raise. What it
//! leaves is not asked for, but for elements, or is made of them again where the loop starts from such an array of the function's own.
//!
//! It leaves loops alone in which something else is written that may be what the loop starts from.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{self, Layout, Replacements, Uses, build_before, erase_ops};
use pydd_ir::{Block, Builder, ElemOp, Function, Level, Module, Op, OpKind, Type, Value};

use super::fast_functions;
use super::scalarize::small_array;
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::only_elements;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "carry-elements",
    summary: "carry the elements of small arrays that loops make anew",
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
        while let Some(found) = find(func, &summaries) {
            carry(func, &found);
        }
    }
    Ok(())
}

/// The indices of an element.
type Place = Vec<i64>;

/// An array that a loop carries.
struct Found {
    looped: Op,
    /// Its place among what is carried.
    at: usize,
    made: Op,
    /// By element, what is stored, and the operation that does so.
    stores: BTreeMap<Place, (Value, Op)>,
    /// Loads of elements of the old array, of the new one, and of what the loop leaves.
    of_old: Vec<(Op, Place)>,
    of_new: Vec<(Op, Place)>,
    of_result: Vec<(Op, Place)>,
    /// The loop starts from an array of the function's own, which has all elements.
    is_own: bool,
    /// What the loop leaves is used as a whole.
    is_left: bool,
}

fn carries_arrays(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    data.kind == OpKind::For && data.results.iter().any(|&result| func.ty(result).is_array())
}

fn find(func: &Function, summaries: &Summaries) -> Option<Found> {
    let loops: Vec<Op> = func.hot_ops().into_iter().filter(|&op| carries_arrays(func, op)).collect();
    if loops.is_empty() {
        return None;
    }
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    let memory = MemoryInfo::new(func, summaries);
    let finder = Finder { func, layout: &layout, uses: &uses, memory: &memory };
    loops.into_iter().find_map(|looped| {
        let ends = runs_to_its_end(func, func.ops[looped].regions[0]);
        let count = if ends { func.ops[looped].results.len() } else { 0 };
        (0..count).find_map(|at| finder.suits(looped, at))
    })
}

struct Finder<'a> {
    func: &'a Function,
    layout: &'a Layout,
    uses: &'a Uses,
    memory: &'a MemoryInfo,
}

impl Finder<'_> {
    fn suits(&self, looped: Op, at: usize) -> Option<Found> {
        let func = self.func;
        let data = &func.ops[looped];
        let body = data.regions[0];
        let (first, old) = (data.args[3 + at], func.blocks[body].params[1 + at]);
        let end = func.terminator(body)?;
        let new = func.ops[end].args[at];
        let made = func.def_op(new).filter(|&made| self.layout.block_of(made) == Some(body))?;
        let dims = small_array(func, made).filter(|_| func.ops[made].kind == OpKind::Empty)?;
        if func.ty(first) != func.ty(new) {
            return None;
        }
        let (mut stores, mut of_new) = (BTreeMap::new(), Vec::new());
        for one in self.uses.of(new).iter().filter(|one| one.op != end) {
            if let Some(place) = self.element(one.op, OpKind::LoadRaw) {
                of_new.push((one.op, place));
                continue;
            }
            let place = self.element(one.op, OpKind::StoreRaw).filter(|_| one.index == 0)?;
            let is_here = self.layout.block_of(one.op) == Some(body);
            if !is_here || stores.insert(place, (func.ops[one.op].args[1], one.op)).is_some() {
                return None;
            }
        }
        let is_behind = |(load, place): &(Op, Place)| {
            let around = self.in_block(*load, body);
            around
                .zip(stores.get(place))
                .is_some_and(|(load, &(_, store))| self.layout.is_before(store, load))
        };
        let count: i64 = dims.iter().product();
        let once = self.uses.of(new).iter().filter(|one| one.op == end).count() == 1;
        if !once || stores.len() as i64 != count || !of_new.iter().all(is_behind) {
            return None;
        }
        let of_old = self.loads(old)?;
        let is_own = func.def_op(first).is_some_and(|own| small_array(func, own).as_ref() == Some(&dims));
        let of_result = self.loads(data.results[at]);
        // What stands behind a check that never holds may be beyond the array.
        let mut looked_at = of_old.iter().chain(of_result.iter().flatten());
        if !looked_at.all(|(_, place)| stores.contains_key(place)) {
            return None;
        }
        let is_left = of_result.is_none();
        // Where the loop does not run, elements that it does not read are not known to be there.
        let asked = is_left || of_result.as_ref().is_some_and(|loads| !loads.is_empty());
        let starts =
            if is_own { self.is_own_only(first, looped) } else { !asked && self.reads_first(body, &of_old) };
        let found = Found {
            looped,
            at,
            made,
            stores,
            of_old,
            of_new,
            of_result: of_result.unwrap_or_default(),
            is_own,
            is_left,
        };
        (starts && writes_to_none_of(func, self.memory, body, old, new)).then_some(found)
    }

    /// Loads of elements named by constants, if these are all uses.
    fn loads(&self, array: Value) -> Option<Vec<(Op, Place)>> {
        let load = |op| Some((op, self.element(op, OpKind::LoadRaw)?));
        self.uses.of(array).iter().map(|one| load(one.op)).collect()
    }

    fn element(&self, op: Op, kind: OpKind) -> Option<Place> {
        let data = &self.func.ops[op];
        let skip = 1 + usize::from(kind == OpKind::StoreRaw);
        if data.kind != kind {
            return None;
        }
        data.args[skip..].iter().map(|&index| self.func.as_int(index)).collect()
    }

    /// The operation of a block that an operation is, or is part of.
    fn in_block(&self, op: Op, block: Block) -> Option<Op> {
        std::iter::once(op)
            .chain(self.layout.ancestors(op))
            .find(|&op| self.layout.block_of(op) == Some(block))
    }

    /// Whether an array of the function's own is made beside the loop and changed before it alone, so that nobody can tell it from what the loop
    /// leaves where it does not run.
    fn is_own_only(&self, first: Value, looped: Op) -> bool {
        let home = self.func.def_op(first).and_then(|made| self.layout.block_of(made));
        only_elements(self.func, self.uses, first, looped, &|op| self.layout.is_before(op, looped))
            && home == self.layout.block_of(looped)
            && self.uses.of(first).iter().filter(|one| one.op == looped).count() == 1
    }

    /// Whether each iteration reads elements before anything in it may raise.
    fn reads_first(&self, body: Block, of_old: &[(Op, Place)]) -> bool {
        let ops = &self.func.blocks[body].ops;
        let quiet = ops.iter().take_while(|&&op| !self.memory.effects(op).may_exit()).count();
        let read: BTreeSet<&Place> =
            of_old.iter().filter(|(load, _)| ops[..quiet].contains(load)).map(|(_, place)| place).collect();
        of_old.iter().all(|(_, place)| read.contains(place))
    }
}

/// Whether nothing in a loop's body writes to the array that an iteration begins with; into the next one it may.
pub(super) fn writes_to_none_of(
    func: &Function,
    memory: &MemoryInfo,
    body: Block,
    old: Value,
    new: Value,
) -> bool {
    let mut stays = true;
    func.walk(body, &mut |op| {
        let data = &func.ops[op];
        if !data.regions.is_empty() {
            return;
        }
        stays &= match data.kind {
            OpKind::StoreRaw | OpKind::UpdateRaw(_) => {
                data.args[0] == new || !memory.may_alias(data.args[0], old)
            }
            _ => !memory.effects(op).changes().intersects(memory.classes(old)),
        };
    });
    stays
}

/// Makes the loop carry the elements.
fn carry(func: &mut Function, found: &Found) {
    let Found { looped, at, made, stores, .. } = found;
    let data = func.ops[*looped].clone();
    let (body, result) = (data.regions[0], data.results[*at]);
    let first = data.args[3 + at];
    let end = func.terminator(body).expect("a loop's body ends");
    let read: BTreeSet<&Place> = found.of_old.iter().map(|(_, place)| place).collect();

    let mut args = data.args.clone();
    args.remove(3 + at);
    let dtype = func.ty(first).dtype().expect("arrays have elements");
    let starts = build_before(func, *looped, |b| {
        let mut runs = None;
        let mut start = |place: &Place| {
            let indices: Vec<Value> = place.iter().map(|&index| b.int(index)).collect();
            let load = |b: &mut Builder<'_>| {
                b.value(OpKind::LoadRaw, [&[first], &indices[..]].concat(), Type::Scalar(dtype))
            };
            if found.is_own {
                return load(b);
            }
            if !read.contains(place) {
                return b.number(0.0, dtype);
            }
            let runs = *runs.get_or_insert_with(|| runs_at_all(b, &data.args));
            let there = b.region(&[], |b, _| {
                let element = load(b);
                b.effect(OpKind::Yield, vec![element]);
            });
            let nothing = b.region(&[], |b, _| {
                let none = b.number(0.0, dtype);
                b.effect(OpKind::Yield, vec![none]);
            });
            let chosen = b.op(OpKind::If, vec![runs], &[Type::Scalar(dtype)], vec![there, nothing]);
            b.func.ops[chosen].results[0]
        };
        stores.keys().map(&mut start).collect::<Vec<Value>>()
    });
    args.extend(&starts);

    let mut replacements = Replacements::default();
    let fresh = func.new_block();
    for (index, &param) in func.blocks[body].params.clone().iter().enumerate() {
        if index != 1 + at {
            let ty = func.ty(param);
            let new = func.add_param(fresh, ty);
            replacements.replace(param, new);
        }
    }
    let carried: BTreeMap<&Place, Value> = stores
        .keys()
        .zip(&starts)
        .map(|(place, &start)| {
            let ty = func.ty(start);
            (place, func.add_param(fresh, ty))
        })
        .collect();
    func.ops[end].args.remove(*at);
    let next: Vec<Value> = stores.values().map(|&(value, _)| value).collect();
    func.ops[end].args.extend(next);
    func.blocks[fresh].ops = std::mem::take(&mut func.blocks[body].ops);

    let mut results = data.results.clone();
    results.remove(*at);
    let types: Vec<_> = results.iter().chain(&starts).map(|&value| func.ty(value)).collect();
    let new = func.new_op(OpKind::For, args, &types, vec![fresh], data.loc);
    let made_results = func.ops[new].results.clone();
    let (kept, elements) = made_results.split_at(results.len());
    replacements.replace_all(&results, kept);
    let (home, place) = rewrite::position(func, *looped).expect("the loop stands in a block");
    func.blocks[home].ops[place] = new;
    let left: BTreeMap<&Place, Value> = stores.keys().zip(elements.iter().copied()).collect();
    if found.is_left {
        let array = left_behind(func, (home, place + 1), *made, &left);
        replacements.replace(result, array);
    }
    for (load, place) in &found.of_old {
        replacements.replace(func.result(*load), carried[place]);
    }
    for (load, place) in &found.of_new {
        replacements.replace(func.result(*load), stores[place].0);
    }
    for (load, place) in &found.of_result {
        replacements.replace(func.result(*load), left[place]);
    }
    let loads = found.of_old.iter().chain(&found.of_new).chain(&found.of_result).map(|(load, _)| *load);
    let gone: BTreeSet<Op> = loads.chain(stores.values().map(|&(_, store)| store)).chain([*made]).collect();
    erase_ops(func, &gone);
    replacements.apply(func);
}

/// Whether a range has a step.
pub(super) fn runs_at_all(b: &mut Builder<'_>, range: &[Value]) -> Value {
    let &[start, stop, step] = &range[..3] else { unreachable!("a range has three ends") };
    match b.func.as_int(step) {
        Some(1..) => b.elem(ElemOp::Lt, &[start, stop]),
        Some(_) => b.elem(ElemOp::Lt, &[stop, start]),
        None => {
            let none = b.int(0);
            let rises = b.elem(ElemOp::Lt, &[none, step]);
            let (up, down) = (b.elem(ElemOp::Lt, &[start, stop]), b.elem(ElemOp::Lt, &[stop, start]));
            b.select(rises, up, down)
        }
    }
}

/// An array of the elements that a loop leaves.
fn left_behind(
    func: &mut Function,
    (home, at): (Block, usize),
    made: Op,
    elements: &BTreeMap<&Place, Value>,
) -> Value {
    let data = func.ops[made].clone();
    let ty = func.ty(data.results[0]);
    let scratch = func.new_block();
    let mut b = Builder { func: &mut *func, block: scratch, loc: data.loc };
    let length = |&length: &Value| b.func.as_int(length).expect("a small array");
    let lengths: Vec<i64> = data.args.iter().map(length).collect();
    let lengths = lengths.into_iter().map(|length| b.int(length)).collect();
    let array = b.value(OpKind::Empty, lengths, ty);
    for (place, &element) in elements {
        let indices: Vec<Value> = place.iter().map(|&index| b.int(index)).collect();
        b.effect(OpKind::StoreRaw, [&[array, element], &indices[..]].concat());
    }
    let ops = std::mem::take(&mut func.blocks[scratch].ops);
    func.blocks[home].ops.splice(at..at, ops);
    array
}
