//! Loops over rows that read an element of the row that they write (`hoist-elements`).

use pydd_ir::{OpKind, Type, Value};

use super::Gen;

impl Gen<'_> {
    /// ```text
    /// for i in 0, m { for j in 0, n { … a[i, k] … a[k, j] … a[i, j] = y } }
    /// ```
    pub(super) fn pivots(&mut self) {
        let dtype = self.number_type();
        let element = Type::Scalar(dtype);
        let types = [Type::array(dtype, 1), Type::array(dtype, 2)];
        let Some(mut a) = self.source(&types) else { return };
        if a.fixed || self.rng.percent(50) {
            let copy = self.make(OpKind::Copy, vec![a.value], a.ty);
            a = self.know(copy, a.shape.clone(), false, true);
        }
        let zero = self.int(0);
        let lengths: Vec<Value> = (0..a.ty.rank()).map(|axis| self.builder().dim(a.value, axis)).collect();
        let &[rows, columns] = &[&[self.int(1)], &lengths[..]].concat()[lengths.len() - 1..] else { return };
        let of_rows = a.ty.rank() == 2;
        let k = self.number(pydd_ir::DType::I64);
        self.count([zero, rows], None, |g, i| {
            let place = g.wrapped(k, columns);
            let row = if g.rng.percent(70) { i } else { g.wrapped(k, rows) };
            let at = |row: Value, column: Value| if of_rows { vec![row, column] } else { vec![column] };
            let start = if g.rng.percent(80) { zero } else { g.number(pydd_ir::DType::I64) };
            g.count([start, columns], None, |g, j| {
                let mut places = vec![at(i, j), at(row, place)];
                if of_rows && g.rng.percent(50) {
                    let other = g.wrapped(k, rows);
                    places.push(at(other, j));
                }
                for place in places {
                    let x = g.make(OpKind::Load, [&[a.value], &place[..]].concat(), element);
                    g.know_scalar(x);
                }
                if g.rng.percent(15) {
                    let cond = g.condition();
                    g.leave(cond, OpKind::Continue(0), vec![]);
                }
                let stored = g.quiet_op(dtype);
                let store = [&[a.value, stored], &at(i, j)[..]].concat();
                if g.rng.percent(40) {
                    let cond = g.condition();
                    g.if_then(cond, |g| {
                        g.op(OpKind::Store, store, &[], vec![]);
                    });
                } else {
                    g.op(OpKind::Store, store, &[], vec![]);
                }
            });
        });
        self.show(a);
    }
}
