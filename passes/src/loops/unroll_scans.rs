//! Runs four iterations of a running sum, minimum or maximum at a time (a parallel prefix), so that the next four wait for one operation.
//!
//! ```text
//! for %i in %lo, %hi, 1, carried %t = %a {         for %i in %lo, %m, 4, carried %t = %a {
//!     %u = add %t, (%v at %i)                          %q1 = add (%v at %i), (%v at %i + 1)
//!     store_raw %r, %u, %i                             %q2 = add %q1, (%v at %i + 2)
//!     continue %u                             ⇒        %q3 = add %q2, (%v at %i + 3)
//! }                                                    store_raw %r, (add %t, %v at %i), %i
//!                                                      … of %q1, %q2
//!                                                      %u = add %t, %q3 ; store_raw %r, %u, %i + 3
//!                                                      continue %u
//!                                                  }
//!                                                  the loop as it was, for up to three that are left
//! ```
//!
//! That is `np.cumsum`, `np.maximum.accumulate`, windows to which one value is added while another one leaves, the greatest loss so far.
//! An operation on floats takes several cycles; LLVM makes vectors of a sum of which the last value alone is used, and leaves these as they are. Iterations stay in
//! their order, with all that they load and store.
//!
//! It leaves alone: sums under `--strict-fp`, integers, whose operations are quick, other numbers that are carried and would be waited for all
//! the same, values that are combined with what they need themselves, and sums of which an iteration uses both the old and the new value: their
//! difference may be what rounding took away.

use std::collections::BTreeSet;

use pydd_ir::rewrite::{Cloner, Uses, build_before, position, replace_op};
use pydd_ir::{Block, Builder, DType, ElemOp, Function, Level, Module, Op, OpKind, Type, Value};

use super::{fast_functions, whole_groups};
use crate::analysis::patterns::{constant_range, counts_up};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "unroll-scans",
    summary: "run four iterations of running sums at a time",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Iterations at a time: an addition's latency, in additions that fit beside loads and stores.
const GROUP: i64 = 4;
/// Operations of a body at most.
const LONGEST: usize = 40;
/// Iterations at least, where their number is known.
const FEWEST: i64 = 16;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    // On a device threads share the iterations.
    for func in fast_functions(module).filter(|func| !func.device) {
        let found: Vec<Op> = func.hot_ops().into_iter().filter(|&op| is_candidate(func, op)).collect();
        for &looped in &found {
            select(func, looped);
        }
        let uses = Uses::new(func);
        for looped in found {
            if let Some(scans) = scans(func, &uses, looped, cx.options.strict_fp) {
                unroll(func, looped, &scans);
            }
        }
    }
    Ok(())
}

/// A short loop by one over elements and numbers alone.
fn is_candidate(func: &Function, looped: Op) -> bool {
    if !counts_up(func, looped) {
        return false;
    }
    let Some((&end, body)) = func.blocks[func.ops[looped].regions[0]].ops.split_last() else { return false };
    let is_plain = |&op: &Op| {
        let kind = &func.ops[op].kind;
        super::is_number(kind) || matches!(kind, OpKind::LoadRaw | OpKind::StoreRaw) || only_chooses(func, op)
    };
    let few = |[start, stop, _]: [i64; 3]| stop.saturating_sub(start) < FEWEST;
    func.ops[end].kind == OpKind::Continue(0)
        && body.len() <= LONGEST
        && body.iter().all(is_plain)
        && !constant_range(func, looped).is_some_and(few)
}

/// Whether a branch computes nothing.
fn only_chooses(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let only_yields =
        |&region: &Block| matches!(func.blocks[region].ops[..], [end] if func.ops[end].kind == OpKind::Yield);
    let is_number = |&result: &Value| matches!(func.ty(result), Type::Scalar(_));
    data.kind == OpKind::If && data.regions.iter().all(only_yields) && data.results.iter().all(is_number)
}

/// Makes selections of branches that compute nothing.
fn select(func: &mut Function, looped: Op) {
    let body = func.ops[looped].regions[0];
    for op in func.blocks[body].ops.clone() {
        if !only_chooses(func, op) {
            continue;
        }
        let data = func.ops[op].clone();
        let sides: Vec<Vec<Value>> = data
            .regions
            .iter()
            .map(|&region| func.terminator(region).map_or(vec![], |end| func.ops[end].args.clone()))
            .collect();
        let chosen = build_before(func, op, |b| {
            b.loc = data.loc;
            let sides = sides[0].iter().zip(&sides[1]);
            sides.map(|(&yes, &no)| b.select(data.args[0], yes, no)).collect::<Vec<Value>>()
        });
        replace_op(func, op, &chosen);
    }
}

