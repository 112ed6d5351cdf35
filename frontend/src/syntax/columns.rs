//! `zip(*rows)`: columns, where they are gone over.
//!
//! ```text
//! [sum(c) for c in zip(*rows)]  ⇒  [sum(c) for c in [[row[j] for row in rows] for j in range(min((len(row) for row in rows), default=0))]]
//! ```
//!
//! In Python a column is a tuple, of as many items as there are rows. Here it is a list, so this is done only where nobody sees
//! the difference: columns that are taken apart, indexed, gone over, or given to `sum`, `list` and the like.

use super::ast::{Clause, ComprehensionKind, Expr, ExprKind, Ident, Keyword, Module, Stmt, StmtKind};
use super::fresh;
use super::visit;
use crate::source::Span;

/// Functions to which a list and a tuple are the same.
const ALIKE: &[&str] =
    &["sum", "min", "max", "any", "all", "len", "list", "set", "sorted", "enumerate", "zip", "reversed"];

/// Writes `zip(*rows)` out, wherever that is allowed.
pub fn expand(module: &mut Module) {
    let mut columns = Columns { next_id: module.expr_count };
    columns.statements(&mut module.body);
    module.expr_count = columns.next_id;
}

struct Columns {
    next_id: u32,
}

impl Columns {
    fn statements(&mut self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            if let StmtKind::For(repeat) = &mut stmt.kind
                && let Some(rows) = rows(&repeat.iter)
                && !repeat.parallel
                && !mentions(&repeat.body, rows)
                && is_only_read(&repeat.target, &repeat.body, &repeat.orelse)
            {
                repeat.iter = self.columns_of(&rows.clone(), spans(&repeat.iter));
            }
            visit::exprs_mut(stmt, &mut |expr| self.expression(expr));
            visit::blocks_mut(stmt, &mut |block| self.statements(block));
        }
    }

    fn expression(&mut self, expr: &mut Expr) {
        visit::children_mut(expr, &mut |child| self.expression(child));
        let ExprKind::Comprehension { element, clauses, .. } = &mut expr.kind else { return };
        for at in 0..clauses.len() {
            let Some(rows) = rows(&clauses[at].iter).cloned() else { continue };
            let target = &clauses[at].target;
            let (here, behind) = (&clauses[at].conditions, &clauses[at + 1..]);
            let behind = behind.iter().flat_map(|clause| clause.conditions.iter());
            let mut read = std::iter::once(&**element).chain(here).chain(behind);
            let iters = clauses[at + 1..].iter().map(|clause| &clause.iter);
            let are_alike = read.all(|expr| is_alike(target, expr))
                && iters.into_iter().all(|iter| same_name(target, iter) || is_alike(target, iter));
            if are_alike {
                let spans = spans(&clauses[at].iter);
                clauses[at].iter = self.columns_of(&rows, spans);
            }
        }
    }

    /// `[[row[j] for row in rows] for j in range(min((len(row) for row in rows), default=0))]`
    fn columns_of(&mut self, rows: &Expr, [span, inner, behind]: [Span; 3]) -> Expr {
        let (row, at) = ("zip.row", "zip.at");
        let (value, index) = (Box::new(self.name(row, inner)), self.name(at, inner));
        let item = self.expr(inner, ExprKind::Subscript { value, indices: vec![index], tuple: false });
        let all = self.copy(rows);
        let column = self.over(ComprehensionKind::List, item, row, all, inner);
        let length = self.name(row, behind);
        let length = self.call("len", length, Vec::new(), behind);
        let all = self.copy(rows);
        let lengths = self.over(ComprehensionKind::Generator, length, row, all, behind);
        let default = Keyword {
            name: Ident { name: "default".to_owned(), span: behind },
            value: self.expr(behind, ExprKind::Int(0)),
        };
        let least = self.call("min", lengths, vec![default], behind);
        let range = self.call("range", least, Vec::new(), span);
        self.over(ComprehensionKind::List, column, at, range, span)
    }

    /// `element for name in iter`
    fn over(&mut self, kind: ComprehensionKind, element: Expr, name: &str, iter: Expr, span: Span) -> Expr {
        let target = self.name(name, span);
        let clauses = vec![Clause { target, iter, conditions: Vec::new() }];
        self.expr(span, ExprKind::Comprehension { kind, element: Box::new(element), clauses })
    }

    fn call(&mut self, function: &str, arg: Expr, keywords: Vec<Keyword>, span: Span) -> Expr {
        let func = Box::new(self.name(function, span));
        self.expr(span, ExprKind::Call { func, args: vec![arg], keywords })
    }

    fn name(&mut self, name: &str, span: Span) -> Expr {
        fresh::name(&mut self.next_id, span, name)
    }

    fn expr(&mut self, span: Span, kind: ExprKind) -> Expr {
        fresh::expr(&mut self.next_id, span, kind)
    }

    fn copy(&mut self, expr: &Expr) -> Expr {
        fresh::copy(&mut self.next_id, expr)
    }
}

