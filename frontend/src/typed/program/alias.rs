//! Names of types: `Grid = Array(float64, 2)`, `type Grid = …`.
//!
//! Annotations get the types themselves before anything looks at them, so that nothing else knows of such names. `Real = float64` is
//! a constant as well, by which functions convert.

use super::unit::Unit;
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, FunctionDef, Ident, Module, Stmt, StmtKind};
use crate::syntax::types::{TypeExpr, TypeExprKind, is_number};
use crate::syntax::visit;
use crate::typed::types::annotation;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Parts of a type that a name stands for: each use copies them.
const MAX_SIZE: usize = 1000;
/// Parts that all uses of names in a module are replaced by.
const MAX_COPIED: usize = 1_000_000;

/// What the names of types stand for, and where they are defined.
#[derive(Debug, Default)]
struct Aliases {
    types: BTreeMap<String, (Span, TypeExpr)>,
    /// Those that are being looked at, each for the one before it.
    open: Vec<String>,
    done: BTreeSet<String>,
    /// Parts that were copied so far.
    copied: Cell<usize>,
}

/// Puts types in the place of their names, in all annotations of the module.
pub fn expand(unit: &mut Unit, sink: &mut Diagnostics) {
    refuse_second(&unit.module, sink);
    let mut aliases = Aliases { types: defined(unit), ..Aliases::default() };
    if aliases.types.is_empty() {
        return;
    }
    let names: Vec<String> = aliases.types.keys().cloned().collect();
    for name in &names {
        aliases.resolve(name, sink);
    }
    for (_, value) in aliases.types.values_mut() {
        if let Err(diagnostic) = annotation::read(value, unit) {
            // A result or a variable may leave more open than a parameter.
            if annotation::open(value, unit).is_err() {
                sink.push(diagnostic);
                value.kind = TypeExprKind::Error;
            }
        }
    }
    for stmt in &mut unit.module.body {
        if let StmtKind::Alias { name, value, .. } = &mut stmt.kind
            && let Some((at, resolved)) = aliases.types.get(&name.name)
            && *at == name.span
        {
            value.clone_from(resolved);
        }
        aliases.in_statement(stmt, sink);
    }
}

/// The names of types, by the statements that define them first.
fn defined(unit: &Unit) -> BTreeMap<String, (Span, TypeExpr)> {
    let mut types = BTreeMap::new();
    for stmt in &unit.module.body {
        match &stmt.kind {
            StmtKind::Alias { name, value, .. } => {
                types.entry(name.name.clone()).or_insert((name.span, value.clone()));
            }
            // A constant that is a type of numbers; one that is defined again may be another.
            StmtKind::Assign { targets, value, .. } => {
                let ([Expr { kind: ExprKind::Name(name), span, .. }], Some(path)) =
                    (&targets[..], path(value))
                else {
                    continue;
                };
                let last = path.rsplit('.').next().unwrap_or_default();
                let is_type = is_number(last) || types.contains_key(&path);
                if is_type && defining(&unit.module, name).count() == 1 {
                    let kind = TypeExprKind::Name(path);
                    types.insert(name.clone(), (*span, TypeExpr { span: value.span, kind }));
                }
            }
            _ => {}
        }
    }
    types
}

/// `a.b`, where an expression is nothing but that.
fn path(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Attribute { value, attr } => Some(format!("{}.{}", path(value)?, attr.name)),
        _ => None,
    }
}

/// Where statements at module level define a name, imports apart, which it may hide.
fn defining(module: &Module, name: &str) -> impl Iterator<Item = Span> {
    module
        .body
        .iter()
        .flat_map(visit::defined_names)
        .filter(move |(own, _)| *own == name)
        .map(|(_, span)| span)
}

/// A name of a type stands for that type alone.
fn refuse_second(module: &Module, sink: &mut Diagnostics) {
    for stmt in &module.body {
        let StmtKind::Alias { name, .. } = &stmt.kind else { continue };
        let mut all = defining(module, &name.name);
        let (Some(first), Some(second)) = (all.next(), all.next()) else { continue };
        Diagnostic::error(
            code::TYPE_ALIAS,
            format!("`{}` is defined twice, once as a name of a type", name.name),
        )
        .primary(second, "defined again here")
        .secondary(first, "first defined here")
        .help("give each its own name")
        .emit(sink);
    }
}

impl Aliases {
    /// Puts types in the place of names within what a name stands for.
    fn resolve(&mut self, name: &str, sink: &mut Diagnostics) {
        if self.done.contains(name) {
            return;
        }
        let Some((at, mut value)) = self.types.get(name).cloned() else { return };
        self.open.push(name.to_owned());
        let mut size = 0;
        value.walk_mut(&mut |part| {
            if let Some(inner) = self.named_in(part) {
                if self.open.contains(&inner) {
                    let defined = self.types.get(&inner).map_or(at, |(defined, _)| *defined);
                    stands_for_itself(&inner, part.span, defined).emit(sink);
                    part.kind = TypeExprKind::Error;
                } else {
                    self.resolve(&inner, sink);
                }
            }
            self.replace(part, sink);
            size += size_of(part);
        });
        if size > MAX_SIZE {
            Diagnostic::error(code::NESTING_TOO_DEEP, format!("the type `{name}` is too large"))
                .primary(at, "names of types in it stand for large ones")
                .emit(sink);
            value.kind = TypeExprKind::Error;
        }
        self.open.pop();
        self.done.insert(name.to_owned());
        self.types.insert(name.to_owned(), (at, value));
    }

