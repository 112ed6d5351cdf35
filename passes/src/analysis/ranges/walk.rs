//! The walk: which facts hold where.

use pydd_ir::{Block, ElemOp, Entity, Op, OpKind, Value};

use super::guesses::{Frame, Passed};
use super::{Ranges, Visitor};
use crate::analysis::intervals;
use crate::analysis::known::{Known, LONGEST};
use crate::analysis::symbol::{self, Poly, Symbol};
use pydd_ir::interval::Interval;

impl<'f> Ranges<'f> {
    /// Walks a block. The facts found in it stay, for who looks at its end.
    pub(super) fn block(&mut self, block: Block, visitor: &mut dyn Visitor) {
        for &op in &self.func.blocks[block].ops {
            visitor.visit(self, op);
            self.op(op, visitor);
        }
    }

    fn op(&mut self, op: Op, visitor: &mut dyn Visitor) {
        let data = &self.func.ops[op];
        match &data.kind {
            OpKind::If => self.branch(op, visitor),
            OpKind::For | OpKind::PFor(_) => self.counted_loop(op, visitor),
            OpKind::Loop => self.endless_loop(op, visitor),
            OpKind::Scope => self.scope(op, visitor),
            OpKind::Check { .. } => self.assume(data.args[0], true),
            OpKind::Empty | OpKind::Zeros => {
                self.describe(op);
                data.args.iter().for_each(|&dim| self.assume_within(dim, Interval::new(0, LONGEST)));
            }
            OpKind::Continue(depth) => self.continues(*depth, &data.args),
            OpKind::Break(depth) => self.breaks(*depth, &data.args),
            _ => self.describe(op),
        }
    }

    fn frame(&self, depth: u32) -> usize {
        self.frames.len() - 1 - depth as usize
    }

    fn continues(&mut self, depth: u32, values: &[Value]) {
        let at = self.frame(depth);
        let op = self.frames[at].op;
        let init = self.init(op);
        let done = self.iterations_done(op).and_then(|done| done.shift(1));
        let before = std::mem::take(&mut self.frames[at].carried);
        let count = before.len();
        let kept = self.kept((op, Passed::Carried), before, values, Some(init), done.as_ref());
        self.frames[at].changed |= kept.len() != count;
        self.frames[at].carried = kept;
    }

    fn breaks(&mut self, depth: u32, values: &[Value]) {
        let at = self.frame(depth);
        let (op, before) = (self.frames[at].op, std::mem::take(&mut self.frames[at].results));
        self.frames[at].results = self.kept((op, Passed::Result), before, values, None, None);
    }

