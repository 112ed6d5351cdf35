//! Runs several iterations of a loop at once whose time goes into a loop within that holds nothing but numbers.
//!
//! ```text
//! for %i in 0, %n {                          for %i in 0, %n, 16 {
//!     %x = …                                     %x0 = …, %x1 = …, …
//!     %r = loop %x {                             %r0, %r1, … = loop %x0, …, all {
//!         … break %y unless c                        …; lanes with c go on, %r0 = select c0, %r0, %y0, …
//!         continue %z                   ⇒            break unless any goes on
//!     }                                              continue %z0, %z1, …
//!     store %r, %a[%i]                           }
//! }                                              store %r0, %a[%i] …
//!                                            }
//! ```
//!
//! A lane is an iteration. Lanes whose loop has ended wait for the others: they go on computing what nobody looks at, so that all
//! of it becomes vectors without branches, which LLVM's vectoriser of straight code sees. In the last group the last iteration stands
//! for those that are not there. A few iterations are a loop as it was.
//!
//! No iteration writes what another one reads: iterations write to other memory than they read, or the outer loop has no order
//! ([`independent`](crate::analysis::independent)). What stands before the loop within has no effect,
//! and what stands behind it neither raises nor loops, and runs in the order of the iterations. A loop within that touches memory,
//! holds another one, or branches for what is computed stays as it is; but for elements that every step loads, where each step needs the
//! one before: Horner's rule, the nearest of some points. Loops of a few steps within are written out for that.

mod divergence;
mod joined;
mod masked;
mod steps;
mod unswitch;

use std::collections::BTreeMap;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout, Replacements, Uses, erase_op, index_in, position, replace_op};
use pydd_ir::{Block, Builder, DType, ElemOp, Function, Level, Module, Op, OpKind, ShortPower, Type, Value};

use self::divergence::Divergence;
use self::masked::Writer;
use super::{carry_squares, fast_functions};
use crate::analysis::independent::Finder;
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::counts_up;
use crate::pass::{Finding, Need, OptLevel, Options, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "lanes",
    summary: "run several iterations at once around loops that compute numbers",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O3),
    run,
};

/// Bits of a lane: of a float64.
const LANE: u32 = 64;
/// Vectors side by side, since each waits for what it computed before.
const VECTORS: u32 = 2;
/// So many times as many where steps are of few operations, and carry few numbers.
const MORE: usize = 4;
const FEW: usize = 20;
const CARRIED: usize = 2;
/// Lanes that are worth it.
const LEAST: usize = 4;
/// Operations of a loop within, at least: fewer are not worth the lanes' masks. And at most: registers.
const OPS: std::ops::RangeInclusive<usize> = 3..=80;
/// Of how many lanes at least one has to be there.
const LEAST_SHARE: i64 = 3;
/// The cost of an operation that is one instruction.
const INSTRUCTION: i64 = 8;

/// How many iterations go side by side.
#[must_use]
pub fn width(options: &Options) -> Option<usize> {
    let width = options.vector_bits / LANE * VECTORS;
    usize::try_from(width).ok().filter(|&width| width >= LEAST)
}

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let Some(width) = width(cx.options) else { return Ok(()) };
    let summaries = Summaries::of_callees(module);
    // A device has a thread for each iteration.
    for func in fast_functions(module).filter(|func| !func.device) {
        let candidates: Vec<Candidate> =
            func.hot_ops().into_iter().filter_map(|op| candidate(func, &summaries, cx, op, width)).collect();
        for Candidate { outer, inner, width } in candidates {
            let mut trial = func.clone();
            carry_squares::in_loop(&mut trial, inner);
            steps::shared_elements_last(&mut trial, inner);
            if write(&mut trial, outer, inner, width).is_some() {
                let within = func.ops[inner].loc;
                report::in_lanes(cx, func, outer, within, width);
                *func = trial;
            }
        }
    }
    Ok(())
}

