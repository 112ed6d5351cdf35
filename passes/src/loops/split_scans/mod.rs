//! Runs loops that store what they have accumulated so far, or where it says, in blocks, for devices.
//!
//! ```text
//! %s = for %i in %lo, %hi, 1, carried %t = %a {        pfor %b: %sums[%b] = the values of block %b, combined
//!     %v = …                                           pfor %c: %heads[%c] = the sums of many blocks, combined
//!     %u = op %t, %v                           ⇒       for  %c: %heads[%c] = what was before %c; gives %s
//!     store_raw %r, %u, %i                             pfor %c: %sums[%b] = what was before %b, for its blocks
//!     continue %u                                      pfor %b: the loop over block %b, from %sums[%b] on
//! }
//!
//! %u = if %c {
//!     check %t < %length
//!     store_raw %r, %v, %t                     ⇒       as above: blocks store into places of their own, since each
//!     yield %t + 1                                     iteration that stores goes on by one or more. Where %s is at most
//! } else {                                             %length and did not wrap, no check fails.
//!     yield %t
//! }
//! ```
//!
//! That is `np.cumsum` and the like, `x[mask]`, and loops that are written so. Values are computed twice, which takes a device less time than to copy an array. The loop itself stays beside it for where
//! nothing is on a device, and where a check would fail. Blocks are combined in the order of the iterations, so integers give the same; of floats, whose sums are made in
//! another order, only those without `--strict-fp` are.
//!
//! It leaves alone: products of floats, loops in which something else may fail or that hold loops or several branches, loops whose running value goes into what is added to it, loops that touch elements of other
//! iterations, loops that can be shared as a whole or stand in such, and what stores nothing.

mod blocks;

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::{Block, DType, ElemOp, Exc, Function, Level, Module, Op, OpKind, ReduceOp, Type, Value};

use crate::analysis::independent::Finder;
use crate::analysis::patterns::counts_up;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "split-scans",
    summary: "run loops that store what they have accumulated in blocks, for devices",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O1),
    run,
};

/// By how much a place goes on at most. All that a loop can ever run then adds up to less than 2^63, so that a sum that wraps is less than what it began with.
const MOST: i64 = 1 << 15;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    let is_host = |func: &&mut Function| func.level == Level::Loop && func.device && func.region.is_none();
    for func in module.funcs.values_mut().filter(is_host) {
        // Each in its turn: what one gives may go into the next one.
        let mut left: BTreeSet<Op> = func.hot_ops().into_iter().filter(|&op| counts_up(func, op)).collect();
        while let Some(scan) = Scans::new(func, &summaries, cx.options.strict_fp).next(&mut left) {
            scan.split(func);
        }
    }
    Ok(())
}

/// A loop that can be run in blocks.
struct Scan {
    op: Op,
    /// Of each value that it carries, what is done to it.
    steps: Vec<Step>,
    /// What these need of the body, in its order, and loads that give what was just stored.
    needed: Vec<Op>,
    stored: BTreeMap<Op, Value>,
    /// Where values are combined on conditions, and what of it that needs.
    branch: Option<(Op, BTreeSet<Op>)>,
    /// Arrays from outside.
    arrays: Vec<(Value, Touched)>,
    /// Running values that say where is stored, by their numbers, and what they must be less than there.
    limits: Vec<(usize, Value)>,
}

/// What an iteration does to a value that is carried.
#[derive(Clone, Copy)]
struct Step {
    elem: ElemOp,
    /// With what it is combined; nothing where that depends on a condition.
    with: Option<Value>,
}

/// What iterations do to an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Touched {
    Read,
    /// Each has its own element along an axis.
    Own(usize),
    /// They compact: write one behind the other along an axis, where a running value says.
    Compacted {
        axis: usize,
        number: usize,
    },
}

struct Scans<'a> {
    func: &'a Function,
    memory: MemoryInfo,
    finder: Finder<'a>,
    strict_fp: bool,
}

/// The body of a loop that may be one.
struct Body {
    index: Value,
    carried: Vec<Value>,
    /// The operations, without the terminator, and those within the branch.
    ops: Vec<Op>,
    branch: Option<Op>,
    nested: Vec<Op>,
}

impl<'a> Scans<'a> {
    fn new(func: &'a Function, summaries: &Summaries, strict_fp: bool) -> Self {
        let memory = MemoryInfo::new(func, summaries);
        Self { func, memory, finder: Finder::new(func, summaries, strict_fp), strict_fp }
    }

    /// One of these, with those before it taken out.
    fn next(&self, left: &mut BTreeSet<Op>) -> Option<Scan> {
        std::iter::from_fn(|| left.pop_first()).find_map(|op| self.scan(op))
    }

