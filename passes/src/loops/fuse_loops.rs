//! Makes one loop of neighbours that go over the same range and touch the same memory.
//!
//! ```text
//! for %i in 0, %n { %m = … a[i, :] …; store b[i] }          for %i in 0, %n {
//! %s = empty %n                                       ⇒        %m = … a[i, :] …; store b[i]
//! for %j in 0, %n { %x = load b[j]; … store c[j, :] }          %x = load b[i]; … store c[i, :]
//! }                                                         }
//! ```
//!
//! What a row was computed from is still near when it is used, temporaries can become as small as what one iteration
//! needs (see [`contract`](super::contract)), and several reductions take one walk over memory. What stands between the loops moves
//! before them or behind them. Loops within are looked at after the loops around them. What is computed is first joined with what uses it,
//! then loops that only read the same memory: else a rolled array might be made beside another loop over its source.
//!
//! Two loops become one only where the iterations of that one may run in any order, as
//! [`independent`](crate::analysis::independent) finds: then no iteration of the second loop needs what a later one of the first
//! does. Where each keeps an order in arrays that the other one leaves alone (a row of maxima so far), they are joined in it as well. Loops that carry numbers from one iteration to the next, as running sums do, are joined in their order, with what uses these and is
//! short. Of two loops one may raise, as gathers do, where nobody sees what the other one has done by then. A loop of exponentials stays
//! apart from one that holds loops or raises, since it would lose its vectors; so do loops that add to elements at different distances from their
//! index. Loops that share no memory stay apart, as do loops that are
//! left early, those of versions for any arguments, and under `--strict-fp` those that sum up floats. So do, for a device, those that would no longer be nests: see [`device`].

use std::collections::BTreeSet;

use pydd_ir::alias::{Effects, MemoryInfo, Origin, Summaries};
use pydd_ir::rewrite::{Replacements, same_op};
use pydd_ir::{Block, Builder, ElemOp, Function, Level, Module, Op, OpKind, Type, Value};

use super::fast_functions;
use crate::analysis::independent::Finder;
use crate::analysis::jumps::runs_to_its_end;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report::JoinedLoops;

mod device;
mod sink;

pub const PASS: Pass = Pass {
    name: "fuse-loops",
    summary: "make one loop of neighbours that touch the same memory",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// The cost of functions that take much less time in vectors.
pub(super) const COSTLY: i64 = 16;
/// Pairs of loops that are tried in a function, at most.
const TRIES: usize = 64;
/// Loops of a function that are moved into branches, at most.
const MOST_SUNK: usize = 8;
/// Operations of a function in which loops are tried, at most.
const LONGEST: usize = 4000;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module) {
        let strict_fp = cx.options.strict_fp;
        let mut fuser = Fuser {
            cx,
            summaries: &summaries,
            strict_fp,
            tries: TRIES,
            sunk: 0,
            refused: BTreeSet::new(),
            said: JoinedLoops::default(),
        };
        fuser.function(func);
        fuser.said.report(cx);
    }
    Ok(())
}

struct Fuser<'a> {
    cx: &'a PassContext<'a>,
    summaries: &'a Summaries,
    strict_fp: bool,
    tries: usize,
    /// Loops that were moved into branches.
    sunk: usize,
    /// Pairs that did not become one loop.
    refused: BTreeSet<(Op, Op)>,
    said: JoinedLoops,
}

/// Which loops are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joined {
    /// Those of which the second reads what the first writes.
    Users,
    /// All that touch the same memory.
    Neighbours,
}

/// Two loops of one block, and where what stands between them goes.
struct Pair {
    block: Block,
    /// Places in the block.
    first: usize,
    second: usize,
    /// The one that is to go in steps of the other one's blocks.
    in_blocks: Option<(Op, Value)>,
    /// Of what stands between them, what moves before the first; the rest moves behind the second.
    before: Vec<Op>,
}

