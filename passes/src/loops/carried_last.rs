//! Adds what comes from the iteration before last, so that the rest of a sum waits for nothing.
//!
//! ```text
//! %c = load_raw %y, %i - 1                   %c = load_raw %y, %i - 1
//! %s = add %c, %a                            %s = add %a, %b
//! %t = add %s, %b                    ⇒       %t = add %s, %c
//! store_raw %y, %t, %i                       store_raw %y, %t, %i
//! ```
//!
//! A recurrence takes as long as the operations from one iteration's result to the next one's: a filter whose sum begins with what it gave
//! before waits for all of its additions, one that ends with it for the last. So do sums of neighbours in place, and a `s += a + b` that was
//! written as `s = s + a + b`.
//!
//! The least and the greatest of several numbers are asked for in that order as well, as in alignments (`min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1])`): of
//! zeros of both signs that gives another one, maybe.
//!
//! Sums of floats of innermost loops, which may be reassociated unless `--strict-fp` is given. Of one or two terms there is nothing to
//! gain, and none where all are as late. A sum that subtracts what is made of the same numbers as what it adds stays as it was written:
//! `(t - s) - x` with `t = s + x` is what rounding took away, and only in that order.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::rewrite::{Uses, erase_ops, insert_before};
use pydd_ir::{Block, Builder, ElemOp, Function, Level, Module, Op, OpKind, Value};

use super::fast_functions;
use crate::analysis::patterns::{counts_up, raw_element};
use crate::analysis::recurrences::Iterations;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "carried-last",
    summary: "add what the iteration before gives last",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// When what an iteration gives is there for the next, in additions; what has been there for longer is at 0.
const CARRIED: i64 = 1000;
/// Terms of a sum, at most.
const LONGEST: usize = 64;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    if cx.options.strict_fp {
        return Ok(());
    }
    for func in fast_functions(module) {
        for looped in func.hot_ops() {
            let is_loop = matches!(func.ops[looped].kind, OpKind::For | OpKind::Loop);
            if is_loop && is_innermost(func, looped) {
                reorder(func, looped);
            }
        }
    }
    Ok(())
}

fn is_innermost(func: &Function, looped: Op) -> bool {
    let mut innermost = true;
    func.walk(func.ops[looped].regions[0], &mut |op| innermost &= !func.ops[op].kind.is_loop());
    innermost
}

fn reorder(func: &mut Function, looped: Op) {
    let times = Times::of(func, looped);
    let mut stored = Vec::new();
    func.walk(func.ops[looped].regions[0], &mut |op| {
        if func.ops[op].kind == OpKind::StoreRaw {
            stored.extend(raw_element(func, op).map(|element| (element, func.ops[op].args[1])));
        }
    });
    let mut blocks = vec![func.ops[looped].regions[0]];
    while let Some(block) = blocks.pop() {
        let uses = Uses::new(func);
        for op in func.blocks[block].ops.clone() {
            blocks.extend(&func.ops[op].regions);
            if let Some(sum) = sum_of(func, &uses, block, op)
                && !(sum.family == Family::Sum && cancels(func, &stored, &sum.terms))
            {
                times.rebuild(func, &sum);
            }
        }
    }
}

/// A term of a sum, and how many additions lie between it and the whole.
#[derive(Clone, Copy)]
struct Term {
    value: Value,
    is_subtracted: bool,
    depth: i64,
}

/// What a sum is made by: additions and subtractions, or minima, or maxima, which have terms as well.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Sum,
    Least,
    Greatest,
}

fn family(func: &Function, op: Op) -> Option<Family> {
    let OpKind::Elem(elem) = func.ops[op].kind else { return None };
    let ty = func.ty(func.result(op));
    let dtype = ty.dtype().filter(|_| ty.is_scalar())?;
    match elem {
        ElemOp::Add | ElemOp::Sub if dtype.is_float() => Some(Family::Sum),
        ElemOp::Min if dtype.is_float() || dtype.is_int() => Some(Family::Least),
        ElemOp::Max if dtype.is_float() || dtype.is_int() => Some(Family::Greatest),
        _ => None,
    }
}