/// Iterations that may go side by side.
struct Candidate {
    outer: Op,
    inner: Op,
    width: usize,
}

/// Whether iterations of a loop may go side by side; the loops within it are made one for that, and what all iterations ask is asked
/// before.
fn candidate(
    func: &mut Function,
    summaries: &Summaries,
    cx: &PassContext<'_>,
    outer: Op,
    width: usize,
) -> Option<Candidate> {
    let strict_fp = cx.options.strict_fp;
    // A loop around it may have been copied.
    position(func, outer)?;
    if let Some(found) = Candidate::new(func, outer, width, strict_fp) {
        let width = if waits(func, found.inner) { width * MORE } else { width };
        return free(func, summaries, strict_fp, Candidate { width, ..found });
    }
    // A step computes enough to fill the time that it needs.
    let fewer = (width / VECTORS as usize).max(LEAST);
    if let Some(prepared) = steps::prepared(func, outer)
        && let Some(found) = Candidate::new(&prepared, outer, fewer, strict_fp)
    {
        *func = prepared;
        return free(func, summaries, strict_fp, found);
    }
    let (unswitched, copy) = unswitch::unswitched(func, outer)?;
    let (new, found) = match Candidate::new(&unswitched, copy, width, strict_fp) {
        Some(found) => (unswitched, found),
        None => {
            let prepared = steps::prepared(&unswitched, copy)?;
            let found = Candidate::new(&prepared, copy, fewer, strict_fp)?;
            (prepared, found)
        }
    };
    let found = free(&new, summaries, strict_fp, found)?;
    *func = new;
    Some(found)
}

impl Candidate {
    fn new(func: &Function, outer: Op, width: usize, strict_fp: bool) -> Option<Self> {
        let at = inner_loop(func, outer, strict_fp)?;
        Some(Self { outer, inner: func.blocks[func.ops[outer].regions[0]].ops[at], width })
    }
}

/// Whether the steps of a loop compute so little that most of the time goes into waiting for the one before, and are the same for all
/// iterations around it.
fn waits(func: &Function, inner: Op) -> bool {
    let data = &func.ops[inner];
    let (mut straight, mut count) = (data.kind == OpKind::For && data.args.len() - 3 <= CARRIED, 0);
    func.walk(data.regions[0], &mut |op| {
        straight &= matches!(func.ops[op].kind, OpKind::Const(_) | OpKind::Elem(_) | OpKind::Continue(0));
        count += usize::from(matches!(func.ops[op].kind, OpKind::Elem(_)));
    });
    straight && count <= FEW
}

/// The candidate if no iteration needs what others write.
fn free(func: &Function, summaries: &Summaries, strict_fp: bool, found: Candidate) -> Option<Candidate> {
    let memory = MemoryInfo::new(func, summaries);
    let at = index_in(func, func.ops[found.outer].regions[0], found.inner)?;
    let free = surroundings(func, &memory, found.outer, at)
        && (reads_no_results(func, &memory, found.outer, at)
            || Finder::new(func, summaries, strict_fp).has_no_order(found.outer));
    free.then_some(found)
}

/// Where in the body of a `for` that counts up by one the loop stands that holds nothing but numbers, and can be written for lanes.
pub fn loop_of_numbers(func: &Function, op: Op, strict_fp: bool) -> Option<usize> {
    let at = inner_loop(func, op, strict_fp)?;
    let inner = func.blocks[func.ops[op].regions[0]].ops[at];
    steps::loads_of_steps(func, op, inner).is_empty().then_some(at)
}

/// Where in the body of a `for` that counts up by one the loop stands that can be written for lanes.
fn inner_loop(func: &Function, op: Op, strict_fp: bool) -> Option<usize> {
    let data = &func.ops[op];
    if !counts_up(func, op) || !runs_to_its_end(func, data.regions[0]) {
        return None;
    }
    let ops = &func.blocks[data.regions[0]].ops;
    let mut loops = ops.iter().enumerate().filter(|(_, op)| holds_loop(func, **op));
    let (at, &inner) = loops.next()?;
    (loops.next().is_none() && fits(func, op, inner, strict_fp)).then_some(at)
}

