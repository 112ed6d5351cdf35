//! Branches, loops, jumps, lists, calls.

use super::{Dim, Frame, FrameKind, Gen, Wanted, refers};
use pydd_ir::{DType, ElemOp, Exc, Message, OpKind, ReduceOp, Type, Value};

impl Gen<'_> {
    /// Values that are there, to be carried or to fall back on.
    fn choose(&mut self, most: usize, scalars_only: bool) -> Vec<Wanted> {
        let count = self.rng.below(most + 1);
        let mut out = Vec::new();
        for _ in 0..count {
            let fits = |k: &super::Known| !k.fixed && (!scalars_only || k.ty.is_scalar());
            let Some(known) = self.find(fits) else { continue };
            let shape = (known.ty.is_array() && self.rng.percent(75)).then(|| known.shape.clone());
            out.push(Wanted { ty: known.ty, shape, fallback: known.value });
        }
        out
    }

    fn know_wanted(&mut self, value: Value, wanted: &Wanted) {
        let rank = if wanted.ty.is_array() { wanted.ty.rank() } else { 0 };
        let shape = match &wanted.shape {
            Some(shape) => shape.clone(),
            None => self.fresh_shape(rank),
        };
        self.know(value, shape, false, false);
    }

    fn know_results(&mut self, op: pydd_ir::Op, wanted: &[Wanted]) {
        for (value, wanted) in self.func.ops[op].results.clone().into_iter().zip(wanted) {
            self.know_wanted(value, wanted);
        }
    }

    /// A jump out of the region being built, if one may stand here.
    fn jump(&mut self) -> bool {
        let parallel = self.frames.iter().rposition(|f| f.kind == FrameKind::Parallel);
        let reachable = parallel.map_or(0, |p| p + 1);
        let choices = self.rng.below(10);
        if choices == 0 {
            let message = Some(Message::text("raised {0}"));
            let payload = self.i64();
            let exc = self.rng.pick(&[Exc::ValueError, Exc::KeyError, Exc::StopIteration]);
            self.op(OpKind::Raise { exc, message }, vec![payload], &[], vec![]);
            return true;
        }
        if choices < 3 && parallel.is_none() {
            let wanted = self.returns.clone();
            let values = self.supply_all(&wanted);
            self.op(OpKind::Return, values, &[], vec![]);
            return true;
        }
        let depth = self.rng.below(2).min(self.frames.len().saturating_sub(1));
        let Some(index) = self.frames.len().checked_sub(1 + depth) else { return false };
        let frame = self.frames[index].clone();
        let depth = u32::try_from(depth).expect("small");
        if frame.kind == FrameKind::Parallel {
            return false;
        }
        if index < reachable {
            return false;
        }
        if frame.kind != FrameKind::Scope && self.rng.percent(45) {
            let values = self.next_values(&frame);
            self.op(OpKind::Continue(depth), values, &[], vec![]);
        } else {
            let values = self.supply_all(&frame.results);
            self.op(OpKind::Break(depth), values, &[], vec![]);
        }
        true
    }

    fn next_values(&mut self, frame: &Frame) -> Vec<Value> {
        let mut values = self.supply_all(&frame.carried);
        if let FrameKind::Loop(step) = frame.kind {
            let by = self.int(step.abs());
            let mut b = self.builder();
            let count = frame.carried[0].fallback;
            values[0] = if step > 0 { b.add(count, by) } else { b.sub(count, by) };
        }
        values
    }

    pub(super) fn map_if(&mut self) {
        let cond = self.bool();
        let results = self.choose(2, true);
        self.if_op(cond, &results, false);
    }

    pub(super) fn branch(&mut self) {
        let cond = self.bool();
        let results = self.choose(2, false);
        self.if_op(cond, &results, true);
    }

    fn if_op(&mut self, cond: Value, results: &[Wanted], jumps: bool) {
        let leaves = if jumps && self.rng.percent(45) { self.rng.below(2) } else { 2 };
        let mut regions = Vec::new();
        for side in 0..2 {
            let region = self.region(&[], |g, _| {
                let count = g.rng.below(5);
                g.body(count);
                if side == leaves && g.jump() {
                    return;
                }
                let values = g.supply_all(results);
                g.op(OpKind::Yield, values, &[], vec![]);
            });
            regions.push(region);
        }
        let types: Vec<Type> = results.iter().map(|w| w.ty).collect();
        let op = self.op(OpKind::If, vec![cond], &types, regions);
        self.know_results(op, results);
    }

    /// Start, stop and step of a loop, and what the index counts.
    fn bounds(&mut self) -> ([Value; 3], Option<Dim>) {
        let found = self.find(|k| k.ty.is_array() && k.ty.rank() > 0).filter(|_| self.rng.percent(65));
        if let Some(a) = found {
            let axis = self.rng.below(a.shape.len());
            let n = self.builder().dim(a.value, u8::try_from(axis).expect("small"));
            let dim = Some(a.shape[axis]);
            return match self.rng.below(5) {
                0 => {
                    // Downwards.
                    let (minus, one) = (self.int(-1), self.int(1));
                    let start = self.builder().sub(n, one);
                    ([start, minus, minus], dim)
                }
                1 => {
                    let step = self.rng.range(1, 3);
                    ([self.int(0), n, self.int(step)], dim)
                }
                2 => ([self.int(1), n, self.int(1)], dim),
                _ => ([self.int(0), n, self.int(1)], dim),
            };
        }
        if self.rng.percent(8) {
            let near = [
                [i64::MAX - 3, i64::MAX, 2],
                [i64::MIN + 3, i64::MIN, -2],
                [i64::MAX - 1, i64::MAX, 1],
                [i64::MIN, i64::MAX, i64::MAX],
                [i64::MAX, i64::MIN, i64::MIN],
                [0, 5, i64::MAX],
                [3, 0, i64::MIN],
            ];
            let [a, b, c] = self.rng.pick(&near);
            return ([self.int(a), self.int(b), self.int(c)], None);
        }
        let (start, stop) = (self.clamped(-4, 5), self.clamped(-4, 5));
        let step = match self.rng.below(12) {
            0 => self.clamped(-2, 2),
            _ => {
                let step = self.rng.pick(&[1, 1, 2, 3, -1, -2]);
                self.int(step)
            }
        };
        ([start, stop, step], None)
    }

    pub(super) fn loops(&mut self) {
        if self.frames.len() >= 3 {
            return;
        }
        if self.rng.percent(25) {
            return self.endless();
        }
        let (range, dim) = self.bounds();
        let wanted = self.choose(3, false);
        let mut params = vec![Type::I64];
        params.extend(wanted.iter().map(|w| w.ty));
        let mut args = range.to_vec();
        args.extend(wanted.iter().map(|w| w.fallback));
        let body = self.region(&params, |g, values| {
            let index = g.know(values[0], vec![], false, false);
            g.env.last_mut().expect("just pushed").indexes = dim;
            drop(index);
            let carried = g.carried(&values[1..], &wanted);
            let results = carried.clone();
            g.frames.push(Frame { kind: FrameKind::For, carried, results });
            let count = 1 + g.rng.below(6);
            g.body(count);
            let frame = g.frames.pop().expect("pushed above");
            let next = g.next_values(&frame);
            g.op(OpKind::Continue(0), next, &[], vec![]);
        });
        let types: Vec<Type> = wanted.iter().map(|w| w.ty).collect();
        let op = self.op(OpKind::For, args, &types, vec![body]);
        self.know_results(op, &wanted);
    }

    /// The carried values within a loop.
    fn carried(&mut self, values: &[Value], wanted: &[Wanted]) -> Vec<Wanted> {
        let mut out = Vec::new();
        for (&value, wanted) in values.iter().zip(wanted) {
            self.know_wanted(value, wanted);
            out.push(Wanted { fallback: value, ..wanted.clone() });
        }
        out
    }

    fn endless(&mut self) {
        let results = self.choose(2, false);
        let mut wanted = self.choose(2, false);
        let start = if self.rng.percent(70) { self.int(0) } else { self.clamped(-2, 2) };
        wanted.insert(0, Wanted { ty: Type::I64, shape: None, fallback: start });
        let params: Vec<Type> = wanted.iter().map(|w| w.ty).collect();
        let args = wanted.iter().map(|w| w.fallback).collect();
        let step = self.rng.pick(&[1, 1, 1, 2, 3, -1, -2]);
        let most = step * self.rng.range(1, 6);
        let body = self.region(&params, |g, values| {
            let carried = g.carried(values, &wanted);
            g.frames.push(Frame { kind: FrameKind::Loop(step), carried, results: results.clone() });
            if g.rng.percent(50) {
                let count = g.rng.below(4);
                g.body(count);
            }
            g.leave_after(values[0], step, most);
            let count = 1 + g.rng.below(5);
            g.body(count);
            let frame = g.frames.pop().expect("pushed above");
            let next = g.next_values(&frame);
            g.op(OpKind::Continue(0), next, &[], vec![]);
        });
        let types: Vec<Type> = results.iter().map(|w| w.ty).collect();
        let op = self.op(OpKind::Loop, args, &types, vec![body]);
        self.know_results(op, &results);
    }

    /// `if count >= most: break`, or what says so of a number that counts by `step`.
    fn leave_after(&mut self, count: Value, step: i64, most: i64) {
        let bound =
            if self.rng.percent(70) { self.int(most) } else { self.clamped(most.min(0), most.max(0)) };
        let stays = self.rng.percent(50);
        let mut compare = self.rng.pick(match (step > 0, stays) {
            (true, true) | (false, false) => &[ElemOp::Lt, ElemOp::Le],
            _ => &[ElemOp::Gt, ElemOp::Ge],
        });
        let mut args = vec![count, bound];
        if self.rng.percent(25) {
            args.reverse();
            compare = compare.exchanged();
        }
        let cond = self.make(OpKind::Elem(compare), args, Type::BOOL);
        let frame = self.frames.last().expect("within a loop").clone();
        let leave = self.region(&[], |g, _| {
            let values = g.supply_all(&frame.results);
            g.op(OpKind::Break(0), values, &[], vec![]);
        });
        let stay = self.region(&[], |g, _| {
            g.op(OpKind::Yield, vec![], &[], vec![]);
        });
        let regions = if stays { vec![stay, leave] } else { vec![leave, stay] };
        self.op(OpKind::If, vec![cond], &[], regions);
    }

    pub(super) fn scope_op(&mut self) {
        if self.frames.len() >= 3 {
            return;
        }
        let results = self.choose(2, false);
        let body = self.region(&[], |g, _| {
            g.frames.push(Frame { kind: FrameKind::Scope, carried: vec![], results: results.clone() });
            let count = 1 + g.rng.below(5);
            g.body(count);
            g.frames.pop();
            let values = g.supply_all(&results);
            g.op(OpKind::Break(0), values, &[], vec![]);
        });
        let types: Vec<Type> = results.iter().map(|w| w.ty).collect();
        let op = self.op(OpKind::Scope, vec![], &types, vec![body]);
        self.know_results(op, &results);
    }

    pub(super) fn parallel(&mut self) {
        if self.frames.len() >= 2 {
            return;
        }
        let (range, dim) = self.bounds();
        let (mut ops, mut init) = (Vec::new(), Vec::new());
        for _ in 0..self.rng.below(3) {
            let dtype = self.dtype();
            let all = [ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Min, ReduceOp::Max, ReduceOp::Any];
            let bits = [ReduceOp::And, ReduceOp::Or, ReduceOp::Xor];
            let op = if self.rng.percent(20) { self.rng.pick(&bits) } else { self.rng.pick(&all) };
            let fits = match op {
                ReduceOp::Sum | ReduceOp::Prod => dtype.is_int(),
                ReduceOp::Min | ReduceOp::Max => dtype.is_int() || dtype.is_float(),
                ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => dtype.is_int() || dtype == DType::Bool,
                _ => dtype == DType::Bool,
            };
            if fits {
                let op = if op == ReduceOp::Any && self.rng.percent(50) { ReduceOp::All } else { op };
                ops.push(op);
                let value = self.scalar(dtype);
                init.push(value);
            }
        }
        // One array that iterations write an element or a row of.
        let written = self.find(|k| k.ty.is_array() && k.shape.first().is_some_and(|&d| Some(d) == dim));
        let written = written.map(|a| {
            let value = self.make(OpKind::Copy, vec![a.value], a.ty);
            self.know(value, a.shape, false, true)
        });
        // And one that they combine integers into the elements of.
        let is_combined = |k: &super::Known| k.ty.is_array() && k.ty.dtype().is_some_and(DType::is_int);
        let updated = if self.rng.percent(40) { self.find(is_combined) } else { None };
        let updated = updated.map(|a| {
            let value = self.make(OpKind::Copy, vec![a.value], a.ty);
            self.know(value, a.shape, false, true)
        });
        let (written, updated) = (written.as_ref(), updated.as_ref());
        let types: Vec<Type> = init.iter().map(|&v| self.ty(v)).collect();
        let params = [&[Type::I64], types.as_slice()].concat();
        let env = self.env.clone();
        let body = self.region(&params, |g, values| {
            for known in &mut g.env {
                known.fixed |= refers(known.ty);
            }
            g.env.retain(|k| [written, updated].into_iter().flatten().all(|w| w.value != k.value));
            g.know_scalar(values[0]);
            g.env.last_mut().expect("just pushed").indexes = dim;
            let frame = Frame { kind: FrameKind::Parallel, carried: vec![], results: vec![] };
            g.frames.push(frame);
            let count = 1 + g.rng.below(6);
            g.body(count);
            if let Some(written) = written {
                g.parallel_store(written, values[0]);
            }
            if let Some(updated) = updated {
                let count = 1 + g.rng.below(2);
                (0..count).for_each(|_| g.parallel_update(updated));
            }
            let mut next = Vec::new();
            for (&op, &acc) in ops.iter().zip(&values[1..]) {
                let value = g.accumulate(op, acc);
                next.push(value);
            }
            g.frames.pop();
            g.op(OpKind::Continue(0), next, &[], vec![]);
        });
        self.env = env;
        let args = [&range[..], &init].concat();
        let op = self.op(OpKind::PFor(pydd_ir::Parallel::new(ops)), args, &types, vec![body]);
        for value in self.func.ops[op].results.clone() {
            let value = self.settled(value, true);
            self.know_scalar(value);
        }
    }

    fn parallel_store(&mut self, array: &super::Known, index: Value) {
        let dtype = array.ty.dtype().expect("arrays have elements");
        if array.shape.len() == 1 {
            let value = self.scalar(dtype);
            self.op(OpKind::Store, vec![array.value, value, index], &[], vec![]);
            return;
        }
        let ty = Type::array(dtype, array.ty.rank() - 1);
        let row = self.make(OpKind::View(vec![pydd_ir::IndexItem::At]), vec![array.value, index], ty);
        let value = self.scalar(dtype);
        self.op(OpKind::Assign, vec![row, value], &[], vec![]);
    }

    /// `array[…] = array[…] op x`; mostly by one operator, as iterations may in any order.
    fn parallel_update(&mut self, array: &super::Known) {
        let dtype = array.ty.dtype().expect("arrays have elements");
        let all = [ElemOp::Add, ElemOp::Sub, ElemOp::Min, ElemOp::Max, ElemOp::And, ElemOp::Or, ElemOp::Xor];
        let combine = if self.rng.percent(50) { ElemOp::Add } else { self.rng.pick(&all) };
        let indices: Vec<Value> = array.shape.iter().map(|&dim| self.index(dim)).collect();
        let old = self.make(OpKind::Load, [&[array.value], &indices[..]].concat(), Type::Scalar(dtype));
        let value = self.scalar(dtype);
        let new = self.make(OpKind::Elem(combine), vec![old, value], Type::Scalar(dtype));
        self.op(OpKind::Store, [&[array.value, new], &indices[..]].concat(), &[], vec![]);
    }

    fn accumulate(&mut self, op: ReduceOp, acc: Value) -> Value {
        let ty = self.ty(acc);
        let dtype = ty.dtype().expect("a scalar");
        let combine = op.step().expect("only positions have none");
        let x = self.scalar(dtype);
        let join = |g: &mut Self| g.make(OpKind::Elem(combine), vec![acc, x], ty);
        if self.rng.percent(60) {
            return join(self);
        }
        let cond = self.bool();
        let then = self.region(&[], |g, _| {
            let value = join(g);
            g.op(OpKind::Yield, vec![value], &[], vec![]);
        });
        let other = self.region(&[], |g, _| {
            g.op(OpKind::Yield, vec![acc], &[], vec![]);
        });
        let op = self.op(OpKind::If, vec![cond], &[ty], vec![then, other]);
        self.func.result(op)
    }

    /// Appends something that was computed lately to a list, so that it matters.
    pub(super) fn log(&mut self) {
        let reach = if self.frames.is_empty() { 12 } else { 4 };
        let back = self.rng.below(reach).min(self.env.len() - 1);
        let known = self.env[self.env.len() - 1 - back].clone();
        self.show(known);
    }

    /// Appends what a value is, or a sum of its elements, to a list, if there is one.
    pub(super) fn show(&mut self, mut known: super::Known) {
        let shows =
            |k: &super::Known| !k.fixed && [Type::list(DType::I64), Type::list(DType::F64)].contains(&k.ty);
        let Some(list) = self.find(shows) else { return };
        let dtype = list.ty.dtype().expect("lists have elements");
        if matches!(known.ty, Type::List { .. }) {
            known.value = self.make(OpKind::ListLen, vec![known.value], Type::I64);
            known.ty = Type::I64;
        }
        let mut value = known.value;
        if let Type::Array { dtype: elements, .. } = known.ty {
            // Integers have exact sums.
            if elements.is_float() {
                let scale = self.builder().number(64.0, elements);
                value = self.make(OpKind::Elem(ElemOp::Mul), vec![value, scale], known.ty);
            }
            if elements != DType::I64 {
                value = self.make(OpKind::Cast, vec![value], known.ty.with_dtype(DType::I64));
            }
            let spec = pydd_ir::ReduceSpec { op: ReduceOp::Sum, axes: None, keepdims: false };
            value = self.make(OpKind::Reduce(spec), vec![value], Type::I64);
        }
        if self.ty(value) != Type::Scalar(dtype) {
            value = self.make(OpKind::Cast, vec![value], Type::Scalar(dtype));
        }
        self.op(OpKind::ListAppend, vec![list.value, value], &[], vec![]);
    }

    pub(super) fn list_op(&mut self) {
        let found = self.find(|k| matches!(k.ty, Type::List { .. }));
        let Some(list) = found.filter(|_| self.rng.percent(85)) else {
            let dtype = self.dtype();
            let (depth, rank) = (self.rng.pick(&[1, 1, 2, 2, 3]), self.rank_in_lists());
            let value = self.new_list(Type::List { dtype, rank, depth });
            self.know(value, vec![], false, false);
            return;
        };
        let item = list.ty.list_item().expect("lists have items");
        let index = |g: &mut Self| match g.rng.below(4) {
            0 => g.i64(),
            1 => g.int(-1),
            _ => g.int(0),
        };
        match self.rng.below(8) {
            0 => {
                let value = self.make(OpKind::ListLen, vec![list.value], Type::I64);
                self.know_scalar(value);
            }
            1 => {
                let at = index(self);
                let value = self.make(OpKind::ListGet, vec![list.value, at], item);
                let shape = self.fresh_shape(item.rank());
                self.know(value, shape, list.fixed, false);
            }
            _ if list.fixed => {}
            2 => {
                let (at, value) = (index(self), self.item(item));
                self.op(OpKind::ListSet, vec![list.value, at, value], &[], vec![]);
            }
            3 => {
                let kind = if self.rng.percent(50) { OpKind::ListTruncate } else { OpKind::ListDropFront };
                let count = index(self);
                self.op(kind, vec![list.value, count], &[], vec![]);
            }
            4 => {
                let one = self.int(1);
                self.op(OpKind::ListDropFront, vec![list.value, one], &[], vec![]);
            }
            5 => {
                let value = self.item(item);
                self.op(OpKind::ListPrepend, vec![list.value, value], &[], vec![]);
            }
            _ => {
                let value = self.item(item);
                self.op(OpKind::ListAppend, vec![list.value, value], &[], vec![]);
            }
        }
    }

    /// A list of a few items.
    pub(super) fn new_list(&mut self, ty: Type) -> Value {
        let item = ty.list_item().expect("lists have items");
        let count = self.rng.below(4);
        let mut items = Vec::new();
        for _ in 0..count {
            let value = self.item(item);
            items.push(value);
        }
        if !item.is_array() {
            return self.make(OpKind::ListNew, items, ty);
        }
        let list = self.make(OpKind::ListNew, vec![], ty);
        for item in items {
            self.op(OpKind::ListAppend, vec![list, item], &[], vec![]);
        }
        list
    }

    /// How many axes the arrays have that a list is to hold, if it is to hold arrays.
    fn rank_in_lists(&mut self) -> Option<u8> {
        let rank = 1 + self.rng.below(2.min(self.most_axes));
        self.rng.percent(35).then(|| u8::try_from(rank).expect("small"))
    }

    /// Something that a list may hold.
    fn item(&mut self, ty: Type) -> Value {
        match ty {
            Type::Scalar(dtype) => self.scalar(dtype),
            _ => match self.find(|k| k.ty == ty && !k.fixed).filter(|_| self.rng.percent(70)) {
                Some(known) => known.value,
                None if ty.is_array() => {
                    let lengths = (0..ty.rank()).map(|_| self.clamped(0, 3)).collect();
                    self.make(OpKind::Zeros, lengths, ty)
                }
                None => self.new_list(ty),
            },
        }
    }

    pub(super) fn call(&mut self) {
        if self.frames.iter().any(|f| f.kind == FrameKind::Parallel) {
            return;
        }
        let callees = self.callees;
        if callees.is_empty() {
            return;
        }
        let callee = &callees[self.rng.below(callees.len())];
        let mut args = Vec::new();
        for (i, &ty) in callee.params.iter().enumerate() {
            if i == 0 && callee.recursive {
                let depth = match self.myself {
                    Some((func, depth)) if func == callee.func => {
                        let one = self.int(1);
                        self.builder().sub(depth, one)
                    }
                    _ => self.clamped(0, 2),
                };
                args.push(depth);
                continue;
            }
            match ty {
                Type::Scalar(dtype) => {
                    let value = self.scalar(dtype);
                    args.push(value);
                }
                _ => match self.find(|k| k.ty == ty && !k.fixed) {
                    Some(known) => args.push(known.value),
                    None => return,
                },
            }
        }
        let op = self.op(OpKind::Call(callee.func), args, &callee.results, vec![]);
        for value in self.func.ops[op].results.clone() {
            let ty = self.ty(value);
            let shape = if ty.is_array() { self.fresh_shape(ty.rank()) } else { vec![] };
            self.know(value, shape, false, false);
        }
    }
}
