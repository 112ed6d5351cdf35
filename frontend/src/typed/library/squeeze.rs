//! `np.squeeze`: without `axis`, the number of axes that stay depends on lengths, so an annotation has to promise it.
//!
//! `b: Array(float64, 1) = np.squeeze(a)` checks when it runs that one axis of `a` has another length than 1.

use super::arguments::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::typed::expressions::index::WHOLE;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, Stmt};
use crate::typed::types::ty::Ty;
use pydd_ir::{ElemOp, Exc, IndexItem, OpKind};

impl Infer<'_, '_> {
    pub(super) fn squeeze(
        &mut self,
        array: Expr,
        rank: u8,
        args: &Arguments,
        before: &mut Vec<Stmt>,
    ) -> Expr {
        let span = args.span;
        match args.optional(1) {
            None if rank == 0 => array,
            None => match self.wanted_rank {
                Some((at, wanted)) if at == span => self.squeezed_to(array, rank, wanted, before, span),
                _ => self.unknown_rank(rank, span),
            },
            Some(axis) if rank == 0 && self.is_whole_number(&axis, rank) => array,
            Some(axis) => self.without_axes(array, rank, &axis, before, span),
        }
    }

    fn unknown_rank(&mut self, rank: u8, span: Span) -> Expr {
        let headline = "`squeeze` without `axis` needs to know how many axes stay";
        let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, headline)
            .primary(span, "the rank of the result depends on lengths")
            .help(format!(
                "name the axis: `np.squeeze(a, axis=0)`; or annotate the result, which is checked when it runs: \
                 `b: Array(float64, {}) = np.squeeze(a)`",
                rank - 1
            ));
        self.fail(diagnostic)
    }

    /// The view without all axes of length 1, of which `wanted` stay: ValueError if it is another number.
    fn squeezed_to(&mut self, array: Expr, rank: u8, wanted: u8, before: &mut Vec<Stmt>, span: Span) -> Expr {
        let Ty::Array { dtype, .. } = array.ty else { return Expr::error(span) };
        if wanted > rank {
            // What is promised does not fit, which the annotation's own error says.
            return array;
        }
        let dims: Vec<Expr> =
            self.dims(&array, rank, span).into_iter().map(|dim| self.once(dim, before)).collect();
        // How many axes stay of those in front of each.
        let mut stay = Expr::int(0, span);
        let mut places = Vec::new();
        for dim in &dims {
            let stays = Self::elem(ElemOp::Ne, vec![dim.clone(), Expr::int(1, span)], true, span);
            let stays = self.once(stays, before);
            places.push((stays.clone(), stay.clone()));
            let one =
                Self::elem(ElemOp::Select, vec![stays, Expr::int(1, span), Expr::int(0, span)], true, span);
            let sum = Self::elem(ElemOp::Add, vec![stay, one], true, span);
            stay = self.once(sum, before);
        }
        let fits = Self::elem(ElemOp::Eq, vec![stay.clone(), Expr::int(i64::from(wanted), span)], true, span);
        let message = format!("squeeze leaves {{0}} axes, where the annotation promises {wanted}");
        before.push(Self::check(fits, Exc::ValueError, &message, vec![stay], span));
        // A view: axes of length 1 stand in no way of one.
        let mut operands = vec![array];
        for at in 0..wanted {
            let lengths = dims.iter().zip(&places).map(|(dim, (stays, place))| {
                let here =
                    Self::elem(ElemOp::Eq, vec![place.clone(), Expr::int(i64::from(at), span)], true, span);
                let here = Self::elem(ElemOp::And, vec![stays.clone(), here], true, span);
                Self::elem(ElemOp::Select, vec![here, dim.clone(), Expr::int(1, span)], true, span)
            });
            let length = lengths.reduce(|a, b| Self::elem(ElemOp::Mul, vec![a, b], true, span));
            operands.push(length.unwrap_or_else(|| Expr::int(1, span)));
        }
        if wanted == 0 {
            operands.extend((0..rank).map(|_| Expr::int(0, span)));
            let items = vec![IndexItem::At; usize::from(rank)];
            return Self::op(OpKind::View(items), operands, Ty::array(dtype, 0), span);
        }
        Self::op(OpKind::Reshape, operands, Ty::array(dtype, wanted), span)
    }

    fn without_axes(
        &mut self,
        array: Expr,
        rank: u8,
        axis: &Expr,
        before: &mut Vec<Stmt>,
        span: Span,
    ) -> Expr {
        let Ty::Array { dtype, .. } = array.ty else { return Expr::error(span) };
        let Some(axes) = self.axes(axis, rank) else { return Expr::error(span) };
        let mut operands = vec![array.clone()];
        let mut items = vec![WHOLE; usize::from(rank)];
        for axis in axes {
            let dim = Self::op(OpKind::Dim(axis), vec![array.clone()], Ty::INT, span);
            let one = Self::elem(ElemOp::Eq, vec![dim, Expr::int(1, span)], true, span);
            let message = "cannot select an axis to squeeze out which has size not equal to one";
            before.push(Self::check(one, Exc::ValueError, message, vec![], span));
            items[usize::from(axis)] = IndexItem::At;
            operands.push(Expr::int(0, span));
        }
        let left = rank - (operands.len() as u8 - 1);
        Self::op(OpKind::View(items), operands, Ty::array(dtype, left), span)
    }
}
