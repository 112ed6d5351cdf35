//! Rules 6 to 12 and 19: operands, results and attributes of each operation.

use super::jumps::list;
use super::{Check, Context, Fault, ensure, fault};
use crate::draw::Draw;
use crate::elem::{ElemDomain, ElemOp, ReduceOp};
use crate::entity::{Entity, Op, Slot};
use crate::op::{IndexItem, Keep, Level, LibOp, Literal, OpKind, PrintSpec, ReduceSpec};
use crate::routine::{GENERATOR, Routine};
use crate::types::{DType, Type};

pub(super) const ARRAY_EXPECTED: &str = "an operand that should be an array is none";

impl Context<'_> {
    pub(super) fn attributes_and_types(&self, op: Op) -> Check {
        let data = &self.func.ops[op];
        let level = self.func.level;
        ensure(data.kind.allowed_at(level), 6, || match level {
            Level::Array => "the operation is none of array IR".to_owned(),
            Level::Loop => "the operation is none of loop IR".to_owned(),
        })?;
        let args = self.types(&data.args);
        let args = &args[..];
        match &data.kind {
            OpKind::Const(literal) => self.constant(op, literal),
            OpKind::Elem(elem) => self.elementwise(op, *elem, args),
            OpKind::Cast => self.cast(op, args),
            OpKind::Dim(axis) | OpKind::Stride(axis) => self.axis(op, *axis, args),
            OpKind::Empty | OpKind::Zeros => self.made(op, None, args, args.len()),
            OpKind::EmptyStrided => {
                ensure(args.len().is_multiple_of(2), 8, || "a stride for each length".to_owned())?;
                self.made(op, None, args, args.len() / 2)
            }
            OpKind::Full => {
                let (&value, dims) = args.split_first().ok_or_else(too_few)?;
                self.made(op, Some(scalar(value)?), dims, dims.len())
            }
            OpKind::Iota => self.iota(op, args),
            OpKind::KeepOrder(keep) => self.keep_order(*keep, op, args),
            OpKind::Copy | OpKind::ModuleConstant | OpKind::ReadOnly => {
                array(one(args)?)?;
                self.gives(op, args)
            }
            OpKind::View(items) => self.view(op, items, args),
            OpKind::Transpose(axes) => self.transpose(op, axes, args),
            OpKind::Reshape | OpKind::BroadcastTo => self.reshape(op, args),
            OpKind::RawView => self.raw_view(op, args),
            OpKind::Diagonal => self.diagonal(op, args),
            OpKind::Windows => self.windows(op, args),
            OpKind::Part(_) => self.part(op, args),
            OpKind::Overlaps => {
                at_least(args, 1)?;
                args.iter().try_for_each(|&arg| array(arg).map(|_| ()))?;
                self.gives(op, &[Type::BOOL])
            }
            OpKind::Parts => {
                same(one(args)?, Type::I64)?;
                self.gives(op, &[Type::I64])
            }
            OpKind::Address => self.of_array(op, args, Type::I64),
            OpKind::IsContiguous => self.of_array(op, args, Type::BOOL),
            OpKind::Load | OpKind::LoadRaw => {
                let dtype = access(args, 1)?;
                self.gives(op, &[Type::Scalar(dtype)])
            }
            OpKind::Store | OpKind::StoreRaw => {
                let dtype = access(args, 2)?;
                same(args[1], Type::Scalar(dtype))?;
                self.gives(op, &[])
            }
            OpKind::Update(reduce) | OpKind::UpdateRaw(reduce) => {
                let dtype = access(args, 2)?;
                same(args[1], Type::Scalar(dtype))?;
                ensure(reduce.updates(dtype), 9, || {
                    format!("elements of {dtype} are not updated by `{}`", reduce.name())
                })?;
                self.gives(op, &[])
            }
            OpKind::DeviceWanted | OpKind::OnDevice => {
                count(args, 0)?;
                self.gives(op, &[Type::BOOL])
            }
            OpKind::Assign => self.assign(op, args),
            OpKind::Map(_) => inputs(args),
            OpKind::Reduce(spec) => {
                let (dtype, rank) = array(one(args)?)?;
                self.gives(op, &[reduced(spec, dtype, rank)?])
            }
            OpKind::Lib(lib) => self.library(op, *lib, args),
            OpKind::ListNew => self.list_new(op, args),
            OpKind::ListLen => {
                list_item(one(args)?)?;
                self.gives(op, &[Type::I64])
            }
            OpKind::ListGet => {
                count(args, 2)?;
                let item = list_item(args[0])?;
                same(args[1], Type::I64)?;
                self.gives(op, &[item])
            }
            OpKind::ListSet => {
                count(args, 3)?;
                same(args[1], Type::I64)?;
                self.changes_list(op, args[0], args[2], list_item(args[0])?)
            }
            OpKind::ListAppend | OpKind::ListPrepend => {
                count(args, 2)?;
                self.changes_list(op, args[0], args[1], list_item(args[0])?)
            }
            OpKind::ListTruncate | OpKind::ListDropFront => {
                count(args, 2)?;
                self.changes_list(op, args[0], args[1], Type::I64)
            }
            OpKind::If => same(one(args)?, Type::BOOL),
            OpKind::For => {
                at_least(args, 3)?;
                all_i64(&args[..3])?;
                self.gives(op, &args[3..])
            }
            OpKind::PFor(parallel) => {
                let carried = 3 + parallel.reduce.len();
                at_least(args, carried)?;
                all_i64(&args[..3])?;
                let rows = parallel.table.as_ref().map_or(0, |table| table.rows.len());
                at_least(args, carried + rows)?;
                let lone = parallel.table.is_some() || args.len() == carried;
                ensure(lone, 7, || "there are operands for a table, but there is none".to_owned())?;
                self.gives(op, &args[3..carried])
            }
            // Their values are those that jumps carry; `jumps` compares them.
            OpKind::Loop => Ok(()),
            OpKind::Scope => count(args, 0),
            OpKind::Call(callee) => self.not_launched(*callee).and_then(|()| self.call(op, *callee, args)),
            OpKind::Launch(callee) => self.launch(op, *callee, args),
            OpKind::Check { .. } => {
                at_least(args, 1)?;
                same(args[0], Type::BOOL)?;
                shown(&args[1..])?;
                self.gives(op, &[])
            }
            OpKind::Print(spec) => self.print(op, spec, args),
            OpKind::Raise { .. } => {
                shown(args)?;
                self.gives(op, &[])
            }
            OpKind::Unreachable => {
                count(args, 0)?;
                self.gives(op, &[])
            }
            OpKind::Yield | OpKind::Continue(_) | OpKind::Break(_) | OpKind::Return => self.gives(op, &[]),
            OpKind::Own { slot, .. } => {
                let owned = one(args)?;
                ensure(owned.is_memory(), 8, || format!("{owned} has no owner"))?;
                self.slot(*slot)?;
                self.gives(op, &[])
            }
            OpKind::HostAccess { .. } => {
                array(one(args)?)?;
                self.gives(op, &[])
            }
            OpKind::Disown(slot) => {
                count(args, 0)?;
                self.slot(*slot)?;
                self.gives(op, &[])
            }
        }
    }

    fn slot(&self, slot: Slot) -> Check {
        ensure(slot.index() < self.func.slots as usize, 11, || {
            format!("{slot} is not among the {} of the frame", self.func.slots)
        })
    }

    // ---- results ----

    pub(super) fn gives(&self, op: Op, expected: &[Type]) -> Check {
        let found = self.types(&self.func.ops[op].results);
        ensure(found == expected, 9, || {
            format!("the results are ({}) and should be ({})", list(&found), list(expected))
        })
    }

    fn result(&self, op: Op) -> Result<Type, Fault> {
        match self.func.ops[op].results[..] {
            [result] => Ok(self.func.ty(result)),
            _ => fault(9, "one result belongs here"),
        }
    }

    fn gives_array(&self, op: Op, dtype: Option<DType>, rank: usize) -> Check {
        let result = self.result(op)?;
        let (found, _) = array(result).or_else(|_| fault(9, format!("the result is {result}, no array")))?;
        let rank = u8::try_from(rank).or_else(|_| fault(7, "an array has at most 255 axes"))?;
        self.gives(op, &[Type::array(dtype.unwrap_or(found), rank)])
    }

    /// An array of lengths (and strides, where there are more operands than axes).
    fn made(&self, op: Op, dtype: Option<DType>, dims: &[Type], rank: usize) -> Check {
        all_i64(dims)?;
        self.gives_array(op, dtype, rank)
    }

    /// A property of an array.
    fn of_array(&self, op: Op, args: &[Type], property: Type) -> Check {
        array(one(args)?)?;
        self.gives(op, &[property])
    }

    // ---- operations ----

    fn axis(&self, op: Op, axis: u8, args: &[Type]) -> Check {
        let (_, rank) = array(one(args)?)?;
        in_range(axis, rank)?;
        self.gives(op, &[Type::I64])
    }

    fn keep_order(&self, keep: Keep, op: Op, args: &[Type]) -> Check {
        at_least(args, 2)?;
        let (_, rank) = array(args[0])?;
        if keep != Keep::Elem {
            count(args, 2)?;
        }
        for &other in &args[1..] {
            let (_, other) = array(other)?;
            let fits = rank == other || keep == Keep::Elem && other < rank;
            ensure(fits, 8, || format!("{rank} axes do not lie as {other} do"))?;
        }
        self.gives(op, &args[..1])
    }

    fn raw_view(&self, op: Op, args: &[Type]) -> Check {
        at_least(args, 2)?;
        array(args[0])?;
        all_i64(&args[1..])?;
        ensure(args.len().is_multiple_of(2), 7, || "as many strides as dims belong here".to_owned())?;
        self.gives_array(op, None, (args.len() - 2) / 2)
    }

    fn diagonal(&self, op: Op, args: &[Type]) -> Check {
        let (dtype, rank) = array(one(args)?)?;
        ensure(rank >= 2, 11, || format!("{rank} axes have no diagonal"))?;
        self.gives_array(op, Some(dtype), usize::from(rank) - 1)
    }

    fn windows(&self, op: Op, args: &[Type]) -> Check {
        count(args, 2)?;
        let (dtype, rank) = array(args[0])?;
        all_i64(&args[1..])?;
        ensure(rank >= 1, 11, || "no axis has windows".to_owned())?;
        self.gives_array(op, Some(dtype), usize::from(rank) + 1)
    }

    fn part(&self, op: Op, args: &[Type]) -> Check {
        let (dtype, rank) = array(one(args)?)?;
        ensure(dtype.is_complex(), 8, || format!("{dtype} has no parts"))?;
        self.gives_array(op, Some(dtype.real()), usize::from(rank))
    }

    fn changes_list(&self, op: Op, list: Type, operand: Type, expected: Type) -> Check {
        list_item(list)?;
        same(operand, expected)?;
        self.gives(op, &[])
    }

    fn print(&self, op: Op, spec: &PrintSpec, args: &[Type]) -> Check {
        ensure(spec.weak.len() == args.len(), 11, || {
            format!("there are {} items to print and {} words about them", args.len(), spec.weak.len())
        })?;
        self.gives(op, &[])
    }

    fn constant(&self, op: Op, literal: &Literal) -> Check {
        count(&self.types(&self.func.ops[op].args), 0)?;
        let result = self.result(op)?;
        ensure(fits(literal, result), 12, || format!("the constant is no {result}"))
    }

    fn elementwise(&self, op: Op, elem: ElemOp, args: &[Type]) -> Check {
        count(args, elem.arity())?;
        inputs(args)?;
        let rank = args.iter().filter(|ty| ty.is_array()).map(|ty| ty.rank()).max();
        ensure(rank.is_none() || self.func.level == Level::Array, 6, || {
            "loop IR computes on scalars".to_owned()
        })?;
        let mut operands = args;
        if elem == ElemOp::Select {
            ensure(args[0].dtype() == Some(DType::Bool), 8, || "the condition is no bool".to_owned())?;
            operands = &args[1..];
        }
        let dtype = operands[0].dtype().unwrap_or(DType::Bool);
        ensure(operands.iter().all(|ty| ty.dtype() == Some(dtype)), 8, || {
            format!("the operands' element types differ: {}", list(operands))
        })?;
        ensure(elem.domain().contains(dtype), 10, || {
            format!("`{}` is not defined for {dtype}", elem.name())
        })?;
        let result = elem.result_dtype(dtype);
        self.gives(op, &[rank.map_or(Type::Scalar(result), |rank| Type::array(result, rank))])
    }

    fn cast(&self, op: Op, args: &[Type]) -> Check {
        let source = one(args)?;
        inputs(args)?;
        ensure(source.is_scalar() || self.func.level == Level::Array, 6, || {
            "loop IR converts scalars".to_owned()
        })?;
        let dtype = self
            .result(op)?
            .dtype()
            .ok_or_else(|| Fault { rule: 9, message: "the result has no elements".to_owned() })?;
        self.gives(op, &[source.with_dtype(dtype)])
    }

    fn iota(&self, op: Op, args: &[Type]) -> Check {
        count(args, 3)?;
        let dtype = scalar(args[0])?;
        same(args[1], args[0])?;
        same(args[2], Type::I64)?;
        ensure(ElemDomain::Number.contains(dtype), 10, || format!("`iota` is not defined for {dtype}"))?;
        self.gives(op, &[Type::array(dtype, 1)])
    }

    fn view(&self, op: Op, items: &[IndexItem], args: &[Type]) -> Check {
        let operands: usize = items.iter().map(|item| item.operands()).sum();
        count(args, 1 + operands)?;
        let (dtype, rank) = array(args[0])?;
        all_i64(&args[1..])?;
        let at = items.iter().filter(|item| **item == IndexItem::At).count();
        let new = items.iter().filter(|item| **item == IndexItem::New).count();
        ensure(items.len() - new <= usize::from(rank), 11, || {
            format!("{} axes are indexed and the array has {rank}", items.len() - new)
        })?;
        self.gives_array(op, Some(dtype), usize::from(rank) + new - at)
    }

    fn transpose(&self, op: Op, axes: &[u8], args: &[Type]) -> Check {
        let (_, rank) = array(one(args)?)?;
        let mut sorted = axes.to_vec();
        sorted.sort_unstable();
        ensure(sorted.iter().copied().eq(0..rank), 11, || format!("not a permutation of {rank} axes"))?;
        self.gives(op, args)
    }

    fn reshape(&self, op: Op, args: &[Type]) -> Check {
        let (&source, dims) = args.split_first().ok_or_else(too_few)?;
        let (dtype, rank) = array(source)?;
        all_i64(dims)?;
        let broadcast = self.func.ops[op].kind == OpKind::BroadcastTo;
        ensure(!broadcast || usize::from(rank) <= dims.len(), 7, || {
            format!("{} dims for {rank} axes", dims.len())
        })?;
        let flat = !broadcast && dims.is_empty() && self.result_rank(op) == Some(1);
        self.gives_array(op, Some(dtype), if flat { 1 } else { dims.len() })
    }

    fn result_rank(&self, op: Op) -> Option<u8> {
        self.func.ops[op].results.first().map(|&result| self.func.ty(result).rank())
    }

    fn assign(&self, op: Op, args: &[Type]) -> Check {
        count(args, 2)?;
        inputs(args)?;
        let (dtype, rank) = array(args[0])?;
        ensure(args[1].dtype() == Some(dtype), 8, || format!("{} is assigned to {dtype}", args[1]))?;
        ensure(args[1].rank() <= rank, 8, || "the source has more axes than the destination".to_owned())?;
        self.gives(op, &[])
    }

    fn library(&self, op: Op, lib: LibOp, args: &[Type]) -> Check {
        match lib {
            LibOp::Time => {
                count(args, 0)?;
                self.gives(op, &[Type::F64])
            }
            LibOp::Sort if self.func.level == Level::Loop => {
                array(one(args)?)?;
                self.gives(op, &[])
            }
            LibOp::Matmul if self.func.level == Level::Loop => {
                count(args, 3)?;
                let (_, rank) = array(args[0])?;
                ensure(rank >= 2, 8, || "`matmul` in loop IR takes arrays of at least two axes".to_owned())?;
                args[1..].iter().try_for_each(|&arg| same(arg, args[0]))?;
                self.gives(op, &[])
            }
            LibOp::Sort => {
                let (_, rank) = array(one(args)?)?;
                ensure(rank > 0, 8, || "there is no axis to sort along".to_owned())?;
                self.gives(op, args)
            }
            LibOp::Matmul => {
                count(args, 2)?;
                let ((dtype, a), (other, b)) = (array(args[0])?, array(args[1])?);
                ensure(dtype == other, 8, || format!("{dtype} is multiplied by {other}"))?;
                ensure(a > 0 && b > 0, 8, || "`matmul` takes arrays of at least one axis".to_owned())?;
                self.gives(op, &[matmul(dtype, a, b)])
            }
            LibOp::Routine(routine) => self.routine(op, routine, args),
            LibOp::Draw(draw) => self.draw(op, draw, args),
        }
    }

    /// A generator may stand before the parameters.
    fn draw(&self, op: Op, draw: Draw, args: &[Type]) -> Check {
        let params = match args {
            [first, params @ ..]
                if draw.takes_generator() && array(*first).is_ok_and(|first| first == GENERATOR) =>
            {
                params
            }
            _ => args,
        };
        count(params, draw.params().len())?;
        params.iter().zip(draw.params()).try_for_each(|(&arg, &param)| same(arg, Type::Scalar(param)))?;
        self.gives(op, &[Type::Scalar(draw.result())])
    }

    fn routine(&self, op: Op, routine: Routine, args: &[Type]) -> Check {
        let facts = routine.facts();
        let arrays = facts.inputs + facts.outputs;
        count(args, arrays + usize::from(facts.is_scaled))?;
        let operands = args[..arrays].iter().map(|&arg| array(arg)).collect::<Result<Vec<_>, _>>()?;
        args[arrays..].iter().try_for_each(|&scale| same(scale, Type::F64))?;
        ensure((facts.takes)(&operands), 8, || format!("`{}` is given ({})", facts.name, list(args)))?;
        self.gives(op, &[])
    }

    fn list_new(&self, op: Op, args: &[Type]) -> Check {
        let item = list_item(self.result(op)?).or_else(|_| fault(9, "the result is no list"))?;
        // Each array that a list holds takes memory, so it is appended to a list that has an owner.
        ensure(args.is_empty() || !item.is_array(), 9, || "arrays are appended to lists".to_owned())?;
        args.iter().try_for_each(|&arg| same(arg, item))
    }

    fn call(&self, op: Op, callee: crate::FuncRef, args: &[Type]) -> Check {
        let callee = &self.module.funcs[callee];
        let params: Vec<Type> = callee.params().iter().map(|&p| callee.ty(p)).collect();
        ensure(params == args, 19, || {
            format!("({}) is passed to @{}, which takes ({})", list(args), callee.name, list(&params))
        })?;
        let results = self.types(&self.func.ops[op].results);
        ensure(results == callee.results, 19, || {
            format!("@{} gives ({}), not ({})", callee.name, list(&callee.results), list(&results))
        })
    }
}

