//! Displays of lists and tuples as arguments: shapes, axes, the contents of `np.array`.

use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast;
use crate::typed::containers::list_ops::is_starred;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind, Stmt, StmtKind};
use crate::typed::types::meet::advice;
use crate::typed::types::promote::promote;
use crate::typed::types::ty::{Num, Ty, clamped_rank};
use pydd_ir::OpKind;

impl Infer<'_, '_> {
    /// An expression in which displays of lists stand for tuples.
    pub(in crate::typed) fn display(&mut self, expr: &ast::Expr) -> Expr {
        match &expr.kind {
            ast::ExprKind::List(items) if !items.iter().any(is_starred) => {
                let items = items.iter().map(|item| self.display(item)).collect();
                Self::tuple(items, expr.span)
            }
            ast::ExprKind::Tuple(items) => {
                let items = self.tuple_items(items, &mut |s, item| s.display(item));
                Self::tuple(items, expr.span)
            }
            _ => self.expr(expr),
        }
    }

    /// An expression in which displays of lists stand for arrays, within tuples as well.
    pub(super) fn contents(&mut self, expr: &ast::Expr) -> Expr {
        match &expr.kind {
            ast::ExprKind::Tuple(items) => {
                let items = self.tuple_items(items, &mut |s, item| s.contents(item));
                Self::tuple(items, expr.span)
            }
            ast::ExprKind::List(items) if !items.iter().any(is_starred) => {
                let items = self.display(expr);
                match items.ty.is_silent() {
                    true => items,
                    false => self.array_of(items, None, expr.span),
                }
            }
            _ => self.expr(expr),
        }
    }

    /// A new array with the numbers of nested tuples.
    pub(in crate::typed) fn array_of(&mut self, value: Expr, dtype: Option<Num>, span: Span) -> Expr {
        if let (ExprKind::Tuple(items), true) = (&value.kind, holds_arrays(&value.ty)) {
            return self.array_of_arrays(items.clone(), dtype, span);
        }
        let mut before = Vec::new();
        let value = match value.kind {
            ExprKind::Tuple(_) => value,
            _ => self.once(value, &mut before),
        };
        let mut leaves = Vec::new();
        let mut shape = Vec::new();
        if !self.flatten(value, dtype, (&mut shape, 0), &mut leaves) {
            return Expr::error(span);
        }
        // Python's numbers among the items do not adapt: they are int64, float64 and complex128.
        let own = leaves.iter().filter_map(|l| l.ty.scalar()).map(|num| Num::strong(num.dtype));
        let common = own.reduce(promote).unwrap_or(Num::FLOAT);
        let num = Num::strong(dtype.unwrap_or(common).dtype);
        // Evaluate all items first, as Python makes the list before the array.
        let leaves: Vec<Expr> = leaves.into_iter().map(|leaf| self.once(leaf, &mut before)).collect();
        let ty = Ty::array(num.dtype, clamped_rank(shape.len()));
        let sizes = shape.iter().map(|&n| Expr::int(n as i64, span)).collect();
        let made = Self::op(OpKind::Empty, sizes, ty, span);
        let array = self.once(made, &mut before);
        for (position, leaf) in leaves.into_iter().enumerate() {
            let value = self.stored(leaf, num.dtype);
            if value.ty.is_silent() {
                return Expr::error(span);
            }
            let mut operands = vec![array.clone(), value];
            operands.extend(indices(position, &shape).into_iter().map(|i| Expr::int(i as i64, span)));
            before.push(Stmt::new(StmtKind::Effect(OpKind::Store, operands), span));
        }
        Self::seq(before, array)
    }

