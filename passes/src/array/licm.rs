//! Loop-invariant code motion, over scalars and whole arrays alike.
//!
//! ```text
//! for … {                      %c: array<f64, 2> = matmul %a, %b
//!     %c = matmul %a, %b   ⇒   for … {
//!     … %c …                       … %c …
//! }                            }
//! ```
//!
//! An operation moves out when its operands come from outside and nothing in the loop writes what it reads. What may
//! raise moves only from where nothing before it in the body can be noticed, and only behind a
//! test that the loop runs at all: `if start < stop { hoisted; for … }`, or with a copy of the test that a `while` begins with; so does what
//! needs memory, which may be more than there is. An array moves only where nobody can
//! tell one from one for each iteration. A matrix that is computed at little cost for products with vectors stays, as part of these. A branch moves as a whole; no code moves out of one, and no store.

use pydd_ir::alias::{Effects, MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout, Uses, index_in, swap_results};
use pydd_ir::{
    Block, Builder, ElemOp, Entity, Function, Level, LibOp, Module, Op, OpData, OpKind, Value, Version,
};
use std::collections::BTreeSet;

use crate::array::each_function;
use crate::array::head::Head;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

mod fitting;

pub const PASS: Pass = Pass {
    name: "licm",
    summary: "move what does not change out of loops",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    each_function(module, |func, summaries| {
        hoist(cx, func, summaries);
        if func.version == Version::Fast && fitting::split(cx, func, summaries) {
            hoist(cx, func, summaries);
        }
    });
    Ok(())
}

fn hoist(cx: &PassContext<'_>, func: &mut Function, summaries: &Summaries) {
    let layout = Layout::new(func);
    // Inner loops come after outer ones in the walk; from the inside out, code moves as far as it can.
    let mut loops = func.all_ops();
    loops.retain(|&op| func.ops[op].kind.is_loop());
    if loops.is_empty() {
        return;
    }
    let memory = MemoryInfo::new(func, summaries);
    let uses = Uses::new(func);
    let mut licm = Licm { cx, func, summaries, memory, layout, uses, inside: Vec::new() };
    for op in loops.into_iter().rev() {
        licm.hoist_from(op);
    }
}

/// Operations that can move out of a loop, in order.
struct Hoist {
    /// Those that the loop does in any case, and those that cannot fail.
    ops: Vec<Op>,
    /// Those behind a test, from the first on that may raise or want more memory than there is.
    tested: Vec<Op>,
    head: Option<Head>,
}

struct Licm<'a> {
    cx: &'a PassContext<'a>,
    func: &'a mut Function,
    summaries: &'a Summaries,
    /// Up to date for the loop that is looked at.
    memory: MemoryInfo,
    /// From before the pass: loops that are not yet looked at stand where they stood.
    layout: Layout,
    uses: Uses,
    /// By value, the loop that is looked at where its body defines it.
    inside: Vec<Option<Op>>,
}

