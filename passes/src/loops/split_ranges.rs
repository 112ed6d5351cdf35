//! Cuts the range of a loop where remainders of its index wrap (index set splitting).
//!
//! ```text
//! for %i in 0, %n {                     for %i in 0, 1 { %l = select (lt (sub %i, 1), 0), …, … }
//!     %l = mod (sub %i, 1), %n          for %i in 1, %n - 1 { %l = sub %i, 1   %r = add %i, 1 }
//!     %r = mod (add %i, 1), %n     ⇒    for %i in %n - 1, %n { … }
//!     … load %a[%l], %a[%r] …
//! }
//! ```
//!
//! Neighbours on a torus and rolled arrays are read so. What is left of the range has indices that follow each other, without a
//! division, and becomes vectors. A test before the loop makes sure that no index is further than a period from the range of
//! remainders; else the loop runs as it is. Where there is one remainder alone, the pieces at both ends are free of it as well:
//! that is what rolling by half of a length takes.
//!
//! The order of iterations stays, so that there is nothing to ask about memory. It looks at innermost loops by one which nothing leaves, for
//! divisors that do not change in them, and leaves `i % k` alone, which mostly goes round many times.

use pydd_ir::rewrite::{self, Cloner, Layout};
use pydd_ir::{Builder, ElemOp, Function, Level, Module, Op, OpKind, Type, Value};

use super::{fast_functions, is_number, take_out};
use crate::analysis::jumps::stays_in_loop;
use crate::analysis::patterns::counts_up;
use crate::array::canonicalize;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "split-ranges",
    summary: "cut ranges of loops where remainders of the index wrap",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Operations of a loop, at most, which is written four times.
const LONGEST: usize = 200;
/// Loops of a function that are cut, at most.
const LOOPS: usize = 8;
/// How far sums that make up an index are followed.
const DEPTH: u32 = 4;
/// Offsets and divisors are below this, so that no sum of a few of them and an index overflows.
const LARGEST: i64 = 1 << 59;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let mut changed = false;
    // A device has a thread for each iteration, or some for one.
    for func in fast_functions(module).filter(|func| !func.device) {
        for looped in
            func.hot_ops().into_iter().filter(|&op| is_candidate(func, op)).take(LOOPS).collect::<Vec<_>>()
        {
            // Its copies do not compute them anew: setting up a division takes time.
            take_out(func, looped, is_number);
            if let Some(found) = remainders(func, looped) {
                split(func, looped, &found);
                changed = true;
            }
        }
    }
    if changed {
        (canonicalize::PASS.run)(module, &PassContext::quiet(cx.options))?;
    }
    Ok(())
}

/// `(index + offset) % divisor`
struct Remainder {
    op: Op,
    /// Values that make up the offset, each with its sign.
    offset: Vec<(Value, i64)>,
    divisor: Value,
}

/// Whether a loop is an innermost one by one that holds a remainder, and nothing leaves it.
fn is_candidate(func: &Function, looped: Op) -> bool {
    if !counts_up(func, looped) || !stays_in_loop(func, func.ops[looped].regions[0]) {
        return false;
    }
    let (mut count, mut innermost, mut divides) = (0, true, false);
    func.walk(func.ops[looped].regions[0], &mut |op| {
        let kind = &func.ops[op].kind;
        count += 1;
        innermost &= !kind.is_loop();
        divides |= *kind == OpKind::Elem(ElemOp::Mod);
    });
    innermost && divides && count <= LONGEST
}

/// The remainders of a loop, if it is worth it.
fn remainders(func: &Function, looped: Op) -> Option<Vec<Remainder>> {
    let layout = Layout::new(func);
    let body = func.ops[looped].regions[0];
    let index = func.blocks[body].params[0];
    let mut ops = Vec::new();
    func.walk(body, &mut |op| ops.push(op));
    let found: Vec<Remainder> =
        ops.into_iter().filter_map(|op| remainder(func, &layout, looped, index, op)).collect();
    let goes_round_once = found.iter().any(|remainder| {
        let is_zero = |&(value, _): &(Value, i64)| func.as_int(value) == Some(0);
        !remainder.offset.iter().all(is_zero) && func.as_int(remainder.divisor).is_none()
    });
    goes_round_once.then_some(found)
}

fn remainder(func: &Function, layout: &Layout, looped: Op, index: Value, op: Op) -> Option<Remainder> {
    let data = &func.ops[op];
    let (OpKind::Elem(ElemOp::Mod), &[sum, divisor]) = (&data.kind, &data.args[..]) else { return None };
    if func.ty(divisor) != Type::I64 || !layout.dominates(func, divisor, looped) {
        return None;
    }
    let mut terms = Vec::new();
    collect(func, layout, looped, (sum, 1), DEPTH, &mut terms)?;
    let at = terms.iter().position(|&term| term == (index, 1))?;
    terms.remove(at);
    // A whole period more or less changes nothing.
    terms.retain(|&(value, _)| value != divisor);
    let stays = |&(value, _): &(Value, i64)| layout.dominates(func, value, looped);
    terms.iter().all(stays).then_some(Remainder { op, offset: terms, divisor })
}

