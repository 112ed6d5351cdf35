//! Names that statements assign and expressions read, without types.

use crate::syntax::ast::{Expr, ExprKind, Stmt, StmtKind};

/// Calls `visit` for each name that the statements assign, also more than once.
pub fn assigned(body: &[Stmt], visit: &mut impl FnMut(&str)) {
    assigned_at(body, &mut |name, _| visit(name));
}

/// As [`assigned`], with the place.
pub fn assigned_at(body: &[Stmt], visit: &mut impl FnMut(&str, &Expr)) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign { targets, .. } => targets.iter().for_each(|t| target(t, visit)),
            StmtKind::Declare { target: t, .. } | StmtKind::AugAssign { target: t, .. } => target(t, visit),
            StmtKind::If { branches, orelse } => {
                branches.iter().for_each(|b| assigned_at(&b.body, visit));
                assigned_at(orelse, visit);
            }
            StmtKind::While { body, orelse, .. } => {
                assigned_at(body, visit);
                assigned_at(orelse, visit);
            }
            StmtKind::For(for_) => {
                target(&for_.target, visit);
                assigned_at(&for_.body, visit);
                assigned_at(&for_.orelse, visit);
            }
            StmtKind::Block { body, .. } => assigned_at(body, visit),
            _ => {}
        }
    }
}

/// The names in a target.
pub fn target(expr: &Expr, visit: &mut impl FnMut(&str, &Expr)) {
    match &expr.kind {
        ExprKind::Name(name) => visit(name, expr),
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| target(item, visit)),
        _ => {}
    }
}