/// Whether an operation is a loop, or one is within it.
fn holds_loop(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let within = |&region: &Block| func.blocks[region].ops.iter().any(|&op| holds_loop(func, op));
    data.kind.is_breakable() || data.regions.iter().any(within)
}

/// Whether an operation holds a loop, and nothing else but numbers.
fn fits(func: &Function, outer: Op, inner: Op, strict_fp: bool) -> bool {
    let layout = Layout::new(func);
    let of_steps = steps::loads_of_steps(func, outer, inner);
    let (mut loops, mut count, mut floats, mut fit) = (0, 0, 0, true);
    let mut visit = |op: Op| {
        let data = &func.ops[op];
        let scalar = |&value: &Value| matches!(func.ty(value), Type::Scalar(dtype) if suits(dtype));
        let operands = if data.kind == OpKind::LoadRaw { &data.args[1..] } else { &data.args };
        fit &= data.results.iter().all(scalar) && operands.iter().all(scalar);
        match data.kind {
            OpKind::LoadRaw => {
                let fixed = operands.iter().all(|&index| layout.dominates(func, index, inner));
                fit &= layout.dominates(func, data.args[0], outer) && (fixed || of_steps.contains(&op));
            }
            OpKind::Elem(elem) => {
                count += 1;
                floats += usize::from(data.args.iter().any(|&arg| is_float(func, arg)));
                // Of elementary functions only exponentials have no branch, for rare arguments.
                let straight = matches!(elem, ElemOp::Exp | ElemOp::Exp2);
                fit &= elem.cost() <= INSTRUCTION
                    || straight
                    || ShortPower::of_op(func, op, strict_fp).is_some();
                fit &= !matches!(elem, ElemOp::FloorDiv | ElemOp::Mod | ElemOp::Fmod);
                fit &=
                    !(elem == ElemOp::Div && func.ty(data.results[0]).dtype().is_some_and(DType::is_complex));
            }
            OpKind::Cast => fit &= !is_float(func, data.args[0]) || is_float(func, data.results[0]),
            OpKind::Loop | OpKind::For => loops += 1,
            OpKind::Const(_) | OpKind::If | OpKind::Scope => {}
            OpKind::Yield | OpKind::Break(_) | OpKind::Continue(_) => {}
            _ => fit = false,
        }
    };
    visit(inner);
    func.ops[inner].regions.iter().for_each(|&region| func.walk(region, &mut visit));
    fit && loops == 1 && floats > 0 && OPS.contains(&count)
}

fn suits(dtype: DType) -> bool {
    dtype.is_float() || dtype.is_complex() || matches!(dtype, DType::I64 | DType::I32 | DType::Bool)
}

fn is_float(func: &Function, value: Value) -> bool {
    func.ty(value).dtype().is_some_and(|dtype| dtype.is_float() || dtype.is_complex())
}

/// Whether what stands before the loop within has no effect and does not use what iterations carry, and whether what stands behind it
/// neither raises nor loops.
fn surroundings(func: &Function, memory: &MemoryInfo, op: Op, inner: usize) -> bool {
    let data = &func.blocks[func.ops[op].regions[0]];
    let carried = &data.params[1..];
    data.ops.iter().enumerate().all(|(at, &op)| {
        let effects = memory.effects(op);
        let terminates = func.ops[op].kind.is_terminator();
        let quiet = terminates || !(effects.may_exit() || effects.io || effects.owns || effects.allocates);
        if at > inner {
            return quiet && !holds_loop(func, op);
        }
        let uses_carried = uses_any(func, op, carried);
        (at == inner || quiet && effects.writes.is_empty()) && !uses_carried
    })
}