/// The terms of a sum: what is there before the loop is one.
fn collect(
    func: &Function,
    layout: &Layout,
    looped: Op,
    (value, sign): (Value, i64),
    depth: u32,
    terms: &mut Vec<(Value, i64)>,
) -> Option<()> {
    let sum = func.def_op(value).map(|op| &func.ops[op]);
    if let Some(data) = sum
        && let OpKind::Elem(elem @ (ElemOp::Add | ElemOp::Sub)) = data.kind
        && !layout.dominates(func, value, looped)
    {
        let depth = depth.checked_sub(1)?;
        let other = if elem == ElemOp::Add { sign } else { -sign };
        collect(func, layout, looped, (data.args[0], sign), depth, terms)?;
        return collect(func, layout, looped, (data.args[1], other), depth, terms);
    }
    terms.push((value, sign));
    Some(())
}

/// A remainder whose offset is computed before the loop.
struct Cut {
    op: Op,
    offset: Value,
    divisor: Value,
}

fn split(func: &mut Function, looped: Op, found: &[Remainder]) {
    let [start, stop] = [func.ops[looped].args[0], func.ops[looped].args[1]];
    let condition = |b: &mut Builder<'_>| {
        let cuts: Vec<Cut> = found.iter().map(|remainder| offset(b, remainder)).collect();
        let mut holds = b.bool(true);
        for cut in distinct(&cuts) {
            let near = is_near(b, cut, [start, stop]);
            holds = b.elem(ElemOp::And, &[holds, near]);
        }
        (holds, cuts)
    };
    rewrite::choose(func, looped, condition, |b, cuts| pieces(b, looped, &cuts, [start, stop]));
    // Divisions keep the loop as it was from vectors anyway.
    let (otherwise, _) = rewrite::position(func, looped).expect("the loop stands in a block");
    func.blocks[otherwise].cold = true;
}

/// Each offset and divisor once.
fn distinct(cuts: &[Cut]) -> Vec<&Cut> {
    let mut found: Vec<&Cut> = Vec::new();
    for cut in cuts {
        if !found.iter().any(|other| (other.offset, other.divisor) == (cut.offset, cut.divisor)) {
            found.push(cut);
        }
    }
    found
}

fn offset(b: &mut Builder<'_>, remainder: &Remainder) -> Cut {
    let constants = remainder.offset.iter().map(|&(value, sign)| Some((b.func.as_int(value)?, sign)));
    let sum = constants.collect::<Option<Vec<_>>>().and_then(|terms| {
        terms.into_iter().try_fold(0i64, |sum, (value, sign)| sum.checked_add(value.checked_mul(sign)?))
    });
    let offset = match sum {
        Some(sum) => b.int(sum),
        None => {
            let zero = b.int(0);
            let add = |sum, &(value, sign): &(Value, i64)| {
                b.elem(if sign > 0 { ElemOp::Add } else { ElemOp::Sub }, &[sum, value])
            };
            let sum = remainder.offset.iter().fold(zero, add);
            least_offset(b, sum, remainder.divisor)
        }
    };
    Cut { op: remainder.op, offset, divisor: remainder.divisor }
}

/// The same offset but for a period, so that it is near 0: to roll back by one is to roll by a length less one. One that is so large
/// that this overflows stays large.
fn least_offset(b: &mut Builder<'_>, offset: Value, divisor: Value) -> Value {
    let two = b.int(2);
    let half = b.elem(ElemOp::FloorDiv, &[divisor, two]);
    let is_above = b.elem(ElemOp::Lt, &[half, offset]);
    let less = b.sub(offset, divisor);
    let zero = b.int(0);
    let opposite = b.sub(zero, half);
    let is_below = b.elem(ElemOp::Lt, &[offset, opposite]);
    let more = b.add(offset, divisor);
    let other = b.select(is_below, more, offset);
    b.select(is_above, less, other)
}

/// Whether all indices with the offset are between a period below 0 and two above it, and nothing overflows on the way to it.
fn is_near(b: &mut Builder<'_>, cut: &Cut, [start, stop]: [Value; 2]) -> Value {
    let [largest, least] = [LARGEST, -LARGEST].map(|limit| b.int(limit));
    let &Cut { offset, divisor, .. } = cut;
    let zero = b.int(0);
    let below = b.sub(zero, divisor);
    let first = b.sub(below, offset);
    let twice = b.add(divisor, divisor);
    let last = b.sub(twice, offset);
    let tests = [
        b.elem(ElemOp::Lt, &[zero, divisor]),
        b.elem(ElemOp::Le, &[divisor, largest]),
        b.elem(ElemOp::Le, &[least, offset]),
        b.elem(ElemOp::Le, &[offset, largest]),
        b.elem(ElemOp::Le, &[first, start]),
        b.elem(ElemOp::Le, &[stop, last]),
    ];
    let [first, rest @ ..] = tests;
    rest.into_iter().fold(first, |all, test| b.elem(ElemOp::And, &[all, test]))
}

