//! Whole arrays: creation, views, elementwise operations, stores, reductions.

use super::{Dim, Gen, Known, Shape};
use pydd_ir::elem::ElemDomain;
use pydd_ir::{DType, ElemOp, IndexItem, LibOp, MapTarget, OpKind, ReduceOp, ReduceSpec, Type, Value};

/// Whether an array of shape `b` broadcasts together with one of shape `a`.
fn compatible(a: &[Dim], b: &[Dim]) -> bool {
    a.iter().rev().zip(b.iter().rev()).all(|(&x, &y)| x == y || x == Dim::One || y == Dim::One)
}

/// Whether an array of shape `src` broadcasts to `dst`.
fn stretches(src: &[Dim], dst: &[Dim]) -> bool {
    src.len() <= dst.len() && src.iter().rev().zip(dst.iter().rev()).all(|(&x, &y)| x == y || x == Dim::One)
}

fn joined(shapes: &[&Shape]) -> Shape {
    let rank = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
    let mut out = vec![Dim::One; rank];
    for shape in shapes {
        for (axis, &dim) in shape.iter().rev().enumerate() {
            let place = &mut out[rank - 1 - axis];
            if *place == Dim::One {
                *place = dim;
            }
        }
    }
    out
}

impl Gen<'_> {
    fn any_array(&mut self) -> Option<Known> {
        self.find(|k| k.ty.is_array())
    }

    fn writable(&mut self) -> Option<Known> {
        self.find(|k| k.ty.is_array() && !k.fixed)
    }

    fn array_of(&mut self, dtype: DType, fits: impl Fn(&Known) -> bool) -> Option<Known> {
        self.find(|k| k.ty.is_array() && k.ty.dtype() == Some(dtype) && fits(k))
    }

    /// The length of an axis: known ones, of arrays that are there, or small.
    fn length(&mut self, least: i64) -> (Value, Dim) {
        let found = self.find(|k| k.ty.is_array() && k.ty.rank() > 0).filter(|_| self.rng.percent(70));
        if let Some(a) = found {
            let axis = self.rng.below(a.shape.len());
            let value = self.builder().dim(a.value, u8::try_from(axis).expect("small"));
            self.know_scalar(value);
            return (value, a.shape[axis]);
        }
        let dim = self.fresh_dim();
        match self.rng.below(10) {
            0..3 => (self.int(1), Dim::One),
            3..7 => {
                let n = self.rng.range(0, 4);
                (self.int(n), dim)
            }
            7..9 => (self.clamped(0, 4), dim),
            _ => (self.clamped(least, 4), dim),
        }
    }

    pub(super) fn create(&mut self) {
        let dtype = self.dtype();
        let rank = self.rng.below(4).min(self.most_axes);
        if self.rng.below(4) == 0 && (dtype.is_int() || dtype.is_float()) {
            let (start, step) = (self.constant(dtype), self.constant(dtype));
            let (count, dim) = self.length(-1);
            let value = self.make(OpKind::Iota, vec![start, step, count], Type::array(dtype, 1));
            self.know(value, vec![dim], false, true);
            return;
        }
        let (mut dims, mut shape) = (Vec::new(), Vec::new());
        for _ in 0..rank {
            let (value, dim) = self.length(-1);
            dims.push(value);
            shape.push(dim);
        }
        let ty = Type::array(dtype, u8::try_from(rank).expect("small"));
        match self.rng.below(3) {
            0 => {
                let value = self.make(OpKind::Zeros, dims, ty);
                self.know(value, shape, false, true);
            }
            1 => {
                let mut args = vec![self.scalar(dtype)];
                args.append(&mut dims);
                let value = self.make(OpKind::Full, args, ty);
                self.know(value, shape, false, true);
            }
            _ => {
                // What an empty array holds is nobody's business.
                let fill = self.scalar(dtype);
                let value = self.make(OpKind::Empty, dims, ty);
                self.op(OpKind::Assign, vec![value, fill], &[], vec![]);
                self.know(value, shape, false, true);
            }
        }
    }

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

    fn copied(&mut self, a: &Known) -> Known {
        let value = self.make(OpKind::Copy, vec![a.value], a.ty);
        self.know(value, a.shape.clone(), false, true)
    }

    /// A copy of an array, stretched to the shape of another: it overlaps nothing and fits.
    fn fitted(&mut self, a: &Known, like: &Known) -> Known {
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
        // Which strided arrays are viewed differs.
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

    /// Another operand for an operation on `a`: an array that fits it, or a scalar.
    fn operand(&mut self, dtype: DType, shape: &Shape) -> (Value, Shape) {
        if self.rng.percent(65) {
            let odd = self.rng.percent(4);
            let small = |k: &Known| k.shape.len() <= 3;
            let found = self.array_of(dtype, |k| odd || (compatible(shape, &k.shape) && small(k)));
            if let Some(found) = found {
                return (found.value, found.shape);
            }
        }
        (self.scalar(dtype), vec![])
    }

    pub(super) fn elementwise(&mut self) {
        let Some(a) = self.any_array() else { return self.create() };
        let dtype = a.ty.dtype().expect("arrays have elements");
        let Some(op) = self.elem_op(dtype) else { return };
        let (mut args, mut shapes) = (Vec::new(), vec![a.shape.clone()]);
        if op == ElemOp::Select {
            let (cond, shape) = self.operand(DType::Bool, &a.shape);
            args.push(cond);
            shapes.push(shape);
        }
        let first = args.len();
        while args.len() < op.arity() {
            let shape = joined(&shapes.iter().collect::<Vec<_>>());
            let (value, shape) = self.operand(dtype, &shape);
            args.push(value);
            shapes.push(shape);
        }
        let place = first + self.rng.below(op.arity() - first);
        args[place] = a.value;
        self.tame(op, dtype, &mut args);
        // Shapes again, of what is there now.
        let shapes: Vec<Shape> = args.iter().map(|&v| self.shape_of(v)).collect();
        let shape = joined(&shapes.iter().collect::<Vec<_>>());
        let ty = Type::array(op.result_dtype(dtype), u8::try_from(shape.len()).expect("small"));
        let value = self.computed(op, args, ty);
        self.know(value, shape, false, true);
    }

    fn shape_of(&mut self, value: Value) -> Shape {
        if let Some(known) = self.env.iter().find(|k| k.value == value) {
            return known.shape.clone();
        }
        let ty = self.ty(value);
        match self.func.def_op(value) {
            // Made by `tame`.
            Some(op) if ty.is_array() => self.shape_of(self.func.ops[op].args[0]),
            _ => vec![],
        }
    }

    pub(super) fn cast_array(&mut self) {
        let Some(a) = self.any_array() else { return };
        let dtype = self.dtype();
        let value = self.make(OpKind::Cast, vec![a.value], a.ty.with_dtype(dtype));
        self.know(value, a.shape, false, true);
    }

    pub(super) fn load(&mut self) {
        let Some(a) = self.any_array() else { return };
        let mut args = vec![a.value];
        for &dim in &a.shape {
            let index = self.index(dim);
            args.push(index);
        }
        let dtype = a.ty.dtype().expect("arrays have elements");
        let value = self.make(OpKind::Load, args, Type::Scalar(dtype));
        self.know_scalar(value);
    }

    pub(super) fn store(&mut self) {
        let Some(a) = self.writable() else { return };
        let dtype = a.ty.dtype().expect("arrays have elements");
        let mut args = vec![a.value, self.scalar(dtype)];
        for &dim in &a.shape {
            let index = self.index(dim);
            args.push(index);
        }
        self.op(OpKind::Store, args, &[], vec![]);
    }

    pub(super) fn assign(&mut self) {
        let Some(a) = self.writable() else { return };
        let dtype = a.ty.dtype().expect("arrays have elements");
        let odd = self.rng.percent(4);
        let rank = a.shape.len();
        let found = self.array_of(dtype, |k| k.shape.len() <= rank && (odd || stretches(&k.shape, &a.shape)));
        let src = match found {
            Some(src) if self.rng.percent(85) => src.value,
            _ => self.scalar(dtype),
        };
        self.op(OpKind::Assign, vec![a.value, src], &[], vec![]);
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
            value = self.computed(op, args, a.ty);
        }
        self.op(OpKind::Assign, vec![dst.value, value], &[], vec![]);
    }

    fn reduce_spec(&mut self, dtype: DType, rank: usize) -> Option<ReduceSpec> {
        let op = self.rng.pick(&ReduceOp::ALL);
        let domain = match op {
            ReduceOp::Sum => ElemDomain::Number,
            ReduceOp::Prod => ElemDomain::Int,
            ReduceOp::Min | ReduceOp::Max | ReduceOp::ArgMin | ReduceOp::ArgMax => ElemDomain::Real,
            ReduceOp::Any | ReduceOp::All => ElemDomain::Any,
        };
        if !domain.contains(dtype) {
            return None;
        }
        let index = matches!(op, ReduceOp::ArgMin | ReduceOp::ArgMax);
        let axes = if rank == 0 || self.rng.percent(35) {
            None
        } else if index {
            Some(vec![u8::try_from(self.rng.below(rank)).expect("small")])
        } else {
            let axes: Vec<u8> =
                (0..u8::try_from(rank).expect("small")).filter(|_| self.rng.percent(50)).collect();
            Some(axes)
        };
        Some(ReduceSpec { op, axes, keepdims: self.rng.percent(35) })
    }

    /// The type and shape of what a reduction gives.
    fn reduced(spec: &ReduceSpec, dtype: DType, shape: &Shape) -> (Type, Shape) {
        let over =
            |axis: usize| spec.axes.as_ref().is_none_or(|axes| axes.iter().any(|&a| usize::from(a) == axis));
        let mut out = Vec::new();
        for (axis, &dim) in shape.iter().enumerate() {
            match (over(axis), spec.keepdims) {
                (true, true) => out.push(Dim::One),
                (true, false) => {}
                (false, _) => out.push(dim),
            }
        }
        let dtype = spec.op.result_dtype(dtype);
        let rank = u8::try_from(out.len()).expect("small");
        let ty = if rank == 0 && !spec.keepdims { Type::Scalar(dtype) } else { Type::array(dtype, rank) };
        (ty, out)
    }

    /// Small whole numbers, whose sum is exact in any order.
    fn rounded(&mut self, array: Value) -> Value {
        let ty = self.ty(array);
        let dtype = ty.dtype().expect("arrays have elements");
        let (low, high) = (self.builder().number(-512.0, dtype), self.builder().number(512.0, dtype));
        let whole = self.make(OpKind::Elem(ElemOp::Rint), vec![array], ty);
        let capped = self.make(OpKind::Elem(ElemOp::Min), vec![whole, high], ty);
        self.make(OpKind::Elem(ElemOp::Max), vec![capped, low], ty)
    }

    pub(super) fn reduce(&mut self) {
        let Some(a) = self.any_array() else { return };
        let dtype = a.ty.dtype().expect("arrays have elements");
        let Some(spec) = self.reduce_spec(dtype, a.shape.len()) else { return };
        let (ty, shape) = Self::reduced(&spec, dtype, &a.shape);
        let extremum = matches!(spec.op, ReduceOp::Min | ReduceOp::Max);
        let source = match spec.op {
            ReduceOp::Sum if a.shape.len() > 1 && dtype.is_complex() => return,
            ReduceOp::Sum if a.shape.len() > 1 && dtype.is_float() => self.rounded(a.value),
            _ => a.value,
        };
        let value = self.make(OpKind::Reduce(spec), vec![source], ty);
        let value = self.settled(value, extremum);
        self.know(value, shape, false, true);
    }

    pub(super) fn map(&mut self) {
        let into = self.rng.percent(25);
        let Some(first) = (if into { self.writable() } else { self.any_array() }) else { return };
        let mut inputs = vec![first.clone()];
        for _ in 0..self.rng.below(3) {
            if self.rng.percent(20) {
                let dtype = self.dtype();
                let value = self.scalar(dtype);
                let ty = self.ty(value);
                let shape = vec![];
                inputs.push(Known { value, ty, shape, fixed: false, contiguous: false, indexes: None });
                continue;
            }
            let shapes: Vec<&Shape> = inputs.iter().map(|k| &k.shape).collect();
            let shape = if into { first.shape.clone() } else { joined(&shapes) };
            let fits = |k: &Known| {
                k.ty.is_array()
                    && k.shape.len() <= 3
                    && if into { stretches(&k.shape, &shape) } else { compatible(&shape, &k.shape) }
            };
            let Some(found) = self.find(fits) else { continue };
            if inputs.iter().any(|k| k.value == found.value) {
                continue;
            }
            inputs.push(if into { self.fitted(&found, &first) } else { found });
        }
        let shape = joined(&inputs.iter().map(|k| &k.shape).collect::<Vec<_>>());
        let params: Vec<Type> =
            inputs.iter().map(|k| Type::Scalar(k.ty.dtype().expect("inputs have elements"))).collect();
        let args: Vec<Value> = inputs.iter().map(|k| k.value).collect();
        let written = into.then(|| first.ty.dtype().expect("arrays have elements"));
        let yields = if into || self.rng.percent(40) { 1 } else { 1 + self.rng.below(2) };
        let mut yielded = Vec::new();
        let outer = std::mem::replace(&mut self.in_map, true);
        let env = self.env.clone();
        let region = self.region(&params, |g, values| {
            if into {
                // Elements of arrays must not be read while some of them are overwritten.
                g.env.retain(|k| k.ty.is_scalar());
            }
            for &value in values {
                g.know_scalar(value);
            }
            let count = 1 + g.rng.below(5);
            g.body(count);
            for _ in 0..yields {
                let dtype = match written {
                    Some(dtype) => dtype,
                    None => g.dtype(),
                };
                let value = g.scalar(dtype);
                yielded.push(value);
            }
            g.op(OpKind::Yield, yielded.clone(), &[], vec![]);
        });
        self.in_map = outer;
        self.env = env;
        let dtypes: Vec<DType> = yielded.iter().filter_map(|&v| self.ty(v).dtype()).collect();
        if into {
            self.op(OpKind::Map(MapTarget::Into), args, &[], vec![region]);
            return;
        }
        let exact = |spec: &ReduceSpec| spec.op != ReduceOp::Sum || shape.len() < 2 || dtypes[0].is_int();
        if yields == 1
            && self.rng.percent(50)
            && let Some(spec) = self.reduce_spec(dtypes[0], shape.len()).filter(exact)
        {
            let (ty, shape) = Self::reduced(&spec, dtypes[0], &shape);
            let extremum = matches!(spec.op, ReduceOp::Min | ReduceOp::Max);
            let op = self.op(OpKind::Map(MapTarget::Reduce(spec)), args, &[ty], vec![region]);
            let value = self.func.result(op);
            let value = self.settled(value, extremum);
            self.know(value, shape, false, true);
            return;
        }
        let rank = u8::try_from(shape.len()).expect("small");
        let types: Vec<Type> = dtypes.iter().map(|&d| Type::array(d, rank)).collect();
        let op = self.op(OpKind::Map(MapTarget::Fresh), args, &types, vec![region]);
        for value in self.func.ops[op].results.clone() {
            self.know(value, shape.clone(), false, true);
        }
    }

    pub(super) fn library(&mut self) {
        if self.rng.percent(50) {
            let integral =
                |k: &Known| k.ty.is_array() && k.ty.rank() > 0 && k.ty.dtype().is_some_and(DType::is_int);
            let Some(a) = self.find(integral) else { return };
            let value = self.make(OpKind::Lib(LibOp::Sort), vec![a.value], a.ty);
            self.know(value, a.shape, false, true);
            return;
        }
        let integral = |k: &Known| {
            k.ty.is_array() && (1..=2).contains(&k.ty.rank()) && k.ty.dtype().is_some_and(DType::is_int)
        };
        let Some(a) = self.find(integral) else { return };
        let inner = *a.shape.last().expect("a rank above 0");
        let dtype = a.ty.dtype().expect("arrays have elements");
        let odd = self.rng.percent(5);
        let found = self.array_of(dtype, |k| {
            let rank = k.shape.len();
            (1..=2).contains(&rank) && (odd || k.shape[rank.saturating_sub(2)] == inner)
        });
        let Some(b) = found else { return };
        let mut shape: Shape = a.shape[..a.shape.len() - 1].to_vec();
        if b.shape.len() == 2 {
            shape.push(b.shape[1]);
        }
        let rank = u8::try_from(shape.len()).expect("small");
        let ty = if rank == 0 { Type::Scalar(dtype) } else { Type::array(dtype, rank) };
        let value = self.make(OpKind::Lib(LibOp::Matmul), vec![a.value, b.value], ty);
        self.know(value, shape, false, true);
    }
}
