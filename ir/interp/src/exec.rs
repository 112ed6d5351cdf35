//! Runs functions: control, memory, calls.

use crate::array::{self, Operand};
use crate::ops;
use crate::owners::Owners;
use crate::routines;
use crate::scalar::{Failure, cast, elem};
use crate::value::{Array, Scalar, Val, indices};
use pydd_ir::{
    Block, DType, Entity, Exc, FuncRef, Function, Level, LibOp, Literal, Loc, MapTarget, Module, Op, OpKind,
    PrintSpec, Slot, Type, Value,
};
use std::cell::RefCell;
use std::rc::Rc;

/// A Python exception.
#[derive(Clone, PartialEq, Debug)]
pub struct Raised {
    pub exc: Exc,
    pub message: Option<String>,
    pub loc: Loc,
}

/// Why a run ended early.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    Raise(Raised),
    /// The IR broke its own rules: a compiler bug.
    Fault(String),
    /// The step limit was reached.
    OutOfSteps,
}

/// How a block was left.
enum Flow {
    Yield(Vec<Val>),
    Continue(u32, Vec<Val>),
    Break(u32, Vec<Val>),
    Return(Vec<Val>),
}

type Env = Vec<Option<Val>>;

/// An interpreter of one module.
pub struct Interp<'m> {
    module: &'m Module,
    /// Operations left to run.
    steps: u64,
    depth: u32,
    owners: Owners,
    /// What `print` wrote.
    pub printed: String,
}

/// Deepest nesting of calls; stands for CPython's own limit.
const MAX_DEPTH: u32 = 400;

impl<'m> Interp<'m> {
    #[must_use]
    pub fn new(module: &'m Module) -> Self {
        Self { module, steps: 50_000_000, depth: 0, owners: Owners::default(), printed: String::new() }
    }

    /// Limits the number of operations run.
    #[must_use]
    pub fn with_steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }

    /// How many arrays and lists made in loop IR were not released; those of results are among them.
    #[must_use]
    pub fn live(&self) -> usize {
        self.owners.len()
    }

    /// Gives up the ownership of a call's results.
    pub fn release(&mut self, results: &[Val]) {
        results.iter().for_each(|value| self.owners.release(value));
    }

    /// Calls a function. Deep programs need a big stack: run this on a thread of 256 MiB.
    ///
    /// # Errors
    /// A Python exception, a broken rule of the IR, or the step limit.
    pub fn call(&mut self, func: FuncRef, args: Vec<Val>) -> Result<Vec<Val>, Stop> {
        let f = &self.module.funcs[func];
        if args.len() != f.params().len() {
            return Err(Stop::Fault(format!("{} takes {} arguments", f.name, f.params().len())));
        }
        if self.depth >= MAX_DEPTH {
            let message = Some("maximum recursion depth exceeded".to_owned());
            return Err(Stop::Raise(Raised { exc: Exc::RecursionError, message, loc: Loc::default() }));
        }
        self.depth += 1;
        let slots = vec![None; f.slots as usize];
        let mut frame = Frame { interp: self, f, env: vec![None; f.values.len()], slots };
        frame.bind(f.params(), args);
        let flow = frame.block(f.entry);
        frame.leave_owners(&flow);
        self.depth -= 1;
        match flow? {
            Flow::Return(values) => Ok(values),
            _ => Err(Stop::Fault(format!("{} was left without a return", f.name))),
        }
    }
}

struct Frame<'i, 'm> {
    interp: &'i mut Interp<'m>,
    f: &'m Function,
    env: Env,
    /// What the slots own.
    slots: Vec<Option<Val>>,
}

fn fault<T>(message: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Fault(message.into()))
}

impl Frame<'_, '_> {
    fn bind(&mut self, to: &[Value], values: Vec<Val>) {
        for (&to, value) in to.iter().zip(values) {
            self.env[to.index()] = Some(value);
        }
    }

    fn get(&self, value: Value) -> Result<Val, Stop> {
        match &self.env[value.index()] {
            Some(v) => Ok(v.clone()),
            None => fault(format!("{value} is used before it has a value in {}", self.f.name)),
        }
    }

    fn get_all(&self, values: &[Value]) -> Result<Vec<Val>, Stop> {
        values.iter().map(|&v| self.get(v)).collect()
    }

    fn scalar(&self, value: Value) -> Result<Scalar, Stop> {
        match self.get(value)? {
            Val::Scalar(s) => Ok(s),
            other => fault(format!("{value} is no scalar but {}", other.ty())),
        }
    }

