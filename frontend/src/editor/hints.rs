//! Types that the text does not say: of variables where they first get a value, of parameters and results without annotations.

use super::Analysis;
use super::at::{UNKNOWN, types_text};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, FunctionDef, Stmt, StmtKind};
use crate::syntax::visit;
use crate::typed::types::ty::Ty;
use std::collections::BTreeSet;

/// Of more types than these a reader makes nothing in passing.
const MOST_TYPES: usize = 2;

/// A type to be shown within the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// Behind which place.
    pub at: u32,
    /// As an annotation is written: `: float64`, ` -> float64`.
    pub text: String,
}

impl Analysis {
    /// The types to be shown within a part of the text, in its order.
    pub fn hints(&self, within: Span) -> Vec<Hint> {
        let functions = self.unit.iter().flat_map(|unit| unit.module.functions());
        let touched = functions.filter(|def| def.span.start <= within.end && within.start <= def.span.end);
        let mut all: Vec<Hint> = touched.flat_map(|def| self.hints_of(def)).collect();
        all.retain(|hint| within.contains(Span::at(hint.at)));
        all.sort_by_key(|hint| hint.at);
        all
    }

    fn hints_of(&self, def: &FunctionDef) -> Vec<Hint> {
        let own = def.params.len().saturating_sub(def.captures.unwrap_or(0));
        let bare = def.params[..own].iter().filter(|param| param.annotation.is_none());
        let mut places: Vec<Span> = bare.map(|param| param.name.span).collect();
        places.extend(variables(def));
        let shown = places.into_iter().filter_map(|span| {
            let text = format!(": {}", few(self.types.at(span))?);
            Some(Hint { at: span.end, text })
        });
        shown.chain(self.hint_of_result(def)).collect()
    }

    fn hint_of_result(&self, def: &FunctionDef) -> Option<Hint> {
        let header = self.source.slice(def.header).trim_end().strip_suffix(':')?;
        let [signature] = self.signatures.get(&def.name.name)?.as_slice() else { return None };
        let (_, result) = signature.rsplit_once(" -> ").filter(|_| def.returns.is_none())?;
        let at = def.header.start + u32::try_from(header.trim_end().len()).ok()?;
        let is_news = result != Ty::None.to_string() && is_known(result);
        is_news.then(|| Hint { at, text: format!(" -> {result}") })
    }
}

/// The places where variables first get a value that does not say its type by itself.
fn variables(def: &FunctionDef) -> Vec<Span> {
    let params = def.params.iter().map(|param| param.name.name.as_str());
    let mut known: BTreeSet<&str> = params.chain(["_"]).collect();
    let mut places = Vec::new();
    visit::walk_stmts(&def.body, &mut |stmt| {
        for (name, span) in visit::bound_names(stmt) {
            if known.insert(name) && !is_plain(stmt) {
                places.push(span);
            }
        }
    });
    places
}

/// Whether readers see from a statement itself of which types its variables are.
fn is_plain(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Assign { value, annotation, .. } => annotation.is_some() || is_literal(value),
        StmtKind::Declare { .. } => true,
        StmtKind::For(repeat) => is_range(&repeat.iter),
        _ => false,
    }
}

fn is_literal(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Unary { operand, .. } => is_literal(operand),
        ExprKind::Tuple(items) => items.iter().all(is_literal),
        kind => matches!(
            kind,
            ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Imaginary(_)
                | ExprKind::Bool(_)
                | ExprKind::Str(_)
        ),
    }
}

fn is_range(iter: &Expr) -> bool {
    let ExprKind::Call { func, .. } = &iter.kind else { return false };
    matches!(&func.kind, ExprKind::Name(name) if name == "range")
}

/// Types as they are shown, if there are few and each is known.
fn few(types: &[Ty]) -> Option<String> {
    let text = types_text(types);
    (types.len() <= MOST_TYPES && is_known(&text)).then_some(text)
}

/// Whether nothing of a type follows from what is wrong.
fn is_known(text: &str) -> bool {
    !text.contains(UNKNOWN)
}
