//! What is true of the operations of a kind: a row for each, and none for "all others", so that a new one must say all of it.

use crate::entity::{Op, Value};
use crate::func::Function;
use crate::op::{IndexItem, Level, LibOp, Literal, MapTarget, OpKind};
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

const NONE: Touched = 0..0;
const ALL: Touched = 0..usize::MAX;
const FIRST: Touched = 0..1;
const SECOND: Touched = 1..2;

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
const PLAIN: Facts = Facts {
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
const FREE: Facts = Facts { cost: 0, ..PLAIN };
const ARRAY: Facts = Facts { levels: Levels::ArrayOnly, ..PLAIN };
const LOOP: Facts = Facts { levels: Levels::LoopOnly, ..PLAIN };
/// Memory is made.
const MAKES: Facts = Facts { allocates: When::Always, ..PLAIN };
const ARRAY_MAKES: Facts = Facts { levels: Levels::ArrayOnly, ..MAKES };
/// What of arrays makes an array.
const ELEMENTWISE: Facts = Facts { reads: ALL, allocates: When::If(gives_array), ..PLAIN };
const RAISES: Facts = Facts { raises: When::Always, ..PLAIN };
/// A call, an allocation.
const CALL_COST: i64 = 64;
const DRAW_COST: i64 = 16;
/// A call that takes long.
const LIBRARY_COST: i64 = 1024;

impl OpKind {
    /// What is true of the operation at a level.
    #[must_use]
    pub fn facts(&self, level: Level) -> Facts {
        let array = level == Level::Array;
        match self {
            Self::Const(_) | Self::Dim(_) | Self::Stride(_) | Self::Parts => FREE,
            Self::Elem(elem) if array => {
                Facts { raises: When::If(elementwise_raises), cost: elem.cost(), ..ELEMENTWISE }
            }
            Self::Elem(elem) => Facts { cost: elem.cost(), ..ELEMENTWISE },
            Self::Cast => ELEMENTWISE,
            // ---- arrays ----
            Self::Empty | Self::Zeros => {
                Facts { raises: When::If(|f, op| may_be_negative(f, op, 0)), cost: CALL_COST, ..MAKES }
            }
            Self::Full => Facts { raises: When::If(|f, op| may_be_negative(f, op, 1)), ..ARRAY_MAKES },
            Self::EmptyStrided => MAKES,
            Self::Iota => ARRAY_MAKES,
            Self::KeepOrder => Facts { reads: ALL, ..MAKES },
            Self::Copy | Self::ModuleConstant => Facts { reads: ALL, ..ARRAY_MAKES },
            Self::View(_) => Facts { raises: When::If(view_raises), ..ARRAY },
            Self::Reshape => Facts { reads: FIRST, raises: When::Always, ..ARRAY_MAKES },
            Self::BroadcastTo => Facts { raises: When::Always, ..ARRAY },
            Self::Transpose(_) | Self::Diagonal | Self::Part(_) | Self::ReadOnly | Self::Overlaps => ARRAY,
            Self::Load => Facts { reads: FIRST, raises: When::Always, ..ARRAY },
            Self::Store => Facts { writes: FIRST, raises: When::Always, ..ARRAY },
            Self::Assign => Facts { reads: SECOND, writes: FIRST, raises: When::If(assign_raises), ..ARRAY },
            Self::Map(target) => {
                let writes = if *target == MapTarget::Into { FIRST } else { NONE };
                Facts { levels: Levels::ArrayOnly, writes, raises: When::If(map_raises), ..ELEMENTWISE }
            }
            Self::Reduce(_) => {
                Facts { levels: Levels::ArrayOnly, raises: When::If(reduction_raises), ..ELEMENTWISE }
            }
            // ---- the library; in loop IR the last operand of `matmul` and `sort` is the destination ----
            Self::Lib(LibOp::Matmul) => {
                let (writes, raises) = if array { (NONE, When::Always) } else { (2..3, When::Never) };
                Facts { writes, raises, cost: LIBRARY_COST, ..ELEMENTWISE }
            }
            Self::Lib(LibOp::Sort) => {
                Facts { writes: if array { NONE } else { FIRST }, cost: LIBRARY_COST, ..ELEMENTWISE }
            }
            Self::Lib(LibOp::Time) => Facts { io: When::Always, cost: LIBRARY_COST, ..PLAIN },
            Self::Lib(LibOp::Routine(routine)) => {
                let facts = routine.facts();
                let raises = if facts.raises { When::Always } else { When::Never };
                let (inputs, all) = (facts.inputs, facts.inputs + facts.outputs);
                Facts { reads: 0..inputs, writes: inputs..all, raises, cost: LIBRARY_COST, ..PLAIN }
            }
            Self::Lib(LibOp::Draw(_)) => Facts {
                reads: FIRST,
                writes: FIRST,
                io: When::If(draws_from_stream),
                cost: DRAW_COST,
                ..PLAIN
            },
            // ---- lists ----
            Self::ListNew => Facts { cost: CALL_COST, ..MAKES },
            Self::ListLen => Facts { reads: FIRST, ..PLAIN },
            Self::ListGet => Facts { reads: FIRST, ..RAISES },
            Self::ListSet => Facts { writes: FIRST, ..RAISES },
            Self::ListAppend => Facts { writes: FIRST, ..MAKES },
            Self::ListTruncate => Facts { writes: FIRST, ..PLAIN },
            // ---- control ----
            Self::If | Self::Scope => PLAIN,
            Self::For | Self::PFor(_) => Facts { raises: When::If(range_raises), ..PLAIN },
            Self::Loop => Facts { diverges: true, ..PLAIN },
            // What the callee does comes from its summary.
            Self::Call(_) => Facts { cost: CALL_COST, ..PLAIN },
            Self::Launch(_) => Facts { cost: LIBRARY_COST, raises: When::If(range_raises), ..LOOP },
            Self::Check { .. } => Facts { raises: When::If(check_raises), ..PLAIN },
            Self::Print(_) => Facts { reads: ALL, io: When::Always, cost: LIBRARY_COST, ..RAISES },
            // ---- loop IR ----
            Self::LoadRaw => Facts { reads: FIRST, guarded: true, ..LOOP },
            Self::StoreRaw => Facts { writes: FIRST, guarded: true, ..LOOP },
            Self::Address | Self::RawView | Self::IsContiguous => LOOP,
            Self::Own { .. } | Self::Disown(_) => Facts { owns: true, ..LOOP },
            // ---- terminators; that they leave is seen where they stand ----
            Self::Raise { .. } => RAISES,
            Self::Yield | Self::Continue(_) | Self::Break(_) | Self::Return | Self::Unreachable => PLAIN,
        }
    }

    /// What the operation is to the blocks around it.
    #[must_use]
    #[inline]
    pub const fn role(&self) -> Role {
        match self {
            Self::View(_)
            | Self::Transpose(_)
            | Self::BroadcastTo
            | Self::Diagonal
            | Self::Part(_)
            | Self::ReadOnly
            | Self::RawView => Role::View,
            Self::For | Self::PFor(_) | Self::Loop => Role::Loop,
            Self::Scope => Role::Scope,
            Self::Yield
            | Self::Continue(_)
            | Self::Break(_)
            | Self::Return
            | Self::Raise { .. }
            | Self::Unreachable => Role::Terminator,
            Self::Const(_)
            | Self::Elem(_)
            | Self::Cast
            | Self::Dim(_)
            | Self::Stride(_)
            | Self::Empty
            | Self::Zeros
            | Self::EmptyStrided
            | Self::KeepOrder
            | Self::Full
            | Self::Iota
            | Self::Copy
            | Self::ModuleConstant
            | Self::Reshape
            | Self::Overlaps
            | Self::Parts
            | Self::Load
            | Self::Store
            | Self::Assign
            | Self::Map(_)
            | Self::Reduce(_)
            | Self::Lib(_)
            | Self::ListNew
            | Self::ListLen
            | Self::ListGet
            | Self::ListSet
            | Self::ListAppend
            | Self::ListTruncate
            | Self::If
            | Self::Call(_)
            | Self::Launch(_)
            | Self::Check { .. }
            | Self::Print(_)
            | Self::LoadRaw
            | Self::StoreRaw
            | Self::Address
            | Self::IsContiguous
            | Self::Own { .. }
            | Self::Disown(_) => Role::Plain,
        }
    }
}

// ---- tests of operations ----

fn gives_array(func: &Function, op: Op) -> bool {
    func.ops[op].results.iter().any(|&result| func.ty(result).is_array())
}

/// Arrays that have to be of one shape.
fn broadcasts(func: &Function, op: Op) -> bool {
    func.ops[op].args.iter().filter(|&&arg| func.ty(arg).is_array()).count() > 1
}

fn elementwise_raises(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let OpKind::Elem(elem) = data.kind else { return false };
    let dtype = data.args.last().and_then(|&arg| func.ty(arg).dtype()).unwrap_or(DType::I64);
    elem.may_raise(dtype) || broadcasts(func, op)
}

fn map_raises(func: &Function, op: Op) -> bool {
    let empty = matches!(&func.ops[op].kind, OpKind::Map(MapTarget::Reduce(spec)) if !spec.op.has_identity());
    empty || broadcasts(func, op)
}

fn reduction_raises(func: &Function, op: Op) -> bool {
    matches!(&func.ops[op].kind, OpKind::Reduce(spec) if !spec.op.has_identity())
}

fn assign_raises(func: &Function, op: Op) -> bool {
    func.ops[op].args.get(1).is_some_and(|&source| func.ty(source).rank() > 0)
}

fn range_raises(func: &Function, op: Op) -> bool {
    func.ops[op].args.get(2).is_none_or(|&step| !is_nonzero(func, step))
}

fn check_raises(func: &Function, op: Op) -> bool {
    let condition = func.ops[op].args.first();
    condition.is_none_or(|&condition| func.as_const(condition) != Some(&Literal::Bool(true)))
}

fn view_raises(func: &Function, op: Op) -> bool {
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
fn may_be_negative(func: &Function, op: Op, first: usize) -> bool {
    !func.ops[op].args.iter().skip(first).all(|&length| is_nonnegative(func, length))
}

/// Whether the value is a length, or a constant of at least 0.
fn is_nonnegative(func: &Function, value: Value) -> bool {
    let Some(op) = func.def_op(value) else { return false };
    match func.ops[op].kind {
        OpKind::Dim(_) | OpKind::ListLen => true,
        OpKind::Const(Literal::Int(value)) => value >= 0,
        _ => false,
    }
}

fn is_nonzero(func: &Function, value: Value) -> bool {
    matches!(func.as_const(value), Some(Literal::Int(step)) if *step != 0)
}

/// Whether a random number is drawn from the stream of `np.random`, which all code of a thread shares.
fn draws_from_stream(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let of_generator = data.args.first().is_some_and(|&first| func.ty(first).is_array());
    matches!(data.kind, OpKind::Lib(LibOp::Draw(_))) && !of_generator
}
