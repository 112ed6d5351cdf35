//! Whether a variable is the only name of the dicts and sets that are assigned to it, as far as the text tells.

use crate::syntax::ast::{Expr, ExprKind, FunctionDef, StmtKind};
use crate::syntax::visit;
use pydd_ir::catalogue::{self, Algebra, Builtin, DictOp, Space};

/// Whether `name` is no parameter, is only assigned new dicts and sets, and is given to no other name. `is_library`
/// tells whether a bare name is a function of the library.
pub fn is_own(def: &FunctionDef, name: &str, is_library: &dyn Fn(&str) -> bool) -> bool {
    if def.params.iter().any(|param| param.name.name == name) {
        return false;
    }
    let mut own = true;
    visit::walk_stmts(&def.body, &mut |stmt| {
        let (targets, value) = match &stmt.kind {
            StmtKind::Assign { targets, value, .. } => (targets.as_slice(), value),
            StmtKind::Declare { target, value: Some(value), .. } => (std::slice::from_ref(target), value),
            StmtKind::For(for_) => (std::slice::from_ref(&for_.target), &for_.iter),
            _ => return,
        };
        let to_it = targets.iter().flat_map(visit::target_names).any(|target| target == name);
        let single = matches!(targets, [Expr { kind: ExprKind::Name(_), .. }]);
        own &= !to_it || single && makes(value, is_library);
    });
    visit::walk_stmts(&def.body, &mut |stmt| {
        // That a variable is assigned to another one is a value that names it, which is no target.
        let assigned = match &stmt.kind {
            StmtKind::Assign { value, .. } => !is_name(value, name),
            StmtKind::Declare { value, .. } => value.as_ref().is_none_or(|value| !is_name(value, name)),
            StmtKind::AugAssign { value, .. } => !is_name(value, name),
            _ => false,
        };
        let given_back = matches!(stmt.kind, StmtKind::Return(_));
        let gone_over = match &stmt.kind {
            StmtKind::For(for_) => is_name(&for_.iter, name),
            _ => false,
        };
        for expr in visit::exprs(stmt) {
            let alone = assigned && is_name(expr, name);
            own &= given_back
                || gone_over
                || alone
                || is_target(expr, name)
                || !hands_on(expr, name, is_library);
        }
    });
    own
}

fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(own) if own == name)
}

/// `name[…]`.
fn is_target(expr: &Expr, name: &str) -> bool {
    match &expr.kind {
        ExprKind::Subscript { value, indices, .. } => {
            is_name(value, name) && indices.iter().all(|index| !mentions(index, name))
        }
        _ => false,
    }
}

fn mentions(expr: &Expr, name: &str) -> bool {
    let mut found = false;
    visit::walk_expr(expr, &mut |expr| found |= is_name(expr, name));
    found
}

/// Whether an expression gives a new dict or set.
fn makes(value: &Expr, is_library: &dyn Fn(&str) -> bool) -> bool {
    match &value.kind {
        ExprKind::Dict(_) | ExprKind::Set(_) | ExprKind::Comprehension { .. } | ExprKind::Binary { .. } => {
            true
        }
        ExprKind::Call { func, .. } => match &func.kind {
            ExprKind::Name(callee) => is_library(callee),
            ExprKind::Attribute { attr, .. } => {
                let makes = |found: catalogue::Found| {
                    matches!(found.entry.algebra, Algebra::Builtin(Builtin::Dict(DictOp::DefaultDict)))
                };
                catalogue::makes_new_dict(&attr.name)
                    || catalogue::find(Space::Collections, &attr.name).is_some_and(makes)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether the dict itself may become the value of something else: anything but `d[…]`, `d.method(…)`, `x in d`, and a
/// library function of it.
fn hands_on(expr: &Expr, name: &str, is_library: &dyn Fn(&str) -> bool) -> bool {
    let inner = |expr: &Expr| hands_on(expr, name, is_library);
    match &expr.kind {
        ExprKind::Name(own) => own == name,
        ExprKind::Subscript { value, indices, .. } => {
            !is_name(value, name) && inner(value) || indices.iter().any(inner)
        }
        ExprKind::Compare { first, rest } => {
            let operands = std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand));
            operands.into_iter().any(|operand| !is_name(operand, name) && inner(operand))
        }
        ExprKind::Call { func, args, keywords } => {
            let plain = matches!(&func.kind, ExprKind::Name(callee) if is_library(callee));
            let receiver = match &func.kind {
                ExprKind::Attribute { value, .. } => !is_name(value, name) && inner(value),
                _ => false,
            };
            let given = args.iter().chain(keywords.iter().map(|keyword| &keyword.value));
            receiver || given.into_iter().any(|arg| !(plain && is_name(arg, name)) && inner(arg))
        }
        _ => visit::children(expr).into_iter().any(inner),
    }
}