impl Fuser<'_> {
    fn function(&mut self, func: &mut Function) {
        if func.ops.len() > LONGEST {
            return;
        }
        let mut memory = MemoryInfo::new(func, self.summaries);
        let mut blocks = vec![func.entry];
        while let Some(block) = blocks.pop() {
            while self.sunk < MOST_SUNK
                && (sink::sink_user(func, &memory, block) || sink::sink(func, &memory, block))
            {
                self.sunk += 1;
                memory = MemoryInfo::new(func, self.summaries);
            }
            for joined in [Joined::Users, Joined::Neighbours] {
                let mut first = 0;
                while first < func.blocks[block].ops.len() {
                    match self.fuse_with_next(func, &memory, block, first, joined) {
                        // The loop that was made stands where the first one did, or further behind.
                        Some(fused) => {
                            *func = fused;
                            memory = MemoryInfo::new(func, self.summaries);
                        }
                        None => first += 1,
                    }
                }
            }
            for &op in &func.blocks[block].ops {
                blocks.extend(&func.ops[op].regions);
            }
        }
    }

    /// The function with this loop and the next one that suits it as one.
    fn fuse_with_next(
        &mut self,
        func: &Function,
        memory: &MemoryInfo,
        block: Block,
        first: usize,
        joined: Joined,
    ) -> Option<Function> {
        let ops = &func.blocks[block].ops;
        if !may_be_joined(func, memory, ops[first]) {
            return None;
        }
        let writes = &memory.effects(ops[first]).writes;
        for second in first + 1..ops.len() {
            let uses = || memory.effects(ops[second]).reads.intersects(writes);
            if joined == Joined::Users && !uses() || self.refused.contains(&(ops[first], ops[second])) {
                continue;
            }
            if !may_be_joined(func, memory, ops[second]) {
                continue;
            }
            let loops = [ops[first], ops[second]];
            let raises = loops.iter().any(|&op| memory.effects(op).raises);
            if raises && !(joined == Joined::Users && may_raise_together(func, memory, loops)) {
                continue;
            }
            let Some(pair) = suits(func, memory, block, first, second) else { continue };
            self.tries = self.tries.checked_sub(1)?;
            let mut trial = func.clone();
            if let Some((op, step)) = pair.in_blocks {
                cut_into_blocks(&mut trial, op, step);
            }
            let fused = fuse(&mut trial, &pair);
            // What both loops add to is added to in another order, so that of floats is asked for.
            let finder = Finder::new(&trial, self.summaries, self.strict_fp);
            let goes_on = || joined == Joined::Users && is_short_scan(func, loops);
            let free = finder.has_no_order(fused) && !self.combines(func, loops, &finder, fused);
            let in_order =
                || joined == Joined::Users && self.keeps_orders(func, memory, loops, &finder, fused);
            if free || goes_on() && finder.only_carries(fused) || in_order() {
                self.said.joined(self.cx, func, ops[first], ops[second]);
                return Some(trial);
            }
            self.said.apart(self.cx, func, ops[first], ops[second]);
            self.refused.insert((ops[first], ops[second]));
        }
        None
    }

    /// Whether two loops over rows need no order but what each has in arrays that the other one leaves alone, as running maxima of rows do: their iterations
    /// stay in it.
    fn keeps_orders(
        &self,
        func: &Function,
        memory: &MemoryInfo,
        loops: [Op; 2],
        finder: &Finder<'_>,
        fused: Op,
    ) -> bool {
        let holds_loops = |op: Op| {
            let mut holds = false;
            func.walk(func.ops[op].regions[0], &mut |inner| holds |= func.ops[inner].kind.is_loop());
            holds
        };
        let touches = |op: Op, array: Value| {
            let effects = memory.effects(op);
            let classes = memory.classes(array);
            effects.reads.intersects(classes) || effects.writes.intersects(classes)
        };
        !func.device
            && loops.into_iter().all(holds_loops)
            && finder.only_orders(fused, |array| !loops.into_iter().all(|op| touches(op, array)))
    }

    /// Whether iterations of what two loops became combine values into the same elements, as `t[1:] += x; t[:-1] += y` does,
    /// where no iterations of either did: such a loop has no vectors.
    fn combines(&self, func: &Function, loops: [Op; 2], finder: &Finder<'_>, fused: Op) -> bool {
        let reduces =
            |finder: &Finder<'_>, op| finder.independent(op).is_some_and(|found| found.table.reduces());
        reduces(finder, fused) && {
            let before = Finder::new(func, self.summaries, self.strict_fp);
            !loops.into_iter().any(|op| reduces(&before, op))
        }
    }
}

fn is_candidate(func: &Function, memory: &MemoryInfo, op: Op) -> bool {
    may_be_joined(func, memory, op) && !memory.effects(op).raises
}

/// Whether an operation is a loop without effects on anything but memory, which may raise.
fn may_be_joined(func: &Function, memory: &MemoryInfo, op: Op) -> bool {
    let effects = memory.effects(op);
    func.ops[op].kind == OpKind::For
        && !(effects.leaves || effects.diverges || effects.io || effects.owns || effects.allocates)
        && runs_to_its_end(func, func.ops[op].regions[0])
}