/// Places for the three comprehensions, which are told apart by these.
fn spans(iter: &Expr) -> [Span; 3] {
    match &iter.kind {
        ExprKind::Call { func, args, .. } => [iter.span, func.span, args[0].span],
        _ => [iter.span; 3],
    }
}

/// What `zip(*rows)` takes its columns of, where reading that twice changes nothing.
fn rows(iter: &Expr) -> Option<&Expr> {
    let ExprKind::Call { func, args, keywords } = &iter.kind else { return None };
    let [Expr { kind: ExprKind::Starred(rows), .. }] = args.as_slice() else { return None };
    let is_zip = matches!(&func.kind, ExprKind::Name(name) if name == "zip") && keywords.is_empty();
    (is_zip && is_plain(rows)).then_some(&**rows)
}

fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Int(_) => true,
        ExprKind::Unary { .. }
        | ExprKind::Attribute { .. }
        | ExprKind::Subscript { .. }
        | ExprKind::Slice { .. } => visit::children(expr).into_iter().all(is_plain),
        _ => false,
    }
}

fn same_name(target: &Expr, expr: &Expr) -> bool {
    match (&target.kind, &expr.kind) {
        (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
        (ExprKind::Item(a), ExprKind::Item(b)) => a == b,
        _ => false,
    }
}

/// Whether an expression reads what a target stands for in no way that tells lists and tuples apart.
fn is_alike(target: &Expr, expr: &Expr) -> bool {
    if matches!(target.kind, ExprKind::Tuple(_)) {
        return true;
    }
    if same_name(target, expr) {
        return false;
    }
    let is_target = |expr: &&Expr| same_name(target, expr);
    let inner = match &expr.kind {
        ExprKind::Call { func, args, .. } if is_of(func, ALIKE) => visit::children(expr)
            .into_iter()
            .filter(|child| !args.iter().any(|arg| std::ptr::eq(arg, *child)) || !is_target(child))
            .collect(),
        ExprKind::Subscript { value, .. } if is_target(&&**value) => {
            // A slice is a tuple again.
            let mut inner = visit::children(expr);
            inner.remove(0);
            if inner.iter().any(|index| matches!(index.kind, ExprKind::Slice { .. })) {
                return false;
            }
            inner
        }
        ExprKind::Comprehension { clauses, .. } => {
            let iters: Vec<*const Expr> = clauses.iter().map(|clause| &raw const clause.iter).collect();
            let all = visit::children(expr).into_iter();
            all.filter(|child| !iters.contains(&std::ptr::from_ref(*child)) || !is_target(child)).collect()
        }
        _ => visit::children(expr),
    };
    inner.into_iter().all(|child| is_alike(target, child))
}

fn is_of(func: &Expr, names: &[&str]) -> bool {
    matches!(&func.kind, ExprKind::Name(name) if names.contains(&name.as_str()))
}

/// Whether statements name something that an expression names: columns are made before the first of them is looked at.
fn mentions(stmts: &[Stmt], expr: &Expr) -> bool {
    let mut found = false;
    visit::walk_stmts(stmts, &mut |stmt| {
        found |= visit::exprs(stmt).into_iter().any(|one| share_names(one, expr));
    });
    found
}

fn share_names(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
        (ExprKind::Name(_), _) => visit::children(b).into_iter().any(|b| share_names(a, b)),
        _ => visit::children(a).into_iter().any(|a| share_names(a, b)),
    }
}

/// As [`is_alike`], of the statements of a loop, which may go over the target.
fn is_only_read(target: &Expr, body: &[Stmt], orelse: &[Stmt]) -> bool {
    let mut alike = true;
    for stmts in [body, orelse] {
        visit::walk_stmts(stmts, &mut |stmt| {
            for expr in visit::exprs(stmt) {
                let is_iter =
                    matches!(&stmt.kind, StmtKind::For(repeat) if std::ptr::eq(&raw const repeat.iter, expr));
                let is_unpacked = matches!(&stmt.kind, StmtKind::Assign { targets, value, .. }
                    if std::ptr::eq(value, expr) && targets.iter().all(|target| matches!(target.kind, ExprKind::Tuple(_))));
                alike &= ((is_iter || is_unpacked) && same_name(target, expr)) || is_alike(target, expr);
            }
        });
    }
    alike
}
