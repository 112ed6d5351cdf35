//! Whether a variable is the only name of the sparse matrices that are assigned to it, as far as the text tells:
//! then a change of their structure is seen by nobody else.

use crate::syntax::ast::{Expr, ExprKind, FunctionDef, StmtKind};
use crate::syntax::visit;
use pydd_ir::catalogue::{self, Sharing};

/// Whether `name` is no parameter, is only assigned new matrices, and is given to no other name.
pub fn is_own(def: &FunctionDef, name: &str) -> bool {
    if def.params.iter().any(|param| param.name.name == name) {
        return false;
    }
    let mut own = true;
    visit::walk_stmts(&def.body, &mut |stmt| match &stmt.kind {
        StmtKind::Assign { targets, value, .. } => {
            let to_it = targets.iter().any(|target| names(target, name));
            own &= !to_it || targets.len() == 1 && makes(value);
            own &= to_it || !hands_on(value, name);
        }
        StmtKind::Declare { target, value: Some(value), .. } => {
            own &= if names(target, name) { makes(value) } else { !hands_on(value, name) };
        }
        StmtKind::For(for_) => own &= !names(&for_.target, name) && !hands_on(&for_.iter, name),
        _ => {}
    });
    own
}

/// Whether the name is a target, or part of one.
fn names(target: &Expr, name: &str) -> bool {
    match &target.kind {
        ExprKind::Name(own) => own == name,
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().any(|item| names(item, name)),
        _ => false,
    }
}

/// Whether an expression gives a matrix with arrays of its own: a call of a maker, or arithmetic.
fn makes(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Binary { .. } | ExprKind::Unary { .. } => true,
        ExprKind::Call { func, .. } => callee(func).is_some_and(|name| sharing(name) == Sharing::New),
        _ => false,
    }
}

/// Whether the matrix itself may become the value of an expression, by name or through a function.
fn hands_on(value: &Expr, name: &str) -> bool {
    match &value.kind {
        ExprKind::Name(own) => own == name,
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().any(|item| hands_on(item, name)),
        ExprKind::Conditional { then, orelse, .. } => hands_on(then, name) || hands_on(orelse, name),
        ExprKind::Logical { values, .. } => values.iter().any(|value| hands_on(value, name)),
        ExprKind::Call { func, args, .. } => {
            let shares = callee(func).is_none_or(|name| sharing(name) == Sharing::Shared);
            let method = match &func.kind {
                ExprKind::Attribute { value, .. } => hands_on(value, name),
                _ => false,
            };
            shares && (method || args.iter().any(|arg| hands_on(arg, name)))
        }
        ExprKind::Attribute { value, attr } => {
            sharing(&attr.name) == Sharing::Shared && hands_on(value, name)
        }
        _ => false,
    }
}

/// What a call names.
fn callee(func: &Expr) -> Option<&str> {
    match &func.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Attribute { attr, .. } => Some(&attr.name),
        _ => None,
    }
}

/// A function of the program may give back what it is given.
fn sharing(name: &str) -> Sharing {
    catalogue::sparse_sharing(name)
}
