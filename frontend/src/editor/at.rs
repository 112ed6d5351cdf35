//! What stands at a place, and what it means.

use super::words::{self, Word};
use super::{Analysis, scope};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, FunctionDef, Ident, Stmt, StmtKind};
use crate::syntax::visit;
use crate::typed::program::unit::Global;
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue::{Found, Space};

/// What stands at a place.
#[derive(Debug)]
pub struct At<'a> {
    /// Its text.
    pub span: Span,
    /// What it means.
    pub meaning: Meaning<'a>,
}

/// What something in a program means.
#[derive(Debug)]
pub enum Meaning<'a> {
    /// A variable or a constant, with its types.
    Variable {
        /// Its name.
        name: &'a str,
        /// Its types here; empty where nothing is known.
        types: &'a [Ty],
    },
    /// A function of the program.
    Function(&'a FunctionDef),
    /// A function or attribute of the library; several where the receiver's type is not known.
    Library(Vec<Found>),
    /// A module of the library.
    Module(Space),
    /// A name of a type, and what it stands for.
    Alias {
        /// The name.
        name: String,
        /// The type.
        ty: String,
    },
    /// A word of the language.
    Word(&'static Word),
    /// An expression, with its types.
    Value(&'a [Ty]),
}

/// What a walk over the tree finds around a place, the innermost last.
enum Node<'a> {
    Expr(&'a Expr),
    Attribute(&'a Expr, &'a Ident),
    Name(&'a Ident),
}

impl Analysis {
    /// What stands at a place; `None` where there is nothing to say.
    pub fn at(&self, at: u32) -> Option<At<'_>> {
        let word = self.word_at(at);
        let found = self.found_at(at);
        let meaning = match found {
            Some(Node::Name(ident)) => self.name_at(&ident.name, ident.span),
            Some(Node::Attribute(value, attr)) => self.attribute_at(value, attr),
            Some(Node::Expr(Expr { kind: ExprKind::Name(name), span, .. })) => self.name_at(name, *span),
            Some(Node::Expr(expr)) if word.is_none() || is_literal(expr) => self.value_at(expr),
            _ => None,
        };
        meaning.or_else(|| {
            // Words, and the names in annotations.
            let span = word?;
            let name = self.source.slice(span);
            let library = || Some(Meaning::Library(vec![self.library_name(name, at)?]));
            let module = || self.module_named(name).or_else(|| Space::of_module(name)).map(Meaning::Module);
            let meaning = words::find(name).filter(|word| !word.doc.is_empty()).map(Meaning::Word);
            let alias = self.alias(name);
            Some(At { span, meaning: alias.or(meaning).or_else(library).or_else(module)? })
        })
    }

    /// Where the name at a place is defined, in the file.
    pub fn definition_at(&self, at: u32) -> Option<Span> {
        let (name, span) = match self.found_at(at) {
            Some(Node::Name(ident)) => (ident.name.as_str(), ident.span),
            Some(Node::Expr(Expr { kind: ExprKind::Name(name), span, .. })) => (name.as_str(), *span),
            Some(_) => return None,
            // Annotations are no expressions.
            None => return self.unit.as_ref()?.alias(self.source.slice(self.word_at(at)?)).map(|(_, at)| at),
        };
        match self.function_called(name) {
            Some(def) => Some(def.name.span),
            None => self.definition(name, span.start),
        }
    }

    /// A function that was inside another, by the name that its calls have.
    fn function_called(&self, name: &str) -> Option<&FunctionDef> {
        self.unit.as_ref()?.module.functions().find(|def| def.name.name == name && name.contains('.'))
    }

    /// What is said of the types that a function of the program has, a line for each version.
    pub fn signatures_of(&self, def: &FunctionDef) -> Vec<String> {
        match self.signatures.get(&def.name.name) {
            Some(versions) => versions.clone(),
            // One that is wrong or unused: as it is written.
            None => vec![self.source.slice(def.header).trim_end().trim_end_matches(':').to_owned()],
        }
    }

    fn name_at<'a>(&'a self, name: &'a str, span: Span) -> Option<At<'a>> {
        let defined = self.definition(name, span.start);
        let functions = || self.unit.iter().flat_map(|unit| unit.module.functions());
        let own = functions()
            .find(|def| Some(def.name.span) == defined || def.name.name == name && name.contains('.'));
        let meaning = match (own, self.unit.as_ref()?.global(name)) {
            (Some(def), _) => Meaning::Function(def),
            (None, Some(Global::Alias(_))) if !self.is_local(name, span.start) => self.alias(name)?,
            (None, Some(Global::Module(space))) if !self.is_local(name, span.start) => Meaning::Module(space),
            (None, Some(Global::Library(found))) if !self.is_local(name, span.start) => {
                Meaning::Library(vec![found])
            }
            _ => {
                let here = self.types.at(span);
                let types = if here.is_empty() { self.types_of_name(name, span.start) } else { here };
                Meaning::Variable { name, types }
            }
        };
        Some(At { span, meaning })
    }

    fn alias(&self, name: &str) -> Option<Meaning<'_>> {
        let (ty, _) = self.unit.as_ref()?.alias(name)?;
        Some(Meaning::Alias { name: name.to_owned(), ty: ty.to_string() })
    }

    fn is_local(&self, name: &str, at: u32) -> bool {
        self.functions_around(at).iter().any(|def| scope::bound(def).iter().any(|(own, _)| *own == name))
    }

    fn attribute_at<'a>(&'a self, value: &'a Expr, attr: &'a Ident) -> Option<At<'a>> {
        let found = match self.module_of(value) {
            Some(space) => match space.inside(&attr.name) {
                Some(inner) => return Some(At { span: attr.span, meaning: Meaning::Module(inner) }),
                None => pydd_ir::catalogue::find(space, &attr.name).into_iter().collect(),
            },
            None => self.member(self.types_of(value), &attr.name),
        };
        (!found.is_empty()).then_some(At { span: attr.span, meaning: Meaning::Library(found) })
    }

    fn value_at<'a>(&'a self, expr: &'a Expr) -> Option<At<'a>> {
        let types = self.types.at(expr.span);
        (!types.is_empty()).then_some(At { span: expr.span, meaning: Meaning::Value(types) })
    }

    /// The types of an expression.
    pub(super) fn types_of(&self, expr: &Expr) -> &[Ty] {
        match (self.types.at(expr.span), &expr.kind) {
            ([], ExprKind::Name(name)) => self.types_of_name(name, expr.span.start),
            (types, _) => types,
        }
    }

    /// The types of what stands before the dot of the attribute at a place; `None` where there is no attribute.
    pub fn receiver_at(&self, at: u32) -> Option<&[Ty]> {
        match self.found_at(at)? {
            Node::Attribute(value, _) => Some(self.types_of(value)),
            _ => None,
        }
    }

    /// The innermost expression or name around a place.
    fn found_at(&self, at: u32) -> Option<Node<'_>> {
        let mut found = None;
        visit::walk_stmts(&self.unit.as_ref()?.module.body, &mut |stmt| {
            if stmt.span.contains(Span::at(at)) {
                in_statement(stmt, at, &mut found);
            }
        });
        found
    }

    /// The word around a place.
    pub fn word_at(&self, at: u32) -> Option<Span> {
        let text = self.source.text();
        let at = self.source.clamp(Span::at(at)).start as usize;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let start = text[..at].trim_end_matches(is_word).len();
        let end = text.len() - text[at..].trim_start_matches(is_word).len();
        (start < end).then(|| Span::new(start as u32, end as u32))
    }
}

