//! Lists that loops fill (`array-lists`), of elements and of what windows of an array hold (`version-loops`).

use pydd_ir::{DType, ElemOp, IndexItem, OpKind, ReduceOp, ReduceSpec, Type, Value};

use super::{Frame, FrameKind, Gen, Known};

impl Gen<'_> {
    /// ```text
    /// l = [x, …]
    /// for i in start, stop { … l.append(y) }
    /// b = empty len(l); for j in 0, len(l) { b[j] = l[j] }
    /// ```
    pub(super) fn filled_list(&mut self) {
        let dtype = self.number_type();
        let Some(a) = self.source(&[Type::array(dtype, 1)]) else { return };
        let list = self.new_list(Type::list(dtype));
        for _ in 0..1 + self.rng.below(2) {
            if self.rng.percent(20) {
                self.append(list, dtype);
            } else {
                self.fill(list, dtype, &a, 2);
            }
        }
        if self.rng.percent(25) {
            self.look_at(list, dtype);
        }
        let (zero, length) = (self.int(0), self.make(OpKind::ListLen, vec![list], Type::I64));
        let copy = self.make(OpKind::Empty, vec![length], a.ty);
        self.count([zero, length], None, |g, i| {
            let item = g.make(OpKind::ListGet, vec![list, i], Type::Scalar(dtype));
            g.op(OpKind::Store, vec![copy, item, i], &[], vec![]);
        });
        let shape = self.fresh_shape(1);
        let known = self.know(copy, shape, false, true);
        self.show(known);
        if self.rng.percent(25) {
            self.look_at(list, dtype);
        }
        if self.rng.percent(15) {
            self.know(list, vec![], false, false);
        }
    }

    /// ```text
    /// last = [x, …]
    /// for t in 0, k { l = [y, …]; for i in … { … last[i] …; l.append(z) }; last = l, or last if c }
    /// ```
    pub(super) fn carried_list(&mut self) {
        let dtype = self.number_type();
        let Some(a) = self.source(&[Type::array(dtype, 1)]) else { return };
        let ty = Type::list(dtype);
        let first = self.new_list(ty);
        self.fill(first, dtype, &a, 1);
        let (zero, one, times) = (self.int(0), self.int(1), self.clamped(-1, 4));
        let body = self.region(&[Type::I64, ty], |g, values| {
            let &[step, last] = values else { unreachable!("two were asked for") };
            g.know_scalar(step);
            g.frames.push(Frame { kind: FrameKind::For, carried: vec![], results: vec![] });
            let list = g.new_list(ty);
            let n = g.builder().dim(a.value, 0);
            g.count([zero, n], None, |g, i| {
                let at = if g.rng.percent(70) { i } else { g.clamped(-2, 2) };
                let often = if g.rng.percent(30) { g.bool() } else { g.builder().bool(false) };
                g.if_then(often, |g| g.look_at(last, dtype));
                let length = g.make(OpKind::ListLen, vec![last], Type::I64);
                let there = g.make(OpKind::Elem(ElemOp::Lt), vec![at, length], Type::BOOL);
                g.if_then(there, |g| {
                    let item = g.make(OpKind::ListGet, vec![last, at], Type::Scalar(dtype));
                    g.know_scalar(item);
                    if g.rng.percent(20) {
                        let value = g.number(dtype);
                        g.op(OpKind::ListSet, vec![last, at, value], &[], vec![]);
                    }
                });
                g.append(list, dtype);
            });
            let mut next = list;
            if g.rng.percent(30) {
                let swaps = g.bool();
                let ways = [list, last].map(|way| {
                    g.region(&[], |g, _| {
                        g.op(OpKind::Yield, vec![way], &[], vec![]);
                    })
                });
                let chosen = g.op(OpKind::If, vec![swaps], &[ty], ways.to_vec());
                next = g.func.ops[chosen].results[0];
            }
            if g.rng.percent(10) {
                g.append(next, dtype);
            }
            g.frames.pop();
            g.op(OpKind::Continue(0), vec![next], &[], vec![]);
        });
        let looped = self.op(OpKind::For, vec![zero, times, one, first], &[ty], vec![body]);
        let last = self.func.ops[looped].results[0];
        for list in [last, first] {
            if self.rng.percent(60) {
                self.look_at(list, dtype);
            }
        }
        if self.rng.percent(10) {
            self.append(first, dtype);
        }
    }

    /// ```text
    /// t = []
    /// for i in 0, k { r = [x, …]; for j in … { … r.append(y) }; t.append(r) }
    /// … t[i][j] …
    /// ```
    pub(super) fn table(&mut self) {
        let dtype = self.number_type();
        let Some(a) = self.source(&[Type::array(dtype, 1)]) else { return };
        let (row, rows) = (Type::list(dtype), Type::List { dtype, rank: None, depth: 2 });
        let table = self.make(OpKind::ListNew, vec![], rows);
        let (zero, count) = (self.int(0), self.clamped(-1, 5));
        let width = self.rng.percent(80).then(|| self.clamped(-1, 4));
        self.count([zero, count], None, |g, i| {
            let list = g.new_list(row);
            match width {
                Some(width) => g.count([zero, width], None, |g, j| {
                    g.know_scalar(j);
                    if g.rng.percent(20) {
                        g.look_at(list, dtype);
                    }
                    g.append(list, dtype);
                }),
                None => g.fill(list, dtype, &a, 1),
            }
            g.op(OpKind::ListAppend, vec![table, list], &[], vec![]);
            if g.rng.percent(5) {
                g.append(list, dtype);
            }
            if g.rng.percent(20) {
                let last = g.make(OpKind::ListGet, vec![table, i], row);
                g.look_at(last, dtype);
            }
        });
        self.count([zero, count], None, |g, i| {
            let row = g.make(OpKind::ListGet, vec![table, i], row);
            let length = g.make(OpKind::ListLen, vec![row], Type::I64);
            g.count([zero, length], None, |g, j| {
                let item = g.make(OpKind::ListGet, vec![row, j], Type::Scalar(dtype));
                g.know_scalar(item);
                let value = g.number(dtype);
                g.op(OpKind::ListSet, vec![row, j, value], &[], vec![]);
            });
            if g.rng.percent(30) {
                g.look_at(row, dtype);
            }
        });
        let at = self.clamped(-2, 2);
        let row = self.make(OpKind::ListGet, vec![table, at], row);
        self.look_at(row, dtype);
    }

    /// A loop that appends in each iteration, most of the time as often as in any other.
    fn fill(&mut self, list: Value, dtype: DType, a: &Known, depth: u32) {
        let n = self.builder().dim(a.value, 0);
        let width = if self.rng.percent(50) { self.clamped(-1, 4) } else { self.int(2) };
        let start = match self.rng.below(8) {
            0 => self.int(1),
            1 => self.clamped(-2, 2),
            2 => width,
            _ => self.int(0),
        };
        let stop = match self.rng.below(4) {
            0 => n,
            1 => self.clamped(-1, 5),
            _ => {
                let (room, one) =
                    (self.make(OpKind::Elem(ElemOp::Sub), vec![n, width], Type::I64), self.int(1));
                self.make(OpKind::Elem(ElemOp::Add), vec![room, one], Type::I64)
            }
        };
        self.count([start, stop], None, |g, i| {
            if g.rng.percent(25) {
                g.look_at(list, dtype);
            }
            if depth > 1 && g.rng.percent(25) {
                g.fill(list, dtype, a, depth - 1);
            }
            let value = match g.rng.below(4) {
                0 => g.make(OpKind::Load, vec![a.value, i], Type::Scalar(dtype)),
                1 => g.number(dtype),
                _ => g.of_window(dtype, a.value, [i, width]),
            };
            g.know_scalar(value);
            if g.rng.percent(8) {
                let often = g.bool();
                g.if_then(often, |g| g.append(list, dtype));
            }
            g.op(OpKind::ListAppend, vec![list, value], &[], vec![]);
            if g.rng.percent(15) {
                g.append(list, dtype);
            }
        });
    }

    fn append(&mut self, list: Value, dtype: DType) {
        let value = self.number(dtype);
        let kind = if self.rng.percent(85) { OpKind::ListAppend } else { OpKind::ListPrepend };
        self.op(kind, vec![list, value], &[], vec![]);
    }

    fn look_at(&mut self, list: Value, dtype: DType) {
        if self.rng.percent(30) {
            let length = self.make(OpKind::ListLen, vec![list], Type::I64);
            return self.know_scalar(length);
        }
        let at = match self.rng.below(4) {
            0 => self.clamped(-3, 3),
            1 => self.int(0),
            _ => self.int(-1),
        };
        if self.rng.percent(25) {
            let value = self.number(dtype);
            self.op(OpKind::ListSet, vec![list, at, value], &[], vec![]);
        } else {
            let item = self.make(OpKind::ListGet, vec![list, at], Type::Scalar(dtype));
            self.know_scalar(item);
        }
    }

    /// What the elements from an index on, or up to it, come to, so many of them.
    fn of_window(&mut self, dtype: DType, array: Value, [i, width]: [Value; 2]) -> Value {
        let forwards = self.rng.percent(70);
        let other = if forwards { ElemOp::Add } else { ElemOp::Sub };
        let other = self.make(OpKind::Elem(other), vec![i, width], Type::I64);
        let ends = if forwards { [i, other] } else { [other, i] };
        let slice = IndexItem::Slice { start: true, stop: true, step: false };
        let window =
            self.make(OpKind::View(vec![slice]), vec![array, ends[0], ends[1]], Type::array(dtype, 1));
        // Of no elements there is no greatest.
        let op = match dtype {
            DType::Bool => ReduceOp::Any,
            _ if self.rng.percent(20) && !dtype.is_complex() => ReduceOp::Max,
            _ => ReduceOp::Sum,
        };
        let spec = ReduceSpec { op, axes: None, keepdims: false };
        self.make(OpKind::Reduce(spec), vec![window], Type::Scalar(dtype))
    }
}
