//! `For`: Python's `range`, with the iteration count right up to the limits of i64.

use crate::builder::{Ir, Label, V};
use crate::control::{Frame, Join};
use crate::function::{FuncCx, Lowered};
use crate::types::Val;
use inkwell::IntPredicate;
use inkwell::values::PhiValue;
use pydd_codegen::CodegenError;
use pydd_codegen::polling::Polling;
use pydd_ir::{Exc, Literal, Loc, Op, Value};

/// How the index runs.
#[derive(Clone, Copy)]
pub enum Range<'c> {
    /// Steps of 1 or -1: compared with the end itself; it cannot overflow on the way there.
    Unit { start: V<'c>, stop: V<'c>, up: bool },
    /// Other steps: `count` (unsigned) iterations.
    Counted { start: V<'c>, step: V<'c>, count: V<'c> },
}

/// The phis that count a loop.
struct Counter<'c> {
    index: PhiValue<'c>,
    /// Of a `Counted` range: the number of iterations done.
    done: Option<PhiValue<'c>>,
}

impl<'c> Counter<'c> {
    fn new(ir: &Ir<'c>, range: Range<'c>, before: Label<'c>) -> Self {
        let index = ir.phi(ir.i64_type());
        let (Range::Unit { start, .. } | Range::Counted { start, .. }) = range;
        index.add_incoming(&[(&start, before)]);
        let done = matches!(range, Range::Counted { .. }).then(|| {
            let done = ir.phi(ir.i64_type());
            done.add_incoming(&[(&ir.i64(0), before)]);
            done
        });
        Self { index, done }
    }

    /// Whether there is another iteration.
    fn runs(&self, ir: &Ir<'c>, range: Range<'c>) -> V<'c> {
        let i = self.index.as_basic_value();
        match (range, self.done) {
            (Range::Unit { stop, up: true, .. }, _) => ir.slt(i, stop),
            (Range::Unit { stop, up: false, .. }, _) => ir.sgt(i, stop),
            (Range::Counted { count, .. }, done) => {
                ir.ult(done.expect("a counted range counts").as_basic_value(), count)
            }
        }
    }

    /// The next index, computed in the block that jumps back.
    fn advance(&self, ir: &Ir<'c>, range: Range<'c>) {
        let latch = ir.here();
        let step = match range {
            Range::Unit { up, .. } => ir.i64(if up { 1 } else { -1 }),
            Range::Counted { step, .. } => step,
        };
        // The index past the last one of a counted range may overflow; nobody reads it.
        let next = ir.add_nsw(self.index.as_basic_value(), step);
        self.index.add_incoming(&[(&next, latch)]);
        if let Some(done) = self.done {
            let next = ir.add_nuw(done.as_basic_value(), ir.i64(1));
            done.add_incoming(&[(&next, latch)]);
        }
    }
}