/// Whether iterations write to no memory that they read before.
fn reads_no_results(func: &Function, memory: &MemoryInfo, op: Op, inner: usize) -> bool {
    let ops = &func.blocks[func.ops[op].regions[0]].ops;
    let (before, behind) = ops.split_at(inner + 1);
    behind.iter().all(|&writer| {
        let writes = &memory.effects(writer).writes;
        before.iter().all(|&reader| !memory.effects(reader).touches(writes))
    })
}

/// Whether an operation or one within it has one of these operands.
fn uses_any(func: &Function, op: Op, values: &[Value]) -> bool {
    let data = &func.ops[op];
    let mut found = data.args.iter().any(|arg| values.contains(arg));
    for &region in &data.regions {
        func.walk(region, &mut |inner| found |= func.ops[inner].args.iter().any(|arg| values.contains(arg)));
    }
    found
}

/// The parts of a loop that becomes groups of iterations.
struct Outer {
    body: Block,
    inner: usize,
    width: usize,
    divergence: Divergence,
    uses: Uses,
}

/// Moves loads at places that do not change in the inner loop before it. What the loop would not have loaded must not be loaded
/// beside its array, so that the indices are kept within it, unless it is what the first step loads.
fn load_before(func: &mut Function, outer: Op, inner: Op) -> Option<()> {
    let layout = Layout::new(func);
    let mut loads = Vec::new();
    let range = match (&func.ops[inner].kind, &func.ops[inner].args[..]) {
        (OpKind::For, &[start, stop, step, ..]) => match func.as_int(step) {
            Some(1..) => Some((ElemOp::Lt, [start, stop])),
            Some(..=-1) => Some((ElemOp::Gt, [start, stop])),
            _ => None,
        },
        _ => None,
    };
    let known = range.filter(|(_, ends)| ends.iter().all(|&end| layout.dominates(func, end, outer)));
    for &region in &func.ops[inner].regions {
        func.walk(region, &mut |op| {
            let data = &func.ops[op];
            if data.kind == OpKind::LoadRaw
                && data.args.iter().all(|&index| layout.dominates(func, index, inner))
            {
                loads.push((op, known.is_some() && steps::comes_first(func, &layout, inner, op)));
            }
        });
    }
    for (load, comes_first) in loads {
        let data = func.ops[load].clone();
        let (array, ty) = (data.args[0], func.ty(data.results[0]));
        let outside = func.new_block();
        let mut b = Builder::new(func, outside);
        let (zero, one) = (b.int(0), b.int(1));
        let mut filled = match known.filter(|_| comes_first) {
            // Whether the loop has a step.
            Some((by, ends)) => b.elem(by, &ends),
            None => b.bool(true),
        };
        let mut lasts = Vec::new();
        for axis in (0..b.func.ty(array).rank()).filter(|_| !comes_first) {
            let length = b.dim(array, axis);
            let some = b.elem(ElemOp::Gt, &[length, zero]);
            filled = b.elem(ElemOp::And, &[filled, some]);
            lasts.push(b.sub(length, one));
        }
        let before = func.new_block();
        let mut b = Builder::new(func, before);
        b.loc = data.loc;
        let loaded = b.region(&[], |b, _| {
            let mut args = if comes_first { data.args.clone() } else { vec![array] };
            for (&index, &last) in data.args[1..].iter().zip(&lasts) {
                let index = b.elem(ElemOp::Min, &[index, last]);
                args.push(b.elem(ElemOp::Max, &[index, zero]));
            }
            let value = b.value(OpKind::LoadRaw, args, ty);
            b.effect(OpKind::Yield, vec![value]);
        });
        let none = b.region(&[], |b, _| {
            let value = b.number(0.0, ty.dtype().expect("an element"));
            b.effect(OpKind::Yield, vec![value]);
        });
        let chosen = b.op(OpKind::If, vec![filled], &[ty], vec![loaded, none]);
        let value = func.result(chosen);
        for (made, target) in [(outside, outer), (before, inner)] {
            let ops = std::mem::take(&mut func.blocks[made].ops);
            let (home, at) = position(func, target)?;
            func.blocks[home].ops.splice(at..at, ops);
        }
        replace_op(func, load, &[value]);
    }
    Some(())
}

