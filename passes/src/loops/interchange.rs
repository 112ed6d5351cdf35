//! Runs a loop over time within the loop over elements, where each element only needs itself.
//!
//! ```text
//! for %t in 0, %n {                              for %i in 0, %m {
//!     for %i in 0, %m {                              %z = load_raw %a, %i
//!         %z = load_raw %a, %i                       %z' = for %t in 0, %n, carried %z {
//!         %c = …                          ⇒              %c = …
//!         store_raw %a, (select %c, %y, %z), %i          break %z unless %c
//!     }                                                  continue %y
//! }                                                  }
//!                                                    store_raw %a, %z', %i
//!                                                }
//! ```
//!
//! An element then stays in registers over all steps, and where it is only changed under a condition on itself, it is done when the
//! condition fails: nothing would change it any more. What nobody looks at behind the loops is not stored. Several elements go side by side (see [`lanes`](super::lanes)); a nest that
//! `lanes` would not take stays as it is, since each of its steps is made of vectors already.
//!
//! The loop over elements, with time inside, has no order ([`independent`](crate::analysis::independent)): no element's steps
//! touch what those of another one do.

use std::collections::BTreeSet;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, Replacements, Uses, erase_ops, index_in, position};
use pydd_ir::{Block, Builder, DType, ElemOp, Function, Level, Literal, Module, Op, OpKind, Type, Value};

use super::{fast_functions, is_number, lanes, take_out};
use crate::analysis::independent::Finder;
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::{counts_up, only_elements, raw_element};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "interchange",
    summary: "run loops over time within loops over elements",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O3),
    run,
};

/// Loops over elements within each other, at most.
const DEPTH: usize = 4;
/// Operations of a function in which nests are tried, at most.
const LONGEST: usize = 4000;
/// Operations one behind the other that are looked through for what stays as it is.
const CHAIN: u32 = 8;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    if lanes::width(cx.options).is_none() {
        return Ok(());
    }
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module) {
        if func.ops.len() > LONGEST {
            continue;
        }
        for op in func.hot_ops() {
            if is_time(func, op) {
                let mut trial = func.clone();
                if turn(&mut trial, &summaries, cx.options.strict_fp, op).is_some() {
                    if let Some(elements) = nested(func, func.ops[op].regions[0]) {
                        report::time_inside(cx, func, op, elements);
                    }
                    *func = trial;
                }
            }
        }
    }
    Ok(())
}

/// A loop that counts up by one, carries nothing, and holds one loop and plain operations.
fn is_time(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    counts_up(func, op)
        && data.results.is_empty()
        && runs_to_its_end(func, data.regions[0])
        && nested(func, data.regions[0]).is_some()
        && writes_elsewhere(func, data.regions[0])
        && ends_without_loops(func, data.regions[0])
}

/// Whether the innermost loop of a nest holds none in branches: what it computes is to stay in registers.
fn ends_without_loops(func: &Function, mut body: Block) -> bool {
    for _ in 0..=DEPTH {
        let Some(inner) = nested(func, body) else { break };
        body = func.ops[inner].regions[0];
    }
    let mut loops = false;
    func.walk(body, &mut |op| loops |= func.ops[op].kind.is_loop());
    !loops
}

/// Whether no element that the loop writes is found by its index.
fn writes_elsewhere(func: &Function, body: Block) -> bool {
    let step = func.blocks[body].params[0];
    let mut elsewhere = true;
    func.walk(body, &mut |op| {
        let data = &func.ops[op];
        elsewhere &= data.kind != OpKind::StoreRaw || !data.args[2..].contains(&step);
    });
    elsewhere
}

/// What computes a number, or names the same memory otherwise.
const fn is_plain(kind: &OpKind) -> bool {
    is_number(kind) || matches!(kind, OpKind::RawView)
}

/// The one loop of a body that holds else but plain operations. It carries nothing.
fn nested(func: &Function, body: Block) -> Option<Op> {
    let (_, before) = func.blocks[body].ops.split_last()?;
    let mut found = None;
    for &op in before {
        let data = &func.ops[op];
        match data.kind {
            OpKind::For if data.results.is_empty() && found.is_none() => found = Some(op),
            _ if is_plain(&data.kind) => {}
            _ => return None,
        }
    }
    found.filter(|&op| runs_to_its_end(func, func.ops[op].regions[0]))
}