/// Rule 12: whether a literal can be of the type.
pub(super) fn fits(literal: &Literal, ty: Type) -> bool {
    match (literal, ty) {
        (Literal::Bool(_), Type::Scalar(DType::Bool)) | (Literal::Str(_), Type::Str) => true,
        (Literal::Int(value), Type::Scalar(dtype)) => match dtype {
            DType::I8 => i8::try_from(*value).is_ok(),
            DType::I16 => i16::try_from(*value).is_ok(),
            DType::I32 => i32::try_from(*value).is_ok(),
            DType::U8 => u8::try_from(*value).is_ok(),
            DType::U16 => u16::try_from(*value).is_ok(),
            DType::U32 => u32::try_from(*value).is_ok(),
            DType::I64 | DType::U64 => true,
            _ => false,
        },
        (Literal::Float(_), Type::Scalar(dtype)) => dtype.is_float(),
        (Literal::Complex(..), Type::Scalar(dtype)) => dtype.is_complex(),
        _ => false,
    }
}

/// The result of a reduction of an array.
pub(super) fn reduced(spec: &ReduceSpec, dtype: DType, rank: u8) -> Result<Type, Fault> {
    ensure(spec.op.domain().contains(dtype), 10, || {
        format!("`{}` is not defined for {dtype}", spec.op.name())
    })?;
    let reduced = match &spec.axes {
        None => rank,
        Some(axes) => {
            axes.iter().try_for_each(|&axis| in_range(axis, rank))?;
            ensure(axes.windows(2).all(|w| w[0] < w[1]), 11, || "the axes are not sorted".to_owned())?;
            let index = matches!(spec.op, ReduceOp::ArgMin | ReduceOp::ArgMax);
            ensure(!index || axes.len() == 1, 11, || "an index is found along one axis or all".to_owned())?;
            u8::try_from(axes.len()).unwrap_or(rank)
        }
    };
    let dtype = spec.op.result_dtype(dtype);
    Ok(match (spec.keepdims, rank - reduced) {
        (true, _) => Type::array(dtype, rank),
        (false, 0) => Type::Scalar(dtype),
        (false, rest) => Type::array(dtype, rest),
    })
}

