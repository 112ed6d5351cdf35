//! Functions, constants, exceptions and names of types of a file.

use super::{Analysis, scope};
use crate::source::Span;
use crate::syntax::ast::StmtKind;
use crate::syntax::visit;

/// What a symbol is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `def`.
    Function,
    /// An exception.
    Class,
    /// A constant of the module.
    Constant,
    /// A name of a type.
    Type,
}

/// What a file defines.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// From its first to its last character.
    pub span: Span,
    /// Its name.
    pub name_span: Span,
    /// What stands beside the name: the types of a function.
    pub detail: String,
    /// The functions inside it.
    pub inner: Vec<Symbol>,
}

impl Analysis {
    /// What the file defines, in the order of the text.
    pub fn outline(&self) -> Vec<Symbol> {
        let mut all = Vec::new();
        for stmt in self.unit.iter().flat_map(|unit| &unit.module.body) {
            match &stmt.kind {
                StmtKind::FunctionDef(def) => {
                    let detail = self.signatures.get(&def.name.name).and_then(|versions| versions.first());
                    let detail =
                        detail.and_then(|text| text.split_once('(')).map(|(_, rest)| format!("({rest}"));
                    all.push(Symbol {
                        name: scope::shown(&def.name.name).to_owned(),
                        kind: Kind::Function,
                        span: def.span.join(def.name.span),
                        name_span: def.name.span,
                        detail: detail.unwrap_or_default(),
                        inner: Vec::new(),
                    });
                }
                StmtKind::Alias { name, .. } => {
                    all.push(plain(&name.name, Kind::Type, stmt.span, name.span));
                }
                StmtKind::Class { name, .. } => {
                    all.push(plain(&name.name, Kind::Class, stmt.span, name.span))
                }
                _ => {
                    let bound = visit::bound_names(stmt);
                    all.extend(
                        bound.into_iter().map(|(name, span)| plain(name, Kind::Constant, stmt.span, span)),
                    );
                }
            }
        }
        all.sort_by_key(|symbol| (symbol.span.start, std::cmp::Reverse(symbol.span.end)));
        nested(all)
    }
}

fn plain(name: &str, kind: Kind, span: Span, name_span: Span) -> Symbol {
    Symbol { name: name.to_owned(), kind, span, name_span, detail: String::new(), inner: Vec::new() }
}

/// Each symbol within the one around it; outer ones come first.
fn nested(all: Vec<Symbol>) -> Vec<Symbol> {
    let mut outer: Vec<Symbol> = Vec::new();
    for symbol in all {
        match outer.last_mut().filter(|last| last.kind == Kind::Function && last.span.contains(symbol.span)) {
            Some(last) => last.inner.push(symbol),
            None => outer.push(symbol),
        }
    }
    for symbol in &mut outer {
        symbol.inner = nested(std::mem::take(&mut symbol.inner));
    }
    outer
}