/// Takes the loop over time to the inside of the nest.
fn turn(func: &mut Function, summaries: &Summaries, strict_fp: bool, time: Op) -> Option<()> {
    take_out(func, time, is_plain);
    let elements = swap(func, time)?;
    let has_no_order = |func: &Function, op| Finder::new(func, summaries, strict_fp).has_no_order(op);
    has_no_order(func, elements).then_some(())?;
    let mut innermost = elements;
    for _ in 0..DEPTH {
        if nested(func, func.ops[time].regions[0]).is_none() {
            break;
        }
        take_out(func, time, is_plain);
        innermost = swap(func, time)?;
        has_no_order(func, innermost).then_some(())?;
    }
    keep_in_registers(func, summaries, elements, time)?;
    end_early(func, time);
    lanes::loop_of_numbers(func, innermost, strict_fp)?;
    guard(func, elements, time);
    Some(())
}

/// Makes the loop within the one around. What else stands in the loop over time goes with it.
fn swap(func: &mut Function, time: Op) -> Option<Op> {
    let body = func.ops[time].regions[0];
    let inner = nested(func, body)?;
    let layout = Layout::new(func);
    if !func.ops[inner].args.iter().all(|&value| layout.dominates(func, value, time)) {
        return None;
    }
    let inner_body = func.ops[inner].regions[0];
    let at = index_in(func, body, inner)?;
    let steps = std::mem::take(&mut func.blocks[inner_body].ops);
    let (&end, steps) = steps.split_last()?;
    let mut ops = func.blocks[body].ops.clone();
    ops.splice(at..=at, steps.iter().copied());
    func.blocks[body].ops = ops;
    let (home, place) = position(func, time)?;
    func.blocks[home].ops[place] = inner;
    func.blocks[inner_body].ops = vec![time, end];
    Some(inner)
}

/// An element that the steps read and write: its array, and its indices.
type Element = Vec<Value>;

/// Whether an array is made beside the nest and nobody looks at it behind that.
fn is_for_the_nest(func: &Function, layout: &Layout, uses: &Uses, array: Value, elements: Op) -> bool {
    let Some(made) = func.def_op(array) else { return false };
    let inside = |op| layout.ancestors(op).any(|around| around == elements);
    match func.ops[made].kind {
        OpKind::RawView => is_for_the_nest(func, layout, uses, func.ops[made].args[0], elements),
        OpKind::Empty | OpKind::Zeros => {
            layout.block_of(made) == layout.block_of(elements)
                && only_elements(func, uses, array, elements, &|op| {
                    layout.is_before(op, elements) || inside(op)
                })
        }
        _ => false,
    }
}

/// Carries the elements that the steps write from step to step, instead of keeping them in memory.
fn keep_in_registers(func: &mut Function, summaries: &Summaries, elements: Op, time: Op) -> Option<()> {
    let body = func.ops[time].regions[0];
    let ops = func.blocks[body].ops.clone();
    let layout = Layout::new(func);
    let memory = MemoryInfo::new(func, summaries);
    let stands_still = |element: &Element| element.iter().all(|&value| layout.dominates(func, value, time));
    let element = |op: Op| raw_element(func, op).filter(stands_still);
    let mut written: Vec<Element> = Vec::new();
    for &op in ops.iter().filter(|&&op| func.ops[op].kind == OpKind::StoreRaw) {
        let element = element(op)?;
        if !written.contains(&element) {
            written.push(element);
        }
    }
    // Everything that touches the memory of such an element is an access to it, in no branch.
    for (at, element_written) in written.iter().enumerate() {
        let classes = memory.classes(element_written[0]);
        for other in &written[..at] {
            if memory.classes(other[0]).intersects(classes) {
                return None;
            }
        }
        for &op in &ops {
            if memory.effects(op).touches(classes) && element(op).as_ref() != Some(element_written) {
                return None;
            }
        }
    }
    if written.is_empty() {
        return None;
    }

    let uses = Uses::new(func);
    let is_dead = |func: &Function, array| is_for_the_nest(func, &layout, &uses, array, elements);
    let dead: Vec<bool> = written.iter().map(|element| is_dead(func, element[0])).collect();
    let (home, place) = position(func, time)?;
    let before = func.new_block();
    let mut replacements = Replacements::default();
    let mut gone = BTreeSet::new();
    let mut results = Vec::new();
    for element in written {
        let ty = Type::Scalar(func.ty(element[0]).dtype()?);
        let first = Builder::new(func, before).value(OpKind::LoadRaw, element.clone(), ty);
        let param = func.add_param(body, ty);
        func.ops[time].args.push(first);
        let mut current = param;
        for &op in &ops {
            let data = &func.ops[op];
            match data.kind {
                OpKind::LoadRaw if data.args == element => {
                    replacements.replace(data.results[0], current);
                    gone.insert(op);
                }
                OpKind::StoreRaw if data.args[0] == element[0] => {
                    current = replacements.resolve(data.args[1]);
                    gone.insert(op);
                }
                _ => {}
            }
        }
        let end = func.terminator(body)?;
        func.ops[end].args.push(current);
        results.push((func.add_result(time, ty), element));
    }
    erase_ops(func, &gone);
    replacements.apply(func);
    let loads = std::mem::take(&mut func.blocks[before].ops);
    func.blocks[home].ops.splice(place..place, loads);
    let behind = func.new_block();
    for ((value, element), _) in results.into_iter().zip(dead).filter(|(_, dead)| !dead) {
        let mut args = vec![element[0], value];
        args.extend(&element[1..]);
        Builder::new(func, behind).effect(OpKind::StoreRaw, args);
    }
    let stores = std::mem::take(&mut func.blocks[behind].ops);
    let place = index_in(func, home, time)?;
    func.blocks[home].ops.splice(place + 1..place + 1, stores);
    Some(())
}

