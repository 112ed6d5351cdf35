//! Shapes of code that lowering makes and several passes look for.

use pydd_ir::rewrite::Uses;
use pydd_ir::{DType, ElemOp, Function, Op, OpKind, Type, Value, ValueDef};

use super::jumps::runs_to_its_end;

/// Whether an operation is a `for` by one.
#[must_use]
pub fn counts_up(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    data.kind == OpKind::For && func.as_int(data.args[2]) == Some(1)
}

/// Whether an operation is a `for` from 0 by one.
#[must_use]
pub fn counts_from_zero(func: &Function, op: Op) -> bool {
    counts_up(func, op) && func.as_int(func.ops[op].args[0]) == Some(0)
}

/// Start, stop and step of a `for` or `pfor`, if they are constants.
#[must_use]
pub fn constant_range(func: &Function, op: Op) -> Option<[i64; 3]> {
    let args = &func.ops[op].args;
    Some([func.as_int(args[0])?, func.as_int(args[1])?, func.as_int(args[2])?])
}

/// What a raw load or store touches: an array and indices.
#[must_use]
pub fn raw_element(func: &Function, op: Op) -> Option<Vec<Value>> {
    let data = &func.ops[op];
    match data.kind {
        OpKind::LoadRaw => Some(data.args.clone()),
        OpKind::StoreRaw => Some([&data.args[..1], &data.args[2..]].concat()),
        _ => None,
    }
}

/// Whether an array, and views of it, are used by loads and stores of elements alone, all of which `suits`, and by `other`.
pub fn only_elements(
    func: &Function,
    uses: &Uses,
    array: Value,
    other: Op,
    suits: &impl Fn(Op) -> bool,
) -> bool {
    uses.of(array).iter().all(|one| {
        let data = &func.ops[one.op];
        let access = match data.kind {
            OpKind::LoadRaw => true,
            OpKind::StoreRaw => one.index == 0,
            OpKind::RawView => only_elements(func, uses, data.results[0], other, suits),
            _ => false,
        };
        one.op == other || access && suits(one.op)
    })
}

/// Whether of an array elements alone are used, be it through views, but for one use: nobody else comes to have it.
pub fn elements_alone(func: &Function, uses: &Uses, array: Value, but: Option<Op>) -> bool {
    let mut others = uses.of(array).iter().filter(|one| but != Some(one.op));
    others.all(|one| match func.ops[one.op].kind {
        OpKind::LoadRaw | OpKind::Dim(_) | OpKind::Stride(_) => true,
        OpKind::StoreRaw => one.index == 0,
        OpKind::RawView => elements_alone(func, uses, func.result(one.op), None),
        // A function of the runtime keeps nothing.
        OpKind::Lib(_) => func.ops[one.op].results.is_empty() && !func.device,
        _ => false,
    })
}

/// The parameter and its axis that a value is the length of.
#[must_use]
pub fn param_length(func: &Function, value: Value) -> Option<(Value, u8)> {
    let data = &func.ops[func.def_op(value)?];
    let OpKind::Dim(axis) = data.kind else { return None };
    let array = data.args[0];
    matches!(func.values[array].def, ValueDef::Param(block, _) if block == func.entry)
        .then_some((array, axis))
}

/// The index that `select (lt i, 0), (add i, n), i` counts from the end where it is negative; `is_length` says
/// whether `n` is what it should be.
#[must_use]
pub fn wrapped_index(func: &Function, value: Value, is_length: &dyn Fn(Value) -> bool) -> Option<Value> {
    let operands = |value: Value, wanted: ElemOp| {
        let data = &func.ops[func.def_op(value)?];
        (data.kind == OpKind::Elem(wanted)).then_some(&data.args[..])
    };
    let &[condition, from_end, index] = operands(value, ElemOp::Select)? else { return None };
    let &[compared, zero] = operands(condition, ElemOp::Lt)? else { return None };
    let &[base, added] = operands(from_end, ElemOp::Add)? else { return None };
    let is_it = compared == index && base == index && is_length(added) && func.as_int(zero) == Some(0);
    is_it.then_some(index)
}

/// The int64 operands of `lt` on their bits as unsigned numbers.
#[must_use]
pub fn unsigned_comparison(func: &Function, condition: Value) -> Option<[Value; 2]> {
    let data = &func.ops[func.def_op(condition)?];
    match (&data.kind, &data.args[..]) {
        (OpKind::Elem(ElemOp::Lt), &[a, b]) => Some([same_bits(func, a)?, same_bits(func, b)?]),
        _ => None,
    }
}

/// The int64 value that a uint64 is a cast of.
#[must_use]
pub fn same_bits(func: &Function, value: Value) -> Option<Value> {
    let data = &func.ops[func.def_op(value)?];
    let is_it = data.kind == OpKind::Cast
        && func.ty(value) == Type::Scalar(DType::U64)
        && func.ty(data.args[0]) == Type::I64;
    is_it.then(|| data.args[0])
}

/// Sums that a difference is made of.
const SUMS: usize = 4;

/// What an int64 value is a constant more than, which wraps around as the additions do.
#[must_use]
pub fn moved(func: &Function, mut value: Value) -> (Value, i64) {
    let mut more = 0_i64;
    for _ in 0..SUMS {
        let Some((base, by)) = moved_once(func, value) else { break };
        (value, more) = (base, more.wrapping_add(by));
    }
    (value, more)
}

/// The operand that an addition or subtraction adds a constant to, and the constant.
#[must_use]
pub fn moved_once(func: &Function, value: Value) -> Option<(Value, i64)> {
    let data = &func.ops[func.def_op(value)?];
    match (&data.kind, &data.args[..]) {
        (OpKind::Elem(ElemOp::Add), &[a, b]) => {
            let constant = func.as_int(b).map(|by| (a, by));
            constant.or_else(|| func.as_int(a).map(|by| (b, by)))
        }
        (OpKind::Elem(ElemOp::Sub), &[a, b]) => func.as_int(b).map(|by| (a, by.wrapping_neg())),
        _ => None,
    }
}

/// The indices of a `for` of at most so many iterations, whose operations are together no more than `longest` and that all run to their end.
#[must_use]
pub fn few_indices(func: &Function, op: Op, most: i64, longest: i64) -> Option<Vec<i64>> {
    let data = &func.ops[op];
    if data.kind != OpKind::For {
        return None;
    }
    let [start, stop, step] = constant_range(func, op)?;
    let trips = pydd_ir::cost::length(start, stop, step);
    let mut ops = 0;
    let body = data.regions[0];
    func.walk(body, &mut |_| ops += 1);
    let fits = trips <= most && trips.checked_mul(ops)? <= longest;
    (fits && runs_to_its_end(func, body)).then(|| (0..trips).map(|trip| start + trip * step).collect())
}

/// The array that a view, or a view of one, is of.
#[must_use]
pub fn viewed(func: &Function, array: Value) -> Value {
    let view = func.def_op(array).map(|op| &func.ops[op]).filter(|data| data.kind.is_view());
    view.map_or(array, |data| viewed(func, data.args[0]))
}
