//! Walks over the tree.

use super::ast::{Expr, ExprKind, Stmt, StmtKind};

/// The blocks directly inside a statement, in the order of the source; a function's body is one.
pub fn blocks(stmt: &Stmt) -> Vec<&[Stmt]> {
    match &stmt.kind {
        StmtKind::FunctionDef(function) => vec![&function.body],
        StmtKind::If { branches, orelse } => {
            let bodies = branches.iter().map(|branch| branch.body.as_slice());
            bodies.chain(std::iter::once(orelse.as_slice())).collect()
        }
        StmtKind::While { body, orelse, .. } => vec![body, orelse],
        StmtKind::For(repeat) => vec![&repeat.body, &repeat.orelse],
        StmtKind::Block { body, .. } => vec![body],
        _ => Vec::new(),
    }
}

/// The expressions directly inside a statement, targets included, those of its blocks not.
pub fn exprs(stmt: &Stmt) -> Vec<&Expr> {
    match &stmt.kind {
        StmtKind::FunctionDef(function) => {
            function.params.iter().filter_map(|param| param.default.as_ref()).collect()
        }
        StmtKind::Assign { targets, value, .. } => targets.iter().chain(std::iter::once(value)).collect(),
        StmtKind::Declare { target, value, .. } => std::iter::once(target).chain(value).collect(),
        StmtKind::AugAssign { target, value, .. } => vec![target, value],
        StmtKind::Expr(value) | StmtKind::Raise(value) => vec![value],
        StmtKind::Delete(targets) => targets.iter().collect(),
        StmtKind::Return(value) => value.iter().collect(),
        StmtKind::If { branches, .. } => branches.iter().map(|branch| &branch.test).collect(),
        StmtKind::While { test, .. } => vec![test],
        StmtKind::For(repeat) => vec![&repeat.target, &repeat.iter],
        StmtKind::Assert { test, message } => std::iter::once(test).chain(message).collect(),
        StmtKind::Import(_) | StmtKind::ImportFrom { .. } | StmtKind::Block { .. } => Vec::new(),
        StmtKind::Break | StmtKind::Continue | StmtKind::Pass | StmtKind::Error => Vec::new(),
    }
}

/// The expressions directly inside an expression, in the order of evaluation.
pub fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Unary { operand, .. } => vec![operand],
        ExprKind::Binary { left, right, .. } => vec![left, right],
        ExprKind::Logical { values, .. } => values.iter().collect(),
        ExprKind::Compare { first, rest } => {
            std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand)).collect()
        }
        ExprKind::Conditional { test, then, orelse } => vec![test, then, orelse],
        ExprKind::Call { func, args, keywords } => std::iter::once(&**func)
            .chain(args)
            .chain(keywords.iter().map(|keyword| &keyword.value))
            .collect(),
        ExprKind::Attribute { value, .. } => vec![value],
        ExprKind::Subscript { value, indices, .. } => std::iter::once(&**value).chain(indices).collect(),
        ExprKind::Slice { lower, upper, step } => {
            [lower, upper, step].into_iter().filter_map(|part| part.as_deref()).collect()
        }
        ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Set(items) => items.iter().collect(),
        ExprKind::Dict(items) => items.iter().flat_map(|(key, value)| [key, value]).collect(),
        ExprKind::Comprehension { element, clauses, .. } => {
            let inside = clauses
                .iter()
                .flat_map(|clause| [&clause.iter, &clause.target].into_iter().chain(&clause.conditions));
            inside.chain(std::iter::once(&**element)).collect()
        }
        ExprKind::Lambda { body, .. } => vec![body],
        _ => Vec::new(),
    }
}

/// Calls `visit` for an expression and all inside it, outer ones first.
pub fn walk_expr<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(expr);
    for child in children(expr) {
        walk_expr(child, visit);
    }
}

/// Calls `visit` for statements and all inside them, in the order of the source.
pub fn walk_stmts<'a>(stmts: &'a [Stmt], visit: &mut dyn FnMut(&'a Stmt)) {
    for stmt in stmts {
        visit(stmt);
        for block in blocks(stmt) {
            walk_stmts(block, visit);
        }
    }
}

/// The names that statements assign to, blocks included, in the order of their first assignment. Assignments to
/// elements and attributes bind no name.
pub fn assigned_names(stmts: &[Stmt]) -> Vec<&str> {
    let mut names = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    walk_stmts(stmts, &mut |stmt| {
        let targets: Vec<&Expr> = match &stmt.kind {
            StmtKind::Assign { targets, .. } => targets.iter().collect(),
            StmtKind::Declare { target, .. } | StmtKind::AugAssign { target, .. } => vec![target],
            StmtKind::For(repeat) => vec![&repeat.target],
            _ => Vec::new(),
        };
        for target in targets {
            for name in target_names(target) {
                if seen.insert(name) {
                    names.push(name);
                }
            }
        }
    });
    names
}

/// The names that a target binds.
pub fn target_names(target: &Expr) -> Vec<&str> {
    match &target.kind {
        ExprKind::Name(name) => vec![name],
        ExprKind::Tuple(targets) => targets.iter().flat_map(target_names).collect(),
        _ => Vec::new(),
    }
}
