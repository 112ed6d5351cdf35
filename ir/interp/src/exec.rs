//! Runs functions: frames, calls, and operations by kind.

mod arrays;
mod control;
mod footprint;
mod launch;
mod lists;

use crate::array;
use crate::ops;
use crate::order;
use crate::owners::Owners;
use crate::scalar::Failure;
use crate::value::{Array, Scalar, Val};
use pydd_abi::parts::Parts;
use pydd_ir::{
    DType, Entity, Exc, FuncRef, Function, Level, Literal, Loc, Message, Module, Op, OpKind, PrintSpec, Slot,
    Type, Value,
};

/// Scalar operations that an iteration is taken for where a loop is cut into parts; the pass `size-parts` knows better.
const PARTS_COST: i64 = 64;

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

/// A split of the range of launched loops.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Split {
    /// Where pieces end, as fractions of the range, from 0 to 1; equal ones make pieces without iterations.
    pub cuts: Vec<f64>,
    /// The order in which the pieces run: numbers that are compared, by piece.
    pub order: Vec<u64>,
    /// Cuts ranges that are otherwise too short into so many parts at least, where they have that many iterations.
    pub parts: i64,
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
    /// Cuts the ranges of launched loops into pieces; nothing runs them whole.
    split: Option<Split>,
    /// What the iteration that runs may touch, where that is looked at.
    allowed: Option<footprint::Allowed>,
}

/// Deepest nesting of calls; stands for CPython's own limit.
const MAX_DEPTH: u32 = 400;

impl<'m> Interp<'m> {
    #[must_use]
    pub fn new(module: &'m Module) -> Self {
        Self {
            module,
            steps: 50_000_000,
            depth: 0,
            owners: Owners::default(),
            printed: String::new(),
            split: None,
            allowed: None,
        }
    }

    /// Limits the number of operations run.
    #[must_use]
    pub fn with_steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }

    /// Runs launched loops in pieces that begin at these fractions of the range, in this order, and joins what they give.
    /// An iteration that touches elements which the table of its loop does not name is a fault.
    #[must_use]
    pub fn with_split(mut self, split: Split) -> Self {
        self.split = Some(split);
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

    fn raise<T>(&self, op: Op, (exc, message): Failure) -> Result<T, Stop> {
        let message = Some(message).filter(|m| !m.is_empty());
        Err(Stop::Raise(Raised { exc, message, loc: self.f.ops[op].loc }))
    }

    fn or_raise<T>(&self, op: Op, result: Result<T, Failure>) -> Result<T, Stop> {
        result.or_else(|failure| self.raise(op, failure))
    }

    /// The message with its payload filled in.
    fn message(&self, message: Option<&Message>, payload: &[Value]) -> Result<String, Stop> {
        let mut text = message.map_or("", Message::template).to_owned();
        for (i, &value) in payload.iter().enumerate() {
            text = text.replace(&format!("{{{i}}}"), &crate::literal::python_str(&self.get(value)?));
        }
        Ok(text)
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
            OpKind::KeepOrder(keep) => {
                let a = self.array(args[0])?;
                let others: Result<Vec<Array>, Stop> = args[1..].iter().map(|&arg| self.array(arg)).collect();
                let made = order::kept(*keep, &a, &others?);
                self.or_raise(op, ops::assign(&made, &Val::Array(a)))?;
                one(Val::Array(made))
            }
            OpKind::EmptyStrided => {
                let lengths = self.i64s(args)?;
                let (dims, strides) = lengths.split_at(lengths.len() / 2);
                let made = Array::zeros(result.and_then(Type::dtype).unwrap_or(DType::F64), dims);
                one(Val::Array(Array { strides: strides.to_vec(), ..made }))
            }
            OpKind::Copy
            | OpKind::ModuleConstant
            | OpKind::View(_)
            | OpKind::Transpose(_)
            | OpKind::Reshape
            | OpKind::BroadcastTo
            | OpKind::Diagonal
            | OpKind::Windows
            | OpKind::Part(_)
            | OpKind::ReadOnly
            | OpKind::RawView => one(Val::Array(self.view(op)?)),
            OpKind::Load
            | OpKind::LoadRaw
            | OpKind::Store
            | OpKind::StoreRaw
            | OpKind::Update(_)
            | OpKind::UpdateRaw(_) => self.access(op),
            OpKind::Assign => {
                let (dst, src) = (self.array(args[0])?, self.get(args[1])?);
                self.or_raise(op, array::check_writable(&dst))?;
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
            | OpKind::ListPrepend
            | OpKind::ListTruncate
            | OpKind::ListDropFront => self.list_op(op),
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
                    let message = self.message(message.as_ref(), &args[1..])?;
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
            OpKind::Address => one(Val::Scalar(Scalar::i64(array::address(&self.array(args[0])?)))),
            OpKind::Overlaps => {
                let arrays = args.iter().map(|&arg| self.array(arg)).collect::<Result<Vec<_>, _>>()?;
                let any = arrays[1..].iter().any(|other| array::overlaps(&arrays[0], other));
                one(Val::Scalar(Scalar::Bool(any)))
            }
            OpKind::Parts => {
                let parts = Parts::new(self.i64(args[0])?, PARTS_COST).count();
                one(Val::Scalar(Scalar::i64(parts.max(1))))
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
            // There is no device, and nothing that a loop for one does else.
            OpKind::DeviceWanted | OpKind::OnDevice => one(Val::Scalar(Scalar::Bool(true))),
            OpKind::HostAccess { .. } => Ok(vec![]),
            OpKind::Disown(slot) => {
                self.fill_slot(*slot, None);
                Ok(vec![])
            }
            kind => fault(format!("{kind:?} is no plain operation")),
        }
    }

    fn print(&mut self, spec: &PrintSpec, items: &[Val]) {
        let text = |(at, item): (usize, &Val)| match spec.formats.get(&at) {
            Some(format) => crate::literal::formatted(item, format),
            None => crate::literal::python_str(item),
        };
        let texts: Vec<String> = items.iter().enumerate().map(text).collect();
        self.interp.printed.push_str(&texts.join(spec.sep.as_deref().unwrap_or(" ")));
        self.interp.printed.push_str(spec.end.as_deref().unwrap_or("\n"));
    }
}

pub(crate) fn constant(literal: &Literal, ty: Option<Type>) -> Val {
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