    fn scan(&self, op: Op) -> Option<Scan> {
        if self.func.ops[op].results.is_empty() || self.is_shared(op) {
            return None;
        }
        let (body, nexts) = self.body(op)?;
        let step = |(&param, &next): (&Value, &Value)| self.step(&body, param, next);
        let steps: Vec<Step> = body.carried.iter().zip(nexts).map(step).collect::<Option<_>>()?;
        let limits = self.limits(&body, &steps)?;
        let (arrays, stored) = self.arrays(&body, &steps)?;
        let mut wanted: BTreeSet<Value> = steps.iter().filter_map(|step| step.with).collect();
        let branch = match body.branch {
            Some(branch) => Some((branch, self.needed_in(&body, branch, &mut wanted)?)),
            None => None,
        };
        let needed = self.needed(&body.ops, &stored, wanted);
        let is_running = |value: &Value| body.carried.contains(value);
        let depends = |op: &Op| match stored.get(op) {
            Some(value) => is_running(value),
            None => Some(*op) == body.branch || self.func.ops[*op].args.iter().any(is_running),
        };
        let kept =
            needed.iter().any(depends) || steps.iter().filter_map(|step| step.with.as_ref()).any(is_running);
        (!kept).then_some(Scan { op, steps, needed, stored, branch, arrays, limits })
    }

    /// The body of a loop in which nothing has an order among iterations but by memory and by what is carried, and what it goes on with.
    fn body(&self, op: Op) -> Option<(Body, &'a [Value])> {
        let func = self.func;
        let block = func.ops[op].regions[0];
        let (&end, ops) = func.blocks[block].ops.split_last()?;
        let (&index, carried) = func.blocks[block].params.split_first()?;
        let mut branches = ops.iter().copied().filter(|&op| func.ops[op].kind == OpKind::If);
        let branch = branches.next();
        let nested: Vec<Op> = branch
            .iter()
            .flat_map(|&branch| self.sides(branch))
            .flat_map(|(_, ops, _)| ops)
            .copied()
            .collect();
        let is_plain = func.ops[end].kind == OpKind::Continue(0)
            && branches.next().is_none()
            && ops.iter().all(|&op| Some(op) == branch || self.is_plain(op))
            && nested.iter().all(|&op| self.is_plain(op) || self.is_bounds_check(op));
        let body = Body { index, carried: carried.to_vec(), ops: ops.to_vec(), branch, nested };
        is_plain.then_some((body, func.ops[end].args.as_slice()))
    }

    /// The two sides of a branch: their operations, and what they yield.
    fn sides(&self, branch: Op) -> impl Iterator<Item = (Block, &'a [Op], &'a [Value])> {
        let func = self.func;
        func.ops[branch].regions.iter().filter_map(move |&side| {
            let (&end, ops) = func.blocks[side].ops.split_last()?;
            Some((side, ops, func.ops[end].args.as_slice()))
        })
    }

    /// Whether an operation has no order among iterations but by memory, and cannot fail.
    fn is_plain(&self, op: Op) -> bool {
        let data = &self.func.ops[op];
        let is_kind = matches!(
            data.kind,
            OpKind::Const(_)
                | OpKind::Elem(_)
                | OpKind::Cast
                | OpKind::Dim(_)
                | OpKind::Stride(_)
                | OpKind::LoadRaw
                | OpKind::StoreRaw
        );
        is_kind && !data.kind.facts(Level::Loop).raises.holds(self.func, op)
    }

    fn is_bounds_check(&self, op: Op) -> bool {
        matches!(self.func.ops[op].kind, OpKind::Check { exc: Exc::IndexError, .. })
    }

    /// Whether the loop's iterations, or those of one around it, have no order.
    fn is_shared(&self, op: Op) -> bool {
        let is_free = |around: Op| match self.func.ops[around].kind {
            OpKind::PFor(_) => true,
            OpKind::For => self.finder.independent(around).is_some(),
            _ => false,
        };
        std::iter::once(op).chain(self.finder.layout.ancestors(op)).any(is_free)
    }

    /// What a carried value is combined with, in any grouping.
    fn step(&self, body: &Body, param: Value, next: Value) -> Option<Step> {
        let func = self.func;
        let op = func.def_op(next)?;
        if Some(op) != body.branch {
            let (elem, with) = self.combined(&body.ops, param, next)?;
            return Some(Step { elem, with: Some(with) });
        }
        let place = func.ops[op].results.iter().position(|&result| result == next)?;
        let yielded: Vec<(&[Op], Value)> =
            self.sides(op).map(|(_, ops, yields)| (ops, yields[place])).collect();
        let mut elem = None;
        for (ops, value) in yielded.into_iter().filter(|&(_, value)| value != param) {
            let (own, _) = self.combined(ops, param, value)?;
            if elem.replace(own).is_some_and(|other| other != own) {
                return None;
            }
        }
        Some(Step { elem: elem?, with: None })
    }

