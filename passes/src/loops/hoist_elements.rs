//! Loads an element before the loop of which one iteration writes it.
//!
//! ```text
//!                                               %x = load_raw %a, %i, %k
//! for %j in %lo, %hi {                          if %lo <= %k < %hi { iteration %k; %y = load_raw %a, %i, %k }
//!     %v = load_raw %a, %i, %k                  if %x = %y {
//!     … load_raw %a, %k, %j …                       for %j in %lo, %hi { … %x … }
//!     store_raw %a, …, %i, %j            ⇒      } else {
//! }                                                 for %j in %lo, %k { … %x … }
//!                                                   for %j in %k + 1, %hi { … %y … }
//!                                               }
//! ```
//!
//! Shortest paths between all pairs, closures of relations and eliminations read an element of the row that they write. What is left has
//! no iteration that needs another one, and becomes vectors. Since each iteration touches elements of its own index alone, but for the
//! one that is hoisted, the iteration that writes that one may run first. Mostly it leaves the element as it is: then one loop does, that
//! runs that iteration again and finds all as it was, if it stores nothing else. An element of a row that is another one, as a test before the loop sees, is
//! not written at all.
//!
//! It looks at innermost loops of nothing but numbers and elements, which carry nothing.

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{self, Cloner, Layout, Replacements};
use pydd_ir::{Block, Builder, ElemOp, Function, Level, Module, Op, OpKind, Type, Value};

use super::{fast_functions, is_number, take_out};
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::{constant_range, counts_up, raw_element};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "hoist-elements",
    summary: "load an element before the loop of which one iteration writes it",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Operations of a loop, at most, which is written four times.
const LONGEST: usize = 60;
/// Loops of a function that are changed, at most.
const LOOPS: usize = 8;
/// Iterations, at least, where their number is known.
const FEWEST: i64 = 16;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    // A device has a thread for each iteration, or some for one.
    for func in fast_functions(module).filter(|func| !func.device) {
        let loops: Vec<Op> =
            func.hot_ops().into_iter().filter(|&op| is_candidate(func, op)).take(LOOPS).collect();
        for looped in loops {
            take_out(func, looped, is_number);
            let found = find(func, &MemoryInfo::new(func, &summaries), looped);
            if let Some(found) = found {
                hoist(func, looped, &found);
            }
        }
    }
    Ok(())
}

/// A loop by one that carries nothing, of numbers and elements alone, whose iterations run to their end.
fn is_candidate(func: &Function, looped: Op) -> bool {
    if !counts_up(func, looped) || !func.ops[looped].results.is_empty() {
        return false;
    }
    if constant_range(func, looped).is_some_and(|[start, stop, _]| stop.saturating_sub(start) < FEWEST) {
        return false;
    }
    let body = func.ops[looped].regions[0];
    let (mut plain, mut ops) = (runs_to_its_end(func, body), Vec::new());
    func.walk(body, &mut |op| {
        ops.push(op);
        plain &= match &func.ops[op].kind {
            OpKind::LoadRaw | OpKind::StoreRaw | OpKind::If | OpKind::Yield | OpKind::Continue(0) => true,
            kind => is_number(kind),
        };
    });
    plain && ops.len() <= LONGEST && reads_elsewhere(func, &ops)
}

/// Whether one element is loaded and another one of the same array is stored.
fn reads_elsewhere(func: &Function, ops: &[Op]) -> bool {
    let of = |kind: OpKind| {
        let elements = ops.iter().filter(move |&&op| func.ops[op].kind == kind);
        elements.filter_map(|&op| raw_element(func, op))
    };
    of(OpKind::StoreRaw).any(|a| of(OpKind::LoadRaw).any(|b| a[0] == b[0] && a.last() != b.last()))
}

/// An element that stays where it is.
struct Fixed {
    load: Op,
    /// Array and indices.
    element: Vec<Value>,
    /// Whether not all iterations load it, so that it may not be there.
    sometimes: bool,
}

#[derive(Default)]
struct Found {
    /// Loads of the one element that an iteration may write.
    own: Vec<Fixed>,
    /// Loads of elements that are not written if the indices of one of these pairs differ, each with its pairs.
    other: Vec<(Fixed, Vec<Vec<[Value; 2]>>)>,
    /// Whether every iteration stores one element and no more.
    stores_one: bool,
    /// Whether the iteration that writes the element may run again where it left it as it was: it stores nothing else, and loads the
    /// element before it stores it.
    repeats: bool,
}