    fn i64(&self, value: Value) -> Result<i64, Stop> {
        self.scalar(value)?.as_i64().map_or_else(|| fault(format!("{value} is no i64")), Ok)
    }

    fn i64s(&self, values: &[Value]) -> Result<Vec<i64>, Stop> {
        values.iter().map(|&v| self.i64(v)).collect()
    }

    fn bool(&self, value: Value) -> Result<bool, Stop> {
        self.scalar(value)?.as_bool().map_or_else(|| fault(format!("{value} is no bool")), Ok)
    }

    fn array(&self, value: Value) -> Result<Array, Stop> {
        match self.get(value)? {
            Val::Array(a) => Ok(a),
            other => fault(format!("{value} is no array but {}", other.ty())),
        }
    }

    fn list(&self, value: Value) -> Result<(DType, Rc<RefCell<Vec<Scalar>>>), Stop> {
        match self.get(value)? {
            Val::List(d, items) => Ok((d, items)),
            other => fault(format!("{value} is no list but {}", other.ty())),
        }
    }

    fn raise<T>(&self, op: Op, (exc, message): Failure) -> Result<T, Stop> {
        let message = Some(message).filter(|m| !m.is_empty());
        Err(Stop::Raise(Raised { exc, message, loc: self.f.ops[op].loc }))
    }

    fn or_raise<T>(&self, op: Op, result: Result<T, Failure>) -> Result<T, Stop> {
        result.or_else(|failure| self.raise(op, failure))
    }

    /// The message with its payload filled in.
    fn message(&self, message: Option<&str>, payload: &[Value]) -> Result<String, Stop> {
        let mut text = message.unwrap_or("").to_owned();
        for (i, value) in self.i64s(payload)?.into_iter().enumerate() {
            text = text.replace(&format!("{{{i}}}"), &value.to_string());
        }
        Ok(text)
    }

    fn block(&mut self, block: Block) -> Result<Flow, Stop> {
        for &op in &self.f.blocks[block].ops {
            self.interp.steps = self.interp.steps.checked_sub(1).ok_or(Stop::OutOfSteps)?;
            if let Some(flow) = self.op(op)? {
                return Ok(flow);
            }
        }
        fault(format!("{block} of {} ends without a terminator", self.f.name))
    }

    /// Runs one operation; a flow where it leaves the block.
    fn op(&mut self, op: Op) -> Result<Option<Flow>, Stop> {
        let data = &self.f.ops[op];
        let args = data.args.as_slice();
        match &data.kind {
            OpKind::Yield => return Ok(Some(Flow::Yield(self.get_all(args)?))),
            OpKind::Continue(depth) => return Ok(Some(Flow::Continue(*depth, self.get_all(args)?))),
            OpKind::Break(depth) => return Ok(Some(Flow::Break(*depth, self.get_all(args)?))),
            OpKind::Return => return Ok(Some(Flow::Return(self.get_all(args)?))),
            OpKind::Raise { exc, message } => {
                let message = self.message(message.as_deref(), args)?;
                return self.raise(op, (*exc, message));
            }
            OpKind::Unreachable => return fault("an unreachable operation was reached"),
            OpKind::If => {
                let region = data.regions[usize::from(!self.bool(args[0])?)];
                return match self.block(region)? {
                    Flow::Yield(values) => self.finish(op, values),
                    other => Ok(Some(other)),
                };
            }
            OpKind::For | OpKind::PFor(_) => return self.for_loop(op),
            OpKind::Loop => return self.endless_loop(op),
            OpKind::Scope => {
                let flow = self.block(data.regions[0])?;
                return self.leave(op, flow);
            }
            _ => {}
        }
        let values = self.plain(op)?;
        let makes = matches!(data.kind, OpKind::Empty | OpKind::Zeros | OpKind::ListNew);
        if makes && self.f.level == Level::Loop {
            values.iter().for_each(|value| self.interp.owners.made(value));
        }
        self.finish(op, values)
    }

    fn finish(&mut self, op: Op, values: Vec<Val>) -> Result<Option<Flow>, Stop> {
        let results = &self.f.ops[op].results;
        if results.len() != values.len() {
            return fault(format!("{op} gave {} values for {} results", values.len(), results.len()));
        }
        for (&result, value) in results.iter().zip(&values) {
            if value.ty() != self.f.ty(result) {
                return fault(format!("{result} is {} where {} was promised", value.ty(), self.f.ty(result)));
            }
        }
        self.bind(results, values);
        Ok(None)
    }

    fn fill_slot(&mut self, slot: Slot, value: Option<Val>) {
        if let Some(old) = std::mem::replace(&mut self.slots[slot.index()], value) {
            self.interp.owners.release(&old);
        }
    }