/// Leaves the loop over time where nothing changes any more: as long as one condition fails (or as soon as it holds), all that is carried
/// stays as it is, and neither the step nor anything but what is carried decides it.
fn end_early(func: &mut Function, time: Op) -> Option<()> {
    let body = func.ops[time].regions[0];
    let end = func.terminator(body)?;
    let params = func.blocks[body].params.clone();
    let (step, carried) = params.split_first()?;
    let next = func.ops[end].args.clone();
    let ends = |&(condition, at_end): &(Value, Known)| {
        let stays = |(&param, &next): (&Value, &Value)| {
            let known = under(func, (condition, at_end), next, CHAIN);
            known == Known::Value(param) || param == condition && known == at_end
        };
        carried.iter().zip(&next).all(stays)
    };
    let (condition, at_end) = conditions(func, carried, &next)
        .into_iter()
        .flat_map(|condition| [(condition, Known::False), (condition, Known::True)])
        .find(ends)?;
    let ops = func.blocks[body].ops.clone();
    let deciding = needed(func, &ops, condition);
    let by_step = |&op: &Op| {
        let mut found = func.ops[op].args.contains(step);
        for &region in &func.ops[op].regions {
            func.walk(region, &mut |inner| found |= func.ops[inner].args.contains(step));
        }
        found
    };
    if deciding.iter().any(by_step) {
        return None;
    }
    // What decides first, then the way out, then the rest.
    let leaving = func.new_block();
    Builder::new(func, leaving).effect(OpKind::Break(0), carried.to_vec());
    let staying = func.new_block();
    Builder::new(func, staying).effect(OpKind::Yield, vec![]);
    let ways = if at_end == Known::False { vec![staying, leaving] } else { vec![leaving, staying] };
    let test = func.new_op(OpKind::If, vec![condition], &[], ways, func.ops[time].loc);
    let mut ordered = deciding.clone();
    ordered.push(test);
    ordered.extend(ops.into_iter().filter(|op| !deciding.contains(op)));
    func.blocks[body].ops = ordered;
    let mut replacements = Replacements::default();
    let mut behind = Vec::new();
    let place = index_in(func, body, test)?;
    for &op in &func.blocks[body].ops[place + 1..] {
        behind.push(op);
        func.ops[op].regions.iter().for_each(|&region| func.walk(region, &mut |inner| behind.push(inner)));
    }
    for &op in &behind {
        for &result in &func.ops[op].results {
            let known = else_under(func, (condition, at_end), result);
            if known != result {
                replacements.replace(result, known);
            }
        }
    }
    // What else asks the condition knows the answer.
    let answer = func.new_block();
    let going_on = Literal::Bool(at_end == Known::False);
    let known = Builder::new(func, answer).value(OpKind::Const(going_on), vec![], Type::BOOL);
    let made = std::mem::take(&mut func.blocks[answer].ops);
    for &op in &behind {
        func.ops[op].args.iter_mut().filter(|arg| **arg == condition).for_each(|arg| *arg = known);
    }
    func.blocks[body].ops.splice(place + 1..place + 1, made);
    replacements.apply(func);
    Some(())
}

/// What may decide that nothing changes any more: a mask that is carried, and conditions under which something is.
fn conditions(func: &Function, carried: &[Value], next: &[Value]) -> Vec<Value> {
    let mut found: Vec<Value> =
        carried.iter().copied().filter(|&param| func.ty(param) == Type::BOOL).collect();
    for data in next.iter().filter_map(|&value| func.def_op(value)).map(|op| &func.ops[op]) {
        if data.kind == OpKind::Elem(ElemOp::Select) && !found.contains(&data.args[0]) {
            found.push(data.args[0]);
        }
    }
    found
}