fn find(func: &Function, memory: &MemoryInfo, looped: Op) -> Option<Found> {
    let body = func.ops[looped].regions[0];
    let index = func.blocks[body].params[0];
    let layout = Layout::new(func);
    let stays = |value: Value| layout.dominates(func, value, looped);
    let (mut loads, mut loads_first, mut stores) = (Vec::new(), Vec::new(), Vec::new());
    func.walk(body, &mut |op| match func.ops[op].kind {
        OpKind::LoadRaw => {
            loads.push(op);
            if stores.is_empty() {
                loads_first.push(op);
            }
        }
        OpKind::StoreRaw => stores.push(op),
        _ => {}
    });
    let element = |op: Op| raw_element(func, op).expect("it is an element's");
    // Whether two elements are of one array, and of one iteration each.
    let side_by_side =
        |a: &[Value], b: &[Value]| a[0] == b[0] && [a, b].iter().all(|e| e.last() == Some(&index));
    let stores_one = stores.len() == 1 && func.blocks[body].ops.contains(&stores[0]);
    let mut found = Found { stores_one, ..Found::default() };
    for &store in &stores {
        let written = element(store);
        let meets = |other: &[Value]| memory.may_alias(other[0], written[0]);
        stores
            .iter()
            .map(|&op| element(op))
            .all(|other| !meets(&other) || side_by_side(&other, &written))
            .then_some(())?;
        for &load in &loads {
            let read = element(load);
            if !meets(&read) || side_by_side(&read, &written) {
                continue;
            }
            // Of the array that is written as well, whose row does not change.
            let is_fixed = read[0] == written[0]
                && written.last() == Some(&index)
                && read.iter().chain(&written[..written.len() - 1]).all(|&value| stays(value));
            is_fixed.then_some(())?;
            let rows = 1..read.len() - 1;
            let pairs: Vec<[Value; 2]> =
                rows.map(|axis| [read[axis], written[axis]]).filter(|[a, b]| a != b).collect();
            let sometimes = !func.blocks[body].ops.contains(&load);
            found.add(Fixed { load, element: read, sometimes }, pairs)?;
        }
    }
    found.repeats = found.own.iter().all(|own| {
        let (_, row) = own.element.split_last().expect("an element has an index");
        loads_first.contains(&own.load) && stores.iter().all(|&store| element(store).starts_with(row))
    });
    (!(found.own.is_empty() && found.other.is_empty())).then_some(found)
}

impl Found {
    fn all(&self) -> impl Iterator<Item = &Fixed> {
        self.own.iter().chain(self.other.iter().map(|(fixed, _)| fixed))
    }

    /// Notes a load of an element that a store may write unless the indices of one of these pairs differ. `None` if there is more than
    /// one element to be watched.
    fn add(&mut self, fixed: Fixed, pairs: Vec<[Value; 2]>) -> Option<()> {
        let known = self.other.iter_mut().find(|(other, _)| other.load == fixed.load);
        match (pairs.is_empty(), known) {
            (true, known) => {
                known.is_none().then_some(())?;
                self.own.iter().all(|own| own.element == fixed.element).then_some(())?;
                if self.own.iter().all(|own| own.load != fixed.load) {
                    self.own.push(fixed);
                }
            }
            (false, Some((_, all))) => all.push(pairs),
            (false, None) => {
                self.own.iter().all(|own| own.load != fixed.load).then_some(())?;
                self.other.push((fixed, vec![pairs]));
            }
        }
        Some(())
    }
}

/// What the copy of an iteration at the end of a block stores, if that is one element. It is not stored: a loop that loads it in
/// a vector soon after would wait.
fn take_stored(func: &mut Function, block: Block) -> Value {
    let ops = &mut func.blocks[block].ops;
    let at = ops.iter().rposition(|&op| func.ops[op].kind == OpKind::StoreRaw).expect("it stores one");
    let store = ops.remove(at);
    func.ops[store].args[1]
}

fn hoist(func: &mut Function, looped: Op, found: &Found) {
    let [start, stop] = [func.ops[looped].args[0], func.ops[looped].args[1]];
    let condition = |b: &mut Builder<'_>| {
        let mut holds = b.elem(ElemOp::Lt, &[start, stop]);
        for pairs in found.other.iter().flat_map(|(_, all)| all) {
            let differ: Vec<Value> = pairs.iter().map(|pair| b.elem(ElemOp::Ne, pair)).collect();
            let [first, rest @ ..] = &differ[..] else { unreachable!("a row is another one by an index") };
            let apart = rest.iter().fold(*first, |any, &one| b.elem(ElemOp::Or, &[any, one]));
            holds = b.elem(ElemOp::And, &[holds, apart]);
        }
        for fixed in found.all().filter(|fixed| fixed.sometimes) {
            let exists = exists(b, &fixed.element);
            holds = b.elem(ElemOp::And, &[holds, exists]);
        }
        (holds, ())
    };
    rewrite::choose(func, looped, condition, |b, ()| {
        let mut values = Vec::new();
        for (fixed, _) in &found.other {
            let value = load(b, &fixed.element);
            values.push((fixed.load, value));
        }
        match found.own.first() {
            Some(own) => pieces(b, looped, found, &own.element, &values),
            None => copy(b, looped, [start, stop], &values),
        }
        Vec::new()
    });
}