    /// Retains what is returned and releases all slots.
    fn leave_owners(&mut self, flow: &Result<Flow, Stop>) {
        if self.f.level != Level::Loop {
            return;
        }
        if let Ok(Flow::Return(values)) = flow {
            values.iter().for_each(|value| self.interp.owners.retain(value));
        }
        for old in std::mem::take(&mut self.slots).iter().flatten() {
            self.interp.owners.release(old);
        }
    }

    /// What a flow out of a breakable operation's region means outside of it.
    fn leave(&mut self, op: Op, flow: Flow) -> Result<Option<Flow>, Stop> {
        match flow {
            Flow::Break(0, values) => self.finish(op, values),
            Flow::Break(depth, values) => Ok(Some(Flow::Break(depth - 1, values))),
            Flow::Continue(0, _) => fault("a scope cannot be continued"),
            Flow::Continue(depth, values) => Ok(Some(Flow::Continue(depth - 1, values))),
            Flow::Return(values) => Ok(Some(Flow::Return(values))),
            Flow::Yield(_) => fault("a yield leaves a breakable operation"),
        }
    }

    fn for_loop(&mut self, op: Op) -> Result<Option<Flow>, Stop> {
        let data = &self.f.ops[op];
        let (start, stop, step) = (self.i64(data.args[0])?, self.i64(data.args[1])?, self.i64(data.args[2])?);
        if step == 0 {
            return self.raise(op, (Exc::ValueError, "range() arg 3 must not be zero".to_owned()));
        }
        let mut carried = self.get_all(&data.args[3..])?;
        let mut index = i128::from(start);
        while if step > 0 { index < i128::from(stop) } else { index > i128::from(stop) } {
            let body = data.regions[0];
            let mut values = vec![Val::Scalar(Scalar::Int(index, DType::I64))];
            values.append(&mut carried);
            self.bind(&self.f.blocks[body].params, values);
            match self.block(body)? {
                Flow::Continue(0, values) => carried = values,
                other => return self.leave(op, other),
            }
            index += i128::from(step);
        }
        self.finish(op, carried)
    }

    fn endless_loop(&mut self, op: Op) -> Result<Option<Flow>, Stop> {
        let data = &self.f.ops[op];
        let mut carried = self.get_all(&data.args)?;
        loop {
            self.interp.steps = self.interp.steps.checked_sub(1).ok_or(Stop::OutOfSteps)?;
            let body = data.regions[0];
            self.bind(&self.f.blocks[body].params, std::mem::take(&mut carried));
            match self.block(body)? {
                Flow::Continue(0, values) => carried = values,
                other => return self.leave(op, other),
            }
        }
    }

    /// An operation without control flow: its results.
    fn plain(&mut self, op: Op) -> Result<Vec<Val>, Stop> {
        let data = &self.f.ops[op];
        let args = data.args.as_slice();
        let result = data.results.first().map(|&r| self.f.ty(r));
        let one = |v: Val| Ok(vec![v]);
        match &data.kind {
            OpKind::Const(literal) => one(constant(literal, result)),
            OpKind::Dim(axis) => one(Val::Scalar(Scalar::i64(self.array(args[0])?.dims[usize::from(*axis)]))),
            OpKind::Elem(_) | OpKind::Cast => one(self.elementwise(op)?),
            OpKind::Empty | OpKind::Zeros | OpKind::Full | OpKind::Iota => one(self.create(op)?),
            OpKind::Copy
            | OpKind::View(_)
            | OpKind::Transpose(_)
            | OpKind::Reshape
            | OpKind::BroadcastTo
            | OpKind::RawView => one(Val::Array(self.view(op)?)),
            OpKind::Load | OpKind::LoadRaw | OpKind::Store | OpKind::StoreRaw => self.access(op),
            OpKind::Assign => {
                let (dst, src) = (self.array(args[0])?, self.get(args[1])?);
                self.or_raise(op, ops::assign(&dst, &src))?;
                Ok(vec![])
            }
            OpKind::Map(target) => self.map(op, target),
            OpKind::Reduce(spec) => {
                let a = self.array(args[0])?;
                one(self.or_raise(op, ops::reduce(spec, &a))?)
            }
            OpKind::Lib(lib) => self.library(op, *lib),
            OpKind::ListNew
            | OpKind::ListLen
            | OpKind::ListGet
            | OpKind::ListSet
            | OpKind::ListAppend
            | OpKind::ListTruncate => self.list_op(op),
            OpKind::Call(func) => {
                let values = self.get_all(args)?;
                self.interp.call(*func, values).map_err(|stop| match stop {
                    Stop::Raise(mut raised) if raised.loc.line == 0 => {
                        raised.loc = data.loc;
                        Stop::Raise(raised)
                    }
                    other => other,
                })
            }
            OpKind::Check { exc, message } => {
                if !self.bool(args[0])? {
                    let message = self.message(message.as_deref(), &args[1..])?;
                    return self.raise(op, (*exc, message));
                }
                Ok(vec![])
            }
            OpKind::Print(spec) => {
                let items = self.get_all(args)?;
                self.print(spec, &items);
                Ok(vec![])
            }
            OpKind::Stride(axis) => {
                one(Val::Scalar(Scalar::i64(self.array(args[0])?.strides[usize::from(*axis)])))
            }
            OpKind::IsContiguous => {
                one(Val::Scalar(Scalar::Bool(array::is_contiguous(&self.array(args[0])?))))
            }
            OpKind::Own { slot, retain } => {
                let value = self.get(args[0])?;
                if *retain {
                    self.interp.owners.retain(&value);
                }
                self.fill_slot(*slot, Some(value));
                Ok(vec![])
            }
            OpKind::Disown(slot) => {
                self.fill_slot(*slot, None);
                Ok(vec![])
            }
            kind => fault(format!("{kind:?} is no plain operation")),
        }
    }