impl Licm<'_> {
    fn hoist_from(&mut self, op: Op) {
        self.memory.refresh(self.func, self.summaries, op);
        self.note_inside(op);
        let found = self.find(op);
        if found.ops.is_empty() && found.tested.is_empty() {
            return;
        }
        let all: Vec<Op> = found.ops.iter().chain(&found.tested).copied().collect();
        report::hoisted(self.cx, self.func, op, &all);
        let func = &mut *self.func;
        let body = func.ops[op].regions[0];
        let moved: BTreeSet<Op> = all.into_iter().collect();
        func.blocks[body].ops.retain(|inner| !moved.contains(inner));
        let block = self.layout.block_of(op).expect("the loop stands in a block");
        let index = index_in(func, block, op).expect("the loop stands in its block");
        let at = index + found.ops.len();
        func.blocks[block].ops.splice(index..index, found.ops);
        if !found.tested.is_empty() {
            for (new, old) in guard(func, op, (block, at), found.tested, found.head.as_ref()) {
                self.memory.note_same(new, old);
            }
        }
    }

    /// Notes what the body of a loop defines.
    fn note_inside(&mut self, op: Op) {
        let func = &*self.func;
        self.inside.resize(func.values.len(), None);
        let mut blocks = func.ops[op].regions.clone();
        while let Some(block) = blocks.pop() {
            func.blocks[block].params.iter().for_each(|param| self.inside[param.index()] = Some(op));
            for &inner in &func.blocks[block].ops {
                let data = &func.ops[inner];
                data.results.iter().for_each(|result| self.inside[result.index()] = Some(op));
                blocks.extend(&data.regions);
            }
        }
    }

    fn find(&self, op: Op) -> Hoist {
        let func = &*self.func;
        let loop_writes = &self.memory.effects(op).writes;
        let body = func.ops[op].regions[0];
        // It is done once more before the loop.
        let is_quiet = |op: Op| self.memory.effects(op).is_removable() && !self.memory.effects(op).allocates;
        let head = if func.ops[op].kind == OpKind::Loop { Head::of(func, body, is_quiet) } else { None };
        let mut hoist = Hoist { ops: Vec::new(), tested: Vec::new(), head };
        let test = hoist.head.as_ref().map(|head| head.test);
        let mut outside: BTreeSet<Value> = BTreeSet::new();
        // What stays in the body before the operation that is looked at.
        let mut before = Effects::default();
        let guardable = has_guard(func, op);
        let mut is_done = runs_at_least_once(func, op);
        for &inner in &func.blocks[body].ops {
            if Some(inner) == test {
                // What leaves the loop is asked before it as well.
                is_done = false;
                continue;
            }
            let data = &func.ops[inner];
            let effects = self.memory.effects(inner);
            let invariant = || {
                let from_outside = |&v: &Value| outside.contains(&v) || self.inside[v.index()] != Some(op);
                operands(func, inner).iter().all(from_outside)
            };
            let quiet =
                !(effects.io || effects.leaves || effects.diverges || effects.owns || effects.guarded);
            let alone = effects.writes.is_empty() && !effects.reads.intersects(loop_writes);
            let one_is_enough =
                || !effects.allocates || data.results.iter().all(|&r| self.memory.is_value_like(r));
            let may_raise_here =
                || !effects.raises || (guardable && self.memory.may_swap_effects(&before, effects));
            let may_allocate_here = !effects.allocates || (guardable && !before.leaves);
            let movable = !data.kind.is_terminator()
                && !data.kind.is_loop()
                && !is_cheap_factor(func, &self.uses, inner);
            let moves = movable && quiet && alone && may_allocate_here;
            if moves && invariant() && one_is_enough() && may_raise_here() {
                let fails = effects.raises || effects.allocates;
                let is_tested = !is_done && (fails || !hoist.tested.is_empty());
                if is_tested { &mut hoist.tested } else { &mut hoist.ops }.push(inner);
                outside.extend(data.results.iter().copied());
            } else {
                before.merge(effects);
            }
        }
        hoist
    }
}

/// The operands of an operation, and what its regions use but do not define.
fn operands(func: &Function, op: Op) -> Vec<Value> {
    let mut all = func.ops[op].args.clone();
    let mut defined: BTreeSet<Value> = BTreeSet::new();
    for &region in &func.ops[op].regions {
        defined.extend(&func.blocks[region].params);
        func.walk(region, &mut |inner| {
            let data = &func.ops[inner];
            data.regions.iter().for_each(|&block| defined.extend(&func.blocks[block].params));
            defined.extend(&data.results);
            all.extend(&data.args);
        });
    }
    all.retain(|value| !defined.contains(value));
    all
}

/// Whether an operation multiplies the elements of a matrix, or the like, for products with vectors alone: these compute each element as they go
/// over the matrix, in no more time than another matrix would take.
fn is_cheap_factor(func: &Function, uses: &Uses, op: Op) -> bool {
    let is_cheap = |kind: &OpKind| matches!(kind, OpKind::Elem(elem) if elem.cost() <= 1);
    let is_matrix = |value: Value| func.ty(value).is_array() && func.ty(value).rank() == 2;
    let data = &func.ops[op];
    is_cheap(&data.kind)
        && data.results.iter().all(|&result| is_matrix(result) && goes_over(func, uses, result))
}

