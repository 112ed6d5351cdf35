//! Loops that store what they have accumulated so far (`split-scans`).

use pydd_ir::{DType, ElemOp, OpKind, Type, Value};

use super::{Frame, FrameKind, Gen};

impl Gen<'_> {
    /// ```text
    /// s = for i in 0, n, s { x = a[i]; … u = s + x; out[i] = u; continue u }
    /// ```
    pub(super) fn scan(&mut self) {
        // Floats are added up in order here.
        let mut dtype = self.number_type();
        if !dtype.is_int() && self.rng.percent(60) {
            dtype = self.number_type();
        }
        let Some(a) = self.source(&[Type::array(dtype, 1)]) else { return };
        let n = self.builder().dim(a.value, 0);
        // Most of the time into an array of its own.
        let in_place = !a.fixed && self.rng.percent(25);
        let out = if in_place { a.value } else { self.make(OpKind::Zeros, vec![n], a.ty) };
        let ty = Type::Scalar(dtype);
        let count = 1 + self.rng.below(2);
        let steps: Vec<ElemOp> = (0..count).map(|_| self.scan_step(dtype)).collect();
        let init: Vec<Value> = (0..count).map(|_| self.constant(dtype)).collect();
        let [start, one] = [i64::from(self.rng.percent(20)), 1].map(|number| self.int(number));
        let mut params = vec![Type::I64];
        params.extend(vec![ty; count]);
        let region = self.region(&params, |g, values| {
            let (&i, seen) = values.split_first().expect("an index");
            g.know_scalar(i);
            g.frames.push(Frame { kind: FrameKind::For, carried: vec![], results: vec![] });
            let mut x = g.make(OpKind::Load, vec![a.value, i], ty);
            g.know_scalar(x);
            for _ in 0..g.rng.below(3) {
                x = g.quiet_op(dtype);
            }
            if g.rng.percent(25) {
                g.op(OpKind::Store, vec![out, x, i], &[], vec![]);
                x = g.make(OpKind::Load, vec![out, i], ty);
            }
            let next: Vec<Value> = seen
                .iter()
                .zip(&steps)
                .map(|(&seen, &step)| {
                    let args = if g.rng.percent(80) { vec![seen, x] } else { vec![x, seen] };
                    g.make(OpKind::Elem(step), args, ty)
                })
                .collect();
            // What was before it, what it is now, or something made of both.
            let shown = match g.rng.below(4) {
                0 => seen[0],
                1 => {
                    let step = g.scan_step(dtype);
                    g.make(OpKind::Elem(step), vec![next[count - 1], x], ty)
                }
                _ => next[0],
            };
            g.op(OpKind::Store, vec![out, shown, i], &[], vec![]);
            g.frames.pop();
            g.op(OpKind::Continue(0), next, &[], vec![]);
        });
        let args = [&[start, n, one], init.as_slice()].concat();
        let looped = self.op(OpKind::For, args, &vec![ty; count], vec![region]);
        let results = self.func.ops[looped].results.clone();
        results.into_iter().for_each(|result| self.know_scalar(result));
        let known = if in_place { a } else { self.know(out, a.shape.clone(), false, true) };
        self.show(known);
    }

    /// ```text
    /// k = for i in 0, n, k { x = a[i]; if x > … { out[k] = x; yield k + 1 } else { yield k } }
    /// ```
    pub(super) fn kept(&mut self) {
        let dtype = self.number_type();
        if dtype.is_complex() {
            return;
        }
        let Some(a) = self.source(&[Type::array(dtype, 1)]) else { return };
        let n = self.builder().dim(a.value, 0);
        // What is too short, or what is read as well, now and then.
        let room = if self.rng.percent(20) { self.int(3) } else { n };
        let in_place = !a.fixed && self.rng.percent(15);
        let out = if in_place { a.value } else { self.make(OpKind::Zeros, vec![room], a.ty) };
        let compare = self.rng.pick(&[ElemOp::Lt, ElemOp::Ge, ElemOp::Ne]);
        let by = self.rng.pick(&[1, 1, 1, 1, 1, 2, 0, -1]);
        let otherwise = self.rng.pick(&[0, 0, 0, 0, 0, 1, -1]);
        let limit = self.constant(dtype);
        let has_sum = self.rng.percent(30);
        let init = [self.rng.pick(&[0, 0, 0, 0, 1, -2]), 0].map(|number| self.int(number));
        let init = &init[..1 + usize::from(has_sum)];
        let types = vec![Type::I64; init.len()];
        let region = self.region(&[&[Type::I64], types.as_slice()].concat(), |g, values| {
            let (&i, seen) = values.split_first().expect("an index");
            g.know_scalar(i);
            g.frames.push(Frame { kind: FrameKind::For, carried: vec![], results: vec![] });
            let x = g.make(OpKind::Load, vec![a.value, i], Type::Scalar(dtype));
            g.know_scalar(x);
            let cond = g.make(OpKind::Elem(compare), vec![x, limit], Type::BOOL);
            let stores_each = g.rng.percent(10);
            if stores_each {
                g.op(OpKind::Store, vec![out, x, seen[0]], &[], vec![]);
            }
            let side = |g: &mut Self, by: i64, stores: bool| {
                g.region(&[], |g, _| {
                    let shown = if g.rng.percent(50) { g.quiet_op(dtype) } else { x };
                    if stores {
                        g.op(OpKind::Store, vec![out, shown, seen[0]], &[], vec![]);
                    }
                    let by = g.int(by);
                    let mut next = vec![g.make(OpKind::Elem(ElemOp::Add), vec![seen[0], by], Type::I64)];
                    if let [_, sum] = *seen {
                        // What was counted as well, which blocks would begin anew.
                        let counted = if g.rng.percent(30) { next[0] } else { by };
                        let more = if stores && g.rng.percent(60) { i } else { counted };
                        next.push(g.make(OpKind::Elem(ElemOp::Add), vec![sum, more], Type::I64));
                    }
                    g.op(OpKind::Yield, next, &[], vec![]);
                })
            };
            let sides = vec![side(g, by, !stores_each), side(g, otherwise, false)];
            let branch = g.op(OpKind::If, vec![cond], &types, sides);
            let next = g.func.ops[branch].results.clone();
            g.frames.pop();
            g.op(OpKind::Continue(0), next, &[], vec![]);
        });
        let [start, one] = [i64::from(self.rng.percent(20)), 1].map(|number| self.int(number));
        let looped = self.op(OpKind::For, [&[start, n, one], init].concat(), &types, vec![region]);
        let results = self.func.ops[looped].results.clone();
        results.into_iter().for_each(|result| self.know_scalar(result));
        if in_place {
            self.show(a);
        } else if room == n {
            let known = self.know(out, a.shape.clone(), false, true);
            self.show(known);
        }
    }

    fn scan_step(&mut self, dtype: DType) -> ElemOp {
        let steps: &[ElemOp] = match dtype {
            DType::Bool => &[ElemOp::And, ElemOp::Or, ElemOp::Xor],
            dtype if dtype.is_complex() => &[ElemOp::Add, ElemOp::Mul],
            dtype if dtype.is_int() => {
                &[ElemOp::Add, ElemOp::Add, ElemOp::Mul, ElemOp::Min, ElemOp::Max, ElemOp::Xor, ElemOp::Sub]
            }
            _ => &[ElemOp::Add, ElemOp::Mul, ElemOp::Min, ElemOp::Max, ElemOp::Sub],
        };
        self.rng.pick(steps)
    }
}
