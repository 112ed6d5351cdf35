//! Views of arrays, and assignments between views of one array.

use super::arrays::stretches;
use super::{Dim, Gen, Known};
use pydd_ir::{ElemOp, IndexItem, OpKind, Type, Value};

impl Gen<'_> {
    pub(super) fn view(&mut self) {
        let Some(a) = self.any_array() else { return self.create() };
        let (mut items, mut args, mut shape) = (Vec::new(), vec![a.value], Vec::new());
        let mut axis = 0;
        while axis < a.shape.len() || self.rng.percent(8) {
            if self.rng.percent(12) && shape.len() < self.most_axes {
                items.push(IndexItem::New);
                shape.push(Dim::One);
                continue;
            }
            if axis == a.shape.len() {
                break;
            }
            let dim = a.shape[axis];
            match self.rng.below(4) {
                0 => {
                    let index = self.index(dim);
                    items.push(IndexItem::At);
                    args.push(index);
                }
                1 => {
                    items.push(IndexItem::Slice { start: false, stop: false, step: false });
                    shape.push(dim);
                }
                _ => {
                    let item = self.slice(&mut args);
                    items.push(item);
                    let dim = if item == (IndexItem::Slice { start: false, stop: false, step: false }) {
                        dim
                    } else {
                        self.fresh_dim()
                    };
                    shape.push(dim);
                }
            }
            axis += 1;
            if self.rng.percent(15) {
                break;
            }
        }
        shape.extend_from_slice(&a.shape[axis..]);
        if shape.len() > 4 {
            return;
        }
        let rank = u8::try_from(shape.len()).expect("small");
        let ty = Type::array(a.ty.dtype().expect("arrays have elements"), rank);
        let value = self.make(OpKind::View(items), args, ty);
        self.know(value, shape, a.fixed, false);
    }

    fn slice(&mut self, args: &mut Vec<Value>) -> IndexItem {
        let mut part = |g: &mut Self, chance: u64, step: bool| {
            let there = g.rng.percent(chance);
            if there {
                let value = match g.rng.below(12) {
                    0 if step => g.i64(),
                    0 => g.clamped(-3, 4),
                    1 if !step => g.i64(),
                    2 => {
                        let extreme = g.rng.pick(&[i64::MIN, i64::MAX, i64::MIN + 1, 100]);
                        g.int(extreme)
                    }
                    _ if step => {
                        let step = g.rng.pick(&[1, 1, 2, 3, -1, -1, -2]);
                        g.int(step)
                    }
                    _ => {
                        let n = g.rng.range(-4, 4);
                        g.int(n)
                    }
                };
                args.push(value);
            }
            there
        };
        let start = part(self, 60, false);
        let stop = part(self, 50, false);
        let step = part(self, 40, true);
        IndexItem::Slice { start, stop, step }
    }

    pub(super) fn transpose(&mut self) {
        let Some(a) = self.find(|k| k.ty.is_array() && k.ty.rank() > 1) else { return };
        let mut axes: Vec<u8> = (0..a.ty.rank()).collect();
        for i in (1..axes.len()).rev() {
            axes.swap(i, self.rng.below(i + 1));
        }
        let shape = axes.iter().map(|&axis| a.shape[usize::from(axis)]).collect();
        let value = self.make(OpKind::Transpose(axes), vec![a.value], a.ty);
        self.know(value, shape, a.fixed, false);
    }

    pub(super) fn copied(&mut self, a: &Known) -> Known {
        let value = self.make(OpKind::Copy, vec![a.value], a.ty);
        self.know(value, a.shape.clone(), false, true)
    }

    /// A copy of an array, stretched to the shape of another: it overlaps nothing and fits.
    pub(super) fn fitted(&mut self, a: &Known, like: &Known) -> Known {
        let mut args = vec![self.copied(a).value];
        for axis in 0..like.shape.len() {
            let dim = self.builder().dim(like.value, u8::try_from(axis).expect("small"));
            args.push(dim);
        }
        let ty = Type::array(a.ty.dtype().expect("arrays have elements"), like.ty.rank());
        let value = self.make(OpKind::BroadcastTo, args, ty);
        self.know(value, like.shape.clone(), true, false)
    }

    pub(super) fn reshape(&mut self) {
        let Some(a) = self.any_array() else { return };
        // Which strided arrays are viewed is for tests/run/views.
        let source = if a.contiguous { a } else { self.copied(&a) };
        let dtype = source.ty.dtype().expect("arrays have elements");
        let (mut dims, mut shape) = (vec![source.value], Vec::new());
        let kind = if self.most_axes == 1 { 0 } else { self.rng.below(4) };
        match kind {
            0 => {
                dims.push(self.int(-1));
                shape.push(self.fresh_dim());
            }
            1 => {
                for axis in 0..source.shape.len() {
                    let dim = self.builder().dim(source.value, u8::try_from(axis).expect("small"));
                    dims.push(dim);
                }
                shape.extend_from_slice(&source.shape);
                let at = self.rng.below(shape.len() + 1);
                dims.insert(1 + at, self.func_int(1));
                shape.insert(at, Dim::One);
            }
            2 => {
                let n = self.rng.pick(&[1, 2, 3]);
                dims.push(self.int(n));
                dims.push(self.int(-1));
                shape = self.fresh_shape(2);
                if self.rng.percent(30) {
                    dims.swap(1, 2);
                }
            }
            _ => {
                for _ in 0..self.rng.below(3) {
                    // A negative length that is no constant is written differently in messages.
                    let (value, dim) = self.length(0);
                    dims.push(value);
                    shape.push(dim);
                }
            }
        }
        if shape.len() > 4 {
            return;
        }
        let ty = Type::array(dtype, u8::try_from(shape.len()).expect("small"));
        let value = self.make(OpKind::Reshape, dims, ty);
        self.know(value, shape, source.fixed, true);
    }

    fn func_int(&mut self, value: i64) -> Value {
        self.int(value)
    }

    pub(super) fn broadcast(&mut self) {
        let Some(a) = self.any_array().filter(|a| a.shape.len() < self.most_axes) else { return };
        let (mut dims, mut shape) = (vec![a.value], Vec::new());
        let lead = self.rng.below(self.most_axes + 1 - a.shape.len());
        for _ in 0..lead {
            let (value, dim) = self.length(-1);
            dims.push(value);
            shape.push(dim);
        }
        for (axis, &dim) in a.shape.iter().enumerate() {
            let (value, dim) = if dim == Dim::One || self.rng.percent(4) {
                self.length(-1)
            } else {
                (self.builder().dim(a.value, u8::try_from(axis).expect("small")), dim)
            };
            dims.push(value);
            shape.push(dim);
        }
        let dtype = a.ty.dtype().expect("arrays have elements");
        let ty = Type::array(dtype, u8::try_from(shape.len()).expect("small"));
        let value = self.make(OpKind::BroadcastTo, dims, ty);
        self.know(value, shape, true, false);
    }

    pub(super) fn windows(&mut self) {
        let few = |k: &Known| k.ty.is_array() && !k.shape.is_empty() && k.shape.len() < 4;
        let most = self.most_axes;
        let Some(a) = self.find(|k| few(k) && k.shape.len() < most) else { return };
        let n = self.rng.pick(&[1, 2, 2, 3]);
        let args = vec![a.value, self.int(n)];
        let mut shape = a.shape.clone();
        shape[0] = self.fresh_dim();
        shape.push(if n == 1 { Dim::One } else { self.fresh_dim() });
        let dtype = a.ty.dtype().expect("arrays have elements");
        let ty = Type::array(dtype, u8::try_from(shape.len()).expect("small"));
        let value = self.make(OpKind::Windows, args, ty);
        self.know(value, shape, true, false);
    }

    /// `a[k:] = f(a[:-k])` and the like.
    pub(super) fn overlapping_assign(&mut self) {
        let Some(a) = self.find(|k| k.ty.is_array() && !k.fixed && k.ty.rank() > 0) else { return };
        let axis = self.rng.below(a.shape.len());
        let k = self.rng.range(0, 2);
        let item = |start, stop, step| IndexItem::Slice { start, stop, step };
        let part = |g: &mut Self, which: usize| {
            let mut items = vec![item(false, false, false); axis];
            let mut args = vec![a.value];
            items.push(match which {
                0 => {
                    args.push(g.int(k));
                    item(true, false, false)
                }
                1 => {
                    let n = g.builder().dim(a.value, u8::try_from(axis).expect("small"));
                    let k = g.int(k);
                    let stop = g.builder().sub(n, k);
                    let zero = g.int(0);
                    args.push(g.make(OpKind::Elem(ElemOp::Max), vec![stop, zero], Type::I64));
                    item(false, true, false)
                }
                _ => {
                    let n = g.builder().dim(a.value, u8::try_from(axis).expect("small"));
                    let one = g.int(k + 1);
                    let minus = g.int(-1);
                    // a[n - 1 - k::-1], which wraps where n <= k: then there is nothing, or all of it.
                    let start = g.builder().sub(n, one);
                    let low = g.builder().value(OpKind::Elem(ElemOp::Neg), vec![n], Type::I64);
                    let low = g.builder().sub(low, one);
                    let zero = g.int(0);
                    let inside = g.make(OpKind::Elem(ElemOp::Ge), vec![start, zero], Type::BOOL);
                    args.push(g.make(OpKind::Elem(ElemOp::Select), vec![inside, start, low], Type::I64));
                    args.push(minus);
                    item(true, false, true)
                }
            });
            g.make(OpKind::View(items), args, a.ty)
        };
        let (first, second) = (self.rng.below(3), self.rng.below(3));
        let (dst, src) = (part(self, first), part(self, second));
        let mut shape = a.shape.clone();
        shape[axis] = if k == 0 { shape[axis] } else { self.fresh_dim() };
        let dst = self.know(dst, shape.clone(), false, false);
        let src = self.know(src, shape.clone(), false, false);
        let dtype = a.ty.dtype().expect("arrays have elements");
        let mut value = src.value;
        for _ in 0..self.rng.below(3) {
            let Some(op) = self.elem_op(dtype).filter(|op| op.result_dtype(dtype) == dtype) else { continue };
            let mut args = Vec::new();
            if op == ElemOp::Select {
                args.push(self.bool());
            }
            args.push(value);
            while args.len() < op.arity() {
                let (operand, other) = self.operand(dtype, &shape);
                let fits = stretches(&other, &shape);
                args.push(if fits { operand } else { dst.value });
            }
            self.tame(op, dtype, &mut args);
            value = self.make(OpKind::Elem(op), args, a.ty);
        }
        self.op(OpKind::Assign, vec![dst.value, value], &[], vec![]);
    }
}