/// Puts the groups, and what is left over, in the loop's place.
fn write(func: &mut Function, op: Op, inner: Op, width: usize) -> Option<()> {
    let body = func.ops[op].regions[0];
    steps::constants_before(func, body, op);
    load_before(func, op, inner)?;
    let data = func.ops[op].clone();
    let inner = index_in(func, body, inner)?;
    let outer = Outer { body, inner, width, divergence: Divergence::new(func, body), uses: Uses::new(func) };
    let (start, stop) = (data.args[0], data.args[1]);
    let (home, at) = position(func, op)?;
    let lanes = i64::try_from(width).ok()?;

    let block = func.new_block();
    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let types: Vec<Type> = data.results.iter().map(|&value| b.func.ty(value)).collect();
    let least = b.int(lanes / LEAST_SHARE + 1);
    let some = b.elem(ElemOp::Lt, &[start, stop]);
    let count = b.sub(stop, start);
    let enough = b.elem(ElemOp::Ge, &[count, least]);
    let many = b.elem(ElemOp::And, &[some, enough]);
    let mut written = Some(());
    let grouped = b.region(&[], |b, _| {
        let by = b.int(lanes);
        let results = b.for_loop([start, stop, by], &data.args[3..], |b, index, carried| {
            group(b, &outer, index, stop, carried).unwrap_or_else(|| {
                written = None;
                carried.to_vec()
            })
        });
        b.effect(OpKind::Yield, results);
    });
    written?;
    let single = b.region(&[], |b, _| {
        let looped = b.op(OpKind::For, data.args.clone(), &types, vec![body]);
        let results = b.func.ops[looped].results.clone();
        b.effect(OpKind::Yield, results);
    });
    let either = b.op(OpKind::If, vec![many], &types, vec![grouped, single]);
    let results = func.ops[either].results.clone();

    let made = std::mem::take(&mut func.blocks[block].ops);
    func.blocks[home].ops.splice(at..at, made);
    let mut replacements = Replacements::default();
    replacements.replace_all(&data.results, &results);
    erase_op(func, op);
    replacements.apply(func);
    Some(())
}

