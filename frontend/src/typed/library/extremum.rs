//! Python's `min` and `max`.

use super::arguments::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue::Accumulate;
use pydd_ir::{DType, ElemOp, OpKind, ReduceOp};

impl Infer<'_, '_> {
    /// `min(values, default=…)`
    pub(super) fn extremum_or(
        &mut self,
        op: ElemOp,
        reduce: ReduceOp,
        mut args: Arguments,
        default: Expr,
    ) -> Expr {
        let span = args.span;
        let [values] = args.rest.as_slice() else {
            let headline = format!("`{}` takes `default=` with one list alone", args.found.name);
            return self.error(code::TYPE_MISMATCH, span, headline, "");
        };
        if let Ty::EmptyList(_) = values.ty {
            return default;
        }
        let mut before = Vec::new();
        let values = match values.ty {
            Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) | Ty::Array { .. } => values.clone(),
            _ => self.list_of(values.clone(), span),
        };
        if values.ty.is_silent() {
            return values;
        }
        let values = self.once(values, &mut before);
        let count = match values.ty {
            Ty::Array { .. } => Self::op(OpKind::Dim(0), vec![values.clone()], Ty::INT, span),
            _ => self.list_length(&values, span),
        };
        let some = Self::elem(ElemOp::Gt, vec![count, Expr::int(0, span)], true, span);
        args.rest = vec![values];
        args.forget("default");
        let extreme = self.conditionally(|s| s.extremum(op, reduce, args));
        let chosen = self.unify_and_choose(some, extreme, default, span);
        if chosen.ty.is_silent() { chosen } else { Self::seq(before, chosen) }
    }

    /// `min(a, b, …)` of numbers, `min(xs)` of a list or array.
    pub(super) fn extremum(&mut self, op: ElemOp, reduce: ReduceOp, mut args: Arguments) -> Expr {
        let span = args.span;
        if let Some(default) = args.named("default") {
            return self.extremum_or(op, reduce, args, default);
        }
        if let [tuple] = args.rest.as_slice()
            && matches!(tuple.ty, Ty::Tuple(_))
            && !matches!(tuple.kind, ExprKind::Tuple(_))
        {
            let count = tuple.ty.parts().map_or(0, |parts| parts.len());
            let mut before = Vec::new();
            let tuple = self.once(tuple.clone(), &mut before);
            let items = (0..count).map(|i| self.item_of(&tuple, i)).collect();
            args.rest = vec![Self::tuple(items, span)];
            let extreme = self.extremum(op, reduce, args);
            return Self::seq(before, extreme);
        }
        let given = args.named("axis");
        let (array, axis) = match args.rest.as_slice() {
            [array, axis] if array.ty.is_array() && axis.as_int().is_some() => (Some(array), Some(axis)),
            [array] => (Some(array), given.as_ref()),
            _ => (None, given.as_ref()),
        };
        if let (Some(array), Some(axis)) = (array, axis) {
            return self.along(reduce, Accumulate::Element, array.clone(), axis, span);
        }
        let values = match args.rest.as_slice() {
            [Expr { kind: ExprKind::Tuple(items), .. }] if items.is_empty() => {
                let headline = format!("{}() arg is an empty sequence", args.found.name);
                return self.error(code::TYPE_MISMATCH, span, headline, "there is nothing in it");
            }
            [Expr { kind: ExprKind::Tuple(items), .. }] => items.clone(),
            [one] if matches!(one.ty, Ty::Array { .. } | Ty::List(_)) => {
                return self.whole_of(reduce, Accumulate::Element, one.clone(), span);
            }
            [one] if matches!(one.ty, Ty::Tuples(_) | Ty::Lists(_)) => {
                if !self.are_ordered(one, span) {
                    return Expr::error(span);
                }
                let function = if op == ElemOp::Min { "least" } else { "greatest" };
                return self.prelude_call("sequence", function, vec![one.clone()], span);
            }
            [one] if one.ty == Ty::Range => {
                let list = self.list_of(one.clone(), span);
                return self.whole_of(reduce, Accumulate::Element, list, span);
            }
            [one] if one.ty.scalar().is_some() => {
                let headline = format!("{} is not iterable", one.ty);
                return self.error(
                    code::NOT_ITERABLE,
                    one.span,
                    headline,
                    "give two or more numbers, or a list",
                );
            }
            [] => {
                let headline = format!("{} expected at least 1 argument, got 0", args.found.name);
                return self.error(code::WRONG_ARGUMENT_COUNT, span, headline, "");
            }
            all => all.to_vec(),
        };
        if let [Expr { ty: Ty::Tuple(_), .. }, ..] = values.as_slice() {
            return self.extreme_tuple(op, values, span);
        }
        let mut common: Option<Ty> = None;
        for value in &values {
            let is_number = matches!(value.ty, Ty::Scalar(_) | Ty::Either(_));
            let met = common.as_ref().map_or(Some(value.ty.clone()), |so_far| self.meet(so_far, &value.ty));
            match met.filter(|_| is_number) {
                Some(met) => common = Some(met),
                None if is_number => return self.no_common_type(&values[0], value),
                None => {
                    let headline = format!("`{}` compares numbers, not {}", args.found.name, value.ty);
                    let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, headline)
                        .primary(value.span, format!("this is {}", value.ty))
                        .help("for arrays use `np.minimum` and `np.maximum`");
                    return self.fail(diagnostic);
                }
            }
        }
        let common = match common {
            Some(Ty::Scalar(common)) => common,
            Some(Ty::Either(_)) => return self.extreme_either(op, values, span),
            _ => return Expr::error(span),
        };
        if common.dtype.is_complex() {
            return self.error(code::COMPLEX_ORDER, span, "complex numbers have no order", "");
        }
        let one = |s: &mut Self, v| {
            if s.unit.user { s.convert_to(v, &Ty::Scalar(common)) } else { s.operand(v, common) }
        };
        let values: Vec<Expr> = values.into_iter().map(|v| one(self, v)).collect();
        let bool_op = if op == ElemOp::Min { ElemOp::And } else { ElemOp::Or };
        let op = if common.dtype == DType::Bool { bool_op } else { op };
        // Python keeps the first of equal numbers, an operation the second; that shows in zeros.
        let mut before = Vec::new();
        let values: Vec<Expr> = match common.dtype.is_float() {
            true => values.into_iter().map(|value| self.once(value, &mut before)).collect(),
            false => values,
        };
        let result = values.into_iter().reduce(|a, b| {
            let operands = if common.dtype.is_float() { vec![b, a] } else { vec![a, b] };
            Self::elem(op, operands, common.weak, span)
        });
        Self::seq(before, result.unwrap_or_else(|| Expr::error(span)))
    }
}
