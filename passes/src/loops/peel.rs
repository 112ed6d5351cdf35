//! Takes the first and the last iterations off a loop whose branches ask for them (loop peeling).
//!
//! ```text
//! for %j in 0, %m {                             if 0 < %m { …  store %a, %d, 0 }
//!     %c = gt %j, 0                             for %j in 1, %m {
//!     if %c { … load %a, %j - 1 …       ⇒           … load %a, %j - 1 …
//!     } else { store %a, %d, %j }               }
//! }
//! ```
//!
//! Tables with a border and stencils that leave the edge alone are written with such tests. What is left of the loop has no branch:
//! it becomes vectors, or rows that run side by side ([`wavefront`](super::wavefront)). A test is one that compares the index with a number near the start of the
//! loop, or near its end as written (`j < m - 1`), and branches in which elements are touched must be there. A border of several iterations
//! is a loop that tests as before.
//!
//! The order of iterations stays, so that there is nothing to ask about memory. It looks at loops by one which nothing leaves.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::rewrite::{Cloner, Replacements, inline_block, position};
use pydd_ir::{Builder, ElemOp, Function, Level, Literal, Module, Op, OpKind, Type, Value};

use super::fast_functions;
use crate::analysis::jumps::{runs_to_its_end, stays_in_loop};
use crate::analysis::patterns::{constant_range, counts_up, moved};
use crate::array::canonicalize;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "peel",
    summary: "take first and last iterations off loops that test for them",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O3),
    run,
};