/// A type that is not known; it is written so within others as well.
pub const UNKNOWN: &str = "?";

/// Types as they are shown: several where a function is made for several.
pub fn types_text(types: &[Ty]) -> String {
    match types {
        [] => UNKNOWN.to_owned(),
        _ => types.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | "),
    }
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Imaginary(_))
}

fn in_statement<'a>(stmt: &'a Stmt, at: u32, found: &mut Option<Node<'a>>) {
    let mut name = |ident: &'a Ident| {
        if ident.span.contains(Span::at(at)) {
            *found = Some(Node::Name(ident));
        }
    };
    match &stmt.kind {
        StmtKind::FunctionDef(def) => {
            name(&def.name);
            let own = def.params.len().saturating_sub(def.captures.unwrap_or(0));
            def.params[..own].iter().for_each(|param| name(&param.name));
        }
        StmtKind::Class { name: own, .. } | StmtKind::Alias { name: own, .. } => name(own),
        _ => {}
    }
    for expr in visit::exprs(stmt) {
        in_expression(expr, at, found);
    }
}

fn in_expression<'a>(expr: &'a Expr, at: u32, found: &mut Option<Node<'a>>) {
    if !expr.span.contains(Span::at(at)) {
        return;
    }
    *found = Some(Node::Expr(expr));
    if let ExprKind::Lambda { params, .. } = &expr.kind {
        for param in params.iter().filter(|param| param.span.contains(Span::at(at))) {
            *found = Some(Node::Name(param));
        }
    }
    // What is passed to a function that was inside another, for the variables around it, has the place of the call.
    let is_call = matches!(expr.kind, ExprKind::Call { .. });
    for child in visit::children(expr).into_iter().filter(|child| !is_call || child.span != expr.span) {
        in_expression(child, at, found);
    }
    if let ExprKind::Attribute { value, attr } = &expr.kind
        && attr.span.contains(Span::at(at))
    {
        *found = Some(Node::Attribute(value, attr));
    }
}
