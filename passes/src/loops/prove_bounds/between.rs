//! Two comparisons that ask for a value in `0..length`.
//!
//! ```text
//! %c = ge %i, 0
//! %r = if %c { yield (lt %i, %n) } else { yield false }      ⇒      %r = lt %i, %n as unsigned
//! ```

use pydd_ir::rewrite::build_before;
use pydd_ir::{Block, DType, ElemOp, Function, Literal, Op, OpKind, Type, Value};

/// The value and the length, where a branch asks only for this; it is right where the length is not negative.
pub(super) fn bounds(func: &Function, op: Op) -> Option<(Value, Value)> {
    let data = &func.ops[op];
    let (&[condition], &[then, otherwise]) = (&data.args[..], &data.regions[..]) else { return None };
    let value = not_negative(func, condition)?;
    let no = yielded(func, otherwise)?;
    let inner = yielded(func, then)?;
    let alone = func.blocks[then].ops.len() == 2 && func.blocks[otherwise].ops.len() <= 2;
    let comparison = &func.ops[func.def_op(inner)?];
    match (&comparison.kind, &comparison.args[..]) {
        (OpKind::Elem(ElemOp::Lt), &[index, length]) | (OpKind::Elem(ElemOp::Gt), &[length, index])
            if index == value && alone && func.as_const(no) == Some(&Literal::Bool(false)) =>
        {
            Some((value, length))
        }
        _ => None,
    }
}

/// What is asked to be at least 0, of int64.
fn not_negative(func: &Function, condition: Value) -> Option<Value> {
    let data = &func.ops[func.def_op(condition)?];
    let (value, zero) = match (&data.kind, &data.args[..]) {
        (OpKind::Elem(ElemOp::Ge), &[value, zero]) | (OpKind::Elem(ElemOp::Le), &[zero, value]) => {
            (value, zero)
        }
        _ => return None,
    };
    (func.ty(value) == Type::I64 && func.as_int(zero) == Some(0)).then_some(value)
}

/// The one value with which a region ends.
fn yielded(func: &Function, region: Block) -> Option<Value> {
    let last = &func.ops[*func.blocks[region].ops.last()?];
    match (&last.kind, &last.args[..]) {
        (OpKind::Yield, &[value]) => Some(value),
        _ => None,
    }
}

/// Puts the comparison before the branch, which is then of no use.
pub(super) fn compare_once(func: &mut Function, op: Op, value: Value, length: Value) -> Value {
    build_before(func, op, |b| {
        let (value, length) = (b.cast(value, DType::U64), b.cast(length, DType::U64));
        b.elem(ElemOp::Lt, &[value, length])
    })
}
