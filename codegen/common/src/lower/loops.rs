//! `For`: Python's `range`, with the iteration count right up to the limits of i64.

use crate::CodegenError;
use crate::emit::{Emit, EmitExt, Ty};
use crate::lower::control::{Frame, Join, part_types};
use crate::lower::function::{FuncCx, Lowered};
use crate::lower::module::holds_functions;
use crate::lower::unrolled;
use crate::lower::values::Val;
use crate::polling::Polling;
use pydd_ir::{Exc, Function, Loc, Message, Op, OpKind, Type, Value, Version};
use std::collections::BTreeSet;

/// How the index runs.
#[derive(Clone, Copy)]
pub enum Range<V> {
    /// Steps of 1 or -1: compared with the end itself; it cannot overflow on the way there.
    Unit { start: V, stop: V, up: bool },
    /// Other steps: `count` (unsigned) iterations.
    Counted { start: V, step: V, count: V },
}

/// A loop carries what counts it before its own values: the index and, for a `Counted` range, the number of
/// iterations done.
/// Loops of so many operations that are left without vectors are unrolled.
const UNROLLED: usize = 20;
/// Columns that make a vector of their own.
const COLUMNS: usize = 4;
/// So many masks have registers, beside the one that stands for none.
const MASKS: usize = 7;

impl<V: Copy> Range<V> {
    const fn counters(&self) -> usize {
        match self {
            Self::Unit { .. } => 1,
            Self::Counted { .. } => 2,
        }
    }

    fn first<E: Emit<V = V>>(&self, ir: &E) -> Vec<V> {
        match *self {
            Self::Unit { start, .. } => vec![start],
            Self::Counted { start, .. } => vec![start, ir.i64(0)],
        }
    }

    /// Whether there is another iteration.
    fn runs<E: Emit<V = V>>(&self, ir: &E, counters: &[V]) -> V {
        match *self {
            Self::Unit { stop, up: true, .. } => ir.slt(counters[0], stop),
            Self::Unit { stop, up: false, .. } => ir.sgt(counters[0], stop),
            Self::Counted { count, .. } => ir.ult(counters[1], count),
        }
    }

    fn next<E: Emit<V = V>>(&self, ir: &E, counters: &[V]) -> Vec<V> {
        // The index past the last one of a counted range may overflow; nobody reads it.
        match *self {
            Self::Unit { up, .. } => vec![ir.add_nsw(counters[0], ir.i64(if up { 1 } else { -1 }))],
            Self::Counted { step, .. } => {
                vec![ir.add_nsw(counters[0], step), ir.add_nuw(counters[1], ir.i64(1))]
            }
        }
    }
}

