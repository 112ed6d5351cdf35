//! Loops whose steps several threads of a device share (see [`crate::device::lanes`]).
//!
//! ```text
//! s = a; for k in lo..hi { s += x[k] }     ⇒     s = thread is the first ? a : 0; for k in lo + thread, … by the number of threads { s += x[k] }
//!                                                if a check failed for any thread { s = a; for k in lo..hi { s += x[k] } }
//!                                                else { s = the sum of all threads' s }
//! ```
//!
//! The loop in order, where a check fails, finds the same failure as threads of a processor.
//!
//! These threads are neighbours in a warp, or all of a block: those of an iteration with very many steps, which was left for that. They exchange what they have by the warp's
//! instructions, and warps through memory of the block.

use crate::device::lanes::MOST_EXCHANGED;
use crate::emit::{Emit, EmitExt, Exchange, IntCmp, Ty};
use crate::lower::batch::{Batch, STEPS};
use crate::lower::control::{Frame, Join};
use crate::lower::function::{FuncCx, Lowered};
use crate::lower::loops::Range;
use crate::lower::scalar::{self, Scalars};
use crate::lower::values::Val;
use pydd_abi::Ctx;
use pydd_abi::device::{BLOCK, WARP};
use pydd_ir::{Block, DType, ElemOp, Literal, Op, OpKind, Type, Value};

/// Behind the context, in kernels: of how many threads together, the exponent of two.
pub const CTX_LANES: usize = size_of::<Ctx>();
/// Behind that: more steps than so many leave an iteration.
pub const CTX_LIMIT: usize = CTX_LANES + 8;
/// What the body of a loop gives that has left its iteration.
pub const LEAVES: u32 = 2;

/// Warps of a block.
const WARPS: usize = (BLOCK / WARP) as usize;

/// The threads that do an iteration together, as this one sees them.
struct Group<V> {
    /// Their number, and this one's among them, as i64.
    count: V,
    thread: V,
    /// As PTX has it: a bit for each of them in the warp, and what cuts a warp into such groups.
    members: V,
    segments: V,
    /// Those in the warp, as i32.
    in_warp: V,
    /// Whether there are others.
    is_block: Option<V>,
}

