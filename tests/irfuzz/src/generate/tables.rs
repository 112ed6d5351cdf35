//! Tables of few columns that are combined row by row (`short-rows`) or gone down (`jam-columns`), and loops that are left with a store (`sink-stores`).

use pydd_ir::{DType, ElemOp, OpKind, Type, Value};

use super::{Frame, FrameKind, Gen, Known};

impl Gen<'_> {
    /// ```text
    /// for i in 0, n { for j in 0, m { x = a[i, j]; …; t[j] = t[j] + x } }
    /// ```
    pub(super) fn columns(&mut self) {
        let dtype = self.number_type();
        if dtype.is_complex() || dtype == DType::Bool {
            return;
        }
        let ty = Type::Scalar(dtype);
        // Whose length is not known, as that of rows is not.
        let Some(b) = self.source(&[Type::array(dtype, 1)]) else { return };
        let m = self.builder().dim(b.value, 0);
        let rows = self.rng.pick(&[40, 256, 271, 300]);
        let n = self.int(rows);
        let [zero, one] = [0, 1].map(|number| self.int(number));
        // One by both indices, or one for each of them.
        let both = self.rng.percent(60);
        let a = self.make(
            OpKind::Zeros,
            if both { vec![n, m] } else { vec![n] },
            Type::array(dtype, 1 + u8::from(both)),
        );
        let place = |i: Value, j: Value| if both { vec![i, j] } else { vec![i] };
        let last = if both { m } else { one };
        // The other way round, so that what uses it stays a loop of its own.
        self.count([zero, last], None, |g, j| {
            g.count([zero, n], None, |g, i| {
                let mut builder = g.builder();
                let product = builder.mul(i, i);
                let sum = builder.add(product, j);
                let seven = builder.int(7);
                let rest = builder.elem(ElemOp::Mod, &[sum, seven]);
                let value = builder.cast(rest, dtype);
                g.op(OpKind::Store, [&[a, value], &place(i, j)[..]].concat(), &[], vec![]);
            });
        });
        let sums: Vec<(Value, ElemOp)> = (0..1 + self.rng.below(2))
            .map(|_| {
                let made = self.make(OpKind::Zeros, vec![m], Type::array(dtype, 1));
                (made, self.rng.pick(&[ElemOp::Add, ElemOp::Min, ElemOp::Max]))
            })
            .collect();
        let repeated = self.rng.percent(40);
        self.count([zero, n], None, |g, i| {
            g.count([zero, m], None, |g, j| {
                let mut value = g.make(OpKind::Load, [&[a], &place(i, j)[..]].concat(), ty);
                g.know_scalar(value);
                if repeated {
                    let more = g.make(OpKind::Load, vec![b.value, j], ty);
                    value = g.make(OpKind::Elem(ElemOp::Sub), vec![value, more], ty);
                    g.know_scalar(value);
                }
                if g.rng.percent(40) {
                    value = g.quiet_op(dtype);
                }
                for &(sum, op) in &sums {
                    let old = g.make(OpKind::Load, vec![sum, j], ty);
                    let args = if g.rng.percent(70) { vec![old, value] } else { vec![value, old] };
                    let new = g.make(OpKind::Elem(op), args, ty);
                    g.op(OpKind::Store, vec![sum, new, j], &[], vec![]);
                }
            });
        });
        for (value, _) in sums {
            let ty = Type::array(dtype, 1);
            self.show(Known { value, ty, shape: Vec::new(), fixed: false, contiguous: true, indexes: None });
        }
    }

    /// ```text
    /// for j in 0, m { s = for i in 0, n { s = s + a[i, j]; … }; for i in 0, n { a[i, j] = a[i, j] - s }; t[j] = s }
    /// ```
    pub(super) fn down_columns(&mut self) {
        let Some(dtype) = self.float_type().filter(|dtype| dtype.is_float()) else { return };
        let ty = Type::Scalar(dtype);
        let Some(b) = self.source(&[Type::array(dtype, 1)]) else { return };
        let width = self.builder().dim(b.value, 0);
        let columns = self.rng.pick(&[1, 5, 16, 21, 37]);
        let m = if self.rng.percent(30) { width } else { self.int(columns) };
        let rows = self.rng.pick(&[0, 3, 20, 33]);
        let n = self.int(rows);
        let [zero, one] = [0, 1].map(|number| self.int(number));
        let a = self.make(OpKind::Zeros, vec![n, m], Type::array(dtype, 2));
        let t = self.make(OpKind::Zeros, vec![m], Type::array(dtype, 1));
        self.count([zero, n], None, |g, i| {
            g.count([zero, m], None, |g, j| {
                let mut builder = g.builder();
                let seven = builder.int(7);
                let product = builder.mul(i, j);
                let sum = builder.add(product, j);
                let rest = builder.elem(ElemOp::Mod, &[sum, seven]);
                let value = builder.cast(rest, dtype);
                g.op(OpKind::Store, vec![a, value, i, j], &[], vec![]);
            });
        });
        // Rows above are of the same column; what lies beside is of another one, and keeps the order.
        let (beside, first) = (self.rng.percent(20), if self.rng.percent(70) { zero } else { one });
        let (writes, by_row) = (self.rng.percent(50), self.rng.percent(50));
        let has_own = self.rng.percent(40);
        self.count([zero, m], None, |g, j| {
            // A column's own copy.
            let own = has_own.then(|| g.make(OpKind::Zeros, vec![n], Type::array(dtype, 1)));
            if let Some(own) = own {
                g.count([zero, n], None, |g, i| {
                    let old = g.make(OpKind::Load, vec![a, i, j], ty);
                    g.op(OpKind::Store, vec![own, old, i], &[], vec![]);
                });
            }
            let start = g.number(dtype);
            let body = g.region(&[Type::I64, ty], |g, values| {
                let &[i, s] = values else { unreachable!("two were asked for") };
                values.iter().for_each(|&value| g.know_scalar(value));
                g.frames.push(Frame { kind: FrameKind::For, carried: vec![], results: vec![] });
                let column =
                    if beside { g.make(OpKind::Elem(ElemOp::Max), vec![j, one], Type::I64) } else { j };
                let mut x = g.make(OpKind::Load, vec![a, i, column], ty);
                if by_row {
                    let weight = g.make(OpKind::Cast, vec![i], ty);
                    x = g.make(OpKind::Elem(ElemOp::Mul), vec![x, weight], ty);
                }
                g.know_scalar(x);
                let op = g.rng.pick(&[ElemOp::Add, ElemOp::Sub, ElemOp::Max]);
                let next = g.make(OpKind::Elem(op), vec![s, x], ty);
                g.know_scalar(next);
                if writes {
                    let value = g.quiet_op(dtype);
                    g.op(OpKind::Store, vec![a, value, i, j], &[], vec![]);
                }
                g.frames.pop();
                g.op(OpKind::Continue(0), vec![next], &[], vec![]);
            });
            let made = g.op(OpKind::For, vec![first, n, one, start], &[ty], vec![body]);
            let s = g.func.ops[made].results[0];
            if g.rng.percent(50) {
                g.count([zero, n], None, |g, i| {
                    let old = match own {
                        Some(own) => g.make(OpKind::Load, vec![own, i], ty),
                        None => g.make(OpKind::Load, vec![a, i, j], ty),
                    };
                    let new = g.make(OpKind::Elem(ElemOp::Sub), vec![old, s], ty);
                    g.op(OpKind::Store, vec![a, new, i, j], &[], vec![]);
                });
            }
            g.op(OpKind::Store, vec![t, s, j], &[], vec![]);
        });
        for (value, rank) in [(a, 2), (t, 1)] {
            let ty = Type::array(dtype, rank);
            self.show(Known { value, ty, shape: Vec::new(), fixed: false, contiguous: true, indexes: None });
        }
    }

    /// ```text
    /// for i in 0, n { for k in 0, m, x = a[i] { if c { out[i] = k; break x } …; continue y } }
    /// ```
    pub(super) fn marked(&mut self) {
        let Some(dtype) = self.float_type().filter(|dtype| dtype.is_float()) else { return };
        let ty = Type::Scalar(dtype);
        let Some(a) = self.source(&[Type::array(dtype, 1)]) else { return };
        let n = self.builder().dim(a.value, 0);
        let stores_index = self.rng.percent(60);
        let stored = if stores_index { DType::I64 } else { dtype };
        let out = self.make(OpKind::Zeros, vec![n], Type::array(stored, 1));
        let [zero, one, m] = [0, 1, self.rng.range(0, 12)].map(|number| self.int(number));
        self.count([zero, n], Some(a.shape[0]), |g, i| {
            let x = g.make(OpKind::Load, vec![a.value, i], ty);
            let body = g.region(&[Type::I64, ty], |g, values| {
                let &[k, x] = values else { unreachable!("two were asked for") };
                values.iter().for_each(|&value| g.know_scalar(value));
                g.frames.push(Frame { kind: FrameKind::For, carried: vec![], results: vec![] });
                let bound = g.number(dtype);
                let leaves = g.rng.pick(&[ElemOp::Gt, ElemOp::Lt, ElemOp::Ge]);
                let leaves = g.make(OpKind::Elem(leaves), vec![x, bound], Type::BOOL);
                let value = if stores_index { k } else { x };
                let taken = g.region(&[], |g, _| {
                    g.op(OpKind::Store, vec![out, value, i], &[], vec![]);
                    g.op(OpKind::Break(0), vec![x], &[], vec![]);
                });
                let kept = g.region(&[], |g, _| {
                    g.op(OpKind::Yield, vec![], &[], vec![]);
                });
                g.op(OpKind::If, vec![leaves], &[], vec![taken, kept]);
                let next = g.quiet_op(dtype);
                g.frames.pop();
                g.op(OpKind::Continue(0), vec![next], &[], vec![]);
            });
            g.op(OpKind::For, vec![zero, m, one, x], &[ty], vec![body]);
        });
        let known = self.know(out, a.shape.clone(), false, true);
        self.show(known);
    }

    /// ```text
    /// for t in 0, steps { for i in 0, rows { for k in 0, m { s = s + x[links[k]] } } }
    /// ```
    pub(super) fn links(&mut self) {
        let Some(dtype) = self.float_type().filter(|dtype| dtype.is_float()) else { return };
        let (ty, held) = (Type::Scalar(dtype), Type::array(DType::I64, 1));
        let Some(x) = self.source(&[Type::array(dtype, 1)]) else { return };
        let n = self.builder().dim(x.value, 0);
        let sizes =
            [self.rng.pick(&[0, 20, 33, 40]), self.rng.range(1, 4), self.rng.pick(&[0, 0, 0, 0, -1, 1])];
        let [m, factor, offset] = sizes.map(|size| self.int(size));
        let [zero, one, ahead] = [0, 1, self.rng.pick(&[0, 0, 0, 1])].map(|number| self.int(number));
        let links = self.make(OpKind::Zeros, vec![m], held);
        self.count([zero, m], None, |g, k| {
            let mut builder = g.builder();
            let product = builder.mul(k, factor);
            let some = builder.elem(ElemOp::Max, &[n, one]);
            let within = builder.elem(ElemOp::Mod, &[product, some]);
            let link = builder.add(within, offset);
            g.op(OpKind::Store, vec![links, link, k], &[], vec![]);
        });
        let sum = self.make(OpKind::Zeros, vec![one], Type::array(dtype, 1));
        let (steps, rows) = (self.clamped(0, 4), self.clamped(0, 4));
        let (writes, op) = (self.rng.percent(15), self.rng.pick(&[ElemOp::Add, ElemOp::Sub, ElemOp::Max]));
        self.count([zero, steps], None, |g, _| {
            g.count([zero, rows], None, |g, _| {
                g.count([zero, m], None, |g, k| {
                    let link = g.make(OpKind::Load, vec![links, k], Type::I64);
                    let at = g.builder().add(link, ahead);
                    let value = g.make(OpKind::Load, vec![x.value, at], ty);
                    let old = g.make(OpKind::Load, vec![sum, zero], ty);
                    let new = g.make(OpKind::Elem(op), vec![old, value], ty);
                    g.op(OpKind::Store, vec![sum, new, zero], &[], vec![]);
                    if writes {
                        g.op(OpKind::Store, vec![links, zero, k], &[], vec![]);
                    }
                });
            });
        });
        let ty = Type::array(dtype, 1);
        self.show(Known { value: sum, ty, shape: Vec::new(), fixed: false, contiguous: true, indexes: None });
    }
}
