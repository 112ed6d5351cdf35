//! Looks once at indices that an array holds, before loops that read them again and again.
//!
//! ```text
//!                                                   %g = greatest of %index, as numbers without sign
//! for %t {                                          if %g < %n {
//!     for %i { for %k in %p[%i], %p[%i + 1] {           for %t { for %i { for %k in … {
//!         %x = load_raw %index, %k                          %x = load_raw %index, %k
//!         %at = select (lt %x, 0), (add %x, %n), %x  ⇒      … load_raw %a, %x
//!         check (lt %at, %n), IndexError "…"            } } }
//!         … load_raw %a, %at                        } else { for %t { … } }
//!     } }
//! }
//! ```
//!
//! So are links of a graph, or columns of a sparse matrix, in each step of a search or an iteration. One pass over the array, a vector at a time, is
//! less than what the checks cost where three loops are around one: the same entries are met several times. That is so if the loops have
//! enough iterations for the array, which a search from one vertex of a large graph has not. There, and if any index is negative or too large, the loop as it was runs.
//!
//! Nothing in the loop writes to the array, which is there before it, as is what the indices have to be below of. A constant may be added to an
//! index. Loops of many operations are left alone.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{self, Cloner, Layout, Replacements, erase_ops};
use pydd_ir::{Builder, DType, ElemOp, Function, Level, Module, Op, OpKind, Type, Value};

use super::fast_functions;
use crate::analysis::patterns::{moved, unsigned_comparison, wrapped_index};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "check-once",
    summary: "look once at indices that loops read again and again",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Loops around a check, at least.
const DEPTH: usize = 3;
/// Operations of a loop of which there are to be two, at most, and such loops of a function.
const LONGEST: usize = 250;
const MOST: usize = 4;
/// Elements of an array for each iteration of the loops around those that read it, at most. Iterations of one loop are counted up to
/// `COUNTED`, and those of `LOOPS` loops.
const ELEMENTS: i64 = 64;
const COUNTED: i64 = 1 << 18;
const LOOPS: usize = 3;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module).filter(|func| !func.device) {
        for found in find(func, &summaries) {
            report::indices_once(cx, func, found.looped, found.checks.len());
            split(func, &found);
        }
    }
    Ok(())
}

/// A check of an index that an array holds.
struct Checked {
    check: Op,
    /// What chooses between the index and the same from the end, and the index.
    wrapped: Option<(Value, Value)>,
    array: Value,
    /// What is added to what the array holds, and what the sum has to be below of.
    ahead: i64,
    length: Value,
    /// From where to where the loops around go, as far as that is known before them.
    ranges: Vec<[Value; 2]>,
}

/// A loop with such checks.
struct Found {
    looped: Op,
    checks: Vec<Checked>,
}

fn find(func: &Function, summaries: &Summaries) -> Vec<Found> {
    let candidates: Vec<Checked> = func.hot_ops().into_iter().filter_map(|op| checked(func, op)).collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let (layout, memory) = (Layout::new(func), MemoryInfo::new(func, summaries));
    let loops_of = |op: Op| layout.ancestors(op).filter(|&around| func.ops[around].kind.is_loop());
    let mut found: BTreeMap<Op, Vec<(Checked, usize)>> = BTreeMap::new();
    for mut one in candidates {
        let is_there = |looped: &Op| {
            let before = |value| layout.dominates(func, value, *looped);
            let changes = memory.effects(*looped).changes();
            before(one.array) && before(one.length) && !changes.intersects(memory.classes(one.array))
        };
        let around: Vec<Op> = loops_of(one.check).collect();
        let Some(depth) = around.iter().rposition(is_there) else { continue };
        let looped = around[depth];
        let range = |around: &Op| {
            let data = &func.ops[*around];
            let counts =
                matches!(data.kind, OpKind::For | OpKind::PFor(_)) && func.as_int(data.args[2]) == Some(1);
            let known = counts && data.args[..2].iter().all(|&end| layout.dominates(func, end, looped));
            known.then(|| [data.args[0], data.args[1]])
        };
        one.ranges = around[..=depth].iter().rev().filter_map(range).take(LOOPS).collect();
        found.entry(looped).or_default().push((one, depth + 1));
    }
    let mut all: Vec<Found> = found
        .into_iter()
        .filter_map(|(looped, checks)| {
            // What is looked at for one check serves the others.
            let deep: BTreeSet<Value> =
                checks.iter().filter(|(_, depth)| *depth >= DEPTH).map(|(one, _)| one.array).collect();
            let checks: Vec<Checked> =
                checks.into_iter().map(|(one, _)| one).filter(|one| deep.contains(&one.array)).collect();
            (!checks.is_empty() && size(func, looped) <= LONGEST).then_some(Found { looped, checks })
        })
        .collect();
    let inside = |op: Op, others: &BTreeSet<Op>| layout.ancestors(op).any(|around| others.contains(&around));
    let loops: BTreeSet<Op> = all.iter().map(|one| one.looped).collect();
    all.retain(|one| !inside(one.looped, &loops));
    all.truncate(MOST);
    all
}

fn size(func: &Function, looped: Op) -> usize {
    let mut ops = 0;
    func.ops[looped].regions.iter().for_each(|&region| func.walk(region, &mut |_| ops += 1));
    ops
}