/// Whether the indices of an element are within its array.
fn exists(b: &mut Builder<'_>, element: &[Value]) -> Value {
    let zero = b.int(0);
    let mut holds = b.bool(true);
    for (axis, &index) in (0..).zip(&element[1..]) {
        let length = b.dim(element[0], axis);
        for (less, pair) in [(ElemOp::Le, [zero, index]), (ElemOp::Lt, [index, length])] {
            let within = b.elem(less, &pair);
            holds = b.elem(ElemOp::And, &[holds, within]);
        }
    }
    holds
}

fn load(b: &mut Builder<'_>, element: &[Value]) -> Value {
    let dtype = b.func.ty(element[0]).dtype().expect("an array has elements");
    b.value(OpKind::LoadRaw, element.to_vec(), Type::Scalar(dtype))
}

/// The loop with the element as it is before and behind the iteration that writes it.
fn pieces(b: &mut Builder<'_>, looped: Op, found: &Found, element: &[Value], values: &[(Op, Value)]) {
    let [start, stop] = [b.func.ops[looped].args[0], b.func.ops[looped].args[1]];
    let at = *element.last().expect("an element has an index");
    let with = |own: Value| -> Vec<(Op, Value)> {
        found.own.iter().map(|fixed| (fixed.load, own)).chain(values.iter().copied()).collect()
    };
    let before = load(b, element);
    let ty = b.func.ty(before);
    let from = b.elem(ElemOp::Le, &[start, at]);
    let to = b.elem(ElemOp::Lt, &[at, stop]);
    let inside = b.elem(ElemOp::And, &[from, to]);
    let runs = b.region(&[], |b, _| {
        let body = b.func.ops[looped].regions[0];
        let block = b.block;
        rewrite::inline_block(b.func, body, &[at], block);
        let behind = if found.stores_one { take_stored(b.func, block) } else { load(b, element) };
        let same = if found.repeats { is_same(b, before, behind) } else { b.bool(false) };
        b.effect(OpKind::Yield, vec![behind, same]);
    });
    let idle = b.region(&[], |b, _| {
        let same = b.bool(true);
        b.effect(OpKind::Yield, vec![before, same]);
    });
    let choice = b.op(OpKind::If, vec![inside], &[ty, Type::BOOL], vec![runs, idle]);
    let [behind, same] = [0, 1].map(|result| b.func.ops[choice].results[result]);
    let whole = b.region(&[], |b, _| {
        copy(b, looped, [start, stop], &with(before));
        b.effect(OpKind::Yield, Vec::new());
    });
    let parts = b.region(&[], |b, _| {
        if found.stores_one {
            let args = [&[element[0], behind], &element[1..]].concat();
            b.effect(OpKind::StoreRaw, args);
        }
        copy(b, looped, [start, at], &with(before));
        let one = b.int(1);
        let next = b.add(at, one);
        copy(b, looped, [next, stop], &with(behind));
        b.effect(OpKind::Yield, Vec::new());
    });
    b.op(OpKind::If, vec![same], &[], vec![whole, parts]);
}

/// Whether a number has certainly not changed. Zeros of both signs are equal, so a zero counts as changed, as does what is not a number.
fn is_same(b: &mut Builder<'_>, before: Value, behind: Value) -> Value {
    let dtype = b.func.ty(before).dtype().expect("it is a number");
    if dtype.is_complex() {
        return b.bool(false);
    }
    let same = b.elem(ElemOp::Eq, &[before, behind]);
    if !dtype.is_float() {
        return same;
    }
    let zero = b.number(0.0, dtype);
    let some = b.elem(ElemOp::Ne, &[before, zero]);
    b.elem(ElemOp::And, &[same, some])
}

/// The loop over a piece of its range, with numbers in the place of loads.
fn copy(b: &mut Builder<'_>, looped: Op, [from, to]: [Value; 2], values: &[(Op, Value)]) {
    let mut cloner = Cloner::default();
    let made = cloner.op(b.func, None, looped);
    let mut replacements = Replacements::default();
    for &(load, value) in values {
        let loaded = cloner.values.get(b.func.result(load)).expect("stands in the loop");
        replacements.replace(loaded, value);
        let copied = b.func.def_op(loaded).expect("is loaded");
        rewrite::erase_op(b.func, copied);
    }
    let step = b.func.ops[looped].args[2];
    b.func.ops[made].args = vec![from, to, step];
    let block = b.block;
    b.func.blocks[block].ops.push(made);
    replacements.apply(b.func);
}
