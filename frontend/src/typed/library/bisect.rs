//! `bisect`: places in lists and arrays that are in order. What is looked at is written in the prelude.

use super::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::typed::containers::list_ops::is_list;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::Expr;
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue::BisectOp;

const FILE: &str = "bisect";

impl Infer<'_, '_> {
    pub(in crate::typed) fn bisect_builtin(&mut self, op: BisectOp, args: &Arguments) -> Expr {
        let span = args.span;
        let (values, x) = (args.value(0), args.value(1));
        let inserts = matches!(op, BisectOp::InsertLeft | BisectOp::InsertRight);
        let is_vector = matches!(values.ty, Ty::Array { rank: 1, .. });
        if !is_list(&values.ty) && (inserts || !is_vector) {
            let headline = format!("`{}` needs a list, not {}", Self::shown_name(&args.found), values.ty);
            let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, headline)
                .primary(values.span, format!("this is {}", values.ty));
            return self.fail(diagnostic);
        }
        if is_list(&values.ty) && !self.are_ordered(&values, values.span) {
            return Expr::error(span);
        }
        let x = match (inserts, values.ty.list_item()) {
            (true, Some(item)) => self.declare(x, &item, values.span, "stored"),
            (true, None) => match Ty::list_of(&x.ty) {
                Some(held) => {
                    self.note_contents(&values.ty.clone(), &held);
                    return Expr::none(span);
                }
                None => return self.not_an_item(&x),
            },
            (false, _) => x,
        };
        let low = self.as_index(args.value(2));
        let high = args.optional(3).map_or_else(|| Expr::none(span), |high| self.as_index(high));
        let function = match op {
            BisectOp::Left => "left",
            BisectOp::Right => "right",
            BisectOp::InsertLeft => "insert_left",
            BisectOp::InsertRight => "insert_right",
        };
        self.on_lists_of(FILE, function, vec![values, x, low, high], span)
    }
}
