//! Walks over the typed tree: [`Visitor`] reads, [`VisitorMut`] changes.
//!
//! A walk overrides the methods for what it looks at, and calls [`walk_stmt`] or [`walk_expr`] for what is inside. Parts
//! come in the order in which they are evaluated. Conversions of edges stand in the function, not in its statements: a walk
//! that asks for them goes over [`Function::edges`] itself.

use super::tree::{Copy, Expr, ExprKind, Function, Stmt, StmtKind};

/// Makes a visitor, with `mut` one that changes what it visits.
macro_rules! visitor {
    (
        $(#[$doc:meta])*
        $visitor:ident, $walk_function:ident, $walk_stmt:ident, $walk_expr:ident $(, $mutable:ident)?
    ) => {
        $(#[$doc])*
        pub trait $visitor: Sized {
            /// Statements in a row.
            fn block(&mut self, block: &$($mutable)? [Stmt]) {
                for stmt in block {
                    self.stmt(stmt);
                }
            }

            /// A block of a statement.
            fn nested(&mut self, block: &$($mutable)? [Stmt]) {
                self.block(block);
            }

            fn stmt(&mut self, stmt: &$($mutable)? Stmt) {
                $walk_stmt(self, stmt);
            }

            /// Expressions in a row.
            fn exprs(&mut self, exprs: &$($mutable)? [Expr]) {
                for expr in exprs {
                    self.expr(expr);
                }
            }

            /// One of two expressions of which a condition chooses.
            fn branch(&mut self, expr: &$($mutable)? Expr) {
                self.expr(expr);
            }

            fn expr(&mut self, expr: &$($mutable)? Expr) {
                $walk_expr(self, expr);
            }
        }

        /// Visits the body of a function, and then what its edges convert.
        pub fn $walk_function(visitor: &mut impl $visitor, function: &$($mutable)? Function) {
            visitor.block(&$($mutable)? function.body);
            for edge in &$($mutable)? function.edges {
                for Copy { value, .. } in edge {
                    if let Some(value) = value {
                        visitor.expr(value);
                    }
                }
            }
        }

        /// Visits what is inside a statement.
        pub fn $walk_stmt(visitor: &mut impl $visitor, stmt: &$($mutable)? Stmt) {
            match &$($mutable)? stmt.kind {
                StmtKind::Set(_, value) | StmtKind::Eval(value) | StmtKind::Return(Some(value)) => {
                    visitor.expr(value);
                }
                StmtKind::Effect(_, args) | StmtKind::Raise { payload: args, .. } => visitor.exprs(args),
                StmtKind::If { cond, then, orelse, .. } => {
                    visitor.expr(cond);
                    visitor.nested(then);
                    visitor.nested(orelse);
                }
                StmtKind::For { range, body, .. } => {
                    visitor.exprs(&$($mutable)? range[..]);
                    visitor.nested(body);
                }
                StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => visitor.nested(body),
                StmtKind::Edge(_) | StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(None) => {}
            }
        }

        /// Visits what is inside an expression.
        pub fn $walk_expr(visitor: &mut impl $visitor, expr: &$($mutable)? Expr) {
            match &$($mutable)? expr.kind {
                ExprKind::Op(_, parts) | ExprKind::Call(_, parts) | ExprKind::Tuple(parts) => {
                    visitor.exprs(parts);
                }
                ExprKind::Range(parts) => visitor.exprs(&$($mutable)? parts[..]),
                ExprKind::If(parts) => {
                    let [cond, then, orelse] = &$($mutable)? **parts;
                    visitor.expr(cond);
                    visitor.branch(then);
                    visitor.branch(orelse);
                }
                ExprKind::Item(tuple, _) => visitor.expr(tuple),
                ExprKind::Seq(stmts, value) => {
                    visitor.block(stmts);
                    visitor.expr(value);
                }
                ExprKind::Error
                | ExprKind::Static
                | ExprKind::Anything
                | ExprKind::Text(_)
                | ExprKind::Literal(_)
                | ExprKind::Local(_)
                | ExprKind::Checked { .. } => {}
            }
        }
    };
}

visitor! {
    /// Reads a tree.
    Visitor, walk_function, walk_stmt, walk_expr
}

visitor! {
    /// Changes a tree.
    VisitorMut, walk_function_mut, walk_stmt_mut, walk_expr_mut, mut
}
