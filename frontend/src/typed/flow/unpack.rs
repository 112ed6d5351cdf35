//! `a, b = value`, `a, *rest = value`.

use super::infer::Infer;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast;
use crate::typed::containers::list_ops::is_starred;
use crate::typed::expressions::index::{Index, basic};
use crate::typed::program::tree::Expr;
use crate::typed::types::ty::Ty;
use pydd_ir::{ElemOp, Exc, OpKind};

impl Infer<'_, '_> {
    /// `a, b = value`.
    pub(super) fn unpack(&mut self, targets: &[ast::Expr], value: Expr, span: Span) {
        if let Some(rest) = targets.iter().position(is_starred) {
            return self.unpack_with_rest(targets, rest, value, span);
        }
        let count = targets.len();
        let value = self.unpackable(value);
        let items: Vec<Expr> = match &value.ty {
            Ty::Tuple(items) if items.len() == count => self.items_of(&value),
            Ty::Tuple(items) => {
                let label = format!("{count} targets");
                let headline = if items.len() > count {
                    format!("too many values to unpack (expected {count})")
                } else {
                    format!("not enough values to unpack (expected {count}, got {})", items.len())
                };
                let diagnostic = Diagnostic::error(code::UNPACK_COUNT, headline)
                    .primary(span, label)
                    .secondary(value.span, format!("{} values", items.len()));
                self.report(diagnostic);
                vec![Expr::error(span); count]
            }
            Ty::Array { rank: 1.., .. } | Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) => {
                self.unpack_sequence(&value, count, span)
            }
            ty if ty.is_silent() => vec![Expr::silent([&value], span); count],
            _ => {
                self.not_unpackable(&value, count, span);
                vec![Expr::error(span); count]
            }
        };
        let items: Vec<Expr> = match value.ty {
            Ty::Tuple(_) => items,
            _ => items.into_iter().map(|item| self.keep(item)).collect(),
        };
        for (target, item) in targets.iter().zip(items) {
            self.assign_target(target, item, None);
        }
    }

    /// A kept value: a range or what a dict shows is its list.
    fn unpackable(&mut self, value: Expr) -> Expr {
        let span = value.span;
        let value = match &value.ty {
            Ty::Range => self.list_of(value, span),
            Ty::Dict(_) | Ty::DictView(..) => self.listed(value),
            _ => value,
        };
        self.keep(value)
    }

    /// Items of an array or list whose length must be right when the program runs.
    fn unpack_sequence(&mut self, value: &Expr, count: usize, span: Span) -> Vec<Expr> {
        let length = self.sequence_length(value, span);
        let expected = Expr::int(count as i64, span);
        let enough = Self::elem(ElemOp::Ge, vec![length.clone(), expected.clone()], true, span);
        let message = format!("not enough values to unpack (expected {count}, got {{0}})");
        let check = Self::check(enough, Exc::ValueError, &message, vec![length.clone()], span);
        self.out.push(check);
        let exact = Self::elem(ElemOp::Eq, vec![length, expected], true, span);
        let message = format!("too many values to unpack (expected {count})");
        self.out.push(Self::check(exact, Exc::ValueError, &message, vec![], span));
        (0..count).map(|i| self.element(value, Expr::int(i as i64, span), span)).collect()
    }

    /// `a, *rest, b = value`: `rest` is a list of what is between.
    fn unpack_with_rest(&mut self, targets: &[ast::Expr], rest: usize, value: Expr, span: Span) {
        let behind = targets.len() - rest - 1;
        let value = self.unpackable(value);
        let items = match &value.ty {
            Ty::Tuple(items) if items.len() + 1 >= targets.len() => {
                self.parts_of_tuple(&value, rest, behind, span)
            }
            Ty::Tuple(items) => {
                let headline = format!(
                    "not enough values to unpack (expected at least {}, got {})",
                    targets.len() - 1,
                    items.len()
                );
                self.error(code::UNPACK_COUNT, span, headline, "not enough values");
                vec![Expr::error(span); targets.len()]
            }
            Ty::Array { rank: 1.., .. } | Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) => {
                self.parts_of_sequence(&value, rest, behind, span)
            }
            ty if ty.is_silent() => vec![Expr::silent([&value], span); targets.len()],
            _ => {
                self.not_unpackable(&value, targets.len(), span);
                vec![Expr::error(span); targets.len()]
            }
        };
        let items: Vec<Expr> = items.into_iter().map(|item| self.keep(item)).collect();
        for (target, item) in targets.iter().zip(items) {
            match &target.kind {
                ast::ExprKind::Starred(target) => self.assign_target(target, item, None),
                _ => self.assign_target(target, item, None),
            }
        }
    }

    /// Items of a tuple: so many, a list of those between, so many from the end.
    fn parts_of_tuple(&mut self, tuple: &Expr, first: usize, last: usize, span: Span) -> Vec<Expr> {
        let mut items = self.items_of(tuple);
        let behind = items.split_off(items.len() - last);
        let between = items.split_off(first);
        let list = match between.as_slice() {
            [] => self.list(&[], None, span),
            _ => self.list_of(Self::tuple(between, span), span),
        };
        items.push(list);
        items.extend(behind);
        items
    }

    /// As [`parts_of_tuple`](Self::parts_of_tuple), of an array or list, which must be long enough when the program runs.
    fn parts_of_sequence(&mut self, value: &Expr, first: usize, last: usize, span: Span) -> Vec<Expr> {
        let length = self.sequence_length(value, span);
        let least = Expr::int((first + last) as i64, span);
        let enough = Self::elem(ElemOp::Ge, vec![length.clone(), least], true, span);
        let message = format!("not enough values to unpack (expected at least {}, got {{0}})", first + last);
        let check = Self::check(enough, Exc::ValueError, &message, vec![length.clone()], span);
        self.out.push(check);
        let from_end = |at: usize| {
            let back = Expr::int(at as i64, span);
            Self::elem(ElemOp::Sub, vec![length.clone(), back], true, span)
        };
        let part = [Some(Expr::int(first as i64, span)), Some(from_end(last)), None];
        let between = match value.ty {
            Ty::Array { .. } => {
                let mut operands = vec![value.clone()];
                let index = basic(Index::Slice(part), &mut operands);
                let view = Self::op(OpKind::View(vec![index]), operands, value.ty.clone(), span);
                self.list_of(view, span)
            }
            _ => {
                self.list_part(value.clone(), part.map(|part| part.unwrap_or_else(|| Expr::none(span))), span)
            }
        };
        let between = self.keep(between);
        let mut items: Vec<Expr> =
            (0..first).map(|at| self.element(value, Expr::int(at as i64, span), span)).collect();
        items.push(between);
        items.extend((1..=last).rev().map(|at| self.element(value, from_end(at), span)));
        items
    }

    /// The length of an array's first axis, or of a list.
    fn sequence_length(&mut self, value: &Expr, span: Span) -> Expr {
        let length = match value.ty {
            Ty::Array { .. } => Self::op(OpKind::Dim(0), vec![value.clone()], Ty::INT, span),
            _ => self.list_length(value, span),
        };
        self.keep(length)
    }

    fn not_unpackable(&mut self, value: &Expr, count: usize, span: Span) {
        let headline = format!("cannot unpack {}", value.ty);
        let diagnostic = Diagnostic::error(code::NOT_UNPACKABLE, headline)
            .primary(value.span, format!("this is {}", value.ty))
            .secondary(span, format!("{count} targets"));
        self.report(diagnostic);
    }
}
