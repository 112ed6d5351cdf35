//! Makes code of its own for points of two, three and four coordinates.
//!
//! ```text
//! %k = dim[1] %points                          if %k == 3 { for %i { for %j { … three times … } } }
//! for %i { for %j { for %c in 0, %k { … } } } ⇒ else if %k == 2 { … } else if %k == 4 { … }
//!                                              else { for %i { for %j { for %c in 0, %k { … } } } }
//! ```
//!
//! An innermost loop over so few elements costs more than what it does, and keeps the loop around it from being
//! vectorised. It looks at loops with two loops around them, over the last axis of an argument, and leaves long nests alone,
//! but for those within a loop around several; on devices also sums of one array's elements, which memory decides. Neighbours
//! along an axis are no coordinates, and a loop that only repeats is none of the two.

use pydd_ir::rewrite::{self, Cloner, Layout, Uses};
use pydd_ir::{Builder, ElemOp, Function, Level, Module, Op, OpKind, Value};

use super::fast_functions;
use crate::analysis::patterns::{moved_once, param_length};
use crate::array::canonicalize;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "short-axes",
    summary: "make code of its own for points of few coordinates",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// The numbers of coordinates, the most frequent first.
const COORDINATES: [i64; 3] = [3, 2, 4];
/// Operations of a nest, at most.
const LONGEST: usize = 140;
/// Axes of an array of points, at most: a batch of fields of them. Of more axes the last one is that of channels or filters.
const MOST_AXES: u8 = 3;
/// Nests of a function that are looked at.
const NESTS: usize = 8;
/// Operations of copies in a function, at most.
const GROWTH: usize = 600;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let mut changed = false;
    for func in fast_functions(module) {
        for (nest, length) in nests(func) {
            report::short_axes(cx, func, nest, length);
            choose(func, nest, length);
            changed = true;
        }
    }
    if changed {
        (canonicalize::PASS.run)(module, &PassContext::quiet(cx.options))?;
    }
    Ok(())
}

/// Outermost loops, each with the length that loops within have.
fn nests(func: &Function) -> Vec<(Op, Value)> {
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    let mut found: Vec<(Op, Value)> = Vec::new();
    let mut growth = 0;
    for op in func.hot_ops() {
        let data = &func.ops[op];
        if data.kind != OpKind::For {
            continue;
        }
        let mut around: Vec<Op> =
            layout.ancestors(op).filter(|&outer| func.ops[outer].kind.is_loop()).collect();
        let Some(length) = last_axis(func, data.args[1]) else { continue };
        // Of a loop around several nests, as one over time is, the nest that is short.
        let is_long = |nest: Op| size(func, nest) > LONGEST && holds_several(func, nest);
        while around.len() > 2 && around.last().is_some_and(|&nest| is_long(nest)) {
            around.pop();
        }
        let Some(&nest) = around.last() else { continue };
        let known = found.iter().any(|&(other, _)| other == nest || layout.is_inside(other, nest));
        let ops = size(func, nest);
        let mut holds_pfor = !matches!(func.ops[nest].kind, OpKind::For | OpKind::PFor(_));
        func.walk(func.ops[nest].regions[0], &mut |inner| {
            holds_pfor |= matches!(func.ops[inner].kind, OpKind::PFor(_));
        });
        let before = layout.dominates(func, length, nest)
            && !is_for_other_lengths(func, &layout, nest)
            && !is_for_longer_axes(func, &layout, nest, length);
        // What goes over elements alone is one loop over all axes.
        let sums = !data.results.is_empty() || loops_over(func, nest, length) > 1;
        let sums = sums && !(func.device && loads(func, op) < 2);
        if around.iter().filter(|&&outer| counts(&uses, func, outer)).count() >= 2
            && sums
            && !has_neighbours(func, &uses, op)
            && !known
            && ops <= LONGEST
            && !holds_pfor
            && before
            && found.len() < NESTS
            && growth + COORDINATES.len() * ops <= GROWTH
        {
            growth += COORDINATES.len() * ops;
            found.push((nest, length));
        }
    }
    found
}

/// Whether a loop's body has several loops.
fn holds_several(func: &Function, looped: Op) -> bool {
    let holds_loop = |&&op: &&Op| {
        let mut found = func.ops[op].kind.is_loop();
        func.ops[op]
            .regions
            .iter()
            .for_each(|&region| func.walk(region, &mut |inner| found |= func.ops[inner].kind.is_loop()));
        found
    };
    func.blocks[func.ops[looped].regions[0]].ops.iter().filter(holds_loop).count() > 1
}

fn size(func: &Function, nest: Op) -> usize {
    let mut ops = 0;
    func.walk(func.ops[nest].regions[0], &mut |_| ops += 1);
    ops
}