/// Whether of two loops of which some raise only one does, and its error hides what the other one has done: that is in memory of the
/// function's own. Loops that raise have no vectors, which the other one may be worth more with.
fn may_raise_together(func: &Function, memory: &MemoryInfo, [one, two]: [Op; 2]) -> bool {
    let hidden = match [one, two].map(|op| memory.effects(op).raises) {
        [true, true] => return false,
        [true, false] => two,
        _ => one,
    };
    innermost_cost(func, hidden) < COSTLY
        && memory.writes_fresh(memory.effects(hidden))
        && keeps_to_its_index(func, memory, hidden)
}

/// What an iteration costs of the loops within that hold no loop, the most of them, or of the loop itself.
fn innermost_cost(func: &Function, looped: Op) -> i64 {
    let body = &func.blocks[func.ops[looped].regions[0]].ops;
    let (mut within, mut here) = (Vec::new(), 0);
    let mut visit = |op: Op| match func.ops[op].kind {
        OpKind::For => within.push(op),
        OpKind::Elem(elem) => here += elem.cost(),
        _ => {}
    };
    for &op in body {
        visit(op);
        if func.ops[op].kind != OpKind::For {
            func.ops[op].regions.iter().for_each(|&region| func.walk(region, &mut visit));
        }
    }
    within.into_iter().map(|op| innermost_cost(func, op)).max().unwrap_or(here)
}

/// Whether all elements that a loop touches stand where its own index says along their first axis, or that of a loop over a block from
/// there on: then no check of another iteration stands before them. Arrays of the function's own are as long as they were made,
/// whatever is checked, so any of their axes will do.
fn keeps_to_its_index(func: &Function, memory: &MemoryInfo, looped: Op) -> bool {
    let body = func.ops[looped].regions[0];
    let mut own = BTreeSet::from([func.blocks[body].params[0]]);
    let is_fresh = |array: Value| {
        memory.classes(array).iter().all(|class| matches!(memory.origin(class), Origin::Fresh(..)))
    };
    let stands = |own: &BTreeSet<Value>, array: Value, indices: &[Value]| {
        let axes = if is_fresh(array) { indices.len() } else { 1 };
        indices.iter().take(axes).any(|index| own.contains(index))
    };
    let mut keeps = true;
    func.walk(body, &mut |op| {
        let data = &func.ops[op];
        keeps &= match data.kind {
            OpKind::LoadRaw => stands(&own, data.args[0], &data.args[1..]),
            OpKind::StoreRaw => stands(&own, data.args[0], &data.args[2..]),
            OpKind::For => {
                let goes_on = own.contains(&data.args[0]) && func.as_int(data.args[2]) == Some(1);
                own.extend(goes_on.then(|| func.blocks[data.regions[0]].params[0]));
                true
            }
            OpKind::Elem(_) | OpKind::Cast | OpKind::Const(_) | OpKind::Dim(_) => true,
            OpKind::If | OpKind::Continue(0) | OpKind::Yield => true,
            _ => false,
        };
    });
    keeps
}

/// Two loops over one range that touch the same memory, the second of which can follow the first.
fn suits(func: &Function, memory: &MemoryInfo, block: Block, first: usize, second: usize) -> Option<Pair> {
    let ops = &func.blocks[block].ops;
    let (one, two) = (ops[first], ops[second]);
    let in_blocks = same_range(func, one, two)?;
    let all = |effects: &Effects| {
        let mut all = effects.reads.clone();
        all.union(&effects.writes);
        all
    };
    let apart = !memory.effects(two).touches(&all(memory.effects(one)));
    if func.device && device::is_better_apart(func, [one, two]) {
        return None;
    }
    // What is cut into blocks has loops of its own.
    if apart || in_blocks.is_none() && loses_vectors(func, [one, two]) {
        return None;
    }
    let (before, stuck) = split_between(func, memory, one, &ops[first + 1..second]);
    let follows = !uses_results(func, two, one);
    let passes = |&other: &Op| !uses_results(func, two, other) && memory.may_swap(other, two);
    (follows && stuck.iter().all(passes)).then_some(Pair { block, first, second, in_blocks, before })
}

/// Of what stands behind an operation, what may stand before it, and what not.
fn split_between(func: &Function, memory: &MemoryInfo, one: Op, behind: &[Op]) -> (Vec<Op>, Vec<Op>) {
    let (mut before, mut stuck) = (Vec::new(), Vec::new());
    for &op in behind {
        let free = stuck.iter().chain([&one]).all(|&other| {
            !uses_results(func, op, other) && memory.may_hoist(memory.effects(other), memory.effects(op))
        });
        if free {
            before.push(op);
        } else {
            stuck.push(op);
        }
    }
    (before, stuck)
}

