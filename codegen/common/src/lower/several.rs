//! Loops of which a thread of a device does several iterations (see [`crate::device::several`]).
//!
//! ```text
//! for i in begin..end {                first = begin + the thread's place
//!     q = i / width            ⇒       if first + 3 * width < end { … of (q, c), (q + 1, c), (q + 2, c), (q + 3, c), without a jump }
//!     c = i - q * width                else { for i in first, first + width, … up to first + 3 * width, below end: … }
//!     …
//! }
//! ```
//!
//! Threads of a row of iterations have neighbouring columns, and those behind it the rows that this one's threads leave.

use crate::device::several::{Rows, Several};
use crate::emit::{Emit, EmitExt, Freedom, IntCmp, Ty};
use crate::lower::control::Frame;
use crate::lower::function::{FuncCx, Lowered};
use crate::lower::scalar::Scalars;
use crate::lower::values::Val;
use pydd_abi::device::{BLOCK, SHORTEST_ROW};
use pydd_ir::Op;
use std::collections::BTreeMap;

impl<E: Emit> FuncCx<'_, E> {
    /// The thread's iterations, of those of the launch.
    pub fn loop_of_several(&mut self, op: Op, [begin, end]: [E::V; 2], several: &Several) -> Lowered {
        let exit = self.join("several.end", &[]);
        self.frames.push(Frame { exit, repeat: None });
        let [some, next, step, done] =
            ["some", "some.next", "some.step", "several.done"].map(|name| self.ir.label(name));
        let params = self.ir.params(some, &[Ty::I64; 2]);
        let &[first, apart] = params.as_slice() else { unreachable!("two parameters") };

        let count = self.ir.i64(several.count.into());
        let in_block = self.ir.thread_in_block();
        let block = self.ir.i64(BLOCK.into());
        let thread = self.ir.add_nsw(self.ir.mul_nsw(self.ir.block_in_grid(), block), in_block);
        // Those of the threads before a row, or a block, come before this thread's.
        let first_of = |ir: &E, place: E::V| {
            let before = ir.mul_nsw(ir.sub(thread, place), count);
            ir.add_nsw(begin, ir.add_nsw(before, place))
        };
        if let Some(rows) = &several.rows {
            let [long, short] = ["rows", "short.rows"].map(|name| self.ir.label(name));
            let width = self.scalar(rows.width);
            let is_long = self.ir.icmp(IntCmp::Sge, width, self.ir.i64(SHORTEST_ROW));
            let is_there = self.ir.icmp(IntCmp::Sle, width, self.ir.sub(end, begin));
            self.ir.likely(self.ir.and(is_long, is_there), long, short);
            self.ir.at(long);
            let above = self.quotient(thread, width);
            let column = self.ir.sub(thread, self.ir.mul(above, width));
            let given = self.place(rows, begin, [self.ir.mul(above, count), column]);
            self.all_or(op, [first_of(&self.ir, column), end, width], several, Some(given), (some, done))?;
            self.ir.at(short);
        }
        let first_in_block = first_of(&self.ir, in_block);
        if several.rows.is_some() {
            self.ir.br(some, &[first_in_block, block]);
        } else {
            self.all_or(op, [first_in_block, end, block], several, None, (some, done))?;
        }

        self.ir.at(some);
        let i = self.ir.params(next, &[Ty::I64])[0];
        let last = self.last([first, apart], several);
        self.ir.br(next, &[first]);
        self.ir.at(next);
        let (is_one, is_there) = (self.ir.icmp(IntCmp::Sle, i, last), self.ir.slt(i, end));
        self.ir.cond_br(self.ir.and(is_one, is_there), step, done);
        self.ir.at(step);
        self.iteration(op, i)?;
        self.ir.br(next, &[self.ir.add_nsw(i, apart)]);

        self.ir.at(done);
        let Frame { exit, .. } = self.frames.pop().expect("pushed above");
        self.jump(&exit, &[]);
        self.finish_join(exit, &[]);
        Ok(())
    }

    /// All of the thread's iterations, and on to the second label, or to the first one if not all are in the range.
    fn all_or(
        &mut self,
        op: Op,
        [first, end, apart]: [E::V; 3],
        several: &Several,
        place: Option<[E::V; 2]>,
        (some, done): (E::Label, E::Label),
    ) -> Lowered {
        let all = self.ir.label("all");
        let fewer = self.ir.label("fewer");
        let last = self.last([first, apart], several);
        self.ir.likely(self.ir.slt(last, end), all, fewer);
        self.ir.at(fewer);
        self.ir.br(some, &[first, apart]);
        self.ir.at(all);
        let mut read: Vec<BTreeMap<Op, Val<E::V>>> = Vec::new();
        let index = |f: &Self, i: u32| f.ir.add_nsw(first, f.ir.mul_nsw(apart, f.ir.i64(i.into())));
        for i in 0..several.count {
            self.bind_index(op, index(self, i));
            if let (Some(rows), Some([row, column])) = (&several.rows, place) {
                self.given.insert(rows.row, Val::Scalar(self.ir.add_nsw(row, self.ir.i64(i.into()))));
                self.given.extend(rows.column.map(|op| (op, Val::Scalar(column))));
            }
            for &op in &several.ahead {
                self.op(op)?;
                self.given.insert(op, self.val(self.func.result(op)).clone());
            }
            read.push(std::mem::take(&mut self.given));
        }
        for (i, read) in (0..).zip(read) {
            self.given = read;
            self.iteration(op, index(self, i))?;
        }
        self.given.clear();
        self.ir.br(done, &[]);
        Ok(())
    }

    fn last(&self, [first, apart]: [E::V; 2], several: &Several) -> E::V {
        let ahead = self.ir.i64(i64::from(several.count) - 1);
        self.ir.add_nsw(first, self.ir.mul_nsw(apart, ahead))
    }

    /// The row and the column of an iteration, as many behind `begin`. That is 0 for whole loops, which are most.
    fn place(&self, rows: &Rows, begin: E::V, [row, column]: [E::V; 2]) -> [E::V; 2] {
        let ir = &self.ir;
        let width = self.scalar(rows.width);
        let [part, joined] = ["part", "place"].map(|name| ir.label(name));
        let params = ir.params(joined, &[Ty::I64; 2]);
        let whole = ir.label("whole");
        ir.likely(ir.is_zero(begin), whole, part);
        ir.at(whole);
        ir.br(joined, &[row, column]);
        ir.at(part);
        let above = self.quotient(begin, width);
        let column = ir.add_nsw(column, ir.sub(begin, ir.mul(above, width)));
        let is_over = ir.icmp(IntCmp::Sge, column, width);
        let over = ir.int_cast(is_over, Ty::I64, false);
        let row = ir.add_nsw(ir.add_nsw(row, above), over);
        ir.br(joined, &[row, ir.select(is_over, ir.sub(column, width), column)]);
        ir.at(joined);
        [params[0], params[1]]
    }

    fn quotient(&self, a: E::V, b: E::V) -> E::V {
        Scalars::outside_loops(self.m, &self.ir, Freedom::Exact).floor_div_on_device(a, b)
    }

    fn bind_index(&mut self, op: Op, index: E::V) {
        let body = self.func.ops[op].regions[0];
        self.bind(self.func.blocks[body].params[0], Val::Scalar(index));
    }

    fn iteration(&mut self, op: Op, index: E::V) -> Lowered {
        let body = self.func.ops[op].regions[0];
        self.bind_index(op, index);
        self.body_once(body, &[])?;
        Ok(())
    }
}
