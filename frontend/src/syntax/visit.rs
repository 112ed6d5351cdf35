//! Walks over the tree.

use super::ast::{Expr, ExprKind, Stmt, StmtKind};
use crate::source::Span;

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
        StmtKind::Import(_)
        | StmtKind::ImportFrom { .. }
        | StmtKind::Class { .. }
        | StmtKind::Alias { .. }
        | StmtKind::Block { .. } => Vec::new(),
        StmtKind::Break | StmtKind::Continue | StmtKind::Pass | StmtKind::Error => Vec::new(),
    }
}

/// The expressions directly inside an expression, in the order of evaluation.
pub fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Unary { operand, .. } => vec![operand],
        ExprKind::Binary { left, right, .. } => vec![left, right],
        ExprKind::Logical { values, .. } | ExprKind::Format { values, .. } => values.iter().collect(),
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
        ExprKind::Lambda { body, .. } | ExprKind::Starred(body) => vec![body],
        _ => Vec::new(),
    }
}

/// As [`blocks`], to change them.
pub fn blocks_mut(stmt: &mut Stmt, visit: &mut dyn FnMut(&mut [Stmt])) {
    match &mut stmt.kind {
        StmtKind::FunctionDef(function) => visit(&mut function.body),
        StmtKind::If { branches, orelse } => {
            branches.iter_mut().for_each(|branch| visit(&mut branch.body));
            visit(orelse);
        }
        StmtKind::While { body, orelse, .. } => [body, orelse].into_iter().for_each(|block| visit(block)),
        StmtKind::For(repeat) => {
            visit(&mut repeat.body);
            visit(&mut repeat.orelse);
        }
        StmtKind::Block { body, .. } => visit(body),
        _ => {}
    }
}

/// As [`exprs`], to change them; defaults of parameters apart.
pub fn exprs_mut(stmt: &mut Stmt, visit: &mut dyn FnMut(&mut Expr)) {
    match &mut stmt.kind {
        StmtKind::Assign { targets, value, .. } => {
            targets.iter_mut().chain(std::iter::once(value)).for_each(visit);
        }
        StmtKind::Declare { target, value, .. } => std::iter::once(target).chain(value).for_each(visit),
        StmtKind::AugAssign { target, value, .. } => [target, value].into_iter().for_each(visit),
        StmtKind::Expr(value) | StmtKind::Raise(value) => visit(value),
        StmtKind::Delete(targets) => targets.iter_mut().for_each(visit),
        StmtKind::Return(value) => value.iter_mut().for_each(visit),
        StmtKind::If { branches, .. } => branches.iter_mut().for_each(|branch| visit(&mut branch.test)),
        StmtKind::While { test, .. } => visit(test),
        StmtKind::For(repeat) => {
            visit(&mut repeat.target);
            visit(&mut repeat.iter);
        }
        StmtKind::Assert { test, message } => std::iter::once(test).chain(message).for_each(visit),
        _ => {}
    }
}

/// As [`children`], to change them.
pub fn children_mut(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::Unary { operand, .. } => visit(operand),
        ExprKind::Binary { left, right, .. } => {
            visit(left);
            visit(right);
        }
        ExprKind::Logical { values, .. } | ExprKind::Format { values, .. } => {
            values.iter_mut().for_each(visit);
        }
        ExprKind::Compare { first, rest } => {
            visit(first);
            rest.iter_mut().for_each(|(_, operand)| visit(operand));
        }
        ExprKind::Conditional { test, then, orelse } => {
            [test, then, orelse].into_iter().for_each(|part| visit(part));
        }
        ExprKind::Call { func, args, keywords } => {
            visit(func);
            args.iter_mut().chain(keywords.iter_mut().map(|keyword| &mut keyword.value)).for_each(visit);
        }
        ExprKind::Attribute { value, .. } => visit(value),
        ExprKind::Subscript { value, indices, .. } => {
            visit(value);
            indices.iter_mut().for_each(visit);
        }
        ExprKind::Slice { lower, upper, step } => {
            [lower, upper, step].into_iter().flatten().for_each(|part| visit(part));
        }
        ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Set(items) => {
            items.iter_mut().for_each(visit);
        }
        ExprKind::Dict(items) => items.iter_mut().for_each(|(key, value)| {
            visit(key);
            visit(value);
        }),
        ExprKind::Comprehension { element, clauses, .. } => {
            for clause in clauses {
                visit(&mut clause.target);
                visit(&mut clause.iter);
                clause.conditions.iter_mut().for_each(&mut *visit);
            }
            visit(element);
        }
        ExprKind::Lambda { body, .. } | ExprKind::Starred(body) => visit(body),
        _ => {}
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

/// The names that a statement binds, but for those of its blocks, each with its place. Assignments in place bind none.
pub fn bound_names(stmt: &Stmt) -> Vec<(&str, Span)> {
    let mut names = Vec::new();
    match &stmt.kind {
        StmtKind::Assign { targets, .. } => targets.iter().for_each(|target| place_names(target, &mut names)),
        StmtKind::Declare { target, .. } => place_names(target, &mut names),
        StmtKind::For(repeat) => place_names(&repeat.target, &mut names),
        _ => {}
    }
    names
}

/// The names that a statement at module level defines, imports apart, each with its place.
pub fn defined_names(stmt: &Stmt) -> Vec<(&str, Span)> {
    match &stmt.kind {
        StmtKind::FunctionDef(def) => vec![(def.name.name.as_str(), def.name.span)],
        StmtKind::Class { name, .. } | StmtKind::Alias { name, .. } => vec![(name.name.as_str(), name.span)],
        // It defines nothing.
        StmtKind::Declare { value: None, .. } => Vec::new(),
        _ => bound_names(stmt),
    }
}

/// The names that a target binds, each with its place.
pub fn place_names<'a>(target: &'a Expr, names: &mut Vec<(&'a str, Span)>) {
    match &target.kind {
        ExprKind::Name(name) => names.push((name, target.span)),
        ExprKind::Tuple(targets) => targets.iter().for_each(|target| place_names(target, names)),
        ExprKind::Starred(target) => place_names(target, names),
        _ => {}
    }
}

/// The names that a target binds.
pub fn target_names(target: &Expr) -> Vec<&str> {
    match &target.kind {
        ExprKind::Name(name) => vec![name],
        ExprKind::Tuple(targets) => targets.iter().flat_map(target_names).collect(),
        ExprKind::Starred(target) => target_names(target),
        _ => Vec::new(),
    }
}