    /// What a loop's carried values start from.
    fn init(&self, op: Op) -> &'f [Value] {
        let data = &self.func.ops[op];
        if data.kind == OpKind::Loop { &data.args } else { self.func.init(op) }
    }

    /// How many iterations of a counted loop are done in its body.
    fn iterations_done(&self, op: Op) -> Option<Poly> {
        if self.func.ops[op].kind == OpKind::Loop {
            return None;
        }
        let step = self.form(self.func.ops[op].args[2]).as_i64()?;
        let walked = self.form(self.index_of(op)).sub(&self.form(self.func.ops[op].args[0]))?;
        match step {
            1 => Some(walked),
            -1 => Some(walked.neg()),
            0 => None,
            _ => Some(Poly::symbol(Symbol::Iteration(op))),
        }
    }

    /// A region that ends normally comes last, so that what holds at its end holds afterwards where it is
    /// the only one.
    fn branch(&mut self, op: Op, visitor: &mut dyn Visitor) {
        let data = &self.func.ops[op];
        let ends = |side: usize| {
            let end = self.func.terminator(data.regions[side])?;
            (self.func.ops[end].kind == OpKind::Yield).then_some(end)
        };
        let yields = [ends(0), ends(1)];
        let order = if yields[0].is_some() && yields[1].is_none() { [1, 0] } else { [0, 1] };
        let both = yields.iter().all(Option::is_some);
        let mut guesses = self.result_guesses(op);
        for side in order {
            let mark = self.facts.len();
            self.assume(data.args[0], side == 0);
            self.block(data.regions[side], visitor);
            if let Some(end) = yields[side] {
                let values = self.func.ops[end].args.clone();
                guesses = self.kept((op, Passed::Result), guesses, &values, None, None);
            }
            if both || yields[side].is_none() {
                self.facts.forget_from(mark);
            }
        }
        self.results(op, &guesses);
        if !both {
            self.same_as_yielded(op, yields.into_iter().flatten().next());
        }
    }

    /// The results of a branch of which one side leaves are what the other one yields.
    fn same_as_yielded(&mut self, op: Op, end: Option<Op>) {
        let Some(end) = end else { return };
        let pairs = self.func.ops[op].results.iter().zip(&self.func.ops[end].args);
        for (&result, &value) in pairs.filter(|(r, _)| intervals::limits(self.func.ty(**r)).is_some()) {
            self.intervals[result.index()] = self.value_interval(value);
            self.forms[result.index()] = Some(self.form(value));
        }
    }

    fn results(&mut self, op: Op, guesses: &[(usize, super::Guess)]) {
        let results = &self.func.ops[op].results;
        for &result in results {
            self.introduce(result);
            self.forms[result.index()] = None;
        }
        self.assume_guesses(guesses, results, None, None);
    }

    fn scope(&mut self, op: Op, visitor: &mut dyn Visitor) {
        let mark = self.facts.len();
        let results = self.result_guesses(op);
        self.frames.push(Frame { op, carried: Vec::new(), results, changed: false });
        self.block(self.func.ops[op].regions[0], visitor);
        let frame = self.frames.pop().expect("pushed above");
        self.facts.forget_from(mark);
        self.results(op, &frame.results);
    }

    fn endless_loop(&mut self, op: Op, visitor: &mut dyn Visitor) {
        let data = &self.func.ops[op];
        let body = data.regions[0];
        let params = &self.func.blocks[body].params;
        self.rounds(op, params, &data.args, visitor, |_| {});
    }

    fn counted_loop(&mut self, op: Op, visitor: &mut dyn Visitor) {
        let data = &self.func.ops[op];
        let (index, carried) =
            self.func.blocks[data.regions[0]].params.split_first().expect("an induction variable");
        // What a chunk of a parallel loop carries is its own.
        let carried = if data.kind == OpKind::For { carried } else { &[] };
        self.rounds(op, carried, self.func.init(op), visitor, |ranges| ranges.bound_index(op, *index));
    }

    /// Walks a loop's body until the guesses about what it carries hold.
    fn rounds(
        &mut self,
        op: Op,
        carried: &[Value],
        init: &[Value],
        visitor: &mut dyn Visitor,
        bound: impl Fn(&mut Self),
    ) {
        let body = self.func.ops[op].regions[0];
        let counted = self.func.ops[op].kind != OpKind::Loop;
        for &param in &self.func.blocks[body].params {
            self.introduce(param);
        }
        loop {
            let mark = self.facts.len();
            let first = self.first_guesses(op, carried, init, counted);
            // Where a `for` is used up, its results are what it carries.
            let mut results = self.result_guesses(op);
            if counted {
                results.retain(|guess| first.contains(guess));
            }
            bound(self);
            let done = if counted { self.iterations_done(op) } else { None };
            self.assume_guesses(&first, carried, Some(init), done.as_ref());
            self.frames.push(Frame { op, carried: first, results, changed: false });
            self.block(body, visitor);
            let frame = self.frames.pop().expect("pushed above");
            self.facts.forget_from(mark);
            if !frame.changed {
                return self.results(op, &frame.results);
            }
        }
    }

    /// The induction variable of a counted loop, within its body.
    fn bound_index(&mut self, op: Op, index: Value) {
        let [start, stop, step] = [0, 1, 2].map(|i| self.form(self.func.ops[op].args[i]));
        let value = symbol::value(index);
        let (up, down) = match step.as_i64() {
            Some(1) => (true, false),
            Some(-1) => (false, true),
            Some(step) if step != 0 => return self.bound_iterations(op, index, step, &start, &stop),
            _ => {
                let proves = |room: Option<Poly>| room.is_some_and(|room| self.proves(&room));
                (proves(step.shift(-1)), proves(step.neg().shift(-1)))
            }
        };
        let (from, to) = (self.interval_of(&start), self.interval_of(&stop));
        let (facts, interval) = if up {
            let facts = [value.sub(&start), stop.sub(&value).and_then(|room| room.shift(-1))];
            (facts, Interval::new(from.low, to.high - 1))
        } else if down {
            let facts = [start.sub(&value), value.sub(&stop).and_then(|room| room.shift(-1))];
            (facts, Interval::new(to.low + 1, from.high))
        } else {
            return;
        };
        self.intervals[index.index()] = interval;
        facts.into_iter().flatten().for_each(|fact| self.facts.push(fact));
        if up {
            self.bound_by_maximum(op, &start, &value);
        }
    }

    /// Up to `max(n, start)` an index is below `n`.
    fn bound_by_maximum(&mut self, op: Op, start: &Poly, index: &Poly) {
        let Some(made) = self.func.def_op(self.func.ops[op].args[1]).map(|made| &self.func.ops[made]) else {
            return;
        };
        let (OpKind::Elem(ElemOp::Max), &[a, b]) = (&made.kind, &made.args[..]) else { return };
        for (stop, other) in [(a, b), (b, a)] {
            let is_start = start.sub(&self.form(other)).is_some_and(|room| self.proves(&room));
            if is_start && let Some(room) = self.form(stop).sub(index).and_then(|room| room.shift(-1)) {
                self.facts.push(room);
            }
        }
    }

    /// `start + step * t`, where `t` counts from 0 to the last iteration.
    fn bound_iterations(&mut self, op: Op, index: Value, step: i64, start: &Poly, stop: &Poly) {
        let (iteration, last) =
            (Poly::symbol(Symbol::Iteration(op)), Poly::symbol(Symbol::LastIteration(op)));
        self.forms[index.index()] = start.plus(step, &iteration);
        let distance = if step > 0 { stop.sub(start) } else { start.sub(stop) };
        let room = distance.and_then(|d| d.shift(-1));
        let facts = [
            last.sub(&iteration),
            Some(iteration.clone()),
            // The index stays before the stop, and the last one too.
            room.as_ref().and_then(|room| room.plus(-step.abs(), &iteration)),
            room.as_ref().and_then(|room| room.plus(-step.abs(), &last)),
        ];
        facts.into_iter().flatten().for_each(|fact| self.facts.push(fact));
        let (from, to) = (self.interval_of(start), self.interval_of(stop));
        self.intervals[index.index()] = if step > 0 {
            Interval::new(from.low, to.high - 1)
        } else {
            Interval::new(to.low + 1, from.high)
        };
    }
}
