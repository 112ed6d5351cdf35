//! Changes to references in finished trees: calls of renumbered functions, labels.

use super::tree::{Expr, ExprKind, FuncId, Function, Label, Stmt, StmtKind};
use super::visit::{self, VisitorMut};
use std::collections::BTreeMap;

/// Makes calls name functions by their new numbers.
pub fn calls(function: &mut Function, map: &BTreeMap<FuncId, FuncId>) {
    visit::walk_function_mut(&mut Calls { map }, function);
}

struct Calls<'m> {
    map: &'m BTreeMap<FuncId, FuncId>,
}

impl VisitorMut for Calls<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Call(id, _) = &mut expr.kind
            && let Some(new) = self.map.get(id)
        {
            *id = *new;
        }
        visit::walk_expr_mut(self, expr);
    }
}

/// Turns `continue` to a label into `break` to it: what goes on is no loop but a scope.
pub fn continue_to_break(block: &mut [Stmt], label: Label) {
    ContinueToBreak { label }.block(block);
}

struct ContinueToBreak {
    label: Label,
}

impl VisitorMut for ContinueToBreak {
    fn stmt(&mut self, stmt: &mut Stmt) {
        if matches!(stmt.kind, StmtKind::Continue(to) if to == self.label) {
            stmt.kind = StmtKind::Break(self.label);
        }
        visit::walk_stmt_mut(self, stmt);
    }

    /// No expression leaves a loop around it.
    fn expr(&mut self, _: &mut Expr) {}
}
