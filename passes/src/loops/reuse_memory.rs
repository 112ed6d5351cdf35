//! Stores what a loop makes into the array that it is made of, where nobody needs that any more.
//!
//! ```text
//! %t = empty %n                                %t = empty %n
//! … %t is filled …                             … %t is filled …
//! %r = empty %n                        ⇒       for %i in 0, %n { store_raw %t, (add (load_raw %t, %i), %b), %i }
//! for %i in 0, %n {                            … %t is used …
//!     store_raw %r, (add (load_raw %t, %i), %b), %i
//! }
//! … %r is used …
//! ```
//!
//! `x @ w + b` is so, and whatever is computed of results of products, transforms and sorting: memory that is new to the processor costs as much as a pass over it.
//!
//! Both are arrays of the function's own, of one type and length, each element is loaded before the iteration that does so stores its own, and no other iteration stores it. It leaves alone: arrays that somebody looks at later,
//! also by a view, or that something else than loads, stores and functions of the runtime gets to see, and versions for devices.

use std::collections::BTreeSet;

use pydd_ir::rewrite::{Layout, Replacements, Use, Uses, erase_ops};
use pydd_ir::{Block, Function, Level, Module, Op, OpKind, Value};

use super::fast_functions;
use crate::analysis::patterns::{moved, raw_element};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "reuse-memory",
    summary: "store what loops make into arrays that nobody needs any more",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Arrays of a function that are stored into others, at most.
const MOST: usize = 32;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    for func in fast_functions(module).filter(|func| !func.device) {
        for _ in 0..MOST {
            let Some((result, array)) = find(func) else { break };
            let mut replacements = Replacements::default();
            replacements.replace(func.result(result), array);
            erase_ops(func, &BTreeSet::from([result]));
            replacements.apply(func);
        }
    }
    Ok(())
}

/// An array that a loop fills, and the one that it may store into.
fn find(func: &Function) -> Option<(Op, Value)> {
    let mut made: Vec<Op> = func.hot_ops();
    made.retain(|&op| func.ops[op].kind == OpKind::Empty);
    if made.is_empty() {
        return None;
    }
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    made.into_iter().find_map(|result| Some((result, array_for(func, &layout, &uses, result)?)))
}

fn array_for(func: &Function, layout: &Layout, uses: &Uses, result: Op) -> Option<Value> {
    let home = layout.block_of(result)?;
    let finder = Finder { func, layout, uses, home };
    // Whatever comes first fills it.
    let (looped, store) = finder.filled_by(func.result(result))?;
    let at = layout.index_of(store)?;
    let before = &func.blocks[layout.block_of(store)?].ops[..at];
    let place = raw_element(func, store)?;
    if !finder.stores_once(looped, store, &place[1..]) {
        return None;
    }
    let is_candidate = |&load: &Op| {
        let element = raw_element(func, load).filter(|_| func.ops[load].kind == OpKind::LoadRaw)?;
        let array = element[0];
        let suits = element[1..] == place[1..]
            && finder.is_alike(array, result)
            && finder.is_last_used(array, looped, before, &place[1..]);
        suits.then_some(array)
    };
    before.iter().find_map(is_candidate)
}

struct Finder<'a> {
    func: &'a Function,
    layout: &'a Layout,
    uses: &'a Uses,
    /// Where arrays are made and loops stand.
    home: Block,
}

impl Finder<'_> {
    /// The operation of this block that an operation is, or is part of.
    fn top(&self, op: Op) -> Option<Op> {
        let here = |op: &Op| self.layout.block_of(*op) == Some(self.home);
        std::iter::once(op).chain(self.layout.ancestors(op)).find(here)
    }

    /// The loop that has the first uses of an array, and the only store in it.
    fn filled_by(&self, array: Value) -> Option<(Op, Op)> {
        let users: Vec<Op> = self.uses.of(array).iter().map(|one| one.op).collect();
        let tops: Option<Vec<Op>> = users.iter().map(|&op| self.top(op)).collect();
        let first = tops?.into_iter().min_by_key(|&op| self.layout.index_of(op))?;
        let mut within = users.into_iter().filter(|&op| self.layout.is_inside(op, first));
        let store = within.next()?;
        let is_store = self.func.ops[store].kind == OpKind::StoreRaw && self.func.ops[store].args[0] == array;
        let alone = self.func.ops[first].kind == OpKind::For && within.next().is_none();
        (is_store && alone).then_some((first, store))
    }

    /// Whether each iteration of the loops around a store stores another element: the indices of all of them say which.
    fn stores_once(&self, looped: Op, store: Op, place: &[Value]) -> bool {
        let mut around: Vec<Op> =
            self.layout.ancestors(store).take_while(|&op| self.layout.is_inside(op, looped)).collect();
        around.push(looped);
        around.into_iter().filter(|&op| self.func.ops[op].kind.is_breakable()).all(|op| {
            let index = self.func.blocks[self.func.ops[op].regions[0]].params.first();
            let steps = self.func.ops[op].kind == OpKind::For;
            steps && index.is_some_and(|index| place.iter().any(|&at| moved(self.func, at).0 == *index))
        })
    }

    /// Whether an array is one of the function's own, made in this block with the type and lengths of another one.
    fn is_alike(&self, array: Value, other: Op) -> bool {
        let Some(made) = self.func.def_op(array) else { return false };
        let (a, b) = (&self.func.ops[made], &self.func.ops[other]);
        let same = |(&x, &y): (&Value, &Value)| {
            x == y || self.func.as_int(x).is_some() && self.func.as_int(x) == self.func.as_int(y)
        };
        matches!(a.kind, OpKind::Empty | OpKind::Zeros)
            && self.layout.block_of(made) == Some(self.home)
            && self.func.ty(array) == self.func.ty(self.func.result(other))
            && a.args.iter().zip(&b.args).all(same)
    }

    /// Whether all that uses an array comes before a loop, or loads in it these elements, of which each is loaded before `store`.
    fn is_last_used(&self, array: Value, looped: Op, before: &[Op], place: &[Value]) -> bool {
        self.uses.of(array).iter().all(|one| {
            if self.top(one.op) != Some(looped) {
                return self.comes_before(one, looped);
            }
            let element = raw_element(self.func, one.op);
            let is_own = element.is_some_and(|element| element[1..] == *place);
            self.func.ops[one.op].kind == OpKind::LoadRaw && is_own && before.contains(&one.op)
        })
    }

    /// Whether a use of an array, by elements or by a function of the runtime, comes before a loop, and so do those of a view.
    fn comes_before(&self, one: &Use, looped: Op) -> bool {
        let data = &self.func.ops[one.op];
        let is_known = match data.kind {
            OpKind::LoadRaw | OpKind::Dim(_) | OpKind::Lib(_) => true,
            OpKind::StoreRaw => one.index == 0,
            OpKind::RawView => self.uses.of(data.results[0]).iter().all(|one| self.comes_before(one, looped)),
            _ => false,
        };
        is_known && self.top(one.op).is_some_and(|top| self.layout.is_before(top, looped))
    }
}