/// `check (lt (u64 %at), (u64 %n))`, where `%at` is a number of an array, be it from the end.
fn checked(func: &Function, check: Op) -> Option<Checked> {
    if !matches!(func.ops[check].kind, OpKind::Check { .. }) {
        return None;
    }
    let [at, length] = unsigned_comparison(func, func.ops[check].args[0])?;
    let (index, wrapped) = match wrapped_index(func, at, &|added| added == length) {
        Some(index) => (index, Some((at, index))),
        None => (at, None),
    };
    let (held, ahead) = moved(func, index);
    let held = match func.ops[func.def_op(held)?].kind {
        OpKind::Cast => func.ops[func.def_op(held)?].args[0],
        _ => held,
    };
    let load = func.def_op(held)?;
    let array = *func.ops[load].args.first()?;
    let is_index = matches!(func.ty(held), Type::Scalar(DType::I32 | DType::I64));
    let suits = func.ops[load].kind == OpKind::LoadRaw
        && is_index
        && func.ty(array).rank() == 1
        && (0..1 << 20).contains(&ahead);
    suits.then_some(Checked { check, wrapped, array, ahead, length, ranges: Vec::new() })
}

/// `if all are in range { the loop without the checks } else { the loop }`
fn split(func: &mut Function, found: &Found) {
    let looped = found.looped;
    let condition = |b: &mut Builder<'_>| {
        let many = has_many_iterations(b, &found.checks);
        let looks = b.region(&[], |b, _| {
            let fit = all_fit(b, &found.checks);
            b.effect(OpKind::Yield, vec![fit]);
        });
        let not = b.region(&[], |b, _| {
            let no = b.bool(false);
            b.effect(OpKind::Yield, vec![no]);
        });
        let fit = b.op(OpKind::If, vec![many], &[Type::BOOL], vec![looks, not]);
        let fit = b.func.result(fit);
        (b.elem(ElemOp::Not, &[fit]), ())
    };
    rewrite::choose(func, looped, condition, |b, ()| {
        let copy = Cloner::default().op(b.func, None, looped);
        let block = b.block;
        b.func.blocks[block].ops.push(copy);
        b.func.ops[copy].results.clone()
    });
    let mut replacements = Replacements::default();
    for (at, index) in found.checks.iter().filter_map(|one| one.wrapped) {
        replacements.replace(at, index);
    }
    erase_ops(func, &found.checks.iter().map(|one| one.check).collect());
    replacements.apply(func);
}

/// The greatest number of an array, each taken without its sign; 0 if there is none.
fn greatest_of(b: &mut Builder<'_>, array: Value) -> Value {
    let held = b.func.ty(array).dtype().expect("arrays have elements");
    let narrow = if held == DType::I32 { DType::U32 } else { DType::U64 };
    let (zero, one, count) = (b.int(0), b.int(1), b.dim(array, 0));
    let none = b.cast(zero, narrow);
    let found = b.for_loop([zero, count, one], &[none], |b, at, carried| {
        let held = b.value(OpKind::LoadRaw, vec![array, at], Type::Scalar(held));
        let held = b.cast(held, narrow);
        vec![b.elem(ElemOp::Max, &[carried[0], held])]
    });
    b.cast(found[0], DType::U64)
}

/// Whether the arrays have few elements for each iteration of loops that is known of before them.
fn has_many_iterations(b: &mut Builder<'_>, checks: &[Checked]) -> Value {
    let mut all = b.bool(true);
    let arrays: BTreeSet<Value> = checks.iter().map(|one| one.array).collect();
    for array in arrays {
        let mut some = b.bool(false);
        let own = checks.iter().filter(|one| one.array == array).map(|one| &one.ranges);
        for ranges in own.collect::<BTreeSet<_>>() {
            let mut iterations = b.int(ELEMENTS);
            for &[start, stop] in ranges {
                let (none, most, count) = (b.int(0), b.int(COUNTED), b.sub(stop, start));
                let count = b.elem(ElemOp::Max, &[count, none]);
                let count = b.elem(ElemOp::Min, &[count, most]);
                iterations = b.mul(iterations, count);
            }
            let length = b.dim(array, 0);
            let few = b.elem(ElemOp::Le, &[length, iterations]);
            some = b.elem(ElemOp::Or, &[some, few]);
        }
        all = b.elem(ElemOp::And, &[all, some]);
    }
    all
}

/// Whether all that the arrays hold is in range.
fn all_fit(b: &mut Builder<'_>, checks: &[Checked]) -> Value {
    let mut all = b.bool(true);
    let mut greatest: BTreeMap<Value, Value> = BTreeMap::new();
    let mut asked = BTreeSet::new();
    for one in checks {
        if !asked.insert((one.array, one.ahead, one.length)) {
            continue;
        }
        let greatest = *greatest.entry(one.array).or_insert_with(|| greatest_of(b, one.array));
        let length = b.cast(one.length, DType::U64);
        // Below this it is no negative number, and no sum wraps.
        let fits = b.elem(ElemOp::Lt, &[greatest, length]);
        all = b.elem(ElemOp::And, &[all, fits]);
        if one.ahead > 0 {
            let ahead = b.int(one.ahead);
            let ahead = b.cast(ahead, DType::U64);
            let sum = b.elem(ElemOp::Add, &[greatest, ahead]);
            let fits = b.elem(ElemOp::Lt, &[sum, length]);
            all = b.elem(ElemOp::And, &[all, fits]);
        }
    }
    all
}
