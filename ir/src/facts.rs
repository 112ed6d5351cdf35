//! What can be true of an operation. [`OpKind::facts`] has a row for each.

use crate::elem::ElemOp;
use crate::entity::{Op, Value};
use crate::func::Function;
use crate::kind::OpKind;
use crate::op::{IndexItem, LibOp, Literal, MapTarget};
use crate::types::DType;
use std::ops::Range;

/// At which levels an operation may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Levels {
    Both,
    ArrayOnly,
    LoopOnly,
}

/// What an operation is to the blocks around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Goes on to the next operation.
    Plain,
    /// So does this one, whose result is a view of the first operand, whatever its layout is.
    View,
    /// `Break` and `Continue` count it.
    Loop,
    /// `Break` counts it.
    Scope,
    /// The last of its block.
    Terminator,
}

/// Whether something holds of an operation.
#[derive(Clone, Copy, Debug)]
pub enum When {
    Never,
    Always,
    If(fn(&Function, Op) -> bool),
}

impl When {
    #[must_use]
    pub fn holds(self, func: &Function, op: Op) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::If(test) => test(func, op),
        }
    }
}

/// The operands whose contents are touched, by their places. A descriptor's dimensions and strides are not contents; the length of a
/// list is.
pub type Touched = Range<usize>;

pub(crate) const NONE: Touched = 0..0;
pub(crate) const ALL: Touched = 0..usize::MAX;
pub(crate) const FIRST: Touched = 0..1;
pub(crate) const SECOND: Touched = 1..2;

/// What an operation does besides giving results, regions and callees apart.
#[derive(Clone, Debug)]
pub struct Facts {
    pub levels: Levels,
    pub reads: Touched,
    /// Filling memory that it makes itself is no write.
    pub writes: Touched,
    /// Makes fresh memory (and so may raise MemoryError, which `raises` leaves out).
    pub allocates: When,
    /// May raise something else than MemoryError.
    pub raises: When,
    /// Reaches outside: prints, reads the clock, draws from a stream that all share.
    pub io: When,
    /// May not end.
    pub diverges: bool,
    /// Is defined only where it stands, behind the checks before it.
    pub guarded: bool,
    /// Takes over or releases an owner.
    pub owns: bool,
    /// About how many scalar operations it takes, an element at a time where it is of elements; its regions apart.
    pub cost: i64,
}

/// A row: nothing but a scalar operation.
pub(crate) const PLAIN: Facts = Facts {
    levels: Levels::Both,
    reads: NONE,
    writes: NONE,
    allocates: When::Never,
    raises: When::Never,
    io: When::Never,
    diverges: false,
    guarded: false,
    owns: false,
    cost: 1,
};
pub(crate) const FREE: Facts = Facts { cost: 0, ..PLAIN };
pub(crate) const ARRAY: Facts = Facts { levels: Levels::ArrayOnly, ..PLAIN };
pub(crate) const LOOP: Facts = Facts { levels: Levels::LoopOnly, ..PLAIN };
/// Memory is made.
pub(crate) const MAKES: Facts = Facts { allocates: When::Always, ..PLAIN };
pub(crate) const ARRAY_MAKES: Facts = Facts { levels: Levels::ArrayOnly, ..MAKES };
/// What of arrays makes an array.
pub(crate) const ELEMENTWISE: Facts = Facts { reads: ALL, allocates: When::If(gives_array), ..PLAIN };
pub(crate) const RAISES: Facts = Facts { raises: When::Always, ..PLAIN };
/// A call, an allocation.
pub(crate) const CALL_COST: i64 = 64;
pub(crate) const DRAW_COST: i64 = 16;
/// A call that takes long.
pub(crate) const LIBRARY_COST: i64 = 1024;

// ---- tests of operations ----

pub(crate) fn gives_array(func: &Function, op: Op) -> bool {
    func.ops[op].results.iter().any(|&result| func.ty(result).is_array())
}

/// Arrays that have to be of one shape.
pub(crate) fn broadcasts(func: &Function, op: Op) -> bool {
    func.ops[op].args.iter().filter(|&&arg| func.ty(arg).is_array()).count() > 1
}

pub(crate) fn elementwise_raises(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let OpKind::Elem(elem) = data.kind else { return false };
    let dtype = data.args.last().and_then(|&arg| func.ty(arg).dtype()).unwrap_or(DType::I64);
    elem.may_raise(dtype) || broadcasts(func, op)
}

pub(crate) fn map_raises(func: &Function, op: Op) -> bool {
    let empty = matches!(&func.ops[op].kind, OpKind::Map(MapTarget::Reduce(spec)) if !spec.op.has_identity());
    empty || broadcasts(func, op)
}

pub(crate) fn reduction_raises(func: &Function, op: Op) -> bool {
    matches!(&func.ops[op].kind, OpKind::Reduce(spec) if !spec.op.has_identity())
}

pub(crate) fn assign_raises(func: &Function, op: Op) -> bool {
    func.ops[op].args.get(1).is_some_and(|&source| func.ty(source).rank() > 0)
}

pub(crate) fn range_raises(func: &Function, op: Op) -> bool {
    func.ops[op].args.get(2).is_none_or(|&step| !is_nonzero(func, step))
}

pub(crate) fn check_raises(func: &Function, op: Op) -> bool {
    let condition = func.ops[op].args.first();
    condition.is_none_or(|&condition| func.as_const(condition) != Some(&Literal::Bool(true)))
}

pub(crate) fn view_raises(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let OpKind::View(items) = &data.kind else { return false };
    let mut next = 1;
    items.iter().any(|item| {
        next += item.operands();
        match item {
            IndexItem::At => true,
            IndexItem::Slice { step: true, .. } => {
                data.args.get(next - 1).is_none_or(|&step| !is_nonzero(func, step))
            }
            IndexItem::Slice { step: false, .. } | IndexItem::New => false,
        }
    })
}

/// Whether a length, from an operand on, may be below 0.
pub(crate) fn may_be_negative(func: &Function, op: Op, first: usize) -> bool {
    !func.ops[op].args.iter().skip(first).all(|&length| is_nonnegative(func, length))
}

/// Whether the value is certainly at least 0: a length, such a constant, or chosen among those.
#[must_use]
pub fn is_nonnegative(func: &Function, value: Value) -> bool {
    is_nonnegative_within(func, value, 4)
}

/// As [`is_nonnegative`], followed through so many operations.
fn is_nonnegative_within(func: &Function, value: Value, depth: u32) -> bool {
    let (Some(op), Some(depth)) = (func.def_op(value), depth.checked_sub(1)) else { return false };
    let data = &func.ops[op];
    let mut operands = data.args.iter().map(|&arg| is_nonnegative_within(func, arg, depth));
    match data.kind {
        OpKind::Dim(_) | OpKind::ListLen => true,
        OpKind::Const(Literal::Int(value)) => value >= 0,
        OpKind::Elem(ElemOp::Max) => operands.any(|holds| holds),
        OpKind::Elem(ElemOp::Min) => operands.all(|holds| holds),
        OpKind::Elem(ElemOp::Select) => operands.skip(1).all(|holds| holds),
        _ => false,
    }
}

pub(crate) fn is_nonzero(func: &Function, value: Value) -> bool {
    func.as_int(value).is_some_and(|step| step != 0)
}

/// Whether a random number is drawn from the stream of `np.random`, which all code of a thread shares.
pub(crate) fn draws_from_stream(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let of_generator = data.args.first().is_some_and(|&first| func.ty(first).is_array());
    matches!(data.kind, OpKind::Lib(LibOp::Draw(_))) && !of_generator
}