/// Operations of a loop, at most, which is written three times.
const LONGEST: usize = 120;
/// Loops of a function that are changed in a round, at most.
const LOOPS: usize = 8;
/// Loops within each other that are changed.
const ROUNDS: usize = 3;
/// Starts and numbers of iterations beyond this are left alone: nothing near them overflows.
const LARGEST: i64 = 1 << 32;
/// Iterations at least, where their number is known.
const FEWEST: i64 = 8;
/// Iterations that are taken off an end, at most.
pub(super) const MOST: i64 = 4;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    // By function, loops over ends, which test on.
    let mut ends: BTreeMap<String, BTreeSet<Op>> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let mut changed = false;
        // A device has a thread for each iteration, or some for one.
        for func in fast_functions(module).filter(|func| !func.device) {
            let ends = ends.entry(func.name.clone()).or_default();
            let mut done: BTreeSet<Op> = BTreeSet::new();
            let mut count = 0;
            for looped in func.hot_ops() {
                let is_left = ends.contains(&looped) || done.contains(&looped);
                if count >= LOOPS || is_left || !is_candidate(func, looped) {
                    continue;
                }
                let tests = tests(func, looped);
                if !tests.is_empty() {
                    // What is within is looked at in the next round, when it is a copy.
                    func.walk(func.ops[looped].regions[0], &mut |op| {
                        done.insert(op);
                    });
                    done.insert(looped);
                    count += 1;
                    peel(func, looped, &tests, ends);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
        (canonicalize::PASS.run)(module, &PassContext::quiet(cx.options))?;
    }
    Ok(())
}

/// A loop by one from a constant, which nothing leaves, with branches in which elements are touched.
fn is_candidate(func: &Function, looped: Op) -> bool {
    if !counts_up(func, looped) || !stays_in_loop(func, func.ops[looped].regions[0]) {
        return false;
    }
    let few = |[start, stop, _]: [i64; 3]| stop.saturating_sub(start) < FEWEST;
    let starts = func.as_int(func.ops[looped].args[0]).is_some_and(|start| start.abs() < LARGEST);
    let (mut count, mut branches) = (0, false);
    func.walk(func.ops[looped].regions[0], &mut |op| {
        count += 1;
        branches |= func.ops[op].kind == OpKind::If && touches_elements(func, op);
    });
    starts && branches && count <= LONGEST && !constant_range(func, looped).is_some_and(few)
}

fn touches_elements(func: &Function, branch: Op) -> bool {
    let mut touches = false;
    for &region in &func.ops[branch].regions {
        func.walk(region, &mut |op| {
            touches |= matches!(func.ops[op].kind, OpKind::LoadRaw | OpKind::StoreRaw);
        });
    }
    touches
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// A comparison that is the same in all iterations but some at an end.
struct Test {
    op: Op,
    end: End,
    /// How many of them there are.
    count: i64,
    /// What it is elsewhere. Where it is about one iteration, it is the opposite there.
    elsewhere: bool,
}

fn tests(func: &Function, looped: Op) -> Vec<Test> {
    let mut found = Vec::new();
    func.walk(func.ops[looped].regions[0], &mut |op| found.extend(test(func, looped, op)));
    found
}

fn test(func: &Function, looped: Op, op: Op) -> Option<Test> {
    let data = &func.ops[op];
    let (OpKind::Elem(elem), &[a, b]) = (&data.kind, &data.args[..]) else { return None };
    let index = func.blocks[func.ops[looped].regions[0]].params[0];
    if func.ty(a) != Type::I64 {
        return None;
    }
    let ((left, more), (right, less)) = (moved(func, a), moved(func, b));
    // The index on the left.
    let (elem, bound, by) = if left == index {
        (*elem, (right, less), more)
    } else if right == index {
        (elem.exchanged(), (left, more), less)
    } else {
        return None;
    };
    if by.abs() > LARGEST {
        return None;
    }
    // How many iterations it is from the first one's, or from behind the last one's, to what the index is compared with.
    let [start, stop] = [func.ops[looped].args[0], func.ops[looped].args[1]].map(|value| moved(func, value));
    let distance = |(base, at): (Value, i64)| {
        let same =
            base == bound.0 || func.as_int(base).is_some() && func.as_int(base) == func.as_int(bound.0);
        let constants = func.as_int(base).zip(func.as_int(bound.0)).map_or(0, |(a, b)| b.wrapping_sub(a));
        let both = func.as_int(base).is_some() && func.as_int(bound.0).is_some();
        (same || both)
            .then(|| bound.1.wrapping_sub(by).wrapping_sub(at).wrapping_add(if same { 0 } else { constants }))
    };
    let at =
        |end, count, elsewhere| (1..=MOST).contains(&count).then_some(Test { op, end, count, elsewhere });
    let first = distance(start).and_then(|ahead| match elem {
        ElemOp::Gt | ElemOp::Ne => at(End::First, ahead.checked_add(1)?, true),
        ElemOp::Ge => at(End::First, ahead, true),
        ElemOp::Le | ElemOp::Eq => at(End::First, ahead.checked_add(1)?, false),
        ElemOp::Lt => at(End::First, ahead, false),
        _ => None,
    });
    let last = || {
        let before = distance(stop)?.checked_neg()?;
        match elem {
            ElemOp::Lt | ElemOp::Ne => at(End::Last, before, true),
            ElemOp::Le => at(End::Last, before - 1, true),
            ElemOp::Ge | ElemOp::Eq => at(End::Last, before, false),
            ElemOp::Gt => at(End::Last, before - 1, false),
            _ => None,
        }
    };
    first.or_else(last)
}

/// Makes three loops of one: of the first iterations, of the last ones, and of those between.
fn peel(func: &mut Function, looped: Op, tests: &[Test], ends: &mut BTreeSet<Op>) {
    let data = func.ops[looped].clone();
    let [start, stop] = [data.args[0], data.args[1]];
    let most =
        |end: End| tests.iter().filter(|test| test.end == end).map(|test| test.count).max().unwrap_or(0);
    let block = func.new_block();
    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let (mut from, mut to) = (start, stop);
    let mut carried = data.args[3..].to_vec();
    let (first, last) = (most(End::First), most(End::Last));
    if first > 0 {
        let count = b.int(first);
        from = b.add(start, count);
        carried = if first == 1 {
            let some = b.elem(ElemOp::Lt, &[start, stop]);
            single(&mut b, looped, tests, (start, End::First), some, &carried)
        } else {
            let end = b.elem(ElemOp::Min, &[from, stop]);
            several(&mut b, looped, tests, ([start, end], End::First), &carried, ends)
        };
    }
    if last > 0 {
        // Not before the start, so that nothing overflows.
        let (count, stop) = (b.int(last), b.elem(ElemOp::Max, &[from, stop]));
        to = b.sub(stop, count);
        if last > 1 {
            to = b.elem(ElemOp::Max, &[from, to]);
        }
    }
    carried = copy(&mut b, looped, tests, ([from, to], None), &carried).1;
    if last > 0 {
        carried = if last == 1 {
            let some = b.elem(ElemOp::Lt, &[from, stop]);
            single(&mut b, looped, tests, (to, End::Last), some, &carried)
        } else {
            several(&mut b, looped, tests, ([to, stop], End::Last), &carried, ends)
        };
    }
    let made = std::mem::take(&mut func.blocks[block].ops);
    let (home, at) = position(func, looped).expect("the loop stands in a block");
    func.blocks[home].ops.splice(at..=at, made);
    let mut replacements = Replacements::default();
    replacements.replace_all(&data.results, &carried);
    replacements.apply(func);
}

/// A loop over the iterations at an end.
fn several(
    b: &mut Builder<'_>,
    looped: Op,
    tests: &[Test],
    (range, end): ([Value; 2], End),
    carried: &[Value],
    ends: &mut BTreeSet<Op>,
) -> Vec<Value> {
    let (made, results) = copy(b, looped, tests, (range, Some(end)), carried);
    ends.insert(made);
    results
}

/// One iteration, if there is `some`. It is not looked at again.
fn single(
    b: &mut Builder<'_>,
    looped: Op,
    tests: &[Test],
    (index, end): (Value, End),
    some: Value,
    carried: &[Value],
) -> Vec<Value> {
    let types: Vec<Type> = carried.iter().map(|&value| b.func.ty(value)).collect();
    let does = b.region(&[], |b, _| {
        let one = b.int(1);
        let next = b.add(index, one);
        let (made, results) = copy(b, looped, tests, ([index, next], Some(end)), carried);
        b.func.blocks[b.block].ops.pop();
        let results = match runs_to_its_end(b.func, b.func.ops[made].regions[0]) {
            true => {
                let (body, block) = (b.func.ops[made].regions[0], b.block);
                inline_block(b.func, body, &[&[index], carried].concat(), block)
            }
            false => {
                let block = b.block;
                b.func.blocks[block].ops.push(made);
                results
            }
        };
        b.effect(OpKind::Yield, results);
    });
    b.func.blocks[does].cold = true;
    let idle = b.region(&[], |b, _| {
        b.effect(OpKind::Yield, carried.to_vec());
    });
    let choice = b.op(OpKind::If, vec![some], &types, vec![does, idle]);
    b.func.ops[choice].results.clone()
}

/// The loop over a piece of its range, where tests are known: in the iterations between, and that for its end where that is one iteration.
fn copy(
    b: &mut Builder<'_>,
    looped: Op,
    tests: &[Test],
    ([from, to], end): ([Value; 2], Option<End>),
    carried: &[Value],
) -> (Op, Vec<Value>) {
    let mut cloner = Cloner::default();
    let made = cloner.op(b.func, None, looped);
    for test in tests {
        // The first iterations may be the last ones as well, but the last ones are first ones only if those were not taken off.
        let is_single = tests.iter().filter(|other| other.end == test.end).all(|other| other.count == 1);
        let known = match (end, test.end) {
            (None, _) | (Some(End::Last), End::First) => Some(test.elsewhere),
            (Some(own), asked) if own == asked && is_single => Some(!test.elsewhere),
            _ => None,
        };
        if let Some(known) = known {
            let result = cloner.values.get(b.func.result(test.op)).expect("stands in the loop");
            let op = b.func.def_op(result).expect("was copied");
            b.func.ops[op].kind = OpKind::Const(Literal::Bool(known));
            b.func.ops[op].args.clear();
        }
    }
    let step = b.func.ops[looped].args[2];
    b.func.ops[made].args = [&[from, to, step], carried].concat();
    let block = b.block;
    b.func.blocks[block].ops.push(made);
    (made, b.func.ops[made].results.clone())
}
