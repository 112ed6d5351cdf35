//! Whole arrays: creation, views, elementwise operations, stores, reductions.

use super::{Dim, Gen, Known, Shape};
use pydd_ir::elem::ElemDomain;
use pydd_ir::{DType, ElemOp, LibOp, MapTarget, OpKind, ReduceOp, ReduceSpec, Type, Value};

/// Whether an array of shape `b` broadcasts together with one of shape `a`.
fn compatible(a: &[Dim], b: &[Dim]) -> bool {
    a.iter().rev().zip(b.iter().rev()).all(|(&x, &y)| x == y || x == Dim::One || y == Dim::One)
}

/// Whether an array of shape `src` broadcasts to `dst`.
pub(super) fn stretches(src: &[Dim], dst: &[Dim]) -> bool {
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
    pub(super) fn any_array(&mut self) -> Option<Known> {
        self.find(|k| k.ty.is_array())
    }

    fn writable(&mut self) -> Option<Known> {
        self.find(|k| k.ty.is_array() && !k.fixed)
    }

    fn array_of(&mut self, dtype: DType, fits: impl Fn(&Known) -> bool) -> Option<Known> {
        self.find(|k| k.ty.is_array() && k.ty.dtype() == Some(dtype) && fits(k))
    }

    /// The length of an axis: known ones, of arrays that are there, or small.
    pub(super) fn length(&mut self, least: i64) -> (Value, Dim) {
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

    /// Another operand for an operation on `a`: an array that fits it, or a scalar.
    pub(super) fn operand(&mut self, dtype: DType, shape: &Shape) -> (Value, Shape) {
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
        let value = self.make(OpKind::Elem(op), args, ty);
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

    fn reduce_spec(&mut self, dtype: DType, rank: usize) -> Option<ReduceSpec> {
        let op = self.rng.pick(&ReduceOp::ALL);
        // The order of a product shows in the last bits.
        let domain = if op == ReduceOp::Prod { ElemDomain::Int } else { op.domain() };
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
        let any_order = matches!(spec.op, ReduceOp::Min | ReduceOp::Max) && a.shape.len() > 1;
        let source = match spec.op {
            ReduceOp::Sum if a.shape.len() > 1 && dtype.is_complex() => return,
            ReduceOp::Sum if a.shape.len() > 1 && dtype.is_float() => self.rounded(a.value),
            _ => a.value,
        };
        let value = self.make(OpKind::Reduce(spec), vec![source], ty);
        let value = self.settled(value, any_order);
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
            let any_order = matches!(spec.op, ReduceOp::Min | ReduceOp::Max) && shape.len() > 1;
            let op = self.op(OpKind::Map(MapTarget::Reduce(spec)), args, &[ty], vec![region]);
            let value = self.func.result(op);
            let value = self.settled(value, any_order);
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