/// What a value is where something is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Value(Value),
    False,
    True,
    /// Of an integer.
    Zero,
}

/// What a value is where a condition is false, or true.
fn under(func: &Function, (condition, is): (Value, Known), value: Value, chain: u32) -> Known {
    if value == condition {
        return is;
    }
    let Some(data) = func.def_op(value).map(|op| &func.ops[op]).filter(|_| chain > 0) else {
        return Known::Value(value);
    };
    let arg = |at: usize| under(func, (condition, is), data.args[at], chain - 1);
    let is_of = |test: fn(DType) -> bool| func.ty(value).dtype().is_some_and(test);
    match data.kind {
        OpKind::Const(Literal::Bool(true)) => Known::True,
        OpKind::Const(Literal::Bool(false)) => Known::False,
        OpKind::Elem(ElemOp::And) => match (arg(0), arg(1)) {
            (Known::False, _) | (_, Known::False) => Known::False,
            (Known::True, other) | (other, Known::True) => other,
            _ => Known::Value(value),
        },
        OpKind::Elem(ElemOp::Or) => match (arg(0), arg(1)) {
            (Known::True, _) | (_, Known::True) => Known::True,
            (Known::False, other) | (other, Known::False) => other,
            _ => Known::Value(value),
        },
        OpKind::Elem(ElemOp::Not) => match arg(0) {
            Known::False => Known::True,
            Known::True => Known::False,
            _ => Known::Value(value),
        },
        OpKind::Elem(ElemOp::Select) => match arg(0) {
            Known::False => arg(2),
            Known::True => arg(1),
            _ if arg(1) == arg(2) => arg(1),
            _ => Known::Value(value),
        },
        OpKind::Cast if is_of(DType::is_int) => match arg(0) {
            Known::False | Known::Zero => Known::Zero,
            _ => Known::Value(value),
        },
        OpKind::Elem(ElemOp::Add) if is_of(DType::is_int) => match (arg(0), arg(1)) {
            (Known::Zero, other) | (other, Known::Zero) => other,
            _ => Known::Value(value),
        },
        OpKind::Elem(ElemOp::Sub) if is_of(DType::is_int) && arg(1) == Known::Zero => arg(0),
        _ => Known::Value(value),
    }
}

/// A value where it is otherwise, made of what is there.
fn else_under(func: &Function, (condition, is): (Value, Known), value: Value) -> Value {
    let Some(data) = func.def_op(value).map(|op| &func.ops[op]) else { return value };
    match (&data.kind, &data.args[..]) {
        (OpKind::Elem(ElemOp::Select), &[by, when_true, when_false]) if by == condition => {
            if is == Known::False { when_true } else { when_false }
        }
        (OpKind::Elem(ElemOp::And), &[own, new] | &[new, own]) if own == condition && is == Known::False => {
            new
        }
        (OpKind::Elem(ElemOp::Or), &[own, new] | &[new, own]) if own == condition && is == Known::True => new,
        _ => value,
    }
}

/// The operations of a block that a value needs, in order.
fn needed(func: &Function, ops: &[Op], value: Value) -> Vec<Op> {
    let mut wanted = vec![value];
    let mut found: Vec<Op> = Vec::new();
    for &op in ops.iter().rev() {
        if func.ops[op].results.iter().any(|result| wanted.contains(result)) {
            found.push(op);
            wanted.extend(&func.ops[op].args);
            for &region in &func.ops[op].regions {
                func.walk(region, &mut |inner| wanted.extend(&func.ops[inner].args));
            }
        }
    }
    found.reverse();
    found
}

/// Runs the nest only where there is a step: elements are read and written without a condition now.
fn guard(func: &mut Function, elements: Op, time: Op) {
    let (start, stop) = (func.ops[time].args[0], func.ops[time].args[1]);
    let (home, at) = position(func, elements).expect("the nest stands in a block");
    let around = func.new_block();
    let mut b = Builder::new(func, around);
    b.loc = b.func.ops[elements].loc;
    let some = b.elem(ElemOp::Lt, &[start, stop]);
    let there = b.region(&[], |_, _| {});
    b.func.blocks[there].ops.push(elements);
    Builder::new(b.func, there).effect(OpKind::Yield, vec![]);
    let none = b.region(&[], |b, _| {
        b.effect(OpKind::Yield, vec![]);
    });
    b.op(OpKind::If, vec![some], &[], vec![there, none]);
    let made = std::mem::take(&mut func.blocks[around].ops);
    func.blocks[home].ops.splice(at..=at, made);
}
