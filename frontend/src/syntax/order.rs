//! Names at module level are read after they are defined: a module runs from top to bottom when it is imported. What functions
//! read is looked up when they are called.

use super::ast::{Expr, ExprKind, Ident, Module, Stmt, StmtKind};
use super::types::{TypeExpr, TypeExprKind};
use super::visit;
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::{SourceFile, Span};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Where a name is defined first.
struct Definition {
    /// Index of the statement.
    stmt: usize,
    name: Span,
    /// The first line of the file that it is in; `None` where several files define it.
    file: Option<u32>,
}

/// Reports what is read too early, and puts `Error` nodes in its place.
pub(super) fn check(module: &mut Module, source: &SourceFile, sink: &mut Diagnostics) {
    let mut definitions = BTreeMap::new();
    for (index, stmt) in module.body.iter().enumerate() {
        for (name, span) in defined(stmt) {
            let file = file_of(source, stmt.span);
            match definitions.entry(name) {
                Entry::Vacant(entry) => {
                    entry.insert(Definition { stmt: index, name: span, file: Some(file) });
                }
                Entry::Occupied(mut entry) if entry.get().file != Some(file) => entry.get_mut().file = None,
                Entry::Occupied(_) => {}
            }
        }
    }
    definitions.retain(|name, _| !module.unparsed.contains(name));
    for (index, stmt) in module.body.iter_mut().enumerate() {
        // What was made up follows no order.
        if source.marker(stmt.span.start).is_some_and(|marker| marker.hidden) {
            continue;
        }
        let file = file_of(source, stmt.span);
        let too_early = |name: &str| {
            let definition = definitions.get(name)?;
            (definition.stmt >= index && definition.file == Some(file)).then_some(definition.name)
        };
        for expr in read(stmt) {
            refuse(expr, &too_early, sink);
        }
        if let StmtKind::Alias { value, late: false, .. } = &mut stmt.kind {
            value.walk_mut(&mut |part| refuse_type(part, &too_early, sink));
        }
    }
}

/// Tells files apart where the text is put together of several.
fn file_of(source: &SourceFile, span: Span) -> u32 {
    source.part_of(source.line_column(span.start).line).map_or(0, |(part, _)| part.start)
}

/// The names that a statement at module level defines.
fn defined(stmt: &Stmt) -> Vec<(String, Span)> {
    let of_import = |item: &super::ast::ImportName| (item.binding().to_owned(), item.path.span);
    match &stmt.kind {
        StmtKind::Import(items) | StmtKind::ImportFrom { names: items, .. } => {
            items.iter().map(of_import).collect()
        }
        _ => visit::defined_names(stmt).into_iter().map(|(name, span)| (name.to_owned(), span)).collect(),
    }
}

/// What is evaluated when a statement at module level runs.
fn read(stmt: &mut Stmt) -> Vec<&mut Expr> {
    match &mut stmt.kind {
        StmtKind::Assign { value, .. } | StmtKind::Declare { value: Some(value), .. } => vec![value],
        // That of a function inside another one is evaluated there.
        StmtKind::FunctionDef(def) if def.captures.is_none() => {
            def.params.iter_mut().filter_map(|param| param.default.as_mut()).collect()
        }
        _ => Vec::new(),
    }
}

fn refuse_type(ty: &mut TypeExpr, too_early: &dyn Fn(&str) -> Option<Span>, sink: &mut Diagnostics) {
    let (TypeExprKind::Name(name) | TypeExprKind::Apply { name: Ident { name, .. }, .. }) = &ty.kind else {
        return;
    };
    if let Some(defined) = too_early(name.split('.').next().unwrap_or(name)) {
        used_before(name, ty.span, defined).emit(sink);
        ty.kind = TypeExprKind::Error;
    }
}

fn used_before(name: &str, span: Span, defined: Span) -> Diagnostic {
    Diagnostic::error(code::UNDEFINED_NAME, format!("`{name}` is used before it is defined"))
        .primary(span, "has no value yet")
        .secondary(defined, "defined here")
        .help("move the definition up: a module runs from top to bottom")
}

fn refuse(expr: &mut Expr, too_early: &dyn Fn(&str) -> Option<Span>, sink: &mut Diagnostics) {
    match &expr.kind {
        ExprKind::Name(name) => {
            let Some(defined) = too_early(name) else { return };
            used_before(name, expr.span, defined).emit(sink);
            expr.kind = ExprKind::Error;
        }
        // They have names of their own.
        ExprKind::Comprehension { .. } | ExprKind::Lambda { .. } => {}
        _ => visit::children_mut(expr, &mut |child| refuse(child, too_early, sink)),
    }
}
