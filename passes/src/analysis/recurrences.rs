//! What iterations of a loop wait for of the ones before: elements that were stored, and how long that takes.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::{Block, DType, ElemOp, Function, Op, OpKind, Value};

use super::patterns::raw_element;
use super::symbol::{self, Poly, Symbol, small};

/// How far operands are followed.
const DEPTH: u32 = 16;

/// A value as a sum of products of constants, lengths, and values that are `known`.
pub fn sum_of(func: &Function, value: Value, known: &dyn Fn(Value) -> bool) -> Option<Poly> {
    sum_within(func, value, DEPTH, known)
}

fn sum_within(func: &Function, value: Value, depth: u32, known: &dyn Fn(Value) -> bool) -> Option<Poly> {
    if let Some(constant) = func.as_int(value) {
        return small(Poly::constant(constant));
    }
    let leaf = || known(value).then(|| symbol::value(value));
    let Some(data) = func.def_op(value).map(|op| &func.ops[op]).filter(|_| depth > 0) else { return leaf() };
    let operand = |at: usize| sum_within(func, data.args[at], depth - 1, known);
    let sum = match data.kind {
        OpKind::Elem(ElemOp::Add) => operand(0)?.add(&operand(1)?),
        OpKind::Elem(ElemOp::Sub) => operand(0)?.sub(&operand(1)?),
        OpKind::Elem(ElemOp::Mul) => operand(0)?.mul(&operand(1)?),
        OpKind::Dim(axis) if known(data.args[0]) => Symbol::length(data.args[0], axis).map(Poly::symbol),
        _ => return leaf(),
    };
    sum.and_then(small)
}

/// The iterations of a `for`.
pub struct Iterations<'f> {
    func: &'f Function,
    index: Value,
    /// What is made in an iteration.
    inside: BTreeSet<Value>,
}

impl<'f> Iterations<'f> {
    #[must_use]
    pub fn of(func: &'f Function, looped: Op) -> Self {
        let body = func.ops[looped].regions[0];
        let mut inside = BTreeSet::from_iter(func.blocks[body].params.iter().copied());
        func.walk(body, &mut |op| {
            let data = &func.ops[op];
            inside.extend(&data.results);
            data.regions.iter().for_each(|&region| inside.extend(&func.blocks[region].params));
        });
        Self { func, index: func.blocks[body].params[0], inside }
    }

    /// How many iterations ago a store touched the element that a load touches, in every iteration; negative where the load comes first.
    #[must_use]
    pub fn between(&self, store: Op, load: Op) -> Option<i64> {
        let [store, load] = [raw_element(self.func, store)?, raw_element(self.func, load)?];
        if store[0] != load[0] || store.len() != load.len() {
            return None;
        }
        let known = |value| value == self.index || !self.inside.contains(&value);
        let mut iterations = None;
        for (&a, &b) in store[1..].iter().zip(&load[1..]) {
            let gap = sum_of(self.func, a, &known)?.sub(&sum_of(self.func, b, &known)?)?.as_i64()?;
            let step = sum_of(self.func, a, &known)?.coefficient(Symbol::Value(self.index))?.as_i64()?;
            match step {
                0 if gap == 0 => {}
                step if step != 0 && gap % step == 0 => {
                    let ago = gap / step;
                    iterations.replace(ago).is_none_or(|before| before == ago).then_some(())?;
                }
                _ => return None,
            }
        }
        iterations
    }
}

/// Quarters of a processor's cycle.
type Quarters = i64;

/// How long an operation's result takes, and for how long it keeps the processor from others.
fn cost(func: &Function, op: Op) -> (Quarters, Quarters) {
    let data = &func.ops[op];
    let is_float =
        |value: Value| func.ty(value).dtype().is_some_and(|dtype| !dtype.is_int() && dtype != DType::Bool);
    let any_float = || data.results.iter().chain(&data.args).any(|&value| is_float(value));
    match data.kind {
        OpKind::LoadRaw => (20, 2),
        OpKind::StoreRaw => (4, 4),
        OpKind::If => (4, 1),
        OpKind::Cast if any_float() => (16, 2),
        OpKind::Cast => (4, 1),
        OpKind::Elem(elem) => match elem.cost() {
            1 if any_float() => (16, 2),
            1 if elem == ElemOp::Mul => (12, 1),
            1 => (4, 1),
            8 => (56, 16),
            more => (8 * more, 4 * more),
        },
        _ => (0, 0),
    }
}

/// How long the iterations of a `for` that holds no loop take where each waits for what the one before carries or stores, and where they
/// only wait for the processor.
#[must_use]
pub fn waiting(func: &Function, looped: Op) -> (Quarters, Quarters) {
    let body = func.ops[looped].regions[0];
    let (mut work, mut loads, mut stores) = (0, Vec::new(), Vec::new());
    func.walk(body, &mut |op| {
        work += cost(func, op).1;
        match func.ops[op].kind {
            OpKind::LoadRaw => loads.push(op),
            OpKind::StoreRaw => stores.push(op),
            _ => {}
        }
    });
    let from_to = |from: Value, to: Value| {
        let mut since = BTreeMap::from([(from, 0)]);
        follow(func, body, &mut since);
        since.get(&to).copied()
    };
    let next = func.terminator(body).map_or(&[][..], |end| &func.ops[end].args);
    let carried =
        func.blocks[body].params[1..].iter().zip(next).filter_map(|(&param, &next)| from_to(param, next));
    let iterations = Iterations::of(func, looped);
    let stored = stores.iter().flat_map(|&store| loads.iter().map(move |&load| (store, load))).filter_map(
        |(store, load)| {
            let value = (iterations.between(store, load) == Some(1)).then(|| func.ops[store].args[1])?;
            Some(from_to(func.result(load), value)? + cost(func, load).0)
        },
    );
    (carried.chain(stored).max().unwrap_or(0), work)
}

/// How long after those of some values the values of a block are there.
fn follow(func: &Function, block: Block, since: &mut BTreeMap<Value, Quarters>) {
    for &op in &func.blocks[block].ops {
        let data = &func.ops[op];
        let mut from = data.args.iter().filter_map(|arg| since.get(arg)).max().copied();
        for &region in &data.regions {
            follow(func, region, since);
            let yields = func.terminator(region).map_or(&[][..], |end| &func.ops[end].args);
            from = from.max(yields.iter().filter_map(|arg| since.get(arg)).max().copied());
        }
        if let Some(from) = from {
            let until = from + cost(func, op).0;
            since.extend(data.results.iter().map(|&result| (result, until)));
        }
    }
}