    /// `np.array([a, b])` of arrays and lists: they are stacked.
    fn array_of_arrays(&mut self, items: Vec<Expr>, dtype: Option<Num>, span: Span) -> Expr {
        let items: Vec<Expr> = items
            .into_iter()
            .map(|item| match &item.ty {
                ty if ty.is_sequence() => self.array_of_list(item, span),
                Ty::Tuple(_) => self.array_of(item, None, span),
                _ => item,
            })
            .collect();
        if let Some(silent) = items.iter().find(|item| item.ty.is_silent()) {
            return Expr::silent([silent], span);
        }
        if let Some(other) = items.iter().find(|item| item.ty.rank() != items[0].ty.rank()) {
            let headline = "the rows of this array have different numbers of axes";
            let diagnostic = Diagnostic::error(code::SHAPE_MISMATCH, headline)
                .primary(other.span, format!("this is {}", other.ty))
                .secondary(items[0].span, format!("this is {}", items[0].ty))
                .maybe_help(advice(&items[0].ty, &other.ty));
            self.report(diagnostic);
            return Expr::error(span);
        }
        let (items, axis) = (Self::tuple(items, span), Expr::int(0, span));
        let constants = vec![None, Some(axis.clone())];
        let stacked = self.prelude_instance("joining", "stack", vec![items, axis], constants, span);
        match dtype {
            Some(num) if !stacked.ty.is_silent() => self.convert(stacked, Num::strong(num.dtype)),
            _ => stacked,
        }
    }

    /// Takes nested tuples apart; whether they are regular and hold numbers.
    fn flatten(
        &mut self,
        value: Expr,
        dtype: Option<Num>,
        (shape, depth): (&mut Vec<usize>, usize),
        leaves: &mut Vec<Expr>,
    ) -> bool {
        let span = value.span;
        match &value.ty {
            Ty::Tuple(items) => {
                let count = items.len();
                if shape.len() == depth && leaves.is_empty() {
                    shape.push(count);
                } else if shape.get(depth) != Some(&count) {
                    return self.ragged(span);
                }
                let items: Vec<Expr> = match value.kind {
                    ExprKind::Tuple(items) => items,
                    _ => (0..count).map(|i| self.item_of(&value, i)).collect(),
                };
                items.into_iter().all(|item| self.flatten(item, dtype, (&mut *shape, depth + 1), leaves))
            }
            Ty::Scalar(_) if depth == shape.len() => {
                leaves.push(value);
                true
            }
            Ty::Scalar(_) => self.ragged(span),
            Ty::Array { rank: 0, .. } => {
                // Converted as arrays are, numbers as `a[i] = x` does.
                let number = Self::number_of_rank_zero(value);
                let own = number.ty.scalar().is_some_and(|num| !num.dtype.is_complex());
                let number = match dtype.filter(|num| own && num.dtype.is_int()) {
                    Some(num) => self.convert(number, Num::strong(num.dtype)),
                    None => number,
                };
                self.flatten(number, dtype, (shape, depth), leaves)
            }
            ty if ty.is_silent() => false,
            other => {
                let headline = format!("an array of {other} is not supported yet");
                self.error(code::UNSUPPORTED_YET, span, headline, &format!("this is {other}"));
                false
            }
        }
    }

    fn ragged(&mut self, span: Span) -> bool {
        let diagnostic =
            Diagnostic::error(code::SHAPE_MISMATCH, "the rows of this array have different lengths")
                .primary(span, "differs from the rows before");
        self.report(diagnostic);
        false
    }
}

/// Whether a tuple holds arrays or lists, at any depth.
fn holds_arrays(ty: &Ty) -> bool {
    match ty {
        Ty::Tuple(items) => items.iter().any(|item| match item {
            Ty::Array { rank, .. } => *rank > 0,
            Ty::List(_) | Ty::Range => true,
            other => holds_arrays(other),
        }),
        _ => false,
    }
}

/// The indices of an element by its position in row-major order.
fn indices(mut position: usize, shape: &[usize]) -> Vec<usize> {
    let mut all: Vec<usize> = shape
        .iter()
        .rev()
        .map(|&n| {
            let index = position % n.max(1);
            position /= n.max(1);
            index
        })
        .collect();
    all.reverse();
    all
}
