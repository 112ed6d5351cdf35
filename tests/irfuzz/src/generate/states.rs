//! Loops that make a small array anew in each step (`carry-elements`), that update an array and read it from its end (`rebind`), and those that take bits from a number (`count-bits`).

use pydd_ir::{DType, ElemOp, IndexItem, OpKind, Type, Value};

use super::{Frame, FrameKind, Gen, Known};

impl Gen<'_> {
    /// ```text
    /// y = [x, …]
    /// for t in 0, k { … y[1] …; z = empty 2; z[0] = …; z[1] = …; y = z, or y if c }
    /// ```
    pub(super) fn small_state(&mut self) {
        let dtype = self.number_type();
        let ty = Type::array(dtype, 1);
        let count = self.rng.range(1, 3);
        let first = match self.source(&[ty]).filter(|_| self.rng.percent(40)) {
            Some(known) => known.value,
            None => self.filled(ty, count),
        };
        let (zero, one, times) = (self.int(0), self.int(1), self.clamped(-1, 4));
        let body = self.region(&[Type::I64, ty], |g, values| {
            let &[step, old] = values else { unreachable!("two were asked for") };
            g.know_scalar(step);
            g.frames.push(Frame { kind: FrameKind::For, carried: vec![], results: vec![] });
            for _ in 0..1 + g.rng.below(3) {
                g.look_into(old, dtype, count);
            }
            if g.rng.percent(15) {
                let other = g.find(|known| known.ty == ty && !known.fixed);
                if let Some(other) = other {
                    let (value, at) = (g.number(dtype), g.clamped(0, 1));
                    g.op(OpKind::Store, vec![other.value, value, at], &[], vec![]);
                }
            }
            let new = g.filled(ty, count);
            if g.rng.percent(20) {
                g.look_into(old, dtype, count);
            }
            let mut next = new;
            if g.rng.percent(15) {
                let stays = g.bool();
                let ways = [old, new].map(|way| {
                    g.region(&[], |g, _| {
                        g.op(OpKind::Yield, vec![way], &[], vec![]);
                    })
                });
                let chosen = g.op(OpKind::If, vec![stays], &[ty], ways.to_vec());
                next = g.func.ops[chosen].results[0];
            }
            g.frames.pop();
            g.op(OpKind::Continue(0), vec![next], &[], vec![]);
        });
        let looped = self.op(OpKind::For, vec![zero, times, one, first], &[ty], vec![body]);
        let last = self.func.ops[looped].results[0];
        if self.rng.percent(40) {
            self.look_into(last, dtype, count);
        }
        if self.rng.percent(40) {
            let shape = self.fresh_shape(1);
            let known = self.know(last, shape, false, false);
            self.show(known);
        }
    }

    /// A new array whose elements are stored one by one, most of the time all of them.
    fn filled(&mut self, ty: Type, count: i64) -> Value {
        let dtype = ty.dtype().expect("arrays have elements");
        let length = self.int(count);
        let kind = if self.rng.percent(90) { OpKind::Empty } else { OpKind::Zeros };
        let zeros = kind == OpKind::Zeros;
        let array = self.make(kind, vec![length], ty);
        let turn = self.rng.range(0, count - 1);
        for k in 0..count {
            let at = self.int((k + turn) % count);
            let value = if self.rng.percent(60) { self.quiet_op(dtype) } else { self.number(dtype) };
            let store = |g: &mut Self| _ = g.op(OpKind::Store, vec![array, value, at], &[], vec![]);
            if zeros && self.rng.percent(30) {
                let often = self.bool();
                self.if_then(often, store);
            } else {
                store(self);
            }
            if self.rng.percent(15) {
                let back = self.make(OpKind::Load, vec![array, at], Type::Scalar(dtype));
                self.know_scalar(back);
            }
        }
        array
    }

    fn look_into(&mut self, array: Value, dtype: DType, count: i64) {
        let at = self.rng.range(0, count - 1);
        let at = if self.rng.percent(95) { self.int(at) } else { self.clamped(-1, 2) };
        let element = self.make(OpKind::Load, vec![array, at], Type::Scalar(dtype));
        self.know_scalar(element);
    }

    /// ```text
    /// while v != 0 { v &= v - 1; n += k }
    /// ```
    pub(super) fn bits(&mut self) {
        let ints: Vec<DType> = self.dtypes.iter().copied().filter(|dtype| dtype.is_int()).collect();
        if ints.is_empty() {
            return;
        }
        let (dtype, counts) = (self.rng.pick(&ints), self.rng.pick(&ints));
        let (ty, count_ty) = (Type::Scalar(dtype), Type::Scalar(counts));
        let (start, counted, by) = (self.number(dtype), self.number(counts), self.number(counts));
        let (zero, one) = (self.builder().number(0.0, dtype), self.builder().number(1.0, dtype));
        let test = self.rng.pick(&[ElemOp::Ne, ElemOp::Ne, ElemOp::Gt]);
        let body = self.region(&[ty, count_ty], |g, values| {
            let &[v, n] = values else { unreachable!("two were asked for") };
            g.frames.push(Frame { kind: FrameKind::Loop(1), carried: vec![], results: vec![] });
            let on = g.make(OpKind::Elem(test), vec![v, zero], Type::BOOL);
            let [goes, stops] = [true, false].map(|goes| {
                g.region(&[], |g, _| match goes {
                    true => _ = g.op(OpKind::Yield, vec![], &[], vec![]),
                    false => _ = g.op(OpKind::Break(0), vec![v, n], &[], vec![]),
                })
            });
            g.op(OpKind::If, vec![on], &[], vec![goes, stops]);
            let less = g.make(OpKind::Elem(ElemOp::Sub), vec![v, one], ty);
            let rest = g.make(OpKind::Elem(ElemOp::And), vec![v, less], ty);
            let more = g.make(OpKind::Elem(ElemOp::Add), vec![n, by], count_ty);
            if g.rng.percent(15) {
                g.log();
            }
            g.frames.pop();
            g.op(OpKind::Continue(0), vec![rest, more], &[], vec![]);
        });
        let looped = self.op(OpKind::Loop, vec![start, counted], &[ty, count_ty], vec![body]);
        for result in self.func.ops[looped].results.clone() {
            let known = self.know(result, vec![], false, false);
            self.show(known);
        }
    }

    /// ```text
    /// u = copy a; for t in 0, n { new = u + u[::-1] * …; u[...] = new; … u … }
    /// ```
    pub(super) fn updates(&mut self) {
        let Some(dtype) = self.float_type().filter(|dtype| dtype.is_float()) else { return };
        let Some(a) = self.source(&[Type::array(dtype, 1)]) else { return };
        let row = a.ty;
        let u = self.make(OpKind::Copy, vec![a.value], row);
        let width = self.builder().dim(a.value, 0);
        let early = self.rng.percent(10).then(|| self.reversed_view(u));
        let [zero, steps] = [0, self.rng.range(0, 4)].map(|number| self.int(number));
        let none = self.number(dtype);
        let sum = self.make(OpKind::Zeros, vec![width], row);
        let (is_inner, is_late, is_seen) = (self.rng.percent(25), self.rng.percent(10), self.rng.percent(30));
        self.count([zero, steps], None, |g, t| {
            let range = if is_inner { [zero, t] } else { [zero, zero] };
            let update = |g: &mut Self| {
                let (first, view) = (g.reversed(u), g.reversed_view(u));
                let op = g.rng.pick(&[ElemOp::Add, ElemOp::Sub, ElemOp::Max]);
                let scaled = g.make(OpKind::Elem(ElemOp::Mul), vec![first, none], row);
                let new = g.make(OpKind::Elem(op), vec![u, scaled], row);
                g.op(OpKind::Assign, vec![u, new], &[], vec![]);
                let seen = if is_late { view } else { g.reversed_view(u) };
                let more = g.make(OpKind::Elem(ElemOp::Max), vec![sum, seen], row);
                g.op(OpKind::Assign, vec![sum, more], &[], vec![]);
            };
            if is_inner {
                g.count(range, None, |g, _| update(g));
            } else {
                update(g);
            }
            if is_seen {
                let seen = g.reversed_view(u);
                let more = g.make(OpKind::Elem(ElemOp::Add), vec![sum, seen], row);
                g.op(OpKind::Assign, vec![sum, more], &[], vec![]);
            }
        });
        let last = self.reversed_view(u);
        for value in [u, sum, last].into_iter().chain(early) {
            self.show(Known {
                value,
                ty: row,
                shape: Vec::new(),
                fixed: false,
                contiguous: true,
                indexes: None,
            });
        }
    }

    fn reversed(&mut self, array: Value) -> Value {
        let ty = self.func.ty(array);
        let element = Type::Scalar(ty.dtype().expect("arrays have elements"));
        let [zero, one] = [0, 1].map(|number| self.int(number));
        let width = self.builder().dim(array, 0);
        let made = self.make(OpKind::Zeros, vec![width], ty);
        self.count([zero, width], None, |g, i| {
            let mut builder = g.builder();
            let last = builder.sub(width, one);
            let from_end = builder.sub(last, i);
            let x = g.make(OpKind::Load, vec![array, from_end], element);
            g.op(OpKind::Store, vec![made, x, i], &[], vec![]);
        });
        made
    }

    fn reversed_view(&mut self, array: Value) -> Value {
        let (back, ty) = (self.int(-1), self.func.ty(array));
        let item = IndexItem::Slice { start: false, stop: false, step: true };
        self.make(OpKind::View(vec![item]), vec![array, back], ty)
    }
}
