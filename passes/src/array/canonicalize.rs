//! Brings code into the form that other passes and people expect: constants folded, lengths followed to
//! where they come from, branches that are decided taken, scopes that need none dissolved.
//!
//! ```text
//! %3: array<f64, 1> = zeros %n
//! %4: i64 = dim[0] %3
//! %5: i64 = const 2
//! %6: i64 = mul %5, %5
//!     ⇒
//! %3: array<f64, 1> = zeros %n
//! %6: i64 = const 4        and %n wherever %4 stood
//! ```
//!
//! Elementwise operations, reductions and assignments take `a` in place of `a[:]`. It does not reassociate, and folds no floats: the backends do, with the options for floats at hand.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::rewrite::{Replacements, erase_ops, splice_blocks};
use pydd_ir::{Block, DType, ElemOp, Function, IndexItem, Level, Literal, Module, Op, OpKind, Type, Value};

use crate::array::each_function;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "canonicalize",
    summary: "fold constants, follow lengths, take decided branches",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O1),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    each_function(module, |func, _| while round(func) {});
    Ok(())
}

/// What an operation turns out to be.
enum Found {
    /// Its one result is this value.
    Value(Value),
    /// Its one result is this constant.
    Const(Literal),
    /// This region of it is run, once, and ends normally.
    Region(Block),
}

/// Goes over all operations once; whether anything changed.
fn round(func: &mut Function) -> bool {
    let mut replacements = Replacements::default();
    let mut gone = BTreeSet::new();
    let mut spliced = BTreeMap::new();
    let mut changed = false;
    for op in func.all_ops() {
        // Operands are looked at as they will be.
        for i in 0..func.ops[op].args.len() {
            func.ops[op].args[i] = replacements.resolve(func.ops[op].args[i]);
        }
        changed |= read_wholes(func, op);
        let Some(found) = simplify(func, op) else { continue };
        changed = true;
        match found {
            Found::Value(value) => {
                replacements.replace(func.result(op), value);
                gone.insert(op);
            }
            Found::Const(literal) => make_const(func, op, literal),
            Found::Region(region) => {
                let end = func.terminator(region).expect("a block ends with a terminator");
                replacements.replace_all(&func.ops[op].results, &func.ops[end].args);
                spliced.insert(op, region);
            }
        }
    }
    splice_blocks(func, &spliced);
    replacements.apply(func);
    erase_ops(func, &gone);
    changed
}

/// Elements of `a[:]` are those of `a`, for what asks of an operand nothing but its elements. Whether there were any.
fn read_wholes(func: &mut Function, op: Op) -> bool {
    let data = &func.ops[op];
    if !matches!(data.kind, OpKind::Assign | OpKind::Elem(_) | OpKind::Cast | OpKind::Reduce(_)) {
        return false;
    }
    let whole = |value: Value| {
        let made = &func.ops[func.def_op(value)?];
        let full = |item: &IndexItem| *item == IndexItem::Slice { start: false, stop: false, step: false };
        matches!(&made.kind, OpKind::View(items) if items.iter().all(full)).then(|| made.args[0])
    };
    let wholes: Vec<Option<Value>> = data.args.iter().map(|&arg| whole(arg)).collect();
    for (arg, whole) in func.ops[op].args.iter_mut().zip(&wholes) {
        *arg = whole.unwrap_or(*arg);
    }
    wholes.iter().any(Option::is_some)
}

fn make_const(func: &mut Function, op: Op, literal: Literal) {
    func.ops[op].kind = OpKind::Const(literal);
    func.ops[op].args.clear();
}

fn simplify(func: &Function, op: Op) -> Option<Found> {
    let data = &func.ops[op];
    match &data.kind {
        OpKind::Elem(elem) if func.ty(data.results[0]).is_scalar() => scalar(func, *elem, &data.args),
        OpKind::Cast => cast(func, data.args[0], func.ty(data.results[0])),
        OpKind::Dim(axis) => length(func, data.args[0], *axis),
        OpKind::If => decided(func, op),
        OpKind::Scope => straight_scope(func, data.regions[0]),
        _ => None,
    }
}

fn int(func: &Function, value: Value) -> Option<i64> {
    func.as_int(value).filter(|_| func.ty(value) == Type::I64)
}

fn boolean(func: &Function, value: Value) -> Option<bool> {
    match func.as_const(value)? {
        Literal::Bool(b) => Some(*b),
        _ => None,
    }
}