/// What a remainder is in a piece of the range.
#[derive(Clone, Copy)]
enum Piece {
    /// So many periods more than the index with the offset.
    Exactly(i64),
    /// Only the index itself tells.
    Any,
}

/// The loop in three pieces; gives its results.
fn pieces(b: &mut Builder<'_>, looped: Op, cuts: &[Cut], [start, stop]: [Value; 2]) -> Vec<Value> {
    let (mut from, mut to) = (start, stop);
    let zero = b.int(0);
    let several = distinct(cuts).len() > 1;
    for cut in distinct(cuts) {
        let first = b.sub(zero, cut.offset);
        from = b.elem(ElemOp::Max, &[from, first]);
        let end = b.sub(cut.divisor, cut.offset);
        to = b.elem(ElemOp::Min, &[to, end]);
    }
    let from = b.elem(ElemOp::Min, &[from, stop]);
    let to = b.elem(ElemOp::Max, &[from, to]);
    let carried = b.func.ops[looped].args[3..].to_vec();
    let [before, behind] = if several { [Piece::Any; 2] } else { [Piece::Exactly(1), Piece::Exactly(-1)] };
    let carried = piece(b, looped, cuts, ([start, from], before), carried);
    let carried = piece(b, looped, cuts, ([from, to], Piece::Exactly(0)), carried);
    piece(b, looped, cuts, ([to, stop], behind), carried)
}

/// The loop over a piece of its range, of which those that are not known exactly are mostly short.
fn piece(
    b: &mut Builder<'_>,
    looped: Op,
    cuts: &[Cut],
    ([from, to], piece): ([Value; 2], Piece),
    carried: Vec<Value>,
) -> Vec<Value> {
    if matches!(piece, Piece::Exactly(_)) {
        return copy(b, looped, cuts, ([from, to], piece), &carried);
    }
    let types: Vec<Type> = carried.iter().map(|&value| b.func.ty(value)).collect();
    let none = b.elem(ElemOp::Le, &[to, from]);
    let idle = b.region(&[], |b, _| {
        b.effect(OpKind::Yield, carried.clone());
    });
    let some = b.region(&[], |b, _| {
        let results = copy(b, looped, cuts, ([from, to], piece), &carried);
        b.effect(OpKind::Yield, results);
    });
    b.func.blocks[some].cold = true;
    let choice = b.op(OpKind::If, vec![none], &types, vec![idle, some]);
    b.func.ops[choice].results.clone()
}

fn copy(
    b: &mut Builder<'_>,
    looped: Op,
    cuts: &[Cut],
    ([from, to], piece): ([Value; 2], Piece),
    carried: &[Value],
) -> Vec<Value> {
    let periods = |b: &mut Builder<'_>, cut: &Cut| match piece {
        Piece::Exactly(1) => b.add(cut.offset, cut.divisor),
        Piece::Exactly(-1) => b.sub(cut.offset, cut.divisor),
        _ => cut.offset,
    };
    let offsets: Vec<Value> = cuts.iter().map(|cut| periods(b, cut)).collect();
    let mut cloner = Cloner::default();
    let made = cloner.op(b.func, None, looped);
    let body = b.func.ops[made].regions[0];
    let index = b.func.blocks[body].params[0];
    for (cut, offset) in cuts.iter().zip(offsets) {
        let result = cloner.values.get(b.func.ops[cut.op].results[0]).expect("stands in the loop");
        let op = b.func.def_op(result).expect("was copied");
        match piece {
            Piece::Exactly(_) => {
                b.func.ops[op].kind = OpKind::Elem(ElemOp::Add);
                b.func.ops[op].args = vec![index, offset];
            }
            Piece::Any => choose_period(b.func, op, [index, offset, cut.divisor]),
        }
    }
    let step = b.func.ops[looped].args[2];
    b.func.ops[made].args = [&[from, to, step], carried].concat();
    let block = b.block;
    b.func.blocks[block].ops.push(made);
    b.func.ops[made].results.clone()
}

/// Makes a remainder the one of three sums that is in its range.
fn choose_period(func: &mut Function, op: Op, [index, offset, divisor]: [Value; 3]) {
    let (home, at) = rewrite::position(func, op).expect("stands in a block");
    let made = func.new_block();
    let mut b = Builder::new(func, made);
    b.loc = b.func.ops[op].loc;
    let sum = b.add(index, offset);
    let zero = b.int(0);
    let is_below = b.elem(ElemOp::Lt, &[sum, zero]);
    let more = b.add(sum, divisor);
    let is_within = b.elem(ElemOp::Lt, &[sum, divisor]);
    let less = b.sub(sum, divisor);
    let other = b.select(is_within, sum, less);
    func.ops[op].kind = OpKind::Elem(ElemOp::Select);
    func.ops[op].args = vec![is_below, more, other];
    let made = std::mem::take(&mut func.blocks[made].ops);
    func.blocks[home].ops.splice(at..at, made);
}
