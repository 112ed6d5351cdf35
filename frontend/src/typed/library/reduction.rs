//! Reductions over axes.

use super::arguments::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::typed::infer::Infer;
use crate::typed::tree::{Expr, ExprKind};
use crate::typed::ty::{Num, Ty};
use pydd_ir::catalogue::Accumulate;
use pydd_ir::{DType, OpKind, ReduceOp, ReduceSpec};

impl Infer<'_, '_> {
    pub(super) fn reduction(&mut self, op: ReduceOp, accumulate: Accumulate, args: Arguments) -> Expr {
        let out = args.named("out");
        let span = args.span;
        let result = self.reduction_of(op, accumulate, args);
        match out {
            Some(out) => self.store_out(out, result, true, span),
            None => result,
        }
    }

    fn reduction_of(&mut self, op: ReduceOp, accumulate: Accumulate, args: Arguments) -> Expr {
        let array = args.value(0);
        let array = match &array.ty {
            Ty::List(_) | Ty::Lists(_) => self.array_of_list(array, args.span),
            Ty::Scalar(_) => return self.reduced_number(array, op, accumulate, &args),
            Ty::Tuple(_) => self.array_of(array, None, args.span),
            _ => array,
        };
        let Ty::Array { rank, .. } = array.ty else { return self.needs_array(&args, 0) };
        let axes = match args.named("axis") {
            None => None,
            Some(axis) => match self.axes(&axis, rank) {
                Some(axes) => Some(axes),
                None => return Expr::error(args.span),
            },
        };
        let single = matches!(op, ReduceOp::ArgMin | ReduceOp::ArgMax);
        if single && axes.as_ref().is_some_and(|axes| axes.len() > 1) {
            return self.error(code::TYPE_MISMATCH, args.span, "an index is found along one axis only", "");
        }
        let keepdims = args.flag("keepdims");
        let dtype = args.dtype();
        self.reduce(array, op, accumulate, axes, keepdims, dtype, args.span)
    }

    pub(in crate::typed) fn reduce(
        &mut self,
        array: Expr,
        op: ReduceOp,
        accumulate: Accumulate,
        axes: Option<Vec<u8>>,
        keepdims: bool,
        dtype: Option<Num>,
        span: Span,
    ) -> Expr {
        let Ty::Array { dtype: element, rank } = array.ty else { return Expr::error(span) };
        let ordered = matches!(op, ReduceOp::Min | ReduceOp::Max | ReduceOp::ArgMin | ReduceOp::ArgMax);
        if ordered && element.is_complex() {
            return self.error(code::COMPLEX_ORDER, span, "complex numbers have no order", "");
        }
        let to = match accumulate {
            Accumulate::Truth => DType::Bool,
            Accumulate::Element => element,
            Accumulate::Wide => dtype.map_or(wide(element), |num| num.dtype),
        };
        let array = self.convert(array, Num::strong(to));
        let dropped = axes.as_ref().map_or(rank, |axes| axes.len() as u8);
        let result = op.result_dtype(to);
        // Of rank 0 there is nothing to keep.
        let keepdims = keepdims && rank > 0;
        let left = if keepdims { rank } else { rank - dropped };
        let ty = if left == 0 { Ty::strong(result) } else { Ty::array(result, left) };
        let axes = if axes.as_ref().is_some_and(|axes| axes.len() == usize::from(rank)) && !single_axis(op) {
            None
        } else {
            axes
        };
        Self::op(OpKind::Reduce(ReduceSpec { op, axes, keepdims }), vec![array], ty, span)
    }

    /// A number is its own sum.
    fn reduced_number(&mut self, x: Expr, op: ReduceOp, accumulate: Accumulate, args: &Arguments) -> Expr {
        let Some(num) = x.ty.scalar() else { return Expr::error(args.span) };
        let to = match accumulate {
            Accumulate::Truth => DType::Bool,
            Accumulate::Wide => args.dtype().map_or(wide(num.dtype), |n| n.dtype),
            Accumulate::Element => num.dtype,
        };
        match op {
            ReduceOp::ArgMin | ReduceOp::ArgMax => self.needs_array(args, 0),
            _ if to == DType::Bool => {
                let truth = self.truth(x);
                self.convert(truth, Num::strong(DType::Bool))
            }
            _ => self.convert(x, Num::strong(to)),
        }
    }

    /// The axes that an argument names, sorted.
    pub(in crate::typed) fn axes(&mut self, axis: &Expr, rank: u8) -> Option<Vec<u8>> {
        let items: Vec<Expr> = match &axis.kind {
            ExprKind::Tuple(items) => items.clone(),
            _ => vec![axis.clone()],
        };
        let mut axes = Vec::new();
        for item in &items {
            let Some(constant) = item.as_int().filter(|_| item.is_constant()) else {
                if !item.ty.is_silent() {
                    self.not_constant("axis", item);
                }
                return None;
            };
            let axis = self.axis(constant, rank, item.span)?;
            if axes.contains(&axis) {
                self.error(code::AXIS_OUT_OF_RANGE, item.span, "duplicate value in `axis`", "named twice");
                return None;
            }
            axes.push(axis);
        }
        axes.sort_unstable();
        Some(axes)
    }

    /// An axis by number, negative ones from the end.
    pub(super) fn axis(&mut self, axis: i64, rank: u8, span: Span) -> Option<u8> {
        let count = i64::from(rank);
        let from_start = if axis < 0 { axis + count } else { axis };
        if (0..count).contains(&from_start) {
            return Some(from_start as u8);
        }
        let headline = format!("axis {axis} is out of bounds for array of dimension {rank}");
        let diagnostic = Diagnostic::error(code::AXIS_OUT_OF_RANGE, headline).primary(span, "no such axis");
        self.report(diagnostic);
        None
    }
}

fn single_axis(op: ReduceOp) -> bool {
    matches!(op, ReduceOp::ArgMin | ReduceOp::ArgMax)
}

/// Bool and integers are summed in 64 bits.
fn wide(dtype: DType) -> DType {
    match dtype {
        d if d.is_unsigned_int() => DType::U64,
        d if d.is_int() || d == DType::Bool => DType::I64,
        d => d,
    }
}
