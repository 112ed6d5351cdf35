//! What is indexed instead of called: `np.mgrid[a:b, c:d]`, `np.ogrid[…]`, `np.r_[…]`, `np.c_[…]`.

use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::Expr;
use crate::typed::types::promote::promote;
use crate::typed::types::ty::Num;
use pydd_ir::catalogue::{self, Algebra, Builtin};

const FILE: &str = "splitting";

impl Infer<'_, '_> {
    /// The value of such a subscript; `None`: the base is something else.
    pub(in crate::typed) fn grid_subscript(
        &mut self,
        base: &ast::Expr,
        indices: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let ast::ExprKind::Attribute { value, attr } = &base.kind else { return None };
        let space = self.static_module(value)?;
        match catalogue::find(space, &attr.name)?.entry.algebra {
            Algebra::Builtin(Builtin::Grid { open }) => Some(self.coordinates(open, indices, span)),
            Algebra::Builtin(Builtin::Joined { columns }) => Some(self.joined_items(columns, indices, span)),
            _ => None,
        }
    }

    fn coordinates(&mut self, open: bool, indices: &[ast::Expr], span: Span) -> Expr {
        let several = !open && indices.len() > 1;
        let axes: Vec<Expr> = indices.iter().map(|index| self.grid_axis(index, several)).collect();
        if let [axis] = axes.as_slice() {
            return axis.clone();
        }
        let axes = Self::tuple(axes, span);
        self.prelude_call(FILE, if open { "open_grid" } else { "full_grid" }, vec![axes], span)
    }

    /// The numbers of a slice: from start by step below stop; an imaginary step is a number of points with stop
    /// among them.
    fn grid_axis(&mut self, index: &ast::Expr, several: bool) -> Expr {
        let span = index.span;
        let ast::ExprKind::Slice { lower, upper: Some(upper), step } = &index.kind else {
            let diagnostic = Diagnostic::error(code::INDEX_TYPE, "a grid is made of slices")
                .primary(span, "expected `start:stop` or `start:stop:step`");
            return self.fail(diagnostic);
        };
        let start = lower.as_deref().map_or_else(|| Expr::int(0, span), |start| self.expr(start));
        let stop = self.expr(upper);
        match step.as_deref() {
            Some(ast::Expr { kind: ast::ExprKind::Imaginary(count), .. }) => {
                let count = Expr::int(*count as i64, span);
                self.prelude_call(FILE, "grid_points", vec![start, stop, count], span)
            }
            step => {
                let step = step.map_or_else(|| Expr::int(1, span), |step| self.expr(step));
                let function = if several { "grid_axis_of_several" } else { "grid_axis" };
                self.prelude_call(FILE, function, vec![start, stop, step], span)
            }
        }
    }

    fn joined_items(&mut self, columns: bool, indices: &[ast::Expr], span: Span) -> Expr {
        let items = indices.iter().map(|index| match index.kind {
            ast::ExprKind::Slice { .. } => self.grid_axis(index, false),
            _ => self.display(index),
        });
        let items: Vec<Expr> = items.collect();
        // Numbers of Python's adapt to the others.
        let common = items.iter().filter_map(|item| item.ty.num()).reduce(promote);
        let mut parts = Vec::new();
        for item in items {
            let part = match (item.ty.scalar(), common) {
                (Some(num), Some(common)) if num.weak => self.operand(item, Num::strong(common.dtype)),
                _ => item,
            };
            parts.push(self.prelude_call("joining", "atleast_1d", vec![part], span));
        }
        let items = Self::tuple(parts, span);
        if columns {
            return self.prelude_call("joining", "column_stack", vec![items], span);
        }
        let axis = Expr::int(0, span);
        let none = Expr::none(span);
        let constants = vec![None, Some(axis.clone()), Some(none.clone())];
        self.prelude_instance("joining", "concatenate", vec![items, axis, none], constants, span)
    }
}
