//! Looking for Ctrl-C in long loops; `pydd_codegen::polling` says where.

use crate::emit::{Emit, EmitExt, Touches, Ty};
use crate::lower::function::FuncCx;
use crate::lower::loops::Range;
use crate::polling::{BUDGET, Polling};
use pydd_abi::RuntimeFn;
use pydd_ir::cost::{Bound, Cost, MOST, MOST_TRIPS, Trip};
use pydd_ir::{Entity, Loc, Op};

impl<E: Emit> FuncCx<'_, E> {
    pub fn polling(&self, op: Op) -> Polling {
        // Whoever launches kernels looks between them.
        if self.m.on_device { Polling::None } else { self.facts.polling[op.index()] }
    }

    /// Before a loop: what each iteration takes from the budget, if the loop counts.
    pub fn poll_counter(&mut self, op: Op) -> Option<E::V> {
        if self.polling(op) != Polling::Counted {
            return None;
        }
        let cost = Cost::of(self.func, self.func.ops[op].regions[0], &|value| self.is_bound(value));
        Some(self.cost(&cost))
    }

    /// The cost of an iteration as a number, at least roughly; it can't overflow.
    fn cost(&self, cost: &Cost) -> E::V {
        let ir = &self.ir;
        let at_most = |value, most: i64| {
            let most = ir.i64(most);
            ir.select(ir.slt(value, most), value, most)
        };
        let bound = |bound: Bound| match bound {
            Bound::Number(number) => ir.i64(number),
            Bound::Value(value) => self.scalar(value),
        };
        let mut total = ir.i64(cost.ops.min(MOST));
        for (trip, body) in &cost.loops {
            let count = match trip {
                Trip::Known(n) => ir.i64(*n),
                Trip::Least(bounds) => {
                    let least = bounds.iter().fold(ir.i64(MOST_TRIPS), |least, each| {
                        let each = bound(*each);
                        ir.select(ir.slt(each, least), each, least)
                    });
                    ir.select(ir.is_negative(least), ir.i64(0), least)
                }
                Trip::Range { start, stop, step } => {
                    let span =
                        self.trip_count(Range::Unit { start: bound(*start), stop: bound(*stop), up: true });
                    let most = at_most(span, MOST_TRIPS);
                    ir.add(ir.udiv(most, ir.i64(*step)), ir.i64(i64::from(*step > 1)))
                }
            };
            let all = ir.mul(at_most(count, MOST_TRIPS), self.cost(body));
            total = at_most(ir.add(total, all), MOST);
        }
        total
    }

    /// At the end of an iteration: polls when the budget is used up.
    pub fn count_down(&mut self, op: Op, cost: Option<E::V>) {
        let Some(cost) = cost else { return };
        let budget = self.budget();
        let left = self.ir.sub(self.ir.load(Ty::I64, budget, 0), cost);
        self.ir.store(budget, 0, left);
        let (poll, go_on) = (self.ir.label("poll"), self.ir.label("polled"));
        self.ir.likely(self.ir.sgt(left, self.ir.i64(0)), go_on, poll);
        self.ir.at(poll);
        self.ir.store(budget, 0, self.ir.i64(BUDGET));
        self.poll(self.func.ops[op].loc);
        self.ir.br(go_on, &[]);
        self.ir.at(go_on);
    }

    /// Whether a loop is surely too short to be worth cutting.
    pub fn is_short(&self, start: E::V, stop: E::V) -> bool {
        match (self.ir.const_int(start), self.ir.const_int(stop)) {
            (Some(start), Some(stop)) => start.abs_diff(stop) < BUDGET.unsigned_abs(),
            _ => false,
        }
    }

    /// Where the strip ends that starts at `from`.
    pub fn strip_end(&self, op: Op, from: E::V, stop: E::V, up: bool) -> E::V {
        let ir = &self.ir;
        let cost = Cost::of(self.func, self.func.ops[op].regions[0], &|_| false);
        let length = ir.i64((8 * BUDGET / cost.ops.max(1)).max(1024));
        // Right as an unsigned number, even past the limits of i64.
        let left = if up { ir.sub(stop, from) } else { ir.sub(from, stop) };
        let end = if up { ir.add(from, length) } else { ir.sub(from, length) };
        ir.select(ir.ult(length, left), end, stop)
    }

    /// Leaves the function after Ctrl-C.
    pub fn poll(&mut self, loc: Loc) {
        // It may touch the context and the runtime's own memory, and none that arrays are in.
        let status = self.runtime_status(RuntimeFn::poll, &[self.ctx], Touches::Arguments);
        let site = self.site(pydd_ir::Exc::RuntimeError, loc, None);
        self.pass_failure(status, Some(site));
    }
}