impl<E: Emit> FuncCx<'_, E> {
    /// What combines the values that a loop carries, if threads share its steps.
    pub fn shared_steps(&self, op: Op) -> Option<Vec<ElemOp>> {
        self.shared.as_ref()?.loops.get(&op).cloned()
    }

    pub fn loop_of_group(
        &mut self,
        op: Op,
        [start, stop]: [E::V; 2],
        init: &[Val<E::V>],
        combine: &[ElemOp],
        results: &[Value],
    ) -> Lowered {
        let exit = self.join("group.end", results);
        let leaving = self.shared.as_ref().map(|shared| &shared.leaving);
        let may_be_block = leaving.is_some_and(|leaving| !leaving.is_empty());
        if leaving.is_some_and(|leaving| leaving.contains(&op)) {
            self.leave_long(start, stop);
        }
        let group = self.group(may_be_block);
        let [begin, none, header, inside, joined] =
            ["group.begin", "group.none", "group.for", "group.body", "group.joined"]
                .map(|name| self.ir.label(name));
        let func = self.func;
        let body = func.ops[op].regions[0];
        let failed = self.has_checks(body).then(|| self.ir.label("group.failed"));
        let (&index, carried) = func.blocks[body].params.split_first().expect("an index");
        let dtypes: Vec<DType> = carried.iter().map(|&v| self.ty(v).dtype().expect("numbers")).collect();

        // Each thread's own steps.
        let is_first = self.ir.is_zero(group.thread);
        let mut own = Vec::new();
        for ((val, &elem), &dtype) in init.iter().zip(combine).zip(&dtypes) {
            match identity(elem, dtype) {
                None => own.extend(val.parts()),
                Some(literal) => {
                    let identity = self.literal(&literal, Type::Scalar(dtype)).parts();
                    let pairs = val.parts().into_iter().zip(identity);
                    own.extend(pairs.map(|(value, identity)| self.ir.select(is_first, value, identity)));
                }
            }
        }
        let types: Vec<Ty> = own.iter().map(|&part| self.ir.ty(part)).collect();
        let parts = self.ir.params(header, &[&[Ty::I64], types.as_slice()].concat());
        let ended = self.ir.params(joined, &[types.as_slice(), &[Ty::I1]].concat());
        // No index overflows on the way: a step is no more than the distance that is left.
        let first = self.ir.add(start, group.thread);
        let any = self.ir.and(self.ir.slt(start, stop), self.ir.ult(group.thread, self.ir.sub(stop, start)));
        self.ir.cond_br(any, begin, none);
        self.ir.at(none);
        self.ir.br(joined, &[own.as_slice(), &[self.ir.bool(false)]].concat());
        self.ir.at(begin);
        self.ir.br(header, &[&[first], own.as_slice()].concat());
        self.ir.at(header);
        let (&at, sums) = parts.split_first().expect("an index");
        let left = self.ir.sub(stop, at);
        if let Some(batch) = Batch::of(func, body) {
            let several = self.ir.label("group.several");
            let apart: [E::V; STEPS + 1] =
                std::array::from_fn(|i| self.ir.mul(group.count, self.ir.i64(i as i64)));
            self.ir.cond_br(self.ir.ult(apart[STEPS - 1], left), several, inside);
            self.ir.at(several);
            let places = std::array::from_fn(|i| self.ir.add(at, apart[i]));
            let next = self.batch(&batch, places, sums.to_vec(), inside)?;
            self.go_on(
                (header, joined),
                self.ir.ult(apart[STEPS], left),
                self.ir.add(at, apart[STEPS]),
                &next,
            );
        } else {
            self.ir.br(inside, &[]);
        }
        self.ir.at(inside);
        self.bind(index, Val::Scalar(at));
        self.bind_all(carried, sums);
        let repeat = self.join("group.next", carried);
        let unused = Join::new(&self.ir, "group.left", Vec::new());
        self.frames.push(Frame { exit: unused, repeat: Some(repeat) });
        let around = std::mem::replace(&mut self.failing, failed);
        self.block(body)?;
        self.failing = around;
        let Frame { exit: unused, repeat } = self.frames.pop().expect("pushed above");
        let next = self.end_iteration(repeat.expect("a loop"));
        self.go_on((header, joined), self.ir.ult(group.count, left), self.ir.add(at, group.count), &next);
        drop(unused.finish(&self.ir));
        self.ir.unreachable();
        if let Some(failed) = failed {
            self.ir.at(failed);
            self.ir.br(joined, &[own.as_slice(), &[self.ir.bool(true)]].concat());
        }

        self.ir.at(joined);
        let (&fails, ended) = ended.split_last().expect("a flag");
        if failed.is_some() {
            let [again, fine] = ["group.again", "group.fine"].map(|name| self.ir.label(name));
            let fails = self.holds_in_any(fails, &group);
            self.ir.cond_br(fails, again, fine);

            // In order.
            self.ir.at(again);
            let outer = std::mem::replace(&mut self.is_cold, true);
            self.loop_over(Range::Unit { start, stop, up: true }, op, init, results)?;
            self.is_cold = outer;
            self.jump(&exit, results);
            self.ir.at(fine);
        }

        let sums = self.sum_of_group(&group, ended, combine, &dtypes);
        let mut word = 0;
        for (&result, &dtype) in results.iter().zip(&dtypes) {
            let count = if dtype.is_complex() { 2 } else { 1 };
            self.bind_parts(result, &sums[word..word + count]);
            word += count;
        }
        self.jump(&exit, results);
        self.finish_join(exit, results);
        Ok(())
    }

    /// To the loop's header where there is `more`, else behind it.
    fn go_on(&self, (header, joined): (E::Label, E::Label), more: E::V, at: E::V, sums: &[E::V]) {
        let (go_on, end) = (self.ir.label("group.more"), self.ir.label("group.done"));
        self.ir.cond_br(more, go_on, end);
        self.ir.at(go_on);
        self.ir.br(header, &[&[at], sums].concat());
        self.ir.at(end);
        self.ir.br(joined, &[sums, &[self.ir.bool(false)]].concat());
    }

    fn has_checks(&self, block: Block) -> bool {
        let mut found = false;
        self.func.walk(block, &mut |op| found |= matches!(self.func.ops[op].kind, OpKind::Check { .. }));
        found
    }

    /// Leaves an iteration that has more steps than there may be.
    fn leave_long(&mut self, start: E::V, stop: E::V) {
        let [long, short] = ["group.long", "group.short"].map(|name| self.ir.label(name));
        let limit = self.ir.load(Ty::I64, self.ctx, CTX_LIMIT);
        self.ir.likely(self.ir.icmp(IntCmp::Sle, self.ir.sub(stop, start), limit), short, long);
        self.ir.at(long);
        self.leave_with(LEAVES);
        self.ir.at(short);
    }

    fn group(&self, may_be_block: bool) -> Group<E::V> {
        let ir = &self.ir;
        let exponent = ir.int_cast(ir.load_constant(Ty::I64, self.ctx, CTX_LANES), Ty::I32, false);
        let count = ir.shl(ir.i32(1), exponent);
        let place = ir.thread_in_warp();
        // As words, since a warp's 32 bits are all of an i32's.
        let long = |value| ir.int_cast(value, Ty::I64, false);
        let (is_block, in_warp, thread) = if may_be_block {
            let is_block = ir.icmp(IntCmp::Sgt, count, ir.i32(WARP));
            let thread = ir.and(ir.thread_in_block(), ir.sub(long(count), ir.i64(1)));
            (Some(is_block), ir.select(is_block, ir.i32(WARP), count), thread)
        } else {
            (None, count, long(ir.and(place, ir.sub(count, ir.i32(1)))))
        };
        let first = ir.sub(place, ir.and(place, ir.sub(in_warp, ir.i32(1))));
        let ones = ir.sub(ir.shl(ir.i64(1), long(in_warp)), ir.i64(1));
        let members = ir.int_cast(ir.shl(ones, long(first)), Ty::I32, false);
        let segments = ir.or(ir.shl(ir.sub(ir.i32(WARP), in_warp), ir.i32(8)), ir.i32(WARP - 1));
        Group { count: long(count), thread, members, segments, in_warp, is_block }
    }

    /// Whether a condition holds in any thread of a group.
    fn holds_in_any(&self, condition: E::V, group: &Group<E::V>) -> E::V {
        let ir = &self.ir;
        let own = ir.holds_in_any(condition, group.members);
        let or = |a: &[E::V], b: &[E::V]| vec![ir.or(a[0], b[0])];
        let holds = self.across_warps(group, vec![ir.int_cast(own, Ty::I64, false)], or);
        ir.ne(holds[0], ir.i64(0))
    }

    /// Combines what the warps of a block have, where it is one that shares a loop.
    fn across_warps(
        &self,
        group: &Group<E::V>,
        own: Vec<E::V>,
        combine: impl Fn(&[E::V], &[E::V]) -> Vec<E::V>,
    ) -> Vec<E::V> {
        let Some(is_block) = group.is_block else { return own };
        let ir = &self.ir;
        let types: Vec<Ty> = own.iter().map(|&part| ir.ty(part)).collect();
        let [alone, across, first, told, joined] =
            ["warp", "block", "block.first", "block.told", "block.joined"].map(|name| ir.label(name));
        let all = ir.params(joined, &types);
        ir.cond_br(is_block, across, alone);
        ir.at(alone);
        ir.br(joined, &own);
        ir.at(across);
        let memory = ir.words_of_block(WARPS * MOST_EXCHANGED);
        let row = |warp| ir.offset(memory, ir.mul(warp, ir.i64((8 * MOST_EXCHANGED) as i64)));
        let is_first = ir.is_zero(ir.thread_in_warp());
        ir.cond_br(is_first, first, told);
        ir.at(first);
        let mine = row(ir.lshr(group.thread, ir.i64(i64::from(WARP.ilog2()))));
        for (i, &part) in own.iter().enumerate() {
            let part = if ir.ty(part) == Ty::I1 { ir.int_cast(part, Ty::I32, false) } else { part };
            ir.store(mine, 8 * i, part);
        }
        ir.br(told, &[]);
        ir.at(told);
        ir.barrier();
        let of = |warp: usize| -> Vec<E::V> {
            let row = row(ir.i64(warp as i64));
            let load = |(i, &ty): (usize, &Ty)| match ty {
                Ty::I1 => ir.int_cast(ir.load(Ty::I32, row, 8 * i), ty, false),
                ty => ir.load(ty, row, 8 * i),
            };
            types.iter().enumerate().map(load).collect()
        };
        let combined = (1..WARPS).fold(of(0), |sum, warp| combine(&sum, &of(warp)));
        // Before the memory is used again.
        ir.barrier();
        ir.br(joined, &combined);
        ir.at(joined);
        all
    }

    /// Combines what the threads of a group have; all get the same.
    fn sum_of_group(
        &mut self,
        group: &Group<E::V>,
        parts: &[E::V],
        combine: &[ElemOp],
        dtypes: &[DType],
    ) -> Vec<E::V> {
        let ir = &self.ir;
        let [next, step, done] = ["tree", "tree.step", "tree.done"].map(|name| ir.label(name));
        let types: Vec<Ty> = parts.iter().map(|&part| ir.ty(part)).collect();
        let params = ir.params(next, &[&[Ty::I32], types.as_slice()].concat());
        let one = ir.i32(1);
        let half = |x| ir.lshr(x, one);
        let scalars = Scalars::outside_loops(self.m, ir, scalar::freedom(self.m.options, false));
        let both = |own: &[E::V], other: &[E::V]| {
            let mut combined = Vec::new();
            let mut word = 0;
            for (&elem, &dtype) in combine.iter().zip(dtypes) {
                let ty = Type::Scalar(dtype);
                let words = word..word + if dtype.is_complex() { 2 } else { 1 };
                word = words.end;
                let sides = [own, other].map(|parts| Val::from_parts(ty, &parts[words.clone()]));
                let value = scalars.elem(elem, dtype, &sides).expect("an operation on numbers");
                combined.extend(value.parts());
            }
            combined
        };
        ir.br(next, &[&[half(group.in_warp)], parts].concat());
        ir.at(next);
        let (&by, sums) = params.split_first().expect("a distance");
        ir.cond_br(ir.is_zero(by), done, step);
        ir.at(step);
        let exchange = |&part| ir.exchange(Exchange::Behind(by), part, group.members, group.segments);
        let others: Vec<E::V> = sums.iter().map(exchange).collect();
        ir.br(next, &[&[half(by)], both(sums, &others).as_slice()].concat());
        ir.at(done);
        let first = |&part| ir.exchange(Exchange::First, part, group.members, group.segments);
        self.across_warps(group, sums.iter().map(first).collect(), both)
    }
}

/// What changes nothing; nothing where a value combined with itself is the same.
fn identity(elem: ElemOp, dtype: DType) -> Option<Literal> {
    let number = |value: f64| match dtype {
        dtype if dtype.is_complex() => Literal::Complex(value.to_bits(), value.to_bits()),
        dtype if dtype.is_float() => Literal::Float(value.to_bits()),
        DType::Bool => Literal::Bool(value != 0.0),
        _ => Literal::Int(value as i64),
    };
    match elem {
        // Zero with a sign, which no sum sees.
        ElemOp::Add => Some(number(-0.0)),
        ElemOp::Xor => Some(number(0.0)),
        ElemOp::Mul => Some(number(1.0)),
        _ => None,
    }
}