    /// The name of a type that a part of an annotation is.
    fn named_in(&self, part: &TypeExpr) -> Option<String> {
        match &part.kind {
            TypeExprKind::Name(name) | TypeExprKind::Apply { name: Ident { name, .. }, .. } => {
                self.types.contains_key(name).then(|| name.clone())
            }
            _ => None,
        }
    }

    /// Makes of a name what it stands for.
    fn replace(&self, part: &mut TypeExpr, sink: &mut Diagnostics) {
        let Some((defined, value)) = self.named_in(part).and_then(|name| self.types.get(&name)) else {
            return;
        };
        if let TypeExprKind::Apply { name, .. } = &part.kind {
            Diagnostic::error(code::ANNOTATION_ARGUMENTS, format!("`{}` takes no arguments", name.name))
                .primary(part.span, "has brackets")
                .secondary(*defined, "stands for a whole type")
                .emit(sink);
            part.kind = TypeExprKind::Error;
            return;
        }
        let span = part.span;
        self.copied.set(self.copied.get().saturating_add(size_of(value)));
        if self.copied.get() > MAX_COPIED {
            Diagnostic::error(code::NESTING_TOO_DEEP, "the types of this module are too large")
                .primary(span, "names of types stand for more than a million parts up to here")
                .emit(sink);
            part.kind = TypeExprKind::Error;
            return;
        }
        part.clone_from(value);
        part.stand_at(span);
    }

    fn in_annotation(&self, annotation: &mut TypeExpr, sink: &mut Diagnostics) {
        annotation.walk_mut(&mut |part| self.replace(part, sink));
    }

    fn in_statement(&self, stmt: &mut Stmt, sink: &mut Diagnostics) {
        match &mut stmt.kind {
            StmtKind::FunctionDef(def) => self.in_function(def, sink),
            StmtKind::Assign { annotation: Some(annotation), .. } | StmtKind::Declare { annotation, .. } => {
                self.in_annotation(annotation, sink);
            }
            StmtKind::For(repeat) => {
                repeat.annotation.iter_mut().for_each(|annotation| self.in_annotation(annotation, sink));
            }
            _ => {}
        }
        if !matches!(stmt.kind, StmtKind::FunctionDef(_)) {
            visit::blocks_mut(stmt, &mut |block| {
                block.iter_mut().for_each(|stmt| self.in_statement(stmt, sink))
            });
        }
    }

    fn in_function(&self, def: &mut FunctionDef, sink: &mut Diagnostics) {
        for param in &mut def.params {
            param.annotation.iter_mut().for_each(|annotation| self.in_annotation(annotation, sink));
        }
        def.returns.iter_mut().for_each(|annotation| self.in_annotation(annotation, sink));
        let params = def.params.iter().map(|param| (param.name.name.clone(), param.name.span));
        let mut own: BTreeMap<String, Span> = BTreeMap::new();
        visit::walk_stmts(&def.body, &mut |stmt| {
            own.extend(visit::bound_names(stmt).into_iter().map(|(name, span)| (name.to_owned(), span)));
        });
        own.extend(params);
        own.retain(|name, _| self.types.contains_key(name));
        for stmt in &mut def.body {
            hide(stmt, &own, sink);
            self.in_statement(stmt, sink);
        }
    }
}

/// Refuses names of types that a function uses for something else.
fn hide(stmt: &mut Stmt, own: &BTreeMap<String, Span>, sink: &mut Diagnostics) {
    if own.is_empty() {
        return;
    }
    if let StmtKind::Assign { annotation: Some(annotation), .. } | StmtKind::Declare { annotation, .. } =
        &mut stmt.kind
    {
        annotation.walk_mut(&mut |part| {
            let TypeExprKind::Name(name) = &part.kind else { return };
            let Some(&variable) = own.get(name) else { return };
            Diagnostic::error(code::TYPE_ALIAS, format!("`{name}` is a variable here, and no type"))
                .primary(part.span, "expected a type")
                .secondary(variable, "hides the type of that name")
                .help("give the variable another name")
                .emit(sink);
            part.kind = TypeExprKind::Error;
        });
    }
    visit::blocks_mut(stmt, &mut |block| block.iter_mut().for_each(|stmt| hide(stmt, own, sink)));
}

fn stands_for_itself(name: &str, span: Span, defined: Span) -> Diagnostic {
    Diagnostic::error(code::TYPE_ALIAS, format!("the type `{name}` stands for itself"))
        .primary(span, "what it holds has no end")
        .secondary(defined, "defined here")
        .help("write a type that does not name itself: types have a fixed form")
}

fn size_of(part: &TypeExpr) -> usize {
    let mut size = 0;
    part.clone().walk_mut(&mut |_| size += 1);
    size
}

/// The error for the name of a type where a value is asked for.
pub fn as_value(name: &str, span: Span, defined: Option<Span>) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(code::TYPE_ALIAS, format!("`{name}` is a type, and no value"))
        .primary(span, "used as a value")
        .help("names of types stand in annotations: `x: T`");
    if let Some(defined) = defined {
        diagnostic = diagnostic.secondary(defined, "stands for a type");
    }
    diagnostic
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;
    use crate::diagnostics::code;
    use crate::source::SourceFile;

    #[test]
    fn uses_of_large_types_have_a_limit() {
        let (ints, uses) = ("int, ".repeat(400), "T, ".repeat(3000));
        let text = format!("type T = Tuple({ints})\n\ndef f(x: Tuple({uses})):\n    return 1\n");
        let outcome = compile(&SourceFile::new("t.pydd", text), "t");
        let told = outcome.diagnostics.sorted();
        assert!(
            told.iter().any(|d| d.code == code::NESTING_TOO_DEEP && d.headline.contains("of this module"))
        );
    }
}
