//! Expressions that are made of others: each has a number of its own.

use super::ast::{Expr, ExprId, ExprKind, Ident, Keyword, Param, Stmt};
use super::visit;
use crate::source::Span;

/// A new expression at a place.
pub fn expr(next_id: &mut u32, span: Span, kind: ExprKind) -> Expr {
    let id = ExprId(*next_id);
    *next_id += 1;
    Expr { id, span, kind }
}

pub fn name(next_id: &mut u32, span: Span, name: &str) -> Expr {
    expr(next_id, span, ExprKind::Name(name.to_owned()))
}

/// `name=name` in a call.
pub fn keyword(next_id: &mut u32, span: Span, word: &str) -> Keyword {
    Keyword { name: Ident { name: word.to_owned(), span }, value: name(next_id, span, word) }
}

/// A parameter that is given its name alone.
pub fn param(span: Span, name: &str) -> Param {
    Param {
        name: Ident { name: name.to_owned(), span },
        annotation: None,
        default: None,
        keyword_only: false,
        positional_only: false,
        span,
    }
}

/// The same expression once more.
pub fn copy(next_id: &mut u32, expr: &Expr) -> Expr {
    let mut copy = expr.clone();
    renumber(next_id, &mut copy);
    copy
}

/// Numbers the expressions of a copy.
pub fn renumber(next_id: &mut u32, expr: &mut Expr) {
    expr.id = ExprId(*next_id);
    *next_id += 1;
    visit::children_mut(expr, &mut |child| renumber(next_id, child));
}

/// The same for statements.
pub fn renumber_all(next_id: &mut u32, stmts: &mut [Stmt]) {
    for stmt in stmts {
        visit::exprs_mut(stmt, &mut |expr| renumber(next_id, expr));
        visit::blocks_mut(stmt, &mut |block| renumber_all(next_id, block));
    }
}
