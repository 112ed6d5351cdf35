//! Loops whose steps several threads of a device share (see [`crate::device::lanes`]).
//!
//! ```text
//! s = a; for k in lo..hi { s += x[k] }     ⇒     s = thread is the first ? a : 0; for k in lo + thread, … by the number of threads { s += x[k] }
//!                                                if a check failed for any thread { s = a; for k in lo..hi { s += x[k] } }
//!                                                else { s = the sum of all threads' s }
//! ```
//!
//! The loop in order, where a check fails, finds the same failure as threads of a processor.

use crate::emit::{Emit, EmitExt, Exchange, Ty};
use crate::lower::batch::{Batch, STEPS};
use crate::lower::control::{Frame, Join};
use crate::lower::function::{FuncCx, Lowered};
use crate::lower::loops::Range;
use crate::lower::scalar::{self, Scalars};
use crate::lower::values::Val;
use pydd_abi::Ctx;
use pydd_abi::device::WARP;
use pydd_ir::{Block, DType, ElemOp, Literal, Op, OpKind, Type, Value};

/// Behind the context, in kernels: of how many threads together, the exponent of two.
pub const CTX_LANES: usize = size_of::<Ctx>();

/// The threads that do an iteration together, as this one sees them.
struct Group<V> {
    /// Their number, and this one's among them, as i64.
    count: V,
    thread: V,
    /// As PTX has it: a bit for each thread of the warp, and what cuts a warp into such groups.
    members: V,
    segments: V,
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
        let group = self.group();
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
            let fails = self.ir.holds_in_any(fails, group.members);
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

    fn group(&self) -> Group<E::V> {
        let ir = &self.ir;
        let exponent = ir.int_cast(ir.load_constant(Ty::I64, self.ctx, CTX_LANES), Ty::I32, false);
        let count = ir.shl(ir.i32(1), exponent);
        let place = ir.thread_in_warp();
        let thread = ir.and(place, ir.sub(count, ir.i32(1)));
        let first = ir.sub(place, thread);
        // As words, since a warp's 32 bits are all of an i32's.
        let long = |value| ir.int_cast(value, Ty::I64, false);
        let ones = ir.sub(ir.shl(ir.i64(1), long(count)), ir.i64(1));
        let members = ir.int_cast(ir.shl(ones, long(first)), Ty::I32, false);
        let segments = ir.or(ir.shl(ir.sub(ir.i32(WARP), count), ir.i32(8)), ir.i32(WARP - 1));
        Group { count: long(count), thread: long(thread), members, segments }
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
        ir.br(next, &[&[half(ir.int_cast(group.count, Ty::I32, false))], parts].concat());
        ir.at(next);
        let (&by, sums) = params.split_first().expect("a distance");
        ir.cond_br(ir.is_zero(by), done, step);
        ir.at(step);
        let scalars = Scalars::outside_loops(self.m, ir, scalar::freedom(self.m.options, false));
        let mut combined = vec![half(by)];
        let mut word = 0;
        for (&elem, &dtype) in combine.iter().zip(dtypes) {
            let ty = Type::Scalar(dtype);
            let own = &sums[word..word + if dtype.is_complex() { 2 } else { 1 }];
            word += own.len();
            let exchange = |&part| ir.exchange(Exchange::Behind(by), part, group.members, group.segments);
            let other: Vec<E::V> = own.iter().map(exchange).collect();
            let sides = [own, &other].map(|parts| Val::from_parts(ty, parts));
            let value = scalars.elem(elem, dtype, &sides).expect("an operation on numbers");
            combined.extend(value.parts());
        }
        ir.br(next, &combined);
        ir.at(done);
        sums.iter().map(|&part| ir.exchange(Exchange::First, part, group.members, group.segments)).collect()
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