struct Sum {
    root: Op,
    family: Family,
    /// The additions below the root, which nobody else uses.
    inner: BTreeSet<Op>,
    terms: Vec<Term>,
}

/// The terms of a sum that is part of no other sum.
fn sum_of(func: &Function, uses: &Uses, block: Block, root: Op) -> Option<Sum> {
    let family = family(func, root)?;
    let joins = |op: Op| self::family(func, op) == Some(family);
    let here = |op: Op| func.blocks[block].ops.contains(&op);
    let is_part = |value: Value| {
        let users = uses.of(value);
        users.len() == 1 && joins(users[0].op) && here(users[0].op)
    };
    if is_part(func.result(root)) {
        return None;
    }
    let mut sum = Sum { root, family, inner: BTreeSet::new(), terms: Vec::new() };
    let mut open = vec![(root, false, 1)];
    let mut found: Vec<Term> = Vec::new();
    while let Some((op, is_subtracted, depth)) = open.pop() {
        let subtracts = func.ops[op].kind == OpKind::Elem(ElemOp::Sub);
        // In the order of the source: the left side is looked at first.
        let &[left, right] = &func.ops[op].args[..] else { return None };
        for (value, negated) in [(right, is_subtracted != subtracts), (left, is_subtracted)] {
            let made = func.def_op(value).filter(|&made| joins(made) && here(made));
            match made.filter(|_| is_part(value)) {
                Some(made) => {
                    sum.inner.insert(made);
                    open.push((made, negated, depth + 1));
                }
                None => found.push(Term { value, is_subtracted: negated, depth }),
            }
        }
        if found.len() + open.len() > LONGEST {
            return None;
        }
    }
    found.reverse();
    sum.terms = found;
    (sum.terms.len() > 2).then_some(sum)
}

/// Whether terms that are subtracted are made of a number that added ones are made of as well; `stored` has the elements that the loop
/// stores, and what they become.
fn cancels(func: &Function, stored: &[(Vec<Value>, Value)], terms: &[Term]) -> bool {
    let numbers = |is_subtracted: bool| {
        let own = terms.iter().filter(|term| term.is_subtracted == is_subtracted);
        let mut open: Vec<Value> = own.map(|term| term.value).collect();
        let mut seen: BTreeSet<Value> = BTreeSet::new();
        // Elements by their places, other numbers as they are.
        let mut numbers: BTreeSet<Vec<Value>> = BTreeSet::new();
        while let Some(value) = open.pop() {
            let is_number =
                func.ty(value).is_scalar() && func.ty(value).dtype().is_some_and(|dtype| !dtype.is_int());
            if !is_number || func.as_const(value).is_some() || !seen.insert(value) {
                continue;
            }
            let Some(made) = func.def_op(value) else {
                numbers.insert(vec![value]);
                continue;
            };
            let data = &func.ops[made];
            match data.kind {
                OpKind::Elem(_) | OpKind::Cast => open.extend(&data.args),
                OpKind::LoadRaw => {
                    let now = stored.iter().filter(|(element, _)| *element == data.args);
                    open.extend(now.map(|&(_, value)| value));
                    numbers.insert(data.args.clone());
                }
                _ => {
                    open.extend(&data.args);
                    for &region in &data.regions {
                        func.walk(region, &mut |inner| open.extend(&func.ops[inner].args));
                    }
                    numbers.insert(vec![value]);
                }
            }
        }
        numbers
    };
    !numbers(true).is_disjoint(&numbers(false))
}

/// When the values of an iteration are there.
struct Times(BTreeMap<Value, i64>);