/// A carried value that an iteration combines with one of its own.
struct Scan {
    op: Op,
    how: Combine,
    /// Its number among what is carried.
    place: usize,
    /// What is combined with it.
    value: Value,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Combine {
    /// Of two zeros the second is taken, so that it matters which operand is first.
    Elem { elem: ElemOp, carried_first: bool },
    /// The value where it compares so with what is carried, which stays where it does not: no NaN is taken.
    Better(ElemOp),
}

impl Combine {
    /// Of what two iterations, or more, combine with what is carried.
    fn two(self, b: &mut Builder<'_>, before: Value, value: Value) -> Value {
        match self {
            Combine::Elem { elem, carried_first: true } => b.elem(elem, &[before, value]),
            Combine::Elem { elem, carried_first: false } => b.elem(elem, &[value, before]),
            Combine::Better(elem) => {
                let better = b.elem(elem, &[value, before]);
                let is_nan = b.elem(ElemOp::Ne, &[before, before]);
                let better = b.elem(ElemOp::Or, &[better, is_nan]);
                b.select(better, value, before)
            }
        }
    }

    fn last(self, b: &mut Builder<'_>, carried: Value, value: Value) -> Value {
        match self {
            Combine::Elem { .. } => self.two(b, carried, value),
            Combine::Better(elem) => {
                let better = b.elem(elem, &[value, carried]);
                b.select(better, value, carried)
            }
        }
    }
}

/// The scans of a loop that waits for nothing else, one of which at least does more than to give its last value.
fn scans(func: &Function, uses: &Uses, looped: Op, strict_fp: bool) -> Option<Vec<Scan>> {
    let body = func.ops[looped].regions[0];
    let end = func.terminator(body)?;
    let params = &func.blocks[body].params[1..];
    let (mut scans, mut shown) = (Vec::new(), false);
    for (place, (&param, &next)) in params.iter().zip(&func.ops[end].args).enumerate() {
        let Type::Scalar(dtype) = func.ty(param) else { return None };
        match scan(func, param, next, strict_fp) {
            Some((op, how, value)) if matches!(dtype, DType::F32 | DType::F64) => {
                let condition = func.def_op(func.ops[op].args[0]);
                let only_asks = |one: Op| {
                    condition == Some(one) && uses.single(func.result(one)).is_some_and(|it| it.op == op)
                };
                let others = |value: Value, own: Op| {
                    uses.of(value).iter().any(|one| one.op != own && !only_asks(one.op))
                };
                let (old, new) = (others(param, op), others(next, end));
                if matches!(how, Combine::Elem { elem: ElemOp::Add, .. }) && old && new {
                    return None;
                }
                shown |= old || new;
                scans.push(Scan { op, how, place, value });
            }
            _ if dtype.is_int() || dtype == DType::Bool || param == next => {}
            _ => return None,
        }
    }
    (shown && is_acyclic(func, looped, &scans)).then_some(scans)
}

/// The operation that makes `next` of what is carried and of another value.
fn scan(func: &Function, param: Value, next: Value, strict_fp: bool) -> Option<(Op, Combine, Value)> {
    let op = func.def_op(next)?;
    let data = &func.ops[op];
    match (&data.kind, &data.args[..]) {
        (&OpKind::Elem(ElemOp::Select), &[condition, a, b]) => {
            let (elem, value) = better(func, condition, [a, b], param)?;
            Some((op, Combine::Better(elem), value))
        }
        (&OpKind::Elem(elem), &[a, b]) => {
            let suits = match elem {
                ElemOp::Add => !strict_fp,
                ElemOp::Min | ElemOp::Max => true,
                _ => false,
            };
            let carried_first = a == param;
            let value = if carried_first { b } else { a };
            let how = Combine::Elem { elem, carried_first };
            (suits && value != param && (carried_first || b == param)).then_some((op, how, value))
        }
        _ => None,
    }
}

/// The value that is taken where it compares so with what is carried, which is kept where it does not.
fn better(func: &Function, condition: Value, [a, b]: [Value; 2], carried: Value) -> Option<(ElemOp, Value)> {
    let data = &func.ops[func.def_op(condition)?];
    let (&OpKind::Elem(elem), &[left, right]) = (&data.kind, &data.args[..]) else { return None };
    let is_order = matches!(elem, ElemOp::Lt | ElemOp::Le | ElemOp::Gt | ElemOp::Ge);
    if !is_order || b != carried || a == carried {
        return None;
    }
    match [left, right] {
        pair if pair == [a, b] => Some((elem, a)),
        pair if pair == [b, a] => Some((elem.exchanged(), a)),
        _ => None,
    }
}

/// Whether what is combined never needs what it is combined with, be it by way of other scans.
fn is_acyclic(func: &Function, looped: Op, scans: &[Scan]) -> bool {
    let body = func.ops[looped].regions[0];
    let param = |scan: &Scan| func.blocks[body].params[1 + scan.place];
    let mut left: Vec<&Scan> = scans.iter().collect();
    while !left.is_empty() {
        let before = left.len();
        let mut needing: BTreeSet<Value> = left.iter().map(|scan| param(scan)).collect();
        for &op in &func.blocks[body].ops {
            if func.ops[op].args.iter().any(|arg| needing.contains(arg)) {
                needing.extend(&func.ops[op].results);
            }
        }
        left.retain(|scan| needing.contains(&scan.value));
        if left.len() == before {
            return false;
        }
    }
    true
}

/// Makes the loop one over groups of iterations, and leaves the rest of them to the loop as it was.
fn unroll(func: &mut Function, looped: Op, scans: &[Scan]) {
    let data = func.ops[looped].clone();
    let (start, stop) = (data.args[0], data.args[1]);
    let block = func.new_block();
    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let whole = whole_groups(&mut b, start, stop, GROUP);
    let end = b.add(start, whole);
    let step = b.int(GROUP);
    let results = b.for_loop([start, end, step], &data.args[3..], |b, index, carried| {
        group(b, looped, scans, index, carried)
    });
    let made = std::mem::take(&mut func.blocks[block].ops);
    let (home, at) = position(func, looped).expect("the loop stands in a block");
    func.blocks[home].ops.splice(at..at, made);
    let args = &mut func.ops[looped].args;
    args[0] = end;
    args[3..].copy_from_slice(&results);
}

/// The iterations of a group; gives what they carry to the next one.
fn group(b: &mut Builder<'_>, looped: Op, scans: &[Scan], first: Value, carried: &[Value]) -> Vec<Value> {
    let body = b.func.ops[looped].regions[0];
    let params = b.func.blocks[body].params.clone();
    let (end, ops) =
        b.func.blocks[body].ops.split_last().map(|(&end, ops)| (end, ops.to_vec())).expect("an end");
    let next = b.func.ops[end].args.clone();
    // Of each scan what the iterations of the group so far have combined.
    let mut combined: Vec<Option<Value>> = vec![None; scans.len()];
    let mut state = carried.to_vec();
    for iteration in 0..GROUP {
        let more = b.int(iteration);
        let index = b.add(first, more);
        let mut cloner = Cloner::default();
        cloner.values.insert(params[0], index);
        cloner.values.insert_all(&params[1..], &state);
        for &op in &ops {
            let Some(at) = scans.iter().position(|scan| scan.op == op) else {
                let copy = cloner.op(b.func, None, op);
                let block = b.block;
                b.func.blocks[block].ops.push(copy);
                continue;
            };
            let scan = &scans[at];
            let value = cloner.values.get(scan.value).unwrap_or(scan.value);
            let all = combined[at].map_or(value, |before| scan.how.two(b, before, value));
            combined[at] = Some(all);
            let result = scan.how.last(b, carried[scan.place], all);
            cloner.values.insert(b.func.result(op), result);
        }
        state = next.iter().map(|&value| cloner.values.get(value).unwrap_or(value)).collect();
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::testing::{count, parse};

    #[test]
    fn sums_in_source_order_stay() {
        let text = |elem: &str| {
            format!(
                "
        func @f loop fast (%0: array<f64, 1>) -> (array<f64, 1>) {{
          %1: i64 = dim[0] %0
          %2: array<f64, 1> = empty %1
          %3: f64 = const 0.0
          %4: i64 = const 0
          %5: i64 = const 1
          %6: f64 = for %4, %1, %5, %3 {{
          (%7: i64, %8: f64):
            %9: f64 = load_raw %0, %7
            %10: f64 = {elem} %8, %9
            store_raw %2, %10, %7
            continue[0] %10
          }}
          return %2
        }}"
            )
        };
        for (elem, strict_fp, loops) in [("add", true, 1), ("add", false, 2), ("min", true, 2)] {
            let mut module = parse(&text(elem));
            let options = Options { strict_fp, ..Options::default() };
            run(&mut module, &PassContext::quiet(&options)).unwrap();
            let func = module.funcs.values().next().unwrap();
            assert_eq!(count(func, |kind| *kind == OpKind::For), loops, "{elem}");
        }
    }
}