    fn elementwise(&self, op: Op) -> Result<Val, Stop> {
        let data = &self.f.ops[op];
        let checked = self.f.level == Level::Array;
        let dtype = self.f.ty(data.results[0]).dtype().expect("elementwise results have elements");
        let apply = |items: &[Scalar]| match data.kind {
            OpKind::Elem(e) => elem(e, items, checked),
            _ => Ok(cast(items[0], dtype)),
        };
        let values = self.get_all(&data.args)?;
        let shapes: Vec<&[i64]> = values
            .iter()
            .filter_map(|v| match v {
                Val::Array(a) => Some(a.dims.as_slice()),
                _ => None,
            })
            .collect();
        if shapes.is_empty() {
            let items = data.args.iter().map(|&v| self.scalar(v)).collect::<Result<Vec<_>, _>>()?;
            return Ok(Val::Scalar(self.or_raise(op, apply(&items))?));
        }
        let dims = self.or_raise(op, array::broadcast(&shapes))?;
        let operands = stretch(&values, &dims)?;
        let built = array::build(dtype, &dims, |index| {
            let items: Vec<Scalar> = operands.iter().map(|o| o.at(index)).collect();
            apply(&items)
        });
        Ok(Val::Array(self.or_raise(op, built)?))
    }

    fn create(&self, op: Op) -> Result<Val, Stop> {
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
                    let i = cast(Scalar::i64(index[0]), dtype);
                    let offset = elem(pydd_ir::ElemOp::Mul, &[i, step], false)?;
                    elem(pydd_ir::ElemOp::Add, &[start, offset], false)
                })
            }
            _ => array::build(dtype, &dims, |_| Ok(value)),
        };
        Ok(Val::Array(self.or_raise(op, built)?))
    }

    fn view(&self, op: Op) -> Result<Array, Stop> {
        let data = &self.f.ops[op];
        let a = self.array(data.args[0])?;
        let operands = self.i64s(&data.args[1..])?;
        match &data.kind {
            OpKind::Copy => Ok(array::copy(&a)),
            OpKind::View(items) => self.or_raise(op, array::view(&a, items, &operands)),
            OpKind::Transpose(order) => {
                let pick = |from: &[i64]| order.iter().map(|&axis| from[usize::from(axis)]).collect();
                Ok(Array { dims: pick(&a.dims), strides: pick(&a.strides), ..a })
            }
            OpKind::Reshape if operands.is_empty() && self.f.ty(data.results[0]).rank() == 1 => {
                Ok(array::flatten(&a))
            }
            OpKind::Reshape => self.or_raise(op, array::reshape(&a, &operands)),
            OpKind::BroadcastTo => self.or_raise(op, array::broadcast_to(&a, &operands)),
            _ => {
                let result = self.f.ty(data.results[0]);
                let rank = usize::from(result.rank());
                Ok(Array {
                    offset: a.offset + operands[0],
                    dims: operands[1..=rank].to_vec(),
                    strides: operands[1 + rank..].to_vec(),
                    dtype: result.dtype().expect("arrays have elements"),
                    bytes: a.bytes,
                })
            }
        }
    }

    fn access(&self, op: Op) -> Result<Vec<Val>, Stop> {
        let data = &self.f.ops[op];
        let a = self.array(data.args[0])?;
        let stores = matches!(data.kind, OpKind::Store | OpKind::StoreRaw);
        let mut index = self.i64s(&data.args[if stores { 2 } else { 1 }..])?;
        for (axis, (i, &dim)) in index.iter_mut().zip(&a.dims).enumerate() {
            if matches!(data.kind, OpKind::Load | OpKind::Store) {
                *i = self.or_raise(op, array::wrap_index(*i, dim, axis))?;
            } else if !(0..dim).contains(i) {
                return fault(format!("raw access at {i} of axis {axis} with size {dim} ({op})"));
            }
        }
        if stores {
            let value = self.scalar(data.args[1])?;
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

    fn map(&mut self, op: Op, target: &MapTarget) -> Result<Vec<Val>, Stop> {
        let data = &self.f.ops[op];
        let values = self.get_all(&data.args)?;
        let into = matches!(target, MapTarget::Into);
        let shapes: Vec<&[i64]> = values
            .iter()
            .filter_map(|v| match v {
                Val::Array(a) => Some(a.dims.as_slice()),
                _ => None,
            })
            .collect();
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

    fn library(&self, op: Op, lib: LibOp) -> Result<Vec<Val>, Stop> {
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
                let scale = if routine.is_transform() { self.scalar(args[2])? } else { Scalar::i64(1) };
                self.or_raise(op, routines::run(routine, &arrays, scale))?;
                Ok(vec![])
            }
            (LibOp::Time, _) => Ok(vec![Val::Scalar(Scalar::Float(0.0, DType::F64))]),
        }
    }

    fn list_op(&self, op: Op) -> Result<Vec<Val>, Stop> {
        let data = &self.f.ops[op];
        let args = data.args.as_slice();
        if data.kind == OpKind::ListNew {
            let dtype = self.f.ty(data.results[0]).dtype().expect("lists have elements");
            let items = args.iter().map(|&v| self.scalar(v)).collect::<Result<Vec<_>, _>>()?;
            return Ok(vec![Val::List(dtype, Rc::new(RefCell::new(items)))]);
        }
        let (_, items) = self.list(args[0])?;
        let len = i64::try_from(items.borrow().len()).expect("lengths fit");
        let place = |index: i64, message: &str| -> Result<usize, Stop> {
            let wrapped = if index < 0 { index + len } else { index };
            if (0..len).contains(&wrapped) {
                return Ok(usize::try_from(wrapped).expect("not negative"));
            }
            self.raise(op, (Exc::IndexError, message.to_owned()))
        };
        match data.kind {
            OpKind::ListLen => Ok(vec![Val::Scalar(Scalar::i64(len))]),
            OpKind::ListGet => {
                let at = place(self.i64(args[1])?, "list index out of range")?;
                Ok(vec![Val::Scalar(items.borrow()[at])])
            }
            OpKind::ListSet => {
                let at = place(self.i64(args[1])?, "list assignment index out of range")?;
                items.borrow_mut()[at] = self.scalar(args[2])?;
                Ok(vec![])
            }
            OpKind::ListTruncate => {
                let length = usize::try_from(self.i64(args[1])?).unwrap_or(0);
                items.borrow_mut().truncate(length);
                Ok(vec![])
            }
            _ => {
                items.borrow_mut().push(self.scalar(args[1])?);
                Ok(vec![])
            }
        }
    }

    fn print(&mut self, spec: &PrintSpec, items: &[Val]) {
        let texts: Vec<String> = items.iter().map(crate::literal::python_str).collect();
        self.interp.printed.push_str(&texts.join(spec.sep.as_deref().unwrap_or(" ")));
        self.interp.printed.push_str(spec.end.as_deref().unwrap_or("\n"));
    }
}

fn stretch(values: &[Val], dims: &[i64]) -> Result<Vec<Operand>, Stop> {
    values
        .iter()
        .map(|v| Operand::new(v, dims).map_or_else(|| fault("an operand does not broadcast"), Ok))
        .collect()
}

fn constant(literal: &Literal, ty: Option<Type>) -> Val {
    let dtype = ty.and_then(Type::dtype).unwrap_or(DType::I64);
    Val::Scalar(match literal {
        Literal::Bool(b) => Scalar::Bool(*b),
        // Unsigned 64-bit constants are kept as the same bits.
        Literal::Int(v) => Scalar::int(i128::from(*v), dtype),
        Literal::Float(bits) => Scalar::float(f64::from_bits(*bits), dtype),
        Literal::Complex(re, im) => Scalar::complex(f64::from_bits(*re), f64::from_bits(*im), dtype),
        Literal::Str(text) => return Val::Str(text.clone()),
    })
}