fn scalar(func: &Function, elem: ElemOp, args: &[Value]) -> Option<Found> {
    match *args {
        [a] if elem == ElemOp::Not => boolean(func, a).map(|b| Found::Const(Literal::Bool(!b))),
        [a] if elem == ElemOp::Neg => int(func, a).map(|v| Found::Const(Literal::Int(v.wrapping_neg()))),
        [a, b] => match (int(func, a), int(func, b)) {
            (Some(x), Some(y)) => fold_ints(elem, x, y).map(Found::Const),
            (x, y) => neutral(func, elem, [a, b], [x, y]).or_else(|| logic(func, elem, a, b)),
        },
        [c, a, b] if elem == ElemOp::Select => match boolean(func, c) {
            Some(c) => Some(Found::Value(if c { a } else { b })),
            None => {
                (a == b || int(func, a).is_some() && int(func, a) == int(func, b)).then_some(Found::Value(a))
            }
        },
        _ => None,
    }
}

fn fold_ints(elem: ElemOp, x: i64, y: i64) -> Option<Literal> {
    Some(match elem {
        ElemOp::Add => Literal::Int(x.wrapping_add(y)),
        ElemOp::Sub => Literal::Int(x.wrapping_sub(y)),
        ElemOp::Mul => Literal::Int(x.wrapping_mul(y)),
        ElemOp::Min => Literal::Int(x.min(y)),
        ElemOp::Max => Literal::Int(x.max(y)),
        ElemOp::Eq => Literal::Bool(x == y),
        ElemOp::Ne => Literal::Bool(x != y),
        ElemOp::Lt => Literal::Bool(x < y),
        ElemOp::Le => Literal::Bool(x <= y),
        ElemOp::Gt => Literal::Bool(x > y),
        ElemOp::Ge => Literal::Bool(x >= y),
        ElemOp::And => Literal::Int(x & y),
        ElemOp::Or => Literal::Int(x | y),
        ElemOp::Xor => Literal::Int(x ^ y),
        ElemOp::FloorDiv if y > 0 => Literal::Int(x.div_euclid(y)),
        ElemOp::Mod if y > 0 => Literal::Int(x.rem_euclid(y)),
        _ => return None,
    })
}

/// `x + 0`, `x - 0`, `x * 1`, `x // 1` of int64.
fn neutral(func: &Function, elem: ElemOp, [a, b]: [Value; 2], [x, y]: [Option<i64>; 2]) -> Option<Found> {
    if func.ty(a) != Type::I64 {
        return None;
    }
    match (elem, x, y) {
        (ElemOp::Add | ElemOp::Sub, _, Some(0)) | (ElemOp::Mul | ElemOp::FloorDiv, _, Some(1)) => {
            Some(Found::Value(a))
        }
        (ElemOp::Add, Some(0), _) | (ElemOp::Mul, Some(1), _) => Some(Found::Value(b)),
        _ => None,
    }
}

/// `and`, `or` and comparisons of a bool with a constant, and comparisons of an integer with itself.
fn logic(func: &Function, elem: ElemOp, a: Value, b: Value) -> Option<Found> {
    if a == b && func.ty(a) == Type::I64 {
        return match elem {
            ElemOp::Eq | ElemOp::Le | ElemOp::Ge => Some(Found::Const(Literal::Bool(true))),
            ElemOp::Ne | ElemOp::Lt | ElemOp::Gt => Some(Found::Const(Literal::Bool(false))),
            _ => None,
        };
    }
    let (constant, other) = match (boolean(func, a), boolean(func, b)) {
        (Some(c), _) => (c, b),
        (_, Some(c)) => (c, a),
        _ => return None,
    };
    match (elem, constant) {
        (ElemOp::And, true) | (ElemOp::Or, false) => Some(Found::Value(other)),
        (ElemOp::And, false) | (ElemOp::Or, true) => Some(Found::Const(Literal::Bool(constant))),
        _ => None,
    }
}

/// Conversions of a scalar to its own type, and of integer constants to int64 and floats that hold them.
fn cast(func: &Function, from: Value, to: Type) -> Option<Found> {
    if func.ty(from) == to && to.is_scalar() {
        return Some(Found::Value(from));
    }
    // A negative constant of uint64 stands for a great number.
    let unsigned = func.ty(from) == Type::Scalar(DType::U64);
    let exact = |v: i64| v.unsigned_abs() <= 1 << 24 && !(unsigned && v < 0);
    match (func.as_const(from)?, to) {
        #[allow(clippy::cast_precision_loss, reason = "exact by the test")]
        (Literal::Int(v), Type::Scalar(d)) if d.is_float() && exact(*v) => {
            Some(Found::Const(Literal::float(*v as f64)))
        }
        (Literal::Bool(b), Type::Scalar(d)) if d.is_int() => Some(Found::Const(Literal::Int(i64::from(*b)))),
        _ => None,
    }
}

