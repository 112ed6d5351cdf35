//! Makes one loop of neighbours that each combine something with all elements of one array.
//!
//! ```text
//! for %i in 0, %n { store_raw %c, 0.0, %i }
//! for %j in 0, %n {                                for %i in 0, %n {
//!     %y = load_raw %c, %j                             %y = add 0.0, %a[0, %i]
//!     store_raw %c, (add %y, %a[0, %j]), %j    ⇒       %z = add %y, %a[1, %i]
//! }                                                    store_raw %c, %z, %i
//! for %k in 0, %n { … %a[1, %k] … }                }
//! ```
//!
//! They are what is left of the steps of a short loop, a sum along a short first axis say. Between them are numbers alone, and nothing else
//! that they read is the array. Each element is made in the order in which it was.

use std::collections::BTreeSet;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout};
use pydd_ir::{Block, Function, Level, Module, Op, OpKind, Value};

use super::{fast_functions, is_number};
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::{counts_up, raw_element};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "join-updates",
    summary: "make one loop of neighbours that update all elements of an array",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Operations of a loop that is made, at most.
const LONGEST: usize = 80;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module).filter(|func| !func.device) {
        let blocks: Vec<Block> = func.blocks.keys().filter(|&block| has_neighbours(func, block)).collect();
        for block in blocks {
            while let Some(pair) = find(func, &summaries, block) {
                pair.join(func, block);
            }
        }
    }
    Ok(())
}

/// Whether loops stand beside each other in a block.
fn has_neighbours(func: &Function, block: Block) -> bool {
    neighbours(func, block).next().is_some()
}

/// Loops with nothing but numbers between them.
fn neighbours(func: &Function, block: Block) -> impl Iterator<Item = [Op; 2]> {
    let loops = func.blocks[block].ops.iter().copied().filter(|&op| !is_number(&func.ops[op].kind));
    let loops: Vec<Op> = loops.collect();
    let pairs: Vec<[Op; 2]> = loops.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    let is_loop = |op: Op| counts_up(func, op) && func.ops[op].results.is_empty();
    pairs.into_iter().filter(move |pair| pair.iter().all(|&op| is_loop(op)))
}

/// A loop that stores elements of arrays, each at its own index, and what it loads.
struct Update {
    looped: Op,
    stores: Vec<Op>,
    loads: Vec<Op>,
}

struct Pair {
    first: Update,
    second: Update,
}

fn find(func: &Function, summaries: &Summaries, block: Block) -> Option<Pair> {
    let mut known: Option<(MemoryInfo, Layout)> = None;
    neighbours(func, block).find_map(|[first, second]| {
        let same = (0..2).all(|end| {
            let [a, b] = [first, second].map(|op| func.ops[op].args[end]);
            a == b || func.as_int(a).is_some() && func.as_int(a) == func.as_int(b)
        });
        let short = [first, second].iter().map(|&op| body(func, op).len()).sum::<usize>() <= LONGEST;
        if !(same && short) {
            return None;
        }
        let (memory, layout) =
            known.get_or_insert_with(|| (MemoryInfo::new(func, summaries), Layout::new(func)));
        let [first, second] = [first, second].map(|op| update(func, layout, op));
        let pair = Pair { first: first?, second: second? };
        pair.fits(func, memory).then_some(pair)
    })
}

fn body(func: &Function, looped: Op) -> &[Op] {
    &func.blocks[func.ops[looped].regions[0]].ops
}

fn update(func: &Function, layout: &Layout, looped: Op) -> Option<Update> {
    let region = func.ops[looped].regions[0];
    let index = func.blocks[region].params[0];
    let (_, ops) = body(func, looped).split_last()?;
    let (mut stores, mut loads): (Vec<Op>, Vec<Op>) = (Vec::new(), Vec::new());
    for &op in ops {
        match &func.ops[op].kind {
            OpKind::LoadRaw => {
                // What was stored before is another value.
                let target = func.ops[op].args[0];
                if stores.iter().any(|&store| func.ops[store].args[0] == target) {
                    return None;
                }
                loads.push(op);
            }
            OpKind::StoreRaw => stores.push(op),
            kind if is_number(kind) => {}
            _ => return None,
        }
    }
    // One axis has the index, others what does not change.
    let own_element = |store: &Op| {
        let place = &func.ops[*store].args[2..];
        place.iter().filter(|at| **at == index).count() == 1
            && place.iter().all(|at| *at == index || layout.dominates(func, *at, looped))
    };
    let targets: BTreeSet<Value> = stores.iter().map(|&store| func.ops[store].args[0]).collect();
    let fits = !stores.is_empty()
        && targets.len() == stores.len()
        && stores.iter().all(own_element)
        && runs_to_its_end(func, region);
    fits.then_some(Update { looped, stores, loads })
}