impl<'c> FuncCx<'c, '_> {
    pub fn lower_for(&mut self, op: Op) -> Lowered {
        let data = &self.func.ops[op];
        let range = self.range(&data.args[..3], data.loc);
        let values: Vec<Val<'c>> = data.args[3..].iter().map(|&v| self.val(v).clone()).collect();
        let results = &data.results;
        if let (Polling::Strips, Range::Unit { start, stop, up }) = (self.polling(op), range)
            && !self.is_short(start, stop)
        {
            return self.loop_in_strips(op, [start, stop], up, &values, results);
        }
        self.loop_over(range, op, &values, results)
    }

    /// Runs the body of `op` (`For` or `PFor`) over `range` and binds `results`.
    pub fn loop_over(&mut self, range: Range<'c>, op: Op, init: &[Val<'c>], results: &[Value]) -> Lowered {
        let exit = self.join("for.end", results);
        let mut exit = self.iterate(range, op, init, exit)?;
        let used_up = self.parts_for(self.carried(op), results);
        self.jump_parts(&mut exit, used_up);
        self.finish_join(exit, results);
        Ok(())
    }

    /// The carried parameters of a loop's body.
    fn carried(&self, op: Op) -> &[Value] {
        &self.func.blocks[self.func.ops[op].regions[0]].params[1..]
    }

    /// A loop over `range`. Goes on where the range is used up, with the carried values still bound;
    /// `break` goes to `exit`, which is given back.
    fn iterate(
        &mut self,
        range: Range<'c>,
        op: Op,
        init: &[Val<'c>],
        exit: Join<'c>,
    ) -> Result<Join<'c>, CodegenError> {
        let func = self.func;
        let body = func.ops[op].regions[0];
        let (index, carried) = func.blocks[body].params.split_first().expect("an index");
        let repeat = self.join("for.next", carried);
        let init = self.parts_of(init, carried);
        let poll = self.poll_counter(op);

        let (before, header) = (self.ir.here(), self.ir.label("for"));
        let (inside, done) = (self.ir.label("for.body"), self.ir.label("for.done"));
        self.ir.br(header);
        self.ir.at(header);
        let counter = Counter::new(&self.ir, range, before);
        let phis = self.carried_phis(carried);
        phis.iter().zip(&init).for_each(|(phi, value)| phi.add_incoming(&[(value, before)]));
        self.bind(*index, Val::Scalar(counter.index.as_basic_value()));
        self.bind_phis(carried, &phis);
        self.ir.cond_br(counter.runs(&self.ir, range), inside, done);

        self.ir.at(inside);
        self.frames.push(Frame { exit, repeat: Some(repeat) });
        self.block(body)?;
        let Frame { exit, repeat } = self.frames.pop().expect("pushed above");
        let next = self.end_iteration(repeat.expect("a loop"));
        self.count_down(op, poll);
        self.repeat(&phis, &next);
        counter.advance(&self.ir, range);
        self.ir.br(header);
        self.ir.at(done);
        Ok(exit)
    }

    /// Cuts a range into strips and polls after each.
    fn loop_in_strips(
        &mut self,
        op: Op,
        [start, stop]: [V<'c>; 2],
        up: bool,
        init: &[Val<'c>],
        results: &[Value],
    ) -> Lowered {
        let exit = self.join("for.end", results);
        let carried = self.carried(op).to_vec();
        let init = self.parts_of(init, &carried);
        let (before, header) = (self.ir.here(), self.ir.label("strips"));
        let (strip, end) = (self.ir.label("strip"), self.ir.label("strips.end"));
        self.ir.br(header);
        self.ir.at(header);
        let first = self.ir.phi(self.ir.i64_type());
        first.add_incoming(&[(&start, before)]);
        let phis = self.carried_phis(&carried);
        phis.iter().zip(&init).for_each(|(phi, value)| phi.add_incoming(&[(value, before)]));
        self.bind_phis(&carried, &phis);
        let from = first.as_basic_value();
        let more = if up { self.ir.slt(from, stop) } else { self.ir.sgt(from, stop) };
        self.ir.cond_br(more, strip, end);

        self.ir.at(strip);
        let to = self.strip_end(op, from, stop, up);
        let values: Vec<Val<'c>> = carried.iter().map(|&v| self.val(v).clone()).collect();
        let mut exit = self.iterate(Range::Unit { start: from, stop: to, up }, op, &values, exit)?;
        let next = self.parts_for(&carried, &carried);
        self.poll(self.func.ops[op].loc);
        self.repeat(&phis, &next);
        first.add_incoming(&[(&to, self.ir.here())]);
        self.ir.br(header);

        self.ir.at(end);
        self.bind_phis(&carried, &phis);
        let used_up = self.parts_for(&carried, results);
        self.jump_parts(&mut exit, used_up);
        self.finish_join(exit, results);
        Ok(())
    }

    /// Parts of values, as loops that carry `params` take them.
    fn parts_of(&self, values: &[Val<'c>], params: &[Value]) -> Vec<V<'c>> {
        let pairs = values.iter().zip(params);
        pairs.flat_map(|(val, &param)| val.free_parts(self.shape(param).1)).collect()
    }

    /// Parts of `values`, as a join for `targets` takes them.
    fn parts_for(&self, values: &[Value], targets: &[Value]) -> Vec<V<'c>> {
        let pairs = values.iter().zip(targets);
        pairs.flat_map(|(&value, &target)| self.val(value).free_parts(self.shape(target).1)).collect()
    }

    /// `start, stop, step` as a range; a zero step raises.
    pub fn range(&mut self, args: &[Value], loc: Loc) -> Range<'c> {
        let [start, stop, step] = [0, 1, 2].map(|i| self.scalar(args[i]));
        match self.func.as_const(args[2]) {
            Some(Literal::Int(1)) => return Range::Unit { start, stop, up: true },
            Some(Literal::Int(-1)) => return Range::Unit { start, stop, up: false },
            _ => {}
        }
        let nonzero = self.ir.ne(step, self.ir.i64(0));
        let site = self.site(Exc::ValueError, loc, Some("range() arg 3 must not be zero"));
        self.fail_unless(nonzero, site, &[]);
        Range::Counted { start, step, count: self.count(start, stop, step) }
    }

    /// `len(range(start, stop, step))` as an unsigned number; `step` is not 0.
    pub fn count(&self, start: V<'c>, stop: V<'c>, step: V<'c>) -> V<'c> {
        let ir = &self.ir;
        let up = ir.sgt(step, ir.i64(0));
        // Differences and the step's size are right as unsigned numbers, even past the limits of i64.
        let (from, to) = (ir.select(up, start, stop), ir.select(up, stop, start));
        let size = ir.select(up, step, ir.neg(step));
        let any = ir.slt(from, to);
        let span = ir.sub(ir.sub(to, from), ir.i64(1));
        let count = ir.add(ir.udiv(span, size), ir.i64(1));
        ir.select(any, count, ir.i64(0))
    }

    /// The number of iterations as a signed number.
    pub fn trip_count(&self, range: Range<'c>) -> V<'c> {
        let ir = &self.ir;
        let count = match range {
            Range::Counted { count, .. } => count,
            Range::Unit { start, stop, up } => {
                let (from, to) = if up { (start, stop) } else { (stop, start) };
                ir.select(ir.slt(from, to), ir.sub(to, from), ir.i64(0))
            }
        };
        // More than i64::MAX iterations would take longer than anybody waits.
        let huge = ir.icmp(IntPredicate::SLT, count, ir.i64(0));
        ir.select(huge, ir.i64(i64::MAX), count)
    }
}
