//! Expressions whose value follows from types, while evaluating their operands does something all the same:
//! `len(pair(x))`, `f(x) is None`, `if f(x):`.

use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind, Stmt, StmtKind};
use pydd_ir::{LibOp, OpKind};

impl Infer<'_, '_> {
    /// A value that is known without its operands, which are evaluated if they do something.
    pub(in crate::typed) fn known(operands: Vec<Expr>, value: Expr) -> Expr {
        let acting = operands.into_iter().filter(acts);
        let before = acting.map(|operand| Stmt::new(StmtKind::Eval(operand), value.span)).collect();
        Self::seq(before, value)
    }

    /// Whether evaluating an expression calls a function of the program.
    pub(in crate::typed) fn calls_program(&self, expr: &Expr) -> bool {
        any(expr, &|part| matches!(part.kind, ExprKind::Call(id, _) if !self.session.is_prelude(id)), false)
    }
}

/// Whether evaluating an expression may do more than give a value: it calls a function, changes something, or draws a
/// random number.
fn acts(expr: &Expr) -> bool {
    let does =
        |part: &Expr| matches!(part.kind, ExprKind::Call(..) | ExprKind::Op(OpKind::Lib(LibOp::Draw(_)), _));
    any(expr, &does, true)
}

/// Whether a part of an expression is such; statements other than assignments count as `others` says.
fn any(expr: &Expr, is: &dyn Fn(&Expr) -> bool, others: bool) -> bool {
    let one = |part: &Expr| any(part, is, others);
    if is(expr) {
        return true;
    }
    match &expr.kind {
        ExprKind::Seq(before, value) => {
            let found = |stmt: &Stmt| match &stmt.kind {
                StmtKind::Set(_, value) | StmtKind::Eval(value) => one(value),
                StmtKind::Effect(_, args) => others || args.iter().any(one),
                _ => others,
            };
            before.iter().any(found) || one(value)
        }
        ExprKind::Op(_, parts) | ExprKind::Tuple(parts) | ExprKind::Call(_, parts) => parts.iter().any(one),
        ExprKind::If(parts) | ExprKind::Range(parts) => parts.iter().any(one),
        ExprKind::Item(tuple, _) => one(tuple),
        ExprKind::Error
        | ExprKind::Static
        | ExprKind::Anything
        | ExprKind::Text(_)
        | ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::Checked { .. } => false,
    }
}
