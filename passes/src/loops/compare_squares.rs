//! Compares squares where roots are compared with a constant.
//!
//! ```text
//! %r: f64 = abs %z                 %s: f64 = %x * %x + %y * %y, the parts of %z
//! %b: bool = le %r, 2.0     ⇒     %b: bool = le %s, 4.0
//! ```
//!
//! A root takes longer than all else of many a loop (`np.abs(z) <= 2`). The size of a complex number is the rounded root of the sum of
//! its squares, and rounded roots rise with what they are the roots of: so there is a number up to which all roots are below the bound,
//! and it is computed here. Infinite parts are asked for where a large size is looked for, since the squares of infinity and NaN add up to
//! NaN.
//!
//! Bounds are such that no square that decides overflows or vanishes. A root that is used otherwise stays, and so does its comparison.

use pydd_ir::rewrite::{Uses, erase_op, insert_before};
use pydd_ir::{Block, Builder, DType, ElemOp, Function, Level, Literal, Module, Op, OpKind, Type, Value};

use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "compare-squares",
    summary: "compare squares in place of roots",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Bounds whose squares are far from the ends of float64.
const BOUNDS: std::ops::Range<f64> = 1e-130..1e140;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    for func in module.funcs.values_mut().filter(|func| func.level == Level::Loop) {
        let uses = Uses::new(func);
        let found: Vec<(Op, Comparison)> =
            func.all_ops().into_iter().filter_map(|op| Some((op, find(func, &uses, op)?))).collect();
        for (op, comparison) in found {
            square(func, op, &comparison);
        }
    }
    Ok(())
}

/// A root on the left of a comparison.
struct Comparison {
    by: ElemOp,
    root: ElemOp,
    /// The operation that makes it, of what it is the root of, or the size of.
    made: Op,
    of: Value,
    bound: f64,
}

fn find(func: &Function, uses: &Uses, op: Op) -> Option<Comparison> {
    let data = &func.ops[op];
    let &OpKind::Elem(by) = &data.kind else { return None };
    let &[left, right] = &data.args[..] else { return None };
    if !matches!(by, ElemOp::Lt | ElemOp::Le | ElemOp::Gt | ElemOp::Ge) {
        return None;
    }
    let bound = |value: Value| match func.as_const(value)? {
        Literal::Float(bits) => Some(f64::from_bits(*bits)).filter(|bound| BOUNDS.contains(bound)),
        _ => None,
    };
    let root = |value: Value| {
        let made = func.def_op(value)?;
        let root = &func.ops[made];
        let &OpKind::Elem(elem) = &root.kind else { return None };
        let of = root.args[0];
        let is_root = match elem {
            ElemOp::Abs => func.ty(of) == Type::Scalar(DType::C128),
            ElemOp::Sqrt => func.ty(of) == Type::Scalar(DType::F64),
            _ => false,
        };
        (is_root && uses.of(value).len() == 1).then_some((elem, made, of))
    };
    if let (Some((root, made, of)), Some(bound)) = (root(left), bound(right)) {
        return Some(Comparison { by, root, made, of, bound });
    }
    let ((root, made, of), bound) = (root(right)?, bound(left)?);
    Some(Comparison { by: by.exchanged(), root, made, of, bound })
}

fn square(func: &mut Function, op: Op, comparison: &Comparison) {
    let &Comparison { by, root, made, of, bound } = comparison;
    let is_large = matches!(by, ElemOp::Gt | ElemOp::Ge);
    let last = last_below(bound, matches!(by, ElemOp::Le | ElemOp::Gt));
    let block = func.new_block();
    let mut b = Builder::new(func, block);
    b.loc = b.func.ops[op].loc;
    let squares = if root == ElemOp::Sqrt { of } else { sum_of_squares(&mut b, of) };
    let last = b.number(last, DType::F64);
    let within = if is_large { ElemOp::Gt } else { ElemOp::Le };
    let mut answer = (within, [squares, last]);
    // What has no root, and sizes that are infinite beside a part that is NaN.
    let more = match (root, is_large) {
        (ElemOp::Sqrt, false) => {
            let zero = b.number(0.0, DType::F64);
            Some((ElemOp::And, b.elem(ElemOp::Ge, &[squares, zero])))
        }
        (ElemOp::Abs, true) => Some((ElemOp::Or, b.elem(ElemOp::IsInf, &[of]))),
        _ => None,
    };
    if let Some((both, other)) = more {
        let first = b.elem(answer.0, &answer.1);
        answer = (both, [first, other]);
    }
    move_before(func, block, op);
    func.ops[op].kind = OpKind::Elem(answer.0);
    func.ops[op].args = answer.1.to_vec();
    erase_op(func, made);
}

fn sum_of_squares(b: &mut Builder<'_>, of: Value) -> Value {
    let mut square = |part| {
        let part = b.elem(part, &[of]);
        b.elem(ElemOp::Mul, &[part, part])
    };
    let (x, y) = (square(ElemOp::Re), square(ElemOp::Im));
    b.elem(ElemOp::Add, &[x, y])
}

fn move_before(func: &mut Function, block: Block, op: Op) {
    for made in std::mem::take(&mut func.blocks[block].ops) {
        insert_before(func, made, op);
    }
}

/// The greatest number whose root is below a bound, or equal to it.
fn last_below(bound: f64, or_equal: bool) -> f64 {
    let below = |square: f64| if or_equal { square.sqrt() <= bound } else { square.sqrt() < bound };
    let mut last = bound * bound;
    while below(last.next_up()) {
        last = last.next_up();
    }
    while !below(last) {
        last = last.next_down();
    }
    last
}

#[cfg(test)]
mod tests {
    use super::last_below;

    #[test]
    fn roots_are_below_up_to_the_last() {
        for bound in [2.0, 1.0, 3.0, 0.1, 1e-129, 9e139, 1.000_000_000_1, 7.3] {
            let last = last_below(bound, true);
            assert!(last.sqrt() <= bound && last.next_up().sqrt() > bound, "{bound}");
            let last = last_below(bound, false);
            assert!(last.sqrt() < bound && last.next_up().sqrt() >= bound, "{bound}");
        }
    }
}