/// An array and a place in it, the loop's index being none.
type Element = (Value, Vec<Option<Value>>);

impl Update {
    fn element(&self, func: &Function, access: Op) -> Element {
        let index = func.blocks[func.ops[self.looped].regions[0]].params[0];
        let element = raw_element(func, access).expect("a load or store");
        (element[0], element[1..].iter().map(|&at| (at != index).then_some(at)).collect())
    }
}

impl Pair {
    /// Whether of what either of them stores both touch no other element in an iteration, and the second goes on with
    /// something that the first has made.
    fn fits(&self, func: &Function, memory: &MemoryInfo) -> bool {
        let both = [&self.first, &self.second];
        let mut stored: Vec<Element> = Vec::new();
        for update in both {
            for &store in &update.stores {
                let element = update.element(func, store);
                if !stored.contains(&element) {
                    stored.push(element);
                }
            }
        }
        let apart = |(i, (array, _)): (usize, &Element)| {
            stored[..i].iter().all(|(other, _)| !memory.may_alias(*array, *other))
        };
        let own_alone = both.iter().all(|update| {
            update.loads.iter().all(|&load| {
                let element = update.element(func, load);
                let touched = stored.iter().find(|(array, _)| memory.may_alias(*array, element.0));
                touched.is_none_or(|stored| *stored == element)
            })
        });
        let goes_on = self.first.stores.iter().any(|&store| self.goes_on(func, store));
        stored.iter().enumerate().all(apart) && own_alone && goes_on
    }

    /// Whether the second loop loads what the first one has stored, and stores there as well.
    fn goes_on(&self, func: &Function, store: Op) -> bool {
        let element = self.first.element(func, store);
        let has = |ops: &[Op]| ops.iter().any(|&op| self.second.element(func, op) == element);
        has(&self.second.loads) && has(&self.second.stores)
    }

    /// Puts what the second loop does behind what the first does with the same element.
    fn join(&self, func: &mut Function, block: Block) {
        let [first, second] = [self.first.looped, self.second.looped].map(|op| func.ops[op].regions[0]);
        let index = func.blocks[first].params[0];
        let mut cloner = Cloner::default();
        cloner.values.insert(func.blocks[second].params[0], index);
        // What the first has stored is there, and is stored by the second where that stores it.
        let (mut there, mut gone) = (Vec::new(), Vec::new());
        for &store in &self.first.stores {
            let element = self.first.element(func, store);
            let same = |op: &&Op| self.second.element(func, **op) == element;
            for &load in self.second.loads.iter().filter(same) {
                cloner.values.insert(func.result(load), func.ops[store].args[1]);
                there.push(load);
            }
            gone.extend(self.second.stores.iter().find(same).map(|_| store));
        }
        let ops = func.blocks[second].ops.clone();
        let (_, ops) = ops.split_last().expect("a block has an end");
        let mut made = Vec::new();
        for &op in ops.iter().filter(|op| !there.contains(op)) {
            made.push(cloner.op(func, None, op));
        }
        let ops = &mut func.blocks[first].ops;
        let end = ops.len() - 1;
        ops.splice(end..end, made);
        ops.retain(|op| !gone.contains(op));

        // Numbers between them come first.
        let ops = &mut func.blocks[block].ops;
        ops.retain(|&op| op != self.first.looped);
        let at = ops.iter().position(|&op| op == self.second.looped).expect("it stands behind");
        ops[at] = self.first.looped;
    }
}
