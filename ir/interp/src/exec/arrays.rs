//! Operations on arrays and their elements.

use super::{Flow, Frame, Stop, fault};
use crate::array::{self, Operand};
use crate::ops;
use crate::order::{self, Still};
use crate::random;
use crate::routines;
use crate::scalar::{cast, elem};
use crate::value::{Array, Scalar, Val, indices};
use pydd_ir::{Block, DType, Level, LibOp, MapTarget, Op, OpKind};

impl Frame<'_, '_> {
    pub(super) fn elementwise(&self, op: Op) -> Result<Val, Stop> {
        let data = &self.f.ops[op];
        let checked = self.f.level == Level::Array;
        let dtype = self.f.ty(data.results[0]).dtype().expect("elementwise results have elements");
        let apply = |items: &[Scalar]| match data.kind {
            OpKind::Elem(e) => elem(e, items, checked),
            _ => Ok(cast(items[0], dtype)),
        };
        let values = self.get_all(&data.args)?;
        let shapes = shapes(&values);
        if shapes.is_empty() {
            let items = data.args.iter().map(|&v| self.scalar(v)).collect::<Result<Vec<_>, _>>()?;
            return Ok(Val::Scalar(self.or_raise(op, apply(&items))?));
        }
        let dims = self.or_raise(op, array::broadcast(&shapes))?;
        let operands = stretch(&values, &dims)?;
        let still = if matches!(data.kind, OpKind::Elem(_)) { Still::Anywhere } else { Still::Innermost };
        let arrays: Vec<&Array> = operands.iter().filter_map(Operand::array).collect();
        let made = order::like(dtype, &dims, &arrays, still);
        let built = array::fill(made, |index| {
            let items: Vec<Scalar> = operands.iter().map(|o| o.at(index)).collect();
            apply(&items)
        });
        Ok(Val::Array(self.or_raise(op, built)?))
    }

    pub(super) fn create(&self, op: Op) -> Result<Val, Stop> {
        let data = &self.f.ops[op];
        let dtype = self.f.ty(data.results[0]).dtype().expect("arrays have elements");
        let (value, dims) = match data.kind {
            OpKind::Full => (self.scalar(data.args[0])?, self.i64s(&data.args[1..])?),
            OpKind::Iota => (Scalar::zero(dtype), vec![self.i64(data.args[2])?.max(0)]),
            _ => (Scalar::zero(dtype), self.i64s(&data.args)?),
        };
        self.or_raise(op, array::check_dims(&dims, dtype))?;
        let built = match data.kind {
            OpKind::Iota => {
                let (start, step) = (self.scalar(data.args[0])?, self.scalar(data.args[1])?);
                array::build(dtype, &dims, |index| {
                    if index[0] == 0 {
                        return Ok(start);
                    }
                    let i = cast(Scalar::i64(index[0]), dtype);
                    let offset = elem(pydd_ir::ElemOp::Mul, &[i, step], false)?;
                    elem(pydd_ir::ElemOp::Add, &[start, offset], false)
                })
            }
            _ => array::build(dtype, &dims, |_| Ok(value)),
        };
        Ok(Val::Array(self.or_raise(op, built)?))
    }