fn matmul(dtype: DType, a: u8, b: u8) -> Type {
    match (a, b) {
        (1, 1) => Type::Scalar(dtype),
        (1, rank) | (rank, 1) => Type::array(dtype, rank - 1),
        _ => Type::array(dtype, a.max(b)),
    }
}

// ---- operands ----

fn too_few() -> Fault {
    Fault { rule: 7, message: "there are too few operands".to_owned() }
}

fn count(args: &[Type], expected: usize) -> Check {
    ensure(args.len() == expected, 7, || format!("there are {} operands where {expected} belong", args.len()))
}

fn at_least(args: &[Type], expected: usize) -> Check {
    if args.len() < expected { Err(too_few()) } else { Ok(()) }
}

fn one(args: &[Type]) -> Result<Type, Fault> {
    count(args, 1)?;
    Ok(args[0])
}

fn same(found: Type, expected: Type) -> Check {
    ensure(found == expected, 8, || format!("an operand is {found} and should be {expected}"))
}

/// What a message shows.
fn shown(args: &[Type]) -> Check {
    args.iter().filter(|&&arg| arg != Type::F64).try_for_each(|&arg| same(arg, Type::I64))
}

fn all_i64(args: &[Type]) -> Check {
    args.iter().try_for_each(|&arg| same(arg, Type::I64))
}

