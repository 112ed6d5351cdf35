//! Takes stores right before a `break` out of the loop, behind it.
//!
//! ```text
//! for %k in 0, %n, carried %x = %a {               %r, %left, %v = for %k in 0, %n, carried %x = %a, %f = false, %u = 0 {
//!     if %c {                                          if %c {
//!         store_raw %out, %k, %i, %j                       break %x, true, %k
//!         break %x                           ⇒         } else { yield }
//!     } else { yield }                                 …
//!     …                                                continue %y, %f, %u
//!     continue %y                                  }
//! }                                                if %left { store_raw %out, %v, %i, %j }
//! ```
//!
//! Points of the Mandelbrot set are often written so: `if x * x + y * y > 4: out[i, j] = k; break`. What is left of the loop are numbers, which [`lanes`](super::lanes) runs
//! several points of side by side.
//!
//! It looks at innermost loops with one such `break` that do nothing else but compute and load, into elements whose indices are known before. A
//! load behind which the element is stored was there first, so that the order of all accesses stays.

use std::collections::BTreeSet;

use pydd_ir::rewrite::{Layout, Replacements, position};
use pydd_ir::{Builder, DType, Function, Level, Module, Op, OpKind, Type, Value};

use super::fast_functions;
use crate::analysis::jumps::ends;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "sink-stores",
    summary: "take stores right before a break behind the loop",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Stores before a `break`, at most.
const MOST: usize = 4;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    for func in fast_functions(module) {
        for looped in func.hot_ops() {
            if let Some(found) = find(func, looped) {
                sink(func, looped, &found);
            }
        }
    }
    Ok(())
}

struct Found {
    /// The `break` behind the stores.
    leaves: Op,
    stores: Vec<Op>,
}

fn find(func: &Function, looped: Op) -> Option<Found> {
    if !matches!(func.ops[looped].kind, OpKind::For | OpKind::Loop) {
        return None;
    }
    let layout = Layout::new(func);
    layout
        .parent(looped)
        .filter(|_| layout.ancestors(looped).any(|around| func.ops[around].kind.is_loop()))?;
    let body = func.ops[looped].regions[0];
    let mut stores: BTreeSet<Op> = BTreeSet::new();
    let mut is_plain = true;
    func.walk(body, &mut |op| match func.ops[op].kind {
        OpKind::StoreRaw => {
            stores.insert(op);
        }
        OpKind::If | OpKind::Yield | OpKind::LoadRaw | OpKind::Break(0) | OpKind::Continue(0) => {}
        ref kind => is_plain &= super::is_number(kind),
    });
    if !is_plain || stores.is_empty() || stores.len() > MOST {
        return None;
    }
    // All of them stand before one end of the loop.
    let first = *stores.first()?;
    let block = layout.block_of(first)?;
    let (&leaves, before) = func.blocks[block].ops.split_last()?;
    let last: Vec<Op> = before[before.len().checked_sub(stores.len())?..].to_vec();
    let known = |&value: &Value| layout.dominates(func, value, looped);
    let suits = |store: &Op| {
        let args = &func.ops[*store].args;
        stores.contains(store)
            && matches!(func.ty(args[1]), Type::Scalar(_))
            && args.iter().enumerate().all(|(at, value)| at == 1 || known(value))
    };
    (block != body && func.ops[leaves].kind == OpKind::Break(0) && last.iter().all(suits))
        .then_some(Found { leaves, stores: last })
}

fn sink(func: &mut Function, looped: Op, found: &Found) {
    let data = func.ops[looped].clone();
    let body = data.regions[0];
    let values: Vec<Value> = found.stores.iter().map(|&store| func.ops[store].args[1]).collect();
    let dtypes: Vec<DType> =
        values.iter().map(|&value| func.ty(value).dtype().expect("an element")).collect();
    let block = func.new_block();
    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    // What is carried besides: whether the loop was left there, and with what.
    let mut init = vec![b.bool(false)];
    init.extend(dtypes.iter().map(|&dtype| b.number(0.0, dtype)));
    let mut before = std::mem::take(&mut b.func.blocks[block].ops);
    let types: Vec<Type> = init.iter().map(|&value| b.func.ty(value)).collect();
    let params: Vec<Value> = types.iter().map(|&ty| b.func.add_param(body, ty)).collect();
    for end in ends(b.func, body) {
        if end.op == found.leaves {
            let yes = b.bool(true);
            let made = std::mem::take(&mut b.func.blocks[block].ops);
            let (home, at) = position(b.func, end.op).expect("the break stands in a block");
            b.func.blocks[home].ops.splice(at..at, made);
            b.func.ops[end.op].args.push(yes);
            b.func.ops[end.op].args.extend(&values);
        } else {
            b.func.ops[end.op].args.extend(&params);
        }
    }
    let (home, _) = position(b.func, found.leaves).expect("the break stands in a block");
    b.func.blocks[home].ops.retain(|op| !found.stores.contains(op));
    let all: Vec<Type> = data.results.iter().map(|&value| b.func.ty(value)).chain(types).collect();
    let args = [&data.args[..], &init].concat();
    let made = b.op(data.kind, args, &all, vec![body]);
    let results = b.func.ops[made].results.clone();
    let (own, more) = results.split_at(data.results.len());
    let does = b.region(&[], |b, _| {
        for (&store, &value) in found.stores.iter().zip(&more[1..]) {
            b.loc = b.func.ops[store].loc;
            let mut args = b.func.ops[store].args.clone();
            args[1] = value;
            b.effect(OpKind::StoreRaw, args);
        }
        b.effect(OpKind::Yield, vec![]);
    });
    let idle = b.region(&[], |b, _| {
        b.effect(OpKind::Yield, vec![]);
    });
    b.op(OpKind::If, vec![more[0]], &[], vec![does, idle]);
    before.append(&mut b.func.blocks[block].ops);
    let (home, at) = position(func, looped).expect("the loop stands in a block");
    func.blocks[home].ops.splice(at..=at, before);
    let mut replacements = Replacements::default();
    replacements.replace_all(&data.results, own);
    replacements.apply(func);
}
