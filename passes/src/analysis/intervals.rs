//! Constant ranges of integers, operation by operation.

use pydd_ir::interval::Interval;
use pydd_ir::{DType, ElemOp, Function, Literal, Op, OpKind, Type, Value};

use super::known::LONGEST;

/// How many operations [`of_value`] looks through.
const DEEPEST: u32 = 8;

/// The range of a value, by how it is made.
#[must_use]
pub fn of_value(func: &Function, value: Value) -> Interval {
    fn within(func: &Function, value: Value, depth: u32) -> Interval {
        let limits = limits(func.ty(value)).unwrap_or(Interval::I64);
        match func.def_op(value) {
            Some(op) if depth < DEEPEST => {
                of_result(func, op, limits, &|operand| within(func, operand, depth + 1))
            }
            _ => limits,
        }
    }
    within(func, value, 0)
}

/// The range of an operation's only result by those of its operands; `limits` are its type's.
#[must_use]
pub fn of_result(func: &Function, op: Op, limits: Interval, of: &dyn Fn(Value) -> Interval) -> Interval {
    let data = &func.ops[op];
    let exact = match &data.kind {
        OpKind::Const(Literal::Int(value)) => Interval::exactly(i128::from(*value)),
        OpKind::Dim(_) | OpKind::ListLen => Interval::new(0, LONGEST),
        OpKind::Cast => match func.ty(data.args[0]) {
            Type::BOOL => Interval::new(0, 1),
            ty if self::limits(ty).is_some() => of(data.args[0]),
            _ => limits,
        },
        OpKind::Elem(elem) => of_elem(*elem, &|index| of(data.args[index]), limits),
        _ => limits,
    };
    // What may overflow may be anything.
    if limits.contains(exact) { exact } else { limits }
}

/// Before wrapping.
fn of_elem(elem: ElemOp, of: &dyn Fn(usize) -> Interval, limits: Interval) -> Interval {
    match elem {
        ElemOp::Add => of(0).plus(of(1)),
        ElemOp::Sub => of(0).plus(of(1).negated()),
        ElemOp::Mul => of(0).times(of(1)),
        ElemOp::Neg => of(0).negated(),
        ElemOp::Min => Interval::new(of(0).low.min(of(1).low), of(0).high.min(of(1).high)),
        ElemOp::Max => Interval::new(of(0).low.max(of(1).low), of(0).high.max(of(1).high)),
        ElemOp::Select => of(1).union(of(2)),
        ElemOp::Abs => {
            let (x, y) = (of(0), of(0).negated());
            Interval::new(x.low.max(y.low).max(0), x.high.max(y.high))
        }
        // In code that is never reached an interval may be empty: its high end is below the low one.
        ElemOp::FloorDiv if of(1).low.min(of(1).high) > 0 => floor_quotient(of(0), of(1)),
        ElemOp::Mod if of(1).low > 0 => Interval::new(0, of(1).high - 1),
        ElemOp::Fmod if of(1).low > 0 && of(0).low >= 0 => Interval::new(0, of(1).high - 1),
        ElemOp::And if of(1).low >= 0 => Interval::new(0, of(1).high),
        ElemOp::And if of(0).low >= 0 => Interval::new(0, of(0).high),
        ElemOp::Shr if of(0).low >= 0 => Interval::new(0, of(0).high),
        ElemOp::Sign => Interval::new(-1, 1),
        _ => limits,
    }
}

fn floor_quotient(a: Interval, b: Interval) -> Interval {
    let ends = [
        a.low.div_euclid(b.low),
        a.low.div_euclid(b.high),
        a.high.div_euclid(b.low),
        a.high.div_euclid(b.high),
    ];
    Interval::new(*ends.iter().min().expect("four"), *ends.iter().max().expect("four"))
}

/// The least and the greatest number of an integer type that int64 can hold.
#[must_use]
pub fn limits(ty: Type) -> Option<Interval> {
    let Type::Scalar(dtype) = ty else { return None };
    match dtype {
        DType::I8 | DType::I16 | DType::I32 | DType::I64 => {
            let half = 1 << (8 * dtype.size() - 1);
            Some(Interval::new(-half, half - 1))
        }
        DType::U8 | DType::U16 | DType::U32 => Some(Interval::new(0, (1 << (8 * dtype.size())) - 1)),
        _ => None,
    }
}