impl Times {
    fn of(func: &Function, looped: Op) -> Self {
        let body = func.ops[looped].regions[0];
        let params = &func.blocks[body].params;
        let carried = &params[usize::from(func.ops[looped].kind == OpKind::For)..];
        let mut stores = Vec::new();
        if counts_up(func, looped) {
            func.walk(body, &mut |op| {
                if func.ops[op].kind == OpKind::StoreRaw {
                    stores.push(op);
                }
            });
        }
        let iterations = (!stores.is_empty()).then(|| Iterations::of(func, looped));
        let of_load = |load: Op| {
            let iterations = iterations.as_ref()?;
            let ago =
                stores.iter().filter_map(|&store| iterations.between(store, load)).filter(|&ago| ago > 0);
            // Of the iteration before the last, an iteration's time has passed.
            Some(CARRIED / ago.min()?)
        };
        let mut first = Self(carried.iter().map(|&param| (param, CARRIED)).collect());
        first.block(func, body, &of_load);
        // What is only handed on was there an iteration ago, and what does not come from an iteration was always there.
        let next = func.terminator(body).map_or(&[][..], |end| &func.ops[end].args);
        let time = |next: Option<&Value>| match next {
            Some(next) if carried.contains(next) => CARRIED / 2,
            Some(&next) if first.at(next) == 0 => 0,
            _ => CARRIED,
        };
        let mut times =
            Self(carried.iter().enumerate().map(|(at, &param)| (param, time(next.get(at)))).collect());
        times.block(func, body, &of_load);
        times
    }

    fn at(&self, value: Value) -> i64 {
        self.0.get(&value).copied().unwrap_or(0)
    }

    fn block(&mut self, func: &Function, block: Block, of_load: &impl Fn(Op) -> Option<i64>) {
        for &op in &func.blocks[block].ops {
            let data = &func.ops[op];
            for &region in &data.regions {
                self.block(func, region, of_load);
            }
            let mut time = data.args.iter().map(|&arg| self.at(arg)).max().unwrap_or(0);
            for &region in &data.regions {
                func.walk(region, &mut |inner| {
                    let args = func.ops[inner].args.iter().map(|&arg| self.at(arg));
                    time = args.fold(time, i64::max);
                });
            }
            if data.kind == OpKind::LoadRaw {
                time = time.max(of_load(op).unwrap_or(0));
            }
            if time > 0 {
                let more = if let OpKind::Elem(elem) = data.kind { elem.cost() } else { 0 };
                self.0.extend(data.results.iter().map(|&result| (result, time + more)));
            }
        }
    }

    /// Orders the terms by when they are there, if the sum is there earlier then.
    fn rebuild(&self, func: &mut Function, sum: &Sum) {
        let mut terms = sum.terms.clone();
        terms.sort_by_key(|term| self.at(term.value));
        // A sum begins with a term that is added.
        let Some(first) = terms.iter().position(|term| !term.is_subtracted) else { return };
        if first > 0 && self.at(terms[first].value) > 0 {
            return;
        }
        let first = terms.remove(first);
        terms.insert(0, first);
        let count = i64::try_from(terms.len()).expect("few");
        let depths = (0..count).map(|at| (count - at).min(count - 1));
        let ends = |times: &mut dyn Iterator<Item = (Term, i64)>| {
            times
                .map(|(term, depth)| (self.at(term.value), depth))
                .filter(|(time, _)| *time > 0)
                .map(|(time, depth)| time + depth)
                .max()
        };
        let before = ends(&mut sum.terms.iter().map(|&term| (term, term.depth)));
        let behind = ends(&mut terms.iter().copied().zip(depths));
        if behind < before {
            emit(func, sum, &terms);
        }
    }
}

fn emit(func: &mut Function, sum: &Sum, terms: &[Term]) {
    let (&first, rest) = terms.split_first().expect("a sum has terms");
    let (&last, rest) = rest.split_last().expect("a sum has more than two terms");
    let block = func.new_block();
    let mut b = Builder::new(func, block);
    b.loc = b.func.ops[sum.root].loc;
    let by = |term: Term| match sum.family {
        Family::Least => ElemOp::Min,
        Family::Greatest => ElemOp::Max,
        Family::Sum if term.is_subtracted => ElemOp::Sub,
        Family::Sum => ElemOp::Add,
    };
    let all_but_last = rest.iter().fold(first.value, |all, &term| b.elem(by(term), &[all, term.value]));
    for made in std::mem::take(&mut func.blocks[block].ops) {
        insert_before(func, made, sum.root);
    }
    func.ops[sum.root].kind = OpKind::Elem(by(last));
    func.ops[sum.root].args = vec![all_but_last, last.value];
    erase_ops(func, &sum.inner);
}
