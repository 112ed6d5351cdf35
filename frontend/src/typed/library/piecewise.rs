//! `np.piecewise(x, [x < 0, x > 1], [-1, lambda v: v * 2, 5])`: a new array like `x`, with `y[condition] = …` for one
//! condition after the other; a function is called with `x[condition]`, unless nothing is in it.

use super::applied::Given;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast;
use crate::typed::expressions::index::Index;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, StmtKind};
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::{DType, ElemOp, Exc, IndexItem, Keep, OpKind};

impl Infer<'_, '_> {
    pub(in crate::typed) fn piecewise(&mut self, given: &Given<'_>, span: Span) -> Expr {
        let (Some(x), Some(conditions), Some(functions)) =
            (given.required(0), given.required(1), given.required(2))
        else {
            return Expr::error(span);
        };
        let (ast::ExprKind::List(functions) | ast::ExprKind::Tuple(functions)) = &functions.kind else {
            let headline = "the functions of `np.piecewise` are written as a list";
            return self.error(code::UNSUPPORTED_YET, functions.span, headline, "not a list in place");
        };
        let x = self.applied_to(x, span);
        let Ty::Array { rank, dtype } = x.ty else {
            if x.ty.is_silent() {
                return x;
            }
            let headline = format!("`np.piecewise` needs an array, not {}", x.ty);
            return self.error(code::TYPE_MISMATCH, x.span, headline, "not an array");
        };
        let Some(mut conditions) = self.conditions_of(conditions, rank) else { return Expr::error(span) };
        let count = conditions.len();
        if functions.len() == count + 1 {
            let any = conditions
                .iter()
                .cloned()
                .reduce(|a, b| Self::elem(ElemOp::Or, vec![a, b], false, span))
                .unwrap_or_else(|| Expr::error(span));
            let other = Self::elem(ElemOp::Not, vec![any], false, span);
            conditions.push(self.keep(other));
        } else if functions.len() != count {
            let headline =
                format!("with {count} condition(s), either {count} or {} functions are expected", count + 1);
            return self.error(
                code::WRONG_ARGUMENT_COUNT,
                span,
                headline,
                &format!("{} functions", functions.len()),
            );
        }
        let dims =
            (0..rank).map(|axis| Self::op(OpKind::Dim(axis), vec![x.clone()], Ty::INT, span)).collect();
        let zeros = Self::op(OpKind::Zeros, dims, Ty::array(dtype, rank), span);
        let result = self.keep(Self::keeping_order(Keep::Copy, zeros, vec![x.clone()], span));
        let (from, to) = (self.with_an_axis(&x, span), self.with_an_axis(&result, span));
        for (condition, function) in conditions.into_iter().zip(functions) {
            self.piece(&from, &to, &condition, function, given);
        }
        result
    }

    /// An array without axes as a vector of one element.
    fn with_an_axis(&mut self, array: &Expr, span: Span) -> Expr {
        match array.ty {
            Ty::Array { dtype, rank: 0 } => {
                let view = Self::op(
                    OpKind::View(vec![IndexItem::New]),
                    vec![array.clone()],
                    Ty::array(dtype, 1),
                    span,
                );
                self.keep(view)
            }
            _ => array.clone(),
        }
    }

    /// `to[condition] = …`
    fn piece(&mut self, from: &Expr, to: &Expr, condition: &Expr, function: &ast::Expr, given: &Given<'_>) {
        let span = function.span;
        let all = || vec![Index::Mask(condition.clone())];
        if !self.is_function(function) {
            let value = self.either_expr(function);
            let value = self.keep(value);
            if let Some(place) = self.array_place(to.clone(), all(), span) {
                self.write_place(&place, value, span);
            }
            return;
        }
        let Some(place) = self.array_place(from.clone(), all(), span) else { return };
        let values = self.read_place(&place, span);
        let values = self.keep(values);
        let Some(rank) = values.ty.rank() else { return };
        let some = (0..rank)
            .map(|axis| {
                let dim = Self::op(OpKind::Dim(axis), vec![values.clone()], Ty::INT, span);
                Self::elem(ElemOp::Gt, vec![dim, Expr::int(0, span)], true, span)
            })
            .reduce(|a, b| Self::elem(ElemOp::And, vec![a, b], true, span))
            .unwrap_or_else(|| Expr::bool(true, span));
        let before = self.env.clone();
        let then = self.block(|s| {
            let value = s.apply_for_array(function, std::slice::from_ref(&values), given);
            if value.ty.is_silent() {
                return;
            }
            if let Some(place) = s.array_place(to.clone(), all(), span) {
                s.write_place(&place, value, span);
            }
        });
        self.env = before;
        let label = self.label();
        self.push(StmtKind::If { label, cond: some, then, orelse: Vec::new() }, span);
    }

