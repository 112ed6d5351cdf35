//! Computes with matrices before they are transposed, where a product takes the result.
//!
//! ```text
//! %t = transpose[1, 0] %a              %u = mul %s, %a
//! %u = mul %s, %t                ⇒     %v = transpose[1, 0] %u
//! %y = matmul %u, %x                   %y = matmul %v, %x
//! ```
//!
//! `step * A.T @ r`, as gradients are written, is `(step * A.T) @ r`: the elements are computed as the matrix lies, and the product knows
//! that its operand is a transposed matrix. Each element is what it was. Results that somebody else sees stay as they are, and so do those of arrays that
//! are not all transposed alike. A product may add up what it has of a transposed matrix in another
//! order: under `--strict-fp` nothing changes.

use pydd_ir::rewrite::{Uses, build_before, replace_op};
use pydd_ir::{Function, Level, LibOp, Module, Op, OpKind, Value};

use crate::array::each_function;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "transpose-last",
    summary: "compute with matrices before they are transposed for a product",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    if cx.options.strict_fp {
        return Ok(());
    }
    each_function(module, |func, _| {
        if !func.all_ops().iter().any(|&op| matches!(func.ops[op].kind, OpKind::Transpose(_))) {
            return;
        }
        for op in func.all_ops() {
            if let Some(found) = find(func, op) {
                rewrite(func, op, &found);
            }
        }
    });
    Ok(())
}

/// What an operation's operands are before they are transposed, and how that is.
struct Found {
    args: Vec<Value>,
    axes: Vec<u8>,
}

fn find(func: &Function, op: Op) -> Option<Found> {
    let data = &func.ops[op];
    let is_elementwise = matches!(data.kind, OpKind::Elem(_) | OpKind::Cast);
    if !is_elementwise || !func.ty(data.results[0]).is_array() {
        return None;
    }
    let mut axes: Option<&Vec<u8>> = None;
    let mut args = Vec::new();
    for &arg in &data.args {
        if func.ty(arg).is_scalar() {
            args.push(arg);
            continue;
        }
        let made = &func.ops[func.def_op(arg)?];
        let OpKind::Transpose(own) = &made.kind else { return None };
        if axes.is_some_and(|axes| axes != own) {
            return None;
        }
        axes = Some(own);
        args.push(made.args[0]);
    }
    let uses = Uses::new(func);
    let is_factor = |op: Op| func.ops[op].kind == OpKind::Lib(LibOp::Matmul);
    let all = uses.of(data.results[0]);
    let used = !all.is_empty() && all.iter().all(|one| is_factor(one.op));
    used.then_some(Found { args, axes: axes?.clone() })
}

fn rewrite(func: &mut Function, op: Op, found: &Found) {
    let data = func.ops[op].clone();
    let ty = func.ty(data.results[0]);
    let transposed = build_before(func, op, |b| {
        let value = b.value(data.kind, found.args.clone(), ty);
        b.value(OpKind::Transpose(found.axes.clone()), vec![value], ty)
    });
    replace_op(func, op, &[transposed]);
}
