//! Rows whose columns need the ones before them and the row above (`wavefront`, `carried-last`).

use pydd_ir::{DType, ElemOp, OpKind, Type, Value};

use super::{Gen, Known};

/// How far from a column others are that it needs.
const NEAR: i64 = 2;

impl Gen<'_> {
    /// ```text
    /// for i in 1, m - 1 { a[i, 0] = x; for j in 2, n - 2 { … a[i, j - 1] … a[i - 1, j + 1] … a[i, j] = y } }
    /// ```
    pub(super) fn recurrence(&mut self) {
        let dtype = self.number_type();
        let of_rows = self.rng.percent(60);
        // Known lengths of few rows or columns are left alone.
        let [m, n] = [self.rng.range(14, 26), self.rng.range(14, 56)].map(|length| self.int(length));
        let shape = if of_rows { vec![m, n] } else { vec![n] };
        let ty = Type::array(dtype, if of_rows { 2 } else { 1 });
        let a = self.make(OpKind::Zeros, shape, ty);
        let at = |row: Value, column: Value| if of_rows { vec![row, column] } else { vec![column] };
        let [zero, one, near] = [0, 1, NEAR].map(|number| self.int(number));
        self.count([zero, m], None, |g, i| {
            g.count([zero, n], None, |g, j| {
                let mut b = g.builder();
                let product = b.mul(i, j);
                let sum = b.add(product, j);
                let value = b.cast(sum, dtype);
                g.op(OpKind::Store, [&[a, value], &at(i, j)[..]].concat(), &[], vec![]);
            });
        });
        let [last_row, last] = [(m, one), (n, near)].map(|(length, less)| self.builder().sub(length, less));
        let border = self.rng.percent(40).then(|| self.rng.pick(&[zero, one, near, last]));
        let band = self.rng.percent(25);
        let width = self.rng.range(1, 30);
        self.count([one, last_row], None, |g, i| {
            if let Some(column) = border {
                let value = g.quiet_op(dtype);
                g.op(OpKind::Store, [&[a, value], &at(i, column)[..]].concat(), &[], vec![]);
            }
            let mut columns = [near, last];
            if band {
                let width = g.int(width);
                let [low, high] = [g.builder().sub(i, width), g.builder().add(i, width)];
                columns = [
                    g.builder().elem(ElemOp::Max, &[low, near]),
                    g.builder().elem(ElemOp::Min, &[high, last]),
                ];
            }
            g.count(columns, None, |g, j| g.column(a, dtype, &|row, column| at(row, column), [i, j]));
            if g.rng.percent(30) {
                let value = g.make(OpKind::Load, [&[a], &at(i, last)[..]].concat(), Type::Scalar(dtype));
                g.know_scalar(value);
                let value = g.quiet_op(dtype);
                g.op(OpKind::Store, [&[a, value], &at(i, zero)[..]].concat(), &[], vec![]);
            }
        });
        self.show(Known { value: a, ty, shape: Vec::new(), fixed: false, contiguous: true, indexes: None });
    }

    /// One column: some elements around it, and what is made of them.
    fn column(
        &mut self,
        a: Value,
        dtype: DType,
        at: &dyn Fn(Value, Value) -> Vec<Value>,
        [i, j]: [Value; 2],
    ) {
        let mut value = self.number(dtype);
        for nth in 0..1 + self.rng.below(3) {
            let (up, by) =
                if nth == 0 { (0, -1) } else { (self.rng.range(-1, 2), self.rng.range(-NEAR, NEAR + 1)) };
            let [up, by] = [up, by].map(|number| self.int(number));
            let [row, column] = [(i, up), (j, by)].map(|(index, more)| self.builder().add(index, more));
            let near = self.make(OpKind::Load, [&[a], &at(row, column)[..]].concat(), Type::Scalar(dtype));
            self.know_scalar(near);
            let ops: &[ElemOp] = match dtype {
                DType::Bool => &[ElemOp::And, ElemOp::Or, ElemOp::Xor],
                dtype if dtype.is_complex() => &[ElemOp::Add, ElemOp::Sub],
                dtype if dtype.is_float() => &[ElemOp::Add, ElemOp::Sub, ElemOp::Min, ElemOp::Max],
                _ => &[ElemOp::Add, ElemOp::Sub, ElemOp::Min, ElemOp::Max, ElemOp::Mul],
            };
            let op = self.rng.pick(ops);
            value = self.make(OpKind::Elem(op), vec![value, near], Type::Scalar(dtype));
            self.know_scalar(value);
        }
        self.op(OpKind::Store, [&[a, value], &at(i, j)[..]].concat(), &[], vec![]);
    }
}