fn loads(func: &Function, looped: Op) -> usize {
    let mut loads = 0;
    func.walk(func.ops[looped].regions[0], &mut |op| {
        loads += usize::from(func.ops[op].kind == OpKind::LoadRaw);
    });
    loads
}

/// Whether a loop's number is asked for.
fn counts(uses: &Uses, func: &Function, looped: Op) -> bool {
    let numbers = matches!(func.ops[looped].kind, OpKind::For | OpKind::PFor(_));
    numbers && !uses.of(func.blocks[func.ops[looped].regions[0]].params[0]).is_empty()
}

/// Whether a loop takes elements beside those at its number.
fn has_neighbours(func: &Function, uses: &Uses, looped: Op) -> bool {
    let number = func.blocks[func.ops[looped].regions[0]].params[0];
    let is_place = |value: Value| {
        uses.of(value).iter().any(|used| {
            matches!(
                func.ops[used.op].kind,
                OpKind::LoadRaw | OpKind::StoreRaw | OpKind::Load | OpKind::Store
            )
        })
    };
    uses.of(number).iter().any(|used| {
        let beside = func.ops[used.op].results.first().copied();
        beside.is_some_and(|beside| moved_once(func, beside).is_some() && is_place(beside))
    })
}

/// How many loops of a nest go over so many elements.
fn loops_over(func: &Function, nest: Op, length: Value) -> usize {
    let mut count = 0;
    func.walk(func.ops[nest].regions[0], &mut |op| {
        let data = &func.ops[op];
        count += usize::from(data.kind == OpKind::For && data.args[1] == length);
    });
    count
}

/// Whether an operation stands in the body for unusual lengths (see [`expect_lengths`](super::expect_lengths)), which is seldom run.
fn is_for_other_lengths(func: &Function, layout: &Layout, op: Op) -> bool {
    let whole = func.blocks[func.entry].ops.last_chunk::<2>();
    let is_choice = whole.is_some_and(|&[choice, end]| {
        func.ops[choice].kind == OpKind::If && func.ops[end].kind == OpKind::Unreachable
    });
    let Some(&[choice, _]) = whole.filter(|_| is_choice) else { return false };
    let mut inner = op;
    while let Some(outer) = layout.parent(inner) {
        if outer == choice {
            return layout.block_of(inner) == Some(func.ops[choice].regions[1]);
        }
        inner = outer;
    }
    false
}

/// Whether an operation stands in the other way of a branch for sums of so few terms (see [`lower`](crate::lower)), if there are any.
fn is_for_longer_axes(func: &Function, layout: &Layout, op: Op, length: Value) -> bool {
    let operands = |value: Value, wanted: ElemOp| {
        let data = &func.ops[func.def_op(value)?];
        (data.kind == OpKind::Elem(wanted)).then_some(&data.args[..])
    };
    let is_few = |value: Value| match operands(value, ElemOp::Le) {
        Some(&[asked, most]) => asked == length && func.as_int(most) == COORDINATES.into_iter().max(),
        _ => false,
    };
    let is_some = |value: Value| matches!(operands(value, ElemOp::Lt), Some(&[none, _]) if func.as_int(none) == Some(0));
    let asks = |condition: Value| match operands(condition, ElemOp::And) {
        Some(&[some, few]) => is_some(some) && is_few(few),
        _ => is_few(condition),
    };
    let mut inner = op;
    layout.ancestors(op).any(|outer| {
        let data = &func.ops[outer];
        let is_other = data.kind == OpKind::If && layout.block_of(inner) == Some(data.regions[1]);
        inner = outer;
        is_other && asks(data.args[0])
    })
}

/// The value, if it is the length of the last axis of an argument.
fn last_axis(func: &Function, length: Value) -> Option<Value> {
    let (array, axis) = param_length(func, length)?;
    let rank = func.ty(array).rank();
    ((2..=MOST_AXES).contains(&rank) && axis + 1 == rank).then_some(length)
}

/// Puts copies of a nest beside it, each for one length.
fn choose(func: &mut Function, nest: Op, length: Value) {
    for count in COORDINATES {
        let is_it = |b: &mut Builder<'_>| {
            let count = b.int(count);
            (b.elem(ElemOp::Eq, &[length, count]), count)
        };
        rewrite::choose(func, nest, is_it, |b, count| {
            let mut cloner = Cloner::default();
            cloner.values.insert(length, count);
            let copy = cloner.op(b.func, None, nest);
            let block = b.block;
            b.func.blocks[block].ops.push(copy);
            b.func.ops[copy].results.clone()
        });
    }
}
