//! Sums floats of a loop with checks in several parts, which do not wait for each other.
//!
//! ```text
//! %r = for %i in 0, %n, 1, carried %s = %a {       %m… = for %i in 0, %n - 3, 4, carried %s0 = %a, %s1 = -0.0, … {
//!     check …                                           check … ; continue %s0 + x at %i,
//!     %x = …                                  ⇒         check … ;          %s1 + x at %i + 1, …
//!     continue %s + %x                               }
//! }                                                  %r = for the up to 3 that are left, carried the sum of %m…
//! ```
//!
//! An addition takes several cycles, and one that waits for the one before it leaves the processor idle. LLVM
//! does the same to loops without checks. Checks stay in the order of the iterations, each with its own
//! message and place.
//!
//! Where a body has one check and only sums, the checks of several iterations are one question (`guard`).
//!
//! It leaves alone: integers (whose sums are quick), loops that hold others, long bodies, sums that the body uses
//! otherwise than to add to them, everything under `--strict-fp`, and versions for devices, where threads share the steps.

mod guard;

use pydd_ir::rewrite::{Cloner, Uses, inline_block, position};
use pydd_ir::{Block, Builder, DType, ElemOp, Function, Level, Module, Op, OpKind, Type, Value};

use super::fast_functions;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "split-sums",
    summary: "sum floats of loops with checks in several parts",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Parts of a sum: an addition's latency, in additions that fit beside a load and a check.
const PARTS: usize = 4;
/// Operations of a body at most.
const LONGEST: usize = 40;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    if !cx.options.strict_fp {
        // Of checks that are dropped later nothing would be left but the questions.
        let ask_at_once = !cx.options.unchecked;
        let hosts = fast_functions(module).filter(|func| !func.device);
        hosts.for_each(|func| split(func, ask_at_once));
    }
    Ok(())
}

fn split(func: &mut Function, ask_at_once: bool) {
    let uses = Uses::new(func);
    for op in func.hot_ops() {
        if func.ops[op].kind == OpKind::For && is_plain(func, op) {
            let sums = sums(func, &uses, op);
            if sums.contains(&true) {
                split_one(func, op, &sums, ask_at_once);
            }
        }
    }
}

/// A short loop that counts up by one and holds a check, but no loop and no way out.
fn is_plain(func: &Function, looped: Op) -> bool {
    let data = &func.ops[looped];
    let body = data.regions[0];
    let (mut length, mut checks, mut plain) = (0, 0, true);
    func.walk(body, &mut |op| {
        let kind = &func.ops[op].kind;
        length += 1;
        checks += usize::from(matches!(kind, OpKind::Check { .. }));
        let leaves = matches!(kind, OpKind::Break(_) | OpKind::Return | OpKind::Raise { .. });
        let owns = matches!(kind, OpKind::Own { .. } | OpKind::Disown(_));
        plain &= !(leaves || owns || kind.is_breakable());
    });
    func.as_int(data.args[2]) == Some(1)
        && plain
        && checks > 0
        && length <= LONGEST
        && ends_with_continue(func, body)
}

fn ends_with_continue(func: &Function, body: Block) -> bool {
    let mut continues = 0;
    func.walk(body, &mut |op| continues += usize::from(matches!(func.ops[op].kind, OpKind::Continue(_))));
    let last = func.blocks[body].ops.last();
    continues == 1 && last.is_some_and(|&op| func.ops[op].kind == OpKind::Continue(0))
}

/// For each carried value whether it is a sum of floats.
fn sums(func: &Function, uses: &Uses, looped: Op) -> Vec<bool> {
    let body = func.ops[looped].regions[0];
    let end = *func.blocks[body].ops.last().expect("a block ends with a terminator");
    let carried = func.blocks[body].params[1..].iter().zip(&func.ops[end].args);
    carried.map(|(&param, &next)| is_sum(func, uses, end, param, next)).collect()
}

/// Whether all that happens to `param` is that something is added, or taken away, until it is `next`.
fn is_sum(func: &Function, uses: &Uses, end: Op, param: Value, next: Value) -> bool {
    let floats = matches!(func.ty(param), Type::Scalar(DType::F32 | DType::F64));
    let mut sum = param;
    while let (true, Some(only)) = (floats, uses.single(sum)) {
        let data = &func.ops[only.op];
        sum = match data.kind {
            OpKind::Elem(ElemOp::Add) => func.result(only.op),
            OpKind::Elem(ElemOp::Sub) if data.args[0] == sum => func.result(only.op),
            _ => return only.op == end && sum == next && sum != param,
        };
    }
    false
}

