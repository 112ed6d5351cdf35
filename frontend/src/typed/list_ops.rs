//! Lists as wholes: slices, sums, repetitions, methods. What they do is written in the prelude.

use super::infer::Infer;
use super::tree::Expr;
use super::ty::Ty;
use crate::diagnostics::code;
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, Ident, Keyword};

const FILE: &str = "sequence";

/// Methods that only Python's lists have, or that mean something else for them.
pub const METHODS: [&str; 10] =
    ["pop", "insert", "extend", "remove", "clear", "sort", "reverse", "index", "count", "copy"];

pub const fn is_list(ty: &Ty) -> bool {
    matches!(ty, Ty::List(_) | Ty::EmptyList(_))
}

impl Infer<'_, '_> {
    /// `list.method(…)`, of those in [`METHODS`].
    pub(super) fn list_method(
        &mut self,
        list: Expr,
        method: &Ident,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        let mut args: Vec<Expr> = args.iter().map(|arg| self.expr(arg)).collect();
        for keyword in keywords {
            self.expr(&keyword.value);
        }
        let plain = keywords.is_empty();
        let function = match (method.name.as_str(), args.len()) {
            ("extend", 1) if plain => {
                let values = args.remove(0);
                return self.extend_list(list, values, span);
            }
            ("copy", 0) if plain => "copied",
            ("reverse", 0) if plain => "reverse",
            ("index", 1) if plain => "index_of",
            ("count", 1) if plain => "count",
            _ => return self.later_expr(method.span, &format!("`.{}` of a list", method.name)),
        };
        let mut operands = vec![list];
        operands.append(&mut args);
        self.on_lists(function, operands, span)
    }

    /// A function of the prelude on lists whose items are known.
    fn on_lists(&mut self, function: &str, args: Vec<Expr>, span: Span) -> Expr {
        if let Some(empty) = args.iter().find(|arg| matches!(arg.ty, Ty::EmptyList(_))) {
            return self.error(
                code::CANNOT_INFER_TYPE,
                empty.span,
                "what this list holds is not known yet",
                "",
            );
        }
        self.prelude_call(FILE, function, args, span)
    }

    /// `list += values`, `list.extend(values)`.
    pub(super) fn extend_list(&mut self, list: Expr, values: Expr, span: Span) -> Expr {
        match (&list.ty, &values.ty) {
            (_, Ty::EmptyList(_)) => Expr::none(span),
            (Ty::EmptyList(_), Ty::List(_)) => {
                self.note_list_items(&list.ty, &values.ty);
                Expr::none(span)
            }
            (_, Ty::List(_)) => self.on_lists("extend", vec![list, values], span),
            (_, Ty::Array { rank: 1, .. } | Ty::Range) => {
                self.on_lists("extend_from", vec![list, values], span)
            }
            (_, ty) if ty.is_silent() => Expr::silent([&values], span),
            (_, other) => {
                let headline = format!("a list cannot be extended by {other}");
                self.error(code::NOT_ITERABLE, values.span, headline, &format!("this is {other}"))
            }
        }
    }

    /// `left + right`, `list * count`, `count * list`; None for other operands.
    pub(super) fn list_operator(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<Expr> {
        let is_count = |e: &Expr| e.ty.scalar().is_some_and(|num| num.dtype.is_int());
        let function = match op {
            BinaryOp::Add if is_list(&left.ty) && is_list(&right.ty) => {
                if let (Ty::List(a), Ty::List(b)) = (&left.ty, &right.ty)
                    && a.dtype != b.dtype
                {
                    let headline = format!("the sum of {} and {}", left.ty, right.ty);
                    return Some(self.later_expr(span, &headline));
                }
                "concatenated"
            }
            BinaryOp::Mul if is_list(&left.ty) && is_count(right) => "repeated",
            BinaryOp::Mul if is_count(left) && is_list(&right.ty) => {
                return Some(self.on_lists("repeated", vec![right.clone(), left.clone()], span));
            }
            _ => return None,
        };
        Some(self.on_lists(function, vec![left.clone(), right.clone()], span))
    }

    /// `list[start:stop:step]`: a new list.
    pub(super) fn list_slice(&mut self, list: Expr, slice: &ast::Expr, span: Span) -> Expr {
        let ast::ExprKind::Slice { lower, upper, step } = &slice.kind else { return Expr::error(span) };
        let mut args = vec![list];
        for part in [lower, upper, step] {
            let value = self.slice_part(part.as_deref());
            args.push(value.unwrap_or_else(|| Expr::none(span)));
        }
        self.on_lists("part", args, span)
    }

    /// `list(values)`.
    pub(super) fn list_of(&mut self, values: Expr, span: Span) -> Expr {
        match &values.ty {
            Ty::List(_) | Ty::EmptyList(_) | Ty::Range | Ty::Array { rank: 1, .. } => {
                self.on_lists("copied", vec![values], span)
            }
            other => self.later_expr(span, &format!("a list of the items of {other}")),
        }
    }
}
