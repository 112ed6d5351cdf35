//! Changes to references in finished trees: calls of renumbered functions, labels.

use super::tree::{Copy, Expr, ExprKind, FuncId, Function, Label, Stmt, StmtKind};
use std::collections::BTreeMap;

/// Calls `visit` for each expression of a statement, not for those of nested statements.
fn own_exprs(stmt: &mut Stmt, visit: &mut impl FnMut(&mut Expr)) {
    match &mut stmt.kind {
        StmtKind::Set(_, value) | StmtKind::Eval(value) => visit(value),
        StmtKind::Effect(_, args) | StmtKind::Raise { payload: args, .. } => args.iter_mut().for_each(visit),
        StmtKind::If { cond, .. } => visit(cond),
        StmtKind::For { range, .. } => range.iter_mut().for_each(visit),
        StmtKind::Return(value) => value.iter_mut().for_each(visit),
        StmtKind::Loop { .. }
        | StmtKind::Scope { .. }
        | StmtKind::Edge(_)
        | StmtKind::Break(_)
        | StmtKind::Continue(_) => {}
    }
}

fn nested(stmt: &mut Stmt) -> Vec<&mut Vec<Stmt>> {
    match &mut stmt.kind {
        StmtKind::If { then, orelse, .. } => vec![then, orelse],
        StmtKind::For { body, .. } | StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => vec![body],
        _ => vec![],
    }
}

/// Makes calls name functions by their new numbers.
pub fn calls(function: &mut Function, map: &BTreeMap<FuncId, FuncId>) {
    in_block(&mut function.body, map);
    for Copy { value, .. } in function.edges.iter_mut().flatten() {
        value.iter_mut().for_each(|value| in_expr(value, map));
    }
}

fn in_block(block: &mut [Stmt], map: &BTreeMap<FuncId, FuncId>) {
    for stmt in block {
        own_exprs(stmt, &mut |expr| in_expr(expr, map));
        nested(stmt).into_iter().for_each(|block| in_block(block, map));
    }
}

fn in_expr(expr: &mut Expr, map: &BTreeMap<FuncId, FuncId>) {
    match &mut expr.kind {
        ExprKind::Call(id, args) => {
            if let Some(new) = map.get(id) {
                *id = *new;
            }
            args.iter_mut().for_each(|arg| in_expr(arg, map));
        }
        ExprKind::Op(_, args) | ExprKind::Tuple(args) => args.iter_mut().for_each(|arg| in_expr(arg, map)),
        ExprKind::If(parts) | ExprKind::Range(parts) => parts.iter_mut().for_each(|part| in_expr(part, map)),
        ExprKind::Item(tuple, _) => in_expr(tuple, map),
        ExprKind::Seq(stmts, value) => {
            in_block(stmts, map);
            in_expr(value, map);
        }
        ExprKind::Error
        | ExprKind::Static
        | ExprKind::Anything
        | ExprKind::Text(_)
        | ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::Checked { .. } => {}
    }
}

/// Turns `continue` to a label into `break` to it: what goes on is no loop but a scope.
pub fn continue_to_break(block: &mut [Stmt], label: Label) {
    for stmt in block {
        if matches!(stmt.kind, StmtKind::Continue(to) if to == label) {
            stmt.kind = StmtKind::Break(label);
        }
        nested(stmt).into_iter().for_each(|block| continue_to_break(block, label));
    }
}
