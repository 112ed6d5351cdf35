//! What a finished function must not have: regions that nest too deep (the IR has a limit, and later stages recurse over
//! them), and expressions whose types nothing tells.

use super::tree::{Expr, ExprKind, Function, Stmt};
use super::visit::{self, Visitor};
use crate::source::Span;

/// Regions inside regions; less than what the IR allows, since inlining adds some.
pub const LIMIT: usize = 300;

/// Where a function has such.
pub struct Found {
    pub too_deep: Option<Span>,
    /// No value was ever seen there: what is looked at comes from itself alone.
    pub untyped: Option<Span>,
}

pub fn inspect(function: &Function) -> Found {
    let mut walk = Walk { depth: 0, deepest: 0, at: Span::default(), untyped: None };
    visit::walk_function(&mut walk, function);
    Found { too_deep: (walk.deepest > LIMIT).then_some(walk.at), untyped: walk.untyped }
}

struct Walk {
    depth: usize,
    deepest: usize,
    at: Span,
    untyped: Option<Span>,
}

impl Walk {
    fn reach(&mut self, depth: usize, at: Span) {
        if depth > self.deepest {
            (self.deepest, self.at) = (depth, at);
        }
    }

    fn deeper(&mut self, inside: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }
}

impl Visitor for Walk {
    fn nested(&mut self, block: &[Stmt]) {
        self.deeper(|walk| walk.block(block));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.reach(self.depth, stmt.span);
        visit::walk_stmt(self, stmt);
    }

    fn branch(&mut self, expr: &Expr) {
        self.deeper(|walk| walk.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        match expr.kind {
            ExprKind::If(_) => self.reach(self.depth + 1, expr.span),
            ExprKind::Error => {
                self.untyped.get_or_insert(expr.span);
            }
            _ => {}
        }
        visit::walk_expr(self, expr);
    }
}