    /// How one of these operations makes a value of a carried one, and of which other one.
    fn combined(&self, ops: &[Op], param: Value, next: Value) -> Option<(ElemOp, Value)> {
        let func = self.func;
        let dtype = func.ty(param).dtype().filter(|_| func.ty(param).is_scalar())?;
        let op = func.def_op(next).filter(|op| ops.contains(op))?;
        let OpKind::Elem(elem) = func.ops[op].kind else { return None };
        let (_, either) = ReduceOp::of_step(elem).filter(|_| elem != ElemOp::Sub)?;
        let inexact = dtype.is_float() || dtype.is_complex();
        // A product of a block may overflow where the running one is zero by then.
        let is_kept = self.strict_fp || elem == ElemOp::Mul;
        if inexact && is_kept || dtype == DType::Bool && matches!(elem, ElemOp::Add | ElemOp::Mul) {
            return None;
        }
        let [first, second] = func.ops[op].args[..] else { return None };
        if first == param {
            Some((elem, second))
        } else if either && second == param {
            Some((elem, first))
        } else {
            None
        }
    }

    /// The checks within a branch, if all are that a running value which goes on behind them is less than a length, as unsigned numbers.
    fn limits(&self, body: &Body, steps: &[Step]) -> Option<Vec<(usize, Value)>> {
        let func = self.func;
        let word = |value: Value| {
            let op = func.def_op(value).filter(|&op| func.ops[op].kind == OpKind::Cast)?;
            (func.ty(value) == Type::Scalar(DType::U64)).then(|| func.ops[op].args[0])
        };
        let limit = |&op: &Op| {
            let asked = func.def_op(func.ops[op].args[0])?;
            let [at, length] = func.ops[asked].args[..] else { return None };
            let (at, length) = (word(at)?, word(length)?);
            let number = body.carried.iter().position(|&param| param == at)?;
            let is_limit = func.ops[asked].kind == OpKind::Elem(ElemOp::Lt)
                && func.ty(length) == Type::I64
                && !self.is_inside(body, length)
                && self.goes_on(body, steps, op, number);
            is_limit.then_some((number, length))
        };
        body.nested.iter().filter(|op| self.is_bounds_check(**op)).map(limit).collect()
    }

    /// Whether a running value counts up, and on the side of the branch on which this stands by one or more.
    fn goes_on(&self, body: &Body, steps: &[Step], op: Op, number: usize) -> bool {
        let (param, func) = (body.carried[number], self.func);
        let Some(branch) =
            body.branch.filter(|_| steps[number].with.is_none() && steps[number].elem == ElemOp::Add)
        else {
            return false;
        };
        let Some(place) = self.next_of(branch, number) else { return false };
        func.ty(param) == Type::I64
            && body.nested.contains(&op)
            && self.sides(branch).all(|(_, ops, yields)| {
                let by = if yields[place] == param {
                    Some(0)
                } else {
                    self.combined(ops, param, yields[place]).and_then(|(_, by)| func.as_int(by))
                };
                by.is_some_and(|by| (i64::from(ops.contains(&op))..=MOST).contains(&by))
            })
    }

    /// Which of a branch's results a carried value goes on with.
    fn next_of(&self, branch: Op, number: usize) -> Option<usize> {
        let func = self.func;
        let block = self.finder.layout.block_of(branch)?;
        let end = *func.blocks[block].ops.last()?;
        let next = func.ops[end].args[number];
        func.ops[branch].results.iter().position(|&result| result == next)
    }

    fn is_inside(&self, body: &Body, value: Value) -> bool {
        let made = self.func.def_op(value);
        made.is_some_and(|op| body.ops.contains(&op) || body.nested.contains(&op))
            || value == body.index
            || body.carried.contains(&value)
    }