fn split_one(func: &mut Function, looped: Op, sums: &[bool], ask_at_once: bool) {
    let data = func.ops[looped].clone();
    let (body, init) = (data.regions[0], &data.args[3..]);
    let (block, at) = position(func, looped).expect("the loop stands in a block");
    let rest = func.blocks[block].ops.split_off(at);
    let mut b = Builder::new(func, block);
    b.loc = data.loc;

    // The parts of a sum stand side by side; -0.0 changes no sum.
    let mut start = vec![data.args[0]];
    for (&value, &sum) in init.iter().zip(sums) {
        start.push(value);
        if let (true, Type::Scalar(dtype)) = (sum, b.func.ty(value)) {
            let nothing = b.number(-0.0, dtype);
            start.extend([nothing; PARTS - 1]);
        }
    }
    let parts = i64::try_from(PARTS).expect("few parts");
    let (least, beyond, step) = (b.int(i64::MIN + parts - 1), b.int(parts - 1), b.int(parts));
    let stop = b.elem(ElemOp::Max, &[data.args[1], least]);
    let stop = b.sub(stop, beyond);
    let done = b.for_loop([data.args[0], stop, step], &start, |b, index, carried| {
        let guard = if ask_at_once && !sums.contains(&false) { guard::find(b.func, body) } else { None };
        match guard {
            Some(at) => at_once(b, body, at, index, &carried[1..]),
            None => several(b, body, sums, index, &carried[1..]),
        }
    });

    let mut args = vec![done[0], data.args[1], data.args[2]];
    let mut given = &done[1..];
    for &sum in sums {
        let (own, others) = given.split_at(if sum { PARTS } else { 1 });
        args.push(in_pairs(&mut b, own));
        given = others;
    }
    func.ops[looped].args = args;
    func.blocks[block].ops.extend(rest);
}

/// As many iterations as there are parts; gives the index of the next one, and the carried values.
fn several(b: &mut Builder<'_>, body: Block, sums: &[bool], index: Value, carried: &[Value]) -> Vec<Value> {
    let mut carried = carried.to_vec();
    let mut next = index;
    for part in 0..PARTS {
        let mut args = vec![next];
        let mut places = Vec::new();
        let mut place = 0;
        for &sum in sums {
            places.push(place + if sum { part } else { 0 });
            place += if sum { PARTS } else { 1 };
        }
        args.extend(places.iter().map(|&place| carried[place]));
        let results = inline_block(b.func, body, &args, b.block);
        places.into_iter().zip(results).for_each(|(place, result)| carried[place] = result);
        let one = b.int(1);
        next = b.add(next, one);
    }
    carried.insert(0, next);
    carried
}

/// The same where all carried values are sums, and one question stands for the checks of all iterations.
fn at_once(b: &mut Builder<'_>, body: Block, at: usize, index: Value, carried: &[Value]) -> Vec<Value> {
    let params = b.func.blocks[body].params.clone();
    let mut cloners = vec![Cloner::default(); PARTS];
    let mut next = index;
    for (part, cloner) in cloners.iter_mut().enumerate() {
        cloner.values.insert(params[0], next);
        let own: Vec<Value> = carried.chunks(PARTS).map(|parts| parts[part]).collect();
        cloner.values.insert_all(&params[1..], &own);
        let one = b.int(1);
        next = b.add(next, one);
    }
    guard::together(b, body, at, &mut cloners);
    let end = b.func.terminator(body).expect("a block ends with a terminator");
    let sums = b.func.ops[end].args.clone();
    let values = sums
        .iter()
        .flat_map(|&sum| cloners.iter().map(move |c| c.values.get(sum).expect("computed in the body")));
    std::iter::once(next).chain(values).collect()
}

/// The sum of an even number of parts, or the value that stands alone.
fn in_pairs(b: &mut Builder<'_>, parts: &[Value]) -> Value {
    match parts {
        &[only] => only,
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            let (left, right) = (in_pairs(b, left), in_pairs(b, right));
            b.add(left, right)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::testing::{count, parse};

    #[test]
    fn source_order_stays_where_bits_count() {
        let text = "
        func @f loop fast (%0: array<f64, 1>, %1: f64) -> (f64) {
          %2: i64 = dim[0] %0
          %3: f64 = const 0.0
          %4: i64 = const 0
          %5: i64 = const 1
          %6: f64 = for %4, %2, %5, %3 {
          (%7: i64, %8: f64):
            %9: f64 = load_raw %0, %7
            %10: bool = lt %9, %1
            check[ValueError, \"too much\"] %10
            %11: f64 = add %8, %9
            continue[0] %11
          }
          return %6
        }";
        for (strict_fp, loops) in [(true, 1), (false, 2)] {
            let mut module = parse(text);
            let options = Options { strict_fp, ..Options::default() };
            run(&mut module, &PassContext::quiet(&options)).unwrap();
            let func = module.funcs.values().next().unwrap();
            assert_eq!(count(func, |kind| *kind == OpKind::For), loops);
        }
    }

    #[test]
    fn checks_that_will_be_dropped_are_not_asked_at_once() {
        let text = "
        func @f loop fast (%0: array<f64, 1>, %1: array<i64, 1>) -> (f64) {
          %2: i64 = dim[0] %0
          %3: i64 = dim[0] %1
          %4: f64 = const 0.0
          %5: i64 = const 0
          %6: i64 = const 1
          %7: f64 = for %5, %3, %6, %4 {
          (%8: i64, %9: f64):
            %10: i64 = load_raw %1, %8
            %11: bool = lt %10, %2
            check[IndexError, \"index {0} is out of bounds\"] %11, %10
            %12: f64 = load_raw %0, %10
            %13: f64 = add %9, %12
            continue[0] %13
          }
          return %7
        }";
        for (unchecked, branches) in [(false, 1), (true, 0)] {
            let mut module = parse(text);
            let options = Options { unchecked, ..Options::default() };
            run(&mut module, &PassContext::quiet(&options)).unwrap();
            let func = module.funcs.values().next().unwrap();
            assert_eq!(count(func, |kind| *kind == OpKind::If), branches);
        }
    }
}
