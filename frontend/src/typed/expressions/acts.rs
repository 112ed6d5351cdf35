//! Expressions whose value follows from types, while evaluating their operands does something all the same:
//! `len(pair(x))`, `f(x) is None`, `if f(x):`.

use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind, Stmt, StmtKind};
use crate::typed::program::visit::{self, Visitor};
use pydd_ir::{LibOp, OpKind};

impl Infer<'_, '_> {
    /// A value that is known without its operands, which are evaluated if they do something.
    pub(in crate::typed) fn known(operands: Vec<Expr>, value: Expr) -> Expr {
        let acting = operands.into_iter().filter(acts);
        let before = acting.map(|operand| Stmt::new(StmtKind::Eval(operand), value.span)).collect();
        Self::seq(before, value)
    }

    /// Whether evaluating an expression calls a function of the program.
    pub(in crate::typed) fn calls_program(&self, expr: &Expr) -> bool {
        any(expr, &|part| self.is_call_of_program(part), false)
    }

    /// The same of statements.
    pub(in crate::typed) fn call_program(&self, stmts: &[Stmt]) -> bool {
        let mut search = Calls { is: &|part| self.is_call_of_program(part), found: false };
        stmts.iter().for_each(|stmt| search.stmt(stmt));
        search.found
    }

    fn is_call_of_program(&self, part: &Expr) -> bool {
        matches!(part.kind, ExprKind::Call(id, _) if !self.session.is_prelude(id))
    }
}

/// Whether evaluating an expression may do more than give a value: it calls a function, changes something, or draws a
/// random number.
fn acts(expr: &Expr) -> bool {
    let does =
        |part: &Expr| matches!(part.kind, ExprKind::Call(..) | ExprKind::Op(OpKind::Lib(LibOp::Draw(_)), _));
    any(expr, &does, true)
}

/// Whether a part of an expression is such; statements other than assignments count as `others` says.
fn any(expr: &Expr, is: &dyn Fn(&Expr) -> bool, others: bool) -> bool {
    let mut search = Search { is, others, found: false };
    search.expr(expr);
    search.found
}

struct Search<'i> {
    is: &'i dyn Fn(&Expr) -> bool,
    others: bool,
    found: bool,
}

impl Visitor for Search<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Set(..) | StmtKind::Eval(_) => {}
            StmtKind::Effect(..) => self.found |= self.others,
            _ => {
                self.found |= self.others;
                return;
            }
        }
        if !self.found {
            visit::walk_stmt(self, stmt);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.found = self.found || (self.is)(expr);
        if !self.found {
            visit::walk_expr(self, expr);
        }
    }
}

/// Looks for such expressions in all that statements hold.
struct Calls<'i> {
    is: &'i dyn Fn(&Expr) -> bool,
    found: bool,
}

impl Visitor for Calls<'_> {
    fn expr(&mut self, expr: &Expr) {
        self.found |= (self.is)(expr);
        visit::walk_expr(self, expr);
    }
}