    pub(super) fn view(&self, op: Op) -> Result<Array, Stop> {
        let data = &self.f.ops[op];
        let a = self.array(data.args[0])?;
        let operands = self.i64s(&data.args[1..])?;
        match &data.kind {
            OpKind::Copy | OpKind::ModuleConstant => Ok(array::copy(&a)),
            OpKind::View(items) => self.or_raise(op, array::view(&a, items, &operands)),
            OpKind::Transpose(order) => {
                let pick = |from: &[i64]| order.iter().map(|&axis| from[usize::from(axis)]).collect();
                Ok(Array { dims: pick(&a.dims), strides: pick(&a.strides), ..a })
            }
            OpKind::Reshape if operands.is_empty() && self.f.ty(data.results[0]).rank() == 1 => {
                Ok(array::flatten(&a))
            }
            OpKind::Reshape => self.or_raise(op, array::reshape(&a, &operands)),
            OpKind::ReadOnly => Ok(Array { read_only: true, ..a }),
            OpKind::Diagonal => Ok(array::diagonal(&a)),
            OpKind::Windows => self.or_raise(op, array::windows(&a, operands[0])),
            OpKind::Part(part) => Ok(array::part(&a, *part)),
            OpKind::BroadcastTo => self.or_raise(op, array::broadcast_to(&a, &operands)),
            _ => {
                let result = self.f.ty(data.results[0]);
                let rank = usize::from(result.rank());
                Ok(Array {
                    offset: a.offset + operands[0],
                    dims: operands[1..=rank].to_vec(),
                    strides: operands[1 + rank..].to_vec(),
                    dtype: result.dtype().expect("arrays have elements"),
                    read_only: a.read_only,
                    bytes: a.bytes,
                })
            }
        }
    }

    pub(super) fn access(&self, op: Op) -> Result<Vec<Val>, Stop> {
        let data = &self.f.ops[op];
        let a = self.array(data.args[0])?;
        let stores = !matches!(data.kind, OpKind::Load | OpKind::LoadRaw);
        if stores {
            self.or_raise(op, array::check_writable(&a))?;
        }
        let mut index = self.i64s(&data.args[if stores { 2 } else { 1 }..])?;
        for (axis, (i, &dim)) in index.iter_mut().zip(&a.dims).enumerate() {
            if matches!(data.kind, OpKind::Load | OpKind::Store | OpKind::Update(_)) {
                *i = self.or_raise(op, array::wrap_index(*i, dim, axis))?;
            } else if !(0..dim).contains(i) {
                return fault(format!("raw access at {i} of axis {axis} with size {dim} ({op})"));
            }
        }
        if let Some(allowed) = &self.interp.allowed {
            let at = a.offset + index.iter().zip(&a.strides).map(|(i, stride)| i * stride).sum::<i64>();
            if !allowed.allows(&a, at, stores) {
                return fault(format!("element {index:?} is outside of what the iteration may touch ({op})"));
            }
        }
        if stores {
            let mut value = self.scalar(data.args[1])?;
            if let OpKind::Update(reduce) | OpKind::UpdateRaw(reduce) = data.kind {
                let step = reduce.step().expect("the verifier knows what is an update");
                let Some(before) = a.get(&index) else { return fault("an update outside of memory") };
                value = self.or_raise(op, elem(step, &[before, value], false))?;
            }
            return if a.set(&index, value) { Ok(vec![]) } else { fault("a store outside of memory") };
        }
        a.get(&index).map_or_else(|| fault("a load outside of memory"), |s| Ok(vec![Val::Scalar(s)]))
    }

    /// Runs a map's region on one element of each input.
    fn element(&mut self, region: Block, items: Vec<Scalar>) -> Result<Vec<Scalar>, Stop> {
        self.bind(&self.f.blocks[region].params, items.into_iter().map(Val::Scalar).collect());
        match self.block(region)? {
            Flow::Yield(values) => values
                .into_iter()
                .map(|v| match v {
                    Val::Scalar(s) => Ok(s),
                    _ => fault("a map yields scalars"),
                })
                .collect(),
            _ => fault("a map's region is left by its yield"),
        }
    }

