//! Long lists of lists of numbers that are written out: tables in a program. Their numbers are one list of constants, which
//! a loop cuts into rows; a list made by itself for each row would be thousands of calls in a row, each with an exit of its own
//! where memory lacks.

use crate::source::Span;
use crate::syntax::ast;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::Expr;
use crate::typed::types::ty::{Num, Ty};

/// From as many rows on they are cut from one list.
const LONG: usize = 64;

impl Infer<'_, '_> {
    /// `[[1, 2], [3], …]` where it is long and all its numbers are literals of one type; `item` is the rows' type, if one is
    /// asked for.
    pub(in crate::typed) fn long_list(
        &mut self,
        items: &[ast::Expr],
        item: Option<&Ty>,
        span: Span,
    ) -> Option<Expr> {
        let rows = rows_of_literals(items)?;
        let number = match item {
            Some(ty) => Some(ty.list_item()?),
            None => None,
        };
        let mut total = 0_i64;
        let mut begins = vec![Expr::int(0, span)];
        for row in &rows {
            total += i64::try_from(row.len()).ok()?;
            begins.push(Expr::int(total, span));
        }
        let numbers: Vec<ast::Expr> = rows.into_iter().flatten().cloned().collect();
        let numbers = self.list(&numbers, number, span);
        let begins = self.new_list(&Ty::List(Num::INT), begins, span);
        Some(self.on_lists("cut", vec![numbers, begins], span))
    }
}

/// The rows of a long list, where each has numbers and all are integers, or all floats.
fn rows_of_literals(items: &[ast::Expr]) -> Option<Vec<&[ast::Expr]>> {
    if items.len() < LONG {
        return None;
    }
    let row = |item| match item {
        &ast::Expr { kind: ast::ExprKind::List(ref numbers), .. } if !numbers.is_empty() => {
            Some(numbers.as_slice())
        }
        _ => None,
    };
    let rows: Vec<_> = items.iter().map(row).collect::<Option<_>>()?;
    let mut numbers = rows.iter().copied().flatten();
    let first = is_float(numbers.next()?)?;
    numbers.all(|number| is_float(number) == Some(first)).then_some(rows)
}

/// Whether a literal is a float; none of what is neither integer nor float.
fn is_float(number: &ast::Expr) -> Option<bool> {
    match &number.kind {
        ast::ExprKind::Int(_) => Some(false),
        ast::ExprKind::Float(_) => Some(true),
        ast::ExprKind::Unary { op: ast::UnaryOp::Neg, operand } => is_float(operand),
        _ => None,
    }
}