    /// The conditions, each an array of bools of its own; all of one shape.
    fn conditions_of(&mut self, conditions: &ast::Expr, rank: u8) -> Option<Vec<Expr>> {
        let span = conditions.span;
        let given = match &conditions.kind {
            ast::ExprKind::List(items) | ast::ExprKind::Tuple(items) => {
                let items: Vec<Expr> = items.iter().map(|item| self.expr(item)).collect();
                if items.is_empty() {
                    self.error(code::TYPE_MISMATCH, span, "`np.piecewise` needs a condition", "none");
                    return None;
                }
                // Numbers in a list are a condition for each element of `x`.
                match rank > 0 && matches!(items[0].ty, Ty::Scalar(_)) {
                    true => vec![Self::tuple(items, span)],
                    false => items,
                }
            }
            _ => {
                let value = self.expr(conditions);
                let value = self.keep(value);
                match &value.ty {
                    Ty::Tuple(items) if items.iter().all(Ty::is_array) => self.items_of(&value),
                    Ty::Array { rank: own, .. } if *own > u8::from(rank > 0) => {
                        let headline =
                            "how many conditions an array holds is not known when the program is compiled";
                        let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, headline)
                            .primary(span, format!("this is {}", value.ty))
                            .help("write a list: `[x < 0, x > 1]`");
                        self.report(diagnostic);
                        return None;
                    }
                    _ => {
                        let condition = self.as_operand(value);
                        let condition = self.keep(condition);
                        self.need_first(&condition, span);
                        vec![condition]
                    }
                }
            }
        };
        let mut all = Vec::new();
        for condition in given {
            let condition = self.condition_of(condition, rank, span)?;
            if let Some(first) = all.first() {
                self.need_same_shape(first, &condition, span)?;
            }
            all.push(condition);
        }
        Some(all)
    }

    /// NumPy looks at the first item, to tell one condition from several.
    fn need_first(&mut self, condition: &Expr, span: Span) {
        if let Ty::Array { rank: 1.., .. } = condition.ty {
            let dim = Self::op(OpKind::Dim(0), vec![condition.clone()], Ty::INT, span);
            let some = Self::elem(ElemOp::Gt, vec![dim, Expr::int(0, span)], true, span);
            let message = "index 0 is out of bounds for axis 0 with size 0";
            let check = Self::check(some, Exc::IndexError, message, vec![], span);
            self.out.push(check);
        }
    }

    /// A condition as a new array of bools.
    fn condition_of(&mut self, condition: Expr, of: u8, span: Span) -> Option<Expr> {
        let condition = self.as_operand(condition);
        let condition = match condition.ty {
            Ty::Scalar(_) => self.array_of(condition, None, span),
            _ => condition,
        };
        let Ty::Array { dtype, rank } = condition.ty else {
            if !condition.ty.is_silent() {
                let headline = format!("a condition is an array of bools, not {}", condition.ty);
                self.error(code::TYPE_MISMATCH, span, headline, "not an array");
            }
            return None;
        };
        if (rank == 0) != (of == 0) {
            let headline =
                "a condition for another number of axes than the array has is not supported yet here";
            self.error(code::UNSUPPORTED_YET, span, headline, &format!("this is {}", condition.ty));
            return None;
        }
        // A function may change what the condition was.
        let own = match (dtype, rank) {
            (DType::Bool, _) => Self::op(OpKind::Copy, vec![condition], Ty::array(dtype, rank), span),
            _ => self.convert(condition, Num::strong(DType::Bool)),
        };
        let own = self.keep(own);
        Some(self.with_an_axis(&own, span))
    }

    fn need_same_shape(&mut self, first: &Expr, other: &Expr, span: Span) -> Option<()> {
        let (Some(rank), Some(own)) = (first.ty.rank(), other.ty.rank()) else { return None };
        if rank != own {
            let headline = "the conditions of `np.piecewise` must have one shape";
            self.error(code::RANK_MISMATCH, span, headline, &format!("{} and {}", first.ty, other.ty));
            return None;
        }
        for axis in 0..rank {
            let dims = [first, other].map(|a| Self::op(OpKind::Dim(axis), vec![a.clone()], Ty::INT, span));
            let same = Self::elem(ElemOp::Eq, dims.to_vec(), true, span);
            let message =
                "setting an array element with a sequence. The requested array has an inhomogeneous shape";
            let check = Self::check(same, Exc::ValueError, message, vec![], span);
            self.out.push(check);
        }
        Some(())
    }
}
