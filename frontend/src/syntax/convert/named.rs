//! `name := value`, where it is the first thing that a statement computes: an assignment before the statement.
//!
//! ```text
//! if (m := f(x)) > 5:            m = f(x)
//!     …                   ⇒      if m > 5:
//!                                    …
//! while (m := f(x)) > 5:         while True:
//!     …                              m = f(x)
//!                                    if not m > 5: break
//!                                    …
//! ```
//!
//! In other places it is refused: what comes before it would have to be computed before.

use super::Converter;
use crate::source::Span;
use crate::syntax::ast::{Branch, Expr, ExprKind, Stmt, StmtKind, UnaryOp};
use crate::syntax::recover::is_masked;
use crate::syntax::span_of;
use rustpython_parser::ast::{self as py, Ranged};

/// The `:=` that an expression begins with, if it does.
pub(super) fn first(expr: &py::Expr) -> Option<&py::ExprNamedExpr> {
    match expr {
        py::Expr::NamedExpr(named) => Some(named),
        py::Expr::Compare(compare) => match &*compare.left {
            py::Expr::Constant(_) => compare.comparators.first().and_then(first),
            left => first(left),
        },
        py::Expr::BinOp(binary) => match &*binary.left {
            py::Expr::Constant(_) => first(&binary.right),
            left => first(left),
        },
        py::Expr::BoolOp(logical) => logical.values.first().and_then(first),
        py::Expr::UnaryOp(unary) => first(&unary.operand),
        py::Expr::IfExp(choice) => first(&choice.test),
        py::Expr::Attribute(attribute) => first(&attribute.value),
        py::Expr::Subscript(subscript) => first(&subscript.value),
        py::Expr::Tuple(tuple) => tuple.elts.first().and_then(first),
        py::Expr::List(list) => list.elts.first().and_then(first),
        py::Expr::Call(call) => {
            let called = name_of(&call.func)?;
            call.args.first().and_then(first).filter(|named| name_of(&named.target) != Some(called))
        }
        _ => None,
    }
}

/// The name, or that of the module: reading it computes nothing.
fn name_of(func: &py::Expr) -> Option<&str> {
    match func {
        py::Expr::Name(name) => Some(name.id.as_str()),
        py::Expr::Attribute(attribute) => name_of(&attribute.value),
        _ => None,
    }
}

/// The expression that a statement computes first.
fn first_of(stmt: &py::Stmt) -> Option<&py::Expr> {
    match stmt {
        py::Stmt::Assign(assign) => Some(&assign.value),
        py::Stmt::AnnAssign(declare) => declare.value.as_deref(),
        py::Stmt::Expr(expr) => Some(&expr.value),
        py::Stmt::Return(ret) => ret.value.as_deref(),
        py::Stmt::If(conditional) => Some(&conditional.test),
        py::Stmt::For(repeat) => Some(&repeat.iter),
        py::Stmt::Assert(assert) => Some(&assert.test),
        _ => None,
    }
}

impl Converter<'_, '_> {
    /// A statement, after the assignment that it begins with.
    pub(super) fn with_named(&mut self, stmt: &py::Stmt) -> Vec<Stmt> {
        if let py::Stmt::Match(matching) = stmt
            && !is_masked(self.scan, stmt)
        {
            return self.matching(matching);
        }
        let named = first_of(stmt).and_then(first).filter(|_| !is_masked(self.scan, stmt));
        let Some(named) = named else { return vec![self.stmt(stmt)] };
        let assignment = self.assignment_of(named);
        let outer = self.named.replace(span_of(named.range()).start);
        let stmt = self.stmt(stmt);
        self.named = outer;
        vec![assignment, stmt]
    }

    fn assignment_of(&mut self, named: &py::ExprNamedExpr) -> Stmt {
        // Of `(a := (b := 1) + 1)` only one is taken out.
        let outer = self.named.take();
        let value = self.expr(&named.value);
        self.named = outer;
        let targets = vec![self.target(&named.target)];
        Stmt { span: span_of(named.range()), kind: StmtKind::Assign { targets, value, annotation: None } }
    }

    /// `while` with a test that begins with an assignment.
    pub(super) fn repeat_with_named(
        &mut self,
        repeat: &py::StmtWhile,
        named: &py::ExprNamedExpr,
    ) -> StmtKind {
        let assignment = self.assignment_of(named);
        let outer = self.named.replace(span_of(named.range()).start);
        let test = self.expr(&repeat.test);
        self.named = outer;
        let span: Span = test.span;
        let ends = self.expr_node(span, ExprKind::Unary { op: UnaryOp::Not, operand: Box::new(test) });
        let leave = Branch { test: ends, body: vec![Stmt { span, kind: StmtKind::Break }], span };
        let mut body =
            vec![assignment, Stmt { span, kind: StmtKind::If { branches: vec![leave], orelse: Vec::new() } }];
        body.extend(self.block(&repeat.body));
        let test: Expr = self.expr_node(span, ExprKind::Bool(true));
        StmtKind::While { test, body, orelse: Vec::new() }
    }
}
