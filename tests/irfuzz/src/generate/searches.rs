//! Searches whose steps need each other (`lanes`), and roots that are compared with a constant (`compare-squares`).

use pydd_ir::{DType, ElemOp, OpKind, Type, Value};

use super::{Frame, FrameKind, Gen};

/// What roots are compared with: some whose squares are no numbers of a few bits, and one that is left alone.
const BOUNDS: [f64; 7] = [2.0, 0.5, 3.0, 1.5, 0.1, 5.0, 1e-200];

impl Gen<'_> {
    /// ```text
    /// for i in 0, n {
    ///     for j in 0, m { row[j] = (a[i] - c[j]) ** 2 }
    ///     best, place = for j in 0, m, best, place { x = row[j]; … where x is better: x, j }
    ///     out[i] = place
    /// }
    /// ```
    pub(super) fn nearest(&mut self) {
        let Some(dtype) = self.float_type().filter(|dtype| dtype.is_float()) else { return };
        let types = [Type::array(dtype, 1)];
        let (Some(a), Some(c)) = (self.source(&types), self.source(&types)) else { return };
        let (n, m) = (self.builder().dim(a.value, 0), self.builder().dim(c.value, 0));
        let out = self.make(OpKind::Zeros, vec![n], Type::array(DType::I64, 1));
        let by_row = self.rng.percent(50);
        let row = by_row.then(|| self.make(OpKind::Zeros, vec![m], Type::array(dtype, 1)));
        let zero = self.int(0);
        self.count([zero, n], Some(a.shape[0]), |g, i| {
            let x = g.make(OpKind::Load, vec![a.value, i], Type::Scalar(dtype));
            g.know_scalar(x);
            if let Some(row) = row {
                let zero = g.int(0);
                g.count([zero, m], Some(c.shape[0]), |g, j| {
                    let value = g.distance(dtype, x, c.value, j);
                    g.op(OpKind::Store, vec![row, value, j], &[], vec![]);
                });
            }
            let place = g.search(dtype, m, &mut |g, j| match row {
                Some(row) => g.make(OpKind::Load, vec![row, j], Type::Scalar(dtype)),
                None => g.distance(dtype, x, c.value, j),
            });
            g.op(OpKind::Store, vec![out, place, i], &[], vec![]);
        });
        let known = self.know(out, a.shape.clone(), false, true);
        self.show(known);
        if let Some(row) = row.filter(|_| self.rng.percent(30)) {
            let known = self.know(row, c.shape.clone(), false, true);
            self.show(known);
        }
    }

    /// What lies between a number and an element, or what is made of both.
    fn distance(&mut self, dtype: DType, x: Value, c: Value, j: Value) -> Value {
        let ty = Type::Scalar(dtype);
        let y = self.make(OpKind::Load, vec![c, j], ty);
        self.know_scalar(y);
        let d = self.make(OpKind::Elem(ElemOp::Sub), vec![x, y], ty);
        self.know_scalar(d);
        if self.rng.percent(25) {
            return self.quiet_op(dtype);
        }
        self.make(OpKind::Elem(ElemOp::Mul), vec![d, d], ty)
    }

    /// The place of the least or greatest, or of the last that a condition holds for.
    fn search(
        &mut self,
        dtype: DType,
        m: Value,
        element: &mut dyn FnMut(&mut Self, Value) -> Value,
    ) -> Value {
        let ty = Type::Scalar(dtype);
        let types = [ty, Type::I64];
        let (zero, one) = (self.int(0), self.int(1));
        let start = self.constant(dtype);
        let better = self.rng.pick(&[ElemOp::Lt, ElemOp::Gt, ElemOp::Le, ElemOp::Ne]);
        let by_branch = self.rng.percent(40);
        let by_roots = self.rng.percent(40);
        let body = self.region(&[Type::I64, ty, Type::I64], |g, values| {
            values.iter().for_each(|&value| g.know_scalar(value));
            g.frames.push(Frame { kind: FrameKind::For, carried: vec![], results: vec![] });
            let &[j, best, place] = values else { unreachable!("three were asked for") };
            let x = element(g, j);
            g.know_scalar(x);
            let x = if by_roots { g.root_near_others(dtype, x, j) } else { x };
            let wins = g.make(OpKind::Elem(better), vec![x, best], Type::BOOL);
            g.frames.pop();
            let next = if by_branch {
                let taken = g.region(&[], |g, _| {
                    g.op(OpKind::Yield, vec![x, j], &[], vec![]);
                });
                let kept = g.region(&[], |g, _| {
                    g.op(OpKind::Yield, vec![best, place], &[], vec![]);
                });
                let op = g.op(OpKind::If, vec![wins], &types, vec![taken, kept]);
                g.func.ops[op].results.clone()
            } else {
                let value = g.make(OpKind::Elem(ElemOp::Select), vec![wins, x, best], ty);
                vec![value, g.make(OpKind::Elem(ElemOp::Select), vec![wins, j, place], Type::I64)]
            };
            g.op(OpKind::Continue(0), next, &[], vec![]);
        });
        let op = self.op(OpKind::For, vec![zero, m, one, start, zero], &types, vec![body]);
        let [best, place] = self.func.ops[op].results[..] else { unreachable!("two are carried") };
        self.know_scalar(best);
        place
    }

    /// The root of a number times one and a few units of its last place: of several numbers it is often the same.
    fn root_near_others(&mut self, dtype: DType, x: Value, j: Value) -> Value {
        let ty = Type::Scalar(dtype);
        let epsilon = if dtype == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
        let step = self.rng.pick(&[0.0, epsilon, -epsilon, 0.25]);
        let [step, one] = [step, 1.0].map(|number| self.builder().number(number, dtype));
        let steps = self.make(OpKind::Cast, vec![j], ty);
        let moved = self.make(OpKind::Elem(ElemOp::Mul), vec![steps, step], ty);
        let factor = self.make(OpKind::Elem(ElemOp::Add), vec![moved, one], ty);
        let square = self.make(OpKind::Elem(ElemOp::Mul), vec![x, factor], ty);
        self.make(OpKind::Elem(ElemOp::Sqrt), vec![square], ty)
    }

    /// A comparison of a root, or of the size of a complex number, with a constant.
    pub(super) fn compared_root(&mut self) -> Option<Value> {
        let dtype = self.float_type()?;
        let (root, real) =
            if dtype.is_complex() { (ElemOp::Abs, dtype.real()) } else { (ElemOp::Sqrt, dtype) };
        let of = self.number(dtype);
        let root = self.make(OpKind::Elem(root), vec![of], Type::Scalar(real));
        let bound = self.rng.pick(&BOUNDS);
        let bound = self.builder().number(bound, real);
        let op = self.rng.pick(&[ElemOp::Lt, ElemOp::Le, ElemOp::Gt, ElemOp::Ge]);
        let args = if self.rng.percent(80) { vec![root, bound] } else { vec![bound, root] };
        Some(self.make(OpKind::Elem(op), args, Type::BOOL))
    }
}