/// Whether one loop computes a function that vectors are worth most for, and the other one, which holds loops, would take them from it.
fn loses_vectors(func: &Function, loops: [Op; 2]) -> bool {
    let [one, two] = loops.map(|op| {
        let (mut holds_loops, mut is_costly) = (false, false);
        func.walk(func.ops[op].regions[0], &mut |inner| {
            let data = &func.ops[inner];
            holds_loops |= data.kind.is_loop();
            is_costly |= match data.kind {
                // Of known exponents most are products.
                OpKind::Elem(ElemOp::Pow) => func.as_const(data.args[1]).is_none(),
                OpKind::Elem(elem) => elem.cost() >= COSTLY,
                _ => false,
            };
        });
        (holds_loops, is_costly)
    });
    matches!((one, two), ((true, _), (false, true)) | ((false, true), (true, _)))
}

/// Whether two loops carry numbers, as sums so far, and do little else: that takes no longer than one addition waits for another, so
/// nothing is lost with the vectors of the loop that carries nothing. For a device such loops are split (see
/// [`split_scans`](super::split_scans)).
fn is_short_scan(func: &Function, loops: [Op; 2]) -> bool {
    let is_number = |op: Op| func.ops[op].results.iter().all(|&value| func.ty(value).is_scalar());
    let body = |op: Op| &func.blocks[func.ops[op].regions[0]].ops;
    let is_straight = |op: Op| body(op).iter().all(|&inner| func.ops[inner].regions.is_empty());
    let is_short = |op: Op| is_number(op) && is_straight(op) && innermost_cost(func, op) < COSTLY;
    let carries = loops.iter().any(|&op| !func.ops[op].results.is_empty());
    carries && !func.device && loops.into_iter().all(is_short)
}

/// Whether two loops go over one range, and if one of them goes in blocks, what the other one is to be cut into.
#[allow(clippy::option_option, reason = "no, yes, and yes if one is cut")]
fn same_range(func: &Function, one: Op, two: Op) -> Option<Option<(Op, Value)>> {
    let (first, second) = (&func.ops[one].args, &func.ops[two].args);
    let same =
        |a: Value, b: Value| a == b || func.as_const(a).is_some() && func.as_const(a) == func.as_const(b);
    let end = |args: &[Value]| end_of_range(func, [args[0], args[1], args[2]]);
    if !same(first[0], second[0]) || !same(end(first), end(second)) {
        return None;
    }
    if same(first[2], second[2]) {
        return Some(None);
    }
    match (func.as_int(first[2])?, func.as_int(second[2])?) {
        (1, 2..) if is_blocked(func, two) => Some(Some((one, second[2]))),
        (2.., 1) if is_blocked(func, one) => Some(Some((two, first[2]))),
        _ => None,
    }
}

/// What an end that is no less than the start, as lengths are, is made of: a loop that counts up from there ends as well with it.
fn end_of_range(func: &Function, [start, stop, step]: [Value; 3]) -> Value {
    if func.as_int(step).is_none_or(|step| step <= 0) {
        return stop;
    }
    let data = func.def_op(stop).map(|op| &func.ops[op]);
    let Some(([a, b], OpKind::Elem(ElemOp::Max))) = data.map(|data| (&data.args[..], &data.kind)) else {
        return stop;
    };
    let is_no_more = |bound: Value| func.as_int(bound).zip(func.as_int(start)).is_some_and(|(b, s)| b <= s);
    if is_no_more(*b) {
        *a
    } else if is_no_more(*a) {
        *b
    } else {
        stop
    }
}

/// Whether a loop in steps holds a loop that goes on from its index, one by one.
fn is_blocked(func: &Function, op: Op) -> bool {
    let body = func.ops[op].regions[0];
    let index = func.blocks[body].params[0];
    func.blocks[body].ops.iter().any(|&inner| {
        let data = &func.ops[inner];
        data.kind == OpKind::For && data.args[0] == index && func.as_int(data.args[2]) == Some(1)
    })
}

