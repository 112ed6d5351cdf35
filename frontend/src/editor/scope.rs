//! Where names are bound: parameters, variables and what expressions bind, by the functions around a place.

use super::Analysis;
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, FunctionDef, Stmt, StmtKind};
use crate::syntax::visit;
use crate::typed::types::ty::Ty;

/// The name of a function as it is written: one that was inside another is named after both.
pub fn shown(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

impl Analysis {
    /// The functions around a place, the innermost first.
    pub(super) fn functions_around(&self, at: u32) -> Vec<&FunctionDef> {
        let Some(unit) = &self.unit else { return Vec::new() };
        let mut around: Vec<&FunctionDef> =
            unit.module.functions().filter(|def| self.reach(def).contains(Span::at(at))).collect();
        around.sort_by_key(|def| def.span.len());
        around
    }

    /// A function's text, and the lines below that are indented as its body is, or empty: what is being written there
    /// belongs to it.
    fn reach(&self, def: &FunctionDef) -> Span {
        let source = &self.source;
        let indent = |line: u32| {
            let text = source.slice(source.line_span(line));
            let inner = text.trim_start_matches([' ', '\t']);
            (!inner.trim().is_empty()).then(|| text.len() - inner.len())
        };
        let own = indent(source.line_column(def.span.start).line).unwrap_or(0);
        let mut line = source.line_column(def.span.end).line;
        while line < source.line_count() && indent(line + 1).is_none_or(|depth| depth > own) {
            line += 1;
        }
        def.span.join(source.line_span(line))
    }

    /// The places at which a name is bound that is seen at `at`: those of the innermost function that binds it, or of the module.
    pub fn definitions(&self, name: &str, at: u32) -> Vec<Span> {
        let around = self.functions_around(at);
        for def in &around {
            let mut places = Vec::new();
            visit::walk_stmts(&def.body, &mut |stmt| {
                visit::exprs(stmt).into_iter().for_each(|expr| in_expression(expr, name, at, &mut places));
            });
            if places.is_empty() {
                places =
                    bound(def).into_iter().filter(|(own, _)| *own == name).map(|(_, span)| span).collect();
            }
            if !places.is_empty() {
                return places;
            }
        }
        // A function inside another is seen there alone.
        let prefixes = around.iter().map(|def| format!("{}.{name}", def.name.name)).collect::<Vec<_>>();
        let Some(unit) = &self.unit else { return Vec::new() };
        let inner = unit.module.functions().find(|def| prefixes.contains(&def.name.name));
        match inner {
            Some(def) => vec![def.name.span],
            None => unit
                .module
                .body
                .iter()
                .flat_map(of_module)
                .filter(|(own, _)| *own == name)
                .map(|(_, span)| span)
                .collect(),
        }
    }

    /// The definition that counts at a place, as far as the order of the text tells: the last one before it, or else the first.
    pub fn definition(&self, name: &str, at: u32) -> Option<Span> {
        let all = self.definitions(name, at);
        let before = all.iter().filter(|span| span.start <= at).max().copied();
        before.or_else(|| all.iter().min().copied())
    }

    /// The types of a variable as seen from a place.
    pub fn types_of_name(&self, name: &str, at: u32) -> &[Ty] {
        let mut all = self.definitions(name, at);
        all.sort_by_key(|span| (span.start > at, span.start.abs_diff(at)));
        all.into_iter().map(|span| self.types.at(span)).find(|types| !types.is_empty()).unwrap_or_default()
    }
}

/// The names that a function binds, each with its place. What it takes from functions around it is bound there.
pub(super) fn bound(def: &FunctionDef) -> Vec<(&str, Span)> {
    let own = def.params.len().saturating_sub(def.captures.unwrap_or(0));
    let params = def.params.iter().take(own);
    let mut names: Vec<(&str, Span)> =
        params.map(|param| (param.name.name.as_str(), param.name.span)).collect();
    visit::walk_stmts(&def.body, &mut |stmt| names.extend(visit::bound_names(stmt)));
    names
}

/// The names that a statement of the module binds.
pub(super) fn of_module(stmt: &Stmt) -> Vec<(&str, Span)> {
    match &stmt.kind {
        StmtKind::FunctionDef(def) => vec![(def.name.name.as_str(), def.name.span)],
        StmtKind::Class { name, .. } | StmtKind::Alias { name, .. } => {
            vec![(name.name.as_str(), name.span)]
        }
        StmtKind::Import(names) | StmtKind::ImportFrom { names, .. } => {
            names.iter().map(|name| (name.binding(), name.path.span)).collect()
        }
        _ => visit::bound_names(stmt),
    }
}

/// Where a comprehension or a lambda around a place binds a name.
fn in_expression(expr: &Expr, name: &str, at: u32, places: &mut Vec<Span>) {
    if !expr.span.contains(Span::at(at)) {
        return;
    }
    let mut names = Vec::new();
    match &expr.kind {
        ExprKind::Comprehension { clauses, .. } => {
            clauses.iter().for_each(|clause| visit::place_names(&clause.target, &mut names));
        }
        ExprKind::Lambda { params, .. } => {
            names.extend(params.iter().map(|param| (param.name.as_str(), param.span)));
        }
        _ => {}
    }
    // Inner ones hide outer ones.
    let here: Vec<Span> = names.into_iter().filter(|(own, _)| *own == name).map(|(_, span)| span).collect();
    if !here.is_empty() {
        *places = here;
    }
    visit::children(expr).into_iter().for_each(|child| in_expression(child, name, at, places));
}