    /// The arrays that the body touches; loads of what the same iteration has stored, with that. Nothing where an iteration touches what another one writes.
    fn arrays(&self, body: &Body, steps: &[Step]) -> Option<(Vec<(Value, Touched)>, BTreeMap<Op, Value>)> {
        let func = self.func;
        // By array: the element that an iteration has, and how it comes to it. What stands one behind the other may be several elements of one row.
        let mut places: BTreeMap<Value, (&[Value], Touched)> = BTreeMap::new();
        let all = || body.ops.iter().chain(&body.nested).copied();
        for op in all().filter(|&op| func.ops[op].kind == OpKind::StoreRaw) {
            let (array, place) = (func.ops[op].args[0], &func.ops[op].args[2..]);
            let touched = self.written(body, steps, op)?;
            let is_alike = |(other, before): (&[Value], Touched)| {
                before == touched && (other == place || matches!(touched, Touched::Compacted { .. }))
            };
            if !places.insert(array, (place, touched)).is_none_or(is_alike) || self.is_inside(body, array) {
                return None;
            }
        }
        let meets =
            |array: Value, other: Value| self.memory.classes(array).intersects(self.memory.classes(other));
        let (mut arrays, mut stored, mut last) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        for op in all() {
            let data = &func.ops[op];
            let (array, place) = match data.kind {
                OpKind::StoreRaw => (data.args[0], &data.args[2..]),
                OpKind::LoadRaw => (data.args[0], &data.args[1..]),
                _ => continue,
            };
            let is_store = data.kind == OpKind::StoreRaw;
            // What is stored on a condition is nothing to load.
            let is_own = is_store
                || places.get(&array).is_some_and(|&(own, _)| own == place)
                    && body.ops.contains(&op)
                    && !self.is_stored_in(&body.nested, array);
            let is_other = places.keys().any(|&other| (other != array || !is_own) && meets(array, other));
            if is_other || self.is_inside(body, array) {
                return None;
            }
            match last.get(&array) {
                _ if is_store => {
                    last.insert(array, data.args[1]);
                }
                Some(&value) => {
                    stored.insert(op, value);
                }
                None => {}
            }
            if arrays.iter().all(|&(known, _)| known != array) {
                arrays.push((array, places.get(&array).map_or(Touched::Read, |&(_, touched)| touched)));
            }
        }
        (!places.is_empty()).then_some((arrays, stored))
    }

    fn is_stored_in(&self, ops: &[Op], array: Value) -> bool {
        ops.iter().any(|&op| self.func.ops[op].kind == OpKind::StoreRaw && self.func.ops[op].args[0] == array)
    }

    /// Which elements of an array a store writes, if those of iterations are apart.
    fn written(&self, body: &Body, steps: &[Step], store: Op) -> Option<Touched> {
        let place = &self.func.ops[store].args[2..];
        let is_other =
            |axis: &usize| self.func.as_const(place[*axis]).is_none() && self.is_inside(body, place[*axis]);
        let inside: Vec<usize> = (0..place.len()).filter(is_other).collect();
        let [axis] = inside[..] else { return None };
        if place[axis] == body.index {
            return Some(Touched::Own(axis));
        }
        let number = body.carried.iter().position(|&param| param == place[axis])?;
        self.goes_on(body, steps, store, number).then_some(Touched::Compacted { axis, number })
    }

    /// What the steps within a branch need of it, themselves included. What that needs from outside is wanted as well, and the condition.
    fn needed_in(&self, body: &Body, branch: Op, wanted: &mut BTreeSet<Value>) -> Option<BTreeSet<Op>> {
        let func = self.func;
        wanted.insert(func.ops[branch].args[0]);
        let mut needed = BTreeSet::new();
        for (_, ops, yields) in self.sides(branch) {
            let mut inner: BTreeSet<Value> = BTreeSet::new();
            for &op in ops.iter().rev() {
                let data = &func.ops[op];
                let is_step = data.results.iter().any(|result| yields.contains(result));
                if !is_step && !data.results.iter().any(|result| inner.contains(result)) {
                    continue;
                }
                // A step has one running value as it was, and what is no step has none; neither has one as it will be.
                let is_running = |value: &&Value| body.carried.contains(value) || yields.contains(value);
                let is_new = |value: &Value| yields.contains(value) && !body.carried.contains(value);
                if data.args.iter().filter(is_running).count() != usize::from(is_step)
                    || data.args.iter().any(is_new)
                {
                    return None;
                }
                inner.extend(data.args.iter().filter(|value| !body.carried.contains(value)));
                needed.insert(op);
            }
            wanted.extend(inner);
        }
        Some(needed)
    }

    /// What values are computed by, in the body's order.
    fn needed(&self, ops: &[Op], stored: &BTreeMap<Op, Value>, mut wanted: BTreeSet<Value>) -> Vec<Op> {
        let mut needed = Vec::new();
        for &op in ops.iter().rev() {
            let data = &self.func.ops[op];
            if data.results.iter().any(|result| wanted.contains(result)) {
                match stored.get(&op) {
                    Some(&value) => {
                        wanted.insert(value);
                    }
                    None => wanted.extend(&data.args),
                }
                needed.push(op);
            }
        }
        needed.reverse();
        needed
    }
}