/// Makes a loop by one a loop in steps, and one within each: as reductions are lowered.
fn cut_into_blocks(func: &mut Function, op: Op, step: Value) {
    let data = func.ops[op].clone();
    let (stop, one) = (data.args[1], data.args[2]);
    let types: Vec<_> = data.results.iter().map(|&result| func.ty(result)).collect();
    let body = func.new_block();
    let mut b = Builder::new(func, body);
    b.loc = data.loc;
    let index = b.func.add_param(body, Type::I64);
    let carried: Vec<Value> = types.iter().map(|&ty| b.func.add_param(body, ty)).collect();
    let left = b.sub(stop, index);
    let length = b.elem(ElemOp::Min, &[left, step]);
    let end = b.add(index, length);
    let args = [&[index, end, one], &carried[..]].concat();
    let inner = b.op(OpKind::For, args, &types, data.regions.clone());
    let next = b.func.ops[inner].results.clone();
    b.effect(OpKind::Continue(0), next);
    let outer = &mut func.ops[op];
    outer.args[2] = step;
    outer.regions = vec![body];
}

/// Whether an operation, or one within it, uses what another one gives.
pub fn uses_results(func: &Function, user: Op, of: Op) -> bool {
    let results = &func.ops[of].results;
    let uses = |op: Op| func.ops[op].args.iter().any(|arg| results.contains(arg));
    let mut found = !results.is_empty() && uses(user);
    if !results.is_empty() {
        for &region in &func.ops[user].regions {
            func.walk(region, &mut |op| found |= uses(op));
        }
    }
    found
}

/// Puts one loop in the place of two of a block, which go over one range and need each other in no order; of what stands between them,
/// some operations move before it.
pub fn join(func: &mut Function, block: Block, [first, second]: [usize; 2], before: Vec<Op>) -> Op {
    fuse(func, &Pair { block, first, second, in_blocks: None, before })
}

/// Puts one loop in the place of two.
fn fuse(func: &mut Function, pair: &Pair) -> Op {
    let ops = func.blocks[pair.block].ops.clone();
    let (one, two) = (func.ops[ops[pair.first]].clone(), func.ops[ops[pair.second]].clone());
    let body = func.new_block();
    let (first, second) = (one.regions[0], two.regions[0]);
    let mut replacements = Replacements::default();
    let (one_params, two_params) = (func.blocks[first].params.clone(), func.blocks[second].params.clone());
    let index = func.add_param(body, func.ty(one_params[0]));
    replacements.replace(one_params[0], index);
    replacements.replace(two_params[0], index);
    for &old in one_params[1..].iter().chain(&two_params[1..]) {
        let new = func.add_param(body, func.ty(old));
        replacements.replace(old, new);
    }
    let mut inner = func.blocks[first].ops.clone();
    let mut next = inner.pop().map(|end| func.ops[end].args.clone()).unwrap_or_default();
    inner.extend_from_slice(&func.blocks[second].ops);
    if let Some(&end) = inner.last() {
        next.extend_from_slice(&func.ops[end].args);
        func.ops[end].args = next;
    }
    func.blocks[body].ops = share(func, inner, &mut replacements);
    // Operations stand in one block.
    [first, second].into_iter().for_each(|old| func.blocks[old].ops.clear());
    let args: Vec<Value> = one.args.iter().chain(&two.args[3..]).copied().collect();
    let old: Vec<Value> = one.results.iter().chain(&two.results).copied().collect();
    let types: Vec<_> = old.iter().map(|&value| func.ty(value)).collect();
    let fused = func.new_op(OpKind::For, args, &types, vec![body], one.loc);
    let new = func.ops[fused].results.clone();
    replacements.replace_all(&old, &new);
    let between = &ops[pair.first + 1..pair.second];
    let behind = between.iter().filter(|op| !pair.before.contains(op));
    let placed: Vec<Op> = ops[..pair.first]
        .iter()
        .chain(&pair.before)
        .chain([&fused])
        .chain(behind)
        .chain(&ops[pair.second + 1..])
        .copied()
        .collect();
    func.blocks[pair.block].ops = placed;
    replacements.apply(func);
    fused
}

/// A body without the scalar operations that repeat earlier ones, so that loops over one range are seen as such.
fn share(func: &Function, body: Vec<Op>, replacements: &mut Replacements) -> Vec<Op> {
    let mut kept: Vec<Op> = Vec::new();
    let mut scalar: Vec<Op> = Vec::new();
    for op in body {
        let data = &func.ops[op];
        let plain = matches!(data.kind, OpKind::Const(_) | OpKind::Elem(_) | OpKind::Cast | OpKind::Dim(_));
        let same = |&&earlier: &&Op| same_op(func, earlier, op, |value| replacements.resolve(value));
        match scalar.iter().find(same).filter(|_| plain).copied() {
            Some(earlier) => replacements.replace_all(&data.results, &func.ops[earlier].results),
            None => {
                scalar.extend(plain.then_some(op));
                kept.push(op);
            }
        }
    }
    kept
}