impl<E: Emit> FuncCx<'_, E> {
    pub fn lower_for(&mut self, op: Op) -> Lowered {
        let data = &self.func.ops[op];
        let range = self.range(&data.args[..3], data.loc);
        let values: Vec<Val<E::V>> = data.args[3..].iter().map(|&v| self.val(v).clone()).collect();
        let results = &data.results;
        let outside = self.make_dividers(op);
        let several = self.several.clone().filter(|several| several.own == op);
        if let (Some(several), Range::Unit { start, stop, up: true }) = (several, range) {
            self.loop_of_several(op, [start, stop], &several)?;
        } else if let (Some(combine), Range::Unit { start, stop, up: true }) = (self.shared_steps(op), range)
        {
            self.loop_of_group(op, [start, stop], &values, &combine, results)?;
        } else if let (Polling::Strips, Range::Unit { start, stop, up }) = (self.polling(op), range)
            && !self.is_short(start, stop)
        {
            self.loop_in_strips(op, [start, stop], up, &values, results)?;
        } else if let (Some(steps), Range::Unit { start, stop, up: true }) = (self.steps_at_a_time(op), range)
        {
            self.loop_unrolled(op, [start, stop], steps, &values, results)?;
        } else {
            self.loop_over(range, op, &values, results)?;
        }
        self.dividers = outside;
        Ok(())
    }

    /// Of loops that a device's thread runs by itself.
    fn steps_at_a_time(&self, op: Op) -> Option<usize> {
        let is_within = self.m.on_device && !self.frames.is_empty();
        is_within.then(|| unrolled::at_a_time(self.func, op)).flatten()
    }

    /// Runs the body of `op` (`For` or `PFor`) over `range` and binds `results`.
    pub fn loop_over(
        &mut self,
        range: Range<E::V>,
        op: Op,
        init: &[Val<E::V>],
        results: &[Value],
    ) -> Lowered {
        let exit = self.join("for.end", results);
        let exit = self.iterate(range, op, init, exit)?;
        self.jump(&exit, self.carried(op));
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
        range: Range<E::V>,
        op: Op,
        init: &[Val<E::V>],
        exit: Join<E>,
    ) -> Result<Join<E>, CodegenError> {
        if let Some(copy) = self.copied(op)
            && self.copy_range(&copy, range)
        {
            return Ok(exit);
        }
        let func = self.func;
        let body = func.ops[op].regions[0];
        let (index, carried) = func.blocks[body].params.split_first().expect("an index");
        let repeat = self.join("for.next", carried);
        let init = self.parts_of(init, carried);
        let poll = self.poll_counter(op);

        let header = self.ir.label("for");
        let (inside, done) = (self.ir.label("for.body"), self.ir.label("for.done"));
        let mut types = vec![Ty::I64; range.counters()];
        types.extend(part_types(&self.shapes(carried)));
        let parts = self.ir.params(header, &types);
        let (counters, own) = parts.split_at(range.counters());
        self.ir.br(header, &[range.first(&self.ir), init].concat());
        self.ir.at(header);
        self.bind(*index, Val::Scalar(counters[0]));
        self.bind_all(carried, own);
        self.ir.cond_br(range.runs(&self.ir, counters), inside, done);

        self.ir.at(inside);
        self.frames.push(Frame { exit, repeat: Some(repeat) });
        self.block(body)?;
        let Frame { exit, repeat } = self.frames.pop().expect("pushed above");
        let next = self.end_iteration(repeat.expect("a loop"));
        self.count_down(op, poll);
        let next = [range.next(&self.ir, counters), next].concat();
        if self.is_cold || self.is_stretched(op) || self.goes_down_columns(op) {
            self.ir.br_back_plain(header, &next, false);
        } else if let Some(size) = self.looks_up_few_bits(op) {
            self.ir.br_back_plain(header, &next, size <= UNROLLED);
        } else if let Some(masks) = self.masks_few_bytes(op) {
            if masks <= MASKS {
                self.ir.br_back_single(header, &next);
            } else {
                self.ir.br_back_plain(header, &next, true);
            }
        } else if holds_functions(func, op) {
            self.ir.br_back_masked(header, &next);
        } else {
            self.ir.br(header, &next);
        }
        self.ir.at(done);
        Ok(exit)
    }

    /// Whether an innermost loop may stand still in an array, as where only the run knows whether its length is another one's or 1.
    /// In versions for what is common such loops are there in case, and vectors of them take more time to compile than all else.
    fn is_stretched(&self, op: Op) -> bool {
        let func = self.func;
        let body = func.ops[op].regions[0];
        let index = func.blocks[body].params[0];
        let (mut innermost, mut stretched) = (true, false);
        func.walk(body, &mut |inner| {
            let data = &func.ops[inner];
            innermost &= !data.kind.is_loop();
            let first = match data.kind {
                OpKind::LoadRaw => 1,
                OpKind::StoreRaw => 2,
                _ => return,
            };
            let Some(view) = func.def_op(data.args[0]).map(|def| &func.ops[def]) else { return };
            if view.kind == OpKind::RawView {
                let indices = &data.args[first..];
                let strides = &view.args[view.args.len() - indices.len()..];
                let mut own = indices.iter().zip(strides).filter(|(i, _)| **i == index);
                stretched |= own.any(|(_, &stride)| func.as_const(stride).is_none());
            }
        });
        func.version == Version::Fast && innermost && stretched
    }

    /// Whether an innermost loop goes down several columns at once (see the pass `jam-columns`): vectors are of what lies beside each
    /// other, not of its steps.
    fn goes_down_columns(&self, op: Op) -> bool {
        let func = self.func;
        let body = func.ops[op].regions[0];
        let ops = &func.blocks[body].ops;
        let made_within = |value: Value| {
            value == func.blocks[body].params[0] || func.def_op(value).is_some_and(|def| ops.contains(&def))
        };
        let mut columns = BTreeSet::new();
        for &op in ops {
            let data = &func.ops[op];
            let indices = match data.kind {
                OpKind::LoadRaw => &data.args[1..],
                OpKind::StoreRaw => &data.args[2..],
                _ if data.kind.is_loop() => return false,
                _ => continue,
            };
            if let Some((&column, rest)) = indices.split_last()
                && func.as_const(column).is_none()
                && !made_within(column)
                && rest.iter().any(|&at| made_within(at))
            {
                columns.insert((data.args[0], column));
            }
        }
        columns.len() >= COLUMNS
    }

    /// Of an innermost loop how many operations it has, if it looks up elements of one or two bytes by what it loads, as tables of bytes are. Vectors get them one by one: that takes twice as long as without vectors.
    fn looks_up_few_bits(&self, op: Op) -> Option<usize> {
        let func = self.func;
        let (mut innermost, mut loads, mut found, mut size) = (true, Vec::new(), false, 0);
        func.walk(func.ops[op].regions[0], &mut |inner| {
            let data = &func.ops[inner];
            size += 1;
            innermost &= !data.kind.is_loop();
            if data.kind == OpKind::LoadRaw {
                let is_narrow = func.ty(data.results[0]).dtype().is_some_and(|dtype| dtype.size() <= 2);
                found |= is_narrow && data.args[1..].iter().any(|&index| comes_of(func, index, &loads));
                loads.push(data.results[0]);
            }
        });
        (innermost && found).then_some(size)
    }

    /// Of an innermost loop how many masks a vector of iterations needs at most, if it stores elements of one or two bytes under a
    /// condition, beside numbers so wide that a vector of these has fewer elements than fill a register of such bytes. LLVM 22 stores
    /// behind the end of such a vector where it has more masks than registers for them: when it spills a mask, it takes the instruction
    /// that clears the mask's end for a copy.
    fn masks_few_bytes(&self, op: Op) -> Option<usize> {
        let func = self.func;
        let body = func.ops[op].regions[0];
        let size = |value: Value| func.ty(value).dtype().map_or(0, |dtype| dtype.size());
        let (mut innermost, mut least, mut masks) = (true, u64::MAX, 0);
        let mut widest = func.blocks[body].params[1..].iter().map(|&value| size(value)).max().unwrap_or(0);
        func.walk(body, &mut |inner| {
            let data = &func.ops[inner];
            innermost &= !data.kind.is_loop();
            masks += data.results.iter().filter(|&&result| func.ty(result) == Type::BOOL).count();
            match data.kind {
                OpKind::If => masks += 1,
                OpKind::LoadRaw => widest = widest.max(size(data.results[0])),
                OpKind::StoreRaw => {
                    widest = widest.max(size(data.args[1]));
                    if !func.blocks[body].ops.contains(&inner) {
                        least = least.min(size(data.args[1]));
                        masks += 1;
                    }
                }
                _ => {}
            }
        });
        (innermost && least <= 2 && widest / 4 >= least).then_some(masks)
    }

    /// Cuts a range into strips and polls after each.
    fn loop_in_strips(
        &mut self,
        op: Op,
        [start, stop]: [E::V; 2],
        up: bool,
        init: &[Val<E::V>],
        results: &[Value],
    ) -> Lowered {
        let exit = self.join("for.end", results);
        let carried = self.carried(op).to_vec();
        let init = self.parts_of(init, &carried);
        let (header, strip, end) =
            (self.ir.label("strips"), self.ir.label("strip"), self.ir.label("strips.end"));
        let mut types = vec![Ty::I64];
        types.extend(part_types(&self.shapes(&carried)));
        let parts = self.ir.params(header, &types);
        self.ir.br(header, &[vec![start], init].concat());
        self.ir.at(header);
        let (&from, own) = parts.split_first().expect("an index");
        self.bind_all(&carried, own);
        let more = if up { self.ir.slt(from, stop) } else { self.ir.sgt(from, stop) };
        self.ir.cond_br(more, strip, end);

        self.ir.at(strip);
        let to = self.strip_end(op, from, stop, up);
        let values: Vec<Val<E::V>> = carried.iter().map(|&v| self.val(v).clone()).collect();
        let exit = self.iterate(Range::Unit { start: from, stop: to, up }, op, &values, exit)?;
        let values: Vec<Val<E::V>> = carried.iter().map(|&v| self.val(v).clone()).collect();
        let next = self.parts_of(&values, &carried);
        self.poll(self.func.ops[op].loc);
        self.ir.br(header, &[vec![to], next].concat());

        self.ir.at(end);
        self.bind_all(&carried, own);
        self.jump(&exit, &carried);
        self.finish_join(exit, results);
        Ok(())
    }

    /// Parts of values, as loops that carry `params` take them.
    pub fn parts_of(&self, values: &[Val<E::V>], params: &[Value]) -> Vec<E::V> {
        let pairs = values.iter().zip(params);
        pairs.flat_map(|(val, &param)| val.free_parts(self.shape(param).1)).collect()
    }

    /// `start, stop, step` as a range; a zero step raises.
    pub fn range(&mut self, args: &[Value], loc: Loc) -> Range<E::V> {
        let [start, stop, step] = [0, 1, 2].map(|i| self.scalar(args[i]));
        match self.func.as_int(args[2]) {
            Some(1) => return Range::Unit { start, stop, up: true },
            Some(-1) => return Range::Unit { start, stop, up: false },
            _ => {}
        }
        let nonzero = self.ir.ne(step, self.ir.i64(0));
        let site = self.site(Exc::ValueError, loc, Some(Message::text("range() arg 3 must not be zero")));
        self.fail_unless(nonzero, site, &[]);
        Range::Counted { start, step, count: self.count(start, stop, step) }
    }

    /// `len(range(start, stop, step))` as an unsigned number; `step` is not 0.
    pub fn count(&self, start: E::V, stop: E::V, step: E::V) -> E::V {
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
    pub fn trip_count(&self, range: Range<E::V>) -> E::V {
        let ir = &self.ir;
        let count = match range {
            Range::Counted { count, .. } => count,
            Range::Unit { start, stop, up } => {
                let (from, to) = if up { (start, stop) } else { (stop, start) };
                ir.select(ir.slt(from, to), ir.sub(to, from), ir.i64(0))
            }
        };
        // More than i64::MAX iterations would take longer than anybody waits.
        let huge = ir.is_negative(count);
        ir.select(huge, ir.i64(i64::MAX), count)
    }
}

/// Whether a value is computed from one of these.
fn comes_of(func: &Function, value: Value, sources: &[Value]) -> bool {
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        if sources.contains(&value) {
            return true;
        }
        let made = func.def_op(value).map(|op| &func.ops[op]);
        if let Some(data) = made.filter(|data| matches!(data.kind, OpKind::Elem(_) | OpKind::Cast)) {
            work.extend(&data.args);
        }
    }
    false
}
