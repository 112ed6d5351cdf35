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