/// The iterations from `first` on, as many as there are lanes or as are left before `stop`. Gives what they carry.
fn group(
    b: &mut Builder<'_>,
    outer: &Outer,
    first: Value,
    stop: Value,
    carried: &[Value],
) -> Option<Vec<Value>> {
    let ops = b.func.blocks[outer.body].ops.clone();
    let params = b.func.blocks[outer.body].params.clone();
    let (before, behind) = (&ops[..outer.inner], &ops[outer.inner + 1..]);
    let lanes = i64::try_from(outer.width).ok()?;
    let width = b.int(lanes);
    let rest = b.sub(stop, first);
    let full = b.elem(ElemOp::Ge, &[rest, width]);

    // What stands before the loop, each operation side by side, as vectors have them. The last iteration stands for those that
    // are not there.
    let made: Vec<Value> = before.iter().flat_map(|&op| b.func.ops[op].results.iter().copied()).collect();
    let of_lanes = |b: &mut Builder<'_>, indices: Vec<Value>| {
        let mut cloners = vec![Cloner::default(); outer.width];
        for (cloner, &index) in cloners.iter_mut().zip(&indices) {
            cloner.values.insert(params[0], index);
        }
        for &op in before {
            for cloner in &mut cloners {
                let copy = cloner.op(b.func, None, op);
                b.func.blocks[b.block].ops.push(copy);
            }
        }
        let mut values = indices;
        for &value in &made {
            let lanes: Vec<Value> = cloners.iter().filter_map(|cloner| cloner.values.get(value)).collect();
            values.extend(masked::pack(b, &lanes));
        }
        b.effect(OpKind::Yield, values);
    };
    let whole = b.region(&[], |b, _| {
        let indices = (0..lanes).map(|lane| offset(b, first, lane)).collect();
        of_lanes(b, indices);
    });
    let partial = b.region(&[], |b, _| {
        let one = b.int(1);
        let last = b.sub(rest, one);
        let mut index = |lane| {
            let lane = b.int(lane);
            let there = b.elem(ElemOp::Min, &[lane, last]);
            b.add(first, there)
        };
        let indices = (0..lanes).map(&mut index).collect();
        of_lanes(b, indices);
    });
    let each: Vec<Value> = std::iter::once(params[0]).chain(made.iter().copied()).collect();
    let yielded = b.func.terminator(whole)?;
    let types: Vec<Type> = b.func.ops[yielded].args.iter().map(|&value| b.func.ty(value)).collect();
    let begun = b.op(OpKind::If, vec![full], &types, vec![whole, partial]);
    let mut results = b.func.ops[begun].results.clone();
    let mut begun: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for value in each {
        let complex = masked::is_complex(b.func, value);
        begun.insert(value, masked::unpack(b, complex, outer.width, &mut results));
    }

    let mut writer = Writer::new(b.func, b.block, outer.width, &outer.divergence, &outer.uses);
    for (&value, lanes) in &begun {
        writer.insert(value, lanes.clone());
    }
    let inner = ops[outer.inner];
    writer.op(inner)?;
    let results = writer.func.ops[inner].results.clone();
    let results = results.into_iter().filter(|&value| !outer.uses.is_unused(value));
    let results: Vec<(Value, masked::Lanes)> = results.map(|value| (value, writer.lanes(value))).collect();

    // What stands behind it, lane after lane.
    let run = |b: &mut Builder<'_>, lane: usize, carried: &[Value]| {
        let mut cloner = Cloner::default();
        begun.iter().for_each(|(&value, lanes)| cloner.values.insert(value, lanes[lane]));
        results.iter().for_each(|(value, lanes)| cloner.values.insert(*value, lanes.of(lane)));
        cloner.values.insert_all(&params[1..], carried);
        for &op in behind {
            let copy = cloner.op(b.func, None, op);
            b.func.blocks[b.block].ops.push(copy);
        }
        let end = b.func.blocks[b.block].ops.pop().expect("bodies end");
        b.func.ops[end].args.clone()
    };
    let types: Vec<Type> = carried.iter().map(|&value| b.func.ty(value)).collect();
    let whole = b.region(&[], |b, _| {
        let last = (0..outer.width).fold(carried.to_vec(), |carried, lane| run(b, lane, &carried));
        b.effect(OpKind::Yield, last);
    });
    let partial = b.region(&[], |b, _| {
        let last = (0..outer.width).fold(carried.to_vec(), |carried, lane| {
            let number = b.int(i64::try_from(lane).expect("few lanes"));
            let there = b.elem(ElemOp::Lt, &[number, rest]);
            let first = b.region(&[], |b, _| {
                let values = run(b, lane, &carried);
                b.effect(OpKind::Yield, values);
            });
            let second = b.region(&[], |b, _| {
                b.effect(OpKind::Yield, carried.clone());
            });
            let chosen = b.op(OpKind::If, vec![there], &types, vec![first, second]);
            b.func.ops[chosen].results.clone()
        });
        b.effect(OpKind::Yield, last);
    });
    let ended = b.op(OpKind::If, vec![full], &types, vec![whole, partial]);
    Some(b.func.ops[ended].results.clone())
}

fn offset(b: &mut Builder<'_>, index: Value, lane: i64) -> Value {
    if lane == 0 {
        return index;
    }
    let lane = b.int(lane);
    b.add(index, lane)
}