/// Whether a matrix is used by products with vectors, and by nobody else.
fn goes_over(func: &Function, uses: &Uses, matrix: Value) -> bool {
    let all = uses.of(matrix);
    !all.is_empty()
        && all.iter().all(|one| {
            let user = &func.ops[one.op];
            match user.kind {
                OpKind::Lib(LibOp::Matmul) => user.results.iter().all(|&result| func.ty(result).rank() == 1),
                OpKind::Transpose(_) => goes_over(func, uses, user.results[0]),
                _ => false,
            }
        })
}

/// Whether it can be told before the loop that it runs.
fn has_guard(func: &Function, op: Op) -> bool {
    func.ops[op].kind == OpKind::Loop || step(func, op).is_some_and(|s| s != 0)
}

fn step(func: &Function, op: Op) -> Option<i64> {
    func.as_int(*func.ops[op].args.get(2)?)
}

fn runs_at_least_once(func: &Function, op: Op) -> bool {
    if func.ops[op].kind == OpKind::Loop {
        return true;
    }
    let bound = |i: usize| func.as_int(func.ops[op].args[i]);
    match (bound(0), bound(1), step(func, op)) {
        (Some(start), Some(stop), Some(step)) => (step > 0 && start < stop) || (step < 0 && start > stop),
        _ => false,
    }
}

/// `if it runs { hoisted; loop } else { the initial values }`. The loop has other results then: gives these, each with
/// the value that it was before.
fn guard(
    func: &mut Function,
    op: Op,
    (block, index): (Block, usize),
    hoisted: Vec<Op>,
    head: Option<&Head>,
) -> Vec<(Value, Value)> {
    let data = func.ops[op].clone();
    let rest = func.blocks[block].ops.split_off(index);
    let types: Vec<_> = data.results.iter().map(|&r| func.ty(r)).collect();

    let then = func.new_block();
    func.blocks[then].ops = hoisted;
    func.blocks[then].ops.push(op);
    let mut b = Builder::new(func, then);
    b.loc = data.loc;
    b.effect(OpKind::Yield, data.results.clone());

    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let (runs, otherwise) = match head {
        Some(head) => asked_before(&mut b, &data, head),
        None => {
            let forward = step(b.func, op).is_some_and(|s| s > 0);
            let compare = if forward { ElemOp::Lt } else { ElemOp::Gt };
            let runs = b.elem(compare, &[data.args[0], data.args[1]]);
            let otherwise = b.region(&[], |b, _| {
                b.effect(OpKind::Yield, data.args[3..3 + data.results.len()].to_vec());
            });
            (runs, otherwise)
        }
    };
    let choice = b.op(OpKind::If, vec![runs], &types, vec![then, otherwise]);

    func.blocks[block].ops.extend(rest.into_iter().skip(1));
    // What used the loop's results uses those of the choice, so these change places; the branch yields the loop's own.
    swap_results(func, op, choice);
    let last = func.terminator(then).expect("just made");
    func.ops[last].args = func.ops[op].results.clone();
    func.ops[op].results.iter().copied().zip(data.results).collect()
}

/// Whether a loop with a head goes on the first time, and what it gives if not.
fn asked_before(b: &mut Builder<'_>, looped: &OpData, head: &Head) -> (Value, Block) {
    let body = looped.regions[0];
    let mut cloner = Cloner::default();
    cloner.values.insert_all(&b.func.blocks[body].params, &looped.args);
    let before = b.func.blocks[body].ops.iter().copied().take_while(|&op| op != head.test);
    for op in before.collect::<Vec<_>>() {
        let copy = cloner.op(b.func, None, op);
        b.func.blocks[b.block].ops.push(copy);
    }
    let of = |cloner: &Cloner, value: Value| cloner.values.get(value).unwrap_or(value);
    let condition = of(&cloner, head.condition(b.func));
    let runs = if head.goes_on_if { condition } else { b.elem(ElemOp::Not, &[condition]) };
    let leave = b.func.ops[head.test].regions[usize::from(head.goes_on_if)];
    let otherwise = b.func.new_block();
    cloner.ops(b.func, None, leave, otherwise);
    let end = b.func.terminator(otherwise).expect("copied");
    b.func.ops[end].kind = OpKind::Yield;
    (runs, otherwise)
}