fn array(ty: Type) -> Result<(DType, u8), Fault> {
    match ty {
        Type::Array { dtype, rank } => Ok((dtype, rank)),
        _ => fault(8, ARRAY_EXPECTED),
    }
}

fn scalar(ty: Type) -> Result<DType, Fault> {
    match ty {
        Type::Scalar(dtype) => Ok(dtype),
        _ => fault(8, format!("an operand is {ty} and should be a scalar")),
    }
}

fn list_item(ty: Type) -> Result<Type, Fault> {
    let not_a_list = || fault(8, format!("an operand is {ty} and should be a list"));
    ty.list_item().map_or_else(not_a_list, Ok)
}

/// Scalars and arrays only.
fn inputs(args: &[Type]) -> Check {
    let wrong = args.iter().find(|ty| !ty.is_scalar() && !ty.is_array());
    wrong.map_or(Ok(()), |ty| fault(8, format!("an operand is {ty} and should be a scalar or an array")))
}

/// `(array, …, indices…)` with the indices from `first`.
fn access(args: &[Type], first: usize) -> Result<DType, Fault> {
    at_least(args, first)?;
    let (dtype, rank) = array(args[0])?;
    count(args, first + usize::from(rank))?;
    all_i64(&args[first..])?;
    Ok(dtype)
}

fn in_range(axis: u8, rank: u8) -> Check {
    ensure(axis < rank, 11, || format!("there is no axis {axis} in {rank}"))
}
