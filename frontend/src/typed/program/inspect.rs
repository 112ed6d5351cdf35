//! What a finished function must not have: regions that nest too deep (the IR has a limit, and later stages recurse over
//! them), and expressions whose types nothing tells.

use super::tree::{Copy, Expr, ExprKind, Function, Stmt, StmtKind};
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
    let mut walk = Walk { deepest: 0, at: Span::default(), untyped: None };
    walk.block(&function.body, 0);
    for Copy { value, .. } in function.edges.iter().flatten() {
        value.iter().for_each(|value| walk.expr(value, 0));
    }
    Found { too_deep: (walk.deepest > LIMIT).then_some(walk.at), untyped: walk.untyped }
}

struct Walk {
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

    fn block(&mut self, block: &[Stmt], depth: usize) {
        for stmt in block {
            self.reach(depth, stmt.span);
            match &stmt.kind {
                StmtKind::Set(_, value) | StmtKind::Eval(value) | StmtKind::Return(Some(value)) => {
                    self.expr(value, depth);
                }
                StmtKind::Effect(_, args) | StmtKind::Raise { payload: args, .. } => self.exprs(args, depth),
                StmtKind::If { cond, then, orelse, .. } => {
                    self.expr(cond, depth);
                    self.block(then, depth + 1);
                    self.block(orelse, depth + 1);
                }
                StmtKind::For { range, body, .. } => {
                    self.exprs(range.as_slice(), depth);
                    self.block(body, depth + 1);
                }
                StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => self.block(body, depth + 1),
                StmtKind::Edge(_) | StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(None) => {}
            }
        }
    }

    fn exprs(&mut self, exprs: &[Expr], depth: usize) {
        exprs.iter().for_each(|expr| self.expr(expr, depth));
    }

    fn expr(&mut self, expr: &Expr, depth: usize) {
        match &expr.kind {
            ExprKind::Op(_, args) | ExprKind::Call(_, args) | ExprKind::Tuple(args) => {
                self.exprs(args, depth)
            }
            ExprKind::Range(parts) => self.exprs(parts.as_slice(), depth),
            ExprKind::If(parts) => {
                let [cond, then, orelse] = &**parts;
                self.reach(depth + 1, expr.span);
                self.expr(cond, depth);
                self.expr(then, depth + 1);
                self.expr(orelse, depth + 1);
            }
            ExprKind::Item(tuple, _) => self.expr(tuple, depth),
            ExprKind::Seq(stmts, value) => {
                self.block(stmts, depth);
                self.expr(value, depth);
            }
            ExprKind::Error => {
                self.untyped.get_or_insert(expr.span);
            }
            ExprKind::Static
            | ExprKind::Anything
            | ExprKind::Text(_)
            | ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::Checked { .. } => {}
        }
    }
}
