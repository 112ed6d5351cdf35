//! Shifted parts of arrays: stencils that are written into their own array (`write-behind`), inner parts of zeros (`zero-borders`,
//! `forward`, `peel`), and short loops that add up parts (`unroll-arrays`).

use pydd_ir::{ElemOp, IndexItem, OpKind, Type, Value};

use super::{Frame, FrameKind, Gen};

impl Gen<'_> {
    /// ```text
    /// for … { a[1:-1] = a[2:] - a[:-2] + b[1:-1] }
    /// ```
    pub(super) fn stencil(&mut self) {
        let dtype = self.number_type();
        let types = [Type::array(dtype, 1), Type::array(dtype, 2)];
        let Some(mut a) = self.source(&types) else { return };
        if a.fixed || self.rng.percent(30) {
            let copy = self.make(OpKind::Copy, vec![a.value], a.ty);
            a = self.know(copy, a.shape.clone(), false, true);
        }
        // What is read besides is as long.
        let other = self.find(|known| known.ty == a.ty && known.shape == a.shape);
        let beside = other.filter(|_| self.rng.percent(40)).map(|known| known.value);
        let shorter = self.rng.range(0, 4);
        let to = self.rng.range(0, shorter);
        let (zero, most) = (self.int(0), self.rng.range(0, 3));
        let most = self.int(most);
        self.count([zero, most], None, |g, _| {
            let mut sum = None;
            for _ in 0..1 + g.rng.below(3) {
                let from = if g.rng.percent(30) { beside.unwrap_or(a.value) } else { a.value };
                let by = g.rng.range(0, shorter);
                let part = g.shifted(from, by, shorter);
                sum = Some(g.joined(sum, part));
            }
            let source = sum.expect("there is one");
            let target = g.shifted(a.value, to, shorter);
            g.op(OpKind::Assign, vec![target, source], &[], vec![]);
        });
        self.show(a);
    }

    /// ```text
    /// for … { z = zeros; z[1:-1] = a[2:] - a[:-2]; a = a + z }
    /// ```
    pub(super) fn bordered(&mut self) {
        let dtype = self.number_type();
        let Some(source) = self.source(&[Type::array(dtype, 1), Type::array(dtype, 2)]) else { return };
        let copy = self.make(OpKind::Copy, vec![source.value], source.ty);
        let a = self.know(copy, source.shape.clone(), false, true);
        let shorter = self.rng.range(0, 6);
        let to = self.rng.range(0, shorter);
        let (zero, most) = (self.int(0), self.rng.range(1, 3));
        let most = self.int(most);
        let (again, seen) = (self.rng.percent(30), self.rng.percent(30));
        let fill = |g: &mut Self, z: Value| {
            let by = g.rng.range(0, shorter);
            let first = g.shifted(a.value, by, shorter);
            let by = g.rng.range(0, shorter);
            let second = g.shifted(a.value, by, shorter);
            let sum = g.joined(Some(first), second);
            let target = g.shifted(z, to, shorter);
            g.op(OpKind::Assign, vec![target, sum], &[], vec![]);
        };
        self.count([zero, most], None, |g, _| {
            let lengths: Vec<Value> = (0..a.ty.rank()).map(|axis| g.builder().dim(a.value, axis)).collect();
            let z = g.make(OpKind::Zeros, lengths, a.ty);
            fill(g, z);
            if again {
                fill(g, z);
            }
            let by = if g.rng.percent(30) { g.rng.range(0, 3) } else { 0 };
            let [from, into] = [z, a.value].map(|array| g.shifted(array, by, by));
            let new = g.joined(Some(into), from);
            g.op(OpKind::Assign, vec![into, new], &[], vec![]);
            if seen {
                g.op(OpKind::Assign, vec![a.value, z], &[], vec![]);
            }
        });
        self.show(a);
    }

    /// ```text
    /// for i in 0, n { a[i : i + 2] = a[i + 1 : i + 3] - a[i : i + 2] }
    /// ```
    pub(super) fn moving(&mut self) {
        let dtype = self.number_type();
        let Some(source) = self.source(&[Type::array(dtype, 1), Type::array(dtype, 2)]) else { return };
        let copy = self.make(OpKind::Copy, vec![source.value], source.ty);
        let a = self.know(copy, source.shape.clone(), false, true);
        let (length, most) = (self.rng.range(0, 4), self.rng.range(0, 6));
        let grows = self.rng.percent(40);
        let [zero, most] = [0, most].map(|number| self.int(number));
        self.count([zero, most], None, |g, i| {
            let part = |g: &mut Self, by: i64| {
                let mut b = g.builder();
                let (by, length) = (b.int(by), b.int(length));
                let start = if grows { by } else { b.add(i, by) };
                let end = if grows { b.add(i, by) } else { start };
                let end = b.add(end, length);
                g.sliced(a.value, start, end)
            };
            let [first, second, target] = [0, 1, 2].map(|_| {
                let by = g.rng.range(0, 3);
                part(g, by)
            });
            let sum = g.joined(Some(first), second);
            g.op(OpKind::Assign, vec![target, sum], &[], vec![]);
        });
        self.show(a);
    }

    /// ```text
    /// s = for k in 0, 3, s { s + a[k : n - 2 + k] }
    /// ```
    pub(super) fn taps(&mut self) {
        let dtype = self.number_type();
        let Some(a) = self.source(&[Type::array(dtype, 1), Type::array(dtype, 2)]) else { return };
        let count = self.rng.range(1, 5);
        let first = self.shifted(a.value, 0, count - 1);
        let start = self.make(OpKind::Copy, vec![first], a.ty);
        let into = self.rng.percent(40);
        let [zero, stop, one] = [0, count, 1].map(|number| self.int(number));
        let carried = if into { vec![] } else { vec![start] };
        let mut params = vec![Type::I64];
        params.extend(carried.iter().map(|_| a.ty));
        let region = self.region(&params, |g, values| {
            g.know_scalar(values[0]);
            g.frames.push(Frame { kind: FrameKind::For, carried: vec![], results: vec![] });
            let length = g.builder().dim(start, 0);
            let end = g.builder().add(values[0], length);
            let part = g.sliced(a.value, values[0], end);
            let before = values.get(1).copied().unwrap_or(start);
            let sum = g.joined(Some(before), part);
            let next = if into {
                g.op(OpKind::Assign, vec![start, sum], &[], vec![]);
                vec![]
            } else {
                vec![sum]
            };
            g.frames.pop();
            g.op(OpKind::Continue(0), next, &[], vec![]);
        });
        let types: Vec<Type> = carried.iter().map(|_| a.ty).collect();
        let args = [&[zero, stop, one], carried.as_slice()].concat();
        let looped = self.op(OpKind::For, args, &types, vec![region]);
        let result = self.func.ops[looped].results.first().copied().unwrap_or(start);
        let shape = self.fresh_shape(a.ty.rank());
        let known = self.know(result, shape, false, into);
        self.show(known);
    }

    /// The part of an array that is so much shorter along the first axis and begins so far behind its first element.
    fn shifted(&mut self, array: Value, by: i64, shorter: i64) -> Value {
        let (start, less) = (self.int(by), self.int(shorter - by));
        let length = self.builder().dim(array, 0);
        let end = self.builder().sub(length, less);
        self.sliced(array, start, end)
    }

    fn sliced(&mut self, array: Value, start: Value, end: Value) -> Value {
        let ty = self.ty(array);
        let mut items =
            vec![IndexItem::Slice { start: false, stop: false, step: false }; usize::from(ty.rank())];
        items[0] = IndexItem::Slice { start: true, stop: true, step: false };
        self.make(OpKind::View(items), vec![array, start, end], ty)
    }

    fn joined(&mut self, sum: Option<Value>, part: Value) -> Value {
        let Some(sum) = sum else { return part };
        let dtype = self.ty(part).dtype().expect("an array of numbers");
        let ops: &[ElemOp] = match (dtype.is_complex(), dtype == pydd_ir::DType::Bool) {
            (_, true) => &[ElemOp::And, ElemOp::Or, ElemOp::Xor],
            (true, _) => &[ElemOp::Add, ElemOp::Sub],
            _ => &[ElemOp::Add, ElemOp::Sub, ElemOp::Max, ElemOp::Min],
        };
        let op = self.rng.pick(ops);
        let args = if self.rng.percent(50) { vec![sum, part] } else { vec![part, sum] };
        self.make(OpKind::Elem(op), args, self.ty(part))
    }
}