/// Where the length of an axis comes from.
fn length(func: &Function, array: Value, axis: u8) -> Option<Found> {
    let data = &func.ops[func.def_op(array)?];
    let axis = usize::from(axis);
    let same_axis_of = |source: Value, axis: usize| existing_dim(func, source, axis).map(Found::Value);
    match &data.kind {
        OpKind::Empty | OpKind::EmptyStrided | OpKind::Zeros | OpKind::BroadcastTo => {
            let first = usize::from(data.kind == OpKind::BroadcastTo);
            Some(Found::Value(data.args[first + axis]))
        }
        OpKind::Windows => match axis {
            0 => None,
            _ if axis < usize::from(func.ty(data.args[0]).rank()) => same_axis_of(data.args[0], axis),
            _ => Some(Found::Value(data.args[1])),
        },
        OpKind::Full => Some(Found::Value(data.args[1 + axis])),
        OpKind::Copy | OpKind::KeepOrder | OpKind::Cast | OpKind::Part(_) | OpKind::ReadOnly => {
            same_axis_of(data.args[0], axis)
        }
        OpKind::Transpose(order) => same_axis_of(data.args[0], usize::from(order[axis])),
        OpKind::View(items) => match view_axis(func, data.args[0], items, axis)? {
            Axis::Source(axis) => same_axis_of(data.args[0], axis),
            Axis::New => Some(Found::Const(Literal::Int(1))),
            Axis::Sliced => None,
        },
        _ => None,
    }
}

enum Axis {
    /// The source's axis as it is.
    Source(usize),
    New,
    Sliced,
}

fn view_axis(func: &Function, source: Value, items: &[IndexItem], axis: usize) -> Option<Axis> {
    let (mut from, mut to) = (0, 0);
    for item in items {
        let here = match item {
            IndexItem::At => {
                from += 1;
                continue;
            }
            IndexItem::New => Axis::New,
            IndexItem::Slice { start: false, stop: false, step: false } => Axis::Source(from),
            IndexItem::Slice { .. } => Axis::Sliced,
        };
        if to == axis {
            return Some(here);
        }
        from += usize::from(!matches!(item, IndexItem::New));
        to += 1;
    }
    let source_axis = from + (axis - to);
    (source_axis < usize::from(func.ty(source).rank())).then_some(Axis::Source(source_axis))
}

/// A value that is the length of an axis and exists already, where the source is made of lengths.
fn existing_dim(func: &Function, source: Value, axis: usize) -> Option<Value> {
    let data = &func.ops[func.def_op(source)?];
    match &data.kind {
        OpKind::Empty | OpKind::EmptyStrided | OpKind::Zeros => Some(data.args[axis]),
        OpKind::Full => Some(data.args[1 + axis]),
        OpKind::Copy | OpKind::KeepOrder | OpKind::Cast => existing_dim(func, data.args[0], axis),
        OpKind::Transpose(order) => existing_dim(func, data.args[0], usize::from(order[axis])),
        _ => None,
    }
}

fn decided(func: &Function, op: Op) -> Option<Found> {
    let data = &func.ops[op];
    let region = data.regions[usize::from(!boolean(func, data.args[0])?)];
    let last = func.terminator(region)?;
    (func.ops[last].kind == OpKind::Yield).then_some(Found::Region(region))
}

/// A scope that is left only at its end.
fn straight_scope(func: &Function, region: Block) -> Option<Found> {
    let last = func.terminator(region)?;
    if func.ops[last].kind != OpKind::Break(0) {
        return None;
    }
    // Jumps from within to anything outside count the scope, so there must be none.
    (!jumps_out(func, region, 0, last)).then_some(Found::Region(region))
}

/// Whether an operation other than `except` leaves the breakable operation `depth` up, or one further out.
fn jumps_out(func: &Function, block: Block, depth: u32, except: Op) -> bool {
    func.blocks[block].ops.iter().any(|&op| {
        let data = &func.ops[op];
        let out = match data.kind {
            OpKind::Break(d) | OpKind::Continue(d) => d >= depth && op != except,
            _ => false,
        };
        let inner = depth + u32::from(data.kind.is_breakable());
        out || data.regions.iter().any(|&region| jumps_out(func, region, inner, except))
    })
}