    pub(super) fn map(&mut self, op: Op, target: &MapTarget) -> Result<Vec<Val>, Stop> {
        let data = &self.f.ops[op];
        let values = self.get_all(&data.args)?;
        let into = matches!(target, MapTarget::Into);
        let shapes = shapes(&values);
        let dims = match (&values[0], into) {
            (Val::Array(dst), true) => dst.dims.clone(),
            _ => self.or_raise(op, array::broadcast(&shapes))?,
        };
        let operands = stretch(&values, &dims)?;
        let mut outs: Vec<Vec<Scalar>> = Vec::new();
        for index in indices(&dims) {
            let items = operands.iter().map(|o| o.at(&index)).collect();
            let yielded = self.element(data.regions[0], items)?;
            match (&values[0], into) {
                (Val::Array(dst), true) => assert!(dst.set(&index, yielded[0]), "within the destination"),
                _ => outs.push(yielded),
            }
        }
        let column = |i: usize| outs.iter().map(|row| row[i]).collect::<Vec<_>>();
        match target {
            MapTarget::Into => Ok(vec![]),
            MapTarget::Fresh => Ok(data
                .results
                .iter()
                .enumerate()
                .map(|(i, &r)| {
                    let dtype = self.f.ty(r).dtype().expect("arrays have elements");
                    Val::Array(Array::from_scalars(dtype, &dims, &column(i)))
                })
                .collect()),
            MapTarget::Reduce(spec) => {
                let yielded = self.f.terminator(data.regions[0]).map(|t| self.f.ops[t].args[0]);
                let Some(dtype) = yielded.and_then(|v| self.f.ty(v).dtype()) else {
                    return fault("a reducing map yields one scalar");
                };
                let all = Array::from_scalars(dtype, &dims, &column(0));
                Ok(vec![self.or_raise(op, ops::reduce(spec, &all))?])
            }
        }
    }

    pub(super) fn library(&self, op: Op, lib: LibOp) -> Result<Vec<Val>, Stop> {
        if let LibOp::Routine(routine) = lib
            && let Some(lib) = routine.on_processor()
        {
            return self.library(op, lib);
        }
        let data = &self.f.ops[op];
        let args = data.args.as_slice();
        match (lib, self.f.level) {
            (LibOp::Matmul, Level::Array) => {
                let (a, b) = (self.array(args[0])?, self.array(args[1])?);
                Ok(vec![self.or_raise(op, ops::matmul(&a, &b))?])
            }
            (LibOp::Matmul, Level::Loop) => {
                let (a, b, out) = (self.array(args[0])?, self.array(args[1])?, self.array(args[2])?);
                let product = self.or_raise(op, ops::matmul(&a, &b))?;
                self.or_raise(op, ops::assign(&out, &product))?;
                Ok(vec![])
            }
            (LibOp::Sort, Level::Array) => {
                let sorted = array::copy(&self.array(args[0])?);
                ops::sort(&sorted);
                Ok(vec![Val::Array(sorted)])
            }
            (LibOp::Sort, Level::Loop) => {
                ops::sort(&self.array(args[0])?);
                Ok(vec![])
            }
            (LibOp::Routine(routine), _) => {
                let arrays = args[..routine.inputs() + routine.outputs()].iter().map(|&arg| self.array(arg));
                let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
                let scale = if routine.facts().is_scaled { self.scalar(args[2])? } else { Scalar::i64(1) };
                self.or_raise(op, routines::run(routine, &arrays, scale))?;
                Ok(vec![])
            }
            (LibOp::Draw(draw), _) => {
                let values = self.get_all(args)?;
                Ok(vec![Val::Scalar(random::draw(draw, &values))])
            }
            (LibOp::Time, _) => Ok(vec![Val::Scalar(Scalar::Float(0.0, DType::F64))]),
        }
    }
}

/// The dimensions of those that are arrays.
fn shapes(values: &[Val]) -> Vec<&[i64]> {
    values
        .iter()
        .filter_map(|value| match value {
            Val::Array(a) => Some(a.dims.as_slice()),
            _ => None,
        })
        .collect()
}

fn stretch(values: &[Val], dims: &[i64]) -> Result<Vec<Operand>, Stop> {
    values
        .iter()
        .map(|v| Operand::new(v, dims).map_or_else(|| fault("an operand does not broadcast"), Ok))
        .collect()
}
