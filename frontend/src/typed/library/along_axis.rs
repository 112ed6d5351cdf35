//! `np.apply_along_axis(f, axis, a)`: loops over all other axes.
//!
//! ```text
//! out = np.empty((m,))              # of numbers
//! for i in range(m):
//!     out[i] = f(a[i, :])
//! ```
//!
//! How many elements `f` gives where it gives arrays is known after its first call, which therefore stands before the loops.

use super::applied::Given;
use crate::source::Span;
use crate::syntax::ast;
use crate::typed::expressions::index::WHOLE;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{self, Expr, ExprKind, StmtKind};
use crate::typed::types::ty::{Num, Ty, clamped_rank};
use pydd_ir::{ElemOp, Exc, IndexItem, OpKind};

/// The vectors of an array along an axis.
struct Vectors {
    array: Expr,
    axis: u8,
    /// How many there are along each other axis.
    counts: Vec<Expr>,
}

impl Vectors {
    /// The vector at these indices of the other axes.
    fn at(&self, indices: &[Expr], span: Span) -> Expr {
        let Ty::Array { dtype, rank } = self.array.ty else { return Expr::error(span) };
        let item = |axis: u8| if axis == self.axis { WHOLE } else { IndexItem::At };
        let operands = std::iter::once(&self.array).chain(indices).cloned().collect();
        let kind = OpKind::View((0..rank).map(item).collect());
        Expr::new(ExprKind::Op(kind, operands), Ty::array(dtype, 1), span)
    }
}

impl Infer<'_, '_> {
    pub(in crate::typed) fn along_axis(&mut self, given: &Given<'_>, span: Span) -> Expr {
        let (Some(function), Some(axis), Some(array)) =
            (given.required(0), given.required(1), given.required(2))
        else {
            return Expr::error(span);
        };
        let axis = self.expr(axis);
        let array = self.applied_to(array, span);
        if array.ty.is_silent() || axis.ty.is_silent() {
            return Expr::silent([&array, &axis], span);
        }
        let Ty::Array { rank, .. } = array.ty else {
            let headline = format!("`np.apply_along_axis` needs an array, not {}", array.ty);
            return self.error(crate::diagnostics::code::TYPE_MISMATCH, array.span, headline, "not an array");
        };
        let Some(constant) = axis.as_int().filter(|_| axis.is_constant()) else {
            return self.not_constant("axis", &axis);
        };
        let Some(axis) = self.axis(constant, rank, axis.span) else { return Expr::error(span) };
        let mut counts = Vec::new();
        for other in (0..rank).filter(|&other| other != axis) {
            let count = Self::op(OpKind::Dim(other), vec![array.clone()], Ty::INT, span);
            counts.push(self.keep(count));
        }
        self.need_vectors(&counts, span);
        let vectors = Vectors { array, axis, counts };
        self.for_each_vector(function, &vectors, given, span)
    }

    fn need_vectors(&mut self, counts: &[Expr], span: Span) {
        for count in counts {
            let some = Self::elem(ElemOp::Gt, vec![count.clone(), Expr::int(0, span)], true, span);
            let message = "Cannot apply_along_axis when any iteration dimensions are 0";
            let check = Self::check(some, Exc::ValueError, message, vec![], span);
            self.out.push(check);
        }
    }

    fn for_each_vector(
        &mut self,
        function: &ast::Expr,
        vectors: &Vectors,
        given: &Given<'_>,
        span: Span,
    ) -> Expr {
        let indices: Vec<_> = vectors.counts.iter().map(|_| self.temporary(&Ty::INT)).collect();
        let at: Vec<Expr> =
            indices.iter().map(|&index| Expr::new(ExprKind::Local(index), Ty::INT, span)).collect();
        let mut value = Expr::error(span);
        let mut body = self.block(|s| value = s.apply_for_array(function, &[vectors.at(&at, span)], given));
        let Some(num) = value.ty.num() else { return Expr::silent([&value], span) };
        let stored = Num::strong(num.dtype);
        let given_rank = value.ty.rank();
        let rank = clamped_rank(vectors.counts.len() + usize::from(given_rank.unwrap_or(0)));
        let ty = Ty::array(num.dtype, rank);
        if at.is_empty() {
            self.out.append(&mut body);
            return match value.ty.is_array() {
                true => self.fresh(value),
                false => self.array_of(value, None, span),
            };
        }
        let mut sizes = vectors.counts.clone();
        let Some(inner) = given_rank else {
            let out = Self::op(OpKind::Empty, sizes, ty.clone(), span);
            let out = self.keep(out);
            let value = self.convert(value, stored);
            let operands = [out.clone(), value].into_iter().chain(at.iter().cloned()).collect();
            body.push(tree::Stmt::new(StmtKind::Effect(OpKind::Store, operands), span));
            self.nest(&vectors.counts, &indices, body, span);
            return out;
        };
        let zeros = vec![Expr::int(0, span); at.len()];
        let first = self.apply_for_array(function, &[vectors.at(&zeros, span)], given);
        sizes.extend((0..inner).map(|axis| Self::op(OpKind::Dim(axis), vec![first.clone()], Ty::INT, span)));
        let out = Self::op(OpKind::Empty, sizes, ty.clone(), span);
        let out = self.keep(out);
        let place = |at: &[Expr]| {
            let operands = std::iter::once(&out).chain(at).cloned().collect();
            let items = vec![IndexItem::At; at.len()];
            Self::op(OpKind::View(items), operands, Ty::array(num.dtype, inner), span)
        };
        self.effect(OpKind::Assign, vec![place(&zeros), first], span);
        body.push(tree::Stmt::new(StmtKind::Effect(OpKind::Assign, vec![place(&at), value]), span));
        let later = at
            .iter()
            .map(|index| Self::elem(ElemOp::Ne, vec![index.clone(), Expr::int(0, span)], true, span))
            .reduce(|a, b| Self::elem(ElemOp::Or, vec![a, b], true, span));
        let cond = later.unwrap_or_else(|| Expr::bool(true, span));
        let label = self.label();
        let unless_first = StmtKind::If { label, cond, then: body, orelse: Vec::new() };
        self.nest(&vectors.counts, &indices, vec![tree::Stmt::new(unless_first, span)], span);
        // What the function gives stands in the place of the axis.
        let outer = at.len() as u8;
        let order = (0..vectors.axis).chain(outer..outer + inner).chain(vectors.axis..outer);
        Self::op(OpKind::Transpose(order.collect()), vec![out], ty, span)
    }

    /// Loops over all these indices, the last one fastest.
    fn nest(&mut self, counts: &[Expr], indices: &[tree::LocalId], body: Vec<tree::Stmt>, span: Span) {
        let mut body = body;
        for (count, &index) in counts.iter().zip(indices).rev() {
            let label = self.label();
            let range = Box::new([Expr::int(0, span), count.clone(), Expr::int(1, span)]);
            let each = StmtKind::For { label, range, index, body, parallel: None };
            body = vec![tree::Stmt::new(each, span)];
        }
        self.out.append(&mut body);
    }
}
